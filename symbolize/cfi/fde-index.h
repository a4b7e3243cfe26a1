/* SPDX-License-Identifier: MIT */
/* symbolize/cfi/fde-index.h: the FDE of an address. */
#ifndef CP_SYMBOLIZE_CFI_FDE_INDEX_H
#define CP_SYMBOLIZE_CFI_FDE_INDEX_H

#include "symbolize/cfi/tables.h"
#include "symbolize/elf/elf-file.h"

bool cp_cfi_find(struct cp_cfi *, uint64_t addr, struct cp_cfi_fde *);
void cp_cfi_table_init(struct cp_cfi *, const struct cp_elf *);
/* Where in .eh_frame the linker's table leads to. */
struct cp_cfi_entry {
	uint64_t at;
	uint64_t from, to; /* if `alone`, for all addresses of these */
	bool alone;        /* the table is in order */
};
/* False: nowhere. */
bool cp_cfi_table_entry(struct cp_cfi *, uint64_t addr, struct cp_cfi_entry *);
/* What it leads to; false: that does not cover the address. */
bool cp_cfi_entry_fde(struct cp_cfi *, const struct cp_cfi_entry *,
    uint64_t addr, struct cp_cfi_fde *);

#endif
