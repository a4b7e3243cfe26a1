/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/kernel.h: the kernel's list of its symbols.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_KERNEL_H
#define CP_SYMBOLIZE_SYMBOLIZERS_KERNEL_H

#include "base/safe-file.h"
#include "model/dso.h"

struct cp_symbols;

/*
 * The text of kallsyms for a kernel, as it was found; free() it.  False: there
 * is none of that build ID.
 */
bool cp_symbols_kallsyms(
    struct cp_symbols *, const struct cp_dso_info *, struct cp_content *out);

#endif
