/* SPDX-License-Identifier: MIT */
#include "analyses/waits/wall.h"

#include <math.h>

struct wall {
	const struct cp_walltree *w;
	struct cp_stacktree tree;
	struct cp_walltimes times;
};

void
cp_walltimes_add(struct cp_walltimes *x, struct cp_stacktree *tree,
    uint32_t place, uint64_t on, uint64_t off, uint64_t n)
{
	cp_stacktree_add(tree, place, on + off, n);
	cp_grow_to(tree->run, x->of, &x->cap, place);
	x->of[place].on += (double)on;
	x->of[place].all += (double)on + (double)off;
}

static void
add(struct wall *x, uint32_t place, uint64_t on, uint64_t off, uint64_t n)
{
	cp_walltimes_add(&x->times, &x->tree, place, on, off, n);
}

static uint32_t
half(struct wall *x, const char *name)
{
	return x->w->apart ? cp_stacktree_label(&x->tree, 0, name, CP_KIND_NONE)
			   : 0;
}

static void
add_on(void *ctx, const struct cp_oncpu_part *p)
{
	struct wall *x = ctx;
	struct cp_wait_task task = {
		.comm = p->comm, .pid = p->pid, .tid = p->tid
	};
	uint32_t place =
	    cp_waittree_task(&x->w->waits, &x->tree, half(x, "on CPU"), &task);

	if (p->samples != 0)
		place = cp_stacktree_stack(&x->tree, place, p->stack, 0);
	/* Waits end in a label, too: red stands next to blue. */
	if (p->samples == 0 || !x->w->apart)
		place = cp_stacktree_label(&x->tree, place,
		    p->samples == 0 ? "[no sample]" : "[on CPU]", CP_KIND_NONE);
	add(x, place, p->ns, 0, p->samples);
}

/* Time of a task without a stack. */
static void
add_blank(struct wall *x, uint32_t task, const char *state, uint64_t ns)
{
	const struct cp_waittree *w = &x->w->waits;

	if (ns != 0 && w->waits->task[task].kept)
		add(x,
		    cp_stacktree_label(&x->tree,
			cp_waittree_task(w, &x->tree, 0, &w->waits->task[task]),
			state, CP_KIND_NONE),
		    0, ns, 0);
}

static void
add_off(struct wall *x)
{
	const struct cp_waittree *w = &x->w->waits;

	for (uint32_t i = 0; x->w->all && i < w->waits->n_tasks; i++) {
		add_blank(
		    x, i, "[unknown]", w->waits->task[i].ns[CP_SPAN_UNKNOWN]);
		add_blank(x, i, "[not recorded]", x->w->unrecorded[i]);
	}

	for (uint32_t i = 0; i < w->waits->rows.n; i++) {
		const struct cp_wait_sum *s = &w->waits->row[i];

		if (cp_waittree_wants(w, i))
			add(x,
			    cp_waittree_wait(
				w, &x->tree, half(x, "off CPU"), i),
			    0, s->ns, s->took.n + s->open);
	}
}

/* Several places may share a node. */
void
cp_walltimes_shade(struct cp_walltimes *x, const struct cp_stacktree *t)
{
	struct cp_tree *tree = t->tree;
	uint32_t n = t->places.n;
	struct cp_walltime *of = cp_run_alloc(t->run, n * sizeof(*of));

	cp_grow_to(t->run, x->of, &x->cap, n);
	/* Parents come before their children. */
	for (uint32_t i = n; i-- > 0;) {
		struct cp_walltime *up =
		    &x->of[i != 0 ? t->places.all[i].a : 0];
		uint32_t node = cp_stacktree_node(t, i);

		of[node].on += x->of[i].on;
		of[node].all += x->of[i].all;
		if (i != 0) {
			up->on += x->of[i].on;
			up->all += x->of[i].all;
		}
	}
	cp_tree_scale(tree, CP_SCALE_CPU, 0, "on CPU");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = cp_stacktree_node(t, i);

		cp_tree_value(tree, node,
		    of[node].all > 0 ? of[node].on / of[node].all
				     : (double)NAN);
	}
}

void
cp_walltree(const struct cp_walltree *w, struct cp_report *rep)
{
	struct wall x = { .w = w };
	struct cp_tree *tree =
	    cp_waittree_new(&w->waits, rep, w->apart ? "onoff" : "wall",
		w->apart ? "Stacks by time on and off the CPU"
		: w->all ? "All time of threads, on the CPU or off"
			 : "Stacks by time, on the CPU or off");

	cp_tree_unit(tree, "time", CP_COL_TIME, "observations");
	cp_stacktree_init(&x.tree, w->waits.waits->run, tree);
	add_off(&x);
	cp_oncpu_each(w->oncpu, w->watch, add_on, &x, rep);
	cp_walltimes_shade(&x.times, &x.tree);
	cp_stacktree_finish(&x.tree);
}
