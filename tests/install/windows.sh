#!/bin/bash
# SPDX-License-Identifier: MIT
# windows.sh: the core compiles for Windows without a warning, by mingw, and programs link with it. Nothing is run.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
compiler=x86_64-w64-mingw32-gcc
# mingw's isfinite has a branch for float, never taken for a double, which -Wconversion sees; and this
# gcc, unlike the native one, sees an overflow in a function that it has cut in two by itself
flags="-std=c17 -O2 -ffp-contract=off -fno-math-errno -Iinclude -Wall -Wextra -Wpedantic -Wconversion -Wno-float-conversion"
flags+=" -Wshadow -Wno-stringop-overflow -Werror"
mapfile -t sources < <(find src -name '*.c' | sort)
[[ ${#sources[@]} -eq $(grep -c '^    src/.*\.c$' CMakeLists.txt) ]] || { echo "FAIL: ${#sources[@]} sources, CMakeLists.txt has others"; exit 1; }

compile() # each into an object named by its path
{
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c \
        "$compiler $flags -c \"\$1\" -o $dir/\$(echo \"\$1\" | tr / _).o" _ {}
}
compile "${sources[@]}"
x86_64-w64-mingw32-ar rcs "$dir/libwitness.a" "$dir"/*.o
for program in tests/bits.c examples/hello.c examples/track.c; do
    # shellcheck disable=SC2086
    $compiler $flags "$program" -L"$dir" -lwitness -lm -o "$dir/$(basename "$program" .c).exe"
done
echo "Windows: ${#sources[@]} sources of the core without a warning; bits, hello and track link"
