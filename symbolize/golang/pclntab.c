/* SPDX-License-Identifier: MIT */
#include "symbolize/golang/pclntab.h"

#include "base/elf.h"
#include "base/leb128.h"
#include "base/limits.h"
#include "symbolize/golang/module.h"

/* Indexes of a function's tables; a bit of its flags. */
enum { LIST_INLINED = 2, LIST_TREE = 3, FLAG_OUTERMOST = 1 };

static uint64_t
load_word(const struct cp_gotab *t, const uint8_t *p)
{
	bool swap = t->elf->swap;

	return t->word == 8 ? cp_load64(p, swap) : cp_load32(p, swap);
}

static uint64_t
read_word(const struct cp_gotab *t, struct cp_bytes *b)
{
	const uint8_t *p = cp_bytes_take(b, t->word);

	return p != NULL ? load_word(t, p) : 0;
}

/* ------------------------------------------------------------------ header */

static uint8_t
layout_of(uint32_t magic)
{
	switch (magic) {
	case 0xfffffffb: return CP_GO_2;
	case 0xfffffffa: return CP_GO_16;
	case 0xfffffff0: return CP_GO_18;
	case 0xfffffff1: return CP_GO_20;
	default: return 0;
	}
}

/* Magic, two zeros, minimum instruction size, pointer size. */
static bool
read_start(struct cp_gotab *t, struct cp_bytes *b)
{
	t->layout = layout_of(cp_bytes_u32(b));
	if (t->layout == 0 || cp_bytes_u16(b) != 0)
		return false;
	t->quantum = cp_bytes_u8(b);
	t->word = cp_bytes_u8(b);
	return !b->failed &&
	       (t->quantum == 1 || t->quantum == 2 || t->quantum == 4) &&
	       t->word == (t->elf->wide ? 8 : 4);
}

static struct cp_bytes
part(struct cp_bytes all, uint64_t offset)
{
	if (offset > cp_bytes_left(&all))
		all.failed = true;
	else
		all.at += offset;
	return all;
}

/* Cut to the last NUL, so that every offset is a string. */
static void
end_names(struct cp_bytes *b)
{
	while (b->end > b->at && b->end[-1] != 0)
		b->end--;
}

/* From Go 1.16 on the header has the offsets of all parts. */
static void
find_parts(struct cp_gotab *t, struct cp_bytes all, struct cp_bytes *b)
{
	if (t->layout == CP_GO_2) {
		t->names = t->units = t->files = t->values = t->functions = all;
		return;
	}
	read_word(t, b); /* number of files */
	if (t->layout >= CP_GO_18)
		t->text = read_word(t, b);
	t->names = part(all, read_word(t, b));
	t->units = part(all, read_word(t, b));
	t->files = part(all, read_word(t, b));
	t->values = part(all, read_word(t, b));
	t->functions = part(all, read_word(t, b));
	b->failed |= t->names.failed || t->units.failed || t->files.failed ||
		     t->values.failed || t->functions.failed;
	b->at = t->functions.at;
}

static size_t
half_of(const struct cp_gotab *t)
{
	return t->layout >= CP_GO_18 ? 4 : t->word;
}

/* Two numbers per function, and the end of the last one. */
static bool
find_index(struct cp_gotab *t, struct cp_bytes *b)
{
	size_t size;

	if (t->n == 0 || t->n > CP_MAX_SYMBOLS)
		return false;
	size = (2 * t->n + 1) * half_of(t);
	t->index = cp_bytes_take(b, size);
	if (t->index == NULL || t->layout >= CP_GO_18)
		return t->index != NULL;
	t->copy = cp_gotab_relocated(
	    t->elf, t->addr + (uint64_t)(t->index - t->start), t->index, size);
	if (t->copy != NULL)
		t->index = t->copy;
	return true;
}

static bool
read_table(struct cp_gotab *t, const struct cp_elf *elf,
    const struct cp_elf_section *s, struct cp_bytes all)
{
	struct cp_bytes b = all;

	*t = (struct cp_gotab){ .elf = elf, .start = all.at };
	t->addr = s->addr + s->size - cp_bytes_left(&all);
	if (!read_start(t, &b))
		return false;
	t->n = read_word(t, &b);
	find_parts(t, all, &b);
	if (!find_index(t, &b))
		return false;
	end_names(&t->names);
	end_names(&t->files);
	cp_gotab_place(t);
	return true;
}

/* Other linkers put the table among relocated data: searches the section. */
static bool
search(struct cp_gotab *t, const struct cp_elf *elf,
    const struct cp_elf_section *s)
{
	struct cp_bytes b = cp_elf_bytes(elf, s);

	if (cp_elf_section(elf, ".go.buildinfo") == NULL &&
	    cp_elf_section(elf, ".note.go.buildid") == NULL)
		return false;
	for (; !b.failed && cp_bytes_left(&b) >= 16; b.at += 8)
		if (layout_of(cp_load32(b.at, b.swap)) != 0 &&
		    read_table(t, elf, s, b))
			return true;
	return false;
}

bool
cp_gotab_init(struct cp_gotab *t, const struct cp_elf *elf)
{
	static const char *const names[] = { ".gopclntab",
		".data.rel.ro.gopclntab" };

	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++) {
		const struct cp_elf_section *s = cp_elf_section(elf, names[i]);
		struct cp_bytes b = cp_elf_bytes(elf, s);

		if (!b.failed && read_table(t, elf, s, b))
			return true;
	}
	return search(t, elf, cp_elf_section(elf, ".data.rel.ro"));
}

