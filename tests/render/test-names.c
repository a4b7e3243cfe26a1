/* SPDX-License-Identifier: MIT */
/*
 * Names where space is short: those of names.def, at four widths, as
 * fit-name.h and, in a browser's language, names.js cut them.
 *
 * With an argument it prints the table's names and short forms as JSON, for
 * names.t.
 */
#include "render/common/escape.h"
#include "base/match/short-name.h"
#include "render/common/fit-name.h"
#include "tests/tap.h"

static const size_t widths[] = { 12, 20, 40, 80 };

struct name {
	const char *full, *at[4];
};
static const struct name names[] = {
#define NAME(full, a, b, c, d) { full, { a, b, c, d } },
#include "tests/render/names.def"
#undef NAME
};

static void
check(const struct name *n)
{
	for (size_t i = 0; i < 4; i++) {
		struct cp_buf b;

		cp_buf_init(&b, SIZE_MAX / 2);
		cp_fit_name(&b, n->full, widths[i]);
		is_str(
		    cp_buf_text(&b), n->at[i], "%zu: %s", widths[i], n->full);
		cp_buf_free(&b);
	}
}

/* No width gives more columns than there are, and none leaves nothing. */
static void
check_widths(const struct name *n)
{
	struct cp_buf b;
	bool good = true;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (size_t w = 1; w < 200; w++) {
		cp_buf_reset(&b);
		cp_fit_name(&b, n->full, w);
		good &= b.len != 0 && cp_text_columns(b.data) <= w;
	}
	ok(good, "fits at any width: %s", n->full);
	cp_buf_free(&b);
}

static void
print(const struct name *n, bool last)
{
	struct cp_buf b, brief;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_short_name(&brief, n->full);
	cp_buf_char(&b, '"');
	cp_escape(&b, CP_ESCAPE_JSON, n->full);
	cp_buf_str(&b, "\",\"");
	cp_escape(&b, CP_ESCAPE_JSON, cp_buf_text(&brief));
	cp_buf_char(&b, '"');
	for (size_t i = 0; i < 4; i++) {
		cp_buf_str(&b, ",\"");
		cp_escape(&b, CP_ESCAPE_JSON, n->at[i]);
		cp_buf_char(&b, '"');
	}
	printf("[%s]%s\n", cp_buf_text(&b), last ? "" : ",");
	cp_buf_free(&b);
	cp_buf_free(&brief);
}

static void
check_hostile(void)
{
	char deep[4096];
	struct cp_buf b;

	memset(deep, '<', sizeof(deep) - 1);
	deep[0] = 'a';
	deep[sizeof(deep) - 1] = '\0';
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_fit_name(&b, deep, 30);
	is_u64(cp_text_columns(cp_buf_text(&b)), 30,
	    "brackets that nothing closes are cut");
	cp_buf_free(&b);
}

int
main(int argc, char **argv)
{
	size_t n = sizeof(names) / sizeof(names[0]);

	if (argc > 1) {
		printf("%s[", argv[1]);
		for (size_t i = 0; i < n; i++)
			print(&names[i], i + 1 == n);
		puts("]");
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		check(&names[i]);
	for (size_t i = 0; i < n; i++)
		check_widths(&names[i]);
	check_hostile();
	return done_testing();
}
