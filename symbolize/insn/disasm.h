/* SPDX-License-Identifier: MIT */
/*
 * symbolize/insn/disasm.h: machine code -> instructions, one after the other,
 * by Capstone.
 *
 * Every byte gets an answer: what is no instruction, or none that Capstone
 * knows, is ".byte".  Of an instruction that Capstone does not know the first
 * bytes tell the length on most machines, so that the next ones are right.
 *
 * This room knows instructions, and not where their bytes are from; it may use
 * base/ only.  Begin here for annotate, in arm.h and x86-length.h for
 * unwinding without tables.
 */
#ifndef CP_SYMBOLIZE_INSN_DISASM_H
#define CP_SYMBOLIZE_INSN_DISASM_H

#include "base/base.h"

struct cp_machine {
	uint16_t machine; /* EM_* */
	bool wide;        /* 64 bit */
	bool big;         /* of the instructions' own byte order */
};

struct cp_insn {
	uint64_t addr;
	uint64_t target; /* where it jumps, or what it calls */
	uint32_t size;
	bool has_target; /* a direct one; the text ends before it */
	bool is_call;
	char text[224];
};

struct cp_disasm;

/* NULL, and why: not installed, or not for this machine. */
struct cp_disasm *cp_disasm_open(
    const struct cp_machine *, bool intel, const char **why);
void cp_disasm_free(struct cp_disasm *);
/* ARM: whether what follows is Thumb code. */
void cp_disasm_thumb(struct cp_disasm *, bool thumb);
/* What is at addr; there are n > 0 bytes. */
void cp_disasm_next(struct cp_disasm *, const uint8_t *code, size_t n,
    uint64_t addr, struct cp_insn *out);
/* The same, which is known to be data between code. */
void cp_disasm_data(struct cp_disasm *, const uint8_t *code, size_t n,
    uint64_t addr, struct cp_insn *out);

#endif
