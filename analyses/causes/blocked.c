/* SPDX-License-Identifier: MIT */
/* What threads were blocked for: the rules over sites. */
#include "analyses/causes/rules.h"

#include <stdio.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"

static const char *
thread_name(const struct cp_causes *c, uint32_t task)
{
	return cp_run_string(c->run, c->watch.waits.task[task].comm);
}

/* "8 threads of convoy waited 14.1 s (88 % of their time), in update" */
static struct cp_account
waited(struct cp_causes *c, const struct cp_site *s, enum cp_account_name name)
{
	const char *own = cp_run_string(c->run, s->where.own),
		   *call = cp_run_string(c->run, s->where.call);

	return (struct cp_account){ .name = name,
		.who = cp_run_string(c->run, s->comm),
		.threads = s->threads,
		.ns = s->ns,
		.share = cp_percent_exact(s->ns, s->life),
		.of = "its threads' time",
		.where = s->where.own != 0 ? own : call,
		.call = s->where.own != 0 ? call : NULL,
		.n = s->n,
		.longest = s->longest,
		.when = s->longest_at };
}

static struct cp_account *
add_waited(
    struct cp_causes *c, const struct cp_site *s, enum cp_account_name name)
{
	struct cp_account x = waited(c, s, name);

	return cp_accounts_add(c->accounts, &x);
}

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

/*
 * What the one that ended most of it did meanwhile: the most of that, and what
 * is large beside it.
 */
void
cp_cause_meanwhile(
    struct cp_causes *c, struct cp_account *x, const struct cp_ended *e)
{
	const struct did {
		enum cp_account_name name;
		const char *what;
		uint64_t ns;
	} did[] = {
		{ CP_A_WAS_RUNNING, "ran", e->meanwhile[CP_SPAN_RUNNING] },
		{ CP_A_WAS_BLOCKED, cp_cause_class(c, e->blocked),
		    e->meanwhile[CP_SPAN_BLOCKED] - e->same },
		{ CP_A_WAS_READY, "was ready and had no CPU",
		    e->meanwhile[CP_SPAN_PREEMPTED] +
			e->meanwhile[CP_SPAN_WOKEN] },
	};
	struct cp_account part = { .name = CP_A_ENDED_IT };
	int most = 0;

	if (x->by == NULL && e->by != CP_NO_ID)
		x->by = thread_name(c, e->by);
	for (int i = 1; i < 3; i++)
		if (did[i].ns > did[most].ns)
			most = i;
	if (did[most].ns > (e->ns - e->same) / 10)
		part = (struct cp_account){ .name = did[most].name,
			.what = did[most].what,
			.share =
			    cp_percent_exact(did[most].ns, e->ns - e->same) };
	if (part.name == CP_A_WAS_BLOCKED)
		part.where = cp_run_string(
		    c->run, cp_place_where(c->run, e->blocked).own);
	cp_account_also(c->accounts, x, &part);
	for (int i = 0; i < 3; i++)
		if (i != most && did[i].ns >= (e->ns - e->same) / 4)
			cp_account_also(c->accounts, x,
			    CP_ACCOUNT(ELSE, .what = did[i].what,
				.share = cp_percent_exact(
				    did[i].ns, e->ns - e->same)));
	part.where = cp_run_string(c->run, cp_place_where(c->run, e->woke).own);
	part.name = CP_A_UNTIL;
	if (*part.where != '\0')
		cp_account_also(c->accounts, x, &part);
}

/* Who keeps the CPU from a task that is ready, by name. */
static const char *
taker_of(struct cp_causes *c, uint32_t task, uint64_t *ns)
{
	struct cp_tally *names = cp_tally_new(c->run);
	const struct cp_tally_row *most, *rows;
	size_t n = cp_tally_rows(c->meanwhile.takers, &rows);

	for (size_t i = 0; i < n; i++)
		if ((uint32_t)rows[i].a == task && rows[i].b != CP_IDLE_CPU)
			cp_tally_add(names, c->meanwhile.names.all[rows[i].b].a,
			    0, rows[i].weight);
	most = cp_rows_heaviest(names);
	*ns = most != NULL ? most->weight : 0;
	return most != NULL ? cp_run_string(c->run, (cp_string_id)most->a)
			    : NULL;
}

