/* SPDX-License-Identifier: MIT */
/*
 * blockio: how long requests to block devices took, and how many were under
 * way at the same time.
 *
 * From block:block_rq_issue and block_rq_complete: the time is that of the
 * device and its driver, without the time in the scheduler's queue.  A request
 * that completes in parts ends with the last one.  One that the device had no
 * room for is issued again, by a worker of the kernel: its time is from then
 * on, and it stays the command's that issued it first.  Where records were
 * lost, what is under way then has no time, and the queue depth starts anew.
 * Names of devices are not in a capture: they are major:minor.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/dense-ids.h"
#include "analyses/waits/requests-in-flight.h"
#include "analyses/common/percentiles.h"
#include "analyses/common/record-hint.h"
#include "analyses/common/label.h"

#define SLOWEST 10u
#define MINOR_BITS 20

enum probe { ISSUE, COMPLETE };
enum field { DEVICE, SECTOR, SECTORS, OPERATION, BYTES, COMM };
enum { ERROR = BYTES };

static const struct cp_probe probes[] = {
	[ISSUE] = { "block:block_rq_issue",
	    { "dev", "sector", "nr_sector", "rwbs", "bytes", "comm" } },
	[COMPLETE] = { "block:block_rq_complete",
	    { "dev", "sector", "nr_sector", "rwbs", "error|errors" } },
	{ NULL, { NULL } },
};

static const struct cp_recipe_pair pairs[] = {
	{ { "block:block_rq_issue", "block:block_rq_complete" } },
	{ { NULL, NULL } },
};

/* Requests of one device, operation or command. */
struct requests {
	uint64_t n, bytes, errors;
	struct cp_quantiles took;
};

struct device {
	uint64_t depth, max_depth;
	uint64_t first, last; /* events */
	uint64_t depth_ns;    /* depth, summed over time */
	uint64_t busy_ns;     /* with a depth that is not 0 */
	bool seen;
	uint32_t epoch;
};

struct slow {
	struct cp_request request;
	uint64_t ns;
};

struct blockio {
	struct cp_run *run;
	struct cp_probes probes;
	struct cp_inflight inflight;
	struct cp_index devices; /* (dev, 0) */
	struct device *device;
	uint32_t device_cap;
	struct cp_index rows; /* (enum by, key) */
	struct requests *row;
	uint32_t row_cap;
	struct slow slow[SLOWEST]; /* slowest first */
	uint32_t n_slow;
	uint32_t epoch; /* counts losses of records */
	uint64_t unstarted, unfinished, again;
	uint64_t unknown, untracked;
};

enum by { BY_DEVICE, BY_OPERATION, BY_COMM };

static int
blockio_begin(struct cp_run *run, void *state)
{
	struct blockio *b = state;

	b->run = run;
	cp_probes_init(&b->probes, run, probes);
	cp_inflight_init(&b->inflight, run);
	cp_index_init(&b->devices, run);
	cp_index_init(&b->rows, run);
	return CP_OK;
}

/* The device, its depth summed up to now. */
static struct device *
device_at(struct blockio *b, uint32_t dev, uint64_t now)
{
	uint32_t i = cp_index_put(&b->devices, dev, 0);
	struct device *d;

	cp_grow_to(b->run, b->device, &b->device_cap, i);
	d = &b->device[i];
	if (!d->seen)
		*d = (struct device){ .seen = true, .first = now, .last = now };
	if (d->epoch != b->epoch)
		d->depth = 0;
	d->epoch = b->epoch;
	if (now > d->last) {
		d->depth_ns += d->depth * (now - d->last);
		if (d->depth != 0)
			d->busy_ns += now - d->last;
		d->last = now;
	}
	return d;
}

static struct requests *
row_of(struct blockio *b, enum by by, uint64_t key)
{
	uint32_t i = cp_index_put(&b->rows, by, key);

	cp_grow_to(b->run, b->row, &b->row_cap, i);
	return &b->row[i];
}

/*
 * There is no second request for a sector: the first was sent back, or has
 * ended unseen.
 */
static void
replace(struct blockio *b, struct device *d, struct cp_request *r)
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
	r->comm = old.comm;
	r->pid = old.pid;
}

static void
issue(struct blockio *b, const struct cp_probe_at *p, const struct cp_sample *s,
    struct cp_request *r)
{
	struct device *d = device_at(b, r->device, s->time);
	uint64_t bytes = (uint64_t)r->sectors * 512;

