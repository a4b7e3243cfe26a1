/* SPDX-License-Identifier: MIT */
#include "analyses/tasks/pools.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 64 /* names; the kernel's have 15 bytes */
#define MANY UINT32_MAX
#define PROCESSES 5 /* small ones of a name that have a row each */
#define NO_POOL UINT32_MAX

/* Names that are equal but for numbers, in one process. */
struct pool {
	cp_string_id first, name;
	uint32_t members;
	uint32_t at; /* byte where the number begins that differs; MANY */
	uint64_t lo, hi;
};

struct pools {
	struct cp_run *run;
	struct cp_index names; /* (name with "#" for numbers, process) */
	struct cp_index comms; /* (comm, process) */
	struct pool *pool;     /* by number in names */
	uint32_t *of_comm;     /* pools by number in comms, or NO_POOL */
	uint32_t *comm;        /* numbers in comms, by group */
	uint32_t cap, comm_cap;
};

static bool
is_digit(char c)
{
	return isdigit((unsigned char)c);
}

/*
 * Writes the name with "#" for each number; false: the name cannot be one of a
 * pool.
 */
static bool
stem_of(const char *comm, char out[static LONGEST + 1])
{
	size_t n = 0;
	bool number = false;

	/* perf names a thread ":1234" if it does not know its name. */
	if (*comm == ':' || is_digit(*comm) || strlen(comm) > LONGEST)
		return false;
	for (; *comm != '\0'; comm++) {
		if (!is_digit(*comm)) {
			out[n++] = *comm;
			continue;
		}
		number = true;
		if (out[n - 1] != '#')
			out[n++] = '#';
	}
	out[n] = '\0';
	return number;
}

/*
 * Does the name look like that of a kernel thread: kworker/0:1, kworker/u8:2?
 */
static bool
is_of_kernel(const char *stem)
{
	const char *slash = strchr(stem, '/');

	return slash != NULL && (slash[1] == '#' || strcmp(slash, "/u#") == 0 ||
				    strncmp(slash, "/u#:", 4) == 0);
}

/*
 * Returns the place of the number that differs between a and b; MANY: several
 * do.
 */
static uint32_t
differs_at(const char *a, const char *b)
{
	uint32_t at = MANY, i = 0;

	for (const char *x = a, *y = b; *x != '\0'; x += i, y += i) {
		size_t n = strspn(x, "0123456789"), m;

		i = 1;
		if (n == 0)
			continue;
		m = strspn(y, "0123456789");
		if (n != m || memcmp(x, y, n) != 0) {
			if (at != MANY)
				return MANY;
			at = (uint32_t)(x - a);
		}
		x += n - 1;
		y += m - 1;
	}
	return at;
}

static void
join(struct pools *p, struct pool *pool, cp_string_id comm)
{
	const char *first, *text = cp_run_string(p->run, comm);
	uint32_t at;
	uint64_t v;

	if (pool->members++ == 0) {
		pool->first = pool->name = comm;
		return;
	}
	first = cp_run_string(p->run, pool->first);
	at = differs_at(first, text);
	if (pool->members == 2 && at != MANY) {
		pool->at = at;
		pool->lo = pool->hi = strtoull(first + at, NULL, 10);
	} else if (pool->at != at) {
		pool->at = MANY;
	}
	if (pool->at == MANY)
		return;
	v = strtoull(text + at, NULL, 10);
	pool->lo = v < pool->lo ? v : pool->lo;
	pool->hi = v > pool->hi ? v : pool->hi;
}

static uint32_t
pool_named(struct pools *p, cp_string_id comm, const char *stem, uint32_t pid)
{
	uint32_t i = cp_index_put(&p->names, cp_run_intern(p->run, stem), pid);

	cp_grow_to(p->run, p->pool, &p->cap, i);
	join(p, &p->pool[i], comm);
	return i;
}

