/* SPDX-License-Identifier: MIT */
/* symbolize/cfi/program.h: runs the instructions of an FDE. */
#ifndef CP_SYMBOLIZE_CFI_PROGRAM_H
#define CP_SYMBOLIZE_CFI_PROGRAM_H

#include "symbolize/cfi/tables.h"

/* Finds the row of addr in its FDE.  False: broken, or too many steps. */
bool cp_cfi_execute(const struct cp_arch *, const struct cp_cfi_fde *,
    uint64_t addr, struct cp_cfi_row *, uint32_t *steps);

#endif
