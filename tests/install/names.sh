#!/bin/bash
# SPDX-License-Identifier: MIT
# names.sh BUILD: the names of the installed libraries are ours. Every global begins with wit_ (public) or wi_ (inside);
# of the library over Open CASCADE that holds for the C names, its C++ names are mangled. And a program whose own functions
# are called as ours are without the prefix, or as they were in version 0.1, links with all of the library, and none of its
# functions is called by it.
set -euo pipefail

root=$PWD
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
    echo "FAIL: $1" >&2
    exit 1
}

cmake --install "$build" --prefix "$dir/prefix" >/dev/null
mapfile -t libraries < <(find "$dir/prefix" -name 'libwitness*.a' -o -name 'libwitness*.so' | sort)
[[ ${#libraries[@]} -ge 2 ]] || fail "no libraries are installed"
for library in "${libraries[@]}"; do
    case $library in
    *.so) nm -D -g --defined-only "$library" ;;
    *) nm -g --defined-only "$library" ;;
    esac | awk 'NF == 3 {print $3}' | sed 's/@.*//' | sort -u >"$dir/names"
    # _Z: C++; DW.ref: what the C++ compiler writes beside it
    [[ $library != *witness_cad* ]] || sed -i '/^_Z\|^DW\.ref\./d' "$dir/names"
    [[ -s $dir/names ]] || fail "${library##*/} has no names"
    if grep -v '^wit_\|^wi_' "$dir/names"; then fail "the names above in ${library##*/} have no prefix of ours"; fi
    cat "$dir/names" >>"$dir/all"
done
names=$(wc -l <"$dir/all")

# Not those that the libraries take from libm and libc: there a user's own function is in its right.
mapfile -t archives < <(printf '%s\n' "${libraries[@]}" | grep 'libwitness\(_io\)\?\.a$' || true)
if [[ ${#archives[@]} -gt 0 ]]; then
    nm -u "${archives[@]}" | awk 'NF == 2 {print $2}' | sort -u >"$dir/taken"
    printf '%s\n' arena_alloc assess best_pair body_at candidate_seek choose_step clamp conclude contain descend \
        evaluate fold follow found heap_push kernel_resolve lu_factor lu_solve measure neighbour pair_search place quiet \
        reacquire refine rest settle settle_pair sign_of solve stage stage_make step stride strand support swift \
        swift_step tile track walk winding >"$dir/own"
    sed -n 's/^wi_//p' "$dir/all" >>"$dir/own"
    sort -u "$dir/own" | grep '^[a-z][a-z0-9_]*$' | grep -vxf "$dir/taken" | grep -vx 'main\|exit\|write\|read' >"$dir/clash"
    {
        echo 'int calls; const char* called = "";'
        sed 's/.*/void user_&(void) __asm__("&"); void user_&(void) { calls++; called = "&"; }/' "$dir/clash"
    } >"$dir/clash.c"
    "${CC:-cc}" -std=gnu17 -I"$dir/prefix/include" -o "$dir/program" "$root/tests/install/names.c" "$dir/clash.c" \
        -Wl,--whole-archive "${archives[@]}" -Wl,--no-whole-archive -lm || fail "a user's functions clash with ours"
    "$dir/program" || fail "a user's function is called"
    echo "$(wc -l <"$dir/clash") functions of a user with our names: none called"
fi
echo "${#libraries[@]} libraries, $names names: all begin with wit_ or wi_"
