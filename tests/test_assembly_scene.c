/* SPDX-License-Identifier: MIT */
/*
 * Assemblies and joints as text: joints against closed forms, their bounds against samples of them, links in one another against
 * poses multiplied, the pose that a model gives its body, and each refusal with its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "../io/assembly_scene.h"
#include "../src/base/vec.h"
#include "text_file.h"

#define PI 3.14159265358979323846

/* Two cubes of edge 1, the second one moved and turned in its model. */
static const char posed_model[] =
    "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"mm\", \"bodies\": ["
    "{\"name\": \"one\", \"solid\": {\"kind\": \"box\", \"size_x\": 1, \"size_y\": 1, \"size_z\": 1}},"
    "{\"name\": \"two\", \"solid\": {\"kind\": \"box\", \"size_x\": 1, \"size_y\": 1, \"size_z\": 1},"
    " \"pose\": {\"position\": [9, 0, 0], \"rotation\": [0, 0, 0, 1]}}]}";

static wit_unit asked_unit;

static wit_model* posed(const char* path, wit_unit unit, void* user, wit_error* error)
{
    (void)path;
    (void)user;
    asked_unit = unit;
    return wit_model_read_text(posed_model, sizeof posed_model - 1, NULL, error);
}

static wit_model* posed_too(const char* path, void* user, wit_error* error)
{
    return posed(path, WIT_UNIT_NONE, user, error);
}

static wit_assembly_scene* read_text(const char* text, wit_error* error)
{
    return wit_assembly_scene_read_text(text, strlen(text), NULL, posed, NULL, NULL, error);
}

static wit_assembly_scene* read_good(const char* text)
{
    wit_error e = {0};
    wit_assembly_scene* s = read_text(text, &e);
    if (!s) fail_msg("%d:%d: %s: %s", e.line, e.column, e.item, e.text);
    return s;
}

#define HEAD "{\"format\": \"witness-assembly\", \"version\": 1, "

/* An assembly of the one body, moved by links. */
static wit_assembly_scene* with_links(const char* links, const char* body)
{
    char text[4096];
    snprintf(text, sizeof text, HEAD "\"time\": [0, 2], \"links\": [%s], \"bodies\": [{\"model\": \"p.step\", %s}]}",
             links, body);
    return read_good(text);
}

static wit_pose at_time(const wit_assembly_scene* s, int body, double t)
{
    wit_assembly_def d = wit_assembly_scene_def(s);
    wit_motion m;
    assert_int_equal(d.bodies[body].moving.at(d.bodies[body].moving.user, t, &m), WIT_OK);
    return m.pose;
}

static void near_point(wit_vec3 p, double x, double y, double z)
{
    if (norm3(sub3(p, vec3(x, y, z))) > 1e-9)
        fail_msg("(%.12g, %.12g, %.12g) for (%g, %g, %g)", p.x, p.y, p.z, x, y, z);
}

static void joints_are_where_their_closed_forms_are(void** state)
{
    (void)state;
    wit_assembly_scene* s =
        with_links("{\"name\": \"l\", \"motion\": {\"kind\": \"revolute\", \"angles\": \"deg\", \"axis\": "
                   "[0, 0, 2], \"point\": [1, 0, 0], \"pose\": [3, 0, 5], \"rate\": 90}}",
                   "\"body\": \"one\", \"link\": \"l\"");
    near_point(at_time(s, 0, 0).position, 3, 0, 5);
    near_point(at_time(s, 0, 1).position, 1, 2, 5);
    wit_assembly_scene_destroy(s);
    s = with_links("{\"name\": \"l\", \"motion\": {\"kind\": \"screw\", \"angles\": \"rad\", \"pitch\": 4, \"axis\": "
                   "[0, 0, 1], \"point\": [1, 0, 0], \"value\": 3.14159265358979323846}}",
                   "\"body\": \"one\", \"link\": \"l\"");
    near_point(at_time(s, 0, 1).position, 2, 0, 2);
    wit_assembly_scene_destroy(s);
    s = with_links("{\"name\": \"l\", \"motion\": {\"kind\": \"prismatic\", \"axis\": [0, 3, 0], \"times\": [0, 1, 2], "
                   "\"values\": [0, 4, 6]}}",
                   "\"body\": \"one\", \"link\": \"l\"");
    near_point(at_time(s, 0, 0.5).position, 0, 2, 0);
    near_point(at_time(s, 0, 1.5).position, 0, 5, 0);
    near_point(at_time(s, 0, 9).position, 0, 6, 0);
    wit_assembly_scene_destroy(s);
}

