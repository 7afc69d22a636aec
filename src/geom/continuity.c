/* SPDX-License-Identifier: MIT */
/*
 * How cells meet, measured on the jets of both sides. Along a border line of a surface the jets of either
 * side are rational in the other parameter; a few samples per cell of it, ends included, tell.
 */
#include "shape.h"

/* Jumps up to these shares of the yardstick are rounding. */
#define SMOOTH1 1e-9
#define SMOOTH2 1e-8
#define TANGENT 1e-8
/* Jets are good to about NOISE * size / cell length (first derivatives); a tenth as good for second ones. */
#define NOISE 1e-13
/* Beside others of the same piece of a border, tangents this much shorter vanish: a pole. */
#define VANISHING 1e-12
/* A direction that rounding may turn by more is not known. */
#define UNKNOWN 0.1

typedef struct jump {
    double first, second;                 /* largest jumps */
    double largest_first, largest_second; /* largest derivatives seen */
    double noise1, noise2;                /* what rounding may make of them */
    double turn;                          /* largest sine of the angle between tangents or normals, beyond rounding */
    bool flipped;                         /* a tangent or normal turned by more than a right angle, or has none */
} jump;

/* Border k: the parameters to ask on either side, and the cells there. */
typedef struct border {
    double below, above;
    wit_interval lower, upper;
    double cell; /* the shorter of the two */
} border;

static void compare(jump* j, wit_vec3 first_a, wit_vec3 first_b, wit_vec3 second_a, wit_vec3 second_b)
{
    j->first = larger(j->first, norm3(sub3(first_a, first_b)));
    j->second = larger(j->second, norm3(sub3(second_a, second_b)));
    j->largest_first = larger(j->largest_first, larger(norm3(first_a), norm3(first_b)));
    j->largest_second = larger(j->largest_second, larger(norm3(second_a), norm3(second_b)));
}

/* False where rounding, which turns them by `noise`, leaves nothing to compare. */
static bool compare_directions(jump* j, wit_vec3 a, wit_vec3 b, double noise)
{
    if (!(noise <= UNKNOWN)) return false;
    a = unit3(a);
    b = unit3(b);
    j->turn = larger(j->turn, norm3(cross3(a, b)) - noise);
    j->flipped |= dot3(a, b) < 0;
    return true;
}

/* Second derivatives that are themselves rounding (a straight piece) are measured by first / cell length. */
static void write_continuity(const jump* j, const border* at, wit_continuity* out)
{
    double yard1 = larger(j->largest_first, 10 * j->noise1);
    double yard2 = larger(j->largest_second, 1e-3 * yard1 / at->cell);
    out->value = at->above;
    out->jump1 = yard1 > 0 ? j->first / yard1 : 0;
    out->jump2 = yard2 > 0 ? j->second / yard2 : 0;
    out->order = j->first - j->noise1 > SMOOTH1 * yard1 ? 0 : j->second - j->noise2 > SMOOTH2 * yard2 ? 1 : 2;
    out->tangent = j->turn <= TANGENT && !j->flipped;
}

static void add_noise(jump* j, double size, double cell)
{
    j->noise1 = larger(j->noise1, NOISE * size / cell);
    j->noise2 = larger(j->noise2, 10 * NOISE * size / (cell * cell));
}

static bool find_border(const double* breaks, int count, bool closed, int k, border* at)
{
    int cells = count - 1;
    if (k < 0 || k >= cells || (k == 0 && !closed)) return false;
    at->above = breaks[k];
    at->below = k == 0 ? breaks[cells] : breaks[k];
    at->lower = k == 0 ? iv(breaks[cells - 1], breaks[cells]) : iv(breaks[k - 1], breaks[k]);
    at->upper = iv(breaks[k], breaks[k + 1]);
    at->cell = smaller(iv_width(at->lower), iv_width(at->upper));
    return true;
}

static const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

bool wit_curve_continuity(const wit_curve* c, int k, wit_continuity* out)
{
    int count;
    border at;
    const double* breaks = wit_curve_breaks(c, &count);
    if (!find_border(breaks, count, c->closed, k, &at)) return false;
    wit_curve_jet a, b;
    jump j = {0};
    wi_curve_part(c, at.below, WIT_KNOT_T_BELOW, NULL, &a);
    wi_curve_part(c, at.above, WIT_KNOT_DEFAULT, NULL, &b);
    compare(&j, a.d1, b.d1, a.d2, b.d2);
    double size = 0;
    for (int i = 0; i < 3; ++i)
        size = larger(size, larger(iv_mag(wit_curve_extent(c, at.lower, axes[i])),
                                   iv_mag(wit_curve_extent(c, at.upper, axes[i]))));
    add_noise(&j, size, at.cell);
    double noise = NOISE * size * (1 / (iv_width(at.lower) * norm3(a.d1)) + 1 / (iv_width(at.upper) * norm3(b.d1)));
    if (!compare_directions(&j, a.d1, b.d1, noise)) j.flipped = true; /* a cusp: no tangent to compare */
    write_continuity(&j, &at, out);
    return true;
}