/* If who is waited for was ready and had no CPU: who had it. */
static void
add_inversion(
    struct cp_causes *c, struct cp_account *x, const struct cp_site *s)
{
	const struct cp_ended *e = &s->most;
	uint64_t ns, ready = e->meanwhile[CP_SPAN_PREEMPTED] +
			     e->meanwhile[CP_SPAN_WOKEN];
	const char *taker = taker_of(c, s->by, &ns);

	if (ready < (e->ns - e->same) / 3 || taker == NULL)
		return;
	cp_account_also(c->accounts, x, CP_ACCOUNT(HAD_ITS_CPU, .by = taker));
	/* Who has a lock by turns is no less important than the others. */
	if (s->kind != CP_SITE_LOCK || s->peers >= s->ns / 2 ||
	    strcmp(taker, thread_name(c, s->by)) == 0 ||
	    strcmp(taker, cp_run_string(c->run, s->comm)) == 0)
		return;
	cp_account_also(c->accounts, x, CP_ACCOUNT(INVERSION));
	x->about = "priority inversion";
}

static void
find_lock(struct cp_causes *c, const struct cp_site *s)
{
	struct cp_account lock = waited(c, s, CP_A_LOCK), *x;

	lock.what = cp_site_lock(&c->sites, s);
	x = cp_accounts_add(c->accounts, &lock);
	if (x == NULL || (s->by_ns < s->ns / 20 && s->peers < s->ns / 2))
		return;
	if (s->peers >= s->ns / 2)
		cp_account_also(c->accounts, x, CP_ACCOUNT(BY_TURNS));
	else
		cp_account_also(c->accounts, x,
		    CP_ACCOUNT(HAD_IT, .by = thread_name(c, s->by)));
	cp_cause_meanwhile(c, x, &s->most);
	add_inversion(c, x, s);
}

bool
cp_site_moved(const struct cp_causes *c, const struct cp_site *s)
{
	static const char *const moves[] = { "affine_move_task",
		"__set_cpus_allowed_ptr", "stop_one_cpu", NULL };

	return cp_place_has(c->run, s->stack, moves);
}

/* The disk, unless it is a move to another CPU. */
static void
find_disk(struct cp_causes *c, const struct cp_site *s)
{
	static const char *const sync[] = { "__x64_sys_fsync",
		"__x64_sys_fdatasync", "__arm64_sys_fsync",
		"__arm64_sys_fdatasync", "vfs_fsync", "do_fsync",
		"file_write_and_wait", "ksys_sync", "__x64_sys_msync", "fsync",
		"fdatasync", NULL };

	add_waited(c, s,
	    cp_site_moved(c, s)                    ? CP_A_MOVING
	    : cp_place_has(c->run, s->stack, sync) ? CP_A_FSYNC
						   : CP_A_DISK);
}

static void
find_reader(struct cp_causes *c, const struct cp_site *s)
{
	struct cp_account full = waited(c, s, CP_A_READER), *x;

	full.what = strcmp(cp_run_string(c->run, s->class), "pipe") == 0
			? "pipe"
			: "socket";
	x = cp_accounts_add(c->accounts, &full);
	if (x == NULL || s->by_ns < s->ns / 4)
		return;
	cp_account_also(c->accounts, x,
	    CP_ACCOUNT(THE_READER, .by = thread_name(c, s->by)));
	cp_cause_meanwhile(c, x, &s->most);
}

static void
add_children(struct cp_causes *c, struct cp_account *x, cp_string_id comm)
{
	const struct cp_programs *p = &c->programs;
	uint32_t most = CP_NO_ID;

	for (uint32_t i = 0; i < p->names.n; i++) {
		const struct cp_program *parent =
		    cp_programs_of(p, (uint32_t)p->names.all[i].b);

		if (parent != NULL && parent->comm == comm &&
		    (most == CP_NO_ID || p->lives[i].sum > p->lives[most].sum))
			most = i;
	}
	if (most == CP_NO_ID || p->lives[most].n < 2)
		return;
	cp_account_also(c->accounts, x,
	    CP_ACCOUNT(CHILDREN, .n = p->lives[most].n,
		.by = cp_run_string(c->run, (cp_string_id)p->names.all[most].a),
		.typical = cp_quantiles_mean(&p->lives[most])));
}

/* Where the child waits for children of its own; NULL: it does other things. */
static struct cp_site *
site_of_child(struct cp_causes *c, const struct cp_site *s)
{
	cp_string_id comm = cp_sites_program(&c->sites, s->by);

	for (uint32_t i = 0; i < c->sites.n; i++) {
		struct cp_site *of = &c->sites.all[i];

		if (of->kind == CP_SITE_CHILD && of->comm == comm && of != s &&
		    of->ns >= s->by_ns / 2)
			return of;
	}
	return NULL;
}

