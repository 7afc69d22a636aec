#!/bin/bash
# SPDX-License-Identifier: MIT
# python.sh WHEEL: the wheel installs with pip, without network, into a fresh virtual environment over the system's NumPy. There the
# tests of the package pass, its doctests, the sample of README.md prints what it says, and mypy --strict is silent. Run from the
# root of the tree.
set -euo pipefail

wheel=$(realpath "$1")
root=$PWD
python=${PYTHON:-/usr/bin/python3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset WITNESS_LIBRARY PYTHONPATH

fail()
{
    echo "FAIL: $1" >&2
    exit 1
}

# The environment is made by the commands of docs/python.md, as they stand there.
mkdir -p "$dir/build-python" "$dir/bin"
ln -s "$(dirname "$wheel")" "$dir/build-python/wheel"
ln -s "$(command -v "$python")" "$dir/bin/python3"
while read -r line; do
    (cd "$dir" && PATH="$dir/bin:$PATH" bash -c "$line" >"$dir/said" 2>&1) || { cat "$dir/said" >&2; fail "docs/python.md: $line"; }
done < <(sed -n '/^```sh/,/^```/p' docs/python.md | sed '/^```/d; /^make /d; s/  *#.*$//')
[[ -x $dir/env/bin/python ]] || fail "docs/python.md makes no environment"
export PYTHONDONTWRITEBYTECODE=1 WITNESS_INCLUDE=$root/include WITNESS_MODELS=$root/models
cd "$dir"
package=$("$dir/env/bin/python" -c 'import os, witness; print(os.path.dirname(witness.__file__))')
[[ $package == "$dir/env/"* ]] || fail "the package is that of $package"
"$dir/env/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules -rs "$root/python/tests" "$package" || fail "tests of the package"

# The sample between the marks, and what is said to be printed.
sed -n '/<!-- python -->/,/<!-- end -->/p' "$root/README.md" >"$dir/part"
sed -n '/^```python/,/^```/p' "$dir/part" | sed '/^```/d' >"$dir/sample.py"
sed -n '/^```text/,/^```/p' "$dir/part" | sed '/^```/d' >"$dir/said"
[[ -s $dir/sample.py && -s $dir/said ]] || fail "README.md has no sample"
(cd "$root" && "$dir/env/bin/python" "$dir/sample.py") >"$dir/printed"
diff "$dir/said" "$dir/printed" || fail "README.md says (<) and the sample prints (>)"
if "$python" -c 'import mypy' 2>/dev/null; then
    "$python" -m mypy --strict --cache-dir "$dir/mypy" --python-executable "$dir/env/bin/python" "$package" "$dir/sample.py" || fail "mypy --strict"
else
    echo "SKIPPED: mypy is not there"
fi
echo "python: installed, tested"
