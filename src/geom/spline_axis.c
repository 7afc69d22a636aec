/* SPDX-License-Identifier: MIT */
#include "spline_axis.h"

#include "kernel_set.h"

#include <string.h>

/* Neighbouring knots that differ by less than this share of the range are refused: the cell between
 * them would have derivatives that mean nothing. */
#define KNOT_GAP 1e-12

static size_t round16(size_t n)
{
    return (n + 15) & ~(size_t)15;
}

/* The full knot vector, periodic ones unrolled: points() + degree + 1 values. */
static int points(const axis_input* in)
{
    return in->periodic ? in->count + in->degree : in->count;
}

/* Both ends of the period are the def's own numbers, and equal knots stay equal in every turn. */
static double knot(const axis_input* in, int i)
{
    if (!in->periodic) return in->knots[i];
    int k = i - in->degree, n = in->count;
    if (k >= 0 && k <= n) return in->knots[k];
    int turns = k < 0 ? -((n - 1 - k) / n) : k / n;
    double x = in->knots[k - turns * n], lo = in->knots[0], hi = in->knots[n];
    return turns > 0 ? hi + (x - lo) + (turns - 1) * (hi - lo) : lo - (hi - x) + (turns + 1) * (hi - lo);
}

int wi_axis_point(const axis_input* in, int i)
{
    if (!in->periodic) return i;
    int k = (i - in->degree) % in->count;
    return k < 0 ? k + in->count : k;
}

static wit_status check_knots(const axis_input* in, wit_error* error)
{
    const double* t = in->knots;
    int run = 1, n = in->knot_count;
    for (int i = 0; i < n; ++i)
        if (!isfinite(t[i]) || fabs(t[i]) > WIT_MAX_COORDINATE)
            return wi_error_fill_at(error, WIT_ERROR_NUMBER, in->knots_name, i, -1,
                                    "knot is %g; it must be finite and at most %g in size", t[i], WIT_MAX_COORDINATE);
    double lo = in->periodic ? t[0] : t[in->degree], hi = in->periodic ? t[n - 1] : t[in->count];
    for (int i = 1; i < n; ++i) {
        if (t[i] < t[i - 1])
            return wi_error_fill_at(error, WIT_ERROR_KNOTS, in->knots_name, i, -1,
                                    "knot %g comes after %g; knots must not decrease", t[i], t[i - 1]);
        run = t[i] == t[i - 1] ? run + 1 : 1;
        if (run > in->degree + 1)
            return wi_error_fill_at(error, WIT_ERROR_KNOTS, in->knots_name, i, -1,
                                    "knot %g stands %d times; degree %d allows at most %d", t[i], run, in->degree,
                                    in->degree + 1);
    }
    /* Shorter, the inverse of a cell's length and its powers would leave the doubles. */
    if (!(hi - lo >= WIT_MIN_LENGTH))
        return wi_error_fill(error, WIT_ERROR_KNOTS, in->knots_name,
                             "the knots span nothing: the range would be %g to %g; it must be at least %g long", lo, hi,
                             WIT_MIN_LENGTH);
    for (int i = 1; i < n; ++i)
        if (t[i] > t[i - 1] && t[i] - t[i - 1] < KNOT_GAP * (hi - lo))
            return wi_error_fill_at(
                error, WIT_ERROR_KNOTS, in->knots_name, i, -1,
                "knots %.17g and %.17g are almost equal; make them equal or more than %g of the range apart", t[i - 1],
                t[i], KNOT_GAP);
    return WIT_OK;
}

