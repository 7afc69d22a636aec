/* SPDX-License-Identifier: MIT */
/*
 * The same answers, bit for bit: hashes of cold point and pair queries of every body in models/ (also rigorous), of local
 * minima, contacts, worlds and the text of models, with the portable and with the AVX2 kernels (tests/data/cold-hashes.txt).
 * Enums are hashed by their names, so that renaming or reordering them is no change.
 *
 *     test_golden --write          writes the hashes anew; a change must be one that was meant
 *     test_golden --print KEY      one line per answer of one line of the file, to see where two builds part
 *
 * The program is linked with --wrap=wi_kernel_resolve, so that it chooses the kernels.
 */
#include <dirent.h>
#include <stdlib.h>

#include "haptic_world.h"

#include "random.h"

#define HASHES "tests/data/cold-hashes.txt"
enum { MOST_MODELS = 64, MOST_KEYS = 1024, BODIES_OF_A_MODEL = 8, POINTS = 20, POSES = 2, WORLD_STEPS = 250 };

static wit_kernel chosen = WIT_KERNEL_PORTABLE;

wit_kernel __real_wi_kernel_resolve(wit_kernel asked);
wit_kernel __wrap_wi_kernel_resolve(wit_kernel asked);
wit_kernel __wrap_wi_kernel_resolve(wit_kernel asked)
{
    return __real_wi_kernel_resolve(asked == WIT_KERNEL_AUTO ? chosen : asked);
}

/* ---- hashing ---------------------------------------------------------------------------------- */

static const char* printed; /* the key whose answers are printed; null: none */

typedef struct golden {
    char key[192];
    uint64_t hash;
} golden;

static golden made[MOST_KEYS];
static int made_count;

static void mix(golden* g, const void* data, size_t bytes)
{
    const unsigned char* p = data;
    for (size_t i = 0; i < bytes; i++) g->hash = (g->hash ^ p[i]) * 0x100000001b3u;
}

static void mix_words(golden* g, const char* words)
{
    mix(g, words, strlen(words) + 1);
    if (printed && !strcmp(printed, g->key)) printf("%s ", words);
}

static void mix_int(golden* g, int64_t n)
{
    mix(g, &n, sizeof n);
    if (printed && !strcmp(printed, g->key)) printf("%lld ", (long long)n);
}

static void mix_real(golden* g, double x)
{
    mix(g, &x, sizeof x);
    if (printed && !strcmp(printed, g->key)) printf("%.17g ", x);
}

static void mix_end(const golden* g)
{
    if (printed && !strcmp(printed, g->key)) printf("\n");
}

static void mix_vec(golden* g, wit_vec3 v)
{
    mix_real(g, v.x);
    mix_real(g, v.y);
    mix_real(g, v.z);
}

static void mix_witness(golden* g, const wit_witness* w)
{
    mix_words(g, wit_feature_kind_name(w->feature));
    mix_int(g, w->id);
    mix_real(g, w->u);
    mix_real(g, w->v);
    mix_vec(g, w->point);
}

static void mix_set(golden* g, const wit_closest_set* s)
{
    mix_int(g, s->dimension);
    for (int k = 0; k < s->dimension; k++) {
        mix_vec(g, s->direction[k]);
        mix_real(g, s->extent[k].lo);
        mix_real(g, s->extent[k].hi);
        mix_int(g, s->closed[k]);
    }
}

static golden* open_key(const char* kind, const char* name)
{
    assert_true(made_count < MOST_KEYS);
    golden* g = &made[made_count++];
    snprintf(g->key, sizeof g->key, "%s:%s:%.127s", chosen == WIT_KERNEL_PORTABLE ? "portable" : "avx2", kind, name);
    g->hash = 0xcbf29ce484222325u;
    return g;
}

/* ---- models ----------------------------------------------------------------------------------- */

typedef struct entry {
    char name[64];
    wit_model* model;
} entry;

static entry models[MOST_MODELS];
static int model_count;

static int by_name(const void* a, const void* b)
{
    return strcmp(((const entry*)a)->name, ((const entry*)b)->name);
}

static void list_models(void)
{
    DIR* d = opendir("models");
    if (!d) fail_msg("models cannot be opened (tests run from the root of the tree)");
    model_count = 0;
    for (struct dirent* e; (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n < 6 || n >= sizeof models[0].name || strcmp(e->d_name + n - 5, ".json")) continue;
        assert_true(model_count < MOST_MODELS);
        memcpy(models[model_count++].name, e->d_name, n + 1);
    }
    closedir(d);
    assert_true(model_count > 0);
    qsort(models, (size_t)model_count, sizeof models[0], by_name);
}

