# SPDX-License-Identifier: MIT
"""Arrays from the caller, checked: points, poses, twists."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def numbers(value: ArrayLike, what: str) -> Floats:
    """As float64 in C order; a TypeError for what are no real numbers, a ValueError with the index for NaN and infinity."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{what}: real numbers are needed, not an array of {array.dtype}")
    result: Floats = np.ascontiguousarray(array, dtype=np.float64)
    good = np.isfinite(result)
    if not good.all():
        index = tuple(int(i) for i in np.argwhere(~good)[0])
        raise ValueError(f"{what}: the number at index {index} is {result[index]}")
    return result


def points(value: ArrayLike) -> Floats:
    """(..., 3)."""
    array = numbers(value, "points")
    if array.ndim == 0 or array.shape[-1] != 3:
        raise ValueError(f"points: the shape is {array.shape}, not (3,) or (n, 3)")
    return array


def _quaternions(matrix: Floats) -> Floats:
    """Of rotation matrices (..., 3, 3), w first, by the largest of the four squares."""
    m = matrix
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    squares = np.stack([1 + trace] + [1 + 2 * m[..., i, i] - trace for i in range(3)], axis=-1)
    rows = np.empty(m.shape[:-2] + (4, 4))
    rows[..., 0, :] = np.stack(
        [squares[..., 0], m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], axis=-1
    )
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        rows[..., 1 + i, 0] = m[..., k, j] - m[..., j, k]
        rows[..., 1 + i, 1 + i] = squares[..., 1 + i]
        rows[..., 1 + i, 1 + j] = m[..., j, i] + m[..., i, j]
        rows[..., 1 + i, 1 + k] = m[..., k, i] + m[..., i, k]
    best = np.argmax(squares, axis=-1)
    q: Floats = np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :]
    unit: Floats = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return unit


def poses(value: ArrayLike | None, what: str) -> Floats:
    """(..., 7): x y z qw qx qy qz, from that or from matrices (..., 4, 4); None: the identity."""
    if value is None:
        return np.array([0.0, 0, 0, 1, 0, 0, 0])
    array = numbers(value, what)
    if array.ndim >= 2 and array.shape[-2:] == (4, 4):
        turn = array[..., :3, :3]
        off = np.abs(turn @ np.swapaxes(turn, -1, -2) - np.eye(3)).max(initial=0)
        last = np.abs(array[..., 3, :] - np.array([0, 0, 0, 1])).max(initial=0)
        if off > 1e-6 or last > 0 or (np.linalg.det(turn) < 0).any():
            raise ValueError(f"{what}: a matrix is no rigid motion")
        return np.concatenate([array[..., :3, 3], _quaternions(turn)], axis=-1)
    if array.ndim == 0 or array.shape[-1] != 7:
        raise ValueError(f"{what}: the shape is {array.shape}, not (7,), (n, 7), (4, 4) or (n, 4, 4)")
    length = np.linalg.norm(array[..., 3:], axis=-1)
    if (np.abs(length - 1) > 1e-6).any():
        raise ValueError(f"{what}: a quaternion (qw, qx, qy, qz) has length {length.flat[np.argmax(np.abs(length - 1))]:.9g}, not 1")
    length = np.where(np.abs(length - 1) > 4e-16, length, 1.0)  # already a unit to rounding: the bits stay
    return np.concatenate([array[..., :3], array[..., 3:] / length[..., None]], axis=-1)


def one_pose(value: ArrayLike | None, what: str) -> Floats:
    array = poses(value, what)
    if array.shape != (7,):
        raise ValueError(f"{what}: one pose is needed, (7,) or (4, 4), not {array.shape[:-1]} of them")
    return array


def keyword(name: str, settings: dict[str, Any]) -> TypeError:
    return TypeError(f"there is no setting {name!r}; there are {', '.join(sorted(settings))}")
