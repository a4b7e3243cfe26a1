/* SPDX-License-Identifier: MIT */
/*
 * Names for the stubs of the procedure linkage table (PLT).
 *
 * On x86-64 the jump of each stub tells its GOT slot, whose relocation has the
 * name; a slot may lack a relocation.  On other machines the n-th relocation,
 * sorted by slot, belongs to the n-th stub: in .plt, which begins with a header
 * unless the program is static, and in .plt.sec, which has no header.  (In the
 * file the relocations of indirect functions are last, whatever their slots.)
 * The stub of an unnamed indirect function gets the name of its resolver.
 */
#include "symbolize/elf/symbols.h"

#include "base/elf.h"
#include "base/limits.h"

/* -------------------------------------------- the slot that a stub reads */

static uint64_t
slot_of(const uint8_t *p, uint64_t size, uint64_t addr, bool swap)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t at = 0;

	if (size >= 16 && memcmp(p, endbr64, sizeof(endbr64)) == 0)
		at = sizeof(endbr64);
	if (size >= 16 && p[at] == 0xf2) /* bnd prefix */
		at++;
	if (p[at] != 0xff || p[at + 1] != 0x25) /* jmp *disp(%rip) */
		return 0;
	return addr + at + 6 +
	       (uint64_t)(int64_t)(int32_t)cp_load32(p + at + 2, swap);
}

/* Returns the GOT slot that the x86-64 stub at `at` reads, or 0. */
static uint64_t
slot_at(const struct cp_elf *elf, const struct cp_elf_section *s, uint64_t at,
    uint64_t size)
{
	struct cp_bytes b = cp_elf_bytes(elf, s);

	if (elf->machine != EM_X86_64 || b.failed || size < 8 ||
	    at > cp_bytes_left(&b) || cp_bytes_left(&b) - at < size)
		return 0;
	return slot_of(b.at + at, size, s->addr + at, b.swap);
}

/* ------------------------------------------------------ .plt and .plt.sec */

struct relocation {
	uint64_t slot;
	uint32_t symbol;
	uint64_t addend;
};

struct plt {
	const struct cp_elf *elf;
	struct cp_bytes rel;
	bool addends;
	size_t entry, count; /* number and size of the relocations */
	struct cp_elf_symbols dynsym;
	uint64_t header, stub;  /* sizes of header and stub in .plt */
	struct relocation *all; /* sorted by slot */
	char **names;           /* names of the relocations' stubs */
};

static bool
find_relocations(struct plt *p)
{
	const struct cp_elf_section *s = cp_elf_section(p->elf, ".rela.plt");

	if (s == NULL)
		s = cp_elf_section(p->elf, ".rel.plt");
	if (s == NULL || s->link >= p->elf->sections.len)
		return false;
	p->addends = s->type == SHT_RELA;
	p->rel = cp_elf_bytes(p->elf, s);
	p->entry = (p->elf->wide ? 8u : 4u) * (p->addends ? 3u : 2u);
	if (p->rel.failed)
		return false;
	p->count = cp_bytes_left(&p->rel) / p->entry;
	p->count = CP_MIN(p->count, CP_MAX_SYMBOLS);
	/* A static program may have indirect functions without .dynsym. */
	cp_elf_symbols(&p->dynsym, p->elf, &p->elf->sections.data[s->link]);
	return true;
}

static struct relocation
relocation_at(const struct plt *p, size_t i)
{
	const uint8_t *at = p->rel.at + i * p->entry;
	bool w = p->rel.swap;
	struct relocation r = { 0 };

	if (p->elf->wide) {
		r.slot = cp_load64(at, w);
		r.symbol = (uint32_t)(cp_load64(at + 8, w) >> 32);
		r.addend = p->addends ? cp_load64(at + 16, w) : 0;
	} else {
		r.slot = cp_load32(at, w);
		r.symbol = cp_load32(at + 4, w) >> 8;
		r.addend = p->addends ? cp_load32(at + 8, w) : 0;
	}
	return r;
}

static int
by_slot(const void *a, const void *b)
{
	const struct relocation *x = a, *y = b;

	return (x->slot > y->slot) - (x->slot < y->slot);
}

