/* SPDX-License-Identifier: MIT */
#include "cli/command/script/columns.h"

#include <string.h>

void
cp_column_pad(struct cp_buf *b, size_t from, int width)
{
	static const char blanks[] = "                                ";
	size_t n = b->len - from, add;

	if (width < 0 || n >= (size_t)width)
		return;
	add = (size_t)width - n;
	for (size_t i = 0; i < add; i += sizeof(blanks) - 1)
		cp_buf_add(b, blanks, CP_MIN(add - i, sizeof(blanks) - 1));
	memmove(b->data + from + add, b->data + from, n);
	memset(b->data + from, ' ', add);
}

void
cp_column_u64(struct cp_buf *b, uint64_t v, int width)
{
	size_t from = b->len;

	cp_buf_u64(b, v);
	cp_column_pad(b, from, width);
}

void
cp_column_zeros(struct cp_buf *b, uint64_t v, unsigned width)
{
	char digits[20];
	unsigned i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v != 0 || sizeof(digits) - i < width);
	cp_buf_add(b, digits + i, sizeof(digits) - i);
}

void
cp_column_id(struct cp_buf *b, uint32_t id, int width)
{
	size_t from = b->len;

	if ((int32_t)id < 0) {
		cp_buf_char(b, '-');
		cp_buf_u64(b, (uint64_t) - (int64_t)(int32_t)id);
	} else {
		cp_buf_u64(b, id);
	}
	cp_column_pad(b, from, width);
}

void
cp_column_address(struct cp_buf *b, uint64_t v)
{
	char digits[16];
	int i = sizeof(digits);

	do {
		digits[--i] = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v != 0);
	while (i > 0)
		digits[--i] = ' ';
	cp_buf_add(b, digits, sizeof(digits));
}
