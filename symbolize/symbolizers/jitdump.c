/* SPDX-License-Identifier: MIT */
/*
 * Names of JIT code from a jitdump.  The session read the symbols when the dump
 * was mapped; this symbolizer only tells their source.
 */
#include "symbolize/symbolizers/symbolizers.h"

#include <coldperf/names.h>

static bool
jitdump_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso_info *d = o->dso;

	if (d->pub.kind != CP_DSO_JIT || !cp_object_load_captured(s, o))
		return false;
	o->trust = (enum cp_trust)d->trust;
	o->path = d->path;
	return true;
}

const struct cp_spot *
cp_object_jit_spot(struct cp_symbols *s, struct cp_object *o, uint64_t addr)
{
	const struct cp_dso_info *d = o->dso;
	size_t lo = 0, hi = d->lines.len;
	const struct cp_capture_line *l;
	struct cp_spot *at;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->lines.data[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0 || addr >= d->lines.data[lo - 1].end)
		return NULL;
	l = &d->lines.data[lo - 1];
	at = cp_arena_alloc(&o->arena, sizeof(*at));
	at->file = l->file != 0 ? cp_strings_get(s->strings, l->file) : NULL;
	at->line = l->line;
	at->column = l->column;
	return at;
}

const struct cp_symbolizer cp_symbolizer_jitdump = {
	.name = "jitdump",
	.source = CP_SOURCE_JITDUMP,
	.open = jitdump_open,
};
