/* SPDX-License-Identifier: MIT */
#include "readers/rewrite/repaired.h"

#include "base/limits.h"

/*
 * The id of a sample that the reader gave to the event without ids.  The reader
 * must not know it before the end: it would judge what follows by it.
 */
static void
keep_id(
    struct cp_repair *r, const struct cp_evsels *e, uint64_t id, uint32_t evsel)
{
	if (id != 0 && e->ids < CP_MAX_IDS - r->found_ids.len &&
	    cp_evsels_find(e, id) == NULL)
		*cp_map64_put(&r->found_ids, id) = evsel + 1;
}

/* An event that is alone has all values of its samples; perf asks for ids. */
void
cp_repair_keep_ids(
    struct cp_repair *r, const struct cp_evsels *e, const struct cp_event *ev)
{
	uint64_t id;

	keep_id(r, e, ev->id, ev->evsel);
	for (uint64_t i = 0;
	     e->all.len == 1 && cp_repair_counter_id(e, ev, i, &id); i++)
		keep_id(r, e, id, ev->evsel);
}

/* Do readers ask this capture for ids? */
static bool
needs_ids(const struct cp_evsels *e)
{
	const uint64_t reads = CP_SAMPLE_READ;

	if (e->all.len == 1)
		return (e->all.data[0]->attr.sample_type & reads) != 0;
	return e->sample_id_at >= 0;
}

/*
 * An event whose ids are lost has no samples in the new file.  An id that no
 * record has says so; without one readers would look for its samples.
 */
static void
add_made_ids(struct cp_evsels *e)
{
	uint64_t id = UINT64_MAX;

	if (!needs_ids(e))
		return;
	for (size_t i = 0; i < e->all.len; i++) {
		if (e->all.data[i]->first_id != 0)
			continue;
		while (cp_evsels_find(e, id) != NULL)
			id--;
		cp_evsels_id(e, e->all.data[i], id);
	}
}

void
cp_repair_add_ids(const struct cp_repair *r, struct cp_evsels *e)
{
	const struct cp_map64 *map = &r->found_ids;

	for (uint32_t i = 0; map->slots != NULL && i <= map->mask; i++)
		if (map->slots[i].value != 0)
			cp_evsels_id(e, e->all.data[map->slots[i].value - 1],
			    map->slots[i].key);
	add_made_ids(e);
}
