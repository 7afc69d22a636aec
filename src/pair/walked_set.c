/* SPDX-License-Identifier: MIT */
#include "walked_set.h"

bool wi_set_measure(walked_set* c, int k, double resolution)
{
    c->closed[k] = false;
    for (int i = 0; i < 2; ++i) {
        walk_end end = wi_walk_along(&c->w, &c->s, k, i ? 1 : -1, resolution, &c->end[k][i], &c->length[k][i]);
        if (end == WALK_EARLY) return false;
        if (end != WALK_CLOSED) continue;
        c->closed[k] = true;
        c->length[k][0] = c->length[k][1] = 0.5 * c->length[k][i];
        return true;
    }
    return c->length[k][0] + c->length[k][1] > WALK_SHORTEST * c->w.size;
}

void wi_set_go(walked_set* c, int k, double arc)
{
    double h = arc, least = WALK_FINE * c->w.size;
    while (fabs(arc) > least && fabs(h) > 0.5 * least && !walk_spent(&c->w)) {
        double piece;
        if (fabs(h) > fabs(arc)) h = arc;
        if (c->w.rule == WALK_SIGNED && fabs(h) > c->w.stride) h = arc < 0 ? -c->w.stride : c->w.stride;
        if (wi_walk_step(&c->w, &c->s, k, h, c->w.tolerance, &piece)) {
            arc -= h < 0 ? -piece : piece;
            h = arc < 0 ? -2 * fabs(h) : 2 * fabs(h);
        } else {
            h *= 0.5;
        }
    }
}

double wi_set_to_middle(walked_set* c, int k)
{
    double way = 0.5 * (c->length[k][1] - c->length[k][0]);
    wi_set_go(c, k, way);
    c->length[k][0] = c->length[k][1] = 0.5 * (c->length[k][0] + c->length[k][1]);
    return fabs(way);
}

walk_state wi_set_turned(const walk_state* s, double angle)
{
    walk_state r = *s;
    double sine, cosine;
    wit_sincos(angle, &sine, &cosine);
    r.t[0] = addscaled3(scale3(cosine, s->t[0]), sine, s->t[1]);
    r.t[1] = addscaled3(scale3(-sine, s->t[0]), cosine, s->t[1]);
    return r;
}

double wi_set_longest_way(walked_set* c, int ways, double resolution, walk_state* from, bool* closes)
{
    double longest = 0;
    *closes = false;
    for (int i = 0; i < ways; ++i) {
        double arc;
        walk_state start = wi_set_turned(&c->s, TWO_PI * i / ways), last;
        walk_end end = wi_walk_along(&c->w, &start, 0, 1, resolution, &last, &arc);
        if (end == WALK_CLOSED) *closes = true;
        if (end == WALK_EARLY || end == WALK_CLOSED || arc <= longest) continue;
        longest = arc;
        *from = start;
    }
    return longest;
}
