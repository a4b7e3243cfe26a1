/* SPDX-License-Identifier: MIT */
#include "analyses/blockio/count.h"

enum probe { ISSUE, COMPLETE };
enum field { DEVICE, SECTOR, SECTORS, OPERATION, BYTES, COMM };
enum { ERROR = BYTES };
/* What is held back until no loss can change it. */
enum { REQUEST, DEPTH, SENT_BACK };

const struct cp_probe cp_blockio_probes[] = {
	[ISSUE] = { "block:block_rq_issue",
	    { "dev", "sector", "nr_sector", "rwbs", "bytes", "comm" } },
	[COMPLETE] = { "block:block_rq_complete",
	    { "dev", "sector", "nr_sector", "rwbs", "error|errors" } },
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

/* Adds a time in which the depth of a device did not change. */
static void
count_depth(struct cp_blockio_device *d, uint64_t depth, uint64_t ns)
{
	d->depth_ns += depth * ns;
	if (depth != 0)
		d->busy_ns += ns;
	if (depth > d->max_depth)
		d->max_depth = depth;
}

/*
 * Takes back the time since a request was first issued: it was issued again, so
 * it was not in flight until then.  Subtracts its part of depth and busy time;
 * busy time only where the depth was 1, because other requests cover the rest.
 */
static void
take_back(struct cp_blockio_device *d, uint64_t alone, uint64_t ns)
{
	d->depth_ns -= ns < d->depth_ns ? ns : d->depth_ns;
	d->busy_ns -= alone < d->busy_ns ? alone : d->busy_ns;
}

static void
told_request(struct cp_blockio *b, uint32_t i, uint64_t ns, bool known)
{
	if (known)
		count_request(b, &b->held[i], ns);
	else
		b->unknown++;
	b->held[i].next = b->unused;
	b->unused = i + 1;
}

static void
told(void *ctx, const struct cp_lost_wait *w, bool known)
{
	struct cp_blockio *b = ctx;
	uint64_t ns = w->end - w->start;

	if (w->what[0] == REQUEST)
		told_request(b, w->row, ns, known);
	else if (known && w->what[0] == DEPTH)
		count_depth(&b->device[w->row], w->what[1], ns);
	else if (known)
		take_back(&b->device[w->row], w->what[1], ns);
	else if (w->what[0] == DEPTH)
		b->device[w->row].unknown_ns += ns;
}

void
cp_blockio_init(struct cp_blockio *b, struct cp_run *run)
{
	b->run = run;
	cp_probes_init(&b->probes, run, cp_blockio_probes);
	cp_inflight_init(&b->inflight, run);
	cp_lost_waits_init(&b->waits, run, told, b);
	cp_index_init(&b->devices, run);
	cp_index_init(&b->rows, run);
}

/* Ends the time in which the device's depth did not change. */
static void
hold_depth(struct cp_blockio *b, uint32_t device, uint64_t now)
{
	struct cp_blockio_device *d = &b->device[device];

	cp_lost_waits_add(&b->waits, &(struct cp_lost_wait){ .start = d->last,
					 .end = now,
					 .what = { DEPTH, d->depth },
					 .row = device });
	if (d->depth == 1)
		d->alone_ns += now - d->last;
	d->last = now;
}

/* Returns the device after adding its depth over the time until now. */
static struct cp_blockio_device *
device_at(struct cp_blockio *b, uint32_t dev, uint64_t now)
{
	uint32_t i = cp_index_put(&b->devices, dev, 0);
	struct cp_blockio_device *d;

	cp_grow_to(b->run, b->device, &b->device_cap, i);
	d = &b->device[i];
	if (!d->seen)
		*d = (struct cp_blockio_device){
			.seen = true, .first = now, .last = now
		};
	if (d->epoch != b->epoch)
		d->depth = 0;
	d->epoch = b->epoch;
	if (now >= d->last)
		hold_depth(b, i, now);
	return d;
}

/* Holds the time of a request until it was issued again. */
static void
send_back(struct cp_blockio *b, struct cp_blockio_device *d,
    const struct cp_request *old, uint64_t now)
{
	cp_lost_waits_add(
	    &b->waits, &(struct cp_lost_wait){ .start = old->time,
			   .end = now > old->time ? now : old->time,
			   .what = { SENT_BACK, d->alone_ns - old->alone },
			   .row = (uint32_t)(d - b->device) });
}

/*
 * There cannot be two requests for a sector.  The first one was sent back, or
 * its completion was not recorded.
 */
static void
replace(struct cp_blockio *b, struct cp_blockio_device *d, struct cp_request *r)
{
	struct cp_request old;

	if (r->sectors == 0 ||
	    !cp_inflight_take(&b->inflight, r->device, r->sector, false, &old))
		return;
	d->depth -= d->depth != 0;
	if (old.operation != r->operation || old.sectors != r->sectors ||
	    old.bytes != r->bytes) {
		b->unfinished += old.kept;
		return;
	}
	b->again += r->kept;
	send_back(b, d, &old, r->time);
	r->comm = old.comm;
	r->pid = old.pid;
}

static void
issue(struct cp_blockio *b, const struct cp_probe_at *p,
    const struct cp_sample *s, struct cp_request *r)
{
	struct cp_blockio_device *d = device_at(b, r->device, s->time);
	uint64_t bytes = (uint64_t)r->sectors * 512;

	(void)cp_probe_u64(p, BYTES, s, &bytes);
	r->bytes = bytes;
	r->comm = cp_probe_text(&b->probes, p, COMM, s);
	if (r->comm == 0)
		r->comm = s->comm;
	r->pid = s->tid;
	r->kept = s->kept;
	r->time = s->time;
	replace(b, d, r);
	r->alone = d->alone_ns;
	r->first = r->sector;
	if (!cp_inflight_add(&b->inflight, r)) {
		b->untracked++;
		return;
	}
	d->depth++;
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

static void
done(struct cp_blockio *b, const struct cp_request *r, uint64_t now, bool error)
{
	uint32_t i;

	if (!r->kept)
		return;
	i = slot_for(b);
	b->held[i] = (struct cp_blockio_held){ .request = *r, .error = error };
	cp_lost_waits_add(&b->waits, &(struct cp_lost_wait){ .start = r->time,
					 .end = now > r->time ? now : r->time,
					 .what = { REQUEST },
					 .row = i });
}

static void
complete(struct cp_blockio *b, const struct cp_probe_at *p,
    const struct cp_sample *s, const struct cp_request *c)
{
	struct cp_blockio_device *d = device_at(b, c->device, s->time);
	struct cp_request r;
	uint64_t error = 0;

	if (!cp_inflight_take(
		&b->inflight, c->device, c->sector, c->sectors == 0, &r)) {
		b->unstarted += s->kept;
		return;
	}
	(void)cp_probe_u64(p, ERROR, s, &error);
	if (c->sectors < r.sectors && error == 0) {
		r.sectors -= c->sectors;
		r.sector += c->sectors;
		(void)cp_inflight_add(&b->inflight, &r);
		return;
	}
	if (d->depth != 0)
		d->depth--;
	done(b, &r, s->time, error != 0);
}

void
cp_blockio_sample(struct cp_blockio *b, const struct cp_sample *s)
{
	const struct cp_probe_at *p = cp_probes_of(&b->probes, s);
	uint64_t device, sectors = 0;
	struct cp_request r = { 0 };

	cp_lost_waits_sample(&b->waits, s);
	if (p == NULL || s->time == CP_NO_TIME ||
	    !cp_probe_u64(p, DEVICE, s, &device) ||
	    !cp_probe_u64(p, SECTOR, s, &r.sector))
		return;
	(void)cp_probe_u64(p, SECTORS, s, &sectors);
	r.device = (uint32_t)device;
	r.sectors = (uint32_t)sectors;
	r.operation = cp_probe_text(&b->probes, p, OPERATION, s);
	if (p->probe == ISSUE)
		issue(b, p, s, &r);
	else
		complete(b, p, s, &r);
}

/* Forgets what is in flight: its completion may be lost. */
static void
lose(struct cp_blockio *b)
{
	b->unknown += b->inflight.live;
	if (b->inflight.live != 0)
		cp_inflight_clear(&b->inflight);
	b->epoch++;
}

void
cp_blockio_sideband(struct cp_blockio *b, const struct cp_sideband *e)
{
	cp_lost_waits_event(&b->waits, e);
	if (e->kind == CP_SIDE_LOST && e->time != 0 && e->time != CP_NO_TIME)
		lose(b);
}

void
cp_blockio_finish(struct cp_blockio *b)
{
	for (uint32_t i = 0; i < b->devices.n; i++)
		hold_depth(b, i, b->device[i].last);
	cp_lost_waits_finish(&b->waits);
}
