/* SPDX-License-Identifier: MIT */
/* Bullet's GJK on two ellipsoids, which are convex shapes of ours given by their support function, in double
 * precision and without margins; the direction of the last frame is its first guess. */
#define BT_USE_DOUBLE_PRECISION
#include "track.h"

#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace
{

class ellipsoid : public btConvexInternalShape
{
  public:
    explicit ellipsoid(const wit_vec3& e) : axes(e.x, e.y, e.z)
    {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        setMargin(0);
    }

    btVector3 localGetSupportingVertexWithoutMargin(const btVector3& n) const override
    {
        btVector3 scaled = n * axes;
        btScalar length = scaled.length();
        return length > 0 ? axes * scaled / length : btVector3(axes.x(), 0, 0);
    }

    btVector3 localGetSupportingVertex(const btVector3& n) const override
    {
        return localGetSupportingVertexWithoutMargin(n);
    }

    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* n, btVector3* out, int count) const override
    {
        for (int i = 0; i < count; i++) out[i] = localGetSupportingVertexWithoutMargin(n[i]);
    }

    void calculateLocalInertia(btScalar, btVector3& inertia) const override
    {
        inertia.setValue(0, 0, 0);
    }

    const char* getName() const override
    {
        return "ellipsoid";
    }

  private:
    btVector3 axes;
};

struct follower {
    const track_scene* scene;
    ellipsoid a, b;
    btVoronoiSimplexSolver simplex;
    btGjkPairDetector detector;

    explicit follower(const track_scene* s)
        : scene(s), a(s->axes[0]), b(s->axes[1]), detector(&a, &b, &simplex, nullptr)
    {
        simplex.setEqualVertexThreshold(1e-24);
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

btTransform transform_of(const wit_pose& p)
{
    return btTransform(btQuaternion(p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w),
                       btVector3(p.position.x, p.position.y, p.position.z));
}

void run(void* self, long from, long to, double* out)
{
    follower& f = *static_cast<follower*>(self);
    for (long k = from; k < to; k++) {
        btGjkPairDetector::ClosestPointInput input;
        btPointCollector result;
        input.m_transformA = transform_of(f.scene->a[k].pose);
        input.m_transformB = transform_of(f.scene->b[k].pose);
        f.detector.getClosestPoints(input, result, nullptr);
        out[k] = result.m_hasResult ? result.m_distance : -1;
    }
}

} // namespace

extern "C" {
const track_contestant track_bullet = {"Bullet GJK", "bullet", create, destroy, run, nullptr};
}
