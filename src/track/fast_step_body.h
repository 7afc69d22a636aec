/* SPDX-License-Identifier: MIT */
/*
 * The usual step in one piece: both witnesses inside their faces, three frames of history, nothing held, nothing to switch.
 * Predict, one jet a side, Newton, Taylor's point, Newton's matrix once more, result: the mathematics of general_step.c and
 * pair_newton.c without what only the unusual steps need. What both must agree on is written once and included by both:
 * prediction (predict.h), the entries of the conditions (pair/contact_form.h), when a step has arrived (arrive.h), the proof
 * (carried_bound.h), flags, certificate and memory (step_end.h). Whatever is out of the ordinary, or does not converge
 * within the tolerance at once, is left to the general step: then nothing was changed.
 *
 * Written once for all kernel sets: included by fast_step_portable.c and fast_step_avx2.c, each of which first defines
 *   FAST             attributes of a function that is always inlined
 *   FAST_ENTRY       attributes of a function that is called
 *   FAST_RARELY      the same, and hardly ever
 *   FUSED(a, b, c)   a b + c
 */
#include "fast_step_side.h"

/* ---- what all usual steps share -------------------------------------------------------------- */

/* From the witness on a to the other one, in the frame of a. */
typedef struct fast_gap {
    wit_vec3 w, normal; /* the normal of the result: unit, along the gap or, near touch, that of the face */
    double length, distance;
} fast_gap;

/* n: the face's unit normal; plane: the gap's part along it. False: neither tells. */
FAST bool make_gap(const wit_tracker* t, wit_vec3 w, wit_vec3 n, double plane, fast_gap* out)
{
    double length = sqrt(dot(w, w)), sign = plane < 0 ? -1 : 1;
    bool far = length > NEAR_TOUCH * t->size;
    if (UNUSUAL(!far && !normal_tells(t, length, plane))) return false;
    out->w = w;
    out->length = length;
    out->distance = far ? sign * length : plane;
    out->normal = far ? scale3(sign / length, w) : n;
    return true;
}

/* The numbers that are the same in every usual step. */
FAST void begin_result(int sides, wit_result* out)
{
    out->outcome = WIT_OUTCOME_CONVERGED;
    out->flags = 0;
    out->count_a = 2;
    out->count = 2 * sides;
    out->held = 0;
    out->drift = out->gain = 0;
    out->switches = 0;
    out->iterations = 1;
    out->work = (wit_work){.units = sides, .jets = sides};
}

/* The cosine of two vectors, one over the length `per` = 1 / |x|. */
FAST double slant(wit_vec3 x, double per, wit_vec3 tangent)
{
    return dot(x, tangent) * per / sqrt(dot(tangent, tangent));
}

/* Flags, certificate, residual: when distance and errors are there. */
FAST void end_result(const wit_tracker* t, const carried* bound, double planes, double rounding, wit_result* out)
{
    double most = 0;
    for (int i = 0; i < out->count; ++i) most = larger(most, fabs(out->error[i]));
    out->residual = most;
    out->flags |= distance_flags(t, out->distance);
    certify(t, bound, planes, rounding, out);
}

FAST void remember_places(wit_tracker* t, const fast_side* s, int sides, const prediction* guess, double dt)
{
    t->looked = 0;
    for (int i = 0; i < sides; ++i) {
        t->hint[i] = s[i].hint;
        t->at[i].x[0] = s[i].x[0];
        t->at[i].x[1] = s[i].x[1];
    }
    t->order = predict_best(t, guess, sides);
    predict_push(t, sides, dt);
}

/* ---- a point and a face ---------------------------------------------------------------------- */

/* The foot of the point, in the frame of the body. */
typedef struct foot {
    wit_vec3 p, d[2], n;
    double plane; /* along the unit normal n */
} foot;

/* The least eigenvalue that a usual step takes, 1e4 times what wi_condition_kind takes for zero: so it is at a minimum. */
#define PLAIN 1e-8

