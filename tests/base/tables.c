/* SPDX-License-Identifier: MIT */
/* Maps, interned strings, tallies and orders against a plain model of each. */
#include "base/hash.h"
#include "base/radix.h"
#include "base/strings.h"
#include "base/tally.h"
#include "tests/tap.h"

enum { MANY = 20000 };

/* Keys that a weak hash would put side by side. */
static uint64_t
key_of(uint32_t i)
{
	switch (i % 4) {
	case 0: return i;
	case 1: return (uint64_t)i << 40;
	case 2: return UINT64_MAX - i;
	default: return (uint64_t)i * 4096 + 1;
	}
}

static void
test_map(void)
{
	struct cp_map64 m = { 0 };
	uint32_t wrong = 0;

	is_u64(cp_map64_get(&m, 0), 0, "an empty map has nothing");
	for (uint32_t i = 0; i < MANY; i++)
		*cp_map64_put(&m, key_of(i)) = i + 1;
	for (uint32_t i = 0; i < MANY; i++)
		wrong += cp_map64_get(&m, key_of(i)) != i + 1;
	is_u64(wrong, 0, "%d keys have their values", MANY);
	is_u64(m.len, MANY, "each is there once");
	*cp_map64_put(&m, key_of(7)) = 99;
	is_u64(cp_map64_get(&m, key_of(7)), 99, "a value can be replaced");
	is_u64(m.len, MANY, "which adds no key");
	is_u64(cp_map64_get(&m, 12345678901), 0, "an absent key has 0");
	cp_map64_free(&m);
}

static void
test_strings(void)
{
	struct cp_strings t = { 0 };
	uint32_t wrong = 0;
	char text[32];
	cp_string_id first = cp_strings_add(&t, "first");

	is_str(cp_strings_get(&t, 0), "", "0 is the empty string");
	is_u64(cp_strings_add(&t, ""), 0, "and the empty string is 0");
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		wrong += cp_strings_add(&t, text) != first + 1 + i;
	}
	is_u64(wrong, 0, "new texts have new ids, in order");
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		wrong += cp_strings_add(&t, text) != first + 1 + i ||
			 strcmp(cp_strings_get(&t, first + 1 + i), text) != 0;
	}
	is_u64(wrong, 0, "same text, same id");
	is_u64(cp_strings_addn(&t, "first and more", 5), first,
	    "a part of a text");
	is_u64(cp_strings_addn(&t, "first\0rest", 10), first,
	    "a text ends at its NUL");
	is_str(cp_strings_get(&t, UINT32_MAX), "", "no id, no text");
	cp_strings_free(&t);
}

static void
test_tally(void)
{
	struct cp_tally t = { 0 };
	const struct cp_tally_row *rows;
	uint64_t wrong = 0;
	size_t n;

	for (uint32_t round = 1; round <= 3; round++)
		for (uint32_t i = 0; i < MANY; i++)
			cp_tally_add(&t, key_of(i), i % 5, round);
	n = cp_tally_rows(&t, &rows);
	is_u64(n, MANY, "a row for each key");
	for (uint32_t i = 0; i < n; i++)
		wrong += rows[i].a != key_of(i) || rows[i].b != i % 5 ||
			 rows[i].count != 3 || rows[i].weight != 6;
	is_u64(wrong, 0, "in order of appearance, with sums");
	cp_tally_free(&t);
	is_u64(cp_tally_rows(&t, &rows), 0, "an empty tally has no rows");
}

/* Keys of so many bits are in order, equal ones in the order of numbers. */
static void
order_of(unsigned bits, size_t n)
{
	uint64_t *keys = cp_xmalloc(n * sizeof(*keys)), *order;
	uint32_t wrong = 0;

	for (size_t i = 0; i < n; i++)
		keys[i] =
		    bits == 0 ? 5 : cp_mix(i % (n / 2 + 1), 1) >> (64 - bits);
	order = cp_radix_order(keys, n);
	for (size_t i = 1; i < n; i++) {
		uint32_t a = (uint32_t)order[i - 1], b = (uint32_t)order[i];

		wrong += keys[a] > keys[b] || (keys[a] == keys[b] && a >= b);
	}
	is_u64(wrong, 0, "%zu keys of %u bits are put in order", n, bits);
	free(keys);
	free(order);
}

static void
test_order(void)
{
	static const unsigned bits[] = { 0, 1, 13, 31, 32, 33, 47, 64 };

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		order_of(bits[i], MANY);
	order_of(64, 1);
	order_of(64, 0);
}

int
main(void)
{
	test_map();
	test_strings();
	test_order();
	test_tally();
	return done_testing();
}
