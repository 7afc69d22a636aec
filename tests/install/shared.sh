#!/bin/bash
# SPDX-License-Identifier: MIT
# As a shared library: the soname follows the minor version before 1.0, every function of the headers
# is exported and nothing else is, and the tree still installs and works.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
    echo "FAIL: $1" >&2
    exit 1
}

cmake -S . -B "$dir/build" -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="${CC:-cc}" \
    >"$dir/log" 2>&1 && cmake --build "$dir/build" -j 2 >>"$dir/log" 2>&1 || { cat "$dir/log" >&2; fail "build"; }

version=$(sed -n 's/^#define WIT_VERSION_\(MAJOR\|MINOR\) //p' include/witness/base.h | paste -sd.)
for library in witness witness_io witness_cad; do
    file=$dir/build/lib$library.so
    [[ $library != witness_cad || -e $file ]] || continue # without Open CASCADE
    readelf -d "$file" | grep -q "SONAME.*\[lib$library\.so\.$version\]" || fail "soname of lib$library"
    nm -D --defined-only "$file" | awk '{print $3}' | sed 's/@.*//' | sort >"$dir/$library.exported"
    if grep -v '^wit_' "$dir/$library.exported"; then fail "lib$library exports the names above"; fi
done

# Functions that the headers declare: WIT_API ... name(
headers=(include/witness/*.h)
[[ -e $dir/build/libwitness_cad.so ]] || headers=("${headers[@]/#*cad.h}")
cat ${headers[@]} | tr '\n' ' ' | grep -o 'WIT_API [^;]*;' | grep -o 'wit_[a-z0-9_]*(' | tr -d '(' | sort -u >"$dir/declared"
sort -u "$dir"/*.exported >"$dir/exported"
diff "$dir/declared" "$dir/exported" || fail "declared (<) and exported (>) differ"
bash tests/install/install.sh "$dir/build"
echo "$(wc -l <"$dir/exported") functions exported"
