/* SPDX-License-Identifier: MIT */
/*
 * Names for the stubs of .plt.got: calls of functions whose address is taken
 * too share that slot of the global offset table.  Stubs stand in no order of
 * relocations, so that each one's jump must tell the slot it reads.  Only for
 * x86-64, where linkers make them.
 */
#include "symbolize/elf/symbols.h"

#include <elf.h>

#include "base/limits.h"

struct stub {
	uint64_t slot;   /* address */
	uint64_t offset; /* in the file */
	const char *name;
};

struct stubs {
	const struct cp_elf *elf;
	struct stub *all;
	size_t n;
	uint64_t size; /* of each */
};

static int
by_slot(const void *a, const void *b)
{
	const struct stub *x = a, *y = b;

	return (x->slot > y->slot) - (x->slot < y->slot);
}

static uint64_t
slot_of(const uint8_t *p, uint64_t size, uint64_t addr, bool swap)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t at = 0;

	if (size >= 16 && memcmp(p, endbr64, sizeof(endbr64)) == 0)
		at = sizeof(endbr64);
	if (size >= 16 && p[at] == 0xf2) /* bnd */
		at++;
	if (p[at] != 0xff || p[at + 1] != 0x25) /* jmp *disp(%rip) */
		return 0;
	return addr + at + 6 +
	       (uint64_t)(int64_t)(int32_t)cp_load32(p + at + 2, swap);
}

uint64_t
cp_elf_stub_slot(const struct cp_elf *elf, const struct cp_elf_section *s,
    uint64_t at, uint64_t size)
{
	struct cp_bytes b = cp_elf_bytes(elf, s);

	if (elf->machine != EM_X86_64 || b.failed || size < 8 ||
	    at > cp_bytes_left(&b) || cp_bytes_left(&b) - at < size)
		return 0;
	return slot_of(b.at + at, size, s->addr + at, b.swap);
}

static bool
find_stubs(struct stubs *s, const struct cp_elf_section *got)
{
	size_t n;

	s->size = got->entsize == 16 ? 16 : 8;
	if (cp_elf_bytes(s->elf, got).failed)
		return false;
	n = CP_MIN(got->size / s->size, CP_MAX_SYMBOLS);
	s->all = cp_xcalloc(n, sizeof(*s->all));
	for (size_t i = 0; i < n; i++) {
		uint64_t slot =
		    cp_elf_stub_slot(s->elf, got, i * s->size, s->size);

		if (slot != 0)
			s->all[s->n++] = (struct stub){ .slot = slot,
				.offset = got->offset + i * s->size };
	}
	qsort(s->all, s->n, sizeof(*s->all), by_slot);
	return s->n != 0;
}

/* Names the stubs after the symbols whose addresses fill their slots. */
static void
name_stubs(
    struct stubs *s, struct cp_symtab *t, const struct cp_elf_section *rela)
{
	const size_t entry = 24;
	struct cp_bytes b = cp_elf_bytes(s->elf, rela);
	size_t n = b.failed ? 0 : cp_bytes_left(&b) / entry;
	struct cp_elf_symbols dynsym;

	if (rela->link >= s->elf->sections.len ||
	    !cp_elf_symbols(
		&dynsym, s->elf, &s->elf->sections.data[rela->link]))
		return;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *p = b.at + i * entry;
		struct stub key = { .slot = cp_load64(p, b.swap) }, *found;
		const char *name;

		found = bsearch(&key, s->all, s->n, sizeof(key), by_slot);
		if (found == NULL || found->name != NULL)
			continue;
		name = cp_elf_dynamic_name(
		    &dynsym, (uint32_t)(cp_load64(p + 8, b.swap) >> 32));
		if (name[0] != '\0')
			found->name = cp_elf_stub_name(t, name);
	}
}

void
cp_elf_add_plt_got(struct cp_symtab *t, const struct cp_elf *elf)
{
	const struct cp_elf_section *got = cp_elf_section(elf, ".plt.got");
	const struct cp_elf_section *rela = cp_elf_section(elf, ".rela.dyn");
	struct stubs s = { .elf = elf };

	if (elf->machine != EM_X86_64 || !elf->wide || got == NULL ||
	    rela == NULL)
		return;
	if (find_stubs(&s, got))
		name_stubs(&s, t, rela);
	for (size_t i = 0; i < s.n; i++)
		if (s.all[i].name != NULL)
			cp_elf_add_stub(
			    t, s.all[i].offset, s.size, s.all[i].name);
	free(s.all);
}
