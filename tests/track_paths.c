/* SPDX-License-Identifier: MIT */
#include "track_paths.h"

#define PI 3.1415926535897932384626433832795

wave wave_make(rng* r, double mean, double size, double rate)
{
    wave w = {.mean = mean};
    double left = 1;
    for (int k = 0; k < 3; k++) {
        double share = k < 2 ? rng_range(r, 0.3, 0.7) * left : left;
        left -= share;
        w.size[k] = share * size;
        w.rate[k] = rng_range(r, 0.5, 1.5) * rate * (k + 1);
        w.phase[k] = rng_range(r, 0, 2 * PI);
    }
    return w;
}

double wave_at(const wave* w, double t, double* slope)
{
    double x = w->mean + w->drift * t, d = w->drift;
    for (int k = 0; k < 3; k++) {
        double s, c;
        wit_sincos(w->rate[k] * t + w->phase[k], &s, &c);
        x += w->size[k] * s;
        d += w->size[k] * w->rate[k] * c;
    }
    if (slope) *slope = d;
    return x;
}

sway sway_make(rng* r, wit_vec3 centre, double reach, double turn, double rate)
{
    sway s;
    s.position[0] = wave_make(r, centre.x, reach, rate);
    s.position[1] = wave_make(r, centre.y, reach, rate);
    s.position[2] = wave_make(r, centre.z, reach, rate);
    s.angle = wave_make(r, 0, turn, rate);
    s.axis = random_unit(r);
    wit_vec3 first = random_unit(r);
    s.start = turn > 0 ? wit_quat_about(first, rng_range(r, -PI, PI)) : wit_pose_identity().rotation;
    return s;
}

wit_motion sway_at(const sway* s, double t)
{
    wit_motion m = wit_motion_at_rest(wit_pose_identity());
    double slope;
    m.pose.position.x = wave_at(&s->position[0], t, &m.twist.velocity.x);
    m.pose.position.y = wave_at(&s->position[1], t, &m.twist.velocity.y);
    m.pose.position.z = wave_at(&s->position[2], t, &m.twist.velocity.z);
    wit_pose turned = wit_pose_identity(), start = wit_pose_identity();
    turned.rotation = wit_quat_about(s->axis, wave_at(&s->angle, t, &slope));
    start.rotation = s->start;
    m.pose.rotation = wit_pose_compose(&turned, &start).rotation;
    m.twist.angular = scale3(slope, s->axis);
    return m;
}

static wave along(rng* r, wit_interval range, bool closed, double rate)
{
    double width = range.hi - range.lo;
    wave w = wave_make(r, 0.5 * (range.lo + range.hi), 0.5 * width, rate);
    if (closed) w.drift = rng_range(r, -1, 1) * width * rate;
    return w;
}

over over_make(rng* r, const wit_body* body, int face, double height, double rate)
{
    over o = {.body = body, .face = face};
    wit_face_info f = wit_body_face(body, face);
    wit_surface_info s = wit_surface_describe(f.surface);
    o.u = along(r, f.u, s.closed_u, rate);
    o.v = along(r, f.v, s.closed_v, rate);
    o.height = wave_make(r, 0, height, rate);
    return o;
}

static double wrapped(double x, wit_interval range)
{
    double width = range.hi - range.lo;
    return fmin(range.lo + (x - range.lo) - width * floor((x - range.lo) / width), range.hi);
}

wit_vec3 over_at(const over* o, double t)
{
    wit_face_info f = wit_body_face(o->body, o->face);
    double u = wrapped(wave_at(&o->u, t, NULL), f.u), v = wrapped(wave_at(&o->v, t, NULL), f.v);
    wit_surface_jet jet;
    wit_vec3 n = {0, 0, 0};
    wit_surface_eval(f.surface, u, v, 0, NULL, &jet);
    wit_body_face_normal(o->body, o->face, u, v, &n);
    return addscaled3(jet.p, wave_at(&o->height, t, NULL), n);
}

