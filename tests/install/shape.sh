#!/bin/bash
# SPDX-License-Identifier: MIT
# shape.sh: what is read at one sitting. Over all of src/: no function beyond 80 lines, no file beyond 600, and at most 5
# functions with eight or more parameters. Says each that is over. Run from the root of the tree.
set -euo pipefail

lines_most=80
file_most=600
many=8
many_most=5

mapfile -t files < <(find src -name '*.[ch]' | sort)
[[ ${#files[@]} -gt 0 ]] || { echo "FAIL: no sources found" >&2; exit 1; }

# A function is what stands between a brace in the first column and the next one. Its head is the lines before, back to the
# last blank line, comment, directive or brace in the first column.
awk -v lines_most=$lines_most -v file_most=$file_most -v many=$many -v many_most=$many_most '
function name_of(head)
{
    sub(/\(.*/, "", head)
    sub(/.*[ *]/, "", head)
    return head
}
function parameters(head,    i, c, depth, n)
{
    n = 1
    for (i = index(head, "("); i <= length(head); ++i) {
        c = substr(head, i, 1)
        if (c == "(") ++depth
        if (c == ")") --depth
        if (c == "," && depth == 1) ++n
    }
    return n
}
FNR == 1 { head = ""; from = 0 }
FNR == file_most + 1 { print "FAIL: " FILENAME " has more than " file_most " lines"; bad = 1 }
/^{/ {
    from = FNR
    name = name_of(head)
    if (head !~ /\(/) from = 0 # a table
    if (from) ++functions
    if (from && parameters(head) >= many) { ++wide; list = list "  " FILENAME ": " name ", " parameters(head) "\n" }
}
/^}/ && from {
    if (FNR - from + 1 > lines_most) { print "FAIL: " FILENAME ": " name " has " FNR - from + 1 " lines"; bad = 1 }
    from = 0
}
/^$/ || /^[{}#\/]/ || /^ \*/ || /\*\/$/ || /;$/ || /^[A-Z_]+\(/ { head = ""; next }
{ head = head " " $0 }
END {
    if (wide > many_most) { printf "FAIL: %d functions have %d or more parameters, more than %d:\n%s", wide, many, many_most, list; bad = 1 }
    printf "%d functions in %d files; %d with %d or more parameters\n", functions, ARGC - 1, wide, many
    exit bad
}' "${files[@]}"
