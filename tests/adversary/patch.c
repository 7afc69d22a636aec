/* SPDX-License-Identifier: MIT */
#include "patch.h"

void patch_range(const patch* p, int k, LD* lo, LD* hi)
{
    *lo = p->knots[k][p->degree[k]];
    *hi = p->knots[k][p->count[k]];
}

LD patch_error(const patch* p)
{
    return 64 * (p->degree[0] + p->degree[1] + 2) * ULP * p->reach;
}

/* Basis functions and derivatives on the span of t (the last span is closed); returns its first function. */
static int basis(int degree, int count, const double* t, LD x, LD* n, LD* d)
{
    int span = degree;
    while (span < count - 1 && x >= t[span + 1]) span++;
    while (span > degree && t[span] == t[span + 1]) span--;
    LD low[10] = {1};
    for (int k = 1; k <= degree; k++) {
        LD high[10] = {0};
        if (k == degree) {
            for (int i = 0; i <= degree; i++) d[i] = 0;
        }
        for (int i = 0; i < k; i++) { /* low[i] belongs to function span - k + 1 + i */
            int f = span - k + 1 + i;
            LD width = (LD)t[f + k] - t[f], left = (x - t[f]) / width, right = (t[f + k] - x) / width;
            high[i + 1] += left * low[i];
            high[i] += right * low[i];
            if (k == degree) {
                d[i + 1] += k * low[i] / width;
                d[i] -= k * low[i] / width;
            }
        }
        for (int i = 0; i <= k; i++) low[i] = high[i];
    }
    for (int i = 0; i <= degree; i++) n[i] = low[i];
    return span - degree;
}

void patch_at(const patch* p, LD u, LD v, v3 out[3])
{
    LD nu[10], du[10], nv[10], dv[10], sum[3][4] = {{0}};
    int a = basis(p->degree[0], p->count[0], p->knots[0], u, nu, du);
    int b = basis(p->degree[1], p->count[1], p->knots[1], v, nv, dv);
    for (int i = 0; i <= p->degree[0]; i++) {
        for (int j = 0; j <= p->degree[1]; j++) {
            int k = (a + i) * p->count[1] + b + j;
            LD w = p->weight[k], f[3] = {nu[i] * nv[j] * w, du[i] * nv[j] * w, nu[i] * dv[j] * w};
            for (int m = 0; m < 3; m++) {
                for (int c = 0; c < 3; c++) sum[m][c] += f[m] * p->point[3 * k + c];
                sum[m][3] += f[m];
            }
        }
    }
    LD w = sum[0][3];
    out[0] = vec(sum[0][0] / w, sum[0][1] / w, sum[0][2] / w);
    for (int m = 1; m < 3; m++) {
        v3 d = vec(sum[m][0], sum[m][1], sum[m][2]);
        d = plus(d, -sum[m][3], out[0]);
        out[m] = vec(d.x / w, d.y / w, d.z / w);
    }
}

static LD held(LD x, LD lo, LD hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

LD patch_nearest(const patch* p, v3 x, LD* u, LD* v)
{
    LD lo[2], hi[2], best, damp = 1e-6L;
    v3 s[3];
    patch_range(p, 0, &lo[0], &hi[0]);
    patch_range(p, 1, &lo[1], &hi[1]);
    patch_at(p, *u, *v, s);
    best = norm(minus(s[0], x));
    for (int it = 0; it < 40; it++) {
        v3 r = minus(s[0], x);
        LD E = inner(s[1], s[1]) * (1 + damp), F = inner(s[1], s[2]), G = inner(s[2], s[2]) * (1 + damp);
        LD a = -inner(r, s[1]), b = -inner(r, s[2]);
        bool hold_u = (*u <= lo[0] && a < 0) || (*u >= hi[0] && a > 0) || !(E > 0);
        bool hold_v = (*v <= lo[1] && b < 0) || (*v >= hi[1] && b > 0) || !(G > 0);
        LD det = E * G - F * F, du = 0, dv = 0;
        if (hold_u && hold_v) break;
        if (hold_u)
            dv = b / G;
        else if (hold_v)
            du = a / E;
        else if (det > 0) {
            du = (a * G - b * F) / det;
            dv = (b * E - a * F) / det;
        }
        LD nu = held(*u + du, lo[0], hi[0]), nv = held(*v + dv, lo[1], hi[1]), d;
        v3 next[3];
        patch_at(p, nu, nv, next);
        d = norm(minus(next[0], x));
        if (d < best) {
            bool done = best - d <= 4 * ULP * best;
            *u = nu;
            *v = nv;
            best = d;
            for (int k = 0; k < 3; k++) s[k] = next[k];
            damp = damp > 1e-18L ? damp / 8 : damp;
            if (done) break;
        } else {
            damp = larger_of(damp * 10, 1e-8L);
            if (damp > 1e9L) break;
        }
    }
    return best;
}

LD patch_distance(const patch* p, v3 x, int starts)
{
    LD lo[2], hi[2], least = INFINITY;
    patch_range(p, 0, &lo[0], &hi[0]);
    patch_range(p, 1, &lo[1], &hi[1]);
    for (int i = 0; i <= starts; i++) {
        for (int j = 0; j <= starts; j++) {
            LD u = lo[0] + (hi[0] - lo[0]) * i / starts, v = lo[1] + (hi[1] - lo[1]) * j / starts;
            least = smaller_of(least, patch_nearest(p, x, &u, &v));
        }
    }
    return least;
}

/* A point of q in p's axes, and back. */
static v3 seen_from_p(const patch_pair* h, v3 x)
{
    return turned_back(&h->at, plus(h->offset, 1, turned(&h->to, x)));
}

static v3 seen_from_q(const patch_pair* h, v3 x)
{
    return turned_back(&h->to, minus(turned(&h->at, x), h->offset));
}

/* Nearest points in turn from a grid of starts. */
LD patch_pair_distance(const patch_pair* h, int starts)
{
    LD lo[2], hi[2], lo2[2], hi2[2], least = INFINITY;
    for (int k = 0; k < 2; k++) {
        patch_range(h->p, k, &lo[k], &hi[k]);
        patch_range(h->q, k, &lo2[k], &hi2[k]);
    }
    for (int i = 0; i < starts * starts; i++) {
        LD u = lo[0] + (hi[0] - lo[0]) * (i / starts + 0.5L) / starts;
        LD v = lo[1] + (hi[1] - lo[1]) * (i % starts + 0.5L) / starts;
        LD r = 0.5L * (lo2[0] + hi2[0]), s = 0.5L * (lo2[1] + hi2[1]), last = INFINITY;
        for (int it = 0; it < 30; it++) {
            v3 a[3], b[3];
            patch_at(h->p, u, v, a);
            LD d = patch_nearest(h->q, seen_from_q(h, a[0]), &r, &s);
            patch_at(h->q, r, s, b);
            d = smaller_of(d, patch_nearest(h->p, seen_from_p(h, b[0]), &u, &v));
            least = smaller_of(least, d);
            if (!(d < last * (1 - 1e-6L))) break;
            last = d;
        }
    }
    return least;
}
