/* SPDX-License-Identifier: MIT */
/*
 * How a face curves. With N = S_u x S_v (turned outwards) and the intervals of all derivatives over a parameter box,
 *     l = S_uu . N,  m = S_uv . N,  n = S_vv . N,
 * the box is proved strictly convex when l < 0 and l n - m^2 > 0 for all of it, strictly concave when l > 0 and
 * l n - m^2 > 0, a saddle when l n - m^2 < 0. (Where N vanishes l n - m^2 does, so nothing is proved there.) Boxes are
 * quartered until that is decided; what stays open is sampled. Quadrics and tori are known beforehand.
 */
#include "check.h"

#include "../../geom/nurbs_enclose.h"

enum {
    GRID = 32,     /* boxes per direction of the face, at most, before samples are taken */
    DEEPER = 5,    /* further quarterings where all samples agree */
    FINE = 12,     /* samples per direction of an undecided box */
    BUDGET = 20000 /* boxes of one face */
};
/* Curvatures up to this share of the largest one there, or of 1 / size, are zero. */
#define NO_BEND 1e-9
/* Nearer to a degenerate place than this, |S_u x S_v| relative to its largest, rounding would pass for curvature. */
#define NEAR_POLE 1e-5

/* What can be said of a box or a point; sets of these are collected. */
enum { CONVEX = 1, CONCAVE = 2, SADDLE = 4, CYLINDRIC_CONVEX = 8, CYLINDRIC_CONCAVE = 16, NOTHING = 32, ZERO = 64 };

typedef struct evidence {
    const check_region* region;
    int boxes; /* left */
    unsigned proved, seen;
    double bend_min, bend_max;
    bool bend_known;
    double total, negative; /* parameter area */
    bool open;              /* some box stayed undecided */
} evidence;

/* ---- one box -------------------------------------------------------------------------------- */

static wit_interval dot_of(const wit_interval a[3], const wit_interval b[3], double margin)
{
    wit_interval s = iv_add(iv_add(iv_mul(a[0], b[0]), iv_mul(a[1], b[1])), iv_mul(a[2], b[2]));
    return iv_widen(s, margin);
}

static double length_of(const wit_interval d[3])
{
    double x = iv_mag(d[0]), y = iv_mag(d[1]), z = iv_mag(d[2]);
    return sqrt(x * x + y * y + z * z);
}

/* Axes (along S_u, across, normal) of the middle: then S_u, S_v have small components along the normal. */
static bool middle_axes(const check_region* r, wit_interval u, wit_interval v, wit_vec3 axes[3])
{
    wit_surface_jet j;
    if (wit_surface_eval(r->surface, iv_mid(u), iv_mid(v), WIT_KNOT_DEFAULT, NULL, &j) & WIT_EVAL_DEGENERATE)
        return false;
    axes[0] = unit3(j.du);
    axes[2] = unit3(cross3(axes[0], unit3(j.dv)));
    axes[1] = cross3(axes[2], axes[0]);
    return dot3(axes[2], axes[2]) > 0.5;
}

static unsigned box_character(const check_region* r, wit_interval u, wit_interval v)
{
    wit_vec3 axes[3];
    surface_enclosure e;
    if (!middle_axes(r, u, v, axes)) return NOTHING;
    if (r->surface->kind == WIT_SURFACE_NURBS && !r->surface->closed_u && !r->surface->closed_v)
        wi_nurbs_surface_enclose_to(r->surface, u, v, axes, D30, &e);
    else
        wi_surface_enclose(r->surface, u, v, axes, &e);
    const wit_interval *a = e.d[D10], *b = e.d[D01];
    wit_interval N[3] = {iv_sub(iv_mul(a[1], b[2]), iv_mul(a[2], b[1])), iv_sub(iv_mul(a[2], b[0]), iv_mul(a[0], b[2])),
                         iv_sub(iv_mul(a[0], b[1]), iv_mul(a[1], b[0]))};
    double slack = 32 * DBL_EPSILON * length_of(a) * length_of(b);
    double duu = length_of(e.d[D20]), duv = length_of(e.d[D11]), dvv = length_of(e.d[D02]);
    wit_interval l = dot_of(e.d[D20], N, slack * duu), m = dot_of(e.d[D11], N, slack * duv);
    wit_interval n = dot_of(e.d[D02], N, slack * dvv);
    bool turned = r->reversed;
    if (r->surface->kind == WIT_SURFACE_EXTRUSION) { /* m = n = 0 */
        if (l.hi < 0) return turned ? CYLINDRIC_CONCAVE : CYLINDRIC_CONVEX;
        if (l.lo > 0) return turned ? CYLINDRIC_CONVEX : CYLINDRIC_CONCAVE;
        return NOTHING;
    }
    wit_interval det = iv_sub(iv_mul(l, n), iv_square(m));
    det = iv_widen(det, 8 * DBL_EPSILON * (iv_mag(l) * iv_mag(n) + iv_mag(m) * iv_mag(m)));
    if (det.hi < 0) return SADDLE;
    if (!(det.lo > 0)) return NOTHING;
    return (l.hi < 0) != turned ? CONVEX : CONCAVE;
}

