/* SPDX-License-Identifier: MIT */
/* How far is an egg from a ring, where, and how does that change while the egg falls through the ring? */
#include <stdio.h>
#include <witness/witness.h>

int main(void)
{
    wit_solid_def ring_def = wit_solid_default_def(WIT_SOLID_TORUS);
    ring_def.radius = 2; /* to the middle of the tube */
    ring_def.radius2 = 0.5;
    wit_solid_def egg_def = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    egg_def.size_x = 0.6, egg_def.size_y = 0.8, egg_def.size_z = 1;
    wit_body* ring = wit_solid_create(&ring_def, NULL, NULL);
    wit_body* egg = wit_solid_create(&egg_def, NULL, NULL);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    wit_tracker* tracker = wit_tracker_create(ring, egg, NULL, NULL, NULL);
    if (!query || !tracker) return 1;

    /* Ask: the global closest pair, with a bracket that holds the true distance. */
    wit_motion still = wit_motion_at_rest(wit_pose_identity()), falling = still;
    falling.pose.position.x = 0.5, falling.pose.position.y = 0.2, falling.pose.position.z = 2.2;
    wit_placed a = wit_placed_at(ring, still.pose), b = wit_placed_at(egg, falling.pose);
    wit_closest c;
    if (wit_closest_pair(query, &a, &b, &c) != WIT_OK) return 1;
    wit_vec3 p = c.a.point;
    printf("%.9f, at least %.9f; on the ring (%.3f, %.3f, %.3f)\n", c.distance, c.lower_bound, p.x, p.y, p.z);

    /* Follow: a thousand frames a second; no allocation from here on. */
    falling.twist.velocity.z = -1;
    for (int frame = 0; frame <= 2000; ++frame) {
        falling.pose.position.z = 2.2 - 0.001 * frame;
        wit_result r;
        if (wit_tracker_step(tracker, &still, &falling, 0.001, &r) != WIT_OK) return 1;
        if (frame % 500 == 0) printf("%.1f s  %.9f, %+.6f a second\n", 0.001 * frame, r.distance, r.rate);
    }
    wit_tracker_destroy(tracker);
    wit_query_destroy(query);
    wit_body_destroy(egg);
    wit_body_destroy(ring);
    return 0;
}
