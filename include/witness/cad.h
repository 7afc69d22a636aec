/* SPDX-License-Identifier: MIT */
/*
 * witness/cad.h: STEP, IGES and BREP files become models (library witness_cad, over Open CASCADE).
 *
 *     wit_cad* cad = wit_cad_read_file("part.step", NULL, &error);
 *     wit_cad_report report = wit_cad_describe(cad);                   // what was read, converted, lost
 *     wit_model* model = wit_cad_model(cad, NULL, &error);             // its bodies: wit_model_body (io.h)
 *     wit_cad_destroy(cad);                                            // the model stays
 *
 * examples/step.c is a whole program.
 *
 * Reading and healing is Open CASCADE's work; what comes out is a Witness model, with the exact surfaces and curves of
 * the file: every solid (or shell, or loose face) a body, with its name, its place in the assembly and its colour. What
 * had to be converted or could not be read is listed in the report, entity by entity; nothing is dropped in silence.
 *
 * Damaged files are not caught here: Open CASCADE may crash, hang or use up memory in them, and these functions do not
 * protect the process that calls them. Read what you do not trust in a child process with limits, as `witness` does.
 *
 * Open CASCADE keeps state of its own: one call at a time in a process. Results are independent of each other.
 */
#ifndef WITNESS_CAD_H
#define WITNESS_CAD_H

#include "base.h"
#include "geom.h"
#include "io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was read of a CAD file. */
typedef struct wit_cad wit_cad;

/* The formats that are read. */
typedef enum wit_cad_format {
    WIT_CAD_AUTO, /* by the first bytes, then by the ending of the path */
    WIT_CAD_STEP, /* AP203, AP214, AP242 */
    WIT_CAD_IGES,
    WIT_CAD_BREP, /* Open CASCADE's own text; it has no unit */
    WIT_CAD_FORMAT_COUNT
} wit_cad_format;

/* "auto", "step", "iges", "brep"; "?" otherwise. Static storage. */
WIT_API const char* wit_cad_format_name(wit_cad_format format);
/* Whether a path ends in .step, .stp, .iges, .igs, .brep or .brp, in capitals or not; WIT_CAD_AUTO: no. */
WIT_API wit_cad_format wit_cad_format_of(const char* path);

/* How to read a file. */
typedef struct wit_cad_def {
    size_t struct_size; /* set by wit_cad_default_def */
    wit_cad_format format;
    wit_unit unit;    /* lengths are converted to it; WIT_UNIT_NONE: the file's own */
    const char* part; /* only the bodies of this name, or null */
} wit_cad_def;

/* The format by its content, the unit of the file, every part. */
WIT_API wit_cad_def wit_cad_default_def(void);

/* Something that was converted, or could not be read. */
typedef struct wit_cad_problem {
    bool lost;       /* it is not in the model */
    char entity[64]; /* where in the file: "#123 ADVANCED_FACE", "body 'leg', face 7" */
    char text[192];  /* one sentence */
} wit_cad_problem;

/* What was found in the file, and how far the model is from it. */
typedef struct wit_cad_report {
    wit_cad_format format;
    char schema[96];                   /* of a STEP file: "AUTOMOTIVE_DESIGN ..."; else "" */
    wit_unit file_unit;                /* NONE: the file does not say, or it is none that we know */
    wit_unit unit;                     /* of the model */
    int bodies, solids;                /* in the model */
    int faces[WIT_SURFACE_KIND_COUNT]; /* by kind, over all bodies of the model */
    int edges[WIT_CURVE_KIND_COUNT];   /* 3-D curves */
    int parameter_curves;    /* that the file, or Open CASCADE's reading of it, had; the rest was made from the edges */
    int converted;           /* surfaces and curves that became B-splines */
    double conversion_error; /* the largest distance seen, in the model's unit; 0: exact */
    double tolerance;        /* the largest of the file's edges and vertices, in the model's unit */
    double check_error;      /* the largest distance seen between a face or edge of the model and Open CASCADE's own */
    int problem_count;
    double read_seconds, convert_seconds;
} wit_cad_report;

/* A body of the model, measured when it was read. */
typedef struct wit_cad_body {
    char name[256];
    wit_body_kind kind;
    int faces, edges, vertices;
    wit_box box;      /* body axes */
    double tolerance; /* largest of its edges, a length */
    wit_pose pose;    /* in the model */
    wit_body_measures measures;
    size_t bytes; /* of memory, names not counted */
} wit_cad_body;

/*
 * Null on refusal: no such file, not a CAD file, nothing in it that is a body, a part of that name not in it;
 * error->text says which, with the reader's own words where there are some. `def` may be null. `name` is how messages
 * call the data.
 */
WIT_API wit_cad* wit_cad_read_file(const char* path, const wit_cad_def* def, wit_error* error);
WIT_API wit_cad* wit_cad_read_memory(const void* data, size_t bytes, const char* name, const wit_cad_def* def,
                                     wit_error* error);
WIT_API void wit_cad_destroy(wit_cad* cad);

/* The report; all zero for null. */
WIT_API wit_cad_report wit_cad_describe(const wit_cad* cad);
/* Problem k of the report; zeroed outside. */
WIT_API wit_cad_problem wit_cad_problem_at(const wit_cad* cad, int k);
/* Body k of the model, as wit_model_body counts, up to report.bodies; zeroed outside. */
WIT_API wit_cad_body wit_cad_body_at(const wit_cad* cad, int k);
/* The model as text in the format of docs/format.md, terminated; lives as long as `cad`. */
WIT_API const char* wit_cad_text(const wit_cad* cad, size_t* bytes);
/* The model. `allocator` may be null. */
WIT_API wit_model* wit_cad_model(const wit_cad* cad, const wit_allocator* allocator, wit_error* error);

#ifdef __cplusplus
}
#endif

#endif
