/* SPDX-License-Identifier: MIT */
#include "analyses/lost/lost-callers.h"

#include <stdlib.h>

#include "analyses/common/label.h"

#define OBJECTS 20 /* rows shown */

struct cp_lost_object {
	const struct cp_run *run;
	uint64_t n, inferred; /* samples */
	uint64_t most;        /* of one stack, which ends in: */
	cp_frame_id frame;
	uint32_t dso;
};

void
cp_lost_callers_init(struct cp_lost_callers *l, struct cp_run *run)
{
	*l = (struct cp_lost_callers){ .run = run,
		.n = (size_t)cp_run_dso_count(run) + 1 };
	l->objects = cp_run_alloc(run, l->n * sizeof(*l->objects));
	for (size_t i = 0; i < l->n; i++)
		l->objects[i] =
		    (struct cp_lost_object){ .run = run, .dso = (uint32_t)i };
}

/*
 * The caller of the innermost function of user code is lost, or none of a
 * stack.
 */
void
cp_lost_callers_add(struct cp_lost_callers *l, cp_stack_id stack, uint64_t n)
{
	const struct cp_frame *f = NULL, *up;
	struct cp_lost_object *o;

	if (stack == 0)
		return;
	l->all += n;
	for (; stack != 0; stack = cp_stack_parent(l->run, stack)) {
		f = cp_frame_get(l->run, cp_stack_frame(l->run, stack));
		if (f->level == CP_LEVEL_USER)
			break;
	}
	if (stack == 0 || cp_stack_parent(l->run, stack) == 0)
		return;
	up = cp_frame_get(
	    l->run, cp_stack_frame(l->run, cp_stack_parent(l->run, stack)));
	if ((up->flags & CP_FRAME_LOST) == 0)
		return;
	o = &l->objects[f->dso];
	o->n += n;
	o->inferred += (up->flags & CP_FRAME_GUESSED) != 0 ? n : 0;
	if (n > o->most) {
		o->most = n;
		o->frame = cp_stack_frame(l->run, stack);
	}
}

static int
compare_objects(const void *va, const void *vb)
{
	const struct cp_lost_object *a = va, *b = vb;

	return cp_word_compare(a->run, a->n, a->dso, b->n, b->dso);
}

void
cp_lost_callers_show(struct cp_lost_callers *l, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Samples"), CP_COUNT("Inferred"), CP_TEXT("Object"),
		CP_TEXT("A function") };
	struct cp_table *t;
	uint64_t rest = 0;
	size_t n;

	qsort(l->objects, l->n, sizeof(*l->objects), compare_objects);
	if (l->objects[0].n == 0)
		return;
	t = cp_report_table(rep, "chains-lost",
	    "Functions whose callers were not recorded", CP_COLUMNS(columns));
	for (n = 0; n < l->n && l->objects[n].n != 0; n++) {
		const struct cp_lost_object *o = &l->objects[n];
		const struct cp_symbol *s = cp_frame_symbol(l->run, o->frame);

		if (n >= OBJECTS) {
			rest += o->n;
			continue;
		}
		cp_table_add(t, cp_count_cell(o->n, cp_counted(l->all, 1)),
		    o->n, o->inferred, cp_word_object(l->run, o->dso),
		    s != NULL ? s->name : "");
	}
	if (n > OBJECTS)
		cp_table_rest(t, n - OBJECTS, rest);
}
