/* SPDX-License-Identifier: MIT */
/*
 * causes: brings the rules together; blocked.c, queues.c and on-cpu.c have
 * more of them.
 */
#include "analyses/causes/causes.h"

#include <math.h>
#include <string.h>

#include "analyses/causes/rules.h"
#include "analyses/common/label.h"
#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/record-hint.h"
#include "analyses/tasks/notes.h"
#include "analyses/waits/tables.h"

#define SIDE_BY_SIDE 1.2

static const struct cp_probe sched_switch[] = {
	{ "sched:sched_switch", { NULL } },
	{ NULL, { NULL } },
};

struct cp_causes *
cp_causes_new(struct cp_run *run)
{
	struct cp_causes *c = cp_run_alloc(run, sizeof(*c));

	c->run = run;
	cp_waitwatch_init(&c->watch, run, 1);
	/* Cannot fail: only a file could have errors. */
	if (cp_waitclasses_init(&c->classes, run, NULL) != CP_OK)
		return NULL;
	cp_meanwhile_init(&c->meanwhile, run);
	cp_programs_init(&c->programs, run);
	c->cpu = cp_oncpu_causes_new(run);
	cp_mix_init(&c->mix, run);
	c->sites = (struct cp_sites){ .run = run,
		.waits = &c->watch.waits,
		.meanwhile = &c->meanwhile,
		.programs = &c->programs,
		.classes = &c->classes };
	c->groups =
	    (struct cp_task_groups){ .run = run, .spans = c->watch.state };
	c->watch.also = cp_meanwhile_span;
	c->watch.also_ctx = &c->meanwhile;
	return c;
}

/* A pipe describes its events after the analysis has begun. */
uint32_t
cp_causes_wants(const struct cp_run *run)
{
	return cp_run_evsel_count(run) == 0 || cp_probes_have(run, sched_switch)
		   ? CP_WANT_RAW | CP_WANT_ALL
		   : 0;
}

bool
cp_causes_waits(struct cp_causes *c, struct cp_report *rep)
{
	const struct cp_spans *s = c->watch.state;

	if (s->seen[CP_SCHED_OUT] + s->seen[CP_SCHED_IN] != 0 ||
	    cp_probes_have(c->run, sched_switch))
		cp_recipe_sampled(c->run, cp_sched_probes, rep);
	if (!cp_waitwatch_finish(&c->watch))
		return false;
	if (!cp_waits_know(&c->watch.waits)) {
		/* Half of the switches: of a thread, or of some CPUs. */
		cp_report_note(rep,
		    "threads were seen to leave their CPUs and not to come "
		    "back, so nobody knows how long they waited: switches of "
		    "all threads (-a) tell");
		return false;
	}
	cp_waits_name(&c->watch.waits);
	return true;
}

void
cp_causes_show_waits(struct cp_causes *c, struct cp_report *rep)
{
	cp_waits_show_states(
	    &c->watch.waits, cp_waitwatch_sees_wakes(&c->watch), rep);
	cp_waits_show_classes(&c->watch.waits, &c->classes, rep);
	cp_report_note(
	    rep, "where threads waited, and who ended it: coldperf offcpu");
}

void
cp_causes_sample(struct cp_causes *c, const struct cp_sample *s)
{
	cp_oncpu_causes_sample(c->cpu, s);
	cp_mix_sample(&c->mix, s);
}

void
cp_causes_group(struct cp_causes *c, const struct cp_sample *s)
{
	cp_task_groups_sample(&c->groups, s);
}

void
cp_causes_event(struct cp_causes *c, const struct cp_sideband *e)
{
	cp_programs_event(&c->programs, e);
}

