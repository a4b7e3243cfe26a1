/* SPDX-License-Identifier: MIT */
/*
 * fuzz-elf: symbols of an ELF file, and of a kallsyms text.
 *
 * Every table is loaded in every kind of terms and looked through.  What is
 * no ELF file is read as kallsyms, and its start is demangled.
 */
#include <elf.h>

#include "base/limits.h"
#include "symbolize/demangle/demangle.h"
#include "symbolize/elf/symbols.h"
#include "symbolize/kernel/kallsyms.h"
#include "tests/fuzz/fuzz.h"

/* Names that are demangled of one input: some cost milliseconds. */
#define NAMES 256

static volatile size_t sink; /* keeps the reads */

static struct cp_content
copy_of(const uint8_t *data, size_t size)
{
	uint8_t *p = malloc(size != 0 ? size : 1);

	if (p == NULL)
		abort();
	if (size != 0)
		memcpy(p, data, size);
	return (struct cp_content){ .data = p, .size = size };
}

static void
demangle(const char *name)
{
	for (int how = CP_DEMANGLE_SIMPLE; how <= CP_DEMANGLE_FULL; how++) {
		char *s = cp_demangle(name, (enum cp_demangle)how);

		sink += s != NULL ? strlen(s) : 0;
		free(s);
	}
}

static void
look_around(struct cp_symtab *t)
{
	uint64_t last = 0;
	size_t hint = 0;

	for (size_t i = 0; i < t->segments; i++) {
		if (i > 0 && t->key[i] <= last)
			abort(); /* not ascending */
		last = t->key[i];
		sink += cp_symtab_find(t, last, &hint);
		sink += cp_symtab_find(t, last - 1, &hint);
	}
	for (uint32_t i = 0; i < CP_MIN(t->all.len, NAMES); i++)
		demangle(cp_symtab_name(t, i));
}

static void
load(const struct cp_elf *elf, enum cp_elf_terms terms)
{
	struct cp_elf_view v = { .runtime = elf, .terms = terms, .slide = 99 };
	struct cp_symtab t = { 0 };
	struct cp_elf inner;
	bool has_inner = cp_elf_open_debugdata(&inner, elf);

	cp_elf_add_table(&t, elf, &v, SHT_SYMTAB);
	if (has_inner)
		cp_elf_add_table(&t, &inner, &v, SHT_SYMTAB);
	cp_elf_add_table(&t, elf, &v, SHT_DYNSYM);
	cp_elf_add_plt(&t, &v);
	cp_symtab_index(&t);
	look_around(&t);
	cp_symtab_free(&t);
	if (has_inner)
		cp_elf_free(&inner);
}

static void
run_text(const uint8_t *data, size_t size)
{
	struct cp_kallsyms k;
	struct cp_symtab t = { 0 };
	char name[512] = { 0 };

	memcpy(name, data, CP_MIN(size, sizeof(name) - 1));
	demangle(name);
	if (!cp_kallsyms_init(&k, copy_of(data, size)))
		return;
	sink += cp_kallsyms_slide(&k, "_text", 0x1000);
	cp_kallsyms_select(&k, &t, NULL, 0x1000);
	cp_symtab_index(&t);
	look_around(&t);
	cp_symtab_free(&t);
	cp_kallsyms_select(&k, &t, "[ext4]", 0x1000);
	cp_symtab_free(&t);
	cp_kallsyms_free(&k);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_elf elf;
	uint64_t v;

	if (!cp_elf_init(&elf, copy_of(data, size))) {
		run_text(data, size);
		return 0;
	}
	sink += cp_elf_symbol_value(&elf, "main", &v);
	load(&elf, CP_TERMS_OFFSET);
	load(&elf, CP_TERMS_IMAGE);
	load(&elf, CP_TERMS_MODULE);
	cp_elf_free(&elf);
	return 0;
}
