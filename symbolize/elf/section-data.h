/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/section-data.h: section data as the compiler wrote it.
 *
 * On first use compressed sections (SHF_COMPRESSED with zlib or zstd, and the
 * older .zdebug_*) are inflated and sections of a relocatable file relocated.
 * All others are returned from the mapping.  Copies belong to the cp_elf and
 * are freed with it or by cp_elf_release().  A cp_elf is for one thread at a
 * time.
 */
#ifndef CP_SYMBOLIZE_ELF_SECTION_DATA_H
#define CP_SYMBOLIZE_ELF_SECTION_DATA_H

#include "symbolize/elf/elf-file.h"

/*
 * Returns the bytes of a section; failed if it is missing or damaged.
 * ".debug_info" also finds ".zdebug_info".
 */
struct cp_bytes cp_elf_data_of(const struct cp_elf *, const char *name);
bool cp_elf_has_data(const struct cp_elf *, const char *name);
/* Bytes of inflated sections, which cp_elf_release() frees. */
uint64_t cp_elf_inflated(const struct cp_elf *);

#endif
