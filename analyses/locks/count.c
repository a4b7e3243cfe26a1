/* SPDX-License-Identifier: MIT */
#include "analyses/locks/locks.h"

/*
 * A thread's futex call is stored as a lock of this address, which no kernel
 * lock has.
 */
#define CALL 1u
/* In the flags of contention_begin. */
#define SPIN 1u
#define MUTEX 32u

/* How a wait ended: with a kernel's lock, or as a futex call. */
enum how { TAKEN, WOKEN, FAILED };

/* Counts a wait; what[] is how it ended, and the command that woke it. */
static void
took(void *ctx, const struct cp_lost_wait *w, bool known)
{
	struct cp_locks *l = ctx;
	struct cp_lock_waits *row = &l->row[w->row];

	if (!known) {
		l->unknown++;
		return;
	}
	l->waits.cut += w->cut;
	cp_quantiles_add(l->run, &row->took, w->ns, w->at);
	row->failed += w->what[0] == FAILED;
	if (w->what[0] == WOKEN)
		cp_tally_add(l->wakers, l->places.all[l->rows.all[w->row].b].a,
		    w->what[1], w->ns);
}

void
cp_locks_init(struct cp_locks *l, struct cp_run *run)
{
	l->run = run;
	cp_lost_waits_init(&l->waits, run, took, l);
	cp_lock_decoder_init(&l->decoder, run);
	cp_index_init(&l->threads, run);
	cp_index_init(&l->locks, run);
	cp_index_init(&l->places, run);
	cp_index_init(&l->rows, run);
	cp_index_init(&l->keys, run);
	cp_index_init(&l->futexes, run);
	l->wakers = cp_tally_new(run);
}

static uint64_t
key_of_cpu(const struct cp_sample *s)
{
	return (uint64_t)s->cpu << 32;
}

/* The idle threads of all CPUs have the number 0. */
static uint64_t
key_of_thread(const struct cp_sample *s)
{
	return s->tid != 0 ? s->tid : key_of_cpu(s);
}

/*
 * Finds a wait by its lock: a thread waits for one futex, but an interrupt may
 * take a lock meanwhile.
 */
static struct cp_lock_open *
open_at(struct cp_locks *l, uint64_t key, uint64_t address)
{
	uint32_t i = cp_index_put(&l->keys, key, address);

	cp_grow_to(l->run, l->open, &l->open_cap, i);
	return &l->open[i];
}

static struct cp_lock_open *
call_of(struct cp_locks *l, const struct cp_sample *s)
{
	return open_at(l, key_of_thread(s), CALL);
}

/*
 * A thread that spins stays on its CPU.  If it exits meanwhile, the end of the
 * wait has no thread number; the CPU and the lock find the wait.
 */
static struct cp_lock_open *
lock_begun(struct cp_locks *l, const struct cp_sample *s, uint64_t address,
    uint32_t type)
{
	bool spins = (type & (SPIN | MUTEX)) == SPIN && s->cpu != CP_NO_ID;

	return open_at(l, spins ? key_of_cpu(s) : key_of_thread(s), address);
}

static struct cp_lock_open *
lock_ended(struct cp_locks *l, const struct cp_sample *s, uint64_t address)
{
	uint32_t i = s->cpu != CP_NO_ID
			 ? cp_index_get(&l->keys, key_of_cpu(s), address)
			 : CP_NO_ID;

	return i != CP_NO_ID && l->open[i].active
		   ? &l->open[i]
		   : open_at(l, key_of_thread(s), address);
}

static uint32_t
row_of(struct cp_locks *l, const struct cp_sample *s, uint64_t address,
    uint32_t type)
{
	uint64_t process = cp_locks_is_futex(type) ? s->pid : 0;
	uint32_t thread =
	    cp_index_put(&l->threads, (uint64_t)s->pid << 32 | s->tid, s->comm);
	uint32_t lock =
	    cp_index_put(&l->locks, address, (uint64_t)type << 32 | process);
	uint32_t place = cp_index_put(&l->places, lock, s->stack);
	uint32_t row = cp_index_put(&l->rows, thread, place);

	cp_grow_to(l->run, l->row, &l->row_cap, row);
	return row;
}

