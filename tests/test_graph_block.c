/* SPDX-License-Identifier: MIT */
/*
 * Boxes with one foot at most, attacked: what a graph_form says of the surface, and what a grip says of any two places of the
 * box, held against jets at many places. And how much tangents jump at knots, against jets of both sides.
 */
#include "../src/body/tree/shape_tree.h"
#include "../src/geom/tangent_jump.h"
#include "analytic.h"
#include "campaign.h"
#include "cold_bodies.h"
#include "../src/body/body_record.h"

#define JET 1e-11 /* of what is compared: jets, and quotients of them */

/* The surface over the plane across the axis, at one place. */
typedef struct spot {
    double eta[2], J[2][2], slope[2], bend[3]; /* slope: f'; bend: f'' xx, xy, yy */
    wit_vec3 p;
    wit_surface_jet j;
} spot;

typedef struct attacked {
    const char* name;
    const wit_surface* s;
    wit_interval u, v;
    graph_form form;
    wit_vec3 e[2];
    double J0[2][2];
} attacked;

static void invert(const double a[2][2], double out[2][2])
{
    double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    out[0][0] = a[1][1] / det, out[0][1] = -a[0][1] / det, out[1][0] = -a[1][0] / det, out[1][1] = a[0][0] / det;
}

static spot spot_at(const attacked* k, double u, double v)
{
    spot s;
    unsigned below = (u >= k->u.hi ? WIT_KNOT_U_BELOW : 0U) | (v >= k->v.hi ? WIT_KNOT_V_BELOW : 0U);
    wit_surface_eval(k->s, u, v, below, NULL, &s.j);
    s.p = s.j.p;
    double x[2] = {u - iv_mid(k->u), v - iv_mid(k->v)}, inverse[2][2];
    for (int a = 0; a < 2; a++) {
        s.J[a][0] = dot3(k->e[a], s.j.du), s.J[a][1] = dot3(k->e[a], s.j.dv);
        s.eta[a] = k->J0[a][0] * x[0] + k->J0[a][1] * x[1];
    }
    invert((const double(*)[2])s.J, inverse);
    double fu = dot3(k->form.axis, s.j.du), fv = dot3(k->form.axis, s.j.dv), B[3];
    for (int a = 0; a < 2; a++) s.slope[a] = inverse[0][a] * fu + inverse[1][a] * fv;
    const wit_vec3 d2[3] = {s.j.duu, s.j.duv, s.j.dvv};
    for (int i = 0; i < 3; i++)
        B[i] = dot3(k->form.axis, d2[i]) - s.slope[0] * dot3(k->e[0], d2[i]) - s.slope[1] * dot3(k->e[1], d2[i]);
    for (int i = 0, a = 0; a < 2; a++)
        for (int b = a; b < 2; b++, i++)
            s.bend[i] = inverse[0][a] * (B[0] * inverse[0][b] + B[1] * inverse[1][b]) +
                        inverse[1][a] * (B[1] * inverse[0][b] + B[2] * inverse[1][b]);
    return s;
}

#define HOLDS(claim, k)                                                                                                \
    do {                                                                                                               \
        if (!(claim))                                                                                                  \
            fail_msg("%s, u %.17g %.17g, v %.17g %.17g: %s", (k)->name, (k)->u.lo, (k)->u.hi, (k)->v.lo, (k)->v.hi,    \
                     #claim);                                                                                          \
    } while (0)

static void form_holds(const attacked* k, const spot* s)
{
    const graph_form* f = &k->form;
    double height = dot3(f->axis, s->p), size = fabs(height) + norm3(s->p), E[2][2], sum = 0;
    HOLDS(height >= f->height.lo - JET * size && height <= f->height.hi + JET * size, k);
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            E[a][b] = s->J[a][0] * f->inverse[0][b] + s->J[a][1] * f->inverse[1][b] - (a == b);
            sum += E[a][b] * E[a][b];
        }
    HOLDS(sqrt(sum) <= f->stretch + JET, k);
    HOLDS(hypot(s->slope[0], s->slope[1]) <= f->lean + JET, k);
    double mean = 0.5 * (s->bend[0] + s->bend[2]), spread = hypot(0.5 * (s->bend[0] - s->bend[2]), s->bend[1]);
    double room = JET * (1 + fabs(mean) + spread);
    HOLDS(mean + spread <= f->up + room, k);
    HOLDS(mean - spread >= -f->down - room, k);
}

