/* SPDX-License-Identifier: MIT */
/* symbolize/cfi/fde.h: the entries of a table: FDE and CIE. */
#ifndef CP_SYMBOLIZE_CFI_FDE_H
#define CP_SYMBOLIZE_CFI_FDE_H

#include "symbolize/cfi/tables.h"

/* The FDE at that offset of its section, with its CIE. */
bool cp_cfi_fde_at(struct cp_cfi_section *, uint64_t at, struct cp_cfi_fde *);
/* Steps over the entry at *at; *cie: it is none of a function. */
bool cp_cfi_next(struct cp_cfi_section *, uint64_t *at, bool *cie);
uint64_t cp_cfi_pointer(const struct cp_cfi_section *, struct cp_bytes *,
    uint8_t encoding, uint8_t address_size);

#endif