void
cp_gotab_free(struct cp_gotab *t)
{
	free(t->copy);
	*t = (struct cp_gotab){ 0 };
}

/* --------------------------------------------------------------- functions */

static uint64_t
index_at(const struct cp_gotab *t, size_t i)
{
	const uint8_t *p = t->index + i * half_of(t);

	return t->layout >= CP_GO_18 ? cp_load32(p, t->elf->swap)
				     : load_word(t, p);
}

static uint64_t
start_of(const struct cp_gotab *t, size_t i)
{
	uint64_t start = index_at(t, 2 * i);

	return t->layout >= CP_GO_18 ? t->text + start : start;
}

/* Words of 4 bytes, then the offsets of the function's tables. */
static void
read_lists(const struct cp_gotab *t, struct cp_go_function *f,
    struct cp_bytes b, uint32_t values)
{
	uint8_t flags, trees;
	uint32_t tree;

	f->unit = cp_bytes_u32(&b);
	if (t->layout >= CP_GO_20)
		cp_bytes_u32(&b); /* line of the function's start */
	cp_bytes_u8(&b);
	flags = cp_bytes_u8(&b);
	cp_bytes_u8(&b);
	trees = cp_bytes_u8(&b);
	if (b.failed || values > cp_bytes_left(&b) / 4)
		return;
	f->outermost = (flags & FLAG_OUTERMOST) != 0;
	if (t->calls == 0 || values <= LIST_INLINED || trees <= LIST_TREE)
		return;
	f->inlined = cp_load32(b.at + 4 * LIST_INLINED, b.swap);
	cp_bytes_take(&b, (size_t)4 * (values + LIST_TREE));
	tree = cp_bytes_u32(&b);
	if (!b.failed && tree != UINT32_MAX)
		f->tree = t->calls + tree;
}

/* Reads a function's start and name offset.  The rest is in *b. */
static bool
read_name(const struct cp_gotab *t, size_t i, struct cp_bytes *b,
    struct cp_go_name *f)
{
	const uint8_t *p;
	uint32_t name;

	*b = part(t->functions, index_at(t, 2 * i + 1));
	p = cp_bytes_take(b, half_of(t) + 4);
	f->start = start_of(t, i);
	f->end = start_of(t, i + 1);
	f->name = "";
	if (p == NULL || f->end <= f->start)
		return false;
	name = cp_load32(p + half_of(t), b->swap);
	if (name < cp_bytes_left(&t->names))
		f->name = (const char *)t->names.at + name;
	return true;
}

bool
cp_gotab_name(const struct cp_gotab *t, size_t i, struct cp_go_name *f)
{
	struct cp_bytes b;

	return read_name(t, i, &b, f);
}

bool
cp_gotab_function(const struct cp_gotab *t, size_t i, struct cp_go_function *f)
{
	struct cp_bytes b;
	struct cp_go_name n;
	uint32_t values;

	if (!read_name(t, i, &b, &n))
		return false;
	*f = (struct cp_go_function){ n.start, n.end, .name = n.name };
	cp_bytes_take(&b, 8);
	f->frame = cp_bytes_u32(&b);
	f->file = cp_bytes_u32(&b);
	f->line = cp_bytes_u32(&b);
	values = cp_bytes_u32(&b);
	if (b.failed)
		return false;
	if (t->layout >= CP_GO_18)
		read_lists(t, f, b, values);
	return true;
}

bool
cp_gotab_find(const struct cp_gotab *t, uint64_t addr, struct cp_go_function *f)
{
	size_t lo = 0, n = t->n;

	while (n > 1) { /* last function with start <= addr */
		size_t half = n / 2;

		lo = start_of(t, lo + half) <= addr ? lo + half : lo;
		n -= half;
	}
	return cp_gotab_function(t, lo, f) && addr >= f->start && addr < f->end;
}

/*
 * Code of C libraries is not in the table.  True if all code of the file is
 * Go's.
 */
bool
cp_gotab_covers(const struct cp_gotab *t)
{
	enum { SPARE = 4096 }; /* room for a linker's note and page alignment */
	const struct cp_elf_section *text = cp_elf_section(t->elf, ".text");
	uint64_t start = start_of(t, 0), end = start_of(t, t->n);

	return text != NULL && start <= end &&
	       cp_elf_section(t->elf, ".init") == NULL &&
	       start - text->addr <= SPARE &&
	       end + SPARE >= text->addr + text->size;
}

/*
 * Decodes pairs: a zigzag delta of the value, and the number of bytes up to
 * which it is valid.  A delta of 0 after the first pair ends the table.
 */
bool
cp_gotab_value(const struct cp_gotab *t, const struct cp_go_function *f,
    uint32_t table, uint64_t addr, uint64_t *steps, int32_t *out)
{
	struct cp_bytes b = part(t->values, table);
	uint64_t at = f->start;
	uint32_t value = UINT32_MAX, step;

	for (bool first = true; table != 0 && !b.failed; first = false) {
		if (*steps == 0)
			return false;
		--*steps;
		step = (uint32_t)cp_bytes_uleb(&b);
		if (step == 0 && !first)
			return false;
		value += step & 1 ? ~(step >> 1) : step >> 1;
		at += (uint32_t)cp_bytes_uleb(&b) * (uint64_t)t->quantum;
		if (b.failed || at <= addr)
			continue;
		*out = (int32_t)value;
		return true;
	}
	return false;
}
