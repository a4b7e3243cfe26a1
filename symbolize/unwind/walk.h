/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/walk.h: the types of this room: the unwinder with its state
 * of objects, and one stack being walked.
 *
 * This room walks up a user stack.  It may use object, cfi, golang, insn and
 * elf.  Begin in unwind.c; full-step.c and step.c make one step, rule-lookup.c
 * decides which rule an address has.
 */
#ifndef CP_SYMBOLIZE_UNWIND_WALK_H
#define CP_SYMBOLIZE_UNWIND_WALK_H

#include <elf.h>

#include "model/session.h"
#include "symbolize/cfi/arm-exidx.h"
#include "symbolize/cfi/cfi.h"
#include "symbolize/cfi/expression.h"
#include "symbolize/golang/pclntab.h"
#include "symbolize/unwind/function-rules.h"
#include "symbolize/unwind/rule.h"

struct cp_symbols;
struct cp_unwinder;

/* Functions of Go's runtime with calls that end the stack. */
struct cp_go {
	unsigned n;
	struct cp_go_top {
		uint64_t start, size;
		uint8_t calls; /* which form of call */
	} at[12];              /* a name may occur twice */
};

/* Unwind tables and bytes of one object. */
struct cp_unwind_object {
	bool tried;       /* looking for runtime was tried */
	bool tables_made; /* cfi, exidx and go are set */
	bool debug_tried; /* looking for tables in a debug file was tried */
	bool blind;       /* runtime is a debug file, without code bytes */
	bool given_up;    /* its rules took too many steps */
	uint64_t spent;   /* steps that its expensive rules took */
	const struct cp_elf *runtime; /* NULL: not found */
	int dump; /* descriptor of its jitdump; 0: not opened, -1: failed */
	struct cp_cfi cfi;
	struct cp_function_rules rules;
	struct cp_exidx exidx;
	struct cp_go go;
	const struct cp_gotab *gotab; /* or NULL */
};

struct cp_unwinder {
	struct cp_symbols *symbols;
	const struct cp_dsos *dsos;
	bool scan;                     /* --stack-scan */
	const struct cp_arch *arch[2]; /* index: abi - 1 */
	struct cp_rule_near near;      /* cache by generation */
	struct cp_rule_cache far;      /* cache by object */
	struct cp_full_rules full;
	CP_VEC(struct cp_unwind_object *) objects; /* index: id - 1 */
	CP_VEC(struct cp_cfi *) jit; /* unwind tables of JIT code */
	struct cp_map64 jit_by_load; /* hash of dump, record -> index + 1 */
	/* The index of each register's word, for the last mask. */
	uint64_t place_mask;
	const struct cp_arch *place_arch;
	uint8_t place[CP_REGS];
	uint64_t place_known[2]; /* one bit per recorded register */
};

/*
 * The method that found a frame, in the order of the markers in model/event.h.
 */
enum { CP_BY_RULE, CP_BY_POINTER, CP_BY_SCAN, CP_BY_EDGE };

/*
 * The known registers of the current frame: the tracked ones, all
 * (cp_unwind_walk.full), or those of the sample.
 */
enum { CP_KNOWS_FEW, CP_KNOWS_FULL, CP_KNOWS_SAMPLE };

/* One stack being unwound. */
struct cp_unwind_walk {
	struct cp_unwinder *u;
	struct cp_unwind *in;
	const struct cp_arch *arch;
	const uint8_t *stack;
	uint64_t base; /* address of its first byte */
	uint64_t last; /* offset of the last whole word */
	bool plain;    /* 8-byte words in our byte order */
	bool swap;
	uint32_t steps;
	uint64_t pac; /* mask of a return address without its signature */
	/* The current frame. */
	uint64_t pc; /* address to look up */
	uint64_t sp, fp, lr;
	uint64_t r7;     /* 32-bit ARM: the frame pointer of Thumb code */
	bool thumb;      /* pc is in Thumb code; unknown if exact */
	bool exact;      /* pc is no return address */
	bool loose;      /* fp is right, but sp may be below the frame */
	uint8_t guessed; /* method that found the current frame */
	uint8_t knows;   /* CP_KNOWS_*: its known registers */
	struct cp_regs full;
	uint64_t missing;   /* address that was unreadable */
	uint64_t no_way[8]; /* code that was followed without success */
	/* The result. */
	uint64_t *words;
	size_t n, max;
	uint8_t marked; /* method that the last marker tells */
};

/* The object and the address in it. */
struct cp_walk_place {
	uint32_t dso;
	uint64_t addr;
	const struct cp_map *map; /* NULL: JIT code, see load */
	const struct cp_jit_load *load;
	const struct cp_dso_info *dump; /* that has the load */
};

static inline bool
cp_walk_word(const struct cp_unwind_walk *w, uint64_t at, uint64_t *v)
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
