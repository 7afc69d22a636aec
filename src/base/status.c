/* SPDX-License-Identifier: MIT */
#include "../../include/witness/base.h"

static const char* const names[] = {
#define NAME(name, text) #name,
    WIT_STATUS_LIST(NAME)
#undef NAME
};

static const char* const texts[] = {
#define TEXT(name, text) text,
    WIT_STATUS_LIST(TEXT)
#undef TEXT
};

/* Cast first: an enum may be a signed type, and callers may pass any integer. */
static unsigned index_of(wit_status status)
{
    return (unsigned)status;
}

const char* wit_status_name(wit_status status)
{
    return index_of(status) < WIT_STATUS_COUNT ? names[index_of(status)] : "WIT_?";
}

const char* wit_status_text(wit_status status)
{
    return index_of(status) < WIT_STATUS_COUNT ? texts[index_of(status)] : "not a status of this library";
}

#define STRING(x) #x
#define VERSION(major, minor, patch) STRING(major) "." STRING(minor) "." STRING(patch)

const char* wit_version(void)
{
    return VERSION(WIT_VERSION_MAJOR, WIT_VERSION_MINOR, WIT_VERSION_PATCH);
}
