/* SPDX-License-Identifier: MIT */
/*
 * The jet of one spline cell, written once for all kernel sets. Included by kernel_portable.c and
 * kernel_avx2.c, each of which first defines
 *   KERNEL         attributes of a function that is always inlined
 *   KERNEL_ENTRY   attributes of a function that is called
 *   v4             four doubles (x, y, z, w)
 *   v4_load, v4_load2 (x, y, and zeros), v4_splat, v4_madd (a b + c), v4_nmadd (c - a b), v4_mul, v4_weight (w in all lanes), v4_reciprocal,
 *   v4_store (may spill a fourth value), v4_store3
 *
 * The cell is sum_ik c_ik s^i t^k with s, t in [-1/2, 1/2] about its middle. Horner's rule with
 * derivatives carries (f, f', f''/2): f''/2 <- f''/2 t + f', f' <- f' t + f, f <- f t + c. The first passes
 * through each accumulator are copies, not multiplications by zero. `inverse` is 1 / (length of the cell):
 * d/du = inverse d/ds.
 *
 * Rational cells carry (w x, w y, w z, w). With A = w S, in halves of second derivatives:
 *   S = A/w, S_s = (A_s - w_s S)/w, S_ss/2 = (A_ss/2 - w_s S_s - w_ss/2 S)/w, S_st = (A_st - w_s S_t - w_t S_s - w_st S)/w.
 */

/* Coefficient k: of four doubles, or of two. */
KERNEL v4 coefficient(const double* c, int k, bool flat)
{
    return flat ? v4_load2(c + 2 * k) : v4_load(c + 4 * k);
}

/* One Horner pass over `n` + 1 coefficients: value, first, half of second derivative. */
KERNEL void horner3(const double* c, int n, bool flat, v4 t, v4* f0, v4* f1, v4* f2)
{
    v4 a0 = coefficient(c, n, flat), a1 = v4_splat(0), a2 = v4_splat(0);
    for (int k = n - 1; k >= 0; --k) {
        a2 = k < n - 2 ? v4_madd(a2, t, a1) : a1;
        a1 = k < n - 1 ? v4_madd(a1, t, a0) : a0;
        a0 = v4_madd(a0, t, coefficient(c, k, flat));
    }
    *f0 = a0;
    *f1 = a1;
    *f2 = a2;
}

/* The sums over a cell: value, first derivatives, halves of the pure second ones. */
typedef struct surface_sums {
    v4 f, s, t, ss, st, tt;
} surface_sums;

/* From the sums to the jet. */
KERNEL void surface_end(surface_sums sum, bool rational, double inverse_u, double inverse_v, wit_surface_jet* out)
{
    v4 f = sum.f, fs = sum.s, ft = sum.t, fss = sum.ss, fst = sum.st, ftt = sum.tt;
    if (rational) {
        v4 ws = v4_weight(fs), wt = v4_weight(ft), iw = v4_reciprocal(v4_weight(f));
        f = v4_mul(f, iw);
        v4 ss = v4_nmadd(v4_weight(fss), f, fss);
        v4 st = v4_nmadd(v4_weight(fst), f, fst);
        v4 tt = v4_nmadd(v4_weight(ftt), f, ftt);
        fs = v4_mul(v4_nmadd(ws, f, fs), iw);
        ft = v4_mul(v4_nmadd(wt, f, ft), iw);
        fss = v4_mul(v4_nmadd(ws, fs, ss), iw);
        fst = v4_mul(v4_nmadd(wt, fs, v4_nmadd(ws, ft, st)), iw);
        ftt = v4_mul(v4_nmadd(wt, ft, tt), iw);
    }
    double* o = (double*)(void*)out; /* in order: each store's spill is overwritten by the next */
    v4_store(o, f);
    v4_store(o + 3, v4_mul(fs, v4_splat(inverse_u)));
    v4_store(o + 6, v4_mul(ft, v4_splat(inverse_v)));
    v4_store(o + 9, v4_mul(fss, v4_splat(2 * inverse_u * inverse_u)));
    v4_store(o + 12, v4_mul(fst, v4_splat(inverse_u * inverse_v)));
    v4_store3(o + 15, v4_mul(ftt, v4_splat(2 * inverse_v * inverse_v)));
}

