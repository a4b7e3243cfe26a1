/* SPDX-License-Identifier: MIT */
/*
 * Reads .symtab and .dynsym.
 *
 * perf's choice decides which symbols count: functions, objects, and labels in
 * sections of text or data, all in memory.  The table is read in the mapping;
 * no name is copied.
 */
#include "symbolize/elf/symbols.h"

#include "base/elf.h"
#include "base/limits.h"
#include "base/radix.h"

enum { SECTION_LOADED = 1, SECTION_LABELS = 2, SECTION_OPD = 4 };

struct loader {
	const struct cp_elf_view *view;
	const struct cp_elf_symbols *syms;
	uint8_t *classes; /* class of each section */
	size_t n_classes;
	bool has_mapping_symbols;
	uint64_t opd_addr;
	struct cp_bytes opd; /* ppc64: function descriptors */
	uint64_t text_offset;
	uint64_t moved; /* of the runtime file: see cp_elf_moved() */
	bool zeros;     /* a symbol but the first is all zeros */
	const struct cp_elf_segment *last; /* segment of the last symbol */
};

bool
cp_elf_symbols(struct cp_elf_symbols *out, const struct cp_elf *elf,
    const struct cp_elf_section *s)
{
	size_t size = elf->wide ? CP_ELF64_SYM : CP_ELF32_SYM;

	*out = (struct cp_elf_symbols){ .elf = elf };
	if (s == NULL || s->link >= elf->sections.len)
		return false;
	out->table = cp_elf_bytes(elf, s);
	out->names = cp_elf_bytes(elf, &elf->sections.data[s->link]);
	if (out->table.failed || out->names.failed ||
	    (s->entsize != 0 && s->entsize != size))
		return false;
	/* Cut to the last NUL, so that every offset is a string. */
	while (out->names.end > out->names.at && out->names.end[-1] != 0)
		out->names.end--;
	out->count = cp_bytes_left(&out->table) / size;
	out->count = CP_MIN(out->count, CP_MAX_SYMBOLS);
	return true;
}

/* Inlined where whole tables are read: a call costs as much as it does. */
static inline __attribute__((always_inline)) struct cp_elf_raw_symbol
symbol_at(const struct cp_elf_symbols *s, size_t i)
{
	bool w = s->table.swap;
	const uint8_t *p;

	if (s->elf->wide) {
		p = s->table.at + i * CP_ELF64_SYM;
		return (struct cp_elf_raw_symbol){ .name = cp_load32(p, w),
			.info = p[4],
			.other = p[5],
			.shndx = cp_load16(p + 6, w),
			.value = cp_load64(p + 8, w),
			.size = cp_load64(p + 16, w) };
	}
	p = s->table.at + i * CP_ELF32_SYM;
	return (struct cp_elf_raw_symbol){ .name = cp_load32(p, w),
		.value = cp_load32(p + 4, w),
		.size = cp_load32(p + 8, w),
		.info = p[12],
		.other = p[13],
		.shndx = cp_load16(p + 14, w) };
}

struct cp_elf_raw_symbol
cp_elf_symbol_at(const struct cp_elf_symbols *s, size_t i)
{
	return symbol_at(s, i);
}

static uint8_t
section_class(const struct cp_elf_section *s)
{
	uint8_t c = 0;

	if ((s->flags & SHF_ALLOC) != 0)
		c |= SECTION_LOADED;
	if (strstr(s->name, "text") != NULL || strstr(s->name, "data") != NULL)
		c |= SECTION_LABELS;
	return c;
}

static void
classify(struct loader *l)
{
	const struct cp_elf *elf = l->syms->elf, *run = l->view->runtime;
	const struct cp_elf_section *opd = NULL, *text;

	l->has_mapping_symbols = elf->machine == EM_ARM ||
				 elf->machine == EM_AARCH64 ||
				 elf->machine == EM_RISCV;
	l->n_classes = elf->sections.len;
	l->classes = cp_xcalloc(l->n_classes, 1);
	for (size_t i = 1; i < l->n_classes; i++)
		l->classes[i] = section_class(&elf->sections.data[i]);
	text = cp_elf_section(run, ".text");
	l->text_offset = text != NULL ? text->offset : 0;
	l->moved = cp_elf_moved(run, elf);
	if (run->machine == EM_PPC64)
		opd = cp_elf_section(run, ".opd");
	l->opd = cp_elf_bytes(run, opd);
	if (opd == NULL)
		return;
	l->opd_addr = opd->addr;
	if ((size_t)(opd - run->sections.data) < l->n_classes)
		l->classes[opd - run->sections.data] |= SECTION_OPD;
}

