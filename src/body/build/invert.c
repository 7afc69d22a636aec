/* SPDX-License-Identifier: MIT */
#include "invert.h"

#include "../../base/open_list.h"
#include "../../base/solve.h"
#include "../../base/sort.h"
#include "../../geom/nurbs_enclose.h"

#define ENOUGH_RELATIVE 1e-9 /* of the distance */
#define ENOUGH_SIZE 1e-12    /* of the surface's size */

typedef struct foot {
    double x[2];
    double distance;
} foot;

double wi_surface_wrap(double x, wit_interval range, bool closed)
{
    if (!closed || (x >= range.lo && x <= range.hi)) return x;
    double period = iv_width(range);
    x -= period * floor((x - range.lo) / period);
    return smaller(larger(x, range.lo), range.hi);
}

double wi_surface_size(const wit_surface* s)
{
    return s->speed_u * iv_width(s->u) + s->speed_v * iv_width(s->v);
}

/* Rounding of a point of the surface, and of p. */
static double length_noise(const wit_surface* s, wit_vec3 p)
{
    return 4 * DBL_EPSILON * (fabs(p.x) + fabs(p.y) + fabs(p.z) + wi_surface_size(s));
}

static double distance_at(const wit_surface* s, wit_vec3 p, const double x[2], unsigned* place)
{
    wit_surface_jet jet;
    unsigned flags = wit_surface_eval(s, x[0], x[1], WIT_KNOT_DEFAULT, NULL, &jet);
    if (place) *place = flags;
    return norm3(sub3(jet.p, p));
}

/* ---- closed forms -------------------------------------------------------------------------- */

/* The angle of the range nearest to phi. cos(x - phi) falls with |x - phi| up to pi, so it is phi's copy within pi
 * of the range's middle, or the end on that side. */
static double nearest_angle(double phi, wit_interval range)
{
    double middle = iv_mid(range);
    phi -= TWO_PI * round((phi - middle) / TWO_PI);
    return smaller(larger(phi, range.lo), range.hi);
}

/*
 * S = o + r(v) e(u) + z(v) z with r of one sign: |S - p|^2 depends on u through -2 r rho cos(phi - u) only, so the best u
 * is the same for all v: the angle nearest to phi (r >= 0) or to phi + pi. What is left is a line or a circle in the
 * half plane of that u.
 */
static bool closed_form(const wit_surface* s, wit_vec3 p, const double* guess, double x[2])
{
    const shape_frame* f = &s->frame;
    if (s->kind > WIT_SURFACE_TORUS || s->kind == WIT_SURFACE_ELLIPSOID) return false;
    wit_vec3 q = sub3(p, f->o);
    double a = dot3(q, f->x), b = dot3(q, f->y), z = dot3(q, f->z);
    if (s->kind == WIT_SURFACE_PLANE) {
        x[0] = smaller(larger(a, s->u.lo), s->u.hi);
        x[1] = smaller(larger(b, s->v.lo), s->v.hi);
        return true;
    }
    double rho = sqrt(a * a + b * b);
    bool on_axis = rho <= length_noise(s, p);
    double phi = on_axis ? (guess ? guess[0] : s->u.lo) : wit_atan2(b, a);
    if (!on_axis && s->kind == WIT_SURFACE_CONE && s->c < 0) phi += PI;
    x[0] = nearest_angle(phi, s->u);
    double sine, cosine;
    wit_sincos(x[0], &sine, &cosine);
    double along = a * cosine + b * sine; /* of p in the half plane of u */
    /* Where u is free, rho is better than its rounded projection. */
    if (!on_axis && x[0] > s->u.lo && x[0] < s->u.hi) along = along < 0 ? -rho : rho;
    switch (s->kind) {
    case WIT_SURFACE_CYLINDER:
        x[1] = z;
        break;
    case WIT_SURFACE_CONE:
        x[1] = (along - s->a) * s->sine + z * s->cosine;
        break;
    case WIT_SURFACE_SPHERE:
        x[1] = nearest_angle(wit_atan2(z, along), s->v);
        break;
    default: /* TORUS */
        x[1] = nearest_angle(wit_atan2(z, along - s->a), s->v);
        break;
    }
    x[1] = smaller(larger(x[1], s->v.lo), s->v.hi);
    return true;
}

/* ---- Newton with bounds, cell by cell ------------------------------------------------------ */

/*
 * Half the squared distance is smooth within a cell of the surface only. So every step ends in its cell; at a border
 * the search goes on in the neighbour if it falls there. A crease is then an ordinary minimum: held from both sides.
 */
typedef struct seeker {
    const wit_surface* s;
    wit_vec3 p;
    wit_interval range[2];
    bool closed[2];
    const double* breaks[2];
    int cells[2];
    double noise;
} seeker;

