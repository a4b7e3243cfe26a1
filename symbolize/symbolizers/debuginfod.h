/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/debuginfod.h: files from debuginfod's cache, or from
 * its servers if that is allowed.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_DEBUGINFOD_H
#define CP_SYMBOLIZE_SYMBOLIZERS_DEBUGINFOD_H

#include "symbolize/object/object.h"

struct cp_debuginfod *cp_debuginfod_new(void);
void cp_debuginfod_free(struct cp_debuginfod *);

/*
 * Returns the malloc'ed path of a cached source file.  Fetches it if allowed.
 */
char *cp_debuginfod_source(
    struct cp_symbols *, const struct cp_dso_info *, const char *file);

#endif
