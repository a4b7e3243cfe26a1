/* SPDX-License-Identifier: MIT */
/*
 * run/formats.h: chooses the layouts of tracepoints for a capture that lacks
 * them.
 */
#ifndef CP_RUN_FORMATS_H
#define CP_RUN_FORMATS_H

#include "run/api.h"

/*
 * Finds layouts for the tracepoints of an opened capture that has none: a
 * killed recorder does not write them.
 */
int cp_run_formats(struct cp_run *, const char *path) CP_MUST_USE;

#endif
