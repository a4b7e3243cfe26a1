/* SPDX-License-Identifier: MIT */
#include "analyses/blockio/blockio.h"

#include <string.h>

enum probe { ISSUE, COMPLETE, REQUEUE };
enum field { DEVICE, SECTOR, SECTORS, OPERATION, BYTES, COMM };
enum { ERROR = BYTES };
/* what[0] of a cp_lost_wait: a request, or an interval between events. */
enum { REQUEST, TIME };

const struct cp_probe cp_blockio_probes[] = {
	[ISSUE] = { "block:block_rq_issue",
	    { "dev", "sector", "nr_sector", "rwbs", "bytes", "comm" } },
	[COMPLETE] = { "block:block_rq_complete",
	    { "dev", "sector", "nr_sector", "rwbs", "error|errors" } },
	[REQUEUE] = { "block:block_rq_requeue",
	    { "dev", "sector", "nr_sector", "rwbs" } },
	{ NULL, { NULL } },
};

static struct cp_request *
request_at(const struct cp_blockio *b, uint32_t i)
{
	return cp_begun_at(&b->requests, i);
}

static void
count(struct cp_blockio *b, enum cp_blockio_by by, uint64_t key,
    const struct cp_request *r, uint64_t ns)
{
	uint32_t i = cp_pair_rows_put(&b->rows, by, key);
	struct cp_pair_row *row = &b->rows.all[i];

	row->bytes += r->bytes;
	row->errors += r->error;
	cp_quantiles_add(b->run, &row->took, ns, r->time);
}

/* Counts a request that completed. */
static void
count_request(struct cp_blockio *b, const struct cp_request *r, uint64_t ns)
{
	uint64_t device = cp_request_device(r), size = 0;
	uint32_t slot = cp_slowest_put(&b->slowest, ns);

	while (size < 63 && r->bytes >> (size + 1) != 0)
		size++;
	b->device[r->device_row].placed += r->bytes != 0;
	b->device[r->device_row].sequential += r->sequential;

	count(b, CP_BLOCKIO_BY_DEVICE, device, r, ns);
	count(b, CP_BLOCKIO_BY_OPERATION, device << 32 | r->operation, r, ns);
	count(b, CP_BLOCKIO_BY_COMM, r->comm, r, ns);
	if (r->bytes != 0)
		count(b, CP_BLOCKIO_BY_SIZE, size, r, ns);
	if (slot != CP_NO_ID)
		b->slow[slot] = *r;
}

/* Returns the start event of the oldest request that is not counted yet. */
static uint64_t
oldest_of(const struct cp_blockio *b, uint32_t device)
{
	uint64_t event = b->device[device].events;

	for (uint32_t i = 1; i <= b->requests.n; i++) {
		const struct cp_request *r = request_at(b, i);

		if ((r->state == CP_REQUEST_IN_FLIGHT ||
			r->state == CP_REQUEST_HELD) &&
		    r->device_row == device && r->event < event)
			event = r->event;
	}
	return event;
}

static void
told_time(struct cp_blockio *b, const struct cp_lost_wait *w, bool known)
{
	struct cp_device_times *t = &b->device[w->row].times;

	cp_device_times_add(t, b->run, w->what[1], w->ns, known);
	if (t->n_idle > t->idle_limit)
		cp_device_times_forget(t, oldest_of(b, w->row));
}

static void
told_request(struct cp_blockio *b, const struct cp_lost_wait *w, bool known)
{
	struct cp_request *r = request_at(b, w->row);

	cp_device_times_request(
	    &b->device[r->device_row].times, r->event, w->ns);
	b->waits.cut += r->completed && w->inside && w->cut;
	if (r->completed && w->inside && known)
		count_request(b, r, w->ns);
	else if (r->completed && w->inside)
		b->unknown++;
	r->state = CP_REQUEST_NONE;
	cp_begun_free(&b->requests, w->row);
}

static void
told(void *ctx, const struct cp_lost_wait *w, bool known)
{
	if (w->what[0] == REQUEST)
		told_request(ctx, w, known);
	else
		told_time(ctx, w, known);
}

