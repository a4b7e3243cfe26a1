/* SPDX-License-Identifier: MIT */
/*
 * symbolize/dwarf/answer.h: what debug information tells of an address, and
 * where its reader gets other files from.
 */
#ifndef CP_SYMBOLIZE_DWARF_ANSWER_H
#define CP_SYMBOLIZE_DWARF_ANSWER_H

#include "base/strings.h"
#include "symbolize/elf/elf-file.h"

/* Where other files come from; a NULL function finds none. */
struct cp_dwarf_files {
	void *arg;
	/* What .gnu_debugaltlink names (dwz); it stays the caller's. */
	const struct cp_elf *(*alt)(void *arg);
	/*
	 * The n-th file that may be the .dwo of that path, or the package
	 * (.dwp) of this one, from 0 on until there is none.  They become the
	 * reader's, which takes those that were made together with it.
	 */
	bool (*dwo)(void *arg, const char *path, unsigned n, struct cp_elf *);
	bool (*dwp)(void *arg, unsigned n, struct cp_elf *);
};

/* A function that is active at an address, and where in it. */
struct cp_dwarf_frame {
	cp_string_id name; /* as the linker knows it, or with its scopes; 0 */
	cp_string_id file; /* 0: not known */
	uint32_t line, column; /* 0: not known */
	bool linkage;          /* the name is mangled, or plain C */
};

/* frames[first] is the function itself, frames[first + n - 1] the innermost. */
struct cp_dwarf_place {
	uint32_t first, n;
};

/* Grows from call to call. */
struct cp_dwarf_result {
	CP_VEC(struct cp_dwarf_frame) frames;
};

/*
 * Takes each file that split units were found in once, and the path of each
 * unit that was not (elf is NULL); the package's path is NULL.
 */
typedef void (*cp_dwarf_split_fn)(
    void *ctx, const char *path, const struct cp_elf *elf);

#endif
