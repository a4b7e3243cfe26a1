/* SPDX-License-Identifier: MIT */
/*
 * fuzz-gotab: tables of Go programs that lie.  An ELF file is taken as it is;
 * anything else is one table of a program that the first byte says the byte
 * order and the kind of.  Every function is looked up and becomes a symbol.
 */
#include <elf.h>

#include "symbolize/golang/pclntab.h"
#include "tests/fuzz/fuzz.h"

enum { FUNCTIONS = 500, STEPS = 2000 };
#define BASE UINT64_C(0x400000)

static volatile size_t sink; /* keeps the reads */

static void
try(const struct cp_gotab *t, uint64_t addr)
{
	static const char *const names[] = { "x86_64", "aarch64", "s390x" };
	struct cp_strings texts = { 0 };
	struct cp_dwarf_result r = { 0 };
	uint64_t steps = STEPS;
	struct cp_dwarf_place p = cp_gotab_lines(t, addr, &steps, &texts, &r);

	for (uint32_t i = 0; i < p.n; i++)
		sink += strlen(
		    cp_strings_get(&texts, r.frames.data[p.first + i].file));
	if (p.first + p.n != r.frames.len)
		abort();
	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++) {
		struct cp_cfi_row row;
		uint32_t few = STEPS;

		(void)cp_gotab_row(
		    t, cp_arch_find(names[i], 2), addr, &row, &few);
	}
	cp_vec_free(&r.frames);
	cp_strings_free(&texts);
}

static void
try_names(const struct cp_gotab *t)
{
	struct cp_elf_view v = { .runtime = t->elf };
	struct cp_symtab tab = { 0 };

	cp_gotab_add_names(&tab, t, &v);
	cp_symtab_index(&tab);
	for (uint32_t i = 0; i < CP_MIN(tab.all.len, FUNCTIONS); i++)
		sink += strlen(cp_symtab_name(&tab, i));
	cp_symtab_free(&tab);
}

static void
try_all(const struct cp_elf *elf)
{
	struct cp_gotab t;

	if (!cp_gotab_init(&t, elf))
		return;
	try(&t, 0);
	try(&t, UINT64_MAX);
	for (size_t i = 0; i < CP_MIN(t.n, FUNCTIONS); i++) {
		struct cp_go_function f;

		if (!cp_gotab_function(&t, i, &f))
			continue;
		try(&t, f.start);
		try(&t, f.end - 1);
	}
	try_names(&t);
	cp_gotab_free(&t);
}

/* The first byte: 1 the other byte order, 2 of 32 bits, 4 relocated data. */
static void
try_table(struct cp_content c)
{
	struct cp_elf elf = { .content = c,
		.swap = c.data[0] & 1,
		.wide = !(c.data[0] & 2),
		.machine = EM_X86_64,
		.type = ET_EXEC };
	bool inside = c.data[0] & 4;

	*cp_vec_push(&elf.sections) = (struct cp_elf_section){ .name = "" };
	*cp_vec_push(&elf.sections) =
	    (struct cp_elf_section){ .name =
					 inside ? ".data.rel.ro" : ".gopclntab",
		    .type = SHT_PROGBITS,
		    .flags = SHF_ALLOC | SHF_WRITE,
		    .addr = BASE + 8,
		    .offset = 8,
		    .size = c.size - 8 };
	*cp_vec_push(&elf.sections) =
	    (struct cp_elf_section){ .name = ".go.buildinfo",
		    .type = SHT_NOBITS };
	*cp_vec_push(&elf.loads) = (struct cp_elf_segment){
		.vaddr = BASE, .size = c.size, .file_size = c.size
	};
	try_all(&elf);
	cp_elf_free(&elf);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_elf elf;
	uint8_t *copy;

	if (size < 16)
		return 0;
	copy = cp_xmalloc(size);
	memcpy(copy, data, size);
	if (memcmp(data, ELFMAG, SELFMAG) != 0) {
		try_table((struct cp_content){ .data = copy, .size = size });
	} else if (cp_elf_init(&elf,
		       (struct cp_content){ .data = copy, .size = size })) {
		try_all(&elf);
		cp_elf_free(&elf);
	}
	return 0;
}