typedef struct spot {
    double x[2];
    int cell[2];
    wit_surface_jet jet;
    unsigned place;
    wit_vec3 e; /* S - p */
    double f;   /* |e|^2 / 2 */
} spot;

static seeker seeker_of(const wit_surface* s, wit_vec3 p)
{
    seeker k = {s, p, {s->u, s->v}, {s->closed_u, s->closed_v}, {NULL, NULL}, {0, 0}, length_noise(s, p)};
    for (int d = 0; d < 2; ++d) {
        k.breaks[d] = wit_surface_breaks(s, (wit_direction)d, &k.cells[d]);
        --k.cells[d];
    }
    return k;
}

static void look(const seeker* k, spot* at)
{
    unsigned side = 0;
    for (int d = 0; d < 2; ++d)
        if (at->x[d] == k->breaks[d][at->cell[d] + 1]) side |= d == 0 ? WIT_KNOT_U_BELOW : WIT_KNOT_V_BELOW;
    at->place = wit_surface_eval(k->s, at->x[0], at->x[1], side, NULL, &at->jet);
    at->e = sub3(at->jet.p, k->p);
    at->f = 0.5 * dot3(at->e, at->e);
}

static int cell_of(const double* breaks, int cells, double x)
{
    return last_not_above(breaks, 0, cells - 1, x);
}

static spot spot_at(const seeker* k, const double x[2])
{
    spot at;
    for (int d = 0; d < 2; ++d) {
        double w = wi_surface_wrap(x[d], k->range[d], k->closed[d]);
        at.x[d] = smaller(larger(w, k->range[d].lo), k->range[d].hi);
        at.cell[d] = cell_of(k->breaks[d], k->cells[d], at.x[d]);
    }
    look(k, &at);
    return at;
}

/* One guarded step within the cell. False when there is none that counts: *at is stationary there, to rounding. */
static bool advance(const seeker* k, spot* at)
{
    const wit_surface_jet* j = &at->jet;
    double g[2] = {dot3(at->e, j->du), dot3(at->e, j->dv)};
    double E = dot3(j->du, j->du), F = dot3(j->du, j->dv), G = dot3(j->dv, j->dv);
    double H[4] = {E + dot3(at->e, j->duu), 0, F + dot3(at->e, j->duv), G + dot3(at->e, j->dvv)};
    H[1] = H[2];
    double lo[2], hi[2];
    for (int d = 0; d < 2; ++d) {
        lo[d] = k->breaks[d][at->cell[d]] - at->x[d];
        hi[d] = k->breaks[d][at->cell[d] + 1] - at->x[d];
    }
    bounded_step step = wi_bounded_minimum(2, H, g, lo, hi);
    bool newton = step.kind == BOUNDED_NEWTON;
    if (!newton) { /* Gauss-Newton, damped: definite unless the place is degenerate */
        double D[4] = {1.01 * E, F, F, 1.01 * G};
        bounded_step damped = wi_bounded_minimum(2, D, g, lo, hi);
        if (damped.kind == BOUNDED_NEWTON) step = damped;
    }
    double part = 1;
    for (int halvings = 0; halvings < 20; ++halvings, part *= 0.5) {
        wit_vec3 move = addscaled3(scale3(part * step.d[0], j->du), part * step.d[1], j->dv);
        double fall = -part * (g[0] * step.d[0] + g[1] * step.d[1]);
        /* At a degenerate place a step along the collapsed parameter moves nothing to first order. */
        if (!(norm3(move) > k->noise) && !(at->place & WIT_EVAL_DEGENERATE && fall > 0)) return false;
        spot next = *at;
        for (int d = 0; d < 2; ++d) {
            const double* b = k->breaks[d] + at->cell[d];
            next.x[d] = smaller(larger(at->x[d] + part * step.d[d], b[0]), b[1]);
            if (part == 1 && step.at_lo >> d & 1) next.x[d] = b[0];
            if (part == 1 && step.at_hi >> d & 1) next.x[d] = b[1];
        }
        look(k, &next);
        /* The last Newton steps gain less than f can show. */
        bool last = newton && part == 1 && fall <= 1e-12 * at->f && next.f <= at->f * (1 + 1e-12);
        if (!(next.f < at->f) && !last) continue;
        *at = next;
        return true;
    }
    return false;
}

/* The neighbour across the border that x[d] stands on, if any; over the seam of a closed parameter too. */
static bool cross_border(const seeker* k, spot* at, int d)
{
    const double* b = k->breaks[d];
    int last = k->cells[d] - 1;
    if (at->x[d] == b[at->cell[d] + 1]) {
        if (at->cell[d] == last && !k->closed[d]) return false;
        at->cell[d] = at->cell[d] == last ? 0 : at->cell[d] + 1;
        at->x[d] = b[at->cell[d]];
        return true;
    }
    if (at->x[d] == b[at->cell[d]]) {
        if (at->cell[d] == 0 && !k->closed[d]) return false;
        at->cell[d] = at->cell[d] == 0 ? last : at->cell[d] - 1;
        at->x[d] = b[at->cell[d] + 1];
        return true;
    }
    return false;
}

