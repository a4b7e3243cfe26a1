/* SPDX-License-Identifier: MIT */
/* base/redact/state.h: what a redaction knows so far. */
#ifndef CP_BASE_REDACT_STATE_H
#define CP_BASE_REDACT_STATE_H

#include "base/buf.h"
#include "base/hash.h"
#include "base/redact/policy.h"
#include "base/strings.h"

/* How many different names, and how many pieces of data without one. */
struct cp_redact_count {
	uint64_t kept, changed, dropped;
};

/* A word to replace wherever it stands, and what by. */
struct cp_redact_word {
	cp_string_id text, instead;
	uint64_t bytes; /* those that the word has: see cp_redact_word() */
	bool sought;    /* in any case, and if it is short */
};

/* A word that is replaced: is it looked for in the output, too? */
enum cp_redact_sought { CP_REDACT_UNSOUGHT, CP_REDACT_SOUGHT };

struct cp_redact {
	const struct cp_policy *policy;
	struct cp_strings texts;  /* a name, before and after */
	struct cp_map64 by_name;  /* class << 32 | name -> replacement + 1 */
	struct cp_map64 made;     /* class << 32 | replacement -> 1 */
	struct cp_map64 original; /* hash of a path's replacement -> path */
	struct cp_redact_count count[CP_REDACT_N];
	uint32_t numbers[CP_REDACT_N];       /* given so far */
	CP_VEC(struct cp_redact_word) words; /* to replace anywhere */
	bool too_many; /* of these: some would stay, so nothing is written */
	CP_VEC(cp_string_id) removed; /* names that are no longer there */
	CP_VEC(cp_string_id) kept;    /* names that are */
	uint32_t users;               /* numbers given to users */
	CP_VEC(cp_string_id) learned; /* captures whose users are known */
};

#endif
