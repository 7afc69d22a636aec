/* SPDX-License-Identifier: MIT */
#include "track_scenes.h"

#include <math.h>
#include <string.h>

#include "../src/base/vec.h"

#define PI 3.1415926535897932384626433832795

static const char* const names[TRACK_SCENES] = {
    "point, degree 2 polynomial, 5x5 points (Table I)",
    "point, degree 3 rational, 20x20 points",
    "point, degree 2 rational torus, 9x9 points, double knots",
    "point round the torus, across its seam",
    "two patches of Table I",
    "two patches, degree 3 rational, 20x20 points",
    "two ellipsoids",
    "two ellipsoids as NURBS, degree 2 rational, 9x5 points",
};
static const char* const keys[TRACK_SCENES] = {
    "point-table1", "point-rational20", "point-torus", "point-seam",
    "pair-table1",  "pair-rational20",  "ellipsoids",  "nurbs-ellipsoids",
};

static wit_body* body_of(const wit_surface_def* def, wit_body_kind kind)
{
    wit_surface* s = wit_surface_create(def, NULL, NULL);
    if (!s) return NULL;
    wit_face_def face = {.surface = s};
    wit_body_def d = wit_body_default_def(kind);
    d.face_count = 1;
    d.faces = &face;
    wit_body* b = wit_body_create(&d, NULL, NULL);
    wit_surface_destroy(s);
    return b;
}

/* A half circle from -z to z turned a full round, stretched. */
static void nurbs_ellipsoid(bench_surface* s, wit_vec3 axes)
{
    static const double round[9][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
    static const double half[5][2] = {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}};
    static const double knots_u[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}, knots_v[8] = {0, 0, 0, 1, 1, 2, 2, 2};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 5; j++) {
            double* p = s->points + 3 * (5 * i + j);
            p[0] = axes.x * half[j][0] * round[i][0];
            p[1] = axes.y * half[j][0] * round[i][1];
            p[2] = axes.z * half[j][1];
            s->weights[5 * i + j] = (i % 2 ? sqrt(0.5) : 1) * (j % 2 ? sqrt(0.5) : 1);
        }
    memcpy(s->knots_u, knots_u, sizeof knots_u);
    memcpy(s->knots_v, knots_v, sizeof knots_v);
    s->def = wit_surface_default_def(WIT_SURFACE_NURBS);
    s->def.degree_u = s->def.degree_v = 2;
    s->def.count_u = 9, s->def.count_v = 5;
    s->def.knot_count_u = 12, s->def.knot_count_v = 8;
    s->def.knots_u = s->knots_u, s->def.knots_v = s->knots_v;
    s->def.points = s->points, s->def.weights = s->weights;
}

/* ---- motions ---------------------------------------------------------------------------------- */

static void place_point(track_stage* s, int surface)
{
    double uv[2 * TRACK_FRAMES];
    wit_face_info f = wit_body_face(s->body[0], 0);
    bench_path(&s->surface[0], TRACK_FRAMES, uv);
    for (long k = 0; k < TRACK_FRAMES; k++) {
        double angle = 2 * PI * (double)k / TRACK_FRAMES;
        if (s->seam) { /* once round the axis and twice round the tube */
            uv[2 * k] = f.u.lo + (f.u.hi - f.u.lo) * (double)k / TRACK_FRAMES;
            uv[2 * k + 1] = f.v.lo + (f.v.hi - f.v.lo) * fmod(2 * (double)k / TRACK_FRAMES + 0.1, 1);
        }
        wit_surface_jet jet;
        wit_vec3 n = {0, 0, 0};
        wit_surface_eval(f.surface, uv[2 * k], uv[2 * k + 1], 0, NULL, &jet);
        wit_body_face_normal(s->body[0], 0, uv[2 * k], uv[2 * k + 1], &n);
        s->a[k] = s->b[k] = wit_motion_at_rest(wit_pose_identity());
        s->b[k].pose.position = addscaled3(jet.p, s->scene.size * (0.02 + 0.01 * sin(3 * angle + surface)), n);
    }
}

/* b in the frame of a: turned about `flip` by half a round for patches, swinging about `middle`. */
static void place_pair(track_stage* s, wit_vec3 middle, wit_vec3 home, bool flip, double swing)
{
    wit_pose world = {{0.3, -0.2, 0.5}, wit_quat_about(vec3(1, 2, -1), 0.7)};
    for (long k = 0; k < TRACK_FRAMES; k++) {
        double t = 2 * PI * (double)k / TRACK_FRAMES;
        wit_pose turned = {{0, 0, 0}, wit_quat_about(vec3(1, 0, 0), flip ? PI : 0)};
        wit_pose tilt = {{0, 0, 0}, wit_quat_about(vec3(cos(t), sin(2 * t), 0.5 * sin(t)), 0.15 + 0.1 * sin(2 * t))};
        wit_pose pose = wit_pose_compose(&tilt, &turned);
        wit_vec3 at = add3(home, scale3(swing, vec3(sin(t), cos(2 * t + 1), 0.5 * sin(3 * t))));
        pose.position = sub3(at, wit_pose_vector(&pose, middle));
        s->a[k] = wit_motion_at_rest(world);
        s->b[k] = wit_motion_at_rest(wit_pose_compose(&world, &pose));
    }
}

