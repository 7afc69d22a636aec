# SPDX-License-Identifier: MIT
"""Trackers: the closest pair of moving bodies, followed step by step."""

from __future__ import annotations

import ctypes
from enum import IntFlag
from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _native as native
from ._arrays import Floats
from ._body import Body
from ._closest import Answers, Batch, set_fields
from ._errors import ClosedError, from_error, from_status


class Flag(IntFlag):
    """What happened in a step: ``wit_flag``."""

    SWITCHED = 1 << 0
    SATURATED = 1 << 1
    FELL_BACK = 1 << 2
    REACQUIRED = 1 << 3
    TOUCHING = 1 << 4
    OVERLAPPING = 1 << 5
    NOT_UNIQUE = 1 << 6
    CERTIFIED = 1 << 7
    LOCAL = 1 << 8
    JUMPED = 1 << 9
    CYCLE = 1 << 10
    BEYOND = 1 << 11
    OUTSIDE = 1 << 12


_ITEM = np.dtype(native.StepItem)
#: The result of a step: ``wit_result`` field by field.
RESULT = np.dtype(native.Result)


class Tracker:
    """Follows the closest pair of two bodies, or of a body and a point (``b`` None).

    ``settings`` are the fields of ``wit_track_def``: ``tolerance``, ``certify``, ``within``, ``budget``, ``front``, ...

    >>> import witness
    >>> t = witness.Tracker(witness.solid("sphere", radius=2))
    >>> for x in (5.0, 4.9, 4.8):
    ...     r = t.step(None, [x, 0, 0, 1, 0, 0, 0], dt=0.001)
    >>> round(float(r["distance"]), 12), bool(r["flags"] & witness.Flag.CERTIFIED)
    (2.8, True)
    >>> t.gradient().round(9).tolist()
    [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, a: Body, b: Body | None = None, **settings: Any) -> None:
        self._handle: int | None = None
        made, error = set_fields(native.core.wit_track_default_def(), settings), native.Error()
        handles = a.handle, b.handle if b is not None else None
        self._held = a._model, b._model if b is not None else None  # the memory outlives the bodies' close
        self._names = a.name, b.name if b is not None else "a point"
        self._handle = native.core.wit_tracker_create(*handles, ctypes.byref(made), None, ctypes.byref(error))
        if not self._handle:
            raise from_error(error)

    @property
    def handle(self) -> int:
        """The ``wit_tracker*``; a :class:`ClosedError` after :meth:`close`."""
        if self._handle is None:
            raise ClosedError("the tracker was closed")
        return self._handle

    def close(self) -> None:
        """Gives the memory back. Further use raises a :class:`ClosedError`."""
        if self._handle is not None:
            native.core.wit_tracker_destroy(self._handle)
            self._handle = None

    def __enter__(self) -> Tracker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<witness.Tracker of {self._names[0]!r} and {self._names[1]!r}{'' if self._handle else ', closed'}>"

    def step(
        self,
        pose_a: ArrayLike | None,
        pose_b: ArrayLike | None,
        dt: float,
        twist_a: ArrayLike | None = None,
        twist_b: ArrayLike | None = None,
    ) -> Any:
        """One frame, ``dt`` seconds after the last; a twist is (6,): velocity of the origin, angular velocity. A record of RESULT."""
        twists = [None if t is None else np.asarray(t)[None] for t in (twist_a, twist_b)]
        poses = [_arrays.one_pose(p, n)[None] for p, n in ((pose_a, "pose_a"), (pose_b, "pose_b"))]
        return step_many([self], poses[0], poses[1], dt, twists[0], twists[1])[0]

    def reset(self) -> None:
        """As it was when it was made."""
        native.core.wit_tracker_reset(self.handle)

    def derivatives(self) -> dict[str, Any]:
        """Of the signed distance, at the end of the last step: ``known``, ``gradient`` (6,), ``hessian`` (6, 6), ``rate``, ..."""
        out = native.Derivatives()
        status = native.core.wit_tracker_derivatives(self.handle, ctypes.byref(out))
        if status:
            raise from_status(status, "no step was made yet")
        found = {name: np.array(getattr(out, name)) for name, _ in out._fields_}
        found["hessian"] = found["hessian"].reshape(6, 6)
        return {name: value if value.ndim else value.item() for name, value in found.items()}

    def gradient(self) -> Floats:
        """How the distance changes as b moves: by its velocity, then by its angular velocity; NaN where it is not known."""
        row: Floats = gradients([self])[0]
        return row


def _handles(trackers: Sequence[Tracker]) -> NDArray[np.uintp]:
    handles = np.array([t.handle for t in trackers], dtype=np.uintp)
    if len(np.unique(handles)) != len(handles):
        raise ValueError("trackers: one of them is listed twice")
    return handles


def _put_motion(field: Any, poses: Floats, twists: ArrayLike | None, what: str) -> None:
    field["pose"]["position"], field["pose"]["rotation"] = poses[..., :3], poses[..., 3:]
    if twists is None:
        return
    given = _arrays.numbers(twists, what)
    if given.shape != (len(field), 6):
        raise ValueError(f"{what}: the shape is {given.shape}, not ({len(field)}, 6)")
    field["twist"]["velocity"], field["twist"]["angular"], field["twist_known"] = given[:, :3], given[:, 3:], True


def step_many(
    trackers: Sequence[Tracker],
    poses_a: ArrayLike | None,
    poses_b: ArrayLike | None,
    dt: float,
    twists_a: ArrayLike | None = None,
    twists_b: ArrayLike | None = None,
    *,
    threads: int = 1,
) -> Answers:
    """A step of every tracker: poses (n, 7) or (n, 4, 4), or one for all. An array of RESULT.

    >>> import numpy as np, witness
    >>> ball = witness.solid("sphere", radius=2)
    >>> trackers = [witness.Tracker(ball) for _ in range(3)]
    >>> poses = np.array([[x, 0, 0, 1, 0, 0, 0] for x in (3, 4, 5.0)])
    >>> witness.step_many(trackers, None, poses, dt=0.001)["distance"].round(12).tolist()
    [1.0, 2.0, 3.0]
    """
    count = len(trackers)
    items: Any = np.zeros(count, dtype=_ITEM)
    items["tracker"] = _handles(trackers)
    for letter, poses, twists in (("a", poses_a, twists_a), ("b", poses_b, twists_b)):
        at = _arrays.poses(poses, f"poses_{letter}")
        if at.shape not in ((7,), (count, 7)):
            raise ValueError(f"poses_{letter}: the shape is {at.shape}, not ({count}, 7) or (7,)")
        _put_motion(items[letter], at, twists, f"twists_{letter}")
    with Batch(0, threads, {"capacity": 64}) as batch:
        summary = native.BatchSummary()
        status = native.core.wit_tracker_step_many(batch.handle, items.ctypes.data, count, float(dt), ctypes.byref(summary))
    if status:
        raise from_status(status)
    if summary.refused:
        k = int(summary.first_refused)
        raise from_status(int(items["status"][k]), f"step of tracker {k}")
    result: Answers = items["result"].copy()
    return result


def gradients(trackers: Sequence[Tracker]) -> Floats:
    """(n, 6): of each tracker how the distance changes as b moves; NaN where that is not known."""
    out, rows = native.Derivatives(), np.full((len(trackers), 6), np.nan)
    for row, tracker in zip(rows, trackers):
        status = native.core.wit_tracker_derivatives(tracker.handle, ctypes.byref(out))
        if status:
            raise from_status(status, "no step was made yet")
        if out.known:
            row[:] = out.gradient
    return rows