/*
 * One wait for one child is what launchers do: the child's own time is what
 * matters.
 */
static void
find_child(struct cp_causes *c, const struct cp_site *s)
{
	cp_string_id comm = s->comm;
	struct cp_account *x;

	if (s->n < 3 || (c->programs.found &&
			    !cp_programs_is_command(&c->programs, s->comm)))
		return;
	x = add_waited(c, s, CP_A_CHILD);
	if (x == NULL)
		return;
	/* Who ended a small part of it was not what all the time went to. */
	for (int hops = 0; hops < 4 && s != NULL && s->by != CP_NO_ID &&
			   s->interrupt < s->ns - s->ns / 4;
	     hops++) {
		cp_account_also(c->accounts, x,
		    CP_ACCOUNT(THE_CHILD, .by = thread_name(c, s->by)));
		cp_cause_meanwhile(c, x, &s->most);
		s = site_of_child(c, s);
	}
	add_children(c, x, comm);
}

/* Timers, or a poll with a timeout that is too short. */
static bool
find_storm(struct cp_causes *c, const struct cp_site *s)
{
	double seconds = (double)s->life_most / 1e9;
	/* Another CPU wakes a thread by an interrupt, too. */
	uint64_t timed = s->kind == CP_SITE_SLEEP ? s->interrupt : s->timer;
	struct cp_account x;

	if (timed < s->ns - s->ns / 10 || seconds <= 0 ||
	    (double)s->n < cp_threshold(CP_T_WAKE_RATE) * seconds ||
	    strcmp(cp_run_string(c->run, s->class), "network") == 0)
		return false;
	x = waited(c, s, CP_A_STORM);
	x.ns = s->ran;
	x.share = cp_percent_exact(s->ran, s->life);
	x.n = (uint64_t)((double)s->n / seconds);
	x.what = s->kind == CP_SITE_SLEEP ? "sleeps" : "waits";
	x.typical = cp_quantiles_mean(&s->took);
	x.when = 0;
	cp_accounts_add(c->accounts, &x);
	return true;
}

/* The kernel waits that long with an acknowledgement that could go with data.
 */
static bool
is_delayed_ack(struct cp_site *s)
{
	uint64_t p50 = cp_quantiles_at(&s->took, 0.5) / 1000000;

	return (p50 >= 36 && p50 <= 48) || (p50 >= 195 && p50 <= 215);
}

static bool
find_network(struct cp_causes *c, struct cp_site *s)
{
	struct cp_account x;

	if (strcmp(cp_run_string(c->run, s->class), "network") != 0 ||
	    s->n < 5 || s->asleep + s->interrupt < s->ns / 2 ||
	    !is_delayed_ack(s))
		return false;
	x = waited(c, s, CP_A_ACK);
	x.typical = cp_quantiles_at(&s->took, 0.5);
	return cp_accounts_add(c->accounts, &x) != NULL;
}

/*
 * Do threads wait here for each other, one of which has what they want nearly
 * always?  Those in a poll wait for something to do.
 */
static bool
is_shared(const struct cp_causes *c, const struct cp_site *s)
{
	/* Threads that did not wait here at the same time, on average. */
	double away =
	    cp_share((double)s->life - (double)s->ns, (double)s->life) *
	    (double)s->threads;

	return s->threads > 1 && s->peers > s->ns / 2 &&
	       (s->busy < s->ns / 2 || s->same > s->ns / 4) &&
	       s->kin > s->peers / 2 && away >= cp_threshold(CP_T_HELD) &&
	       strcmp(cp_run_string(c->run, s->class), "poll") != 0;
}

/* Does a process that it started end most of the wait? */
static bool
is_child(const struct cp_causes *c, const struct cp_site *s)
{
	const struct cp_program *by = cp_programs_of(&c->programs,
				    c->watch.waits.task[s->by].pid),
				*of = by != NULL ? cp_programs_of(
						       &c->programs, by->parent)
						 : NULL;

	return of != NULL && by->pid != of->pid && of->comm == s->comm &&
	       by->comm != s->comm;
}

