/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/relocation.h: relocation of the debug sections of a
 * relocatable file: a kernel module or an object file.
 */
#ifndef CP_SYMBOLIZE_ELF_RELOCATION_H
#define CP_SYMBOLIZE_ELF_RELOCATION_H

#include "symbolize/elf/elf-file.h"

/*
 * Where code of a relocatable file is said to be.  Sections have no
 * addresses; they are laid out as in the file, counted from .text.
 */
uint64_t cp_elf_section_base(
    const struct cp_elf *, const struct cp_elf_section *);
/* Whether relocations change the section. */
bool cp_elf_is_relocated(const struct cp_elf *, const struct cp_elf_section *);
/* Applies them to a copy of the section. */
void cp_elf_relocate(const struct cp_elf *, const struct cp_elf_section *,
    uint8_t *data, size_t size);

#endif
