/* SPDX-License-Identifier: MIT */
/* Scenes with dynamics: they load and run, bad ones are refused with their place, and the schema knows their keys. */
#include <stdlib.h>

#include "haptic_world.h"

#include "../io/scene.h"
#include "text_file.h"

static const char* const names[] = {"003-block-diagram", "003-haptic-point", "arm-dome",
                                    "ball-in-bowl",      "cylinder-roll",    "ellipsoid-drop",
                                    "grazing-touch",     "gear-mesh",        "cam"};

/* A tenth of the duration of every scene, with all that moves it. */
static void scenes_with_dynamics_run(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "scenes/%s.json", names[i]);
        wit_error e = {0};
        wit_scene* scene = wit_scene_read_file(path, NULL, NULL, NULL, &e);
        if (!scene) fail_msg("%s:%d:%d: %s: %s", path, e.line, e.column, e.item, e.text);
        wit_haptic_def def;
        assert_true(wit_scene_dynamics(scene, &def));
        assert_true(def.rate == wit_scene_rate(scene) && def.body_count >= 2);
        wit_haptic* w = world_make(&def);
        wit_human human;
        bool hand = wit_scene_human(scene, &human);
        wit_haptic_result r = {0};
        double h = 1 / def.rate;
        for (int64_t k = 1; k <= wit_scene_frames(scene) / 10; k++) {
            wit_motion device = wit_motion_at_rest(wit_pose_identity());
            if (def.tool >= 0) assert_int_equal(wit_scene_device(scene, (double)k * h, &device), WIT_OK);
            if (hand) {
                assert_int_equal(wit_human_step(&human, &device, r.force, r.torque, h), WIT_OK);
                device = human.at;
            }
            assert_int_equal(wit_haptic_step(w, def.tool >= 0 ? &device : NULL, h, &r), WIT_OK);
            assert_true(r.finite);
        }
        for (int k = 0; k < def.body_count; k++) assert_true(wit_scene_body_name(scene, k)[0] != 0);
        wit_haptic_destroy(w);
        wit_scene_destroy(scene);
    }
    wit_scene* plain = wit_scene_read_file("scenes/through-touch.json", NULL, NULL, NULL, NULL);
    assert_false(wit_scene_dynamics(plain, NULL) || wit_scene_human(plain, NULL));
    wit_motion m;
    assert_int_equal(wit_scene_device(plain, 0, &m), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_scene_body_motion(plain, 2, 0, &m), WIT_ERROR_ARGUMENT);
    wit_scene_destroy(plain);
}

static void refused(const char* dynamics, const char* item, const char* words)
{
    char text[2048];
    int n = snprintf(
        text, sizeof text,
        "{\"format\": \"witness-scene\", \"version\": 1, \"a\": {\"model\": \"models/half-space.json\"},\n"
        "\"b\": {\"model\": \"models/sphere.json\", \"motion\": {\"kind\": \"still\", \"pose\": [0, 0, 12]}},\n"
        "\"rate\": 1000, \"duration\": 1,\n\"dynamics\": %s}",
        dynamics);
    wit_error e = {0};
    wit_scene* scene = wit_scene_read_text(text, (size_t)n, NULL, NULL, NULL, NULL, &e);
    if (scene) fail_msg("not refused: %s", dynamics);
    if (strcmp(e.item, item) || !strstr(e.text, words) || e.line != 4)
        fail_msg("%d:%d: %s: %s", e.line, e.column, e.item, e.text);
}

