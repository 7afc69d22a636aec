#!/bin/bash
# SPDX-License-Identifier: MIT
# new_law.sh: a law that is one file, one line in the list of laws.h and one in CMakeLists.txt is known to track, to every experiment
# of lab, to scenes, to the schema and to the help. Builds a copy of the tree. Run from the root of the tree.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -r CMakeLists.txt cmake include src io cli models scenes docs "$dir"
[[ -d cad ]] && cp -r cad "$dir"
cd "$dir"

cat >src/laws/half_gradient.c <<'LAW'
/* SPDX-License-Identifier: MIT */
#include "law_functions.h"

/* Down the gradient, each parameter by itself, half as fast. */
bool wi_law_half_gradient(const wit_flow_view* view, double speeds[WIT_MAX_PARAMETERS], void* user)
{
    (void)user;
    for (int i = 0; i < view->count; ++i) {
        double S = i < view->count_a ? 1 : -1;
        if (!(view->held >> i & 1)) speeds[i] = -view->gain / 2 * S * view->psi[i] / view->I[i * view->count + i];
    }
    return true;
}
LAW
sed -i 's/^    X(WIT_LAW_FEED_FORWARD, feed_forward, FUNCTION)$/&                                                  \\\
    X(WIT_LAW_HALF_GRADIENT, half_gradient, FUNCTION)/' include/witness/laws.h
sed -i 's|^    src/laws/feed_forward.c$|&\n    src/laws/half_gradient.c|' CMakeLists.txt
grep -q HALF_GRADIENT include/witness/laws.h
grep -q half_gradient CMakeLists.txt

cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DWITNESS_TESTS=OFF -DWITNESS_CAD=OFF >cmake.log 2>&1 ||
    { cat cmake.log; exit 1; }
cmake --build build --target witness_command -j2 >build.log 2>&1 || { tail -40 build.log; exit 1; }

fail() { echo "FAIL: $*" >&2; exit 1; }
witness=build/witness
$witness track scenes/000-fig7.json --law half_gradient | grep -q 'half_gradient, rk2' || fail "track does not run it"
$witness track --help | grep -q 'half_gradient' || fail "the help of track does not name it"
$witness lab basin models/table1.json --point 5,5,12 --laws half_gradient --grid 5 | grep -q '^half_gradient  *25  *100' ||
    fail "lab basin"
$witness lab settle models/table1.json --point 5,5,12 --laws all --grid 3 | grep -q '^half_gradient' || fail "lab settle"
$witness lab gain models/table1.json --point 5,5,12 --law half_gradient --integrator rk2 >gain.txt ||
    fail "lab gain: $(cat gain.txt)"
sed 's/"law": "[a-z_]*"/"law": "half_gradient"/' scenes/000-fig7.json >scenes/new.json
grep -q half_gradient scenes/new.json || fail "scenes/000-fig7.json names no law"
$witness track scenes/new.json | grep -q 'half_gradient' || fail "a scene can't ask for it"
grep -q '"half_gradient"' build/scene.schema.json || fail "the schema does not know it"
$witness track scenes/000-fig7.json --law half 2>message.txt >message.out || true # it is refused
grep -q 'half_gradient' message.txt || fail "the message about laws does not name it"
echo "one file, one line in the list, one in CMakeLists.txt: known to track, lab, scenes, schema and help"
