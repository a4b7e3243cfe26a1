/* SPDX-License-Identifier: MIT */
#include "symbolize/elf/elf-file.h"

#include "base/elf.h"
#include "base/limits.h"

/* The file header, as far as it is about tables. */
struct head {
	uint64_t phoff, shoff;
	uint32_t phnum,
	    shstrndx;      /* the numbers that count, not their escapes */
	uint64_t sections; /* 0: none, or their table is not all there */
	uint16_t e_phnum, e_shnum, phentsize, shentsize;
};

/* Failed where the file has not all of it. */
static struct cp_bytes
piece(const struct cp_elf *elf, uint64_t offset, uint64_t size)
{
	const struct cp_content *c = &elf->content;

	if (offset > c->size || size > c->size - offset)
		return (struct cp_bytes){ .failed = true };
	return cp_bytes_of(c->data + offset, size, elf->swap);
}

/* What has the width of an address. */
static uint64_t
word(const struct cp_elf *elf, struct cp_bytes *b)
{
	return elf->wide ? cp_bytes_u64(b) : cp_bytes_u32(b);
}

/* Returns the offset of its name in the table of names. */
static uint32_t
read_section(
    const struct cp_elf *elf, struct cp_bytes *b, struct cp_elf_section *s)
{
	uint32_t name = cp_bytes_u32(b);

	*s = (struct cp_elf_section){ .name = "" };
	s->type = cp_bytes_u32(b);
	s->flags = word(elf, b);
	s->addr = word(elf, b);
	s->offset = word(elf, b);
	s->size = word(elf, b);
	s->link = cp_bytes_u32(b);
	s->info = cp_bytes_u32(b);
	word(elf, b); /* alignment */
	s->entsize = word(elf, b);
	return name;
}

/*
 * Counts that 16 bits do not hold are in the first section header.  A table of
 * sections that is cut counts as none; false where 32 bits cannot number them.
 */
static bool
count_tables(const struct cp_elf *elf, struct head *h)
{
	uint64_t each = elf->wide ? CP_ELF64_SHDR : CP_ELF32_SHDR;
	struct cp_bytes b = piece(elf, h->shoff, each);
	struct cp_elf_section first;

	read_section(elf, &b, &first);
	h->sections = h->e_shnum;
	if (h->e_shnum == 0 && h->shoff != 0)
		h->sections = first.size;
	if (h->sections > UINT32_MAX)
		return false;
	if (h->shoff > elf->content.size ||
	    h->sections > (elf->content.size - h->shoff) / each)
		h->sections = 0;
	if (h->shstrndx == SHN_XINDEX)
		h->shstrndx = h->sections != 0 ? first.link : UINT32_MAX;
	h->phnum = h->e_phnum;
	if (h->e_phnum == PN_XNUM && h->sections != 0)
		h->phnum = first.info;
	return true;
}

/* False if its header is not one of ELF, or not all there. */
static bool
read_head(struct cp_elf *elf, struct head *h)
{
	const uint8_t *ident = elf->content.data;
	struct cp_bytes b;

	if ((ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64) ||
	    (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB) ||
	    ident[EI_VERSION] != EV_CURRENT)
		return false;
	elf->wide = ident[EI_CLASS] == ELFCLASS64;
	elf->swap = (ident[EI_DATA] == ELFDATA2MSB) ==
		    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	b = cp_bytes_of(ident, elf->content.size, elf->swap);
	cp_bytes_take(&b, EI_NIDENT);
	elf->type = cp_bytes_u16(&b);
	elf->machine = cp_bytes_u16(&b);
	cp_bytes_u32(&b); /* version */
	word(elf, &b);    /* entry */
	h->phoff = word(elf, &b);
	h->shoff = word(elf, &b);
	cp_bytes_take(&b, 6); /* flags, size of this header */
	h->phentsize = cp_bytes_u16(&b);
	h->e_phnum = cp_bytes_u16(&b);
	h->shentsize = cp_bytes_u16(&b);
	h->e_shnum = cp_bytes_u16(&b);
	h->shstrndx = cp_bytes_u16(&b);
	return !b.failed && count_tables(elf, h);
}

