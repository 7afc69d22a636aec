/* SPDX-License-Identifier: MIT */
/* Building the region of a face from its loops. */
#include "trim_grow.h"

enum {
    GRID_LEAST = 2, /* cells per direction, a power of two */
    GRID_MOST = 128,
    TRIED = 8, /* longest pieces of a loop that are asked for their sides */
};

typedef struct build {
    const trim_input* in;
    const wit_allocator* memory;
    wit_error* error;
    trim_pieces pieces;
    list segments; /* trim_segment */
    list spans;    /* wit_interval */
    trim_growth growth;
    trim_region* region;
    char* block; /* packed */
    size_t bytes;
} build;

static wit_status no_memory(wit_error* error)
{
    return wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for the trims of a face");
}

/* ---- laying out ------------------------------------------------------------------------------ */

static void piece_spans(const build* b, const trim_piece* p, wit_interval* u, wit_interval* v)
{
    double u0 = joint_u(&b->pieces, &p->from, 0), u1 = joint_u(&b->pieces, &p->to, 0);
    double v0 = joint_v(&b->pieces, &p->from, 0), v1 = joint_v(&b->pieces, &p->to, 0);
    *u = iv(smaller(u0, u1), larger(u0, u1));
    *v = iv(smaller(v0, v1), larger(v0, v1));
}

/* One period of a closed parameter; else all pieces with a margin, in which nothing happens. */
static wit_interval grid_box(wit_interval range, bool closed, wit_interval hull)
{
    if (closed) return range;
    double margin = larger(iv_width(hull) / 64, larger(iv_width(range) / 4096, 64 * DBL_EPSILON * iv_mag(hull)));
    return iv(hull.lo - margin, hull.hi + margin);
}

static void set_grid(build* b)
{
    trim_region* r = b->region;
    const trim_input* in = b->in;
    wit_interval hull_u = in->u, hull_v = in->v;
    for (int k = 0; k < b->pieces.list.count; ++k) {
        wit_interval u, v;
        piece_spans(b, LIST_AT(trim_piece, b->pieces.list, k), &u, &v);
        hull_u = k ? iv_union(hull_u, u) : u;
        hull_v = k ? iv_union(hull_v, v) : v;
    }
    r->closed_u = in->closed_u;
    r->closed_v = in->closed_v;
    r->period_u = b->pieces.period_u;
    r->period_v = b->pieces.period_v;
    r->grid_u = grid_box(in->u, in->closed_u, hull_u);
    r->grid_v = grid_box(in->v, in->closed_v, hull_v);
    int cells = GRID_LEAST;
    while (cells < GRID_MOST && cells * cells < 4 * b->pieces.list.count) cells *= 2;
    r->cells_u = r->cells_v = cells;
    r->step_u = iv_width(r->grid_u) / cells;
    r->step_v = iv_width(r->grid_v) / cells;
    r->inverse_u = 1 / r->step_u;
    r->inverse_v = 1 / r->step_v;
}

/* The copies of a piece, whole periods apart, that reach the grid's box. */
static bool lay_piece(build* b, const trim_piece* p)
{
    const trim_region* r = b->region;
    wit_interval u, v;
    piece_spans(b, p, &u, &v);
    wit_interval turns_u = {0, 0}, turns_v = {0, 0};
    if (r->period_u > 0)
        turns_u = iv(ceil((r->grid_u.lo - u.hi) / r->period_u), floor((r->grid_u.hi - u.lo) / r->period_u));
    if (r->period_v > 0)
        turns_v = iv(ceil((r->grid_v.lo - v.hi) / r->period_v), floor((r->grid_v.hi - v.lo) / r->period_v));
    for (double i = turns_u.lo; i <= turns_u.hi; i += 1)
        for (double j = turns_v.lo; j <= turns_v.hi; j += 1) {
            trim_segment* s = list_add(&b->segments, sizeof *s, b->memory);
            if (!s) return false;
            *s = wi_trim_lay(&b->pieces, b->in, p, i, j);
        }
    return true;
}

