/* SPDX-License-Identifier: MIT */
/*
 * Reads instructions, each a line of hexadecimal bytes with more behind it, and
 * prints how long cp_x86_length() takes them to be; for x86-lengths.t.
 */
#include <ctype.h>

#include "symbolize/insn/x86-length.h"

static size_t
bytes_of(const char *line, uint8_t *out, size_t max)
{
	size_t n = 0;
	unsigned v;

	while (n < max && isxdigit((unsigned char)line[0]) &&
	       isxdigit((unsigned char)line[1]) &&
	       sscanf(line, "%2x", &v) == 1) {
		out[n++] = (uint8_t)v;
		line += 2;
	}
	return n;
}

int
main(void)
{
	char line[256];
	uint8_t bytes[64];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		size_t n = bytes_of(line, bytes, sizeof(bytes));

		printf("%u\n", cp_x86_length(bytes, n));
	}
	return 0;
}