/* H d = -g of |f - q|^2 / 2, twice. False unless H is safely positive definite and the step arrives. */
FAST bool find_foot(const wit_tracker* t, wit_vec3 q, fast_side* s, foot* out)
{
    const wit_surface_jet* j = &s->j;
    wit_vec3 r = sub3(j->p, q);
    double g0 = dot(r, j->du), g1 = dot(r, j->dv);
    double E = dot(j->du, j->du), F = dot(j->du, j->dv), G = dot(j->dv, j->dv);
    double h0 = form_own(1, r, j->du, j->du, j->duu), h1 = form_own(1, r, j->du, j->dv, j->duv);
    double h2 = form_own(1, r, j->dv, j->dv, j->dvv), det = h0 * h2 - h1 * h1;
    /* with h0 > 0 both eigenvalues of H in arc length are above det / sum, and their sum is sum / (E G) */
    double sum = h0 * G + h2 * E;
    if (UNUSUAL(!(h0 > 0 && det > PLAIN * sum && det * (E * G) > PLAIN * sum * sum))) return false;
    double inv = 1 / det, d[2] = {(h1 * g1 - h2 * g0) * inv, (h1 * g0 - h0 * g1) * inv};
    taylor(j, d[0], d[1], &out->p, out->d);
    r = sub3(out->p, q);
    g0 = dot(r, out->d[0]), g1 = dot(r, out->d[1]);
    double e[2] = {(h1 * g1 - h2 * g0) * inv, (h1 * g0 - h0 * g1) * inv};
    double first = E * d[0] * d[0] + 2 * F * d[0] * d[1] + G * d[1] * d[1];
    double second = E * e[0] * e[0] + 2 * F * e[0] * e[1] + G * e[1] * e[1];
    double gap = sqrt(dot(r, r)), tolerance = t->def.tolerance * larger(gap, t->size);
    if (UNUSUAL(!(rest_of(s, d, gap) <= tolerance && newton_arrives(sqrt(first), sqrt(second), tolerance))))
        return false;
    d[0] += e[0], d[1] += e[1];
    if (UNUSUAL(!move_by(s, d[0], d[1]))) return false;
    taylor(j, d[0], d[1], &out->p, out->d);
    return true;
}

/* The outward normal there; of a two-sided sheet the one towards the point. */
FAST void stand_on(const wit_tracker* t, const fast_side* s, wit_vec3 w, foot* at)
{
    wit_vec3 n = across(at->d[0], at->d[1]);
    double turned = s->face->reversed ? -1 : 1, along = dot(w, n);
    if (t->body[0]->kind == WIT_BODY_SHEET2 && turned * along < 0) turned = -turned;
    double unit = turned / sqrt(dot(n, n));
    at->n = scale3(unit, n);
    at->plane = along * unit + 0.0;
}

/* By the tangent plane, and what rounding may do to the distance. */
typedef struct plane_bound {
    double lower, rounding;
} plane_bound;

/*
 * What proves it: tangent planes, or the front, which is told what Taylor's formula and the last step of Newton may leave
 * (find_foot, arrive.h): lengths within the tolerance. False: another foot is nearer, or the side is not proved by what is known.
 */
FAST bool prove_foot(wit_tracker* t, wit_vec3 q, const foot* at, const fast_side* s, const fast_gap* gap,
                     const plane_bound* planes, wit_work* work)
{
    if (!t->point_front_at) return true;
    if (planes_suffice(t, gap->distance, planes->lower, planes->rounding)) {
        wi_point_proof_outside(t, q, planes->lower);
        return true;
    }
    wit_vec3 r = sub3(at->p, q);
    front_witness w = {.kind = WIT_FACE, .id = t->at[0].id, .x = {s->x[0], s->x[1]}, .r = r, .distance = gap->length};
    w.off = t->def.tolerance * larger(gap->length, t->size);
    for (int i = 0; i < 2; ++i) {
        w.g[i] = dot(r, at->d[i]);
        w.g_off[i] = 2 * w.off * sqrt(dot(at->d[i], at->d[i]));
    }
    return wi_point_proof_usual(t, q, &w, at->plane < 0 ? -1 : 1, work);
}