/* What the processes of that name waited for: one process at a time. */
static cp_string_id
child_of(struct cp_causes *c, cp_string_id comm, uint64_t lived)
{
	const struct cp_programs *p = &c->programs;
	struct cp_tally *sums = cp_tally_new(c->run);
	const struct cp_tally_row *most;

	for (uint32_t i = 0; i < p->names.n; i++) {
		const struct cp_program *parent =
		    cp_programs_of(p, (uint32_t)p->names.all[i].b);

		if (parent != NULL && parent->comm == comm)
			cp_tally_add(
			    sums, p->names.all[i].a, 0, p->lives[i].sum);
	}
	most = cp_rows_heaviest(sums);
	return most != NULL && most->weight > lived / 2 &&
		       most->weight <= lived && most->a != comm
		   ? (cp_string_id)most->a
		   : 0;
}

/* Processes that began and ended, where waits for them were not recorded. */
static void
find_processes(struct cp_causes *c)
{
	const struct cp_programs *p = &c->programs;
	double elapsed = (double)c->accounts->elapsed;

	for (uint32_t i = 0; i < p->names.n; i++) {
		double span = (double)(p->spell[i].last - p->spell[i].first);
		cp_string_id comm = (cp_string_id)p->names.all[i].a;
		struct cp_quantiles *l = &p->lives[i];
		const struct cp_program *parent =
		    cp_programs_of(p, (uint32_t)p->names.all[i].b);

		/* Those that work side by side are no reason to be slow. */
		if (parent == NULL || l->n < 5 ||
		    (double)l->sum > SIDE_BY_SIDE * span)
			continue;
		cp_accounts_add(c->accounts,
		    CP_ACCOUNT(CHILD_LIVES,
			.who = cp_run_string(c->run, parent->comm),
			.by = cp_run_string(c->run, comm),
			.what =
			    cp_run_string(c->run, child_of(c, comm, l->sum)),
			.ns = l->sum,
			.share = cp_percent_exact(l->sum, elapsed),
			.of = "the time that passed", .n = l->n,
			.typical = cp_quantiles_mean(l)));
	}
}

/* Threads that end as soon as they begin; samples see few of them. */
static void
find_threads(struct cp_causes *c)
{
	const struct cp_programs *p = &c->programs;
	double seconds = (double)c->accounts->elapsed / 1e9;
	const struct cp_program *command = NULL;

	for (uint32_t i = 0; i < p->pids.n; i++)
		if (p->all[i].command)
			command = &p->all[i];
	if (command == NULL ||
	    (double)p->threads.n < cp_threshold(CP_T_THREADS) * seconds)
		return;
	cp_accounts_add(c->accounts,
	    CP_ACCOUNT(THREAD_LIVES,
		.who = cp_run_string(c->run, command->comm), .n = p->threads.n,
		.m = (uint64_t)((double)p->threads.n / seconds),
		.ns = p->threads.sum < c->accounts->elapsed
			  ? p->threads.sum
			  : c->accounts->elapsed,
		.typical = cp_quantiles_mean(&p->threads)));
}

/* The program does something else from some time on. */
static void
find_change(struct cp_causes *c, uint32_t event)
{
	double interval = cp_event_interval(cp_run_evsel(c->run, event));
	struct cp_mix_change m;

	if (!cp_mix_change(&c->mix, &c->programs, event, &m))
		return;
	cp_accounts_add(c->accounts,
	    CP_ACCOUNT(CHANGE, .ns = (uint64_t)(m.more * interval),
		.where = cp_run_string(c->run, m.own),
		.share = cp_percent_exact(m.after, 1),
		.next = cp_percent_exact(m.before, 1),
		.of = "the program's CPU time since then", .when = m.since));
}

/* That the main thread waited once or twice, for all to end, tells nothing. */
#define HABIT 3
#define TIMEOUT 1000000 /* ns; shorter ones are ticks */

/*
 * Returns the site where the program's main thread waited longest, or where all
 * its threads did, if it did not wait: that workers have nothing to do does not
 * tell what the program waits for.  NULL: there is none.
 */
