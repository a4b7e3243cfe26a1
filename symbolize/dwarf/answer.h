/* SPDX-License-Identifier: MIT */
/*
 * symbolize/dwarf/answer.h: the result for an address, and the callbacks by
 * which the reader opens other files.
 */
#ifndef CP_SYMBOLIZE_DWARF_ANSWER_H
#define CP_SYMBOLIZE_DWARF_ANSWER_H

#include "base/strings.h"
#include "symbolize/elf/elf-file.h"

/* Callbacks that open other files; a NULL function finds none. */
struct cp_dwarf_files {
	void *arg;
	/* Returns the file of .gnu_debugaltlink (dwz); the caller keeps it. */
	const struct cp_elf *(*alt)(void *arg);
	/*
	 * Opens the n-th candidate, counted from 0, for the .dwo of that path
	 * or for the package (.dwp).  False: there is none.  The reader then
	 * owns the file, and uses it if its unit ids match.
	 */
	bool (*dwo)(void *arg, const char *path, unsigned n, struct cp_elf *);
	bool (*dwp)(void *arg, unsigned n, struct cp_elf *);
};

/* A function active at an address, and the place in it. */
struct cp_dwarf_frame {
	/* linkage name, or the name with its scopes; 0: none */
	cp_string_id name;
	cp_string_id file;     /* 0: unknown */
	uint32_t line, column; /* 0: unknown */
	/* the name is a linkage name: mangled, or plain C */
	bool linkage;
};

/*
 * frames[first] is the function, frames[first + n - 1] the innermost inlined.
 */
struct cp_dwarf_place {
	uint32_t first, n;
};

/* Frames; each look-up appends. */
struct cp_dwarf_result {
	CP_VEC(struct cp_dwarf_frame) frames;
};

/*
 * Called once for each file where split units were found, and for the path of
 * each unit that was not found (elf is NULL).  A package has no path.
 */
typedef void (*cp_dwarf_split_fn)(
    void *ctx, const char *path, const struct cp_elf *elf);

#endif
