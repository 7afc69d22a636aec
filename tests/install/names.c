/* SPDX-License-Identifier: MIT */
/* names.sh links it with functions of a user that have names like ours. It asks, follows and reads, and they stay quiet. */
#include <stdio.h>
#include <string.h>
#include <witness/io.h>
#include <witness/witness.h>

extern int calls;          /* of the user's functions */
extern const char* called; /* the last one's name */

static wit_body* ball(void)
{
    wit_solid_def def = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    def.size_x = 1, def.size_y = 2, def.size_z = 1.5;
    return wit_solid_create(&def, NULL, NULL);
}

static double followed(const wit_body* a, const wit_body* b)
{
    wit_tracker* tracker = wit_tracker_create(a, b, NULL, NULL, NULL);
    wit_result r = {.distance = -1};
    for (int k = 0; tracker && k < 100; k++) {
        wit_pose at = wit_pose_identity();
        wit_motion still = wit_motion_at_rest(at);
        at.position.x = 5 + 0.01 * k;
        wit_motion moving = wit_motion_at_rest(at);
        if (wit_tracker_step(tracker, &still, &moving, 1e-3, &r)) r.distance = -1;
    }
    wit_tracker_destroy(tracker);
    return r.distance;
}

int main(void)
{
    static const char text[] = "{\"witness\": \"model\"}";
    wit_body *a = ball(), *b = ball();
    double distance = a && b ? followed(a, b) : -1;
    wit_error error;
    wit_model* model = wit_model_read_text(text, strlen(text), NULL, &error); /* refused or not: it has been read */
    wit_model_destroy(model);
    wit_body_destroy(a);
    wit_body_destroy(b);
    if (calls) printf("called %d times, last %s\n", calls, called);
    if (!(distance > 3.98 && distance < 4)) printf("distance %g instead of 3.99\n", distance);
    return calls || !(distance > 3.98 && distance < 4);
}
