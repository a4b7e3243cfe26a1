/* SPDX-License-Identifier: MIT */
#include "analyses/waits/trees.h"

#include <stdio.h>

#include "analyses/common/stack-tree.h"
#include "analyses/tasks/pools.h"
#include "analyses/waits/tables.h"
#include "analyses/common/label.h"

struct cp_tree *
cp_waittree_new(const struct cp_waittree *w, struct cp_report *rep,
    const char *slug, const char *title)
{
	char text[120];

	snprintf(text, sizeof(text), "%s%s", title,
	    !w->runnable  ? " (waits: only blocked)"
	    : !w->blocked ? " (waits: only runnable)"
			  : "");
	return cp_report_tree(rep, slug, text);
}

static void
tree_begin(
    const struct cp_waittree *w, struct cp_stacktree *out, struct cp_tree *tree)
{
	cp_tree_unit(tree, "time", CP_COL_TIME, "waits");
	cp_stacktree_init(out, w->waits->run, tree);
}

bool
cp_waittree_wants(const struct cp_waittree *w, uint32_t row)
{
	const struct cp_pair *p = &w->waits->rows.all[row];
	uint8_t kind = cp_waits_place(w->waits, (uint32_t)p->b).kind;

	if (!w->waits->task[p->a].kept)
		return false;
	if (kind == CP_SPAN_BLOCKED)
		return w->blocked;
	return w->runnable &&
	       (kind == CP_SPAN_PREEMPTED || kind == CP_SPAN_WOKEN);
}

void
cp_waittree_pools(struct cp_waittree *w)
{
	struct cp_run *run = w->waits->run;
	struct cp_groups g;
	cp_string_id *pool;
	uint32_t *group;

	cp_index_init(&w->pooled, run);
	if (w->threads)
		return;
	cp_groups_init(&g, run, 1u << CP_BY_COMM | 1u << CP_BY_PID, 0);
	pool = cp_run_alloc(run, (w->waits->n_tasks + 1) * sizeof(*pool));
	group = cp_run_alloc(run, (w->waits->n_tasks + 1) * sizeof(*group));
	for (uint32_t i = 0; i < w->waits->n_tasks; i++) {
		const struct cp_wait_task *task = &w->waits->task[i];

		group[cp_index_put(&w->pooled, task->comm, task->pid)] =
		    cp_groups_of(&g, &(struct cp_sample){ .comm = task->comm,
					 .pid = task->pid,
					 .tid = task->tid });
	}
	cp_pools_merge(&g);
	for (uint32_t i = 0; i < w->pooled.n; i++)
		pool[i] =
		    (cp_string_id)g
			.all[g.alias != NULL ? g.alias[group[i]] : group[i]]
			.v[CP_BY_COMM];
	w->pool = pool;
}

uint32_t
cp_waittree_task(const struct cp_waittree *w, struct cp_stacktree *t,
    uint32_t parent, const struct cp_wait_task *task)
{
	uint32_t pool = w->pool != NULL
			    ? cp_index_get(&w->pooled, task->comm, task->pid)
			    : CP_NO_ID;
	uint32_t node = cp_stacktree_label(t, parent,
	    cp_run_string(
		t->run, pool != CP_NO_ID ? w->pool[pool] : task->comm),
	    CP_KIND_NONE);
	struct cp_word pid, tid;
	char text[80];

	if (!w->threads)
		return node;
	snprintf(text, sizeof(text), "%s/%s", cp_word_id(&pid, task->pid),
	    cp_word_id(&tid, task->tid));
	return cp_stacktree_label(t, node, text, CP_KIND_NONE);
}