/* The pool of a name that was not met; NO_POOL: it can have none. */
static uint32_t
new_name(struct pools *p, cp_string_id comm, uint32_t pid)
{
	char stem[LONGEST + 1];
	uint32_t n = p->comms.n, c;

	if (!stem_of(cp_run_string(p->run, comm), stem))
		return NO_POOL;
	/* Threads of the kernel have a process each: the name counts once. */
	if (pid != 0 && is_of_kernel(stem)) {
		c = cp_index_put(&p->comms, comm, 0);
		cp_grow_to(p->run, p->of_comm, &p->comm_cap, c);
		if (c == n)
			p->of_comm[c] = pool_named(p, comm, stem, 0);
		return p->of_comm[c];
	}
	return pool_named(p, comm, stem, pid);
}

/* Returns the number of a group's name. */
static uint32_t
add(struct pools *p, const struct cp_group *g)
{
	cp_string_id comm = (cp_string_id)g->v[CP_BY_COMM];
	uint32_t n = p->comms.n;
	uint32_t c = cp_index_put(&p->comms, comm, g->first_pid), pool;

	if (c < n)
		return c;
	pool = new_name(p, comm, g->first_pid);
	cp_grow_to(p->run, p->of_comm, &p->comm_cap, c);
	p->of_comm[c] = pool;
	return c;
}

/*
 * Writes the pool's name: worker/0…63-io, or worker-* if several numbers
 * differ.
 */
static void
name(struct pools *p, struct pool *pool)
{
	const char *first = cp_run_string(p->run, pool->first), *rest;
	char text[2 * LONGEST + 64];

	if (pool->members < 2)
		return;
	if (pool->at == MANY) {
		(void)snprintf(text, sizeof(text), "%.*s*",
		    (int)strcspn(first, "0123456789"), first);
	} else {
		rest = first + pool->at;
		rest += strspn(rest, "0123456789");
		(void)snprintf(text, sizeof(text),
		    "%.*s%" PRIu64 "…%" PRIu64 "%s", (int)pool->at, first,
		    pool->lo, pool->hi, rest);
	}
	pool->name = cp_run_intern(p->run, text);
}

/* Returns the pool of a group's command; NULL: it is in none. */
static const struct pool *
pool_of(const struct pools *p, uint32_t group)
{
	uint32_t pool = p->of_comm[p->comm[group]];

	return pool == NO_POOL || p->pool[pool].members < 2 ? NULL
							    : &p->pool[pool];
}

static void
init(struct pools *p, struct cp_groups *g)
{
	*p = (struct pools){ .run = g->run };
	cp_index_init(&p->names, g->run);
	cp_index_init(&p->comms, g->run);
	p->comm = cp_run_alloc(g->run, (g->n + 1) * sizeof(*p->comm));
	for (uint32_t i = 0; i < g->n; i++)
		p->comm[i] = add(p, &g->all[i]);
	for (uint32_t i = 0; i < p->names.n; i++)
		name(p, &p->pool[i]);
}

struct keyed {
	uint64_t v[CP_GROUP_KEYS];
};

/* Groups of equal keys become aliases of the first of them. */
static void
find_aliases(struct cp_groups *g, const struct keyed *k)
{
	struct cp_slots slots;
	uint32_t room = 2, i, of;

	while (room / 2 <= g->n)
		room *= 2;
	cp_slots_init(&slots, g->run, room);
	g->alias = cp_run_alloc(g->run, (g->n + 1) * sizeof(*g->alias));
	for (uint32_t n = 0; n < g->n; n++) {
		for (i = cp_group_hash(k[n].v);
		     (of = cp_slots_get(&slots, &i)) != 0; i++)
			if (memcmp(k[of - 1].v, k[n].v, sizeof(k[n].v)) == 0)
				break;
		if (of == 0)
			slots.at[i] = n + 1;
		g->alias[n] = of != 0 ? of - 1 : n;
	}
	cp_slots_free(&slots, g->run);
}

/* What was merged into a group. */
struct merged {
	uint32_t groups, threads;
	bool several; /* processes */
};

/* A thread that was renamed is in several groups, and counts once. */
static void
count_merged(const struct cp_groups *g, struct merged *m)
{
	struct cp_index seen; /* (group and process, thread) */

	cp_index_init(&seen, g->run);
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t of = g->alias[i], n = seen.n;
		const uint64_t *v = g->all[i].v;

		(void)cp_index_put(
		    &seen, (uint64_t)of << 32 | v[CP_BY_PID], v[CP_BY_TID]);
		m[of].groups++;
		m[of].threads += seen.n - n;
		m[of].several |= v[CP_BY_PID] != g->all[of].v[CP_BY_PID];
	}
	cp_index_free(&seen);
}

