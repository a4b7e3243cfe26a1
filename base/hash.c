/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

struct cp_hash128
cp_hash_words128(const uint64_t *w, size_t n)
{
	uint64_t a = n, b = UINT64_C(0xa0761d6478bd642f);
	size_t i;

	/* Two lanes: the multiplications do not wait for each other. */
	for (i = 0; i + 4 <= n; i += 4) {
		a = cp_mix(w[i] ^ a, w[i + 1]);
		b = cp_mix(w[i + 2] ^ b, w[i + 3]);
	}
	for (; i < n; i++) {
		a = cp_mix(w[i] ^ a, b);
		b += a;
	}
	return (struct cp_hash128) { cp_mix(a, b),
		cp_mix(b, a + UINT64_C(0x2d358dccaa6c78a5)) };
}

uint64_t
cp_hash_words(const uint64_t *w, size_t n)
{
	return cp_hash_words128(w, n).a;
}

uint64_t
cp_hash_bytes(const void *p, size_t n)
{
	const uint8_t *s = p;
	uint64_t h = n, w;

	for (; n >= 8; n -= 8, s += 8) {
		memcpy(&w, s, 8);
		h = cp_mix(h, w);
	}
	w = 0;
	memcpy(&w, s, n);
	return cp_mix(h, w);
}

static uint32_t
find_slot(const struct cp_map64 *m, uint64_t key)
{
	uint32_t i = (uint32_t)cp_hash64(key) & m->mask;

	while (m->values[i] != 0 && m->keys[i] != key)
		i = (i + 1) & m->mask;
	return i;
}

uint32_t
cp_map64_get(const struct cp_map64 *m, uint64_t key)
{
	return m->values != NULL ? m->values[find_slot(m, key)] : 0;
}

static void
map_resize(struct cp_map64 *m)
{
	size_t slots = m->values != NULL ? ((size_t)m->mask + 1) * 2 : 64;
	struct cp_map64 n = { .mask = (uint32_t)(slots - 1), .len = m->len };

	n.keys = cp_xmalloc(slots * sizeof(*n.keys));
	n.values = cp_xcalloc(slots, sizeof(*n.values));
	for (size_t i = 0; m->values != NULL && i <= m->mask; i++) {
		uint32_t s;

		if (m->values[i] == 0)
			continue;
		s = find_slot(&n, m->keys[i]);
		n.keys[s] = m->keys[i];
		n.values[s] = m->values[i];
	}
	cp_map64_free(m);
	*m = n;
}

uint32_t *
cp_map64_put(struct cp_map64 *m, uint64_t key)
{
	uint32_t i;

	if (m->values == NULL || m->len >= (m->mask / 4) * 3)
		map_resize(m);
	i = find_slot(m, key);
	if (m->values[i] == 0) {
		m->keys[i] = key;
		m->len++;
	}
	return &m->values[i];
}

void
cp_map64_free(struct cp_map64 *m)
{
	free(m->keys);
	free(m->values);
	*m = (struct cp_map64) { 0 };
}
