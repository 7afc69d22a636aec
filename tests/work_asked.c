/* SPDX-License-Identifier: MIT */
#include "work_asked.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../src/base/vec.h"
#include "work_count.h"

void subjects_add(subject_list* list, const char* name, wit_model* model)
{
    for (int k = 0; k < wit_model_body_count(model); k++) {
        if (list->count == list->capacity) {
            list->capacity = 2 * list->capacity + 16;
            list->items = realloc(list->items, (size_t)list->capacity * sizeof *list->items);
            assert_non_null(list->items);
        }
        subject* s = &list->items[list->count++];
        memset(s, 0, sizeof *s);
        snprintf(s->name, sizeof s->name, "%.60s %d", name, k);
        s->model = k ? NULL : model;
        s->body = wit_model_body(model, k);
        wit_body_info info = wit_body_describe(s->body);
        bool bounded = isfinite(info.size) && info.size > 0 && info.size < 1e6;
        s->size = bounded ? info.size : 10;
        if (bounded) s->centre = scale3(0.5, add3(info.box.lo, info.box.hi));
    }
}

static int by_name(const void* a, const void* b)
{
    return strcmp(((const subject*)a)->name, ((const subject*)b)->name);
}

void subjects_open_models(subject_list* list)
{
    DIR* d = opendir("models");
    if (!d) fail_msg("models cannot be opened (tests run from the root of the tree)");
    for (struct dirent* e; (e = readdir(d));) {
        char path[300];
        size_t n = strlen(e->d_name);
        wit_error error = {0};
        if (n < 6 || strcmp(e->d_name + n - 5, ".json")) continue;
        snprintf(path, sizeof path, "models/%s", e->d_name);
        wit_model* m = wit_model_read_file(path, NULL, &error);
        if (!m) fail_msg("%s: %s", path, error.text);
        subjects_add(list, e->d_name, m);
    }
    closedir(d);
    qsort(list->items, (size_t)list->count, sizeof list->items[0], by_name);
}

void subjects_close(subject_list* list)
{
    for (int k = 0; k < list->count; k++) wit_model_destroy(list->items[k].model);
    free(list->items);
    *list = (subject_list){NULL, 0, 0};
}

/* ---- what is asked ---------------------------------------------------------------------------- */

wit_vec3 some_point(rng* r, const subject* s)
{
    static const double spread[4] = {0.05, 0.5, 1, 5};
    double by = s->size * spread[rng_int(r, 4)];
    double x = rng_range(r, -by, by), y = rng_range(r, -by, by), z = rng_range(r, -by, by);
    return vec3(s->centre.x + x, s->centre.y + y, s->centre.z + z);
}

static wit_quat some_turn(rng* r)
{
    double w = rng_range(r, -1, 1), x = rng_range(r, -1, 1), y = rng_range(r, -1, 1), z = rng_range(r, -1, 1);
    double n = sqrt(w * w + x * x + y * y + z * z);
    return n > 1e-3 ? (wit_quat){w / n, x / n, y / n, z / n} : (wit_quat){1, 0, 0, 0};
}

wit_pose some_pose(rng* r, const subject* a, const subject* b)
{
    static const double apart[5] = {0, 0.2, 0.5, 0.8, 2};
    wit_pose p = {vec3(0, 0, 0), some_turn(r)};
    double far = apart[rng_int(r, 5)] * (a->size + b->size);
    double x = rng_range(r, -1, 1), y = rng_range(r, -1, 1), z = rng_range(r, -1, 1);
    p.position = sub3(addscaled3(a->centre, far, unit3(vec3(x, y, z))), wit_pose_vector(&p, b->centre));
    return p;
}

/* As many small ones as large ones: as the logarithm, and half of them below 2,000. */
static int64_t some_budget(rng* r)
{
    double most = rng_int(r, 2) ? 2000 : 200000;
    return (int64_t)exp(rng_range(r, 0, log(most + 1)));
}

/* One question in three has a mask: some kinds, or some faces and edges by name. */
typedef struct some_mask {
    wit_mask mask;
    uint8_t faces[4096], edges[4096];
} some_mask;

static const wit_mask* mask_for(rng* r, const wit_body* body, some_mask* m)
{
    wit_body_info info = wit_body_describe(body);
    if (rng_int(r, 3) || info.face_count > 4096 || info.edge_count > 4096) return NULL;
    memset(m, 0, sizeof *m);
    m->mask.kinds = (unsigned)rng_int(r, 8);
    if (rng_int(r, 2)) {
        int most = 1 + rng_int(r, 8);
        for (int k = 0; k < info.face_count; k++) m->faces[k] = rng_int(r, most) == 0;
        for (int k = 0; k < info.edge_count; k++) m->edges[k] = rng_int(r, 4 * most) == 0;
        m->mask.faces = m->faces;
        m->mask.edges = m->edges;
    }
    return &m->mask;
}

/* ---- what is said of it ----------------------------------------------------------------------- */

typedef struct ledger {
    const char* what;
    long asked, wrong, over, blind;
    int64_t jets;
} ledger;

typedef struct asked {
    const subject *a, *b;
    const wit_query_def* def;
    bool masked;
} asked;

