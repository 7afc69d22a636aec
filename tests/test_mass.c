/* SPDX-License-Identifier: MIT */
/* wit_body_mass against closed forms, in shifted and turned frames and at scales from 1e-6 to 1e6, and what it refuses. */
#include "../include/witness/io.h"
#include "analytic.h"
#include "campaign.h"

/* In the frame of the solid: volume, centre, and the inertia about the centre of unit density. */
typedef struct truth {
    double volume;
    wit_vec3 centre;
    double xx, yy, zz, xy; /* second moments about the centre: integrals of x x, y y, z z, x y */
} truth;

static truth box_truth(const wit_solid_def* d)
{
    double x = d->size_x, y = d->size_y, z = d->size_z, v = x * y * z;
    return (truth){v, {0, 0, 0}, v * x * x / 12, v * y * y / 12, v * z * z / 12, 0};
}

static truth ellipsoid_truth(double a, double b, double c)
{
    double v = 4 * PI / 3 * a * b * c;
    return (truth){v, {0, 0, 0}, v * a * a / 5, v * b * b / 5, v * c * c / 5, 0};
}

/* From radius r to s over the height: integrals of z^n (r + (s - r) z / h)^m. */
static truth frustum_truth(double r, double s, double h)
{
    double v = PI * h / 3 * (r * r + r * s + s * s);
    double z1 = PI * h * h / 12 * (r * r + 2 * r * s + 3 * s * s);
    double z2 = PI * h * h * h / 30 * (r * r + 3 * r * s + 6 * s * s);
    double x2 = PI * h / 20 * (r * r * r * r + r * r * r * s + r * r * s * s + r * s * s * s + s * s * s * s);
    double c = z1 / v;
    return (truth){v, {0, 0, c}, x2, x2, z2 - v * c * c, 0};
}

static truth capsule_truth(double r, double h)
{
    double tube = PI * r * r * h, ball = 4 * PI / 3 * r * r * r, half = h / 2;
    /* A half ball of volume ball / 2 has its centre 3 r / 8 above its disc. */
    double zz = tube * h * h / 12 + ball * (r * r / 5 + half * half + 2 * half * 3 * r / 8);
    double xx = tube * r * r / 4 + ball * r * r / 5;
    return (truth){tube + ball, {0, 0, half}, xx, xx, zz, 0};
}

static truth torus_truth(double R, double r)
{
    double v = 2 * PI * PI * R * r * r;
    double xx = v * (R * R / 2 + 3 * r * r / 8);
    return (truth){v, {0, 0, 0}, xx, xx, v * r * r / 4, 0};
}

static truth prism_truth(const wit_solid_def* d)
{
    double area = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0, h = d->height;
    for (int i = 0; i < d->polygon_count; i++) {
        const double *p = d->polygon + 2 * i, *q = d->polygon + 2 * ((i + 1) % d->polygon_count);
        double c = p[0] * q[1] - q[0] * p[1];
        area += c / 2;
        sx += c * (p[0] + q[0]) / 6;
        sy += c * (p[1] + q[1]) / 6;
        xx += c * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0]) / 12;
        yy += c * (p[1] * p[1] + p[1] * q[1] + q[1] * q[1]) / 12;
        xy += c * (2 * p[0] * p[1] + p[0] * q[1] + q[0] * p[1] + 2 * q[0] * q[1]) / 24;
    }
    double x = sx / area, y = sy / area, v = area * h;
    return (truth){
        v, {x, y, h / 2}, h * (xx - area * x * x), h * (yy - area * y * y), v * h * h / 12, h * (xy - area * x * y)};
}

static truth truth_of(const wit_solid_def* d)
{
    switch (d->kind) {
    case WIT_SOLID_BOX:
        return box_truth(d);
    case WIT_SOLID_SPHERE:
        return ellipsoid_truth(d->radius, d->radius, d->radius);
    case WIT_SOLID_ELLIPSOID:
        return ellipsoid_truth(d->size_x, d->size_y, d->size_z);
    case WIT_SOLID_CYLINDER:
        return frustum_truth(d->radius, d->radius, d->height);
    case WIT_SOLID_CONE:
        return frustum_truth(d->radius, 0, d->height);
    case WIT_SOLID_FRUSTUM:
        return frustum_truth(d->radius, d->radius2, d->height);
    case WIT_SOLID_CAPSULE:
        return capsule_truth(d->radius, d->height);
    case WIT_SOLID_TORUS:
        return torus_truth(d->radius, d->radius2);
    default:
        return prism_truth(d);
    }
}

