/* SPDX-License-Identifier: MIT */
/*
 * What bounds the distance between two moments from below. Three arguments, the best counts:
 *
 *   way     d(t) >= d0 - way (t - t0) and d(t) >= d1 - way (t1 - t): least where the two meet;
 *   balls   the same of the distance of the centres, less the radii: costs nothing, and does not see bodies turn about their
 *           centres;
 *   planes  the gap between two parallel planes that are held across the bodies, one way of theirs fixed in a frame: falls
 *           short of the distance by something of second order in the interval only (sweep_motion.h), so that passes which
 *           miss by little take few intervals. Any bodies: what parts their hulls parts them.
 */
#include "sweep_record.h"

#include "../base/pose.h"
#include "../query/depth/support.h"
#include "../query/half_space.h"

/* The least, over the interval, of the larger of d0 - way (t - t0) and d1 - way (t1 - t). */
static double least_of_two(double d0, double d1, double way)
{
    double met = 0.5 * (d0 + d1 - way);
    return larger(met, larger(d0, d1) - way);
}

/* ---- balls --------------------------------------------------------------------------------- */

/* Height above the plane of a half-space, -infinity for other bodies without end. */
static double height_above(sweep* s, const sweep_side* half, const wit_pose* pose, wit_vec3 p)
{
    wit_placed placed = wit_placed_at(half->body, *pose);
    side x = wi_side_of(&placed, NULL, NULL);
    const shape_frame* plane = wi_half_space(&x);
    wit_vec3 m;
    x.work = &s->work;
    if (!plane || !wi_side_normal(&x, 0, 0, 0, &m)) return -INFINITY;
    return dot3(m, sub3(p, side_point(&x, plane->o)));
}

static double balls_at(sweep* s, const sweep_poses* at)
{
    const sweep_side *a = &s->side[0], *b = &s->side[1];
    wit_vec3 ca = wit_pose_point(&at->motion[0].pose, a->centre), cb = wit_pose_point(&at->motion[1].pose, b->centre);
    if (a->endless && b->endless) return -INFINITY;
    if (a->endless) return height_above(s, a, &at->motion[0].pose, cb) - b->radius;
    if (b->endless) return height_above(s, b, &at->motion[1].pose, ca) - a->radius;
    return norm3(sub3(cb, ca)) - a->radius - b->radius;
}

/* ---- planes -------------------------------------------------------------------------------- */

/* h(n) of a side from above, in the frame of the side x; +infinity where it is not known. */
static double support_above(sweep* s, const side* x, wit_vec3 n, double slack)
{
    enum { CUTS = 512 };
    if (!x->body) return dot3(n, x->t);
    const shape_frame* plane = wi_half_space(x);
    wit_vec3 m;
    if (plane) {
        bool along = wi_side_normal(x, 0, 0, 0, &m) && norm3(sub3(m, n)) <= 4 * DBL_EPSILON;
        return along ? dot3(n, side_point(x, plane->o)) : INFINITY;
    }
    if (x->body->unbounded || side_spent(x, 4 * WIT_BUDGET_LEAST)) return INFINITY;
    support h = wi_support_of(x, n, &s->work);
    if (h.partial) return INFINITY;
    /* of planes and quadrics that is the farthest place; of others only a bound tells */
    if (x->body->facts.quadrics) return h.value;
    return wi_support_upper(x, n, h.value, slack, CUTS, &s->work);
}

/* How far off the supports may be: rounding, of points that far from the origin of the frame. */
static double planes_rounding(const sweep* s, const side* moved)
{
    double reach = s->side[0].reach + s->side[1].reach + norm3(moved->t);
    return 64 * DBL_EPSILON * reach + moved->error + s->loose;
}

/* Both sides in the frame of one of them, which comes first. */
typedef struct both_sides {
    side x, y;
} both_sides;

static both_sides sides_at(sweep* s, const sweep_poses* at, int base)
{
    const wit_pose *pose = &at->motion[base].pose, *other = &at->motion[1 - base].pose;
    wit_placed stands = wit_placed_at(s->side[base].body, *pose), moves = wit_placed_at(s->side[1 - base].body, *other);
    both_sides r;
    r.x = stands.body ? wi_side_of(&stands, &stands.pose, NULL) : wi_side_of_point(vec3(0, 0, 0));
    r.y =
        moves.body ? wi_side_of(&moves, &stands.pose, NULL) : wi_side_of_point(wit_pose_unpoint(pose, other->position));
    if (!moves.body) r.y.error = point_turn_error(r.y.t);
    r.x.work = r.y.work = &s->work;
    r.x.units = r.y.units = s->def->budget - 2 * WIT_BUDGET_LEAST;
    return r;
}

