/* SPDX-License-Identifier: MIT */
/*
 * Tells what a debug file's addresses are in its runtime file, and restores
 * file offsets in a debug file whose runtime file is missing.
 *
 * Segments of a debug file keep their addresses but lose their offsets, by
 * which samples were recorded.  GNU's linkers keep the distance of code to the
 * first segment the same in file and memory.  Other linkers insert pages;
 * .comment tells them.
 */
#define _GNU_SOURCE /* memmem */
#include "symbolize/elf/elf-file.h"

static bool
mentions(struct cp_bytes b, const char *word)
{
	return !b.failed &&
	       memmem(b.at, cp_bytes_left(&b), word, strlen(word)) != NULL;
}

static const struct cp_elf_segment *
first_code(const struct cp_elf *elf)
{
	for (size_t i = 0; i < elf->loads.len; i++)
		if (elf->loads.data[i].exec)
			return &elf->loads.data[i];
	return NULL;
}

uint64_t
cp_elf_moved(const struct cp_elf *elf, const struct cp_elf *debug)
{
	const struct cp_elf_segment *x = first_code(elf);
	const struct cp_elf_segment *y = first_code(debug);

	return x != NULL && y != NULL && x->size == y->size
		   ? x->vaddr - y->vaddr
		   : 0;
}

bool
cp_elf_restore_offsets(struct cp_elf *elf)
{
	struct cp_bytes comment =
	    cp_elf_bytes(elf, cp_elf_section(elf, ".comment"));
	struct cp_elf_segment *first = elf->loads.data;
	bool other = mentions(comment, "LLD") || mentions(comment, "mold");

	for (size_t i = 0; i < elf->loads.len; i++) {
		struct cp_elf_segment *s = &elf->loads.data[i];

		if (!s->hollow)
			continue;
		if (other || first->offset != 0)
			return false;
		s->offset = s->mapped = s->vaddr - first->vaddr;
	}
	return true;
}
