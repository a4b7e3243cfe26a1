/* SPDX-License-Identifier: MIT */
/* kallsyms as text: what counts, ends, modules, other boots, damage. */
#include "symbolize/kernel/kallsyms.h"

#include <ctype.h>

#include "tests/symbolize/symbol-at.h"
#include "tests/tap.h"

static bool
parse(struct cp_kallsyms *k, const char *text)
{
	size_t n = strlen(text);
	uint8_t *p = cp_xmalloc(n);

	memcpy(p, text, n);
	if (!cp_kallsyms_init(k, (struct cp_content){ .data = p, .size = n }))
		return false;
	cp_kallsyms_whole(k);
	return true;
}

static const char text[] = "ffffffff81000000 T _stext\n"
			   "ffffffff81000000 T _text\n"
			   "ffffffff81000010 t do_one\n"
			   "ffffffff81000020 r read_only\n"
			   "ffffffff81000030 W weak_one\n"
			   "ffffffff81000040 n no_kind\n"
			   "damaged line\n"
			   "ffffffff81000050 T\n"
			   "ffffffff81000060 T  \n"
			   "ffffffff81000100 T last_of_kernel\n"
			   "ffffffffc0000000 t mod_init\t[snd_hda]\n"
			   "ffffffffc0000010 t mod_work\t[snd_hda]\n"
			   "ffffffffc0010000 t other\t[snd]\n"
			   "ffffffffc0020000 t cut_off";

static void
test_hidden(void)
{
	struct cp_kallsyms k;

	ok(!parse(&k, "0000000000000000 T _text\n"
		      "0000000000000000 t do_one\n") &&
		k.hidden,
	    "a text without addresses is told from");
	ok(!parse(&k, "no symbols\n") && !k.hidden, "one without symbols");
}

static void
test_kernel(void)
{
	struct cp_kallsyms k;
	struct cp_symtab t = { 0 };

	ok(parse(&k, text), "a text with damaged lines is read");
	is_u64(k.tab.all.len, 7, "symbols of the kinds that count");
	cp_kallsyms_select(&k, &t, NULL, 0);
	cp_symtab_index(&t);
	is_str(at(&t, UINT64_C(0xffffffff8100000f)), "_text",
	    "of aliases the last one has the extent");
	is_str(at(&t, UINT64_C(0xffffffff81000025)), "do_one",
	    "data to read only do not count");
	is_str(at(&t, UINT64_C(0xffffffff81001fff)), "last_of_kernel",
	    "the kernel ends a page after its last symbol");
	is_str(at(&t, UINT64_C(0xffffffff81002100)), NULL,
	    "and not at the first module");
	is_str(at(&t, UINT64_C(0xffffffffc0000000)), NULL,
	    "modules are no part of it");
	cp_symtab_free(&t);
	cp_kallsyms_free(&k);
}

static void
test_modules(void)
{
	struct cp_kallsyms k;
	struct cp_symtab t = { 0 };

	parse(&k, text);
	cp_kallsyms_select(&k, &t, "[snd_hda]", UINT64_C(0xffffffffc0000000));
	cp_symtab_index(&t);
	is_u64(t.all.len, 2, "a module has its own symbols");
	is_str(at(&t, 0x1f), "mod_work", "counted from its start");
	is_str(at(&t, 0x10000), NULL, "not those of [snd]");
	cp_symtab_free(&t);
	cp_kallsyms_select(&k, &t, "snd", 0);
	is_u64(t.all.len, 1, "a name without brackets");
	cp_symtab_free(&t);
	cp_kallsyms_free(&k);
}

static void
test_other_boot(void)
{
	const uint64_t ref = UINT64_C(0xffffffff9a000000);
	struct cp_kallsyms k;
	struct cp_symtab t = { 0 };
	uint64_t slide;

	parse(&k, text);
	slide = cp_kallsyms_slide(&k, "_text", ref);
	is_u64(slide, 0x19000000, "distance of two boots");
	is_u64(cp_kallsyms_slide(&k, "_stext", ref), slide,
	    "by a symbol that lost against its alias");
	is_u64(cp_kallsyms_slide(&k, "absent", ref), 0, "no such symbol");
	cp_kallsyms_select(&k, &t, NULL, -slide);
	cp_symtab_index(&t);
	is_str(at(&t, ref + 0x18), "do_one", "found at the other place");
	cp_symtab_free(&t);
	cp_kallsyms_free(&k);
}

/*
 * Symbols of one start, lines that do not count and modules, as they come;
 * now and then a line is out of order.  Returns how many bytes.
 */
static size_t
random_text(char *to, size_t size, unsigned seed)
{
	static const char kinds[] = "tTWdnrAB";
	uint64_t at = UINT64_C(0xffffffff81000000);
	size_t n = 0;

	for (unsigned i = 0; i < 200; i++) {
		unsigned r = seed = seed * 1103515245 + 12345;

		r >>= 8;
		at += r % 3 * 16;
		n += (size_t)snprintf(to + n, size - n,
		    "%016" PRIx64 " %c f%u%s\n",
		    seed % 7 == 0 && r % 64 == 0 ? at - 64 : at,
		    kinds[r / 16 % 8], r % 512, i > 180 ? "\t[mod]" : "");
	}
	return n;
}