uint32_t
cp_waittree_wait(const struct cp_waittree *w, struct cp_stacktree *t,
    uint32_t parent, uint32_t row)
{
	const struct cp_pair *pair = &w->waits->rows.all[row];
	struct cp_wait_place p = cp_waits_place(w->waits, (uint32_t)pair->b);
	uint32_t node =
	    cp_waittree_task(w, t, parent, &w->waits->task[pair->a]);
	char text[128];

	node = cp_stacktree_stack(t, node, p.stack, 0);
	if (p.kind == CP_SPAN_PREEMPTED)
		snprintf(text, sizeof(text), "[preempted]");
	else if (p.kind == CP_SPAN_WOKEN)
		snprintf(text, sizeof(text), "[waits for the CPU]");
	else
		snprintf(text, sizeof(text), "[%.100s]",
		    p.letter == 'N' ? "start"
				    : cp_run_string(t->run,
					  cp_waitclass(w->classes, p.stack)));
	return cp_stacktree_label(t, node, text, CP_KIND_NONE);
}

void
cp_waittree_offcpu(const struct cp_waittree *w, struct cp_report *rep)
{
	struct cp_stacktree t;

	tree_begin(w, &t,
	    cp_waittree_new(w, rep, "offcpu", "Stacks by time off the CPU"));
	for (uint32_t i = 0; i < w->waits->rows.n; i++) {
		const struct cp_wait_sum *s = &w->waits->row[i];

		if (cp_waittree_wants(w, i))
			cp_stacktree_add(&t, cp_waittree_wait(w, &t, 0, i),
			    s->ns, s->took.n + s->open);
	}
	cp_stacktree_finish(&t);
}

static uint32_t
waker_label(const struct cp_waittree *w, struct cp_stacktree *t, uint32_t node,
    uint32_t link)
{
	return cp_stacktree_label(
	    t, node, cp_waits_waker(w->waits, link), CP_KIND_NONE);
}

void
cp_waittree_wakers(const struct cp_waittree *w, struct cp_report *rep)
{
	struct cp_waits *waits = w->waits;
	struct cp_stacktree t;

	tree_begin(w, &t,
	    cp_report_tree(rep, "wakers",
		"Stacks that woke others, by the time those had waited"));
	for (uint32_t i = 0; i < waits->wakes.n; i++) {
		const struct cp_wait_wake *wake = &waits->wake[i];
		struct cp_wait_link l;
		uint32_t node, task;

		task = (uint32_t)waits->rows.all[wake->row].a;
		if (!waits->task[task].kept)
			continue;
		node = waker_label(w, &t, 0, wake->link);
		if (wake->link != CP_NO_ID) {
			l = cp_waits_link_at(waits, wake->link);
			node = cp_stacktree_stack(&t, node, l.stack,
			    l.interrupt ? CP_STACK_HANDLER : 0);
		}
		node = cp_stacktree_label(&t, node,
		    cp_run_string(t.run, waits->task[task].comm), CP_KIND_NONE);
		cp_stacktree_add(&t, node, wake->ns, wake->n);
	}
	cp_stacktree_finish(&t);
}

void
cp_waittree_offwake(const struct cp_waittree *w, struct cp_report *rep)
{
	struct cp_waits *waits = w->waits;
	struct cp_stacktree t;

	tree_begin(w, &t,
	    cp_report_tree(rep, "offwake",
		"Stacks by time blocked, with the stacks of who ended it on "
		"them"));
	for (uint32_t i = 0; i < waits->wakes.n; i++) {
		const struct cp_wait_wake *wake = &waits->wake[i];
		uint32_t node, link = wake->link;

		if (!waits->task[waits->rows.all[wake->row].a].kept)
			continue;
		node = cp_waittree_wait(w, &t, 0, wake->row);
		if (link == CP_NO_ID)
			node = waker_label(w, &t, node, link);
		while (link != CP_NO_ID) {
			struct cp_wait_link l = cp_waits_link_at(waits, link);

			node = cp_stacktree_stack(&t, node, l.stack,
			    CP_STACK_UPWARDS |
				(l.interrupt ? CP_STACK_HANDLER : 0));
			node = waker_label(w, &t, node, link);
			link = l.before;
		}
		cp_stacktree_add(&t, node, wake->ns, wake->n);
	}
	cp_stacktree_finish(&t);
}
