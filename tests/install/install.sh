#!/bin/bash
# SPDX-License-Identifier: MIT
# install.sh BUILD: installs into a prefix, moves the prefix, and builds examples/hello.c there by
# pkg-config and by find_package, as C and as C++. All must print what the README says.
set -euo pipefail

root=$PWD
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
    echo "FAIL: $1" >&2
    exit 1
}

same()
{
    diff -u "$dir/expected" "$dir/$1" || fail "hello built by $1 does not print what the README says"
}

# The first text block of the README.
awk '/^```text$/ && !done {inside = 1; next} /^```$/ && inside {inside = 0; done = 1} inside' README.md >"$dir/expected"
[[ -s $dir/expected ]] || fail "no text block found in README.md"

cmake --install "$build" --prefix "$dir/first" >/dev/null
mv "$dir/first" "$dir/prefix"
prefix=$dir/prefix
for file in bin/witness include/witness/witness.h include/witness/io.h; do
    [[ -e $prefix/$file ]] || fail "$file is not installed"
done
grep -rl --include='*.pc' --include='*.cmake' -e "$dir" -e "$root" "$prefix" && fail "absolute paths in the package"

pc=$(dirname "$(find "$prefix" -name witness.pc)")
export PKG_CONFIG_PATH=$pc
version=$(pkg-config --modversion witness)
for mode in "" --static; do
    "${CC:-cc}" -std=c17 -Wall -Werror -o "$dir/hello" examples/hello.c $(pkg-config $mode --cflags --libs witness)
    LD_LIBRARY_PATH=$(dirname "$pc") "$dir/hello" >"$dir/pkg-config"
    same pkg-config
    "${CXX:-c++}" -std=c++17 -Wall -Werror -x c++ -o "$dir/hello" examples/hello.c -x none \
        $(pkg-config $mode --cflags --libs witness) || fail "hello as C++"
    LD_LIBRARY_PATH=$(dirname "$pc") "$dir/hello" >"$dir/cxx"
    same cxx
done
"${CC:-cc}" -std=c17 -o "$dir/io" -x c - -x none $(pkg-config --cflags --libs witness_io) <<'END' || fail "witness_io by pkg-config"
#include <witness/io.h>
int main(void) { return wit_version()[0] == '?'; }
END

if [[ -e $pc/witness_cad.pc ]]; then
    for mode in "" --static; do
        "${CC:-cc}" -std=c17 -o "$dir/step" examples/step.c $(pkg-config $mode --cflags --libs witness_cad) ||
            fail "witness_cad by pkg-config"
    done
    cad=ON
fi

cmake -S tests/install/consumer -B "$dir/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="${CC:-cc}" -DCMAKE_CXX_COMPILER="${CXX:-c++}" \
    -DCAD="${cad-OFF}" -DHELLO="$root/examples/hello.c" -DEXPECTED_VERSION="$version" >"$dir/log" 2>&1 &&
    cmake --build "$dir/consumer" >>"$dir/log" 2>&1 || { cat "$dir/log" >&2; fail "find_package"; }
"$dir/consumer/hello" >"$dir/find_package"
same find_package
"$dir/consumer/hello_cxx" >"$dir/find_package_cxx"
same find_package_cxx

"$prefix/bin/witness" info models/table1.json >"$dir/info" || fail "the installed command"
(cd "$dir" && "$prefix/bin/witness" lab table >"$dir/table") || fail "the installed command does not find its models"
echo "version $version: installed, moved, used by pkg-config and find_package, as C and as C++"
