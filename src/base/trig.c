/* SPDX-License-Identifier: MIT */
/*
 * Sine, cosine, atan2, exp, sinh, cosh with the same bits on every machine. Only IEEE + - * /,
 * comparisons, work on the bits of a double and fmod (exact) are used, in an order the source fixes;
 * no fused operations. Polynomials are summed in pairs (Estrin), which is also the order fixed here.
 *
 * u below is half a unit in the last place of 1: 2^-53.
 */
#include <math.h>
#include <string.h>

#include "../../include/witness/base.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#if defined(__GNUC__)
#define OUT_OF_LINE __attribute__((noinline))
#else
#define OUT_OF_LINE
#endif

#define SIGN_BIT 0x8000000000000000u
/* Adding this to |x| < 2^50 rounds x to an integer (to even), which then stands in the low bits. */
#define ROUNDER 0x1.8p52

static inline uint64_t bits_of(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static inline double from_bits(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* 2^k, -1022 <= k <= 1023 */
static inline double power_of_two(int k)
{
    return from_bits((uint64_t)(k + 1023) << 52);
}

static inline double with_sign_of(double magnitude, double sign)
{
    return from_bits(bits_of(magnitude) | (bits_of(sign) & SIGN_BIT));
}

/* ---- sine and cosine ----------------------------------------------------------------------- */

/* pi/2 = HALF_PI_1 + .. + HALF_PI_4 to 2^-159. The first three have 33 bits: times |k| < 2^20 they are exact. */
#define HALF_PI_1 0x1.921fb544p+0
#define HALF_PI_2 0x1.0b4611a6p-34
#define HALF_PI_3 0x1.3198a2ep-69
#define HALF_PI_4 0x1.b839a252049c1p-104
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define TWO_PI_NEAREST 0x1.921fb54442d18p+2

/*
 * x = k pi/2 + r + e, |r| <= pi/4, |e| <= ulp(r)/2. x - k P1 is exact (the two are within a factor of 2);
 * it and all differences after it are multiples of the last bit of what is subtracted next, so that
 * (a - b, error) by two subtractions is exact whichever is larger. What is left is the rounding of
 * k P4: 2^-137, beside |r| >= 2^-60.5 (at k = 29) for every double up to 1e6 with k > 0.
 *
 * sin(r + e) = r + (r^3 S(r^2) + e (1 - r^2/2)), relative error of S in it 2^-68
 * cos(r + e) = 1 - r^2/2 + (r^4 C(r^2) - r e),   absolute error of C in it 2^-64
 * Rounding is the rest: near pi/4 the four roundings of r^3 S and those of r^2/2 add 0.3 units to the last one.
 */
static inline void sincos_near(double size, uint64_t sign, double* sine, double* cosine)
{
    double shifted = size * TWO_OVER_PI + ROUNDER;
    double k = shifted - ROUNDER;
    uint64_t quadrant = bits_of(shifted);
    double a = size - k * HALF_PI_1;
    double p2 = k * HALF_PI_2, p3 = k * HALF_PI_3;
    double b = a - p2;
    double r = b - p3;
    double e = (((a - b) - p2) - k * HALF_PI_4) + ((b - r) - p3);

    double z = r * r, zz = z * z;
    double s = (-0x1.5555555555555p-3 + z * 0x1.111111111110bp-7) +
               zz * ((-0x1.a01a01a018a6ap-13 + z * 0x1.71de3a533050dp-19) +
                     zz * ((-0x1.ae64528d30a61p-26 + z * 0x1.61208c157c47bp-33) + zz * -0x1.aaa22dbfeecd7p-41));
    double c = (0x1.555555555554cp-5 + z * -0x1.6c16c16c15181p-10) +
               zz * ((0x1.a01a019cb2165p-16 + z * -0x1.27e4f80a337dbp-22) +
                     zz * (0x1.1ee9ec187433p-29 + z * -0x1.8faeb5d6b2918p-37));

    double half = 0.5 * z, head = 1 - half;
    double sin_r = r + ((r * z) * s + e * head);
    double cos_r = head + (((1 - head) - half) + (zz * c - r * e));

    /* k mod 4: odd swaps; the sine changes sign at 2 and 3, the cosine at 1 and 2. */
    uint64_t sb = bits_of(sin_r), cb = bits_of(cos_r), swap = (sb ^ cb) & (0 - (quadrant & 1));
    *sine = from_bits(sb ^ swap ^ (quadrant >> 1 << 63) ^ sign);
    *cosine = from_bits(cb ^ swap ^ ((quadrant + 1) >> 1 << 63));
}

/* Out of line, so that the usual case saves no registers for the call of fmod. */
OUT_OF_LINE static void sincos_far(double size, uint64_t sign, double* sine, double* cosine)
{
    sincos_near(fmod(size, TWO_PI_NEAREST), sign, sine, cosine);
}

void wit_sincos(double x, double* sine, double* cosine)
{
    double size = fabs(x);
    uint64_t sign = bits_of(x) & SIGN_BIT;
    if (size <= 1e6)
        sincos_near(size, sign, sine, cosine);
    else
        sincos_far(size, sign, sine, cosine);
}

/* ---- atan2 --------------------------------------------------------------------------------- */

/* atan(k/32) is the sum of its head and its tail. */
static const double atan_head[33] = {0x0.0p+0,
                                     0x1.ffd55bba97625p-6,
                                     0x1.ff55bb72cfdeap-5,
                                     0x1.7ee182602f10fp-4,
                                     0x1.fd5ba9aac2f6ep-4,
                                     0x1.3d6eee8c6626cp-3,
                                     0x1.7b97b4bce5b02p-3,
                                     0x1.b90d7529260a2p-3,
                                     0x1.f5b75f92c80ddp-3,
                                     0x1.18bf5a30bf178p-2,
                                     0x1.362773707ebccp-2,
                                     0x1.530ad9951cd4ap-2,
                                     0x1.6f61941e4def1p-2,
                                     0x1.8b24d394a1b25p-2,
                                     0x1.a64eec3cc23fdp-2,
                                     0x1.c0db4c94ec9fp-2,
                                     0x1.dac670561bb4fp-2,
                                     0x1.f40dd0b541418p-2,
                                     0x1.0657e94db30dp-1,
                                     0x1.1255d9bfbd2a9p-1,
                                     0x1.1e00babdefeb4p-1,
                                     0x1.2958e59308e31p-1,
                                     0x1.345f01cce37bbp-1,
                                     0x1.3f13fb89e96f4p-1,
                                     0x1.4978fa3269ee1p-1,
                                     0x1.538f57b89061fp-1,
                                     0x1.5d58987169b18p-1,
                                     0x1.66d663923e087p-1,
                                     0x1.700a7c5784634p-1,
                                     0x1.78f6bbd5d315ep-1,
                                     0x1.819d0b7158a4dp-1,
                                     0x1.89ff5ff57f1f8p-1,
                                     0x1.921fb54442d18p-1};
static const double atan_tail[33] = {0x0.0p+0,
                                     -0x1.5ec431444912cp-60,
                                     -0x1.c934d86d23f1dp-60,
                                     -0x1.cfb654c0c3d98p-58,
                                     -0x1.cd37686760c17p-59,
                                     0x1.61a3b0ce9281bp-57,
                                     0x1.347b0b4f881cap-58,
                                     0x1.17b10d2e0e5abp-61,
                                     0x1.8ab6e3cf7afbdp-57,
                                     0x1.30ca4748b1bf9p-57,
                                     -0x1.963a544b672d8p-57,
                                     -0x1.2566480884082p-57,
                                     -0x1.c63aae6f6e918p-56,
                                     0x1.b6d0ba3748fa8p-56,
                                     -0x1.24dec1b50b7ffp-56,
                                     -0x1.cc1ce70934c34p-56,
                                     0x1.a2b7f222f65e2p-56,
                                     -0x1.a3992dc382a23p-57,
                                     -0x1.d5b495f6349e6p-56,
                                     -0x1.2bdaee1c0ee35p-58,
                                     -0x1.928df287a668fp-58,
                                     -0x1.09e73b0c6c087p-56,
                                     0x1.1021137c71102p-55,
                                     0x1.ecf8b492644fp-56,
                                     0x1.2419a87f2a458p-56,
                                     -0x1.1bb74abda520cp-55,
                                     0x1.0028e4bc5e7cap-57,
                                     -0x1.6ea6febe8bbbap-56,
                                     -0x1.8c34d25aadef6p-56,
                                     0x1.406a08980374p-55,
                                     -0x1.bf76229d3b917p-56,
                                     -0x1.55b9a5e177a1bp-55,
                                     0x1.1a62633145c07p-55};

#define HALF_PI_HEAD 0x1.921fb54442d18p+0
#define HALF_PI_TAIL 0x1.1a62633145c07p-54

/* atan(v) - v for |v| <= 1/16; the first term left out is below 2^-59 |v|. */
static inline double atan_rest(double v)
{
    double z = v * v, zz = z * z;
    return (v * z) * ((-0x1.5555555555555p-2 + z * 0x1.999999999999ap-3) +
                      zz * ((-0x1.2492492492492p-3 + z * 0x1.c71c71c71c71cp-4) +
                            zz * (-0x1.745d1745d1746p-4 + z * 0x1.3b13b13b13b14p-4)));
}

/*
 * With 0 <= n <= m the two magnitudes, t = n/m:
 *   t < 1/16: atan(t) = t + rest(t).
 *   else c = k/32 nearest to t, atan(t) = atan(c) + atan(v), v = (n - c m)/(m + c n), |v| <= 1/64.
 * c m is exact in two products (m cut to 47 bits, c has at most 6); n - c m is then rounded once. v carries
 * at most 2.5 u, and it is at most a quarter of the result. The octant adds 0, pi/2 or pi with its tail.
 * The largest error, below 1.5 units, is at t just above a power of two: half a unit of t is a whole one of atan(t).
 */
double wit_atan2(double y, double x)
{
    if (x != x || y != y) return x + y;
    double ax = fabs(x), ay = fabs(y);
    bool steep = ay > ax, left = (bits_of(x) & SIGN_BIT) != 0;
    double m = steep ? ay : ax, n = steep ? ax : ay;
    if (m == 0 || m > 0x1.fffffffffffffp1023) { /* annex F: zeros count as 0/1, two infinities as 1/1 */
        n = m > 0 && n == m ? 1 : 0;
        m = 1;
    }
    double t = n / m, v = t, head = 0, tail = 0;
    if (t >= 0.0625) {
        if (m > 0x1p1000 || m < 0x1p-900) { /* both are of this size: scaling is exact */
            double scale = m > 1 ? 0x1p-200 : 0x1p200;
            m *= scale;
            n *= scale;
        }
        int k = (int)(t * 32 + 0.5);
        double c = k * 0.03125, upper = from_bits(bits_of(m) & ~(uint64_t)63);
        v = ((n - c * upper) - c * (m - upper)) / (m + c * n);
        head = atan_head[k];
        tail = atan_tail[k];
    }
    /* steep: pi/2 -+ atan(t), right and left; flat: 0 + atan(t), pi - atan(t). |base| >= |head| or base is 0. */
    double multiple = steep ? 1 : left ? 2 : 0, turn = steep != left ? -1 : 1;
    double base = multiple * HALF_PI_HEAD, sum = base + turn * head;
    double lost = (base - sum) + turn * head;
    double low = lost + (multiple * HALF_PI_TAIL + turn * (tail + atan_rest(v)));
    return with_sign_of(sum + (turn * v + low), y);
}

/* ---- exp, sinh, cosh ----------------------------------------------------------------------- */

#define LN2_1 0x1.62e42fefa4p-1 /* 39 bits: times |k| < 2^13 exact */
#define LN2_2 -0x1.8432a1b0e2634p-43
#define ONE_OVER_LN2 0x1.71547652b82fep+0

/* e^x = (head + tail) 2^k for |x| <= 800: x = k ln 2 + r + e, e^(r + e) = 1 + r + (r^2 E(r) + e), E to 2^-61. */
static inline int exp_parts(double x, double* head, double* tail)
{
    double shifted = x * ONE_OVER_LN2 + ROUNDER;
    double k = shifted - ROUNDER;
    double a = x - k * LN2_1, p = k * LN2_2;
    double r = a - p, e = (a - r) - p;

    double z = r * r, zz = z * z;
    double low = (0.5 + r * 0x1.5555555555557p-3) + z * (0x1.5555555555556p-5 + r * 0x1.11111111100dcp-7);
    double mid =
        (0x1.6c16c16c162d4p-10 + r * 0x1.a01a01abe7fe1p-13) + z * (0x1.a01a01a6d889cp-16 + r * 0x1.71de0231960ebp-19);
    double high = (0x1.27e4db646b17ep-22 + r * 0x1.af4de97ca4194p-26) + z * 0x1.1f730349868cep-29;
    double sum = 1 + r;
    *head = sum;
    *tail = (r - (sum - 1)) + (e + z * (low + zz * (mid + zz * high)));
    return (int)k;
}

/* x 2^k with one rounding, -2000 < k < 2000: no step before the last can leave the normal numbers for x about 1. */
static inline double scaled(double x, int k)
{
    int half = k / 2;
    return x * power_of_two(half) * power_of_two(k - half);
}

/* Beyond +-800 every result here is infinite or zero. */
static inline double limited(double x)
{
    return x > 800 ? 800 : x < -800 ? -800 : x;
}

double wit_exp(double x)
{
    if (x != x) return x;
    double head, tail;
    int k = exp_parts(limited(x), &head, &tail);
    return scaled(head + tail, k);
}

/* sinh(x) - x for |x| <= 1, Taylor; the first term left out is below 2^-65 x. */
static inline double sinh_rest(double x)
{
    double z = x * x, zz = z * z;
    return (x * z) *
           ((0x1.5555555555555p-3 + z * 0x1.1111111111111p-7) +
            zz * ((0x1.a01a01a01a01ap-13 + z * 0x1.71de3a556c734p-19) +
                  zz * ((0x1.ae64567f544e4p-26 + z * 0x1.6124613a86d09p-33) +
                        zz * ((0x1.ae7f3e733b81fp-41 + z * 0x1.952c77030ad4ap-49) + zz * 0x1.2f49b46814157p-57))));
}

/* With e^|x| = (h + t) 2^k: cosh = (h + t) 2^(k-1) + 2^(-k-1)/(h + t). The second is left out from k = 60 on. */
void wit_sinhcosh(double x, double* hyperbolic_sine, double* hyperbolic_cosine)
{
    if (x != x) {
        *hyperbolic_sine = *hyperbolic_cosine = x;
        return;
    }
    double size = limited(fabs(x)), head, tail;
    int k = exp_parts(size, &head, &tail);
    double inverse = k < 60 ? 1 / (head + tail) * power_of_two(-2 * k) : 0; /* in units of 2^(k-1) */
    double sine = scaled(head + (tail - inverse), k - 1);
    *hyperbolic_cosine = scaled(head + (tail + inverse), k - 1);
    if (size < 1) sine = size + sinh_rest(size);
    *hyperbolic_sine = with_sign_of(sine, x);
}
