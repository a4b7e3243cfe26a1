/* SPDX-License-Identifier: MIT */
/*
 * fuzz-kallsyms: kernel symbols as text, selected and looked up as the kernel
 * symbolizer does.  Its input may come from a stranger's bundle.
 */
#include "symbolize/kernel/kallsyms.h"
#include "tests/fuzz/fuzz.h"

/* What is picked for an address is what the whole text has for it. */
static void
pick(const struct cp_kallsyms *k, struct cp_symtab *whole, uint64_t addr)
{
	struct cp_arena arena = { 0 };
	struct cp_symtab t = { 0 };
	size_t hint = 0, other = 0;
	uint32_t n = cp_symtab_find(whole, addr, &hint), m;
	const char *a, *b;

	cp_kallsyms_pick(k, &t, 0, &addr, 1, &arena);
	cp_symtab_index(&t);
	m = cp_symtab_find(&t, addr, &other);
	a = n != CP_NO_ENTRY ? cp_symtab_name(whole, n) : "";
	b = m != CP_NO_ENTRY ? cp_symtab_name(&t, m) : "";
	if (strcmp(a, b) != 0 ||
	    (n != CP_NO_ENTRY && whole->all.data[n].end != t.all.data[m].end))
		abort();
	cp_symtab_free(&t);
	cp_arena_free(&arena);
}

static void
look_up(const struct cp_kallsyms *k, const char *module, uint64_t base)
{
	struct cp_symtab t = { 0 };
	size_t hint = 0;

	cp_kallsyms_select(k, &t, module, base);
	cp_symtab_settle(&t, CP_SETTLE_KALLSYMS);
	cp_symtab_index(&t);
	for (uint64_t a = 0; a < 64; a++) {
		uint32_t n = cp_symtab_find(
		    &t, UINT64_C(0xffffffff81000000) + a * 4096, &hint);

		/* A symbol that was found has a name that can be read. */
		if (n != CP_NO_ENTRY && strlen(cp_symtab_name(&t, n)) == 0)
			abort();
	}
	cp_symtab_free(&t);
}

static void
pick_all(const struct cp_kallsyms *k)
{
	struct cp_symtab t = { 0 };

	cp_kallsyms_select(k, &t, NULL, 0);
	cp_symtab_index(&t);
	for (size_t i = 0; i < t.all.len && i < 64; i++) {
		pick(k, &t, t.all.data[i].start);
		pick(k, &t, t.all.data[i].end - 1);
		pick(k, &t, t.all.data[i].end);
	}
	cp_symtab_free(&t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_content text = { .size = size };
	struct cp_kallsyms k = { 0 };
	uint8_t *copy;

	if (size == 0)
		return 0;
	copy = cp_xmalloc(size);
	memcpy(copy, data, size);
	text.data = copy;
	if (cp_kallsyms_init(&k, text)) {
		cp_kallsyms_slide(&k, "_text", UINT64_C(0xffffffff81000000));
		cp_kallsyms_whole(&k);
		if (k.orderly)
			pick_all(&k);
		look_up(&k, NULL, 0);
		look_up(&k, "[ext4]", UINT64_C(0xffffffffc0000000));
	}
	cp_kallsyms_free(&k);
	return 0;
}
