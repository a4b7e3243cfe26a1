/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/strip.h: the parts of an ELF file that naming and unwinding
 * need.
 */
#ifndef CP_SYMBOLIZE_ELF_STRIP_H
#define CP_SYMBOLIZE_ELF_STRIP_H

#include "base/safe-file.h"
#include "symbolize/elf/elf-file.h"

/*
 * Finds these parts, with the headers, in ascending order.  The rest of the
 * file may be zeros.  0: keep the file whole.
 */
size_t cp_elf_slim(const struct cp_elf *, struct cp_extent *out, size_t max);

#endif