/* Section names, cut to the last NUL, so that every offset is a string. */
static struct cp_bytes
name_table(const struct cp_elf *elf, const struct head *h)
{
	struct cp_bytes b;

	if (h->shstrndx >= elf->sections.len)
		return (struct cp_bytes){ .failed = true };
	b = cp_elf_bytes(elf, &elf->sections.data[h->shstrndx]);
	while (!b.failed && b.end > b.at && b.end[-1] != 0)
		b.end--;
	return b;
}

/*
 * A file may do without section names, and says so.  Else their table has its
 * own name, of which compilers know two.
 */
static bool
are_named(const struct cp_elf *elf, uint32_t table, const uint32_t *at)
{
	const char *name;

	if (elf->sections.len == 1)
		return true; /* it has no sections */
	if (table >= elf->sections.len)
		return false;
	for (size_t i = 1; i < elf->sections.len; i++) {
		name = elf->sections.data[i].name;
		if (table == SHN_UNDEF ? at[i] != 0 : name[0] == '\0')
			return false;
	}
	name = elf->sections.data[table].name;
	return table == SHN_UNDEF || strcmp(name, ".shstrtab") == 0 ||
	       strcmp(name, ".strtab") == 0;
}

static void
read_sections(struct cp_elf *elf, const struct head *h)
{
	uint64_t each = elf->wide ? CP_ELF64_SHDR : CP_ELF32_SHDR;
	size_t n = CP_MAX(CP_MIN(h->sections, CP_MAX_SECTIONS), 1);
	struct cp_bytes b = piece(elf, h->shoff + each, (n - 1) * each), names;
	uint32_t *at = cp_xcalloc(n, sizeof(*at));

	*cp_vec_push(&elf->sections) = (struct cp_elf_section){ .name = "" };
	for (size_t i = 1; i < n; i++)
		at[i] = read_section(elf, &b, cp_vec_push(&elf->sections));
	names = name_table(elf, h);
	for (size_t i = 1; i < n; i++)
		if (at[i] < cp_bytes_left(&names))
			elf->sections.data[i].name =
			    (const char *)names.at + at[i];
	elf->unnamed =
	    !are_named(elf, h->shstrndx, at) || (n == 1 && h->e_shnum > 1);
	free(at);
}

/* Their order differs: 64 bits have the flags before the offset. */
static void
read_segment(struct cp_elf *elf, struct cp_bytes *b)
{
	uint32_t type = cp_bytes_u32(b);
	uint32_t flags = elf->wide ? cp_bytes_u32(b) : 0;
	struct cp_elf_segment s = { .offset = word(elf, b) };
	uint64_t memory;

	s.vaddr = word(elf, b);
	word(elf, b); /* physical address */
	s.file_size = word(elf, b);
	memory = word(elf, b);
	if (!elf->wide)
		flags = cp_bytes_u32(b);
	s.align = word(elf, b);
	s.size = s.file_size;
	if (type == PT_NOTE)
		*cp_vec_push(&elf->notes) = s;
	s.size = CP_MAX(s.file_size, memory);
	s.mapped = s.offset;
	s.writable = (flags & PF_W) != 0;
	s.exec = (flags & PF_X) != 0;
	s.hollow = s.exec && s.file_size == 0;
	if (type == PT_LOAD && s.size != 0)
		*cp_vec_push(&elf->loads) = s;
}

static void
read_segments(struct cp_elf *elf, const struct head *h)
{
	uint64_t each = elf->wide ? CP_ELF64_PHDR : CP_ELF32_PHDR;
	struct cp_bytes b = piece(elf, h->phoff, h->phnum * each);

	if (b.failed || h->phoff == 0)
		return;
	for (size_t i = 0; i < CP_MIN(h->phnum, CP_MAX_SEGMENTS); i++)
		read_segment(elf, &b);
}

/*
 * Are its program headers there?  What was linked has segments that are loaded,
 * and so has its debug file.
 */
