# SPDX-License-Identifier: MIT
"""Answers against closed forms and against one-by-one calls; wrong calls."""

import gc
import os
from pathlib import Path

import numpy as np
import pytest
import witness

MODELS = Path(os.environ.get("WITNESS_MODELS", Path(__file__).resolve().parents[2] / "models"))


@pytest.fixture
def torus() -> witness.Body:
    return witness.solid("torus", radius=3, radius2=1)


def ring(p: np.ndarray) -> np.ndarray:
    return np.hypot(np.hypot(p[..., 0], p[..., 1]) - 3, p[..., 2]) - 1


def test_points_against_the_closed_form(torus: witness.Body) -> None:
    p = np.random.default_rng(1).uniform(-5, 5, (20000, 3))
    a = witness.closest(torus, p)
    assert a.shape == (20000,) and a["certified"].all()
    np.testing.assert_allclose(a["distance"], ring(p), atol=1e-12)
    assert (a["lower_bound"] <= a["distance"]).all() and (a["distance"] <= a["upper_bound"]).all()
    np.testing.assert_allclose(a["point_b"] - a["point_a"], a["distance"][:, None] * a["normal"], atol=1e-12)
    assert (a["outcome"] == witness.Outcome.CONVERGED).all() and (a["feature_a"][:, 0] == witness.Feature.FACE).all()


def test_threads_do_not_show(torus: witness.Body) -> None:
    p = np.random.default_rng(2).uniform(-5, 5, (30000, 3))
    first = witness.closest(torus, p)
    for threads in (2, 5):
        assert witness.closest(torus, p, threads=threads).tobytes() == first.tobytes()


def test_any_layout_of_points(torus: witness.Body) -> None:
    p = np.random.default_rng(3).uniform(-5, 5, (4, 5, 3))
    whole = witness.closest(torus, p)
    assert whole.shape == (4, 5)
    np.testing.assert_allclose(whole["distance"], ring(p), atol=1e-12)
    for other in (np.asfortranarray(p), np.repeat(p, 2, axis=1)[:, ::2], p.tolist()):
        assert (witness.closest(torus, other)["distance"] == whole["distance"]).all()
    assert witness.closest(torus, np.array([5, 0, 0], dtype=np.int32))["distance"] == pytest.approx(1)
    assert witness.closest(torus, p.astype(np.float32))["distance"] == pytest.approx(ring(p), abs=1e-5)
    assert witness.closest(torus, np.zeros((0, 3))).shape == (0,)


def test_pairs_at_many_poses() -> None:
    ball = witness.solid("sphere", radius=1)
    poses = np.array([[x, 0, 0, 1, 0, 0, 0] for x in (2.5, 3, 1.5)])
    np.testing.assert_allclose(witness.closest(ball, ball, None, poses)["distance"], [0.5, 1, -0.5], atol=1e-9)
    matrices = np.repeat(np.eye(4)[None], 3, axis=0)
    matrices[:, 0, 3] = poses[:, 0]
    same = witness.closest(ball, ball, pose_b=matrices, threads=2)
    assert (same["distance"] == witness.closest(ball, ball, None, poses)["distance"]).all()


