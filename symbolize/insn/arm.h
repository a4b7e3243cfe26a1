/* SPDX-License-Identifier: MIT */
/*
 * symbolize/insn/arm.h: follows 32-bit ARM instructions, as far as they change
 * the registers that lead to the caller: stack pointer, frame pointers, link
 * register and saved registers.  Values in other memory are not followed.
 */
#ifndef CP_SYMBOLIZE_INSN_ARM_H
#define CP_SYMBOLIZE_INSN_ARM_H

#include "base/base.h"

/* Condition numbers of ARM code; SOME: a condition that is not followed. */
enum { CP_ARM_ALWAYS = 14, CP_ARM_SOME = 15 };
enum { CP_ARM_SP = 13, CP_ARM_LR = 14, CP_ARM_PC = 15, CP_ARM_STORES = 40 };

/* Where execution goes on. */
enum cp_arm_flow {
	CP_ARM_NEXT,
	CP_ARM_JUMP,   /* to `to`, in mode to_thumb */
	CP_ARM_FORK,   /* there, or to the next instruction */
	CP_ARM_RETURN, /* to `to`; bit 0 means Thumb */
	CP_ARM_ASIDE,  /* to an unknown address */
	CP_ARM_DEAD,   /* unknown, or not code */
};

struct cp_arm {
	uint32_t v[16]; /* all but the program counter */
	uint16_t known;
	uint16_t loaded; /* registers loaded from the stack so far */
	uint32_t pc;     /* of the current instruction */
	uint32_t to;
	bool thumb, to_thumb;
	uint8_t condition; /* of the current instruction */
	/* Thumb: how many next instructions are in an IT block */
	uint8_t it;
	uint8_t held; /* condition known to hold, + 1; 0: none */
	/* Words stored so far. */
	uint8_t stores;
	uint64_t stored_known;
	uint32_t at[CP_ARM_STORES], word[CP_ARM_STORES];
	/* Reads the process's memory as it was at the sample. */
	bool (*read)(void *ctx, uint64_t at, unsigned n, uint64_t *value);
	void *ctx;
};

/* Follows an instruction.  A wide Thumb one has its first half on top. */
enum cp_arm_flow cp_arm_step(struct cp_arm *, uint32_t code);
enum cp_arm_flow cp_thumb_step(struct cp_arm *, uint16_t code);
enum cp_arm_flow cp_thumb_wide_step(struct cp_arm *, uint32_t code);

/* arm.c: the parts of all instructions. */
struct cp_arm_address {
	uint8_t base;
	bool before; /* the offset applies to the address */
	bool write;  /* and is written back to the base */
	int64_t offset;
};
enum cp_arm_flow cp_arm_transfer(
    struct cp_arm *, unsigned rt, const struct cp_arm_address *, bool load);
/* Loads or stores two words. */
enum cp_arm_flow cp_arm_pair(struct cp_arm *, unsigned rt, unsigned rt2,
    const struct cp_arm_address *, bool load);
/* Loads or stores many: `before` and the offset's sign give the order. */
enum cp_arm_flow cp_arm_block(
    struct cp_arm *, uint32_t list, const struct cp_arm_address *, bool load);
enum cp_arm_flow cp_arm_jump(struct cp_arm *, uint32_t to, bool thumb);
/* Jumps to a register. */
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

/* Sets rd = rn + add, if rn is known. */
static inline void
cp_arm_add(struct cp_arm *m, unsigned rd, unsigned rn, uint32_t add)
{
	if (cp_arm_known(m, rn))
		cp_arm_set(m, rd, m->v[rn] + add);
	else
		cp_arm_forget(m, rd);
}

#endif