FAST_ENTRY bool fast_step_point(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out)
{
    double square = quat_square(a->pose.rotation);
    if (UNUSUAL(!plain_motion(a, square) || !plain_motion(b, quat_square(b->pose.rotation)))) return false;
    turn ra = turn_of(a->pose.rotation, square);
    wit_vec3 apart = sub3(b->pose.position, a->pose.position), q = back(&ra, apart);
    foot at;
    fast_gap gap;
    prediction guess;
    guess.orders = PREDICT_ORDERS;
    fast_side s;
    if (UNUSUAL(!look_ahead(t, 0, &guess, &s))) return false;
    if (UNUSUAL(!find_foot(t, q, &s, &at))) return false;
    wit_vec3 w = sub3(q, at.p),
             seen = sub3(sub3(b->twist.velocity, a->twist.velocity), across(a->twist.angular, apart));
    stand_on(t, &s, w, &at);
    if (UNUSUAL(!make_gap(t, w, at.n, at.plane, &gap))) return false;
    wit_work proof = {0};
    plane_bound planes = {-INFINITY, step_rounding(t, gap.length, q)};
    if (t->supported && gap.distance > 0) planes.lower = bound_by_planes(t, at.plane, 0, planes.rounding);
    if (UNUSUAL(!prove_foot(t, q, &at, &s, &gap, &planes, &proof))) return false;
    carried bound = bound_carried(t, NULL, q);

    begin_result(1, out);
    work_spend(&out->work, &proof);
    out->distance = gap.distance;
    set_kind(t, WIT_STATIONARY_MINIMUM, out);
    out->normal = forth(&ra, gap.normal);
    out->rate = dot(out->normal, seen);
    out->a = face_witness(&t->at[0], s.x, add3(a->pose.position, forth(&ra, at.p)));
    out->b = (wit_witness){WIT_POINT, -1, 0, 0, b->pose.position};
    double per = gap_has_direction(t, gap.length, at.p, q) ? 1 / gap.length : 0;
    for (int i = 0; i < 2; ++i) out->error[i] = -slant(w, per, at.d[i]);
    out->error[2] = out->error[3] = 0;
    end_result(t, &bound, planes.lower, planes.rounding, out);

    t->sign = t->body[0]->kind == WIT_BODY_SHEET2 ? 0 : gap.distance < 0 ? -1 : 1;
    remember_pair(t, gap.distance, gap.normal, at.p);
    remember_places(t, &s, 1, &guess, dt);
    remember_motion(t, a, b, dt);
    return true;
}

/* ---- two faces, contact form ----------------------------------------------------------------- */

/* Both bodies in the frame of a. */
typedef struct relative {
    turn a, b; /* in the world */
    turn b_in_a;
    wit_vec3 t; /* origin of b in the frame of a */
    const wit_motion* motion[2];
} relative;

FAST relative relative_of(const wit_motion* a, const wit_motion* b, double square_a, double square_b)
{
    relative r;
    r.motion[0] = a;
    r.motion[1] = b;
    r.a = turn_of(a->pose.rotation, square_a);
    r.b = turn_of(b->pose.rotation, square_b);
    r.b_in_a.x = back(&r.a, r.b.x);
    r.b_in_a.y = back(&r.a, r.b.y);
    r.b_in_a.z = back(&r.a, r.b.z);
    r.t = back(&r.a, sub3(b->pose.position, a->pose.position));
    return r;
}

/* The jet of b in the frame of a. */
FAST wit_surface_jet jet_in_a(const relative* r, const wit_surface_jet* j)
{
    wit_surface_jet k = {add3(forth(&r->b_in_a, j->p), r->t), forth(&r->b_in_a, j->du),  forth(&r->b_in_a, j->dv),
                         forth(&r->b_in_a, j->duu),           forth(&r->b_in_a, j->duv), forth(&r->b_in_a, j->dvv)};
    return k;
}

