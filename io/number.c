/* SPDX-License-Identifier: MIT */
#include "number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * Value = digits * 10^exponent. A double and its neighbours differ from any halfway point within their
 * first 768 digits; what follows matters only by being zero or not, so one digit 1 stands for it.
 */
enum { MAX_DIGITS = 770, LIMBS = 160 }; /* 160 * 32 bits > log2(10^(770 + 345)) + 64 */

typedef struct decimal {
    bool negative;
    int count;        /* significant digits, no leading zeros */
    int64_t exponent; /* of the last digit */
    uint64_t head;    /* the digits as one integer, when count <= 19 */
    unsigned char digit[MAX_DIGITS + 1];
} decimal;

static void decimal_push(decimal* d, int digit, bool* dropped)
{
    if (d->count == 0 && digit == 0) return;
    if (d->count < MAX_DIGITS) {
        d->digit[d->count++] = (unsigned char)digit;
        if (d->count <= 19) d->head = 10 * d->head + (uint64_t)digit;
    } else {
        d->exponent++;
        if (digit) *dropped = true;
    }
}

static void decimal_scan(const char* s, size_t bytes, decimal* d)
{
    const char* end = s + bytes;
    bool dropped = false;
    memset(d, 0, offsetof(decimal, digit));
    if (s < end && *s == '-') {
        d->negative = true;
        s++;
    }
    for (; s < end && *s >= '0' && *s <= '9'; s++) decimal_push(d, *s - '0', &dropped);
    if (s < end && *s == '.') {
        for (s++; s < end && *s >= '0' && *s <= '9'; s++) {
            decimal_push(d, *s - '0', &dropped);
            d->exponent--;
        }
    }
    if (s < end && (*s == 'e' || *s == 'E')) {
        s++;
        bool minus = s < end && *s == '-';
        if (s < end && (*s == '-' || *s == '+')) s++;
        int64_t e = 0;
        for (; s < end; s++) {
            if (e < INT64_C(1000000000000)) e = 10 * e + (*s - '0');
        }
        d->exponent += minus ? -e : e;
    }
    if (dropped) {
        d->digit[d->count++] = 1;
        d->exponent--;
    }
}

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/*
 * Up to 19 digits and |exponent| <= 66: head * 10^exponent as an unevaluated sum hi + lo. The powers
 * up to 10^22 are exact, each of at most three products or quotients adds less than 2^-102, so the sum is
 * good to 2^-99. False when that is too near to halfway between two doubles to tell.
 */
static bool read_fast(const decimal* d, double* out)
{
    if (d->count > 19 || d->exponent < -66 || d->exponent > 66) return false;
    double hi = (double)d->head;
    /* (double)head may be 2^64, one more than fits; the difference is at most 2^11 either way. */
    double lo = hi >= 0x1p64 ? -(double)(UINT64_MAX - d->head + 1) : (double)(int64_t)(d->head - (uint64_t)hi);
    int e = (int)(d->exponent < 0 ? -d->exponent : d->exponent);
    while (e > 0) {
        double p = power_of_ten[e < 22 ? e : 22];
        double a, b;
        if (d->exponent > 0) {
            a = hi * p;
            b = fma(hi, p, -a) + lo * p;
        } else {
            a = hi / p;
            b = (fma(-a, p, hi) + lo) / p;
        }
        hi = a + b;
        lo = b - (hi - a);
        e -= 22;
    }
    double margin = hi * 0x1p-99;
    if (hi + (lo - margin) != hi || hi + (lo + margin) != hi) return false;
    *out = hi;
    return true;
}

/* An unsigned integer, least limb first. */
typedef struct big {
    int n;
    uint32_t limb[LIMBS];
} big;

static void big_times_plus(big* x, uint32_t factor, uint32_t term)
{
    uint64_t carry = term;
    for (int i = 0; i < x->n; i++) {
        carry += (uint64_t)x->limb[i] * factor;
        x->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) x->limb[x->n++] = (uint32_t)carry;
}

static void big_times_ten_to(big* x, int64_t e)
{
    for (; e >= 9; e -= 9) big_times_plus(x, 1000000000u, 0);
    for (; e > 0; e--) big_times_plus(x, 10, 0);
}

