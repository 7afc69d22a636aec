/* SPDX-License-Identifier: MIT */
/* Open CASCADE's two ways to follow a point: ShapeAnalysis_Surface::NextValueOfUV and Extrema_GenLocateExtPS, from
 * the last frame's parameters. */
#include "peer_occt.hpp"
#include "track.h"

#include <Extrema_GenLocateExtPS.hxx>
#include <Extrema_POnSurf.hxx>
#include <GeomAdaptor_Surface.hxx>
#include <ShapeAnalysis_Surface.hxx>
#include <gp_Pnt2d.hxx>

namespace
{

struct follower {
    const track_scene* scene;
    Handle(Geom_BSplineSurface) surface;
    Handle(ShapeAnalysis_Surface) analysis;
    GeomAdaptor_Surface adaptor;
    double u, v;
};

void* create(const track_scene* scene)
{
    if (scene->kind != TRACK_POINT) return nullptr;
    follower* f = new follower;
    f->scene = scene;
    f->surface = occt_surface(scene->surface[0]);
    f->analysis = new ShapeAnalysis_Surface(f->surface);
    f->adaptor.Load(f->surface);
    f->u = scene->start[0][0];
    f->v = scene->start[0][1];
    return f;
}

void destroy(void* self)
{
    delete static_cast<follower*>(self);
}

gp_Pnt point_of(const track_scene* scene, long k)
{
    const wit_vec3& p = scene->b[k].pose.position;
    return gp_Pnt(p.x, p.y, p.z);
}

void run_next(void* self, long from, long to, double* out)
{
    follower& f = *static_cast<follower*>(self);
    for (long k = from; k < to; k++) {
        gp_Pnt2d at = f.analysis->NextValueOfUV(gp_Pnt2d(f.u, f.v), point_of(f.scene, k), 1e-12);
        f.u = at.X();
        f.v = at.Y();
        out[k] = f.analysis->Gap();
    }
}

void run_locate(void* self, long from, long to, double* out)
{
    follower& f = *static_cast<follower*>(self);
    for (long k = from; k < to; k++) {
        gp_Pnt q = point_of(f.scene, k);
        Extrema_GenLocateExtPS locate(f.adaptor, 1e-12, 1e-12);
        locate.Perform(q, f.u, f.v);
        if (locate.IsDone()) locate.Point().Parameter(f.u, f.v);
        out[k] = q.Distance(f.adaptor.Value(f.u, f.v));
    }
}

} // namespace

extern "C" {
const track_contestant track_next_uv = {"OCCT NextValueOfUV", "nextuv", create, destroy, run_next, nullptr};
const track_contestant track_locate = {"OCCT GenLocateExtPS", "locate", create, destroy, run_locate, nullptr};
}