static bool
are_placed(const struct cp_elf *elf, const struct head *h)
{
	uint64_t each = elf->wide ? CP_ELF64_PHDR : CP_ELF32_PHDR;

	if ((h->phoff == 0 && h->e_phnum == 0) || h->e_phnum == PN_XNUM ||
	    (elf->type != ET_EXEC && elf->type != ET_DYN))
		return true;
	return h->phentsize == each &&
	       !piece(elf, h->phoff, h->e_phnum * each).failed &&
	       elf->loads.len != 0;
}

static bool
ends_early(const struct cp_elf *elf, const struct head *h)
{
	if (piece(elf, h->shoff, (uint64_t)h->e_shnum * h->shentsize).failed)
		return true;
	for (size_t i = 1; i < elf->sections.len; i++) {
		const struct cp_elf_section *s = &elf->sections.data[i];

		if (s->type != SHT_NOBITS && s->type != SHT_NULL &&
		    piece(elf, s->offset, s->size).failed)
			return true;
	}
	return false;
}

static bool
read_container(struct cp_elf *elf)
{
	struct head h;

	if (!read_head(elf, &h))
		return false;
	read_sections(elf, &h);
	read_segments(elf, &h);
	elf->cut = ends_early(elf, &h);
	elf->unplaced = !are_placed(elf, &h);
	return true;
}

/* -------------------------------------------------------------- build ID */

/*
 * Reads the "GNU" note of type 3, from note segments or, in files without
 * segments, from note sections.  IDs over 20 bytes are cut, as perf cuts them.
 */

/* Takes a field with its padding. */
static const uint8_t *
take_padded(struct cp_bytes *b, uint32_t n, uint64_t align)
{
	const uint8_t *p = cp_bytes_take(b, n);
	size_t pad = (size_t)((align - n % align) % align);

	cp_bytes_take(b, CP_MIN(pad, cp_bytes_left(b)));
	return p;
}

uint8_t
cp_notes_build_id(struct cp_bytes b, uint64_t align, uint8_t out[20])
{
	align = align == 8 ? 8 : 4;
	if (b.failed)
		return 0;
	b.end = b.at + CP_MIN(cp_bytes_left(&b), CP_MAX_NOTE);
	while (cp_bytes_left(&b) >= 12) {
		uint32_t name_size = cp_bytes_u32(&b);
		uint32_t size = cp_bytes_u32(&b);
		uint32_t type = cp_bytes_u32(&b);
		const uint8_t *name = take_padded(&b, name_size, align);
		const uint8_t *id = take_padded(&b, size, align);

		if (b.failed)
			return 0;
		if (type != NT_GNU_BUILD_ID || size == 0 || name_size != 4 ||
		    memcmp(name, "GNU", 4) != 0)
			continue;
		size = CP_MIN(size, 20);
		/* Zeros, of a linker option or of a tool, tell nothing. */
		if (cp_is_zero(id, size))
			return 0;
		memcpy(out, id, size);
		return (uint8_t)size;
	}
	return 0;
}

static void
find_build_id(struct cp_elf *elf)
{
	size_t left = CP_MAX_NOTES;

	/* Sections first: segments of a debug file may have wrong offsets. */
	for (size_t i = 1; i < elf->sections.len && left > 0; i++) {
		const struct cp_elf_section *s = &elf->sections.data[i];

		if (s->type != SHT_NOTE)
			continue;
		left--;
		elf->build_id_size =
		    cp_notes_build_id(cp_elf_bytes(elf, s), 4, elf->build_id);
		if (elf->build_id_size != 0)
			return;
	}
	for (size_t i = 0; i < elf->notes.len; i++) {
		const struct cp_elf_segment *s = &elf->notes.data[i];

		elf->build_id_size = cp_notes_build_id(
		    piece(elf, s->offset, s->size), s->align, elf->build_id);
		if (elf->build_id_size != 0)
			return;
	}
}

/* ------------------------------------------------------------ the file */

