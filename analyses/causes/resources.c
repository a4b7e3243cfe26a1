/* SPDX-License-Identifier: MIT */
/*
 * What threads competed for: how busy it was (utilization), and how many
 * threads waited for it (saturation), as far as switches of threads tell.
 */
#include "analyses/causes/rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum resource { CPUS, DISKS, NETWORK, MEMORY, LOCKS, RESOURCES };

struct use {
	uint64_t ns, longest; /* of waits */
};

static enum resource
resource_of(struct cp_causes *c, const struct cp_wait_place *p)
{
	cp_string_id class;

	if (p->kind == CP_SPAN_PREEMPTED || p->kind == CP_SPAN_WOKEN)
		return CPUS;
	if (p->kind != CP_SPAN_BLOCKED)
		return RESOURCES;
	class = cp_waitclass(c->sites.classes, p->stack);
	switch (cp_sites_kind(&c->sites, class, p)) {
	case CP_SITE_LOCK: return LOCKS;
	case CP_SITE_DISK:
		return strcmp(cp_run_string(c->run, class), "disk") == 0
			   ? DISKS
			   : RESOURCES;
	case CP_SITE_FAULT: return MEMORY;
	case CP_SITE_FULL:
		return strcmp(cp_run_string(c->run, class), "pipe") != 0
			   ? NETWORK
			   : RESOURCES;
	default: return RESOURCES;
	}
}

/* Does a name tell what the stack of a blocked thread was blocked on? */
static bool
is_told(struct cp_causes *c, cp_stack_id stack)
{
	if (strcmp(cp_run_string(c->run, cp_waitclass(c->sites.classes, stack)),
		"unknown") != 0)
		return true;
	for (; stack != 0; stack = cp_stack_parent(c->run, stack)) {
		cp_frame_id id = cp_stack_frame(c->run, stack);

		if (cp_frame_get(c->run, id)->level == CP_LEVEL_KERNEL &&
		    cp_frame_symbol(c->run, id) != NULL)
			return true;
	}
	return false;
}

/* Of a second, at any time of the capture: their number on average. */
static double
on_average(const struct cp_causes *c, uint64_t ns)
{
	return round(100 * (double)ns / (double)cp_run_window_length(c->run)) /
	       100;
}

/* told: other waits would have been known as waits for it. */
static void
show_row(struct cp_causes *c, struct cp_table *t, const char *name,
    const char *busy, const struct use *u, bool told)
{
	bool known = u->ns != 0 || told;

	cp_table_add(t, name, busy, known ? on_average(c, u->ns) : (double)NAN,
	    known ? u->ns : CP_NO_TIME, known ? u->longest : CP_NO_TIME);
}

void
cp_causes_resources(struct cp_causes *c, bool all_cpus, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Resource"),
		CP_TEXT("Busy on average"), CP_NUMBER("Threads waiting"),
		CP_TIME("Waited"), CP_TIME("Longest") };
	const struct cp_waits *w = &c->watch.waits;
	const char *online = cp_run_fact(c->run, "cpus-online");
	struct cp_table *t;
	struct use use[RESOURCES + 1] = { { 0 } };
	struct use untold = { 0 };
	uint64_t ran = 0;
	char busy[64];

	for (uint32_t i = 0; i < w->rows.n; i++) {
		struct cp_wait_place p =
		    cp_waits_place(w, (uint32_t)w->rows.all[i].b);
		struct use *u;

		if (!w->task[w->rows.all[i].a].kept)
			continue;
		if (p.kind == CP_SPAN_RUNNING)
			ran += w->row[i].ns;
		u = p.kind == CP_SPAN_BLOCKED && !is_told(c, p.stack)
			? &untold
			: &use[resource_of(c, &p)];
		u->ns += w->row[i].ns;
		if (w->row[i].took.max > u->longest)
			u->longest = w->row[i].took.max;
	}
	(void)snprintf(busy, sizeof(busy), "%.2f%s%.20s CPUs",
	    on_average(c, ran), all_cpus && online != NULL ? " of " : "",
	    all_cpus && online != NULL ? online : "");
	t = cp_report_table(rep, "resources", "Resources", CP_COLUMNS(columns));
	show_row(c, t, "CPU", busy, &use[CPUS], true);
	show_row(c, t, "disk", "not recorded", &use[DISKS], untold.ns == 0);
	show_row(c, t, "network (to send)", "not recorded", &use[NETWORK],
	    untold.ns == 0);
	show_row(c, t, "memory (its pages)", "not recorded", &use[MEMORY],
	    untold.ns == 0);
	show_row(c, t, "locks", "not recorded", &use[LOCKS], untold.ns == 0);
	if (untold.ns != 0)
		show_row(c, t, "no kernel names", "", &untold, true);
}
