/* SPDX-License-Identifier: MIT */
#include "analyses/waits/watch.h"

#include "analyses/common/advice.h"
#include "analyses/common/label.h"
#include "analyses/tasks/notes.h"

/* Keeps the chain of wakers of the thread whose wait ends now. */
static void
chain_of(struct cp_waitwatch *o, const struct cp_sched_thread *t)
{
	const struct cp_span_waker *w = &t->waker;
	struct cp_wait_link link = {
		.waker = w->thread, .stack = w->stack, .before = CP_NO_ID
	};
	uint32_t chain;

	/* A handler's wake-up is not the work of the thread it interrupted. */
	link.interrupt = w->interrupt || w->thread == CP_NO_ID;
	if (link.interrupt)
		link.waker = CP_NO_ID;
	else if (o->hops > 1 && w->thread < o->chain_cap &&
		 o->chain[w->thread] != 0)
		link.before = cp_waits_cut(
		    &o->waits, o->chain[w->thread] - 1, (unsigned)o->hops - 1);
	chain = cp_waits_link(&o->waits, &link);
	cp_grow_to(o->run, o->chain, &o->chain_cap, t->index);
	o->chain[t->index] = chain + 1;
}

/* Leaves out what another CPU's clock had before; false: nothing is left. */
static bool
clip(struct cp_waitwatch *o, const struct cp_span *s, struct cp_wait *w)
{
	uint32_t i = s->thread->index;

	w->start = s->start;
	if (o->once) {
		cp_grow_to(o->run, o->until, &o->until_cap, i);
		w->start = o->until[i] > s->start ? o->until[i] : s->start;
		o->until[i] = s->end > o->until[i] ? s->end : o->until[i];
	}
	if (w->start >= s->end)
		return false;
	w->ns = s->end - w->start;
	w->open = s->open != 0 || w->start != s->start;
	return true;
}

/* Counts what notes tell of a thread's waits. */
static void
count_wait(struct cp_waitwatch *o, const struct cp_span *s, bool open)
{
	struct cp_wait_task *t = cp_waits_task(&o->waits, s->thread->index);

	t->open_start += (s->open & CP_SPAN_OPEN_START) != 0;
	t->open_end += (s->open & CP_SPAN_OPEN_END) != 0;
	t->cut +=
	    open && (s->open & (CP_SPAN_OPEN_START | CP_SPAN_OPEN_END)) == 0;
	t->bare += s->kind == CP_SPAN_BLOCKED && !s->after_loss &&
		   o->state->seen[CP_SCHED_SWITCH] == 0;
}

/* Waits outside of --time count, too: the thread may wake others later. */
static void
on_whole(void *ctx, const struct cp_span *s)
{
	if (s->kind == CP_SPAN_BLOCKED && s->woken)
		chain_of(ctx, s->thread);
}

static void
on_span(void *ctx, const struct cp_span *s)
{
	struct cp_waitwatch *o = ctx;
	const struct cp_sched_thread *t = s->thread;
	struct cp_wait w = { .task = t->index,
		.link = CP_NO_ID,
		.place = { .kind = s->kind, .letter = '?' } };
	bool off = s->kind > CP_SPAN_RUNNING;
	uint32_t row = CP_NO_ID;

	if (s->kind == CP_SPAN_BLOCKED && s->woken)
		w.link = o->chain[t->index] - 1;
	if (off && !s->after_loss) {
		w.place.stack = t->stack;
		w.place.letter = t->letter;
	}
	if (clip(o, s, &w) && cp_run_keeps_cpu(o->run, t->cpu)) {
		row = cp_waits_add(&o->waits, &w);
		cp_waits_keep(&o->waits, &w);
		if (off)
			count_wait(o, s, w.open);
	}
	if (o->also != NULL)
		o->also(o->also_ctx, s, &w, row);
}

void
cp_waitwatch_init(struct cp_waitwatch *o, struct cp_run *run, unsigned hops)
{
	*o = (struct cp_waitwatch){ .run = run, .hops = hops };
	o->state = cp_run_spans_whole(run, on_whole, o);
	(void)cp_run_spans(run, on_span, o);
	cp_waits_init(&o->waits, run);
}

bool
cp_waitwatch_finish(struct cp_waitwatch *o)
{
	if (cp_spans_source(o->state) == CP_SCHED_BY_NOTHING)
		return false;
	for (uint32_t i = 0; i < o->state->n_threads; i++) {
		const struct cp_sched_thread *t = cp_spans_thread(o->state, i);
		struct cp_wait_task *task = cp_waits_task(&o->waits, i);

		task->comm = cp_sched_thread_name(o->state, t);
		task->pid = cp_sched_thread_pid(o->state, t);
		task->tid = t->tid;
		task->kept =
		    cp_run_keeps_task(o->run, task->pid, task->tid, task->comm);
	}
	cp_waits_finish(&o->waits);
	return true;
}

bool
cp_waitwatch_sees_wakes(const struct cp_waitwatch *o)
{
	return o->state->seen[CP_SCHED_WAKE] != 0;
}

/* Adds up what the filters keep; returns the number of waits with a length. */
static uint64_t
sum_kept(const struct cp_waits *w, struct cp_wait_task *sum)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < w->n_tasks; i++) {
		const struct cp_wait_task *t = &w->task[i];

		if (!t->kept)
			continue;
		sum->open_start += t->open_start;
		sum->open_end += t->open_end;
		sum->cut += t->cut;
		sum->bare += t->bare;
	}
	for (uint32_t i = 0; i < w->rows.n; i++)
		if (w->task[w->rows.all[i].a].kept)
			n += w->row[i].took.n;
	return n;
}

static void
note_open(const struct cp_wait_task *sum, struct cp_report *rep)
{
	struct cp_word a, b, c;

	if (sum->open_start == 0 && sum->open_end == 0 && sum->cut == 0)
		return;
	cp_report_note(rep,
	    "open waits: %s had begun before the capture or in a loss of "
	    "records, %s went on at its end%s%s; they are in the times, not in "
	    "the percentiles",
	    cp_word_count(&a, sum->open_start),
	    cp_word_count(&b, sum->open_end),
	    sum->cut != 0 ? ", --time cut " : "",
	    sum->cut != 0 ? cp_word_count(&c, sum->cut) : "");
}

void
cp_waitwatch_notes(const struct cp_waitwatch *o, struct cp_report *rep)
{
	struct cp_wait_task sum = { 0 };
	struct cp_word a;

	cp_quantiles_note(rep, sum_kept(&o->waits, &sum));
	cp_spans_note(o->state, rep);
	cp_spans_renamed_note(o->state, rep);
	note_open(&sum, rep);
	if (!cp_waitwatch_sees_wakes(o))
		cp_report_note(rep,
		    "no wake-ups were recorded: what waited for the CPU after "
		    "one counts as blocked, and nobody knows who ended a "
		    "wait; this records them: perf record %s -a -- "
		    "sleep 10",
		    cp_advice[CP_ADVICE_offcpu].options);
	if (sum.bare != 0)
		cp_report_note(rep,
		    "context-switch records have no stack: unless the switch "
		    "was sampled, each of %s wait%s stands where its thread "
		    "was sampled last since it got the CPU, and what it was "
		    "for is not known",
		    cp_word_count(&a, sum.bare), cp_word_s(sum.bare));
	if (o->state->misfits != 0)
		cp_report_note(rep,
		    "switches that do not fit the one before them on their "
		    "CPU: %s; what lies between is unknown",
		    cp_word_count(&a, o->state->misfits));
}
