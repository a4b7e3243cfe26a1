/* SPDX-License-Identifier: MIT */
/* run/merge/contents.h: rows of a kind of content, found by all they are. */
#ifndef CP_RUN_MERGE_CONTENTS_H
#define CP_RUN_MERGE_CONTENTS_H

#include "base/strings.h"

/* A text tells all of a row. */
struct cp_contents {
	struct cp_strings keys;
	CP_VEC(uint32_t) id; /* by key */
};

/* The number of a row, to be set; 0: it is new. */
uint32_t *cp_contents_get(struct cp_contents *, const char *key, size_t n);
void cp_contents_free(struct cp_contents *);

#endif
