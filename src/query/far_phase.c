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
#include "../../include/witness/query.h"
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

static node mesh_node(const mesh* m, int i, int j)
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
    wit_surface_eval(s, r.u, r.v, 0, NULL, &jet);
    r.p = jet.p;
    return r;
}

/* Keeps the place of the nearest mesh point; p becomes the feature's own point only at the end. */
static void keep_nearest(const wit_body* body, int32_t face, const node* at, wit_vec3 target, guess* best)
{
    double d = distance3(at->p, target);
    if (!(d < best->distance) || !wit_body_face_contains(body, face, at->u, at->v)) return;
    *best = (guess){d, WIT_FACE, face, at->u, at->v, at->p};
}

static void search_mesh(const wit_body* body, int32_t face, wit_vec3 target, guess* best)
{
    mesh m = mesh_of(body, face);
    for (int i = 0; i < m.count_u; ++i) {
        node low = mesh_node(&m, i, 0), high = mesh_node(&m, i + 1, 0);
        for (int j = 1; j <= m.count_v; ++j) {
            node next_low = mesh_node(&m, i, j), next_high = mesh_node(&m, i + 1, j);
            node one = on_triangle(&low, &high, &next_low, target);
            keep_nearest(body, face, &one, target, best);
            node two = on_triangle(&next_high, &next_low, &high, target);
            keep_nearest(body, face, &two, target, best);
            low = next_low;
            high = next_high;
        }
    }
}

static node edge_node(const wit_body* body, int32_t edge, double t)
{
    wit_curve_jet jet;
    wit_curve_eval(body_curve(body, edge), t, 0, NULL, &jet);
    node r = {jet.p, t, 0};
    return r;
}

static void search_edge(const wit_body* body, int32_t edge, wit_vec3 target, guess* best)
{
    wit_interval range = body_edges(body)[edge].range;
    int n = PIECE_DIVISIONS * (body_curve(body, edge)->breaks.count - 1);
    if (n < DIVISIONS) n = DIVISIONS;
    node from = edge_node(body, edge, range.lo);
    for (int k = 1; k <= n; ++k) {
        node to = edge_node(body, edge, k == n ? range.hi : range.lo + iv_width(range) * k / n);
        node at = on_segment(&from, &to, target);
        double d = distance3(at.p, target);
        if (d < best->distance) *best = (guess){d, WIT_EDGE, edge, at.u, 0, at.p};
        from = to;
    }
}

/* The mesh's point becomes that of the feature. */
static guess onto_feature(const wit_body* body, guess g, wit_vec3 target)
{
    if (g.kind == WIT_FACE) {
        wit_surface_jet jet;
        wit_surface_eval(body_surface(body, g.id), g.u, g.v, 0, NULL, &jet);
        g.p = jet.p;
    } else if (g.kind == WIT_EDGE) {
        g.p = edge_node(body, g.id, g.u).p;
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
static wit_vec3 patch_centre(const wit_placed* at, int32_t patch, double* radius)
{
    wit_box box = {{0, 0, 0}, {0, 0, 0}};
    *radius = INFINITY;
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

/* The point of a patch that the mesh proposes for a target in the world; p is in the world too. */
static guess patch_guess(const wit_placed* at, int32_t patch, wit_vec3 world_target)
{
    const wit_body* body = at->body;
    wit_vec3 target = wit_pose_unpoint(&at->pose, world_target);
    guess best = no_guess;
    if (body->planar) {
        search_edge(body, patch, target, &best);
    } else {
        const body_face* f = &body_faces(body)[patch];
        const wit_surface* s = body_surface(body, patch);
        if (f->unbounded && s->kind == WIT_SURFACE_PLANE) {
            /* The foot itself: a mesh as large as the plane would have no digits left. */
            wit_vec3 r = sub3(target, s->frame.o);
            best = (guess){0,
                           WIT_FACE,
                           patch,
                           clamp(dot3(r, s->frame.x), f->u.lo, f->u.hi),
                           clamp(dot3(r, s->frame.y), f->v.lo, f->v.hi),
                           target};
        } else {
            search_mesh(body, patch, target, &best);
        }
        for (int32_t l = 0; f->trimmed && l < f->loops; ++l) {
            const body_loop* loop = &body_loops(body)[f->first_loop + l];
            for (int32_t k = 0; k < loop->uses; ++k) {
                int32_t edge = body_uses(body)[loop->first_use + k].edge;
                if (edge >= 0) search_edge(body, edge, target, &best);
            }
        }
    }
    best = onto_feature(body, best, target);
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

wit_status wit_far_phase_point(const wit_placed* a, wit_vec3 point, wit_witness* out)
{
    wit_status status = check_placed(a);
    if (status || !out) return status ? status : WIT_ERROR_ARGUMENT;
    double far = fmax(fabs(point.x), fmax(fabs(point.y), fabs(point.z)));
    if (!finite3(point) || far > WIT_MAX_COORDINATE) return WIT_ERROR_NUMBER;
    guess best = no_guess;
    for (int32_t i = 0; i < patch_count(a->body); ++i) {
        double radius;
        wit_vec3 centre = patch_centre(a, i, &radius);
        if (!patch_counts(a, i) || distance3(centre, point) - radius >= best.distance) continue;
        guess g = patch_guess(a, i, point);
        g.distance = distance3(g.p, point);
        if (g.id >= 0 && g.distance < best.distance) best = g;
    }
    *out = guess_witness(&best);
    return WIT_OK;
}

/* An unbounded patch has no box: the centre of the other one stands for its own. */
static double pair_guess(const wit_placed* a, int32_t i, const wit_placed* b, int32_t j, double bound, guess pair[2])
{
    double radius_a, radius_b;
    wit_vec3 centre_a = patch_centre(a, i, &radius_a), centre_b = patch_centre(b, j, &radius_b);
    if (distance3(centre_a, centre_b) - radius_a - radius_b >= bound) return INFINITY;
    if (!(radius_a < INFINITY)) centre_a = centre_b;
    if (!(radius_b < INFINITY)) centre_b = centre_a;
    pair[0] = patch_guess(a, i, centre_b);
    pair[1] = patch_guess(b, j, centre_a);
    return pair[0].id < 0 || pair[1].id < 0 ? INFINITY : distance3(pair[0].p, pair[1].p);
}

wit_status wit_far_phase_pair(const wit_placed* a, const wit_placed* b, wit_witness* out_a, wit_witness* out_b)
{
    wit_status status = check_placed(a);
    if (!status) status = check_placed(b);
    if (status || !out_a || !out_b) return status ? status : WIT_ERROR_ARGUMENT;
    guess best[2] = {no_guess, no_guess};
    double least = INFINITY;
    for (int32_t i = 0; i < patch_count(a->body); ++i)
        for (int32_t j = 0; patch_counts(a, i) && j < patch_count(b->body); ++j) {
            guess pair[2] = {no_guess, no_guess};
            double d = patch_counts(b, j) ? pair_guess(a, i, b, j, least, pair) : INFINITY;
            if (!(d < least)) continue;
            least = d;
            best[0] = pair[0];
            best[1] = pair[1];
        }
    *out_a = guess_witness(&best[0]);
    *out_b = guess_witness(&best[1]);
    return WIT_OK;
}
