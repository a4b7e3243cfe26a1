/* SPDX-License-Identifier: MIT */
/*
 * symbolize/code/source-path.h: source files of this machine, at the paths that
 * debug information names.
 */
#ifndef CP_SYMBOLIZE_CODE_SOURCE_PATH_H
#define CP_SYMBOLIZE_CODE_SOURCE_PATH_H

#include "model/dso.h"

struct cp_symbols;

/* A descriptor, or -1 if the object may not name it. */
int cp_source_open_local(
    struct cp_symbols *, const struct cp_dso_info *, const char *file);

#endif
