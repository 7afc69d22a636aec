/* SPDX-License-Identifier: MIT */
/* Cells: bounds about the middle of a parameter box, by Taylor's formula, and cutting in halves. */
#include "cell.h"

#include "../../body/meeting.h"
#include "../half_space.h"
#include "../../body/tree/crease.h"

/* Computed points, first and second derivatives: how far from the exact ones. */
typedef struct jet_error {
    double p, d1, d2;
} jet_error;

void wi_cell_pool_start(cell_pool* pool, const side* a, const side* b, bool rigorous, cell* cells, int capacity)
{
    *pool = (cell_pool){.side = {a, b}, .cells = cells, .capacity = capacity, .rigorous = rigorous};
}

/* ---- errors of jets ------------------------------------------------------------------------ */

static double size_of(wit_vec3 p)
{
    return fabs(p.x) + fabs(p.y) + fabs(p.z);
}

/* The usual: trigonometric and spline kernels end within a few units in the last place of the magnitudes; the change of
 * frame adds three products and sums. */
static jet_error usual_error(const side* s, const cell* c)
{
    double unit = 8 * DBL_EPSILON;
    const wit_surface_jet* j = &c->jet;
    jet_error e = {unit * (size_of(j->p) + (s->moved ? size_of(s->t) : 0)), unit * (c->len[0] + c->len[1]),
                   unit * (size_of(j->duu) + size_of(j->duv) + size_of(j->dvv))};
    return e;
}

static double off_interval(double x, wit_interval i)
{
    return larger(i.hi - x, x - i.lo);
}

static double off_box(wit_vec3 p, const wit_interval box[3])
{
    double x = off_interval(p.x, box[0]), y = off_interval(p.y, box[1]), z = off_interval(p.z, box[2]);
    return sqrt(x * x + y * y + z * z) * (1 + 4 * DBL_EPSILON);
}

/* From the enclosure of the box that is the middle alone, along the axes of the search; the sum with t and the
 * products with the rows are rounded once more. */
