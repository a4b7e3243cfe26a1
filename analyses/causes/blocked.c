/* SPDX-License-Identifier: MIT */
/* What threads were blocked for: the rules over sites. */
#include "analyses/causes/words.h"

#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"

/* Is the time worth a sentence? */
static bool
is_large(const struct cp_causes *c, const struct cp_site *s, uint64_t ns)
{
	double share = cp_share((double)ns, (double)c->elapsed);

	if ((double)ns < cp_threshold(CP_T_CAUSE_TIME))
		return false;
	if (s->n <= 2 && (double)s->longest >= cp_threshold(CP_T_CAUSE_ONCE))
		return share >= cp_threshold(CP_T_CAUSE_ONCE_SHARE);
	return share >= cp_threshold(CP_T_CAUSE_SHARE);
}

/* Who keeps the CPU from a task that is ready, by name. */
static const char *
taker_of(struct cp_causes *c, uint32_t task, uint64_t *ns)
{
	struct cp_tally *names = cp_tally_new(c->run);
	const struct cp_tally_row *most, *rows;
	size_t n = cp_tally_rows(c->account.takers, &rows);

	for (size_t i = 0; i < n; i++)
		if ((uint32_t)rows[i].a == task && rows[i].b != CP_IDLE_CPU)
			cp_tally_add(names,
			    c->watch->waits.task[rows[i].b].comm, 0,
			    rows[i].weight);
	most = cp_rows_heaviest(names);
	*ns = most != NULL ? most->weight : 0;
	return most != NULL ? cp_run_string(c->run, (cp_string_id)most->a)
			    : NULL;
}

/* If who is waited for was ready and had no CPU: who had it. */
static void
say_inversion(struct cp_causes *c, struct cp_cause *x, const struct cp_site *s)
{
	const struct cp_ended *e = &s->most;
	uint64_t ns, ready = e->meanwhile[CP_SPAN_PREEMPTED] +
			     e->meanwhile[CP_SPAN_WOKEN];
	const char *taker = taker_of(c, s->by, &ns);

	if (ready < (e->ns - e->same) / 3 || taker == NULL)
		return;
	cp_cause_say(x, "; %.64s had its CPU", taker);
	if (strcmp(taker, cp_cause_thread(c, s->by)) == 0 ||
	    strcmp(taker, cp_run_string(c->run, s->comm)) == 0)
		return;
	cp_cause_say(x, ", a priority inversion if that matters less");
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
		return "for a file lock";
	if (cp_place_has(c->run, s->stack, space))
		return "for the lock of their address space (mmap_lock)";
	if (cp_place_has(c->run, s->stack, private))
		return cp_place_has(c->run, s->stack, heap)
			   ? "for the allocator's lock (malloc)"
			   : "for a lock of libc's own (malloc, or stdio)";
	return "for a lock";
}

static void
find_lock(struct cp_causes *c, struct cp_site *s)
{
	const struct cp_ended *e = &s->most;
	struct cp_cause *x;

	if (!is_large(c, s, s->ns))
		return;
	x = cp_cause_new(c, "lock", s->ns);
	cp_cause_waited(c, x, s, s->ns, lock_words(c, s));
	cp_cause_where(c, x, s->where);
	cp_cause_number(x, s);
	if (s->by_ns < s->ns / 20 && s->peers < s->ns / 2)
		return;
	if (s->peers >= s->ns / 2)
		cp_cause_say(x, "; they had it by turns, and who had it");
	else
		cp_cause_say(
		    x, "; %.64s had it, and", cp_cause_thread(c, s->by));
	cp_cause_meanwhile(c, x, e);
	say_inversion(c, x, s);
}

bool
cp_site_moved(const struct cp_causes *c, const struct cp_site *s)
{
	static const char *const moves[] = { "affine_move_task",
		"__set_cpus_allowed_ptr", "stop_one_cpu", NULL };

	return cp_place_has(c->run, s->stack, moves);
}

