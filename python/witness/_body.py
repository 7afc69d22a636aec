# SPDX-License-Identifier: MIT
"""Bodies: from files, ready-made solids, NURBS arrays."""

from __future__ import annotations

import ctypes
import json
import os
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _native as native
from ._arrays import Floats, numbers
from ._errors import ClosedError, Error, from_error


class _Model:
    """The memory of a model: lives as long as a body or a tracker of it is referred to."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __del__(self) -> None:
        native.io.wit_model_destroy(self.handle)


class Body:
    """A body, constant after it is made; any number of threads may ask about it.

    Made by :func:`load`, :func:`bodies`, :func:`solid`, :func:`nurbs` and :func:`model`.

    >>> import witness
    >>> ball = witness.solid("sphere", radius=2)
    >>> ball.kind, ball.faces, round(ball.size, 6)
    ('solid', 1, 6.928203)
    """

    def __init__(self, model: _Model, index: int) -> None:
        self._model: _Model | None = model
        self._body: int = native.io.wit_model_body(model.handle, index)
        self._name: str = native.io.wit_model_body_name(model.handle, index).decode()
        pose = native.io.wit_model_body_pose(model.handle, index)
        #: Where the body stands in its model: x y z qw qx qy qz.
        self.pose: Floats = np.array([*pose.position, *pose.rotation])

    @property
    def handle(self) -> int:
        """The ``const wit_body*``; a :class:`ClosedError` after :meth:`close`."""
        if self._model is None:
            raise ClosedError(f"body {self._name!r} was closed")
        return self._body

    def _info(self) -> native.BodyInfo:
        info: native.BodyInfo = native.core.wit_body_describe(self.handle)
        return info

    def close(self) -> None:
        """Gives the memory back once no tracker needs it. Further use raises a :class:`ClosedError`."""
        self._model = None

    def __enter__(self) -> Body:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """As in the file; may be empty."""
        return self._name

    @property
    def kind(self) -> str:
        """``solid``, ``sheet`` or ``sheet2``."""
        kind: bytes = native.core.wit_body_kind_name(self._info().kind)
        return kind.decode()

    @property
    def faces(self) -> int:
        """How many faces it has."""
        return int(self._info().face_count)

    @property
    def edges(self) -> int:
        """How many edges it has."""
        return int(self._info().edge_count)

    @property
    def vertices(self) -> int:
        """How many vertices it has."""
        return int(self._info().vertex_count)

    @property
    def box(self) -> Floats:
        """The least and the largest corner of its box, body axes: (2, 3)."""
        return np.array(self._info().box)

    @property
    def size(self) -> float:
        """The diagonal of that box."""
        return float(self._info().size)

    def _rows(self) -> list[tuple[str, str]]:
        return [
            ("kind", self.kind),
            ("faces, edges, vertices", f"{self.faces}, {self.edges}, {self.vertices}"),
            ("size", f"{self.size:.6g}"),
        ]

    def __repr__(self) -> str:
        if self._model is None:
            return f"<witness.Body {self._name!r}, closed>"
        return f"<witness.Body {self._name!r}: {self.kind}, {self.faces} faces, {self.edges} edges, size {self.size:.6g}>"

    def _repr_html_(self) -> str:
        if self._model is None:
            return f"<i>{escape(repr(self))}</i>"
        rows = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in self._rows())
        return f"<table><caption>{escape(self._name or 'body')}</caption>{rows}</table>"


def _from_handle(handle: int | None, error: native.Error) -> list[Body]:
    if not handle:
        raise from_error(error)
    model = _Model(handle)
    return [Body(model, k) for k in range(native.io.wit_model_body_count(handle))]


def model(text: str | dict[str, Any]) -> list[Body]:
    """All bodies of a model in the format of docs/format.md, as text or as what ``json.loads`` makes of it.

    >>> import witness
    >>> witness.model({"format": "witness-model", "version": 1, "name": "m", "unit": "mm",
    ...     "bodies": [{"name": "peg", "solid": {"kind": "cylinder", "radius": 1, "height": 3}}]})
    [<witness.Body 'peg': solid, 3 faces, 2 edges, size 4.12311>]
    """
    data = (text if isinstance(text, str) else json.dumps(text, allow_nan=False)).encode()
    error = native.Error()
    return _from_handle(native.io.wit_model_read_text(data, len(data), None, ctypes.byref(error)), error)


def bodies(path: str | os.PathLike[str]) -> list[Body]:
    """All bodies of a file: a JSON model, Bezier patches (.bpt), and STEP, IGES or BREP where the CAD library is there."""
    name, error = os.fspath(path), native.Error()
    end = os.path.splitext(name)[1].lower()
    encoded = os.fsencode(name)
    if end == ".bpt":
        return _from_handle(native.io.wit_model_read_bpt(encoded, None, ctypes.byref(error)), error)
    if end not in (".step", ".stp", ".iges", ".igs", ".brep", ".brp"):
        return _from_handle(native.io.wit_model_read_file(encoded, None, ctypes.byref(error)), error)
    try:
        cad = native.cad()
    except OSError as reason:
        raise Error("WIT_ERROR_UNSUPPORTED", f"the library that reads CAD files is not there ({reason})", name) from None
    file = cad.wit_cad_read_file(encoded, None, ctypes.byref(error))
    if not file:
        raise from_error(error)
    try:
        return _from_handle(cad.wit_cad_model(file, None, ctypes.byref(error)), error)
    finally:
        cad.wit_cad_destroy(file)


def load(path: str | os.PathLike[str], name: str | None = None) -> Body:
    """The only body of a file, or the one of that name."""
    found = bodies(path)
    chosen = [b for b in found if name is None or b.name == name]
    if len(chosen) == 1:
        return chosen[0]
    names = ", ".join(repr(b.name) for b in found[:20])
    raise Error("WIT_ERROR_NAME", f"say which body: the file has {names or 'none'}", os.fspath(path))


def solid(kind: str, **sizes: Any) -> Body:
    """A ready-made solid: box, sphere, ellipsoid, cylinder, cone, frustum, capsule, torus, prism, ...

    ``sizes`` are the fields of docs/format.md, ``frame`` among them.

    >>> import witness
    >>> witness.solid("torus", radius=3, radius2=1)
    <witness.Body 'torus': solid, 1 faces, 0 edges, size 11.4891>
    """
    fields = {k: v.tolist() if isinstance(v, (np.ndarray, np.generic)) else v for k, v in sizes.items()}
    return model(_one({"name": kind, "solid": {"kind": kind, **fields}}))[0]


def _one(body: dict[str, Any], **lists: Any) -> dict[str, Any]:
    return {"format": "witness-model", "version": 1, "name": str(body["name"]), "unit": "none", **lists, "bodies": [body]}


def _clamped(count: int, degree: int) -> list[float]:
    inner = count - degree
    if inner < 1:
        raise ValueError(f"a spline of degree {degree} needs {degree + 1} control points or more, not {count}")
    return [0.0] * degree + [k / inner for k in range(inner + 1)] + [1.0] * degree


def nurbs(
    points: ArrayLike,
    degree: int | tuple[int, int] = 3,
    knots: tuple[ArrayLike, ArrayLike] | None = None,
    weights: ArrayLike | None = None,
    kind: str = "sheet2",
) -> Body:
    """A body of one spline surface: control points (nu, nv, 3); knots (uniform and clamped where None) and weights (nu, nv).

    >>> import numpy as np, witness
    >>> u, v = np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 6), indexing="ij")
    >>> patch = witness.nurbs(np.stack([u, v, 0.1 * np.sin(5 * u)], axis=-1))
    >>> patch.kind, patch.faces, patch.edges
    ('sheet2', 1, 4)
    """
    net = numbers(points, "points")
    if net.ndim != 3 or net.shape[2] != 3:
        raise ValueError(f"points: the shape is {net.shape}, not (nu, nv, 3)")
    degrees = (degree, degree) if isinstance(degree, int) else degree
    surface: dict[str, Any] = {"name": "surface", "kind": "nurbs", "points": net.tolist()}
    for axis, letter in enumerate("uv"):
        surface[f"degree_{letter}"] = int(degrees[axis])
        given = None if knots is None else numbers(knots[axis], f"knots[{axis}]").tolist()
        surface[f"knots_{letter}"] = _clamped(net.shape[axis], int(degrees[axis])) if given is None else given
    if weights is not None:
        w = numbers(weights, "weights")
        if w.shape != net.shape[:2]:
            raise ValueError(f"weights: the shape is {w.shape}, not {net.shape[:2]}")
        surface["weights"] = w.tolist()
    body = {"name": "nurbs", "kind": kind, "faces": [{"surface": "surface"}]}
    return model(_one(body, surfaces=[surface]))[0]