	(void)cp_probe_u64(p, BYTES, s, &bytes);
	r->bytes = bytes;
	r->comm = cp_probe_text(&b->probes, p, COMM, s);
	if (r->comm == 0)
		r->comm = s->comm;
	r->pid = s->tid;
	r->kept = s->kept;
	replace(b, d, r);
	r->time = s->time;
	r->first = r->sector;
	if (!cp_inflight_add(&b->inflight, r)) {
		b->untracked++;
		return;
	}
	d->depth++;
	if (d->depth > d->max_depth)
		d->max_depth = d->depth;
}

/* Among the slowest, or not: they are few. */
static void
rank(struct blockio *b, const struct cp_request *r, uint64_t ns)
{
	uint32_t i;

	if (b->n_slow == SLOWEST && ns <= b->slow[SLOWEST - 1].ns)
		return;
	if (b->n_slow < SLOWEST)
		b->n_slow++;
	for (i = b->n_slow - 1; i > 0 && b->slow[i - 1].ns < ns; i--)
		b->slow[i] = b->slow[i - 1];
	b->slow[i] = (struct slow){ *r, ns };
}

static void
count(struct blockio *b, enum by by, uint64_t key, const struct cp_request *r,
    uint64_t ns, bool error)
{
	struct requests *row = row_of(b, by, key);

	row->n++;
	row->bytes += r->bytes;
	row->errors += error;
	cp_quantiles_add(b->run, &row->took, ns, r->time);
}

static void
done(struct blockio *b, const struct cp_request *r, uint64_t now, bool error)
{
	uint64_t ns = now > r->time ? now - r->time : 0;

	if (!r->kept)
		return;
	count(b, BY_DEVICE, r->device, r, ns, error);
	count(b, BY_OPERATION, (uint64_t)r->device << 32 | r->operation, r, ns,
	    error);
	count(b, BY_COMM, r->comm, r, ns, error);
	rank(b, r, ns);
}

static void
complete(struct blockio *b, const struct cp_probe_at *p,
    const struct cp_sample *s, const struct cp_request *c)
{
	struct device *d = device_at(b, c->device, s->time);
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

static int
blockio_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct blockio *b = state;
	const struct cp_probe_at *p = cp_probes_of(&b->probes, s);
	uint64_t device, sectors = 0;
	struct cp_request r = { 0 };

	if (p == NULL || s->time == CP_NO_TIME ||
	    !cp_probe_u64(p, DEVICE, s, &device) ||
	    !cp_probe_u64(p, SECTOR, s, &r.sector))
		return CP_OK;
	(void)cp_probe_u64(p, SECTORS, s, &sectors);
	r.device = (uint32_t)device;
	r.sectors = (uint32_t)sectors;
	r.operation = cp_probe_text(&b->probes, p, OPERATION, s);
	if (p->probe == ISSUE)
		issue(b, p, s, &r);
	else
		complete(b, p, s, &r);
	return CP_OK;
}

static int
blockio_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct blockio *b = state;

	if (e->kind != CP_SIDE_LOST)
		return CP_OK;
	b->unknown += b->inflight.live;
	if (b->inflight.live != 0)
		cp_inflight_clear(&b->inflight);
	b->epoch++;
	return CP_OK;
}

/* ------------------------------------------------------------------ finish */

static const char *
device_text(struct cp_word *w, uint32_t device)
{
	snprintf(w->text, sizeof(w->text), "%" PRIu32 ":%" PRIu32,
	    device >> MINOR_BITS, device & ((1u << MINOR_BITS) - 1));
	return w->text;
}

struct letter {
	char letter;
	const char *word;
};

static const char *
word_of(const struct letter *l, char letter)
{
	for (; l->letter != '\0'; l++)
		if (l->letter == letter)
			return l->word;
	return NULL;
}

