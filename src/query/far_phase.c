/* SPDX-License-Identifier: MIT */
/*
 * The papers' far phase (Haptic rendering with feedback-stabilised extremal distance tracking, section II): where a local
 * method starts that knows nothing yet. For each pair of patches the centre of each one's box is projected on the other's
 * control mesh, and the parameters are interpolated between the nodes of the mesh; the pair of patches whose points then
 * lie nearest is taken. A patch is a face; of a planar body an edge.
 *
 * The mesh of a spline is its control net in Bezier form, cell by cell, node (i, j) of a cell standing for the
 * parameters i / degree_u, j / degree_v of its widths. Other surfaces have no net: their own points on a grid take its
 * place. What lies outside the loops of a face is not on it; a trimmed face ends at its edges, which are polylines then.
 */
#include "far_phase.h"

#include "../body/body_record.h"
#include "../geom/spline_axis.h"

/* Divisions of a mesh that is not a control net: per direction, and per smooth piece where there are several. */
enum { DIVISIONS = 8, PIECE_DIVISIONS = 4 };

typedef struct node {
    wit_vec3 p;
    double u, v;
} node;

/* The best so far, in the frame of its body. */
typedef struct guess {
    double distance;
    wit_feature_kind kind;
    int32_t id;
    double u, v;
    wit_vec3 p; /* on the feature itself */
} guess;

/* What one quadrangle, or one stretch of an edge, takes at most but for the trims: two jets, two triangles and whether each of
 * them lies in the face; and what ends a patch. */
enum { QUADRANGLE = 8, PATCH_END = 1 };

static bool may_go_on(const far_effort* e)
{
    return !e->units || work_left(e->work, e->units) > QUADRANGLE + PATCH_END;
}

static const guess no_guess = {INFINITY, WIT_POINT, -1, 0, 0, {0, 0, 0}};

static double distance3(wit_vec3 a, wit_vec3 b)
{
    return norm3(sub3(a, b));
}

/* ---- points, segments and triangles of a mesh ---------------------------------------------- */

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static node between(const node* a, const node* b, double s)
{
    node r = {addscaled3(a->p, s, sub3(b->p, a->p)), a->u + s * (b->u - a->u), a->v + s * (b->v - a->v)};
    return r;
}

static node on_segment(const node* a, const node* b, wit_vec3 target)
{
    wit_vec3 d = sub3(b->p, a->p);
    double length2 = dot3(d, d);
    return between(a, b, length2 > 0 ? clamp(dot3(sub3(target, a->p), d) / length2, 0, 1) : 0);
}

/* The foot inside the triangle if there is one, else the nearest point of its sides (thin triangles too). */
static node on_triangle(const node* a, const node* b, const node* c, wit_vec3 target)
{
    wit_vec3 e = sub3(b->p, a->p), f = sub3(c->p, a->p), r = sub3(target, a->p);
    double ee = dot3(e, e), ef = dot3(e, f), ff = dot3(f, f), re = dot3(r, e), rf = dot3(r, f);
    double det = ee * ff - ef * ef, s = re * ff - rf * ef, t = rf * ee - re * ef;
    if (det > 1e-12 * ee * ff && s >= 0 && t >= 0 && s + t <= det) {
        s /= det;
        t /= det;
        node inside = {addscaled3(addscaled3(a->p, s, e), t, f), a->u + s * (b->u - a->u) + t * (c->u - a->u),
                       a->v + s * (b->v - a->v) + t * (c->v - a->v)};
        return inside;
    }
    node best = on_segment(a, b, target), other = on_segment(b, c, target);
    if (distance3(other.p, target) < distance3(best.p, target)) best = other;
    other = on_segment(c, a, target);
    return distance3(other.p, target) < distance3(best.p, target) ? other : best;
}

/* ---- the mesh of a face, the polyline of an edge --------------------------------------------- */

typedef struct mesh {
    const wit_surface* surface;
    wit_interval u, v;
    int count_u, count_v; /* quadrangles per direction */
} mesh;

static int divisions(const wit_surface* s, wit_direction direction)
{
    int n = PIECE_DIVISIONS * (s->breaks[direction].count - 1);
    return n > DIVISIONS ? n : DIVISIONS;
}