wit_status wi_axis_check(const axis_input* in, wit_error* error)
{
    if (in->degree < 1 || in->degree > WIT_MAX_DEGREE)
        return wi_error_fill(error, WIT_ERROR_DEGREE, in->degree_name, "degree is %d; it must be 1 to %d", in->degree,
                             WIT_MAX_DEGREE);
    int least = in->periodic ? 1 : in->degree + 1;
    if (in->count < least)
        return wi_error_fill(error, WIT_ERROR_COUNT, in->count_name, "%d control points; degree %d needs at least %d",
                             in->count, in->degree, least);
    if (in->count > WIT_MAX_POINTS)
        return wi_error_fill(error, WIT_ERROR_COUNT, in->count_name, "%d control points; at most %d are taken",
                             in->count, WIT_MAX_POINTS);
    int want = in->periodic ? in->count + 1 : in->count + in->degree + 1;
    if (in->knot_count != want)
        return wi_error_fill(error, WIT_ERROR_COUNT, in->knots_name,
                             "%d knots; %d %scontrol points of degree %d need %d", in->knot_count, in->count,
                             in->periodic ? "periodic " : "", in->degree, want);
    if (!in->knots) return wi_error_fill(error, WIT_ERROR_ARGUMENT, in->knots_name, "no knots given");
    return check_knots(in, error);
}

int wi_axis_next_tear(const axis_input* in, int from)
{
    int p = in->degree, n = points(in);
    for (int i = from > p + 1 ? from : p + 1; i < n; ++i)
        if (knot(in, i) == knot(in, i + p)) return i;
    return -1;
}

/* First k >= from whose span [knot k, knot k + 1] is not empty; points() when there is none left. */
static int span(const axis_input* in, int from)
{
    int k = from > in->degree ? from : in->degree;
    while (k < points(in) && !(knot(in, k) < knot(in, k + 1))) ++k;
    return k;
}

static int spans(const axis_input* in)
{
    int n = 0;
    for (int k = span(in, 0); k < points(in); k = span(in, k + 1)) ++n;
    return n;
}

/*
 * Spans are cut into cells, by halves. Measured on random nets: from degree 6 on, powers about the middle of a whole span lose
 * a digit more, so there are two. And where weights are far apart: w = sum B_i w_i from its powers is off by eps of the
 * largest w_i, the point by that over w, so that a ratio of 1e10 leaves six digits. Halves towards the smaller weight are cut
 * until the weights of a cell's Bezier net are within WEIGHTS_OF_CELL of each other, which keeps its digits.
 */
#define WEIGHTS_OF_CELL 64
enum { LEVELS = 40 };

static int least_level(const axis_input* in)
{
    return in->degree >= 6 && in_powers(in->degree) ? 1 : 0;
}

static double weight_of(const axis_input* in, int i, int row)
{
    return in->weights[(size_t)wi_axis_point(in, i) * in->along + (size_t)row * in->across];
}

static bool weights_near(const axis_input* in, int first, int row)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i <= in->degree; ++i) {
        double w = weight_of(in, first + i, row);
        least = fmin(least, w);
        most = fmax(most, w);
    }
    return most <= WEIGHTS_OF_CELL * least;
}

static void blossom(const axis_input* in, const axis_cell* cell, axis_matrix2 matrix);

/* The weights of the Bezier net: means of those of the span, which may be near each other already. */
static bool too_wild(const axis_input* in, const axis_cell* cell)
{
    int p = in->degree, first = cell->knot - p;
    bool known = false;
    axis_matrix2 m;
    for (int row = 0; in->weights && row < in->rows; ++row) {
        if (weights_near(in, first, row)) continue;
        if (!known) blossom(in, cell, m);
        known = true;
        double least = INFINITY, most = 0;
        for (int j = 0; j <= p; ++j) {
            double w = 0;
            for (int i = 0; i <= p; ++i) w += m[j][i].hi * weight_of(in, first + i, row);
            least = fmin(least, w);
            most = fmax(most, w);
        }
        if (most > WEIGHTS_OF_CELL * least) return true;
    }
    return false;
}

/* Both borders of neighbours come out of the same numbers. */
static axis_cell cell_of(const axis_input* in, int k, int level, int64_t piece)
{
    axis_cell c = {k, level, piece, 0, 0};
    double a = knot(in, k), b = knot(in, k + 1), part = ldexp(1, -level);
    double from = (double)piece * part, to = from + part;
    c.a = piece == 0 ? a : a * (1 - from) + b * from;
    c.b = to == 1 ? b : a * (1 - to) + b * to;
    return c;
}

