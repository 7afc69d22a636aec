/* SPDX-License-Identifier: MIT */
/* Fundamental forms, curvatures, and the normal where du x dv vanishes. */
#include "shape.h"

/* Below this sine of the angle between them, du and dv span no plane. */
#define PARALLEL 1e-12

double wit_curve_curvature(const wit_curve_jet* jet)
{
    /* |d1 x d2| / |d1|^3, one factor at a time: no power of a length is formed. */
    double speed = norm3(jet->d1);
    if (!(speed > 0)) return 0;
    double k = norm3(cross3(scale3(1 / speed, jet->d1), jet->d2)) / speed / speed;
    return isfinite(k) ? k : 0;
}

/*
 * |du| / |duv| is how far away in v the place is where du vanishes, so |du| |dv| / |duv| is the distance to that
 * pole (the same holds with u and v exchanged). A pole within the rounding of the point itself is here.
 */
static bool at_pole(const wit_surface_jet* j)
{
    return norm3(j->du) * norm3(j->dv) <= 4 * DBL_EPSILON * norm3(j->p) * norm3(j->duv);
}

/* Solves the second form in the orthonormal basis t1 = du/|du|, t2 = n x t1: du = a t1, dv = b t1 + c t2. */
static void set_curvatures(const wit_surface_jet* jet, wit_surface_forms* f)
{
    double a = norm3(jet->du);
    wit_vec3 t1 = scale3(1 / a, jet->du), t2 = cross3(f->normal, t1);
    double b = dot3(jet->dv, t1), c = dot3(jet->dv, t2);
    double h11 = f->L / a / a, h12 = (f->M / a - b * h11) / c;
    double h22 = ((f->N - b * b * h11) / c - 2 * b * h12) / c;
    double mean = 0.5 * (h11 + h22), half = 0.5 * (h11 - h22), spread = sqrt(half * half + h12 * h12);
    if (!isfinite(mean) || !isfinite(spread)) return;
    f->has_curvature = true;
    f->mean = mean;
    f->gauss = h11 * h22 - h12 * h12;
    f->k1 = mean + spread;
    f->k2 = mean - spread;
    /* (h11 - k1, h12; h12, h22 - k1) x = 0: of the two solutions the one without cancellation. */
    double x = half >= 0 ? spread + half : h12, y = half >= 0 ? h12 : spread - half;
    double length = sqrt(x * x + y * y);
    wit_vec3 d = length > 0 ? addscaled3(scale3(x / length, t1), y / length, t2) : t1;
    f->direction1 = unit3(d);
}

wit_surface_forms wit_surface_forms_of(const wit_surface_jet* jet)
{
    wit_surface_forms f = {0};
    wit_vec3 tu = unit3(jet->du), tv = unit3(jet->dv), n = cross3(tu, tv);
    if (!(norm3(n) > PARALLEL) || at_pole(jet)) return f;
    f.has_normal = true;
    f.normal = unit3(n);
    f.E = dot3(jet->du, jet->du);
    f.F = dot3(jet->du, jet->dv);
    f.G = dot3(jet->dv, jet->dv);
    f.L = dot3(jet->duu, f.normal);
    f.M = dot3(jet->duv, f.normal);
    f.N = dot3(jet->dvv, f.normal);
    set_curvatures(jet, &f);
    return f;
}

/* ---- the normal at degenerate places ------------------------------------------------------- */

/* Directions that were found must agree to this. */
#define SAME_DIRECTION 1e-6

typedef struct agreement {
    wit_vec3 normal;
    bool any, all;
} agreement;

static void agree(agreement* a, wit_vec3 n, double size)
{
    if (!(norm3(n) > 1e-9 * size)) return;
    n = unit3(n);
    if (a->any && norm3(sub3(n, a->normal)) > SAME_DIRECTION) a->all = false;
    if (!a->any) a->normal = n;
    a->any = true;
}

/* Which ways lead into the range from x: bit 0 upwards, bit 1 downwards. Through a seam there is always a way. */
static int ways(double x, wit_interval range, bool closed)
{
    double near = 1e-9 * iv_width(range);
    if (closed) return 3;
    return (x < range.hi - near ? 1 : 0) | (x > range.lo + near ? 2 : 0);
}

/*
 * The limit of du x dv when the place is approached along (alpha, beta): to first order in the step
 *   alpha (duu x dv + du x duv) + beta (duv x dv + du x dvv),
 * and where that vanishes too (du = dv = 0)
 *   alpha^2 duu x duv + alpha beta duu x dvv + beta^2 duv x dvv.
 * There is a limit when all terms that do not vanish point the same way for all ways into the range.
 */