typedef struct axes {
    wit_vec3 o, x, y, z;
} axes;

static axes axes_of(const wit_frame* f)
{
    wit_vec3 z = unit3(f->z), y = unit3(cross3(f->z, f->x));
    return (axes){f->origin, cross3(y, z), y, z};
}

static wit_frame turned(rng* r, double far)
{
    wit_frame f = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    f.origin = random_vector(r, 0, 1);
    f.origin = scale3(far, f.origin);
    wit_vec3 e[3];
    random_axes(r, e);
    f.x = e[0];
    f.z = e[2];
    return f;
}

static double entry(wit_vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/* Largest difference, relative to volume, size and mass times size squared. */
static double off(const truth* t, const wit_frame* frame, double density, double size, const wit_mass* m)
{
    axes basis = axes_of(frame), *f = &basis;
    wit_vec3 c = f->o;
    c = addscaled3(c, t->centre.x, f->x);
    c = addscaled3(c, t->centre.y, f->y);
    c = addscaled3(c, t->centre.z, f->z);
    double worst = fmax(fabs(m->volume / t->volume - 1), norm3(sub3(m->centre, c)) / size);
    worst = fmax(worst, fabs(m->mass / (density * t->volume) - 1));
    double trace = t->xx + t->yy + t->zz;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double s = t->xx * entry(f->x, i) * entry(f->x, k) + t->yy * entry(f->y, i) * entry(f->y, k) +
                       t->zz * entry(f->z, i) * entry(f->z, k) +
                       t->xy * (entry(f->x, i) * entry(f->y, k) + entry(f->y, i) * entry(f->x, k));
            double want = density * ((i == k ? trace : 0) - s);
            worst = fmax(worst, fabs(m->inertia[3 * i + k] - want) / (m->mass * size * size));
        }
    return worst;
}

static void mass_of_solids_is_that_of_closed_forms(void** state)
{
    (void)state;
    static const wit_solid_kind kinds[] = {WIT_SOLID_BOX,      WIT_SOLID_SPHERE, WIT_SOLID_ELLIPSOID,
                                           WIT_SOLID_CYLINDER, WIT_SOLID_CONE,   WIT_SOLID_FRUSTUM,
                                           WIT_SOLID_CAPSULE,  WIT_SOLID_TORUS,  WIT_SOLID_PRISM};
    rng r = rng_seed(616);
    enum { KINDS = sizeof kinds / sizeof *kinds };
    long runs = campaign(400);
    if (runs < 2 * KINDS) runs = 2 * KINDS;
    double worst[KINDS] = {0}, claimed[KINDS] = {0};
    for (long i = 0; i < runs; i++) {
        wit_solid_def d = wit_solid_default_def(kinds[i % KINDS]);
        double scale = pow(10, rng_range(&r, -6, 6)), density = pow(10, rng_range(&r, -3, 4));
        d.size_x = scale * rng_range(&r, 0.2, 2);
        d.size_y = scale * rng_range(&r, 0.2, 2);
        d.size_z = scale * rng_range(&r, 0.2, 2);
        d.radius = scale * rng_range(&r, 0.5, 2);
        d.radius2 = d.radius * rng_range(&r, 0.1, 0.9);
        d.height = scale * rng_range(&r, 0.2, 2);
        double polygon[14] = {0, 0, 3, 0, 3, 1, 2, 1.5, 1, 1, 1, 3, 0, 3};
        for (int k = 0; k < 14; k++) polygon[k] = scale * (polygon[k] + rng_range(&r, -0.2, 0.2));
        d.polygon = polygon;
        d.polygon_count = 7;
        d.frame = turned(&r, scale * (i % 3 ? 2 : 0));
        wit_error e = {0};
        wit_body* body = wit_solid_create(&d, NULL, &e);
        if (!body) fail_msg("%s: %s: %s", wit_solid_kind_name(d.kind), e.item, e.text);
        wit_mass m;
        if (wit_body_mass(body, density, &m, &e)) fail_msg("%s: %s", e.item, e.text);
        truth t = truth_of(&d);
        double o = off(&t, &d.frame, density, wit_body_describe(body).size, &m);
        if (o > m.error) fail_msg("run %ld, %s: off by %g, said %g", i, wit_solid_kind_name(d.kind), o, m.error);
        worst[i % KINDS] = fmax(worst[i % KINDS], o);
        claimed[i % KINDS] = fmax(claimed[i % KINDS], m.error);
        wit_body_destroy(body);
    }
    for (int k = 0; k < KINDS; k++) {
        printf("mass of a %-9s off by %.1e at most, error said %.1e\n", wit_solid_kind_name(kinds[k]), worst[k],
               claimed[k]);
        assert_true(worst[k] < 1e-12 && claimed[k] < 1e-7);
    }
}

