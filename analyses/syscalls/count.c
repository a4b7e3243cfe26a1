/* SPDX-License-Identifier: MIT */
#include "analyses/syscalls/syscalls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/record-hint.h"
#include "analyses/common/syscall-names.h"

#define MAX_ERRNO 4095u
/* Marks the numbers of 32-bit programs. */
#define NARROW (UINT64_C(1) << 31)

enum probe { RAW_ENTER, RAW_EXIT, ENTER, EXIT };
enum field { NUMBER, RESULT };

const struct cp_probe cp_syscalls_probes[] = {
	[RAW_ENTER] = { "raw_syscalls:sys_enter", { "id" } },
	[RAW_EXIT] = { "raw_syscalls:sys_exit", { "id", "ret" } },
	[ENTER] = { "syscalls:sys_enter_*", { "__syscall_nr|nr" } },
	[EXIT] = { "syscalls:sys_exit_*", { "__syscall_nr|nr", "ret" } },
	{ NULL, { NULL } },
};

/* Counts a call's time; what[0] is its stack. */
static void
took(void *ctx, const struct cp_lost_wait *w, bool known)
{
	struct cp_syscalls *c = ctx;

	if (!known) {
		c->unknown++;
		return;
	}
	c->waits.cut += w->cut;
	cp_quantiles_add(c->run, &c->rows.all[w->row].took, w->ns, w->at);
	if (c->chains)
		cp_tally_add(c->stacks, 0, w->what[0], w->ns);
}

int
cp_syscalls_begin(struct cp_run *run, void *state)
{
	struct cp_syscalls *c = state;

	c->run = run;
	cp_lost_waits_init(&c->waits, run, took, c);
	cp_probes_init(&c->probes, run, cp_syscalls_probes);
	cp_index_init(&c->threads, run);
	cp_pair_rows_init(&c->rows, run);
	cp_index_init(&c->tids, run);
	c->errors = cp_tally_new(run);
	c->stacks = cp_tally_new(run);
	return CP_OK;
}

/* Returns the call's number, or for names an id above all numbers. */
static uint64_t
call_of(struct cp_syscalls *c, const struct cp_probe_at *p,
    const struct cp_sample *s)
{
	uint64_t number = UINT32_MAX;

	if (p->rest[0] != '\0')
		return (uint64_t)cp_run_intern(c->run, p->rest) << 32;
	(void)cp_probe_u64(p, NUMBER, s, &number);
	number &= NARROW - 1;
	return cp_run_thread_narrow(c->run, s->tid) ? number | NARROW : number;
}

/*
 * The kernel forgets the number of a call when a signal is delivered or
 * returned from (orig_ax is -1): its exit is that of the call under way.
 */
static bool
is_none(uint64_t call)
{
	return call >> 32 == 0 && (call & (NARROW - 1)) == NARROW - 1;
}

const char *
cp_syscalls_name(struct cp_syscalls *c, uint64_t call)
{
	const char *name;
	char text[48];

	if (call >> 32 != 0)
		return cp_run_string(c->run, (cp_string_id)(call >> 32));
	name =
	    cp_syscall_name(c->run, call & (NARROW - 1), (call & NARROW) != 0);
	if (name != NULL)
		return name;
	if (is_none(call))
		return "syscall -1"; /* seccomp or a tracer left it out */
	snprintf(text, sizeof(text), "syscall %" PRIu64 "%s",
	    call & (NARROW - 1), (call & NARROW) != 0 ? " of 32 bits" : "");
	return cp_run_string(c->run, cp_run_intern(c->run, text));
}

/*
 * An execve may begin as the call of a 64-bit program and end as that of a
 * 32-bit one, or the other way round.
 */
static bool
same_call(struct cp_syscalls *c, uint64_t a, uint64_t b)
{
	return a == b ||
	       ((a ^ b) >> 31 == 1 &&
		   strcmp(cp_syscalls_name(c, a), cp_syscalls_name(c, b)) == 0);
}

static struct cp_call_open *
open_of(struct cp_syscalls *c, uint32_t tid)
{
	uint32_t i = cp_index_put(&c->tids, tid, 0);

	cp_grow_to(c->run, c->open, &c->open_cap, i);
	return &c->open[i];
}

static uint32_t
row_of(struct cp_syscalls *c, const struct cp_sample *s, uint64_t call)
{
	uint32_t thread =
	    cp_index_put(&c->threads, (uint64_t)s->pid << 32 | s->tid, s->comm);

	return cp_pair_rows_put(&c->rows, thread, call);
}

/* Drops a call whose exit was not recorded. */
static void
drop(struct cp_syscalls *c, struct cp_call_open *in)
{
	if (in->active && in->kept)
		c->unfinished++;
	in->active = false;
}

static void
enter(struct cp_syscalls *c, const struct cp_sample *s, uint64_t call)
{
	struct cp_call_open *in = open_of(c, s->tid);

	drop(c, in);
	*in = (struct cp_call_open){ .time = s->time,
		.call = call,
		.row = row_of(c, s, call),
		.stack = s->stack,
		.ended = in->ended,
		.last_ended = in->last_ended,
		.active = true,
		.chosen = s->chosen,
		.kept = s->kept };
	cp_pair_raw_keep(&in->raw, s);
	if (s->kept)
		c->rows.all[in->row].begun++;
}

