/* SPDX-License-Identifier: MIT */
/*
 * Tells files whose tables no linker writes, such as those of a download that
 * stopped: the blocks that did not come are zeros.
 */

#include "symbolize/elf/symbols.h"
#include "base/elf.h"

/* A string table begins with an empty string and ends with a NUL. */
static bool
is_string_table(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	struct cp_bytes b = cp_elf_bytes(elf, s);

	return s->type == SHT_STRTAB && !b.failed && cp_bytes_left(&b) != 0 &&
	       b.at[0] == 0 && b.end[-1] == 0;
}

/* A table of at most the null symbol needs no strings. */
static bool
is_symbol_table(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	size_t size = elf->wide ? CP_ELF64_SYM : CP_ELF32_SYM;

	return s->size <= size ||
	       (s->entsize == size && s->size % size == 0 &&
		   s->link < elf->sections.len &&
		   is_string_table(elf, &elf->sections.data[s->link]));
}

const char *
cp_elf_damage(const struct cp_elf *elf)
{
	if (elf->cut)
		return "it ends early";
	if (elf->unnamed)
		return "its section headers are damaged";
	if (elf->unplaced)
		return "its program headers are damaged: addresses may get "
		       "names of other ones";
	if (elf->machine == EM_NONE &&
	    (elf->type == ET_EXEC || elf->type == ET_DYN))
		return "its header is damaged, and tells no machine: stacks "
		       "are not unwound through it";
	for (size_t i = 1; i < elf->sections.len; i++) {
		const struct cp_elf_section *s = &elf->sections.data[i];

		if ((s->type == SHT_SYMTAB || s->type == SHT_DYNSYM) &&
		    !is_symbol_table(elf, s))
			return "a symbol table or its strings are damaged";
	}
	return NULL;
}
