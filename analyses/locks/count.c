/* SPDX-License-Identifier: MIT */
#include "analyses/locks/count.h"

/*
 * A thread's futex call is stored as a lock of this address, which no kernel
 * lock has.
 */
#define CALL 1u

void
cp_locks_init(struct cp_locks *l, struct cp_run *run)
{
	l->run = run;
	cp_lock_decoder_init(&l->decoder, run);
	cp_index_init(&l->threads, run);
	cp_index_init(&l->locks, run);
	cp_index_init(&l->places, run);
	cp_index_init(&l->rows, run);
	cp_index_init(&l->keys, run);
	cp_index_init(&l->futexes, run);
	l->wakers = cp_tally_new(run);
}

/*
 * Finds a wait by its lock: a thread waits for one futex, but an interrupt may
 * take a lock meanwhile.
 */
static struct cp_lock_open *
open_of(struct cp_locks *l, const struct cp_sample *s, uint64_t address)
{
	uint32_t i = cp_index_put(&l->keys, s->tid, address);

	cp_grow_to(l->run, l->open, &l->open_cap, i);
	return &l->open[i];
}

static uint32_t
row_of(struct cp_locks *l, const struct cp_sample *s, uint64_t address,
    uint32_t type)
{
	uint64_t process = type == CP_LOCKS_FUTEX ? s->pid : 0;
	uint32_t thread =
	    cp_index_put(&l->threads, (uint64_t)s->pid << 32 | s->tid, s->comm);
	uint32_t lock =
	    cp_index_put(&l->locks, address, (uint64_t)type << 32 | process);
	uint32_t place = cp_index_put(&l->places, lock, s->stack);
	uint32_t row = cp_index_put(&l->rows, thread, place);

	cp_grow_to(l->run, l->row, &l->row_cap, row);
	return row;
}

static void
wait_begin(struct cp_locks *l, const struct cp_sample *s, uint64_t key,
    uint64_t address, uint32_t type)
{
	struct cp_lock_open *o = open_of(l, s, key);

	/* A mutex that stops spinning continues the same wait. */
	if (o->active && type != CP_LOCKS_FUTEX && o->epoch == l->epoch)
		return;
	l->unfinished += o->active && o->kept && !o->wake;
	*o = (struct cp_lock_open){ .time = s->time,
		.address = address,
		.row = row_of(l, s, address, type),
		.epoch = l->epoch,
		.active = true,
		.kept = s->kept };
}

/* Returns the wait that ends now if its whole length is known; else NULL. */
static struct cp_lock_open *
wait_end(struct cp_locks *l, const struct cp_sample *s, uint64_t key)
{
	struct cp_lock_open *o = open_of(l, s, key);

	if (!o->active || o->wake || s->time < o->time) {
		o->active = false;
		return NULL;
	}
	o->active = false;
	if (!s->kept)
		return NULL;
	if (o->epoch != l->epoch) {
		l->unknown++;
		return NULL;
	}
	cp_quantiles_add(
	    l->run, &l->row[o->row].took, s->time - o->time, o->time);
	return o;
}

static cp_string_id *
waker_of(struct cp_locks *l, const struct cp_sample *s, uint64_t address)
{
	uint32_t i = cp_index_put(&l->futexes, s->pid, address);

	cp_grow_to(l->run, l->waker, &l->waker_cap, i);
	return &l->waker[i];
}

static void
futex_wake(struct cp_locks *l, const struct cp_sample *s, uint64_t address)
{
	struct cp_lock_open *o = open_of(l, s, CALL);

	*waker_of(l, s, address) = s->comm;
	*o = (struct cp_lock_open){ .active = true, .wake = true };
}

static void
futex_end(struct cp_locks *l, const struct cp_sample *s, int64_t result)
{
	const struct cp_lock_open *o = wait_end(l, s, CALL);
	cp_string_id waker;

	if (o == NULL)
		return;
	if (result < 0) {
		l->row[o->row].failed++;
		return;
	}
	waker = *waker_of(l, s, o->address);
	cp_tally_add(l->wakers, l->places.all[l->rows.all[o->row].b].a, waker,
	    s->time - o->time);
}

void
cp_locks_sample(struct cp_locks *l, const struct cp_sample *s)
{
	struct cp_lock_event ev = cp_lock_decode(&l->decoder, s);

	if (s->time == CP_NO_TIME)
		return;
	switch (ev.kind) {
	case CP_LOCK_NONE: break;
	case CP_LOCK_BEGIN:
		wait_begin(l, s, ev.address, ev.address, (uint32_t)ev.type);
		break;
	case CP_LOCK_END: (void)wait_end(l, s, ev.address); break;
	case CP_FUTEX_BEGIN:
		wait_begin(l, s, CALL, ev.address, CP_LOCKS_FUTEX);
		break;
	case CP_FUTEX_WAKE: futex_wake(l, s, ev.address); break;
	case CP_FUTEX_END: futex_end(l, s, ev.result); break;
	}
}
