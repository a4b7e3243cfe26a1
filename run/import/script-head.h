/* SPDX-License-Identifier: MIT */
/* run/import/script-head.h: the line that begins a sample of perf script. */
#ifndef CP_RUN_IMPORT_SCRIPT_HEAD_H
#define CP_RUN_IMPORT_SCRIPT_HEAD_H

#include "run/import/build.h"

struct cp_script_head {
	struct cp_text comm, event, rest;
	uint32_t pid, tid, cpu;
	uint64_t time, period;
	bool has_period;
};

/* Reads the line; false: perf script begins no sample so. */
bool cp_script_head(struct cp_text line, struct cp_script_head *);
/* Cuts blanks at both ends. */
struct cp_text cp_text_trimmed(struct cp_text);

#endif
