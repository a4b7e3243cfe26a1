/* SPDX-License-Identifier: MIT */
#include "analyses/blockio/count.h"

enum probe { ISSUE, COMPLETE };
enum field { DEVICE, SECTOR, SECTORS, OPERATION, BYTES, COMM };
enum { ERROR = BYTES };

const struct cp_probe cp_blockio_probes[] = {
	[ISSUE] = { "block:block_rq_issue",
	    { "dev", "sector", "nr_sector", "rwbs", "bytes", "comm" } },
	[COMPLETE] = { "block:block_rq_complete",
	    { "dev", "sector", "nr_sector", "rwbs", "error|errors" } },
	{ NULL, { NULL } },
};

void
cp_blockio_init(struct cp_blockio *b, struct cp_run *run)
{
	b->run = run;
	cp_probes_init(&b->probes, run, cp_blockio_probes);
	cp_inflight_init(&b->inflight, run);
	cp_index_init(&b->devices, run);
	cp_index_init(&b->rows, run);
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
	if (now > d->last) {
		d->depth_ns += d->depth * (now - d->last);
		if (d->depth != 0)
			d->busy_ns += now - d->last;
		if (d->depth == 1)
			d->alone_ns += now - d->last;
		d->last = now;
	}
	return d;
}

static struct cp_blockio_requests *
row_of(struct cp_blockio *b, enum cp_blockio_by by, uint64_t key)
{
	uint32_t i = cp_index_put(&b->rows, by, key);

	cp_grow_to(b->run, b->row, &b->row_cap, i);
	return &b->row[i];
}

/*
 * Takes back the time since a request was first issued: it is issued again, so
 * it was not in flight until now.  Subtracts its part of depth and busy time;
 * busy time only where the depth was 1, because other requests cover the rest.
 */
static void
send_back(
    struct cp_blockio_device *d, const struct cp_request *old, uint64_t now)
{
	uint64_t ns = now > old->time ? now - old->time : 0;
	uint64_t alone = d->alone_ns - old->alone;

	d->depth_ns -= ns < d->depth_ns ? ns : d->depth_ns;
	d->busy_ns -= alone < d->busy_ns ? alone : d->busy_ns;
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
	send_back(d, &old, r->time);
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
	if (d->depth > d->max_depth)
		d->max_depth = d->depth;
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

static void
done(struct cp_blockio *b, const struct cp_request *r, uint64_t now, bool error)
{
	uint64_t ns = now > r->time ? now - r->time : 0;

	if (!r->kept)
		return;
	count(b, CP_BLOCKIO_BY_DEVICE, r->device, r, ns, error);
	count(b, CP_BLOCKIO_BY_OPERATION,
	    (uint64_t)r->device << 32 | r->operation, r, ns, error);
	count(b, CP_BLOCKIO_BY_COMM, r->comm, r, ns, error);
	rank(b, r, ns);
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

void
cp_blockio_lost(struct cp_blockio *b)
{
	b->unknown += b->inflight.live;
	if (b->inflight.live != 0)
		cp_inflight_clear(&b->inflight);
	b->epoch++;
}
