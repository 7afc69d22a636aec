#!/bin/bash
# SPDX-License-Identifier: MIT
# cross.sh: the same bits on another machine. Compiles tests/bits.c and the core with the native compilers and for
# aarch64, runs the latter under qemu, and compares what they print.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
flags="-std=c17 -O2 -ffp-contract=off -Iinclude"
mapfile -t sources < <(find src -name '*.c' | sort)
[[ ${#sources[@]} -eq $(grep -c '^    src/.*\.c$' CMakeLists.txt) ]] || { echo "FAIL: ${#sources[@]} sources, CMakeLists.txt has others"; exit 1; }
# shellcheck disable=SC2086
build() { "$1" $flags ${3-} tests/bits.c "${sources[@]}" -lm -o "$dir/$2"; }

build gcc native
"$dir/native" | tee "$dir/want"
bad=0
same() {
    if cmp -s "$dir/want" "$2"; then echo "same bits: $1"; else
        echo "FAIL: other bits: $1"; cat "$2"; bad=1
    fi
}
build clang clang
"$dir/clang" >"$dir/got"
same "clang, $(uname -m)" "$dir/got"
build aarch64-linux-gnu-gcc arm -static
qemu-aarch64 "$dir/arm" >"$dir/got"
same "gcc, aarch64 under qemu" "$dir/got"
exit $bad
