/* SPDX-License-Identifier: MIT */
#include "first_pair.h"

static double off_range(double x, double lo, double hi)
{
    return larger(0, larger(lo - x, x - hi));
}

static double box_distance(const wit_box* b, wit_vec3 p)
{
    double x = off_range(p.x, b->lo.x, b->hi.x), y = off_range(p.y, b->lo.y, b->hi.y),
           z = off_range(p.z, b->lo.z, b->hi.z);
    return x * x + y * y + z * z;
}

/* The middle of a leaf. False: it does not count, or is not in its face. */
static bool middle_of(const side* s, const tree_node* n, place* out)
{
    wit_feature_kind kind = (wit_feature_kind)n->kind;
    if (!side_counts(s, kind, n->feature)) return false;
    wit_interval range[2] = {n->u, n->v};
    bool closed[2];
    if (kind == WIT_FACE && body_faces(s->body)[n->feature].unbounded)
        wi_side_range(s, kind, n->feature, range, closed);
    *out = place_at(kind, n->feature, iv_mid(range[0]), iv_mid(range[1]), vec3(0, 0, 0));
    if (n->tag == TRIM_MIXED && !wi_side_contains(s, kind, n->feature, out->u, out->v)) return false;
    wit_surface_jet j;
    if (side_spent(s, 1)) return false;
    wi_side_jet(s, out, WIT_KNOT_DEFAULT, NULL, &j);
    out->p = j.p;
    return true;
}

bool wi_first_place(const side* s, wit_vec3 to, place* out)
{
    if (!s->body) {
        *out = place_at(WIT_POINT, -1, 0, 0, s->t);
        return true;
    }
    const tree_node* nodes = body_nodes(s->body);
    wit_vec3 p = side_unpoint(s, to);
    tree_walk down;
    for (tree_walk_start(&down, s->body->node_count); down.count && !side_spent(s, 2);) {
        const tree_node* n = &nodes[tree_walk_next(&down)];
        side_boxes(s, 1);
        if (n->child[0] < 0) {
            if (middle_of(s, n, out)) return true;
            continue;
        }
        bool turn = box_distance(&nodes[n->child[0]].box, p) < box_distance(&nodes[n->child[1]].box, p);
        tree_walk_down(&down, n, !turn);
    }
    return false;
}

/* ---- whatever the work is --------------------------------------------------------------------- */

enum { ENCLOSED = 2 };

int64_t wi_kept_for_places(const search_task* t)
{
    return t->rigorous ? ENCLOSED : 0;
}

double wi_with_place_errors(const search_task* t, const search_answer* at, double distance)
{
    distance = distance + wi_side_place_error(&t->a, &at->a) + wi_side_place_error(&t->b, &at->b);
    return distance * (1 + 8 * DBL_EPSILON);
}

/* The largest distance of a point of the one box from a point of the other; infinite: a body is unbounded. */
static double farthest(const search_task* t)
{
    if (t->a.body->unbounded || (t->b.body && t->b.body->unbounded)) return INFINITY;
    wit_box a = wi_side_box(&t->a), b = wi_side_box(&t->b), between = {sub3(a.lo, b.hi), sub3(a.hi, b.lo)};
    return box_reach(&between) * (1 + 8 * DBL_EPSILON);
}

void wi_stored_pair(const search_task* t, search_answer* out)
{
    if (!wi_side_any_place(&t->a, &out->a) || !wi_side_any_place(&t->b, &out->b)) return;
    out->upper = norm3(sub3(out->a.p, out->b.p));
    if (!t->rigorous) return;
    if (side_spent(&t->a, ENCLOSED))
        out->upper = larger(out->upper, farthest(t));
    else
        out->upper = wi_with_place_errors(t, out, out->upper);
}
