/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/symbols.h: the symbols of an ELF file, in the terms of
 * cp_frame.addr.
 */
#ifndef CP_SYMBOLIZE_ELF_SYMBOLS_H
#define CP_SYMBOLIZE_ELF_SYMBOLS_H

#include "symbolize/elf/elf-file.h"
#include "symbolize/symtab/symtab.h"

enum cp_elf_terms {
	CP_TERMS_OFFSET, /* offset of the byte in the runtime file */
	CP_TERMS_IMAGE,  /* st_value + slide: a kernel image */
	CP_TERMS_MODULE, /* counted from .text: a relocatable file */
};

struct cp_elf_view {
	/* Whose segments and sections were mapped; not a debug file. */
	const struct cp_elf *runtime;
	enum cp_elf_terms terms;
	uint64_t slide;
};

/* The symbols of .symtab or .dynsym (SHT_*); false if there is none. */
bool cp_elf_add_table(struct cp_symtab *, const struct cp_elf *,
    const struct cp_elf_view *, uint32_t type);
/* "name@plt" for the stubs of the runtime file. */
void cp_elf_add_plt(struct cp_symtab *, const struct cp_elf_view *);

/* One symbol table and its names, ready to be read. */
struct cp_elf_symbols {
	const struct cp_elf *elf;
	struct cp_bytes table, names; /* names end with a NUL */
	size_t count;
};

/* cp_elf_add_table() in two steps: those that count, in the file's order. */
struct cp_elf_choice {
	struct cp_elf_symbols syms;
	uint64_t *start, *number; /* of each; its number is one of syms */
	size_t n;
	uint64_t low, high; /* no start is beyond them */
};
bool cp_elf_choose(struct cp_elf_choice *, const struct cp_elf *,
    const struct cp_elf_view *, uint32_t type);
/* Settles them, and frees the choice. */
void cp_elf_add_choice(struct cp_symtab *, struct cp_elf_choice *);
/*
 * The ELF file inside .gnu_debugdata, with the rest of the symbols of a
 * stripped file.
 */
bool cp_elf_open_debugdata(struct cp_elf *out, const struct cp_elf *);
/* Value of a symbol of .symtab. */
bool cp_elf_symbol_value(
    const struct cp_elf *, const char *name, uint64_t *value);

struct cp_elf_raw_symbol {
	uint64_t value, size;
	uint32_t name;
	uint16_t shndx;
	uint8_t info, other;
};
bool cp_elf_symbols(struct cp_elf_symbols *, const struct cp_elf *,
    const struct cp_elf_section *);
struct cp_elf_raw_symbol cp_elf_symbol_at(
    const struct cp_elf_symbols *, size_t i);

#endif
