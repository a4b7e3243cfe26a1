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

static struct cp_blockio_requests *
row_of(struct cp_blockio *b, enum cp_blockio_by by, uint64_t key)
{
	uint32_t i = cp_index_put(&b->rows, by, key);

	cp_grow_to(b->run, b->row, &b->row_cap, i);
	return &b->row[i];
}

/* Puts a request among the slowest if it is one of them; the list is short. */
static void
rank(struct cp_blockio *b, const struct cp_request *r, uint64_t ns)
{
	uint32_t i;

	if (b->n_slow == CP_BLOCKIO_SLOWEST &&
	    ns <= b->slow[CP_BLOCKIO_SLOWEST - 1].ns)
		return;
	if (b->n_slow < CP_BLOCKIO_SLOWEST)
		b->n_slow++;
	for (i = b->n_slow - 1; i > 0 && b->slow[i - 1].ns < ns; i--)
		b->slow[i] = b->slow[i - 1];
	b->slow[i] = (struct cp_blockio_slow){ *r, ns };
}

static void
count(struct cp_blockio *b, enum cp_blockio_by by, uint64_t key,
    const struct cp_request *r, uint64_t ns, bool error)
{
	struct cp_blockio_requests *row = row_of(b, by, key);

	row->n++;
	row->bytes += r->bytes;
	row->errors += error;
	cp_quantiles_add(b->run, &row->took, ns, r->time);
}

/* Counts a request that completed. */
static void
count_request(
    struct cp_blockio *b, const struct cp_blockio_held *h, uint64_t ns)
{
	const struct cp_request *r = &h->request;

	count(b, CP_BLOCKIO_BY_DEVICE, r->device, r, ns, h->error);
	count(b, CP_BLOCKIO_BY_OPERATION,
	    (uint64_t)r->device << 32 | r->operation, r, ns, h->error);
	count(b, CP_BLOCKIO_BY_COMM, r->comm, r, ns, h->error);
	rank(b, r, ns);
}

static uint64_t
older(const struct cp_request *r, uint32_t device, uint64_t event)
{
	bool is = r->used && r->device_row == device && r->event < event;

	return is ? r->event : event;
}

/* Returns the start event of the oldest request that is not counted yet. */
static uint64_t
oldest_of(const struct cp_blockio *b, uint32_t device)
{
	uint64_t event = b->device[device].events;

	for (uint32_t i = 0; i < b->inflight.n; i++)
		event = older(&b->inflight.all[i], device, event);
	for (uint32_t i = 0; i < b->n_held; i++)
		event = older(&b->held[i].request, device, event);
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
	struct cp_blockio_held *h = &b->held[w->row];
	const struct cp_request *r = &h->request;

	cp_device_times_request(
	    &b->device[r->device_row].times, r->event, w->ns);
	b->waits.cut += h->completed && w->inside && w->cut;
	if (h->completed && w->inside && known)
		count_request(b, h, w->ns);
	else if (h->completed && w->inside)
		b->unknown++;
	h->request.used = false;
	h->next = b->unused;
	b->unused = w->row + 1;
}

static void
told(void *ctx, const struct cp_lost_wait *w, bool known)
{
	if (w->what[0] == REQUEST)
		told_request(ctx, w, known);
	else
		told_time(ctx, w, known);
}

