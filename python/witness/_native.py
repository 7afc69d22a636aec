# SPDX-License-Identifier: MIT
"""The shared libraries and the structs of their headers, as ctypes sees them. tests/test_layout.py holds them against C."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_void_p
from typing import Any

_HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib")


def _open(name: str) -> ctypes.CDLL:
    """The library of the package, else that of the directory in WITNESS_LIBRARY, else the system's."""
    directory = os.environ.get("WITNESS_LIBRARY", _HERE)
    if os.path.isdir(directory):
        for file in sorted(os.listdir(directory)):
            if file.startswith(f"lib{name}.so"):
                return ctypes.CDLL(os.path.join(directory, file), mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(f"lib{name}.so", mode=ctypes.RTLD_GLOBAL)


core = _open("witness")
io = _open("witness_io")
_cad: ctypes.CDLL | None = None

Vec3 = c_double * 3
ERROR_ITEM, ERROR_TEXT = 96, 192


class Vec3Value(Structure):
    """A wit_vec3 that is passed by value; within structs it is Vec3."""

    _fields_ = [("x", c_double), ("y", c_double), ("z", c_double)]


class Error(Structure):
    _fields_ = [("status", c_int), ("line", c_int), ("column", c_int), ("item", c_char * ERROR_ITEM), ("text", c_char * ERROR_TEXT)]


class Pose(Structure):
    _fields_ = [("position", Vec3), ("rotation", c_double * 4)]


class Twist(Structure):
    _fields_ = [("velocity", Vec3), ("angular", Vec3)]


class Motion(Structure):
    _fields_ = [("pose", Pose), ("twist", Twist), ("twist_known", c_bool)]


class Placed(Structure):
    _fields_ = [("body", c_void_p), ("pose", Pose), ("mask", c_void_p)]


class QueryDef(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("tolerance", c_double),
        ("within", c_double),
        ("strict", c_bool),
        ("rigorous", c_bool),
        ("budget", c_int64),
        ("capacity", c_int),
    ]


class Work(Structure):
    _fields_ = [(name, c_int64) for name in ("units", "nodes", "jets", "tests", "boxes", "solves", "peak")]


class Witness(Structure):
    _fields_ = [("feature", c_int), ("id", c_int), ("u", c_double), ("v", c_double), ("point", Vec3)]


class ClosestSet(Structure):
    _fields_ = [
        ("dimension", c_int),
        ("direction", Vec3 * 2),
        ("extent", (c_double * 2) * 2),
        ("closed", c_bool * 2),
    ]


class Minimum(Structure):
    _fields_ = [("distance", c_double), ("normal", Vec3), ("a", Witness), ("b", Witness), ("set", ClosestSet), ("proved", c_bool)]


class MinimaSummary(Structure):
    _fields_ = [("count", c_int), ("complete", c_bool), ("overlapping", c_bool), ("lower_bound", c_double), ("work", Work)]


class Contact(Structure):
    _fields_ = [("depth", c_double), ("normal", Vec3), ("a", Witness), ("b", Witness)]


class ContactsSummary(Structure):
    _fields_ = [("count", c_int), ("complete", c_bool), ("work", Work)]


class Items(Structure):
    _fields_ = [("data", c_void_p), ("stride", c_size_t), ("count", c_int64)]


FIELDS = (
    "status",
    "distance",
    "lower_bound",
    "upper_bound",
    "model_tolerance",
    "certified",
    "outcome",
    "reason",
    "sign",
    "normal",
    "point_a",
    "point_b",
    "feature_a",
    "feature_b",
    "parameters_a",
    "parameters_b",
    "units",
    "closest",
)


class BatchOut(Structure):
    _fields_ = [("fields", c_uint), ("data", c_void_p * len(FIELDS)), ("stride", c_size_t * len(FIELDS))]


class BatchSummary(Structure):
    _fields_ = [
        ("answered", c_int64),
        ("refused", c_int64),
        ("first_refused", c_int64),
        ("certified", c_int64),
        ("carried", c_int64),
        ("stopped", c_bool),
        ("work", Work),
    ]


BatchPiece = ctypes.CFUNCTYPE(None, c_void_p, c_int64, c_int)
BatchEach = ctypes.CFUNCTYPE(None, c_void_p, c_int64, c_void_p, c_void_p)


class BatchDef(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("query", QueryDef),
        ("count", c_int64),
        ("workers", c_int),
        ("front", c_int),
        ("each", c_void_p),
        ("each_context", c_void_p),
        ("stop", c_void_p),
        ("stop_context", c_void_p),
    ]


class TrackDef(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("law", c_void_p),
        ("form", c_int),
        ("prediction", c_int),
        ("tolerance", c_double),
        ("certify", c_double),
        ("strict", c_bool),
        ("within", c_double),
        ("budget", c_int64),
        ("reacquire", c_bool),
        ("capacity", c_int),
        ("front", c_int),
        ("transitions", c_int),
        ("keep_features", c_bool),
        ("kernel", c_int),
        ("contacts", c_int),
        ("contacts_within", c_double),
        ("contacts_lean", c_double),
        ("contact_events", c_int),
    ]


class Result(Structure):
    _fields_ = [
        ("distance", c_double),
        ("lower_bound", c_double),
        ("model_tolerance", c_double),
        ("reason", c_int),
        ("rate", c_double),
        ("normal", Vec3),
        ("a", Witness),
        ("b", Witness),
        ("outcome", c_int),
        ("flags", c_uint),
        ("kind", c_int),
        ("residual", c_double),
        ("count_a", c_int),
        ("count", c_int),
        ("error", c_double * 4),
        ("held", c_uint),
        ("drift", c_double),
        ("gain", c_double),
        ("switches", c_int),
        ("iterations", c_int),
        ("work", Work),
    ]


class StepItem(Structure):
    _fields_ = [("tracker", c_size_t), ("a", Motion), ("b", Motion), ("status", c_int), ("result", Result)]


class Derivatives(Structure):
    _fields_ = [
        ("known", c_bool),
        ("distance", c_double),
        ("normal", Vec3),
        ("gradient", c_double * 6),
        ("hessian", c_double * 36),
        ("rate", c_double),
        ("second_rate", c_double),
        ("normal_rate", Vec3),
        ("witness_rate", Vec3 * 2),
        ("path_rate", Vec3 * 2),
        ("parameter_rate", c_double * 4),
        ("slip", Vec3),
        ("roll", Vec3),
        ("spin", c_double),
    ]


class BodyInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("planar", c_bool),
        ("unbounded", c_bool),
        ("face_count", c_int),
        ("loop_count", c_int),
        ("edge_count", c_int),
        ("vertex_count", c_int),
        ("node_count", c_int),
        ("box", Vec3 * 2),
        ("size", c_double),
        ("tolerance", c_double),
        ("closed", c_bool),
        ("outward", c_bool),
        ("bytes", c_size_t),
    ]