/* Waits for the disk, for memory, for a reader. */
static void
find_blocked(struct cp_causes *c, struct cp_site *s)
{
	static const char *const sync[] = { "__x64_sys_fsync",
		"__x64_sys_fdatasync", "__arm64_sys_fsync",
		"__arm64_sys_fdatasync", "vfs_fsync", "do_fsync",
		"file_write_and_wait", "ksys_sync", "__x64_sys_msync", "fsync",
		"fdatasync", NULL };
	bool synced = cp_place_has(c->run, s->stack, sync),
	     moved = cp_site_moved(c, s);
	struct cp_cause *x;

	if (!is_large(c, s, s->ns))
		return;
	if (s->kind == CP_SITE_FULL) {
		x = cp_cause_new(c, "slow reader", s->ns);
		cp_cause_waited(c, x, s, s->ns,
		    strcmp(cp_run_string(c->run, s->class), "pipe") == 0
			? "for room in a pipe"
			: "for room in a socket");
		cp_cause_where(c, x, s->where);
		cp_cause_number(x, s);
		if (s->by_ns < s->ns / 4)
			return;
		cp_cause_say(
		    x, "; its reader %.64s", cp_cause_thread(c, s->by));
		cp_cause_meanwhile(c, x, &s->most);
		return;
	}
	x = cp_cause_new(c,
	    s->kind == CP_SITE_FAULT ? "memory"
	    : moved                  ? "moved"
				     : "disk",
	    s->ns);
	cp_cause_waited(c, x, s, s->ns,
	    s->kind == CP_SITE_FAULT ? "for pages of memory"
	    : moved                  ? "to be moved to another CPU"
	    : synced                 ? "for the disk, until data were written "
				       "there (fsync)"
				     : "for the disk or a device");
	cp_cause_where(c, x, s->where);
	cp_cause_number(x, s);
}