int
cp_blockio_begin(struct cp_run *run, void *state)
{
	struct cp_blockio *b = state;

	b->run = run;
	cp_probes_init(&b->probes, run, cp_blockio_probes);
	cp_begun_init(&b->requests, run, sizeof(struct cp_request));
	cp_lost_waits_init(&b->waits, run, told, b);
	b->waits.outside = true; /* records are given back */
	cp_index_init(&b->devices, run);
	cp_pair_rows_init(&b->rows, run);
	return CP_OK;
}

/* Ends the time since the last event of the device. */
static void
hold_time(struct cp_blockio *b, uint32_t device, uint64_t now)
{
	const struct cp_blockio_device *d = &b->device[device];

	cp_lost_waits_add(&b->waits, &(struct cp_lost_wait){ .start = d->last,
					 .end = now,
					 .what = { TIME, d->events - 1 },
					 .row = device });
}

/* Returns the device's row after ending the time since its last event. */
static uint32_t
device_at(struct cp_blockio *b, uint32_t dev, uint64_t now)
{
	uint32_t i = cp_index_put(&b->devices, dev, 0);
	struct cp_blockio_device *d;

	cp_grow_to(b->run, b->device, &b->device_cap, i);
	d = &b->device[i];
	if (d->events == 0)
		d->first = d->last = now;
	else if (now >= d->last)
		hold_time(b, i, now);
	d->last = now > d->last ? now : d->last;
	d->events++;
	return i;
}

/*
 * How well does a request in flight fit?  0: it is another.  Requests without
 * sectors (flushes) may all have the same first sector.
 */
static unsigned
fit(const struct cp_request *r, const struct cp_request *like)
{
	if (r->state != like->state ||
	    memcmp(r->begun.key, like->begun.key, sizeof(r->begun.key)) != 0 ||
	    (r->sectors == 0) != (like->sectors == 0) ||
	    (r->operation != like->operation && r->operation != 0 &&
		like->operation != 0))
		return 0;
	return r->sectors == like->sectors  ? 3
	       : r->sectors > like->sectors ? 2
					    : 1;
}

/*
 * Finds the request that has this device, sector and operation; of several the
 * one of this size, and of these the oldest.  NULL: none has.
 */
static uint32_t *
find(const struct cp_blockio *b, struct cp_request like,
    enum cp_request_state state)
{
	uint32_t *best = NULL, *at;
	unsigned most = 1, looked = 0;
	uint64_t oldest = 0;

	like.state = state;
	at = cp_begun_head(&b->requests, like.begun.key);
	while (*at != 0 && looked++ < CP_BEGUN_LOOKED) {
		struct cp_request *r = request_at(b, *at);
		unsigned fits = fit(r, &like);

		if (fits > most ||
		    (fits == most && (best == NULL || r->time < oldest))) {
			most = fits;
			oldest = r->time;
			best = at;
		}
		at = &r->begun.next;
	}
	return best;
}

/* Keeps a request in flight, or a doubtful one; false: there are too many. */
static bool
keep(struct cp_blockio *b, struct cp_request r, enum cp_request_state state)
{
	if (b->live[state] == CP_MAX_IN_FLIGHT)
		return false;
	b->live[state]++;
	r.state = state;
	cp_begun_link(&b->requests, cp_begun_new(&b->requests, &r));
	return true;
}

/* Takes a request out of its chain; returns its number. */
static uint32_t
take(struct cp_blockio *b, uint32_t *at)
{
	uint32_t i = cp_begun_unlink(&b->requests, at);

	b->live[request_at(b, i)->state]--;
	return i;
}

/* Takes a request that goes on as another one. */
static struct cp_request
take_away(struct cp_blockio *b, uint32_t *at)
{
	uint32_t i = take(b, at);
	struct cp_request r = *request_at(b, i);

	request_at(b, i)->state = CP_REQUEST_NONE;
	cp_begun_free(&b->requests, i);
	return r;
}

