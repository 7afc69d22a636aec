#!/bin/bash
# SPDX-License-Identifier: MIT
# The core builds without any build system: `cc -std=c17 -Iinclude -c $(find src -name '*.c')`, silently. And each
# public header stands alone, in C17 and C++17. Run from the root of the tree.
set -euo pipefail

root=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail()
{
    echo "FAIL: $1" >&2
    exit 1
}

mapfile -t sources < <(find "$root/src" -name '*.c' | sort)
[[ ${#sources[@]} -eq $(grep -c '^    src/.*\.c$' "$root/CMakeLists.txt") ]] ||
    fail "${#sources[@]} sources in src/, CMakeLists.txt has another number"
"${CC:-cc}" -std=c17 -I"$root/include" -c "${sources[@]}" 2>log || { cat log >&2; fail "plain cc"; }
[[ ! -s log ]] || { cat log >&2; fail "plain cc has something to say"; }

objects=(*.o)
[[ ${#sources[@]} -eq ${#objects[@]} ]] || fail "base names in src/ are not unique"

# Each source stands in the list of CMake, or it would be missing from the library.
for source in "${sources[@]}" "$root"/{io,cli}/*.c; do
    grep -q "^    ${source#"$root"/}\$" "$root/CMakeLists.txt" || fail "${source#"$root"/} is not in CMakeLists.txt"
done

warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only)
for header in "$root"/include/witness/*.h; do
    grep -q "^    include/witness/${header##*/}\$" "$root/CMakeLists.txt" || fail "${header##*/} would not be installed"
    echo "#include <witness/${header##*/}>" >one.c
    "${CC:-cc}" -std=c17 "${warnings[@]}" -I"$root/include" one.c || fail "${header##*/} alone in C17"
    "${CXX:-c++}" -std=c++17 -x c++ "${warnings[@]}" -I"$root/include" one.c || fail "${header##*/} alone in C++17"
done
echo "${#sources[@]} sources of the core compile with plain cc"
