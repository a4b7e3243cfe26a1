/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/walk.h: what the files of the unwinder share. */
#ifndef CP_SYMBOLIZE_UNWIND_WALK_H
#define CP_SYMBOLIZE_UNWIND_WALK_H

#include <elf.h>

#include "symbolize/cfi/expression.h"
#include "symbolize/cfi/arm-exidx.h"
#include "symbolize/golang/pclntab.h"
#include "symbolize/unwind/unwind.h"

/*
 * A rule in 32 bits.  Bits 0-2: the kind; bit 3: the link register is saved
 * one word above the frame pointer.  SP and FP: the caller's frame pointer is
 * saved 2047 words below the CFA but for bits 4-14 many, or was not changed
 * (0); the CFA is that register plus bits 16-31, in words.  FULL: bits 4-31
 * are the number of a full rule.  So made that a walk needs few instructions
 * for it; SP is the kind 0, and known by bit 15 from an empty slot.
 */
#define CP_RULE_NONE UINT32_C(0)
enum {
	CP_RULE_SP,
	CP_RULE_FP,
	CP_RULE_END, /* there is no caller */
	CP_RULE_FULL,
	CP_RULE_ABSENT,   /* no table covers the address */
	CP_RULE_UNMAPPED, /* nor any mapping */
};
#define CP_RULE_LR (UINT32_C(1) << 3)
#define CP_RULE_THERE (UINT32_C(1) << 15)
#define CP_RULE_FP_MAX 2046u /* words below the CFA */

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
/* In words above the CFA, negative as a rule. */
static inline int64_t
cp_rule_fp(uint32_t rule)
{
	return (int64_t)(rule >> 4 & 0x7ff) - 2047;
}

/* A rule that does not fit; same content, same number. */
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
	CP_VEC(const struct cp_full_rule *) all; /* 0 is none */
	struct cp_map64 by_hash;
	struct cp_arena arena;
};
uint32_t cp_full_intern(
    struct cp_full_rules *, const struct cp_arch *, const struct cp_cfi_row *);
void cp_full_free(struct cp_full_rules *);

/* rule.c: the packed form; CP_RULE_NONE if it does not fit. */
uint32_t cp_rule_pack(
    const struct cp_arch *, const struct cp_cfi_row *, uint64_t pc);
/* Its part that says what is saved where; false if that does not fit. */
bool cp_rule_saved(const struct cp_arch *, uint8_t ra,
    const struct cp_cfi_rule *fp_rule, const struct cp_cfi_rule *ra_rule,
    uint32_t *);
/* The rest of it: the CFA. */
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
 * cfibrief.c: the packed rule at an address of the tables; CP_RULE_NONE if it
 * is not to be had so cheaply, or there is none.
 */
uint32_t cp_rule_brief(struct cp_cfi *, uint64_t addr);

/*
 * (number, address) -> rule.  The number says too whether the rule may be
 * packed, or has to be a full one.
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
 * The same of a space's addresses: one look, no more.  What does not find its
 * place here is in the cache of the object.
 */
enum { CP_NEAR_BITS = 15 };
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

/* unwindgo.c: functions of Go's runtime that nothing leads out of. */
struct cp_go {
	unsigned n;
	struct cp_go_top {
		uint64_t start, size;
		uint8_t calls; /* which of its calls */
	} at[12];              /* a name may have two */
};

/* Unwind tables and bytes of one object. */
struct cp_unwind_object {
	bool tried, debug_tried;
	bool blind; /* runtime is a debug file: there is no byte of code */
	const struct cp_elf *runtime; /* NULL: not found */
	int dump; /* descriptor of a jitdump; 0: not opened, -1: cannot be */
	struct cp_cfi cfi;
	struct cp_exidx exidx;
	struct cp_go go;
	const struct cp_gotab *gotab; /* or NULL */
};

struct cp_unwinder {
	struct cp_symbols *symbols;
	const struct cp_dsos *dsos;
	bool scan;                     /* where nothing else leads on */
	const struct cp_arch *arch[2]; /* by abi - 1 */
	struct cp_rule_near near;      /* by generation */
	struct cp_rule_cache far;      /* by object */
	struct cp_full_rules full;
	CP_VEC(struct cp_unwind_object *) objects; /* by id - 1 */
	CP_VEC(struct cp_cfi *) jit; /* tables of code made at run time */
	struct cp_map64 jit_by_load; /* hash of dump, record -> index + 1 */
	/* Where registers are, for the mask at hand. */
	uint64_t place_mask;
	const struct cp_arch *place_arch;
	uint8_t place[CP_REGS];
	uint64_t place_known[2]; /* bits of those that are there */
};

/* How a frame was found, in the order of the markers of model/event.h. */
enum { CP_BY_RULE, CP_BY_POINTER, CP_BY_SCAN, CP_BY_EDGE };

/*
 * Which registers of the frame at hand are known: those that are followed,
 * all of them (cp_walk.full), or those of the sample.
 */
enum { CP_KNOWS_FEW, CP_KNOWS_FULL, CP_KNOWS_SAMPLE };

