/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/strip.h: what of an ELF file names and unwinding need.
 */
#ifndef CP_SYMBOLIZE_ELF_STRIP_H
#define CP_SYMBOLIZE_ELF_STRIP_H

#include "base/safe-file.h"
#include "symbolize/elf/elf-file.h"

/*
 * The parts of the file that names and unwinding need, ascending, with the
 * headers; the rest may be zeros.
 */
size_t cp_elf_slim(const struct cp_elf *, struct cp_extent *out, size_t max);

#endif
