/* SPDX-License-Identifier: MIT */
/* Open CASCADE: the surface itself, and the adaptor, which keeps the polynomial of the last cell. */
#include "peer_occt.hpp"

#include "contestant.h"

#include <GeomAdaptor_Surface.hxx>
#include <TColStd_Array1OfInteger.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TColStd_Array2OfReal.hxx>
#include <TColgp_Array2OfPnt.hxx>
#include <gp_Pnt.hxx>
#include <gp_Vec.hxx>

namespace
{

constexpr int RING = 16;

struct occt_jet {
    gp_Pnt p;
    gp_Vec du, dv, duu, dvv, duv;
};

struct occt_state {
    Handle(Geom_BSplineSurface) surface;
    GeomAdaptor_Surface adaptor;
    occt_jet ring[RING];
};

int different(const double* knots, int count)
{
    int n = 1;
    for (int i = 1; i < count; i++) n += knots[i] > knots[i - 1];
    return n;
}

void split(const double* knots, int count, TColStd_Array1OfReal& values, TColStd_Array1OfInteger& times)
{
    int n = 0;
    for (int i = 0; i < count; i++)
        if (i == 0 || knots[i] > knots[i - 1]) {
            values(++n) = knots[i];
            times(n) = 1;
        } else {
            times(n)++;
        }
}

} // namespace

Handle(Geom_BSplineSurface) occt_surface(const wit_surface_def* d)
{
    int nu = different(d->knots_u, d->knot_count_u), nv = different(d->knots_v, d->knot_count_v);
    TColStd_Array1OfReal ku(1, nu), kv(1, nv);
    TColStd_Array1OfInteger mu(1, nu), mv(1, nv);
    split(d->knots_u, d->knot_count_u, ku, mu);
    split(d->knots_v, d->knot_count_v, kv, mv);
    TColgp_Array2OfPnt points(1, d->count_u, 1, d->count_v);
    TColStd_Array2OfReal weights(1, d->count_u, 1, d->count_v);
    for (int i = 0; i < d->count_u; i++)
        for (int j = 0; j < d->count_v; j++) {
            const double* p = d->points + 3 * (i * d->count_v + j);
            points(i + 1, j + 1) = gp_Pnt(p[0], p[1], p[2]);
            weights(i + 1, j + 1) = d->weights ? d->weights[i * d->count_v + j] : 1;
        }
    return d->weights ? new Geom_BSplineSurface(points, weights, ku, kv, mu, mv, d->degree_u, d->degree_v)
                      : new Geom_BSplineSurface(points, ku, kv, mu, mv, d->degree_u, d->degree_v);
}

namespace
{

void* create(const wit_surface_def* d)
{
    occt_state* s = new occt_state;
    s->surface = occt_surface(d);
    s->adaptor.Load(s->surface);
    return s;
}

void destroy(void* self)
{
    delete static_cast<occt_state*>(self);
}

void run_plain(void* self, const bench_input* in)
{
    occt_state* s = static_cast<occt_state*>(self);
    for (long k = 0; k < in->count; k++) {
        occt_jet& o = s->ring[k & (RING - 1)];
        s->surface->D2(in->uv[2 * k], in->uv[2 * k + 1], o.p, o.du, o.dv, o.duu, o.dvv, o.duv);
    }
}

void run_cached(void* self, const bench_input* in)
{
    occt_state* s = static_cast<occt_state*>(self);
    for (long k = 0; k < in->count; k++) {
        occt_jet& o = s->ring[k & (RING - 1)];
        s->adaptor.D2(in->uv[2 * k], in->uv[2 * k + 1], o.p, o.du, o.dv, o.duu, o.dvv, o.duv);
    }
}

void copy_jet(const occt_jet& o, double out[JET])
{
    const gp_XYZ parts[6] = {o.p.XYZ(), o.du.XYZ(), o.dv.XYZ(), o.duu.XYZ(), o.duv.XYZ(), o.dvv.XYZ()};
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++) out[3 * i + c] = parts[i].Coord(c + 1);
}

void jet_plain(void* self, const bench_input* in, long k, double out[JET])
{
    bench_input one = {1, in->uv + 2 * k, nullptr};
    run_plain(self, &one);
    copy_jet(static_cast<occt_state*>(self)->ring[0], out);
}

void jet_cached(void* self, const bench_input* in, long k, double out[JET])
{
    bench_input one = {1, in->uv + 2 * k, nullptr};
    run_cached(self, &one);
    copy_jet(static_cast<occt_state*>(self)->ring[0], out);
}

} // namespace

extern "C" {
const contestant occt_plain = {"Open CASCADE D2, plain", "occt_plain", create, destroy, run_plain, jet_plain};
const contestant occt_cached = {"Open CASCADE D2, cached", "occt_cached", create, destroy, run_cached, jet_cached};
}
