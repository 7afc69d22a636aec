/* SPDX-License-Identifier: MIT */
/*
 * witness/io.h: models, scenes and motions in files (library witness_io). The formats are told in docs/format.md.
 *
 *     wit_model* model = wit_model_read_file("part.json", NULL, &error);       // null: error.line, column, item, text
 *     const wit_body* body = wit_model_body(model, wit_model_find_body(model, "leg"));
 *     wit_scene* scene = wit_scene_read_file("scene.json", NULL, NULL, NULL, &error);
 *     wit_scene_motion(scene, 0, time, &motion);                               // side 0 at a time, in seconds
 *
 * Lengths are in the unit of the model or scene (wit_model_unit, wit_scene_unit), times in seconds.
 *
 * A model is read as a whole and is constant afterwards: any number of threads may use it at the same
 * time. What it hands out (shapes, defs, names) belongs to it and lives until wit_model_destroy. A
 * refused file gives null and a wit_error with line, column, path and reason; nothing stays allocated.
 */
#ifndef WITNESS_IO_H
#define WITNESS_IO_H

#include "assembly.h"
#include "base.h"
#include "body.h"
#include "geom.h"
#include "haptic.h"
#include "laws.h"
#include "sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model that was read: bodies with names, places and colours. */
typedef struct wit_model wit_model;

/* The unit of all lengths of a model. Name in the file and metres per unit; none: 0, not known. */
#define WIT_UNIT_LIST(X)                                                                                               \
    X(WIT_UNIT_NONE, "none", 0)                                                                                        \
    X(WIT_UNIT_M, "m", 1)                                                                                              \
    X(WIT_UNIT_CM, "cm", 1e-2)                                                                                         \
    X(WIT_UNIT_MM, "mm", 1e-3)                                                                                         \
    X(WIT_UNIT_UM, "um", 1e-6)                                                                                         \
    X(WIT_UNIT_IN, "in", 0.0254)                                                                                       \
    X(WIT_UNIT_FT, "ft", 0.3048)

/* Units of length: the list above. */
typedef enum wit_unit {
#define WIT_UNIT_ENUM(id, name, metres) id,
    WIT_UNIT_LIST(WIT_UNIT_ENUM)
#undef WIT_UNIT_ENUM
        WIT_UNIT_COUNT
} wit_unit;

/* "mm" and so on; "?" for a value outside the enum. Static storage. */
WIT_API const char* wit_unit_name(wit_unit unit);
/* Metres per unit; 0 for WIT_UNIT_NONE and for a value outside the enum. */
WIT_API double wit_unit_metres(wit_unit unit);

/* Puts up to `room` bytes at `to` and returns how many; fewer than asked means the end. */
typedef size_t wit_read_function(void* user, char* to, size_t room);

/*
 * Read a model from a file, from `bytes` bytes of text, or from a function that is called until the
 * end (or until the text is refused). `allocator` may be null; it is copied and must outlive the
 * model. `error` may be null. Texts of more than 512 MB, nesting beyond 64 brackets or 8 shapes, and shapes
 * and bodies that together take more than 4 GB are refused.
 */
WIT_API wit_model* wit_model_read_file(const char* path, const wit_allocator* allocator, wit_error* error);
WIT_API wit_model* wit_model_read_text(const char* text, size_t bytes, const wit_allocator* allocator,
                                       wit_error* error);
WIT_API wit_model* wit_model_read_stream(wit_read_function* read, void* user, const wit_allocator* allocator,
                                         wit_error* error);
/*
 * Read bicubic (or other) Bezier patches in the text form of the tea set: their number, then for each patch its two
 * degrees and (degree_u + 1) (degree_v + 1) points, those along v first. The model has a surface for each, and one
 * sheet2 body of them all, sewn where whole borders lie within WIT_BPT_SEW of the size of the whole.
 */
#define WIT_BPT_SEW 1e-5
WIT_API wit_model* wit_model_read_bpt(const char* path, const wit_allocator* allocator, wit_error* error);
WIT_API wit_model* wit_model_read_bpt_text(const char* text, size_t bytes, const wit_allocator* allocator,
                                           wit_error* error);
/* Accepts null. */
WIT_API void wit_model_destroy(wit_model* model);

/* Name and note as in the file, UTF-8; "" where there is none. */
WIT_API const char* wit_model_name(const wit_model* model);
WIT_API const char* wit_model_note(const wit_model* model);
WIT_API wit_unit wit_model_unit(const wit_model* model);

/*
 * The shapes of the lists "curves" and "surfaces", in the order of the file; shapes defined inside
 * another are part of that one. An index outside the list gives null. The defs hold the numbers of the
 * file, bit for bit, with pointers into the model: change a copy (its kernel, say) and create
 * another shape from it.
 */