static mesh mesh_of(const wit_body* body, int32_t face)
{
    const body_face* f = &body_faces(body)[face];
    mesh m = {body_surface(body, face), f->u, f->v, 0, 0};
    bool net = m.surface->kind == WIT_SURFACE_NURBS;
    m.count_u = net ? m.surface->spline.u.cells * m.surface->spline.u.degree : divisions(m.surface, WIT_U);
    m.count_v = net ? m.surface->spline.v.cells * m.surface->spline.v.degree : divisions(m.surface, WIT_V);
    return m;
}

/* Node i of a spline's axis: its cell, its place in the cell's net, its parameter. */
static int net_axis(const spline_axis* axis, const void* base, int i, int* cell, double* parameter)
{
    *cell = i / axis->degree < axis->cells ? i / axis->degree : axis->cells - 1;
    int k = i - *cell * axis->degree;
    const double* b = axis_breaks(axis, base) + *cell;
    *parameter = k == axis->degree ? b[1] : b[0] + (b[1] - b[0]) * k / axis->degree;
    return k;
}

static node mesh_node(const far_effort* e, const mesh* m, int i, int j)
{
    node r;
    const wit_surface* s = m->surface;
    if (s->kind == WIT_SURFACE_NURBS) {
        const surface_spline* n = &s->spline;
        int cell_u, cell_v;
        int k = net_axis(&n->u, s, i, &cell_u, &r.u), l = net_axis(&n->v, s, j, &cell_v, &r.v);
        size_t rows = (size_t)n->u.degree + 1, columns = (size_t)n->v.degree + 1;
        size_t cell = (size_t)cell_u * (size_t)n->v.cells + (size_t)cell_v;
        const double* w = (const double*)(const void*)((const char*)s + n->bernstein);
        w += 4 * (cell * rows * columns + (size_t)k * columns + (size_t)l);
        r.p = vec3(w[0] / w[3], w[1] / w[3], w[2] / w[3]);
        return r;
    }
    wit_surface_jet jet;
    r.u = i == m->count_u ? m->u.hi : m->u.lo + iv_width(m->u) * i / m->count_u;
    r.v = j == m->count_v ? m->v.hi : m->v.lo + iv_width(m->v) * j / m->count_v;
    work_jets(e->work, 1);
    wit_surface_eval(s, r.u, r.v, 0, NULL, &jet);
    r.p = jet.p;
    return r;
}

/* A face, or an edge, and the point that is sought near, in the frame of the body. */
typedef struct sought {
    const wit_body* body;
    int32_t id;
    wit_vec3 target;
} sought;

/* Keeps the place of the nearest mesh point; p becomes the feature's own point only at the end. */
static void keep_nearest(const far_effort* e, const sought* x, const node* at, guess* best)
{
    double d = distance3(at->p, x->target);
    work_boxes(e->work, 1);
    if (!(d < best->distance)) return;
    work_tests(e->work, 1);
    if (!wi_body_face_contains(x->body, x->id, at->u, at->v, e->work, e->units)) return;
    *best = (guess){d, WIT_FACE, x->id, at->u, at->v, at->p};
}

/* False: the work ended first. */
static bool search_mesh(const far_effort* e, const sought* x, guess* best)
{
    mesh m = mesh_of(x->body, x->id);
    for (int i = 0; i < m.count_u; ++i) {
        if (!may_go_on(e)) return false;
        node low = mesh_node(e, &m, i, 0), high = mesh_node(e, &m, i + 1, 0);
        for (int j = 1; j <= m.count_v; ++j) {
            if (!may_go_on(e)) return false;
            node next_low = mesh_node(e, &m, i, j), next_high = mesh_node(e, &m, i + 1, j);
            node one = on_triangle(&low, &high, &next_low, x->target);
            keep_nearest(e, x, &one, best);
            node two = on_triangle(&next_high, &next_low, &high, x->target);
            keep_nearest(e, x, &two, best);
            low = next_low;
            high = next_high;
        }
    }
    return true;
}

static node edge_node(const far_effort* e, const wit_body* body, int32_t edge, double t)
{
    wit_curve_jet jet;
    work_jets(e->work, 1);
    wit_curve_eval(body_curve(body, edge), t, 0, NULL, &jet);
    node r = {jet.p, t, 0};
    return r;
}

