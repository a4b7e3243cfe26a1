/* SPDX-License-Identifier: MIT */
/* run/import/parsers.h: the kinds of profiles, a file each. */
#ifndef CP_RUN_IMPORT_PARSERS_H
#define CP_RUN_IMPORT_PARSERS_H

#include "run/import/build.h"

/* Each reads a profile of its kind; CP_FAIL after a diagnostic. */
int cp_folded_read(struct cp_import *) CP_MUST_USE;
int cp_script_read(struct cp_import *) CP_MUST_USE;
int cp_simpleperf_read(struct cp_import *) CP_MUST_USE;
/* The same, of a profile in memory. */
struct cp_json;
int cp_pprof_read(struct cp_import *, struct cp_text) CP_MUST_USE;
int cp_otlp_read(struct cp_import *, struct cp_text) CP_MUST_USE;
int cp_simpleperf_proto_read(struct cp_import *, struct cp_text) CP_MUST_USE;
int cp_firefox_read(struct cp_import *, struct cp_json *) CP_MUST_USE;
int cp_speedscope_read(struct cp_import *, struct cp_json *) CP_MUST_USE;

/* Is the line one of a folded stack? */
bool cp_folded_is(struct cp_text line);
/* Does perf script begin a sample with such a line? */
bool cp_script_is(struct cp_text line);
/* Is it the line of a frame? */
bool cp_script_is_frame(struct cp_text line);
/* Can the bytes be a profile of that kind? */
bool cp_pprof_is(struct cp_text);
bool cp_simpleperf_is(struct cp_text);
bool cp_otlp_is(struct cp_text);

#endif
