/* SPDX-License-Identifier: MIT */
/*
 * A part of a symbol table names what was asked for as the whole does: tables
 * made at random, with labels, aliases and overlaps; and files of this
 * machine with their stubs.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "symbolize/elf/symbols.h"
#include "tests/tap.h"

enum {
	TABLES = 2,
	SYMBOLS = 900,
	ASKED = 200,
	ROUNDS = 300,
	FAR = 4000000,
};

static uint64_t seed = 1;

static uint32_t
below(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

static int
order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How many of the addresses the two answer differently. */
static size_t
differ(struct cp_symtab *whole, struct cp_symtab *part, const uint64_t *addr,
    size_t n)
{
	size_t h1 = 0, h2 = 0, wrong = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t a = cp_symtab_find(whole, addr[i], &h1);
		uint32_t b = cp_symtab_find(part, addr[i], &h2);
		bool same = (a == CP_NO_ENTRY) == (b == CP_NO_ENTRY);

		if (same && a != CP_NO_ENTRY)
			same =
			    whole->all.data[a].start ==
				part->all.data[b].start &&
			    whole->all.data[a].end == part->all.data[b].end &&
			    strcmp(cp_symtab_name(whole, a),
				cp_symtab_name(part, b)) == 0;
		if (!same && wrong++ == 0)
			diag("%#" PRIx64 ": %s, %s", addr[i],
			    a != CP_NO_ENTRY ? cp_symtab_name(whole, a) : "-",
			    b != CP_NO_ENTRY ? cp_symtab_name(part, b) : "-");
	}
	return wrong;
}

/* ---------------------------------------------------------------- at random */

struct table {
	Elf64_Sym sym[SYMBOLS];
	char names[SYMBOLS * 8];
};

/* Crowded or far apart; with many, few or no symbols without a size. */
static void
table_make(struct table *t, uint32_t range, uint32_t sizeless)
{
	static const uint8_t types[] = { STT_FUNC, STT_FUNC, STT_OBJECT,
		STT_NOTYPE, STT_NOTYPE };
	static const uint8_t binds[] = { STB_LOCAL, STB_GLOBAL, STB_WEAK };

	for (uint32_t i = 0; i < SYMBOLS; i++) {
		uint32_t size = below(4) == 0 ? below(400) : below(30);

		if (sizeless != 0 && below(sizeless) == 0)
			size = 0;
		snprintf(t->names + 8 * i, 8, "s%" PRIu32, below(100000));
		t->sym[i] = (Elf64_Sym){ .st_name = 8 * i,
			.st_info =
			    ELF64_ST_INFO(binds[below(3)], types[below(5)]),
			.st_value = below(range),
			.st_size = size };
	}
}

static struct cp_elf_choice
choice_of(const struct table *t, const struct cp_elf *elf)
{
	struct cp_elf_choice c = { .n = SYMBOLS, .low = UINT64_MAX };
	const uint8_t *sym = (const uint8_t *)t->sym;
	const uint8_t *names = (const uint8_t *)t->names;

	c.syms.elf = elf;
	c.syms.count = SYMBOLS;
	c.syms.table = cp_bytes_of(sym, sizeof(t->sym), false);
	c.syms.names = cp_bytes_of(names, sizeof(t->names), false);
	c.start = cp_xmalloc(SYMBOLS * sizeof(*c.start));
	c.number = cp_xmalloc(SYMBOLS * sizeof(*c.number));
	for (size_t i = 0; i < SYMBOLS; i++) {
		c.start[i] = t->sym[i].st_value;
		c.number[i] = i;
		c.low = CP_MIN(c.low, c.start[i]);
		c.high = CP_MAX(c.high, c.start[i]);
		c.sizeless += t->sym[i].st_size == 0;
	}
	return c;
}

struct result {
	size_t parts, wrong, kept, all;
};

static void
one_round(struct result *r)
{
	static const uint32_t ranges[] = { 900, 20000, FAR };
	static const uint32_t rates[] = { 0, 6, 40, 400 };
	static struct table t[TABLES];
	const struct cp_elf elf = { .wide = true };
	const cp_elf_addresses none = { 0 };
	const uint32_t range = ranges[below(3)], rate = rates[below(4)];
	struct cp_elf_choice whole[TABLES], part[TABLES];
	struct cp_symtab a = { 0 }, b = { 0 };
	uint64_t addr[ASKED];
	size_t n = 1 + below(ASKED);

	for (size_t i = 0; i < n; i++)
		addr[i] = below(range + 500);
	qsort(addr, n, sizeof(*addr), order);
	for (size_t k = 0; k < TABLES; k++) {
		table_make(&t[k], range, rate);
		whole[k] = choice_of(&t[k], &elf);
		part[k] = choice_of(&t[k], &elf);
	}
	r->parts += cp_elf_pick(part, TABLES, addr, n, &none);
	for (size_t k = 0; k < TABLES; k++) {
		if (range == FAR && rate != 6) {
			r->kept += part[k].n;
			r->all += whole[k].n;
		}
		cp_elf_add_choice(&a, &whole[k]);
		cp_elf_add_choice(&b, &part[k]);
	}
	cp_symtab_index(&a);
	cp_symtab_index(&b);
	r->wrong += differ(&a, &b, addr, n);
	cp_symtab_free(&a);
	cp_symtab_free(&b);
}