static void read_models(void)
{
    for (int k = 0; k < model_count; k++) {
        char path[192];
        wit_error e = {0};
        snprintf(path, sizeof path, "models/%.63s", models[k].name);
        models[k].model = wit_model_read_file(path, NULL, &e);
        if (!models[k].model) fail_msg("%s:%d:%d: %s: %s", path, e.line, e.column, e.item, e.text);
    }
}

static void close_models(void)
{
    for (int k = 0; k < model_count; k++) wit_model_destroy(models[k].model);
}

static int bodies_of(const entry* m)
{
    int n = wit_model_body_count(m->model);
    return n < BODIES_OF_A_MODEL ? n : BODIES_OF_A_MODEL;
}

/* ---- what is asked ---------------------------------------------------------------------------- */

static double finite_or(double x, double instead)
{
    return fabs(x) < 1e9 ? x : instead;
}

/* A point in, or well around, the box of a body; of one without limits about its origin. */
static wit_vec3 random_point(rng* r, const wit_body* body)
{
    wit_box box = wit_body_describe(body).box;
    double lo[3] = {box.lo.x, box.lo.y, box.lo.z}, hi[3] = {box.hi.x, box.hi.y, box.hi.z}, p[3];
    double grow = 0.4 * rng_double(r);
    for (int i = 0; i < 3; i++) {
        double from = finite_or(lo[i], -10), to = finite_or(hi[i], 10);
        p[i] = rng_range(r, from - grow * (to - from), to + grow * (to - from));
    }
    return vec3(p[0], p[1], p[2]);
}

static wit_pose random_pose(rng* r, const wit_body* body)
{
    wit_pose p = wit_pose_identity();
    p.position = random_point(r, body);
    wit_body_info info = wit_body_describe(body);
    /* one after the other: the order in which arguments are evaluated is the compiler's choice */
    double z = rng_range(r, -1, 1), y = rng_range(r, -1, 1), x = rng_range(r, -1, 1);
    wit_vec3 axis = vec3(x, y, z);
    double angle = rng_range(r, -3, 3);
    if (info.planar) {
        p.position.z = 0;
        axis = vec3(0, 0, 1);
    }
    p.rotation = wit_quat_about(axis, angle);
    return p;
}

static void mix_closest(golden* g, wit_status status, const wit_closest* c)
{
    mix_words(g, wit_status_name(status));
    if (status == WIT_OK) {
        mix_words(g, wit_outcome_name(c->outcome));
        mix_words(g, wit_sign_name(c->sign));
        mix_int(g, c->certified);
        mix_real(g, c->distance);
        mix_real(g, c->lower_bound);
        mix_real(g, c->upper_bound);
        mix_vec(g, c->normal);
        mix_witness(g, &c->a);
        mix_witness(g, &c->b);
        mix_set(g, &c->set);
    }
    mix_end(g);
}

static void mix_minima(golden* g, wit_status status, const wit_minimum* m, int capacity, const wit_minima_summary* s)
{
    mix_words(g, wit_status_name(status));
    if (status == WIT_OK) {
        mix_int(g, s->count);
        mix_int(g, s->complete);
        mix_int(g, s->overlapping);
        mix_real(g, s->lower_bound);
        for (int k = 0; k < s->count && k < capacity; k++) {
            mix_real(g, m[k].distance);
            mix_vec(g, m[k].normal);
            mix_witness(g, &m[k].a);
            mix_witness(g, &m[k].b);
            mix_set(g, &m[k].set);
            mix_int(g, m[k].proved);
        }
    }
    mix_end(g);
}

static wit_query* query_with(bool rigorous, int64_t budget, double within)
{
    wit_query_def d = wit_query_default_def();
    d.rigorous = rigorous;
    d.budget = budget;
    d.within = within;
    wit_query* q = wit_query_create(&d, NULL, NULL);
    assert_non_null(q);
    return q;
}

static void hash_points(const entry* m, bool rigorous)
{
    golden* g = open_key(rigorous ? "point-rigorous" : "point", m->name);
    wit_query* q = query_with(rigorous, 60000, INFINITY);
    for (int b = 0; b < bodies_of(m); b++) {
        const wit_body* body = wit_model_body(m->model, b);
        rng r = rng_seed(1 + (uint64_t)b);
        for (int k = 0; k < POINTS; k++) {
            wit_placed placed = wit_placed_at(body, wit_pose_identity());
            wit_vec3 p = random_point(&r, body);
            if (wit_body_describe(body).planar) p.z = 0;
            if (k % 2) placed.pose = random_pose(&r, body);
            wit_closest c;
            memset(&c, 0, sizeof c);
            mix_closest(g, wit_closest_point(q, &placed, p, &c), &c);
        }
    }
    wit_query_destroy(q);
}

