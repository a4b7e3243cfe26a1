/* SPDX-License-Identifier: MIT */
/* run/merge/contents.h: rows of a kind of content, found by all they are. */
#ifndef CP_RUN_MERGE_CONTENTS_H
#define CP_RUN_MERGE_CONTENTS_H

#include "base/hash.h"
#include "base/vec.h"

/*
 * A text tells all of a row.  128 bits of hash stand for it: of a fleet's
 * frames the texts would take most of the memory.
 */
struct cp_contents {
	CP_VEC(struct cp_hash128) key;
	CP_VEC(uint32_t) id; /* by key */
	uint32_t *slots;     /* keys + 1; 0: empty */
	uint32_t mask;
};

/* The number of a row, to be set; 0: it is new.  The text has no NUL. */
uint32_t *cp_contents_get(struct cp_contents *, const char *text, size_t n);
void cp_contents_free(struct cp_contents *);

#endif
