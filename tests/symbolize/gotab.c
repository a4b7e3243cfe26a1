/* SPDX-License-Identifier: MIT */
/*
 * gotab [-u UNAME] FILE < ADDRESSES: what a Go program keeps of itself.  For
 * each address a line
 *
 *	FUNCTION|CFA of the stack pointer,where the return address is|NAME
 *	FILE:LINE|...
 *
 * with the innermost of inlined functions first; "-" for what is not known.
 * With -n all functions instead, each with where it starts and ends.
 */
#include <fcntl.h>
#include <unistd.h>

#include "symbolize/golang/pclntab.h"

static struct cp_strings texts;

static void
print_row(const struct cp_gotab *t, const struct cp_arch *a, uint64_t addr)
{
	struct cp_cfi_row row;
	uint32_t steps = 1u << 20;

	if (a == NULL || !cp_gotab_row(t, a, addr, &row, &steps)) {
		printf("-");
		return;
	}
	printf("%" PRId64, row.cfa.u.offset);
	switch (row.reg[row.ra].kind) {
	case CP_CFI_UNDEFINED: printf(",end"); break;
	case CP_CFI_OFFSET:
		printf(",c%+" PRId64, row.reg[row.ra].u.offset);
		break;
	default: printf(",same"); break;
	}
}

static void
print_lines(const struct cp_gotab *t, uint64_t addr)
{
	struct cp_dwarf_result r = { 0 };
	uint64_t steps = 1u << 20;
	struct cp_dwarf_place p = cp_gotab_lines(t, addr, &steps, &texts, &r);

	for (uint32_t i = p.n; i > 0; i--) {
		const struct cp_dwarf_frame *f =
		    &r.frames.data[p.first + i - 1];

		printf("|%s\t%s:%" PRIu32, cp_strings_get(&texts, f->name),
		    cp_strings_get(&texts, f->file), f->line);
	}
	printf(p.n == 0 ? "|-\n" : "\n");
	cp_vec_free(&r.frames);
}

static void
print_functions(const struct cp_gotab *t)
{
	struct cp_go_function f;

	for (size_t i = 0; i < t->n; i++)
		if (cp_gotab_function(t, i, &f))
			printf("%" PRIx64 " %" PRIx64 " %s\n", f.start, f.end,
			    f.name);
}

int
main(int argc, char **argv)
{
	const char *uname = "x86_64";
	char line[64];
	bool all = false;
	struct cp_elf elf;
	struct cp_gotab t;
	int option;

	while ((option = getopt(argc, argv, "nu:")) != -1)
		if (option == 'n')
			all = true;
		else if (option == 'u')
			uname = optarg;
		else
			return 2;
	if (optind + 1 != argc ||
	    !cp_elf_open(&elf, open(argv[optind], O_RDONLY | O_CLOEXEC)))
		return 2;
	if (!cp_gotab_init(&t, &elf))
		return 3;
	if (all)
		print_functions(&t);
	while (!all && fgets(line, sizeof(line), stdin) != NULL) {
		uint64_t addr = strtoull(line, NULL, 16);
		struct cp_go_function f;

		printf("%s|", cp_gotab_find(&t, addr, &f) ? f.name : "-");
		print_row(&t, cp_arch_find(uname, 2), addr);
		print_lines(&t, addr);
	}
	cp_gotab_free(&t);
	cp_elf_free(&elf);
	cp_strings_free(&texts);
	return 0;
}