/* Holds back a request that is no longer in flight. */
static void
hold(struct cp_blockio *b, uint32_t i, uint64_t now)
{
	struct cp_request *r = request_at(b, i);

	r->state = CP_REQUEST_HELD;
	cp_lost_waits_add(&b->waits, &(struct cp_lost_wait){ .start = r->time,
					 .end = now > r->time ? now : r->time,
					 .what = { REQUEST },
					 .row = i });
}

/*
 * Is a request the old one that was sent back, or merged since?  Two threads
 * may read the same sectors at once.  The kernel says what it sends back; where
 * that was not recorded, it is a kernel worker that issues again.
 */
static bool
is_again(const struct cp_blockio *b, const struct cp_request *r,
    const struct cp_request *old)
{
	if (r->sectors < old->sectors || old->sent_back)
		return r->sectors >= old->sectors;
	for (uint32_t i = 0; i < cp_run_evsel_count(b->run); i++)
		if (cp_probes_find(b->run, cp_blockio_probes, i) == REQUEUE)
			return false;
	return old->comm != r->comm &&
	       strncmp(cp_run_string(b->run, r->comm), "kworker/", 8) == 0;
}

/*
 * Goes on with the request that is issued again, if it is one.  Filters of
 * threads are asked about the one that issued it first.
 */
static void
replace(struct cp_blockio *b, const struct cp_sample *s, struct cp_request *r)
{
	uint32_t *at =
	    r->sectors != 0 ? find(b, *r, CP_REQUEST_IN_FLIGHT) : NULL;
	struct cp_request old;

	if (at == NULL || !is_again(b, r, request_at(b, *at)))
		return;
	old = take_away(b, at);
	r->kept =
	    old.task &&
	    (s->chosen || (!r->task && cp_run_keeps_event(b->run, s->evsel) &&
			      cp_run_keeps_cpu(b->run, s->cpu)));
	b->again += r->kept && cp_run_keeps_time(b->run, s->time);
	r->first = old.first;
	r->sequential = old.sequential;
	r->bytes += old.done;
	r->done = old.done;
	r->comm = old.comm;
	r->task = old.task;
}

static void
issue(struct cp_blockio *b, const struct cp_probe_at *p,
    const struct cp_sample *s, struct cp_request *r)
{
	uint64_t bytes = (uint64_t)r->sectors * 512;

	(void)cp_probe_u64(p, BYTES, s, &bytes);
	r->device_row = device_at(b, cp_request_device(r), s->time);
	r->event = b->device[r->device_row].events - 1;
	r->bytes = bytes;
	r->comm = cp_probe_text(&b->probes, p, COMM, s);
	if (r->comm == 0)
		r->comm = s->comm;
	r->task = cp_run_keeps_task(b->run, s->pid, s->tid, s->comm);
	r->kept = s->chosen;
	r->time = s->time;
	r->first = r->begun.key[1];
	if (r->sectors != 0) {
		uint64_t *next = &b->device[r->device_row].next;

		r->sequential = *next == r->first;
		*next = r->first + r->sectors;
	}
	replace(b, s, r);
	if (!keep(b, *r, CP_REQUEST_IN_FLIGHT))
		b->untracked += r->kept;
}

/* Is it a part of the request only?  Keeps the rest then. */
static bool
is_part(struct cp_blockio *b, uint32_t *at, const struct cp_request *c)
{
	struct cp_request r = *request_at(b, *at);

	if (c->sectors >= r.sectors || c->error)
		return false;
	(void)take_away(b, at);
	r.sectors -= c->sectors;
	r.begun.key[1] += c->sectors;
	r.done += (uint64_t)c->sectors * 512;
	(void)keep(b, r, r.state);
	return true;
}

