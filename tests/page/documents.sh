#!/bin/bash
# SPDX-License-Identifier: MIT
#
# documents.sh COMMAND: every command in a block "sh" of a document runs (those after "$ " are compared with what they print by
# test_docs). `make TARGET` is asked
# whether there is such a target: the targets are tests of their own, or run the others. `witness view` is interrupted, and ends well.
set -euo pipefail
command=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/build"
ln -s "$command" "$dir/build/witness"
for f in page.html step.js; do [[ ! -e $root/build/$f ]] || ln -s "$root/build/$f" "$dir/build/$f"; done
for f in models scenes examples include src tests docs Makefile tools viewer wasm CMakeLists.txt; do ln -s "$root/$f" "$dir/$f"; done
cd "$dir"
export PATH="$dir/build:$PATH"

run() # COMMAND LINE
{
    case $1 in
    make\ * | make) # shellcheck disable=SC2086
        make -n SETUP=: ${1#make} >/dev/null ;;
    *"witness view "*)
        $1 --no-open >said & local pid=$!
        for _ in $(seq 100); do grep -q '^http://127.0.0.1:' said && break; sleep 0.1; done
        grep -q '^http://127.0.0.1:' said
        kill -INT $pid
        wait $pid ;;
    "build/witness "* | "witness "*) timeout 300 bash -c "$1" >/dev/null ;;
    "cmake --preset "*) # the presets are there; the tests run them
        [[ -e $root/CMakePresets.json ]] ;;
    "cc -std=c17 "*) (cd "$(mktemp -d "$dir/cc.XXXX")" && cp -r "$root/include" "$root/src" . && bash -c "${1/ -O2/ -O0 -fsyntax-only}") ;;
    "cc hello.c "*) : ;; # tests/install/install.sh compiles against the installed library by pkg-config
    "python3 -m venv "* | "env/bin/"*) grep -qxF "$1" <(sed 's/  *#.*$//' "$root/docs/python.md") ;; # tests/install/python.sh runs them
    *) echo "FAIL: no rule runs: $1" >&2; return 1 ;;
    esac
}

count=0
while IFS=$'\t' read -r file line; do
    line=$(sed 's/  *#.*$//' <<<"$line")
    [[ -n $line ]] || continue
    run "$line" </dev/null || { echo "FAIL: $file: $line" >&2; exit 1; }
    count=$((count + 1))
done < <(cd "$root" && for f in README.md CONTRIBUTING.md docs/*.md wasm/README.md; do
    awk -v f="$f" '/^ *```/ {fence = fence ? "" : $0; next}
        fence ~ /```sh/ {print f "\t" $0}' "$f"
done)
[[ $count -gt 10 ]] || { echo "FAIL: only $count commands were found" >&2; exit 1; }
echo "ok   $count commands of the documents run"
