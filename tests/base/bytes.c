/* SPDX-License-Identifier: MIT */
/* The cursor never reads past its end, in either byte order. */
#include "base/bytes.h"
#include "tests/tap.h"

static const uint8_t data[] = { 1, 2, 3, 4, 5, 6, 7, 8, 'a', 'b', 0, 'c' };

static void
test_numbers(void)
{
	struct cp_bytes b = cp_bytes_of(data, sizeof(data), false);
	struct cp_bytes s = cp_bytes_of(data, sizeof(data), true);

	cp_bytes_u8(&b);
	is_u64(cp_bytes_u16(&b), 0x0302, "an unaligned u16");
	is_u64(cp_bytes_u32(&b), 0x07060504, "an unaligned u32");
	is_u64(cp_bytes_left(&b), 5, "what is left");
	is_u64(
	    cp_bytes_u64(&s), 0x0102030405060708, "a u64 of the other order");
	is_u64(cp_load16(data, true), 0x0102, "load16 swaps");
	is_u64(cp_load32(data, true), 0x01020304, "load32 swaps");
}

static void
test_failure(void)
{
	struct cp_bytes none = cp_bytes_of(NULL, 0, false);
	struct cp_bytes b = cp_bytes_of(data, 7, false);

	is_u64(cp_bytes_left(&none), 0, "bytes that are not there are none");
	is_u64(cp_bytes_u64(&b), 0, "a number that does not fit is 0");
	ok(b.failed, "and the cursor has failed");
	is_u64(cp_bytes_u8(&b), 0, "nor is a byte given that would fit");
	is_u64(cp_bytes_left(&b), 0, "nothing is left");
	ok(cp_bytes_take(&b, 0) == NULL, "not even nothing can be taken");
	b = cp_bytes_of(data, sizeof(data), false);
	ok(cp_bytes_take(&b, SIZE_MAX) == NULL, "any size can be asked for");
}

static void
test_text(void)
{
	struct cp_bytes b = cp_bytes_of(data + 8, 4, false);

	is_str(cp_bytes_str(&b), "ab", "a text ends with its NUL");
	is_u64(cp_bytes_left(&b), 1, "which is stepped over");
	ok(cp_bytes_str(&b) == NULL && b.failed, "a text without NUL is none");
	b = cp_bytes_of(data, 0, false);
	ok(cp_bytes_str(&b) == NULL && b.failed, "nor are no bytes");
}

int
main(void)
{
	test_numbers();
	test_failure();
	test_text();
	return done_testing();
}
