/* SPDX-License-Identifier: MIT */
/*
 * perf maps as text: what the runtimes write, damage, and addresses that are
 * defined more than once, compared with a search from the last line on.
 */
#include "symbolize/symbolizers/perfmap-text.h"
#include "symbolize/symtab/symtab.h"
#include "tests/symbolize/symbol-at.h"
#include "tests/tap.h"

static struct cp_content
content(const char *text, size_t n)
{
	uint8_t *p = cp_xmalloc(n);

	memcpy(p, text, n);
	return (struct cp_content){ .data = p, .size = n };
}

static const char text[] =
    "7efe473d5000 b jit_spin\n"
    "0x00007f2fb4ec71c0 0x0000000000000270 void W.hot(int, long)\n"
    "7f2a8160e00b b py::_find_and_load:<frozen importlib._bootstrap>\n"
    "  3ae1b4c0 40 LazyCompile:~foo bar.js:1:13\r\n"
    "00005000 100 f\n"
    "no hex at all\n"
    "7000\n"
    "7000 10\n"
    "7000 10 \n"
    "ffffffffffffff00 100 over the end\n"
    "11112222333344445 1 too long\n"
    "6000 0 stub\n"
    "6100 10 cut o";

static void
test_lines(void)
{
	struct cp_content c = content(text, strlen(text));
	struct cp_symtab t = { 0 };
	struct cp_maptext m;
	struct cp_mapspan span = cp_maptext_span(&c, 0x5000, 0x6001);

	is_u64(span.all, 6, "lines are counted as they are read");
	ok(span.low == 0x5000 && span.high == 0x7f2fb4ec71c0 + 0x270,
	    "where they are");
	is_u64(span.inside, 2, "those in a range of addresses too");
	cp_maptext_read(&m, &c, &t);
	is_u64(m.lines, 6, "lines that define a symbol");
	is_u64(m.bad, 7, "lines that do not, the one cut off included");
	is_u64(m.again, 0, "nothing is defined twice");
	is_str(at(&t, 0x7efe473d500a), "jit_spin", "a plain line");
	is_str(at(&t, 0x7efe473d500b), NULL, "up to its end");
	is_str(at(&t, 0x7f2fb4ec71c0), "void W.hot(int, long)",
	    "0x, zeros, and blanks in the name");
	is_str(at(&t, 0x7f2a8160e00b),
	    "py::_find_and_load:<frozen importlib._bootstrap>",
	    "as CPython writes it");
	is_str(at(&t, 0x3ae1b4ff), "LazyCompile:~foo bar.js:1:13",
	    "blanks before and a carriage return behind");
	is_str(at(&t, 0x50ff), "f", "a name of one letter");
	is_str(at(&t, 0x6000), "stub", "without a size the first address");
	is_str(at(&t, 0x6001), NULL, "and only that");
	is_str(at(&t, 0x6100), NULL, "a name that is cut is none");
	cp_symtab_free(&t);
	cp_content_free(&c);
}

static void
test_again(void)
{
	static const char twice[] = "1000 100 old\n"
				    "1040 20 middle\n"
				    "1050 200 new\n"
				    "0f00 100 before\n";
	struct cp_content c = content(twice, strlen(twice));
	struct cp_symtab t = { 0 };
	struct cp_maptext m;

	cp_maptext_read(&m, &c, &t);
	is_u64(m.again, 2, "symbols that overlap an earlier start");
	is_str(at(&t, 0xfff), "before", "in front of all");
	is_str(at(&t, 0x103f), "old", "what nobody defined anew");
	is_str(at(&t, 0x104f), "middle", "the one in the middle");
	is_str(at(&t, 0x1050), "new", "the last one");
	is_str(at(&t, 0x10ff), "new", "over the end of the first");
	is_str(at(&t, 0x124f), "new", "up to its own end");
	is_str(at(&t, 0x1250), NULL, "and no further");
	cp_symtab_free(&t);
	cp_content_free(&c);
}

/* xorshift: the same lines in every run. */
static uint64_t
draw(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

static bool
round_of(uint64_t *state)
{
	enum { LINES = 40, SPACE = 160 };
	uint64_t lo[LINES], hi[LINES];
	struct cp_symtab t = { 0 };
	bool same = true;

	for (unsigned i = 0; i < LINES; i++) {
		lo[i] = draw(state, SPACE);
		hi[i] = lo[i] + 1 + draw(state, 30);
		*cp_symtab_push(&t) = (struct cp_entry){
			.start = lo[i], .end = hi[i], .name = "x"
		};
	}
	cp_symtab_index_latest(&t);
	for (uint64_t a = 0; a < SPACE + 40; a++) {
		uint32_t want = CP_NO_ENTRY;
		size_t hint = 0;

		for (uint32_t i = 0; i < LINES; i++)
			if (a >= lo[i] && a < hi[i])
				want = i;
		same &= cp_symtab_find(&t, a, &hint) == want;
	}
	cp_symtab_free(&t);
	return same;
}

int
main(void)
{
	uint64_t state = 88172645463325252u;
	unsigned same = 0;

	test_lines();
	test_again();
	for (unsigned i = 0; i < 500; i++)
		same += round_of(&state);
	is_u64(same, 500, "the last definition of every address is found");
	return done_testing();
}