static struct relocation *
relocations(const struct plt *p)
{
	struct relocation *all = cp_xcalloc(p->count, sizeof(*all));

	for (size_t i = 0; i < p->count; i++)
		all[i] = relocation_at(p, i);
	qsort(all, p->count, sizeof(*all), by_slot);
	return all;
}

static void
find_sizes(struct plt *p, const struct cp_elf_section *plt)
{
	switch (p->elf->machine) {
	case EM_ARM: p->header = 20, p->stub = 12; break;
	case EM_AARCH64: p->header = 32, p->stub = 16; break;
	case EM_RISCV: p->header = 32, p->stub = 16; break;
	case EM_S390: p->header = p->stub = 32; break;
	/* Some linkers leave sh_entsize 0. */
	case EM_386:
	case EM_X86_64: p->header = p->stub = 16; break;
	default: p->header = p->stub = plt->entsize; break;
	}
	/* A static program has stubs of indirect functions only. */
	if (slot_at(p->elf, plt, 8, 8) != 0) {
		p->header = 0;
		p->stub = 8;
	} else if (slot_at(p->elf, plt, 0, 16) != 0) {
		p->header = 0;
	} else if (plt->size < p->header + p->count * p->stub) {
		p->header = 0;
	}
}

/* The name of a dynamic symbol, or "". */
static const char *
dynamic_name(const struct cp_elf_symbols *dynsym, uint32_t symbol)
{
	struct cp_elf_raw_symbol s;

	if (symbol == 0 || symbol >= dynsym->count)
		return "";
	s = cp_elf_symbol_at(dynsym, symbol);
	if (s.name >= cp_bytes_left(&dynsym->names))
		return "";
	return (const char *)dynsym->names.at + s.name;
}

/* The resolver.  It may have an alias of another type: a plain function. */
static const char *
chooser_name(struct cp_symtab *t, uint64_t addr)
{
	uint32_t e = cp_symtab_at(t, addr);
	uint8_t type = e != CP_NO_ENTRY ? t->all.data[e].type : STT_NOTYPE;

	return type == STT_GNU_IFUNC || type == STT_FUNC ? cp_symtab_name(t, e)
							 : "";
}

/* Makes "name@plt". */
static char *
marked_name(struct cp_symtab *t, const char *name)
{
	size_t n = strnlen(name, CP_MAX_MANGLED);
	char *text = cp_arena_alloc(&t->names, n + sizeof("@plt"));

	memcpy(text, name, n);
	memcpy(text + n, "@plt", sizeof("@plt"));
	return text;
}

static char *
stub_name(const struct plt *p, struct cp_symtab *t, struct relocation r)
{
	const char *name = dynamic_name(&p->dynsym, r.symbol);
	char absolute[40];
	uint64_t addr;

	if (name[0] == '\0' && cp_elf_frame(p->elf, r.addend, &addr))
		name = chooser_name(t, addr);
	if (name[0] == '\0') {
		snprintf(
		    absolute, sizeof(absolute), "*ABS*+0x%" PRIx64, r.addend);
		name = absolute;
	}
	return marked_name(t, name);
}

static void
add_stub(struct cp_symtab *t, uint64_t start, uint64_t size, const char *name)
{
	*cp_symtab_push(t) = (struct cp_entry){
		.start = start,
		.end = start + size,
		.name = name,
		.bind = STB_GLOBAL,
		.type = STT_FUNC,
	};
}

/* Returns NULL if the name is unknown. */
static const char *
name_of_stub(const struct plt *p, const struct cp_elf_section *s, uint64_t at,
    size_t nth)
{
	struct relocation key, *found;

	key.slot = slot_at(p->elf, s, at, p->stub);
	if (key.slot == 0)
		return nth < p->count ? p->names[nth] : NULL;
	found = bsearch(&key, p->all, p->count, sizeof(key), by_slot);
	return found != NULL ? p->names[found - p->all] : NULL;
}

/* Where a section begins in the addresses of frames. */
static uint64_t
section_start(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	uint64_t start;

	return cp_elf_frame(elf, s->addr, &start) ? start : s->offset;
}

