/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include <stdlib.h>

#include "../io/json.h"
#include "analytic.h"

#define PATH "tests/data/reference.json"

static size_t member(const json_doc* d, size_t object, const char* key)
{
    size_t at = wi_json_member(d, object, key);
    if (!at) fail_msg(PATH ": no \"%s\"", key);
    return at;
}

/* A number, or a string that holds one. */
static double number(const json_doc* d, size_t token)
{
    double x = NAN;
    char text[64];
    if (d->tokens[token].type == JSON_NUMBER) {
        assert_true(wi_json_number(d, token, &x));
    } else {
        assert_int_equal(d->tokens[token].type, JSON_STRING);
        wi_json_string(d, token, text, sizeof text);
        char* end;
        x = strtod(text, &end);
        assert_true(*end == 0 && end != text);
    }
    return x;
}

static void numbers(const json_doc* d, size_t object, const char* key, int count, double* out)
{
    size_t list = member(d, object, key);
    assert_int_equal(d->tokens[list].type, JSON_ARRAY);
    assert_int_equal(d->tokens[list].size, count);
    size_t at = list + 1;
    for (int k = 0; k < count; k++, at = d->tokens[at].next) out[k] = number(d, at);
}

static wit_vec3 vector(const json_doc* d, size_t object, const char* key)
{
    double x[3];
    numbers(d, object, key, 3, x);
    return vec3(x[0], x[1], x[2]);
}

static wit_quat rotation(const json_doc* d, size_t object, const char* key)
{
    double x[4];
    numbers(d, object, key, 4, x);
    wit_quat q = {x[0], x[1], x[2], x[3]};
    return q;
}

static void read_point(const json_doc* d, size_t row, reference_point* out)
{
    out->q = vector(d, row, "Q");
    out->p = vector(d, row, "P");
    out->u = number(d, member(d, row, "u"));
    out->v = number(d, member(d, row, "v"));
    out->distance = number(d, member(d, row, "dist"));
    out->minima = (int)number(d, member(d, row, "n_local_minima"));
    size_t kind = member(d, row, "feature");
    int k = 0;
    while (k < WIT_FEATURE_KIND_COUNT && !wi_json_equal(d, kind, wit_feature_kind_name((wit_feature_kind)k))) k++;
    assert_true(k < WIT_FEATURE_KIND_COUNT);
    out->feature = (wit_feature_kind)k;
}

static void read_ellipsoids(const json_doc* d, size_t row, reference_ellipsoids* out)
{
    out->axes[0] = vector(d, row, "axesA");
    out->axes[1] = vector(d, row, "axesB");
    out->poses[0].position = vector(d, row, "pA");
    out->poses[1].position = vector(d, row, "pB");
    out->poses[0].rotation = rotation(d, row, "quatA_wxyz");
    out->poses[1].rotation = rotation(d, row, "quatB_wxyz");
    out->points[0] = vector(d, row, "xA");
    out->points[1] = vector(d, row, "yB");
    out->distance = number(d, member(d, row, "dist"));
}

static void read_pose(const json_doc* d, size_t row, const char* list, reference_pose* out)
{
    out->list = list;
    size_t at = wi_json_member(d, row, "Y");
    out->turned = !at;
    out->value = number(d, at ? at : member(d, row, "deg"));
    out->pen = wit_pose_identity();
    if (out->turned) {
        out->pen.position = vec3(0, -4, 12);
        out->pen.rotation = wit_quat_about(vec3(1, 0, 0), out->value * (PI / 180));
    } else {
        out->pen.position = vec3(0, -4 + out->value, 12 - out->value);
    }
    out->distance = number(d, member(d, row, "dist"));
    size_t pairs = member(d, row, "pairs");
    out->pairs = (int)d->tokens[pairs].size;
    assert_true(out->pairs >= 1 && out->pairs <= REFERENCE_PAIRS);
    size_t pair = pairs + 1;
    for (int k = 0; k < out->pairs; k++, pair = d->tokens[pair].next) {
        wi_json_string(d, member(d, pair, "pen_feature"), out->pen_feature[k], sizeof out->pen_feature[k]);
        wi_json_string(d, member(d, pair, "bowl_feature"), out->bowl_feature[k], sizeof out->bowl_feature[k]);
        out->pen_point[k] = vector(d, pair, "pen");
        out->bowl_point[k] = vector(d, pair, "bowl");
        if (wi_json_equal(d, member(d, pair, "note"), "full C1")) out->continuum = true;
    }
    if (wi_json_member(d, row, "continuum")) out->continuum = true;
}

static void* room(int count, size_t size)
{
    void* memory = calloc((size_t)count, size);
    assert_non_null(memory);
    return memory;
}

reference reference_read(void)
{
    static const char* const lists[4] = {"table1", "table2", "sweepY", "sweepDeg"};
    FILE* f = fopen(PATH, "rb");
    if (!f) fail_msg(PATH " cannot be opened (tests run from the root of the tree)");
    size_t most = 1 << 20, bytes;
    char* text = malloc(most);
    assert_non_null(text);
    bytes = fread(text, 1, most, f);
    fclose(f);
    json_doc d;
    wit_error e = {0};
    if (wi_json_read_text(&d, text, bytes, NULL, &e)) fail_msg(PATH ":%d:%d: %s", e.line, e.column, e.text);
    reference r = {0};
    size_t list = member(&d, member(&d, 0, "tableI_patch"), "closest_points");
    r.point = room((int)d.tokens[list].size, sizeof *r.point);
    for (size_t at = list + 1; at < d.tokens[list].next; at = d.tokens[at].next)
        read_point(&d, at, &r.point[r.points++]);
    list = member(&d, 0, "two_ellipsoids");
    r.ellipsoid = room((int)d.tokens[list].size, sizeof *r.ellipsoid);
    for (size_t at = list + 1; at < d.tokens[list].next; at = d.tokens[at].next)
        read_ellipsoids(&d, at, &r.ellipsoid[r.ellipsoids++]);
    size_t all = member(&d, 0, "pen_bowl");
    int count = 0;
    for (int k = 0; k < 4; k++) count += (int)d.tokens[member(&d, all, lists[k])].size;
    r.pose = room(count, sizeof *r.pose);
    for (int k = 0; k < 4; k++) {
        list = member(&d, all, lists[k]);
        for (size_t at = list + 1; at < d.tokens[list].next; at = d.tokens[at].next)
            read_pose(&d, at, lists[k], &r.pose[r.poses++]);
    }
    wi_json_free(&d);
    free(text);
    return r;
}

void reference_drop(reference* r)
{
    free(r->point);
    free(r->ellipsoid);
    free(r->pose);
    memset(r, 0, sizeof *r);
}