static void bad_dynamics_are_refused_with_their_place(void** state)
{
    (void)state;
    refused("7", "dynamics", "object");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [1, 1, 1]}, \"wind\": 3}", "dynamics.wind", "unknown key");
    refused("{\"b\": {\"inertia\": [1, 1, 1]}}", "dynamics.b.mass", "missing");
    refused("{\"b\": {\"mass\": 1}}", "dynamics.b.inertia", "missing");
    refused("{\"b\": {\"mass\": -1, \"inertia\": [1, 1, 1]}}", "dynamics", "bodies[1].mass: is -1");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [1, 1, -1]}}", "dynamics", "positive definite");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [1, 1]}}", "dynamics.b.inertia", "nine numbers");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 40, 40], \"lever\": 0}, \"contact\": {\"stiffness\": 4.1e6}}",
            "dynamics", "response.stiffness: too large");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 40, 40]}, \"contact\": {\"kind\": \"glue\"}}",
            "dynamics.contact.kind", "penalty, impulse");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 40, 40]}, \"tool\": \"c\"}", "dynamics.tool",
            "no body of that name");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 40, 40]}, \"tool\": \"b\", \"coupler\": {\"stiffness\": 1}}",
            "dynamics.tool", "device");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 40, 40]}, \"pairs\": [[\"b\", \"a\"]]}", "dynamics.pairs[0]",
            "first pair");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 40, 40]}, \"integrator\": \"rk4\"}", "dynamics", "track.law");
    refused("{\"b\": {\"link\": 0}}", "dynamics", "no system");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 40, 40], \"freedom\": \"fly\"}}", "dynamics.b.freedom",
            "all, turn, slide, plane");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 40, 40], \"freedom\": \"turn\", \"axis\": [1, 1, 0]}}", "dynamics",
            "bodies[1].axis: must be of length 1");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 41, 42, 0, 0, 0, 0, 0, 0], \"freedom\": \"turn\"}}", "dynamics",
            "symmetric");
    refused("{\"b\": {\"mass\": 1, \"inertia\": [40, 0, 9, 0, 40, 0, 9, 0, 40], \"freedom\": \"turn\"}}", "dynamics",
            "bodies[1].axis: must be a principal axis");
    refused("{\"b\": {\"proxy\": false}}", "dynamics.b.proxy", "only true");
    refused("{\"arm\": {\"length\": [1, 0], \"mass\": [1, 1], \"centre\": [1, 1], \"inertia\": [1, 1], \"target\": [0, "
            "0]}}",
            "dynamics.arm", "length[1]");
    refused("{\"objects\": [{\"side\": {\"model\": \"models/ball.json\"}}]}", "dynamics.objects[0].side.model",
            "not scaled");
    refused("{\"human\": {\"mass\": 1}}", "dynamics.human", "device");
#define FALLS "{\"b\": {\"mass\": 1, \"inertia\": [40, 40, 40]}, \"contacts\": "
    refused(FALLS "{}}", "dynamics.contacts", "array");
    refused(FALLS "[]}", "dynamics.contacts", "1 to 256 contacts");
    refused(FALLS "[{\"a\": {\"face\": 0, \"u\": 0, \"v\": 0}}]}", "dynamics.contacts[0].b", "missing");
    refused(FALLS "[{\"a\": {\"face\": 0, \"u\": 0, \"v\": 0}, \"b\": {\"edge\": 7, \"u\": 0}}]}",
            "dynamics.contacts[0].b.edge", "the body has");
    refused(FALLS "[{\"a\": {\"face\": \"lid\", \"u\": 0, \"v\": 0}, \"b\": {\"face\": 0, \"u\": 0, \"v\": 0}}]}",
            "dynamics.contacts[0].a.face", "of that name");
}

