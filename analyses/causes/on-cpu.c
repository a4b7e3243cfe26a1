/* SPDX-License-Identifier: MIT */
#include "analyses/causes/on-cpu.h"

#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"

/*
 * What the kernel did; the innermost of them counts, else the system call.
 */
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

/*
 * Functions of collectors of garbage: of Go, HotSpot, V8, CPython, .NET, OCaml
 * and Mono.
 */
static const char *const collectors[] = { "runtime.gcBgMarkWorker",
	"runtime.gcAssistAlloc", "runtime.gcDrain", "runtime.bgsweep",
	"runtime.bgscavenge", "runtime.gcStart", "runtime.gcMarkDone",
	"runtime.(*sweepLocked)", "runtime.sweepone", "runtime.scanobject",
	"GenCollectedHeap::do_collection", "GenCollectedHeap::collect",
	"SerialHeap::do_collection", "VM_GenCollect", "VM_G1", "VM_ParallelGC",
	"VM_ParallelCollect", "G1ParTask", "G1YoungCollector",
	"G1ConcurrentMark", "G1CMConcurrentMarkingTask",
	"PSScavenge::", "PSParallelCompact::", "ZDriver",
	"ZMark::", "ShenandoahHeap::", "v8::internal::Heap::CollectGarbage",
	"v8::internal::Heap::PerformGarbageCollection",
	"v8::internal::Scavenger", "v8::internal::MarkCompactCollector",
	"v8::internal::ConcurrentMarking", "gc_collect_main",
	"gc_collect_generations",
	"WKS::gc_heap::", "SVR::gc_heap::", "caml_major_collection_slice",
	"caml_empty_minor_heap", "sgen_perform_collection", NULL };

/* What a frame says; looked up once. */
struct frame {
	enum cp_account_name reason; /* 0: not known yet; NONE */
	bool own;                    /* a function of the program itself */
	bool entry; /* it begins a system call, that one or another: */
	cp_string_id call;
};

struct cp_oncpu_causes {
	struct cp_run *run;
	struct cp_tally *at; /* event and pid, stack */
	struct frame *frame; /* by frame */
	uint32_t frame_cap;
};

#define OWN CP_A_OWN_CODE
#define CALL CP_A_CALLS_OF
#define NONE CP_ACCOUNT_NAMES

