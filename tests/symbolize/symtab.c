/* SPDX-License-Identifier: MIT */
/*
 * The look-up form of symbol tables: order, ends, aliases, nesting; and all
 * of it against the plain definition on random tables.
 */
#include "symbolize/symtab/symtab.h"

#include <elf.h>

#include "tests/symbolize/symbol-at.h"
#include "tests/tap.h"

static void
push(struct cp_symtab *t, uint64_t start, uint64_t size, const char *name)
{
	*cp_symtab_push(t) = (struct cp_entry){ .start = start,
		.end = start + size,
		.name = name,
		.bind = STB_GLOBAL,
		.type = STT_FUNC };
}

static void
test_nesting(void)
{
	struct cp_symtab t = { 0 };

	push(&t, 10, 10, "inner");
	push(&t, 0, 100, "outer");
	push(&t, 90, 20, "over");
	push(&t, 200, 0, "label");
	push(&t, 300, 8, "last");
	cp_symtab_settle(&t, CP_SETTLE_ELF);
	cp_symtab_index(&t);
	is_str(at(&t, 5), "outer", "before the inner symbol");
	is_str(at(&t, 10), "inner", "first byte of the inner symbol");
	is_str(at(&t, 19), "inner", "last byte of the inner symbol");
	is_str(at(&t, 20), "outer", "after the inner symbol");
	is_str(at(&t, 95), "over", "where two overlap the later one counts");
	is_str(at(&t, 105), "over", "past the end of the earlier one");
	is_str(at(&t, 110), NULL, "a gap");
	is_str(at(&t, 299), "label", "size 0 reaches up to the next symbol");
	is_str(at(&t, 307), "last", "last byte of all");
	is_str(at(&t, 308), NULL, "past all");
	cp_symtab_free(&t);
}

static void
test_ends(void)
{
	struct cp_symtab t = { 0 };

	push(&t, UINT64_C(0xffffffff81000010), 0, "b");
	push(&t, 0x10, 4, "low");
	push(&t, UINT64_C(0xffffffff81000000), 0, "a");
	cp_symtab_settle(&t, CP_SETTLE_ELF);
	cp_symtab_index(&t);
	is_str(at(&t, 0x13), "low", "keys wider than 32 bits: lowest");
	is_str(at(&t, UINT64_C(0xffffffff8100000f)), "a", "the middle one");
	is_str(at(&t, UINT64_C(0xffffffff81001fff)), "b",
	    "the last one reaches a page further");
	is_str(at(&t, UINT64_C(0xffffffff81002000)), NULL, "no further");
	cp_symtab_free(&t);
	cp_symtab_index(&t);
	is_str(at(&t, 0), NULL, "an empty table");
	cp_symtab_free(&t);
}

static void
test_end_of_addresses(void)
{
	struct cp_symtab t = { 0 };

	push(&t, UINT64_MAX - 0x400, 0x400, "outer");
	push(&t, UINT64_MAX - 0x100, 0, "last");
	cp_symtab_settle(&t, CP_SETTLE_ELF);
	cp_symtab_index(&t);
	is_str(at(&t, UINT64_MAX - 0x200), "outer", "before the last symbol");
	is_str(at(&t, UINT64_MAX - 1), "last", "size 0: up to the last byte");
	cp_symtab_free(&t);
}

#define NAMED(text, binding, kind)                                             \
	{                                                                      \
		.end = 4, .name = (text), .bind = (binding), .type = (kind)    \
	}

static void
test_aliases(void)
{
	static const struct {
		struct cp_entry a, b;
		const char *want, *why;
	} row[] = {
		{ NAMED("a", STB_GLOBAL, STT_NOTYPE),
		    NAMED("b", STB_LOCAL, STT_FUNC), "b", "a type" },
		{ NAMED("a", STB_WEAK, STT_FUNC),
		    NAMED("b", STB_LOCAL, STT_FUNC), "b", "not weak" },
		{ NAMED("a", STB_LOCAL, STT_FUNC),
		    NAMED("b", STB_GLOBAL, STT_FUNC), "b", "global" },
		{ NAMED("__long_one", STB_GLOBAL, STT_FUNC),
		    NAMED("_x", STB_GLOBAL, STT_FUNC), "_x",
		    "fewer underscores" },
		{ NAMED("x", STB_GLOBAL, STT_FUNC),
		    NAMED("xx", STB_GLOBAL, STT_FUNC), "xx", "longer" },
		{ NAMED("ab", STB_GLOBAL, STT_FUNC),
		    NAMED("cd", STB_GLOBAL, STT_FUNC), "ab", "else the first" },
		{ NAMED("SyS_x", STB_GLOBAL, STT_FUNC),
		    NAMED("sys_x", STB_GLOBAL, STT_FUNC), "sys_x", "not SyS" },
		{ NAMED("_Z1fv", STB_GLOBAL, STT_FUNC),
		    NAMED("_x", STB_GLOBAL, STT_FUNC), "_Z1fv",
		    "underscores of the demangled name count" },
		{ NAMED("_x@@V1", STB_GLOBAL, STT_FUNC),
		    NAMED("_x", STB_GLOBAL, STT_FUNC), "_x@@V1",
		    "versions make names longer" },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(row); i++) {
		struct cp_symtab t = { 0 };

		*cp_symtab_push(&t) = row[i].a;
		*cp_symtab_push(&t) = row[i].b;
		cp_symtab_settle(&t, CP_SETTLE_ELF);
		cp_symtab_index(&t);
		is_str(at(&t, 0), row[i].want, "alias: %s", row[i].why);
		cp_symtab_free(&t);
	}
}

