/* SPDX-License-Identifier: MIT */
/* tables: shows the tables of blockio. */
#include "analyses/blockio/blockio.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyses/common/label.h"

#define MINOR_BITS 20

const char *
cp_blockio_device_text(struct cp_word *w, uint32_t device)
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

#define REQUESTS_COLUMNS                                                       \
	CP_TIME("Time"), CP_COUNT("Requests"), CP_BYTES("Bytes"),              \
	    CP_COUNT("Errors"), CP_QUANTILES_COLUMNS
#define REQUESTS_CELLS(r)                                                      \
	(r)->took.sum, (r)->took.n, (r)->bytes, (r)->errors,                   \
	    CP_QUANTILES_CELLS(&(r)->took)

/* Adds a table that is sorted by the time of its requests. */
static struct cp_table *
requests_table(struct cp_report *rep, const char *slug, const char *title,
    const struct cp_column_spec *columns, size_t n)
{
	struct cp_table *t = cp_report_table(rep, slug, title, columns, n);

	cp_table_without(t, "Time");
	cp_table_sort(t, "Time");
	return t;
}

static void
show_devices(struct cp_blockio *b, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Device"),
		REQUESTS_COLUMNS, CP_RATE("Depth"), CP_COUNT("Deepest"),
		CP_SHARE("Busy"), CP_SHARE("Sequential") };
	struct cp_table *t = requests_table(
	    rep, "blockio", "Devices by time of requests", CP_COLUMNS(columns));
	struct cp_word word;

	for (uint32_t i = 0; i < b->rows.by.n; i++) {
		const struct cp_pair *key = &b->rows.by.all[i];
		const struct cp_blockio_device *d;
		const struct cp_device_times *at;
		double span;

		if (key->a != CP_BLOCKIO_BY_DEVICE)
			continue;
		d = &b->device[cp_index_get(&b->devices, key->b, 0)];
		at = &d->times;
		span = (double)(cp_run_kept_ns(b->run, d->first, d->last) -
				cp_device_times_unknown(at));
		cp_table_add(t, cp_blockio_device_text(&word, (uint32_t)key->b),
		    REQUESTS_CELLS(&b->rows.all[i]),
		    span > 0 ? (double)at->depth_ns / span : 0, at->max_depth,
		    cp_share((double)at->busy_ns, span),
		    cp_share((double)d->sequential, (double)d->placed));
	}
}

static void
show_operations(struct cp_blockio *b, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Device"),
		REQUESTS_COLUMNS, CP_TEXT("Operation") };
	struct cp_table *t = requests_table(
	    rep, "blockio-operations", "Operations", CP_COLUMNS(columns));
	struct cp_word word;

	for (uint32_t i = 0; i < b->rows.by.n; i++) {
		uint64_t key = b->rows.by.all[i].b;

		if (b->rows.by.all[i].a == CP_BLOCKIO_BY_OPERATION)
			cp_table_add(t,
			    cp_blockio_device_text(
				&word, (uint32_t)(key >> 32)),
			    REQUESTS_CELLS(&b->rows.all[i]),
			    operation_text(b, (cp_string_id)key));
	}
}

static void
show_commands(struct cp_blockio *b, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { REQUESTS_COLUMNS,
		CP_TEXT("Command") };
	struct cp_table *t = requests_table(rep, "blockio-commands",
	    "Commands that issued the requests", CP_COLUMNS(columns));

	for (uint32_t i = 0; i < b->rows.by.n; i++)
		if (b->rows.by.all[i].a == CP_BLOCKIO_BY_COMM)
			cp_table_add(t, REQUESTS_CELLS(&b->rows.all[i]),
			    cp_run_string(
				b->run, (cp_string_id)b->rows.by.all[i].b));
	cp_table_top(t, cp_run_option_u64(b->run, "top"), "Time");
}

static void
show_sizes(struct cp_blockio *b, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { REQUESTS_COLUMNS,
		CP_BYTES("From"), CP_BYTES("To") };
	struct cp_table *t = requests_table(
	    rep, "blockio-sizes", "Sizes of requests", CP_COLUMNS(columns));

	for (uint32_t i = 0; i < b->rows.by.n; i++) {
		uint64_t from = UINT64_C(1) << (b->rows.by.all[i].b & 63);

		if (b->rows.by.all[i].a == CP_BLOCKIO_BY_SIZE)
			cp_table_add(t, REQUESTS_CELLS(&b->rows.all[i]), from,
			    from + (from - 1));
	}
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

	for (uint32_t i = 0; i < b->slowest.n; i++) {
		const struct cp_request *r = &b->slow[b->slowest.at[i].slot];

		cp_table_add(t, r->time, b->slowest.at[i].ns, r->bytes,
		    r->first,
		    cp_blockio_device_text(&word, cp_request_device(r)),
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
	show_sizes(b, rep);
	show_slowest(b, rep);
}