static void
complete(struct cp_blockio *b, const struct cp_probe_at *p,
    const struct cp_sample *s, struct cp_request *c)
{
	uint32_t *at = find(b, *c, CP_REQUEST_IN_FLIGHT), i;
	struct cp_request *r;
	uint64_t error = 0;

	(void)device_at(b, cp_request_device(c), s->time);
	(void)cp_probe_u64(p, ERROR, s, &error);
	c->error = error != 0;
	if (at == NULL) {
		/* One that a loss has made unknown? */
		at = find(b, *c, CP_REQUEST_DOUBTFUL);
		b->unstarted += at == NULL && s->kept;
		if (at != NULL && !is_part(b, at, c))
			(void)take_away(b, at);
		return;
	}
	if (is_part(b, at, c))
		return;
	i = take(b, at);
	r = request_at(b, i);
	r->completed = r->kept;
	r->error = c->error;
	hold(b, i, s->time);
}

int
cp_blockio_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cp_blockio *b = state;
	const struct cp_probe_at *p = cp_probes_of(&b->probes, s);
	uint64_t device, sectors = 0, sector;
	struct cp_request r = { 0 };
	uint32_t *at;

	cp_lost_waits_sample(&b->waits, s);
	if (p != NULL && cp_probe_repeats(&b->probes, p, s))
		return CP_OK;
	b->untimed += p != NULL && s->time == CP_NO_TIME && s->kept;
	if (p == NULL || s->time == CP_NO_TIME ||
	    !cp_probe_u64(p, DEVICE, s, &device) ||
	    !cp_probe_u64(p, SECTOR, s, &sector))
		return CP_OK;
	(void)cp_probe_u64(p, SECTORS, s, &sectors);
	r.sectors = (uint32_t)sectors;
	r.begun.key[0] = (uint32_t)device;
	/* A flush completes with another one. */
	r.begun.key[1] = r.sectors != 0 ? sector : 0;
	r.operation = cp_probe_text(&b->probes, p, OPERATION, s);
	if (p->probe == ISSUE)
		issue(b, p, s, &r);
	else if (p->probe == COMPLETE)
		complete(b, p, s, &r);
	else if ((at = find(b, r, CP_REQUEST_IN_FLIGHT)) != NULL)
		/* No room in the device: it will be issued again. */
		request_at(b, *at)->sent_back = true;
	return CP_OK;
}

static void
forget_doubtful(struct cp_blockio *b)
{
	uint32_t *at;

	for (uint32_t h = 0; (at = cp_begun_from(&b->requests, &h)) != NULL;
	     h++)
		while (*at != 0)
			if (request_at(b, *at)->state == CP_REQUEST_DOUBTFUL)
				(void)take_away(b, at);
			else
				at = &request_at(b, *at)->begun.next;
}

/*
 * Gives up the requests in flight: their completion was not recorded, or may
 * still come.  Returns the number of requests not filtered.
 */
static uint64_t
give_up_all(struct cp_blockio *b)
{
	uint32_t all = b->requests.n;
	uint64_t n = 0;

	if (b->live[CP_REQUEST_DOUBTFUL] >= CP_MAX_IN_FLIGHT)
		forget_doubtful(b);
	for (uint32_t i = 1; i <= all; i++) {
		struct cp_request r = *request_at(b, i);

		if (r.state != CP_REQUEST_IN_FLIGHT)
			continue;
		request_at(b, i)->state = CP_REQUEST_DOUBTFUL;
		b->live[CP_REQUEST_IN_FLIGHT]--;
		b->live[CP_REQUEST_DOUBTFUL]++;
		n += r.kept && cp_run_keeps_some(b->run, r.time, UINT64_MAX);
		hold(b, cp_begun_new(&b->requests, &r),
		    b->device[r.device_row].last);
	}
	return n;
}

int
cp_blockio_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct cp_blockio *b = state;

	cp_lost_waits_event(&b->waits, e);
	if (e->kind == CP_SIDE_LOST && e->time != 0 && e->time != CP_NO_TIME)
		b->unknown += give_up_all(b);
	return CP_OK;
}

void
cp_blockio_finish(struct cp_blockio *b)
{
	for (uint32_t i = 0; i < b->devices.n; i++)
		hold_time(b, i, b->device[i].last);
	b->unended = give_up_all(b);
	cp_lost_waits_finish(&b->waits);
}
