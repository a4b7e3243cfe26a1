/* SPDX-License-Identifier: MIT */
#include "analyses/causes/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

struct cp_cause *
cp_cause_new(struct cp_causes *c, const char *about, uint64_t ns)
{
	struct cp_cause *x;

	cp_grow_to(c->run, c->all, &c->cap, c->n);
	x = &c->all[c->n++];
	*x = (struct cp_cause){ .about = about,
		.ns = ns,
		.lo = 1,
		.when = CP_NO_TIME,
		.of = "",
		.who = "",
		.where = "",
		.by = "",
		.command = "offcpu" };
	return x;
}

void
cp_cause_say(struct cp_cause *x, const char *fmt, ...)
{
	va_list ap;
	int more;

	va_start(ap, fmt);
	more = vsnprintf(x->text + x->n, sizeof(x->text) - x->n, fmt, ap);
	va_end(ap);
	x->n += more > 0 ? (size_t)more : 0;
	if (x->n >= sizeof(x->text))
		x->n = sizeof(x->text) - 1;
}

/* "8 threads of convoy waited 14.1 s (88 % of their time) for a lock" */
void
cp_cause_waited(struct cp_causes *c, struct cp_cause *x,
    const struct cp_site *s, uint64_t ns, const char *what)
{
	struct cp_word n, time, share;

	x->who = cp_run_string(c->run, s->comm);
	x->share = cp_share((double)ns, (double)s->life);
	x->of = "its threads' time";
	x->when = s->longest_at;
	if (s->threads > 1)
		cp_cause_say(
		    x, "%s threads of ", cp_word_count(&n, s->threads));
	cp_cause_say(x, "%.64s waited %s (%s of %s time) %s",
	    cp_run_string(c->run, s->comm), cp_word_time(&time, ns),
	    cp_word_percent(&share, (double)ns, (double)s->life),
	    s->threads > 1 ? "their" : "its", what);
}

/* ", in update_table < worker (futex)" */
void
cp_cause_where(struct cp_causes *c, struct cp_cause *x, struct cp_where w)
{
	const char *call = cp_run_string(c->run, w.call);

	if (w.own != 0 || w.call != 0)
		x->where = w.own != 0 ? cp_run_string(c->run, w.own) : call;
	if (w.own != 0)
		cp_cause_say(x, ", in %.220s", cp_run_string(c->run, w.own));
	if (w.call != 0)
		cp_cause_say(x, w.own != 0 ? " (%.40s)" : ", in %.40s", call);
}

const char *
cp_cause_thread(struct cp_causes *c, uint32_t task)
{
	return cp_run_string(c->run, c->watch->waits.task[task].comm);
}

/* What a class is called in a sentence; the place where its threads were. */
const char *
cp_cause_class(struct cp_causes *c, cp_stack_id stack)
{
	static const struct {
		const char *class, *words;
	} words[] = {
		{ "sleep", "slept" },
		{ "disk", "waited for the disk" },
		{ "lock", "waited for a lock" },
		{ "futex", "waited for another thread" },
		{ "idle", "waited for another thread" },
		{ "network", "waited for the network" },
		{ "unix-socket", "waited for another process" },
		{ "poll", "waited for something to do" },
		{ "pipe", "waited for a pipe" },
		{ "child", "waited for a child" },
		{ "page-fault", "waited for memory" },
	};
	const char *class =
	    cp_run_string(c->run, cp_waitclass(c->sites.classes, stack));

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].class, class) == 0)
			return words[i].words;
	return "was blocked";
}

/* What the one that ended most of it did meanwhile, the most first. */
void
cp_cause_meanwhile(
    struct cp_causes *c, struct cp_cause *x, const struct cp_ended *e)
{
	uint64_t ran = e->meanwhile[CP_SPAN_RUNNING],
		 blocked = e->meanwhile[CP_SPAN_BLOCKED] - e->same,
		 ready = e->meanwhile[CP_SPAN_PREEMPTED] +
			 e->meanwhile[CP_SPAN_WOKEN];
	struct cp_where w = cp_place_where(c->run, e->woke);
	uint64_t all = e->ns - e->same;
	struct cp_word share;

	if (*x->by == '\0' && e->by != CP_NO_ID)
		x->by = cp_cause_thread(c, e->by);
	if (ready > ran && ready > blocked)
		cp_cause_say(x, " was ready meanwhile and had no CPU (%s)",
		    cp_word_percent(&share, (double)ready, (double)all));
	else if (ran >= blocked && ran != 0)
		cp_cause_say(x, " ran meanwhile (%s)",
		    cp_word_percent(&share, (double)ran, (double)all));
	else if (blocked != 0)
		cp_cause_say(x, " %s meanwhile (%s)",
		    cp_cause_class(c, e->blocked),
		    cp_word_percent(&share, (double)blocked, (double)all));
	else
		cp_cause_say(x, " ended it");
	if (w.own != 0)
		cp_cause_say(x, ", until %.220s", cp_run_string(c->run, w.own));
}

void
cp_cause_number(struct cp_cause *x, struct cp_site *s)
{
	struct cp_word n, time;

	if (s->n == 1)
		cp_cause_say(x, ", once");
	else
		cp_cause_say(x, ", %s times, at most %s",
		    cp_word_count(&n, s->n), cp_word_time(&time, s->longest));
}
