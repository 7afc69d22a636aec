# SPDX-License-Identifier: MIT
"""Exact, certified closest points of curved bodies.

>>> import numpy as np, witness
>>> torus = witness.solid("torus", radius=3, radius2=1)
>>> a = witness.closest(torus, np.array([[5.0, 0, 0], [0, 3, 0.5]]))
>>> a["distance"].round(9).tolist()
[1.0, -0.5]
>>> bool(a["certified"].all())
True
"""

from __future__ import annotations

from . import _native
from ._body import Body, bodies, load, model, nurbs, solid
from ._closest import ANSWER, CONTACT, MINIMUM, Feature, Outcome, Reason, closest, contacts, minima
from ._errors import ClosedError, Error
from ._track import RESULT, Flag, Tracker, gradients, step_many

__version__: str = _native.core.wit_version().decode()

__all__ = [
    "ANSWER",
    "CONTACT",
    "MINIMUM",
    "RESULT",
    "Body",
    "ClosedError",
    "Error",
    "Feature",
    "Flag",
    "Outcome",
    "Reason",
    "Tracker",
    "bodies",
    "closest",
    "contacts",
    "gradients",
    "load",
    "minima",
    "model",
    "nurbs",
    "solid",
    "step_many",
]