/* Samples of a program: all, for one reason, in a call, in a function. */
struct part {
	enum cp_account_name kind; /* a reason, OWN, CALL; NONE: all */
	cp_string_id comm;         /* of the program */
	cp_string_id what;         /* name of the call or function */
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
	f->reason = NONE;
	f->own = cp_place_own(o->run, id);
	s = cp_frame_symbol(o->run, id);
	for (const char *const *name = collectors; s != NULL && *name != NULL;
	     name++)
		if (strncmp(s->name, *name, strlen(*name)) == 0)
			f->reason = CP_A_GARBAGE;
	if (s == NULL || cp_frame_get(o->run, id)->level != CP_LEVEL_KERNEL)
		return f;
	call = cp_place_call(s->name);
	f->call = call != NULL ? cp_run_intern(o->run, call) : 0;
	f->entry = call != NULL || strcmp(s->name, "do_syscall_64") == 0 ||
		   strcmp(s->name, "el0_svc") == 0 ||
		   strcmp(s->name, "do_el0_svc") == 0;
	for (int r = 0; r < REASONS && f->reason == NONE; r++)
		for (const char *const *name = reasons[r].functions;
		     *name != NULL; name++)
			if (strcmp(s->name, *name) == 0)
				f->reason = reasons[r].name;
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

static void
add_row(struct cp_oncpu_causes *o, struct parts *p, cp_string_id comm,
    const struct cp_tally_row *row)
{
	cp_stack_id leaf = (cp_stack_id)row->b;
	const struct cp_symbol *sym = NULL;
	enum cp_account_name reason = NONE;
	cp_string_id call = 0;
	bool entered = false;

	for (cp_stack_id stack = leaf; stack != 0;
	     stack = cp_stack_parent(o->run, stack)) {
		cp_frame_id id = cp_stack_frame(o->run, stack);
		const struct frame *f = look_up(o, id);

		if (reason == NONE || f->reason == CP_A_GARBAGE)
			reason = f->reason;
		if (f->call != 0)
			call = f->call;
		entered |= f->entry;
		if (f->own && sym == NULL)
			sym = cp_frame_symbol(o->run, id);
	}
	if (sym == NULL && leaf != 0)
		sym = cp_frame_symbol(o->run, cp_stack_frame(o->run, leaf));
	add_part(o, p, (struct part){ .kind = NONE, .comm = comm }, row);
	if (sym != NULL)
		add_part(o, p,
		    (struct part){ .kind = OWN,
			.comm = comm,
			.what = cp_run_intern(o->run, sym->name) },
		    row);
	if (reason == NONE && entered)
		add_part(o, p,
		    (struct part){ .kind = CALL, .comm = comm, .what = call },
		    row);
	else if (reason != NONE)
		add_part(
		    o, p, (struct part){ .kind = reason, .comm = comm }, row);
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
	uint32_t i = cp_index_get(&p->keys, (uint64_t)comm << 32 | NONE, 0);

	return i != CP_NO_ID ? p->all[i].n : 0;
}

/*
 * Samples in the way to a call and back do not tell which one.  If the program
 * makes nearly no other, they are of that.
 */
static void
join_calls(struct parts *p)
{
	for (uint32_t i = 0; i < p->keys.n; i++) {
		struct part *of = &p->all[i], *most = NULL;
		uint64_t named = 0;

		if (of->kind != CALL || of->what != 0)
			continue;
		for (uint32_t k = 0; k < p->keys.n; k++) {
			struct part *other = &p->all[k];

			if (other->kind != CALL || other->comm != of->comm ||
			    other->what == 0)
				continue;
			named += other->n;
			if (most == NULL || other->n > most->n)
				most = other;
		}
		if (most != NULL && most->n >= named - named / 10) {
			most->n += of->n;
			of->n = 0;
		}
	}
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
		    other->kind == NONE)
			continue;
		if (other->kind == OWN
			? other->n > of->n || (other->n == of->n && other < of)
			: other->n >= of->n / 2)
			return false;
	}
	return true;
}

void
cp_oncpu_causes_find(struct cp_oncpu_causes *o, const struct cp_programs *p,
    uint32_t event, struct cp_accounts *accounts)
{
	double interval = cp_event_interval(cp_run_evsel(o->run, event));
	struct parts parts = { 0 };

	add_parts(o, p, event, &parts);
	join_calls(&parts);
	for (uint32_t i = 0; i < parts.keys.n; i++) {
		const struct part *of = &parts.all[i];
		uint64_t all = all_of(&parts, of->comm);
		struct cp_account x = { .name = of->kind,
			.who = cp_run_string(o->run, of->comm),
			.of = "its CPU time",
			.ns = (uint64_t)((double)of->n * interval),
			.share = cp_percent_of_counts(of->n, all) };
		cp_string_id own;

		/*
		 * Where the program has nearly all samples, the hot function
		 * is a finding of its own.
		 */
		if (of->kind == NONE ||
		    (of->kind == OWN &&
			(!p->found ||
			    all >= parts.samples - parts.samples / 10 ||
			    !is_first(&parts, of))) ||
		    !cp_accounts_large(accounts, x.ns, 0, 0))
			continue;
		own = cp_place_where(o->run, of->stack).own;
		if (of->kind == OWN && own == 0)
			own = of->what;
		if (of->kind == CALL && of->what != 0)
			x.call = cp_run_string(o->run, of->what);
		if (of->kind != CP_A_GARBAGE)
			x.where = cp_run_string(o->run, own);
		cp_accounts_add(accounts, &x);
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
	life->elapsed = cp_run_kept_ns(o->run, command->born,
	    command->died != CP_NO_TIME ? command->died : q->last_time);
	return life->elapsed != 0 && life->elapsed >> 62 == 0;
}