/* The kernel's letters in words: "FWS" is "write sync after flush". */
static const char *
operation_text(struct blockio *b, cp_string_id rwbs)
{
	static const struct letter verbs[] = { { 'R', "read" },
		{ 'W', "write" }, { 'D', "discard" }, { 'F', "flush" },
		{ 'N', "other" }, { 'Z', "zone" }, { 0, NULL } };
	static const struct letter flags[] = { { 'A', " ahead" },
		{ 'S', " sync" }, { 'M', " meta" }, { 'F', " fua" },
		{ 'E', " secure" }, { 'U', " atomic" }, { 0, NULL } };
	const char *at = cp_run_string(b->run, rwbs), *word;
	bool flush = at[0] == 'F' && word_of(verbs, at[1]) != NULL;
	char text[128];
	size_t n;

	at += flush;
	word = word_of(verbs, *at);
	if (word == NULL)
		return cp_run_string(b->run, rwbs);
	n = (size_t)snprintf(text, sizeof(text), "%s", word);
	for (at++; *at != '\0' && n < 64; at++) {
		word = word_of(flags, *at);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s",
		    word != NULL ? word : " ?");
	}
	snprintf(text + n, sizeof(text) - n, "%s", flush ? " after flush" : "");
	return cp_run_string(b->run, cp_run_intern(b->run, text));
}

struct line {
	uint64_t key;
	struct requests *r;
};

static int
compare_lines(const void *va, const void *vb)
{
	const struct line *a = va, *b = vb;
	uint64_t x = a->r->took.sum, y = b->r->took.sum;

	if (x != y)
		return x < y ? 1 : -1;
	return (a->key > b->key) - (a->key < b->key);
}

/* The rows of one kind, those with most time first. */
static struct line *
lines_of(struct blockio *b, enum by by, uint32_t *n)
{
	struct line *lines = cp_run_alloc(b->run, b->rows.n * sizeof(*lines));

	*n = 0;
	for (uint32_t i = 0; i < b->rows.n; i++)
		if (b->rows.all[i].a == by)
			lines[(*n)++] =
			    (struct line){ b->rows.all[i].b, &b->row[i] };
	qsort(lines, *n, sizeof(*lines), compare_lines);
	return lines;
}

static void
requests_columns(struct cp_table *t)
{
	cp_table_column(t, "Requests", CP_COL_COUNT);
	cp_table_column(t, "Bytes", CP_COL_BYTES);
	cp_table_column(t, "Errors", CP_COL_COUNT);
	cp_quantiles_columns(t);
}

static void
requests_cells(struct cp_table *t, struct requests *r)
{
	cp_table_u64(t, r->n);
	cp_table_u64(t, r->bytes);
	cp_table_u64(t, r->errors);
	cp_quantiles_cells(t, &r->took);
}

static void
show_devices(struct blockio *b, struct cp_report *rep)
{
	struct cp_table *t =
	    cp_report_table(rep, "blockio", "Devices by time of requests");
	uint32_t n;
	struct line *lines = lines_of(b, BY_DEVICE, &n);
	struct cp_word word;

	cp_table_column(t, "Device", CP_COL_TEXT);
	requests_columns(t);
	cp_table_column(t, "Depth", CP_COL_RATE);
	cp_table_column(t, "Deepest", CP_COL_COUNT);
	cp_table_column(t, "Busy", CP_COL_SHARE);
	for (uint32_t i = 0; i < n; i++) {
		const struct device *d =
		    &b->device[cp_index_get(&b->devices, lines[i].key, 0)];
		double span = (double)(d->last - d->first);

		cp_table_row(t);
		cp_table_text(t, device_text(&word, (uint32_t)lines[i].key));
		requests_cells(t, lines[i].r);
		cp_table_value(
		    t, span > 0 ? (double)d->depth_ns / span : 0, 1, 0);
		cp_table_u64(t, d->max_depth);
		cp_table_value(t, cp_share((double)d->busy_ns, span), 1, 0);
	}
}

static void
show_operations(struct blockio *b, struct cp_report *rep)
{
	struct cp_table *t =
	    cp_report_table(rep, "blockio-operations", "Operations");
	uint32_t n;
	struct line *lines = lines_of(b, BY_OPERATION, &n);
	struct cp_word word;

	cp_table_column(t, "Device", CP_COL_TEXT);
	requests_columns(t);
	cp_table_column(t, "Operation", CP_COL_TEXT);
	for (uint32_t i = 0; i < n; i++) {
		cp_table_row(t);
		cp_table_text(
		    t, device_text(&word, (uint32_t)(lines[i].key >> 32)));
		requests_cells(t, lines[i].r);
		cp_table_text(t, operation_text(b, (cp_string_id)lines[i].key));
	}
}

