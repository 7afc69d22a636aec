#!/bin/bash
# SPDX-License-Identifier: MIT
#
# package.sh TARBALL COMMAND: the npm package, installed from its tarball in an empty folder, runs the sample of its README and
# prints what stands there; its answers are those of the command.
set -euo pipefail
tarball=$(realpath "$1")
command=$(realpath "$2")
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private": true, "type": "module"}' >package.json
npm install --offline --silent --no-audit --no-fund "$tarball" >/dev/null

readme=node_modules/witness-geometry/README.md
block() { awk -v start="\`\`\`$1" '$0 == start && !done {inside = 1; next} /^```$/ && inside {inside = 0; done = 1} inside' "$readme"; }
block js >sample.mjs
block text >expected
node sample.mjs >printed
diff -u expected printed || { echo "FAIL: the README of the package does not show what its sample prints" >&2; exit 1; }

# The types serve a program that uses them.
if [[ -x $root/viewer/node_modules/.bin/tsc ]]; then
    cp "$root/tests/page/typed.ts" .
    "$root/viewer/node_modules/.bin/tsc" --strict --noEmit --target es2022 --module es2022 --moduleResolution bundler \
        --lib es2022,dom typed.ts
fi
cp "$root/tests/page/package.mjs" .
node package.mjs "$root" "$command"