static void
count_result(struct cp_syscalls *c, uint32_t row, uint64_t call, uint64_t ret)
{
	if (-ret - 1 >= MAX_ERRNO)
		return;
	c->rows.all[row].errors++;
	cp_tally_add(c->errors, call, -ret, 1);
}

/* fork and clone return in the new thread, too. */
static bool
begins_thread(struct cp_syscalls *c, uint64_t call, uint64_t ret)
{
	static const char *const names[] = { "clone", "clone3", "fork",
		"vfork" };

	for (size_t i = 0; ret == 0 && i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(cp_syscalls_name(c, call), names[i]) == 0)
			return true;
	return false;
}

/* Keeps the arguments of a call that may be one of the slowest. */
static void
rank(struct cp_syscalls *c, const struct cp_call_open *in,
    const struct cp_sample *s, int64_t result)
{
	uint64_t start = in->time > c->from ? in->time : c->from;
	uint64_t end = s->time < c->to ? s->time : c->to;
	uint32_t slot =
	    end > start ? cp_slowest_put(&c->slowest, end - start) : CP_NO_ID;

	if (slot != CP_NO_ID)
		c->slow[slot] = (struct cp_call_slow){ start, in->row,
			cp_pair_raw_text(c->run, &in->raw, s), result };
}

static void
leave(struct cp_syscalls *c, const struct cp_sample *s, uint64_t call,
    uint64_t ret)
{
	struct cp_call_open *in = open_of(c, s->tid);
	bool anonymous = in->active && is_none(call);
	bool same = in->active && (anonymous || same_call(c, in->call, call));
	bool begins = !same && begins_thread(c, call, ret);
	bool inside = same && in->chosen && s->chosen &&
		      cp_run_keeps_some(c->run, in->time, s->time);
	uint32_t row;

	if (!same)
		drop(c, in);
	in->active = false;
	c->cut += same && in->kept && !s->chosen;
	if ((!s->kept && !inside) || begins)
		return;
	row = same ? in->row : row_of(c, s, call);
	if (!same || !in->kept) {
		c->rows.all[row].begun++;
		c->unstarted += !same;
	}
	/* What rt_sigreturn and a restarted call return is not theirs. */
	if (!anonymous)
		count_result(c, row, call, ret);
	if (!same || s->time < in->time)
		return;
	cp_lost_waits_add(&c->waits, &(struct cp_lost_wait){ .start = in->time,
					 .end = s->time,
					 .what = { in->stack },
					 .row = in->row });
	if (c->spans == NULL)
		return;
	rank(c, in, s, (int64_t)ret);
	cp_syscalls_ended(c, in, s->tid, s->time);
}

/*
 * With events of both kinds, each call is there twice: those are counted that
 * have its begin and its end.
 */
static void
look(struct cp_syscalls *c)
{
	const struct cp_probe *all = cp_syscalls_probes;

	c->looked = true;
	cp_run_window(c->run, &c->from, &c->to);
	c->chains = cp_probes_have_chains(c->run, all);
	c->raw = cp_probes_keep_both(c->run, all, RAW_ENTER, RAW_EXIT) ||
		 (!cp_probes_keep_both(c->run, all, ENTER, EXIT) &&
		     (cp_probes_keep(c->run, all, RAW_ENTER, RAW_EXIT) ||
			 !cp_probes_keep(c->run, all, ENTER, EXIT)));
}

int
cp_syscalls_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cp_syscalls *c = state;
	const struct cp_probe_at *p = cp_probes_of(&c->probes, s);
	uint64_t call, ret = 0;

	if (s->time == CP_NO_TIME)
		return CP_OK;
	c->last = s->time;
	cp_lost_waits_sample(&c->waits, s);
	if (p == NULL)
		return CP_OK;
	if (!c->looked)
		look(c);
	if (c->raw != (p->probe <= RAW_EXIT)) {
		c->left_out += s->kept;
		return CP_OK;
	}
	if (cp_probe_repeats(&c->probes, p, s))
		return CP_OK;
	call = call_of(c, p, s);
	if (p->probe == RAW_ENTER || p->probe == ENTER)
		enter(c, s, call);
	else if (cp_probe_u64(p, RESULT, s, &ret))
		leave(c, s, call, ret);
	return CP_OK;
}

int
cp_syscalls_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct cp_syscalls *c = state;

	cp_lost_waits_event(&c->waits, e);
	if (e->kind == CP_SIDE_EXIT)
		drop(c, open_of(c, e->tid));
	return CP_OK;
}

void
cp_syscalls_finish(struct cp_syscalls *c)
{
	cp_lost_waits_finish(&c->waits);
	cp_syscalls_off_finish(c);
}

struct cp_pair_row
cp_syscalls_by_name(struct cp_syscalls *c, struct cp_pair_rows *named)
{
	struct cp_pair_row all = { 0 };

	cp_pair_rows_init(named, c->run);
	for (uint32_t i = 0; i < c->rows.by.n; i++) {
		const char *name = cp_syscalls_name(c, c->rows.by.all[i].b);

		(void)cp_pair_rows_add(
		    named, cp_run_intern(c->run, name), 0, &c->rows.all[i]);
		cp_pair_row_add(c->run, &all, &c->rows.all[i]);
	}
	return all;
}
