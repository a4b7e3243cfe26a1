/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/expression.h: the registers of a frame, and the evaluation of
 * CFI expressions with them.
 */
#ifndef CP_SYMBOLIZE_CFI_EXPRESSION_H
#define CP_SYMBOLIZE_CFI_EXPRESSION_H

#include "symbolize/cfi/tables.h"

struct cp_regs {
	uint64_t v[CP_REGS];
	uint64_t known[2]; /* one bit per register */
};

static inline bool
cp_reg_known(const struct cp_regs *r, unsigned i)
{
	return i < CP_REGS && (r->known[i / 64] >> (i % 64) & 1) != 0;
}

static inline void
cp_reg_set(struct cp_regs *r, unsigned i, uint64_t v)
{
	r->v[i] = v;
	r->known[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void
cp_reg_forget(struct cp_regs *r, unsigned i)
{
	r->known[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

enum cp_eval {
	CP_EVAL_OK,
	CP_EVAL_REGISTER, /* needs an unknown register */
	CP_EVAL_MEMORY,   /* needs unreadable memory, at *where */
	CP_EVAL_BAD,      /* invalid, or not supported */
	CP_EVAL_LIMIT,    /* no steps left */
};

/* Reads n (1 to 8) bytes of the sampled process as a number. */
typedef bool (*cp_read_memory)(
    void *ctx, uint64_t at, unsigned n, uint64_t *value);

struct cp_expr {
	const struct cp_arch *arch;
	const struct cp_regs *regs;
	cp_read_memory read;
	void *ctx;
	bool swap;           /* byte order of numbers in the expression */
	const uint64_t *cfa; /* initial stack entry; NULL: none */
	uint64_t where;      /* address of the unreadable memory */
};

enum cp_eval cp_expr_value(struct cp_expr *, const struct cp_cfi_rule *,
    uint32_t *steps, uint64_t *out);

#endif
