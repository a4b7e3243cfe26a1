/* SPDX-License-Identifier: MIT */
#include "run/merge/contents.h"

/* Zeros at the end of a text that has none change nothing. */
static struct cp_hash128
hash_of(const char *text, size_t n)
{
	enum { WORDS = 32 };
	struct cp_hash128 h = { 0, 0 };
	uint64_t w[WORDS + 2];

	for (;;) {
		size_t some = CP_MIN(n, WORDS * sizeof(*w));
		size_t words = (some + 7) / 8;

		w[words == 0 ? 0 : words - 1] = 0;
		memcpy(w, text, some);
		w[words] = h.a;
		w[words + 1] = h.b;
		h = cp_hash_words128(w, words + 2);
		text += some;
		n -= some;
		if (n == 0)
			return h;
	}
}

static void
rehash(struct cp_contents *c)
{
	size_t slots = c->slots != NULL ? ((size_t)c->mask + 1) * 2 : 256;

	free(c->slots);
	c->slots = cp_xcalloc(slots, sizeof(*c->slots));
	c->mask = (uint32_t)(slots - 1);
	for (size_t k = 0; k < c->key.len; k++) {
		uint32_t i = (uint32_t)c->key.data[k].a & c->mask;

		while (c->slots[i] != 0)
			i = (i + 1) & c->mask;
		c->slots[i] = (uint32_t)k + 1;
	}
}

uint32_t *
cp_contents_get(struct cp_contents *c, const char *text, size_t n)
{
	struct cp_hash128 h = hash_of(text, n);
	uint32_t i;

	if (c->slots == NULL || c->key.len > c->mask / 4 * 3)
		rehash(c);
	for (i = (uint32_t)h.a & c->mask; c->slots[i] != 0;
	     i = (i + 1) & c->mask) {
		uint32_t k = c->slots[i] - 1;

		if (c->key.data[k].a == h.a && c->key.data[k].b == h.b)
			return &c->id.data[k];
	}
	*cp_vec_push(&c->key) = h;
	*cp_vec_push(&c->id) = 0;
	c->slots[i] = (uint32_t)c->key.len;
	return &c->id.data[c->key.len - 1];
}

void
cp_contents_free(struct cp_contents *c)
{
	cp_vec_free(&c->key);
	cp_vec_free(&c->id);
	free(c->slots);
	*c = (struct cp_contents){ .slots = NULL };
}
