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
	struct cp_pair_row *row = &l->rows.all[w->row];

	if (!known) {
		l->unknown++;
		return;
	}
	l->waits.cut += w->cut;
	cp_quantiles_add(l->run, &row->took, w->ns, w->at);
	row->errors += w->what[0] == FAILED;
	if (w->what[0] == WOKEN)
		cp_tally_add(l->wakers,
		    l->places.all[l->rows.by.all[w->row].b].a, w->what[1],
		    w->ns);
}

int
cp_locks_begin(struct cp_run *run, void *state)
{
	struct cp_locks *l = state;

	l->run = run;
	cp_lost_waits_init(&l->waits, run, took, l);
	cp_lock_decoder_init(&l->decoder, run);
	cp_index_init(&l->threads, run);
	cp_index_init(&l->locks, run);
	cp_index_init(&l->places, run);
	cp_pair_rows_init(&l->rows, run);
	cp_begun_init(&l->open, run, sizeof(struct cp_lock_open));
	cp_index_init(&l->futexes, run);
	l->wakers = cp_tally_new(run);
	return CP_OK;
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
static uint32_t *
find(struct cp_locks *l, uint64_t key, uint64_t address)
{
	return cp_begun_find(
	    &l->open, (const uint64_t[CP_BEGUN_KEY]){ key, address }, false);
}

/*
 * A thread that spins stays on its CPU.  If it exits meanwhile, the end of the
 * wait has no thread number; the CPU and the lock find the wait.
 */
static uint64_t
key_of_lock(const struct cp_sample *s, uint32_t type)
{
	bool spins = (type & (SPIN | MUTEX)) == SPIN && s->cpu != CP_NO_ID;

	return spins ? key_of_cpu(s) : key_of_thread(s);
}

/* Takes what waits at a place; false: nothing does. */
static bool
take(struct cp_locks *l, uint32_t *at, struct cp_lock_open *out)
{
	uint32_t i;

	if (at == NULL)
		return false;
	i = cp_begun_unlink(&l->open, at);
	*out = *(struct cp_lock_open *)cp_begun_at(&l->open, i);
	cp_begun_free(&l->open, i);
	return true;
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

	return cp_pair_rows_put(&l->rows, thread, place);
}

uint32_t
cp_locks_type(const struct cp_locks *l, uint32_t row)
{
	uint64_t lock = l->places.all[l->rows.by.all[row].b].a;

	return (uint32_t)(l->locks.all[lock].b >> 32);
}

/* Drops a wait whose end was not recorded. */
static void
drop(struct cp_locks *l, uint32_t *at)
{
	struct cp_lock_open o;

	l->unfinished += take(l, at, &o) && o.kept && !o.wake &&
			 cp_run_keeps_some(l->run, o.time, UINT64_MAX);
}

static void
wait_begin(struct cp_locks *l, const struct cp_sample *s, uint64_t key,
    uint64_t at, uint64_t address, uint32_t type)
{
	uint32_t *old = find(l, key, at);
	struct cp_lock_open *o =
	    old != NULL ? cp_begun_at(&l->open, *old) : NULL;

	/* A mutex that stops spinning continues the same wait. */
	if (o != NULL && !cp_locks_is_futex(type) && (type & MUTEX) != 0 &&
	    !cp_lost_waits_since(&l->waits, o->time))
		return;
	drop(l, old);
	cp_begun_link(&l->open,
	    cp_begun_new(&l->open,
		&(struct cp_lock_open){ .begun = { .key = { key, at } },
		    .time = s->time,
		    .address = address,
		    .row = row_of(l, s, address, type),
		    .kept = s->chosen }));
}

/*
 * Ends a wait if its end passes the filters; that of a thread that exited has
 * no number: its begin is asked.
 */
static void
wait_end(struct cp_locks *l, const struct cp_sample *s,
    const struct cp_lock_open *o, enum how how, cp_string_id waker)
{
	if (!o->wake && s->time >= o->time &&
	    (s->chosen || (s->tid == CP_NO_ID && o->kept)))
		cp_lost_waits_add(
		    &l->waits, &(struct cp_lost_wait){ .start = o->time,
				   .end = s->time,
				   .what = { how, waker },
				   .row = o->row });
}

static void
lock_end(struct cp_locks *l, const struct cp_sample *s, uint64_t address)
{
	uint32_t *at =
	    s->cpu != CP_NO_ID ? find(l, key_of_cpu(s), address) : NULL;
	struct cp_lock_open o;

	if (take(l, at != NULL ? at : find(l, key_of_thread(s), address), &o))
		wait_end(l, s, &o, TAKEN, 0);
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
	uint64_t key = key_of_thread(s);

	drop(l, find(l, key, CALL));
	*wake_of(l, s, address) = (struct cp_lock_wake){ s->time, s->comm };
	cp_begun_link(&l->open,
	    cp_begun_new(&l->open,
		&(struct cp_lock_open){
		    .begun = { .key = { key, CALL } }, .wake = true }));
}

/*
 * A wake-up before the wait did not end it: the kernel wakes, too, as when a
 * thread ends that another one waits for.
 */
static void
futex_end(struct cp_locks *l, const struct cp_sample *s, int64_t result)
{
	const struct cp_lock_wake *wake;
	struct cp_lock_open o;

	if (!take(l, find(l, key_of_thread(s), CALL), &o))
		return;
	wake = wake_of(l, s, o.address);
	if (result < 0)
		wait_end(l, s, &o, FAILED, 0);
	else
		wait_end(
		    l, s, &o, WOKEN, wake->time >= o.time ? wake->comm : 0);
}

int
cp_locks_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cp_locks *l = state;
	struct cp_lock_event ev = cp_lock_decode(&l->decoder, s);
	uint32_t type = (uint32_t)ev.type;

	if (s->time == CP_NO_TIME)
		return CP_OK;
	cp_lost_waits_sample(&l->waits, s);
	switch (ev.kind) {
	case CP_LOCK_NONE: break;
	case CP_LOCK_BEGIN:
		wait_begin(
		    l, s, key_of_lock(s, type), ev.address, ev.address, type);
		break;
	case CP_LOCK_END: lock_end(l, s, ev.address); break;
	case CP_FUTEX_BEGIN:
		wait_begin(l, s, key_of_thread(s), CALL, ev.address,
		    ev.is_lock ? CP_LOCKS_FUTEX : CP_LOCKS_PARKED);
		break;
	case CP_FUTEX_WAKE: futex_wake(l, s, ev.address); break;
	case CP_FUTEX_END: futex_end(l, s, ev.result); break;
	case CP_FUTEX_NONE: drop(l, find(l, key_of_thread(s), CALL)); break;
	}
	return CP_OK;
}

int
cp_locks_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct cp_locks *l = state;

	cp_lost_waits_event(&l->waits, e);
	return CP_OK;
}

void
cp_locks_finish(struct cp_locks *l)
{
	struct cp_lock_open o;
	uint32_t hash = 0;

	cp_lost_waits_finish(&l->waits);
	while (take(l, cp_begun_from(&l->open, &hash), &o))
		l->going_on += o.kept && !o.wake;
}
