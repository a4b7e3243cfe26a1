/* SPDX-License-Identifier: MIT */
#include "analyses/common/sample-groups.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/common/event.h"
#include "analyses/common/label.h"

#define FIRST_SLOTS 256u

void
cp_groups_init(
    struct cp_groups *g, struct cp_run *run, unsigned keys, uint64_t width)
{
	*g = (struct cp_groups){ .run = run,
		.keys = keys | 1u << CP_BY_EVENT,
		.width = width != 0 ? width : 1,
		.base = CP_NO_TIME,
		.cap = FIRST_SLOTS / 2,
		.few = (keys & ~(1u << CP_BY_EVENT | 1u << CP_BY_COMM)) == 0,
		.comm_mask = keys & 1u << CP_BY_COMM ? UINT32_MAX : 0 };
	g->all = cp_run_alloc(run, g->cap * sizeof(*g->all));
	cp_slots_init(&g->slots, run, FIRST_SLOTS);
	if (keys & 1u << CP_BY_PARALLELISM)
		(void)cp_run_spans(run, NULL, NULL);
}

static uint64_t
slice_of(struct cp_groups *g, uint64_t time)
{
	if (time == CP_NO_TIME)
		return CP_NO_TIME;
	if (g->base == CP_NO_TIME)
		g->base = time;
	return time > g->base ? (time - g->base) / g->width : 0;
}

/* Returns the first number of "0-3,8", and the rest of it; -1: none is left. */
static int64_t
cpu_list(const char **at, uint32_t *last)
{
	char *end;
	unsigned long first = strtoul(*at, &end, 10);

	if (end == *at || first >= CP_GROUPS_CPUS)
		return -1;
	*last = (uint32_t)first;
	if (*end == '-')
		*last = (uint32_t)strtoul(end + 1, &end, 10);
	*at = end + (*end == ',' && end[1] != ' ');
	return (int64_t)first;
}

/* Reads the facts "0: cpus 0-3,8, 65536 kB": the NUMA node of each CPU. */
static void
read_nodes(struct cp_groups *g)
{
	const struct cp_fact *facts;
	size_t n = cp_run_facts(g->run, &facts);
	uint32_t last;
	int64_t cpu;

	g->nodes = cp_run_alloc(g->run, CP_GROUPS_CPUS * sizeof(*g->nodes));
	for (size_t i = 0; i < n; i++) {
		const char *at = strstr(facts[i].value, ": cpus ");

		if (strcmp(facts[i].key, "numa-node") != 0 || at == NULL)
			continue;
		at += strlen(": cpus ");
		while ((cpu = cpu_list(&at, &last)) >= 0)
			for (; cpu <= last && cpu < CP_GROUPS_CPUS; cpu++)
				g->nodes[cpu] =
				    1 +
				    (uint32_t)strtoul(facts[i].value, NULL, 10);
	}
}

/* Returns where the sample's CPU is; CP_NO_ID: not recorded. */
static uint32_t
place_of(struct cp_groups *g, enum cp_group_key key, uint32_t cpu)
{
	uint32_t socket, core;

	if (key == CP_BY_NODE) {
		if (g->nodes == NULL)
			read_nodes(g);
		return cpu < CP_GROUPS_CPUS ? g->nodes[cpu] - 1 : CP_NO_ID;
	}
	if (!cp_run_topology(g->run, cpu, &socket, &core))
		return CP_NO_ID;
	return key == CP_BY_SOCKET ? socket : core;
}

static void
keys_of(struct cp_groups *g, const struct cp_sample *s,
    uint64_t v[static CP_GROUP_KEYS])
{
	memset(v, 0, CP_GROUP_KEYS * sizeof(v[0]));
	v[CP_BY_EVENT] = s->event;
	if (g->keys & 1u << CP_BY_COMM)
		v[CP_BY_COMM] = s->comm;
	if (g->keys & 1u << CP_BY_PID)
		v[CP_BY_PID] = s->pid;
	if (g->keys & 1u << CP_BY_TID)
		v[CP_BY_TID] = s->tid;
	if (g->keys & 1u << CP_BY_CPU)
		v[CP_BY_CPU] = s->cpu;
	if (g->keys & 1u << CP_BY_CGROUP)
		v[CP_BY_CGROUP] = s->cgroup;
	if (g->keys & 1u << CP_BY_TIME)
		v[CP_BY_TIME] = slice_of(g, cp_event_moment(s));
	if (g->keys & 1u << CP_BY_LEVEL)
		v[CP_BY_LEVEL] = s->level;
	if (g->keys & 1u << CP_BY_ADDR)
		v[CP_BY_ADDR] = s->addr;
	if (g->keys & 1u << CP_BY_PARALLELISM)
		v[CP_BY_PARALLELISM] = cp_run_parallelism(g->run, s);
	for (unsigned key = CP_BY_SOCKET; key <= CP_BY_NODE; key++)
		if (g->keys & 1u << key)
			v[key] = place_of(g, key, s->cpu);
	for (unsigned i = 0; i < CP_FIELD_KEYS; i++)
		if (g->keys & 1u << (CP_BY_FIELD + i))
			v[CP_BY_FIELD + i] =
			    cp_field_key_of(g->run, g->field[i], s);
}