uint32_t
cp_locks_type(const struct cp_locks *l, uint32_t row)
{
	uint64_t lock = l->places.all[l->rows.all[row].b].a;

	return (uint32_t)(l->locks.all[lock].b >> 32);
}

/* Drops a wait whose end was not recorded. */
static void
drop(struct cp_locks *l, struct cp_lock_open *o)
{
	l->unfinished += o->active && o->kept && !o->wake &&
			 cp_run_keeps_some(l->run, o->time, UINT64_MAX);
	o->active = false;
}

static void
wait_begin(struct cp_locks *l, const struct cp_sample *s,
    struct cp_lock_open *o, uint64_t address, uint32_t type)
{
	/* A mutex that stops spinning continues the same wait. */
	if (o->active && !cp_locks_is_futex(type) && (type & MUTEX) != 0 &&
	    !cp_lost_waits_since(&l->waits, o->time))
		return;
	drop(l, o);
	*o = (struct cp_lock_open){ .time = s->time,
		.address = address,
		.row = row_of(l, s, address, type),
		.active = true,
		.kept = s->chosen };
}

/*
 * Ends a wait, if it began in the capture and its end passes the filters; that
 * of a thread that exited has no number: its begin is asked.
 */
static void
wait_end(struct cp_locks *l, const struct cp_sample *s, struct cp_lock_open *o,
    enum how how, cp_string_id waker)
{
	bool active = o->active;

	o->active = false;
	if (active && !o->wake && s->time >= o->time &&
	    (s->chosen || (s->tid == CP_NO_ID && o->kept)))
		cp_lost_waits_add(
		    &l->waits, &(struct cp_lost_wait){ .start = o->time,
				   .end = s->time,
				   .what = { how, waker },
				   .row = o->row });
}

static struct cp_lock_wake *
wake_of(struct cp_locks *l, const struct cp_sample *s, uint64_t address)
{
	uint32_t i = cp_index_put(&l->futexes, s->pid, address);

	cp_grow_to(l->run, l->wake, &l->wake_cap, i);
	return &l->wake[i];
}

static void
futex_wake(struct cp_locks *l, const struct cp_sample *s, uint64_t address)
{
	struct cp_lock_open *o = call_of(l, s);

	drop(l, o);
	*wake_of(l, s, address) = (struct cp_lock_wake){ s->time, s->comm };
	*o = (struct cp_lock_open){ .active = true, .wake = true };
}

/*
 * A wake-up before the wait did not end it: the kernel wakes, too, as when a
 * thread ends that another one waits for.
 */
static void
futex_end(struct cp_locks *l, const struct cp_sample *s, int64_t result)
{
	struct cp_lock_open *o = call_of(l, s);
	const struct cp_lock_wake *wake = wake_of(l, s, o->address);

	if (result < 0)
		wait_end(l, s, o, FAILED, 0);
	else
		wait_end(
		    l, s, o, WOKEN, wake->time >= o->time ? wake->comm : 0);
}

void
cp_locks_sample(struct cp_locks *l, const struct cp_sample *s)
{
	struct cp_lock_event ev = cp_lock_decode(&l->decoder, s);

	if (s->time == CP_NO_TIME)
		return;
	cp_lost_waits_sample(&l->waits, s);
	switch (ev.kind) {
	case CP_LOCK_NONE: break;
	case CP_LOCK_BEGIN:
		wait_begin(l, s,
		    lock_begun(l, s, ev.address, (uint32_t)ev.type), ev.address,
		    (uint32_t)ev.type);
		break;
	case CP_LOCK_END:
		wait_end(l, s, lock_ended(l, s, ev.address), TAKEN, 0);
		break;
	case CP_FUTEX_BEGIN:
		wait_begin(l, s, call_of(l, s), ev.address,
		    ev.is_lock ? CP_LOCKS_FUTEX : CP_LOCKS_PARKED);
		break;
	case CP_FUTEX_WAKE: futex_wake(l, s, ev.address); break;
	case CP_FUTEX_END: futex_end(l, s, ev.result); break;
	case CP_FUTEX_NONE: drop(l, call_of(l, s)); break;
	}
}

void
cp_locks_sideband(struct cp_locks *l, const struct cp_sideband *e)
{
	cp_lost_waits_event(&l->waits, e);
}

void
cp_locks_finish(struct cp_locks *l)
{
	cp_lost_waits_finish(&l->waits);
}