/* The gradient of F over the plane. */
static void gradient(const attacked* k, const spot* s, wit_vec3 q, double w[2])
{
    wit_vec3 r = sub3(s->p, q);
    for (int a = 0; a < 2; a++) w[a] = dot3(k->e[a], r) + dot3(k->form.axis, r) * s->slope[a];
}

static void grip_holds(const attacked* k, const spot* x, const spot* y, wit_vec3 q, const graph_grip* g)
{
    double a[2], b[2], product = 0, square = 0, size = norm3(sub3(x->p, q)) + norm3(sub3(y->p, q));
    gradient(k, x, q, a);
    gradient(k, y, q, b);
    for (int i = 0; i < 2; i++) {
        double d = x->eta[i] - y->eta[i];
        product += (a[i] - b[i]) * d;
        square += d * d;
    }
    HOLDS(product >= g->grip * square - JET * size * sqrt(square), k);
    /* and the slope is what it says of g */
    wit_vec3 r = sub3(x->p, q);
    const double slopes[2] = {dot3(r, x->j.du), dot3(r, x->j.dv)};
    graph_measure measure = wi_graph_measure(&k->form);
    HOLDS(hypot(a[0], a[1]) <= graph_slope(&measure, slopes) + JET * size, k);
    /* y taken as the foot of a point q' beside it: F falls by no more than the factor says */
    wit_vec3 n = unit3(cross3(y->j.du, y->j.dv)), foot = addscaled3(y->p, dot3(sub3(q, y->p), n), n),
             rx = sub3(x->p, foot), ry = sub3(y->p, foot);
    graph_grip there;
    if (!wi_graph_grip(&k->form, foot, 0, &there)) return;
    gradient(k, x, foot, a);
    double drop = 0.5 * dot3(rx, rx) - 0.5 * dot3(ry, ry), w = a[0] * a[0] + a[1] * a[1];
    HOLDS(fabs(drop) <= there.factor * w + JET * size * size, k);
}

static double inside(rng* r, wit_interval x)
{
    int where = rng_int(r, 6);
    return where == 0 ? x.lo : where == 1 ? x.hi : rng_range(r, x.lo, x.hi);
}

static wit_interval part(rng* r, wit_interval all)
{
    double width = iv_width(all) * pow(2, -rng_range(r, 0, 7)), lo = rng_range(r, all.lo, all.hi - width);
    return iv(lo, smaller(all.hi, lo + width));
}

static void attack_form(const cold_body* b, attacked k, rng* r, int* held)
{
    enum { POINTS = 4, PLACES = 12 };
    complete3(k.form.axis, &k.e[0], &k.e[1]);
    invert((const double(*)[2])k.form.inverse, k.J0);
    spot spots[PLACES];
    for (int i = 0; i < PLACES; i++) {
        double u = inside(r, k.u);
        spots[i] = spot_at(&k, u, inside(r, k.v));
        form_holds(&k, &spots[i]);
    }
    for (int i = 0; i < POINTS; i++) {
        wit_vec3 q = addscaled3(spots[i].p, b->size * pow(10, rng_range(r, -3, 0.3)), random_unit(r));
        double life = wi_graph_life(&k.form, q);
        if (!(life > 0)) continue;
        double way = smaller(life, b->size);
        graph_grip g;
        assert_true(wi_graph_grip(&k.form, q, way, &g));
        wit_vec3 to = addscaled3(q, 0.999 * way, random_unit(r));
        for (int m = 0; m < PLACES; m++)
            for (int n = 0; n < m; n++) grip_holds(&k, &spots[m], &spots[n], to, &g);
        ++*held;
    }
}

static void attack(const cold_body* b, const wit_surface* s, rng* r, int* held)
{
    attacked k = {.name = b->name, .s = s, .u = part(r, s->u), .v = part(r, s->v)};
    graph_work work;
    if (wi_graph_form(s, k.u, k.v, 0, &k.form, &work)) attack_form(b, k, r, held);
}