WIT_API int wit_model_curve_count(const wit_model* model);
WIT_API int wit_model_surface_count(const wit_model* model);
WIT_API const wit_curve* wit_model_curve(const wit_model* model, int index);
WIT_API const wit_surface* wit_model_surface(const wit_model* model, int index);
WIT_API const wit_curve_def* wit_model_curve_def(const wit_model* model, int index);
WIT_API const wit_surface_def* wit_model_surface_def(const wit_model* model, int index);
WIT_API const char* wit_model_curve_name(const wit_model* model, int index);
WIT_API const char* wit_model_surface_name(const wit_model* model, int index);
/* Index of the shape of that name, -1 if there is none. Names are unique within a model. */
WIT_API int wit_model_find_curve(const wit_model* model, const char* name);
WIT_API int wit_model_find_surface(const wit_model* model, const char* name);

/*
 * The bodies of the list "bodies", in the order of the file, each with the def it was made from: a wit_body_def or a
 * wit_solid_def, the other being null. A model that has surfaces and no bodies offers one that is implied, and not
 * written: the sheet2 of all its surfaces, unsewn, but for surfaces that another surface is made from.
 */
WIT_API int wit_model_body_count(const wit_model* model);
WIT_API const wit_body* wit_model_body(const wit_model* model, int index);
WIT_API const wit_body_def* wit_model_body_def(const wit_model* model, int index);
WIT_API const wit_solid_def* wit_model_solid_def(const wit_model* model, int index);
WIT_API const char* wit_model_body_name(const wit_model* model, int index);
WIT_API bool wit_model_body_implied(const wit_model* model, int index);
/* Where the body stands in the model (the identity where nothing is said), and colours: red, green, blue from 0 to 1.
 * False, and *out is left alone, where none is given. Faces are counted as in the def; a face without a colour has that
 * of its body. Nothing of the library but the commands looks at these. */
WIT_API wit_pose wit_model_body_pose(const wit_model* model, int index);
WIT_API bool wit_model_body_color(const wit_model* model, int index, wit_vec3* out);
WIT_API bool wit_model_face_color(const wit_model* model, int index, int face, wit_vec3* out);
/* Index of the body of that name, -1 if there is none. Names of bodies are unique among bodies. */
WIT_API int wit_model_find_body(const wit_model* model, const char* name);

/*
 * Write a model as text that reads back to the same bits, in one layout: what was read from a text
 * written here is written as the same text again. write_text returns the length without the
 * terminator and puts at most room - 1 bytes and a terminator at `to` (which may be null when room is 0).
 */
WIT_API size_t wit_model_write_text(const wit_model* model, char* to, size_t room);
/* On failure the file may be there in part. */
WIT_API wit_status wit_model_write_file(const wit_model* model, const char* path, wit_error* error);

/* ---- scenes -------------------------------------------------------------------------------- */

/*
 * A scene: two sides, each a body of a model or a bare point, each with a motion; a rate and a duration; and the
 * settings of the tracker. Constant once read; owns its models; any number of threads may use it.
 */
typedef struct wit_scene wit_scene;

/* How models that are not JSON are read (a CAD file, say): the model, which the scene then owns, or null and *error. */
typedef wit_model* wit_model_load_function(const char* path, void* user, wit_error* error);

/*
 * From a file, or from text whose relative file names start at `directory` (null: the working directory). `load` may be
 * null: then every model must be JSON. Null on refusal, with line, column, path and reason. error->item begins with the
 * path of the file where that is not the scene's own.
 */
WIT_API wit_scene* wit_scene_read_file(const char* path, wit_model_load_function* load, void* user,
                                       const wit_allocator* allocator, wit_error* error);
WIT_API wit_scene* wit_scene_read_text(const char* text, size_t bytes, const char* directory,
                                       wit_model_load_function* load, void* user, const wit_allocator* allocator,
                                       wit_error* error);
/* Accepts null. */
WIT_API void wit_scene_destroy(wit_scene* scene);

/* Name, note and unit as in the file (the unit of the first model where none is given). */
WIT_API const char* wit_scene_name(const wit_scene* scene);
WIT_API const char* wit_scene_note(const wit_scene* scene);
WIT_API wit_unit wit_scene_unit(const wit_scene* scene);

/* Side 0 is a, 1 is b. The body of a side, null for a point; its model, null likewise; its name as shown. */
WIT_API const wit_body* wit_scene_body(const wit_scene* scene, int side);
WIT_API const wit_model* wit_scene_model(const wit_scene* scene, int side);
WIT_API const char* wit_scene_side_name(const wit_scene* scene, int side);

/* Frames per second, seconds, and the number of frames after the first, which stands at time 0. */
WIT_API double wit_scene_rate(const wit_scene* scene);
WIT_API double wit_scene_duration(const wit_scene* scene);
WIT_API int64_t wit_scene_frames(const wit_scene* scene);
/* Settings of the tracker: the defaults where the file says nothing. */
WIT_API wit_track_def wit_scene_track_def(const wit_scene* scene); /* its law is the scene's, which must live on */
WIT_API wit_law_def wit_scene_law_def(const wit_scene* scene);     /* the same law, to change it */
/* Where the tracker is to start. False, and both are left alone, where the file does not say. */
WIT_API bool wit_scene_start(const wit_scene* scene, wit_witness* a, wit_witness* b);
/* Times at which the file wants pictures; returns how many there are and writes the first `capacity` of them. */
WIT_API int wit_scene_snapshots(const wit_scene* scene, double* times, int capacity);
/*
 * Where a side is at a time, and how it moves: exact derivatives of the motion that the file gives; for keyframes and
 * recorded poses of the curve through them. Times outside the motion are held at its ends. WIT_ERROR_ARGUMENT for a
 * wrong side, WIT_ERROR_NUMBER for a time that is not finite.
 */
