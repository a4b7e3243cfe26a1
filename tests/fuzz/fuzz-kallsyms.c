/* SPDX-License-Identifier: MIT */
/*
 * fuzz-kallsyms: kernel symbols as text, selected and looked up as the kernel
 * symbolizer does.  Its input may come from a stranger's bundle.
 */
#include "symbolize/kallsyms.h"
#include "tests/fuzz/fuzz.h"

static void
look_up(const struct cp_kallsyms *k, const char *module, uint64_t base)
{
	struct cp_symtab t = { 0 };
	size_t hint = 0;

	cp_kallsyms_select(k, &t, module, base);
	cp_symtab_settle(&t, CP_SETTLE_KALLSYMS);
	cp_symtab_index(&t);
	for (uint64_t a = 0; a < 64; a++) {
		uint32_t n = cp_symtab_find(&t,
		    UINT64_C(0xffffffff81000000) + a * 4096, &hint);

		/* A symbol that was found has a name that can be read. */
		if (n != CP_NO_ENTRY && strlen(cp_symtab_name(&t, n)) == 0)
			abort();
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
		look_up(&k, NULL, 0);
		look_up(&k, "[ext4]", UINT64_C(0xffffffffc0000000));
	}
	cp_kallsyms_free(&k);
	return 0;
}