KERNEL void surface_body(const double* c, int p, int q, bool rational, double s, double t, double inverse_u,
                         double inverse_v, wit_surface_jet* out)
{
    v4 zero = v4_splat(0), vs = v4_splat(s), vt = v4_splat(t);
    v4 f = zero, fs = zero, fss = zero, ft = zero, fst = zero, ftt = zero;
    for (int i = p; i >= 0; --i) {
        v4 r0, r1, r2;
        horner3(c + i * (q + 1) * 4, q, false, vt, &r0, &r1, &r2);
        fss = i < p - 2 ? v4_madd(fss, vs, fs) : fs;
        fs = i < p - 1 ? v4_madd(fs, vs, f) : f;
        f = i < p ? v4_madd(f, vs, r0) : r0;
        fst = i < p - 1 ? v4_madd(fst, vs, ft) : ft;
        ft = i < p ? v4_madd(ft, vs, r1) : r1;
        ftt = i < p ? v4_madd(ftt, vs, r2) : r2;
    }
    surface_sums sum = {f, fs, ft, fss, fst, ftt};
    surface_end(sum, rational, inverse_u, inverse_v, out);
}

KERNEL void curve_end(v4 f, v4 ft, v4 ftt, bool rational, double inverse, wit_curve_jet* out)
{
    if (rational) {
        v4 wt = v4_weight(ft), iw = v4_reciprocal(v4_weight(f));
        f = v4_mul(f, iw);
        v4 tt = v4_nmadd(v4_weight(ftt), f, ftt);
        ft = v4_mul(v4_nmadd(wt, f, ft), iw);
        ftt = v4_mul(v4_nmadd(wt, ft, tt), iw);
    }
    double* o = (double*)(void*)out;
    v4_store(o, f);
    v4_store(o + 3, v4_mul(ft, v4_splat(inverse)));
    v4_store3(o + 6, v4_mul(ftt, v4_splat(2 * inverse * inverse)));
}

/* What the coefficients of a curve are. */
typedef enum curve_form { CURVE_POLYNOMIAL, CURVE_RATIONAL, CURVE_FLAT } curve_form;

KERNEL void curve_body(const double* c, int p, curve_form form, double t, double inverse, wit_curve_jet* out)
{
    v4 f, ft, ftt;
    horner3(c, p, form == CURVE_FLAT, v4_splat(t), &f, &ft, &ftt);
    curve_end(f, ft, ftt, form == CURVE_RATIONAL, inverse, out);
}

/*
 * Above POWER_DEGREE_MOST powers lose digits (2^n / sqrt n of them at the ends of the cell), and the cell is its Bezier net, with
 * x = 1/2 + t: sum_j B_j(x) b_j, where every B_j >= 0 and errors are those of the net. `basis` holds B_j, its derivative and
 * half of its second: B'_j = n (B_(j-1) - B_j) of degree n - 1, B''_j = n (n - 1) (B_(j-2) - 2 B_(j-1) + B_j) of degree n - 2.
 */
enum { BASIS = WIT_MAX_DEGREE + 1 };

KERNEL void bezier_basis(int n, double t, double basis[3][BASIS])
{
    double x = 0.5 + t, y = 0.5 - t, *b = basis[0];
    for (int j = 0; j <= n; ++j) b[j] = basis[1][j] = basis[2][j] = 0;
    b[0] = 1;
    for (int level = 0; level < n; ++level) {
        for (int j = 0; level == n - 2 && j <= n; ++j) {
            double second = b[j] - 2 * (j > 0 ? b[j - 1] : 0) + (j > 1 ? b[j - 2] : 0);
            basis[2][j] = 0.5 * n * (n - 1) * second;
        }
        for (int j = 0; level == n - 1 && j <= n; ++j) basis[1][j] = n * ((j > 0 ? b[j - 1] : 0) - b[j]);
        for (int j = level + 1; j > 0; --j) b[j] = y * b[j] + x * b[j - 1];
        b[0] *= y;
    }
}

KERNEL void bezier_sum3(const double* c, int n, bool flat, double basis[3][BASIS], v4 f[3])
{
    for (int k = 0; k < 3; ++k) f[k] = v4_splat(0);
    for (int j = 0; j <= n; ++j)
        for (int k = 0; k < 3; ++k) f[k] = v4_madd(v4_splat(basis[k][j]), coefficient(c, j, flat), f[k]);
}

#define SURFACE_ENTRY(name, body, p, q, rational)                                                                      \
    KERNEL_ENTRY unsigned name(const double* c, int du, int dv, double s, double t, double iu, double iv_,             \
                               wit_surface_jet* out)                                                                   \
    {                                                                                                                  \
        (void)du;                                                                                                      \
        (void)dv;                                                                                                      \
        body(c, p, q, rational, s, t, iu, iv_, out);                                                                   \
        return WIT_EVAL_REGULAR;                                                                                       \
    }