uint32_t
cp_group_hash(const uint64_t v[static CP_GROUP_KEYS])
{
	uint64_t h = 0;

	for (int i = 0; i < CP_GROUP_KEYS; i++) {
		h = (h ^ v[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

static uint32_t
group_hash(const void *all, uint32_t number)
{
	return cp_group_hash(((const struct cp_group *)all)[number].v);
}

/*
 * Returns the cache slot for a sample: samples of a few CPUs alternate, so
 * recent groups are tried first.
 */
static uint32_t *
recent_place(struct cp_groups *g, const struct cp_sample *s)
{
	/* As the events of a switch alternate in each thread. */
	uint32_t i = s->comm + s->event;

	if (g->keys & 1u << CP_BY_TID)
		i += s->tid;
	if (g->keys & 1u << CP_BY_CPU)
		i += s->cpu;
	return &g->recent[i % CP_GROUPS_RECENT];
}

static bool
differs(const struct cp_groups *g, enum cp_group_key key, uint64_t had,
    uint64_t has)
{
	return (g->keys & 1u << key) != 0 && had != has;
}

/* Compares only the chosen keys, because it is called for every sample. */
static bool
is_of(struct cp_groups *g, uint32_t group, const struct cp_sample *s)
{
	const uint64_t *v = g->all[group].v;

	/* Their values are not at hand. */
	if (g->keys >> CP_BY_LEVEL != 0)
		return false;
	return group < g->n && v[CP_BY_EVENT] == s->event &&
	       !differs(g, CP_BY_COMM, v[CP_BY_COMM], s->comm) &&
	       !differs(g, CP_BY_PID, v[CP_BY_PID], s->pid) &&
	       !differs(g, CP_BY_TID, v[CP_BY_TID], s->tid) &&
	       !differs(g, CP_BY_CPU, v[CP_BY_CPU], s->cpu) &&
	       !differs(g, CP_BY_CGROUP, v[CP_BY_CGROUP], s->cgroup) &&
	       ((g->keys & 1u << CP_BY_TIME) == 0 ||
		   v[CP_BY_TIME] == slice_of(g, cp_event_moment(s)));
}

static uint32_t
group_of(struct cp_groups *g, const uint64_t v[static CP_GROUP_KEYS])
{
	size_t size = CP_GROUP_KEYS * sizeof(v[0]);
	uint32_t i, k;

	if (cp_slots_full(&g->slots, g->n)) {
		cp_grow_to(g->run, g->all, &g->cap, g->n);
		cp_slots_grow(&g->slots, g->run, g->n, group_hash, g->all);
	}
	for (i = cp_group_hash(v); (k = cp_slots_get(&g->slots, &i)) != 0; i++)
		if (memcmp(g->all[k - 1].v, v, size) == 0)
			return k - 1;
	g->slots.at[i] = g->n + 1;
	memcpy(g->all[g->n].v, v, size);
	return g->n++;
}

/* A pipe may describe events after the first samples. */
static struct cp_event_sum *
events_grow(struct cp_groups *g, uint32_t event)
{
	uint32_t n = event < 8 ? 16 : event * 2;
	struct cp_event_sum *events;

	events = cp_run_alloc(g->run, n * sizeof(*events));
	if (g->n_events != 0)
		memcpy(events, g->events, g->n_events * sizeof(*events));
	g->events = events;
	g->n_events = n;
	return &events[event];
}

static uint32_t
find_group(struct cp_groups *g, const struct cp_sample *s)
{
	uint32_t *recent = recent_place(g, s);
	uint64_t v[CP_GROUP_KEYS];

	if (!is_of(g, *recent, s)) {
		uint32_t n = g->n;

		keys_of(g, s, v);
		*recent = group_of(g, v);
		if (g->n != n)
			g->all[*recent].first_pid = s->pid;
	}
	return *recent;
}

/* Does the same if only event and command are keys. */
static inline bool
is_of_few(const struct cp_groups *g, uint32_t group, const struct cp_sample *s)
{
	const uint64_t *v = g->all[group].v;

	return group < g->n && v[CP_BY_COMM] == (s->comm & g->comm_mask) &&
	       v[CP_BY_EVENT] == s->event;
}

uint32_t
cp_groups_of(struct cp_groups *g, const struct cp_sample *s)
{
	uint32_t recent = g->recent[(s->comm + s->event) % CP_GROUPS_RECENT];

	if (g->few && is_of_few(g, recent, s))
		return recent;
	return find_group(g, s);
}

static struct cp_event_sum *
event_sum(struct cp_groups *g, uint64_t event)
{
	return event < g->n_events ? &g->events[event]
				   : events_grow(g, (uint32_t)event);
}

uint32_t
cp_groups_add(struct cp_groups *g, const struct cp_sample *s)
{
	struct cp_event_sum *e = event_sum(g, s->event);

	e->samples++;
	e->weight += s->weight;
	e->weight_sq += (double)s->weight * (double)s->weight;
	return cp_groups_of(g, s);
}

static void
count_row(struct cp_groups *g, uint64_t event, const struct cp_tally_row *row)
{
	struct cp_event_sum *e = event_sum(g, event);

	e->samples += row->count;
	e->weight += row->weight;
	e->weight_sq += row->weight_sq;
}

void
cp_groups_count(struct cp_groups *g, const struct cp_tally *tally)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(tally, &rows);

	for (size_t i = 0; i < n; i++)
		count_row(g, g->all[rows[i].a].v[CP_BY_EVENT], &rows[i]);
}

void
cp_groups_count_events(struct cp_groups *g, const struct cp_tally *tally)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(tally, &rows);

	for (size_t i = 0; i < n; i++)
		count_row(g, rows[i].a, &rows[i]);
}

struct cp_total
cp_groups_total(const struct cp_groups *g, uint32_t event)
{
	const struct cp_event_sum *e;

	if (event >= g->n_events)
		return (struct cp_total){ 0 };
	e = &g->events[event];
	return (struct cp_total){ .samples = e->samples,
		.weight = e->weight,
		.weight_sq = e->weight_sq };
}

struct cp_whole
cp_groups_whole(const struct cp_groups *g, uint32_t event)
{
	struct cp_total t = cp_groups_total(g, event);
	bool known = event < cp_run_evsel_count(g->run);

	return (struct cp_whole){ .mass = { t.weight, t.weight_sq },
		.complete =
		    known && cp_evsel_complete(cp_run_evsel(g->run, event)) };
}

uint32_t
cp_groups_main_event(const struct cp_groups *g)
{
	uint32_t best = CP_NO_ID;

	for (uint32_t i = 0; i < g->n_events; i++)
		if (g->events[i].samples != 0 && cp_event_counts(g->run, i) &&
		    (best == CP_NO_ID ||
			cp_event_before(cp_run_evsel(g->run, i),
			    g->events[i].samples, cp_run_evsel(g->run, best),
			    g->events[best].samples)))
			best = i;
	return best;
}

void
cp_groups_note_others(
    const struct cp_groups *g, struct cp_report *rep, uint32_t event)
{
	uint32_t n = cp_run_evsel_count(g->run);
	const char *shown;

	if (event >= n)
		return;
	shown = cp_event_name(g->run, event);
	for (uint32_t i = 0; i < n; i++) {
		const struct cp_evsel *e = cp_run_evsel(g->run, i);
		struct cp_total t = cp_groups_total(g, i);
		struct cp_word word;

		if (i == event || t.samples == 0 || e->dummy)
			continue;
		cp_report_note(rep,
		    "this is event %.200s; %.200s (samples: %s) is not shown; "
		    "choose it with --event",
		    shown, cp_event_name(g->run, i),
		    cp_word_count(&word, t.samples));
	}
}

static uint64_t
stands_for(const struct cp_groups *g, uint64_t group)
{
	return g->alias != NULL ? g->alias[group] : group;
}

struct cp_grouped
cp_groups_sort(const struct cp_groups *g, const struct cp_tally *tally)
{
	struct cp_grouped s = { 0 };
	size_t *at;

	s.n = cp_tally_rows(tally, &s.rows);
	s.first = cp_run_alloc(g->run, ((size_t)g->n + 2) * sizeof(*s.first));
	s.order = cp_run_alloc(g->run, s.n * sizeof(*s.order));
	for (size_t i = 0; i < s.n; i++)
		s.first[stands_for(g, s.rows[i].a) + 2]++;
	for (size_t i = 2; i < (size_t)g->n + 2; i++)
		s.first[i] += s.first[i - 1];
	/*
	 * at[group] is the place of the group's next row; in the end it is the
	 * start of the next group.
	 */
	at = s.first + 1;
	for (size_t i = 0; i < s.n; i++)
		s.order[at[stands_for(g, s.rows[i].a)]++] = (uint32_t)i;
	return s;
}

const uint32_t *
cp_groups_by_event(const struct cp_groups *g)
{
	size_t n = (size_t)g->n_events + 1;
	uint32_t *next = cp_run_alloc(g->run, n * sizeof(*next));
	uint32_t *order = cp_run_alloc(g->run, g->n * sizeof(*order));
	uint32_t first = cp_groups_main_event(g), k = 0;

	for (uint32_t i = 0; i < g->n; i++)
		if (g->all[i].v[CP_BY_EVENT] == first)
			order[k++] = i;
		else
			next[g->all[i].v[CP_BY_EVENT] + 1]++;
	next[0] = k;
	for (size_t i = 1; i < n; i++)
		next[i] += next[i - 1];
	for (uint32_t i = 0; i < g->n; i++)
		if (g->all[i].v[CP_BY_EVENT] != first)
			order[next[g->all[i].v[CP_BY_EVENT]]++] = i;
	return order;
}
