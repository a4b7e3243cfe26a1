/* SPDX-License-Identifier: MIT */
/*
 * symbolize/insn/disasm.h: disassembles code with Capstone, one instruction
 * after the other.
 *
 * Every byte gets a result: bytes that Capstone does not know become ".byte".
 * On most machines the first bytes still tell the length, so that the next
 * instruction is right.
 *
 * This room knows instructions, and not where their bytes are from; it may use
 * base/ only.  Begin here for annotate, in arm.h and x86-length.h for unwinding
 * without tables.
 */
#ifndef CP_SYMBOLIZE_INSN_DISASM_H
#define CP_SYMBOLIZE_INSN_DISASM_H

#include "base/base.h"

struct cp_machine {
	uint16_t machine; /* EM_* */
	bool wide;        /* 64 bit */
	bool big;         /* byte order of instructions */
};

struct cp_insn {
	uint64_t addr;
	uint64_t target; /* target of a jump or call */
	uint32_t size;
	bool has_target; /* direct: text has no target */
	bool is_call;
	char text[224];
};

struct cp_disasm;

/* Returns NULL, and why: Capstone is missing, or lacks the machine. */
struct cp_disasm *cp_disasm_open(
    const struct cp_machine *, bool intel, const char **why);
void cp_disasm_free(struct cp_disasm *);
/* False: Capstone cannot be loaded, or lacks a function. */
bool cp_disasm_installed(void);
/* ARM: sets if the next code is Thumb. */
void cp_disasm_thumb(struct cp_disasm *, bool thumb);
/* Disassembles one instruction at addr; n > 0. */
void cp_disasm_next(struct cp_disasm *, const uint8_t *code, size_t n,
    uint64_t addr, struct cp_insn *out);
/* The same for bytes known to be data. */
void cp_disasm_data(struct cp_disasm *, const uint8_t *code, size_t n,
    uint64_t addr, struct cp_insn *out);

#endif
