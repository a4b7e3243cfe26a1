/* SPDX-License-Identifier: MIT */
/*
 * run/formats.h: which layouts the tracepoints of a cut capture are read by.
 */
#ifndef CP_RUN_FORMATS_H
#define CP_RUN_FORMATS_H

#include "run/api.h"

/*
 * Finds layouts for the tracepoints of an opened capture that has none of
 * them, as a recorder leaves it that was killed.
 */
int cp_run_formats(struct cp_run *, const char *path) CP_MUST_USE;

#endif