static bool search_edge(const far_effort* e, const sought* x, guess* best)
{
    wit_interval range = body_edges(x->body)[x->id].range;
    int n = PIECE_DIVISIONS * (body_curve(x->body, x->id)->breaks.count - 1);
    if (n < DIVISIONS) n = DIVISIONS;
    if (!may_go_on(e)) return false;
    node from = edge_node(e, x->body, x->id, range.lo);
    for (int k = 1; k <= n; ++k) {
        if (!may_go_on(e)) return false;
        node to = edge_node(e, x->body, x->id, k == n ? range.hi : range.lo + iv_width(range) * k / n);
        node at = on_segment(&from, &to, x->target);
        double d = distance3(at.p, x->target);
        work_boxes(e->work, 1);
        if (d < best->distance) *best = (guess){d, WIT_EDGE, x->id, at.u, 0, at.p};
        from = to;
    }
    return true;
}

/* The mesh's point becomes that of the feature. */
static guess onto_feature(const far_effort* e, const wit_body* body, guess g, wit_vec3 target)
{
    if (g.kind == WIT_FACE) {
        wit_surface_jet jet;
        work_jets(e->work, 1);
        wit_surface_eval(body_surface(body, g.id), g.u, g.v, 0, NULL, &jet);
        g.p = jet.p;
    } else if (g.kind == WIT_EDGE) {
        g.p = edge_node(e, body, g.id, g.u).p;
    }
    g.distance = g.id < 0 ? INFINITY : distance3(g.p, target);
    return g;
}

/* ---- patches -------------------------------------------------------------------------------- */

static int32_t patch_count(const wit_body* body)
{
    return body->planar ? body->edge_count : body->face_count;
}

static bool patch_counts(const wit_placed* at, int32_t patch)
{
    if (!at->mask) return true;
    const uint8_t* listed = at->body->planar ? at->mask->edges : at->mask->faces;
    wit_feature_kind kind = at->body->planar ? WIT_EDGE : WIT_FACE;
    return listed ? listed[patch] != 0 : (at->mask->kinds >> kind & 1) != 0;
}

/* The ball about the patch's box, in the world. Of an unbounded face the radius is infinite. */
static wit_vec3 patch_centre(const far_effort* e, const wit_placed* at, int32_t patch, double* radius)
{
    wit_box box = {{0, 0, 0}, {0, 0, 0}};
    *radius = INFINITY;
    work_boxes(e->work, !at->body->planar);
    work_tests(e->work, at->body->planar);
    if (at->body->planar) {
        wit_curve_bounds b;
        wit_curve_bound(body_curve(at->body, patch), body_edges(at->body)[patch].range, &b);
        box = b.box;
    } else {
        const body_face* f = &body_faces(at->body)[patch];
        if (f->unbounded) return at->pose.position;
        box = f->box;
    }
    wit_vec3 half = scale3(0.5, sub3(box.hi, box.lo));
    *radius = norm3(half);
    return wit_pose_point(&at->pose, add3(box.lo, half));
}

/* The edges of a trimmed face. */
static bool search_border(const far_effort* e, const sought* x, guess* best)
{
    const body_face* f = &body_faces(x->body)[x->id];
    for (int32_t l = 0; f->trimmed && l < f->loops; ++l) {
        const body_loop* loop = &body_loops(x->body)[f->first_loop + l];
        for (int32_t k = 0; k < loop->uses; ++k) {
            sought edge = {x->body, body_uses(x->body)[loop->first_use + k].edge, x->target};
            if (edge.id >= 0 && !search_edge(e, &edge, best)) return false;
        }
    }
    return true;
}

/* The point of a patch that the mesh proposes for a target in the world; p is in the world too. Where the work ends, the best
 * of what was seen, or none. */
static guess patch_guess(const far_effort* e, const wit_placed* at, int32_t id, wit_vec3 world_target)
{
    const wit_body* body = at->body;
    sought x = {body, id, wit_pose_unpoint(&at->pose, world_target)};
    guess best = no_guess;
    if (body->planar) {
        search_edge(e, &x, &best);
    } else {
        const body_face* f = &body_faces(body)[id];
        const wit_surface* s = body_surface(body, id);
        bool all = true;
        if (f->unbounded && s->kind == WIT_SURFACE_PLANE) {
            /* The foot itself: a mesh as large as the plane would have no digits left. */
            wit_vec3 r = sub3(x.target, s->frame.o);
            best = (guess){0,
                           WIT_FACE,
                           id,
                           clamp(dot3(r, s->frame.x), f->u.lo, f->u.hi),
                           clamp(dot3(r, s->frame.y), f->v.lo, f->v.hi),
                           x.target};
        } else {
            all = search_mesh(e, &x, &best);
        }
        if (all) search_border(e, &x, &best);
    }
    best = onto_feature(e, body, best, x.target);
    best.p = wit_pose_point(&at->pose, best.p);
    return best;
}

