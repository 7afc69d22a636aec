/* SPDX-License-Identifier: MIT */
/*
 * Witness through its public header: at the default tolerance, in rigorous mode, and the papers' way: far phase, then a
 * local search. Query objects are kept from call to call; every query starts from nothing.
 */
#include <math.h>
#include <stdlib.h>

#include "closest.h"
#include "near_phase.h"

typedef struct witness_state {
    wit_body* own; /* of a point query */
    wit_query* query;
    wit_placed placed[2];
} witness_state;

wit_body* closest_body(const wit_surface_def* def)
{
    wit_surface* s = wit_surface_create(def, NULL, NULL);
    if (!s) return NULL;
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    wit_face_def face = {0};
    face.surface = s;
    d.face_count = 1;
    d.faces = &face;
    wit_body* body = wit_body_create(&d, NULL, NULL);
    wit_surface_destroy(s);
    return body;
}

static void destroy(void* self)
{
    witness_state* s = self;
    wit_query_destroy(s->query);
    wit_body_destroy(s->own);
    free(s);
}

static witness_state* create(bool rigorous)
{
    witness_state* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    wit_query_def d = wit_query_default_def();
    d.rigorous = rigorous;
    s->query = wit_query_create(&d, NULL, NULL);
    if (s->query) return s;
    destroy(s);
    return NULL;
}

static void* point_create(const wit_surface_def* def, bool rigorous)
{
    witness_state* s = create(rigorous);
    if (!s) return NULL;
    s->own = closest_body(def);
    s->placed[0] = wit_placed_at(s->own, wit_pose_identity());
    if (s->own) return s;
    destroy(s);
    return NULL;
}

static void* point_create_default(const wit_surface_def* def)
{
    return point_create(def, false);
}

static void* point_create_rigorous(const wit_surface_def* def)
{
    return point_create(def, true);
}

static void answer_of(wit_status status, const wit_closest* c, closest_answer* out)
{
    *out = (closest_answer){0};
    out->upper = INFINITY;
    if (status) return;
    out->found = c->outcome != WIT_OUTCOME_BEYOND && c->outcome != WIT_OUTCOME_EMPTY;
    out->certified = c->certified;
    out->crossing = c->outcome == WIT_OUTCOME_OVERLAPPING;
    out->distance = c->distance;
    out->lower = c->lower_bound;
    out->upper = c->upper_bound;
    out->a = c->a.point;
    out->b = c->b.point;
    out->work = c->work;
}

static void point_query(void* self, wit_vec3 point, closest_answer* out)
{
    witness_state* s = self;
    wit_closest c;
    wit_status status = wit_closest_point(s->query, &s->placed[0], point, &c);
    answer_of(status, &c, out);
}

static void found_near(near_place* a, near_place* b, closest_answer* out)
{
    *out = (closest_answer){0};
    out->upper = INFINITY;
    out->found = true;
    out->distance = near_search(a, b);
    out->a = a->p;
    out->b = b->p;
}

static void point_query_far(void* self, wit_vec3 point, closest_answer* out)
{
    witness_state* s = self;
    wit_witness start;
    *out = (closest_answer){0};
    if (wit_far_phase_point(&s->placed[0], point, &start)) return;
    near_place a = near_start(&s->placed[0], &start), b = near_point(point);
    found_near(&a, &b, out);
}

static void* pair_create(const wit_body* pen, const wit_body* bowl, bool rigorous)
{
    witness_state* s = create(rigorous);
    if (!s) return NULL;
    s->placed[0] = wit_placed_at(pen, wit_pose_identity());
    s->placed[1] = wit_placed_at(bowl, wit_pose_identity());
    return s;
}

static void* pair_create_default(const wit_body* pen, const wit_body* bowl)
{
    return pair_create(pen, bowl, false);
}

static void* pair_create_rigorous(const wit_body* pen, const wit_body* bowl)
{
    return pair_create(pen, bowl, true);
}

static void pair_query(void* self, const wit_pose* pen, const wit_pose* bowl, closest_answer* out)
{
    witness_state* s = self;
    s->placed[0].pose = *pen;
    s->placed[1].pose = *bowl;
    wit_closest c;
    wit_status status = wit_closest_pair(s->query, &s->placed[0], &s->placed[1], &c);
    answer_of(status, &c, out);
}

static void pair_query_far(void* self, const wit_pose* pen, const wit_pose* bowl, closest_answer* out)
{
    witness_state* s = self;
    wit_witness start[2];
    s->placed[0].pose = *pen;
    s->placed[1].pose = *bowl;
    *out = (closest_answer){0};
    if (wit_far_phase_pair(&s->placed[0], &s->placed[1], &start[0], &start[1])) return;
    near_place a = near_start(&s->placed[0], &start[0]), b = near_start(&s->placed[1], &start[1]);
    found_near(&a, &b, out);
}

const point_contestant point_witness = {"Witness", 1, point_create_default, destroy, point_query};
const point_contestant point_rigorous = {"Witness, rigorous", 1, point_create_rigorous, destroy, point_query};
const point_contestant point_far_phase = {"papers' far phase, Newton", 5, point_create_default, destroy,
                                          point_query_far};
const pair_contestant pair_witness = {"Witness", 1, pair_create_default, destroy, pair_query};
const pair_contestant pair_rigorous = {"Witness, rigorous", 1, pair_create_rigorous, destroy, pair_query};
const pair_contestant pair_far_phase = {"papers' far phase, Newton", 1, pair_create_default, destroy, pair_query_far};
