/* SPDX-License-Identifier: MIT */
/*
 * The JSON reader alone, thousands of texts a second: whatever is accepted can be walked, every token has a place in the
 * text, and its path leads back to it; whatever is refused has a place too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../io/json.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void claim(bool good)
{
    if (!good) abort();
}

static void look_at(const json_doc* doc, size_t token)
{
    const json_token* t = &doc->tokens[token];
    claim(t->start <= t->end && t->end <= doc->bytes);
    claim(t->next > token && t->next <= doc->count);
    int line = 0, column = 0;
    wi_json_position(doc, token, &line, &column);
    claim(line >= 1 && column >= 1);
    char text[64];
    double x = 0;
    if (t->type == JSON_STRING) claim(wi_json_string(doc, token, text, sizeof text) <= t->end - t->start);
    if (t->type == JSON_NUMBER && wi_json_number(doc, token, &x)) claim(isfinite(x));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char* text = malloc(size ? size : 1); /* its own block, so that one byte past the end is seen */
    if (!text) return 0;
    memcpy(text, data, size);
    json_doc doc;
    wit_error error;
    memset(&error, 0, sizeof error);
    if (wi_json_read_text(&doc, text, size, NULL, &error)) {
        claim(error.status != WIT_OK && error.text[0] != 0);
        claim(error.line >= 1 && error.column >= 1);
    } else {
        claim(doc.count >= 1);
        for (size_t i = 0; i < doc.count; ++i) look_at(&doc, i);
        wi_json_free(&doc);
    }
    free(text);
    return 0;
}
