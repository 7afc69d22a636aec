#!/bin/bash
# SPDX-License-Identifier: MIT
# renames.sh: programs written for version 0.1 compile after tools/renames.sed: its own examples, kept in names-0.1, and the
# programs of others in ../shared/findings where they are. Run from the root of the tree.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
count=0

compiled() # every C file of the directory, with its headers
{
    local from=$1 to=$dir/${1//\//_} file
    mkdir "$to"
    for file in "$from"/*.[ch]; do
        [[ -f $file ]] && sed -f tools/renames.sed "$file" >"$to/${file##*/}"
    done
    for file in "$to"/*.c; do
        count=$((count + 1))
        "${CC:-cc}" -std=gnu17 -O0 -fsyntax-only -Iinclude -I"$to" "$file" 2>"$dir/log" && continue
        echo "FAIL: $from/${file##*/} after tools/renames.sed:" >&2
        grep 'error' "$dir/log" | head -n 5 >&2
        bad=1
    done
}

compiled tests/install/names-0.1
if [[ -d ../shared/findings ]]; then
    compiled ../shared/findings
else
    echo "SKIPPED: programs of others for version 0.1 (../shared/findings is not here)"
fi
echo "$count programs written for 0.1"
exit $bad
