/* SPDX-License-Identifier: MIT */
#include "symbolize/elf/elf-file.h"

#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include "base/limits.h"

static void
end_elf(Elf **e)
{
	elf_end(*e);
}

/* Section names, cut to the last NUL, so that every offset is a string. */
static struct cp_bytes
name_table(const struct cp_elf *elf, Elf *e)
{
	struct cp_bytes none = { .failed = true };
	struct cp_bytes b;
	size_t ndx;

	if (elf_getshdrstrndx(e, &ndx) != 0 || ndx >= elf->sections.len)
		return none;
	b = cp_elf_bytes(elf, &elf->sections.data[ndx]);
	while (!b.failed && b.end > b.at && b.end[-1] != 0)
		b.end--;
	return b;
}

/*
 * A file may do without section names, and says so.  Else their table has its
 * own name, of which compilers know two.
 */
static bool
are_named(const struct cp_elf *elf, Elf *e, const uint32_t *at, size_t n)
{
	const char *name;
	size_t ndx;

	if (n == 1)
		return true; /* it has no sections */
	if (elf_getshdrstrndx(e, &ndx) != 0 || ndx >= elf->sections.len)
		return false;
	for (size_t i = 1; i < n; i++) {
		name = elf->sections.data[i].name;
		if (ndx == SHN_UNDEF ? at[i] != 0 : name[0] == '\0')
			return false;
	}
	name = elf->sections.data[ndx].name;
	return ndx == SHN_UNDEF || strcmp(name, ".shstrtab") == 0 ||
	       strcmp(name, ".strtab") == 0;
}

static void
read_sections(struct cp_elf *elf, Elf *e)
{
	struct cp_bytes names;
	CP_VEC(uint32_t) at = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	*cp_vec_push(&elf->sections) = (struct cp_elf_section){ .name = "" };
	*cp_vec_push(&at) = 0;
	while (
	    at.len < CP_MAX_SECTIONS && (scn = elf_nextscn(e, scn)) != NULL) {
		if (gelf_getshdr(scn, &sh) == NULL)
			memset(&sh, 0, sizeof(sh));
		*cp_vec_push(&at) = sh.sh_name;
		*cp_vec_push(&elf->sections) = (struct cp_elf_section){
			.name = "",
			.addr = sh.sh_addr,
			.offset = sh.sh_offset,
			.size = sh.sh_size,
			.entsize = sh.sh_entsize,
			.flags = sh.sh_flags,
			.type = sh.sh_type,
			.link = sh.sh_link,
			.info = sh.sh_info,
		};
	}
	names = name_table(elf, e);
	for (size_t i = 1; i < at.len; i++) {
		if (at.data[i] < cp_bytes_left(&names))
			elf->sections.data[i].name =
			    (const char *)names.at + at.data[i];
	}
	elf->unnamed = !are_named(elf, e, at.data, at.len);
	cp_vec_free(&at);
}

static void
read_segments(struct cp_elf *elf, Elf *e)
{
	size_t n;
	GElf_Phdr ph;

	if (elf_getphdrnum(e, &n) != 0)
		return;
	for (size_t i = 0; i < CP_MIN(n, CP_MAX_SEGMENTS); i++) {
		struct cp_elf_segment s;

		if (gelf_getphdr(e, (int)i, &ph) == NULL)
			return;
		s = (struct cp_elf_segment){ .vaddr = ph.p_vaddr,
			.offset = ph.p_offset,
			.size = ph.p_filesz,
			.align = ph.p_align };
		if (ph.p_type == PT_NOTE)
			*cp_vec_push(&elf->notes) = s;
		s.size = CP_MAX(ph.p_filesz, ph.p_memsz);
		s.mapped = ph.p_offset;
		s.writable = (ph.p_flags & PF_W) != 0;
		s.file_size = ph.p_filesz;
		s.exec = (ph.p_flags & PF_X) != 0;
		s.hollow = (ph.p_flags & PF_X) != 0 && ph.p_filesz == 0;
		if (ph.p_type == PT_LOAD && s.size != 0)
			*cp_vec_push(&elf->loads) = s;
	}
}

/*
 * Are its program headers there?  What was linked has segments that are loaded,
 * and so has its debug file.
 */
static bool
are_placed(const struct cp_elf *elf, const GElf_Ehdr *eh)
{
	uint64_t size = elf->content.size;
	size_t each = elf->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	if ((eh->e_phoff == 0 && eh->e_phnum == 0) || eh->e_phnum == PN_XNUM ||
	    (eh->e_type != ET_EXEC && eh->e_type != ET_DYN))
		return true;
	return eh->e_phentsize == each && eh->e_phoff <= size &&
	       eh->e_phnum * each <= size - eh->e_phoff && elf->loads.len != 0;
}

static bool
ends_early(const struct cp_elf *elf, const GElf_Ehdr *eh)
{
	uint64_t size = elf->content.size, table = eh->e_shnum;

	table *= eh->e_shentsize;
	if (eh->e_shoff > size || table > size - eh->e_shoff)
		return true;
	for (size_t i = 1; i < elf->sections.len; i++) {
		const struct cp_elf_section *s = &elf->sections.data[i];

		if (s->type != SHT_NOBITS && s->type != SHT_NULL &&
		    (s->offset > size || s->size > size - s->offset))
			return true;
	}
	return false;
}

static bool
read_container(struct cp_elf *elf)
{
	union {
		const uint8_t *in;
		char *out;
	} image = { .in = elf->content.data };
	CP_CLEANUP(end_elf) Elf *e = NULL;
	GElf_Ehdr eh;

	/* libelf only reads the image, so a read-only mapping is fine. */
	elf_version(EV_CURRENT);
	e = elf_memory(image.out, elf->content.size);
	if (e == NULL || elf_kind(e) != ELF_K_ELF ||
	    gelf_getehdr(e, &eh) == NULL)
		return false;
	elf->wide = eh.e_ident[EI_CLASS] == ELFCLASS64;
	elf->swap = (eh.e_ident[EI_DATA] == ELFDATA2MSB) ==
		    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	elf->machine = eh.e_machine;
	elf->type = eh.e_type;
	read_sections(elf, e);
	read_segments(elf, e);
	elf->cut = ends_early(elf, &eh);
	elf->unplaced = !are_placed(elf, &eh);
	elf->unnamed |= elf->sections.len == 1 && eh.e_shnum > 1;
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

static struct cp_bytes
segment_bytes(const struct cp_elf *elf, const struct cp_elf_segment *s)
{
	const struct cp_content *c = &elf->content;

	if (s->offset > c->size || s->size > c->size - s->offset)
		return (struct cp_bytes){ .failed = true };
	return cp_bytes_of(c->data + s->offset, s->size, elf->swap);
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
		    segment_bytes(elf, s), s->align, elf->build_id);
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
	const struct cp_content *c = &elf->content;

	if (s == NULL || s->type == SHT_NOBITS || s->type == SHT_NULL ||
	    (s->flags & SHF_COMPRESSED) != 0 || s->offset > c->size ||
	    s->size > c->size - s->offset)
		return (struct cp_bytes){ .failed = true };
	return cp_bytes_of(c->data + s->offset, s->size, elf->swap);
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