static void complain(const ledger* l, const asked* x, const wit_work* w, const char* of)
{
    print_error("%s of %s, %s: %s%s, budget %lld: %lld nodes, %lld jets, %lld tests; counted %lld jets, %lld tests\n",
                of, l->what, x->a->name, x->b ? x->b->name : "a point", x->masked ? ", masked" : "",
                (long long)x->def->budget, (long long)w->nodes, (long long)w->jets, (long long)w->tests,
                (long long)counted_work.jets, (long long)counted_work.tests);
}

static void enter_work(ledger* l, const asked* x, const wit_work* w)
{
    int64_t most = x->def->budget < WIT_BUDGET_LEAST ? WIT_BUDGET_LEAST : x->def->budget;
    l->asked++;
    l->jets += w->jets;
    if (!work_is_as_counted(w) && l->wrong++ < 10) complain(l, x, w, "a wrong account");
    if (w->units > most && l->over++ < 10) complain(l, x, w, "an overrun");
}

/* Whatever ended it there is a pair, and the distance is at most theirs. */
static void enter_answer(ledger* l, const asked* x, const wit_closest* c)
{
    enter_work(l, x, &c->work);
    if (c->outcome == WIT_OUTCOME_EMPTY || c->outcome == WIT_OUTCOME_BEYOND) return;
    if (!(c->upper_bound < INFINITY) && l->blind++ < 10) complain(l, x, &c->work, "an answer without a witness");
}

static void tell(const ledger* l)
{
    print_message("%s: %ld asked, %lld jets\n", l->what, l->asked, (long long)l->jets);
    assert_int_equal(l->wrong, 0);
    assert_int_equal(l->over, 0);
    assert_int_equal(l->blind, 0);
}

/* ---- asking ----------------------------------------------------------------------------------- */

static wit_query* query_of(bool rigorous, wit_query_def* def)
{
    *def = wit_query_default_def();
    def->rigorous = rigorous;
    def->capacity = 4096;
    wit_query* q = wit_query_create(def, NULL, NULL);
    assert_non_null(q);
    return q;
}

void ask_points(const subject_list* list, uint64_t seed, long each)
{
    ledger points = {.what = "points"}, minima = {.what = "minima of points"};
    static some_mask mask;
    rng r = rng_seed(seed);
    for (int rigorous = 0; rigorous < 2; rigorous++) {
        wit_query_def def;
        wit_query* q = query_of(rigorous, &def);
        for (long n = 0; n < each * list->count; n++) {
            const subject* s = &list->items[n % list->count];
            wit_placed at = wit_placed_at(s->body, wit_pose_identity());
            wit_vec3 p = some_point(&r, s);
            def.budget = some_budget(&r);
            at.mask = mask_for(&r, s->body, &mask);
            assert_int_equal(wit_query_set(q, &def, NULL), WIT_OK);
            asked x = {s, NULL, &def, at.mask != NULL};
            wit_closest c;
            work_count_start();
            if (wit_closest_point(q, &at, p, &c)) continue; /* off the plane of a planar body */
            enter_answer(&points, &x, &c);
            wit_minimum found[16];
            wit_minima_summary m;
            if (rng_int(&r, 4)) continue;
            work_count_start();
            assert_int_equal(wit_minima_point(q, &at, p, found, 16, &m), WIT_OK);
            enter_work(&minima, &x, &m.work);
        }
        wit_query_destroy(q);
    }
    tell(&points);
    tell(&minima);
}

void ask_pairs(const subject_list* list, uint64_t seed, long pairs)
{
    ledger all = {.what = "pairs"}, minima = {.what = "minima"}, contacts = {.what = "contacts"};
    static some_mask masks[2];
    rng r = rng_seed(seed);
    for (int rigorous = 0; rigorous < 2; rigorous++) {
        wit_query_def def;
        wit_query* q = query_of(rigorous, &def);
        for (long n = 0; n < pairs; n++) {
            const subject *x = &list->items[rng_int(&r, list->count)], *y = &list->items[rng_int(&r, list->count)];
            wit_placed a = wit_placed_at(x->body, wit_pose_identity());
            wit_placed b = wit_placed_at(y->body, some_pose(&r, x, y));
            def.budget = some_budget(&r);
            a.mask = mask_for(&r, x->body, &masks[0]);
            b.mask = mask_for(&r, y->body, &masks[1]);
            assert_int_equal(wit_query_set(q, &def, NULL), WIT_OK);
            asked w = {x, y, &def, a.mask || b.mask};
            wit_closest out;
            work_count_start();
            if (wit_closest_pair(q, &a, &b, &out)) continue;
            enter_answer(&all, &w, &out);
            wit_minimum found[16];
            wit_minima_summary m;
            wit_contact touching[16];
            wit_contacts_summary c;
            if (rng_int(&r, 8)) continue;
            work_count_start();
            if (!wit_minima_pair(q, &a, &b, found, 16, &m)) enter_work(&minima, &w, &m.work);
            work_count_start();
            if (!wit_contacts_pair(q, &a, &b, touching, 16, &c)) enter_work(&contacts, &w, &c.work);
        }
        wit_query_destroy(q);
    }
    tell(&all);
    tell(&minima);
    tell(&contacts);
}