/* The degrees of real parts get a kernel of their own, in which all loops are unrolled. */
#define SURFACE_KERNEL(p, q)                                                                                           \
    SURFACE_ENTRY(surface_##p##q, surface_body, p, q, false)                                                           \
    SURFACE_ENTRY(surface_##p##q##r, surface_body, p, q, true)

SURFACE_KERNEL(1, 1)
SURFACE_KERNEL(1, 2)
SURFACE_KERNEL(1, 3)
SURFACE_KERNEL(2, 1)
SURFACE_KERNEL(2, 2)
SURFACE_KERNEL(2, 3)
SURFACE_KERNEL(3, 1)
SURFACE_KERNEL(3, 2)
SURFACE_KERNEL(3, 3)

KERNEL void surface_bezier_body(const double* c, int p, int q, bool rational, double s, double t, double iu, double iv_,
                                wit_surface_jet* out)
{
    double along_u[3][BASIS], along_v[3][BASIS];
    v4 zero = v4_splat(0), f = zero, fs = zero, fss = zero, ft = zero, fst = zero, ftt = zero;
    bezier_basis(p, s, along_u);
    bezier_basis(q, t, along_v);
    for (int i = 0; i <= p; ++i) {
        v4 r[3], b0 = v4_splat(along_u[0][i]), b1 = v4_splat(along_u[1][i]), b2 = v4_splat(along_u[2][i]);
        bezier_sum3(c + i * (q + 1) * 4, q, false, along_v, r);
        f = v4_madd(b0, r[0], f);
        fs = v4_madd(b1, r[0], fs);
        fss = v4_madd(b2, r[0], fss);
        ft = v4_madd(b0, r[1], ft);
        fst = v4_madd(b1, r[1], fst);
        ftt = v4_madd(b0, r[2], ftt);
    }
    surface_sums sum = {f, fs, ft, fss, fst, ftt};
    surface_end(sum, rational, iu, iv_, out);
}

SURFACE_ENTRY(surface_any, surface_body, du, dv, false)
SURFACE_ENTRY(surface_anyr, surface_body, du, dv, true)
SURFACE_ENTRY(surface_bezier, surface_bezier_body, du, dv, false)
SURFACE_ENTRY(surface_bezierr, surface_bezier_body, du, dv, true)

KERNEL void curve_bezier_body(const double* c, int p, curve_form form, double t, double inverse, wit_curve_jet* out)
{
    double basis[3][BASIS];
    v4 f[3];
    bezier_basis(p, t, basis);
    bezier_sum3(c, p, form == CURVE_FLAT, basis, f);
    curve_end(f[0], f[1], f[2], form == CURVE_RATIONAL, inverse, out);
}

#define CURVE_ENTRY(name, body, form)                                                                                  \
    KERNEL_ENTRY void name(const double* c, int p, double t, double inverse, wit_curve_jet* out)                       \
    {                                                                                                                  \
        body(c, p, form, t, inverse, out);                                                                             \
    }

CURVE_ENTRY(curve_any, curve_body, CURVE_POLYNOMIAL)
CURVE_ENTRY(curve_anyr, curve_body, CURVE_RATIONAL)
CURVE_ENTRY(curve_flat, curve_body, CURVE_FLAT)
CURVE_ENTRY(curve_bezier, curve_bezier_body, CURVE_POLYNOMIAL)
CURVE_ENTRY(curve_bezierr, curve_bezier_body, CURVE_RATIONAL)
CURVE_ENTRY(curve_bezier_flat, curve_bezier_body, CURVE_FLAT)

static surface_kernel* choose_surface(int p, int q, bool rational)
{
    static surface_kernel* const own[3][3][2] = {
        {{surface_11, surface_11r}, {surface_12, surface_12r}, {surface_13, surface_13r}},
        {{surface_21, surface_21r}, {surface_22, surface_22r}, {surface_23, surface_23r}},
        {{surface_31, surface_31r}, {surface_32, surface_32r}, {surface_33, surface_33r}},
    };
    if (!in_powers(p) || !in_powers(q)) return rational ? surface_bezierr : surface_bezier;
    if (p <= 3 && q <= 3) return own[p - 1][q - 1][rational];
    return rational ? surface_anyr : surface_any;
}

static curve_kernel* choose_curve(int p, bool rational, bool flat)
{
    if (flat) return in_powers(p) ? curve_flat : curve_bezier_flat;
    if (!in_powers(p)) return rational ? curve_bezierr : curve_bezier;
    return rational ? curve_anyr : curve_any;
}