# Name in C and struct: what the test of layouts compares.
STRUCTS: dict[str, type[Structure]] = {
    "wit_error": Error,
    "wit_pose": Pose,
    "wit_twist": Twist,
    "wit_motion": Motion,
    "wit_placed": Placed,
    "wit_query_def": QueryDef,
    "wit_work": Work,
    "wit_witness": Witness,
    "wit_closest_set": ClosestSet,
    "wit_minimum": Minimum,
    "wit_minima_summary": MinimaSummary,
    "wit_contact": Contact,
    "wit_contacts_summary": ContactsSummary,
    "wit_items": Items,
    "wit_batch_out": BatchOut,
    "wit_batch_summary": BatchSummary,
    "wit_batch_def": BatchDef,
    "wit_track_def": TrackDef,
    "wit_result": Result,
    "wit_step_item": StepItem,
    "wit_derivatives": Derivatives,
    "wit_body_info": BodyInfo,
}


def _declare(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> None:
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments


_P = c_void_p
_E = POINTER(Error)
for _name in ("status", "outcome", "reason", "sign", "feature_kind", "body_kind"):
    _declare(core, f"wit_{_name}_name", c_char_p, c_int)
_declare(core, "wit_flag_name", c_char_p, c_uint)
_declare(core, "wit_field_name", c_char_p, c_int)
_declare(core, "wit_status_text", c_char_p, c_int)
_declare(core, "wit_version", c_char_p)
_declare(core, "wit_query_default_def", QueryDef)
_declare(core, "wit_query_create", _P, POINTER(QueryDef), _P, _E)
_declare(core, "wit_query_destroy", None, _P)
_declare(core, "wit_minima_point", c_int, _P, POINTER(Placed), Vec3Value, POINTER(Minimum), c_int, POINTER(MinimaSummary))
_declare(core, "wit_minima_pair", c_int, _P, POINTER(Placed), POINTER(Placed), POINTER(Minimum), c_int, POINTER(MinimaSummary))
_declare(core, "wit_contacts_pair", c_int, _P, POINTER(Placed), POINTER(Placed), POINTER(Contact), c_int, POINTER(ContactsSummary))
_declare(core, "wit_batch_default_def", BatchDef)
_declare(core, "wit_batch_create", _P, POINTER(BatchDef), _P, _E)
_declare(core, "wit_batch_destroy", None, _P)
_declare(core, "wit_closest_points", c_int, _P, POINTER(Placed), POINTER(Items), POINTER(BatchOut), POINTER(BatchSummary))
_declare(core, "wit_closest_pairs", c_int, _P, POINTER(Placed), POINTER(Placed), POINTER(Items), POINTER(BatchOut), POINTER(BatchSummary))
_declare(core, "wit_tracker_step_many", c_int, _P, _P, c_int64, c_double, POINTER(BatchSummary))
_declare(core, "wit_track_default_def", TrackDef)
_declare(core, "wit_tracker_create", _P, _P, _P, POINTER(TrackDef), _P, _E)
_declare(core, "wit_tracker_destroy", None, _P)
_declare(core, "wit_tracker_reset", None, _P)
_declare(core, "wit_tracker_derivatives", c_int, _P, POINTER(Derivatives))
_declare(core, "wit_body_describe", BodyInfo, _P)
_declare(io, "wit_model_read_file", _P, c_char_p, _P, _E)
_declare(io, "wit_model_read_bpt", _P, c_char_p, _P, _E)
_declare(io, "wit_model_read_text", _P, c_char_p, c_size_t, _P, _E)
_declare(io, "wit_model_destroy", None, _P)
_declare(io, "wit_model_name", c_char_p, _P)
_declare(io, "wit_model_body_count", c_int, _P)
_declare(io, "wit_model_body", _P, _P, c_int)
_declare(io, "wit_model_body_name", c_char_p, _P, c_int)
_declare(io, "wit_model_body_pose", Pose, _P, c_int)


def cad() -> ctypes.CDLL:
    """The library over Open CASCADE, opened when it is first needed; OSError where it is not there."""
    global _cad
    if _cad is None:
        library = _open("witness_cad")
        _declare(library, "wit_cad_read_file", _P, c_char_p, _P, _E)
        _declare(library, "wit_cad_model", _P, _P, _P, _E)
        _declare(library, "wit_cad_destroy", None, _P)
        _cad = library
    return _cad