static bool hop(const seeker* k, spot* at)
{
    for (int mask = 1; mask < 4; ++mask) {
        spot next = *at;
        bool there = true;
        for (int d = 0; d < 2; ++d)
            if (mask >> d & 1) there = there && cross_border(k, &next, d);
        if (!there) continue;
        look(k, &next);
        if (advance(k, &next) && next.f <= at->f) {
            *at = next;
            return true;
        }
    }
    return false;
}

/*
 * Where one parameter is collapsed, S = P + s T(x) + ..: whether the distance falls along the other one depends on x, which
 * moves nothing by itself. The steepest of 16 values is tried.
 */
static bool turn_about_pole(const seeker* k, spot* at)
{
    enum { WAYS = 16 };
    if (!(at->place & WIT_EVAL_DEGENERATE) || norm3(at->e) <= k->noise) return false;
    int free = norm3(at->jet.du) * k->s->speed_v <= norm3(at->jet.dv) * k->s->speed_u ? 0 : 1, other = 1 - free;
    double inward = at->x[other] > iv_mid(k->range[other]) ? -1 : 1, steepest = 1e-6 * norm3(at->e);
    spot best = *at;
    for (int i = 0; i < WAYS; ++i) {
        double x[2] = {at->x[0], at->x[1]};
        x[free] = k->range[free].lo + (i + 0.5) / WAYS * iv_width(k->range[free]);
        spot way = spot_at(k, x);
        double slope = -inward * dot3(unit3(other == 0 ? way.jet.du : way.jet.dv), way.e);
        if (slope <= steepest) continue;
        steepest = slope;
        best = way;
    }
    if (!advance(k, &best) || !(best.f < at->f)) return false;
    *at = best;
    return true;
}

static bool newton(const seeker* k, const double start[2], foot* out)
{
    enum { STEPS = 100 };
    spot at = spot_at(k, start);
    bool done = false;
    for (int i = 0; i < STEPS && !done; ++i) done = !advance(k, &at) && !hop(k, &at) && !turn_about_pole(k, &at);
    out->x[0] = at.x[0];
    out->x[1] = at.x[1];
    out->distance = norm3(at.e);
    return done;
}

/* ---- branch and bound ---------------------------------------------------------------------- */

typedef struct region {
    double lower;
    wit_interval x[2];
} region;

enum { OPEN_MOST = 1024, WORK = 20000 };

static const heap_kind OPEN_REGIONS = {sizeof(region), open_item_before};

/* Distance of p from a box of the piece whose first axis points from the piece's middle to p: it errs by the square of
 * the piece's width there. */
static double lower_bound(const seeker* k, const wit_interval x[2], wit_vec3 middle)
{
    wit_vec3 axes[3];
    axes[2] = unit3(sub3(k->p, middle));
    if (!(dot3(axes[2], axes[2]) > 0)) axes[2] = vec3(0, 0, 1);
    complete3(axes[2], &axes[0], &axes[1]);
    surface_enclosure e;
    if (k->s->kind == WIT_SURFACE_NURBS)
        wi_nurbs_surface_enclose_to(k->s, x[0], x[1], axes, D10, &e);
    else
        wi_surface_enclose(k->s, x[0], x[1], axes, &e);
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        double at = dot3(axes[i], k->p), gap = larger(larger(e.d[D00][i].lo - at, at - e.d[D00][i].hi), 0);
        sum += gap * gap;
    }
    return sqrt(sum);
}

/* The break nearest to the middle, if there is one inside; else the middle. */
static double cut_of(const double* breaks, int cells, wit_interval x)
{
    double middle = iv_mid(x);
    int i = cell_of(breaks, cells, middle);
    double below = breaks[i], above = breaks[i + 1], cut = middle - below <= above - middle ? below : above;
    if (!(cut > x.lo && cut < x.hi)) cut = cut == below ? above : below;
    return cut > x.lo && cut < x.hi ? cut : middle;
}

static double enough(const seeker* k, double distance)
{
    return (1 - ENOUGH_RELATIVE) * distance - ENOUGH_SIZE * wi_surface_size(k->s);
}

