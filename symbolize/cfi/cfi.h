/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/cfi.h: the unwind tables of one object.
 *
 * .eh_frame through the search table of .eh_frame_hdr where that is usable,
 * else through an index of our own; then .debug_frame of the file and of its
 * debug file.  The tables may lie: whatever they hold, a row comes out or
 * none, in bounded time.
 */
#ifndef CP_SYMBOLIZE_CFI_CFI_H
#define CP_SYMBOLIZE_CFI_CFI_H

#include "symbolize/cfi/tables.h"
#include "symbolize/elf/elf-file.h"

/* The file must outlive the tables. */
void cp_cfi_init(
    struct cp_cfi *, const struct cp_arch *, const struct cp_elf *runtime);
/* .debug_frame of the debug file, looked at last. */
void cp_cfi_add_debug(struct cp_cfi *, const struct cp_elf *debug);
void cp_cfi_free(struct cp_cfi *);

/*
 * The row at an address.  *steps is what may be done yet; false: nothing
 * covers it, the table is broken there, or the steps are used up.
 */
bool cp_cfi_row_at(
    struct cp_cfi *, uint64_t addr, struct cp_cfi_row *, uint32_t *steps);

#endif
