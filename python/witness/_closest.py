# SPDX-License-Identifier: MIT
"""Questions: closest points with their proof, every local minimum, contacts."""

from __future__ import annotations

import ctypes
import threading
from enum import IntEnum
from typing import Any, Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native as native
from ._arrays import Floats
from ._body import Body
from ._errors import from_error, from_status


class Outcome(IntEnum):
    """How a query ended: ``wit_outcome``."""

    CONVERGED = 0
    NOT_UNIQUE = 1
    TOUCHING = 2
    OVERLAPPING = 3
    BEYOND = 4
    BUDGET = 5
    EMPTY = 6
    OPEN = 7


class Reason(IntEnum):
    """Why an answer is not certified: ``wit_reason``."""

    NONE = 0
    BUDGET = 1
    MEMORY = 2
    SPREAD = 3
    SIGN = 4
    PREMISE = 5
    MODEL = 6
    ROUNDING = 7
    OPEN = 8
    MOTION = 9


class Feature(IntEnum):
    """What carries a witness: ``wit_feature_kind``."""

    FACE = 0
    EDGE = 1
    VERTEX = 2
    POINT = 3


#: One answer: a field of a batch each, with its type.
ANSWER = np.dtype(
    [
        ("distance", "f8"),
        ("lower_bound", "f8"),
        ("upper_bound", "f8"),
        ("model_tolerance", "f8"),
        ("normal", "f8", (3,)),
        ("point_a", "f8", (3,)),
        ("point_b", "f8", (3,)),
        ("parameters_a", "f8", (2,)),
        ("parameters_b", "f8", (2,)),
        ("units", "i8"),
        ("feature_a", "i4", (2,)),
        ("feature_b", "i4", (2,)),
        ("outcome", "i4"),
        ("reason", "i4"),
        ("sign", "i4"),
        ("certified", "?"),
        ("", "V3"),
    ]
)
_WITNESS = [("feature", "i4"), ("id", "i4"), ("parameters", "f8", (2,)), ("point", "f8", (3,))]
#: A local minimum.
MINIMUM = np.dtype([("distance", "f8"), ("normal", "f8", (3,)), ("a", _WITNESS), ("b", _WITNESS), ("dimension", "i4"), ("proved", "?")])
#: A local contact of two overlapping solids.
CONTACT = np.dtype([("depth", "f8"), ("normal", "f8", (3,)), ("a", _WITNESS), ("b", _WITNESS)])

Answers = NDArray[np.void]


def _query_def(settings: dict[str, Any]) -> native.QueryDef:
    made: native.QueryDef = set_fields(native.core.wit_query_default_def(), settings)
    return made


def set_fields(made: Any, settings: dict[str, Any]) -> Any:
    """The settings put into the fields of a def; struct_size is not one of them."""
    names = {name: kind for name, kind in made._fields_ if name not in ("struct_size", "law", "kernel")}
    for name, value in settings.items():
        if name not in names:
            raise _arrays.keyword(name, names)
        integral = names[name] in (ctypes.c_int, ctypes.c_int64)
        setattr(made, name, int(value) if integral else bool(value) if names[name] is ctypes.c_bool else float(value))
    return made


def placed(body: Body, pose: Floats) -> native.Placed:
    p = native.Placed(body=body.handle)
    p.pose.position[:] = pose[:3].tolist()
    p.pose.rotation[:] = pose[3:].tolist()
    return p


def _each(threads: int) -> Any:
    """The parallel-for of a batch. Pieces run without the interpreter's lock, which ctypes gives up in each call."""

    def run_all(_: int | None, pieces: int, run: int, job: int) -> None:
        piece_of: Callable[[int, int, int], None] = native.BatchPiece(run)
        lock, left = threading.Lock(), iter(range(pieces))

        def work(worker: int) -> None:
            while True:
                with lock:
                    piece = next(left, None)
                if piece is None:
                    return
                piece_of(job, piece, worker)

        helpers = [threading.Thread(target=work, args=(k,)) for k in range(1, min(threads, pieces))]
        for t in helpers:
            t.start()
        work(0)
        for t in helpers:
            t.join()

    return native.BatchEach(run_all)


