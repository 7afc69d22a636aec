/* SPDX-License-Identifier: MIT */
/* Why a file could not be opened or read, from errno; the commonest reasons in words. */
#ifndef IO_FILE_REASON_H
#define IO_FILE_REASON_H

#include <errno.h>

/* ": there is no such file or directory" and so on; "" where the reason is another. Set errno to 0 before the call that fails. */
static inline const char* file_reason(void)
{
    int reason = errno;
#ifdef ENOENT
    if (reason == ENOENT) return ": there is no such file or directory";
#endif
#ifdef EACCES
    if (reason == EACCES) return ": permission is denied";
#endif
#ifdef EISDIR
    if (reason == EISDIR) return ": it is a directory";
#endif
    (void)reason;
    return "";
}

#endif
