/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/arm-exidx.h: the unwind tables of 32-bit ARM (.ARM.exidx), as
 * rows like those of DWARF CFI.
 *
 * The tables describe the body of a function, not its prologue and epilogue
 * (see unwind/run-arm.c). .debug_frame is better where it exists.
 */
#ifndef CP_SYMBOLIZE_CFI_ARM_EXIDX_H
#define CP_SYMBOLIZE_CFI_ARM_EXIDX_H

#include "symbolize/cfi/tables.h"
#include "symbolize/elf/elf-file.h"

struct cp_exidx {
	const struct cp_elf *elf;
	struct cp_bytes table; /* failed: no such table */
	uint64_t addr;
};

void cp_exidx_init(struct cp_exidx *, const struct cp_elf *);
/* False: no entry covers the address. */
bool cp_exidx_row(const struct cp_exidx *, uint64_t addr, struct cp_cfi_row *);
/*
 * Finds the addresses from the entry's start to that of the next.  False: no
 * entry covers the address, or it is the last one, which has no end.
 */
bool cp_exidx_range(
    const struct cp_exidx *, uint64_t addr, uint64_t *start, uint64_t *end);

#endif
