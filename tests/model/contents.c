/* SPDX-License-Identifier: MIT */
/* Contents of merged captures: equal texts, and no others, are one row. */
#include "run/merge/contents.h"
#include "tests/tap.h"

enum { TEXTS = 20000, LONGEST = 700 };

/* Text i: most are short; some begin alike and differ at their end. */
static size_t
text_of(char *to, unsigned i)
{
	size_t n = i < LONGEST ? i : 0;

	memset(to, 'x', n);
	return n + (size_t)snprintf(to + n, 16, "%s%u", n != 0 ? "" : "f", i);
}

static void
test_texts(void)
{
	struct cp_contents c = { .slots = NULL };
	char text[LONGEST + 20];
	unsigned new = 0, same = 0;

	for (unsigned i = 0; i < TEXTS; i++) {
		uint32_t *id = cp_contents_get(&c, text, text_of(text, i));

		new += *id == 0;
		*id = i + 1;
	}
	is_u64(new, TEXTS, "each text is new");
	for (unsigned i = 0; i < TEXTS; i++)
		same += *cp_contents_get(&c, text, text_of(text, i)) == i + 1;
	is_u64(same, TEXTS, "each is found again");
	cp_contents_free(&c);
}

/* Only the length differs. */
static void
test_lengths(void)
{
	struct cp_contents c = { .slots = NULL };
	char text[LONGEST];
	unsigned new = 0;

	memset(text, 'y', sizeof(text));
	for (size_t n = 0; n <= LONGEST; n++) {
		uint32_t *id = cp_contents_get(&c, text, n);

		new += *id == 0;
		*id = 1;
	}
	is_u64(new, LONGEST + 1, "texts of all lengths differ");
	cp_contents_free(&c);
}

int
main(void)
{
	test_texts();
	test_lengths();
	return done_testing();
}