/* Those that are stored with bodies, made from the pieces that cover them. */
static void stored_forms_hold(void** state)
{
    (void)state;
    static cold_body bodies[COLD_OWN];
    rng r = rng_seed(833);
    int n = cold_all(1, 833, bodies), held = 0, all = 0;
    double share = 0.05 * (double)campaign(200);
    for (int i = 0; i < n; i++) {
        const wit_body* b = bodies[i].body;
        for (int32_t m = 0; m < b->node_count; m++) {
            const tree_node* leaf = &body_nodes(b)[m];
            if (leaf->child[0] >= 0 || leaf->kind != WIT_FACE || body_leaf_shape(b, leaf) < 0) continue;
            int32_t open[64] = {body_leaf_shape(b, leaf)};
            for (int count = 1; count;) {
                const shape_entry* e = &body_shapes(b)[open[--count]];
                for (int c = 0; c < 2; c++)
                    if (e->child[c] >= 0) open[count++] = e->child[c];
                if (e->form < 0 || rng_double(&r) > share) continue;
                const shape_form* f = &body_shape_forms(b)[e->form];
                attacked k = {.name = bodies[i].name, .s = body_surface(b, leaf->feature)};
                k.u = f->box[0], k.v = f->box[1];
                k.form = f->form;
                attack_form(&bodies[i], k, &r, &held);
                all++;
            }
        }
        cold_drop(&bodies[i]);
    }
    print_message("%d stored forms attacked, %d points\n", all, held);
    assert_true(held > all / 2 && all > 100);
}

static void a_grip_holds_for_any_two_places(void** state)
{
    (void)state;
    static cold_body bodies[COLD_OWN];
    rng r = rng_seed(831);
    int n = cold_all(1, 831, bodies), held = 0;
    long rounds = campaign(20000);
    for (long k = 0; k < rounds; k++) {
        const cold_body* b = &bodies[rng_int(&r, n)];
        if (b->body->unbounded || !b->body->face_count) continue;
        attack(b, body_surface(b->body, rng_int(&r, b->body->face_count)), &r, &held);
    }
    for (int i = 0; i < n; i++) cold_drop(&bodies[i]);
    assert_true(held > rounds / 4);
}

/* Jets of both sides differ by no more than the bound; where knots are simple that is next to nothing. */
static void jumps_of_tangents_are_bounded(void** state)
{
    (void)state;
    static cold_body bodies[COLD_OWN];
    rng r = rng_seed(832);
    int n = cold_all(1, 832, bodies), smooth = 0;
    for (int i = 0; i < n; i++)
        for (int f = 0; f < bodies[i].body->face_count; f++) {
            const wit_surface* s = body_surface(bodies[i].body, f);
            for (int d = 0; d < 2 && s->kind == WIT_SURFACE_NURBS; d++) {
                int count;
                const double* at = wit_surface_breaks(s, d ? WIT_V : WIT_U, &count);
                for (int k = 1; k + 1 < count; k++) {
                    double bound = wi_surface_tangent_jump(s, d ? WIT_V : WIT_U, k),
                           speed = d ? s->speed_v : s->speed_u;
                    for (int m = 0; m < 8; m++) {
                        double x = rng_range(&r, d ? s->u.lo : s->v.lo, d ? s->u.hi : s->v.hi);
                        wit_surface_jet a, b;
                        wit_surface_eval(s, d ? x : at[k], d ? at[k] : x, 0, NULL, &a);
                        wit_surface_eval(s, d ? x : at[k], d ? at[k] : x, d ? WIT_KNOT_V_BELOW : WIT_KNOT_U_BELOW, NULL,
                                         &b);
                        double jump = norm3(d ? sub3(a.dv, b.dv) : sub3(a.du, b.du));
                        if (!(jump <= bound + 1e-13 * speed))
                            fail_msg("%s, border %d: %g, bound %g", bodies[i].name, k, jump, bound);
                    }
                    smooth += bound < 1e-9 * speed;
                }
            }
        }
    for (int i = 0; i < n; i++) cold_drop(&bodies[i]);
    assert_true(smooth > 30); /* those of the bump and of Table I among them */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grip_holds_for_any_two_places),
        cmocka_unit_test(stored_forms_hold),
        cmocka_unit_test(jumps_of_tangents_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
