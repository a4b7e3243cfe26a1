/* SPDX-License-Identifier: MIT */
#include "analyses/waits/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"

#define FUNCTIONS 4 /* of a stack */

/*
 * Functions of user code from the innermost on, "< pthread_mutex_lock < work":
 * the kernel's tell what the class tells.  Those are shown where there are no
 * others, but for the scheduler's, which are on every stack.
 */
static bool
says_nothing(
    const struct cp_run *run, cp_frame_id frame, const char *name, bool user)
{
	if (user)
		return cp_frame_get(run, frame)->level == CP_LEVEL_KERNEL;
	return strcmp(name, "schedule") == 0 ||
	       strncmp(name, "__schedule", 10) == 0;
}

static bool
has_user(const struct cp_run *run, cp_stack_id stack)
{
	for (; stack != 0; stack = cp_stack_parent(run, stack))
		if (cp_frame_get(run, cp_stack_frame(run, stack))->level !=
			CP_LEVEL_KERNEL &&
		    cp_frame_symbol(run, cp_stack_frame(run, stack)) != NULL)
			return true;
	return false;
}

static const char *
stack_text(struct cp_run *run, cp_stack_id stack)
{
	bool user = has_user(run, stack);
	const char *name[FUNCTIONS];
	size_t size = 1, n = 0;
	char *text;
	int shown = 0;

	for (; stack != 0 && shown < FUNCTIONS;
	     stack = cp_stack_parent(run, stack)) {
		cp_frame_id frame = cp_stack_frame(run, stack);
		const struct cp_symbol *sym = cp_frame_symbol(run, frame);

		if (sym == NULL || says_nothing(run, frame, sym->name, user))
			continue;
		name[shown++] = sym->name;
		size += strlen(sym->name) + strlen(" < ");
	}
	text = cp_run_alloc(run, size);
	text[0] = '\0';
	for (int i = 0; i < shown; i++)
		n += (size_t)snprintf(
		    text + n, size - n, "%s< %s", i != 0 ? " " : "", name[i]);
	return text;
}

static void
show_wait(struct cp_waits *w, struct cp_waitclasses *classes,
    const struct cp_wait *wait, struct cp_table *t)
{
	cp_table_add(t, wait->start, wait->ns,
	    cp_run_string(w->run, w->task[wait->task].comm),
	    cp_cell_id(w->task[wait->task].tid),
	    cp_run_string(w->run, cp_waitclass(classes, wait->place.stack)),
	    cp_waits_waker(w, wait->link),
	    stack_text(w->run, wait->place.stack));
}

void
cp_waits_show_longest(
    struct cp_waits *w, struct cp_waitclasses *classes, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_CLOCK("Began"),
		CP_TIME("Time"), CP_TEXT("Command"), CP_TEXT("TID"),
		CP_TEXT("Wait"), CP_TEXT("Ended by"), CP_TEXT("Where") };
	struct cp_wait_list *l = &w->longest;
	struct cp_table *t;

	if (l->n == 0)
		return;
	qsort(l->wait, l->n, sizeof(l->wait[0]), cp_waits_compare);
	t = cp_report_table(rep, "offcpu-longest", "Longest blocked waits",
	    CP_COLUMNS(columns));
	for (uint32_t i = 0; i < l->n; i++)
		show_wait(w, classes, &l->wait[i], t);
}
