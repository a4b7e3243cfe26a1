/* SPDX-License-Identifier: MIT */
/* run/import/script-head.h: the line that begins a sample of perf script. */
#ifndef CP_RUN_IMPORT_SCRIPT_HEAD_H
#define CP_RUN_IMPORT_SCRIPT_HEAD_H

#include "run/import/build.h"

struct cp_script_head {
	struct cp_text comm, event;
	struct cp_text rest; /* what follows, with the blanks before it */
	uint32_t pid, tid, cpu;
	uint64_t time, period;
	bool has_period;
	bool record; /* of --show-*-events: no sample */
	bool weak;   /* other text looks like it, too: frames prove it */
};

/* Reads the line; false: perf script begins no sample so. */
bool cp_script_head(struct cp_text line, struct cp_script_head *);
/* The frame in what follows a head, without what it leads to; n == 0: none. */
struct cp_text cp_script_own_frame(struct cp_text rest);
/*
 * Reads a line that is a whole sample: what is before its address, and its
 * frame.  False: it has none.
 */
bool cp_script_flat(
    struct cp_text line, struct cp_script_head *, struct cp_text *frame);
/* Is a line a sample, by the first ones?  Otherwise frames follow a head. */
struct cp_input;
bool cp_script_is_flat(struct cp_input *);
/*
 * "  file.c:12", "  libc.so.6[1f0]", "  ??:0" of -F srcline; inlined: the line
 * says that the frame before it is.
 */
bool cp_script_is_source(struct cp_text line, bool *inlined);
/* "0x40/0x50/P/-/-/0" of -F brstack */
bool cp_script_is_branches(struct cp_text line);
/* Takes the hexadecimal number at the start; it ends before a blank. */
bool cp_script_take_address(struct cp_text *, uint64_t *);
/* Takes "(object)" off the end; the parentheses match. */
bool cp_script_take_object(struct cp_text *, struct cp_text *object);
/* Cuts "+0x3c", the offset in a function, off the end. */
void cp_text_cut_offset(struct cp_text *);
/* Cuts blanks at both ends. */
struct cp_text cp_text_trimmed(struct cp_text);

#endif