/* M of the contact form in blocks: P (face a), B, C, and what solves it. */
typedef struct blocks {
    double p0, p1, p2, ip; /* P symmetric; 1 / det */
    double B[4], C[4];
    double T[4];  /* S^-1 */
    double least; /* |dR.n| beyond which the kind is plain */
} blocks;

FAST void solve_first(const blocks* k, double x, double y, double out[2])
{
    out[0] = (k->p2 * x - k->p1 * y) * k->ip;
    out[1] = (k->p0 * y - k->p1 * x) * k->ip;
}

/* M d = -Psi: (r, s) by the Schur complement, then (u, v). */
FAST void solve_blocks(const blocks* k, const double psi[4], double d[4])
{
    double y[2], c0, c1;
    solve_first(k, psi[0], psi[1], y);
    c0 = form_schur(psi[2], k->C[0], k->C[1], y[0], y[1]);
    c1 = form_schur(psi[3], k->C[2], k->C[3], y[0], y[1]);
    d[2] = -(k->T[0] * c0 + k->T[1] * c1);
    d[3] = -(k->T[2] * c0 + k->T[3] * c1);
    solve_first(k, form_schur(-psi[0], k->B[0], k->B[1], d[2], d[3]), form_schur(-psi[1], k->B[2], k->B[3], d[2], d[3]),
                d);
}

/*
 * The kind of the pair is that of H = [P B; B^T Q], the Hessian of |dR|^2 / 2, in arc length. Its Schur complement is
 * Q - B^T P^-1 B = d S / |n|: with P and S positive definite a minimum apart (d > 0) and a saddle inside, unless H is level to
 * rounding. With p and s the least eigenvalues of P and d S / |n|, and |B| <= 2, all of H are at least min(p, s) / (1 + 2 / p)^2
 * away from zero, and none is above tr P + tr(d S / |n|) + 8 / p. Where p >= 0.1 and s >= PLAIN_PAIR times that sum they are told
 * from zero, 1e2 times above what wi_condition_kind takes for zero. Solved for |dR.n| = |d| |n|: k->least.
 */
#define PLAIN_PAIR 5e-8

/* sense: of the outward normal against n = f_u x f_v. False unless P and S are safely positive definite. */
FAST bool make_blocks(const wit_surface_jet* f, const wit_surface_jet* h, wit_vec3 n, double sense, blocks* k)
{
    wit_vec3 r = sub3(f->p, h->p), bend[2];
    double E = dot(f->du, f->du), F = dot(f->du, f->dv), G = dot(f->dv, f->dv);
    k->p0 = form_own(1, r, f->du, f->du, f->duu);
    k->p1 = form_own(1, r, f->du, f->dv, f->duv);
    k->p2 = form_own(1, r, f->dv, f->dv, f->dvv);
    double det = k->p0 * k->p2 - k->p1 * k->p1;
    if (UNUSUAL(!(k->p0 > 1e-12 * E && det > 1e-12 * E * G))) return false;
    k->ip = 1 / det;
    form_turn(f->du, f->dv, f->duu, f->duv, f->dvv, bend);
    k->B[0] = form_across(1, f->du, h->du), k->B[1] = form_across(1, f->du, h->dv);
    k->B[2] = form_across(1, f->dv, h->du), k->B[3] = form_across(1, f->dv, h->dv);
    k->C[0] = dot(bend[0], h->du), k->C[1] = dot(bend[1], h->du);
    k->C[2] = dot(bend[0], h->dv), k->C[3] = dot(bend[1], h->dv);
    double D0 = dot(n, h->duu), D1 = dot(n, h->duv), D3 = dot(n, h->dvv), x[2], y[2];
    solve_first(k, k->B[0], k->B[2], x); /* P^-1 B, column by column */
    solve_first(k, k->B[1], k->B[3], y);
    double S0 = form_schur(D0, k->C[0], k->C[1], x[0], x[1]), S1 = form_schur(D1, k->C[0], k->C[1], y[0], y[1]);
    double S2 = form_schur(D1, k->C[2], k->C[3], x[0], x[1]), S3 = form_schur(D3, k->C[2], k->C[3], y[0], y[1]);
    double half = 0.5 * (S1 + S2), ds = S0 * S3 - S1 * S2;
    if (UNUSUAL(!(sense * S0 > 0 && S0 * S3 - half * half > 1e-12 * S0 * S3 && ds > 0))) return false;
    double is = 1 / ds;
    double Eh = dot(h->du, h->du), Gh = dot(h->dv, h->dv), q = fabs(S0 * Gh + S3 * Eh), sum = k->p0 * G + k->p2 * E;
    double nn = E * G - F * F, stiff = ds / q - PLAIN_PAIR * q / (Eh * Gh);
    k->least = det > 0.1 * sum && stiff > 0 ? PLAIN_PAIR * nn * (sum / (E * G) + 80) / stiff : INFINITY;
    k->T[0] = S3 * is, k->T[1] = -S1 * is, k->T[2] = -S2 * is, k->T[3] = S0 * is;
    return true;
}

