/* SPDX-License-Identifier: MIT */
#include "analyses/causes/sites.h"

#include <string.h>

uint64_t
cp_sites_life(const struct cp_wait_task *t)
{
	uint64_t ns = 0;

	for (int i = 0; i < CP_SPAN_KINDS; i++)
		ns += t->ns[i];
	return ns;
}

cp_string_id
cp_sites_program(const struct cp_sites *s, uint32_t task)
{
	const struct cp_wait_task *t = &s->waits->task[task];
	const struct cp_program *p = cp_programs_of(s->programs, t->pid);

	return p != NULL && p->comm != 0 ? p->comm : t->comm;
}

/* Functions of locks; the kernel calls all of these waits a futex. */
static const char *const locks[] = { "__lll_lock_wait", "___pthread_mutex_",
	"__pthread_mutex_", "pthread_mutex_", "pthread_rwlock_",
	"__pthread_rwlock_", "___pthread_rwlock_", "std::sys::sync::mutex",
	"std::sys::sync::rwlock", "parking_lot::raw_mutex",
	"parking_lot::raw_rwlock", "sync.(*Mutex).", "sync.(*RWMutex).",
	"runtime.lock2", NULL };
/* Threads of Go's scheduler that have no goroutine to run. */
static const char *const parked[] = { "runtime.stopm", "runtime.mPark",
	"runtime.findRunnable", "runtime.findrunnable", "runtime.sysmon",
	"runtime.notetsleepg", NULL };
static const char *const full[] = { "pipe_write", "anon_pipe_write",
	"sk_stream_wait_memory", "sock_alloc_send_pskb", "unix_wait_for_peer",
	NULL };
static const char *const timers[] = { "hrtimer_", "__hrtimer_",
	"process_timeout", "call_timer_fn", "run_timer_softirq", "__run_timers",
	NULL };
static const char *const ending[] = { "do_exit", "exit_mm", "mm_release",
	"do_group_exit", NULL };

enum cp_site_kind
cp_sites_kind(
    struct cp_sites *s, cp_string_id class, const struct cp_wait_place *p)
{
	static const struct {
		const char *class;
		enum cp_site_kind kind;
	} kinds[] = {
		{ "lock", CP_SITE_LOCK },
		{ "disk", CP_SITE_DISK },
		{ "page-fault", CP_SITE_FAULT },
		{ "child", CP_SITE_CHILD },
		{ "sleep", CP_SITE_SLEEP },
		{ "completion", CP_SITE_DISK },
		{ "stopped", CP_SITE_NOTHING },
		{ "terminal", CP_SITE_NOTHING },
		{ "exit", CP_SITE_NOTHING },
		{ "kernel", CP_SITE_NOTHING },
	};
	const char *name = cp_run_string(s->run, class);

	if (p->letter == 'N' || cp_place_has(s->run, p->stack, parked))
		return CP_SITE_NOTHING;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].class, name) == 0)
			return kinds[i].kind;
	if (strcmp(name, "futex") == 0)
		return cp_place_has(s->run, p->stack, locks) ? CP_SITE_LOCK
							     : CP_SITE_AWAIT;
	if (strcmp(name, "unknown") == 0 && p->letter == 'D')
		return CP_SITE_DISK;
	return cp_place_has(s->run, p->stack, full) ? CP_SITE_FULL
						    : CP_SITE_AWAIT;
}

/*
 * Threads that runtimes keep for themselves (HotSpot, V8, libuv): that they
 * have nothing to do is no news.
 */
static bool
is_housekeeper(const char *comm)
{
	static const char *const names[] = { "GC Thread#", "G1 ", "C1 Compiler",
		"C2 Compiler", "VM Periodic", "VM Thread", "Common-Cleaner",
		"Service Thread", "Signal Dispatch", "Monitor Deflati",
		"Reference Handl", "Finalizer", "Notification Th",
		"Sweeper thread", "V8 DefaultWorke", "node-V8Worker",
		"libuv-worker", "DelayedTaskSche", "SignalInspector", NULL };

	for (const char *const *name = names; *name != NULL; name++)
		if (strncmp(comm, *name, strlen(*name)) == 0)
			return true;
	return false;
}

/*
 * Without a program that perf ran, threads that have no frame of user code in
 * any of their waits are the kernel's.
 */
static void
find_tasks(struct cp_sites *s)
{
	const struct cp_waits *w = s->waits;

	s->matters = cp_run_alloc(s->run, (w->n_tasks + 1) * sizeof(bool));
	for (uint32_t i = 0; i < w->rows.n; i++) {
		const struct cp_pair *row = &w->rows.all[i];
		const struct cp_wait_task *t = &w->task[row->a];
		struct cp_wait_place p = cp_waits_place(w, (uint32_t)row->b);

		if (s->matters[row->a] || !t->kept || t->tid == 0 ||
		    !cp_programs_matter(s->programs, t->pid, t->comm))
			continue;
		s->matters[row->a] =
		    s->programs->found || p.kind == CP_SPAN_RUNNING ||
		    p.stack == 0 || cp_place_where(s->run, p.stack).user;
	}
}

