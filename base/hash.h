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
 * Who makes a capture must not be able to choose what collides, so cli/ seeds
 * the hashes anew for each process.  No output depends on them.
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
/* 128 bits: by accident no two different inputs have the same. */
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

/* The value of key, or 0. */
uint32_t cp_map64_get(const struct cp_map64 *, uint64_t key);
/*
 * The slot of key's value, inserted as 0 if absent.  The caller must store a
 * value that is not 0 before the next call.
 */
uint32_t *cp_map64_put(struct cp_map64 *, uint64_t key);
void cp_map64_free(struct cp_map64 *);

#endif
