/* SPDX-License-Identifier: MIT */
/* The public headers are C++17 as well as C17, and their functions have C linkage. */
#include <witness/io.h>
#include <witness/witness.h>

#include <cstring>
#include <type_traits>

static_assert(std::is_standard_layout<wit_surface_jet>::value && std::is_trivial<wit_surface_jet>::value,
              "a jet is plain data");
static_assert(sizeof(wit_surface_jet) == 18 * sizeof(double), "a jet is 18 doubles, without gaps");
static_assert(sizeof(wit_curve_jet) == 9 * sizeof(double), "a jet is 9 doubles, without gaps");

int main()
{
    wit_surface_def def = wit_surface_default_def(WIT_SURFACE_SPHERE);
    def.radius = 2;
    wit_surface* sphere = wit_surface_create(&def, nullptr, nullptr);
    if (!sphere) return 1;
    wit_surface_jet jet{};
    unsigned place = wit_surface_eval(sphere, 0, 0, WIT_KNOT_DEFAULT, nullptr, &jet);
    wit_surface_destroy(sphere);
    return place == WIT_EVAL_REGULAR && jet.p.x == 2 && std::strcmp(wit_status_name(WIT_OK), "WIT_OK") == 0 ? 0 : 1;
}
