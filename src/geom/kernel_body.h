/* SPDX-License-Identifier: MIT */
/*
 * The jet of one spline cell, written once for all kernel sets. Included by kernel_portable.c and
 * kernel_avx2.c, each of which first defines
 *   KERNEL         attributes of a function that is always inlined
 *   KERNEL_ENTRY   attributes of a function that is called
 *   v4             four doubles (x, y, z, w)
 *   v4_load, v4_splat, v4_madd (a b + c), v4_nmadd (c - a b), v4_mul, v4_weight (w in all lanes), v4_reciprocal,
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

/* One Horner pass over `n` + 1 coefficients `stride` doubles apart: value, first, half of second derivative. */
KERNEL void horner3(const double* c, int n, int stride, v4 t, v4* f0, v4* f1, v4* f2)
{
    v4 a0 = v4_load(c + n * stride), a1 = v4_splat(0), a2 = v4_splat(0);
    for (int k = n - 1; k >= 0; --k) {
        a2 = k < n - 2 ? v4_madd(a2, t, a1) : a1;
        a1 = k < n - 1 ? v4_madd(a1, t, a0) : a0;
        a0 = v4_madd(a0, t, v4_load(c + k * stride));
    }
    *f0 = a0;
    *f1 = a1;
    *f2 = a2;
}

KERNEL void surface_body(const double* c, int p, int q, bool rational, double s, double t, double inverse_u,
                         double inverse_v, wit_surface_jet* out)
{
    v4 zero = v4_splat(0), vs = v4_splat(s), vt = v4_splat(t);
    v4 f = zero, fs = zero, fss = zero, ft = zero, fst = zero, ftt = zero;
    for (int i = p; i >= 0; --i) {
        v4 r0, r1, r2;
        horner3(c + i * (q + 1) * 4, q, 4, vt, &r0, &r1, &r2);
        fss = i < p - 2 ? v4_madd(fss, vs, fs) : fs;
        fs = i < p - 1 ? v4_madd(fs, vs, f) : f;
        f = i < p ? v4_madd(f, vs, r0) : r0;
        fst = i < p - 1 ? v4_madd(fst, vs, ft) : ft;
        ft = i < p ? v4_madd(ft, vs, r1) : r1;
        ftt = i < p ? v4_madd(ftt, vs, r2) : r2;
    }
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

KERNEL void curve_body(const double* c, int p, bool rational, double t, double inverse, wit_curve_jet* out)
{
    v4 f, ft, ftt;
    horner3(c, p, 4, v4_splat(t), &f, &ft, &ftt);
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

/* The degrees of real parts get a kernel of their own, in which all loops are unrolled. */
#define SURFACE_KERNEL(p, q)                                                                                           \
    KERNEL_ENTRY unsigned surface_##p##q(const double* c, int du, int dv, double s, double t, double iu, double iv_,   \
                                         wit_surface_jet* out)                                                         \
    {                                                                                                                  \
        (void)du;                                                                                                      \
        (void)dv;                                                                                                      \
        surface_body(c, p, q, false, s, t, iu, iv_, out);                                                              \
        return WIT_EVAL_REGULAR;                                                                                       \
    }                                                                                                                  \
    KERNEL_ENTRY unsigned surface_##p##q##r(const double* c, int du, int dv, double s, double t, double iu,            \
                                            double iv_, wit_surface_jet* out)                                          \
    {                                                                                                                  \
        (void)du;                                                                                                      \
        (void)dv;                                                                                                      \
        surface_body(c, p, q, true, s, t, iu, iv_, out);                                                               \
        return WIT_EVAL_REGULAR;                                                                                       \
    }

SURFACE_KERNEL(1, 1)
SURFACE_KERNEL(1, 2)
SURFACE_KERNEL(1, 3)
SURFACE_KERNEL(2, 1)
SURFACE_KERNEL(2, 2)
SURFACE_KERNEL(2, 3)
SURFACE_KERNEL(3, 1)
SURFACE_KERNEL(3, 2)
SURFACE_KERNEL(3, 3)

KERNEL_ENTRY unsigned surface_any(const double* c, int p, int q, double s, double t, double iu, double iv_,
                                  wit_surface_jet* out)
{
    surface_body(c, p, q, false, s, t, iu, iv_, out);
    return WIT_EVAL_REGULAR;
}

KERNEL_ENTRY unsigned surface_anyr(const double* c, int p, int q, double s, double t, double iu, double iv_,
                                   wit_surface_jet* out)
{
    surface_body(c, p, q, true, s, t, iu, iv_, out);
    return WIT_EVAL_REGULAR;
}

KERNEL_ENTRY void curve_any(const double* c, int p, double t, double inverse, wit_curve_jet* out)
{
    curve_body(c, p, false, t, inverse, out);
}

KERNEL_ENTRY void curve_anyr(const double* c, int p, double t, double inverse, wit_curve_jet* out)
{
    curve_body(c, p, true, t, inverse, out);
}

static surface_kernel* choose_surface(int p, int q, bool rational)
{
    static surface_kernel* const own[3][3][2] = {
        {{surface_11, surface_11r}, {surface_12, surface_12r}, {surface_13, surface_13r}},
        {{surface_21, surface_21r}, {surface_22, surface_22r}, {surface_23, surface_23r}},
        {{surface_31, surface_31r}, {surface_32, surface_32r}, {surface_33, surface_33r}},
    };
    if (p <= 3 && q <= 3) return own[p - 1][q - 1][rational];
    return rational ? surface_anyr : surface_any;
}

static curve_kernel* choose_curve(bool rational)
{
    return rational ? curve_anyr : curve_any;
}