check_box_bend wi_check_box_bend(const check_region* r, wit_interval u, wit_interval v)
{
    unsigned is = box_character(r, u, v);
    if (is == NOTHING) return CHECK_BOX_OPEN;
    return is == CONVEX || is == CYLINDRIC_CONVEX ? CHECK_BOX_CONVEX : CHECK_BOX_OTHER;
}

/* ---- one point ------------------------------------------------------------------------------ */

static unsigned point_character(const check_region* r, const check_sample* x, double* small, double* large)
{
    const wit_surface* s = r->surface;
    *small = *large = 0;
    if (x->place & WIT_EVAL_DEGENERATE) return 0;
    wit_vec3 n = cross3(x->jet.du, x->jet.dv);
    if (norm3(n) <= NEAR_POLE * s->speed_u * s->speed_v && s->doubtful) return 0;
    wit_surface_forms f = wit_surface_forms_of(&x->jet);
    if (!f.has_curvature) return 0;
    double most = larger(fabs(f.k1), fabs(f.k2)), least = NO_BEND * larger(most, 1 / r->size);
    double k1 = fabs(f.k1) <= least ? 0 : f.k1, k2 = fabs(f.k2) <= least ? 0 : f.k2;
    *small = r->reversed ? k2 : -k1;
    *large = r->reversed ? k1 : -k2;
    if (*small < 0 && *large > 0) return SADDLE;
    if (*small > 0) return CONVEX;
    if (*large < 0) return CONCAVE;
    return *large > 0 ? CYLINDRIC_CONVEX : *small < 0 ? CYLINDRIC_CONCAVE : ZERO;
}

static unsigned add_point(evidence* e, const check_sample* x)
{
    double small, large;
    unsigned what = point_character(e->region, x, &small, &large);
    if (!what) return 0;
    e->seen |= what;
    e->bend_min = e->bend_known ? smaller(e->bend_min, small) : small;
    e->bend_max = e->bend_known ? larger(e->bend_max, large) : large;
    e->bend_known = true;
    return what;
}

static void visit(const check_region* r, const check_sample* x, void* user)
{
    (void)r;
    add_point(user, x);
}

/* Samples in the middles of small rectangles: all that was seen, and the share of the saddle among them. */
static unsigned sample_box(evidence* e, wit_interval u, wit_interval v, trim_tag tag, double* inside, double* saddle)
{
    unsigned all = 0;
    int in = 0, negative = 0;
    wit_hint hint = {{0}};
    for (int k = 0; k < FINE * FINE; k++) {
        check_sample x = {.u = u.lo + iv_width(u) * (k / FINE + 0.5) / FINE,
                          .v = v.lo + iv_width(v) * (k % FINE + 0.5) / FINE};
        if (tag == TRIM_MIXED && !wi_check_region_holds(e->region, x.u, x.v)) continue;
        x.place = wit_surface_eval(e->region->surface, x.u, x.v, WIT_KNOT_DEFAULT, &hint, &x.jet);
        unsigned what = add_point(e, &x);
        in++;
        negative += what == SADDLE;
        all |= what;
    }
    *inside = (double)in / (FINE * FINE);
    *saddle = (double)negative / (FINE * FINE);
    return all;
}

/* ---- the whole region ----------------------------------------------------------------------- */

