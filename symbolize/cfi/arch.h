/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/arch.h: what unwinding must know of an architecture.
 *
 * Registers are numbered as DWARF does there; a program counter that has no
 * number gets one behind them.  perf numbers them in its own way: a sample's
 * mask has a bit for each, lowest first.
 */
#ifndef CP_SYMBOLIZE_CFI_ARCH_H
#define CP_SYMBOLIZE_CFI_ARCH_H

#include "base/base.h"

enum { CP_REGS = 67, CP_NO_REG = 0xff };

struct cp_arch {
	const char *name;
	uint16_t machine; /* EM_* */
	uint8_t word;     /* bytes of an address */
	uint8_t regs;     /* registers that are followed */
	uint8_t sp, fp, pc;
	uint8_t lr;   /* CP_NO_REG: return addresses are on the stack */
	uint8_t bias; /* of the CFA above the caller's stack pointer */
	bool packed;  /* most rules fit the packed form, see unwind/rule.h */
	const uint8_t *dwarf; /* by perf's number; CP_NO_REG: not followed */
	uint8_t n_dwarf;
};

/* abi: 1 for 32 bits, 2 for 64.  NULL: not known. */
const struct cp_arch *cp_arch_find(const char *uname, uint64_t abi);

/* Which word of a sample holds which register, by DWARF number. */
void cp_arch_places(
    const struct cp_arch *, uint64_t mask, uint8_t place[CP_REGS]);

#endif
