#!/bin/bash
# SPDX-License-Identifier: MIT
# symbols.sh libwitness.a: what the core calls, and what it keeps.
#
# An object may call only what is listed here: so no printing, no exit, no locks, no clock, no files. Of
# libm only functions whose result IEEE 754 or C fixes to the last bit: sin and exp differ between
# machines. Memory comes from one file, formatted text is made in one file. And no object has writable data:
# .data, .bss and their thread-local kin are empty (.data.rel.ro is constant once relocated).
set -euo pipefail

archive=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
ar x "$archive"

everywhere='^(mem(cpy|set|move|cmp)|str(len|cmp|ncmp)'
everywhere+='|(sqrt|fabs|floor|ceil|trunc|l?rint|nearbyint|l?round|fmin|fmax|copysign|fma|ldexp|frexp|scalbl?n|ilogb|modf|fmod|remainder|nextafterf?)'
everywhere+='|__cpu_model|__cpu_indicator_init|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__mem(cpy|set|move)_chk)$'
declare -A also=(
    [allocator.c.o]='^(malloc|free)$'
    [error.c.o]='^(__)?v?snprintf(_chk)?$'
)

declare -A own
while read -r name; do own[$name]=1; done < <(nm -g --defined-only *.o | awk 'NF == 3 {print $3}')
bad=0
for object in *.o; do
    while read -r name; do
        [[ -n ${own[$name]-} ]] && continue
        [[ $name =~ $everywhere ]] && continue
        [[ -n ${also[$object]-} && $name =~ ${also[$object]} ]] && continue
        echo "FAIL: $object calls $name" >&2
        bad=1
    done < <(nm -u "$object" | awk '{print $2}')

    while read -r section size; do
        echo "FAIL: $object has writable data: $section, $((16#$size)) bytes" >&2
        bad=1
    done < <(readelf -SW "$object" | sed 's/^ *\[ *[0-9]*\] *//' |
        awk '$1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $5 !~ /^0+$/ {print $1, $5}')
    if nm "$object" | awk '$2 == "C"' | grep .; then
        echo "FAIL: $object has common symbols" >&2
        bad=1
    fi
done
objects=(*.o)
[[ $bad -eq 0 ]] && echo "${#objects[@]} objects: no state, no input or output; memory only from the allocator"
exit $bad
