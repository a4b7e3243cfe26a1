/* SPDX-License-Identifier: MIT */
#include "analyses/causes/on-cpu.h"

#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"

/* What the kernel did; the innermost of them counts, else the system call. */
static const struct {
	enum cp_account_name name;
	const char *functions[14]; /* any of them is on the stack */
} reasons[] = {
	{ CP_A_PAGE_FAULTS,
	    { "asm_exc_page_fault", "exc_page_fault", "do_user_addr_fault",
		"do_page_fault", "__do_page_fault", "handle_mm_fault",
		"do_translation_fault", "do_mem_abort", NULL } },
	{ CP_A_PROCESSES,
	    { "do_execve", "bprm_execve", "kernel_clone", "_do_fork",
		"copy_process", "do_exit", "do_group_exit", "load_elf_binary",
		"exit_mmap", "__x64_sys_execve", "__x64_sys_exit_group",
		NULL } },
	{ CP_A_NET_RX, { "net_rx_action", NULL } },
	{ CP_A_NET_TX, { "net_tx_action", NULL } },
	{ CP_A_TIMERS, { "run_timer_softirq", "hrtimer_run_softirq", NULL } },
	{ CP_A_BLOCK_DONE, { "blk_done_softirq", "blk_complete_reqs", NULL } },
	{ CP_A_SOFTIRQS, { "__do_softirq", "handle_softirqs", "do_softirq",
			     "__irq_exit_rcu", "irq_exit_rcu", NULL } },
};
enum { REASONS = sizeof(reasons) / sizeof(reasons[0]) };

/* What a frame says; looked up once. */
struct frame {
	uint8_t reason; /* 0: not known yet, 1: none, 2... */
	bool own;       /* a function of the program itself */
	bool entry;     /* it begins a system call, that one or another: */
	cp_string_id call;
};

struct cp_oncpu_causes {
	struct cp_run *run;
	struct cp_tally *at; /* event and pid, stack */
	struct frame *frame; /* by frame */
	uint32_t frame_cap;
};

enum { OWN = REASONS, CALL, ANY };

/* Samples of a program: all, for one reason, in a call, in a function. */
struct part {
	uint32_t kind;     /* a reason, or one of the above */
	cp_string_id comm; /* of the program */
	cp_string_id what; /* name of the call or function */
	uint64_t n, more;
	cp_stack_id stack; /* of the most, as far as there is one */
};

struct parts {
	struct cp_index keys; /* (program and kind, name) */
	struct part *all;
	uint32_t cap;
	uint64_t samples; /* of any program */
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

static const struct frame *
look_up(struct cp_oncpu_causes *o, cp_frame_id id)
{
	const struct cp_symbol *s;
	const char *call;
	struct frame *f;

	cp_grow_to(o->run, o->frame, &o->frame_cap, id);
	f = &o->frame[id];
	if (f->reason != 0)
		return f;
	f->reason = 1;
	f->own = cp_place_own(o->run, id);
	s = cp_frame_symbol(o->run, id);
	if (s == NULL || cp_frame_get(o->run, id)->level != CP_LEVEL_KERNEL)
		return f;
	call = cp_place_call(s->name);
	f->call = call != NULL ? cp_run_intern(o->run, call) : 0;
	f->entry = call != NULL || strcmp(s->name, "do_syscall_64") == 0 ||
		   strcmp(s->name, "el0_svc") == 0 ||
		   strcmp(s->name, "do_el0_svc") == 0;
	for (uint8_t r = 0; r < REASONS && f->reason == 1; r++)
		for (const char *const *name = reasons[r].functions;
		     *name != NULL; name++)
			if (strcmp(s->name, *name) == 0)
				f->reason = r + 2;
	return f;
}

static void
add_part(struct cp_oncpu_causes *o, struct parts *p, struct part key,
    const struct cp_tally_row *row)
{
	uint32_t n = p->keys.n,
		 i = cp_index_put(
		     &p->keys, (uint64_t)key.comm << 32 | key.kind, key.what);
	struct part *to;

	cp_grow_to(o->run, p->all, &p->cap, i);
	to = &p->all[i];
	if (i == n)
		*to = key;
	to->n += row->count;
	if (row->count > to->more) {
		to->more = row->count;
		to->stack = (cp_stack_id)row->b;
	}
}

static cp_string_id
leaf_name(struct cp_oncpu_causes *o, cp_stack_id stack)
{
	const struct cp_symbol *s =
	    stack != 0 ? cp_frame_symbol(o->run, cp_stack_frame(o->run, stack))
		       : NULL;

	return s != NULL ? cp_run_intern(o->run, s->name) : 0;
}

static void
add_row(struct cp_oncpu_causes *o, struct parts *p, cp_string_id comm,
    const struct cp_tally_row *row)
{
	struct part key = { .kind = ANY, .comm = comm };
	int reason = -1;
	cp_string_id call = 0, own = 0;
	bool entered = false;

	add_part(o, p, key, row);
	for (cp_stack_id stack = (cp_stack_id)row->b; stack != 0 && own == 0;
	     stack = cp_stack_parent(o->run, stack)) {
		cp_frame_id id = cp_stack_frame(o->run, stack);
		const struct frame *f = look_up(o, id);

		if (reason < 0)
			reason = f->reason - 2;
		if (f->call != 0)
			call = f->call;
		entered |= f->entry;
		if (f->own)
			own = cp_run_intern(
			    o->run, cp_frame_symbol(o->run, id)->name);
	}
	if (own == 0)
		own = leaf_name(o, (cp_stack_id)row->b);
	if (own != 0)
		add_part(o, p,
		    (struct part){ .kind = OWN, .comm = comm, .what = own },
		    row);
	if (reason >= 0)
		add_part(o, p,
		    (struct part){ .kind = (uint32_t)reason, .comm = comm },
		    row);
	else if (entered)
		add_part(o, p,
		    (struct part){ .kind = CALL, .comm = comm, .what = call },
		    row);
}

/* Adds up programs by name. */
static void
add_parts(struct cp_oncpu_causes *o, const struct cp_programs *p,
    uint32_t event, struct parts *parts)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(o->at, &rows);

