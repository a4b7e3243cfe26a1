/* SPDX-License-Identifier: MIT */
/* run/import/input.h: the bytes of a profile, by lines or as a whole. */
#ifndef CP_RUN_IMPORT_INPUT_H
#define CP_RUN_IMPORT_INPUT_H

#include "readers/input.h"
#include "run/import/build.h"

struct cp_lines {
	struct cp_input *in;
	char *buf;
	size_t from, len; /* what of buf is not used yet */
	uint64_t next;    /* offset in the input after buf */
	uint64_t at;      /* of the last line */
	bool over;
};

void cp_lines_begin(struct cp_lines *, struct cp_input *);
/*
 * Returns the next line without its end, valid until the next call.  False: the
 * end.  A line over CP_MAX_IMPORT_LINE comes in pieces.
 */
bool cp_lines_next(struct cp_lines *, struct cp_text *);
void cp_lines_end(struct cp_lines *);

/* Returns the text without the byte order mark of UTF-8 before it. */
struct cp_text cp_import_no_mark(struct cp_text);
/* Reads all bytes, which the caller frees; CP_FAIL after a diagnostic. */
int cp_import_whole(struct cp_run *, struct cp_text *) CP_MUST_USE;

#endif
