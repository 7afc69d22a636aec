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

nm -g --defined-only *.o | awk 'NF == 3 {print $3}' | sort -u >own
nm -Au *.o | awk '{sub(/:$/, "", $1); print $1, $NF}' | sed 's/: / /' >called
[[ -s own && -s called ]] || { echo "FAIL: nm says nothing" >&2; exit 1; }
bad=0
while read -r object name; do
    [[ $name =~ $everywhere ]] && continue
    [[ -n ${also[$object]-} && $name =~ ${also[$object]} ]] && continue
    echo "FAIL: $object calls $name" >&2
    bad=1
done < <(awk 'NR == FNR {own[$1]; next} !($2 in own)' own called)

while read -r object section size; do
    echo "FAIL: $object has writable data: $section, $((16#$size)) bytes" >&2
    bad=1
done < <(readelf -SW *.o | sed -n 's/^File: //p; s/^ *\[ *[0-9]*\] */section /p' |
    awk '$1 != "section" {object = $1; next}
         $2 ~ /^\.(data|bss|tdata|tbss)/ && $2 !~ /^\.data\.rel\.ro/ && $6 !~ /^0+$/ {print object, $2, $6}')
if nm -A *.o | awk '$(NF - 1) == "C"' | grep .; then
    echo "FAIL: common symbols" >&2
    bad=1
fi
objects=(*.o)
[[ $bad -eq 0 ]] && echo "${#objects[@]} objects: no state, no input or output; memory only from the allocator"
exit $bad