/* Four links in one another, each turning by 30 degrees about its own z at (1, 0, 0) of the one before: a polygon. */
static void links_stand_in_one_another(void** state)
{
    (void)state;
    char links[2048] = "";
    for (int i = 0; i < 4; ++i) {
        char in[32] = "";
        if (i) snprintf(in, sizeof in, "\"in\": \"l%d\", ", i - 1);
        size_t n = strlen(links);
        snprintf(
            links + n, sizeof links - n,
            "%s{\"name\": \"l%d\", %s\"motion\": {\"kind\": \"revolute\", \"angles\": \"deg\", \"axis\": [0, 0, 1], "
            "\"point\": [%d, 0, 0], \"pose\": [%d, 0, 0], \"value\": 30}}",
            i ? ", " : "", i, in, i ? 1 : 0, i ? 1 : 0);
    }
    wit_assembly_scene* s = with_links(links, "\"body\": \"one\", \"link\": \"l3\", \"pose\": [1, 0, 0]");
    double x = 0, y = 0;
    for (int i = 1; i <= 4; ++i) {
        x += cos(i * PI / 6);
        y += sin(i * PI / 6);
    }
    near_point(at_time(s, 0, 0).position, x, y, 0);
    wit_assembly_scene_destroy(s);
}

/* No chord of the way is longer, and no turn larger, than the bounds allow; nor is the way off its chord by more. */
static void bounds_hold_of_links_in_links(void** state)
{
    (void)state;
    wit_assembly_scene* s = with_links("{\"name\": \"a\", \"motion\": {\"kind\": \"revolute\", \"angles\": \"rad\", "
                                       "\"axis\": [1, 2, 3], \"point\": [1, 1, 0], "
                                       "\"rate\": 3, \"turns\": [{\"amplitude\": 0.5, \"rate\": 7}]}},"
                                       "{\"name\": \"b\", \"in\": \"a\", \"motion\": {\"kind\": \"screw\", \"angles\": "
                                       "\"deg\", \"pitch\": 2, \"axis\": [0, 1, 1], "
                                       "\"point\": [2, 0, 0], \"times\": [0, 0.5, 1.2, 2], \"values\": [0, 200, -100, "
                                       "50], \"interpolation\": \"smooth\"}},"
                                       "{\"name\": \"c\", \"in\": \"b\", \"motion\": {\"kind\": \"prismatic\", "
                                       "\"axis\": [1, 0, 0], \"times\": [0, 0.9, 2], "
                                       "\"values\": [0, 5, -5]}}",
                                       "\"body\": \"two\", \"link\": \"c\", \"pose\": [0, 1, 2]");
    wit_assembly_def d = wit_assembly_scene_def(s);
    const wit_moving_body* m = &d.bodies[0].moving;
    for (int i = 0; i < 400; ++i) {
        double from = 0.005 * i, to = from + 0.004 + 0.0007 * (i % 100);
        wit_motion_bounds b;
        wit_motion x, y, z;
        assert_int_equal(m->bounds(m->user, from, to, &b), WIT_OK);
        m->at(m->user, from, &x);
        m->at(m->user, to, &y);
        m->at(m->user, 0.5 * (from + to), &z);
        double h = to - from;
        assert_true(norm3(sub3(y.pose.position, x.pose.position)) <= b.velocity * h * (1 + 1e-9));
        assert_true(norm3(z.twist.velocity) <= b.velocity * (1 + 1e-9));
        assert_true(norm3(z.twist.angular) <= b.angular * (1 + 1e-9));
        wit_vec3 chord = scale3(0.5, add3(x.pose.position, y.pose.position));
        assert_true(norm3(sub3(z.pose.position, chord)) <= b.acceleration * h * h / 8 * (1 + 1e-9) + 1e-12);
        wit_vec3 turned = sub3(y.twist.angular, x.twist.angular);
        assert_true(norm3(turned) <= b.angular_acceleration * h * (1 + 1e-9) + 1e-9);
        /* the twist is the derivative of the pose */
        wit_motion before, after;
        m->at(m->user, 0.5 * (from + to) - 1e-6, &before);
        m->at(m->user, 0.5 * (from + to) + 1e-6, &after);
        wit_vec3 v = scale3(5e5, sub3(after.pose.position, before.pose.position));
        bool knot = fabs(0.5 * (from + to) - 0.9) < 1e-5 || 0.5 * (from + to) > 1.99;
        if (!knot && norm3(sub3(v, z.twist.velocity)) > 1e-4 * (1 + norm3(v))) fail_msg("velocity at %g", from);
    }
    wit_assembly_scene_destroy(s);
}