/* The gap between planes across n, from x to y, in the frame of x. */
static double gap_along(sweep* s, const both_sides* b, wit_vec3 n, double slack)
{
    double hx = support_above(s, &b->x, n, slack);
    if (!(hx < INFINITY)) return -INFINITY;
    return -(hx + support_above(s, &b->y, scale3(-1, n), slack)) - planes_rounding(s, &b->y);
}

/* The gap along n, which is given in its frame, from a to b; what parts them parts the bodies. */
static double gap_at(sweep* s, const sweep_poses* at, sweep_frame frame, wit_vec3 n, double slack)
{
    int base = frame == SWEEP_OF_B;
    if (frame == SWEEP_WORLD) n = wit_pose_unvector(&at->motion[base].pose, n);
    both_sides b = sides_at(s, at, base);
    return gap_along(s, &b, base ? scale3(-1, n) : n, slack);
}

/* A half-space and a body: the farthest place along its normal is the closest one. */
static void by_half_space(sweep* s, const sweep_poses* at, int base, sweep_sample* out)
{
    both_sides b = sides_at(s, at, base);
    const shape_frame* plane = wi_half_space(&b.x);
    wit_vec3 m;
    if (!plane || !wi_side_normal(&b.x, 0, 0, 0, &m)) return;
    out->lower = larger(out->lower, gap_along(s, &b, m, 0.25 * s->tolerance));
    double value = b.y.body ? wi_support_of(&b.y, scale3(-1, m), &s->work).value : -dot3(m, b.y.t);
    double upper = -(value + dot3(m, side_point(&b.x, plane->o))) + planes_rounding(s, &b.y);
    bool deep = s->solid_point || b.y.body; /* what sheets and masks are at has no sign */
    if (value > -INFINITY && (deep || upper > 0)) out->upper = smaller(out->upper, upper);
}

static bool place_normal(const side* x, const wit_witness* w, wit_vec3* n)
{
    return w->feature == WIT_FACE && !side_spent(x, 4) && wi_side_normal(x, w->id, w->u, w->v, n);
}

static wit_vec3 tangent_of(const side* x, const wit_witness* w)
{
    wit_surface_jet j;
    if (w->feature != WIT_EDGE || side_spent(x, 4)) return vec3(0, 0, 0);
    side_edge_jet(x, w->id, w->u, WIT_KNOT_DEFAULT, &j);
    return unit3(j.du);
}

wit_vec3 wi_sweep_normal(sweep* s, const sweep_poses* at, const wit_closest* c)
{
    both_sides b = sides_at(s, at, 0);
    wit_vec3 was = wit_pose_unvector(&at->motion[0].pose, c->normal), n;
    if (!place_normal(&b.x, &c->a, &n) && !place_normal(&b.y, &c->b, &n))
        n = cross3(tangent_of(&b.x, &c->a), tangent_of(&b.y, &c->b));
    double along = dot3(n, was);
    /* what leans farther is no normal of this pair */
    if (!(fabs(along) > 0.9 * norm3(n)) || !(norm3(n) > 1e-6)) return c->normal;
    return wit_pose_vector(&at->motion[0].pose, unit3(along < 0 ? scale3(-1, n) : n));
}

void wi_sweep_polish(sweep* s, const sweep_poses* at, const wit_closest* c, sweep_sample* out)
{
    bool half[2] = {s->side[0].endless, s->side[1].endless};
    if (half[0] != half[1] && !s->def->a.mask && !s->def->b.mask) {
        by_half_space(s, at, half[1], out);
        return;
    }
    both_sides b = sides_at(s, at, 0);
    wit_vec3 ways[3] = {wit_pose_unvector(&at->motion[0].pose, out->normal)}, n;
    if (place_normal(&b.x, &c->a, &n)) ways[1] = dot3(n, ways[0]) < 0 ? scale3(-1, n) : n;
    if (place_normal(&b.y, &c->b, &n)) ways[2] = dot3(n, ways[0]) < 0 ? scale3(-1, n) : n;
    for (int k = 0; k < 3 && sweep_may(s); ++k) {
        double gap = dot3(ways[k], ways[k]) > 0 ? gap_along(s, &b, ways[k], 0.25 * s->tolerance) : -INFINITY;
        /* below touch it says nothing of two bodies */
        if (gap > 0 || s->solid_point) out->lower = larger(out->lower, gap);
    }
    out->lower = smaller(out->lower, out->upper);
}

