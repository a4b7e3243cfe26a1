/* SPDX-License-Identifier: MIT */
/*
 * Code of x86-64: whatever the bytes are, an instruction ends within them,
 * and bytes behind it do not change its length.
 */
#include <stdlib.h>

#include "symbolize/insn/x86-length.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t at = 0; at < size; at++) {
		unsigned n = cp_x86_length(data + at, size - at);

		if (n > size - at || n > 15)
			abort();
		if (n != 0 && cp_x86_length(data + at, n) != n)
			abort();
	}
	return 0;
}
