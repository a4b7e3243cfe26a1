/* SPDX-License-Identifier: MIT */
/*
 * Finds where a Go program's code begins and where its inlined calls are
 * listed.
 *
 * The runtime's moduledata has both.  The linker puts it among the data, and
 * its first word is the address of .gopclntab.  In a position-independent
 * program such words are relocations.
 */
#include "symbolize/golang/module.h"

#include "base/elf.h"

/* Words of moduledata that are read. */
enum { COUNT = 17, LOWEST = 20, TEXT = 22, CALLS_18 = 38, CALLS_20 = 40 };
/* Candidates to try; each one searches all relocations. */
enum { TRIES = 16 };

/* ------------------------------------------------------------- relocations */

static uint32_t
relative_type(uint16_t machine)
{
	switch (machine) {
	case EM_X86_64: return R_X86_64_RELATIVE;
	case EM_AARCH64: return R_AARCH64_RELATIVE;
	case EM_S390: return R_390_RELATIVE;
	case EM_PPC64: return R_PPC64_RELATIVE;
	case EM_RISCV: return R_RISCV_RELATIVE;
	case EM_LOONGARCH: return R_LARCH_RELATIVE;
	default: return 0;
	}
}

struct relocations {
	const struct cp_elf *elf;
	uint32_t type;
	size_t section;
	struct cp_bytes b;
};

struct relocation {
	uint64_t at, value;
};

/* Iterates over the relative relocations of a 64-bit program. */
static struct relocations
relocations_of(const struct cp_elf *elf)
{
	return (struct relocations){ .elf = elf,
		.type = elf->wide && elf->type == ET_DYN
			    ? relative_type(elf->machine)
			    : 0 };
}

static bool
next(struct relocations *r, struct relocation *out)
{
	while (r->type != 0) {
		const struct cp_elf_section *s;
		uint64_t info;

		while (cp_bytes_left(&r->b) >= CP_ELF64_RELA) {
			out->at = cp_bytes_u64(&r->b);
			info = cp_bytes_u64(&r->b);
			out->value = cp_bytes_u64(&r->b);
			if ((uint32_t)info == r->type)
				return true;
		}
		if (++r->section >= r->elf->sections.len)
			return false;
		s = &r->elf->sections.data[r->section];
		r->b = (struct cp_bytes){ .failed = true };
		if (s->type == SHT_RELA && (s->flags & SHF_ALLOC) != 0)
			r->b = cp_elf_bytes(r->elf, s);
	}
	return false;
}

static void
store64(uint8_t *p, uint64_t v, bool swap)
{
	v = swap ? __builtin_bswap64(v) : v;
	memcpy(p, &v, sizeof(v));
}

uint8_t *
cp_gotab_relocated(
    const struct cp_elf *elf, uint64_t addr, const uint8_t *bytes, size_t size)
{
	struct relocations r = relocations_of(elf);
	struct relocation one;
	uint8_t *copy = NULL;

	while (next(&r, &one)) {
		if (one.at < addr || one.at - addr > size ||
		    size - (one.at - addr) < 8)
			continue;
		if (copy == NULL) {
			copy = cp_xmalloc(size);
			memcpy(copy, bytes, size);
		}
		store64(copy + (one.at - addr), one.value, elf->swap);
	}
	return copy;
}

/* --------------------------------------------------------------- the module */

struct module {
	const struct cp_gotab *t;
	uint8_t words[(CALLS_20 + 1) * 8];
};

static uint64_t
word(const struct module *m, unsigned i)
{
	const uint8_t *p = m->words + (size_t)i * m->t->word;
	bool swap = m->t->elf->swap;

	return m->t->word == 8 ? cp_load64(p, swap) : cp_load32(p, swap);
}

static bool
read_module(struct module *m, uint64_t addr)
{
	const struct cp_elf *elf = m->t->elf;
	size_t size = (size_t)(CALLS_20 + 1) * m->t->word;
	uint64_t offset;
	uint8_t *copy;

	if (!cp_elf_offset(elf, addr, &offset) || offset > elf->content.size ||
	    size > elf->content.size - offset)
		return false;
	memcpy(m->words, elf->content.data + offset, size);
	copy = cp_gotab_relocated(elf, addr, m->words, size);
	if (copy != NULL)
		memcpy(m->words, copy, size);
	free(copy);
	return true;
}

/* Tests if moduledata is at addr, and reads it. */
static bool
read_moduledata(struct cp_gotab *t, uint64_t addr, unsigned *tries)
{
	struct module m = { .t = t };
	uint64_t first = cp_load32(t->index, t->elf->swap);

	if (*tries == 0)
		return false;
	--*tries;
	if (!read_module(&m, addr) || word(&m, 0) != t->addr ||
	    word(&m, COUNT) != t->n + 1 ||
	    word(&m, LOWEST) != word(&m, TEXT) + first)
		return false;
	t->text = word(&m, TEXT);
	t->calls = word(&m, t->layout >= CP_GO_20 ? CALLS_20 : CALLS_18);
	return true;
}

static bool
by_relocation(struct cp_gotab *t, unsigned *tries)
{
	struct relocations r = relocations_of(t->elf);
	struct relocation one;

	while (next(&r, &one))
		if (one.value == t->addr && read_moduledata(t, one.at, tries))
			return true;
	return false;
}

static bool
in_section(struct cp_gotab *t, const struct cp_elf_section *s, unsigned *tries)
{
	struct cp_bytes b = cp_elf_bytes(t->elf, s);
	uint64_t at = s->addr, v;

	for (; !b.failed && cp_bytes_left(&b) >= t->word; at += t->word) {
		v = t->word == 8 ? cp_bytes_u64(&b) : cp_bytes_u32(&b);
		if (v == t->addr && read_moduledata(t, at, tries))
			return true;
	}
	return false;
}

void
cp_gotab_place(struct cp_gotab *t)
{
	const struct cp_elf *elf = t->elf;
	const struct cp_elf_section *text = cp_elf_section(elf, ".text");
	unsigned tries = TRIES;

	if (t->layout < CP_GO_18 || by_relocation(t, &tries))
		return;
	for (size_t i = 1; i < elf->sections.len; i++) {
		const struct cp_elf_section *s = &elf->sections.data[i];

		if (s->type == SHT_PROGBITS && (s->flags & SHF_WRITE) != 0 &&
		    in_section(t, s, &tries))
			return;
	}
	/* Without moduledata: Go's own linker begins code with the section. */
	if (t->text == 0 && text != NULL)
		t->text = text->addr;
}