static int big_bits(const big* x)
{
    int bits = 32 * (x->n - 1);
    for (uint32_t top = x->limb[x->n - 1]; top; top >>= 1) bits++;
    return bits;
}

static void big_shift_up(big* x, int bits)
{
    int limbs = bits / 32, rest = bits % 32;
    memmove(x->limb + limbs, x->limb, (size_t)x->n * sizeof x->limb[0]);
    memset(x->limb, 0, (size_t)limbs * sizeof x->limb[0]);
    x->n += limbs;
    if (rest) big_times_plus(x, UINT32_C(1) << rest, 0);
}

static int big_compare(const big* a, const big* b)
{
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--) {
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    }
    return 0;
}

/* a -= b, a >= b */
static void big_subtract(big* a, const big* b)
{
    int64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        int64_t t = (int64_t)a->limb[i] - (i < b->n ? (int64_t)b->limb[i] : 0) + borrow;
        borrow = t < 0 ? -1 : 0;
        a->limb[i] = (uint32_t)t;
    }
    while (a->n > 0 && a->limb[a->n - 1] == 0) a->n--;
}

/*
 * The exact way: the quotient of two integers, bit by bit. With s chosen so that 1 <= q = above / below * 2^-s < 2,
 * 53 bits of q (fewer where the result is subnormal) are taken, the remainder decides the rounding.
 */
static double read_exact(const decimal* d)
{
    big above = {0, {0}}, below = {1, {1}};
    for (int i = 0; i < d->count; i++) big_times_plus(&above, 10, d->digit[i]);
    if (d->exponent > 0)
        big_times_ten_to(&above, d->exponent);
    else
        big_times_ten_to(&below, -d->exponent);

    int s = big_bits(&above) - big_bits(&below);
    if (s >= 0)
        big_shift_up(&below, s);
    else
        big_shift_up(&above, -s);
    if (big_compare(&above, &below) < 0) {
        big_shift_up(&above, 1);
        s--;
    }
    int bits = s < -1022 ? 53 - (-1022 - s) : 53;
    if (bits < 0) return 0;
    uint64_t q = 0;
    for (int i = 0; i < bits; i++) {
        q <<= 1;
        if (big_compare(&above, &below) >= 0) {
            big_subtract(&above, &below);
            q |= 1;
        }
        big_shift_up(&above, 1);
    }
    /* The remainder stands doubled against the half of the last bit: compare with below. */
    int half = big_compare(&above, &below);
    if (half > 0 || (half == 0 && (q & 1))) q++;
    return ldexp((double)q, s - bits + 1);
}

bool wi_number_read(const char* text, size_t bytes, double* out)
{
    decimal d;
    decimal_scan(text, bytes, &d);
    double x = 0;
    if (d.count > 0) {
        /* x lies in [10^(count + exponent - 1), 10^(count + exponent)) */
        int64_t top = d.count + d.exponent;
        if (top > 310) return false;
        if (top > -326 && !read_fast(&d, &x)) x = read_exact(&d);
    }
    if (!(x <= 1.7976931348623157e308)) return false;
    *out = d.negative ? -x : x;
    return true;
}

/* printf puts the locale's decimal point, which may be several bytes, between the digits. */
static int plain_point(char* s)
{
    int n = 0;
    bool inside = false;
    for (int i = 0; s[i]; i++) {
        bool plain = (s[i] >= '0' && s[i] <= '9') || s[i] == '-' || s[i] == '+' || s[i] == 'e';
        if (plain)
            s[n++] = s[i];
        else if (!inside)
            s[n++] = '.';
        inside = !plain;
    }
    s[n] = 0;
    return n;
}

int wi_number_write(double x, char to[NUMBER_ROOM])
{
    int n = 0;
    for (int digits = 15; digits <= 17; digits++) {
        double back;
        snprintf(to, NUMBER_ROOM, "%.*g", digits, x);
        n = plain_point(to);
        if (wi_number_read(to, (size_t)n, &back) && back == x) break;
    }
    return n;
}
