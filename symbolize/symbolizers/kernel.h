/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/kernel.h: the kernel's list of symbols.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_KERNEL_H
#define CP_SYMBOLIZE_SYMBOLIZERS_KERNEL_H

#include "base/safe-file.h"
#include "model/dso.h"

struct cp_symbols;

/*
 * Finds the kallsyms text of a kernel, unchanged; to be freed.  False: none
 * with that build ID.
 */
bool cp_symbols_kallsyms(
    struct cp_symbols *, const struct cp_dso_info *, struct cp_content *out);

#endif
