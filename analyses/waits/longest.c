/* SPDX-License-Identifier: MIT */
#include "analyses/waits/longest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"
#include "analyses/waits/tables.h"

#define FUNCTIONS 4 /* of a stack */

/* True for functions of the scheduler, which are on every such stack. */
static bool
says_nothing(const char *name)
{
	return strcmp(name, "schedule") == 0 ||
	       strncmp(name, "__schedule", 10) == 0;
}

/* Functions from the innermost on: "< futex_wait < do_futex". */
static void
stack_text(const struct cp_run *run, cp_stack_id stack, char *out, size_t size)
{
	size_t n = 0;
	int shown = 0;

	*out = '\0';
	for (; stack != 0 && shown < FUNCTIONS;
	     stack = cp_stack_parent(run, stack)) {
		const struct cp_symbol *sym =
		    cp_frame_symbol(run, cp_stack_frame(run, stack));
		int more;

		if (sym == NULL || says_nothing(sym->name))
			continue;
		more = snprintf(out + n, size - n, "%s%.200s",
		    shown++ == 0 ? "< " : " < ", sym->name);
		n += more > 0 ? (size_t)more : 0;
	}
}

static void
show_wait(struct cp_waits *w, struct cp_waitclasses *classes,
    const struct cp_wait *wait, struct cp_table *t)
{
	char stack[FUNCTIONS * 210];
	struct cp_word tid;

	stack_text(w->run, wait->place.stack, stack, sizeof(stack));
	cp_table_row(t);
	cp_table_u64(t, wait->start);
	cp_table_u64(t, wait->ns);
	cp_table_text(t, cp_run_string(w->run, w->task[wait->task].comm));
	cp_table_text(t, cp_word_id(&tid, w->task[wait->task].tid));
	cp_table_text(
	    t, cp_run_string(w->run, cp_waitclass(classes, wait->place.stack)));
	cp_table_text(t, cp_waits_waker(w, wait->link));
	cp_table_text(t, stack);
}

void
cp_waits_show_longest(
    struct cp_waits *w, struct cp_waitclasses *classes, struct cp_report *rep)
{
	struct cp_wait_list *l = &w->longest;
	struct cp_table *t;

	if (l->n == 0)
		return;
	qsort(l->wait, l->n, sizeof(l->wait[0]), cp_waits_compare);
	t = cp_report_table(rep, "offcpu-longest", "Longest blocked waits");
	cp_table_column(t, "Began", CP_COL_CLOCK);
	cp_table_column(t, "Time", CP_COL_TIME);
	cp_table_column(t, "Command", CP_COL_TEXT);
	cp_table_column(t, "TID", CP_COL_TEXT);
	cp_table_column(t, "Wait", CP_COL_TEXT);
	cp_table_column(t, "Ended by", CP_COL_TEXT);
	cp_table_column(t, "Where", CP_COL_TEXT);
	for (uint32_t i = 0; i < l->n; i++)
		show_wait(w, classes, &l->wait[i], t);
}