/* |d| of both sides in arc length. */
FAST double arc(const fast_side s[2], const double d[4])
{
    double sum[2];
    for (int i = 0; i < 2; ++i) {
        wit_vec3 m = axpy(scale3(d[2 * i], s[i].j.du), d[2 * i + 1], s[i].j.dv);
        sum[i] = sqrt(dot(m, m));
    }
    return sum[0] + sum[1];
}

/* Both sides after the step, in the frame of a. */
typedef struct pair_place {
    wit_vec3 p[2], d[2][2], n, r; /* n = f_u x f_v, r = f - h */
    double sense;                 /* of the outward normal against n */
    wit_stationary kind;
} pair_place;

FAST void conditions(const pair_place* w, double psi[4])
{
    for (int i = 0; i < 2; ++i) {
        psi[i] = dot(w->r, w->d[0][i]);
        psi[2 + i] = dot(w->n, w->d[1][i]);
    }
}

FAST void set_gap(pair_place* w)
{
    w->n = across(w->d[0][0], w->d[0][1]);
    w->r = sub3(w->p[0], w->p[1]);
}

FAST void pair_taylor(const fast_side s[2], const double d[4], pair_place* out)
{
    for (int i = 0; i < 2; ++i) taylor(&s[i].j, d[2 * i], d[2 * i + 1], &out->p[i], out->d[i]);
    set_gap(out);
}

typedef struct pair_jets {
    wit_surface_jet j[2];
    double d[4];
} pair_jets;

/* The kind where it is not plain; d is the whole step from the jets. */
FAST_RARELY wit_stationary kind_of_jets(pair_jets at)
{
    moving m[2] = {moved_by(&at.j[0], at.d[0], at.d[1]), moved_by(&at.j[1], at.d[2], at.d[3])};
    return wi_condition_kind(&m[0], &m[1], 0);
}

FAST wit_stationary kind_of_pair(const fast_side s[2], const double d[4])
{
    return kind_of_jets((pair_jets){{s[0].j, s[1].j}, {d[0], d[1], d[2], d[3]}});
}