/* Is the box, part by part, of that one character? Samples said so. */
static bool prove(evidence* e, wit_interval u, wit_interval v, unsigned what, int deeper)
{
    if (e->boxes-- <= 0) return false;
    unsigned is = wi_check_region_tag(e->region, u, v) == TRIM_OUT ? what : box_character(e->region, u, v);
    if (is == what) return true;
    if (is != NOTHING || deeper == 0) return false;
    double um = iv_mid(u), vm = iv_mid(v);
    return prove(e, iv(u.lo, um), iv(v.lo, vm), what, deeper - 1) &&
           prove(e, iv(um, u.hi), iv(v.lo, vm), what, deeper - 1) &&
           prove(e, iv(u.lo, um), iv(vm, v.hi), what, deeper - 1) &&
           prove(e, iv(um, u.hi), iv(vm, v.hi), what, deeper - 1);
}

/* Mixed for certain: more proofs would not change what is said. */
static bool contradicted(const evidence* e)
{
    return (e->proved & SADDLE) && (e->proved & (CONVEX | CONCAVE));
}

static void look(evidence* e, wit_interval u, wit_interval v, int cuts_u, int cuts_v)
{
    trim_tag tag = wi_check_region_tag(e->region, u, v);
    if (tag == TRIM_OUT) return;
    double area = iv_width(u) * iv_width(v), inside = 1, saddle = 0;
    unsigned is = e->boxes-- > 0 ? box_character(e->region, u, v) : NOTHING;
    bool whole = tag == TRIM_IN;
    if (is == NOTHING || !whole) {
        if ((cuts_u > 0 || cuts_v > 0) && e->boxes > 0) {
            int parts_u = cuts_u > 0 ? 2 : 1, parts_v = cuts_v > 0 ? 2 : 1;
            for (int k = 0; k < parts_u * parts_v; k++) {
                wit_interval pu = parts_u == 1 ? u : k % 2 ? iv(iv_mid(u), u.hi) : iv(u.lo, iv_mid(u));
                wit_interval pv = parts_v == 1 ? v : k / parts_u ? iv(iv_mid(v), v.hi) : iv(v.lo, iv_mid(v));
                look(e, pu, pv, cuts_u > 0 ? cuts_u - 1 : 0, cuts_v > 0 ? cuts_v - 1 : 0);
            }
            return;
        }
        unsigned seen = sample_box(e, u, v, tag, &inside, &saddle);
        bool one = seen == CONVEX || seen == CONCAVE || seen == SADDLE;
        if (is == NOTHING && one && !contradicted(e) && prove(e, u, v, seen, DEEPER)) is = seen;
    }
    if (is == SADDLE) saddle = inside;
    e->total += inside * area;
    e->negative += saddle * area;
    if (is == NOTHING)
        e->open = true;
    else if (inside > 0) /* a box of which no sample is inside tells nothing of the face */
        e->proved |= is;
}

static int cuts_for(int cells)
{
    int cuts = 0;
    while (cells << cuts < GRID) cuts++;
    return cuts;
}

static wit_bend choose(bool convex, bool concave, bool strict)
{
    if (convex && concave) return WIT_BEND_MIXED;
    if (convex) return strict ? WIT_BEND_STRICTLY_CONVEX : WIT_BEND_CONVEX;
    if (concave) return strict ? WIT_BEND_STRICTLY_CONCAVE : WIT_BEND_CONCAVE;
    return WIT_BEND_FLAT;
}

static void write_verdict(const evidence* e, wit_face_check* out)
{
    unsigned all = e->seen | e->proved;
    bool strict = e->open ? !(all & (CYLINDRIC_CONVEX | CYLINDRIC_CONCAVE | ZERO))
                          : !(e->proved & (CYLINDRIC_CONVEX | CYLINDRIC_CONCAVE));
    bool convex = all & (CONVEX | CYLINDRIC_CONVEX), concave = all & (CONCAVE | CYLINDRIC_CONCAVE);
    bool p_convex = e->proved & (CONVEX | CYLINDRIC_CONVEX), p_concave = e->proved & (CONCAVE | CYLINDRIC_CONCAVE);
    if (!(all & SADDLE)) {
        out->bend = choose(convex, concave, strict);
        out->bend_proved = out->bend == WIT_BEND_MIXED ? p_convex && p_concave : !e->open && e->proved;
    } else if (!convex && !concave && !(all & ZERO && e->open)) {
        out->bend = WIT_BEND_SADDLE;
        out->bend_proved = !e->open;
    } else {
        out->bend = WIT_BEND_MIXED;
        out->bend_proved = (e->proved & SADDLE) && (p_convex || p_concave);
    }
    out->negative_share = e->total > 0 ? e->negative / e->total : 0;
}

