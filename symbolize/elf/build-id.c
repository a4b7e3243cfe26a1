/* SPDX-License-Identifier: MIT */
/*
 * Build IDs in ELF notes: the note "GNU" of type 3, in a note segment or, in
 * files without segments, in a note section.  IDs over 20 bytes are cut, as
 * the recording does it.
 */
#include <elf.h>

#include "base/limits.h"
#include "symbolize/elf/elf-file.h"

/* Steps over a field that is padded to align. */
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

void
cp_elf_find_build_id(struct cp_elf *elf)
{
	size_t left = CP_MAX_NOTES;

	/* Sections first: in a debug file segments may point elsewhere. */
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
