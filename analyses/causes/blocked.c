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

/* What the one that ended most of it did meanwhile: the most of that. */
static void
add_meanwhile(
    struct cp_causes *c, struct cp_account *x, const struct cp_ended *e)
{
	uint64_t ran = e->meanwhile[CP_SPAN_RUNNING], all = e->ns - e->same,
		 blocked = e->meanwhile[CP_SPAN_BLOCKED] - e->same,
		 ready = e->meanwhile[CP_SPAN_PREEMPTED] +
			 e->meanwhile[CP_SPAN_WOKEN];
	struct cp_account did = { .name = CP_A_ENDED_IT,
		.where = cp_run_string(
		    c->run, cp_place_where(c->run, e->woke).own) };

	if (x->by == NULL && e->by != CP_NO_ID)
		x->by = thread_name(c, e->by);
	if (ready > ran && ready > blocked) {
		did.name = CP_A_WAS_READY;
		did.share = cp_percent_exact(ready, all);
	} else if (ran >= blocked && ran != 0) {
		did.name = CP_A_WAS_RUNNING;
		did.share = cp_percent_exact(ran, all);
	} else if (blocked != 0) {
		did.name = CP_A_WAS_BLOCKED;
		did.share = cp_percent_exact(blocked, all);
		did.what = cp_cause_class(c, e->blocked);
	}
	cp_account_also(c->accounts, x, &did);
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
			cp_tally_add(names, c->watch.waits.task[rows[i].b].comm,
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
	if (strcmp(taker, thread_name(c, s->by)) == 0 ||
	    strcmp(taker, cp_run_string(c->run, s->comm)) == 0)
		return;
	cp_account_also(c->accounts, x, CP_ACCOUNT(INVERSION));
	x->about = "priority inversion";
}

static const char *
lock_words(struct cp_causes *c, const struct cp_site *s)
{
	static const char *const space[] = { "do_user_addr_fault",
		"exc_page_fault", "do_page_fault", "handle_mm_fault", "vm_mmap",
		"__vm_munmap", "vm_munmap", "__do_sys_brk", "do_mprotect",
		"__do_sys_mprotect", "do_madvise", "__do_sys_madvise",
		"__do_sys_mremap", "ksys_mmap", "exit_mmap", "dup_mm",
		"lock_mm_and_find_vma", "mmap_read_lock", "mmap_write_lock",
		"__x64_sys_munmap", "__x64_sys_mmap", "__arm64_sys_munmap",
		NULL };
	static const char *const file[] = { "flock_lock_inode",
		"locks_lock_inode", "posix_lock_inode", "do_lock_file_wait",
		"__x64_sys_flock", "__arm64_sys_flock", NULL };
	static const char *const heap[] = { "malloc", "calloc", "realloc",
		"free", "cfree", "__libc_malloc", "__libc_free", "_int_malloc",
		"_int_free", "arena_get", "tcache_", NULL };
	static const char *const private[] = { "__lll_lock_wait_private",
		NULL };

	if (cp_place_has(c->run, s->stack, file))
		return "a file lock";
	if (cp_place_has(c->run, s->stack, space))
		return "the lock of their address space (mmap_lock)";
	if (cp_place_has(c->run, s->stack, private))
		return cp_place_has(c->run, s->stack, heap)
			   ? "the allocator's lock (malloc)"
			   : "a lock of libc's own (malloc, or stdio)";
	return "a lock";
}

static void
find_lock(struct cp_causes *c, const struct cp_site *s)
{
	struct cp_account lock = waited(c, s, CP_A_LOCK), *x;

	lock.what = lock_words(c, s);
	x = cp_accounts_add(c->accounts, &lock);
	if (x == NULL || (s->by_ns < s->ns / 20 && s->peers < s->ns / 2))
		return;
	if (s->peers >= s->ns / 2)
		cp_account_also(c->accounts, x, CP_ACCOUNT(BY_TURNS));
	else
		cp_account_also(c->accounts, x,
		    CP_ACCOUNT(HAD_IT, .by = thread_name(c, s->by)));
	add_meanwhile(c, x, &s->most);
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
	add_meanwhile(c, x, &s->most);
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
	for (int hops = 0; hops < 4 && s != NULL && s->by != CP_NO_ID; hops++) {
		cp_account_also(c->accounts, x,
		    CP_ACCOUNT(THE_CHILD, .by = thread_name(c, s->by)));
		add_meanwhile(c, x, &s->most);
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

/* Threads that did not wait here at the same time, on average. */
static double
away(const struct cp_site *s)
{
	return cp_share((double)s->life - (double)s->ns, (double)s->life) *
	       (double)s->threads;
}

/* "background", "thread 4711 of it", "another of that name, 4711" */
static const char *
other_name(struct cp_causes *c, const struct cp_site *s)
{
	const char *name = thread_name(c, s->by);
	bool member = cp_index_get(&c->sites.members,
			  (uint64_t)(s - c->sites.all), s->by) != CP_NO_ID;
	struct cp_word tid;

	if (strcmp(name, cp_run_string(c->run, s->comm)) != 0)
		return name;
	return cp_account_phrase(c->accounts,
	    &(struct cp_account){
		.name = member ? CP_A_THREAD_OF_IT : CP_A_NAMESAKE,
		.what = cp_word_id(&tid, c->watch.waits.task[s->by].tid) });
}

/* Threads that wait here for one of themselves take turns. */
static bool
is_mutual(const struct cp_causes *c, const struct cp_site *s)
{
	return s->threads > 1 &&
	       cp_sites_peer(&c->sites, (uint32_t)(s - c->sites.all), s->by);
}

static void
find_awaited(struct cp_causes *c, const struct cp_site *s)
{
	struct cp_account busy, *x;

	if (s->threads > 1 && s->peers > s->ns / 2 &&
	    (s->busy < s->ns / 2 || s->same > s->ns / 4) &&
	    away(s) >= cp_threshold(CP_T_HELD)) {
		x = add_waited(c, s, CP_A_SHARED);
		if (x != NULL)
			add_meanwhile(c, x, &s->most);
	} else if (s->busy > s->ns / 2 && !is_mutual(c, s)) {
		busy = waited(c, s, CP_A_AWAITED);
		busy.about = s->threads > 1 ? "stopped threads" : NULL;
		busy.ns = s->busy;
		busy.share = cp_percent_exact(s->busy, s->life);
		busy.what = other_name(c, s);
		x = cp_accounts_add(c->accounts, &busy);
		if (x == NULL)
			return;
		add_meanwhile(c, x, &s->most);
		add_inversion(c, x, s);
	}
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
			find_awaited(c, s);
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

		if ((!timed || !find_storm(c, s)) &&
		    cp_accounts_large(c->accounts, s->ns, s->n, s->longest))
			find_at(c, s);
	}
}
