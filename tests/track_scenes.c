/* SPDX-License-Identifier: MIT */
#include "track_scenes.h"

#include "campaign.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

show shows[MOST_SCENES];
int show_count;

static int by_name(const void* a, const void* b)
{
    return strcmp(((const show*)a)->name, ((const show*)b)->name);
}

static void show_open(show* s)
{
    char path[128];
    wit_error e = {0};
    snprintf(path, sizeof path, "scenes/%s", s->name);
    s->scene = wit_scene_read_file(path, NULL, NULL, NULL, &e);
    if (!s->scene) fail_msg("%s:%d:%d: %s: %s", path, e.line, e.column, e.item, e.text);
    s->def = wit_scene_track_def(s->scene);
    s->dt = 1 / wit_scene_rate(s->scene);
    int64_t frames = wit_scene_frames(s->scene) + 1;
    int most = MOST_FRAMES / campaign_every(1, 10);
    s->whole = frames <= most || most == MOST_FRAMES;
    s->frames = frames > most ? most : (int)frames;
    for (int side = 0; side < 2; side++) {
        s->motion[side] = calloc((size_t)s->frames, sizeof(wit_motion));
        assert_non_null(s->motion[side]);
        for (int k = 0; k < s->frames; k++)
            assert_int_equal(wit_scene_motion(s->scene, side, k * s->dt, &s->motion[side][k]), WIT_OK);
    }
}

int open_shows(void** state)
{
    (void)state;
    DIR* d = opendir("scenes");
    if (!d) fail_msg("scenes cannot be opened (tests run from the root of the tree)");
    for (struct dirent* e; (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n < 6 || n >= sizeof shows[0].name || strcmp(e->d_name + n - 5, ".json")) continue;
        assert_true(show_count < MOST_SCENES);
        memcpy(shows[show_count++].name, e->d_name, n + 1);
    }
    closedir(d);
    assert_true(show_count > 0);
    qsort(shows, (size_t)show_count, sizeof shows[0], by_name);
    for (int k = 0; k < show_count; k++) show_open(&shows[k]);
    return 0;
}

int close_shows(void** state)
{
    (void)state;
    for (int k = 0; k < show_count; k++) {
        wit_scene_destroy(shows[k].scene);
        for (int side = 0; side < 2; side++) free(shows[k].motion[side]);
    }
    return 0;
}

wit_tracker* show_start(const show* s, const wit_track_def* def, void** memory, size_t* bytes)
{
    const wit_body *a = wit_scene_body(s->scene, 0), *b = wit_scene_body(s->scene, 1);
    wit_error e = {0};
    wit_tracker* t = NULL;
    *bytes = wit_tracker_size(a, b, def);
    *memory = calloc(1, *bytes ? *bytes : 1);
    assert_non_null(*memory);
    if (wit_tracker_init(*memory, *bytes, a, b, def, &t, &e)) fail_msg("%s: %s: %s", s->name, e.item, e.text);
    show_place(s, t);
    return t;
}

void show_place(const show* s, wit_tracker* t)
{
    wit_witness a, b;
    if (!wit_scene_start(s->scene, &a, &b)) return;
    assert_int_equal(wit_tracker_place(t, &a, wit_scene_body(s->scene, 1) ? &b : NULL), WIT_OK);
}

wit_status show_step(const show* s, wit_tracker* t, int k, wit_result* out)
{
    return wit_tracker_step(t, &s->motion[0][k], &s->motion[1][k], s->dt, out);
}

static uint64_t mix(uint64_t hash, const void* data, size_t bytes)
{
    const unsigned char* p = data;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t mix_number(uint64_t hash, int64_t x)
{
    return mix(hash, &x, sizeof x);
}

static uint64_t mix_witness(uint64_t hash, const wit_witness* w)
{
    const double x[5] = {w->u, w->v, w->point.x, w->point.y, w->point.z};
    hash = mix_number(mix_number(hash, w->feature), w->id);
    return mix(hash, x, sizeof x);
}

static int number_of(const char* word, const char* const words[], int count)
{
    for (int k = 0; k < count; k++)
        if (!strcmp(word, words[k])) return k;
    fail_msg("%s: a new word", word);
    return -1;
}

static int outcome_number(wit_outcome outcome)
{
    static const char* const words[3] = {"converged", "open", "budget"};
    return number_of(wit_outcome_name(outcome), words, 3);
}

static int stationary_number(wit_stationary kind)
{
    static const char* const words[4] = {"minimum", "saddle", "maximum", "flat"};
    return number_of(wit_stationary_name(kind), words, 4);
}

uint64_t mix_result(uint64_t hash, const wit_result* r)
{
    const double x[9] = {r->distance, r->lower_bound, r->rate,  r->normal.x, r->normal.y,
                         r->normal.z, r->residual,    r->drift, r->gain};
    const int64_t n[10] = {outcome_number(r->outcome),
                           (int64_t)r->flags,
                           stationary_number(r->kind),
                           r->count,
                           r->count_a,
                           (int64_t)r->held,
                           r->switches,
                           r->iterations,
                           r->work.jets,
                           r->work.units};
    hash = mix(mix(hash, x, sizeof x), n, sizeof n);
    hash = mix(hash, r->error, (size_t)r->count * sizeof r->error[0]);
    return mix_witness(mix_witness(hash, &r->a), &r->b);
}
