/* SPDX-License-Identifier: MIT */
#include "analyses/blockio/blockio.h"

#include <string.h>

#define FIRST_LIMIT 16384u

/*
 * A request that deepens an earlier level deepens all later ones, too.  So an
 * earlier level that is not deeper than a later one can be dropped: each level
 * kept is deeper than the next.
 */
static void
add_level(struct cp_device_times *t, struct cp_run *run, uint64_t event)
{
	if (t->n_level != 0 && t->level[t->n_level - 1].more == 0)
		t->n_level--;
	cp_grow_to(run, t->level, &t->level_cap, t->n_level);
	t->level[t->n_level++] = (struct cp_depth_level){ event, 0 };
}

static void
add_unknown(
    struct cp_device_times *t, struct cp_run *run, uint64_t event, uint64_t ns)
{
	uint64_t before = cp_device_times_unknown(t);

	cp_grow_to(run, t->unknown, &t->unknown_cap, t->n_unknown);
	t->unknown[t->n_unknown++] =
	    (struct cp_unknown_until){ event, before + ns };
}

void
cp_device_times_add(struct cp_device_times *t, struct cp_run *run,
    uint64_t event, uint64_t ns, bool known)
{
	if (!known) {
		add_unknown(t, run, event, ns);
		return;
	}
	add_level(t, run, event);
	if (ns == 0)
		return;
	cp_grow_to(run, t->idle, &t->idle_cap, t->n_idle);
	t->idle[t->n_idle++] = (struct cp_idle){ event, ns };
	if (t->idle_limit == 0)
		t->idle_limit = FIRST_LIMIT;
}

uint64_t
cp_device_times_unknown(const struct cp_device_times *t)
{
	return t->n_unknown != 0 ? t->unknown[t->n_unknown - 1].ns : 0;
}

/* Returns the unknown time since an event. */
static uint64_t
unknown_since(const struct cp_device_times *t, uint64_t event)
{
	uint32_t low = 0, high = t->n_unknown;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (t->unknown[middle].event < event)
			low = middle + 1;
		else
			high = middle;
	}
	return cp_device_times_unknown(t) -
	       (low != 0 ? t->unknown[low - 1].ns : 0);
}

/* Makes all levels since the event one deeper. */
static void
deepen(struct cp_device_times *t, uint64_t event)
{
	uint32_t i = t->n_level;

	while (i != 0 && t->level[i - 1].event >= event)
		i--;
	if (i == t->n_level)
		return;
	t->level[t->n_level - 1].more++;
	if (i == 0) {
		t->max_depth++;
		return;
	}
	if (--t->level[i - 1].more != 0)
		return;
	memmove(&t->level[i - 1], &t->level[i],
	    (t->n_level - i) * sizeof(*t->level));
	t->n_level--;
}

void
cp_device_times_request(struct cp_device_times *t, uint64_t event, uint64_t ns)
{
	uint64_t unknown = unknown_since(t, event);

	t->depth_ns += ns > unknown ? ns - unknown : 0;
	while (t->n_idle != 0 && t->idle[t->n_idle - 1].event >= event)
		t->busy_ns += t->idle[--t->n_idle].ns;
	deepen(t, event);
}

void
cp_device_times_forget(struct cp_device_times *t, uint64_t event)
{
	uint32_t i = 0;

	while (i < t->n_idle && t->idle[i].event < event)
		i++;
	memmove(t->idle, &t->idle[i], (t->n_idle - i) * sizeof(*t->idle));
	t->n_idle -= i;
	if (t->n_idle > t->idle_limit / 2)
		t->idle_limit *= 2;
}