/* Of a moving link they move as one; what stands still in the world does too. */
static void bodies_share_the_link_that_moves_them(void** state)
{
    (void)state;
    wit_assembly_scene* s = read_good(
        HEAD "\"links\": [{\"name\": \"m\", \"motion\": {\"kind\": \"prismatic\", \"axis\": [1, 0, 0], \"rate\": 1}},"
             "{\"name\": \"s\", \"in\": \"m\"}, {\"name\": \"t\"}], \"bodies\": ["
             "{\"name\": \"a\", \"model\": \"p\", \"body\": \"one\"}, {\"name\": \"b\", \"model\": \"p\", \"body\": "
             "\"one\", \"link\": \"m\"},"
             "{\"name\": \"c\", \"model\": \"p\", \"body\": \"one\", \"link\": \"s\"},"
             "{\"name\": \"d\", \"model\": \"p\", \"body\": \"one\", \"link\": \"t\"}]}");
    wit_assembly_def d = wit_assembly_scene_def(s);
    assert_int_equal(d.body_count, 4);
    assert_int_equal(d.bodies[0].link, d.bodies[3].link);
    assert_int_equal(d.bodies[1].link, d.bodies[2].link);
    assert_int_not_equal(d.bodies[0].link, d.bodies[1].link);
    assert_ptr_equal(d.bodies[0].moving.body, d.bodies[1].moving.body); /* one model, read once */
    wit_assembly_scene_destroy(s);
}

static void body_stands_where_its_model_says(void** state)
{
    (void)state;
    wit_assembly_scene* s = read_good(HEAD "\"unit\": \"mm\", \"bodies\": [{\"name\": \"p\", \"model\": \"p.step\"}]}");
    assert_int_equal(asked_unit, WIT_UNIT_MM);
    assert_string_equal(wit_assembly_scene_body_name(s, 1), "p/two");
    near_point(at_time(s, 0, 0).position, 0, 0, 0);
    near_point(at_time(s, 1, 0).position, 9, 0, 0);
    wit_assembly_scene_destroy(s);
    /* and in a scene of two bodies likewise, in motion too */
    const char* text = "{\"format\": \"witness-scene\", \"version\": 1, \"rate\": 10, \"duration\": 1,"
                       "\"a\": {\"model\": \"p.x\", \"body\": \"one\"}, \"b\": {\"model\": \"p.x\", \"body\": \"two\","
                       "\"motion\": {\"kind\": \"rotate\", \"pose\": [0, 0, 0], \"axis\": [0, 0, 1], \"rate\": 90, "
                       "\"angles\": \"deg\"}}}";
    wit_error e = {0};
    wit_scene* two = wit_scene_read_text(text, strlen(text), NULL, posed_too, NULL, NULL, &e);
    if (!two) fail_msg("%s: %s", e.item, e.text);
    wit_motion m;
    wit_motion_bounds b;
    assert_int_equal(wit_scene_motion(two, 1, 1, &m), WIT_OK);
    near_point(m.pose.position, 0, 9, 0);
    near_point(m.twist.velocity, -9 * PI / 2, 0, 0);
    assert_int_equal(wit_scene_motion_bounds(two, 1, 0, 1, &b), WIT_OK);
    assert_true(b.velocity >= 9 * PI / 2 && b.velocity < 9 * PI / 2 * 1.001);
    wit_scene_destroy(two);
}