static const struct cp_site *
longest_of(struct cp_causes *c, cp_string_id program, bool *all)
{
	const struct cp_sites *s = &c->sites;
	uint64_t *in_main = cp_run_alloc(c->run, (s->n + 1) * sizeof(*in_main));
	const struct cp_site *best = NULL, *of_all = NULL;
	uint64_t most = 0;

	for (uint32_t m = 0; m < s->members.n; m++) {
		const struct cp_pair *of = &s->members.all[m];
		const struct cp_wait_task *t = &s->waits->task[of->b];

		if (t->tid == t->pid)
			in_main[of->a] += s->member[m].ns;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		const struct cp_site *x = &s->all[i];

		if (x->whole != i || x->comm != program)
			continue;
		if (in_main[i] > most) {
			most = in_main[i];
			best = x;
		}
		if (x->n >= HABIT * (uint64_t)x->threads && x->threads > 1 &&
		    (of_all == NULL || x->ns > of_all->ns))
			of_all = x;
	}
	*all = of_all != NULL && (best == NULL || best->n < HABIT) &&
	       of_all->ns > most;
	return *all ? of_all : best;
}

/*
 * Returns how often most of its time was a wait of one length, which nobody
 * ended: a timeout.  0: it was not.
 */
static uint64_t
timed_out(const struct cp_site *s)
{
	struct cp_quantiles took = s->took;
	double n = s->longest >= TIMEOUT
		       ? round((double)s->ns / (double)s->longest)
		       : 0;

	return s->kind == CP_SITE_AWAIT && n >= HABIT && n <= (double)s->n &&
		       s->interrupt > s->ns - s->ns / 10 &&
		       (double)cp_quantiles_at(
			   &took, 1 - (n - 0.5) / (double)s->n) >=
			   0.97 * (double)s->longest
		   ? (uint64_t)n
		   : 0;
}

/* What the program waited for, when it did not run. */
static void
add_rest(struct cp_causes *c, struct cp_account *x)
{
	bool all;
	const struct cp_site *s = longest_of(c, c->life.comm, &all);
	struct cp_account rest = { .name = CP_A_SEE_OFFCPU };
	const char *own, *call;
	struct cp_quantiles took;
	uint64_t times;

	if (s == NULL) {
		cp_account_also(c->accounts, x, &rest);
		return;
	}
	own = cp_run_string(c->run, s->where.own);
	call = cp_run_string(c->run, s->where.call);
	rest.name = all ? CP_A_REST_THREADS : CP_A_REST_WAITED;
	times = timed_out(s);
	rest.what = times != 0 ? "waited until a timeout was over"
			       : cp_cause_class(c, s->stack);
	rest.where = s->where.own != 0 ? own : call;
	rest.call = s->where.own != 0 ? call : NULL;
	x->where = rest.where;
	cp_account_also(c->accounts, x, &rest);
	took = s->took;
	if (times != 0) {
		cp_account_also(c->accounts, x,
		    CP_ACCOUNT(TIMED_OUT, .n = times,
			.typical = cp_quantiles_at(
			    &took, 1 - (double)times / 2 / (double)s->n)));
	} else if (all && s->by_ns > s->ns / 20) {
		cp_account_also(c->accounts, x,
		    CP_ACCOUNT(
			WHO_ENDED, .by = cp_run_string(c->run,
				       c->watch.waits.task[s->by].comm)));
		cp_cause_meanwhile(c, x, &s->most);
	}
	cp_account_also(c->accounts, x, CP_ACCOUNT(SEE_WAITS));
}

/* What the program waited for, if nothing of that is known. */
static const struct cp_account *
not_recorded(struct cp_run *run)
{
	static const struct cp_account not = { .name = CP_A_NOT_RECORDED },
				       not_each = { .name = CP_A_NOT_EACH };

	/* Switches that were sampled tell no time. */
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (strcmp(e->name, "sched:sched_switch") == 0 &&
		    cp_event_sampled(e))
			return &not_each;
	}
	return &not ;
}