/* One stack being unwound. */
struct cp_walk {
	struct cp_unwinder *u;
	struct cp_unwind *in;
	const struct cp_arch *arch;
	const uint8_t *stack;
	uint64_t base; /* address of its first byte */
	uint64_t last; /* offset of its last whole word */
	bool plain;    /* words are 8 bytes in our byte order */
	bool swap;
	uint32_t steps;
	uint64_t pac; /* bits of a return address that count */
	/* The frame at hand. */
	uint64_t pc; /* where to look it up */
	uint64_t sp, fp, lr;
	uint64_t r7;     /* 32-bit ARM: the frame pointer of Thumb code */
	bool thumb;      /* and pc is in such code; if it is exact, not known */
	bool exact;      /* pc is no return address */
	bool loose;      /* fp is sure, and sp is not above the frame's */
	uint8_t guessed; /* how the frame at hand was found */
	uint8_t knows;   /* its registers */
	struct cp_regs full;
	uint64_t missing;   /* address that could not be read */
	uint64_t no_way[8]; /* code that was followed in vain */
	/* What came out. */
	uint64_t *words;
	size_t n, max;
	uint8_t marked; /* what the last marker says of that */
};

/* What an address is part of, and where in there it is. */
struct cp_walk_place {
	uint32_t dso;
	uint64_t addr;
	const struct cp_map *map; /* NULL: there is load */
	const struct cp_jit_load *load;
};

/* unwindjit.c: false: not in code of a jitdump; without a table. */
bool cp_walk_jit(struct cp_walk *, uint64_t pc, struct cp_walk_place *);
bool cp_walk_jit_row(
    struct cp_walk *, const struct cp_walk_place *, struct cp_cfi_row *);
void cp_unwind_jit_free(struct cp_unwinder *);

/* unwindobject.c */
const struct cp_map *cp_walk_map(struct cp_walk *, uint64_t pc);
struct cp_unwind_object *cp_walk_object(struct cp_walk *, uint32_t dso);
uint32_t cp_walk_rule(struct cp_walk *, uint64_t pc);
/* The same, never packed. */
uint32_t cp_walk_full_rule(struct cp_walk *, uint64_t pc);
/* Is that in the code where a program begins, which nobody has called? */
bool cp_walk_begins(struct cp_walk *, uint64_t pc);
/*
 * Is that the first instruction of a function, which none before it has
 * called?  Somebody has put it on a stack for the outermost frame to return
 * to, as makecontext() does.
 */
bool cp_walk_returns_to_start(struct cp_walk *, uint64_t ra);

/* unwindgo.c: finds them. */
void cp_go_find(struct cp_go *, const struct cp_elf *, const struct cp_gotab *);
/* Ends a stack where that call returns to, at addr in the object? */
bool cp_walk_go_top(
    struct cp_walk *, const struct cp_go *, uint64_t pc, uint64_t addr);

/* unwindmemory.c */
bool cp_walk_read(void *walk, uint64_t at, unsigned n, uint64_t *value);
/* Code bytes at pc. */
bool cp_walk_code(struct cp_walk *, uint64_t pc, uint8_t *out, size_t n);

/* unwindstep.c: from one frame's registers to its caller's. */
enum cp_eval cp_walk_step(struct cp_walk *, const struct cp_full_rule *,
    const struct cp_regs *, struct cp_regs *out, bool *end);

/*
 * unwindsignal.c: false: it is not at a trampoline.  Else the registers of what
 * the signal has interrupted, or w->missing is where they should be.
 */
bool cp_walk_sigreturn(struct cp_walk *, struct cp_regs *out);

/*
 * unwindarm.c: the registers of the caller, by what the code would do yet;
 * false: that cannot be told.
 */
bool cp_walk_run(struct cp_walk *, const struct cp_regs *, struct cp_regs *out);
/* unwindx86.c: the same of x86-64. */
bool cp_walk_run_x86(
    struct cp_walk *, const struct cp_regs *, struct cp_regs *out);
/* unwindguess.c: a caller without a table, and what it is found by; false: no
 * idea. */
bool cp_walk_guess(struct cp_walk *);
/* unwindlink.c: may the call that left this return address have led to pc? */
bool cp_walk_called(struct cp_walk *, uint64_t ra);
/* 32-bit ARM: if it says where it leads to, is code there? */
bool cp_walk_calls_code(struct cp_walk *, uint64_t ra);
/* Does it lead here by itself?  *thumb: to such code. */
bool cp_walk_call_mode(struct cp_walk *, uint64_t ra, bool *thumb);
/* unwindscan.c: is that behind a call?  What cannot be looked at is believed.
 */
bool cp_walk_returns_to(struct cp_walk *, uint64_t pc);
/* The first word up the stack that looks like one returns to. */
bool cp_walk_scan(struct cp_walk *);

static inline bool
cp_walk_word(const struct cp_walk *w, uint64_t at, uint64_t *v)
{
	uint64_t offset = at - w->base;

	if (CP_UNLIKELY(offset > w->last))
		return false;
	if (CP_LIKELY(w->plain))
		memcpy(v, w->stack + offset, 8);
	else if (w->arch->word == 4)
		*v = cp_load32(w->stack + offset, w->swap);
	else
		*v = cp_load64(w->stack + offset, w->swap);
	return true;
}

#endif
