/* SPDX-License-Identifier: MIT */
#include "analyses/causes/programs.h"

#include <stdlib.h>
#include <string.h>

enum { COMM = 16, WORDS = 64 };

void
cp_programs_init(struct cp_programs *p, struct cp_run *run)
{
	*p = (struct cp_programs){ .run = run };
	cp_index_init(&p->pids, run);
	cp_index_init(&p->names, run);
	cp_index_init(&p->tids, run);
}

/*
 * The words of perf's command line that may be a program: the last part of
 * each, as the kernel cuts it.  Which of them is one shows when it is executed.
 */
static void
read_command(struct cp_programs *p)
{
	const char *at = cp_run_fact(p->run, "command");
	const char *dashes = at != NULL ? strstr(at, " -- ") : NULL;

	p->looked = true;
	if (at == NULL)
		return;
	p->words = cp_run_alloc(p->run, WORDS * sizeof(*p->words));
	if (dashes != NULL)
		at = dashes + 4;
	while (*at != '\0' && p->n_words < WORDS) {
		size_t n = strcspn(at, " "), from = n;

		while (from > 0 && at[from - 1] != '/')
			from--;
		if (from < n && at[0] != '-') {
			size_t length =
			    n - from < COMM - 1 ? n - from : COMM - 1;

			memcpy(p->words[p->n_words++], at + from, length);
		}
		at += n + (at[n] == ' ');
	}
}

/* Sleeping is what perf runs to record the others. */
static bool
is_command(struct cp_programs *p, cp_string_id comm)
{
	const char *name = cp_run_string(p->run, comm);

	if (!p->looked)
		read_command(p);
	if (strcmp(name, "sleep") == 0 || strcmp(name, "perf") == 0)
		return false;
	for (size_t i = 0; i < p->n_words; i++)
		if (strcmp(p->words[i], name) == 0)
			return true;
	return false;
}

static struct cp_program *
program(struct cp_programs *p, uint32_t pid)
{
	uint32_t n = p->pids.n, i = cp_index_put(&p->pids, pid, 0);

	cp_grow_to(p->run, p->all, &p->cap, i);
	if (i == n)
		p->all[i] = (struct cp_program){ .pid = pid,
			.parent = CP_NO_ID,
			.born = CP_NO_TIME,
			.died = CP_NO_TIME };
	return &p->all[i];
}

static void
on_fork(struct cp_programs *p, const struct cp_sideband *e)
{
	bool ours = e->other_pid != CP_NO_ID && program(p, e->other_pid)->ours;
	struct cp_program *c = program(p, e->pid);

	*c = (struct cp_program){ .pid = e->pid,
		.parent = e->other_pid,
		.comm = e->comm,
		.born = e->time,
		.died = CP_NO_TIME,
		.ours = ours };
}

/* A thread of ours begins or ends. */
static void
count_edge(struct cp_programs *p, uint64_t time, bool begins)
{
	p->live += begins ? 1 : UINT32_MAX;
	cp_grow_to(p->run, p->edge, &p->edge_cap, p->n_edges);
	p->edge[p->n_edges++] = (struct cp_program_edge){ time, begins };
}

static void
count_thread(struct cp_programs *p, const struct cp_sideband *e, bool begins)
{
	const struct cp_program *of = cp_programs_of(p, e->pid);
	uint32_t i;

	if (of == NULL || !of->ours || (!begins && p->live == 0))
		return;
	if (e->pid != e->tid) {
		i = cp_index_put(&p->tids, e->tid, 0);
		cp_grow_to(p->run, p->begun, &p->begun_cap, i);
		if (!begins && p->begun[i] != 0 && p->begun[i] <= e->time)
			cp_quantiles_add(p->run, &p->threads,
			    e->time - p->begun[i], e->time);
		p->begun[i] = begins ? e->time : 0;
	}
	count_edge(p, e->time, begins);
}

/* Sums of times wrap, their differences are right. */
uint64_t
cp_programs_lives(const struct cp_programs *p, uint64_t end)
{
	uint64_t lived = p->live * cp_run_kept_ns(p->run, 0, end);

	for (uint32_t i = 0; i < p->n_edges; i++) {
		uint64_t at = cp_run_kept_ns(p->run, 0, p->edge[i].time);

		lived += p->edge[i].begins ? -at : at;
	}
	return lived;
}

static void
on_end(struct cp_programs *p, const struct cp_sideband *e)
{
	struct cp_program *c = program(p, e->pid);
	uint32_t i;

	c->died = e->time;
	if (!c->ours || c->born == CP_NO_TIME || c->born > c->died)
		return;
	i = cp_index_put(&p->names, c->comm, c->parent);
	cp_grow_to(p->run, p->lives, &p->lives_cap, i);
	cp_grow_to(p->run, p->spell, &p->spell_cap, i);
	if (p->lives[i].n == 0 || c->born < p->spell[i].first)
		p->spell[i].first = c->born;
	p->spell[i].last = c->died;
	cp_quantiles_add(p->run, &p->lives[i], c->died - c->born, c->died);
}

void
cp_programs_event(struct cp_programs *p, const struct cp_sideband *e)
{
	struct cp_program *c;

	if (e->pid == CP_NO_ID || e->pid == 0)
		return;
	if (e->kind == CP_SIDE_FORK && e->pid != e->other_pid)
		on_fork(p, e);
	if (e->kind == CP_SIDE_FORK || e->kind == CP_SIDE_EXIT)
		count_thread(p, e, e->kind == CP_SIDE_FORK);
	if (e->kind == CP_SIDE_EXIT && e->pid == e->tid) {
		on_end(p, e);
	} else if (e->kind == CP_SIDE_COMM && e->pid == e->tid) {
		c = program(p, e->pid);
		c->comm = e->comm;
		/* So perf calls the process that it keeps ready for it. */
		if (!e->exec &&
		    strcmp(cp_run_string(p->run, e->comm), "perf-exec") == 0)
			p->starters = c->starter = true;
		if (e->exec && !p->found && is_command(p, e->comm) &&
		    (!p->starters || c->starter)) {
			p->found = true;
			c->ours = c->command = true;
			c->born = e->time;
			count_edge(p, e->time, true);
		}
	}
}

const struct cp_program *
cp_programs_of(const struct cp_programs *p, uint32_t pid)
{
	uint32_t i = cp_index_get(&p->pids, pid, 0);

	return i != CP_NO_ID ? &p->all[i] : NULL;
}

bool
cp_programs_matter(const struct cp_programs *p, uint32_t pid, cp_string_id comm)
{
	const struct cp_program *of = cp_programs_of(p, pid);

	if (pid == 0 || strcmp(cp_run_string(p->run, comm), "perf") == 0)
		return false;
	return !p->found || (of != NULL && of->ours);
}

bool
cp_programs_is_command(const struct cp_programs *p, cp_string_id comm)
{
	for (uint32_t i = 0; i < p->pids.n; i++)
		if (p->all[i].command && p->all[i].comm == comm)
			return true;
	return false;
}
