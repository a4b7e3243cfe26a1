/* SPDX-License-Identifier: MIT */
/* tables: shows the tables of blockio. */
#include "analyses/blockio/blockio.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyses/common/label.h"

#define MINOR_BITS 20

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

/* Spells out the kernel's letters: "FWS" is "write sync after flush". */
static const char *
operation_text(struct cp_blockio *b, cp_string_id rwbs)
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
	struct cp_blockio_requests *r;
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

/* Collects the rows of one kind, most time first. */
static struct line *
lines_of(struct cp_blockio *b, enum cp_blockio_by by, uint32_t *n)
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

#define REQUESTS_COLUMNS                                                       \
	CP_COUNT("Requests"), CP_BYTES("Bytes"), CP_COUNT("Errors"),           \
	    CP_QUANTILES_COLUMNS

static void
requests_cells(struct cp_table *t, struct cp_blockio_requests *r)
{
	cp_table_cells(
	    t, r->n, r->bytes, r->errors, CP_QUANTILES_CELLS(&r->took));
}

static void
show_devices(struct cp_blockio *b, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Device"),
		REQUESTS_COLUMNS, CP_RATE("Depth"), CP_COUNT("Deepest"),
		CP_SHARE("Busy") };
	struct cp_table *t = cp_report_table(
	    rep, "blockio", "Devices by time of requests", CP_COLUMNS(columns));
	uint32_t n;
	struct line *lines = lines_of(b, CP_BLOCKIO_BY_DEVICE, &n);
	struct cp_word word;

	for (uint32_t i = 0; i < n; i++) {
		const struct cp_blockio_device *d =
		    &b->device[cp_index_get(&b->devices, lines[i].key, 0)];
		const struct cp_device_times *at = &d->times;
		double span =
		    (double)(d->last - d->first - cp_device_times_unknown(at));

		cp_table_add(t, device_text(&word, (uint32_t)lines[i].key));
		requests_cells(t, lines[i].r);
		cp_table_cells(t, span > 0 ? (double)at->depth_ns / span : 0,
		    at->max_depth, cp_share((double)at->busy_ns, span));
	}
}

static void
show_operations(struct cp_blockio *b, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Device"),
		REQUESTS_COLUMNS, CP_TEXT("Operation") };
	struct cp_table *t = cp_report_table(
	    rep, "blockio-operations", "Operations", CP_COLUMNS(columns));
	uint32_t n;
	struct line *lines = lines_of(b, CP_BLOCKIO_BY_OPERATION, &n);
	struct cp_word word;

	for (uint32_t i = 0; i < n; i++) {
		cp_table_add(
		    t, device_text(&word, (uint32_t)(lines[i].key >> 32)));
		requests_cells(t, lines[i].r);
		cp_table_cells(
		    t, operation_text(b, (cp_string_id)lines[i].key));
	}
}

static void
show_commands(struct cp_blockio *b, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { REQUESTS_COLUMNS,
		CP_TEXT("Command") };
	struct cp_table *t = cp_report_table(rep, "blockio-commands",
	    "Commands that issued the requests", CP_COLUMNS(columns));
	uint64_t top = cp_run_option_u64(b->run, "top"), rest = 0;
	uint32_t n;
	struct line *lines = lines_of(b, CP_BLOCKIO_BY_COMM, &n);

	if (top == 0 || top > n)
		top = n;
	for (uint32_t i = 0; i < n; i++) {
		if (i >= top) {
			rest += lines[i].r->took.sum;
			continue;
		}
		cp_table_row(t);
		requests_cells(t, lines[i].r);
		cp_table_cells(
		    t, cp_run_string(b->run, (cp_string_id)lines[i].key));
	}
	if (top < n)
		cp_table_rest(t, n - top, rest);
}

static void
show_slowest(struct cp_blockio *b, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_CLOCK("Issued"),
		CP_TIME("Time"), CP_BYTES("Bytes"), CP_COUNT("Sector"),
		CP_TEXT("Device"), CP_TEXT("Operation"), CP_TEXT("Command") };
	struct cp_table *t = cp_report_table(
	    rep, "blockio-slowest", "Slowest requests", CP_COLUMNS(columns));
	struct cp_word word;

	for (uint32_t i = 0; i < b->n_slow; i++) {
		const struct cp_request *r = &b->slow[i].request;

		cp_table_add(t, r->time, b->slow[i].ns, r->bytes, r->first,
		    device_text(&word, r->device),
		    operation_text(b, r->operation),
		    cp_run_string(b->run, r->comm));
	}
}

void
cp_blockio_tables(struct cp_blockio *b, struct cp_report *rep)
{
	show_devices(b, rep);
	show_operations(b, rep);
	show_commands(b, rep);
	show_slowest(b, rep);
}
