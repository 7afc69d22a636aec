/* SPDX-License-Identifier: MIT */
/*
 * An ellipsoid is carried past a ball, a thousand frames a second. In every frame: the signed distance, how
 * fast it changes, and which points are the closest. No allocation in the loop. This program prints:
 *   t       distance      rate    point on the ball
 *   0.00   +1.012492   -0.7194    -0.719  +0.695
 *   0.50   +0.683591   -0.5876    -0.588  +0.809
 *   1.00   +0.432982   -0.4092    -0.409  +0.912
 *   1.50   +0.275763   -0.2226    -0.223  +0.975
 *   2.00   +0.206016   -0.0603    -0.060  +0.998
 */
#include <stdio.h>
#include <witness/witness.h>

int main(void)
{
    wit_error error;
    wit_solid_def ball_def = wit_solid_default_def(WIT_SOLID_SPHERE);
    ball_def.radius = 1;
    wit_solid_def egg_def = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    egg_def.size_x = 0.8;
    egg_def.size_y = 0.3;
    egg_def.size_z = 0.5;
    wit_body* ball = wit_solid_create(&ball_def, NULL, &error);
    wit_body* egg = wit_solid_create(&egg_def, NULL, &error);
    wit_tracker* tracker = wit_tracker_create(ball, egg, NULL, NULL, &error); /* the default law */
    if (!tracker) {
        fprintf(stderr, "%s: %s\n", error.item, error.text);
        return 1;
    }

    wit_motion still = wit_motion_at_rest(wit_pose_identity());
    wit_motion moving = still;
    moving.twist.velocity.x = 1;
    printf("t       distance      rate    point on the ball\n");
    for (int frame = 0; frame <= 2000; ++frame) {
        double t = frame * 0.001;
        moving.pose.position.x = t - 2.2;
        moving.pose.position.y = 1.5;
        wit_result r;
        if (wit_tracker_step(tracker, &still, &moving, 0.001, &r) != WIT_OK || r.ended != WIT_ENDED_CONVERGED) return 1;
        wit_vec3 p = r.a.point;
        if (frame % 500 == 0) printf("%.2f   %+.6f   %+.4f    %+.3f  %+.3f\n", t, r.distance, r.rate, p.x, p.y);
    }
    wit_tracker_destroy(tracker);
    wit_body_destroy(egg);
    wit_body_destroy(ball);
    return 0;
}