/* A border line of a surface over one cell of the other parameter. */
typedef struct piece {
    const wit_surface* s;
    bool along_u; /* u jumps, v runs along the border */
    border at;
    wit_interval other;
    int samples;
    double size; /* largest coordinate of the two cells */
} piece;

static void eval_sides(const piece* p, int n, wit_surface_jet side[2])
{
    bool last = n == p->samples;
    double x = last ? p->other.hi : p->other.lo + iv_width(p->other) * n / p->samples;
    unsigned end = !last ? 0U : p->along_u ? WIT_KNOT_V_BELOW : WIT_KNOT_U_BELOW;
    unsigned below = p->along_u ? WIT_KNOT_U_BELOW : WIT_KNOT_V_BELOW;
    for (int i = 0; i < 2; ++i) {
        double t = i == 0 ? p->at.below : p->at.above;
        wi_surface_part(p->s, p->along_u ? t : x, p->along_u ? x : t, i == 0 ? end | below : end, NULL, &side[i]);
        if (p->along_u) continue;
        wit_vec3 first = side[i].du, second = side[i].duu; /* du, duu: across the border from here on */
        side[i].du = side[i].dv;
        side[i].duu = side[i].dvv;
        side[i].dv = first;
        side[i].dvv = second;
    }
}

/* How far rounding may turn the normal: that of either tangent over its length, over the sine of the angle between them. The
 * yardsticks are of the place, not of the whole surface: where weights are unlike, parts of it are slow by many powers of ten. */
static double normal_noise(const piece* p, const wit_surface_jet* jet, double across, double along, double cell)
{
    double du = norm3(jet->du), dv = norm3(jet->dv);
    if (du <= VANISHING * across || dv <= VANISHING * along) return HUGE_VAL;
    double sine = norm3(cross3(unit3(jet->du), unit3(jet->dv)));
    return NOISE * p->size * (1 / (cell * du) + 1 / (iv_width(p->other) * dv)) / sine;
}

static void compare_piece(const piece* p, jump* all)
{
    jump j = {0};
    wit_surface_jet side[2];
    double along = 0;
    for (int n = 0; n <= p->samples; ++n) {
        eval_sides(p, n, side);
        compare(&j, side[0].du, side[1].du, side[0].duu, side[1].duu);
        along = larger(along, larger(norm3(side[0].dv), norm3(side[1].dv)));
    }
    add_noise(&j, p->size, p->at.cell);
    int compared = 0;
    for (int n = 0; n <= p->samples; ++n) {
        eval_sides(p, n, side);
        double noise = normal_noise(p, &side[0], j.largest_first, along, iv_width(p->at.lower)) +
                       normal_noise(p, &side[1], j.largest_first, along, iv_width(p->at.upper));
        compared += compare_directions(all, cross3(side[0].du, side[0].dv), cross3(side[1].du, side[1].dv), noise);
    }
    /* Without a normal anywhere, only derivatives that are seen to agree tell that there is no crease. */
    bool agree = j.noise1 <= UNKNOWN * j.largest_first && j.first - j.noise1 <= SMOOTH1 * j.largest_first;
    if (compared == 0 && !agree) all->flipped = true;
    all->first = larger(all->first, j.first);
    all->second = larger(all->second, j.second);
    all->largest_first = larger(all->largest_first, j.largest_first);
    all->largest_second = larger(all->largest_second, j.largest_second);
    all->noise1 = larger(all->noise1, j.noise1);
    all->noise2 = larger(all->noise2, j.noise2);
}

bool wit_surface_continuity(const wit_surface* s, wit_direction direction, int k, wit_continuity* out)
{
    bool along_u = direction == WIT_U;
    int count, others;
    piece p = {.s = s, .along_u = along_u};
    const double* breaks = wit_surface_breaks(s, direction, &count);
    const double* other = wit_surface_breaks(s, along_u ? WIT_V : WIT_U, &others);
    if (!find_border(breaks, count, along_u ? s->closed_u : s->closed_v, k, &p.at)) return false;
    int degree = along_u ? s->spline.v.degree : s->spline.u.degree;
    p.samples = 2 * (degree > 4 ? degree : 4);
    jump j = {0};
    for (int i = 0; i + 1 < others; ++i) {
        p.other = iv(other[i], other[i + 1]);
        p.size = 0;
        for (int n = 0; n < 6; ++n) {
            wit_interval cell = n < 3 ? p.at.lower : p.at.upper;
            p.size = larger(
                p.size, iv_mag(wit_surface_extent(s, along_u ? cell : p.other, along_u ? p.other : cell, axes[n % 3])));
        }
        compare_piece(&p, &j);
    }
    write_continuity(&j, &p.at, out);
    return true;
}
