/* SPDX-License-Identifier: MIT */
/* tree: the steps by stack; on a wait that was followed, what ended it. */
#include "analyses/critical/texts.h"

#include <stdio.h>

#include "analyses/waits/wall.h"

static uint32_t
label(struct cp_stacktree *t, uint32_t parent, const char *text)
{
	return *text != '\0' ? cp_stacktree_label(t, parent, text, CP_KIND_NONE)
			     : parent;
}

static uint32_t
class_label(struct cp_critical_show *x, struct cp_stacktree *t, uint32_t parent,
    cp_string_id class)
{
	char text[128];

	(void)snprintf(
	    text, sizeof(text), "[%.100s]", cp_run_string(x->o->run, class));
	return label(t, parent, text);
}

static void
tree_step(struct cp_critical_show *x, struct cp_stacktree *t,
    struct cp_walltimes *times, uint32_t at, const struct cp_step *s)
{
	struct cp_critical *o = x->o;
	uint32_t place;

	at = label(t, at, cp_run_string(o->run, x->name[s->thread]));
	for (uint32_t i = 0; i < s->parts; i++) {
		const struct cp_step_part *p = &o->part[s->part + i];

		place = cp_stacktree_stack(t, at, p->stack, 0);
		place = label(t, place, cp_step_words[s->state].label);
		cp_walltimes_add(times, t, place, p->ns, 0, 1);
	}
	if (s->parts != 0)
		return;
	if (s->state == CP_STEP_NO_SAMPLE || s->state == CP_STEP_ON_CPU)
		at = label(t, at,
		    cp_run_string(o->run, cp_critical_place(x, s->stack)));
	else
		at = cp_stacktree_stack(t, at, s->stack, 0);
	if (cp_critical_wait(x, s) != 0)
		at = class_label(x, t, at, cp_critical_wait(x, s));
	at = label(t, at, cp_step_words[s->state].label);
	if (s->state == CP_STEP_READY)
		at = label(t, at, cp_critical_by(x, s));
	else if (s->state == CP_STEP_INTERRUPT)
		at = cp_stacktree_stack(
		    t, at, s->handler, CP_STACK_HANDLER | CP_STACK_UPWARDS);
	if (s->state <= CP_STEP_NO_SAMPLE)
		cp_walltimes_add(times, t, at, s->end - s->start, 0, 1);
	else
		cp_walltimes_add(times, t, at, 0, s->end - s->start, 1);
}

void
cp_critical_tree(struct cp_critical_show *x)
{
	struct cp_critical *o = x->o;
	struct cp_tree *tree = cp_report_tree(x->rep, "critical",
	    "Time by thread, stack and state; on a wait, what it waited for");
	struct cp_walltimes times = { 0 };
	struct cp_stacktree t;
	uint32_t *at =
	    cp_run_alloc(o->run, (o->n_hops + (size_t)1) * sizeof(*at));

	cp_tree_unit(tree, "time", CP_COL_TIME, "steps");
	cp_stacktree_init(&t, o->run, tree);
	for (uint32_t i = 0; i < o->n_hops; i++) {
		const struct cp_step_hop *h = &o->hop[i];

		at[i] = label(&t, h->up != CP_NO_ID ? at[h->up] : 0,
		    cp_run_string(o->run, x->name[h->thread]));
		at[i] = cp_stacktree_stack(&t, at[i], h->stack, 0);
		at[i] = class_label(
		    x, &t, at[i], cp_critical_class(x, h->stack, h->letter));
	}
	for (uint32_t i = 0; i < o->n_steps; i++)
		tree_step(x, &t, &times,
		    o->step[i].hop != CP_NO_ID ? at[o->step[i].hop] : 0,
		    &o->step[i]);
	cp_walltimes_shade(&times, &t);
	cp_stacktree_finish(&t);
}
