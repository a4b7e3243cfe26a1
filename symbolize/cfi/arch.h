/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/arch.h: the properties of an architecture that unwinding needs.
 *
 * Registers have their DWARF numbers.  A program counter without a DWARF number
 * gets the one after the last.  perf has its own numbers: the mask of a sample
 * has a bit for each register, lowest first.
 */
#ifndef CP_SYMBOLIZE_CFI_ARCH_H
#define CP_SYMBOLIZE_CFI_ARCH_H

#include "base/base.h"

enum { CP_REGS = 67, CP_NO_REG = 0xff };

struct cp_arch {
	const char *name;
	uint16_t machine; /* EM_* */
	uint8_t word;     /* bytes of an address */
	uint8_t regs;     /* number of registers that are tracked */
	uint8_t sp, fp, pc;
	/* link register; CP_NO_REG: the stack has return addresses */
	uint8_t lr;
	/* distance from the caller's stack pointer up to the CFA */
	uint8_t bias;
	bool packed; /* most rules fit the packed form, see unwind/rule.h */
	/* DWARF number by perf's number; CP_NO_REG: not tracked */
	const uint8_t *dwarf;
	uint8_t n_dwarf;
};

/* abi: 1 for 32 bits, 2 for 64.  NULL: unknown architecture. */
const struct cp_arch *cp_arch_find(const char *uname, uint64_t abi);

/* Finds for each DWARF register the index of its word in a sample. */
void cp_arch_places(
    const struct cp_arch *, uint64_t mask, uint8_t place[CP_REGS]);

#endif