static void three_digit_quaternions_are_normalised(void** state)
{
    (void)state;
    wit_assembly_scene* s =
        read_good(HEAD "\"bodies\": [{\"model\": \"p\", \"body\": \"one\", \"pose\": [1, 2, 3, 0.707, 0, 0.707, 0]}]}");
    wit_pose p = at_time(s, 0, 0);
    assert_true(fabs(p.rotation.w * p.rotation.w + p.rotation.y * p.rotation.y - 1) < 1e-15);
    wit_assembly_scene_destroy(s);
}

static void what_is_asked_arrives(void** state)
{
    (void)state;
    wit_assembly_scene* s = read_good(
        HEAD "\"below\": 0.5, \"contact\": 0.01, \"scope\": \"between\", \"time\": [1, 3], \"pieces\": 4, \"bodies\": ["
             "{\"name\": \"a\", \"model\": \"p\", \"body\": \"one\", \"group\": \"g\"},"
             "{\"name\": \"b\", \"model\": \"p\", \"body\": \"one\", \"group\": \"g\"},"
             "{\"name\": \"c\", \"model\": \"p\", \"body\": \"two\"}], \"skip\": [[\"c\", \"a\"], [\"b\", \"a\"], "
             "[\"a\", \"b\"]],"
             "\"approved\": [[\"c\", \"b\"]], \"require\": [{\"name\": \"r\", \"a\": \"g\", \"b\": \"c\", "
             "\"clearance\": 2}]}");
    wit_assembly_def d = wit_assembly_scene_def(s);
    assert_true(d.threshold == 0.5 && d.contact == 0.01 && d.from == 1 && d.to == 3 && d.pieces == 4);
    assert_int_equal(d.scope, WIT_SCOPE_BETWEEN);
    assert_int_equal(d.skip_count, 2);
    assert_true(d.skips[0].a == 0 && d.skips[0].b == 1 && d.skips[1].b == 2);
    assert_int_equal(d.bodies[0].group, d.bodies[1].group);
    assert_int_not_equal(d.bodies[0].group, d.bodies[2].group);
    assert_true(wit_assembly_scene_approved(s, 1, 2) && wit_assembly_scene_approved(s, 2, 1));
    assert_false(wit_assembly_scene_approved(s, 0, 2));
    assert_int_equal(wit_assembly_scene_requirement_count(s), 1);
    assert_true(wit_assembly_scene_requires(s, 0, 0, 2) && wit_assembly_scene_requires(s, 0, 2, 1));
    assert_false(wit_assembly_scene_requires(s, 0, 0, 1));
    wit_assembly_scene_destroy(s);
}

