/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/fde.h: reads FDE and CIE entries.
 */
#ifndef CP_SYMBOLIZE_CFI_FDE_H
#define CP_SYMBOLIZE_CFI_FDE_H

#include "symbolize/cfi/tables.h"

/* Reads the FDE at that offset of the section, and its CIE. */
bool cp_cfi_fde_at(struct cp_cfi_section *, uint64_t at, struct cp_cfi_fde *);
/* Steps over the entry at *at.  *cie: it is a CIE, or a terminator. */
bool cp_cfi_next(struct cp_cfi_section *, uint64_t *at, bool *cie);
uint64_t cp_cfi_pointer(const struct cp_cfi_section *, struct cp_bytes *,
    uint8_t encoding, uint8_t address_size);

/* program.c: runs the instructions of an FDE. */

/* Finds the row of addr in its FDE.  False: broken, or too many steps. */
bool cp_cfi_execute(const struct cp_arch *, const struct cp_cfi_fde *,
    uint64_t addr, struct cp_cfi_row *, uint32_t *steps);

#endif