/* ---- the judge -------------------------------------------------------------------------------- */

double track_size(const wit_body* a, const wit_body* b)
{
    wit_box box = wit_body_describe(a).box;
    double size = norm3(sub3(box.hi, box.lo));
    return b ? fmin(size, track_size(b, NULL)) : size;
}

track_judge track_judge_make(const wit_body* a, const wit_body* b, double tolerance)
{
    return (track_judge){.body = {a, b}, .size = track_size(a, b), .tolerance = tolerance};
}

/* At an end of the range only what leads back inside counts. */
static double tangent_gap(wit_vec3 tangent, wit_vec3 gap, double x, wit_interval range, bool closed)
{
    double edge = 1e-9 * (range.hi - range.lo), along = dot3(unit3(tangent), gap);
    if (!closed && x <= range.lo + edge) return fmax(along, 0);
    if (!closed && x >= range.hi - edge) return fmax(-along, 0);
    return fabs(along);
}

double track_slope(const wit_body* body, const wit_pose* pose, const wit_witness* w, wit_vec3 other)
{
    wit_vec3 gap = wit_pose_unvector(pose, sub3(other, w->point));
    if (w->feature == WIT_FACE) {
        wit_face_info f = wit_body_face(body, w->id);
        wit_surface_info s = wit_surface_describe(f.surface);
        wit_surface_jet jet;
        wit_surface_eval(f.surface, w->u, w->v, 0, NULL, &jet);
        double x = tangent_gap(jet.du, gap, w->u, f.u, s.closed_u);
        return fmax(x, tangent_gap(jet.dv, gap, w->v, f.v, s.closed_v));
    }
    if (w->feature != WIT_EDGE) return 0;
    wit_edge_info e = wit_body_edge(body, w->id);
    wit_curve_jet jet;
    wit_curve_eval(e.curve, w->u, 0, NULL, &jet);
    return tangent_gap(jet.d1, gap, w->u, e.range, wit_curve_describe(e.curve).closed);
}

bool track_result_fits(const wit_result* r, double slack)
{
    if (!isfinite(r->distance) || !finite3(r->normal) || !finite3(r->a.point) || !finite3(r->b.point)) return false;
    if (isnan(r->lower_bound) || !isfinite(r->rate) || !isfinite(r->residual)) return false;
    if (fabs(norm3(r->normal) - 1) > 1e-12) return false;
    wit_vec3 gap = sub3(r->b.point, r->a.point), rest = sub3(gap, scale3(r->distance, r->normal));
    if (r->outcome == WIT_OUTCOME_CONVERGED && fabs(dot3(rest, r->normal)) > slack) return false;
    if (r->outcome == WIT_OUTCOME_CONVERGED && norm3(rest) > 1.5e6 * slack) return false;
    if (r->lower_bound > r->distance + slack) return false;
    bool certified = r->flags & WIT_FLAG_CERTIFIED, local = r->flags & WIT_FLAG_LOCAL;
    if (certified && local) return false;
    return r->work.units >= r->work.jets && r->residual >= 0 && r->residual <= 1 + 1e-12;
}

static void count_flags(track_tally* t, const wit_result* r)
{
    t->converged += r->outcome == WIT_OUTCOME_CONVERGED;
    t->certified += (r->flags & WIT_FLAG_CERTIFIED) != 0;
    t->local += (r->flags & WIT_FLAG_LOCAL) != 0;
    t->fell_back += (r->flags & WIT_FLAG_FELL_BACK) != 0;
    t->reacquired += (r->flags & WIT_FLAG_REACQUIRED) != 0;
    t->switched += (r->flags & WIT_FLAG_SWITCHED) != 0;
    t->saturated += (r->flags & WIT_FLAG_SATURATED) != 0;
    t->jumped += (r->flags & WIT_FLAG_JUMPED) != 0;
    t->jets += r->work.jets;
    t->units += r->work.units;
    if (r->work.jets > t->most_jets) t->most_jets = r->work.jets;
    if (r->work.units > t->most_units) t->most_units = r->work.units;
}