class Batch:
    """The memory of one call of many questions."""

    def __init__(self, count: int, threads: int, settings: dict[str, Any]) -> None:
        if not 1 <= threads <= 256:
            raise ValueError(f"threads: {threads} is not in 1 .. 256")
        made = native.core.wit_batch_default_def()
        made.query = _query_def(settings)
        made.count, made.workers = count, threads
        self._each = _each(threads) if threads > 1 else None
        if self._each:
            made.each = ctypes.cast(self._each, ctypes.c_void_p)
        error = native.Error()
        query = native.core.wit_query_create(ctypes.byref(made.query), None, ctypes.byref(error))
        if not query:
            raise from_error(error)  # the batch says no more than "query"
        native.core.wit_query_destroy(query)
        self.handle: int | None = native.core.wit_batch_create(ctypes.byref(made), None, ctypes.byref(error))
        if not self.handle:
            raise from_error(error)

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        native.core.wit_batch_destroy(self.handle)
        self.handle = None


def _ask_all(rows: Answers) -> native.BatchOut:
    out = native.BatchOut()
    for name in ANSWER.names or ():
        k = native.FIELDS.index(name) if name in native.FIELDS else -1
        if k < 0:
            continue
        fields = ANSWER.fields
        assert fields is not None
        out.fields |= 1 << k
        out.data[k] = rows.ctypes.data + fields[name][1]
        out.stride[k] = ANSWER.itemsize
    return out


def closest(
    a: Body,
    b: Body | ArrayLike,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    threads: int = 1,
    **settings: Any,
) -> Answers:
    """The closest points of a body and points (n, 3), or of two bodies at one or n poses, with the proof.

    The answer is a structured array: ``distance`` (negative inside), ``lower_bound``, ``upper_bound``, ``certified``, ``normal``, ``point_a``, ...
    Poses are (7,) x y z qw qx qy qz or (4, 4); of two bodies also n of them. ``settings``: ``tolerance``, ``within``, ``budget``,
    ``strict``, ``rigorous``, ``capacity``. The same bits for any number of ``threads``.

    >>> import witness
    >>> ball = witness.solid("sphere", radius=2)
    >>> a = witness.closest(ball, [[5, 0, 0], [0, 0, 1]])
    >>> a["distance"].round(12).tolist(), a["certified"].tolist()
    ([3.0, -1.0], [True, True])
    >>> box = witness.solid("box", size_x=2, size_y=2, size_z=2)
    >>> float(witness.closest(ball, box, pose_b=[4, 0, 0, 1, 0, 0, 0])["distance"].round(9))
    1.0
    """
    if isinstance(b, Body):
        return _closest_pairs(a, b, pose_a, pose_b, threads, settings)
    if pose_b is not None:
        raise TypeError("pose_b: points have no pose")
    points = _arrays.points(b)
    rows = np.zeros(points.shape[:-1], dtype=ANSWER)
    count = rows.size
    items = native.Items(points.ctypes.data, 0, count)
    place = placed(a, _arrays.one_pose(pose_a, "pose_a"))
    with Batch(count, threads, settings) as batch:
        summary = native.BatchSummary()
        out = _ask_all(rows)
        status = native.core.wit_closest_points(
            batch.handle, ctypes.byref(place), ctypes.byref(items), ctypes.byref(out), ctypes.byref(summary)
        )
        _check(status, summary, points, "points", batch, place, None)
    return rows


def _closest_pairs(
    a: Body, b: Body, pose_a: ArrayLike | None, pose_b: ArrayLike | None, threads: int, settings: dict[str, Any]
) -> Answers:
    at_a, at_b = np.broadcast_arrays(_arrays.poses(pose_a, "pose_a"), _arrays.poses(pose_b, "pose_b"))
    both = np.ascontiguousarray(np.concatenate([at_a, at_b], axis=-1))
    rows = np.zeros(both.shape[:-1], dtype=ANSWER)
    items = native.Items(both.ctypes.data, 0, rows.size)
    pa, pb = placed(a, _arrays.one_pose(None, "")), placed(b, _arrays.one_pose(None, ""))
    with Batch(0, threads, settings) as batch:
        summary = native.BatchSummary()
        out = _ask_all(rows)
        status = native.core.wit_closest_pairs(
            batch.handle, ctypes.byref(pa), ctypes.byref(pb), ctypes.byref(items), ctypes.byref(out), ctypes.byref(summary)
        )
        _check(status, summary, both, "poses", batch, pa, pb)
    return rows


