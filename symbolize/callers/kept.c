/* SPDX-License-Identifier: MIT */
/*
 * kept: the lost callers that a snapshot keeps.
 *
 * A snapshot has no code to judge by.  Its stacks have the frames that stand
 * for lost callers: between the same two frames the same one stands again.
 */
#include "symbolize/callers/kept.h"

#include "symbolize/object/object.h"

static size_t
row_of(struct cp_kept_callers *k, uint32_t dso)
{
	const struct cp_dso_info *d = cp_dsos_at(k->symbols->opt.dsos, dso);

	return d != NULL
		   ? cp_object_row(k->symbols, cp_object_of(k->symbols, d))
		   : 0;
}

static uint32_t
dso_of(struct cp_kept_callers *k, uint64_t row)
{
	while (k->seen < k->symbols->opt.dsos->all.len) {
		uint32_t id = ++k->seen;
		size_t at = row_of(k, id);

		while (k->dso.len <= at)
			*cp_vec_push(&k->dso) = 0;
		if (k->dso.data[at] == 0)
			k->dso.data[at] = id;
	}
	return row < k->dso.len ? k->dso.data[row] : 0;
}

bool
cp_kept_caller(struct cp_kept_callers *k, const struct cp_frame *f,
    const struct cp_frame *above, struct cp_frame *out)
{
	const struct cp_snapshot *s = cp_symbols_snapshot(k->symbols);
	struct cp_snapshot_place at, up;
	const struct cp_snapshot_lost *lost;
	size_t row = s != NULL ? row_of(k, f->dso) : 0;
	uint32_t dso;

	if (row == 0)
		return false;
	at = (struct cp_snapshot_place){ row, f->addr };
	if (above == NULL)
		return cp_snapshot_lost(s, at, NULL) != NULL;
	up = (struct cp_snapshot_place){ row_of(k, above->dso), above->addr };
	lost = cp_snapshot_lost(s, at, &up);
	if (lost == NULL)
		return false;
	dso = dso_of(k, lost->frame.object);
	if (lost->frame.object != 0 && dso != 0) {
		out->dso = dso;
		out->addr = lost->frame.addr;
		out->flags = lost->flags & (CP_FRAME_LOST | CP_FRAME_GUESSED |
					       CP_FRAME_CALLER);
	}
	return true;
}
