/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/section-data.h: section data as the compiler wrote it.
 *
 * Compressed sections (SHF_COMPRESSED with zlib or zstd, and the older
 * .zdebug_*) are inflated, those of a relocatable file relocated, when first
 * asked for and once; the rest is handed out where it is mapped.  What was
 * inflated belongs to the cp_elf and goes with it, or earlier when released.
 * Not for two threads at once on one cp_elf.
 */
#ifndef CP_SYMBOLIZE_ELF_SECTION_DATA_H
#define CP_SYMBOLIZE_ELF_SECTION_DATA_H

#include "symbolize/elf/elf-file.h"

/*
 * Bytes of a section by its name; all failed if it has none or they are
 * damaged.  ".debug_info" finds ".zdebug_info", too.
 */
struct cp_bytes cp_elf_data_of(const struct cp_elf *, const char *name);
bool cp_elf_has_data(const struct cp_elf *, const char *name);
/* What inflated sections take now; cp_elf_release() gives it back. */
uint64_t cp_elf_inflated(const struct cp_elf *);

#endif
