/* SPDX-License-Identifier: MIT */
/*
 * The names that a snapshot recorded.  What is shown as their source and trust
 * is what named them when the snapshot was made.
 */

#include "symbolize/object/snapshot.h"
#include "base/elf.h"
#include "symbolize/symbolizers/symbolizers.h"

static void
push(struct cp_object *o, const struct cp_snapshot_symbol *y)
{
	enum cp_source source = cp_snapshot_source(y->source);

	/* Functions that are only inlined have no addresses. */
	if (y->start >= y->end || source == CP_SOURCE_BOUNDS)
		return;
	*cp_symtab_push(&o->tab) = (struct cp_entry){ .start = y->start,
		.end = y->end,
		.name = y->raw[0] != '\0' ? y->raw : y->name,
		.bind = STB_GLOBAL,
		.type = STT_FUNC,
		.go = source == CP_SOURCE_GOPCLNTAB };
	if (y->label[0] != '\0')
		cp_symtab_label(&o->tab, y->label);
}

static bool
snapshot_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_snapshot_object *object;
	const struct cp_snapshot_symbol *all;
	size_t n, row;

	if (s->snapshot == NULL)
		return false;
	row = cp_object_row(s, o);
	if (row == 0)
		return false;
	n = cp_snapshot_symbols(s->snapshot, &all);
	for (size_t i = 1; i < n; i++)
		if (all[i].object == (int64_t)row)
			push(o, &all[i]);
	cp_symtab_settle(&o->tab, CP_SETTLE_ELF);
	object = cp_snapshot_object(s->snapshot, row);
	o->source = cp_snapshot_source(object->source);
	o->trust = cp_snapshot_trust(object->trust);
	o->why = object->reason[0] != '\0' ? object->reason : NULL;
	o->path = object->file[0] != '\0' ? object->file : NULL;
	o->stripped = (object->found & CP_PROFILE_STRIPPED) != 0;
	return o->source != CP_SOURCE_NONE;
}

const struct cp_symbolizer cp_symbolizer_snapshot = {
	.name = "snapshot",
	.open = snapshot_open,
};