static wit_status pack(build* b)
{
    trim_region* r = b->region;
    r->segment_count = b->segments.count;
    r->node_count = b->growth.nodes.count;
    r->reference_count = b->growth.references.count;
    size_t nodes = (size_t)r->node_count * sizeof(trim_node);
    size_t references = (size_t)r->reference_count * sizeof(trim_reference);
    size_t segments = (size_t)r->segment_count * sizeof(trim_segment);
    size_t grid = (size_t)b->growth.grid.count * sizeof(int32_t);
    r->nodes = 0;
    r->references = embedded_bytes(nodes);
    r->segments = r->references + embedded_bytes(references);
    r->grid = r->segments + embedded_bytes(segments);
    b->bytes = r->grid + embedded_bytes(grid);
    b->block = wi_allocator_take(b->memory, b->bytes);
    if (!b->block) return no_memory(b->error);
    memset(b->block, 0, b->bytes);
    memcpy(b->block + r->nodes, b->growth.nodes.items, nodes);
    memcpy(b->block + r->grid, b->growth.grid.items, grid);
    if (references) memcpy(b->block + r->references, b->growth.references.items, references);
    if (segments) memcpy(b->block + r->segments, b->segments.items, segments);
    return WIT_OK;
}

/* ---- which side is in ------------------------------------------------------------------------ */

static bool ask(const build* b, double u, double v)
{
    return wi_trim_inside(b->region, b->block, &b->growth.source, u, v);
}

/* Asks to the left and right of a piece's middle, `off` times its length away (in cells of the grid). False when both
 * are the same: something else is near, or the loop runs back along itself. */
static bool sides_of(const build* b, const trim_piece* p, double off, bool* left)
{
    const trim_region* r = b->region;
    double au = joint_u(&b->pieces, &p->from, 0), av = joint_v(&b->pieces, &p->from, 0);
    double du = joint_u(&b->pieces, &p->to, 0) - au, dv = joint_v(&b->pieces, &p->to, 0) - av;
    double mu = au + 0.5 * du, mv = av + 0.5 * dv;
    if (p->passage >= 0) {
        wit_curve_jet j;
        wit_curve_eval(b->in->passages[p->passage].curve, 0.5 * (p->t_from + p->t_to), WIT_KNOT_DEFAULT, NULL, &j);
        mu = j.p.x + p->turns_u * r->period_u;
        mv = j.p.y + p->turns_v * r->period_v;
    }
    /* (-dv, du) in cells, back in u and v. */
    double nu = -dv * r->inverse_v * r->step_u * off, nv = du * r->inverse_u * r->step_v * off;
    *left = ask(b, mu + nu, mv + nv);
    return *left != ask(b, mu - nu, mv - nv);
}

/* The longest pieces of a loop, up to TRIED, longest first. */
static int longest(const build* b, int first, int count, const trim_piece* out[TRIED])
{
    const trim_region* r = b->region;
    double lengths[TRIED];
    int n = 0;
    for (int k = first; k < first + count; ++k) {
        const trim_piece* p = LIST_AT(trim_piece, b->pieces.list, k);
        wit_interval u, v;
        piece_spans(b, p, &u, &v);
        double du = iv_width(u) * r->inverse_u, dv = iv_width(v) * r->inverse_v, length = du * du + dv * dv;
        int at = n < TRIED ? n++ : TRIED - 1;
        if (k >= first + TRIED && lengths[at] >= length) continue;
        for (; at > 0 && lengths[at - 1] < length; --at) {
            lengths[at] = lengths[at - 1];
            out[at] = out[at - 1];
        }
        lengths[at] = length;
        out[at] = p;
    }
    return n;
}

/* By two of its pieces where it has them: is the grid's corner in? 1 or 0; -1 when the loop does not tell, -2 when its
 * pieces contradict each other. */
