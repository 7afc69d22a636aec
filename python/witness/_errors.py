# SPDX-License-Identifier: MIT
"""What the library refuses, as exceptions."""

from __future__ import annotations

from . import _native as native


class Error(ValueError):
    """A refusal of the library.

    ``status`` is the name of the status (``WIT_ERROR_KNOTS``), ``item`` the path of the field that is wrong, ``line`` and ``column`` its
    place in a text, 0 where there is none, ``text`` the sentence.
    """

    def __init__(self, status: str, text: str, item: str = "", line: int = 0, column: int = 0) -> None:
        place = f"{line}:{column}: " if line else ""
        super().__init__(place + (f"{item}: " if item else "") + text)
        self.status, self.text, self.item, self.line, self.column = status, text, item, line, column


class ClosedError(RuntimeError):
    """A body or a tracker is used after its ``close``."""


def from_status(status: int, what: str = "") -> Error:
    text = native.core.wit_status_text(status).decode()
    return Error(native.core.wit_status_name(status).decode(), f"{what}: {text}" if what else text)


def from_error(error: native.Error) -> Error:
    name = native.core.wit_status_name(error.status).decode()
    return Error(name, error.text.decode(errors="replace"), error.item.decode(errors="replace"), error.line, error.column)
