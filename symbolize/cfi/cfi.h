/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/cfi.h: the unwind tables of one object.
 *
 * A look-up uses .eh_frame through the search table of .eh_frame_hdr if that is
 * usable, else through an index of our own; then .debug_frame of the file, then
 * that of its debug file.  Hostile tables are safe: a look-up takes bounded
 * time and returns a row or none.
 */
#ifndef CP_SYMBOLIZE_CFI_CFI_H
#define CP_SYMBOLIZE_CFI_CFI_H

#include "symbolize/cfi/tables.h"
#include "symbolize/elf/elf-file.h"

/* The file must outlive the tables. */
void cp_cfi_init(
    struct cp_cfi *, const struct cp_arch *, const struct cp_elf *runtime);
/* Adds .debug_frame of the debug file, which is searched last. */
void cp_cfi_add_debug(struct cp_cfi *, const struct cp_elf *debug);
void cp_cfi_free(struct cp_cfi *);

/*
 * Finds the row at an address.  *steps is the remaining budget of steps.
 * False: no entry covers the address, the table is broken there, or the budget
 * is used up.
 */
bool cp_cfi_row_at(
    struct cp_cfi *, uint64_t addr, struct cp_cfi_row *, uint32_t *steps);

#endif