static bool
is_mapping_symbol(uint16_t machine, const char *name)
{
	if (name[0] != '$' || name[1] == '\0')
		return false;
	if (machine == EM_RISCV)
		return name[1] == 'd' || name[1] == 'x';
	return strchr("adtx", name[1]) != NULL &&
	       (name[2] == '\0' || name[2] == '.');
}

static bool
is_wanted(const struct loader *l, const struct cp_elf_raw_symbol *s)
{
	uint8_t type = ELF32_ST_TYPE(s->info);
	uint8_t visible = ELF32_ST_VISIBILITY(s->other);
	uint8_t class = 0;

	if (s->name == 0 || s->shndx == SHN_UNDEF || s->shndx == SHN_ABS)
		return false;
	if (s->shndx < l->n_classes)
		class = l->classes[s->shndx];
	else if (s->shndx == SHN_XINDEX)
		class = SECTION_LOADED;
	if ((class & SECTION_LOADED) == 0)
		return false;
	if (type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC)
		return true;
	return type == STT_NOTYPE && (class & SECTION_LABELS) != 0 &&
	       visible != STV_HIDDEN && visible != STV_INTERNAL;
}

/* Data without bytes in the debug file has its section in the runtime file. */
static const struct cp_elf_section *
section_of(const struct loader *l, const struct cp_elf_raw_symbol *s)
{
	const struct cp_elf *elf = l->syms->elf, *run = l->view->runtime;

	if (s->shndx >= elf->sections.len)
		return NULL;
	if (elf->sections.data[s->shndx].type == SHT_NOBITS &&
	    s->shndx < run->sections.len)
		return &run->sections.data[s->shndx];
	return &elf->sections.data[s->shndx];
}

static bool
in_segment(const struct cp_elf_segment *g, uint64_t v)
{
	return v >= g->vaddr && v - g->vaddr < g->size;
}

static uint64_t
file_offset(struct loader *l, const struct cp_elf_raw_symbol *s)
{
	const struct cp_elf *run = l->view->runtime;
	const struct cp_elf_section *sec;
	uint64_t at = s->value + l->moved;

	if (l->last != NULL && in_segment(l->last, at))
		return at - l->last->vaddr + l->last->mapped;
	for (size_t i = 0; i < run->loads.len; i++)
		if (in_segment(&run->loads.data[i], at)) {
			/*
			 * The first segment that contains it.  Load segments do
			 * not overlap, so no order is needed.
			 */
			l->last = &run->loads.data[i];
			return at - l->last->vaddr + l->last->mapped;
		}
	sec = section_of(l, s);
	return sec != NULL ? s->value - sec->addr + sec->offset : s->value;
}

static uint64_t
frame_address(struct loader *l, const struct cp_elf_raw_symbol *s)
{
	const struct cp_elf_section *sec;

	switch (l->view->terms) {
	case CP_TERMS_IMAGE: return s->value + l->view->slide;
	case CP_TERMS_MODULE:
		sec = section_of(l, s);
		return sec != NULL ? s->value + sec->offset - l->text_offset
				   : s->value;
	case CP_TERMS_OFFSET: break;
	}
	return file_offset(l, s);
}

/* Adjusts the value to the address of the code itself (Thumb, ppc64). */
static void
code_address(const struct loader *l, struct cp_elf_raw_symbol *s)
{
	uint64_t at = s->value - l->opd_addr;

	if (l->syms->elf->machine == EM_ARM &&
	    ELF32_ST_TYPE(s->info) == STT_FUNC)
		s->value &= ~UINT64_C(1);
	if (s->shndx < l->n_classes &&
	    (l->classes[s->shndx] & SECTION_OPD) != 0 && !l->opd.failed &&
	    cp_bytes_left(&l->opd) >= 8 && at <= cp_bytes_left(&l->opd) - 8)
		s->value = cp_load64(l->opd.at + at, l->opd.swap);
}

