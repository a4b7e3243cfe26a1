/* SPDX-License-Identifier: MIT */
/*
 * tests/symbolize/makeelf.h: small ELF files of any class and byte order.
 *
 * One load segment (address LOAD_ADDR at offset LOAD_OFFSET) with .text, and
 * a .symtab of what the caller gives.  Written field by field, by the layout
 * in the ELF specification; knows nothing of what reads it.
 */
#ifndef CP_TESTS_MAKEELF_H
#define CP_TESTS_MAKEELF_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LOAD_ADDR 0x401000u
#define LOAD_OFFSET 0x1000u
#define LOAD_SIZE 0x1000u

struct make_symbol {
	const char *name;
	uint64_t value;
	uint32_t size;
	uint8_t info;
	uint16_t shndx;
};

struct make_elf {
	bool wide, big;
	uint16_t machine, type;
	const struct make_symbol *symbols;
	size_t n;
	bool no_nul; /* the string table ends in the middle of a name */
	uint8_t *data;
	size_t size;
};

#define MAKE_CAP 0x4000u
enum { MAKE_TEXT = 1, MAKE_SYMTAB, MAKE_STRTAB, MAKE_NOTE, MAKE_SECTIONS };

static inline void
make_put(struct make_elf *m, uint64_t v, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		size_t shift = 8 * (m->big ? bytes - 1 - i : i);

		m->data[m->size++] = (uint8_t)(v >> shift);
	}
}

static inline void
make_word(struct make_elf *m, uint64_t v)
{
	make_put(m, v, m->wide ? 8 : 4);
}

static inline void
make_header(struct make_elf *m, uint64_t shoff)
{
	size_t eh = m->wide ? 64 : 52, ph = m->wide ? 56 : 32;

	m->size = 0;
	memcpy(m->data, ELFMAG, SELFMAG);
	m->size = SELFMAG;
	make_put(m, m->wide ? ELFCLASS64 : ELFCLASS32, 1);
	make_put(m, m->big ? ELFDATA2MSB : ELFDATA2LSB, 1);
	make_put(m, EV_CURRENT, 1);
	m->size = EI_NIDENT;
	make_put(m, m->type, 2);
	make_put(m, m->machine, 2);
	make_put(m, EV_CURRENT, 4);
	make_word(m, LOAD_ADDR);
	make_word(m, m->type == ET_REL ? 0 : eh);
	make_word(m, shoff);
	make_put(m, 0, 4);
	make_put(m, eh, 2);
	make_put(m, ph, 2);
	make_put(m, m->type == ET_REL ? 0 : 1, 2);
	make_put(m, m->wide ? 64 : 40, 2);
	make_put(m, MAKE_SECTIONS, 2);
	make_put(m, MAKE_STRTAB, 2);
	make_put(m, PT_LOAD, 4);
	if (m->wide)
		make_put(m, PF_R | PF_X, 4);
	make_word(m, LOAD_OFFSET);
	make_word(m, LOAD_ADDR);
	make_word(m, LOAD_ADDR);
	make_word(m, LOAD_SIZE);
	make_word(m, LOAD_SIZE);
	if (!m->wide)
		make_put(m, PF_R | PF_X, 4);
	make_word(m, 0x1000);
}

static inline void
make_section(struct make_elf *m, uint32_t name, uint32_t type, uint64_t flags,
    uint64_t addr, uint64_t offset, uint64_t size, uint32_t link,
    uint64_t entsize)
{
	make_put(m, name, 4);
	make_put(m, type, 4);
	make_word(m, flags);
	make_word(m, addr);
	make_word(m, offset);
	make_word(m, size);
	make_put(m, link, 4);
	make_put(m, 0, 4);
	make_word(m, 4);
	make_word(m, entsize);
}

static inline void
make_symbol(struct make_elf *m, const struct make_symbol *s, uint32_t name)
{
	make_put(m, name, 4);
	if (m->wide) {
		make_put(m, s->info, 1);
		make_put(m, 0, 1);
		make_put(m, s->shndx, 2);
	}
	make_word(m, s->value);
	make_word(m, s->size);
	if (!m->wide) {
		make_put(m, s->info, 1);
		make_put(m, 0, 1);
		make_put(m, s->shndx, 2);
	}
}

/* data is malloc'ed; the build ID is 01 02 ... 08. */
static inline void
make_elf(struct make_elf *m)
{
	static const char names[] = "\0.text\0.symtab\0.strtab\0.note";
	uint64_t sym = 0x2000, str, note, sh, end;
	uint32_t at = sizeof(names);

	m->data = calloc(1, MAKE_CAP);
	if (m->data == NULL)
		abort();
	m->size = sym + (m->wide ? 24 : 16);
	for (size_t i = 0; i < m->n; i++) {
		make_symbol(m, &m->symbols[i], at);
		at += (uint32_t)strlen(m->symbols[i].name) + 1;
	}
	str = m->size;
	memcpy(m->data + str, names, sizeof(names));
	m->size += sizeof(names);
	for (size_t i = 0; i < m->n; i++) {
		size_t n = strlen(m->symbols[i].name) + 1;

		memcpy(m->data + m->size, m->symbols[i].name, n);
		m->size += n;
	}
	end = m->size - (m->no_nul ? 2 : 0);
	note = m->size = (m->size + 7) & ~(size_t)7;
	make_put(m, 4, 4);
	make_put(m, 8, 4);
	make_put(m, NT_GNU_BUILD_ID, 4);
	memcpy(m->data + m->size, "GNU\0\1\2\3\4\5\6\7\10", 12);
	sh = m->size + 12;
	sh = (sh + 7) & ~UINT64_C(7);
	m->size = sh + (m->wide ? 64 : 40);
	make_section(m, 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
	    m->type == ET_REL ? 0 : LOAD_ADDR + 0x100, LOAD_OFFSET + 0x100,
	    0x400, 0, 0);
	make_section(m, 7, SHT_SYMTAB, 0, 0, sym, str - sym, MAKE_STRTAB,
	    m->wide ? 24 : 16);
	make_section(m, 15, SHT_STRTAB, 0, 0, str, end - str, 0, 0);
	make_section(m, 23, SHT_NOTE, 0, 0, note, 24, 0, 0);
	end = m->size;
	make_header(m, sh);
	m->size = end;
}

/* An x86-64 program of one function. */
static inline struct make_elf
make_program(const char *function)
{
	const struct make_symbol s = { function, LOAD_ADDR + 0x100, 0x20,
		ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), MAKE_TEXT };
	struct make_elf m = { .wide = true,
		.type = ET_EXEC,
		.machine = EM_X86_64,
		.symbols = &s,
		.n = 1 };

	make_elf(&m);
	m.symbols = NULL;
	return m;
}

#endif