static void
show_commands(struct blockio *b, struct cp_report *rep)
{
	struct cp_table *t = cp_report_table(
	    rep, "blockio-commands", "Commands that issued the requests");
	uint64_t top = cp_run_option_u64(b->run, "top"), rest = 0;
	uint32_t n;
	struct line *lines = lines_of(b, BY_COMM, &n);

	if (top == 0 || top > n)
		top = n;
	requests_columns(t);
	cp_table_column(t, "Command", CP_COL_TEXT);
	for (uint32_t i = 0; i < n; i++) {
		if (i >= top) {
			rest += lines[i].r->took.sum;
			continue;
		}
		cp_table_row(t);
		requests_cells(t, lines[i].r);
		cp_table_text(
		    t, cp_run_string(b->run, (cp_string_id)lines[i].key));
	}
	if (top < n)
		cp_table_rest(t, n - top, rest);
}

static void
show_slowest(struct blockio *b, struct cp_report *rep)
{
	struct cp_table *t =
	    cp_report_table(rep, "blockio-slowest", "Slowest requests");
	struct cp_word word;

	cp_table_column(t, "Issued", CP_COL_CLOCK);
	cp_table_column(t, "Time", CP_COL_TIME);
	cp_table_column(t, "Bytes", CP_COL_BYTES);
	cp_table_column(t, "Sector", CP_COL_COUNT);
	cp_table_column(t, "Device", CP_COL_TEXT);
	cp_table_column(t, "Operation", CP_COL_TEXT);
	cp_table_column(t, "Command", CP_COL_TEXT);
	for (uint32_t i = 0; i < b->n_slow; i++) {
		const struct cp_request *r = &b->slow[i].request;

		cp_table_row(t);
		cp_table_u64(t, r->time);
		cp_table_u64(t, b->slow[i].ns);
		cp_table_u64(t, r->bytes);
		cp_table_u64(t, r->first);
		cp_table_text(t, device_text(&word, r->device));
		cp_table_text(t, operation_text(b, r->operation));
		cp_table_text(t, cp_run_string(b->run, r->comm));
	}
}

static void
notes(struct blockio *b, struct cp_report *rep)
{
	struct cp_word n;

	if (b->inflight.live != 0)
		cp_report_note(rep,
		    "under way at the end of the capture, or their completion "
		    "was not recorded: %s; not counted, but part of the queue "
		    "depth",
		    cp_word_count(&n, b->inflight.live));
	if (b->again != 0)
		cp_report_note(rep,
		    "issued again, because the device had no room for them: "
		    "%s; their time is from the last time on",
		    cp_word_count(&n, b->again));
	if (b->unfinished != 0)
		cp_report_note(rep,
		    "issued, their completion not recorded: %s; not counted",
		    cp_word_count(&n, b->unfinished));
	if (b->unstarted != 0)
		cp_report_note(rep,
		    "completed, their issue not recorded: %s; not counted",
		    cp_word_count(&n, b->unstarted));
	if (b->unknown != 0)
		cp_report_note(rep,
		    "under way when records were lost: %s; not counted",
		    cp_word_count(&n, b->unknown));
	if (b->untracked != 0)
		cp_report_note(rep,
		    "beyond %u under way at once: %s; not counted",
		    CP_MAX_IN_FLIGHT, cp_word_count(&n, b->untracked));
}

static int
blockio_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct blockio *b = state;

	if (!cp_probes_have(run, probes)) {
		cp_recipe_note(rep, "requests to block devices",
		    "-e block:block_rq_issue,block:block_rq_complete");
		return CP_OK;
	}
	show_devices(b, rep);
	show_operations(b, rep);
	show_commands(b, rep);
	show_slowest(b, rep);
	notes(b, rep);
	cp_recipe_unpaired(run, pairs, rep);
	cp_recipe_sampled(run, probes, rep);
	return CP_OK;
}

static const struct cp_option blockio_options[] = {
	{ "top", "N", "20", "show N commands, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(blockio) = {
	.abi = CP_ABI,
	.name = "blockio",
	.summary = "requests to block devices: latency, queue depth",
	.wants = CP_WANT_SAMPLES | CP_WANT_RAW | CP_WANT_ALL,
	.options = blockio_options,
	.state_size = sizeof(struct blockio),
	.begin = blockio_begin,
	.sample = blockio_sample,
	.event = blockio_event,
	.finish = blockio_finish,
};
