/* SPDX-License-Identifier: MIT */
#include "analyses/locks/locks.h"

#include <string.h>

#include "analyses/common/syscall-names.h"

/* System calls have no greater numbers. */
#define NUMBERS 1024u
#define ARGUMENTS 6u

enum probe {
	BEGIN,
	END,
	ENTER_FUTEX,
	EXIT_FUTEX,
	ENTER_WAIT,
	EXIT_WAIT,
	ENTER_WAKE,
	EXIT_WAKE,
	RAW_ENTER,
	RAW_EXIT
};
enum { ADDRESS, FLAGS, RESULT, VALUE };
enum { OPERATION = FLAGS, NUMBER = ADDRESS, ARGS = FLAGS };

const struct cp_probe cp_lock_probes[] = {
	[BEGIN] = { "lock:contention_begin", { "lock_addr", "flags" } },
	[END] = { "lock:contention_end", { "lock_addr", NULL, "ret" } },
	[ENTER_FUTEX] = { "syscalls:sys_enter_futex",
	    { "uaddr", "op", NULL, "val" } },
	[EXIT_FUTEX] = { "syscalls:sys_exit_futex", { NULL, NULL, "ret" } },
	[ENTER_WAIT] = { "syscalls:sys_enter_futex_wait",
	    { "uaddr", NULL, NULL, "val" } },
	[EXIT_WAIT] = { "syscalls:sys_exit_futex_wait", { NULL, NULL, "ret" } },
	[ENTER_WAKE] = { "syscalls:sys_enter_futex_wake", { "uaddr" } },
	[EXIT_WAKE] = { "syscalls:sys_exit_futex_wake", { NULL, NULL, "ret" } },
	[RAW_ENTER] = { "raw_syscalls:sys_enter", { "id", "args" } },
	[RAW_EXIT] = { "raw_syscalls:sys_exit", { "id", NULL, "ret" } },
	{ NULL, { NULL } },
};

void
cp_lock_decoder_init(struct cp_lock_decoder *d, struct cp_run *run)
{
	*d = (struct cp_lock_decoder){ 0 };
	cp_probes_init(&d->probes, run, cp_lock_probes);
}

static struct cp_futex_calls
look_up_numbers(const struct cp_run *run, bool narrow)
{
	struct cp_futex_calls c = { UINT64_MAX, UINT64_MAX, UINT64_MAX,
		UINT64_MAX };
	const struct {
		const char *name;
		uint64_t *number;
	} calls[] = { { "futex", &c.futex },
		{ "futex_time64", &c.futex_time64 }, { "futex_wait", &c.wait },
		{ "futex_wake", &c.wake } };

	for (uint64_t i = 0; i < NUMBERS; i++) {
		const char *name = cp_syscall_name(run, i, narrow);

		for (int k = 0; name != NULL && k < 4; k++)
			if (strcmp(name, calls[k].name) == 0)
				*calls[k].number = i;
	}
	return c;
}

enum { CLOCK_REALTIME_FLAG = 0x100, COMMAND = 0x7f };
enum { WAIT = 0, LOCK_PI = 6, WAIT_BITSET = 9, LOCK_PI2 = 13 };

/*
 * Does who waits want a lock?  The mutexes of glibc, Rust and Go wait while
 * their word is 2, "taken, and others wait"; robust ones, Rust's rwlocks and
 * musl's mutexes have the highest bit (FUTEX_WAITERS).  A condition variable, a
 * semaphore, a join and a parked thread wait with another value, or with
 * glibc's WAIT_BITSET and CLOCK_REALTIME: they have nothing to do, or wait for
 * news.
 */
static bool
wants_lock(uint64_t operation, uint64_t value)
{
	uint32_t word = (uint32_t)value;

	switch (operation & COMMAND) {
	case LOCK_PI:
	case LOCK_PI2: return true;
	case WAIT_BITSET:
		if ((operation & CLOCK_REALTIME_FLAG) != 0)
			return false;
		break;
	case WAIT: break;
	default: return false;
	}
	return word == 2 || (word >> 31 != 0 && word != UINT32_MAX);
}

/* The commands of futex(2), without its flags. */
static enum cp_lock_kind
kind_of(uint64_t operation)
{
	switch (operation & COMMAND) {
	case WAIT:
	case LOCK_PI:
	case WAIT_BITSET:
	case 11: /* WAIT_REQUEUE_PI */
	case LOCK_PI2: return CP_FUTEX_BEGIN;
	case 1:  /* WAKE */
	case 3:  /* REQUEUE */
	case 4:  /* CMP_REQUEUE */
	case 5:  /* WAKE_OP */
	case 7:  /* UNLOCK_PI */
	case 10: /* WAKE_BITSET */
	case 12: /* CMP_REQUEUE_PI */ return CP_FUTEX_WAKE;
	default: return CP_FUTEX_NONE;
	}
}

static const struct cp_futex_calls *
calls_of(const struct cp_lock_decoder *d, const struct cp_sample *s)
{
	return cp_run_thread_narrow(d->probes.run, s->tid) ? &d->narrow
							   : &d->calls;
}