static void
test_random(void)
{
	struct result r = { 0 };

	for (int i = 0; i < ROUNDS; i++)
		one_round(&r);
	is_u64(r.wrong, 0, "made at random: a part names what the whole does");
	is_u64(r.parts, ROUNDS, "... and is a part");
	ok(r.all != 0 && r.kept < r.all / 5, "... of %zu far apart %zu", r.all,
	    r.kept);
}

/* ------------------------------------------------------------- real files */

struct real {
	struct cp_elf elf;
	struct cp_symtab tab;
	bool part;
};

static bool
open_real(struct real *r, const char *path, const uint64_t *addr, size_t n)
{
	struct cp_elf_view v = { .terms = CP_TERMS_OFFSET };
	struct cp_elf_choice c[TABLES];
	cp_elf_addresses more = { 0 };
	bool stubs;

	*r = (struct real){ 0 };
	if (!cp_elf_open(&r->elf, open(path, O_RDONLY | O_CLOEXEC)))
		return false;
	v.runtime = &r->elf;
	cp_elf_choose(&c[0], &r->elf, &v, SHT_SYMTAB);
	cp_elf_choose(&c[1], &r->elf, &v, SHT_DYNSYM);
	stubs = cp_elf_plt_needs(&r->elf, addr, n, &more) || n == 0;
	r->part = n != 0 && cp_elf_pick(c, TABLES, addr, n, &more);
	cp_vec_free(&more);
	for (size_t k = 0; k < TABLES; k++)
		cp_elf_add_choice(&r->tab, &c[k]);
	if (stubs)
		cp_elf_add_plt(&r->tab, &v);
	cp_symtab_index(&r->tab);
	return true;
}

static void
real_close(struct real *r)
{
	cp_symtab_free(&r->tab);
	cp_elf_free(&r->elf);
}

/* About symbols' ends, and anywhere in code; now and then in stubs. */
static size_t
choose_addresses(const struct real *r, uint64_t *addr)
{
	static const char *const sections[] = { ".plt", ".plt.got", ".plt.sec",
		".init", ".text" };
	const struct cp_elf_section *s;
	const struct cp_entry *e;
	size_t n = 0;

	for (size_t k = below(2) * 4; k < CP_ARRAY_LEN(sections); k++) {
		s = cp_elf_section(&r->elf, sections[k]);
		for (size_t i = 0; s != NULL && s->size != 0 && i < 30; i++)
			addr[n++] = s->offset + below((uint32_t)s->size + 8);
	}
	while (n + 2 <= ASKED && r->tab.all.len != 0) {
		e = &r->tab.all.data[below((uint32_t)r->tab.all.len)];
		addr[n++] = e->start;
		addr[n++] = e->end - below(2);
	}
	qsort(addr, n, sizeof(*addr), order);
	return n;
}

static void
test_real(const char *path)
{
	struct real whole, part;
	uint64_t addr[ASKED];
	size_t wrong = 0, parts = 0, symbols;

	if (!open_real(&whole, path, NULL, 0)) {
		skip("no %s", path);
		return;
	}
	symbols = whole.tab.all.len;
	for (int i = 0; i < 30; i++) {
		size_t n = choose_addresses(&whole, addr);

		if (!open_real(&part, path, addr, n))
			break;
		parts += part.part;
		wrong += differ(&whole.tab, &part.tab, addr, n);
		real_close(&part);
	}
	real_close(&whole);
	if (parts == 0)
		skip("%s: %zu symbols are loaded whole", path, symbols);
	else
		is_u64(wrong, 0, "%s: %zu symbols, 30 parts", path, symbols);
}

int
main(void)
{
	const char *ours = getenv("COLDPERF");

	test_random();
	test_real(ours != NULL ? ours : "./coldperf");
	test_real("/lib/x86_64-linux-gnu/libc.so.6");
	test_real("/lib/x86_64-linux-gnu/libcrypto.so.3");
	test_real("/usr/lib/gcc/x86_64-linux-gnu/12/cc1");
	return done_testing();
}