void
cp_blockio_init(struct cp_blockio *b, struct cp_run *run)
{
	b->run = run;
	cp_probes_init(&b->probes, run, cp_blockio_probes);
	cp_inflight_init(&b->inflight, run);
	cp_inflight_init(&b->doubtful, run);
	cp_lost_waits_init(&b->waits, run, told, b);
	b->waits.outside = true; /* slots are given back */
	cp_index_init(&b->devices, run);
	cp_index_init(&b->rows, run);
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

static uint32_t
slot_for(struct cp_blockio *b)
{
	uint32_t i;

	if (b->unused == 0) {
		i = b->n_held++;
		cp_grow_to(b->run, b->held, &b->held_cap, i);
		return i;
	}
	i = b->unused - 1;
	b->unused = b->held[i].next;
	return i;
}

/* Holds back a request that is no longer in flight. */
static void
hold(struct cp_blockio *b, const struct cp_blockio_held *h, uint64_t now)
{
	uint64_t start = h->request.time;
	uint32_t i = slot_for(b);

	b->held[i] = *h;
	cp_lost_waits_add(&b->waits, &(struct cp_lost_wait){ .start = start,
					 .end = now > start ? now : start,
					 .what = { REQUEST },
					 .row = i });
}

/* Holds back a request whose completion was not recorded. */
static void
give_up(struct cp_blockio *b, const struct cp_request *r)
{
	hold(b, &(struct cp_blockio_held){ .request = *r },
	    b->device[r->device_row].last);
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
	bool worker =
	    strncmp(cp_run_string(b->run, r->comm), "kworker/", 8) == 0;

	return r->sectors >= old->sectors &&
	       (old->sent_back || (worker && old->comm != r->comm));
}

/*
 * Goes on with the request that is issued again, if it is one.  Filters of
 * threads are asked about the one that issued it first.
 */
static void
replace(struct cp_blockio *b, const struct cp_sample *s, struct cp_request *r)
{
	struct cp_request old;

	if (r->sectors == 0 || !cp_inflight_take(&b->inflight, r, &old))
		return;
	if (!is_again(b, r, &old)) {
		(void)cp_inflight_add(&b->inflight, &old);
		return;
	}
	r->kept =
	    old.task &&
	    (s->chosen || (!r->task && cp_run_keeps_event(b->run, s->evsel) &&
			      cp_run_keeps_cpu(b->run, s->cpu)));
	b->again += r->kept;
	r->first = old.first;
	r->bytes += old.done;
	r->done = old.done;
	r->comm = old.comm;
	r->task = old.task;
}

/* The device had no room: the request will be issued again. */
static void
send_back(struct cp_blockio *b, const struct cp_request *c)
{
	struct cp_request r;

	if (!cp_inflight_take(&b->inflight, c, &r))
		return;
	r.sent_back = true;
	(void)cp_inflight_add(&b->inflight, &r);
}

static void
issue(struct cp_blockio *b, const struct cp_probe_at *p,
    const struct cp_sample *s, struct cp_request *r)
{
	uint64_t bytes = (uint64_t)r->sectors * 512;

	(void)cp_probe_u64(p, BYTES, s, &bytes);
	r->device_row = device_at(b, r->device, s->time);
	r->event = b->device[r->device_row].events - 1;
	r->bytes = bytes;
	r->comm = cp_probe_text(&b->probes, p, COMM, s);
	if (r->comm == 0)
		r->comm = s->comm;
	r->task = cp_run_keeps_task(b->run, s->pid, s->tid, s->comm);
	r->kept = s->chosen;
	r->time = s->time;
	r->first = r->sector;
	r->used = true;
	replace(b, s, r);
	if (!cp_inflight_add(&b->inflight, r))
		b->untracked += r->kept;
}

/* Is it a part of the request only?  Keeps the rest in flight then. */
static bool
is_part(struct cp_inflight *f, const struct cp_request *c, uint64_t error,
    struct cp_request *r)
{
	if (c->sectors >= r->sectors || error != 0)
		return false;
	r->sectors -= c->sectors;
	r->sector += c->sectors;
	r->done += (uint64_t)c->sectors * 512;
	(void)cp_inflight_add(f, r);
	return true;
}

/* Takes the completion of a request that a loss has made unknown. */
static bool
is_doubtful(struct cp_blockio *b, const struct cp_request *c, uint64_t error)
{
	struct cp_request r;

	if (!cp_inflight_take(&b->doubtful, c, &r))
		return false;
	(void)is_part(&b->doubtful, c, error, &r);
	return true;
}

static void
complete(struct cp_blockio *b, const struct cp_probe_at *p,
    const struct cp_sample *s, const struct cp_request *c)
{
	struct cp_request r;
	uint64_t error = 0;

	(void)device_at(b, c->device, s->time);
	(void)cp_probe_u64(p, ERROR, s, &error);
	if (!cp_inflight_take(&b->inflight, c, &r)) {
		b->unstarted += !is_doubtful(b, c, error) && s->kept;
		return;
	}
	if (is_part(&b->inflight, c, error, &r))
		return;
	hold(b,
	    &(struct cp_blockio_held){
		.request = r, .completed = r.kept, .error = error != 0 },
	    s->time);
}

void
cp_blockio_sample(struct cp_blockio *b, const struct cp_sample *s)
{
	const struct cp_probe_at *p = cp_probes_of(&b->probes, s);
	uint64_t device, sectors = 0;
	struct cp_request r = { 0 };

	cp_lost_waits_sample(&b->waits, s);
	if (p != NULL && cp_probe_repeats(&b->probes, p, s))
		return;
	b->untimed += p != NULL && s->time == CP_NO_TIME && s->kept;
	if (p == NULL || s->time == CP_NO_TIME ||
	    !cp_probe_u64(p, DEVICE, s, &device) ||
	    !cp_probe_u64(p, SECTOR, s, &r.sector))
		return;
	(void)cp_probe_u64(p, SECTORS, s, &sectors);
	r.device = (uint32_t)device;
	r.sectors = (uint32_t)sectors;
	if (r.sectors == 0)
		r.sector = 0; /* a flush completes with another one */
	r.operation = cp_probe_text(&b->probes, p, OPERATION, s);
	if (p->probe == ISSUE)
		issue(b, p, s, &r);
	else if (p->probe == REQUEUE)
		send_back(b, &r);
	else
		complete(b, p, s, &r);
}

/*
 * Gives up the requests in flight; returns the number of requests not filtered.
 */
static uint64_t
give_up_all(struct cp_blockio *b)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < b->inflight.n; i++)
		if (b->inflight.all[i].used) {
			give_up(b, &b->inflight.all[i]);
			(void)cp_inflight_add(
			    &b->doubtful, &b->inflight.all[i]);
			n += b->inflight.all[i].kept &&
			     cp_run_keeps_some(
				 b->run, b->inflight.all[i].time, UINT64_MAX);
		}
	if (b->inflight.live != 0)
		cp_inflight_clear(&b->inflight);
	return n;
}

void
cp_blockio_sideband(struct cp_blockio *b, const struct cp_sideband *e)
{
	cp_lost_waits_event(&b->waits, e);
	if (e->kind == CP_SIDE_LOST && e->time != 0 && e->time != CP_NO_TIME)
		b->unknown += give_up_all(b);
}

void
cp_blockio_finish(struct cp_blockio *b)
{
	for (uint32_t i = 0; i < b->devices.n; i++)
		hold_time(b, i, b->device[i].last);
	b->unended = give_up_all(b);
	cp_lost_waits_finish(&b->waits);
}
