/* SPDX-License-Identifier: MIT */
/* What each control group had of the CPUs, and how long it waited for one. */
#include "analyses/causes/causes.h"
#include "analyses/causes/rules.h"

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"

struct group {
	struct cp_quantiles waited;
	struct cp_late late[2];
	uint64_t ran;
	uint32_t threads;
};

void
cp_causes_groups(struct cp_causes *c, struct cp_report *rep)
{
	static const struct cp_column_spec heads[] = { CP_TIME("On a CPU"),
		CP_TIME("Waited"), CP_COUNT("Waits"), CP_TIME("p99"),
		CP_TIME("Max"), CP_TIME("Held back"), CP_COUNT("Threads"),
		CP_TEXT("Control group"),
		CP_COLUMN("Path", CP_COL_TEXT, CP_COLUMN_MINOR, NULL) };
	const struct cp_waits *w = &c->watch.waits;
	struct cp_index ids;
	struct group *all = NULL;
	uint32_t cap = 0;
	struct cp_table *t;

	if (!c->groups.any)
		return;
	cp_index_init(&ids, c->run);
	for (uint32_t i = 0; i < w->n_tasks; i++) {
		uint64_t id = cp_task_group(&c->groups, i);
		uint32_t k;

		if (!w->task[i].kept || w->task[i].tid == 0 || id == 0)
			continue;
		k = cp_index_put(&ids, id, 0);
		cp_grow_to(c->run, all, &cap, k);
		all[k].threads++;
		all[k].ran += w->task[i].ns[CP_SPAN_RUNNING];
		if (i < c->meanwhile.ready_cap)
			cp_late_add(all[k].late, c->meanwhile.ready[i].late);
	}
	for (uint32_t i = 0; i < w->rows.n; i++) {
		uint32_t task = (uint32_t)w->rows.all[i].a;
		uint8_t kind =
		    cp_waits_place(w, (uint32_t)w->rows.all[i].b).kind;
		uint32_t k =
		    cp_index_get(&ids, cp_task_group(&c->groups, task), 0);

		if ((kind == CP_SPAN_PREEMPTED || kind == CP_SPAN_WOKEN) &&
		    w->task[task].kept && k != CP_NO_ID)
			cp_quantiles_merge(
			    c->run, &all[k].waited, &w->row[i].took);
	}
	t = cp_report_table(
	    rep, "cgroups", "Control groups", CP_COLUMNS(heads));
	for (uint32_t k = 0; k < ids.n; k++) {
		struct group *g = &all[k];
		const char *path = cp_run_cgroup(c->run, ids.all[k].a);

		cp_table_add(t, g->ran, g->waited.sum, g->waited.n,
		    cp_quantiles_cell(&g->waited, 0.99), g->waited.max,
		    cp_late_quota(g->late, g->threads, g->waited.sum),
		    g->threads, cp_cgroup_label(c->run, ids.all[k].a),
		    path != NULL ? path : "");
	}
	cp_table_sort(t, "On a CPU");
	cp_table_top(t, 10, "On a CPU");
}

cp_string_id
cp_causes_group_of(struct cp_causes *c, cp_string_id program)
{
	struct cp_tally *threads = cp_tally_new(c->run);
	const struct cp_tally_row *most;

	for (uint32_t i = 0; i < c->watch.waits.n_tasks; i++)
		if (c->sites.matters[i] && i < c->meanwhile.ready_cap &&
		    cp_sites_program(&c->sites, i) == program)
			cp_tally_add(threads, cp_task_group(&c->groups, i), 0,
			    c->meanwhile.ready[i].late[0].ns);
	most = cp_rows_heaviest(threads);
	return most != NULL && most->a != 0
		   ? cp_run_intern(c->run, cp_cgroup_label(c->run, most->a))
		   : 0;
}
