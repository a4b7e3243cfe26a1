/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

uint64_t cp_hash_key[2] = { UINT64_C(0x9e3779b97f4a7c15),
	UINT64_C(0xe7037ed1a0b428db) };

void
cp_hash_seed(uint64_t a, uint64_t b)
{
	/* Mixed and odd, so that a weak seed still gives a good key. */
	cp_hash_key[0] = cp_mix(a, b) | 1;
	cp_hash_key[1] = cp_mix(b, a) | 1;
}

struct cp_hash128
cp_hash_words128(const uint64_t *w, size_t n)
{
	uint64_t a = n, b = UINT64_C(0xa0761d6478bd642f);
	size_t i;

	/* Two accumulators, so that multiplications run in parallel. */
	for (i = 0; i + 4 <= n; i += 4) {
		a = cp_mix(w[i] ^ a, w[i + 1]);
		b = cp_mix(w[i + 2] ^ b, w[i + 3]);
	}
	/* the rest: hashing the last 4 words again is shorter */
	if (i < n && n >= 4) {
		a = cp_mix(w[n - 4] ^ a, w[n - 3]);
		b = cp_mix(w[n - 2] ^ b, w[n - 1]);
		i = n;
	}
	for (; i < n; i++) {
		a = cp_mix(w[i] ^ a, b);
		b += a;
	}
	return (struct cp_hash128){ cp_mix(a, b),
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

static struct cp_map64_slot *
find_slot(const struct cp_map64 *m, uint64_t key)
{
	uint32_t i = (uint32_t)cp_hash64(key) & m->mask;

	while (m->slots[i].value != 0 && m->slots[i].key != key)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

uint32_t
cp_map64_get(const struct cp_map64 *m, uint64_t key)
{
	return m->slots != NULL ? find_slot(m, key)->value : 0;
}

static void
map_resize(struct cp_map64 *m)
{
	size_t had = m->slots != NULL ? (size_t)m->mask + 1 : 0;
	size_t n = had != 0 ? had * 2 : 64;
	struct cp_map64 new = { .mask = (uint32_t)(n - 1), .len = m->len };

	new.slots = cp_xcalloc(n, sizeof(*new.slots));
	for (size_t i = 0; i < had; i++)
		if (m->slots[i].value != 0)
			*find_slot(&new, m->slots[i].key) = m->slots[i];
	cp_map64_free(m);
	*m = new;
}

uint32_t *
cp_map64_put(struct cp_map64 *m, uint64_t key)
{
	struct cp_map64_slot *slot;

	if (m->slots == NULL || m->len >= (m->mask / 4) * 3)
		map_resize(m);
	slot = find_slot(m, key);
	if (slot->value == 0) {
		slot->key = key;
		m->len++;
	}
	return &slot->value;
}

void
cp_map64_free(struct cp_map64 *m)
{
	free(m->slots);
	*m = (struct cp_map64){ 0 };
}