static void
say_children(struct cp_causes *c, struct cp_cause *x, cp_string_id comm)
{
	const struct cp_programs *p = &c->programs;
	struct cp_word n, mean;
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
	cp_cause_say(x,
	    "; it started %s process%s, %.64s, which lived %s on average",
	    cp_word_count(&n, p->lives[most].n),
	    p->lives[most].n == 1 ? "" : "es",
	    cp_run_string(c->run, (cp_string_id)p->names.all[most].a),
	    cp_word_time(&mean, cp_quantiles_mean(&p->lives[most])));
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
find_child(struct cp_causes *c, struct cp_site *s)
{
	cp_string_id comm = s->comm;
	struct cp_cause *x;

	if (s->n < 3 || !is_large(c, s, s->ns) ||
	    (c->programs.found &&
		!cp_programs_is_command(&c->programs, s->comm)))
		return;
	x = cp_cause_new(c, "child processes", s->ns);
	cp_cause_waited(c, x, s, s->ns, "for child processes to end");
	cp_cause_where(c, x, s->where);
	cp_cause_number(x, s);
	for (int hops = 0; hops < 4 && s != NULL && s->by != CP_NO_ID; hops++) {
		cp_cause_say(x, "; %.64s", cp_cause_thread(c, s->by));
		cp_cause_meanwhile(c, x, &s->most);
		s = site_of_child(c, s);
	}
	say_children(c, x, comm);
}

/* A sleep that is no habit: others are what the program is made to do. */
static void
find_sleep(struct cp_causes *c, struct cp_site *s)
{
	struct cp_cause *x;

	if (s->n > 2 || !is_large(c, s, s->ns) ||
	    (double)s->longest < cp_threshold(CP_T_CAUSE_ONCE) ||
	    s->ns > s->life / 2)
		return;
	x = cp_cause_new(c, "one wait", s->ns);
	cp_cause_waited(c, x, s, s->ns, "asleep");
	cp_cause_where(c, x, s->where);
	cp_cause_number(x, s);
}

/* Timers, or a poll with a timeout that is too short. */
static bool
find_storm(struct cp_causes *c, struct cp_site *s)
{
	double seconds = (double)s->life_most / 1e9;
	/* Another CPU wakes a thread by an interrupt, too. */
	uint64_t timed = s->kind == CP_SITE_SLEEP ? s->interrupt : s->timer;
	struct cp_word n, time, share;
	struct cp_cause *x;

	if (timed < s->ns - s->ns / 10 || seconds <= 0 ||
	    (double)s->n < cp_threshold(CP_T_WAKE_RATE) * seconds ||
	    strcmp(cp_run_string(c->run, s->class), "network") == 0)
		return false;
	x = cp_cause_new(c, "timer storm", s->ran);
	x->who = cp_run_string(c->run, s->comm);
	x->share = cp_share((double)s->ran, (double)s->life);
	x->of = "its threads' time";
	cp_cause_say(x,
	    "%.64s woke up %s times a second from %s of %s on average: each is "
	    "a timer's interrupt and two switches; it ran %s (%s)",
	    cp_run_string(c->run, s->comm),
	    cp_word_count(&n, (uint64_t)((double)s->n / seconds)),
	    s->kind == CP_SITE_SLEEP ? "sleeps" : "waits",
	    cp_word_time(&time, cp_quantiles_mean(&s->took)),
	    cp_word_time(&(struct cp_word){ 0 }, s->ran),
	    cp_word_percent(&share, (double)s->ran, (double)s->life));
	cp_cause_where(c, x, s->where);
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
	const char *class = cp_run_string(c->run, s->class);
	struct cp_word time;
	struct cp_cause *x;

	if (strcmp(class, "network") != 0 || s->n < 5 ||
	    s->asleep + s->interrupt < s->ns / 2 || !is_delayed_ack(s) ||
	    !is_large(c, s, s->ns))
		return false;
	x = cp_cause_new(c, "network", s->ns);
	cp_cause_waited(c, x, s, s->ns, "for the network");
	cp_cause_where(c, x, s->where);
	cp_cause_number(x, s);
	cp_cause_say(x,
	    ", mostly %s: nobody worked meanwhile; that is the time of a "
	    "delayed ACK, which Nagle's algorithm waits for between two small "
	    "writes (TCP_NODELAY, or one write)",
	    cp_word_time(&time, cp_quantiles_at(&s->took, 0.5)));
	return true;
}

/* Threads that did not wait here at the same time, on average. */
static double
away(const struct cp_site *s)
{
	return cp_share((double)s->life - (double)s->ns, (double)s->life) *
	       (double)s->threads;
}

/* " background", " thread 4711 of it", " another of that name, 4711" */
static void
say_other(struct cp_causes *c, struct cp_cause *x, const struct cp_site *s)
{
	const char *name = cp_cause_thread(c, s->by);

	if (strcmp(name, cp_run_string(c->run, s->comm)) != 0)
		cp_cause_say(x, " %.64s", name);
	else if (cp_index_get(&c->sites.members, (uint64_t)(s - c->sites.all),
		     s->by) != CP_NO_ID)
		cp_cause_say(
		    x, " thread %u of it", c->watch->waits.task[s->by].tid);
	else
		cp_cause_say(x, " another of that name, %u",
		    c->watch->waits.task[s->by].tid);
}

/* Threads that wait here for one of themselves take turns. */
static bool
is_mutual(const struct cp_causes *c, const struct cp_site *s)
{
	return s->threads > 1 &&
	       cp_sites_peer(&c->sites, (uint32_t)(s - c->sites.all), s->by);
}

static void
find_awaited(struct cp_causes *c, struct cp_site *s)
{
	uint64_t ns = s->ns;
	bool again = s->n >= 3 * (uint64_t)s->threads;
	struct cp_cause *x;

	if (find_storm(c, s) || find_network(c, s) || !again ||
	    !is_large(c, s, ns))
		return;
	if (s->threads > 1 && s->peers > ns / 2 &&
	    (s->busy < ns / 2 || s->same > ns / 4) &&
	    away(s) >= cp_threshold(CP_T_HELD)) {
		x = cp_cause_new(c, "shared resource", ns);
		cp_cause_waited(c, x, s, ns,
		    "for each other: for a lock, a semaphore or a free one of "
		    "a pool");
		cp_cause_where(c, x, s->where);
		cp_cause_number(x, s);
		cp_cause_say(x, "; who had it");
		cp_cause_meanwhile(c, x, &s->most);
	} else if (s->busy > ns / 2 && !is_mutual(c, s)) {
		x = cp_cause_new(c,
		    s->threads > 1 ? "stopped threads" : "waits for another",
		    s->busy);
		cp_cause_waited(c, x, s, s->busy, "for");
		say_other(c, x, s);
		cp_cause_say(x, ", which was at work");
		cp_cause_where(c, x, s->where);
		cp_cause_number(x, s);
		cp_cause_say(x, "; it");
		cp_cause_meanwhile(c, x, &s->most);
		say_inversion(c, x, s);
	}
}

void
cp_causes_blocked(struct cp_causes *c)
{
	for (uint32_t i = 0; i < c->sites.n; i++) {
		struct cp_site *s = &c->sites.all[i];

		switch (s->kind) {
		case CP_SITE_LOCK: find_lock(c, s); break;
		case CP_SITE_DISK:
		case CP_SITE_FAULT:
		case CP_SITE_FULL: find_blocked(c, s); break;
		case CP_SITE_CHILD: find_child(c, s); break;
		case CP_SITE_SLEEP:
			if (!find_storm(c, s))
				find_sleep(c, s);
			break;
		case CP_SITE_AWAIT: find_awaited(c, s); break;
		case CP_SITE_NOTHING: break;
		}
	}
}