/* The cell that begins at piece / 2^level of a span: the longest that needs no cutting. */
static axis_cell cell_from(const axis_input* in, int k, int level, int64_t piece)
{
    if (k >= points(in)) return (axis_cell){k, 0, 0, 0, 0}; /* past the last one */
    axis_cell c = cell_of(in, k, 0, 0);
    while (c.level < LEVELS && (c.level < least_level(in) || too_wild(in, &c))) {
        int next = c.level + 1;
        int64_t at = next <= level ? piece >> (level - next) : piece << (next - level);
        axis_cell half = cell_of(in, k, next, at);
        if (!(half.a < half.b)) break;
        c = half;
    }
    return c;
}

axis_cell wi_axis_first(const axis_input* in)
{
    return cell_from(in, span(in, 0), 0, 0);
}

axis_cell wi_axis_next(const axis_input* in, axis_cell cell)
{
    bool more = cell.piece + 1 < (int64_t)1 << cell.level;
    return more ? cell_from(in, cell.knot, cell.level, cell.piece + 1) : cell_from(in, span(in, cell.knot + 1), 0, 0);
}

int wi_axis_cells(const axis_input* in)
{
    int n = 0;
    for (axis_cell c = wi_axis_first(in); c.knot < points(in); c = wi_axis_next(in, c)) ++n;
    return n;
}

static int buckets_for(int cells)
{
    return 2 * cells;
}

static size_t doubles_bytes(int n_spans, int cells)
{
    return round16((size_t)(n_spans + 1 + 2 * cells + 1) * sizeof(double));
}

size_t wi_axis_bytes(const axis_input* in)
{
    int n = spans(in), cells = wi_axis_cells(in);
    return doubles_bytes(n, cells) + round16(((size_t)buckets_for(cells) + 1) * sizeof(int32_t));
}

/* Cell and bucket both rise with x: what holds at both ends of every cell holds between. */
static bool is_single(const spline_axis* axis, const double* b, const int32_t* bucket)
{
    for (int i = 0; i < axis->cells; ++i) {
        double last = i + 1 < axis->cells ? nextafter(b[i + 1], b[i]) : b[i + 1];
        int first_bucket = axis_bucket(axis, b[0], b[i]), last_bucket = axis_bucket(axis, b[0], last);
        if (last_bucket > axis->buckets || bucket[first_bucket] < i - 1 || bucket[last_bucket] > i + 1) return false;
    }
    return true;
}

void wi_axis_build(spline_axis* axis, const axis_input* in, char* base, size_t offset)
{
    int cells = wi_axis_cells(in);
    axis->degree = in->degree;
    axis->count = in->count;
    axis->spans = spans(in);
    axis->cells = cells;
    axis->buckets = buckets_for(cells);
    axis->knots = offset;
    axis->breaks = axis->knots + ((size_t)axis->spans + 1) * sizeof(double);
    axis->inverse = axis->breaks + ((size_t)cells + 1) * sizeof(double);
    axis->bucket = offset + doubles_bytes(axis->spans, cells);

    double* knots = (double*)(void*)(base + axis->knots);
    double* breaks = (double*)(void*)(base + axis->breaks);
    double* inverse = (double*)(void*)(base + axis->inverse);
    int32_t* bucket = (int32_t*)(void*)(base + axis->bucket);
    axis_cell c = wi_axis_first(in);
    for (int i = 0, k = 0; i < cells; ++i, c = wi_axis_next(in, c)) {
        breaks[i] = c.a;
        breaks[i + 1] = c.b;
        inverse[i] = 1 / (c.b - c.a);
        if (c.piece == 0) knots[k++] = c.a;
    }
    knots[axis->spans] = breaks[cells];
    axis->bucket_scale = axis->buckets / (breaks[cells] - breaks[0]);
    for (int i = 0, cell = 0; i <= axis->buckets; ++i) {
        double x = breaks[0] + i / axis->bucket_scale;
        while (cell < cells - 1 && x >= breaks[cell + 1]) ++cell;
        bucket[i] = cell;
    }
    axis->single = is_single(axis, breaks, bucket);
}

