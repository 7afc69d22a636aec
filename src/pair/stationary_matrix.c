/* SPDX-License-Identifier: MIT */
#include "stationary_matrix.h"

#include <string.h>

void wi_stationary_matrix(const tangent_chart* a, const tangent_chart* b, wit_vec3 normal, double distance,
                          double scale, stationary_matrix* out)
{
    memset(out, 0, sizeof *out);
    int n = a->n + b->n + 2, turn = n - 2;
    out->n = n;
    out->na = a->n;
    out->nb = b->n;
    out->scale = scale;
    out->normal = normal;
    complete3(normal, &out->m[0], &out->m[1]);
    for (int i = 0; i < turn; ++i) {
        const tangent_chart* c = i < a->n ? a : b;
        int first = i < a->n ? 0 : a->n;
        double sign = i < a->n ? -1 : 1;
        for (int j = 0; j < c->n; ++j) out->K[i * n + first + j] = sign * scale * dot3(normal, c->k[i - first + j]);
        for (int k = 0; k < 2; ++k)
            out->K[i * n + turn + k] = out->K[(turn + k) * n + i] = sign * dot3(c->e[i - first], out->m[k]);
    }
    for (int k = 0; k < 2; ++k) out->K[(turn + k) * n + turn + k] = -distance / scale;
}

bool wi_stationary_factor(stationary_factors* f, int n, const double* matrix)
{
    f->n = n;
    for (int i = 0; i < n; ++i) {
        double own = fabs(matrix[i * n + i]);
        if (!(own <= DBL_MAX)) return false;
        f->weight[i] = own > 1 ? 1 / sqrt(own) : 1;
        f->row[i] = f->column[i] = i;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) f->a[i * n + j] = matrix[i * n + j] * f->weight[i] * f->weight[j];
    for (int k = 0; k < n; ++k) {
        int r = k, c = k;
        for (int i = k; i < n; ++i)
            for (int j = k; j < n; ++j)
                if (fabs(f->a[i * n + j]) > fabs(f->a[r * n + c])) r = i, c = j;
        if (!(fabs(f->a[r * n + c]) > STATIONARY_SINGULAR)) return false;
        for (int j = 0; j < n && r != k; ++j) {
            double x = f->a[k * n + j];
            f->a[k * n + j] = f->a[r * n + j];
            f->a[r * n + j] = x;
        }
        for (int i = 0; i < n && c != k; ++i) {
            double x = f->a[i * n + k];
            f->a[i * n + k] = f->a[i * n + c];
            f->a[i * n + c] = x;
        }
        int row = f->row[k], column = f->column[k];
        f->row[k] = f->row[r], f->row[r] = row;
        f->column[k] = f->column[c], f->column[c] = column;
        for (int i = k + 1; i < n; ++i) {
            double l = f->a[i * n + k] /= f->a[k * n + k];
            for (int j = k + 1; j < n; ++j) f->a[i * n + j] -= l * f->a[k * n + j];
        }
    }
    return true;
}

void wi_stationary_solve(const stationary_factors* f, const double* right, double* x)
{
    int n = f->n;
    double y[STATIONARY_MOST];
    for (int i = 0; i < n; ++i) {
        y[i] = right[f->row[i]] * f->weight[f->row[i]];
        for (int j = 0; j < i; ++j) y[i] -= f->a[i * n + j] * y[j];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) y[i] -= f->a[i * n + j] * y[j];
        y[i] /= f->a[i * n + i];
    }
    for (int i = 0; i < n; ++i) x[f->column[i]] = y[i] * f->weight[f->column[i]];
}
