/* SPDX-License-Identifier: MIT */
/* Programs that were ready and had no CPU. */
#include "analyses/causes/causes.h"
#include "analyses/causes/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"

/* A program's time in run queues. */
struct cp_queue {
	cp_string_id comm;
	uint64_t ns, life, idle, foreign, own;
	struct cp_late late[2];
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
	const struct cp_wait_task *t = &c->watch.waits.task[task];
	const struct cp_ready *r = task < c->meanwhile.ready_cap
				       ? &c->meanwhile.ready[task]
				       : &(const struct cp_ready){ 0 };

	q->ns += r->ns;
	cp_late_add(q->late, r->late);
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
	size_t n = cp_tally_rows(c->meanwhile.takers, &rows);
	/* Nothing is known of threads that were not recorded. */
	bool alone = cp_spans_tasks_only(c->watch.state);

	for (size_t i = 0; i < n; i++) {
		bool foreign;
		uint32_t task = (uint32_t)rows[i].a;
		uint32_t who = (uint32_t)rows[i].b;
		const struct cp_pair *taker;
		const struct cp_program *p;

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
		taker = &c->meanwhile.names.all[who];
		p = cp_programs_of(c->sites.programs, (uint32_t)taker->b);
		foreign =
		    (p != NULL && p->comm != 0 ? p->comm : taker->a) != q->comm;
		*(foreign ? &q->foreign : &q->own) += rows[i].weight;
		cp_tally_add(
		    foreign ? others : own, taker->a, 0, rows[i].weight);
	}
	n = cp_tally_rows(q->foreign >= q->own ? others : own, &rows);
	for (size_t i = 0; i < n; i++)
		if (rows[i].weight > q->taken) {
			q->taken = rows[i].weight;
			q->taker = (cp_string_id)rows[i].a;
		}
	for (uint32_t i = 0; i < c->watch.waits.n_tasks; i++)
		if (c->watch.waits.task[i].comm == q->taker)
			q->taker_ran +=
			    c->watch.waits.task[i].ns[CP_SPAN_RUNNING];
}

