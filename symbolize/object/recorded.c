/* SPDX-License-Identifier: MIT */
/*
 * recorded: the names, lines and addresses that a snapshot has of an object.
 *
 * Without --symbols the snapshot alone is asked.  With it, or if names are
 * looked up again, the snapshot is the last source, for whole objects only.
 */
#include "symbolize/object/object.h"
#include "symbolize/object/snapshot.h"

bool
cp_snapshot_alone(const struct cp_symbols *s)
{
	return s->snapshot != NULL && s->opt.n_paths == 0 && !s->opt.again;
}

const struct cp_snapshot *
cp_symbols_snapshot(const struct cp_symbols *s)
{
	return s->snapshot;
}

/* A perf map of a PID is not valid for another process with that PID. */
bool
cp_object_keeps_names(struct cp_symbols *s, struct cp_object *o)
{
	const enum cp_dso_kind kind = (enum cp_dso_kind)o->dso->pub.kind;

	return s->opt.again && s->opt.n_paths == 0 && s->snapshot != NULL &&
	       (kind == CP_DSO_ANON || kind == CP_DSO_JIT) &&
	       cp_object_had_symbols(s, o) != 0;
}

uint64_t
cp_object_had_symbols(struct cp_symbols *s, struct cp_object *o)
{
	size_t row = s->snapshot != NULL ? cp_object_row(s, o) : 0;

	return row != 0 ? cp_snapshot_object(s->snapshot, row)->symbols : 0;
}

bool
cp_object_had_lines(struct cp_symbols *s, struct cp_object *o)
{
	size_t row = s->snapshot != NULL ? cp_object_row(s, o) : 0;

	return row != 0 && cp_snapshot_lines(s->snapshot, row);
}

size_t
cp_object_row(struct cp_symbols *s, struct cp_object *o)
{
	if (!o->row_known)
		o->row = cp_snapshot_find(
		    s->snapshot, &o->dso->pub, cp_object_name(s, o));
	o->row_known = true;
	return o->row;
}

size_t
cp_object_recorded(struct cp_symbols *s, struct cp_object *o)
{
	if (s->snapshot == NULL ||
	    (!cp_snapshot_alone(s) && o->by != s->symbolizers[0]))
		return 0;
	return cp_object_row(s, o);
}

const struct cp_symbol *
cp_object_recorded_symbol(
    struct cp_symbols *s, struct cp_object *o, int64_t row)
{
	const struct cp_snapshot_symbol *all;
	size_t n = cp_snapshot_symbols(s->snapshot, &all);
	struct cp_symbol *y;
	uint32_t *at;

	if (row <= 0 || (uint64_t)row >= n)
		return NULL;
	at = cp_map64_put(&o->recorded, (uint64_t)row);
	if (*at != 0)
		return o->recorded_symbols.data[*at - 1];
	y = cp_arena_alloc(&s->arena, sizeof(*y));
	*y = (struct cp_symbol){ .name = all[row].name,
		.raw = all[row].raw,
		.start = all[row].start,
		.end = all[row].end,
		.id = ++s->last_id,
		.dso = o->dso->pub.id,
		.source = (uint8_t)cp_snapshot_source(all[row].source),
		.trust = (uint8_t)cp_snapshot_trust(all[row].trust),
		.label = all[row].label[0] != '\0' ? all[row].label : NULL };
	*cp_vec_push(&o->recorded_symbols) = y;
	*at = (uint32_t)o->recorded_symbols.len;
	return y;
}