static int corner_by_loop(const build* b, int first, int count)
{
    static const double OFF[3] = {1e-4, 1e-7, 0.03};
    const trim_piece* pieces[TRIED];
    int n = longest(b, first, count, pieces), told = -1, votes = 0;
    for (int o = 0; o < 3 && votes < 2; ++o)
        for (int k = 0; k < n && votes < 2; ++k) {
            bool left;
            if (!sides_of(b, pieces[k], OFF[o], &left)) continue;
            int corner = left ? 0 : 1; /* asked relative to a corner that is out */
            if (votes && corner != told) return -2;
            told = corner;
            ++votes;
        }
    return told;
}

static wit_status contradicts(build* b, int loop, const char* text)
{
    return wi_error_fill_at(b->error, WIT_ERROR_RANGE, "loops", loop, -1, "%s", text);
}

static wit_status settle_sides(build* b)
{
    int corner = -1, count = b->pieces.list.count;
    if (b->in->closed_u && b->in->closed_v && (b->pieces.turns_u != 0 || b->pieces.turns_v != 0))
        return contradicts(b, b->pieces.winding_loop,
                           "the loop winds around a surface that is closed both ways, and no other loop winds back");
    for (int first = 0; first < count;) {
        int loop = LIST_AT(trim_piece, b->pieces.list, first)->loop, n = 1;
        while (first + n < count && LIST_AT(trim_piece, b->pieces.list, first + n)->loop == loop) ++n;
        int told = corner_by_loop(b, first, n);
        if (told == -2)
            return contradicts(b, loop, "the loop crosses itself, or runs one way here and the other there");
        if (corner >= 0 && told >= 0 && told != corner)
            return contradicts(b, loop,
                               "by the direction of this loop the face lies where other loops have its outside");
        if (told >= 0) corner = told;
        first += n;
    }
    if (corner < 0 && b->in->loop_count > 0)
        return contradicts(b, 0, "the loops bound nothing: they run back along themselves, or the face meets itself");
    if (corner == 0) return WIT_OK;
    trim_node* nodes = (trim_node*)(void*)(b->block + b->region->nodes);
    int32_t* grid = (int32_t*)(void*)(b->block + b->region->grid);
    for (int k = NODES_SHARED; k < b->region->node_count; ++k) nodes[k].info ^= 1;
    for (int k = 0; k < b->region->cells_u * b->region->cells_v; ++k)
        if (grid[k] < NODES_SHARED) grid[k] = NODE_IN - grid[k];
    return WIT_OK;
}

/* ---- the box of the region ------------------------------------------------------------------- */

static void sift(wit_interval* x, int root, int count)
{
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && x[child + 1].lo > x[child].lo) ++child;
        if (x[root].lo >= x[child].lo) return;
        wit_interval t = x[root];
        x[root] = x[child];
        x[child] = t;
    }
}

static void sort_by_lo(wit_interval* x, int count)
{
    for (int k = count / 2; k-- > 0;) sift(x, k, count);
    for (int n = count; n-- > 1;) {
        wit_interval t = x[0];
        x[0] = x[n];
        x[n] = t;
        sift(x, 0, n);
    }
}

/* No segment runs over such a gap, so it is in or out as a whole: asked in its middle. */
static bool gap_is_in(const build* b, bool across, double at)
{
    const trim_region* r = b->region;
    return across ? ask(b, iv_mid(r->grid_u), at) : ask(b, at, iv_mid(r->grid_v));
}

/* Closed: from the end of the widest gap that is out to its beginning, once around; all of the range if there is
 * none. */
static wit_interval closed_extent(build* b, bool across, wit_interval range)
{
    wit_interval* x = b->spans.items;
    int n = b->spans.count;
    double period = iv_width(range), widest = 1e-9 * period, reach = -INFINITY;
    wit_interval best = range;
    sort_by_lo(x, n);
    for (int k = 0; k <= n; ++k) {
        double lo = k < n ? x[k].lo : x[0].lo + period;
        if (k && lo - reach > widest && !gap_is_in(b, across, reach + 0.5 * (lo - reach))) {
            widest = lo - reach;
            best = iv(lo >= range.hi ? lo - period : lo, lo >= range.hi ? reach : reach + period);
        }
        if (k < n) reach = larger(reach, x[k].hi);
    }
    return best;
}

