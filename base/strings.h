/* SPDX-License-Identifier: MIT */
/*
 * base/strings.h: interned strings.  Same text, same id; id 0 is "".
 * Texts stay where they are until the table is freed.
 */
#ifndef CP_BASE_STRINGS_H
#define CP_BASE_STRINGS_H

#include "base/vec.h"

struct cp_strings {
	struct cp_arena arena;
	CP_VEC(const char *) text; /* by id */
	CP_VEC(uint64_t) hash;     /* by id */
	uint32_t *slots;           /* ids, 0: empty */
	uint32_t mask;
};

cp_string_id cp_strings_add(struct cp_strings *, const char *);
cp_string_id cp_strings_addn(struct cp_strings *, const char *, size_t n);
const char *cp_strings_get(const struct cp_strings *, cp_string_id);
void cp_strings_free(struct cp_strings *);

#endif