/* Finds where a symbol starts.  False if it does not count. */
static inline bool
choose(struct loader *l, uint32_t number, uint64_t *start)
{
	struct cp_elf_raw_symbol s = symbol_at(l->syms, number);
	const char *name;

	l->zeros |= (s.name | s.info | s.shndx | s.value | s.size) == 0;
	if (!is_wanted(l, &s) || s.name >= cp_bytes_left(&l->syms->names))
		return false;
	name = (const char *)l->syms->names.at + s.name;
	/* Reads the name only if needed: each name may fault a page. */
	if (l->has_mapping_symbols &&
	    is_mapping_symbol(l->syms->elf->machine, name))
		return false;
	code_address(l, &s);
	*start = frame_address(l, &s);
	return true;
}

static void
choose_all(struct loader *l, struct cp_elf_choice *c)
{
	const size_t room = c->syms.count + 1;
	uint64_t low = UINT64_MAX, high = 0, start;
	size_t n = 0;

	c->start = cp_xmalloc(room * sizeof(*c->start));
	c->number = cp_xmalloc(room * sizeof(*c->number));
	for (uint32_t i = 1; i < c->syms.count; i++)
		if (choose(l, i, &start)) {
			low = CP_MIN(low, start);
			high = CP_MAX(high, start);
			c->number[n] = i;
			c->start[n++] = start;
		}
	c->n = n;
	c->low = low;
	c->high = high;
	c->damaged = l->zeros;
}

bool
cp_elf_choose(struct cp_elf_choice *c, const struct cp_elf *elf,
    const struct cp_elf_view *view, uint32_t type)
{
	struct loader l = { .view = view, .syms = &c->syms };

	*c = (struct cp_elf_choice){ 0 };
	if (!cp_elf_symbols(&c->syms, elf, cp_elf_section_of_type(elf, type)))
		return false;
	classify(&l);
	choose_all(&l, c);
	free(l.classes);
	return true;
}

static void
add_symbol(const struct cp_elf_symbols *from, struct cp_symtab *t,
    uint32_t number, uint64_t start)
{
	struct cp_elf_raw_symbol s = symbol_at(from, number);
	struct cp_entry *e = cp_symtab_push(t);

	*e = (struct cp_entry){ .start = start,
		.name = (const char *)from->names.at + s.name,
		.bind = s.info >> 4,
		.type = ELF32_ST_TYPE(s.info) };
	if (__builtin_add_overflow(start, s.size, &e->end))
		e->end = UINT64_MAX;
}

/*
 * Sorts keys before making entries, which are five times as large.  Starts that
 * are too far apart are left to cp_symtab_settle().
 */
static void
add_chosen(struct cp_symtab *t, struct cp_elf_choice *c)
{
	uint64_t *key = c->start;

	cp_vec_reserve(&t->all, t->all.len + c->n);
	if (c->n == 0 || c->high - c->low > UINT32_MAX) {
		for (size_t i = 0; i < c->n; i++)
			add_symbol(
			    &c->syms, t, (uint32_t)c->number[i], c->start[i]);
		return;
	}
	for (size_t i = 0; i < c->n; i++)
		key[i] = (key[i] - c->low) << 32 | c->number[i];
	cp_radix_sort(
	    &c->start, &c->number, c->n, cp_bits_of(c->high - c->low));
	key = c->start;
	for (size_t i = 0; i < c->n; i++)
		add_symbol(
		    &c->syms, t, (uint32_t)key[i], c->low + (key[i] >> 32));
}

void
cp_elf_add_choice(struct cp_symtab *t, struct cp_elf_choice *c)
{
	add_chosen(t, c);
	free(c->start);
	free(c->number);
	*c = (struct cp_elf_choice){ 0 };
	cp_symtab_settle(t, CP_SETTLE_ELF);
}

bool
cp_elf_add_table(struct cp_symtab *t, const struct cp_elf *elf,
    const struct cp_elf_view *view, uint32_t type)
{
	struct cp_elf_choice c;

	if (!cp_elf_choose(&c, elf, view, type))
		return false;
	cp_elf_add_choice(t, &c);
	return true;
}

bool
cp_elf_symbol_value(const struct cp_elf *elf, const char *name, uint64_t *value)
{
	struct cp_elf_symbols s;

	if (!cp_elf_symbols(&s, elf, cp_elf_section_of_type(elf, SHT_SYMTAB)))
		return false;
	for (size_t i = 1; i < s.count; i++) {
		struct cp_elf_raw_symbol r = cp_elf_symbol_at(&s, i);

		if (r.name < cp_bytes_left(&s.names) && r.shndx != SHN_UNDEF &&
		    strcmp((const char *)s.names.at + r.name, name) == 0) {
			*value = r.value;
			return true;
		}
	}
	return false;
}