/* 200 mm/s sliding become 400 / 3 rolling; friction takes m v^2 / 6 = 1333 and the fall onto the springs is damped too. */
static void cylinder_of_the_scene_rolls_on_its_rims(void** state)
{
    (void)state;
    wit_scene* scene = wit_scene_read_file("scenes/cylinder-roll.json", NULL, NULL, NULL, NULL);
    assert_non_null(scene);
    wit_haptic_def def;
    assert_true(wit_scene_dynamics(scene, &def) && def.pair_count == 2 && def.keeps);
    wit_haptic* w = world_make(&def);
    wit_haptic_result r;
    double first = NAN, swing = 0;
    for (int64_t k = 0; k < wit_scene_frames(scene); k++) {
        assert_int_equal(wit_haptic_step(w, NULL, 1 / def.rate, &r), WIT_OK);
        double total = r.energy.stored + r.energy.dissipated - r.energy.supplied;
        if (!k) first = total;
        swing = fmax(swing, fabs(total - first));
        for (int p = 0; p < 2; p++) {
            wit_haptic_pair c;
            assert_int_equal(wit_haptic_contact(w, p, &c), WIT_OK);
            assert_true(c.track.outcome == WIT_OUTCOME_CONVERGED && c.track.b.feature == WIT_EDGE && c.track.b.id == p);
        }
    }
    for (int p = 0; p < 2; p++) assert_int_equal(wit_tracker_transitions(wit_haptic_tracker(w, p), NULL, 0), 0);
    wit_motion m;
    assert_int_equal(wit_haptic_body(w, 1, &m), WIT_OK);
    double total = r.energy.stored + r.energy.dissipated - r.energy.supplied;
    printf("cylinder-roll: 200 -> %.3f mm/s (theory 133.333), dissipated %.1f, balance moved by %.2f, %.2f at most\n",
           m.twist.velocity.x, r.energy.dissipated, total - first, swing);
    assert_true(fabs(m.twist.velocity.x - 400.0 / 3) < 4.0 / 3);
    /* Semi-implicit on a spring: the energy swings by h F v_n / 2, F below 2500 mN, v_n below sqrt(k_sum / m) depth = 23 mm/s. */
    assert_true(swing < 0.5 * 2500 * 23 / def.rate);
    wit_haptic_destroy(w);
    wit_scene_destroy(scene);
}

static bool listed(const json_doc* doc, size_t array, const char* text)
{
    size_t t = array + 1;
    for (uint32_t i = 0; array && i < doc->tokens[array].size; i++, t = doc->tokens[t].next)
        if (wi_json_equal(doc, t, text)) return true;
    return false;
}

static void schema_knows_the_keys_of_dynamics(void** state)
{
    (void)state;
    size_t bytes;
    char* text = tree_file("docs/scene.schema.json", &bytes);
    json_doc doc;
    wit_error e = {0};
    if (wi_json_read_text(&doc, text, bytes, NULL, &e)) fail_msg("%d:%d: %s", e.line, e.column, e.text);
    size_t defs = wi_json_member(&doc, 0, "$defs");
    const char* name = "";
    int kinds = 0, tables = 0;
    scene_key key;
    for (int table = 0; name = "", wi_scene_dynamics_key(table, 0, &name, &kinds, &key); table++, tables++) {
        for (int kind = 0; kind < kinds; kind++) {
            char of[64];
            snprintf(of, sizeof of, kinds > 1 ? "%s_%d" : "%s", name, kind);
            size_t def = wi_json_member(&doc, defs, of);
            if (!def) fail_msg("$defs.%s is missing", of);
            size_t properties = wi_json_member(&doc, def, "properties"),
                   required = wi_json_member(&doc, def, "required");
            uint32_t known = 0;
            for (int i = 0; wi_scene_dynamics_key(table, i, &name, &kinds, &key); i++) {
                bool must = key.required >> kind & 1u, may = key.optional >> kind & 1u;
                if ((wi_json_member(&doc, properties, key.key) != 0) != (must || may)) fail_msg("%s: %s", of, key.key);
                if (listed(&doc, required, key.key) != must) fail_msg("%s: %s required?", of, key.key);
                known += must || may;
            }
            assert_int_equal(doc.tokens[properties].size, known);
        }
    }
    assert_int_equal(tables, 8);
    wi_json_free(&doc);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_with_dynamics_run),
        cmocka_unit_test(bad_dynamics_are_refused_with_their_place),
        cmocka_unit_test(cylinder_of_the_scene_rolls_on_its_rims),
        cmocka_unit_test(schema_knows_the_keys_of_dynamics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
