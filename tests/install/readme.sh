#!/bin/bash
# SPDX-License-Identifier: MIT
# readme.sh DOC SOURCE PROGRAM: the first C block of the document is the source, and its first text block is what
# the program prints.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

block() # the first fenced block of the given kind
{
    awk -v start="\`\`\`$2" '$0 == start && !done {inside = 1; next} /^```$/ && inside {inside = 0; done = 1} inside' "$1"
}

block "$1" c >"$dir/code"
diff -u "$2" "$dir/code" || { echo "FAIL: the code in $1 is not $2" >&2; exit 1; }
"$3" >"$dir/printed"
block "$1" text >"$dir/output"
diff -u "$dir/printed" "$dir/output" || { echo "FAIL: $1 does not show what $2 prints" >&2; exit 1; }
