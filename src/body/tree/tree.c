/* SPDX-License-Identifier: MIT */
/*
 * The bounding tree: median of the centres along their longest axis. Nodes are numbered as a walk from the root, left
 * first, meets them, so a subtree of n leaves is the 2n - 1 nodes from its own on.
 */
#include "tree.h"

#include <string.h>

#include "../../base/interval.h"
#include "../../base/vec.h"

/*
 * What sorting moves instead of whole leaves. Keys live in the unused end of `nodes`: when r leaves are still to be
 * placed, at least r nodes are still free, and a key is smaller than a node.
 */
typedef struct key {
    double centre[3];
    int32_t leaf;
} key;

_Static_assert(sizeof(key) <= sizeof(tree_node), "the keys must fit where the nodes will be");

static key key_at(const char* keys, int k)
{
    key r;
    memcpy(&r, keys + (size_t)k * sizeof r, sizeof r);
    return r;
}

static void put_key(char* keys, int k, const key* x)
{
    memcpy(keys + (size_t)k * sizeof *x, x, sizeof *x);
}

static double middle_of(double lo, double hi)
{
    double m = 0.5 * lo + 0.5 * hi;
    return m - m == 0 ? m : 0; /* an unbounded box */
}

static bool before(const key* a, const key* b, int axis)
{
    return a->centre[axis] < b->centre[axis] || (a->centre[axis] == b->centre[axis] && a->leaf < b->leaf);
}

static int longest_axis(const char* keys, int lo, int hi)
{
    key first = key_at(keys, lo);
    double least[3], most[3];
    for (int a = 0; a < 3; ++a) least[a] = most[a] = first.centre[a];
    for (int k = lo + 1; k < hi; ++k) {
        key x = key_at(keys, k);
        for (int a = 0; a < 3; ++a) {
            least[a] = smaller(least[a], x.centre[a]);
            most[a] = larger(most[a], x.centre[a]);
        }
    }
    int axis = most[1] - least[1] > most[0] - least[0] ? 1 : 0;
    return most[2] - least[2] > most[axis] - least[axis] ? 2 : axis;
}

/* Orders keys lo <= k < hi so that those before `middle` come before it. Pivots are drawn from a fixed sequence: no
 * arrangement of a model that is not made against it is slow. Keys differ (by their leaf), so the parts always
 * shrink. */
static void select_middle(char* keys, int lo, int hi, int middle, int axis, uint64_t* random)
{
    while (hi - lo > 1) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        key pivot = key_at(keys, lo + (int)((*random >> 33) % (uint64_t)(hi - lo)));
        int i = lo, j = hi - 1;
        while (i <= j) {
            key a = key_at(keys, i), b = key_at(keys, j);
            if (before(&a, &pivot, axis)) {
                ++i;
            } else if (before(&pivot, &b, axis)) {
                --j;
            } else {
                put_key(keys, i++, &b);
                put_key(keys, j--, &a);
            }
        }
        if (middle <= j)
            hi = j + 1;
        else if (middle >= i)
            lo = i;
        else
            return;
    }
}

static void unite(tree_node* n, const tree_node* a, const tree_node* b)
{
    n->box.lo =
        vec3(smaller(a->box.lo.x, b->box.lo.x), smaller(a->box.lo.y, b->box.lo.y), smaller(a->box.lo.z, b->box.lo.z));
    n->box.hi =
        vec3(larger(a->box.hi.x, b->box.hi.x), larger(a->box.hi.y, b->box.hi.y), larger(a->box.hi.z, b->box.hi.z));
    n->kinds_below = a->kinds_below | b->kinds_below;
}

static void make_keys(const tree_node* leaves, int count, char* keys)
{
    for (int k = 0; k < count; ++k) {
        const wit_box* b = &leaves[k].box;
        key x = {{middle_of(b->lo.x, b->hi.x), middle_of(b->lo.y, b->hi.y), middle_of(b->lo.z, b->hi.z)}, k};
        put_key(keys, k, &x);
    }
}

typedef struct task {
    int lo, hi, node;
} task;

int wi_tree_build(const tree_node* leaves, int count, tree_node* nodes)
{
    if (count < 1) return 0;
    int total = 2 * count - 1;
    char* keys = (char*)nodes + (size_t)total * sizeof(tree_node) - (size_t)count * sizeof(key);
    make_keys(leaves, count, keys);
    uint64_t random = 1;
    task stack[64]; /* halves of an int: at most 31 wait */
    int waiting = 0;
    stack[waiting++] = (task){0, count, 0};
    while (waiting) {
        task t = stack[--waiting];
        if (t.hi - t.lo == 1) {
            key x = key_at(keys, t.lo);
            tree_node* n = &nodes[t.node];
            *n = leaves[x.leaf];
            n->child[0] = n->child[1] = -1;
            n->kinds_below = (uint8_t)(1u << n->kind);
            continue;
        }
        int middle = t.lo + (t.hi - t.lo) / 2;
        select_middle(keys, t.lo, t.hi, middle, longest_axis(keys, t.lo, t.hi), &random);
        tree_node n = {.child = {t.node + 1, t.node + 2 * (middle - t.lo)}, .feature = -1, .bounds = -1};
        nodes[t.node] = n;
        stack[waiting++] = (task){middle, t.hi, n.child[1]};
        stack[waiting++] = (task){t.lo, middle, n.child[0]};
    }
    for (int k = total - 1; k >= 0; --k)
        if (nodes[k].child[0] >= 0) unite(&nodes[k], &nodes[nodes[k].child[0]], &nodes[nodes[k].child[1]]);
    return total;
}
