/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/worst-table.c: the table of the longest waits: why they began,
 * who had the CPU meanwhile, and whether another one was free.
 */
#include "analyses/sched/tables.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "analyses/common/label.h"

struct text {
	char s[400];
	size_t n;
};

static void CP_PRINTF(2, 3) add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->s + t->n, sizeof(t->s) - t->n, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->n += (size_t)n;
	if (t->n > sizeof(t->s) - 1)
		t->n = sizeof(t->s) - 1;
}

static void
add_thread(struct cp_sched *s, struct text *text, uint32_t index)
{
	const struct cp_sched_thread *t = cp_spans_thread(s->tasks, index);

	add(text, "%.40s:%" PRIu32,
	    cp_run_string(s->run, cp_sched_thread_name(s->tasks, t)), t->tid);
}

static void
why(struct cp_sched *s, const struct cp_worst_wait *x, struct text *text)
{
	if (x->wait.preempted) {
		add(text, "displaced by ");
	} else if (x->wait.interrupt) {
		add(text, "woken by an interrupt on CPU %" PRIu32,
		    x->wait.other_cpu);
		return;
	} else {
		add(text, "woken by ");
	}
	if (x->wait.other != CP_NO_ID)
		add_thread(s, text, x->wait.other);
	else
		add(text, x->wait.preempted ? "somebody" : "an idle CPU");
}

/* "a:1 12.0 ms, b:2 3.0 ms, 4 more 1.0 ms; idle 2 us; 3 ms not known" */
static void
meanwhile(struct cp_sched *s, const struct cp_worst_wait *x, struct text *text)
{
	uint64_t rest = x->known - x->idle;
	uint32_t shown = 0;
	struct cp_word word;

	for (; shown < CP_WORST_RUNNERS && x->ran[shown] != 0; shown++) {
		add(text, shown != 0 ? ", " : "");
		add_thread(s, text, x->runner[shown]);
		add(text, " %s", cp_word_time(&word, x->ran[shown]));
		rest -= x->ran[shown];
	}
	if (x->runners > shown)
		add(text, ", %" PRIu32 " more %s", x->runners - shown,
		    cp_word_time(&word, rest));
	if (x->idle != 0)
		add(text, "%sidle %s", text->n != 0 ? "; " : "",
		    cp_word_time(&word, x->idle));
	if (x->known < x->delay)
		add(text, "%s%s not known", text->n != 0 ? "; " : "",
		    cp_word_time(&word, x->delay - x->known));
}

/* With a single CPU recorded, there is no need to say where a thread ran. */
static bool
saw_several(const struct cp_cpu_load *l)
{
	uint32_t seen = 0;

	for (uint32_t i = 0; i < l->n && seen < 2; i++)
		seen += l->cpu[i].seen;
	return seen > 1;
}

static void
elsewhere(struct cp_sched *s, const struct cp_worst_wait *x, struct text *text)
{
	const struct cp_runqueue_thread *r =
	    cp_runqueue_thread(&s->queue, x->wait.thread->index);
	struct cp_word word;

	if (x->wait.cpu == CP_NO_ID)
		return;
	if (!r->many_cpus && saw_several(&s->load))
		add(text, "ran on CPU %" PRIu32 " only", x->wait.cpu);
	if (x->idle_other != 0)
		add(text, "%sCPU %" PRIu32 " was idle for %s",
		    text->n != 0 ? "; " : "", x->idle_cpu,
		    cp_word_time(&word, x->idle_other));
}

static void
wait_row(struct cp_sched *s, const struct cp_worst_wait *x, struct cp_table *t)
{
	const struct cp_sched_thread *who = x->wait.thread;
	struct text text[3] = { 0 };

	why(s, x, &text[0]);
	meanwhile(s, x, &text[1]);
	elsewhere(s, x, &text[2]);
	cp_table_add(t, x->delay, x->wait.start,
	    cp_run_string(s->run, cp_sched_thread_name(s->tasks, who)),
	    cp_cell_id(who->tid), cp_cell_id(x->wait.cpu));
	for (int i = 0; i < 3; i++)
		cp_table_cells(t, text[i].s);
}

void
cp_sched_worst(struct cp_sched *s, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Delay"),
		CP_CLOCK("Since"), CP_TEXT("Command"), CP_TEXT("TID"),
		CP_TEXT("CPU"), CP_PROSE("Why"),
		CP_PROSE("Meanwhile on the CPU"), CP_PROSE("Elsewhere") };
	struct cp_table *t;

	cp_worst_sort(&s->worst);
	if (s->worst.n == 0)
		return;
	t = cp_report_table(
	    rep, "worst", "Longest waits for a CPU", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < s->worst.n; i++)
		wait_row(s, &s->worst.wait[i], t);
}
