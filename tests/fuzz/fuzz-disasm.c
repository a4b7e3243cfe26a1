/* SPDX-License-Identifier: MIT */
/*
 * Code of every machine: the first byte says which, and whatever the others
 * are, instructions follow one another up to the end.
 */
#include <elf.h>
#include <stdlib.h>

#include "symbolize/insn/disasm.h"
#include "tests/fuzz/fuzz.h"

static void
run(struct cp_disasm *d, const uint8_t *code, size_t n, bool data)
{
	struct cp_insn in;

	for (size_t at = 0; at < n; at += in.size) {
		(data ? cp_disasm_data : cp_disasm_next)(
		    d, code + at, n - at, 0x1000 + at, &in);
		if (in.size == 0 || in.size > n - at || in.text[0] == '\0' ||
		    in.addr != 0x1000 + at)
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct cp_machine machines[] = {
		{ EM_X86_64, true, false },
		{ EM_386, false, false },
		{ EM_AARCH64, true, false },
		{ EM_ARM, false, false },
		{ EM_ARM, false, true },
		{ EM_PPC64, true, false },
		{ EM_PPC64, true, true },
		{ EM_S390, true, true },
		{ EM_RISCV, true, false },
		{ EM_NONE, true, false },
	};
	const char *why;
	struct cp_disasm *d;

	if (size < 1)
		return 0;
	d = cp_disasm_open(&machines[data[0] % CP_ARRAY_LEN(machines)],
	    (data[0] & 0x80) != 0, &why);
	if (d == NULL)
		return 0;
	size = CP_MIN(size, 8192);
	cp_disasm_thumb(d, (data[0] & 0x40) != 0);
	run(d, data + 1, size - 1, false);
	run(d, data + 1, size - 1, true);
	cp_disasm_free(d);
	return 0;
}
