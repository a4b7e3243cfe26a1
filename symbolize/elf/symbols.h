/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/symbols.h: the symbols of an ELF file, with addresses as in
 * cp_frame.addr.
 */
#ifndef CP_SYMBOLIZE_ELF_SYMBOLS_H
#define CP_SYMBOLIZE_ELF_SYMBOLS_H

#include "symbolize/elf/elf-file.h"
#include "symbolize/symtab/symtab.h"

enum cp_elf_terms {
	CP_TERMS_OFFSET, /* offset in the runtime file */
	CP_TERMS_IMAGE,  /* st_value + slide: kernel image */
	CP_TERMS_MODULE, /* relative to .text: relocatable file */
};

struct cp_elf_view {
	/* The file with the mapped segments and sections; not a debug file. */
	const struct cp_elf *runtime;
	enum cp_elf_terms terms;
	uint64_t slide;
};

/* Adds the symbols of .symtab or .dynsym (SHT_*).  False if it is missing. */
bool cp_elf_add_table(struct cp_symtab *, const struct cp_elf *,
    const struct cp_elf_view *, uint32_t type);
/* Adds "name@plt" for the PLT stubs of the runtime file. */
void cp_elf_add_plt(struct cp_symtab *, const struct cp_elf_view *);

/* A symbol table and its string table. */
struct cp_elf_symbols {
	const struct cp_elf *elf;
	struct cp_bytes table, names; /* names end in NUL */
	size_t count;
};

/* cp_elf_add_table() in two steps: first choose the symbols, in file order. */
struct cp_elf_choice {
	struct cp_elf_symbols syms;
	uint64_t *start, *number; /* of each symbol: start, and index in syms */
	size_t n;
	uint64_t low, high; /* bounds of all starts */
	bool damaged;       /* symbols are zeros */
};
bool cp_elf_choose(struct cp_elf_choice *, const struct cp_elf *,
    const struct cp_elf_view *, uint32_t type);
/* Adds and settles the symbols; frees the choice. */
void cp_elf_add_choice(struct cp_symtab *, struct cp_elf_choice *);
/*
 * Opens the ELF file inside .gnu_debugdata, which has the symbols that a
 * stripped file lacks.
 */
bool cp_elf_open_debugdata(struct cp_elf *out, const struct cp_elf *);
/* Finds the value of a symbol in .symtab. */
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
