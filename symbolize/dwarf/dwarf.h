/* SPDX-License-Identifier: MIT */
/*
 * symbolize/dwarf/dwarf.h: address -> functions inlined there, and source
 * lines, from DWARF 2 to 5.
 *
 * Made for batches: sorted addresses are grouped by compilation unit, and of
 * each unit that is hit the entries are walked once and the line program is
 * run once.  Only the sections that this takes are read.  Every input is
 * bounded; what is damaged has no answer.  Not for two threads at once, but
 * of one file there may be several readers.
 */
#ifndef CP_SYMBOLIZE_DWARF_DWARF_H
#define CP_SYMBOLIZE_DWARF_DWARF_H

#include "base/strings.h"
#include "symbolize/elf/elf-file.h"

struct cp_dwarf;

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

/* NULL if there is no debug information; elf must outlive it. */
struct cp_dwarf *cp_dwarf_open(
    const struct cp_elf *, const struct cp_dwarf_files *);
void cp_dwarf_free(struct cp_dwarf *);

/*
 * Answers n ascending addresses of the image (of a relocatable file: counted
 * from .text); out has n elements.
 */
void cp_dwarf_lookup(struct cp_dwarf *, const uint64_t *addr, size_t n,
    struct cp_dwarf_result *, struct cp_dwarf_place *out);
/* The same answers, by up to so many threads; of them only the caller's asks
 * for other files. */
void cp_dwarf_lookup_by(struct cp_dwarf *, unsigned threads,
    const uint64_t *addr, size_t n, struct cp_dwarf_result *,
    struct cp_dwarf_place *out);
/* False if a split unit or a supplement was not found, or the last look-up
 * was more work than the size of the file justifies. */
bool cp_dwarf_complete(const struct cp_dwarf *);
/* What the last look-up ran into, so that something is missing, or NULL. */
const char *cp_dwarf_limit(const struct cp_dwarf *);
/*
 * Gives each file that split units were found in once, and the path of each
 * unit that was not (elf is NULL); the package's path is NULL.  For bundles.
 */
typedef void (*cp_dwarf_split_fn)(
    void *ctx, const char *path, const struct cp_elf *elf);
void cp_dwarf_splits(struct cp_dwarf *, cp_dwarf_split_fn, void *ctx);
/* Text of the ids above; lives as long as the reader. */
const char *cp_dwarf_string(const struct cp_dwarf *, cp_string_id);
/* MD5 of the text of a source file that was answered; NULL: not said. */
const uint8_t *cp_dwarf_md5(const struct cp_dwarf *, cp_string_id file);

#endif
