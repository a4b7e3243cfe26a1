/* SPDX-License-Identifier: MIT */
/*
 * base/redact/names.h: names and what stands for them after a redaction.
 *
 * The same name always has the same replacement.  What was removed is kept,
 * so that the output can be searched for it, and so that files can be opened
 * by the path that was recorded.
 */
#ifndef CP_BASE_REDACT_NAMES_H
#define CP_BASE_REDACT_NAMES_H

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
};

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
};

void cp_redact_init(struct cp_redact *, const struct cp_policy *);
/* Takes the words of the policy, which was read by then. */
void cp_redact_begin(struct cp_redact *);
void cp_redact_free(struct cp_redact *);

/*
 * Returns what stands for a name, which is valid until cp_redact_free().  ""
 * is dropped.
 */
const char *cp_redact_name(
    struct cp_redact *, enum cp_redact_class, const char *name);
/* The same of a name that is kept: only users and words are replaced. */
const char *cp_redact_keep(
    struct cp_redact *, enum cp_redact_class, const char *name);
/* Remembers a name that is left out. */
void cp_redact_drop(struct cp_redact *, enum cp_redact_class, const char *name);
/* Is it a name that stands for another one? */
bool cp_redact_made(struct cp_redact *, enum cp_redact_class, const char *name);
/* Remembers users' names in paths, and a word to replace everywhere. */
void cp_redact_users(struct cp_redact *, const char *text, bool path);
void cp_redact_word(struct cp_redact *, const char *word, const char *instead);
/* Any text: users' names in paths and words to be replaced are. */
const char *cp_redact_text(struct cp_redact *, const char *text);
/* The path that was recorded, of one that stands for it. */
const char *cp_redact_recorded(const struct cp_redact *, const char *path);
/* Does the policy let the object's own name and its symbols stand? */
bool cp_redact_known_object(const struct cp_redact *, const char *path);

#endif