static wit_witness guess_witness(const guess* g)
{
    wit_witness w = {g->kind, g->id, g->u, g->v, g->p};
    return w;
}

static wit_status check_placed(const wit_placed* at)
{
    if (!at || !at->body) return WIT_ERROR_ARGUMENT;
    wit_status status = wit_pose_check(&at->pose);
    if (status) return status;
    double far = fmax(fabs(at->pose.position.x), fmax(fabs(at->pose.position.y), fabs(at->pose.position.z)));
    return far <= WIT_MAX_COORDINATE ? WIT_OK : WIT_ERROR_NUMBER;
}

static wit_status check_point(wit_vec3 point)
{
    double far = fmax(fabs(point.x), fmax(fabs(point.y), fabs(point.z)));
    return finite3(point) && far <= WIT_MAX_COORDINATE ? WIT_OK : WIT_ERROR_NUMBER;
}

bool wi_far_phase_point(const far_effort* e, const wit_placed* a, wit_vec3 point, wit_witness* out)
{
    guess best = no_guess;
    for (int32_t i = 0; i < patch_count(a->body) && may_go_on(e); ++i) {
        double radius;
        wit_vec3 centre = patch_centre(e, a, i, &radius);
        if (!patch_counts(a, i) || distance3(centre, point) - radius >= best.distance) continue;
        guess g = patch_guess(e, a, i, point);
        g.distance = distance3(g.p, point);
        if (g.id >= 0 && g.distance < best.distance) best = g;
    }
    *out = guess_witness(&best);
    return best.id >= 0;
}

/* An unbounded patch has no box: the centre of the other one stands for its own. */
static double pair_guess(const far_effort* e, const wit_placed at[2], const int32_t id[2], double bound, guess pair[2])
{
    double radius[2];
    wit_vec3 centre[2];
    for (int k = 0; k < 2; ++k) centre[k] = patch_centre(e, &at[k], id[k], &radius[k]);
    if (distance3(centre[0], centre[1]) - radius[0] - radius[1] >= bound) return INFINITY;
    for (int k = 0; k < 2; ++k)
        if (!(radius[k] < INFINITY)) centre[k] = centre[1 - k];
    for (int k = 0; k < 2; ++k) pair[k] = patch_guess(e, &at[k], id[k], centre[1 - k]);
    return pair[0].id < 0 || pair[1].id < 0 ? INFINITY : distance3(pair[0].p, pair[1].p);
}

bool wi_far_phase_pair(const far_effort* e, const wit_placed at[2], wit_witness out[2])
{
    guess best[2] = {no_guess, no_guess};
    double least = INFINITY;
    for (int32_t i = 0; i < patch_count(at[0].body) && may_go_on(e); ++i)
        for (int32_t j = 0; patch_counts(&at[0], i) && j < patch_count(at[1].body) && may_go_on(e); ++j) {
            guess pair[2] = {no_guess, no_guess};
            const int32_t id[2] = {i, j};
            double d = patch_counts(&at[1], j) ? pair_guess(e, at, id, least, pair) : INFINITY;
            if (!(d < least)) continue;
            least = d;
            best[0] = pair[0];
            best[1] = pair[1];
        }
    out[0] = guess_witness(&best[0]);
    out[1] = guess_witness(&best[1]);
    return best[0].id >= 0 && best[1].id >= 0;
}

wit_status wit_far_phase_point(const wit_placed* a, wit_vec3 point, wit_witness* out)
{
    wit_status status = check_placed(a);
    if (status || !out) return status ? status : WIT_ERROR_ARGUMENT;
    status = check_point(point);
    if (status) return status;
    wit_work work = {0};
    wi_far_phase_point(&(far_effort){&work, 0}, a, point, out);
    return WIT_OK;
}

wit_status wit_far_phase_pair(const wit_placed* a, const wit_placed* b, wit_witness* out_a, wit_witness* out_b)
{
    wit_status status = check_placed(a);
    if (!status) status = check_placed(b);
    if (status || !out_a || !out_b) return status ? status : WIT_ERROR_ARGUMENT;
    wit_work work = {0};
    wit_placed at[2] = {*a, *b};
    wit_witness out[2];
    wi_far_phase_pair(&(far_effort){&work, 0}, at, out);
    *out_a = out[0];
    *out_b = out[1];
    return WIT_OK;
}
