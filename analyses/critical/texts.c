/* SPDX-License-Identifier: MIT */
/* texts: what the tables and the tree of critical call steps and places. */
#include "analyses/critical/texts.h"

#include <stdio.h>
#include <string.h>

#include "analyses/causes/places.h"

const struct cp_step_words cp_step_words[CP_STEP_STATES] = {
	[CP_STEP_ON_CPU] = { "on CPU", "", "[on CPU]" },
	[CP_STEP_NO_SAMPLE] = { "on CPU, no sample", "",
	    "[on CPU, no sample]" },
	[CP_STEP_READY] = { "waits for a CPU", "", "[waits for the CPU]" },
	[CP_STEP_INTERRUPT] = { "blocked", "(interrupt)", "[interrupt]" },
	[CP_STEP_NO_WAKER] = { "blocked", "(no waker recorded)",
	    "[no waker recorded]" },
	[CP_STEP_BEFORE] = { "blocked", "(since before the capture)",
	    "[since before the capture]" },
	[CP_STEP_STILL] = { "blocked", "(not ended yet)", "[not ended yet]" },
	[CP_STEP_LOOP] = { "blocked", "(loop of wake-ups)",
	    "[loop of wake-ups]" },
	[CP_STEP_DEEP] = { "blocked", "(too deep to follow)",
	    "[too deep to follow]" },
	[CP_STEP_LOST] = { "unknown", "(records lost)", "[records lost]" },
	[CP_STEP_UNKNOWN] = { "unknown", "(a switch is missing)", "[unknown]" },
	[CP_STEP_UNRECORDED] = { "not recorded", "", "[not recorded]" },
	[CP_STEP_LIMIT] = { "not followed", "(too many steps)",
	    "[too many steps]" },
};

/* Without a function of the program: where it left user code, or the kernel. */
static cp_string_id
other_place(struct cp_run *run, cp_stack_id stack)
{
	const char *best = "";
	bool user = false;

	for (; stack != 0 && !user; stack = cp_stack_parent(run, stack)) {
		cp_frame_id f = cp_stack_frame(run, stack);
		const struct cp_symbol *s = cp_frame_symbol(run, f);

		user = cp_frame_get(run, f)->level == CP_LEVEL_USER;
		if (s != NULL && strstr(s->name, "sched") == NULL &&
		    (user || *best == '\0'))
			best = s->name;
	}
	return cp_run_intern(run, best);
}

/* "fsync < save < main": the call, and the program's own functions. */
cp_string_id
cp_critical_place(struct cp_critical_show *x, cp_stack_id stack)
{
	struct cp_run *run = x->o->run;
	uint32_t n = x->stacks.n, i = cp_index_put(&x->stacks, stack, 0);
	struct cp_where w;

	cp_grow_to(run, x->place, &x->place_cap, i);
	if (i != n || stack == 0)
		return x->place[i];
	w = cp_place_where(run, stack);
	if (w.call != 0 && w.own != 0)
		x->place[i] = cp_run_intern(
		    run, cp_place_below(run, cp_run_string(run, w.call),
			     cp_run_string(run, w.own)));
	else
		x->place[i] = w.own != 0    ? w.own
			      : w.call != 0 ? w.call
					    : other_place(run, stack);
	return x->place[i];
}

cp_string_id
cp_critical_class(struct cp_critical_show *x, cp_stack_id stack, char letter)
{
	return letter == 'N' ? cp_run_intern(x->o->run, "start")
			     : cp_waitclass(&x->o->classes, stack);
}

cp_string_id
cp_critical_wait(struct cp_critical_show *x, const struct cp_step *s)
{
	return s->state >= CP_STEP_INTERRUPT && s->state <= CP_STEP_DEEP
		   ? cp_critical_class(x, s->stack, s->letter)
		   : 0;
}

const char *
cp_critical_by(const struct cp_critical_show *x, const struct cp_step *s)
{
	if (s->state != CP_STEP_READY)
		return cp_step_words[s->state].by;
	return s->by == CP_STEP_IDLE ? "(idle CPU)"
	       : s->by == CP_NO_ID   ? "(not recorded)"
				     : cp_run_string(x->o->run, x->name[s->by]);
}
