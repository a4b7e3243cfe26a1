/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/arm-exidx.h: the unwind tables of 32-bit ARM (.ARM.exidx), as
 * rows of the kind that DWARF's give.
 *
 * They describe a function once it is set up, not its first and last
 * instructions (unwindarm.c); .debug_frame is better where there is one.
 */
#ifndef CP_SYMBOLIZE_CFI_ARM_EXIDX_H
#define CP_SYMBOLIZE_CFI_ARM_EXIDX_H

#include "symbolize/cfi/tables.h"
#include "symbolize/elf/elf-file.h"

struct cp_exidx {
	const struct cp_elf *elf;
	struct cp_bytes table; /* failed: there is none */
	uint64_t addr;
};

void cp_exidx_init(struct cp_exidx *, const struct cp_elf *);
/* False: nothing is known of the address. */
bool cp_exidx_row(const struct cp_exidx *, uint64_t addr, struct cp_cfi_row *);

#endif
