/* SPDX-License-Identifier: MIT */
/*
 * A row of an unwind table from Go's runtime tables, which have for each
 * instruction how far the stack pointer has moved since the call.
 */
#include "symbolize/golang/pclntab.h"

bool
cp_gotab_row(const struct cp_gotab *t, const struct cp_arch *a, uint64_t addr,
    struct cp_cfi_row *row, uint32_t *steps)
{
	bool link = a->lr != CP_NO_REG;
	struct cp_go_function f;
	uint64_t left = *steps;
	int32_t moved;
	bool known;

	if (a->machine != t->elf->machine || !cp_gotab_find(t, addr, &f))
		return false;
	known = cp_gotab_value(t, &f, f.frame, addr, &left, &moved);
	*steps = (uint32_t)left;
	if (!known || moved < (link ? 0 : -a->word))
		return false;
	memset(row, 0, sizeof(*row));
	row->cfa.kind = CP_CFI_OFFSET;
	row->cfa.reg = a->sp;
	row->cfa.u.offset = (int64_t)moved + (link ? 0 : a->word);
	/* Go saves the frame pointer below the CFA on every platform. */
	row->reg[a->sp].kind = CP_CFI_VAL_OFFSET;
	row->ra = link ? a->lr : a->pc;
	/*
	 * On other machines the caller is on the stack: the start of a thread.
	 */
	if (f.outermost && link) {
		row->reg[row->ra].kind = CP_CFI_UNDEFINED;
	} else if (!link || moved > 0) {
		row->reg[row->ra].kind = CP_CFI_OFFSET;
		row->reg[row->ra].u.offset = link ? -(int64_t)moved : -a->word;
	}
	return true;
}
