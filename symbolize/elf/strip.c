/* SPDX-License-Identifier: MIT */
/*
 * Selects headers, symbols, PLT, notes and unwind tables.
 *
 * All parts keep their file offsets, so nothing needs to be rewritten.
 */
#include "symbolize/elf/strip.h"
#include "base/elf.h"

#define PAGE 4096

static bool
is_needed(const struct cp_elf_section *s)
{
	static const char *const starts[] = { ".plt", ".rela.", ".rel.",
		".eh_frame", ".debug_frame", ".zdebug_frame", ".gnu_debug",
		".gnu.version", ".comment", ".shstrtab", ".note", ".opd",
		".ARM.ex", ".got.plt", ".dynamic", ".gopclntab", ".go.",
		".data.rel.ro.gopclntab" };

	switch (s->type) {
	case SHT_NULL:
	case SHT_NOBITS: return false;
	case SHT_SYMTAB:
	case SHT_DYNSYM:
	case SHT_STRTAB:
	case SHT_NOTE: return true;
	default: break;
	}
	/* Relocations of debug sections are useless without these. */
	if (strncmp(s->name, ".rela.debug", 11) == 0 ||
	    strncmp(s->name, ".rel.debug", 10) == 0)
		return false;
	for (size_t i = 0; i < CP_ARRAY_LEN(starts); i++)
		if (strncmp(s->name, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

static int
by_offset(const void *a, const void *b)
{
	const struct cp_extent *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Sorts the extents and joins adjacent ones. */
static size_t
merge(struct cp_extent *r, size_t n)
{
	size_t kept = 0;

	qsort(r, n, sizeof(*r), by_offset);
	for (size_t i = 1; i < n; i++) {
		uint64_t end = r[kept].offset + r[kept].size;

		if (r[i].offset > end)
			r[++kept] = r[i];
		else
			r[kept].size = CP_MAX(end, r[i].offset + r[i].size) -
				       r[kept].offset;
	}
	return n == 0 ? 0 : kept + 1;
}

/* Adds whole pages: GNU tar wants holes on block boundaries. */
static size_t
add(struct cp_extent *out, size_t n, const struct cp_elf *elf, uint64_t offset,
    uint64_t size)
{
	uint64_t all = elf->content.size, end;

	if (offset >= all || size == 0)
		return n;
	end = size < all - offset ? offset + size : all;
	end = CP_MIN((end + PAGE - 1) / PAGE * PAGE, all);
	offset = offset / PAGE * PAGE;
	out[n] = (struct cp_extent){ offset, end - offset };
	return n + 1;
}

/* Adds the section headers, which are often last in the file. */
static size_t
add_headers(struct cp_extent *out, size_t n, const struct cp_elf *elf)
{
	struct cp_bytes b =
	    cp_bytes_of(elf->content.data, elf->content.size, elf->swap);
	uint64_t at;

	cp_bytes_take(&b, elf->wide ? 40 : 32);
	at = elf->wide ? cp_bytes_u64(&b) : cp_bytes_u32(&b);
	n = add(out, n, elf, 0, PAGE);
	return b.failed ? n : add(out, n, elf, at, 64 * elf->sections.len);
}

size_t
cp_elf_slim(const struct cp_elf *elf, struct cp_extent *out, size_t max)
{
	size_t n = 0;

	if (max < 2)
		return 0;
	n = add_headers(out, n, elf);
	for (size_t i = 1; i < elf->sections.len; i++) {
		const struct cp_elf_section *s = &elf->sections.data[i];

		if (!is_needed(s))
			continue;
		/* Too many extents: the file is kept whole. */
		if (n == max)
			return 0;
		n = add(out, n, elf, s->offset, s->size);
	}
	return merge(out, n);
}