/* Newton's step on the contact form, twice. False unless it leads to a minimum and arrives. */
FAST bool find_pair(const wit_tracker* t, fast_side s[2], pair_place* out)
{
    pair_place at;
    for (int i = 0; i < 2; ++i) at.p[i] = s[i].j.p, at.d[i][0] = s[i].j.du, at.d[i][1] = s[i].j.dv;
    set_gap(&at);
    double sense = s[0].face->reversed ? -1 : 1, psi[4], d[4], e[4];
    bool two_sided = t->body[0]->kind == WIT_BODY_SHEET2;
    if (two_sided && sense * dot(at.r, at.n) > 0) sense = -sense;
    blocks k;
    if (UNUSUAL(!make_blocks(&s[0].j, &s[1].j, at.n, sense, &k))) return false;
    if (!two_sided && t->body[1]->kind != WIT_BODY_SHEET2) { /* as faces_each_other of pair_newton.c */
        double facing = dot(at.n, across(at.d[1][0], at.d[1][1]));
        if (UNUSUAL(!((s[1].face->reversed ? -sense : sense) * facing < 0))) return false;
    }
    conditions(&at, psi);
    solve_blocks(&k, psi, d);
    pair_taylor(s, d, out);
    conditions(out, psi);
    solve_blocks(&k, psi, e);
    double tolerance = t->def.tolerance * larger(sqrt(dot(out->r, out->r)), t->size);
    double rest = rest_of(&s[0], d, t->size) + rest_of(&s[1], d + 2, t->size);
    if (UNUSUAL(!(rest <= tolerance && newton_arrives(arc(s, d), arc(s, e), tolerance)))) return false;
    for (int i = 0; i < 4; ++i) d[i] += e[i];
    for (int i = 0; i < 2; ++i)
        if (UNUSUAL(!move_by(&s[i], d[2 * i], d[2 * i + 1]))) return false;
    pair_taylor(s, d, out);
    out->sense = sense;
    double along = dot(out->r, out->n);
    out->kind = sense * along < 0 ? WIT_STATIONARY_MINIMUM : WIT_STATIONARY_SADDLE;
    if (!(fabs(along) > k.least)) out->kind = kind_of_pair(s, d);
    return true;
}

/* Overlapping: as wi_pair_newton_inside. */
FAST bool both_inside(const wit_tracker* t, const relative* rel, const pair_place* w)
{
    if (t->body[0]->kind == WIT_BODY_SHEET2 || !(dot(w->r, w->n) * w->sense > 0)) return true;
    wit_vec3 in_b = back(&rel->b_in_a, sub3(w->p[0], rel->t));
    bool sheet_a = t->body[0]->kind != WIT_BODY_SOLID, sheet_b = t->body[1]->kind != WIT_BODY_SOLID;
    return (sheet_a || box_square(&t->body[0]->box, w->p[1]) == 0) &&
           (sheet_b || box_square(&t->body[1]->box, in_b) == 0);
}

/* What is proved by the tangent planes of convex bodies. */
FAST double pair_planes(const wit_tracker* t, const fast_side s[2], const pair_place* w, double rounding)
{
    wit_vec3 m = across(w->d[1][0], w->d[1][1]);
    double n = sqrt(dot(w->n, w->n)), other = (s[1].face->reversed ? -1 : 1) / sqrt(dot(m, m));
    wit_vec3 lean = axpy(scale3(w->sense / n, w->n), other, m);
    return bound_by_planes(t, -w->sense * dot(w->r, w->n) / n, sqrt(dot(lean, lean)), rounding);
}

/* The velocity of a body's material at a world point. */
FAST wit_vec3 material(const wit_motion* m, wit_vec3 p)
{
    return add3(m->twist.velocity, across(m->twist.angular, sub3(p, m->pose.position)));
}

/* Witnesses, normal, rate and errors; n: the face's outward unit normal. */
FAST void write_pair(const wit_tracker* t, const relative* rel, const pair_place* w, wit_vec3 n, const fast_gap* gap,
                     wit_result* out)
{
    wit_vec3 origin = rel->motion[0]->pose.position;
    begin_result(2, out);
    out->distance = gap->distance;
    out->normal = forth(&rel->a, gap->normal);
    out->a.point = add3(origin, forth(&rel->a, w->p[0]));
    out->b.point = add3(origin, forth(&rel->a, w->p[1]));
    wit_vec3 va = material(rel->motion[0], out->a.point), vb = material(rel->motion[1], out->b.point);
    out->rate = dot(out->normal, sub3(vb, va));
    double per = gap_has_direction(t, gap->length, w->p[0], w->p[1]) ? 1 / gap->length : 0;
    for (int i = 0; i < 2; ++i) {
        out->error[i] = slant(w->r, per, w->d[0][i]);
        out->error[2 + i] = w->sense * slant(n, 1, w->d[1][i]);
    }
}

