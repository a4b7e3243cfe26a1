/* SPDX-License-Identifier: MIT */
/*
 * Files with debug information.  Their sections are read when first needed.
 */
#include "symbolize/dwarf/internal.h"

static const char *const section_names[DW_SECTIONS] = {
	[DW_INFO] = ".debug_info",
	[DW_TYPES] = ".debug_types",
	[DW_ABBREV] = ".debug_abbrev",
	[DW_STR] = ".debug_str",
	[DW_LINE] = ".debug_line",
	[DW_LINE_STR] = ".debug_line_str",
	[DW_RANGES] = ".debug_ranges",
	[DW_RNGLISTS] = ".debug_rnglists",
	[DW_ADDR] = ".debug_addr",
	[DW_STR_OFFSETS] = ".debug_str_offsets",
	[DW_ARANGES] = ".debug_aranges",
	[DW_CU_INDEX] = ".debug_cu_index",
	[DW_TU_INDEX] = ".debug_tu_index",
};

void
dw_file_init(struct dw_file *f, struct cp_dwarf *d, const struct cp_elf *elf)
{
	f->dwarf = d;
	f->elf = elf;
	f->swap = elf->swap;
}

struct dw_file *
dw_file_add(struct cp_dwarf *d, struct cp_elf *elf, bool dwo)
{
	struct dw_file *f;

	/* The file's number is part of a cache key, see name.c. */
	if (d->others.len >= CP_MAX_DWO_FILES) {
		cp_elf_free(elf);
		return NULL;
	}
	f = cp_arena_alloc(&d->arena, sizeof(*f));
	f->own = *elf;
	f->dwo = dwo;
	f->number = (uint16_t)(d->others.len + 1);
	dw_file_init(f, d, &f->own);
	d->damaged |= cp_elf_damage(f->elf) != NULL;
	*cp_vec_push(&d->others) = f;
	return f;
}

static struct cp_bytes
load(struct dw_file *f, enum dw_section s)
{
	struct cp_bytes b;
	char name[40];

	/* The indexes of a package have no .dwo suffix. */
	snprintf(name, sizeof(name), "%s%s", section_names[s],
	    f->dwo && s != DW_CU_INDEX && s != DW_TU_INDEX ? ".dwo" : "");
	b = cp_elf_data_of(f->elf, name);
	if (b.failed && cp_elf_has_data(f->elf, name))
		f->dwarf->damaged = true;
	if (b.failed || b.at == NULL)
		b = (struct cp_bytes){ .at = (const uint8_t *)"",
			.end = (const uint8_t *)"",
			.failed = true };
	b.end = b.failed ? b.at : b.end;
	return b;
}

struct cp_bytes
dw_section(struct dw_file *f, enum dw_section s)
{
	if (!f->loaded[s]) {
		f->loaded[s] = true;
		f->section[s] = load(f, s);
		f->section[s].swap = f->swap;
	}
	return f->section[s];
}

struct cp_bytes
dw_section_at(struct dw_file *f, enum dw_section s, uint64_t at)
{
	struct cp_bytes b = dw_section(f, s);

	if (at > cp_bytes_left(&b)) {
		b.failed = true;
		b.at = b.end;
	} else {
		b.at += at;
	}
	return b;
}

struct dw_file *
dw_alt(struct cp_dwarf *d)
{
	const struct cp_elf *elf;
	struct cp_elf none = { 0 };

	if (d->alt_tried)
		return d->alt;
	d->alt_tried = true;
	elf = d->files.alt != NULL ? d->files.alt(d->files.arg) : NULL;
	if (elf == NULL) {
		d->incomplete = true;
		return NULL;
	}
	d->alt = dw_file_add(d, &none, false);
	if (d->alt != NULL)
		dw_file_init(d->alt, d, elf);
	d->damaged |= cp_elf_damage(elf) != NULL;
	return d->alt;
}