def _check(
    status: int, summary: native.BatchSummary, data: Floats, what: str, batch: Batch, a: native.Placed, b: native.Placed | None
) -> None:
    """Raises what was refused: the call, or the first item, which is asked alone for its status."""
    if status:
        raise from_status(status)
    if not summary.refused:
        return
    index, width = int(summary.first_refused), data.shape[-1]
    item = np.ascontiguousarray(data.reshape(-1, width)[index])
    one, value, out = native.Items(item.ctypes.data, 0, 1), ctypes.c_int(0), native.BatchOut()
    k = native.FIELDS.index("status")
    out.fields, out.data[k] = 1 << k, ctypes.addressof(value)
    if b is None:
        native.core.wit_closest_points(batch.handle, ctypes.byref(a), ctypes.byref(one), ctypes.byref(out), None)
    else:
        native.core.wit_closest_pairs(batch.handle, ctypes.byref(a), ctypes.byref(b), ctypes.byref(one), ctypes.byref(out), None)
    raise from_status(value.value, f"{what}[{index}]")


class _Query:
    def __init__(self, settings: dict[str, Any]) -> None:
        made, error = _query_def(settings), native.Error()
        self.handle = native.core.wit_query_create(ctypes.byref(made), None, ctypes.byref(error))
        if not self.handle:
            raise from_error(error)

    def __enter__(self) -> int:
        return int(self.handle)

    def __exit__(self, *_: object) -> None:
        native.core.wit_query_destroy(self.handle)


def _put_witness(row: Any, w: native.Witness) -> None:
    row["feature"], row["id"], row["parameters"], row["point"] = w.feature, w.id, (w.u, w.v), tuple(w.point)


def _listed(ask: Callable[[Any, int, Any], int], kind: Any, summary: Any) -> list[Any]:
    """Asked again with room for all, where there are more than expected."""
    room = 64
    while True:
        found = (kind * room)()
        status = ask(found, room, ctypes.byref(summary))
        if status:
            raise from_status(status)
        if summary.count <= room or room >= 1 << 20:
            return list(found[: min(room, summary.count)])
        room = summary.count


def minima(
    a: Body, b: Body | ArrayLike, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None, **settings: Any
) -> tuple[Answers, bool]:
    """Every local minimum of the distance to a point or to a body, nearest first; and whether the list is complete.

    >>> import witness
    >>> torus = witness.solid("torus", radius=3, radius2=1)
    >>> found, complete = witness.minima(torus, [0.5, 0, 0])
    >>> found["distance"].round(9).tolist(), complete
    ([1.5], True)
    """
    place, summary = placed(a, _arrays.one_pose(pose_a, "pose_a")), native.MinimaSummary()
    with _Query(settings) as query:
        if isinstance(b, Body):
            other = placed(b, _arrays.one_pose(pose_b, "pose_b"))

            def ask(out: Any, room: int, s: Any) -> int:
                return int(native.core.wit_minima_pair(query, ctypes.byref(place), ctypes.byref(other), out, room, s))

        else:
            point = native.Vec3Value(*_one_point(b).tolist())

            def ask(out: Any, room: int, s: Any) -> int:
                return int(native.core.wit_minima_point(query, ctypes.byref(place), point, out, room, s))

        found = _listed(ask, native.Minimum, summary)
    rows = np.zeros(len(found), dtype=MINIMUM)
    for row, m in zip(rows, found):
        row["distance"], row["normal"], row["dimension"], row["proved"] = m.distance, tuple(m.normal), m.set.dimension, m.proved
        _put_witness(row["a"], m.a)
        _put_witness(row["b"], m.b)
    return rows, bool(summary.complete)


def _one_point(value: ArrayLike) -> Floats:
    point = _arrays.points(value)
    if point.shape != (3,):
        raise ValueError(f"one point (3,) is needed, not {point.shape}")
    return point


def contacts(a: Body, b: Body, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None, **settings: Any) -> Answers:
    """The local contacts of two overlapping solids, deepest first.

    >>> import witness
    >>> ball = witness.solid("sphere", radius=2)
    >>> witness.contacts(ball, ball, pose_b=[3.5, 0, 0, 1, 0, 0, 0])["depth"].round(9).tolist()
    [0.5]
    """
    pa, pb = placed(a, _arrays.one_pose(pose_a, "pose_a")), placed(b, _arrays.one_pose(pose_b, "pose_b"))
    summary = native.ContactsSummary()
    with _Query(settings) as query:
        found = _listed(
            lambda out, room, s: int(native.core.wit_contacts_pair(query, ctypes.byref(pa), ctypes.byref(pb), out, room, s)),
            native.Contact,
            summary,
        )
    rows = np.zeros(len(found), dtype=CONTACT)
    for row, c in zip(rows, found):
        row["depth"], row["normal"] = c.depth, tuple(c.normal)
        _put_witness(row["a"], c.a)
        _put_witness(row["b"], c.b)
    return rows
