/* SPDX-License-Identifier: MIT */
#include "symbolize/kernel/kallsyms-line.h"

const char *
cp_kline_address(const char *s, uint64_t *addr)
{
	/* Value of a hexadecimal digit, + 1. */
	static const uint8_t digit[256] = { ['0'] = 1,
		2,
		3,
		4,
		5,
		6,
		7,
		8,
		9,
		10,
		['A'] = 11,
		12,
		13,
		14,
		15,
		16,
		['a'] = 11,
		12,
		13,
		14,
		15,
		16 };
	unsigned d;

	for (*addr = 0; (d = digit[(uint8_t)*s]) != 0; s++)
		*addr = *addr << 4 | (d - 1);
	return s;
}
