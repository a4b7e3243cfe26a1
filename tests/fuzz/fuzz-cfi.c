/* SPDX-License-Identifier: MIT */
/*
 * fuzz-cfi: unwind tables that lie.  An ELF file is taken as it is; anything
 * else is one table, .eh_frame or .debug_frame, of the kind that the first
 * byte says.  Every function that it claims is looked up, and the rows are
 * packed and stepped through over a small stack.
 */
#include <elf.h>

#include "symbolize/cfi/arm-exidx.h"
#include "symbolize/cfi/expression.h"
#include "symbolize/cfi/fde.h"
#include "symbolize/unwind/function-rules.h"
#include "tests/fuzz/fuzz.h"

enum { STACK = 256, FUNCTIONS = 200 };

static const uint8_t stack[STACK];

static bool
read_stack(void *ctx, uint64_t at, unsigned n, uint64_t *v)
{
	if (at < 0x1000 || at > 0x1000 + STACK - n || n == 0 || n > 8)
		return false;
	*v = 0;
	memcpy(v, stack + (at - 0x1000), n);
	return true;
}

static void
evaluate(const struct cp_arch *a, const struct cp_cfi_rule *r, bool swap)
{
	struct cp_regs regs = { 0 };
	const uint64_t cfa = 0x1010;
	struct cp_expr e = { .arch = a,
		.regs = &regs,
		.read = read_stack,
		.swap = swap,
		.cfa = &cfa };
	uint32_t steps = 5000;
	uint64_t v;

	if (r->kind != CP_CFI_EXPRESSION && r->kind != CP_CFI_VAL_EXPRESSION)
		return;
	for (unsigned i = 0; i < a->regs; i += 2)
		cp_reg_set(&regs, i, 0x1000 + 8 * i);
	(void)cp_expr_value(&e, r, &steps, &v);
}

static void
try(struct cp_cfi *c, struct cp_function_rules *rules,
    struct cp_full_rules *full, uint64_t addr)
{
	struct cp_cfi_row row;
	uint32_t steps = 20000, brief = cp_function_rule(rules, c, addr);
	bool found = cp_cfi_row_at(c, addr, &row, &steps);

	/* What is found in a brief way is the same rule. */
	if (brief != CP_RULE_NONE &&
	    (!found || cp_rule_pack(c->arch, &row, addr) != brief))
		abort();
	if (!found)
		return;
	(void)cp_rule_pack(c->arch, &row, addr);
	if (full->all.len < 1000)
		(void)cp_full_intern(full, c->arch, &row);
	evaluate(c->arch, &row.cfa, row.swap);
	for (unsigned i = 0; i < c->arch->regs; i++)
		evaluate(c->arch, &row.reg[i], row.swap);
}

static void
try_all(struct cp_cfi *c)
{
	struct cp_function_rules rules = { 0 };
	struct cp_full_rules full = { 0 };
	struct cp_cfi_section *all[] = { &c->eh, &c->debug[0] };

	try(c, &rules, &full, 0);
	try(c, &rules, &full, UINT64_MAX);
	for (size_t s = 0; s < 2; s++) {
		uint64_t at = 0, from = 0;
		bool cie;

		for (int i = 0; i < FUNCTIONS && !all[s]->bytes.failed &&
				cp_cfi_next(all[s], &at, &cie);
		     i++, from = at) {
			struct cp_cfi_fde f;

			if (cie || !cp_cfi_fde_at(all[s], from, &f))
				continue;
			try(c, &rules, &full, f.start);
			try(c, &rules, &full, f.start + 5);
			try(c, &rules, &full, f.end - 1);
		}
	}
	cp_full_free(&full);
	cp_function_rules_free(&rules);
}

static void
try_section(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "x86_64", "aarch64", "s390x",
		"riscv64" };
	uint8_t how = data[0];
	struct cp_cfi_section *s;
	struct cp_cfi c = { .arch = cp_arch_find(names[how >> 4 & 3], 2),
		.table = { .failed = true } };

	c.eh.bytes.failed = c.debug[0].bytes.failed = true;
	c.debug[1].bytes.failed = true;
	s = how & 1 ? &c.debug[0] : &c.eh;
	s->debug = how & 1;
	s->wide = (how & 2) == 0;
	s->addr = 0x1000;
	s->bytes = cp_bytes_of(data + 1, size - 1, (how & 4) != 0);
	try_all(&c);
	cp_cfi_free(&c);
}

static void
try_exidx(const struct cp_elf *elf)
{
	struct cp_exidx x;

	cp_exidx_init(&x, elf);
	for (size_t i = 0; i < elf->loads.len && i < 4; i++)
		for (uint64_t k = 0; k < 64; k++) {
			struct cp_cfi_row row;

			(void)cp_exidx_row(
			    &x, elf->loads.data[i].vaddr + 60 * k, &row);
		}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_elf elf;
	struct cp_cfi c;
	uint8_t *copy;

	if (size < 16)
		return 0;
	copy = cp_xmalloc(size);
	memcpy(copy, data, size);
	if (memcmp(data, ELFMAG, SELFMAG) != 0) {
		try_section(copy, size);
		free(copy);
	} else if (cp_elf_init(&elf,
		       (struct cp_content){ .data = copy, .size = size })) {
		cp_cfi_init(&c, cp_arch_find("x86_64", 2), &elf);
		try_all(&c);
		try_exidx(&elf);
		cp_cfi_free(&c);
		cp_elf_free(&elf);
	}
	return 0;
}
