#!/bin/bash
# SPDX-License-Identifier: MIT
# layers.sh: a file in src/ROOM includes files of its own room and of the rooms before it in this list, and no others.
# Says every include that does not. Run from the root of the tree.
set -euo pipefail

rooms=(base geom body pair query front track batch laws haptic assembly)
declare -A place
for i in "${!rooms[@]}"; do place[${rooms[i]}]=$i; done

bad=0
count=0
while IFS=: read -r file line text; do
    room=${file#src/}
    room=${room%%/*}
    [[ -n ${place[$room]-} ]] || { echo "FAIL: $file: src/$room is not in the list of rooms" >&2; bad=$((bad + 1)); continue; }
    name=${text#*\"}
    name=${name%%\"*}
    target=$(realpath -m --relative-to=. "$(dirname "$file")/$name")
    count=$((count + 1))
    case $target in
    include/witness/*) continue ;;
    src/*/*) ;;
    *) echo "FAIL: $file:$line includes $target, which is not of the core" >&2; bad=$((bad + 1)); continue ;;
    esac
    to=${target#src/}
    to=${to%%/*}
    if [[ ! -e $target ]]; then
        echo "FAIL: $file:$line includes $target, which is not there" >&2
        bad=$((bad + 1))
    elif [[ -z ${place[$to]-} || ${place[$to]} -gt ${place[$room]} ]]; then
        echo "FAIL: $file:$line: $room includes $to: $target" >&2
        bad=$((bad + 1))
    fi
done < <(grep -rn --include='*.[ch]' '^ *# *include *"' src)
[[ $bad -eq 0 ]] || { echo "$bad of $count includes go the wrong way; the order is ${rooms[*]}" >&2; exit 1; }
echo "$count includes: each in its own room or one before, in the order ${rooms[*]}"
