#!/bin/bash
# SPDX-License-Identifier: MIT
# architecture.sh: the words keep up with the tree. Run from its root.
#   docs/architecture.md names every source of src/, and every source that it names exists;
#   every path src/... that any page names exists, and every file that a link leads to;
#   no line of a public header is longer than 120.
set -euo pipefail

page=docs/architecture.md
bad=0
fail()
{
    echo "FAIL: $1" >&2
    bad=$((bad + 1))
}

named=$(grep -o '`[a-z0-9_/]*\.[ch]`' "$page" | tr -d '`' | sort -u)
base=$(basename -a $named | sort -u)

count=0
while read -r source; do
    count=$((count + 1))
    grep -qx "$(basename "$source")" <<<"$base" || fail "$page does not name $source"
done < <(find src -name '*.c')
[[ $count -gt 0 ]] || fail "no sources found"

for name in $named; do
    if [[ $name == */* ]]; then
        [[ -e $name ]] || fail "$page names $name, which is not there"
    elif [[ -z $(find src -name "$name") ]]; then
        fail "$page names $name, which is not in src/"
    fi
done

while IFS=: read -r file line path; do
    path=${path//\`/}
    [[ -e $path ]] || fail "$file:$line names $path, which is not there"
done < <(grep -no '`src/[a-z0-9_/.]*`' README.md CHANGELOG.md CONTRIBUTING.md docs/*.md)

while IFS=: read -r file line link; do
    link=${link#](}
    link=${link%%[#)]*}
    [[ -z $link || $link == http* || -e $(dirname "$file")/$link ]] || fail "$file:$line: the link to $link leads nowhere"
done < <(grep -no '](\([^)]*\))' README.md CHANGELOG.md CONTRIBUTING.md docs/*.md)

while read -r line; do fail "$line is longer than 120"; done < <(awk 'length > 120 {print FILENAME ":" FNR}' include/witness/*.h)

tools/draw-rooms /dev/null || fail "tools/draw-rooms"
[[ $bad -eq 0 ]] || exit 1
echo "$page names all $count sources; every file named in the pages exists"