static wit_interval open_extent(const build* b, bool across, wit_interval range, wit_interval grid)
{
    const wit_interval* x = b->spans.items;
    wit_interval hull = x[0];
    for (int k = 1; k < b->spans.count; ++k) hull = iv_union(hull, x[k]);
    if (gap_is_in(b, across, grid.lo)) hull.lo = range.lo;
    if (gap_is_in(b, across, grid.hi)) hull.hi = range.hi;
    hull = iv(larger(hull.lo, range.lo), smaller(hull.hi, range.hi));
    return hull.lo < hull.hi ? hull : range;
}

static wit_status set_extent(build* b, bool across, wit_interval range, bool closed, wit_interval* out)
{
    b->spans.count = 0;
    *out = range;
    for (int k = 0; k < b->segments.count; ++k) {
        const trim_segment* s = LIST_AT(trim_segment, b->segments, k);
        wit_interval* slot = list_add(&b->spans, sizeof *slot, b->memory);
        if (!slot) return no_memory(b->error);
        *slot = across ? iv(s->v_lo, s->v_hi) : iv(s->u0, s->u1);
    }
    if (!b->spans.count) return WIT_OK;
    const trim_region* r = b->region;
    *out = closed ? closed_extent(b, across, range) : open_extent(b, across, range, across ? r->grid_v : r->grid_u);
    return WIT_OK;
}

/* ---- all together ---------------------------------------------------------------------------- */

static wit_status build_region(build* b, double gap_u, double gap_v)
{
    const trim_input* in = b->in;
    wit_status status = wi_trim_cut(in, gap_u, gap_v, b->memory, &b->pieces, b->error);
    if (status) return status;
    set_grid(b);
    for (int k = 0; k < b->pieces.list.count; ++k)
        if (!lay_piece(b, LIST_AT(trim_piece, b->pieces.list, k))) return no_memory(b->error);
    b->region->segment_count = b->segments.count;
    b->growth.segments = b->segments.items;
    b->growth.source.passages = in->passages;
    b->growth.region = b->region;
    b->growth.memory = b->memory;
    wi_trim_grow(&b->growth);
    if (b->growth.failed) return no_memory(b->error);
    status = pack(b);
    if (!status) status = settle_sides(b);
    if (!status) status = set_extent(b, false, in->u, in->closed_u, &b->region->u);
    if (!status) status = set_extent(b, true, in->v, in->closed_v, &b->region->v);
    return status;
}

wit_status wi_trim_build(const trim_input* in, const wit_allocator* allocator, void** block, size_t* bytes,
                         trim_region* out, wit_error* error)
{
    wit_allocator memory = wi_allocator_or_default(allocator);
    build b = {.in = in, .memory = &memory, .error = error, .region = out};
    memset(out, 0, sizeof *out);
    *block = NULL;
    *bytes = 0;
    wit_status status = build_region(&b, in->gap_u, in->gap_v);
    list_drop(&b.pieces.list, sizeof(trim_piece), &memory);
    list_drop(&b.segments, sizeof(trim_segment), &memory);
    list_drop(&b.spans, sizeof(wit_interval), &memory);
    list_drop(&b.growth.nodes, sizeof(trim_node), &memory);
    list_drop(&b.growth.grid, sizeof(int32_t), &memory);
    list_drop(&b.growth.references, sizeof(trim_reference), &memory);
    list_drop(&b.growth.work, sizeof(trim_reference), &memory);
    if (status) {
        wi_allocator_release(&memory, b.block, b.bytes);
        return status;
    }
    *block = b.block;
    *bytes = b.bytes;
    return WIT_OK;
}
