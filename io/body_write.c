/* SPDX-License-Identifier: MIT */
/* Bodies to JSON. A record without a shape of its own inside stands on one line. */
#include "model_writer.h"

/* A feature is referred to by its name, or where it has none by its index. */
static void put_link(model_writer* w, model_object* object, const char* key, const char* name, int index)
{
    char digits[16];
    wi_writer_key(w, object, key);
    if (name) {
        wi_writer_string(w, name);
    } else {
        snprintf(digits, sizeof digits, "%d", index);
        wi_writer_put(w, digits);
    }
}

static void put_vertex(model_writer* w, int indent, const model_body* b, int i)
{
    static const wit_vertex_def plain;
    model_object object;
    wi_writer_open(w, &object, indent, true);
    wi_writer_fields(w, &object, SORT_VERTEX, 0, (const char*)&b->vertices[i], (const char*)&plain, NULL, NULL);
    wi_writer_close(w, &object);
}

static void put_edge(model_writer* w, int indent, const model_body* b, int i)
{
    static const wit_edge_def plain;
    const wit_edge_def* e = &b->edges[i];
    model_ref ref[REF_COUNT] = {b->edge_curves[i], {-1, false, 0}};
    model_object object;
    wi_writer_open(w, &object, indent, !ref[REF_CURVE].inside);
    wi_writer_fields(w, &object, SORT_EDGE, 0, (const char*)e, (const char*)&plain, ref, NULL);
    if (e->start >= 0) {
        put_link(w, &object, "start", b->vertices[e->start].name, e->start);
        put_link(w, &object, "end", b->vertices[e->end].name, e->end);
    }
    wi_writer_close(w, &object);
}

static void put_use(model_writer* w, int indent, const model_body* b, const wit_use_def* use)
{
    static const wit_use_def plain;
    model_ref ref[REF_COUNT] = {b->use_curves[use - b->uses], {-1, false, 0}};
    model_object object;
    wi_writer_open(w, &object, indent, !ref[REF_CURVE].inside);
    if (use->edge >= 0) put_link(w, &object, "edge", b->edges[use->edge].name, use->edge);
    wi_writer_fields(w, &object, SORT_USE, 0, (const char*)use, (const char*)&plain, ref, NULL);
    wi_writer_close(w, &object);
}

/* On one line, wrapped, unless a use has a curve inside. */
static void put_loop(model_writer* w, int indent, const model_body* b, const wit_loop_def* loop)
{
    bool compact = true;
    for (int k = 0; k < loop->use_count; k++) compact = compact && !b->use_curves[loop->uses + k - b->uses].inside;
    wi_writer_put(w, "[");
    for (int k = 0; k < loop->use_count; k++) {
        if (k) wi_writer_put(w, ",");
        if (!compact)
            wi_writer_line(w, indent + 2);
        else if (k && w->column > WRITER_WRAP)
            wi_writer_line(w, indent + 1);
        else if (k)
            wi_writer_put(w, " ");
        put_use(w, indent + 2, b, &loop->uses[k]);
    }
    if (!compact) wi_writer_line(w, indent);
    wi_writer_put(w, "]");
}

static void put_loops(model_writer* w, int indent, const model_body* b, const wit_face_def* face)
{
    wi_writer_put(w, "[");
    for (int l = 0; l < face->loop_count; l++) {
        if (l) wi_writer_put(w, ",");
        wi_writer_line(w, indent + 2);
        put_loop(w, indent + 2, b, &face->loops[l]);
    }
    wi_writer_line(w, indent);
    wi_writer_put(w, "]");
}

static void put_face(model_writer* w, int indent, const model_body* b, int i)
{
    static const wit_face_def plain;
    const wit_face_def* face = &b->faces[i];
    model_ref ref[REF_COUNT] = {{-1, false, 0}, b->face_surfaces[i]};
    model_object object;
    wi_writer_open(w, &object, indent, !ref[REF_SURFACE].inside && face->loop_count == 0);
    wi_writer_fields(w, &object, SORT_FACE, 0, (const char*)face, (const char*)&plain, ref,
                     b->face_colors ? &b->face_colors[i] : NULL);
    if (face->loop_count) {
        wi_writer_key(w, &object, "loops");
        put_loops(w, object.indent, b, face);
    }
    wi_writer_close(w, &object);
}

typedef void put_feature(model_writer* w, int indent, const model_body* b, int i);

static void put_list(model_writer* w, model_object* object, const char* key, const model_body* b, int count,
                     put_feature* put)
{
    wi_writer_key(w, object, key);
    wi_writer_put(w, "[");
    for (int i = 0; i < count; i++) {
        if (i) wi_writer_put(w, ",");
        wi_writer_line(w, object->indent + 2);
        put(w, object->indent + 2, b, i);
    }
    wi_writer_line(w, object->indent);
    wi_writer_put(w, "]");
}

void wi_writer_body(model_writer* w, int indent, const model_body* b)
{
    static const model_body plain;
    model_object object;
    wi_writer_open(w, &object, indent, false);
    wi_writer_fields(w, &object, SORT_BODY, b->solid >= 0, (const char*)b, (const char*)&plain, NULL, &b->color);
    if (b->solid >= 0) {
        wi_writer_key(w, &object, "solid");
        wi_writer_item(w, object.indent, &w->model->items[b->solid]);
    } else {
        if (b->def.vertex_count) put_list(w, &object, "vertices", b, b->def.vertex_count, put_vertex);
        if (b->def.edge_count) put_list(w, &object, "edges", b, b->def.edge_count, put_edge);
        put_list(w, &object, "faces", b, b->def.face_count, put_face);
    }
    wi_writer_close(w, &object);
}
