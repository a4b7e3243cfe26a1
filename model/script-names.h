/* SPDX-License-Identifier: MIT */
/*
 * model/script-names.h: names that `perf script` printed, as text.
 *
 * A line of a stack has a run-time address, a symbol and an object.  While the
 * capture is read, each address that is located is looked up, so that the name
 * becomes one of the object, whatever its mapping.  The times of samples tell
 * whether the text is of this capture.
 */
#ifndef CP_MODEL_SCRIPT_NAMES_H
#define CP_MODEL_SCRIPT_NAMES_H

#include "base/hash.h"
#include "base/strings.h"
#include "base/vec.h"
#include "model/dso.h"

struct cp_frame;

struct cp_script_line {
	uint64_t offset;   /* of the address in the symbol */
	cp_string_id name; /* 0: the text contradicts itself */
	cp_string_id object;
	uint32_t next;  /* index + 1 of the next line of that address */
	bool no_offset; /* it was not printed */
};

struct cp_script_names {
	const char *path;
	struct cp_strings *strings;
	CP_VEC(struct cp_script_line) lines;
	struct cp_map64 by_address; /* index + 1 */
	struct cp_map64 given;      /* object << 32 | line: was passed on */
	struct cp_map64 times;      /* microseconds; 2: a sample has it */
	uint64_t met;               /* of these times */
};

/* Reads a text.  False if it has no line of a stack. */
bool cp_script_names_read(struct cp_script_names *, const char *text, size_t);
/* Does a file that begins so look like such a text? */
bool cp_script_names_bid(const uint8_t *head, size_t);
/* Gives the object of the frame the name of the address. */
void cp_script_names_meet(struct cp_script_names *, const struct cp_dsos *,
    uint64_t ip, const struct cp_frame *);
/* Remembers that a sample has this time. */
void cp_script_names_time(struct cp_script_names *, uint64_t time);
void cp_script_names_free(struct cp_script_names *);

enum cp_script_verdict {
	CP_SCRIPT_SAME, /* half of its times, or more, are those of samples */
	CP_SCRIPT_UNKNOWN, /* it has no times */
	CP_SCRIPT_OTHER,
};
enum cp_script_verdict cp_script_names_verdict(const struct cp_script_names *);

#endif
