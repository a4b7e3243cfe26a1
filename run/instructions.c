/* SPDX-License-Identifier: MIT */
/*
 * instructions: counts the instructions of code without branches.
 *
 * Where all instructions have one length, the addresses tell.  For x86-64 the
 * mapped file is disassembled, if it is available and verified as for names.
 * Code that was generated or patched at run time (JIT, kernel) is not counted.
 */

#include "run/api.h"
#include "base/elf.h"
#include "symbolize/object/files.h"
#include "symbolize/insn/x86-length.h"

/* Processors whose instructions have four bytes each. */
static bool
has_fixed_length(const struct cp_run *run)
{
	const char *arch = cp_run_fact(run, "arch");

	return arch != NULL && (strcmp(arch, "aarch64") == 0 ||
				   strcmp(arch, "loongarch64") == 0);
}

static uint32_t
count_x86(const uint8_t *code, size_t size, uint64_t last)
{
	uint32_t count = 1;
	uint64_t at = 0;

	while (at < last) {
		unsigned n = cp_x86_length(code + at, size - (size_t)at);

		/* Files in bundles may have zeros in place of their code. */
		if (n == 0 || (n == 2 && code[at] == 0 && code[at + 1] == 0))
			return 0;
		at += n;
		count++;
	}
	return at == last ? count : 0;
}

uint32_t
cp_run_instructions(struct cp_run *run, cp_frame_id first, cp_frame_id last)
{
	const struct cp_frame a = *cp_frame_get(run, first);
	const struct cp_frame b = *cp_frame_get(run, last);
	const struct cp_elf *elf;
	const struct cp_dso_info *dso;

	if (a.dso == 0 || a.dso != b.dso || b.addr < a.addr ||
	    b.addr - a.addr > CP_MAX_BLOCK)
		return 0;
	if (has_fixed_length(run))
		return (b.addr - a.addr) % 4 == 0
			   ? (uint32_t)((b.addr - a.addr) / 4 + 1)
			   : 0;
	dso = cp_dsos_at(&run->session.dsos, a.dso);
	if (dso->pub.kind != CP_DSO_FILE)
		return 0;
	elf = cp_symbols_runtime(cp_run_symbols(run), dso);
	if (elf == NULL || elf->machine != EM_X86_64 ||
	    b.addr >= elf->content.size)
		return 0;
	return count_x86(elf->content.data + a.addr,
	    elf->content.size - (size_t)a.addr, b.addr - a.addr);
}