def test_matrices_are_the_poses_of_quaternions() -> None:
    peg = witness.solid("cylinder", radius=1, height=4)
    r = np.random.default_rng(4)
    q = r.normal(size=(50, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    w, x, y, z = q.T
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)
    matrices = np.repeat(np.eye(4)[None], 50, axis=0)
    matrices[:, :3, :3], matrices[:, :3, 3] = turn, (7, 1, 2)
    poses = np.concatenate([np.tile([7, 1, 2.0], (50, 1)), q], axis=1)
    a, b = (witness.closest(peg, peg, pose_b=p)["distance"] for p in (poses, matrices))
    np.testing.assert_allclose(a, b, atol=1e-12)


def test_trackers_and_gradients(torus: witness.Body) -> None:
    trackers = [witness.Tracker(torus) for _ in range(5)]
    with pytest.raises(witness.Error, match="no step"):
        trackers[0].derivatives()
    poses = np.tile([5.0, 0, 0.2, 1, 0, 0, 0], (5, 1))
    for k in range(10):
        poses[:, 0] = 5 + 0.01 * k + np.arange(5)
        r = witness.step_many(trackers, None, poses, 0.001, threads=2)
        np.testing.assert_allclose(r["distance"], ring(poses[:, :3]), atol=1e-12)
        assert (r["flags"] & witness.Flag.CERTIFIED).all()
    g = witness.gradients(trackers)
    step = 1e-6
    for axis in range(3):
        off = np.zeros(3)
        off[axis] = step
        slope = (ring(poses[:, :3] + off) - ring(poses[:, :3] - off)) / (2 * step)
        np.testing.assert_allclose(g[:, axis], slope, atol=1e-8)
    assert trackers[0].derivatives()["hessian"].shape == (6, 6)


def test_files_and_places() -> None:
    pen = witness.load(MODELS / "pen.json")
    assert float(witness.closest(pen, [1, 2, 3])["distance"]) == pytest.approx(5**0.5 - 0.5, abs=1e-14)
    with pytest.raises(witness.Error, match="cannot be opened"):
        witness.load("nowhere.json")
    with pytest.raises(witness.Error) as e:
        witness.model('{"format": "witness-model",\n "version": 1, "name": "a", "unit": "parsec"}')
    assert (e.value.line, e.value.status) == (2, "WIT_ERROR_NAME") or e.value.line == 2
    with pytest.raises(witness.Error, match="say which body"):
        witness.load(MODELS / "pen.json", "nobody")
    with pytest.raises(witness.Error) as e:
        witness.solid("torus", radius=3, radius2=-1)
    assert "radius2" in e.value.item


def test_wrong_arrays(torus: witness.Body) -> None:
    with pytest.raises(ValueError, match=r"shape is \(2, 2\)"):
        witness.closest(torus, np.zeros((2, 2)))
    with pytest.raises(ValueError, match=r"index \(1, 2\) is nan"):
        witness.closest(torus, [[0, 0, 0], [0, 0, np.nan]])
    with pytest.raises(TypeError, match="real numbers"):
        witness.closest(torus, [["a", "b", "c"]])
    with pytest.raises(TypeError, match="real numbers"):
        witness.closest(torus, np.zeros((1, 3), dtype=complex))
    with pytest.raises(witness.Error, match=r"points\[1\]"):
        witness.closest(torus, [[0, 0, 0], [0, 0, 1e300]])
    with pytest.raises(ValueError, match="length 2"):
        witness.closest(torus, torus, pose_b=[0, 0, 0, 2, 0, 0, 0])
    with pytest.raises(ValueError, match="no rigid motion"):
        witness.closest(torus, torus, pose_b=np.diag([1, 1, -1, 1.0]))
    with pytest.raises(TypeError, match="no setting 'tolerence'"):
        witness.closest(torus, [5, 0, 0], tolerence=1e-6)
    with pytest.raises(witness.Error, match="tolerance"):
        witness.closest(torus, [5, 0, 0], tolerance=7)
    with pytest.raises(ValueError, match="threads"):
        witness.closest(torus, [5, 0, 0], threads=0)
    with pytest.raises(ValueError, match=r"shape is \(2, 7\), not \(1, 7\)"):
        witness.step_many([witness.Tracker(torus)], None, np.tile([5.0, 0, 0, 1, 0, 0, 0], (2, 1)), 0.1)
    with pytest.raises(witness.Error, match="tracker 0"):
        witness.Tracker(torus).step(None, [5, 0, 0, 1, 0, 0, 0], dt=-1)
    t = witness.Tracker(torus)
    with pytest.raises(ValueError, match="twice"):
        witness.step_many([t, t], None, None, 0.1)
    with pytest.raises(ValueError, match=r"\(nu, nv, 3\)"):
        witness.nurbs(np.zeros((4, 3)))


def test_what_is_closed_raises(torus: witness.Body) -> None:
    tracker = witness.Tracker(torus)
    torus.close()
    for call in (lambda: witness.closest(torus, [5, 0, 0]), lambda: witness.Tracker(torus), lambda: torus.size):
        with pytest.raises(witness.ClosedError, match="torus"):
            call()
    assert "closed" in repr(torus) and "closed" in torus._repr_html_()
    gc.collect()
    r = tracker.step(None, [5, 0, 0, 1, 0, 0, 0], dt=0.1)  # the memory of the body is still there
    assert float(r["distance"]) == pytest.approx(1)
    tracker.close()
    tracker.close()
    with pytest.raises(witness.ClosedError):
        tracker.step(None, [5, 0, 0, 1, 0, 0, 0], dt=0.1)


def test_minima_are_all_of_them() -> None:
    box = witness.solid("box", size_x=2, size_y=3, size_z=4)
    found, complete = witness.minima(box, [0, 0, 0])
    depths = np.abs(found["distance"])
    assert complete and len(found) == 6 and (np.diff(depths) >= 0).all()
    assert float(depths[0]) == pytest.approx(1)


def test_reprs(torus: witness.Body) -> None:
    assert repr(torus).startswith("<witness.Body 'torus': solid, 1 faces")
    assert "<table>" in torus._repr_html_() and "'torus'" in repr(witness.Tracker(torus))


def test_step_files(tmp_path: Path) -> None:
    part = Path(__file__).resolve().parents[2] / "tests" / "data"
    files = [p for end in ("*.step", "*.stp", "*.STEP") for p in sorted(part.rglob(end))] if part.is_dir() else []
    if not files:
        pytest.skip("SKIPPED: no STEP file")
    try:
        found = witness.bodies(files[0])
    except witness.Error as e:
        if e.status == "WIT_ERROR_UNSUPPORTED":
            pytest.skip("SKIPPED: no CAD library")
        raise
    assert found and witness.closest(found[0], found[0].box[1] + 1)["certified"]