static void
raw_enter(struct cp_lock_decoder *d, const struct cp_probe_at *p,
    const struct cp_sample *s, struct cp_lock_event *out)
{
	const struct cp_field *args = p->field[ARGS];
	const struct cp_futex_calls *c = calls_of(d, s);
	uint64_t id, operation = WAIT, value = 0;

	out->kind = CP_FUTEX_NONE;
	if (!cp_probe_u64(p, NUMBER, s, &id) || args == NULL ||
	    !cp_field_item(args, s, 0, ARGUMENTS, &out->address))
		return;
	if (id == c->wait)
		out->kind = CP_FUTEX_BEGIN;
	else if (id == c->wake)
		out->kind = CP_FUTEX_WAKE;
	else if ((id == c->futex || id == c->futex_time64) &&
		 cp_field_item(args, s, 1, ARGUMENTS, &operation))
		out->kind = kind_of(operation);
	/* futex_wait() has the value where futex() has the operation. */
	(void)cp_field_item(args, s, id == c->wait ? 1 : 2, ARGUMENTS, &value);
	out->is_lock = wants_lock(operation, value);
}

/* The call that ends may be another than the last one that began. */
static bool
ends_other(const struct cp_lock_decoder *d, const struct cp_probe_at *p,
    const struct cp_sample *s)
{
	const struct cp_futex_calls *c = calls_of(d, s);
	uint64_t id;

	return p->probe == RAW_EXIT && cp_probe_u64(p, NUMBER, s, &id) &&
	       id != c->futex && id != c->futex_time64 && id != c->wait &&
	       id != c->wake;
}

static void
call_event(struct cp_lock_decoder *d, const struct cp_probe_at *p,
    const struct cp_sample *s, struct cp_lock_event *out)
{
	uint64_t v = 0, value = 0;

	if (p->probe == RAW_ENTER) {
		raw_enter(d, p, s, out);
	} else if (ends_other(d, p, s)) {
		out->kind = CP_FUTEX_NONE;
	} else if (cp_probe_u64(p, RESULT, s, &v)) {
		out->kind = CP_FUTEX_END;
		out->result = (int64_t)v;
	} else if (cp_probe_u64(p, ADDRESS, s, &out->address)) {
		if (p->probe == ENTER_WAIT)
			out->kind = CP_FUTEX_BEGIN;
		else if (p->probe == ENTER_WAKE)
			out->kind = CP_FUTEX_WAKE;
		else if (cp_probe_u64(p, OPERATION, s, &v))
			out->kind = kind_of(v);
		(void)cp_probe_u64(p, VALUE, s, &value);
		out->is_lock = wants_lock(v, value);
	}
}

/*
 * With events of both kinds, each call is there twice: those are counted that
 * have its begin and its end.
 */
static void
look(struct cp_lock_decoder *d)
{
	struct cp_run *run = d->probes.run;
	const struct cp_probe *all = cp_lock_probes;

	d->looked = true;
	d->raw = cp_probes_keep_both(run, all, RAW_ENTER, RAW_EXIT) ||
		 (!cp_probes_keep_both(run, all, ENTER_FUTEX, EXIT_FUTEX) &&
		     (cp_probes_keep(run, all, RAW_ENTER, RAW_EXIT) ||
			 !cp_probes_keep(run, all, ENTER_FUTEX, EXIT_WAKE)));
	d->calls = look_up_numbers(run, false);
	d->narrow = look_up_numbers(run, true);
}

struct cp_lock_event
cp_lock_decode(struct cp_lock_decoder *d, const struct cp_sample *s)
{
	const struct cp_probe_at *p = cp_probes_of(&d->probes, s);
	struct cp_lock_event out = { .kind = CP_LOCK_NONE };

	if (p == NULL)
		return out;
	if (p->probe > END && !d->looked)
		look(d);
	if (p->probe > END && d->raw != (p->probe >= RAW_ENTER)) {
		d->left_out += s->kept;
		return out;
	}
	if (cp_probe_repeats(&d->probes, p, s))
		return out;
	if (p->probe > END) {
		call_event(d, p, s, &out);
	} else if (cp_probe_u64(p, ADDRESS, s, &out.address)) {
		out.kind = p->probe == BEGIN ? CP_LOCK_BEGIN : CP_LOCK_END;
		(void)cp_probe_u64(p, FLAGS, s, &out.type);
	}
	return out;
}

const char *
cp_lock_type(uint64_t flags)
{
	enum { SPIN = 1, READ = 2, WRITE = 4, RT = 8, PERCPU = 16, MUTEX = 32 };

	switch (flags) {
	case 0: return "semaphore";
	case SPIN: return "spinlock";
	case SPIN | READ: return "rwlock:R";
	case SPIN | WRITE: return "rwlock:W";
	case READ: return "rwsem:R";
	case WRITE: return "rwsem:W";
	case RT: return "rt-mutex";
	case RT | READ: return "rwlock-rt:R";
	case RT | WRITE: return "rwlock-rt:W";
	case PERCPU | READ: return "pcpu-sem:R";
	case PERCPU | WRITE: return "pcpu-sem:W";
	case MUTEX:
	case MUTEX | SPIN: return "mutex";
	default: return "lock";
	}
}