static void hash_point_minima(const entry* m)
{
    enum { ROOM = 32 };
    golden* g = open_key("point-minima", m->name);
    wit_query* q = query_with(false, 60000, INFINITY);
    const wit_body* body = wit_model_body(m->model, 0);
    rng r = rng_seed(7);
    for (int k = 0; k < POSES; k++) {
        wit_placed placed = wit_placed_at(body, wit_pose_identity());
        wit_vec3 p = random_point(&r, body);
        if (wit_body_describe(body).planar) p.z = 0;
        wit_minimum list[ROOM];
        wit_minima_summary s;
        memset(list, 0, sizeof list);
        memset(&s, 0, sizeof s);
        mix_minima(g, wit_minima_point(q, &placed, p, list, ROOM, &s), list, ROOM, &s);
    }
    wit_query_destroy(q);
}

/* Every other pose is near enough to overlap. */
static wit_pose pair_pose(rng* r, const wit_body* a, const wit_body* b, int k)
{
    wit_pose p = random_pose(r, b);
    wit_vec3 near = random_point(r, a);
    double size = finite_or(wit_body_describe(b).size, 20);
    if (wit_body_describe(b).planar) near.z = 0;
    p.position = near;
    if (k % 2) p.position = vec3(near.x + size, near.y + 0.3 * size, near.z);
    return p;
}

/* The four lines of a model that tell of its pairs with others. */
typedef struct pair_lines {
    golden *pair, *strict, *minima, *contacts;
} pair_lines;

static void hash_pair(const pair_lines* to, const wit_body* a, const wit_body* b)
{
    enum { ROOM = 24 };
    golden *pair = to->pair, *strict = to->strict, *minima = to->minima, *contacts = to->contacts;
    wit_query *q = query_with(false, 60000, INFINITY), *rigorous = query_with(true, 60000, INFINITY);
    wit_query* few = query_with(false, 30000, INFINITY);
    rng r = rng_seed(11);
    for (int k = 0; k < POSES; k++) {
        wit_placed pa = wit_placed_at(a, wit_pose_identity()), pb = wit_placed_at(b, pair_pose(&r, a, b, k));
        wit_closest c;
        memset(&c, 0, sizeof c);
        mix_closest(pair, wit_closest_pair(q, &pa, &pb, &c), &c);
        memset(&c, 0, sizeof c);
        mix_closest(strict, wit_closest_pair(rigorous, &pa, &pb, &c), &c);
        if (k) continue;
        wit_minimum list[ROOM];
        wit_minima_summary s;
        memset(list, 0, sizeof list);
        memset(&s, 0, sizeof s);
        mix_minima(minima, wit_minima_pair(few, &pb, &pa, list, ROOM, &s), list, ROOM, &s);
        wit_contact found[ROOM];
        wit_contacts_summary of = {0};
        wit_status status = wit_contacts_pair(few, &pa, &pb, found, ROOM, &of);
        mix_words(contacts, wit_status_name(status));
        mix_int(contacts, of.count);
        for (int n = 0; status == WIT_OK && n < of.count && n < ROOM; n++) {
            mix_real(contacts, found[n].depth);
            mix_vec(contacts, found[n].normal);
            mix_witness(contacts, &found[n].a);
            mix_witness(contacts, &found[n].b);
        }
        mix_end(contacts);
    }
    wit_query_destroy(q);
    wit_query_destroy(rigorous);
    wit_query_destroy(few);
}

static void hash_text(const entry* m)
{
    golden* g = open_key("text", m->name);
    size_t bytes = wit_model_write_text(m->model, NULL, 0);
    char* text = malloc(bytes + 1);
    assert_non_null(text);
    wit_model_write_text(m->model, text, bytes + 1);
    mix(g, text, bytes);
    free(text);
}

/* ---- worlds ----------------------------------------------------------------------------------- */

static void hash_world(const char* name, const wit_scene* scene)
{
    wit_haptic_def def;
    if (!wit_scene_dynamics(scene, &def)) return;
    golden* g = open_key("world", name);
    wit_haptic* w = world_make(&def);
    wit_human human;
    bool hand = wit_scene_human(scene, &human);
    wit_haptic_result r = {0};
    double h = 1 / def.rate;
    for (int k = 1; k <= WORLD_STEPS; k++) {
        wit_motion device = wit_motion_at_rest(wit_pose_identity());
        if (def.tool >= 0) assert_int_equal(wit_scene_device(scene, k * h, &device), WIT_OK);
        if (hand) {
            assert_int_equal(wit_human_step(&human, &device, r.force, r.torque, h), WIT_OK);
            device = human.at;
        }
        assert_int_equal(wit_haptic_step(w, def.tool >= 0 ? &device : NULL, h, &r), WIT_OK);
        mix_vec(g, r.force);
        mix_vec(g, r.torque);
        mix_vec(g, r.tool.pose.position);
        mix_real(g, r.gap);
        mix_int(g, r.touching);
        mix_real(g, r.energy.stored);
        mix_real(g, r.energy.dissipated);
        mix_real(g, r.energy.supplied);
        for (int n = 0; n < def.pair_count; n++) {
            wit_haptic_pair c;
            assert_int_equal(wit_haptic_contact(w, n, &c), WIT_OK);
            mix_real(g, c.distance);
            mix_vec(g, c.force_on_b);
            mix_words(g, wit_outcome_name(c.track.outcome));
        }
        mix_end(g);
    }
    wit_haptic_destroy(w);
}

