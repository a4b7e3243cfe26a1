/* SPDX-License-Identifier: MIT */
/* Programs that were ready and had no CPU. */
#include "analyses/causes/words.h"

#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"

/* A program's time in run queues. */
struct cp_queue {
	cp_string_id comm;
	uint64_t ns, life, idle, slow, slow_ns, periodic, foreign;
	uint64_t unseen; /* nobody that was recorded had the CPU */
	uint32_t threads;
	cp_string_id taker;
	uint64_t taken;
	uint64_t ran, taker_ran; /* of the program, of the taker's */
};

static void
add_queue(struct cp_causes *c, struct cp_queue *q, uint32_t task)
{
	const struct cp_wait_task *t = &c->watch->waits.task[task];
	const struct cp_ready *r = task < c->account.ready_cap
				       ? &c->account.ready[task]
				       : &(const struct cp_ready){ 0 };

	q->ns += r->ns;
	q->slow += r->slow;
	q->slow_ns += r->slow_ns;
	q->periodic += r->periodic;
	q->life += cp_sites_life(t);
	q->ran += t->ns[CP_SPAN_RUNNING];
	q->threads++;
}

static void
find_takers(struct cp_causes *c, struct cp_queue *q)
{
	struct cp_tally *own = cp_tally_new(c->run),
			*others = cp_tally_new(c->run);
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(c->account.takers, &rows);
	/* Nothing is known of threads that were not recorded. */
	bool alone = cp_spans_tasks_only(c->watch->state);

	for (size_t i = 0; i < n; i++) {
		bool foreign;
		uint32_t task = (uint32_t)rows[i].a;
		uint32_t who = (uint32_t)rows[i].b;

		if (!c->sites.matters[task] ||
		    cp_sites_program(&c->sites, task) != q->comm)
			continue;
		if (who == CP_IDLE_CPU) {
			if (alone)
				q->unseen += rows[i].weight;
			else
				q->idle += rows[i].weight;
			continue;
		}
		foreign = cp_sites_program(&c->sites, who) != q->comm;
		if (foreign)
			q->foreign += rows[i].weight;
		cp_tally_add(foreign ? others : own,
		    c->watch->waits.task[who].comm, 0, rows[i].weight);
	}
	n = cp_tally_rows(q->foreign >= q->ns / 2 ? others : own, &rows);
	for (size_t i = 0; i < n; i++)
		if (rows[i].weight > q->taken) {
			q->taken = rows[i].weight;
			q->taker = (cp_string_id)rows[i].a;
		}
	for (uint32_t i = 0; i < c->watch->waits.n_tasks; i++)
		if (c->watch->waits.task[i].comm == q->taker)
			q->taker_ran +=
			    c->watch->waits.task[i].ns[CP_SPAN_RUNNING];
}

static void
find_queue(struct cp_causes *c, struct cp_queue *q)
{
	struct cp_word time, share, part;
	bool held, quota = q->slow >= 5 && q->slow > q->threads &&
			   q->slow_ns > q->ns / 2 &&
			   q->periodic * 10 >= (q->slow - q->threads) * 7;
	struct cp_cause *x;

	if ((double)q->ns < cp_threshold(CP_T_CAUSE_TIME) ||
	    (double)q->ns <
		cp_threshold(CP_T_CAUSE_SHARE) * (double)c->elapsed ||
	    (double)q->ns < cp_threshold(CP_T_CAUSE_SHARE) * (double)q->life)
		return;
	find_takers(c, q);
	/* Turns of two threads have a period, too. */
	quota &= !cp_spans_tasks_only(c->watch->state) &&
		 q->taken < q->ns - q->ns / 10;
	held = quota || q->idle > q->ns / 2;
	/* Many short waits beside an idle CPU are what each wakeup takes. */
	if (held && !quota && q->slow_ns < q->ns / 2)
		return;
	/*
	 * Who has more of the CPU than the one beside it is no victim of it,
	 * nor is it of the program that was recorded.
	 */
	if (!held && q->foreign > q->ns / 2 && q->taken > q->ns / 2 &&
	    (q->ran - q->ran / 10 > q->taker_ran ||
		(c->programs.found &&
		    cp_programs_is_command(&c->programs, q->taker))))
		return;
	x = cp_cause_new(c, held ? "held back" : "CPU taken", q->ns);
	if (q->threads > 1)
		cp_cause_say(
		    x, "%s threads of ", cp_word_count(&time, q->threads));
	cp_cause_say(x, "%.64s %s ready for %s (%s of %s time) and had no CPU",
	    cp_run_string(c->run, q->comm), q->threads > 1 ? "were" : "was",
	    cp_word_time(&time, q->ns),
	    cp_word_percent(&share, (double)q->ns, (double)q->life),
	    q->threads > 1 ? "their" : "its");
	if (held)
		cp_cause_say(x,
		    ", %s: held back by a quota (cpu.max) or by core "
		    "scheduling: see nr_throttled in its group's cpu.stat",
		    quota ? "again and again until a period of 100 ms was over"
			  : "beside an idle CPU");
	else if (q->unseen > q->ns / 2)
		cp_cause_say(x,
		    ", for %s of that because of threads that were not "
		    "recorded (-a tells which) or of a quota",
		    cp_word_percent(&part, (double)q->unseen, (double)q->ns));
	else if (q->taker != 0)
		cp_cause_say(x, "; %.64s had it for %s of that%s",
		    cp_run_string(c->run, q->taker),
		    cp_word_percent(&part, (double)q->taken, (double)q->ns),
		    q->foreign < q->ns / 2
			? ": it has more threads at work than CPUs"
			: "");
	cp_cause_say(x, ": coldperf sched");
}

bool
cp_causes_queued(struct cp_causes *c)
{
	uint32_t before = c->n;
	const struct cp_waits *w = &c->watch->waits;
	struct cp_queue *q = NULL;
	struct cp_index names;
	uint32_t cap = 0;

	cp_index_init(&names, c->run);
	for (uint32_t i = 0; i < w->n_tasks; i++) {
		cp_string_id comm;
		uint32_t k;

		if (!c->sites.matters[i])
			continue;
		comm = cp_sites_program(&c->sites, i);
		k = cp_index_put(&names, comm, 0);
		cp_grow_to(c->run, q, &cap, k);
		q[k].comm = comm;
		add_queue(c, &q[k], i);
	}
	for (uint32_t k = 0; k < names.n; k++)
		find_queue(c, &q[k]);
	return c->n != before;
}
