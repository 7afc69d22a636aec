/* SPDX-License-Identifier: MIT */
/*
 * How far is a point from each body of a STEP file?
 *
 *     cc -std=c17 step.c $(pkg-config --cflags --libs witness_cad) -o step && ./step part.step 100 20 30
 */
#include <stdio.h>
#include <stdlib.h>

#include <witness/cad.h>
#include <witness/witness.h>

int main(int argc, char** argv)
{
    if (argc != 5) return fprintf(stderr, "usage: step PART.step X Y Z\n"), 2;
    wit_error error = {0};
    wit_cad* cad = wit_cad_read_file(argv[1], NULL, &error);
    wit_model* model = cad ? wit_cad_model(cad, NULL, &error) : NULL;
    wit_query* query = model ? wit_query_create(NULL, NULL, &error) : NULL;
    if (!query) return fprintf(stderr, "%s: %s\n", error.item, error.text), 1;
    const char* unit = wit_unit_name(wit_model_unit(model));
    wit_vec3 point = {atof(argv[2]), atof(argv[3]), atof(argv[4])};
    for (int i = 0; i < wit_model_body_count(model); i++) {
        wit_placed body = wit_placed_at(wit_model_body(model, i), wit_model_body_pose(model, i));
        wit_closest c;
        if (wit_closest_point(query, &body, point, &c) != WIT_OK) continue;
        printf("%s: %.12g %s, at least %.12g, at %s %d\n", wit_model_body_name(model, i), c.distance, unit,
               c.lower_bound, wit_feature_kind_name(c.a.feature), c.a.id);
    }
    wit_query_destroy(query);
    wit_model_destroy(model);
    wit_cad_destroy(cad);
    return 0;
}
