/* SPDX-License-Identifier: MIT */
/*
 * How cells meet, measured on the jets of both sides. Along a border line of a surface the jets of either
 * side are rational in the other parameter; a few samples per cell of it, ends included, tell.
 */
#include "shape.h"

/* Jumps up to these shares of the yardstick are rounding: jets are good to about 1e-13 (first derivatives) and 1e-12
 * (second), relative to size / cell length^order. */
#define SMOOTH1 1e-9
#define SMOOTH2 1e-8
#define TANGENT 1e-8

typedef struct jump {
    double first, second;                 /* largest jumps */
    double largest_first, largest_second; /* largest derivatives seen */
    double turn;                          /* largest sine of the angle between tangents or normals */
    bool flipped;                         /* a tangent or normal turned by more than a right angle */
} jump;

static void compare(jump* j, wit_vec3 first_a, wit_vec3 first_b, wit_vec3 second_a, wit_vec3 second_b)
{
    j->first = larger(j->first, norm3(sub3(first_a, first_b)));
    j->second = larger(j->second, norm3(sub3(second_a, second_b)));
    j->largest_first = larger(j->largest_first, larger(norm3(first_a), norm3(first_b)));
    j->largest_second = larger(j->largest_second, larger(norm3(second_a), norm3(second_b)));
}

static void compare_directions(jump* j, wit_vec3 a, wit_vec3 b)
{
    a = unit3(a);
    b = unit3(b);
    j->turn = larger(j->turn, norm3(cross3(a, b)));
    j->flipped |= dot3(a, b) < 0;
}

/* Second derivatives that are themselves rounding (a straight piece) are measured by first / cell length. */
static void conclude(const jump* j, double value, double cell, double speed, wit_continuity* out)
{
    double yard1 = larger(j->largest_first, 1e-12 * speed);
    double yard2 = larger(j->largest_second, 1e-3 * yard1 / cell);
    out->value = value;
    out->jump1 = yard1 > 0 ? j->first / yard1 : 0;
    out->jump2 = yard2 > 0 ? j->second / yard2 : 0;
    out->order = out->jump1 > SMOOTH1 ? 0 : out->jump2 > SMOOTH2 ? 1 : 2;
    out->tangent = j->turn <= TANGENT && !j->flipped;
}

/* Border k of `breaks`: the parameters to ask on either side, and the shorter of the two cells. */
static bool border(const double* breaks, int count, bool closed, int k, double* below, double* above, double* cell)
{
    int cells = count - 1;
    if (k < 0 || k >= cells || (k == 0 && !closed)) return false;
    *above = breaks[k];
    *below = k == 0 ? breaks[cells] : breaks[k];
    double lower = k == 0 ? breaks[cells] - breaks[cells - 1] : breaks[k] - breaks[k - 1];
    double upper = breaks[k + 1] - breaks[k];
    *cell = lower < upper ? lower : upper;
    return true;
}

bool wit_curve_continuity(const wit_curve* c, int k, wit_continuity* out)
{
    int count;
    double below, above, cell;
    const double* breaks = wit_curve_breaks(c, &count);
    if (!border(breaks, count, c->closed, k, &below, &above, &cell)) return false;
    wit_curve_jet a, b;
    jump j = {0};
    unsigned place = wit_curve_eval(c, below, WIT_SIDE_T_BELOW, NULL, &a);
    place |= wit_curve_eval(c, above, WIT_SIDE_DEFAULT, NULL, &b);
    compare(&j, a.d1, b.d1, a.d2, b.d2);
    if (place & WIT_PLACE_DEGENERATE)
        j.flipped = true; /* a cusp: no tangent to compare */
    else
        compare_directions(&j, a.d1, b.d1);
    conclude(&j, above, cell, c->speed, out);
    return true;
}

bool wit_surface_continuity(const wit_surface* s, wit_direction direction, int k, wit_continuity* out)
{
    bool along_u = direction == WIT_U;
    int count, others;
    double below, above, cell;
    const double* breaks = wit_surface_breaks(s, direction, &count);
    const double* other = wit_surface_breaks(s, along_u ? WIT_V : WIT_U, &others);
    if (!border(breaks, count, along_u ? s->closed_u : s->closed_v, k, &below, &above, &cell)) return false;
    jump j = {0};
    int degree = along_u ? s->spline.v.degree : s->spline.u.degree;
    int samples = 2 * (degree > 4 ? degree : 4);
    unsigned below_side = along_u ? WIT_SIDE_U_BELOW : WIT_SIDE_V_BELOW;
    unsigned end_side = along_u ? WIT_SIDE_V_BELOW : WIT_SIDE_U_BELOW;
    for (int i = 0; i + 1 < others; ++i)
        for (int n = 0; n <= samples; ++n) {
            double x = n == samples ? other[i + 1] : other[i] + (other[i + 1] - other[i]) * n / samples;
            unsigned side = n == samples ? end_side : 0;
            wit_surface_jet a, b;
            unsigned place = wit_surface_eval(s, along_u ? below : x, along_u ? x : below, side | below_side, NULL, &a);
            place |= wit_surface_eval(s, along_u ? above : x, along_u ? x : above, side, NULL, &b);
            compare(&j, along_u ? a.du : a.dv, along_u ? b.du : b.dv, along_u ? a.duu : a.dvv, along_u ? b.duu : b.dvv);
            if (!(place & WIT_PLACE_DEGENERATE)) compare_directions(&j, cross3(a.du, a.dv), cross3(b.du, b.dv));
        }
    conclude(&j, above, cell, along_u ? s->speed_u : s->speed_v, out);
    return true;
}
