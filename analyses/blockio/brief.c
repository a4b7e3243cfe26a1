/* SPDX-License-Identifier: MIT */
#include "analyses/blockio/brief.h"

#include <inttypes.h>

#include "analyses/blockio/blockio.h"
#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"

#define MINOR_BITS 20

static bool
recorded(const struct cp_run *run)
{
	return cp_brief_recorded(run, cp_blockio_probes);
}

static void *
begin(struct cp_run *run)
{
	struct cp_blockio *b = cp_run_alloc(run, sizeof(*b));

	cp_blockio_init(b, run);
	return b;
}

static void
sample(void *state, const struct cp_sample *s)
{
	cp_blockio_sample(state, s);
}

static void
event(void *state, const struct cp_sideband *e)
{
	cp_blockio_sideband(state, e);
}

/* Returns the row of that kind with the most time; NULL: there is none. */
static const struct cp_blockio_requests *
heaviest(const struct cp_blockio *b, enum cp_blockio_by by, uint64_t *key)
{
	const struct cp_blockio_requests *most = NULL;

	for (uint32_t i = 0; i < b->rows.n; i++)
		if (b->rows.all[i].a == by &&
		    (most == NULL || b->row[i].took.sum > most->took.sum)) {
			most = &b->row[i];
			*key = b->rows.all[i].b;
		}
	return most;
}

static void
show_all(struct cp_blockio *b, struct cp_brief_lines *l)
{
	struct cp_quantiles took = { 0 };
	struct cp_word n, p50, p99, max;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < b->rows.n; i++)
		if (b->rows.all[i].a == CP_BLOCKIO_BY_DEVICE) {
			cp_quantiles_merge(b->run, &took, &b->row[i].took);
			bytes += b->row[i].bytes;
		}
	cp_word_count(&n, took.n);
	cp_word_time(&p99, cp_quantiles_at(&took, 0.99));
	cp_brief_line(l,
	    "%s request%s, %" PRIu64 " KiB: half took up to %s, 99 of 100 up "
	    "to %s, the longest %s",
	    n.text, cp_word_s(took.n), bytes / 1024,
	    cp_word_time(&p50, cp_quantiles_at(&took, 0.5)), p99.text,
	    cp_word_time(&max, took.max));
	if ((double)cp_quantiles_at(&took, 0.99) >=
	    cp_threshold(CP_T_BLOCK_LATENCY))
		cp_brief_found(l, "block devices",
		    "one request in 100 took %s or more, of %s: coldperf "
		    "blockio",
		    p99.text, n.text);
}

static void
show(void *state, struct cp_brief_lines *l)
{
	struct cp_blockio *b = state;
	const struct cp_blockio_requests *r;
	uint64_t key = 0;
	struct cp_word time, n;

	cp_blockio_finish(b);
	show_all(b, l);
	r = heaviest(b, CP_BLOCKIO_BY_DEVICE, &key);
	if (r != NULL)
		cp_brief_line(l,
		    "device %" PRIu64 ":%" PRIu64 " had most: %s in %s "
		    "request%s, %" PRIu64 " under way at once at most",
		    key >> MINOR_BITS, key & ((1u << MINOR_BITS) - 1),
		    cp_word_time(&time, r->took.sum),
		    cp_word_count(&n, r->took.n), cp_word_s(r->took.n),
		    b->device[cp_index_get(&b->devices, key, 0)]
			.times.max_depth);
	r = heaviest(b, CP_BLOCKIO_BY_COMM, &key);
	if (r != NULL)
		cp_brief_line(l, "%.64s issued most of it: %s in %s request%s",
		    cp_run_string(b->run, (cp_string_id)key),
		    cp_word_time(&time, r->took.sum),
		    cp_word_count(&n, r->took.n), cp_word_s(r->took.n));
}

const struct cp_brief_part cp_blockio_brief = {
	.command = "blockio",
	.what = "block requests",
	.record = CP_ADVICE_io,
	.recorded = recorded,
	.all = true,
	.begin = begin,
	.sample = sample,
	.event = event,
	.show = show,
};
