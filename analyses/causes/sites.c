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

	if (p->letter == 'N')
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

static void
add_row(struct cp_sites *s, uint32_t row, bool join)
{
	const struct cp_waits *w = s->waits;
	uint32_t task = (uint32_t)w->rows.all[row].a, i;
	struct cp_wait_place p =
	    cp_waits_place(w, (uint32_t)w->rows.all[row].b);
	struct cp_wait_sum *sum = &w->row[row];
	cp_string_id class = cp_waitclass(s->classes, p.stack),
		     comm = cp_sites_program(s, task);
	enum cp_site_kind kind = cp_sites_kind(s, class, &p);
	struct cp_where where = cp_place_where(s->run, p.stack);
	uint32_t members = s->members.n, member;
	struct cp_site *site;

	if (join && kind == CP_SITE_AWAIT)
		return;

	/* Children are waited for in several calls: fork, wait4. */
	i = kind == CP_SITE_CHILD
		? cp_index_put(&s->keys, (uint64_t)comm << 32, kind)
		: cp_index_put(&s->keys, (uint64_t)comm << 32 | where.own,
		      (uint64_t)where.call << 32 | class << 4 | (uint64_t)kind);
	cp_grow_to(s->run, s->all, &s->cap, i);
	s->n = s->keys.n;
	s->of_row[row] = i + 1;
	site = &s->all[i];
	site->kind = kind;
	site->class = class;
	site->comm = comm;
	site->n += sum->took.n + sum->open;
	site->ns += sum->ns;
	if (sum->took.max > site->longest) {
		site->longest = sum->took.max;
		site->longest_at = sum->took.max_at;
	}
	if (sum->ns > site->row_ns) {
		site->row_ns = sum->ns;
		site->where = where;
		site->stack = p.stack;
	}
	cp_quantiles_merge(s->run, &site->took, &sum->took);
	member = cp_index_put(&s->members, i, task);
	cp_grow_to(s->run, s->member_ns, &s->member_cap, member);
	s->member_ns[member] += sum->ns;
	if (member == members) {
		uint64_t life = cp_sites_life(&w->task[task]);

		site->threads++;
		site->life += life;
		site->ran += w->task[task].ns[CP_SPAN_RUNNING];
		if (life > site->life_most)
			site->life_most = life;
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
	const struct cp_site *of = &s->all[site];
	uint32_t i = cp_index_get(&s->members, site, task);

	return i != CP_NO_ID && s->member_ns[i] >= of->ns / of->threads / 8;
}

static void
add_ended(struct cp_sites *s, const struct cp_ended *e)
{
	uint32_t i = s->of_row[e->row];
	struct cp_site *site = i != 0 ? &s->all[i - 1] : NULL;

	if (site == NULL)
		return;
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
	if (cp_sites_peer(s, i - 1, e->by) && e->same < e->ns - e->ns / 32)
		site->peers += e->ns;
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
	for (uint32_t i = 0; i < w->rows.n; i++) {
		struct cp_wait_place p =
		    cp_waits_place(w, (uint32_t)w->rows.all[i].b);

		if (p.kind == CP_SPAN_BLOCKED && s->matters[w->rows.all[i].a])
			add_row(s, i, joins[i]);
	}
	for (uint32_t i = 0; i < s->meanwhile->ends.n; i++)
		add_ended(s, &s->meanwhile->ended[i]);
}
