/* SPDX-License-Identifier: MIT */
/*
 * fuzz-sched: any events of the scheduler, in any order; and any text as the
 * print format that says what states are.
 *
 * Whatever comes, the spans of a thread leave no gap, and add up to its
 * lifetime: they overlap only by what the clocks of CPUs differ.
 */
#include "analyses/sched/cpu-load.h"
#include "analyses/sched/switch-rows.h"
#include "analyses/sched/longest-waits.h"
#include "tests/analyses/host.h"
#include "tests/fuzz/fuzz.h"

enum { RECORD = 8, THREADS = 12, CPUS = 4 };

struct seen {
	uint64_t end, sum;
	bool any;
};

struct fuzz {
	struct cp_run *run;
	struct cp_taskstate *states;
	const struct cp_spans *tasks;
	struct cp_runqueue queue;
	struct cp_schedrows rows;
	struct cp_cpu_load load;
	struct cp_worst worst;
	struct cp_slab seen;
};

static void
on_span(void *ctx, const struct cp_span *s)
{
	struct fuzz *f = ctx;
	struct seen *seen = cp_slab_at(&f->seen, s->thread->index);

	if (s->start >= s->end || s->kind >= CP_SPAN_KINDS)
		abort();
	if (s->start > (seen->any ? seen->end
				  : cp_sched_thread_start(f->tasks, s->thread)))
		abort();
	seen->any = true;
	seen->end = s->end;
	seen->sum += s->end - s->start;
	cp_cpu_load_span(&f->load, s);
}

static void
on_wait(void *ctx, const struct cp_queue_wait *w)
{
	struct fuzz *f = ctx;

	if (w->start > w->end)
		abort();
	cp_worst_wait(&f->worst, w);
}

static struct cp_sched_event
decode(const uint8_t *p, uint64_t *time)
{
	struct cp_sched_event ev = { .kind = p[0] % CP_SCHED_KINDS,
		.tid = p[1] % THREADS,
		.next = p[2] % THREADS,
		.cpu = p[3] % CPUS,
		.to_cpu = p[4] % CPUS,
		.letter = 'S',
		.actor = p[4] / CPUS % THREADS,
		.pid = CP_NO_ID,
		.runnable = p[5] & 1,
		.dead = (p[5] & 14) == 14,
		.interrupt = (p[5] & 16) != 0,
		.again = (p[5] & 32) != 0,
		.value = p[6] };

	*time += p[7];
	ev.time = *time;
	if (p[6] == 255)
		ev.time -= *time < 100 ? *time : 100; /* it comes late */
	if (p[6] == 254)
		ev.time = CP_NO_TIME;
	if (p[6] == 253)
		ev.cpu = CP_NO_ID;
	if (p[6] == 252)
		ev.next = CP_NO_ID;
	ev.preempted = ev.runnable;
	return ev;
}

static void
feed(struct fuzz *f, const struct cp_sched_event *ev)
{
	cp_taskstate_event(f->states, ev);
	cp_worst_leave(&f->worst, ev);
	cp_runqueue_event(&f->queue, ev);
	cp_cpu_load_event(&f->load, ev);
	cp_worst_event(&f->worst, ev);
	cp_schedrows_event(&f->rows, ev);
}

/* Slices hold all that was waited, and no queue longer than the longest. */
static void
check_load(const struct cp_cpu_load *l)
{
	for (uint32_t i = 0; i < l->n; i++) {
		const struct cp_cpu_load_one *c = &l->cpu[i];
		uint64_t sum = 0;

		for (int k = 0; k < CP_CPU_LOAD_SLICES; k++) {
			sum += c->waited_in != NULL ? c->waited_in[k] : 0;
			if (c->most_in != NULL && c->most_in[k] > c->queue_max)
				abort();
		}
		if (sum != c->waited || c->queue > THREADS)
			abort();
	}
}

static void
check(struct fuzz *f)
{
	struct cp_schedrows_reader r;

	cp_taskstate_finish(f->states);
	cp_runqueue_finish(&f->queue);
	cp_cpu_load_finish(&f->load, f->tasks->last);
	for (uint32_t i = 0; i < f->tasks->n_threads; i++) {
		const struct cp_sched_thread *t = cp_spans_thread(f->tasks, i);
		const struct seen *seen = cp_slab_at(&f->seen, i);

		if (seen->sum < cp_sched_thread_end(f->tasks, t) -
				    cp_sched_thread_start(f->tasks, t))
			abort();
	}
	check_load(&f->load);
	cp_worst_sort(&f->worst);
	cp_schedrows_open(&r, &f->rows);
	for (uint64_t i = 0; i < f->rows.n; i++)
		if (cp_schedrows_next(&r).thread > f->tasks->n_threads)
			abort();
}

static void
parse_format(const uint8_t *data, size_t size)
{
	char *text = cp_xmalloc(size + 1);
	struct cp_sched_states states;

	memcpy(text, data, size);
	text[size] = '\0';
	cp_sched_states_parse(&states, text);
	for (unsigned bit = 0; bit < 64; bit++)
		if (cp_sched_states_letter(&states, UINT64_C(1) << bit) == 0)
			abort();
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = { .run = host_new() };
	uint64_t time = 1000;

	parse_format(data, size);
	f.states = cp_taskstate_new(f.run);
	f.tasks = &f.states->pub;
	cp_taskstate_listen(
	    f.states, (struct cp_span_listener){ .fn = on_span, .ctx = &f });
	cp_runqueue_init(&f.queue, f.run, f.tasks, on_wait, &f);
	cp_schedrows_init(&f.rows, f.run, f.tasks, true);
	cp_cpu_load_init(&f.load, f.run, f.tasks);
	cp_worst_init(&f.worst, f.run, &f.queue, 5);
	cp_slab_init(&f.seen, f.run, sizeof(struct seen));
	for (; size >= RECORD; data += RECORD, size -= RECORD) {
		struct cp_sched_event ev = decode(data, &time);

		feed(&f, &ev);
	}
	check(&f);
	cp_taskstate_free(f.states);
	host_free(f.run);
	return 0;
}
