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

#include "base/elf.h"
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

/* budget.c: limits the total cost of the rules of one object. */

/*
 * Charges the object with the steps that one of its rules took.  Its tables are
 * no longer used once the budget is exceeded.
 */
void cp_walk_charge(struct cp_unwind_walk *, uint32_t dso, uint32_t steps);

/* guess.c: finds callers without an unwind table. */

/* Finds a caller and records the method.  False: no caller found. */
bool cp_walk_guess(struct cp_unwind_walk *);

/* run-arm.c: finds a caller by following code to its return. */

/*
 * Finds the caller's registers by following the code, on ARM and x86-64.
 * False: no path found.
 */
bool cp_walk_run(
    struct cp_unwind_walk *, const struct cp_regs *, struct cp_regs *out);

/* run-x86.c: finds a caller by following x86-64 code. */

/* Finds the caller's registers.  False: no path found. */
bool cp_walk_run_x86(
    struct cp_unwind_walk *, const struct cp_regs *, struct cp_regs *out);

/* sigreturn.c: signal trampolines without a table. */

/*
 * Finds the registers that the signal interrupted.  If they are unreadable,
 * w->missing is their address.  False: pc is not at a trampoline.
 */
bool cp_walk_sigreturn(struct cp_unwind_walk *, struct cp_regs *out);

/* step.c: steps from a frame's registers to its caller's. */

/* Steps by a full rule.  *end: there is no caller. */
enum cp_eval cp_walk_step(struct cp_unwind_walk *, const struct cp_full_rule *,
    const struct cp_regs *, struct cp_regs *out, bool *end);

/* full-step.c: steps for which packed rules are not enough. */

/*
 * Steps by full rule id, which is the rule of address pc.  Returns why the walk
 * ended, or NONE.  *again: a needed register is unknown.
 */
enum cp_unwind_end cp_walk_full_step(
    struct cp_unwind_walk *, uint32_t id, uint64_t pc, bool *again);
/* Steps from an address that has no rule, in the same way. */
enum cp_unwind_end cp_walk_no_table(struct cp_unwind_walk *, bool *again);

/* stack-scan.c: searches a stack for return addresses. */

/* True if pc is after a call, or if the code is not available. */
bool cp_walk_returns_to(struct cp_unwind_walk *, uint64_t pc);
/* Goes to the first word up the stack that looks like a return address. */
bool cp_walk_scan(struct cp_unwind_walk *);

/* arm-link.c: compares a call's target in ARM code with pc. */

/* True if the call before this return address may have led to pc. */
bool cp_walk_called(struct cp_unwind_walk *, uint64_t ra);
/* 32-bit ARM: if the call is direct, true if its target is code. */
bool cp_walk_calls_code(struct cp_unwind_walk *, uint64_t ra);
/* True if the call is direct and leads here.  *thumb: to Thumb code. */
bool cp_walk_call_mode(struct cp_unwind_walk *, uint64_t ra, bool *thumb);

#endif
