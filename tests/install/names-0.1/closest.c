/* SPDX-License-Identifier: MIT */
/* How far is a point, and a ball, from a torus? Every answer has a bracket that holds the true distance. */
#include <stdio.h>
#include <witness/witness.h>

static void print(const char* what, const wit_closest* c)
{
    printf("%-6s %-10s distance %9.6f, at least %9.6f%s; on %s %d at (%.4f, %.4f, %.4f)\n", what,
           wit_outcome_name(c->outcome), c->distance, c->lower_bound, c->certified ? ", certified" : "",
           wit_feature_kind_name(c->a.feature), c->a.id, c->a.point.x, c->a.point.y, c->a.point.z);
}

int main(void)
{
    wit_solid_def ring = wit_solid_default_def(WIT_SOLID_TORUS);
    ring.radius = 2; /* to the middle of the tube */
    ring.radius2 = 0.5;
    wit_solid_def ball = wit_solid_default_def(WIT_SOLID_SPHERE);
    ball.radius = 0.25;
    wit_body* torus = wit_solid_create(&ring, NULL, NULL);
    wit_body* sphere = wit_solid_create(&ball, NULL, NULL);
    wit_query* query = wit_query_create(NULL, NULL, NULL); /* settings and memory; one per thread */
    if (!torus || !sphere || !query) return 1;

    wit_closest c; /* no allocation from here on */
    wit_placed a = wit_placed_at(torus, wit_pose_identity());
    if (wit_closest_point(query, &a, (wit_vec3){3, 4, 1}, &c) == WIT_OK) print("point", &c);
    if (wit_closest_point(query, &a, (wit_vec3){1.2, 1.6, 0.2}, &c) == WIT_OK) print("inside", &c);

    wit_pose pose = wit_pose_identity();
    pose.position = (wit_vec3){2, 0, 1};
    wit_placed b = wit_placed_at(sphere, pose);
    if (wit_closest_pair(query, &a, &b, &c) == WIT_OK) print("ball", &c);

    wit_query_destroy(query);
    wit_body_destroy(sphere);
    wit_body_destroy(torus);
    return 0;
}