/* "background", "thread 4711 of it", "another of that name, 4711" */
static const char *
other_name(struct cp_causes *c, const struct cp_site *s)
{
	const char *name = thread_name(c, s->by);
	const struct cp_wait_task *by = &c->watch.waits.task[s->by];
	struct cp_word tid;

	if (is_child(c, s))
		return cp_account_phrase(
		    c->accounts, CP_ACCOUNT(ITS_CHILD, .what = name));
	if (strcmp(name, cp_run_string(c->run, s->comm)) != 0)
		return name;
	return cp_account_phrase(c->accounts,
	    &(struct cp_account){
		.name = by->pid == s->pid ? CP_A_THREAD_OF_IT : CP_A_NAMESAKE,
		.what = cp_word_id(&tid, by->tid) });
}

/* Threads that wait here for one of themselves take turns. */
static bool
is_mutual(const struct cp_causes *c, const struct cp_site *s)
{
	return c->sites.all[s->whole].threads > 1 &&
	       cp_sites_peer(&c->sites, (uint32_t)(s - c->sites.all), s->by);
}

static void
find_awaited(struct cp_causes *c, const struct cp_site *s)
{
	struct cp_account busy, *x;
	bool futex = strcmp(cp_run_string(c->run, s->class), "futex") == 0;

	if (s->busy <= s->ns / 2 || is_mutual(c, s))
		return;
	busy = waited(c, s, CP_A_AWAITED);
	busy.about = is_child(c, s)            ? "child processes"
		     : futex && s->threads > 1 ? "stopped threads"
					       : NULL;
	busy.ns = s->busy;
	busy.share = cp_percent_exact(s->busy, s->life);
	busy.what = other_name(c, s);
	x = cp_accounts_add(c->accounts, &busy);
	if (x == NULL)
		return;
	cp_cause_meanwhile(c, x, &s->most);
	add_inversion(c, x, s);
}

/* Is it known what the one did that ended most of it? */
static bool
tells(const struct cp_ended *e)
{
	return e->same + e->meanwhile[CP_SPAN_UNKNOWN] < e->ns - e->ns / 10;
}

/* Threads wait for each other; or its parts, or all of it, for one of others.
 */
static void
find_shared(struct cp_causes *c, const struct cp_site *s)
{
	uint32_t whole = s->whole;
	bool parts = false;
	struct cp_account *x;

	if (is_shared(c, s)) {
		x = add_waited(c, s, CP_A_SHARED);
		if (x == NULL)
			return;
		if (tells(&s->most)) {
			cp_account_also(c->accounts, x, CP_ACCOUNT(WHO_HAD_IT));
			cp_cause_meanwhile(c, x, &s->most);
		}
		return;
	}
	for (uint32_t i = 0; i < c->sites.n; i++) {
		const struct cp_site *part = &c->sites.all[i];

		if (part->whole != whole || i == whole)
			continue;
		parts = true;
		if (part->n >= 3 * (uint64_t)part->threads)
			find_awaited(c, part);
	}
	if (!parts)
		find_awaited(c, s);
}

static void
find_at(struct cp_causes *c, struct cp_site *s)
{
	switch (s->kind) {
	case CP_SITE_LOCK: find_lock(c, s); break;
	case CP_SITE_DISK: find_disk(c, s); break;
	case CP_SITE_FAULT: add_waited(c, s, CP_A_MEMORY); break;
	case CP_SITE_FULL: find_reader(c, s); break;
	case CP_SITE_CHILD: find_child(c, s); break;
	case CP_SITE_SLEEP:
		/* No habit: others are what the program is made to do. */
		if (s->n <= 2 && s->ns <= s->life / 2 &&
		    (double)s->longest >= cp_threshold(CP_T_CAUSE_ONCE))
			add_waited(c, s, CP_A_SLEEP);
		break;
	case CP_SITE_AWAIT:
		if (!find_network(c, s) && s->n >= 3 * (uint64_t)s->threads)
			find_shared(c, s);
		break;
	case CP_SITE_NOTHING: break;
	}
}

void
cp_causes_blocked(struct cp_causes *c)
{
	for (uint32_t i = 0; i < c->sites.n; i++) {
		struct cp_site *s = &c->sites.all[i];
		bool timed =
		    s->kind == CP_SITE_SLEEP || s->kind == CP_SITE_AWAIT;

		if (s->whole == i && (!timed || !find_storm(c, s)) &&
		    cp_accounts_large(c->accounts, s->ns, s->n, s->longest))
			find_at(c, s);
	}
}