/* How long the program, or all its threads, ran of their time. */
static struct cp_account *
add_ran(struct cp_causes *c, enum cp_account_name name, uint64_t life,
    uint32_t event)
{
	return cp_accounts_add(
	    c->accounts, &(struct cp_account){ .name = name,
			     .who = cp_run_string(c->run, c->life.comm),
			     .share = cp_percent_exact(c->life.ran, life),
			     .of = "its time",
			     .what = cp_event_name(c->run, event),
			     .longest = life,
			     .typical = c->life.ran });
}

/*
 * The program ran for a small part of its time, and no other cause explains
 * half of the rest.
 */
static void
find_idle(struct cp_causes *c, uint32_t event, bool switches)
{
	const struct cp_oncpu_life *life = &c->life;
	struct cp_account *x;
	uint64_t told = 0;

	c->live = cp_oncpu_causes_life(c->cpu, &c->programs, event, &c->life) &&
		  !cp_accounts_have(c->accounts, CP_A_THREAD_LIVES);
	if (!c->live ||
	    (double)life->ran >=
		cp_threshold(CP_T_RAN) * (double)life->elapsed ||
	    (double)(life->elapsed - life->ran) <
		cp_threshold(CP_T_SATURATED_SPAN))
		return;
	c->live = false;
	for (uint32_t i = 0; i < c->off_cpu; i++)
		if (c->accounts->all[i]->ns > told)
			told = c->accounts->all[i]->ns;
	if (told >= (life->elapsed - life->ran) / 2)
		return;
	if (cp_event_user_only(cp_run_evsel(c->run, event))) {
		add_ran(c, CP_A_RAN_IN_USER, life->elapsed, event);
		return;
	}
	x = add_ran(c, CP_A_RAN, life->elapsed, event);
	if (x == NULL)
		return;
	x->ns = life->elapsed - life->ran;
	x->told = told;
	if (switches)
		add_rest(c, x);
	else
		cp_account_also(c->accounts, x, not_recorded(c->run));
}

void
cp_causes_rest(struct cp_causes *c, uint32_t event)
{
	const struct cp_oncpu_life *life = &c->life;

	if (c->live && life->lives >> 62 == 0 &&
	    (double)life->ran <
		cp_threshold(CP_T_THREADS_RAN) * (double)life->lives)
		cp_account_also(c->accounts,
		    add_ran(c, CP_A_THREADS_RAN, life->lives, event),
		    not_recorded(c->run));
}

bool
cp_causes_find(struct cp_causes *c, const struct cp_causes_of *of,
    struct cp_accounts *accounts, struct cp_report *rep)
{
	bool queued = false;

	c->accounts = accounts;
	accounts->elapsed = cp_run_window_length(c->run);
	if (accounts->elapsed == 0)
		return false;
	for (uint32_t i = 0; i < c->programs.pids.n; i++) {
		const struct cp_program *p = &c->programs.all[i];
		uint64_t life;

		if (!p->command || p->born >= p->died || p->died == CP_NO_TIME)
			continue;
		life = cp_run_kept_ns(c->run, p->born, p->died);
		if (life != 0 && life < accounts->elapsed)
			accounts->elapsed = life;
	}
	if (of->switches) {
		cp_sites_make(&c->sites);
		cp_causes_blocked(c);
		queued =
		    (of->all_cpus || cp_spans_tasks_only(c->watch.state)) &&
		    cp_causes_queued(c);
		cp_causes_resources(c, of->all_cpus, rep);
	} else {
		find_processes(c);
	}
	find_threads(c);
	c->off_cpu = accounts->n;
	if (of->event != CP_NO_ID) {
		cp_oncpu_causes_find(c->cpu, &c->programs, of->event, accounts);
		find_change(c, of->event);
		find_idle(c, of->event, of->switches);
		c->live &= !of->switches &&
			   !cp_event_user_only(cp_run_evsel(c->run, of->event));
	}
	return queued || c->programs.found;
}
