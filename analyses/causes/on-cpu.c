/* SPDX-License-Identifier: MIT */
#include "analyses/causes/on-cpu.h"

#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/summary/brief-part.h"
#include "analyses/summary/thresholds.h"

static const struct {
	const char *about, *words;
	const char *functions[14]; /* any of them is on the stack */
} reasons[] = {
	{ "page faults",
	    "in page faults: the kernel gave it memory that it touched first",
	    { "asm_exc_page_fault", "exc_page_fault", "do_user_addr_fault",
		"do_page_fault", "__do_page_fault", "handle_mm_fault",
		"do_translation_fault", "do_mem_abort", NULL } },
	{ "starting processes", "to start and end processes (fork, exec, exit)",
	    { "do_execve", "bprm_execve", "kernel_clone", "_do_fork",
		"copy_process", "do_exit", "do_group_exit", "load_elf_binary",
		"exit_mmap", "__x64_sys_execve", "__x64_sys_exit_group",
		NULL } },
};
enum { REASONS = sizeof(reasons) / sizeof(reasons[0]) };

struct cp_oncpu_causes {
	struct cp_run *run;
	struct cp_tally *at; /* event and pid, stack */
	uint8_t *reason;     /* by frame: 0: not known yet, 1: none, 2... */
	uint32_t reason_cap;
};

/* Samples of a program. */
struct cp_oncpu_sum {
	cp_string_id comm;
	uint64_t all;
	struct {
		uint64_t n, more;
		cp_stack_id stack; /* of the most, as far as there is one */
	} by[REASONS];
};

struct cp_oncpu_causes *
cp_oncpu_causes_new(struct cp_run *run)
{
	struct cp_oncpu_causes *o = cp_run_alloc(run, sizeof(*o));

	o->run = run;
	o->at = cp_tally_new(run);
	return o;
}

void
cp_oncpu_causes_sample(struct cp_oncpu_causes *o, const struct cp_sample *s)
{
	if (s->pid != 0 && s->pid != CP_NO_ID)
		cp_tally_add(o->at, (uint64_t)s->event << 32 | s->pid, s->stack,
		    s->weight);
}

static int
frame_reason(struct cp_oncpu_causes *o, cp_frame_id id)
{
	const struct cp_symbol *s;

	cp_grow_to(o->run, o->reason, &o->reason_cap, id);
	if (o->reason[id] != 0)
		return o->reason[id] - 2;
	o->reason[id] = 1;
	s = cp_frame_symbol(o->run, id);
	if (s == NULL || cp_frame_get(o->run, id)->level != CP_LEVEL_KERNEL)
		return -1;
	for (uint8_t r = 0; r < REASONS; r++)
		for (const char *const *f = reasons[r].functions; *f != NULL;
		     f++)
			if (strcmp(s->name, *f) == 0)
				o->reason[id] = r + 2;
	return o->reason[id] - 2;
}

static int
reason_of(struct cp_oncpu_causes *o, cp_stack_id stack)
{
	int r = -1;

	for (; stack != 0 && r < 0; stack = cp_stack_parent(o->run, stack))
		r = frame_reason(o, cp_stack_frame(o->run, stack));
	return r;
}

static void
add_row(struct cp_oncpu_causes *o, struct cp_oncpu_sum *sum,
    const struct cp_tally_row *row)
{
	int r = reason_of(o, (cp_stack_id)row->b);

	sum->all += row->count;
	if (r < 0)
		return;
	sum->by[r].n += row->count;
	if (row->count > sum->by[r].more) {
		sum->by[r].more = row->count;
		sum->by[r].stack = (cp_stack_id)row->b;
	}
}

/* Adds up programs by name; returns their number. */
static uint32_t
sum_programs(struct cp_oncpu_causes *o, const struct cp_programs *p,
    uint32_t event, struct cp_oncpu_sum **sums)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(o->at, &rows);
	struct cp_index names;
	uint32_t cap = 0;

	cp_index_init(&names, o->run);
	cp_rows_name(o->run, rows, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t pid = (uint32_t)rows[i].a, k;
		const struct cp_program *of = cp_programs_of(p, pid);

		if (rows[i].a >> 32 != event || of == NULL || of->comm == 0 ||
		    !cp_programs_matter(p, pid, of->comm))
			continue;
		k = cp_index_put(&names, of->comm, 0);
		cp_grow_to(o->run, *sums, &cap, k);
		(*sums)[k].comm = of->comm;
		add_row(o, &(*sums)[k], &rows[i]);
	}
	return names.n;
}

size_t
cp_oncpu_causes_find(struct cp_oncpu_causes *o, const struct cp_programs *p,
    uint32_t event, struct cp_oncpu_cause found[static CP_ONCPU_CAUSES])
{
	double interval = cp_event_interval(cp_run_evsel(o->run, event));
	struct cp_oncpu_sum *sums = NULL;
	uint32_t programs = sum_programs(o, p, event, &sums);
	size_t n = 0;

	for (uint32_t i = 0; i < programs * REASONS; i++) {
		const struct cp_oncpu_sum *s = &sums[i / REASONS];
		uint32_t r = i % REASONS;
		struct cp_percent part =
		    cp_percent_of_counts(s->by[r].n, s->all);

		if (part.lo < 100 * cp_threshold(CP_T_KERNEL_WORK) ||
		    n == CP_ONCPU_CAUSES)
			continue;
		found[n++] = (struct cp_oncpu_cause){ .comm = s->comm,
			.about = reasons[r].about,
			.words = reasons[r].words,
			.share = part.share / 100,
			.ns = (uint64_t)((double)s->by[r].n * interval),
			.where = cp_place_where(o->run, s->by[r].stack) };
	}
	return n;
}

bool
cp_oncpu_causes_life(struct cp_oncpu_causes *o, const struct cp_programs *p,
    uint32_t event, struct cp_oncpu_life *life)
{
	double interval = cp_event_interval(cp_run_evsel(o->run, event)),
	       ran = 0;
	const struct cp_quality *q = cp_run_quality(o->run);
	const struct cp_program *command = NULL;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(o->at, &rows);

	for (uint32_t i = 0; i < p->pids.n; i++)
		if (p->all[i].command)
			command = &p->all[i];
	if (command == NULL || interval <= 0 || command->born == CP_NO_TIME)
		return false;
	for (size_t i = 0; i < n; i++)
		if (rows[i].a >> 32 == event &&
		    cp_programs_matter(p, (uint32_t)rows[i].a, command->comm))
			ran += (double)rows[i].count * interval;
	life->comm = command->comm;
	life->ran = (uint64_t)ran;
	life->elapsed =
	    (command->died != CP_NO_TIME ? command->died : q->last_time) -
	    command->born;
	return life->elapsed != 0 && life->elapsed >> 62 == 0;
}
