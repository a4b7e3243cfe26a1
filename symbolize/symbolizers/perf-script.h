/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/perf-script.h: names from what `perf script` printed.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_PERF_SCRIPT_H
#define CP_SYMBOLIZE_SYMBOLIZERS_PERF_SCRIPT_H

#include "model/script-names.h"

/*
 * Reads the first of the paths of --symbols that is such a text.  The strings
 * must outlive it.  NULL: none.
 */
struct cp_script_names *cp_perf_script_open(
    const char *const *paths, size_t n, struct cp_strings *);
void cp_perf_script_close(struct cp_script_names *);

#endif