bool
cp_elf_init(struct cp_elf *elf, struct cp_content content)
{
	*elf = (struct cp_elf){ .content = content };
	if (content.size < EI_NIDENT ||
	    memcmp(content.data, ELFMAG, SELFMAG) != 0 ||
	    !read_container(elf)) {
		cp_elf_free(elf);
		return false;
	}
	find_build_id(elf);
	return true;
}

bool
cp_elf_open(struct cp_elf *elf, int fd)
{
	struct cp_content c;

	*elf = (struct cp_elf){ 0 };
	return cp_objfile_take(fd, &c) && cp_elf_init(elf, c);
}

void
cp_elf_release(const struct cp_elf *elf)
{
	for (size_t i = 0; i < elf->sections.len; i++) {
		struct cp_elf_section *s = &elf->sections.data[i];

		free(s->copy);
		s->copy = NULL;
		s->copy_size = 0;
		cp_inflated_release(&s->inflated);
	}
}

const char *
cp_elf_limit(const struct cp_elf *elf)
{
	for (size_t i = 0; i < elf->sections.len; i++)
		if (elf->sections.data[i].over)
			return "CP_INFLATE_RATIO";
	return NULL;
}

void
cp_elf_free(struct cp_elf *elf)
{
	cp_elf_release(elf);
	cp_vec_free(&elf->sections);
	cp_vec_free(&elf->loads);
	cp_vec_free(&elf->notes);
	cp_content_free(&elf->content);
}

const struct cp_elf_section *
cp_elf_section(const struct cp_elf *elf, const char *name)
{
	for (size_t i = 1; i < elf->sections.len; i++)
		if (strcmp(elf->sections.data[i].name, name) == 0)
			return &elf->sections.data[i];
	return NULL;
}

const struct cp_elf_section *
cp_elf_section_of_type(const struct cp_elf *elf, uint32_t type)
{
	for (size_t i = 1; i < elf->sections.len; i++)
		if (elf->sections.data[i].type == type)
			return &elf->sections.data[i];
	return NULL;
}

struct cp_bytes
cp_elf_bytes(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	if (s == NULL || s->type == SHT_NOBITS || s->type == SHT_NULL ||
	    (s->flags & SHF_COMPRESSED) != 0)
		return (struct cp_bytes){ .failed = true };
	return piece(elf, s->offset, s->size);
}

bool
cp_elf_offset(const struct cp_elf *elf, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < elf->loads.len; i++) {
		const struct cp_elf_segment *l = &elf->loads.data[i];

		if (vaddr >= l->vaddr && vaddr - l->vaddr < l->size) {
			*offset = vaddr - l->vaddr + l->offset;
			return true;
		}
	}
	return false;
}

bool
cp_elf_frame(const struct cp_elf *elf, uint64_t vaddr, uint64_t *addr)
{
	for (size_t i = 0; i < elf->loads.len; i++) {
		const struct cp_elf_segment *l = &elf->loads.data[i];

		if (vaddr >= l->vaddr && vaddr - l->vaddr < l->size) {
			*addr = vaddr - l->vaddr + l->mapped;
			return true;
		}
	}
	return false;
}

/*
 * Segments overlap in the file by their padding: the last one to begin counts.
 */
bool
cp_elf_vaddr(const struct cp_elf *elf, uint64_t addr, uint64_t *vaddr)
{
	const struct cp_elf_segment *best = NULL;

	for (size_t i = 0; i < elf->loads.len; i++) {
		const struct cp_elf_segment *l = &elf->loads.data[i];

		if (addr >= l->mapped && addr - l->mapped < l->size &&
		    (best == NULL || l->mapped >= best->mapped))
			best = l;
	}
	if (best == NULL)
		return false;
	*vaddr = addr - best->mapped + best->vaddr;
	return true;
}

void
cp_elf_place(struct cp_elf *elf, uint64_t by)
{
	for (size_t i = 0; i < elf->loads.len; i++)
		elf->loads.data[i].mapped = elf->loads.data[i].offset + by;
}