static void hash_worlds(void)
{
    static entry scenes[128];
    int count = 0;
    DIR* d = opendir("scenes");
    if (!d) fail_msg("scenes cannot be opened");
    for (struct dirent* e; (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n < 6 || n >= sizeof scenes[0].name || strcmp(e->d_name + n - 5, ".json")) continue;
        assert_true(count < 128);
        memcpy(scenes[count++].name, e->d_name, n + 1);
    }
    closedir(d);
    qsort(scenes, (size_t)count, sizeof scenes[0], by_name);
    for (int k = 0; k < count; k++) {
        char path[192];
        snprintf(path, sizeof path, "scenes/%.63s", scenes[k].name);
        wit_scene* scene = wit_scene_read_file(path, NULL, NULL, NULL, NULL);
        assert_non_null(scene);
        hash_world(scenes[k].name, scene);
        wit_scene_destroy(scene);
    }
}

/* ---- all of it -------------------------------------------------------------------------------- */

static void make_all(wit_kernel kernel)
{
    chosen = kernel;
    list_models();
    read_models();
    for (int k = 0; k < model_count; k++) {
        const entry* m = &models[k];
        hash_text(m);
        if (!wit_model_body_count(m->model)) continue;
        hash_points(m, false);
        hash_points(m, true);
        hash_point_minima(m);
        pair_lines to = {open_key("pair", m->name), open_key("pair-rigorous", m->name),
                         open_key("pair-minima", m->name), open_key("contacts", m->name)};
        for (int step = 1; step < model_count; step += 2) {
            const entry* other = &models[(k + step) % model_count];
            if (!wit_model_body_count(other->model)) continue;
            hash_pair(&to, wit_model_body(m->model, 0), wit_model_body(other->model, 0));
        }
    }
    close_models();
    hash_worlds();
}

static bool avx2_here(void)
{
    return __real_wi_kernel_resolve(WIT_KERNEL_AUTO) == WIT_KERNEL_AVX2_FMA;
}

static void answers_have_the_hashes_of_the_file(void** state)
{
    (void)state;
    make_all(WIT_KERNEL_PORTABLE);
    if (avx2_here()) make_all(WIT_KERNEL_AVX2_FMA);
    FILE* f = fopen(HASHES, "r");
    if (!f) fail_msg(HASHES " cannot be opened; test_golden --write makes it");
    char line[256], key[192];
    int seen = 0, wrong = 0, skipped = 0;
    while (fgets(line, sizeof line, f)) {
        unsigned long long wanted;
        if (line[0] == '#' || sscanf(line, "%191s %llx", key, &wanted) != 2) continue;
        int k = 0;
        while (k < made_count && strcmp(made[k].key, key)) k++;
        if (k == made_count && !avx2_here() && !strncmp(key, "avx2:", 5)) {
            skipped++;
            continue;
        }
        if (k == made_count) fail_msg(HASHES " has %s, which is not made any more", key);
        seen++;
        if (made[k].hash != wanted) print_error("%s: another hash\n", key);
        wrong += made[k].hash != wanted;
    }
    fclose(f);
    print_message("%d hashes, %d others, %d skipped (no AVX2 here)\n", seen, wrong, skipped);
    assert_int_equal(seen, made_count);
    assert_int_equal(wrong, 0);
}

static int write_hashes(void)
{
    make_all(WIT_KERNEL_PORTABLE);
    if (!avx2_here()) {
        fprintf(stderr, "the hashes of both kernel sets are written where AVX2 is\n");
        return 1;
    }
    make_all(WIT_KERNEL_AVX2_FMA);
    FILE* f = fopen(HASHES, "w");
    if (!f) return 1;
    fprintf(f, "# Answers of cold queries, worlds and the text of models: a hash of each group, per kernel set.\n"
               "# Written by test_golden --write; a change must be one that was meant.\n");
    for (int k = 0; k < made_count; k++) fprintf(f, "%s %016llx\n", made[k].key, (unsigned long long)made[k].hash);
    return fclose(f) != 0;
}

int main(int argc, char** argv)
{
    if (argc == 2 && !strcmp(argv[1], "--write")) return write_hashes();
    if (argc == 3 && !strcmp(argv[1], "--print")) {
        printed = argv[2];
        make_all(!strncmp(printed, "avx2", 4) ? WIT_KERNEL_AVX2_FMA : WIT_KERNEL_PORTABLE);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_hashes_of_the_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