static void tell(track_tally* t, const char* verdict, const char* what, const wit_result* r, const wit_closest* cold)
{
    if (t->told++ >= 5) return;
    print_message(
        "  %s at step %ld of %s: distance %.17g, cold %.17g, ended %s, flags %#x, residual %.2g\n"
        "    %s %d (%.17g, %.17g) - %s %d (%.17g, %.17g), bound %.17g, units %lld; cold %s %d (%.17g, %.17g)\n",
        verdict, t->steps, what, r->distance, cold->distance, wit_outcome_name(r->outcome), r->flags, r->residual,
        wit_feature_kind_name(r->a.feature), r->a.id, r->a.u, r->a.v, wit_feature_kind_name(r->b.feature), r->b.id,
        r->b.u, r->b.v, r->lower_bound, (long long)r->work.units, wit_feature_kind_name(cold->a.feature), cold->a.id,
        cold->a.u, cold->a.v);
}

static bool closest_place(const track_judge* j, const wit_pose* a, const wit_pose* b, const wit_result* r, double slack)
{
    if (track_slope(j->body[0], a, &r->a, r->b.point) > slack) return false;
    return !j->body[1] || track_slope(j->body[1], b, &r->b, r->a.point) <= slack;
}

void track_judge_step(track_judge* j, track_tally* t, const wit_pose* a, const wit_pose* b, const wit_result* r,
                      const wit_closest* cold, const char* what)
{
    double scale = fmax(fabs(cold->distance), j->size), error = fabs(r->distance - cold->distance) / scale;
    wit_pose back = wit_pose_inverse(a), relative = wit_pose_compose(&back, b);
    wit_vec3 witness[2] = {wit_pose_unpoint(a, cold->a.point), wit_pose_unpoint(b, cold->b.point)};
    bool jump = false;
    if (j->started) {
        wit_vec3 from = wit_pose_point(&j->relative, j->witness[1]), to = wit_pose_point(&relative, j->witness[1]);
        double motion = norm3(sub3(to, from)), reach = TRACK_JUMP * motion + 1e-6 * j->size;
        t->motion += motion / j->size;
        jump = norm3(sub3(witness[0], j->witness[0])) > reach || norm3(sub3(witness[1], j->witness[1])) > reach;
    }
    t->steps++;
    count_flags(t, r);
    t->jumps += jump;
    t->largest = fmax(t->largest, error);
    if (!track_result_fits(r, 1e-12 * scale) ||
        (r->outcome == WIT_OUTCOME_CONVERGED && !closest_place(j, a, b, r, 1e-5 * scale))) {
        t->unfit++;
        tell(t, "unfit", what, r, cold);
    }
    if (r->lower_bound > cold->distance + 1e-12 * scale) { /* which is attained, so no bound is above it */
        t->liars++;
        tell(t, "bound above the truth", what, r, cold);
    }
    if (error <= j->tolerance) {
        t->agreed++;
        t->worst = fmax(t->worst, error);
        j->behind = false;
    } else {
        bool liar = (r->flags & WIT_FLAG_CERTIFIED) != 0;
        j->behind = j->behind || jump;
        t->liars += liar;
        t->behind += j->behind;
        t->lost += !j->behind;
        if (liar || !j->behind) tell(t, liar ? "certified and wrong" : "lost", what, r, cold);
    }
    j->started = true;
    j->witness[0] = witness[0];
    j->witness[1] = witness[1];
    j->relative = relative;
}