/*
 * Blossoming: b_j is the blossom of the piece at (a, ..., a, b, ..., b) with j times b, where [a, b] is the cell. The
 * triangle below replaces one knot argument per level; since both arguments lie in the cell, every step
 * is a convex combination. Every denominator is the length of a knot interval that contains the
 * (non-empty) cell: never zero.
 */
static void blossom(const axis_input* in, const axis_cell* cell, axis_matrix2 matrix)
{
    int p = in->degree, k = cell->knot;
    for (int j = 0; j <= p; ++j) {
        axis_matrix2 d;
        memset(d, 0, sizeof d);
        for (int i = 0; i <= p; ++i) d[i][i] = two(1);
        for (int level = 1; level <= p; ++level) {
            double x = level <= p - j ? cell->a : cell->b;
            for (int i = p; i >= level; --i) {
                double left = knot(in, k - p + i), right = knot(in, k + 1 + i - level);
                twofold t = two_div(two_sum(x, -left), two_sum(right, -left));
                twofold s = two_add(two(1), two_neg(t));
                for (int m = i - level; m <= i; ++m) d[i][m] = two_add(two_mul(s, d[i - 1][m]), two_mul(t, d[i][m]));
            }
        }
        memcpy(matrix[j], d[p], sizeof d[p]);
    }
}

/*
 * B_j(s) = C(p, j) s^j (1 - s)^(p - j) with s = 1/2 + t, in powers of t. The coefficients are integers over a power of
 * two, below 2^53: computed without rounding.
 */
static void bernstein_to_power(int degree, axis_matrix matrix)
{
    double choose = 1;
    for (int j = 0; j <= degree; ++j) {
        double c[WIT_MAX_DEGREE + 2] = {choose};
        for (int i = 0; i < degree; ++i) {
            double sign = i < j ? 1 : -1;
            for (int k = i + 1; k > 0; --k) c[k] = 0.5 * c[k] + sign * c[k - 1];
            c[0] *= 0.5;
        }
        for (int k = 0; k <= degree; ++k) matrix[k][j] = c[k];
        choose = choose * (degree - j) / (j + 1);
    }
}

/* A span between knots of full multiplicity is a Bezier piece already: every quotient of the blossom is 0 or 1. */
static bool is_bezier(const axis_input* in, const axis_cell* cell)
{
    int p = in->degree, k = cell->knot;
    return cell->level == 0 && knot(in, k - p + 1) == cell->a && knot(in, k + p) == cell->b;
}

static void extract_bezier(int p, axis_matrix bezier, axis_matrix2 power)
{
    axis_matrix to_power;
    if (power) bernstein_to_power(p, to_power);
    for (int j = 0; j <= p; ++j)
        for (int i = 0; i <= p; ++i) {
            bezier[j][i] = i == j ? 1 : 0;
            if (power) power[j][i] = two(to_power[j][i]);
        }
}

void wi_axis_extract(const axis_input* in, const axis_cell* cell, axis_matrix bezier, axis_matrix2 power)
{
    int p = in->degree;
    if (is_bezier(in, cell)) {
        extract_bezier(p, bezier, power);
        return;
    }
    axis_matrix2 exact;
    axis_matrix to_power;
    blossom(in, cell, exact);
    if (power) bernstein_to_power(p, to_power);
    for (int j = 0; j <= p; ++j)
        for (int i = 0; i <= p; ++i) {
            bezier[j][i] = exact[j][i].hi;
            if (!power) continue;
            power[j][i] = two(0);
            for (int m = 0; m <= p; ++m) power[j][i] = two_add(power[j][i], two_mul(two(to_power[j][m]), exact[m][i]));
        }
}
