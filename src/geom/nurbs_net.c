/* SPDX-License-Identifier: MIT */
#include "nurbs_net.h"

/* Weights further apart than this leave no digits in the quotient. */
#define WEIGHT_RATIO 1e10

/* Where number r of a net stands, as messages name it: its row and column. */
static long row_of(const net_input* net, size_t r)
{
    return net->columns ? (long)(r / (size_t)net->columns) : (long)r;
}

static long column_of(const net_input* net, size_t r)
{
    return net->columns ? (long)(r % (size_t)net->columns) : -1;
}

static size_t net_size(const net_input* net)
{
    return (size_t)net->rows * (size_t)(net->columns ? net->columns : 1);
}

static wit_status check_weights(const net_input* net, wit_error* error)
{
    double least = net->weights[0], most = net->weights[0];
    size_t n = net_size(net);
    for (size_t r = 0; r < n; ++r) {
        double w = net->weights[r];
        if (!isfinite(w) || fabs(w) > WIT_MAX_COORDINATE)
            return wi_error_fill_at(error, WIT_ERROR_NUMBER, "weights", row_of(net, r), column_of(net, r),
                                    "weight is %g; it must be finite and at most %g", w, WIT_MAX_COORDINATE);
        if (!(w > 0))
            return wi_error_fill_at(error, WIT_ERROR_WEIGHT, "weights", row_of(net, r), column_of(net, r),
                                    "weight is %g; it must be positive (above %g)", w, 0.0);
        least = fmin(least, w);
        most = fmax(most, w);
    }
    if (most > WEIGHT_RATIO * least)
        return wi_error_fill(error, WIT_ERROR_WEIGHT, "weights",
                             "weights from %g to %g; the largest may be %g times the smallest", least, most,
                             WEIGHT_RATIO);
    return WIT_OK;
}

wit_status wi_net_check(const net_input* net, wit_error* error)
{
    size_t n = net_size(net);
    if (!net->points) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "points", "no control points given");
    for (size_t r = 0; r < n; ++r)
        for (int k = 0; k < 3; ++k) {
            double x = net->points[3 * r + (size_t)k];
            if (!isfinite(x) || fabs(x) > WIT_MAX_COORDINATE)
                return wi_error_fill_at(error, WIT_ERROR_NUMBER, "points", row_of(net, r), column_of(net, r),
                                        "coordinate is %g; it must be finite and at most %g in size", x,
                                        WIT_MAX_COORDINATE);
        }
    return net->weights ? check_weights(net, error) : WIT_OK;
}

double wi_net_weight_scale(const net_input* net)
{
    double most = 0;
    for (size_t r = 0; net->weights && r < net_size(net); ++r) most = fmax(most, net->weights[r]);
    int exponent = 0;
    if (frexp(most, &exponent) == 0.5) --exponent;
    return net->weights ? ldexp(1, -exponent) : 1;
}

bool wi_net_rational(const net_input* net)
{
    for (size_t r = 1; net->weights && r < net_size(net); ++r)
        if (net->weights[r] != net->weights[0]) return true;
    return false;
}

void wi_net_point(const net_input* net, double weight_scale, size_t r, twofold out[4])
{
    double w = net->weights ? net->weights[r] * weight_scale : 1;
    for (int k = 0; k < 3; ++k) out[k] = two_product(w, net->points[3 * r + (size_t)k]);
    out[3] = two(w);
}

wit_status wi_net_check_tears(const net_input* net, const axis_input* axis, bool along_rows, wit_error* error)
{
    int across = along_rows ? (net->columns ? net->columns : 1) : net->rows;
    size_t row = (size_t)(net->columns ? net->columns : 1);
    double size = 0;
    for (size_t r = 0; r < 3 * net_size(net); ++r) size = fmax(size, fabs(net->points[r]));
    for (int i = wi_axis_next_tear(axis, 0); i >= 0; i = wi_axis_next_tear(axis, i + 1)) {
        size_t below = (size_t)wi_axis_point(axis, i - 1), above = (size_t)wi_axis_point(axis, i);
        for (size_t j = 0; j < (size_t)across; ++j) {
            size_t a = along_rows ? below * row + j : j * row + below,
                   b = along_rows ? above * row + j : j * row + above;
            for (size_t k = 0; k < 3; ++k)
                if (fabs(net->points[3 * a + k] - net->points[3 * b + k]) > 1e-12 * size)
                    return wi_error_fill_at(
                        error, WIT_ERROR_KNOTS, "points", row_of(net, b), column_of(net, b),
                        "a knot of multiplicity degree + 1 tears the shape apart here: %g away from the point before "
                        "it, more than %g",
                        fabs(net->points[3 * a + k] - net->points[3 * b + k]), 1e-12 * size);
        }
    }
    return WIT_OK;
}