/* A ball whose profile is a rational arc: spline faces. */
static void mass_of_a_spline_solid_is_that_of_the_ball(void** state)
{
    (void)state;
    double root = sqrt(0.5), weights[5] = {1, root, 1, root, 1}, knots[8] = {0, 0, 0, 1, 1, 2, 2, 2};
    double points[15] = {0, 0, -2, 2, 0, -2, 2, 0, 0, 2, 0, 2, 0, 0, 2};
    wit_error e = {0};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 2;
    c.count = 5;
    c.knot_count = 8;
    c.knots = knots;
    c.points = points;
    c.weights = weights;
    wit_curve* arc = wit_curve_create(&c, NULL, &e);
    if (!arc) fail_msg("%s: %s", e.item, e.text);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_REVOLUTION);
    d.profile = arc;
    wit_body* body = wit_solid_create(&d, NULL, &e);
    if (!body) fail_msg("%s: %s", e.item, e.text);
    wit_mass m;
    assert_int_equal(wit_body_mass(body, 1, &m, &e), WIT_OK);
    truth t = ellipsoid_truth(2, 2, 2);
    double o = off(&t, &d.frame, 1, wit_body_describe(body).size, &m);
    printf("mass of a ball of splines off by %.1e, error said %.1e\n", o, m.error);
    assert_true(o <= m.error && m.error < 1e-9);
    wit_body_destroy(body);
    wit_curve_destroy(arc);
}

/* Random points of the box that the body holds, by the sign of the cold query. */
static void mass_of_a_trimmed_part_is_that_of_its_points(void** state)
{
    (void)state;
    static const char* const files[] = {"models/prism-dome.json", "models/plate.json", "models/goblet.json"};
    for (int k = 0; k < 3; k++) {
        wit_model* model = wit_model_read_file(files[k], NULL, NULL);
        assert_non_null(model);
        const wit_body* body = wit_model_body(model, 0);
        wit_error e = {0};
        wit_mass m;
        if (wit_body_mass(body, 1, &m, &e)) fail_msg("%s: %s: %s", files[k], e.item, e.text);
        wit_body_check_result c = wit_body_check(body);
        printf("%s: volume %.9g, by the check %.9g, error said %.1e\n", files[k], m.volume, c.volume, m.error);
        assert_true(fabs(m.volume - c.volume) <= (m.error + 1e-8) * m.volume);
        wit_query* q = wit_query_create(NULL, NULL, NULL);
        rng r = rng_seed(4);
        wit_body_info info = wit_body_describe(body);
        wit_placed at = wit_placed_at(body, wit_pose_identity());
        long n = 4000, in = 0;
        wit_vec3 sum = vec3(0, 0, 0);
        double xx = 0, zz = 0;
        for (long i = 0; i < n; i++) {
            wit_vec3 p = vec3(rng_range(&r, info.box.lo.x, info.box.hi.x), rng_range(&r, info.box.lo.y, info.box.hi.y),
                              rng_range(&r, info.box.lo.z, info.box.hi.z));
            wit_closest s;
            if (wit_closest_point(q, &at, p, &s) || !(s.distance < 0)) continue;
            in++;
            sum = add3(sum, p);
            xx += (p.x - m.centre.x) * (p.x - m.centre.x);
            zz += (p.z - m.centre.z) * (p.z - m.centre.z);
        }
        double box =
            (info.box.hi.x - info.box.lo.x) * (info.box.hi.y - info.box.lo.y) * (info.box.hi.z - info.box.lo.z);
        double share = (double)in / (double)n, noise = 5 * sqrt(share * (1 - share) / (double)n);
        assert_true(fabs(m.volume / box - share) < noise + 1e-9);
        assert_true(norm3(sub3(scale3(1.0 / (double)in, sum), m.centre)) < 5 * info.size / sqrt((double)in));
        /* I_yy = m (mean of xx + zz) */
        double want = m.mass * (xx + zz) / (double)in;
        assert_true(fabs(m.inertia[4] / want - 1) < 0.1);
        wit_query_destroy(q);
        wit_model_destroy(model);
    }
}