static bool limit_normal(const wit_surface* s, double u, double v, const wit_surface_jet* j, wit_vec3* out)
{
    double size = s->speed_u * s->speed_v, wu = iv_width(s->u), wv = iv_width(s->v);
    int up = ways(u, s->u, s->closed_u), vp = ways(v, s->v, s->closed_v);
    wit_vec3 a = scale3(wu, add3(cross3(j->duu, j->dv), cross3(j->du, j->duv)));
    wit_vec3 b = scale3(wv, add3(cross3(j->duv, j->dv), cross3(j->du, j->dvv)));
    agreement first = {{0, 0, 0}, false, true};
    for (int sign = 1; sign >= -1; sign -= 2) {
        int bit = sign > 0 ? 1 : 2;
        if (up & bit) agree(&first, scale3(sign, a), size);
        if (vp & bit) agree(&first, scale3(sign, b), size);
    }
    if (!first.any) {
        agree(&first, scale3(wu * wu, cross3(j->duu, j->duv)), size);
        agree(&first, scale3(wv * wv, cross3(j->duv, j->dvv)), size);
        wit_vec3 mixed = scale3(wu * wv, cross3(j->duu, j->dvv));
        for (int k = 0; k < 4; k++) {
            int ubit = k & 1 ? 2 : 1, vbit = k & 2 ? 2 : 1;
            if ((up & ubit) && (vp & vbit)) agree(&first, scale3(ubit == vbit ? 1 : -1, mixed), size);
        }
    }
    *out = first.normal;
    return first.any && first.all;
}

static bool closed_form_normal(const wit_surface* s, wit_interval u, wit_interval v, wit_vec3* out, double* spread)
{
    const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    wit_interval n[3];
    if (!s->ops->normals || !s->ops->normals(s, u, v, axes, n)) return false;
    *out = vec3(iv_mid(n[0]), iv_mid(n[1]), iv_mid(n[2]));
    double length = norm3(*out);
    *spread = fmax(iv_width(n[0]), fmax(iv_width(n[1]), iv_width(n[2]))) / (length > 0 ? length : 1);
    *out = unit3(*out);
    return true;
}

/* One parameter runs, the other is held at the place: a border that may be drawn together into a point. */
static bool border_agrees(const wit_surface* s, double u, double v, wit_direction along, wit_vec3 normal)
{
    enum { SAMPLES = 9 };
    wit_interval run = along == WIT_U ? s->u : s->v;
    for (int k = 0; k < SAMPLES; k++) {
        double x = run.lo + iv_width(run) * (k + 0.5) / SAMPLES;
        double au = along == WIT_U ? x : u, av = along == WIT_U ? v : x;
        wit_surface_jet j;
        wit_vec3 n;
        if (!(wi_surface_part(s, au, av, WIT_KNOT_DEFAULT, NULL, &j) & WIT_EVAL_DEGENERATE)) continue;
        wit_vec3 d = along == WIT_U ? j.du : j.dv;
        double speed = along == WIT_U ? s->speed_u : s->speed_v;
        if (norm3(d) > 1e-9 * speed) continue;
        if (!limit_normal(s, au, av, &j, &n) || norm3(sub3(n, normal)) > SAME_DIRECTION) return false;
    }
    return true;
}

/* The normal where the jet is `j`, with the flags `place`. */
static bool normal_at(const wit_surface* s, double u, double v, unsigned place, const wit_surface_jet* j, wit_vec3* out)
{
    *out = vec3(0, 0, 0);
    if (!(place & WIT_EVAL_DEGENERATE)) {
        *out = unit3(cross3(unit3(j->du), unit3(j->dv)));
        return dot3(*out, *out) > 0;
    }
    if (place & WIT_EVAL_INVALID) {
        u = isfinite(u) ? u : s->u.lo;
        v = isfinite(v) ? v : s->v.lo;
    }
    if (!s->closed_u) u = fmin(fmax(u, s->u.lo), s->u.hi);
    if (!s->closed_v) v = fmin(fmax(v, s->v.lo), s->v.hi);
    /* A pole has a normal when the field there is the same from every side. */
    wit_vec3 n;
    double spread;
    bool pole = norm3(j->du) <= 1e-9 * s->speed_u;
    if (pole && closed_form_normal(s, s->u, iv_point(v), &n, &spread) && spread <= SAME_DIRECTION)
        return closed_form_normal(s, iv_point(u), iv_point(v), out, &spread);
    if (pole && closed_form_normal(s, iv_point(u), iv_point(v), &n, &spread)) return false;
    if (!limit_normal(s, u, v, j, &n)) return false;
    if (pole && !border_agrees(s, u, v, WIT_U, n)) return false;
    if (norm3(j->dv) <= 1e-9 * s->speed_v && !border_agrees(s, u, v, WIT_V, n)) return false;
    *out = n;
    return true;
}

bool wit_surface_normal(const wit_surface* s, double u, double v, wit_vec3* out)
{
    wit_surface_jet j;
    unsigned place = wit_surface_eval(s, u, v, WIT_KNOT_DEFAULT, NULL, &j);
    return normal_at(s, u, v, place, &j, out);
}

bool wi_surface_part_normal(const wit_surface* s, double u, double v, wit_vec3* out)
{
    wit_surface_jet j;
    unsigned place = wi_surface_part(s, u, v, WIT_KNOT_DEFAULT, NULL, &j);
    return normal_at(s, u, v, place, &j, out);
}
