/* SPDX-License-Identifier: MIT */
/*
 * debug-sections A B: that both files hold the same debug sections, however
 * they are packed.  Prints what differs; exit 1 if anything does.
 */
#include <fcntl.h>

#include "symbolize/elf/section-data.h"

static const char *const names[] = { ".debug_info", ".debug_abbrev",
	".debug_line", ".debug_str", ".debug_line_str", ".debug_rnglists",
	".debug_ranges", ".debug_aranges", ".debug_frame" };

static bool
open_file(struct cp_elf *elf, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (cp_elf_open(elf, fd))
		return true;
	printf("%s: no ELF file\n", path);
	return false;
}

static bool
same(const struct cp_elf *a, const struct cp_elf *b, const char *name)
{
	struct cp_bytes x = cp_elf_data_of(a, name);
	struct cp_bytes y = cp_elf_data_of(b, name);
	size_t n = cp_bytes_left(&x);

	if (x.failed && y.failed)
		return true;
	if (x.failed || y.failed || n != cp_bytes_left(&y)) {
		printf("%s: %zu and %zu bytes\n", name, n, cp_bytes_left(&y));
		return false;
	}
	for (size_t i = 0; i < n; i++)
		if (x.at[i] != y.at[i]) {
			printf("%s: differs at %zu\n", name, i);
			return false;
		}
	printf("%s: %zu bytes\n", name, n);
	return true;
}

int
main(int argc, char **argv)
{
	struct cp_elf a, b;
	bool ok = true;

	if (argc != 3 || !open_file(&a, argv[1]) || !open_file(&b, argv[2]))
		return 2;
	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		ok &= same(&a, &b, names[i]);
	if (cp_elf_inflated(&a) + cp_elf_inflated(&b) == 0)
		printf("nothing was packed\n"), ok = false;
	cp_elf_free(&a);
	cp_elf_free(&b);
	return ok ? 0 : 1;
}
