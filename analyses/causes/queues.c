/* SPDX-License-Identifier: MIT */
/* Programs that were ready and had no CPU. */
#include "analyses/causes/words.h"

#include <stdlib.h>

#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"

/* A program's time in run queues. */
struct cp_queue {
	cp_string_id comm;
	uint64_t ns, life, idle, slow, slow_ns, periodic, foreign;
	uint64_t unseen; /* nobody that was recorded had the CPU */
	uint32_t threads;
	uint64_t runs, moved, cpus, waited;
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
	q->runs += r->runs;
	q->moved += r->moved;
	q->cpus |= r->cpus;
	q->waited += r->waited;
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

/* How often its threads asked for another CPU, or were taken to one. */
static uint64_t
moves_of(struct cp_causes *c, const struct cp_queue *q)
{
	uint64_t n = q->moved;

	for (uint32_t i = 0; i < c->sites.n; i++) {
		const struct cp_site *s = &c->sites.all[i];

		if (s->comm == q->comm && cp_site_moved(c, s))
			n += s->n;
	}
	return n;
}

/*
 * The kernel gives threads that wait to CPUs with less to do, unless they must
 * not run there.
 */
static bool
are_bound(struct cp_causes *c, const struct cp_queue *q, unsigned cpus)
{
	const struct cp_quality *quality = cp_run_quality(c->run);
	uint64_t length = quality->last_time - quality->first_time;
	unsigned used = (unsigned)__builtin_popcountll(q->cpus);

	if (used == 0 || used * 2 > cpus || q->waited < 20 ||
	    q->threads <= used || q->cpus >> 63 != 0)
		return false;
	for (unsigned i = 0; i < cpus && i < 63; i++)
		if ((q->cpus >> i & 1) == 0 &&
		    cp_account_busy(&c->account, i) < length / 2)
			return true;
	return q->ns / 2 / used > c->elapsed;
}

/* Says why the threads that waited did not get another CPU. */
static void
say_cpus(struct cp_causes *c, struct cp_queue *q, struct cp_cause *x)
{
	const char *online = cp_run_fact(c->run, "cpus-online");
	unsigned all = online != NULL ? (unsigned)strtoul(online, NULL, 10) : 0,
		 used = (unsigned)__builtin_popcountll(q->cpus);
	double moves = (double)moves_of(c, q) * 1e9 / (double)c->elapsed;
	struct cp_word n;

	if (moves >= cp_threshold(CP_T_MOVES) && moves_of(c, q) > q->runs / 3) {
		x->about = "moved";
		cp_cause_say(x,
		    "; it was moved to another CPU %s times a second "
		    "(sched_setaffinity)",
		    cp_word_count(&n, (uint64_t)moves));
	} else if (are_bound(c, q, all)) {
		x->about = "few CPUs";
		if (used == 1)
			cp_cause_say(x, "; they got CPU %d only, of %u",
			    __builtin_ctzll(q->cpus), all);
		else
			cp_cause_say(
			    x, "; they got %u CPUs only, of %u", used, all);
		cp_cause_say(x, ": affinity (taskset, cpuset)");
	}
}

static void
say_why(struct cp_causes *c, struct cp_queue *q, struct cp_cause *x, bool held,
    bool quota)
{
	struct cp_word part;

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
}

static void
find_queue(struct cp_causes *c, struct cp_queue *q)
{
	struct cp_word time, share;
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
	x->who = cp_run_string(c->run, q->comm);
	x->share = cp_share((double)q->ns, (double)q->life);
	x->of = "its threads' time";
	x->command = "sched";
	if (!held && q->taker != 0)
		x->by = cp_run_string(c->run, q->taker);
	if (q->threads > 1)
		cp_cause_say(
		    x, "%s threads of ", cp_word_count(&time, q->threads));
	cp_cause_say(x, "%.64s %s ready for %s (%s of %s time) and had no CPU",
	    cp_run_string(c->run, q->comm), q->threads > 1 ? "were" : "was",
	    cp_word_time(&time, q->ns),
	    cp_word_percent(&share, (double)q->ns, (double)q->life),
	    q->threads > 1 ? "their" : "its");
	say_why(c, q, x, held, quota);
	say_cpus(c, q, x);
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
