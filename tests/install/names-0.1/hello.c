/* SPDX-License-Identifier: MIT */
/*
 * A quarter of a quarter of a torus (radius 2, tube 1) as one rational patch of degree 2. The patch is
 * exact, so its principal curvatures are those of the torus. This program prints:
 *   point      1.914214  1.914214  0.707107
 *   normal     0.500000  0.500000  0.707107
 *   curvature -0.261204 -1.000000
 *   along the normal: the point at 2.414214, no point of the piece around it beyond 2.414614
 */
#include <stdio.h>
#include <witness/witness.h>

int main(void)
{
    const double h = 0.70710678118654752440; /* weight of the corner of a quarter circle: cos 45 degrees */
    const double knots[] = {0, 0, 0, 1, 1, 1};
    const double points[] = {3, 0, 0, 3, 0, 1, 2, 0, 1, 3, 3, 0, 3, 3, 1, 2, 2, 1, 0, 3, 0, 0, 3, 1, 0, 2, 1};
    const double weights[] = {1, h, 1, h, h * h, h, 1, h, 1};

    wit_surface_def def = wit_surface_default_def(WIT_SURFACE_NURBS);
    def.degree_u = def.degree_v = 2;
    def.count_u = def.count_v = 3;
    def.knot_count_u = def.knot_count_v = 6;
    def.knots_u = def.knots_v = knots;
    def.points = points;
    def.weights = weights;

    wit_error error;
    wit_surface* patch = wit_surface_create(&def, NULL, &error);
    if (!patch) {
        fprintf(stderr, "%s: %s\n", error.item, error.text);
        return 1;
    }

    wit_hint hint = {{0}};
    wit_surface_jet jet; /* point, first and second derivatives; no allocation from here on */
    wit_surface_eval(patch, 0.5, 0.5, WIT_SIDE_DEFAULT, &hint, &jet);
    wit_surface_forms forms = wit_surface_forms_of(&jet);
    wit_vec3 p = jet.p, n = forms.normal;
    printf("point     %9.6f %9.6f %9.6f\n", p.x, p.y, p.z);
    printf("normal    %9.6f %9.6f %9.6f\n", n.x, n.y, n.z);
    printf("curvature %9.6f %9.6f\n", forms.k1, forms.k2);

    /* A bound that holds for every point with 0.49 <= u, v <= 0.51. */
    wit_interval near = {0.49, 0.51};
    wit_interval extent = wit_surface_extent(patch, near, near, n);
    printf("along the normal: the point at %.6f, no point of the piece around it beyond %.6f\n",
           n.x * p.x + n.y * p.y + n.z * p.z, extent.hi);

    wit_surface_destroy(patch);
    return 0;
}
