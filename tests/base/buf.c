/* SPDX-License-Identifier: MIT */
/* The buffer grows to its cap and never beyond. */
#include "base/buf.h"
#include "base/strings.h"
#include "tests/tap.h"

static void
test_text(void)
{
	struct cp_buf b;

	cp_buf_init(&b, 1000);
	is_str(cp_buf_text(&b), "", "empty at first");
	cp_buf_add(&b, NULL, 0);
	is_str(cp_buf_text(&b), "", "nothing can be added");
	cp_buf_str(&b, "old");
	b.len = 0;
	cp_buf_str(&b, "");
	is_str(cp_buf_text(&b), "", "and ends a text that was begun anew");
	cp_buf_free(&b);
	cp_buf_str(&b, "x=");
	cp_buf_u64(&b, UINT64_MAX);
	cp_buf_char(&b, ' ');
	cp_buf_u64(&b, 0);
	cp_buf_printf(&b, " %s-%d ", "n", -7);
	cp_buf_hex(&b, 0xdeadbeef);
	is_str(cp_buf_text(&b), "x=18446744073709551615 0 n--7 deadbeef",
	    "text and numbers");
	is_u64(b.len, strlen(b.data), "its length");
	cp_buf_free(&b);
	is_str(cp_buf_text(&b), "", "empty when freed");
}

static void
test_digits(void)
{
	static const uint64_t v[] = { 0, 9, 10, 99, 100, 101, 1099, 12345,
		UINT64_C(10000000000000000000) };
	static const uint8_t id[] = { 0x00, 0x0f, 0xa9, 0xff };
	struct cp_buf b;

	cp_buf_init(&b, 100);
	for (size_t i = 0; i < CP_ARRAY_LEN(v); i++) {
		cp_buf_u64(&b, v[i]);
		cp_buf_char(&b, ' ');
	}
	is_str(cp_buf_text(&b),
	    "0 9 10 99 100 101 1099 12345 10000000000000000000 ",
	    "digits come in pairs");
	cp_buf_free(&b);
	cp_buf_init(&b, 8);
	cp_buf_hex_of(&b, id, 0);
	cp_buf_hex_of(&b, id, sizeof(id));
	is_str(cp_buf_text(&b), "000fa9ff", "bytes in hex");
	cp_buf_hex_of(&b, id, 1);
	ok(b.full && b.len == 8, "and no more than the cap");
	cp_buf_free(&b);
}

static void
test_cap(void)
{
	struct cp_buf b;

	cp_buf_init(&b, 10);
	cp_buf_str(&b, "0123456789");
	ok(!b.full, "as much as the cap fits");
	cp_buf_char(&b, 'x');
	ok(b.full, "one more does not");
	cp_buf_printf(&b, "%d", 12345);
	is_str(cp_buf_text(&b), "0123456789", "and nothing is half written");
	cp_buf_free(&b);
	cp_buf_init(&b, 10);
	cp_buf_add(&b, "x", SIZE_MAX);
	ok(b.full && b.len == 0, "no length wraps around");
	cp_buf_free(&b);
}

static void
test_names(void)
{
	uint8_t id[2] = { 0 };

	is_str(cp_basename("/a/b.c"), "b.c", "what follows the last slash");
	is_str(cp_basename("b.c"), "b.c", "or all of it");
	is_str(cp_basename("a/"), "", "or nothing");
	is_u64(cp_hex_read("0fA9", 4, id, 2), 2, "hexadecimal digits");
	ok(id[0] == 0x0f && id[1] == 0xa9, "are read");
	is_u64(cp_hex_read("0fa9", 4, id, 1), 0, "not more than fit");
	is_u64(cp_hex_read("0fa", 3, id, 2), 0, "nor half a byte");
	is_u64(cp_hex_read("0g", 2, id, 2), 0, "nor other letters");
}

int
main(void)
{
	test_text();
	test_digits();
	test_cap();
	test_names();
	return done_testing();
}
