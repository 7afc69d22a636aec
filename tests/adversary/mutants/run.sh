#!/bin/bash
# SPDX-License-Identifier: MIT
# Puts errors that were found in version 0.1 back, one by one, and sees that the adversary finds each.
#
#     tests/adversary/mutants/run.sh BUILD [NAME]     from the root of the tree; BUILD: where the adversary is built; one only
#
# Each mutant is a patch beside this script (a4-turn.patch) whose first lines say which families of the adversary see it:
#
#     Error: A4, turning a point into the body's frame is in no bound
#     Families: corners
#     Cases: 2000
#     Column: bracket          (a column of the adversary's table: wrong, bracket, sign, budget)
#
# The files that a patch changes are compiled again, with all sources that include a changed header, into a copy of the library.
# The adversary must end with a finding in that column, where the library as it is has none. Ends with 1 if a mutant lives.
set -u
build=$1
only=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-O2 -std=c17 -fPIC -ffp-contract=off -fno-math-errno -w"
cc=${CC:-cc}
lived=0
count=0

mkdir "$work/objects"
for f in tests/adversary/*.c; do
    $cc $flags -c "$f" -o "$work/objects/$(basename "$f").o" || exit 2
done

found() # LIBRARY FAMILIES CASES COLUMN: findings in that column over these families
{
    $cc "$work"/objects/*.o "$1" -lm -o "$work/adversary" || exit 2
    for family in $2; do
        timeout 600 "$work/adversary" --family "$family" --cases "$3" |
            awk -v column="$4" '/^family / { for (i = 1; i <= NF; ++i) if ($i == column) at = i + 1 } /^all / { print $at }'
    done | awk '{ n += $1 } END { print n + 0 }'
}

mutant() # PATCH
{
    local name families cases column
    name=$(basename "$1" .patch)
    [ -n "$only" ] && [ "$only" != "$name" ] && return
    count=$((count + 1))
    families=$(sed -n 's/^Families: //p' "$1")
    cases=$(sed -n 's/^Cases: //p' "$1")
    column=$(sed -n 's/^Column: //p' "$1")
    rm -rf "$work/tree"
    mkdir "$work/tree"
    cp -r src include "$work/tree"
    if ! (cd "$work/tree" && patch -p1 -s --fuzz=3) <"$1" >"$work/log" 2>&1; then
        echo "$name: the patch does not apply any more: $(head -n 1 "$work/log")"
        lived=$((lived + 1))
        return
    fi
    cp "$build/libwitness.a" "$work/libwitness.a"
    # a header may reach any source: then all of src is compiled again
    local list
    list=$(cd "$work/tree" && find src -name '*.c' -newer "$work/stamp" -o -name '*.h' -newer "$work/stamp")
    case "$list" in *.h*) list=$(cd "$work/tree" && find src -name '*.c') ;; esac
    rm -rf "$work/changed"
    mkdir "$work/changed"
    echo "$list" | (cd "$work/tree" && xargs -P "${JOBS:-2}" -I{} sh -c \
        "$cc $flags -Iinclude -c \"\$1\" -o ../changed/\$(basename \"\$1\").o" _ {}) || exit 2
    ar r "$work/libwitness.a" "$work"/changed/*.o 2>/dev/null
    local before after
    before=$(found "$build/libwitness.a" "$families" "$cases" "$column")
    after=$(found "$work/libwitness.a" "$families" "$cases" "$column")
    if [ "$after" -gt "$before" ]; then
        echo "$name: found, $after findings ($column) in $cases cases of $families"
    else
        echo "$name: LIVES ($before findings before, $after with it)"
        lived=$((lived + 1))
    fi
}

for patch in tests/adversary/mutants/*.patch; do
    [ -e "$patch" ] || break
    touch "$work/stamp"
    sleep 0.01
    mutant "$patch"
done
echo "$count mutants, $lived live"
[ "$lived" -eq 0 ]