/* A direction in the axes of the frame. */
static wit_vec3 into_frame(const sweep_poses* at, sweep_frame frame, wit_vec3 n)
{
    return frame == SWEEP_WORLD ? n : wit_pose_unvector(&at->motion[frame].pose, n);
}

/* Of a half-space its own normal, in its own frame, is the only way. */
static bool plane_way(sweep* s, sweep_frame* frame, wit_vec3* n)
{
    for (int i = 0; i < 2; ++i) {
        if (!s->side[i].endless) continue;
        wit_placed placed = wit_placed_at(s->side[i].body, wit_pose_identity());
        side x = wi_side_of(&placed, &placed.pose, NULL);
        x.work = &s->work;
        *frame = i ? SWEEP_OF_B : SWEEP_OF_A;
        if (!wi_half_space(&x) || !wi_side_normal(&x, 0, 0, 0, n)) *n = vec3(0, 0, 0);
        if (i) *n = scale3(-1, *n);
        return true;
    }
    return false;
}

typedef struct held_planes {
    const sweep_poses* at[2];
    sweep_frame frame;
    double loss, aim, slack;
} held_planes;

static double try_planes(sweep* s, const held_planes* h, wit_vec3 n)
{
    if (!(dot3(n, n) > 0)) return -INFINITY;
    double gap = gap_at(s, h->at[0], h->frame, n, h->slack) - h->loss;
    if (!(gap > h->aim)) return -INFINITY;
    return smaller(gap, gap_at(s, h->at[1], h->frame, n, h->slack) - h->loss);
}

static double by_planes(sweep* s, const sweep_sample* l, const sweep_sample* r, const sweep_poses at[2],
                        const double bend[SWEEP_FRAMES], double aim)
{
    held_planes h = {.at = {&at[0], &at[1]}, .frame = SWEEP_WORLD, .aim = aim};
    double seconds = r->t - l->t, most = smaller(l->upper, r->upper), best = -INFINITY;
    wit_vec3 only;
    bool one = plane_way(s, &h.frame, &only);
    for (int f = 0; !one && f < SWEEP_FRAMES; ++f)
        if (bend[f] < bend[h.frame]) h.frame = (sweep_frame)f;
    h.loss = bend[h.frame] * seconds * seconds / 8;
    double room = most - h.loss - aim;
    if (!(room > 0)) return -INFINITY; /* no plane is farther off than the bodies are */
    h.slack = 0.05 * room;
    if (one) return try_planes(s, &h, only);
    wit_vec3 n0 = into_frame(&at[0], h.frame, l->normal), n1 = into_frame(&at[1], h.frame, r->normal);
    const wit_vec3 ways[3] = {unit3(add3(n0, n1)), n0, n1};
    for (int k = 0; k < 3 && !(best > aim); ++k) best = larger(best, try_planes(s, &h, ways[k]));
    return best;
}

/* ---- all ----------------------------------------------------------------------------------- */

/* Rounding of the poses themselves, computed from the motion at another time than the ends'. */
static double pose_rounding(const sweep* s, const sweep_poses at[2])
{
    double most = s->side[0].reach + s->side[1].reach;
    for (int i = 0; i < 2; ++i) most += norm3(at[i].motion[0].pose.position) + norm3(at[i].motion[1].pose.position);
    return 16 * DBL_EPSILON * most;
}

double wi_sweep_bound(sweep* s, const sweep_sample* l, const sweep_sample* r, double aim)
{
    sweep_poses at[2];
    sweep_speeds v;
    double seconds = r->t - l->t;
    s->status = wi_sweep_poses(s->side, l->t, &at[0]);
    if (!s->status) s->status = wi_sweep_poses(s->side, r->t, &at[1]);
    if (!s->status) s->status = wi_sweep_speeds(s->side, l->t, seconds, &at[0], &v);
    if (s->status) return -INFINITY;
    double off = pose_rounding(s, at);
    double best = least_of_two(l->lower, r->lower, v.way * seconds) - off;
    if (!(best > aim)) {
        double balls = least_of_two(balls_at(s, &at[0]), balls_at(s, &at[1]), v.centre_way * seconds);
        best = larger(best, balls - s->loose - 4 * off);
    }
    work_boxes(&s->work, 1);
    if (!(best > aim) && sweep_may(s)) best = larger(best, by_planes(s, l, r, at, v.bend, aim) - off);
    return best;
}
