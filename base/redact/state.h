/* SPDX-License-Identifier: MIT */
/* base/redact/state.h: what a redaction knows so far. */
#ifndef CP_BASE_REDACT_STATE_H
#define CP_BASE_REDACT_STATE_H

#include "base/buf.h"
#include "base/hash.h"
#include "base/redact/code.h"
#include "base/redact/policy.h"
#include "base/strings.h"

/* Number of different names, or of pieces of data that have no name. */
struct cp_redact_count {
	uint64_t kept, changed, dropped;
};

/* A word to replace everywhere, and its replacement. */
struct cp_redact_word {
	cp_string_id text, instead;
	uint64_t bytes; /* a bit for each byte of the word; bytes share bits */
	bool sought;    /* see enum cp_redact_sought */
};

/*
 * Sought words are searched for in the output, too: even short ones, in upper
 * and lower case.
 */
enum cp_redact_sought { CP_REDACT_UNSOUGHT, CP_REDACT_SOUGHT };

/* public: of an object that is not the user's own. */
struct cp_redact_function {
	cp_string_id name;
	bool public;
};

/* The first reading of a capture, for the names in it. */
struct cp_redact_reading {
	cp_string_id path;
	cp_string_id why; /* not all names are known; 0: they are */
	uint64_t bytes, parsed;
	struct cp_redact_code *code; /* NULL: all addresses are kept */
};

struct cp_redact {
	const struct cp_policy *policy;
	struct cp_strings texts;  /* a name, before and after */
	struct cp_map64 by_name;  /* class << 32 | name -> replacement + 1 */
	struct cp_map64 made;     /* class << 32 | replacement -> 1 */
	struct cp_map64 original; /* hash of a path's replacement -> path */
	struct cp_redact_count count[CP_REDACT_N];
	uint32_t numbers[CP_REDACT_N]; /* the last number given, by class */
	CP_VEC(struct cp_redact_word) words; /* to replace anywhere */
	bool too_many; /* words: some would stay, so nothing is written */
	CP_VEC(cp_string_id) removed; /* names that were replaced or left out */
	/* Those of them that name users and hosts. */
	CP_VEC(cp_string_id) named;
	CP_VEC(cp_string_id) kept;                   /* names that were kept */
	CP_VEC(struct cp_redact_function) functions; /* that are written */
	uint32_t users; /* users that have a number */
	CP_VEC(struct cp_redact_reading) learned;
	struct cp_redact_code *code; /* of the reading that was begun last */
};

#endif
