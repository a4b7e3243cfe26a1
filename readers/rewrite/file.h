/* SPDX-License-Identifier: MIT */
/* readers/rewrite/file.h: writes all parts of a file but the records. */
#ifndef CP_READERS_REWRITE_FILE_H
#define CP_READERS_REWRITE_FILE_H

#include "readers/rewrite/writer.h"

/*
 * Writes these parts around the records; src's claims must be those of its
 * opening.
 */
bool cp_rewrite_around(
    struct cp_rewriter *, const struct cp_file_span *claimed, size_t n);

#endif