/* Twists by differences over two frames, as a caller who only has poses would give them. */
static void derive_twists(track_stage* s)
{
    for (long k = 0; k < TRACK_FRAMES; k++) {
        long before = (k + TRACK_FRAMES - 1) % TRACK_FRAMES, after = (k + 1) % TRACK_FRAMES;
        s->b[k].twist = wit_twist_between(&s->b[before].pose, &s->b[after].pose, 2 * s->scene.dt);
    }
}

/* ---- truth ------------------------------------------------------------------------------------ */

static bool ask(const track_stage* s, wit_query* q, long k, wit_closest* out)
{
    wit_placed a = wit_placed_at(s->body[0], s->a[k].pose);
    if (!s->body[1]) return wit_closest_point(q, &a, s->b[k].pose.position, out) == WIT_OK;
    wit_placed b = wit_placed_at(s->body[1], s->b[k].pose);
    return wit_closest_pair(q, &a, &b, out) == WIT_OK;
}

/* Every frame for points, some for pairs, which take longer; the last three in any case. */
static bool find_truth(track_stage* s, bool all)
{
    wit_query_def d = wit_query_default_def();
    d.tolerance = 1e-12;
    wit_query* q = wit_query_create(&d, NULL, NULL);
    if (!q) return false;
    long stride = s->scene.kind == TRACK_PATCHES ? 64 : s->body[1] ? 8 : 1;
    bool good = true;
    wit_closest c;
    for (long k = 0; k < TRACK_FRAMES && good; k++) {
        s->truth[k] = NAN;
        if (!all || k % stride) continue;
        good = ask(s, q, k, &c);
        s->truth[k] = c.distance;
    }
    for (int k = 0; k < 3 && good; k++) {
        good = ask(s, q, TRACK_FRAMES - 1 - k, &c);
        const double x[4] = {c.a.u, c.a.v, c.b.u, c.b.v};
        for (int i = 0; i < 4; i++) s->start[k][i] = x[i];
    }
    wit_query_destroy(q);
    return good;
}

/* ---- scenes ----------------------------------------------------------------------------------- */

static wit_box box_of(const wit_body* b)
{
    return wit_body_describe(b).box;
}

static bool make_point(track_stage* s, int which)
{
    int surface = which == 3 ? 2 : which;
    s->scene.kind = TRACK_POINT;
    s->seam = which == 3;
    bench_surface_make(surface, &s->surface[0]);
    s->scene.surface[0] = &s->surface[0].def;
    s->body[0] = body_of(&s->surface[0].def, surface == 2 ? WIT_BODY_SOLID : WIT_BODY_SHEET2);
    if (!s->body[0]) return false;
    wit_box box = box_of(s->body[0]);
    s->scene.size = norm3(sub3(box.hi, box.lo));
    place_point(s, surface);
    return true;
}

static bool make_patches(track_stage* s, int surface)
{
    s->scene.kind = TRACK_PATCHES;
    for (int k = 0; k < 2; k++) {
        bench_surface_make(surface, &s->surface[k]);
        s->scene.surface[k] = &s->surface[k].def;
        s->body[k] = body_of(&s->surface[k].def, WIT_BODY_SHEET2);
        if (!s->body[k]) return false;
    }
    wit_box box = box_of(s->body[0]);
    s->scene.size = norm3(sub3(box.hi, box.lo));
    wit_vec3 middle = scale3(0.5, add3(box.lo, box.hi));
    wit_vec3 home = add3(middle, vec3(0, 0, box.hi.z - box.lo.z + 0.2 * s->scene.size));
    place_pair(s, middle, home, true, 0.05 * s->scene.size);
    return true;
}

/* The pair of the reference file, side by side along y. */
static bool make_ellipsoids(track_stage* s, bool nurbs)
{
    static const wit_vec3 axes[2] = {{1.683297, 1.203915, 1.660148}, {2.423472, 0.811941, 1.107787}};
    s->scene.kind = TRACK_ELLIPSOIDS;
    for (int k = 0; k < 2; k++) {
        s->scene.axes[k] = axes[k];
        if (nurbs) {
            nurbs_ellipsoid(&s->surface[k], axes[k]);
            s->scene.surface[k] = &s->surface[k].def;
            s->body[k] = body_of(&s->surface[k].def, WIT_BODY_SOLID);
        } else {
            wit_solid_def d = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
            d.size_x = axes[k].x, d.size_y = axes[k].y, d.size_z = axes[k].z;
            s->body[k] = wit_solid_create(&d, NULL, NULL);
        }
        if (!s->body[k]) return false;
    }
    s->scene.size = 2 * norm3(axes[0]);
    place_pair(s, vec3(0, 0, 0), vec3(0, axes[0].y + axes[1].y + 1.2, 0), false, 0.3);
    return true;
}

bool track_stage_make(int which, bool truth, track_stage* s)
{
    memset(s, 0, sizeof *s);
    s->scene.name = names[which];
    s->scene.key = keys[which];
    s->scene.count = TRACK_FRAMES;
    s->scene.dt = 1e-3;
    s->scene.a = s->a;
    s->scene.b = s->b;
    s->scene.start = (const double(*)[4])s->start;
    bool good = which < 4   ? make_point(s, which)
                : which < 6 ? make_patches(s, which - 4)
                            : make_ellipsoids(s, which == 7);
    for (int k = 0; k < 2; k++) s->scene.body[k] = s->body[k];
    if (!good) return false;
    derive_twists(s);
    return find_truth(s, truth);
}

void track_stage_free(track_stage* s)
{
    for (int k = 0; k < 2; k++) wit_body_destroy(s->body[k]);
}
