/* SPDX-License-Identifier: MIT */
/*
 * symbolize/walkdirs.h: the folders and files of --symbols, looked through
 * once and indexed by build ID.
 *
 * Folders are walked without following links, to a bounded depth and number
 * of files; of each ELF file only headers and notes are read.
 */
#ifndef CP_SYMBOLIZE_WALKDIRS_H
#define CP_SYMBOLIZE_WALKDIRS_H

#include "base/diag.h"
#include "base/vec.h"

struct cp_symdir_file {
	const char *path;
	uint8_t build_id_size;
	uint8_t build_id[20];
	bool given;   /* by the user himself, not met in a folder */
	bool symbols; /* has .symtab */
	bool elf;     /* else a text: kallsyms */
};

struct cp_symdirs {
	bool scanned;
	struct cp_arena arena;
	CP_VEC(struct cp_symdir_file)
	files; /* sorted by path, folder by folder */
	CP_VEC(const char *) roots;
};

void cp_symdirs_scan(
    struct cp_symdirs *, const char *const *paths, size_t n, struct cp_diags *);
void cp_symdirs_free(struct cp_symdirs *);

#endif