	cp_index_init(&parts->keys, o->run);
	cp_rows_name(o->run, rows, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t pid = (uint32_t)rows[i].a;
		const struct cp_program *of = cp_programs_of(p, pid);

		if (rows[i].a >> 32 != event)
			continue;
		parts->samples += rows[i].count;
		if (of != NULL && of->comm != 0 &&
		    cp_programs_matter(p, pid, of->comm))
			add_row(o, parts, of->comm, &rows[i]);
	}
}

static uint64_t
all_of(const struct parts *p, cp_string_id comm)
{
	uint32_t i = cp_index_get(&p->keys, (uint64_t)comm << 32 | ANY, 0);

	return i != CP_NO_ID ? p->all[i].n : 0;
}

/*
 * Is it the function of its program that has most samples, and is it more than
 * the place of something that the kernel does?
 */
static bool
is_first(const struct parts *p, const struct part *of)
{
	for (uint32_t i = 0; i < p->keys.n; i++) {
		const struct part *other = &p->all[i];

		if (other == of || other->comm != of->comm ||
		    other->kind == ANY)
			continue;
		if (other->kind == OWN
			? other->n > of->n || (other->n == of->n && other < of)
			: other->n >= of->n / 2)
			return false;
	}
	return true;
}

/*
 * Where the program has nearly all samples, the table of symbols and its
 * finding tell its functions.
 */
static bool
is_told(const struct cp_programs *programs, const struct parts *p,
    const struct part *of)
{
	return of->kind == ANY ||
	       (of->kind == OWN &&
		   (!programs->found ||
		       all_of(p, of->comm) >= p->samples - p->samples / 10 ||
		       !is_first(p, of)));
}

void
cp_oncpu_causes_find(struct cp_oncpu_causes *o, const struct cp_programs *p,
    uint32_t event, struct cp_accounts *accounts)
{
	double interval = cp_event_interval(cp_run_evsel(o->run, event));
	struct parts parts = { 0 };

	add_parts(o, p, event, &parts);
	for (uint32_t i = 0; i < parts.keys.n; i++) {
		const struct part *of = &parts.all[i];
		struct cp_account x = { .name = of->kind == OWN ? CP_A_OWN_CODE
						: of->kind == CALL
						    ? CP_A_CALLS_OF
						: of->kind == ANY
						    ? CP_ACCOUNT_NAMES
						    : reasons[of->kind].name,
			.who = cp_run_string(o->run, of->comm),
			.of = "its CPU time",
			.ns = (uint64_t)((double)of->n * interval),
			.share = cp_percent_of_counts(
			    of->n, all_of(&parts, of->comm)) };
		cp_string_id own;

		if (is_told(p, &parts, of) ||
		    !cp_accounts_large(accounts, x.ns, 0, 0))
			continue;
		own = cp_place_where(o->run, of->stack).own;
		if (of->kind == OWN && own == 0)
			own = of->what;
		if (of->kind == CALL && of->what != 0)
			x.call = cp_run_string(o->run, of->what);
		x.where = cp_run_string(o->run, own);
		(void)cp_accounts_add(accounts, &x);
	}
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
	life->lives = cp_programs_lives(p, q->last_time);
	life->comm = command->comm;
	life->ran = (uint64_t)ran;
	life->elapsed =
	    (command->died != CP_NO_TIME ? command->died : q->last_time) -
	    command->born;
	return life->elapsed != 0 && life->elapsed >> 62 == 0;
}