static jet_error enclosed_error(const side* s, const cell* c)
{
    static const wit_vec3 coordinates[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    wit_vec3 rows[3] = {s->x, s->y, s->z};
    const wit_vec3* axes = s->moved ? rows : coordinates;
    wit_vec3 t = s->moved ? s->t : vec3(0, 0, 0);
    const wit_surface_jet* j = &c->jet;
    jet_error e = usual_error(s, c);
    if (c->kind == WIT_FACE) {
        surface_enclosure in;
        side_tests(s, 1);
        wi_surface_enclose(body_surface(s->body, c->id), iv_point(c->mid[0]), iv_point(c->mid[1]), axes, &in);
        e.p += off_box(sub3(j->p, t), in.d[D00]);
        e.d1 += larger(off_box(j->du, in.d[D10]), off_box(j->dv, in.d[D01]));
        e.d2 += larger(off_box(j->duu, in.d[D20]), larger(off_box(j->duv, in.d[D11]), off_box(j->dvv, in.d[D02])));
    } else if (c->kind == WIT_EDGE) {
        curve_enclosure in;
        side_tests(s, 1);
        wi_curve_enclose(body_curve(s->body, c->id), iv_point(c->mid[0]), axes, &in);
        e.p += off_box(sub3(j->p, t), in.d[0]);
        e.d1 += off_box(j->du, in.d[1]);
        e.d2 += off_box(j->duu, in.d[2]);
    }
    return e;
}

/* ---- bounds -------------------------------------------------------------------------------- */

static wit_vec3 absolute(wit_vec3 a)
{
    return vec3(fabs(a.x), fabs(a.y), fabs(a.z));
}

/*
 * With |S_ij| <= d2, |S_ijk| <= d3 over the box and |d| <= h componentwise, all from Taylor's formula about the middle.
 * d1 and d2 are those of the parent, made smaller where the middle and the next derivative allow it: near poles and
 * apexes they shrink with the box.
 */
static void fill_bounds(cell* c, const jet_error* error)
{
    const wit_surface_jet* j = &c->jet;
    double a = c->h[0], b = c->h[1];
    const double *d1 = c->d1, *d3 = c->d3;
    double second[3] = {norm3(j->duu), norm3(j->duv), norm3(j->dvv)};
    for (int k = 0; k < 3; ++k) {
        c->s[k] = smaller(d3[k] * a + d3[k + 1] * b, second[k] + c->d2[k]) + error->d2;
        c->d2[k] = smaller(c->d2[k], second[k] + c->s[k]);
    }
    for (int i = 0; i < 2; ++i) {
        c->t[i] = smaller(c->d2[i] * a + c->d2[i + 1] * b, c->len[i] + d1[i]) + error->d1;
        c->t2[i] = 0.5 * (d3[i] * a * a + 2 * d3[i + 1] * a * b + d3[i + 2] * b * b) + error->d1 + error->d2 * (a + b);
        c->d1[i] = smaller(d1[i], c->len[i] + c->t[i]);
    }
    const double* d2 = c->d2;
    double rounding = error->p + error->d1 * (a + b);
    c->error = error->p;
    c->lin = sqrt(c->form[0] * a * a + 2 * fabs(c->form[1]) * a * b + c->form[2] * b * b) * (1 + 4 * DBL_EPSILON);
    c->e2 = 0.5 * (d2[0] * a * a + 2 * d2[1] * a * b + d2[2] * b * b) + rounding;
    c->e3 = (d3[0] * a * a * a + 3 * (d3[1] * a * a * b + d3[2] * a * b * b) + d3[3] * b * b * b) / 6 + rounding +
            error->d2 * (a + b) * (a + b);
    c->radius = c->lin + c->e2;
}

/* The box of the ball's tangent body: |S_u| h_u + |S_v| h_v + e2 along each axis. */
static void box_about_jet(cell* c)
{
    wit_vec3 half = addscaled3(scale3(c->h[0], absolute(c->jet.du)), c->h[1], absolute(c->jet.dv));
    c->centre = c->jet.p;
    c->half = add3(half, vec3(c->e2, c->e2, c->e2));
}

/* Jet and bounds of a cell whose feature, mid, h, d1, d2, d3 (of its parent) are set. */
static void fill_cell(cell_pool* pool, cell* c)
{
    const side* s = pool->side[c->side];
    wi_side_jet(s, &(place){.kind = (wit_feature_kind)c->kind, .id = c->id, .u = c->mid[0], .v = c->mid[1]},
                WIT_KNOT_DEFAULT, &pool->hint[c->side], &c->jet);
    const wit_surface_jet* j = &c->jet;
    c->form[0] = dot3(j->du, j->du);
    c->form[1] = dot3(j->du, j->dv);
    c->form[2] = dot3(j->dv, j->dv);
    c->len[0] = sqrt(c->form[0]);
    c->len[1] = sqrt(c->form[2]);
    jet_error error = pool->rigorous ? enclosed_error(s, c) : usual_error(s, c);
    fill_bounds(c, &error);
    box_about_jet(c);
    c->size = size_of(c->jet.p) + c->radius;
    c->reach = 2 * larger(c->d1[0] * c->h[0], c->d1[1] * c->h[1]);
    c->child[0] = c->child[1] = CELL_NONE;
    c->inner = c->split = false;
    bool fine = c->h[0] <= 4 * DBL_EPSILON * fabs(c->mid[0]) && c->h[1] <= 4 * DBL_EPSILON * fabs(c->mid[1]);
    c->whole = c->count == 0 || fine || c->reach <= 4 * c->error;
}

/* ---- cones --------------------------------------------------------------------------------- */

/* Wider by CREASE: on a crease the way out is between the normals of its two sides. */
static void set_cone(cell* c, wit_vec3 axis, double cosine)
{
    double sine = sqrt(larger(0, 1 - cosine * cosine));
    double wider = cosine - CREASE * sine - 0.5 * CREASE * CREASE;
    if (cosine < 0 && sine <= 2 * CREASE) wider = -1;
    c->cone = (node_cone){axis, wider};
    c->sine = sqrt(larger(0, 1 - wider * wider));
}

/* That of the node. */
static void node_cone_of(const cell_pool* pool, cell* c)
{
    const side* s = pool->side[c->side];
    if (!pool->facing[c->side]) return;
    const node_cone* cone = &body_node_cones(s->body)[c->node];
    if (cone->cosine > -1) set_cone(c, side_vector(s, cone->axis), cone->cosine);
}

/* |f_u x f_v - that of the middle| <= t_u |f_v| + t_v |f_u| + t_u t_v: its share of |f_u x f_v| is the sine. */
static void cone_by_jet(const cell_pool* pool, cell* c)
{
    if (!pool->facing[c->side] || c->kind != WIT_FACE) return;
    wit_vec3 normal = cross3(c->jet.du, c->jet.dv);
    double square = dot3(normal, normal);
    double spread = c->t[0] * c->len[1] + c->t[1] * c->len[0] + c->t[0] * c->t[1] + 1e-14 * c->len[0] * c->len[1];
    double ratio = spread * spread / square;
    if (!(ratio < 1)) return;
    double cosine = sqrt(1 - ratio) - 1e-14;
    if (!(cosine > c->cone.cosine)) return;
    double sign = body_faces(pool->side[c->side]->body)[c->id].reversed ? -1 : 1;
    set_cone(c, scale3(sign / sqrt(square), normal), cosine);
}

/* ---- nodes of the tree --------------------------------------------------------------------- */

static double axis_reach(wit_vec3 row, wit_vec3 half)
{
    return fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
}

/* The box of a node, moved; with one rounding of its coordinates to spare. */
static void move_box(const side* s, const wit_box* box, wit_vec3* centre, wit_vec3* half)
{
    wit_vec3 c = scale3(0.5, add3(box->lo, box->hi)), h = scale3(0.5, sub3(box->hi, box->lo));
    *centre = side_point(s, c);
    *half = s->moved ? vec3(axis_reach(s->x, h), axis_reach(s->y, h), axis_reach(s->z, h)) : h;
    double margin = 8 * DBL_EPSILON * (size_of(c) + size_of(h) + (s->moved ? size_of(s->t) : 0));
    *half = add3(*half, vec3(margin, margin, margin));
}

static void set_widths(cell* c, int i, wit_interval range)
{
    c->mid[i] = iv_mid(range);
    c->h[i] = 0.5 * iv_width(range);
    c->h[i] += 2 * DBL_EPSILON * (fabs(c->mid[i]) + c->h[i]); /* the middle is rounded */
}

/* The part of box a that box b also holds. */
static void intersect(cell* c, wit_vec3 centre, wit_vec3 half)
{
    wit_vec3 p = c->centre, h = c->half;
    double lo[3] = {larger(p.x - h.x, centre.x - half.x), larger(p.y - h.y, centre.y - half.y),
                    larger(p.z - h.z, centre.z - half.z)};
    double hi[3] = {smaller(p.x + h.x, centre.x + half.x), smaller(p.y + h.y, centre.y + half.y),
                    smaller(p.z + h.z, centre.z + half.z)};
    double margin = 4 * DBL_EPSILON * (size_of(p) + size_of(h));
    c->centre = vec3(0.5 * (lo[0] + hi[0]), 0.5 * (lo[1] + hi[1]), 0.5 * (lo[2] + hi[2]));
    c->half = vec3(0.5 * (hi[0] - lo[0]) + margin, 0.5 * (hi[1] - lo[1]) + margin, 0.5 * (hi[2] - lo[2]) + margin);
    wit_vec3 far = add3(absolute(sub3(c->centre, c->jet.p)), c->half);
    c->radius = smaller(c->radius, norm3(far) * (1 + 4 * DBL_EPSILON));
}

static cell* take(cell_pool* pool, int which, int node)
{
    cell* c = &pool->cells[pool->count++];
    *c = (cell){.child = {CELL_NONE, CELL_NONE},
                .node = node,
                .id = -1,
                .side = (uint8_t)which,
                .tag = TRIM_IN,
                .cone = {{0, 0, 1}, -1}};
    return c;
}

/* How far the border that a cell stands for may be off it: see cell.h. A face stands for both sides of its seams. */
static double stands_within(const wit_body* b, const tree_node* n)
{
    if (n->kind == WIT_FACE) return b->gape;
    if (!(b->looseness > 0)) return 0;
    if (n->kind == WIT_EDGE) return body_edges(b)[n->feature].tolerance;
    const body_vertex* v = &body_vertices(b)[n->feature];
    double most = 0;
    for (int k = 0; k < v->edges; ++k) most = larger(most, body_edges(b)[vertex_edges(b, n->feature)[k]].tolerance);
    return v->tolerance + most;
}

static void leaf_cell(cell_pool* pool, cell* c, const tree_node* n)
{
    const side* s = pool->side[c->side];
    c->kind = n->kind;
    c->id = n->feature;
    c->tag = n->tag;
    c->count = (uint8_t)kind_dimension((wit_feature_kind)n->kind);
    wit_interval range[2];
    bool clipped = wi_half_space_clip(s, n, range);
    for (int i = 0; i < c->count; ++i) set_widths(c, i, range[i]);
    const leaf_bounds* b = &body_leaf_bounds(s->body)[n->bounds];
    for (int k = 0; k < 2; ++k) c->d1[k] = b->d1[k];
    for (int k = 0; k < 3; ++k) c->d2[k] = b->d2[k];
    for (int k = 0; k < 4; ++k) c->d3[k] = b->d3[k];
    c->tolerance = stands_within(s->body, n);
    c->pieces = made_of_pieces(s->body, (wit_feature_kind)n->kind, n->feature);
    fill_cell(pool, c);
    c->leaf = true;
    if (clipped) return;
    wit_vec3 centre, half;
    move_box(s, &n->box, &centre, &half);
    intersect(c, centre, half);
}

/*
 * Where the tangent of an edge breaks, inside or at the seam of a ring, a minimum can sit without a vertex to carry it. Such a
 * place becomes a cell of its own, so that "no stationary point" keeps meaning "no minimum". Each piece answers for its
 * lower end; ends of edges that are no rings are vertices.
 */
bool wi_cell_starts_at_kink(const side* s, const tree_node* n)
{
    const body_edge* e = &body_edges(s->body)[n->feature];
    const wit_curve* curve = body_curve(s->body, n->feature);
    bool first = n->u.lo <= e->range.lo;
    int breaks;
    wit_curve_breaks(curve, &breaks);
    if ((first && e->start >= 0) || (!first && breaks <= 2)) return false;
    if (side_spent(s, 2)) return true;
    wit_curve_jet above, below;
    side_jets(s, 2);
    wit_curve_eval(curve, n->u.lo, WIT_KNOT_DEFAULT, NULL, &above);
    wit_curve_eval(curve, first ? e->range.hi : n->u.lo, WIT_KNOT_T_BELOW, NULL, &below);
    double size = norm3(above.d1) * norm3(below.d1);
    return !(norm3(cross3(above.d1, below.d1)) <= 1e-9 * size && dot3(above.d1, below.d1) > 0);
}

static void inner_cell(const side* s, cell* c, const tree_node* n)
{
    c->inner = true;
    c->tolerance = s->body->looseness;
    move_box(s, &n->box, &c->centre, &c->half);
    c->own = scale3(0.5 * (1 + 4 * DBL_EPSILON), sub3(n->box.hi, n->box.lo));
    c->radius = norm3(c->half);
    c->size = size_of(c->centre) + c->radius;
    c->reach = 2 * c->radius;
}

/* The piece and the place where it begins, under one box. */
static void broken_leaf(cell_pool* pool, cell* c, const tree_node* n)
{
    inner_cell(pool->side[c->side], c, n);
    c->split = true;
    for (int k = 0; k < 2; ++k) {
        c->child[k] = pool->count;
        leaf_cell(pool, take(pool, c->side, c->node), n);
        pool->cells[c->child[k]].cone.cosine = -1;
    }
    cell* point = &pool->cells[c->child[1]];
    point->count = 0;
    point->mid[0] = n->u.lo;
    point->h[0] = 0;
    fill_cell(pool, point);
}

enum { CELLS_OF_NODE = 3, BOUND_ANEW = 6 };

/* A leaf or an inner node; CELL_NONE if it does not count. There is room for CELLS_OF_NODE. */
static int node_cell(cell_pool* pool, int which, int node)
{
    const side* s = pool->side[which];
    const tree_node* n = &body_nodes(s->body)[node];
    bool leaf = n->child[0] < 0;
    if (leaf && !side_counts(s, (wit_feature_kind)n->kind, n->feature)) return CELL_NONE;
    int index = pool->count;
    cell* c = take(pool, which, node);
    node_cone_of(pool, c);
    if (!leaf)
        inner_cell(s, c, n);
    else if (n->kind == WIT_EDGE && wi_cell_starts_at_kink(s, n))
        broken_leaf(pool, c, n);
    else
        leaf_cell(pool, c, n);
    return index;
}

int wi_cell_root(cell_pool* pool, int which)
{
    const side* s = pool->side[which];
    if (pool->count + CELLS_OF_NODE > pool->capacity) return CELL_NONE;
    if (s->body) return s->body->node_count ? node_cell(pool, which, 0) : CELL_NONE;
    cell* c = take(pool, which, -1);
    c->kind = WIT_POINT;
    fill_cell(pool, c);
    return pool->count - 1;
}

/* ---- halves -------------------------------------------------------------------------------- */

static int half_cell(cell_pool* pool, const cell* parent, int direction, int upper)
{
    double quarter = 0.5 * parent->h[direction];
    double mid = parent->mid[direction] + (upper ? quarter : -quarter);
    cell* c = &pool->cells[pool->count++];
    *c = *parent;
    c->leaf = false;
    c->stamp = 0;
    ++c->halvings;
    c->unsure = parent->tag == TRIM_MIXED;
    c->mid[direction] = mid;
    c->h[direction] = quarter + 2 * DBL_EPSILON * (fabs(mid) + quarter);
    fill_cell(pool, c);
    cone_by_jet(pool, c);
    return pool->count - 1;
}

/* Most cells are excluded by their distance before it matters whether they lie in the face. */
bool wi_cell_trim(cell_pool* pool, int index)
{
    cell* c = &pool->cells[index];
    if (c->unsure && !side_spent(pool->side[c->side], 1)) {
        const wit_body* body = pool->side[c->side]->body;
        const body_face* f = &body_faces(body)[c->id];
        trim_curves curves = body_trim_curves(body, f);
        curves.work = pool->side[c->side]->work;
        curves.units = work_less(pool->side[c->side]->units, 2 * CELL_SPLIT_UNITS);
        side_tests(pool->side[c->side], 1);
        wit_interval u = iv(c->mid[0] - c->h[0], c->mid[0] + c->h[0]), v = iv(c->mid[1] - c->h[1], c->mid[1] + c->h[1]);
        c->tag = (uint8_t)wi_trim_classify(&f->trim, body_at(body, f->trim_block), &curves, u, v);
        c->unsure = false;
    }
    return c->tag != TRIM_OUT;
}

/* |d x dd| / |d|^2: how fast the tangent d turns when its derivative is dd. */
static double turning(wit_vec3 d, wit_vec3 dd, double square)
{
    return square > 0 ? norm3(cross3(d, dd)) / square : 0;
}

/* What halving along i is good for: the length along it, and the angle by which it turns the tangents. The latter keeps
 * cells at apexes and poles from staying wide sectors. */
static double worth(const cell* c, int i)
{
    const wit_surface_jet* j = &c->jet;
    double of_u = turning(j->du, i ? j->duv : j->duu, c->form[0]),
           of_v = turning(j->dv, i ? j->dvv : j->duv, c->form[2]);
    double turn = c->h[i] * larger(of_u, of_v);
    return c->d1[i] * c->h[i] + 2 * c->reach * smaller(1, turn);
}

/* Bounds of derivatives come down from the leaf; those of rational splines are far too wide for small parts of it. */
void wi_cell_bound_anew(const side* s, cell* c)
{
    wit_surface_bounds b = {0};
    side_tests(s, 1);
    wit_interval u = iv(c->mid[0] - c->h[0], c->mid[0] + c->h[0]), v = iv(c->mid[1] - c->h[1], c->mid[1] + c->h[1]);
    if (c->kind == WIT_FACE) {
        wit_surface_bound(body_surface(s->body, c->id), u, v, &b);
    } else {
        wit_curve_bounds curve;
        wit_curve_bound(body_curve(s->body, c->id), u, &curve);
        b.du = curve.d1;
        b.duu = curve.d2;
        b.duuu = curve.d3;
    }
    const double d1[2] = {b.du, b.dv}, d2[3] = {b.duu, b.duv, b.dvv}, d3[4] = {b.duuu, b.duuv, b.duvv, b.dvvv};
    for (int k = 0; k < 2; ++k) c->d1[k] = smaller(c->d1[k], d1[k]);
    for (int k = 0; k < 3; ++k) c->d2[k] = smaller(c->d2[k], d2[k]);
    for (int k = 0; k < 4; ++k) c->d3[k] = smaller(c->d3[k], d3[k]);
}

bool wi_cell_split(cell_pool* pool, int index)
{
    cell* c = &pool->cells[index];
    if (c->split) return true;
    if (!wi_cell_trim(pool, index)) return c->split = true;
    if (c->whole || pool->count + 2 * CELLS_OF_NODE > pool->capacity) return false;
    if (c->inner) {
        const int32_t* child = body_nodes(pool->side[c->side]->body)[c->node].child;
        c->child[0] = node_cell(pool, c->side, child[0]);
        c->child[1] = node_cell(pool, c->side, child[1]);
    } else {
        if (c->halvings >= BOUND_ANEW) {
            wi_cell_bound_anew(pool->side[c->side], c);
            c->halvings = 0;
        }
        int direction = c->count > 1 && worth(c, 1) > worth(c, 0) ? 1 : 0;
        c->child[0] = half_cell(pool, c, direction, 0);
        c->child[1] = half_cell(pool, c, direction, 1);
    }
    c->split = true;
    return true;
}

place wi_cell_place(const cell* c)
{
    place p = place_at((wit_feature_kind)c->kind, c->id, c->mid[0], c->mid[1], c->jet.p);
    return p;
}
