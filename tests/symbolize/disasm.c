/* SPDX-License-Identifier: MIT */
/*
 * Prints the instructions of the .text of an ELF file: address, size, target
 * or -, text; for disasm.t.  `disasm FILE [thumb]`.
 */
#include "symbolize/insn/disasm.h"
#include "symbolize/elf/elf-file.h"

static void
print_all(struct cp_disasm *d, struct cp_bytes b)
{
	const uint8_t *start = b.at;

	while (b.at < b.end) {
		struct cp_insn in;

		cp_disasm_next(
		    d, b.at, cp_bytes_left(&b), (uint64_t)(b.at - start), &in);
		printf("%" PRIx64 "\t%" PRIu32 "\t", in.addr, in.size);
		if (in.has_target && !in.is_call)
			printf("%" PRIx64, in.target);
		else
			printf("-");
		printf("\t%s\n", in.text);
		b.at += in.size;
	}
}

int
main(int argc, char **argv)
{
	struct cp_machine m = { 0 };
	struct cp_disasm *d;
	struct cp_elf elf;
	const char *why;

	if (argc < 2 || !cp_elf_open(&elf, cp_objfile_open(argv[1])))
		return 2;
	m.machine = elf.machine;
	m.wide = elf.wide;
	m.big = elf.swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	d = cp_disasm_open(&m, false, &why);
	if (d == NULL)
		printf("%s\n", why);
	else if (argc > 2)
		cp_disasm_thumb(d, true);
	if (d != NULL)
		print_all(d, cp_elf_bytes(&elf, cp_elf_section(&elf, ".text")));
	cp_disasm_free(d);
	cp_elf_free(&elf);
	return d == NULL ? 3 : 0;
}