/* The front, told what Taylor's formula and the last step of Newton may leave: lengths within the tolerance, and tangents that lean by it over
 * the size (find_pair). */
FAST bool prove_pair(wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin, const pair_place* w, const fast_side s[2],
                     const fast_gap* gap, wit_work* work)
{
    pair_witness at = {.r = w->r, .distance = gap->length};
    at.off = t->def.tolerance * larger(gap->length, t->size);
    for (int k = 0; k < 2; ++k) {
        at.at[k] = t->at[k];
        for (int i = 0; i < 2; ++i) {
            at.at[k].x[i] = s[k].x[i];
            at.g[2 * k + i] = (k ? -1 : 1) * dot(w->r, w->d[k][i]);
            at.g_off[2 * k + i] = (2 + gap->length / t->size) * at.off * sqrt(dot(w->d[k][i], w->d[k][i]));
        }
    }
    return wi_pair_proof_usual(t, rows, origin, &at, work);
}

FAST_ENTRY bool fast_step_pair(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out)
{
    double square_a = quat_square(a->pose.rotation), square_b = quat_square(b->pose.rotation);
    if (UNUSUAL(!plain_motion(a, square_a) || !plain_motion(b, square_b))) return false;
    relative rel = relative_of(a, b, square_a, square_b);
    pair_place w;
    fast_gap gap;
    prediction guess;
    guess.orders = PREDICT_ORDERS;
    fast_side s[2];
    if (UNUSUAL(!look_ahead(t, 0, &guess, &s[0]) || !look_ahead(t, 1, &guess, &s[1]))) return false;
    s[1].j = jet_in_a(&rel, &s[1].j);
    if (UNUSUAL(!find_pair(t, s, &w) || !both_inside(t, &rel, &w))) return false;
    wit_vec3 n = scale3(w.sense / sqrt(dot(w.n, w.n)), w.n);
    const turn* rb = &rel.b_in_a;
    const wit_vec3 rows[3] = {{rb->x.x, rb->y.x, rb->z.x}, {rb->x.y, rb->y.y, rb->z.y}, {rb->x.z, rb->y.z, rb->z.z}};
    if (UNUSUAL(!make_gap(t, scale3(-1, w.r), n, -dot(w.r, n) + 0.0, &gap))) return false;
    bool convex = t->supported && gap.distance > 0;
    double rounding = step_rounding(t, gap.length, rel.t);
    double planes = convex ? pair_planes(t, s, &w, rounding) : -INFINITY;
    wit_work proof = {0};
    if (t->pair_front_at && gap.distance > 0 && !wi_pair_proof_planes(t, rows, rel.t, gap.distance, planes, rounding) &&
        !prove_pair(t, rows, rel.t, &w, s, &gap, &proof))
        return false;
    carried bound = bound_carried(t, rows, rel.t);
    if (UNUSUAL(bound_doubts(t, gap.distance, bound.lower))) {
        t->spent = proof;
        return false;
    }
    /* solids that may be in each other: overlap.c */
    if (UNUSUAL(t->front_at && !(larger(bound.lower, planes) > 0) && !still_clear(t, rows, rel.t))) {
        t->spent = proof;
        return false;
    }

    write_pair(t, &rel, &w, n, &gap, out);
    work_spend(&out->work, &proof);
    set_kind(t, w.kind, out);
    out->a = face_witness(&t->at[0], s[0].x, out->a.point);
    out->b = face_witness(&t->at[1], s[1].x, out->b.point);
    end_result(t, &bound, planes, rounding, out);
    remember_pair(t, gap.distance, gap.normal, w.p[0]);
    remember_places(t, s, 2, &guess, dt);
    remember_motion(t, a, b, dt);
    return true;
}
