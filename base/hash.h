/* SPDX-License-Identifier: MIT */
/*
 * base/hash.h: hashing of words, and an open-addressing map u64 -> u32.
 *
 * The map's values are ids (0 is "absent"), so an empty slot needs no mark of
 * its own, and a slot is one access.
 */
#ifndef CP_BASE_HASH_H
#define CP_BASE_HASH_H

#include "base/mem.h"

/*
 * The hash key differs in each process (cli/ draws it): the author of a capture
 * must not be able to choose colliding keys.  No output depends on it.
 */
extern uint64_t cp_hash_key[2];
void cp_hash_seed(uint64_t a, uint64_t b);

static inline uint64_t
cp_mix(uint64_t a, uint64_t b)
{
	__uint128_t p =
	    (__uint128_t)(a ^ cp_hash_key[0]) * (b ^ cp_hash_key[1]);

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static inline uint64_t
cp_hash64(uint64_t v)
{
	return cp_mix(v, UINT64_C(0x8ebc6af09c88c6e3));
}

uint64_t cp_hash_words(const uint64_t *w, size_t n);
/* A hash that identifies its input: 128 bits do not collide by accident. */
struct cp_hash128 {
	uint64_t a, b;
};
struct cp_hash128 cp_hash_words128(const uint64_t *w, size_t n);
uint64_t cp_hash_bytes(const void *p, size_t n);

struct cp_map64_slot {
	uint64_t key;
	uint32_t value; /* 0: empty */
};

struct cp_map64 {
	struct cp_map64_slot *slots;
	uint32_t mask; /* slots - 1 */
	uint32_t len;
};

/* Returns the value of key, or 0. */
uint32_t cp_map64_get(const struct cp_map64 *, uint64_t key);
/*
 * Returns the slot of key's value; a new key gets the value 0.  The caller must
 * store a nonzero value before the next call.
 */
uint32_t *cp_map64_put(struct cp_map64 *, uint64_t key);
void cp_map64_free(struct cp_map64 *);

#endif
