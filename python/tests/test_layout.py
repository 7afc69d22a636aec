# SPDX-License-Identifier: MIT
"""The structs and enums of the package are those of the headers: a C program prints sizes and offsets."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import witness
from witness import _closest, _native as native

INCLUDE = Path(os.environ.get("WITNESS_INCLUDE", Path(__file__).resolve().parents[2] / "include"))
CC = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or ""


def printed(tmp_path: Path, lines: list[str]) -> list[str]:
    if not CC or not INCLUDE.is_dir():
        pytest.skip("SKIPPED: no C compiler or no headers")
    source, program = tmp_path / "layout.c", tmp_path / "layout"
    body = "".join(f"    {line}\n" for line in lines)
    source.write_text(f"#include <stddef.h>\n#include <stdio.h>\n#include <witness/witness.h>\nint main(void)\n{{\n{body}    return 0;\n}}\n")
    subprocess.run([CC, "-std=c17", f"-I{INCLUDE}", str(source), "-o", str(program)], check=True)
    return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.split()


def test_structs_are_those_of_the_headers(tmp_path: Path) -> None:
    lines, expected = [], []
    for name, struct in native.STRUCTS.items():
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        expected.append((name, __import__("ctypes").sizeof(struct)))
        for field in (f[0] for f in struct._fields_):
            lines.append(f'printf("%zu %zu\\n", offsetof({name}, {field}), sizeof((({name}*)0)->{field}));')
            at = getattr(struct, field)
            expected += [(f"{name}.{field} at", at.offset), (f"{name}.{field} bytes", at.size)]
    assert [(what, int(n)) for (what, _), n in zip(expected, printed(tmp_path, lines))] == expected


def test_answers_are_fields_of_a_batch(tmp_path: Path) -> None:
    names = [n for n in _closest.ANSWER.names or () if n in native.FIELDS]
    assert len(names) == 16
    lines = [f'printf("%d\\n", (int)WIT_FIELD_{n.upper()});' for n in native.FIELDS]
    assert [int(n) for n in printed(tmp_path, lines)] == list(range(len(native.FIELDS)))
    assert [native.core.wit_field_name(k).decode() for k in range(len(native.FIELDS))] == list(native.FIELDS)


@pytest.mark.parametrize(
    ("kind", "prefix"), [(witness.Outcome, "OUTCOME"), (witness.Reason, "REASON"), (witness.Flag, "FLAG"), (witness.Feature, "")]
)
def test_enums_are_those_of_the_headers(tmp_path: Path, kind: type, prefix: str) -> None:
    members = list(kind)  # type: ignore[call-overload]
    names = [f"WIT_{prefix}_{m.name}" if prefix else f"WIT_{m.name}" for m in members]
    values = [int(n) for n in printed(tmp_path, [f'printf("%d\\n", (int){n});' for n in names])]
    assert values == [int(m) for m in members]
    counts = {"OUTCOME": "WIT_OUTCOME_COUNT", "REASON": "WIT_REASON_COUNT", "FLAG": "WIT_FLAG_COUNT", "": "WIT_FEATURE_KIND_COUNT + 1"}
    assert int(printed(tmp_path, [f'printf("%d\\n", (int){counts[prefix]});'])[0]) == len(members)
