/* SPDX-License-Identifier: MIT */
/* FCL's distance of two ellipsoids: its own GJK with the last frame's direction as a guess, at the finest
 * tolerance it takes. */
#include "track.h"

#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/narrowphase/distance.h>

namespace
{

struct follower {
    const track_scene* scene;
    fcl::Ellipsoid<double> a, b;
    fcl::DistanceRequest<double> request;

    explicit follower(const track_scene* s)
        : scene(s), a(s->axes[0].x, s->axes[0].y, s->axes[0].z), b(s->axes[1].x, s->axes[1].y, s->axes[1].z)
    {
        request.enable_nearest_points = true;
        request.distance_tolerance = 1e-12;
        request.gjk_solver_type = fcl::GST_INDEP;
    }
};

void* create(const track_scene* scene)
{
    return scene->kind == TRACK_ELLIPSOIDS ? new follower(scene) : nullptr;
}

void destroy(void* self)
{
    delete static_cast<follower*>(self);
}

fcl::Transform3<double> transform_of(const wit_pose& p)
{
    fcl::Transform3<double> t = fcl::Transform3<double>::Identity();
    t.translation() = fcl::Vector3<double>(p.position.x, p.position.y, p.position.z);
    t.linear() = fcl::Quaternion<double>(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z).toRotationMatrix();
    return t;
}

void run(void* self, long from, long to, double* out)
{
    follower& f = *static_cast<follower*>(self);
    for (long k = from; k < to; k++) {
        fcl::DistanceResult<double> result;
        out[k] = fcl::distance(&f.a, transform_of(f.scene->a[k].pose), &f.b, transform_of(f.scene->b[k].pose),
                               f.request, result);
    }
}

} // namespace

extern "C" {
const track_contestant track_fcl = {"FCL distance", "fcl", create, destroy, run, nullptr};
}