/* Bounds a piece, tries Newton from its middle where that is nearer than the best so far, and keeps it if it may hold better. */
static void consider(const seeker* k, open_list* open, region r, foot* best)
{
    wit_surface_jet jet;
    double middle[2] = {iv_mid(r.x[0]), iv_mid(r.x[1])};
    wit_surface_eval(k->s, middle[0], middle[1], WIT_KNOT_DEFAULT, NULL, &jet);
    if (norm3(sub3(jet.p, k->p)) < best->distance) {
        foot found;
        newton(k, middle, &found);
        if (found.distance < best->distance) *best = found;
    }
    /* No point of the piece is farther from that of its middle: most pieces end here, without an enclosure. */
    double reach = 0.5 * (k->s->speed_u * iv_width(r.x[0]) + k->s->speed_v * iv_width(r.x[1]));
    if (norm3(sub3(jet.p, k->p)) - reach > best->distance + k->noise) return;
    r.lower = larger(r.lower, lower_bound(k, r.x, jet.p));
    if (r.lower < enough(k, best->distance)) open_push(open, &OPEN_REGIONS, &r);
}

static bool search(const seeker* k, foot* best)
{
    region room[OPEN_MOST];
    open_list open = open_list_over(room, OPEN_MOST);
    region whole = {0, {k->range[0], k->range[1]}};
    consider(k, &open, whole, best);
    for (int work = 0; open.queue.count > 0 && work < WORK; work += 2) {
        region r;
        open_pop(&open, &OPEN_REGIONS, &r);
        if (r.lower >= enough(k, best->distance)) return open.left_out >= r.lower;
        wit_surface_jet jet;
        wit_surface_eval(k->s, iv_mid(r.x[0]), iv_mid(r.x[1]), WIT_KNOT_DEFAULT, NULL, &jet);
        double du = (norm3(jet.du) + 0.05 * k->s->speed_u) * iv_width(r.x[0]);
        double dv = (norm3(jet.dv) + 0.05 * k->s->speed_v) * iv_width(r.x[1]);
        int d = du >= dv ? 0 : 1;
        double cut = cut_of(k->breaks[d], k->cells[d], r.x[d]);
        if (!(cut > r.x[d].lo && cut < r.x[d].hi)) {
            open_leave_out(&open, r.lower); /* as small as numbers allow */
            continue;
        }
        region low = r, high = r;
        low.x[d].hi = high.x[d].lo = cut;
        consider(k, &open, low, best);
        consider(k, &open, high, best);
    }
    return open.queue.count == 0 && open.left_out >= enough(k, best->distance);
}

/* ---- what both ways share ------------------------------------------------------------------ */

/* Never farther than the guess; the guess's periods; the guess's value of a parameter that moves nothing. */
static void respect_guess(const seeker* k, const double* guess, foot* found)
{
    if (!guess) return;
    unsigned place;
    double at_guess = distance_at(k->s, k->p, guess, &place);
    if (at_guess < found->distance - k->noise && !(place & (WIT_EVAL_CLAMPED | WIT_EVAL_INVALID))) {
        found->x[0] = guess[0];
        found->x[1] = guess[1];
        found->distance = at_guess;
    }
    for (int d = 0; d < 2; ++d) {
        double period = iv_width(k->range[d]);
        if (k->closed[d] && isfinite(guess[d])) found->x[d] += period * round((guess[d] - found->x[d]) / period);
    }
    distance_at(k->s, k->p, found->x, &place);
    if (!(place & WIT_EVAL_DEGENERATE)) return;
    for (int d = 0; d < 2; ++d) {
        double x[2] = {found->x[0], found->x[1]};
        x[d] = guess[d];
        double there = distance_at(k->s, k->p, x, &place);
        if (there > found->distance + k->noise || place & (WIT_EVAL_CLAMPED | WIT_EVAL_INVALID)) continue;
        found->x[d] = guess[d];
        found->distance = smaller(found->distance, there);
    }
}

static bool invert(const wit_surface* s, wit_vec3 p, const double* guess, bool local, double uv[2], double* distance)
{
    if (!finite3(p)) return false;
    if (guess && !(isfinite(guess[0]) && isfinite(guess[1]))) guess = NULL;
    seeker k = seeker_of(s, p);
    foot found = {{s->u.lo, s->v.lo}, INFINITY};
    bool done = true;
    if (closed_form(s, p, guess, found.x)) {
        found.distance = distance_at(s, p, found.x, NULL);
    } else {
        const double middle[2] = {iv_mid(s->u), iv_mid(s->v)};
        if (guess || local) done = newton(&k, guess ? guess : middle, &found);
        if (!local && enough(&k, found.distance) > 0) done = search(&k, &found);
    }
    respect_guess(&k, guess, &found);
    uv[0] = found.x[0];
    uv[1] = found.x[1];
    if (distance) *distance = found.distance;
    return done;
}

bool wi_surface_invert(const wit_surface* s, wit_vec3 p, const double* guess_uv, double uv[2], double* distance)
{
    return invert(s, p, guess_uv, false, uv, distance);
}

bool wi_surface_invert_local(const wit_surface* s, wit_vec3 p, const double guess_uv[2], double uv[2], double* distance)
{
    return invert(s, p, guess_uv, true, uv, distance);
}
