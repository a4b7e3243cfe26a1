/* SPDX-License-Identifier: MIT */
/*
 * symbolize/insn/arm.h: what instructions of 32-bit ARM do to the registers
 * that lead to a caller: the stack pointer, frame pointers, the link register
 * and those that are saved.  What others hold is not followed.
 */
#ifndef CP_SYMBOLIZE_INSN_ARM_H
#define CP_SYMBOLIZE_INSN_ARM_H

#include "base/base.h"

/* Conditions: the number of ARM code, or one that is not followed. */
enum { CP_ARM_ALWAYS = 14, CP_ARM_SOME = 15 };
enum { CP_ARM_SP = 13, CP_ARM_LR = 14, CP_ARM_PC = 15, CP_ARM_STORES = 40 };

/* Where it goes on. */
enum cp_arm_flow {
	CP_ARM_NEXT,
	CP_ARM_JUMP,   /* to `to`, in this mode or the other */
	CP_ARM_FORK,   /* there or to the next */
	CP_ARM_RETURN, /* to `to`, whose bit 0 says Thumb */
	CP_ARM_ASIDE,  /* to an address that is not known */
	CP_ARM_DEAD,   /* it cannot be told, or this is no code */
};

struct cp_arm {
	uint32_t v[16]; /* but the program counter */
	uint16_t known;
	uint16_t loaded; /* from the stack, on the way */
	uint32_t pc;     /* of the instruction */
	uint32_t to;
	bool thumb, to_thumb;
	uint8_t condition; /* of the instruction at hand */
	uint8_t it;        /* so many more have one, in Thumb code */
	uint8_t held;      /* one that is known to hold, and 1; 0: none is */
	/* Words that were written on the way. */
	uint8_t stores;
	uint64_t stored_known;
	uint32_t at[CP_ARM_STORES], word[CP_ARM_STORES];
	/* Of the process, as it was. */
	bool (*read)(void *ctx, uint64_t at, unsigned n, uint64_t *value);
	void *ctx;
};

/* Thumb instructions of two halves have the first one on top. */
enum cp_arm_flow cp_arm_step(struct cp_arm *, uint32_t code);
enum cp_arm_flow cp_thumb_step(struct cp_arm *, uint16_t code);
enum cp_arm_flow cp_thumb_wide_step(struct cp_arm *, uint32_t code);

/* arm.c: what all of them are made of. */
struct cp_arm_address {
	uint8_t base;
	bool before; /* the offset counts for the transfer */
	bool write;  /* and for the base */
	int64_t offset;
};
enum cp_arm_flow cp_arm_transfer(
    struct cp_arm *, unsigned rt, const struct cp_arm_address *, bool load);
/* Two words. */
enum cp_arm_flow cp_arm_pair(struct cp_arm *, unsigned rt, unsigned rt2,
    const struct cp_arm_address *, bool load);
/* Many: `before` and the sign of offset say in which of the four orders. */
enum cp_arm_flow cp_arm_block(
    struct cp_arm *, uint32_t list, const struct cp_arm_address *, bool load);
enum cp_arm_flow cp_arm_jump(struct cp_arm *, uint32_t to, bool thumb);
/* Through a register. */
enum cp_arm_flow cp_arm_branch(struct cp_arm *, unsigned reg);
enum cp_arm_flow cp_arm_call(struct cp_arm *);

static inline bool
cp_arm_known(const struct cp_arm *m, unsigned r)
{
	return r < CP_ARM_PC && (m->known >> r & 1) != 0;
}

static inline void
cp_arm_forget(struct cp_arm *m, unsigned r)
{
	m->known &= (uint16_t) ~(1u << r);
	m->loaded &= (uint16_t) ~(1u << r);
}

static inline void
cp_arm_set(struct cp_arm *m, unsigned r, uint32_t v)
{
	cp_arm_forget(m, r);
	m->known |= (uint16_t)(1u << r);
	m->v[r] = v;
}

/* rd = rn + add, if that is known. */
static inline void
cp_arm_add(struct cp_arm *m, unsigned rd, unsigned rn, uint32_t add)
{
	if (cp_arm_known(m, rn))
		cp_arm_set(m, rd, m->v[rn] + add);
	else
		cp_arm_forget(m, rd);
}

#endif
