/* SPDX-License-Identifier: MIT */
/*
 * symbolize/opinion/opinion.h: asks elfutils about an address, for `check`.
 *
 * This room asks libdwfl for names and libdw for inlined functions and lines.
 * It shares no code with the rooms that it is compared to: its input is the
 * bytes of a file and an address of the image.  It may use elf/ for its type of
 * a file. libdw is loaded when the first file is opened.  One thread only.
 * Where elfutils' headers were missing, none.c stands for it all.
 */
#ifndef CP_SYMBOLIZE_OPINION_OPINION_H
#define CP_SYMBOLIZE_OPINION_OPINION_H

#include "symbolize/elf/elf-file.h"

struct cp_opinion;

/* NULL: elfutils can be asked; else why not, as a few words. */
const char *cp_opinion_missing(void);

/*
 * Opens a file for questions.  The elf files must live longer; alt, or NULL,
 * is the supplementary file (dwz).  NULL: elfutils cannot read it, or it would
 * have to change it (relocatable files).
 */
struct cp_opinion *cp_opinion_open(
    const struct cp_elf *, const struct cp_elf *alt);
void cp_opinion_free(struct cp_opinion *);

struct cp_opinion_name {
	const char *name; /* NULL: none */
	uint64_t start, size;
};
struct cp_opinion_name cp_opinion_name(struct cp_opinion *, uint64_t vaddr);

/* A function that is active at an address, and the line in it. */
struct cp_opinion_spot {
	const char *linkage; /* linkage name, or NULL */
	const char *name;    /* name without scopes, or NULL */
	uint32_t line;       /* 0: not known */
};
/* Outermost first; returns their number, 0 if nothing is known. */
size_t cp_opinion_spots(struct cp_opinion *, uint64_t vaddr,
    struct cp_opinion_spot *out, size_t max);

#endif