/* What threads are there for: the function that most of their stacks begin in.
 */
static void
find_homes(struct cp_sites *s)
{
	const struct cp_waits *w = s->waits;
	uint64_t *more = cp_run_alloc(s->run, (w->n_tasks + 1) * sizeof(*more));

	s->home = cp_run_alloc(s->run, (w->n_tasks + 1) * sizeof(*s->home));
	for (uint32_t i = 0; i < w->rows.n; i++) {
		const struct cp_pair *row = &w->rows.all[i];
		cp_stack_id stack = cp_waits_place(w, (uint32_t)row->b).stack;
		cp_string_id root;

		if (!s->matters[row->a])
			continue;
		root = cp_place_root(s->run, stack);
		if (root != 0)
			cp_vote(&s->home[row->a], &more[row->a], root,
			    w->row[i].took.n);
	}
}

/* Returns the site of that key, with the row added. */
static struct cp_site *
add_to(struct cp_sites *s, uint32_t row, uint32_t i)
{
	const struct cp_waits *w = s->waits;
	uint32_t task = (uint32_t)w->rows.all[row].a, n = s->members.n, member;
	struct cp_wait_sum *sum = &w->row[row];
	uint64_t life = cp_sites_life(&w->task[task]);
	struct cp_site *site;

	cp_grow_to(s->run, s->all, &s->cap, i);
	s->n = s->keys.n;
	site = &s->all[i];
	site->n += sum->took.n + sum->open;
	site->ns += sum->ns;
	if (sum->took.max > site->longest) {
		site->longest = sum->took.max;
		site->longest_at = sum->took.max_at;
	}
	cp_quantiles_merge(s->run, &site->took, &sum->took);
	member = cp_index_put(&s->members, i, task);
	cp_grow_to(s->run, s->member, &s->member_cap, member);
	s->member[member].ns += sum->ns;
	if (sum->took.max > s->member[member].longest)
		s->member[member].longest = sum->took.max;
	if (member == n) {
		site->threads++;
		site->life += life;
		site->ran += w->task[task].ns[CP_SPAN_RUNNING];
		if (life > site->life_most)
			site->life_most = life;
	}
	return site;
}

static void
add_row(struct cp_sites *s, uint32_t row, bool join)
{
	const struct cp_waits *w = s->waits;
	uint32_t task = (uint32_t)w->rows.all[row].a, whole;
	struct cp_wait_place p =
	    cp_waits_place(w, (uint32_t)w->rows.all[row].b);
	cp_string_id class = cp_waitclass(s->classes, p.stack),
		     comm = cp_sites_program(s, task);
	enum cp_site_kind kind = cp_sites_kind(s, class, &p);
	struct cp_where where = cp_place_where(s->run, p.stack);
	uint64_t place =
	    (uint64_t)where.call << 32 | class << 4 | (uint64_t)kind;
	bool cut = where.own == 0, parts = cut && kind == CP_SITE_AWAIT;

	if (kind == CP_SITE_AWAIT &&
	    (join || is_housekeeper(cp_run_string(s->run, w->task[task].comm))))
		return;
	/* Children are waited for in several calls: fork, wait4. */
	whole = kind == CP_SITE_CHILD
		    ? cp_index_put(&s->keys, (uint64_t)comm << 32, kind)
		    : cp_index_put(
			  &s->keys, (uint64_t)comm << 32 | where.own, place);
	if (where.own == 0)
		where.own = s->home[task];
	for (int part = 0; part <= (parts && where.own != 0); part++) {
		uint32_t i = part == 0 ? whole
				       : cp_index_put(&s->keys,
					     (uint64_t)comm << 32 | where.own,
					     place | UINT64_C(1) << 63);
		struct cp_site *site = add_to(s, row, i);

		s->of_row[row][part] = i + 1;
		site->whole = whole;
		site->cut = cut;
		site->pid = w->task[task].pid;
		site->kind = kind;
		site->class = class;
		site->comm = comm;
		if (w->row[row].ns > site->row_ns) {
			site->row_ns = w->row[row].ns;
			site->where = where;
			site->stack = p.stack;
		}
	}
}

