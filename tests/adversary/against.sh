#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tests/adversary/against.sh [REV] [CASES]    what REV (v0.1) certified and this tree does not: never to certify is no way out
#
# Builds the library of both states into build-against/, the adversary of this tree against each, and asks both the same
# cases. Of the answers that REV certified in default mode, rightly, at most LIMIT=1 percent may have lost that; they are
# listed by family, with the reasons that the library gives, and summed up by reason. Not rightly: wrong ("wrongly"), or with a
# bracket that is wider than what was asked for ("wider": version 0.1 certified down to a floor of rounding).
set -euo pipefail

cd "$(dirname "$0")/../.."
rev=${1:-v0.1}
cases=${2:-200000}
limit=${LIMIT:-1}
dir=$PWD/build-against
commit=$(tools/revision "$rev" 2>/dev/null) || {
    echo "SKIPPED: what $rev certified (there is no '$rev' in this repository)"
    exit 0
}
flags="-std=c17 -O2 -DNDEBUG -ffp-contract=off -fno-math-errno -w -D_GNU_SOURCE"

library() # TREE
{
    [[ -e $1/libwitness_adversary.a ]] && return
    mkdir -p "$1/adversary_objects"
    (cd "$1" && find src -name '*.c' | xargs -P "${JOBS:-2}" -I{} sh -c \
        "${CC:-cc} $flags -Iinclude -c \"\$1\" -o adversary_objects/\$(basename \"\$1\").o" _ {})
    ar rcs "$1/libwitness_adversary.a" "$1"/adversary_objects/*.o
}

program() # TREE: with the headers of that state
{
    local extra=
    grep -q 'wit_reason' "$1/include/witness/query.h" || extra=-DADVERSARY_NO_REASONS
    mkdir -p "$1/tests/adversary"
    cp tests/adversary/*.[ch] "$1/tests/adversary"
    cp tests/campaign.h "$1/tests"
    rm "$1"/tests/adversary/families_{contact,motion,sweep}.c # what version 0.1 has not
    ${CC:-cc} $flags -DADVERSARY_COMPARED $extra "$1"/tests/adversary/*.c "$1/libwitness_adversary.a" -lm -o "$1/adversary"
}

before=$dir/${commit:0:12}
after=$dir/adversary-now
if [[ ! -d $before ]]; then
    mkdir -p "$before.new"
    git archive "$commit" | tar -x -C "$before.new"
    mv "$before.new" "$before"
fi
rm -rf "$after"
mkdir -p "$after"
cp -a src include "$after"
for tree in "$before" "$after"; do
    library "$tree"
    program "$tree"
done

run() { "$1/adversary" --cases "$cases" --answers "$1/answers.txt" >"$1/adversary.log" || [[ $? -eq 1 ]]; }
run "$before" &
run "$after"
wait $!

reasons=$(sed -n '/typedef enum wit_reason/,/^}/s/^ *WIT_REASON_\([A-Z]*\).*/\1/p' include/witness/query.h | grep -v COUNT | paste -sd' ')
echo "Answers in default mode over $cases cases: certified by $rev, and of those rightly certified what this tree does not certify"
awk -v limit="$limit" -v reasons="$reasons" '
BEGIN { split(tolower(reasons), why, " ") }
FNR == NR { now[$1, $2] = $3; last[$1] = $2; next } # this tree
$2 > last[$1] { next }
{
    if (!($1 in asked)) { order[++families] = $1; asked[$1] = 0 }
    after = ($1, $2) in now ? now[$1, $2] : ""
    if (after != "" && length($3) != length(after)) { print "the two programs did not ask the same: " $0; bad = 1; exit }
    for (i = 1; i <= length($3); ++i) {
        was = substr($3, i, 1); is = after == "" ? "!" : substr(after, i, 1)
        if (was == "." || was == "-") continue
        ++asked[$1]
        wrong[$1] += was == "w"
        wide[$1] += was == "v"
        certifies = is == "1" || is == "v" || is == "w"
        gained[$1] += was != "1" && was != "v" && was != "w" && certifies
        if (was != "1") continue
        ++had[$1]
        if (certifies) continue
        ++lost[$1]
        ++by[$1, is]
        seen[is] = 1
    }
}
function row(name, a, h, w, v, l, g, list) { printf "%-18s %9d %9d %9d %9d %9d %8.3f %% %9d  %s\n", name, a, h, w, v, l, 100 * l / (h ? h : 1), g, list }
function reason(c) { return c == "!" ? "body-refused" : c == "0" ? "minima" : why[index("abcdefghijklmnop", c)] }
END {
    if (bad) exit 1
    printf "%-18s %9s %9s %9s %9s %9s %10s %9s  %s\n", "family", "asked", "rightly", "wrongly", "wider", "lost", "", "gained", "reasons"
    for (k = 1; k <= families; ++k) {
        f = order[k]; list = ""
        for (c in seen) if (by[f, c]) { list = list " " reason(c) ":" by[f, c]; sum[c] += by[f, c] }
        row(f, asked[f], had[f], wrong[f], wide[f], lost[f], gained[f], list)
        A += asked[f]; H += had[f]; W += wrong[f]; V += wide[f]; L += lost[f]; G += gained[f]
    }
    list = ""
    for (c in seen) list = list " " reason(c) ":" sum[c]
    row("all", A, H, W, V, L, G, list)
    if (L > limit / 100 * H) { print "More than " limit " % are lost."; exit 1 }
}' "$after/answers.txt" "$before/answers.txt"
