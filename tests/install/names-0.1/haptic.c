/* SPDX-License-Identifier: MIT */
/*
 * A hand presses a ball, held through a virtual coupler, onto the ground and drags it: the loop of a haptic device at 1 kHz.
 * Metres, kilograms, seconds.
 */
#include <math.h>
#include <stdio.h>
#include <witness/witness.h>

int main(void)
{
    wit_solid_def ball_def = wit_solid_default_def(WIT_SOLID_SPHERE);
    ball_def.radius = 0.02;
    wit_solid_def ground_def = wit_solid_default_def(WIT_SOLID_HALF_SPACE); /* z <= 0 */
    wit_body* ball = wit_solid_create(&ball_def, NULL, NULL);
    wit_body* ground = wit_solid_create(&ground_def, NULL, NULL);

    wit_haptic_body_def bodies[2] = {wit_haptic_default_body(), wit_haptic_default_body()};
    bodies[0].shape = ground;
    bodies[1].shape = ball;
    bodies[1].drive = WIT_DRIVE_DYNAMIC;
    bodies[1].mass = 0.05;
    for (int i = 0; i < 3; ++i) bodies[1].inertia[4 * i] = 0.4 * 0.05 * 0.02 * 0.02;
    bodies[1].lever = 0; /* normals of a ball pass through its centre */
    bodies[1].start.pose.position = (wit_vec3){0, 0, 0.03};
    wit_haptic_pair_def pair = {0, 1, NULL};

    wit_haptic_def def = wit_haptic_default_def();
    def.bodies = bodies;
    def.body_count = 2;
    def.pairs = &pair;
    def.pair_count = 1;
    def.response.stiffness = 5000; /* N/m */
    def.response.damping = 5;
    def.response.friction = 0.3;
    def.tool = 1;
    def.coupler = (wit_coupler){300, 1, 0.05, 2e-4};
    def.device_damping = 2; /* what the device takes off: N s/m, N m s */
    def.device_angular_damping = 1e-3;

    wit_error error;
    def.device_damping = 1.1; /* a device that takes off less: */
    if (wit_haptic_check(&def, 1000, &error) != WIT_OK) printf("%s: %s\n", error.item, error.text);
    def.device_damping = 2;
    wit_haptic* world = wit_haptic_create(&def, NULL, &error);
    if (!world) {
        fprintf(stderr, "%s: %s\n", error.item, error.text);
        return 1;
    }

    printf("t     device z  ball z    lift    drag    gap\n");
    wit_motion device = wit_motion_at_rest(wit_pose_identity());
    for (int step = 1; step <= 1000; ++step) {
        double t = step * 0.001;
        device.pose.position = (wit_vec3){t < 0.5 ? 0 : 0.1 * (t - 0.5), 0, fmax(0.015, 0.03 - 0.05 * t)};
        device.twist_known = false; /* the world takes it from the poses */
        wit_haptic_result r;
        if (wit_haptic_step(world, &device, 0.001, &r) != WIT_OK || !r.finite) return 1;
        if (step % 200 == 0)
            printf("%.2f  %.4f    %.5f   %.3f   %.3f   %+.6f\n", t, device.pose.position.z, r.tool.pose.position.z,
                   fabs(r.force.z), hypot(r.force.x, r.force.y), r.gap);
    }
    wit_haptic_destroy(world);
    wit_body_destroy(ground);
    wit_body_destroy(ball);
    return 0;
}
