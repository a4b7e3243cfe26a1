/* SPDX-License-Identifier: MIT */
/* symbolize/cfi/fde-index.h: the FDE of an address. */
#ifndef CP_SYMBOLIZE_CFI_FDE_INDEX_H
#define CP_SYMBOLIZE_CFI_FDE_INDEX_H

#include "symbolize/cfi/tables.h"
#include "symbolize/elf/elf-file.h"

bool cp_cfi_find(struct cp_cfi *, uint64_t addr, struct cp_cfi_fde *);
void cp_cfi_table_init(struct cp_cfi *, const struct cp_elf *);
/* An entry of the linker's table, which points into .eh_frame. */
struct cp_cfi_entry {
	uint64_t at;
	/* if `alone`: the addresses that only this entry covers */
	uint64_t from, to;
	bool alone; /* the table is sorted */
};
/* False: the table has no entry for addr. */
bool cp_cfi_table_entry(struct cp_cfi *, uint64_t addr, struct cp_cfi_entry *);
/* Reads the FDE of an entry.  False: it does not cover addr. */
bool cp_cfi_entry_fde(struct cp_cfi *, const struct cp_cfi_entry *,
    uint64_t addr, struct cp_cfi_fde *);

#endif