static void refusals_name_item_line_and_column(void** state)
{
    (void)state;
#define ONE "\"model\": \"p\", \"body\": \"one\""
    static const struct {
        const char *text, *item;
        wit_status status;
    } cases[] = {
        {"{\n \"version\": 1}", "format", WIT_ERROR_KEY},
        {"{\"format\": \"witness-scene\",\n \"version\": 1}", "format", WIT_ERROR_NAME},
        {HEAD "\n\"bodies\": []}", "bodies", WIT_ERROR_COUNT},
        {HEAD "\n\"bodies\": [{" ONE "}], \"legs\": 1}", "legs", WIT_ERROR_KEY},
        {HEAD "\n\"bodies\": [{" ONE ", \"link\": \"x\"}]}", "bodies[0].link", WIT_ERROR_NAME},
        {HEAD "\n\"bodies\": [{" ONE "}, {" ONE "}]}", "bodies[1]", WIT_ERROR_NAME},
        {HEAD "\n\"bodies\": [{\"model\": \"p\", \"body\": \"six\"}]}", "bodies[0].body", WIT_ERROR_NAME},
        {HEAD "\n\"unit\": \"in\", \"bodies\": [{" ONE "}]}", "bodies[0].model", WIT_ERROR_RANGE},
        {HEAD "\n\"time\": [1, 0], \"bodies\": [{" ONE "}]}", "time", WIT_ERROR_RANGE},
        {HEAD "\n\"bodies\": [{" ONE ", \"pose\": [0, 0, 0, 0.7, 0, 0.7, 0]}]}", "bodies[0].pose", WIT_ERROR_RANGE},
        {HEAD "\n\"links\": [{\"name\": \"a\", \"in\": \"a\"}], \"bodies\": [{" ONE "}]}", "links[0].in",
         WIT_ERROR_NAME},
        {HEAD "\n\"links\": [{\"name\": \"a\", \"motion\": {\"kind\": \"revolute\", \"axis\": [0, 0, 1]}}], "
              "\"bodies\": [{" ONE "}]}",
         "links[0].motion.angles", WIT_ERROR_KEY},
        {HEAD
         "\n\"links\": [{\"name\": \"a\", \"motion\": {\"kind\": \"prismatic\", \"axis\": [0, 0, 1], \"times\": [0], "
         "\"values\": [1], \"rate\": 1}}], \"bodies\": [{" ONE "}]}",
         "links[0].motion.rate", WIT_ERROR_KEY},
        {HEAD "\n\"links\": [{\"name\": \"a\", \"motion\": {\"kind\": \"prismatic\", \"axis\": [0, 0, 1], \"times\": "
              "[0, 0], "
              "\"values\": [1, 2]}}], \"bodies\": [{" ONE "}]}",
         "links[0].motion.times[1]", WIT_ERROR_RANGE},
        {HEAD "\n\"skip\": [[\"one\", \"one\"]], \"bodies\": [{" ONE "}]}", "skip[0]", WIT_ERROR_NAME},
        {HEAD "\n\"approved\": [[\"one\"]], \"bodies\": [{" ONE "}]}", "approved[0]", WIT_ERROR_COUNT},
        {HEAD "\n\"require\": [{\"name\": \"r\", \"a\": \"one\", \"b\": \"g\", \"clearance\": 1}], \"bodies\": [{" ONE
              "}]}",
         "require[0].b", WIT_ERROR_NAME},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        wit_error e = {0};
        wit_assembly_scene* s = read_text(cases[k].text, &e);
        if (s || e.status != cases[k].status || strcmp(e.item, cases[k].item) != 0 || !e.column)
            fail_msg("case %d: %s %s at %d:%d: %s", (int)k, wit_status_name(e.status), e.item, e.line, e.column,
                     e.text);
        if (k > 1) assert_int_equal(e.line, 2);
    }
}

static void schema_knows_the_keys_of_assemblies(void** state)
{
    (void)state;
    size_t bytes;
    char* text = tree_file("docs/assembly.schema.json", &bytes);
    json_doc doc;
    wit_error e = {0};
    if (wi_json_read_text(&doc, text, bytes, NULL, &e)) fail_msg("%d:%d: %s", e.line, e.column, e.text);
    const char* name = NULL;
    int count = 0;
    const scene_key* keys;
    for (int k = 0; (keys = wi_assembly_keys(k, &count, &name)) != NULL; ++k) {
        size_t def = k ? wi_json_member(&doc, wi_json_member(&doc, 0, "$defs"), name) : 0;
        if (k && !def) fail_msg("$defs.%s is missing", name);
        size_t properties = wi_json_member(&doc, def, "properties"), required = wi_json_member(&doc, def, "required");
        uint32_t needed = 0;
        assert_int_equal(doc.tokens[properties].size, count);
        for (int i = 0; i < count; ++i) {
            if (!wi_json_member(&doc, properties, keys[i].key)) fail_msg("%s: %s is missing", name, keys[i].key);
            needed += keys[i].required;
        }
        assert_int_equal(required ? doc.tokens[required].size : 0, needed);
    }
    wi_json_free(&doc);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_where_their_closed_forms_are),
        cmocka_unit_test(links_stand_in_one_another),
        cmocka_unit_test(bounds_hold_of_links_in_links),
        cmocka_unit_test(bodies_share_the_link_that_moves_them),
        cmocka_unit_test(body_stands_where_its_model_says),
        cmocka_unit_test(three_digit_quaternions_are_normalised),
        cmocka_unit_test(what_is_asked_arrives),
        cmocka_unit_test(refusals_name_item_line_and_column),
        cmocka_unit_test(schema_knows_the_keys_of_assemblies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
