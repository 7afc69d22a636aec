#!/bin/bash
# SPDX-License-Identifier: MIT
# readme.sh HELLO: the C block of the README is examples/hello.c, and the text block after it is what
# the program prints.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

block() # the first fenced block of the given kind
{
    awk -v start="\`\`\`$1" '$0 == start && !done {inside = 1; next} /^```$/ && inside {inside = 0; done = 1} inside' README.md
}

block c >"$dir/code"
diff -u examples/hello.c "$dir/code" || { echo "FAIL: the code in README.md is not examples/hello.c" >&2; exit 1; }
"$1" >"$dir/printed"
block text >"$dir/output"
diff -u "$dir/printed" "$dir/output" || { echo "FAIL: README.md does not show what hello prints" >&2; exit 1; }