/* How often its threads asked for another CPU, or were taken to one. */
static uint64_t
moves_of(struct cp_causes *c, const struct cp_queue *q)
{
	uint64_t n = q->moved;

	for (uint32_t i = 0; i < c->sites.n; i++) {
		const struct cp_site *s = &c->sites.all[i];

		if (s->whole == i && s->comm == q->comm && cp_site_moved(c, s))
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
	uint64_t length = cp_run_window_length(c->run);
	unsigned used = (unsigned)__builtin_popcountll(q->cpus);

	if (used == 0 || used * 2 > cpus || q->waited < 20 ||
	    q->threads <= used || q->cpus >> 63 != 0)
		return false;
	/* Of one program's recording nobody knows whether a CPU was idle. */
	for (unsigned i = 0;
	     i < cpus && i < 63 && !cp_spans_tasks_only(c->watch.state); i++)
		if ((q->cpus >> i & 1) == 0 &&
		    cp_meanwhile_busy(&c->meanwhile, i) < length / 2)
			return true;
	return q->ns / 2 / used > c->accounts->elapsed;
}

/* Why the threads that waited did not get another CPU. */
static void
add_cpus(struct cp_causes *c, const struct cp_queue *q, struct cp_account *x)
{
	const char *online = cp_run_fact(c->run, "cpus-online");
	unsigned all = online != NULL ? (unsigned)strtoul(online, NULL, 10) : 0,
		 used = (unsigned)__builtin_popcountll(q->cpus);
	uint64_t moves = moves_of(c, q);
	double rate = (double)moves * 1e9 / (double)c->accounts->elapsed;
	struct cp_word cpu;

	if (rate >= cp_threshold(CP_T_MOVES) && moves > q->runs / 3) {
		x->about = "moved";
		cp_account_also(
		    c->accounts, x, CP_ACCOUNT(MOVES, .n = (uint64_t)rate));
	} else if (are_bound(c, q, all)) {
		x->about = "few CPUs";
		cp_account_also(c->accounts, x,
		    &(struct cp_account){
			.name = used == 1 ? CP_A_ONE_CPU : CP_A_FEW_CPUS,
			.what = cp_word_id(
			    &cpu, (uint32_t)__builtin_ctzll(q->cpus)),
			.n = all,
			.m = used });
	}
}

/* Who had the CPU, if nobody held the threads back. */
static void
add_taker(struct cp_causes *c, const struct cp_queue *q, struct cp_account *x)
{
	const char *taker = cp_run_string(c->run, q->taker);

	if (q->taker != 0)
		x->by = taker;
	if (q->unseen > q->ns / 2) {
		cp_account_also(c->accounts, x,
		    CP_ACCOUNT(
			UNSEEN, .share = cp_percent_exact(q->unseen, q->ns)));
	} else if (q->taker != 0) {
		cp_account_also(c->accounts, x,
		    CP_ACCOUNT(TAKER, .by = taker,
			.share = cp_percent_exact(q->taken, q->ns)));
		if (q->own > q->ns / 2)
			cp_account_also(c->accounts, x, CP_ACCOUNT(CROWDED));
	}
}

/* Of its time, what who had a lock was ready: the others' wait tells that. */
static uint64_t
told_of(struct cp_causes *c, const struct cp_queue *q)
{
	uint64_t told = 0;

	for (uint32_t i = 0; i < c->sites.n; i++) {
		const struct cp_site *s = &c->sites.all[i];

		if (s->whole == i && s->comm == q->comm &&
		    s->kind == CP_SITE_LOCK && s->peers < s->ns / 2)
			told += s->most.meanwhile[CP_SPAN_PREEMPTED] +
				s->most.meanwhile[CP_SPAN_WOKEN];
	}
	return told < q->ns ? told : q->ns;
}

static bool
is_large(const struct cp_causes *c, const struct cp_queue *q)
{
	return cp_accounts_large(c->accounts, q->ns, 0, 0) &&
	       (double)q->ns >=
		   cp_threshold(CP_T_CAUSE_SHARE) * (double)q->life;
}

static void
find_queue(struct cp_causes *c, struct cp_queue *q)
{
	bool held, quota = cp_late_quota(q->late, q->threads, q->ns) != 0;
	struct cp_account *x;
	cp_string_id group;

	/* Turns of two threads have a period, too. */
	quota &= q->taken < q->ns - q->ns / 10;
	held = quota || q->idle > q->ns / 2;
	/* Many short waits beside an idle CPU are what each wakeup takes. */
	if (held && !quota && q->late[0].ns < q->ns / 2)
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
	group = cp_causes_group_of(c, q->comm);
	x = cp_accounts_add(c->accounts,
	    &(struct cp_account){ .name = quota  ? CP_A_QUOTA
					  : held ? CP_A_HELD
						 : CP_A_CPU_TAKEN,
		.who = cp_run_string(c->run, q->comm),
		.threads = q->threads,
		.ns = q->ns,
		.told = told_of(c, q),
		.share = cp_percent_exact(q->ns, q->life),
		.of = "its threads' time",
		.where =
		    held && group != 0 ? cp_run_string(c->run, group) : NULL });
	if (x == NULL)
		return;
	if (!held)
		add_taker(c, q, x);
	add_cpus(c, q, x);
	cp_account_also(c->accounts, x, CP_ACCOUNT(SEE_SCHED));
}

bool
cp_causes_queued(struct cp_causes *c)
{
	uint32_t before = c->accounts->n;
	const struct cp_waits *w = &c->watch.waits;
	struct cp_queue *q = NULL;
	struct cp_index names;
	cp_string_id culprit = 0;
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
	for (uint32_t k = 0; k < names.n; k++) {
		if (!is_large(c, &q[k]))
			continue;
		find_takers(c, &q[k]);
		if (cp_programs_is_command(&c->programs, q[k].comm))
			culprit = q[k].taker;
	}
	/* Who takes the CPU from the program that perf ran is no victim. */
	for (uint32_t k = 0; k < names.n; k++)
		if (is_large(c, &q[k]) &&
		    (q[k].comm != culprit || culprit == 0 ||
			cp_programs_is_command(&c->programs, q[k].comm)))
			find_queue(c, &q[k]);
	return c->accounts->n != before;
}

/* ------------------------------------------------------------------- table */

#define SHOWN 5

/* Waits of the threads of one name. */
struct waiter {
	const char *comm;
	uint32_t task, threads;
	struct cp_quantiles took;
};

static int
compare_waiters(const void *va, const void *vb)
{
	const struct waiter *a = va, *b = vb;

	if (a->took.sum != b->took.sum)
		return a->took.sum < b->took.sum ? 1 : -1;
	return strcmp(a->comm, b->comm);
}

/* A wait whose begin was not recorded counts as 0 ns, as in perf. */
static struct waiter *
waiters_of(struct cp_causes *c, size_t *n)
{
	const struct cp_waits *w = &c->watch.waits;
	struct waiter *all = cp_run_alloc(c->run, w->n_tasks * sizeof(*all));
	struct cp_index names, threads;

	cp_index_init(&names, c->run);
	cp_index_init(&threads, c->run);
	for (uint32_t i = 0; i < w->rows.n; i++) {
		uint32_t task = (uint32_t)w->rows.all[i].a, known = threads.n;
		uint8_t kind =
		    cp_waits_place(w, (uint32_t)w->rows.all[i].b).kind;
		const struct cp_wait_task *t = &w->task[task];
		struct waiter *x;

		if ((kind != CP_SPAN_PREEMPTED && kind != CP_SPAN_WOKEN) ||
		    !t->kept || t->tid == 0 || w->row[i].took.sum == 0)
			continue;
		x = &all[cp_index_put(&names, t->comm, 0)];
		x->comm = cp_run_string(c->run, t->comm);
		x->task = task;
		x->threads += cp_index_put(&threads, task, 0) == known;
		cp_quantiles_merge(c->run, &x->took, &w->row[i].took);
	}
	*n = names.n;
	if (*n != 0)
		qsort(all, *n, sizeof(*all), compare_waiters);
	return all;
}

bool
cp_causes_cpu_waits(
    struct cp_causes *c, struct cp_accounts *a, struct cp_report *rep)
{
	static const struct cp_column_spec heads[] = { CP_TIME("Waited"),
		CP_COUNT("Waits"), CP_TIME("Average"), CP_TIME("p99"),
		CP_TIME("Max"), CP_TEXT("TID"), CP_TEXT("Command") };
	size_t n;
	struct waiter *all = waiters_of(c, &n);
	const struct waiter *worst = all;
	struct cp_table *t;
	char text[80];
	struct cp_word id;

	if (n == 0)
		return false;
	for (size_t i = 1; i < n; i++)
		if (all[i].took.max > worst->took.max &&
		    strcmp(all[i].comm, "perf") != 0)
			worst = &all[i];
	if (a != NULL)
		cp_accounts_add(a, CP_ACCOUNT(CPU_WAIT, .who = worst->comm,
				       .longest = worst->took.max,
				       .when = worst->took.max_at));
	t = cp_report_table(
	    rep, "cpu-waits", "Waits for a CPU", CP_COLUMNS(heads));
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		struct waiter *x = &all[i];

		(void)snprintf(text, sizeof(text), "%.60s threads",
		    cp_word_count(&id, x->threads));
		cp_table_add(t, x->took.sum, x->took.n,
		    cp_quantiles_mean(&x->took),
		    cp_quantiles_at(&x->took, 0.99), x->took.max,
		    x->threads > 1
			? text
			: cp_word_id(&id, c->watch.waits.task[x->task].tid),
		    x->comm);
	}
	if (n > SHOWN)
		cp_table_rest(t, n - SHOWN, 0);
	return true;
}
