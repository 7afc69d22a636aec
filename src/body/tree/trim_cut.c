/* SPDX-License-Identifier: MIT */
/* Loops cut into pieces that are monotone in u and in v, unrolled over closed parameters, joined to the bit. */
#include "trim_segment.h"

static const wit_vec3 AXES[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

enum {
    CUT_DEPTH = 64,  /* halvings of a curve; the shortest part is longer than 2^-64 of it */
    CUT_WORK = 4096, /* enclosures spent on one smooth part before the rest of it is taken as monotone */
    FLAT_DEPTH = 10, /* halvings of a monotone piece */
};
#define CUT_SHORTEST 1e-12 /* of the passage: shorter parts are taken as monotone */
#define FLATNESS 0.03      /* of the chord: pieces that stray further from it are halved */
#define SNAP 1e-12         /* of the hull: ends this near become one joint, wider gaps are closed by a straight piece */
#define TURNS 64           /* periods that one passage may run over */

typedef struct cutter {
    const trim_input* in;
    const wit_allocator* memory;
    trim_pieces* out;
    wit_error* error;
    double noise_u, noise_v; /* changes of u and v below these are rounding */
    double scale_u, scale_v; /* sizes of the hull, not 0 */
    list cuts;               /* double: parameters of the passage at hand, ascending */
} cutter;

static wit_status no_memory(wit_error* error)
{
    return wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory to cut the loops of a face");
}

/* ---- where a curve turns --------------------------------------------------------------------- */

enum { UNKNOWN = 2 };

/* A part of a curve with what is known of the signs of u' and v'. */
typedef struct part {
    double a, b;
    int sign[2];
} part;

static int sign_of(wit_interval d, double length, double noise)
{
    if (iv_mag(d) * length <= noise) return 0;
    return d.lo >= 0 ? 1 : d.hi <= 0 ? -1 : UNKNOWN;
}

static double slope_at(const wit_curve* c, double t, unsigned side, int axis)
{
    wit_curve_jet j;
    wit_curve_eval(c, t, side, NULL, &j);
    return axis ? j.d1.y : j.d1.x;
}

/* The zero of a derivative that changes sign once between a and b. */
static double turn_between(const wit_curve* c, double a, double b, int axis, bool rising)
{
    for (int k = 0; k < 100; ++k) {
        double m = a + 0.5 * (b - a);
        if (!(m > a && m < b)) break;
        if ((slope_at(c, m, WIT_KNOT_DEFAULT, axis) > 0) == rising)
            b = m;
        else
            a = m;
    }
    return b;
}

/* A derivative with a monotone slope has at most one zero in the part: by the signs at the ends it is known whether.
 * True when it has one, with the place in *at; otherwise the sign is set. */
static bool single_turn(const wit_curve* c, part* p, int axis, double* at)
{
    double a = slope_at(c, p->a, WIT_KNOT_DEFAULT, axis), b = slope_at(c, p->b, WIT_KNOT_T_BELOW, axis);
    if (a * b < 0) {
        *at = turn_between(c, p->a, p->b, axis, b > 0);
        if (*at > p->a && *at < p->b) return true;
    }
    p->sign[axis] = fabs(a) > fabs(b) ? (a > 0) - (a < 0) : (b > 0) - (b < 0);
    return false;
}

typedef struct part_stack {
    part parts[CUT_DEPTH];
    int count;
} part_stack;

static void divide(part_stack* s, part p, double at, int axis)
{
    part left = p, right = p;
    left.b = right.a = at;
    if (axis >= 0) {
        left.sign[axis] = p.sign[axis];
        right.sign[axis] = -p.sign[axis];
    }
    s->parts[s->count++] = right;
    s->parts[s->count++] = left;
}

/* Takes the top part if its signs are known or it is too short to care; otherwise divides it and answers false. */
static bool part_settled(const cutter* c, const wit_curve* curve, part_stack* s, part* p, double shortest, int* work)
{
    curve_enclosure e;
    *p = s->parts[--s->count];
    wi_curve_enclose(curve, iv(p->a, p->b), AXES, &e);
    *work += 1;
    double length = p->b - p->a, middle = p->a + 0.5 * length;
    for (int axis = 0; axis < 2; ++axis) {
        if (p->sign[axis] != UNKNOWN) continue;
        p->sign[axis] = sign_of(e.d[1][axis], length, axis ? c->noise_v : c->noise_u);
        if (p->sign[axis] != UNKNOWN) continue;
        bool bent = e.d[2][axis].lo > 0 || e.d[2][axis].hi < 0;
        double at;
        if (bent && s->count + 2 <= CUT_DEPTH && single_turn(curve, p, axis, &at)) {
            p->sign[axis] = e.d[2][axis].lo > 0 ? -1 : 1;
            divide(s, *p, at, axis);
            return false;
        }
    }
    if (p->sign[0] != UNKNOWN && p->sign[1] != UNKNOWN) return true;
    bool last = length <= shortest || *work > CUT_WORK || s->count + 2 > CUT_DEPTH || !(middle > p->a && middle < p->b);
    if (!last) divide(s, *p, middle, -1);
    for (int axis = 0; axis < 2 && last; ++axis)
        if (p->sign[axis] == UNKNOWN) p->sign[axis] = 0;
    return last;
}

static bool add_cut(cutter* c, double t)
{
    double* slot = list_add(&c->cuts, sizeof(double), c->memory);
    if (slot) *slot = t;
    return slot;
}

/* Cuts inside a smooth part, and its end. */
static bool cut_smooth(cutter* c, const wit_curve* curve, double a, double b, double shortest)
{
    part_stack s = {{{a, b, {UNKNOWN, UNKNOWN}}}, 1};
    int work = 0, run[2] = {0, 0};
    while (s.count) {
        part p;
        if (!part_settled(c, curve, &s, &p, shortest, &work)) continue;
        bool turned = run[0] * p.sign[0] < 0 || run[1] * p.sign[1] < 0;
        if (turned && !add_cut(c, p.a)) return false;
        for (int axis = 0; axis < 2; ++axis)
            if (turned || p.sign[axis]) run[axis] = p.sign[axis];
    }
    return add_cut(c, b);
}

/* All cuts of [a, b]: both ends, the borders of the curve's cells (of every period it runs over), the turns. */
static bool cut_curve(cutter* c, const wit_curve* curve, double a, double b)
{
    int count;
    const double* breaks = wit_curve_breaks(curve, &count);
    double period = curve->closed ? iv_width(curve->range) : 0, at = a, shortest = CUT_SHORTEST * (b - a);
    double first = period > 0 ? floor((a - curve->range.lo) / period) : 0;
    double last = period > 0 ? floor((b - curve->range.lo) / period) : 0;
    c->cuts.count = 0;
    if (!add_cut(c, a)) return false;
    for (double turn = first; turn <= last; turn += 1)
        for (int k = 0; k < count; ++k) {
            double t = breaks[k] + turn * period;
            if (t <= at + shortest || t >= b - shortest) continue;
            if (!cut_smooth(c, curve, at, t, shortest)) return false;
            at = t;
        }
    return cut_smooth(c, curve, at, b, shortest);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static bool same_joint(const trim_joint* a, const trim_joint* b)
{
    return a->u == b->u && a->v == b->v && a->turns_u == b->turns_u && a->turns_v == b->turns_v;
}

static bool add_piece(cutter* c, const trim_piece* piece)
{
    if (same_joint(&piece->from, &piece->to)) return true;
    trim_piece* slot = list_add(&c->out->list, sizeof *slot, c->memory);
    if (slot) *slot = *piece;
    return slot;
}

static trim_joint joint_at(const wit_curve* curve, double t, double turns_u, double turns_v)
{
    wit_curve_jet j;
    wit_curve_eval(curve, t, WIT_KNOT_DEFAULT, NULL, &j);
    trim_joint r = {j.p.x, j.p.y, turns_u, turns_v};
    return r;
}

/* Twice the area between curve and chord against the chord squared, both after scaling the hull to a unit square. */
static bool flat(const cutter* c, const trim_piece* p)
{
    trim_segment s = wi_trim_lay(c->out, c->in, p, 0, 0);
    double du = (s.u1 - s.u0) / c->scale_u, dv = (s.v1 - s.v0) / c->scale_v;
    return (s.f_hi - s.f_lo) / (c->scale_u * c->scale_v) <= FLATNESS * (du * du + dv * dv);
}

static double clamped(double x, double a, double b)
{
    double lo = smaller(a, b), hi = larger(a, b);
    return x < lo ? lo : x > hi ? hi : x;
}

/* A monotone piece, halved until it keeps close to its chord. */
static bool add_flat(cutter* c, const trim_piece* whole)
{
    trim_piece stack[FLAT_DEPTH + 1] = {*whole};
    int depth[FLAT_DEPTH + 1] = {0}, count = 1;
    const wit_curve* curve = c->in->passages[whole->passage].curve;
    while (count) {
        trim_piece p = stack[--count];
        int level = depth[count];
        double m = p.t_from + 0.5 * (p.t_to - p.t_from);
        if (level == FLAT_DEPTH || m == p.t_from || m == p.t_to || flat(c, &p)) {
            if (!add_piece(c, &p)) return false;
            continue;
        }
        trim_piece first = p, second = p;
        trim_joint j = joint_at(curve, m, p.turns_u, p.turns_v);
        /* Between the ends even where those were moved by rounding; the joints of a piece share their turns but at
         * snapped ends. */
        double pu = c->out->period_u, pv = c->out->period_v;
        double back_u = p.turns_u * pu, back_v = p.turns_v * pv;
        j.u = clamped(j.u, joint_u(c->out, &p.from, 0) - back_u, joint_u(c->out, &p.to, 0) - back_u);
        j.v = clamped(j.v, joint_v(c->out, &p.from, 0) - back_v, joint_v(c->out, &p.to, 0) - back_v);
        first.t_to = second.t_from = m;
        first.to = second.from = j;
        depth[count] = depth[count + 1] = level + 1;
        stack[count++] = second;
        stack[count++] = first;
    }
    return true;
}

trim_segment wi_trim_lay(const trim_pieces* all, const trim_input* in, const trim_piece* p, double turns_u,
                         double turns_v)
{
    trim_segment s;
    double au = joint_u(all, &p->from, turns_u), av = joint_v(all, &p->from, turns_v);
    double bu = joint_u(all, &p->to, turns_u), bv = joint_v(all, &p->to, turns_v);
    s.passage = p->passage;
    s.backward = bu < au || (bu == au && bv < av);
    s.u0 = s.backward ? bu : au;
    s.v0 = s.backward ? bv : av;
    s.u1 = s.backward ? au : bu;
    s.v1 = s.backward ? av : bv;
    s.t0 = s.backward ? p->t_to : p->t_from;
    s.t1 = s.backward ? p->t_from : p->t_to;
    s.v_lo = smaller(av, bv);
    s.v_hi = larger(av, bv);
    s.shift_u = (p->turns_u + turns_u) * all->period_u;
    s.shift_v = (p->turns_v + turns_v) * all->period_v;
    double du = s.u1 - s.u0, dv = s.v1 - s.v0;
    double size_u = larger(fabs(s.u0), fabs(s.u1)) + fabs(s.shift_u);
    double size_v = larger(s.v_hi, -s.v_lo) + fabs(s.shift_v);
    double margin = 16 * DBL_EPSILON * (fabs(dv) * size_u + du * size_v);
    s.f_lo = -margin;
    s.f_hi = margin;
    if (p->passage < 0) return s;
    /* f = n . (C - p0), n = (dv, -du): within its own enclosure, and off the chord by at most length^2 / 8 |n .
     * C''|. */
    const wit_curve* curve = in->passages[p->passage].curve;
    const wit_vec3 axes[3] = {{dv, -du, 0}, {0, 1, 0}, {0, 0, 1}};
    wit_interval t = iv(smaller(s.t0, s.t1), larger(s.t0, s.t1));
    curve_enclosure e;
    wi_curve_enclose(curve, t, axes, &e);
    double origin = dv * (s.u0 - s.shift_u) - du * (s.v0 - s.shift_v), bulge = iv_width(t) * iv_width(t) / 8;
    wit_curve_jet j0, j1;
    wit_curve_eval(curve, s.t0, WIT_KNOT_DEFAULT, NULL, &j0);
    wit_curve_eval(curve, s.t1, WIT_KNOT_DEFAULT, NULL, &j1);
    double f0 = dv * j0.p.x - du * j0.p.y - origin, f1 = dv * j1.p.x - du * j1.p.y - origin;
    wit_interval ends = iv(smaller(f0, f1), larger(f0, f1)); /* not 0 where a joint was moved */
    double lo = larger(e.d[0][0].lo - origin, ends.lo - bulge * larger(e.d[2][0].hi, 0));
    double hi = smaller(e.d[0][0].hi - origin, ends.hi + bulge * larger(-e.d[2][0].lo, 0));
    s.f_lo = smaller(lo, 0) - margin;
    s.f_hi = larger(hi, 0) + margin;
    return s;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static double whole_turns(double difference, double period)
{
    return period > 0 ? floor(difference / period + 0.5) : 0;
}

/* How a joint continues another: exactly, over a gap to be closed, or not at all. */
typedef enum meeting { MEETS, GAP, APART } meeting;

static meeting meeting_of(const cutter* c, const trim_joint* a, const trim_joint* b, double gap_u, double gap_v)
{
    double du = fabs(joint_u(c->out, a, 0) - joint_u(c->out, b, 0));
    double dv = fabs(joint_v(c->out, a, 0) - joint_v(c->out, b, 0));
    if (du <= SNAP * c->scale_u && dv <= SNAP * c->scale_v) return MEETS;
    return du <= gap_u && dv <= gap_v ? GAP : APART;
}

static bool bridge(cutter* c, int loop, const trim_joint* from, const trim_joint* to)
{
    trim_piece p = {-1, loop, *from, *to, 0, 1, 0, 0};
    return add_piece(c, &p);
}

/* Puts "loops[i]." in front of the item. */
static wit_status in_loop(wit_error* error, int loop, wit_status status)
{
    wit_error path;
    wi_error_fill_at(&path, status, "loops", loop, -1, "%s", "");
    if (error) wi_error_prefix(error, path.item);
    return status;
}

static wit_status apart(cutter* c, int loop, int use, const trim_joint* a, const trim_joint* b)
{
    wi_error_fill_at(c->error, WIT_ERROR_RANGE, "uses", use, -1,
                     "it begins %g, %g away (in u, v) from where the use before it ends: the loop is not closed",
                     joint_u(c->out, b, 0) - joint_u(c->out, a, 0), joint_v(c->out, b, 0) - joint_v(c->out, a, 0));
    return in_loop(c->error, loop, WIT_ERROR_RANGE);
}

/* The pieces of one passage that begins at joint *end (or anywhere, for the first one); *end moves on. */
static bool cut_passage(cutter* c, int loop, int passage, trim_joint start, trim_joint* end)
{
    const trim_passage* p = &c->in->passages[passage];
    if (!cut_curve(c, p->curve, smaller(p->from, p->to), larger(p->from, p->to))) return false;
    bool back = p->to < p->from;
    int n = c->cuts.count;
    *end = start;
    for (int k = 1; k < n; ++k) {
        trim_piece piece = {passage, loop, *end, *end, 0, 0, start.turns_u, start.turns_v};
        piece.t_from = *LIST_AT(double, c->cuts, back ? n - k : k - 1);
        piece.t_to = *LIST_AT(double, c->cuts, back ? n - k - 1 : k);
        piece.to = joint_at(p->curve, piece.t_to, start.turns_u, start.turns_v);
        if (!add_flat(c, &piece)) return false;
        *end = piece.to;
    }
    return true;
}

static wit_status cut_loop(cutter* c, int loop, int first, int size, double gap_u, double gap_v)
{
    trim_pieces* out = c->out;
    trim_joint begin = joint_at(c->in->passages[first].curve, c->in->passages[first].from, 0, 0), end = begin;
    for (int k = 0; k < size; ++k) {
        const trim_passage* p = &c->in->passages[first + k];
        trim_joint start = joint_at(p->curve, p->from, 0, 0);
        start.turns_u = whole_turns(joint_u(out, &end, 0) - start.u, out->period_u);
        start.turns_v = whole_turns(joint_v(out, &end, 0) - start.v, out->period_v);
        meeting m = meeting_of(c, &end, &start, gap_u, gap_v);
        if (m == APART) return apart(c, loop, k, &end, &start);
        if (m == GAP && !bridge(c, loop, &end, &start)) return no_memory(c->error);
        int before = out->list.count;
        trim_joint joint = end;
        if (!cut_passage(c, loop, first + k, start, &end)) return no_memory(c->error);
        if (m == MEETS && out->list.count > before) LIST_AT(trim_piece, out->list, before)->from = joint;
        if (m == MEETS && out->list.count == before) end = joint;
    }
    double turns_u = whole_turns(joint_u(out, &end, 0) - begin.u, out->period_u);
    double turns_v = whole_turns(joint_v(out, &end, 0) - begin.v, out->period_v);
    begin.turns_u = turns_u;
    begin.turns_v = turns_v;
    meeting m = meeting_of(c, &end, &begin, gap_u, gap_v);
    if (m == APART) return apart(c, loop, 0, &end, &begin);
    if (m == GAP && !bridge(c, loop, &end, &begin)) return no_memory(c->error);
    if (m == MEETS && out->list.count) LIST_AT(trim_piece, out->list, out->list.count - 1)->to = begin;
    out->turns_u += turns_u;
    out->turns_v += turns_v;
    if (turns_u != 0 || turns_v != 0) out->winding_loop = loop;
    return WIT_OK;
}

/* Widens the hull by one passage; refuses what cannot be cut. */
static wit_status measure_passage(cutter* c, int passage, int use)
{
    trim_pieces* out = c->out;
    const trim_passage* p = &c->in->passages[passage];
    double length = fabs(p->to - p->from);
    if (!p->curve) return wi_error_fill_at(c->error, WIT_ERROR_ARGUMENT, "uses", use, -1, "it has no parameter curve");
    if (!(length > 0 && length < INFINITY))
        return wi_error_fill_at(c->error, WIT_ERROR_RANGE, "uses", use, -1, "its part of the parameter curve is empty");
    curve_enclosure e;
    wi_curve_enclose(p->curve, iv(smaller(p->from, p->to), larger(p->from, p->to)), AXES, &e);
    out->hull_u = passage ? iv_union(out->hull_u, e.d[0][0]) : e.d[0][0];
    out->hull_v = passage ? iv_union(out->hull_v, e.d[0][1]) : e.d[0][1];
    bool too_long = (out->period_u > 0 && iv_width(e.d[0][0]) > TURNS * out->period_u) ||
                    (out->period_v > 0 && iv_width(e.d[0][1]) > TURNS * out->period_v) ||
                    (p->curve->closed && length > TURNS * iv_width(p->curve->range));
    if (!too_long) return WIT_OK;
    return wi_error_fill_at(c->error, WIT_ERROR_RANGE, "uses", use, -1, "it runs around more than %d times", TURNS);
}

static wit_status measure(cutter* c)
{
    const trim_input* in = c->in;
    trim_pieces* out = c->out;
    for (int l = 0, passage = 0; l < in->loop_count; ++l) {
        if (in->loop_sizes[l] < 1)
            return wi_error_fill_at(c->error, WIT_ERROR_COUNT, "loops", l, -1, "the loop has no uses");
        for (int k = 0; k < in->loop_sizes[l]; ++k, ++passage) {
            wit_status status = measure_passage(c, passage, k);
            if (status) return in_loop(c->error, l, status);
        }
    }
    double mag_u = iv_mag(out->hull_u), mag_v = iv_mag(out->hull_v);
    c->noise_u = 1e-13 * iv_width(out->hull_u) + 1e-15 * mag_u + DBL_EPSILON * mag_v;
    c->noise_v = 1e-13 * iv_width(out->hull_v) + 1e-15 * mag_v + DBL_EPSILON * mag_u;
    c->scale_u = larger(larger(iv_width(out->hull_u), 1e-6 * iv_width(in->u)), DBL_MIN);
    c->scale_v = larger(larger(iv_width(out->hull_v), 1e-6 * iv_width(in->v)), DBL_MIN);
    return WIT_OK;
}

wit_status wi_trim_cut(const trim_input* in, double gap_u, double gap_v, const wit_allocator* memory,
                       trim_pieces* pieces, wit_error* error)
{
    memset(pieces, 0, sizeof *pieces);
    pieces->period_u = in->closed_u ? iv_width(in->u) : 0;
    pieces->period_v = in->closed_v ? iv_width(in->v) : 0;
    pieces->winding_loop = -1;
    cutter c = {.in = in, .memory = memory, .out = pieces, .error = error};
    wit_status status = measure(&c);
    for (int l = 0, first = 0; l < in->loop_count && !status; first += in->loop_sizes[l++])
        status = cut_loop(&c, l, first, in->loop_sizes[l], gap_u, gap_v);
    list_drop(&c.cuts, sizeof(double), memory);
    return status;
}
