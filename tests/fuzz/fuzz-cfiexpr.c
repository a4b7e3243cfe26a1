/* SPDX-License-Identifier: MIT */
/*
 * fuzz-cfiexpr: a DWARF expression, over registers and memory that the rest
 * of the input gives.  It ends within its steps, whatever it does.
 */
#include "symbolize/cfi/expression.h"
#include "tests/fuzz/fuzz.h"

struct memory {
	const uint8_t *data;
	size_t size;
};

static bool
read_memory(void *ctx, uint64_t at, unsigned n, uint64_t *v)
{
	const struct memory *m = ctx;

	if (n == 0 || n > 8 || at >= m->size || m->size - at < n)
		return false;
	*v = 0;
	memcpy(v, m->data + at, n);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory m = { data, size };
	struct cp_regs regs = { 0 };
	struct cp_expr e = { .regs = &regs, .read = read_memory, .ctx = &m };
	struct cp_cfi_rule r = { .kind = CP_CFI_EXPRESSION };
	uint32_t steps = 10000;
	uint64_t out, cfa = 64;
	uint8_t *copy;

	if (size < 20 || size > 100000)
		return 0;
	e.arch =
	    data[0] & 1 ? cp_arch_find("x86_64", 2) : cp_arch_find("i686", 1);
	e.swap = (data[0] & 2) != 0;
	e.cfa = data[0] & 4 ? &cfa : NULL;
	for (unsigned i = 0; i < 16 && (data[1] >> (i % 8) & 1); i++)
		cp_reg_set(&regs, i, data[2 + i]);
	r.size = (uint32_t)(size - 20);
	copy = cp_xmalloc(size);
	memcpy(copy, data + 20, r.size);
	r.u.expression = copy;
	if (cp_expr_value(&e, &r, &steps, &out) == CP_EVAL_LIMIT && steps != 0)
		abort();
	free(copy);
	return 0;
}