static void
test_late_choice(void)
{
	struct cp_symtab t = { 0 };

	push(&t, 0, 4, "a");
	push(&t, 0, 4, "bbb");
	cp_symtab_settle(&t, CP_SETTLE_ELF);
	push(&t, 0, 4, "cc");
	push(&t, 0, 4, "dddd");
	cp_symtab_settle(&t, CP_SETTLE_ELF);
	push(&t, 0, 4, "never-this-one");
	cp_symtab_settle(&t, CP_SETTLE_ADDED);
	cp_symtab_index(&t);
	is_u64(t.all.len, 1, "aliases of three rounds are one symbol");
	is_str(at(&t, 3), "dddd", "the best of the first two rounds");
	cp_symtab_free(&t);
}

static uint64_t seed = 1;

static uint64_t
chance(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (seed >> 33) % below;
}

/* The definition: of all that hold the address, the latest to start. */
static const char *
plainly(const struct cp_symtab *t, uint64_t addr)
{
	for (size_t i = t->all.len; i > 0; i--) {
		const struct cp_entry *e = &t->all.data[i - 1];

		if (e->start <= addr && addr < e->end)
			return e->name;
	}
	return NULL;
}

static void
test_random(uint64_t range, uint64_t longest)
{
	static const char *const names[] = { "p", "q", "r", "s", "t", "u" };
	struct cp_symtab t = { 0 };
	uint64_t wrong = 0, unordered = 0, prior = 0;
	size_t hint = 0;

	for (size_t i = 0; i < 700; i++)
		push(&t, chance(range), 1 + chance(longest),
		    names[chance(CP_ARRAY_LEN(names))]);
	cp_symtab_settle(&t, CP_SETTLE_ELF);
	for (size_t i = 1; i < t.all.len; i++)
		unordered += t.all.data[i].start <= t.all.data[i - 1].start;
	for (uint32_t i = 0; i < t.all.len; i++)
		cp_symtab_name(&t, i);
	cp_symtab_index(&t);
	for (size_t i = 0; i < 5000; i++) {
		uint64_t addr = prior += 1 + chance(range / 4000);
		const char *want = plainly(&t, addr);
		uint32_t e = cp_symtab_find(&t, addr, &hint);

		wrong += want != (e != CP_NO_ENTRY ? t.all.data[e].name : NULL);
		wrong += want != at(&t, addr);
	}
	is_u64(unordered, 0, "range %" PRIu64 ": in order", range);
	is_u64(wrong, 0,
	    "range %" PRIu64 ", sizes to %" PRIu64 ": all look-ups as defined",
	    range, longest);
	cp_symtab_free(&t);
}

static size_t
twins(const char *a, const char *b, const char *c, const char **names)
{
	struct cp_symtab t = { 0 };
	size_t n;

	push(&t, 16, 8, a);
	push(&t, 16, 8, b);
	push(&t, 16, 8, c);
	cp_symtab_settle(&t, CP_SETTLE_ELF);
	cp_symtab_name(&t, 0);
	n = cp_symtab_twins(&t, 0, names, 4);
	is_str(cp_symtab_name(&t, 0), cp_symtab_name(&t, 0), "chosen once");
	cp_symtab_free(&t);
	return n;
}

static void
test_twins(void)
{
	const char *names[4];

	is_u64(twins("beta_sum", "alpha_sum", "alpha_sum", names), 1,
	    "two functions of the same code");
	is_str(names[0], "beta_sum", "the one that is not shown");
	is_u64(twins("read", "__libc_read", "__GI___read", names), 0,
	    "aliases of one function");
	is_u64(twins("time@@GLIBC_2.17", "time@GLIBC_2.2.5", "time", names), 0,
	    "versions of one function");
	is_u64(twins("_ZN1AC1Ev", "_ZN1AC2Ev", "_ZN1BC1Ev", names), 1,
	    "variants of a constructor are one");
}

int
main(void)
{
	test_twins();
	test_nesting();
	test_ends();
	test_end_of_addresses();
	test_aliases();
	test_late_choice();
	test_random(8000, 5);
	test_random(8000, 900);
	test_random(1000000, 3000);
	test_random(UINT64_C(1) << 62, UINT64_C(1) << 55);
	return done_testing();
}
