/* SPDX-License-Identifier: MIT */
/* fuzz-perfmap: the text of a perf map, read and looked through. */
#include "symbolize/symbolizers/perfmap-text.h"
#include "tests/fuzz/fuzz.h"

static void
check(const struct cp_symtab *t, uint64_t addr)
{
	size_t hint = 0;
	uint32_t e = cp_symtab_find(t, addr, &hint);

	if (e != CP_NO_ENTRY && strlen(t->all.data[e].name) == 0)
		abort(); /* a symbol that was found has a name */
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_content text = { .size = size };
	struct cp_symtab t = { 0 };
	struct cp_maptext m;
	struct cp_mapspan span;
	uint8_t *copy;

	if (size == 0)
		return 0;
	copy = cp_xmalloc(size);
	memcpy(copy, data, size);
	text.data = copy;
	span = cp_maptext_span(&text, 0x1000, UINT64_C(1) << 47);
	cp_maptext_read(&m, &text, &t);
	if (span.all != m.lines || span.inside > span.all ||
	    span.low > span.high || t.all.len != m.lines)
		abort();
	for (size_t i = 0; i < t.segments; i++) {
		if (i > 0 && t.key[i] <= t.key[i - 1])
			abort();
		check(&t, t.key[i]);
		check(&t, t.key[i] - 1);
	}
	cp_symtab_free(&t);
	cp_content_free(&text);
	return 0;
}
