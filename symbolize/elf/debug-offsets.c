/* SPDX-License-Identifier: MIT */
/*
 * A debug file without the file it was made from.  Its segments keep their
 * addresses but not their offsets, which is what samples were recorded by.
 * GNU's linkers lay code out so that both have the same distance to the first
 * segment; others add pages in between, and are known by their .comment.
 */
#define _GNU_SOURCE /* memmem */
#include "symbolize/elf/elf-file.h"

static bool
mentions(struct cp_bytes b, const char *word)
{
	return !b.failed &&
	       memmem(b.at, cp_bytes_left(&b), word, strlen(word)) != NULL;
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
		s->offset = s->vaddr - first->vaddr;
	}
	return true;
}
