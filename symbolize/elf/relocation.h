/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/relocation.h: relocates the debug sections of a relocatable
 * file: a kernel module or an object file.
 */
#ifndef CP_SYMBOLIZE_ELF_RELOCATION_H
#define CP_SYMBOLIZE_ELF_RELOCATION_H

#include "symbolize/elf/elf-file.h"

/*
 * The base address of a section in a relocatable file.  Sections have no
 * addresses there; they are laid out as in the file, counted from .text.
 */
uint64_t cp_elf_section_base(
    const struct cp_elf *, const struct cp_elf_section *);
/* True if relocations change the section. */
bool cp_elf_is_relocated(const struct cp_elf *, const struct cp_elf_section *);
/* Applies the relocations to a copy of the section. */
void cp_elf_relocate(const struct cp_elf *, const struct cp_elf_section *,
    uint8_t *data, size_t size);

#endif