static void bodies_without_an_inside_are_refused(void** state)
{
    (void)state;
    wit_mass m = {.volume = 7}, before = m;
    wit_error e = {0};
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body* body = wit_solid_create(&d, NULL, NULL);
    assert_int_equal(wit_body_mass(body, 1, &m, &e), WIT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(e.text, "unbounded"));
    assert_int_equal(wit_body_mass(NULL, 1, &m, &e), WIT_ERROR_ARGUMENT);
    assert_string_equal(e.item, "body");
    wit_body_destroy(body);
    d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.radius = 1;
    body = wit_solid_create(&d, NULL, NULL);
    static const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) assert_int_equal(wit_body_mass(body, bad[i], &m, &e), WIT_ERROR_RANGE);
    assert_string_equal(e.item, "density");
    assert_int_equal(wit_body_mass(body, 1, NULL, &e), WIT_ERROR_ARGUMENT);
    assert_string_equal(e.item, "out");
    wit_face_info f = wit_body_face(body, 0);
    for (int k = 0; k < 3; k++) { /* a sheet, a two-sided one, a solid that is inside out */
        wit_face_def face = {.surface = f.surface, .reversed = k == 2 ? !f.reversed : f.reversed};
        static const wit_body_kind kinds[] = {WIT_BODY_SHEET, WIT_BODY_SHEET2, WIT_BODY_SOLID};
        wit_body_def b = wit_body_default_def(kinds[k]);
        b.faces = &face;
        b.face_count = 1;
        wit_body* made = wit_body_create(&b, NULL, &e);
        if (!made) fail_msg("%s: %s", e.item, e.text);
        wit_status status = wit_body_mass(made, 1, &m, &e);
        assert_int_equal(status, k == 2 ? WIT_ERROR_RANGE : WIT_ERROR_UNSUPPORTED);
        assert_non_null(strstr(e.text, k == 2 ? "inwards" : "no inside"));
        wit_body_destroy(made);
    }
    wit_body_destroy(body);
    /* A box without its lid. */
    d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = d.size_y = d.size_z = 1;
    body = wit_solid_create(&d, NULL, NULL);
    wit_face_def faces[5];
    memset(faces, 0, sizeof faces);
    for (int i = 0; i < 5; i++) {
        wit_face_info info = wit_body_face(body, i);
        faces[i].surface = info.surface;
        faces[i].reversed = info.reversed;
    }
    wit_body_def open = wit_body_default_def(WIT_BODY_SOLID);
    open.faces = faces;
    open.face_count = 5;
    open.sew_tolerance = 1e-9;
    wit_body* lidless = wit_body_create(&open, NULL, &e);
    if (lidless) {
        assert_int_equal(wit_body_mass(lidless, 1, &m, &e), WIT_ERROR_RANGE);
        assert_non_null(strstr(e.text, "not closed"));
        wit_body_destroy(lidless);
    }
    wit_body_destroy(body);
    assert_memory_equal(&m, &before, sizeof m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_of_solids_is_that_of_closed_forms),
        cmocka_unit_test(mass_of_a_spline_solid_is_that_of_the_ball),
        cmocka_unit_test(mass_of_a_trimmed_part_is_that_of_its_points),
        cmocka_unit_test(bodies_without_an_inside_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
