/* SPDX-License-Identifier: MIT */
#include "run/merge/contents.h"

uint32_t *
cp_contents_get(struct cp_contents *c, const char *key, size_t n)
{
	cp_string_id at = cp_strings_addn(&c->keys, key, n);

	while (c->id.len <= at)
		*cp_vec_push(&c->id) = 0;
	return &c->id.data[at];
}

void
cp_contents_free(struct cp_contents *c)
{
	cp_strings_free(&c->keys);
	cp_vec_free(&c->id);
}