WIT_API wit_status wit_scene_motion(const wit_scene* scene, int side, double time, wit_motion* out);
/*
 * Bounds of that motion between two times, as a sweep asks for them (sweep.h): from the formula, or the curve through
 * the poses. Where the velocity jumps within (from screw to screw, at the ends of a recorded motion) the accelerations
 * are infinite. WIT_ERROR_RANGE where `to` comes before `from`.
 */
WIT_API wit_status wit_scene_motion_bounds(const wit_scene* scene, int side, double from, double to,
                                           wit_motion_bounds* out);

/*
 * A scene with a section "dynamics": the world that it describes. Bodies 0 and 1 are a and b, the others its objects;
 * pair 0 is a and b; the lists of *out belong to the scene. False, and *out is left alone, where there is no such
 * section.
 */
WIT_API bool wit_scene_dynamics(const wit_scene* scene, wit_haptic_def* out);
/* The hand that is to be stepped between the steps of the world (wit_human_step), where the scene has one, with the
 * device where it starts. False also where it is part of the world: with rk2 and rk4, wit_haptic_def.human. */
WIT_API bool wit_scene_human(const wit_scene* scene, wit_human* out);
/* Motion of the device, or, with a human, where the hand wants it to be. WIT_ERROR_ARGUMENT where there is none. */
WIT_API wit_status wit_scene_device(const wit_scene* scene, double time, wit_motion* out);
/* Name and motion of a body of the world; for bodies that forces move, only its start counts. */
WIT_API const char* wit_scene_body_name(const wit_scene* scene, int body);
WIT_API wit_status wit_scene_body_motion(const wit_scene* scene, int body, double time, wit_motion* out);

/* ---- assemblies ---------------------------------------------------------------------------- */

/*
 * Many bodies, their links, and what is asked of them, from a file (docs/format.md, "witness-assembly"). A file that
 * several bodies name is read once, and they share its bodies. Constant once read; owns its models; any number of
 * threads may use it.
 */
typedef struct wit_assembly_scene wit_assembly_scene;

/* How models that are not JSON are read: in the unit, to which the reader converts; NONE: the file's own. */
typedef wit_model* wit_assembly_load_function(const char* path, wit_unit unit, void* user, wit_error* error);

/* As wit_scene_read_file and wit_scene_read_text. */
WIT_API wit_assembly_scene* wit_assembly_scene_read_file(const char* path, wit_assembly_load_function* load, void* user,
                                                         const wit_allocator* allocator, wit_error* error);
WIT_API wit_assembly_scene* wit_assembly_scene_read_text(const char* text, size_t bytes, const char* directory,
                                                         wit_assembly_load_function* load, void* user,
                                                         const wit_allocator* allocator, wit_error* error);
/* Accepts null. */
WIT_API void wit_assembly_scene_destroy(wit_assembly_scene* scene);

/* Name ("" where there is none) and unit: that of the file, or of its first model. */
WIT_API const char* wit_assembly_scene_name(const wit_assembly_scene* scene);
WIT_API wit_unit wit_assembly_scene_unit(const wit_assembly_scene* scene);
/* What is asked: bodies, links, groups, time, threshold, pairs to leave out; its lists belong to the scene. */
WIT_API wit_assembly_def wit_assembly_scene_def(const wit_assembly_scene* scene);
/* Name of a body, unique, and of its group; "" outside. */
WIT_API const char* wit_assembly_scene_body_name(const wit_assembly_scene* scene, int body);
WIT_API const char* wit_assembly_scene_body_group(const wit_assembly_scene* scene, int body);
/* Index of the body of that name, -1 if there is none. */
WIT_API int wit_assembly_scene_find(const wit_assembly_scene* scene, const char* name);
/* Is contact of the two known and approved? */
WIT_API bool wit_assembly_scene_approved(const wit_assembly_scene* scene, int a, int b);

/* A requirement: the pairs between two bodies or groups keep more than a distance. */
typedef struct wit_assembly_requirement {
    const char* name;
    const char* a; /* name of a body or of a group */
    const char* b;
    double clearance; /* a length, 0 or more */
} wit_assembly_requirement;

/* How many there are, and one of them (zeroed outside); does it speak of the two? */
WIT_API int wit_assembly_scene_requirement_count(const wit_assembly_scene* scene);
WIT_API wit_assembly_requirement wit_assembly_scene_requirement(const wit_assembly_scene* scene, int index);
WIT_API bool wit_assembly_scene_requires(const wit_assembly_scene* scene, int index, int a, int b);

#ifdef __cplusplus
}
#endif

#endif