/* Between two parallel planes NO_BEND of its size apart: flat, whatever second derivatives say of so little. */
static bool is_flat(const check_region* r)
{
    wit_surface_jet j;
    wit_surface_eval(r->surface, iv_mid(r->u), iv_mid(r->v), WIT_KNOT_DEFAULT, NULL, &j);
    wit_vec3 n = unit3(cross3(unit3(j.du), unit3(j.dv)));
    return dot3(n, n) > 0.5 && iv_width(wit_surface_extent(r->surface, r->u, r->v, n)) <= NO_BEND * r->size;
}

/* Closed forms. All of these have S_u x S_v on the side away from the axis or the centre. False: look closer. */
static bool known_kind(const check_region* r, wit_face_check* out)
{
    switch (r->surface->kind) {
    case WIT_SURFACE_PLANE:
        out->bend = WIT_BEND_FLAT;
        break;
    case WIT_SURFACE_CYLINDER:
    case WIT_SURFACE_CONE:
        out->bend = r->reversed ? WIT_BEND_CONCAVE : WIT_BEND_CONVEX;
        break;
    case WIT_SURFACE_SPHERE:
    case WIT_SURFACE_ELLIPSOID:
    case WIT_SURFACE_PARABOLOID:
        out->bend = r->reversed ? WIT_BEND_STRICTLY_CONCAVE : WIT_BEND_STRICTLY_CONVEX;
        break;
    case WIT_SURFACE_TORUS: { /* Gaussian curvature has the sign of cos v; along v the tube is always convex */
        double turns = floor(iv_mid(r->v) / TWO_PI + 0.5),
               most = larger(fabs(r->v.lo - TWO_PI * turns), fabs(r->v.hi - TWO_PI * turns));
        if (most > 0.5 * PI + 1e-9) return false;
        bool strict = most < 0.5 * PI - 1e-9;
        out->bend = r->reversed ? (strict ? WIT_BEND_STRICTLY_CONCAVE : WIT_BEND_CONCAVE)
                                : (strict ? WIT_BEND_STRICTLY_CONVEX : WIT_BEND_CONVEX);
        break;
    }
    case WIT_SURFACE_REVOLUTION: { /* a cone, cylinder or disc */
        if (!r->surface->meridian || surface_profile(r->surface)->kind != WIT_CURVE_LINE || is_flat(r)) return false;
        out->bend = out->bend_max > -out->bend_min ? WIT_BEND_CONVEX : WIT_BEND_CONCAVE;
        break;
    }
    default:
        return false;
    }
    out->bend_proved = true;
    return true;
}

/* Samples all over the region. True: they, or closed forms, tell all. */
static bool told_by_samples(evidence* e, wit_face_check* out)
{
    const check_region* r = e->region;
    wi_check_scan(r, GRID, visit, e);
    out->bend_min = e->bend_min;
    out->bend_max = e->bend_max;
    if (known_kind(r, out)) return true;
    if (!is_flat(r)) return false;
    out->bend = WIT_BEND_FLAT;
    out->bend_proved = true;
    out->bend_min = out->bend_max = 0;
    return true;
}

bool wi_check_seen_hollow(const check_region* r)
{
    evidence e = {.region = r};
    wit_face_check out = {0};
    return !told_by_samples(&e, &out) && e.seen & (SADDLE | CONCAVE | CYLINDRIC_CONCAVE);
}

void wi_check_bend(const check_region* r, wit_face_check* out)
{
    evidence e = {.region = r, .boxes = BUDGET};
    if (told_by_samples(&e, out)) return;
    /* Curved along one direction only, as far as seen: bounds will not prove that the other curvature is zero. */
    if (!(e.seen & (CONVEX | CONCAVE | SADDLE)) && r->surface->kind != WIT_SURFACE_EXTRUSION) e.boxes = 0;
    int cuts_u = cuts_for(wi_check_cell_count(r, WIT_U)), cuts_v = cuts_for(wi_check_cell_count(r, WIT_V));
    wit_interval u = iv_point(r->u.lo);
    while (wi_check_next_cell(r, WIT_U, &u)) {
        wit_interval v = iv_point(r->v.lo);
        while (wi_check_next_cell(r, WIT_V, &v)) look(&e, u, v, cuts_u, cuts_v);
    }
    out->bend_min = e.bend_min;
    out->bend_max = e.bend_max;
    write_verdict(&e, out);
}