static void
test_pick(void)
{
	static char random[200 * 64];
	unsigned orderly = 0, wrong = 0;

	for (unsigned seed = 1; seed <= 40; seed++) {
		struct cp_kallsyms k;
		struct cp_symtab all = { 0 }, some = { 0 };
		struct cp_arena arena = { 0 };
		uint64_t asked[80], a = UINT64_C(0xffffffff80fffff0) - 0x100;

		random[random_text(random, sizeof(random), seed)] = '\0';
		parse(&k, random);
		for (size_t i = 0; i < 80; i++)
			asked[i] = a += seed % 5 * 24 + 8;
		cp_kallsyms_select(&k, &all, NULL, 0x100);
		cp_symtab_index(&all);
		if (k.orderly)
			cp_kallsyms_pick(&k, &some, 0x100, asked, 80, &arena);
		cp_symtab_index(&some);
		for (size_t i = 0; k.orderly && i < 80; i++) {
			const char *x = at(&all, asked[i]);
			const char *y = at(&some, asked[i]);

			wrong += (x == NULL) != (y == NULL) ||
				 (x != NULL && strcmp(x, y) != 0);
		}
		orderly += k.orderly;
		cp_symtab_free(&all);
		cp_symtab_free(&some);
		cp_arena_free(&arena);
		cp_kallsyms_free(&k);
	}
	ok(orderly > 4 && orderly < 40, "%u of 40 texts are orderly", orderly);
	is_u64(wrong, 0, "what is picked is what all of them show");
}

/*
 * Lines of all lengths, none too, so that newlines fall everywhere; capitals,
 * a digit too many, kinds that do not count, and now and then one out of order.
 */
static size_t
odd_text(char *to, size_t size, unsigned seed)
{
	static const struct {
		const char *before;
		int digits;
		const char *kind;
	} forms[8] = { { "", 16, " T " }, { "", 16, " t " }, { "0", 16, " W " },
		{ "", 16, " r " }, { "", 16, " D\n" }, { "g", 15, " T " },
		{ "\n\n\n", 16, " T _" }, { "A", 15, " T " } };
	static char name[128];
	uint64_t at = UINT64_C(0xa0000000abcdef00);
	size_t n = 0;

	memset(name, 'n', sizeof(name));
	for (unsigned i = 0; i < 300; i++) {
		unsigned r = seed = seed * 1103515245 + 12345, f;

		r >>= 8;
		at += r % 1024 == 77 ? (uint64_t)0 - 32 : r % 3 * 16;
		f = r % 5 == 0 ? r / 8 % 8 : 0;
		n += (size_t)snprintf(to + n, size - n,
		    "%s%0*" PRIx64 "%s%.*s\n", forms[f].before, forms[f].digits,
		    forms[f].digits == 16 ? at : at & UINT64_MAX >> 4,
		    forms[f].kind, (int)(r / 64 % 97), name);
	}
	return n;
}

/* The same, line by line: how many count, and whether they ascend. */
static unsigned
count_lines(const char *s, bool *orderly)
{
	unsigned n = 0;
	uint64_t last = 0, at;
	char *p;

	*orderly = true;
	for (const char *nl; (nl = strchr(s, '\n')) != NULL; s = nl + 1) {
		at = isxdigit((unsigned char)*s) ? strtoull(s, &p, 16) : 0;
		if (at == 0 || nl - p < 4 || strchr("TtWD", p[1]) == NULL)
			continue;
		*orderly &= at >= last;
		last = at;
		n++;
	}
	return n;
}

static void
test_glance(void)
{
	static char odd[300 * 128];
	unsigned orderly = 0, wrong = 0;

	for (unsigned seed = 1; seed <= 40; seed++) {
		struct cp_kallsyms k;
		bool ascends;
		unsigned n;

		odd[odd_text(odd, sizeof(odd), seed)] = '\0';
		n = count_lines(odd, &ascends);
		parse(&k, odd);
		wrong += k.orderly != ascends ||
			 k.marks.len !=
			     (n + CP_KALLSYMS_STRIDE - 1) / CP_KALLSYMS_STRIDE;
		for (size_t i = 0; i < k.marks.len; i++)
			wrong += strtoull(odd + k.marks.data[i].at, NULL, 16) !=
				 k.marks.data[i].start;
		orderly += ascends;
		cp_kallsyms_free(&k);
	}
	ok(orderly > 4 && orderly < 40, "%u of 40 texts ascend", orderly);
	is_u64(wrong, 0, "what a glance says of lines of all lengths");
}

static void
test_etext(void)
{
	struct cp_kallsyms k;

	parse(&k, "ffffffff81000000 T _text\nffffffff81000010 T _etext2\n"
		  "ffffffff81000020 T _etext\nffffffff81000030 T __etext\n"
		  "ffffffff81000040 D _edata\n");
	is_u64(k.text_end, UINT64_C(0xffffffff81000020), "where text ends");
	cp_kallsyms_free(&k);
}

static void
test_useless(void)
{
	struct cp_kallsyms k;

	ok(!parse(&k, "0000000000000000 T _text\n0000000000000000 t f\n"),
	    "hidden addresses are no symbols");
	ok(!parse(&k, "\n\n\n"), "empty lines");
	ok(!parse(&k, "not kallsyms"), "another text");
}

int
main(void)
{
	test_kernel();
	test_hidden();
	test_modules();
	test_other_boot();
	test_pick();
	test_glance();
	test_etext();
	test_useless();
	return done_testing();
}
