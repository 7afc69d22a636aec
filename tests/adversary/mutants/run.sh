#!/bin/bash
# SPDX-License-Identifier: MIT
# Puts errors that were found in version 0.1 back, one by one, and sees that the adversary finds each.
#
#     tests/adversary/mutants/run.sh BUILD [NAME]     from the root of the tree; BUILD: where the library is built; one only
#
# Each mutant is a patch beside this script (a4-turn.patch) whose first lines say which families of the adversary see it:
#
#     Error: A4, turning a point into the body's frame is in no bound
#     Families: corners
#     Cases: 2000
#     Column: bracket          (of the adversary's table: wrong, bracket, sign, budget; a sum: "wrong bracket")
#
# The files that a patch changes, and those that include them, are compiled again into a copy of the library, without what
# else changed since it was built. The adversary must end with a finding in those columns, where the library as it is has
# none. Prints a table; ends with 1 if a mutant lives or a patch does not apply any more.
set -u
build=${1:?usage: tests/adversary/mutants/run.sh BUILD [NAME]}
only=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-O2 -std=c17 -fPIC -ffp-contract=off -fno-math-errno -w"
cc=${CC:-cc}
jobs=${JOBS:-2}
lived=0
count=0

[ -e "$build/libwitness.a" ] || { echo "run.sh: there is no $build/libwitness.a" >&2; exit 2; }
mkdir "$work/objects" "$work/tree"
cp -r src include "$work/tree"
ls tests/adversary/*.c | xargs -P "$jobs" -I{} sh -c "$cc $flags -c {} -o $work/objects/\$(basename {}).o" || exit 2
$cc "$work"/objects/*.o "$build/libwitness.a" -lm -o "$work/adversary" || exit 2
# what each source includes: a patch of a header reaches those sources only
(cd "$work/tree" && find src -name '*.c' -exec $cc -Iinclude -MM {} + | sed -e ':a' -e '/\\$/N; s/\\\n//; ta') >"$work/includes"

findings() # PROGRAM FAMILIES CASES COLUMNS: findings in these columns over these families
{
    for family in $2; do
        timeout 900 "$1" --family "$family" --cases "$3" |
            awk -v columns="$4" 'BEGIN { n = split(columns, name, " ") }
                /^family / { for (i = 1; i <= NF; ++i) for (k = 1; k <= n; ++k) if ($i == name[k]) at[i + 1] = 1 }
                /^all / { for (i in at) sum += $i; print sum + 0 }'
    done | awk '{ n += $1 } END { print n + 0 }'
}

row() { printf '%-16s %-62s %-28s %8s %8s  %s\n' "$@"; }

mutant() # PATCH
{
    local name error families cases column before after verdict=found
    name=$(basename "$1" .patch)
    [ -n "$only" ] && [ "$only" != "$name" ] && return
    count=$((count + 1))
    error=$(sed -n 's/^Error: //p' "$1")
    families=$(sed -n 's/^Families: //p' "$1")
    cases=$(sed -n 's/^Cases: //p' "$1")
    column=$(sed -n 's/^Column: //p' "$1")
    rm -rf "$work/mutant" "$work/changed"
    cp -r "$work/tree" "$work/mutant"
    mkdir "$work/changed"
    if ! (cd "$work/mutant" && patch -p1 -s --fuzz=3) <"$1" >"$work/log" 2>&1; then
        row "$name" "$error" "$families" - - "DOES NOT APPLY: $(head -n 1 "$work/log")"
        lived=$((lived + 1))
        return
    fi
    sed -n 's|^+++ b/||p' "$1" | while read -r file; do
        awk -v file="$file" '{ for (i = 2; i <= NF; ++i) { path = $i; while (sub(/[^\/]+\/\.\.\//, "", path)); if (path == file) print $2 } }' "$work/includes"
    done | sort -u >"$work/sources"
    (cd "$work/mutant" && xargs -P "$jobs" -I{} sh -c "case {} in *_avx2.c) own='-mavx2 -mfma' ;; esac
        $cc $flags \$own -Iinclude -c {} -o ../changed/\$(basename {}).o") <"$work/sources" || exit 2
    cp "$build/libwitness.a" "$work/libwitness.a"
    ar r "$work/libwitness.a" "$work"/changed/*.o 2>/dev/null
    $cc "$work"/objects/*.o "$work/libwitness.a" -lm -o "$work/mutated" || exit 2
    findings "$work/adversary" "$families" "$cases" "$column" >"$work/before" &
    findings "$work/mutated" "$families" "$cases" "$column" >"$work/after"
    wait $!
    before=$(cat "$work/before")
    after=$(cat "$work/after")
    if [ "$before" -gt 0 ] || [ "$after" -eq 0 ]; then
        verdict=LIVES
        lived=$((lived + 1))
    fi
    row "$name" "$error" "$families: $cases" "$before" "$after" "$verdict"
}

row mutant error "families: cases" before with ""
for patch in tests/adversary/mutants/*.patch; do mutant "$patch"; done
echo "$count mutants, $lived live"
[ "$lived" -eq 0 ] && [ "$count" -gt 0 ]