/*
 * Merges groups of equal keys into the first of them, which gets the keys.
 * Returns the number of threads by group.
 */
static uint32_t *
merge(struct cp_groups *g, struct keyed *k)
{
	uint32_t *threads = cp_run_alloc(g->run, (g->n + 1) * sizeof(*threads));
	struct merged *m = cp_run_alloc(g->run, (g->n + 1) * sizeof(*m));

	find_aliases(g, k);
	count_merged(g, m);
	for (uint32_t i = 0; i < g->n; i++) {
		threads[i] = m[i].threads;
		if (m[i].groups < 2)
			continue;
		if (!m[i].several)
			k[i].v[CP_BY_PID] = g->all[i].v[CP_BY_PID];
		if (m[i].threads == 1)
			k[i].v[CP_BY_TID] = g->all[i].v[CP_BY_TID];
		memcpy(g->all[i].v, k[i].v, sizeof(k[i].v));
	}
	return threads;
}

/* The processes of each name. */
struct processes {
	struct cp_index all, names; /* (name, process); (name, 0) */
	uint64_t *weight;           /* of each process */
	uint32_t *count;            /* of processes of each name */
};

static void
weigh_processes(struct processes *p, const struct cp_groups *g,
    const struct keyed *k, const uint64_t *weight)
{
	p->weight = cp_run_alloc(g->run, (g->n + 1) * sizeof(*p->weight));
	p->count = cp_run_alloc(g->run, (g->n + 1) * sizeof(*p->count));
	cp_index_init(&p->all, g->run);
	cp_index_init(&p->names, g->run);
	for (uint32_t i = 0; i < g->n; i++) {
		uint64_t comm = k[i].v[CP_BY_COMM], pid = k[i].v[CP_BY_PID];
		uint32_t seen = p->all.n;
		uint32_t process = cp_index_put(&p->all, comm, pid);
		uint32_t name = cp_index_put(&p->names, comm, 0);

		p->weight[process] += weight[i];
		p->count[name] += process == seen;
	}
}

/*
 * Small processes of one name, as the compilers of a build, are one row where
 * there are more of them than can be read.
 */
static void
join_processes(const struct cp_groups *g, struct keyed *k,
    const uint64_t *weight, uint64_t bound)
{
	struct processes p;

	weigh_processes(&p, g, k, weight);
	for (uint32_t i = 0; i < g->n; i++) {
		uint64_t *v = k[i].v;

		if (p.count[cp_index_get(&p.names, v[CP_BY_COMM], 0)] <=
			PROCESSES ||
		    p.weight[cp_index_get(
			&p.all, v[CP_BY_COMM], v[CP_BY_PID])] >= bound)
			continue;
		v[CP_BY_PID] = CP_NO_ID;
	}
}

static struct keyed *
keys_of(struct cp_groups *g, bool threads)
{
	struct keyed *k = cp_run_alloc(g->run, (g->n + 1) * sizeof(*k));
	struct pools p;

	init(&p, g);
	for (uint32_t i = 0; i < g->n; i++) {
		const struct pool *pool = pool_of(&p, i);
		const char *comm;

		memcpy(k[i].v, g->all[i].v, sizeof(k[i].v));
		if (threads)
			k[i].v[CP_BY_TID] = CP_NO_ID;
		if (pool == NULL)
			continue;
		k[i].v[CP_BY_COMM] = pool->name;
		comm = cp_run_string(g->run, pool->first);
		if (threads && strchr(comm, '/') != NULL)
			k[i].v[CP_BY_PID] = CP_NO_ID;
	}
	return k;
}

void
cp_pools_merge(struct cp_groups *g)
{
	if ((g->keys & 1u << CP_BY_COMM) && !(g->keys & 1u << CP_BY_TID))
		(void)merge(g, keys_of(g, false));
}

const uint32_t *
cp_pools_merge_threads(
    struct cp_groups *g, const uint64_t *weight, uint64_t small)
{
	struct keyed *k = keys_of(g, true);

	join_processes(g, k, weight, small);
	return merge(g, k);
}
