/* SPDX-License-Identifier: MIT */
/*
 * symtab FILE...: CPU time to bring the symbols of ELF files into the form
 * for looking up, by the symbol; the median of nine.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "symbolize/elf/symbols.h"
#include "base/safe-file.h"

#define RUNS 9

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Symbols of the table, functions or not. */
static size_t
count(const struct cp_elf *elf)
{
	struct cp_elf_symbols s;
	size_t n = 0;

	for (size_t i = 0; i < elf->sections.len; i++) {
		const struct cp_elf_section *x = &elf->sections.data[i];

		if (x->type == SHT_SYMTAB && cp_elf_symbols(&s, elf, x))
			n += s.count;
	}
	return n;
}

static void
measure(const char *path)
{
	double took[RUNS];
	size_t n = 0, kept = 0;

	for (int i = 0; i < RUNS; i++) {
		struct cp_symtab t = { 0 };
		struct cp_elf elf;
		double start;

		if (!cp_elf_open(&elf, cp_objfile_open(path)))
			return;
		start = now();
		cp_elf_add_table(&t, &elf,
		    &(struct cp_elf_view){
			.runtime = &elf, .terms = CP_TERMS_IMAGE },
		    SHT_SYMTAB);
		cp_symtab_index(&t);
		took[i] = now() - start;
		n = count(&elf);
		kept = t.all.len;
		cp_symtab_free(&t);
		cp_elf_free(&elf);
	}
	qsort(took, RUNS, sizeof(took[0]), ascending);
	printf("| %s | %zu | %zu | %.1f ms | %.0f ns |\n", path, n, kept,
	    took[RUNS / 2] / 1e6, took[RUNS / 2] / (double)(n != 0 ? n : 1));
}

int
main(int argc, char **argv)
{
	printf("| file | symbols | functions | build | a symbol |\n"
	       "|---|---|---|---|---|\n");
	for (int i = 1; i < argc; i++)
		measure(argv[i]);
	return 0;
}
