/* SPDX-License-Identifier: MIT */
/* readers/rewrite/file.h: all of a file but the records. */
#ifndef CP_READERS_REWRITE_FILE_H
#define CP_READERS_REWRITE_FILE_H

#include "readers/rewrite/writer.h"

/* Writes it around the records; claimed as it was when src was opened. */
bool cp_rewrite_around(
    struct cp_rewriter *, const struct cp_file_span *claimed, size_t n);

#endif