void track_tally_print(const char* name, const track_tally* t)
{
    double n = t->steps ? (double)t->steps : 1, percent = 100 / n;
    print_message("%s: %ld steps of %.2g of the size, error at most %.2g; lost %ld, behind %ld (cold jumps %ld), "
                  "certified and wrong %ld, unfit %ld\n",
                  name, t->steps, t->motion / n, t->worst, t->lost, t->behind, t->jumps, t->liars, t->unfit);
    print_message("  converged %.4g %%, certified %.3g %%, fell back %.3g %%, re-acquired %.3g %%, switched %.3g %%, "
                  "jumped %.3g %%; per step %.2f jets, %.2f units; most %lld jets, %lld units\n",
                  percent * (double)t->converged, percent * (double)t->certified, percent * (double)t->fell_back,
                  percent * (double)t->reacquired, percent * (double)t->switched, percent * (double)t->jumped,
                  (double)t->jets / n, (double)t->units / n, (long long)t->most_jets, (long long)t->most_units);
}

void track_tally_add(track_tally* a, const track_tally* b)
{
    a->steps += b->steps, a->agreed += b->agreed, a->behind += b->behind, a->lost += b->lost;
    a->liars += b->liars, a->jumps += b->jumps, a->converged += b->converged, a->certified += b->certified;
    a->local += b->local, a->fell_back += b->fell_back, a->reacquired += b->reacquired, a->switched += b->switched;
    a->saturated += b->saturated, a->jumped += b->jumped, a->unfit += b->unfit, a->told += b->told;
    a->worst = fmax(a->worst, b->worst);
    a->largest = fmax(a->largest, b->largest);
    a->motion += b->motion;
    a->jets += b->jets, a->units += b->units;
    if (b->most_jets > a->most_jets) a->most_jets = b->most_jets;
    if (b->most_units > a->most_units) a->most_units = b->most_units;
}

/* ---- bodies ----------------------------------------------------------------------------------- */

wit_body* track_body_of(const wit_surface_def* def, wit_body_kind kind)
{
    wit_surface* s = surface_made(def);
    wit_face_def face = {.surface = s};
    wit_body_def d = wit_body_default_def(kind);
    d.face_count = 1;
    d.faces = &face;
    wit_error e = {0};
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_surface_destroy(s);
    return b;
}

/* A half circle from -z to z turned a full round, stretched: 9 x 5 points of degree 2. */
static wit_body* nurbs_ellipsoid(wit_vec3 axes)
{
    static const double round[9][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
    static const double half[5][2] = {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}};
    static const double knots_u[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}, knots_v[8] = {0, 0, 0, 1, 1, 2, 2, 2};
    double points[3 * 45], weights[45];
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 5; j++) {
            double* p = points + 3 * (5 * i + j);
            p[0] = axes.x * half[j][0] * round[i][0];
            p[1] = axes.y * half[j][0] * round[i][1];
            p[2] = axes.z * half[j][1];
            weights[5 * i + j] = (i % 2 ? sqrt(0.5) : 1) * (j % 2 ? sqrt(0.5) : 1);
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = 9, d.count_v = 5;
    d.knot_count_u = 12, d.knot_count_v = 8;
    d.knots_u = knots_u, d.knots_v = knots_v;
    d.points = points, d.weights = weights;
    return track_body_of(&d, WIT_BODY_SOLID);
}

wit_body* track_ellipsoid(wit_vec3 axes, bool nurbs)
{
    if (nurbs) return nurbs_ellipsoid(axes);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    d.size_x = axes.x, d.size_y = axes.y, d.size_z = axes.z;
    wit_error e = {0};
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

wit_tracker* track_start(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    wit_error e = {0};
    wit_tracker* t = wit_tracker_create(a, b, def, NULL, &e);
    if (!t) fail_msg("tracker refused: %s: %s", e.item, e.text);
    return t;
}

wit_tracker* track_start_in(void** memory, size_t* bytes, const wit_body* a, const wit_body* b)
{
    wit_track_def d = wit_track_default_def();
    wit_tracker* t = NULL;
    *bytes = wit_tracker_size(a, b, &d);
    assert_true(*bytes > 0);
    *memory = test_calloc(1, *bytes);
    assert_int_equal(wit_tracker_init(*memory, *bytes, a, b, &d, &t, NULL), WIT_OK);
    return t;
}