/* What the one that ended a wait did meanwhile. */
static bool
was_at_work(struct cp_sites *s, const struct cp_ended *e)
{
	uint64_t ns = e->meanwhile[CP_SPAN_RUNNING] +
		      e->meanwhile[CP_SPAN_PREEMPTED] +
		      e->meanwhile[CP_SPAN_WOKEN];
	struct cp_wait_place p = { e->blocked, CP_SPAN_BLOCKED, 'S' };
	enum cp_site_kind kind;

	if (e->blocked != 0) {
		kind =
		    cp_sites_kind(s, cp_waitclass(s->classes, e->blocked), &p);
		if (kind != CP_SITE_AWAIT && kind != CP_SITE_SLEEP &&
		    kind != CP_SITE_NOTHING)
			ns += e->meanwhile[CP_SPAN_BLOCKED];
	}
	return ns >= e->ns / 2;
}

static bool
waited_for_network(struct cp_sites *s, const struct cp_ended *e)
{
	const char *class;

	if (e->blocked == 0 || e->meanwhile[CP_SPAN_BLOCKED] < e->ns / 2)
		return false;
	class = cp_run_string(s->run, cp_waitclass(s->classes, e->blocked));
	return strcmp(class, "network") == 0 ||
	       strcmp(class, "unix-socket") == 0 || strcmp(class, "poll") == 0;
}

bool
cp_sites_peer(const struct cp_sites *s, uint32_t site, uint32_t task)
{
	const struct cp_site *of = &s->all[s->all[site].whole];
	uint32_t i = cp_index_get(&s->members, s->all[site].whole, task);

	/* One whose time here is one wait waited until others had ended. */
	return i != CP_NO_ID && s->member[i].ns >= of->ns / of->threads / 8 &&
	       s->member[i].longest <= s->member[i].ns / 2;
}

static void
add_ended(struct cp_sites *s, const struct cp_ended *e, uint32_t i)
{
	struct cp_site *site = &s->all[i];
	cp_string_id home = s->home[s->waits->rows.all[e->row].a];
	uint64_t front;

	if (e->by == CP_NO_ID) {
		site->interrupt += e->ns;
		if (cp_place_has(s->run, e->woke, timers))
			site->timer += e->ns;
	} else if (was_at_work(s, e))
		site->busy += e->ns;
	else if (waited_for_network(s, e))
		site->asleep += e->ns;
	if (e->by == CP_NO_ID)
		return;
	/* Of n threads in a queue each is in front for an nth of the wait. */
	front = s->all[site->whole].threads;
	front = e->ns / (front > 8 ? 4 * front : 32);
	if (cp_sites_peer(s, i, e->by) && e->same < e->ns - front) {
		site->peers += e->ns;
		if (!site->cut || home == 0 || s->home[e->by] == 0 ||
		    s->home[e->by] == home)
			site->kin += e->ns;
	}
	site->same += e->same;
	for (int k = 0; k < CP_SPAN_KINDS; k++)
		site->meanwhile[k] += e->meanwhile[k];
	if (e->ns > site->by_ns) {
		site->by = e->by;
		site->by_ns = e->ns;
		site->most = *e;
	}
}

/* A thread that waits until others have ended is at its place. */
static bool *
find_joins(struct cp_sites *s)
{
	uint32_t rows = s->waits->rows.n;
	bool *joins = cp_run_alloc(s->run, (rows + 1) * sizeof(*joins));
	uint64_t *ns = cp_run_alloc(s->run, (rows + 1) * sizeof(*ns));

	for (uint32_t i = 0; i < s->meanwhile->ends.n; i++) {
		const struct cp_ended *e = &s->meanwhile->ended[i];

		if (e->by != CP_NO_ID && cp_place_has(s->run, e->woke, ending))
			ns[e->row] += e->ns;
	}
	for (uint32_t i = 0; i < rows; i++)
		joins[i] = ns[i] > s->waits->row[i].ns / 2;
	return joins;
}

void
cp_sites_make(struct cp_sites *s)
{
	const struct cp_waits *w = s->waits;
	const bool *joins = find_joins(s);

	cp_index_init(&s->keys, s->run);
	cp_index_init(&s->members, s->run);
	s->of_row = cp_run_alloc(s->run, (w->rows.n + 1) * sizeof(*s->of_row));
	find_tasks(s);
	find_homes(s);
	for (uint32_t i = 0; i < w->rows.n; i++) {
		struct cp_wait_place p =
		    cp_waits_place(w, (uint32_t)w->rows.all[i].b);

		if (p.kind == CP_SPAN_BLOCKED && s->matters[w->rows.all[i].a])
			add_row(s, i, joins[i]);
	}
	for (uint32_t i = 0; i < s->meanwhile->ends.n; i++) {
		const struct cp_ended *e = &s->meanwhile->ended[i];

		for (int part = 0; part < 2; part++)
			if (s->of_row[e->row][part] != 0)
				add_ended(s, e, s->of_row[e->row][part] - 1);
	}
}

const char *
cp_site_lock(const struct cp_sites *c, const struct cp_site *s)
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
		"fcntl_setlk", "fcntl_setlk64", "__x64_sys_flock",
		"__arm64_sys_flock", NULL };
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
