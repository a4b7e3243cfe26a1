/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/rule.h: rules in two forms, packed in 32 bits or in full
 * with an index, and the caches from addresses to rules.
 */
#ifndef CP_SYMBOLIZE_UNWIND_RULE_H
#define CP_SYMBOLIZE_UNWIND_RULE_H

#include "base/tuning.h"
#include "symbolize/cfi/tables.h"

/*
 * A rule in 32 bits.  Bits 0-2: the kind.  Bit 3: the link register is saved
 * one word above the frame pointer.
 *
 * SP and FP: bits 4-14 tell where the caller's frame pointer is saved, as 2047
 * minus words below the CFA; 0: it is unchanged.  The CFA is that register plus
 * bits 16-31, in words.  FULL: bits 4-31 are the index of a full rule.
 *
 * The layout saves instructions in the walk.  The kind SP is 0; its bit 15
 * tells it from an empty slot.
 */
#define CP_RULE_NONE UINT32_C(0)
enum {
	CP_RULE_SP,
	CP_RULE_FP,
	CP_RULE_END, /* no caller */
	CP_RULE_FULL,
	CP_RULE_ABSENT,   /* no table has the address */
	CP_RULE_UNMAPPED, /* no mapping has the address */
};
#define CP_RULE_LR (UINT32_C(1) << 3)
#define CP_RULE_THERE (UINT32_C(1) << 15)
#define CP_RULE_FP_MAX 2046u /* in words below the CFA */

static inline unsigned
cp_rule_kind(uint32_t rule)
{
	return rule & 7;
}
static inline uint32_t
cp_rule_cfa(uint32_t rule)
{
	return rule >> 16;
}
static inline bool
cp_rule_saves_fp(uint32_t rule)
{
	return (rule >> 4 & 0x7ff) != 0;
}
/* Words above the CFA; usually negative. */
static inline int64_t
cp_rule_fp(uint32_t rule)
{
	return (int64_t)(rule >> 4 & 0x7ff) - 2047;
}

/* A rule that does not fit 32 bits.  Equal rules share one index. */
struct cp_full_saved {
	uint8_t reg;
	struct cp_cfi_rule rule;
};
struct cp_full_rule {
	struct cp_cfi_rule cfa;
	uint8_t ra;
	bool signal, body, swap;
	uint8_t n;
	struct cp_full_saved saved[];
};

struct cp_full_rules {
	CP_VEC(const struct cp_full_rule *) all; /* index 0 is unused */
	struct cp_map64 by_hash;
	struct cp_arena arena;
};
uint32_t cp_full_intern(
    struct cp_full_rules *, const struct cp_arch *, const struct cp_cfi_row *);
void cp_full_free(struct cp_full_rules *);

/* Packs a row.  CP_RULE_NONE if it does not fit. */
uint32_t cp_rule_pack(
    const struct cp_arch *, const struct cp_cfi_row *, uint64_t pc);
/* Packs where registers are saved.  False if it does not fit. */
bool cp_rule_saved(const struct cp_arch *, uint8_t ra,
    const struct cp_cfi_rule *fp_rule, const struct cp_cfi_rule *ra_rule,
    uint32_t *);
/* Packs the CFA. */
static inline uint32_t
cp_rule_base(const struct cp_arch *a, uint8_t reg, int64_t offset)
{
	const unsigned bits = a->word == 8 ? 3 : 2;
	const uint64_t words = (uint64_t)offset >> bits;

	if (words > 0xffff || (uint64_t)offset != words << bits)
		return CP_RULE_NONE;
	if (reg == a->sp)
		return CP_RULE_THERE | CP_RULE_SP | (uint32_t)words << 16;
	return reg == a->fp ? CP_RULE_THERE | CP_RULE_FP | (uint32_t)words << 16
			    : CP_RULE_NONE;
}
/*
 * Cache: (number, address) -> rule.  A bit of the number asks for full rules
 * only.
 */
#define CP_RULE_WHOLE (UINT32_C(1) << 31)
struct cp_rule_slot {
	uint64_t addr;
	uint32_t space; /* generation of a space, or id of an object */
	uint32_t rule;  /* 0: empty */
};
struct cp_rule_cache {
	struct cp_rule_slot *slots;
	uint32_t mask, len;
};

/*
 * Cache by address space: direct-mapped, one probe.  A displaced rule is
 * found again through the object.
 */
struct cp_rule_near {
	struct cp_rule_slot *slots;
};

static inline struct cp_rule_slot *
cp_near_slot(const struct cp_rule_near *n, uint32_t space, uint64_t addr)
{
	uint64_t h =
	    (addr + ((uint64_t)space << 20)) * UINT64_C(0x9e3779b97f4a7c15);

	return &n->slots[h >> (64 - CP_NEAR_BITS)];
}

static inline uint32_t
cp_near_get(const struct cp_rule_near *n, uint32_t space, uint64_t addr)
{
	const struct cp_rule_slot *s = cp_near_slot(n, space, addr);

	return CP_LIKELY(s->addr == addr && s->space == space) ? s->rule : 0;
}

static inline struct cp_rule_slot *
cp_rule_first(const struct cp_rule_cache *c, uint32_t space, uint64_t addr)
{
	return &c->slots[cp_mix(addr, space) & c->mask];
}

static inline uint32_t
cp_rule_get(const struct cp_rule_cache *c, uint32_t space, uint64_t addr)
{
	struct cp_rule_slot *s = cp_rule_first(c, space, addr);

	while (s->rule != 0) {
		if (CP_LIKELY(s->addr == addr && s->space == space))
			return s->rule;
		s = s == c->slots + c->mask ? c->slots : s + 1;
	}
	return 0;
}
void cp_rule_put(
    struct cp_rule_cache *, uint32_t space, uint64_t addr, uint32_t rule);
void cp_rule_cache_init(struct cp_rule_cache *);
void cp_rule_cache_forget(struct cp_rule_cache *);
void cp_rule_near_forget(struct cp_rule_near *);
void cp_rule_near_init(struct cp_rule_near *);

#endif