static void
add_stubs(const struct plt *p, struct cp_symtab *t,
    const struct cp_elf_section *s, uint64_t header)
{
	uint64_t n, start = section_start(p->elf, s);

	if (p->stub == 0 || s->size < header || cp_elf_bytes(p->elf, s).failed)
		return;
	if (header != 0)
		add_stub(t, start, header, ".plt");
	n = CP_MIN((s->size - header) / p->stub, CP_MAX_SYMBOLS);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = header + i * p->stub;
		const char *name = name_of_stub(p, s, at, (size_t)i);

		if (name != NULL)
			add_stub(t, start + at, p->stub, name);
	}
}

static void
add_plt(struct cp_symtab *t, const struct cp_elf *elf)
{
	struct plt p = { .elf = elf };
	const struct cp_elf_section *plt, *sec;

	plt = cp_elf_section(p.elf, ".plt");
	sec = cp_elf_section(p.elf, ".plt.sec");
	if (plt == NULL || !find_relocations(&p))
		return;
	find_sizes(&p, plt);
	p.all = relocations(&p);
	p.names = cp_xcalloc(p.count, sizeof(*p.names));
	for (size_t i = 0; i < p.count; i++)
		p.names[i] = stub_name(&p, t, p.all[i]);
	add_stubs(&p, t, plt, p.header);
	if (sec != NULL)
		add_stubs(&p, t, sec, 0);
	free(p.all);
	free(p.names);
}

/* -------------------------------------------------------------- .plt.got */

/*
 * Stubs for functions whose address is taken too: they share its GOT slot and
 * have no order of their own, so the jump must tell the slot.  Only for x86-64,
 * whose linkers make such stubs.
 */
struct stub {
	uint64_t slot;  /* address of the slot */
	uint64_t start; /* of the stub, as cp_frame.addr */
	const char *name;
};

struct stubs {
	const struct cp_elf *elf;
	struct stub *all;
	size_t n;
	uint64_t size; /* size of each stub */
};

static int
by_stub_slot(const void *a, const void *b)
{
	const struct stub *x = a, *y = b;

	return (x->slot > y->slot) - (x->slot < y->slot);
}

static bool
find_stubs(struct stubs *s, const struct cp_elf_section *got)
{
	uint64_t start = section_start(s->elf, got);
	size_t n;

	s->size = got->entsize == 16 ? 16 : 8;
	if (cp_elf_bytes(s->elf, got).failed)
		return false;
	n = CP_MIN(got->size / s->size, CP_MAX_SYMBOLS);
	s->all = cp_xcalloc(n, sizeof(*s->all));
	for (size_t i = 0; i < n; i++) {
		uint64_t slot = slot_at(s->elf, got, i * s->size, s->size);

		if (slot != 0)
			s->all[s->n++] = (struct stub){ .slot = slot,
				.start = start + i * s->size };
	}
	qsort(s->all, s->n, sizeof(*s->all), by_stub_slot);
	return s->n != 0;
}

/* Most relocations are of other data: a comparison tells that of nearly all. */
static struct stub *
stub_of(const struct stubs *s, uint64_t slot)
{
	struct stub key = { .slot = slot };

	if (slot < s->all[0].slot || slot > s->all[s->n - 1].slot)
		return NULL;
	return bsearch(&key, s->all, s->n, sizeof(key), by_stub_slot);
}

/* Names the stubs by the symbols of their slots' relocations. */
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
		struct stub *found = stub_of(s, cp_load64(p, b.swap));
		const char *name;

		if (found == NULL || found->name != NULL)
			continue;
		name = dynamic_name(
		    &dynsym, (uint32_t)(cp_load64(p + 8, b.swap) >> 32));
		if (name[0] != '\0')
			found->name = marked_name(t, name);
	}
}

static void
add_plt_got(struct cp_symtab *t, const struct cp_elf *elf)
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
			add_stub(t, s.all[i].start, s.size, s.all[i].name);
	free(s.all);
}

/* ------------------------------------------------------------------ both */

void
cp_elf_add_plt(struct cp_symtab *t, const struct cp_elf_view *view)
{
	if (view->terms != CP_TERMS_OFFSET)
		return;
	add_plt(t, view->runtime);
	add_plt_got(t, view->runtime);
	cp_symtab_settle(t, CP_SETTLE_ADDED);
}
