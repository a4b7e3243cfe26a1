/* SPDX-License-Identifier: MIT */
#include "run/tables-rows.h"

#include "base/limits.h"
#include "base/parquet/columns.h"
#include "base/snapshot-columns.h"

/* The version of snapshots that this coldperf knows. */
enum { VERSION = 1 };

/* The bytes that all pages of samples may inflate to. */
#define MAX_PLAIN (UINT64_C(8) << 30)

enum column { TIME, WEIGHT, STACK, THREAD, EVENT, CPU, CONTEXT, COLUMNS };

static const char *const names[COLUMNS] = { [TIME] = "time_ns",
	[WEIGHT] = "weight",
	[STACK] = "stack",
	[THREAD] = "thread",
	[EVENT] = "event",
	[CPU] = "cpu",
	[CONTEXT] = "context" };

/* ---------------------------------------------------------------- captures */

/* A column of struct cp_report_origin. */
struct origin_column {
	const char *name;
	size_t at, size;
	bool text;
};

#define ORIGIN(name_, kind, field, about)                                      \
	{ #name_, offsetof(struct cp_report_origin, field),                    \
		sizeof(((struct cp_report_origin *)0)->field),                 \
		CP_SNAPSHOT_IS_##kind == CP_SNAPSHOT_IS_TEXT },
/* The first is the row's number. */
static const struct origin_column columns[] = { CP_SNAPSHOT_COLUMNS_captures(
    ORIGIN) };

/* A count that the first tables had not. */
static bool
is_count(const struct origin_column *c)
{
	return c->at ==
		   offsetof(struct cp_report_origin, quality.lost_callers) ||
	       c->at ==
		   offsetof(struct cp_report_origin, quality.inferred_callers);
}

/* The first tables had no such column. */
static bool
is_later(const struct origin_column *c)
{
	return c->at == offsetof(struct cp_report_origin, damage) ||
	       c->at == offsetof(struct cp_report_origin, filter) ||
	       c->at == offsetof(struct cp_report_origin, start) ||
	       c->at == offsetof(struct cp_report_origin, end) ||
	       c->at == offsetof(struct cp_report_origin, wall) || is_count(c);
}

static void
fill_texts(struct cp_columns *t, const struct origin_column *c,
    struct cp_report_origin *to)
{
	const char **text = is_later(c) ? cp_columns_later_texts(t, c->name)
					: cp_columns_texts(t, c->name);

	for (size_t i = 0; i < t->p.rows && t->whole; i++)
		memcpy((char *)&to[i] + c->at, &text[i], sizeof(text[i]));
}

/* A number that is not told is -1, a count 0. */
static void
fill_numbers(struct cp_columns *t, const struct origin_column *c,
    struct cp_report_origin *to)
{
	int64_t *n;

	if (is_later(c) && cp_parquet_column(&t->p, c->name) < 0) {
		for (size_t i = 0; i < t->p.rows; i++)
			memset((char *)&to[i] + c->at, is_count(c) ? 0 : 0xff,
			    c->size);
		return;
	}
	n = cp_columns_numbers(t, c->name);
	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		bool is = n[i] != 0;

		memcpy((char *)&to[i] + c->at,
		    c->size == sizeof(is) ? (const void *)&is : &n[i], c->size);
	}
}

/* Extends the span of time to that of all captures, also where no sample is. */
static void
extend(struct cp_quality *all, const struct cp_report_origin *o)
{
	const struct cp_quality *q = &o->quality;
	uint64_t end = o->at + (q->last_time - q->first_time);

	if (o->at == CP_NO_TIME || q->last_time < q->first_time || end < o->at)
		return;
	if (all->first_time == CP_NO_TIME || o->at < all->first_time)
		all->first_time = o->at;
	if (all->last_time == CP_NO_TIME || end > all->last_time)
		all->last_time = end;
}

static void
read_origins(struct cp_run *run, struct cp_columns *t)
{
	struct cp_report_origin *all;

	if (t->p.rows > CP_MAX_ORIGINS) {
		t->whole = false;
		return;
	}
	all = cp_xcalloc((size_t)t->p.rows + 1, sizeof(*all));
	for (size_t c = 1; c < CP_ARRAY_LEN(columns); c++)
		if (columns[c].text)
			fill_texts(t, &columns[c], all);
		else
			fill_numbers(t, &columns[c], all);
	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		cp_tables_shown_origin(run, &all[i], i + 1);
		cp_run_origin_add(run, &all[i]);
		extend(&run->quality, &all[i]);
	}
	free(all);
}

/* Was data lost that the recorder did not report? */
static bool
damaged(const struct cp_report_origin *o)
{
	const struct cp_quality *q = &o->quality;

	return o->damage[0] != '\0' || q->killed || q->cut || q->gaps != 0 ||
	       q->bytes_missing != 0 || q->samples_unknown_id != 0;
}

/*
 * Reports that the original capture was damaged, so that the exit status is 3
 * again.
 */
static void
say_damaged(struct cp_run *run)
{
	const struct cp_report_origin *first = NULL;
	uint64_t n = 0, skipped = 0, missing = 0;

	for (size_t i = 0; i < run->origins.len; i++) {
		const struct cp_report_origin *o = &run->origins.data[i];

		if (!damaged(o))
			continue;
		cp_run_damage_again(run, o);
		first = n++ == 0 ? o : first;
		skipped += o->quality.bytes_skipped;
		missing += o->quality.bytes_missing;
	}
	if (first != NULL)
		cp_diag(run->diags, CP_D_WERE_DAMAGED,
		    "%" PRIu64 " of %zu, first %.150s: %" PRIu64
		    " bytes were skipped, and %" PRIu64 " were missing",
		    n, run->origins.len, first->name, skipped, missing);
}

static void
read_captures(struct cp_tables *to, struct cp_run *run)
{
	const struct cp_buf *b = &to->members.table[CP_SNAPSHOT_CAPTURES];
	struct cp_columns t;

	/* The first snapshots had no such table. */
	if (b->len == 0 && !to->members.gone[CP_SNAPSHOT_CAPTURES])
		return;
	if (cp_columns_open(&t, b, &to->arena))
		read_origins(run, &t);
	say_damaged(run);
	if (!t.whole)
		cp_tables_damaged(run, CP_SNAPSHOT_CAPTURES);
	cp_columns_close(&t);
}

/* ----------------------------------------------------------------- opening */

void
cp_tables_free(struct cp_tables *t)
{
	if (t == NULL)
		return;
	cp_snapshot_members_free(&t->members);
	cp_vec_free(&t->merged.function);
	cp_vec_free(&t->merged.vaddr);
	cp_vec_free(&t->merged.object);
	cp_vec_free(&t->merged.release);
	cp_vec_free(&t->unit);
	cp_vec_free(&t->object);
	cp_vec_free(&t->said);
	cp_vec_free(&t->symbol);
	cp_vec_free(&t->stack);
	cp_vec_free(&t->thread);
	cp_vec_free(&t->context);
	cp_vec_free(&t->rows);
	cp_buf_free(&t->about);
	cp_arena_free(&t->arena);
	free(t);
}

static void
read_all(
    struct cp_tables *to, struct cp_run *run, const struct cp_tables_reader *r)
{
	for (; r->read != NULL; r++) {
		const struct cp_buf *b = &to->members.table[r->table];
		struct cp_columns t;

		if (r->later && b->len == 0 && !to->members.gone[r->table])
			continue;
		if (cp_columns_open(&t, b, &to->arena))
			r->read(to, run, &t);
		if (!t.whole)
			cp_tables_damaged(run, r->table);
		cp_columns_close(&t);
	}
}

const char *
cp_tables_about(const struct cp_run *run)
{
	return run->tables != NULL && run->tables->imported
		   ? cp_buf_text(&run->tables->about)
		   : NULL;
}

const struct cp_report_pprof *
cp_tables_pprof(const struct cp_run *run)
{
	return run->tables != NULL && run->options->redact == NULL
		   ? run->tables->pprof
		   : NULL;
}

struct cp_tables *
cp_tables_new(struct cp_run *run)
{
	struct cp_tables *t = cp_xcalloc(1, sizeof(*t));

	t->merged.first = run->capture.in.path;
	run->tables = t;
	run->merged = &t->merged;
	*cp_vec_push(&t->merged.function) = NULL;
	*cp_vec_push(&t->merged.vaddr) = UINT64_MAX;
	return t;
}

int
cp_tables_take(struct cp_run *run, struct cp_snapshot_members *m)
{
	struct cp_tables *t;

	if (!m->snapshot || m->version != VERSION) {
		cp_diag(run->diags, CP_D_ONLY_TABLES,
		    "version %" PRIu64 " is newer than this coldperf knows",
		    m->version);
		cp_snapshot_members_free(m);
		return CP_FAIL;
	}
	t = cp_tables_new(run);
	t->members = *m;
	run->rec.container = "snapshot";
	if (run->options->redact != NULL)
		cp_tables_learn(run->options->redact, &t->members);
	read_all(t, run, cp_tables_code);
	read_all(t, run, cp_tables_events);
	read_captures(t, run);
	cp_run_origins_windows(run);
	cp_run_origins_clock(run);
	return cp_diags_worst(run->diags) >= CP_DIAG_ERROR ? CP_FAIL : CP_OK;
}

int
cp_tables_open(struct cp_run *run)
{
	struct cp_snapshot_members m;

	cp_snapshot_members_read(&m, run->capture.snapshot, CP_SNAPSHOT_READ);
	cp_snapshot_members_check(&m);
	return cp_tables_take(run, &m);
}

/* ----------------------------------------------------------------- samples */

static void
note_time(struct cp_quality *q, uint64_t time)
{
	if (time == CP_NO_TIME)
		return;
	if (q->first_time == CP_NO_TIME || time < q->first_time)
		q->first_time = time;
	if (q->last_time == CP_NO_TIME || time > q->last_time)
		q->last_time = time;
}

typedef int pass_fn(struct cp_run *, struct cp_sample *);

/*
 * Counters of one record are rows one after the other, alike but for their
 * event and weight.
 */
static bool
is_same_record(int64_t *const *column, size_t a, size_t b)
{
	static const int same[] = { TIME, THREAD, CPU, STACK, CONTEXT };

	for (size_t c = 0; c < CP_ARRAY_LEN(same); c++)
		if (column[same[c]][a] != column[same[c]][b])
			return false;
	return column[EVENT][a] != column[EVENT][b] &&
	       (uint64_t)column[TIME][a] != CP_NO_TIME;
}

/* Returns the number of the record; 0: it has no other row. */
static uint32_t
reading_of(struct cp_tables *t, int64_t *const *column, size_t i, size_t rows)
{
	bool again = i > 0 && is_same_record(column, i - 1, i);

	t->reading += !again;
	if (!again && (i + 1 >= rows || !is_same_record(column, i, i + 1)))
		return 0;
	return t->reading;
}

static int
pass_row(struct cp_run *run, pass_fn *pass, const struct cp_tables_row *row,
    uint32_t reading)
{
	struct cp_tables *t = run->tables;
	static const struct cp_tables_thread none = { CP_NO_ID, CP_NO_ID, 0 };
	static const struct cp_tables_context nothing;
	const struct cp_tables_thread *at =
	    row->thread < t->thread.len ? &t->thread.data[row->thread] : &none;
	const struct cp_tables_context *in =
	    row->context < t->context.len ? &t->context.data[row->context]
					  : &nothing;
	struct cp_sample s = {
		.time = row->time,
		.stack =
		    row->stack < t->stack.len ? t->stack.data[row->stack] : 0,
		.pid = at->pid,
		.tid = at->tid,
		.comm = at->comm,
		.cpu = row->cpu,
		.evsel = (uint32_t)row->event,
		.cgroup = in->cgroup,
		.unwound = in->unwound,
		.unwound_dso = in->object,
		.reading = reading,
	};

	if (row->event >= cp_run_evsel_count(run))
		return CP_OK;
	if (t->imported)
		s.stack = (cp_stack_id)row->stack;
	s.period = s.weight = cp_tables_weight(run, s.evsel, row->weight);
	s.level = cp_frame_get(run, cp_stack_frame(run, s.stack))->level;
	note_time(&run->quality, s.time);
	return pass(run, &s);
}

/* The first snapshots had no contexts. */
static bool
read_column(struct cp_parquet *p, size_t group, int c, int64_t *out)
{
	int at = cp_parquet_column(p, names[c]);

	return (at < 0 && c == CONTEXT) ||
	       cp_parquet_numbers(p, group, at, out);
}

/* A group of rows, which bounds the memory.  False: damaged. */
static bool
read_group(struct cp_run *run, pass_fn *pass, struct cp_parquet *p,
    size_t group, int *status)
{
	int64_t *column[COLUMNS];
	size_t rows = p->groups.data[group];
	bool whole = true;

	for (int c = 0; c < COLUMNS; c++) {
		column[c] = cp_xcalloc(rows + 1, sizeof(*column[c]));
		whole = whole && read_column(p, group, c, column[c]);
	}
	for (size_t i = 0; i < rows && whole && *status == CP_OK; i++) {
		struct cp_tables_row row = {
			.time = (uint64_t)column[TIME][i],
			.weight = (uint64_t)column[WEIGHT][i],
			.stack = (uint64_t)column[STACK][i],
			.thread = (uint64_t)column[THREAD][i],
			.event = (uint64_t)column[EVENT][i],
			.context = (uint64_t)column[CONTEXT][i],
			.cpu = (uint32_t)column[CPU][i],
		};

		*status = pass_row(
		    run, pass, &row, reading_of(run->tables, column, i, rows));
	}
	for (int c = 0; c < COLUMNS; c++)
		free(column[c]);
	if (run->options->progress != NULL)
		run->options->progress(
		    run->options->progress_ctx, &run->quality);
	return whole;
}

static int
read_imported(struct cp_run *run, pass_fn *pass)
{
	const struct cp_tables *t = run->tables;
	int status = CP_OK;

	for (size_t i = 0; i < t->rows.len && status == CP_OK; i++)
		for (uint32_t n = t->rows.data[i].times;
		     n-- > 0 && status == CP_OK;)
			status = pass_row(run, pass, &t->rows.data[i], 0);
	return status;
}

int
cp_tables_read(struct cp_run *run, pass_fn *pass)
{
	const struct cp_buf *b =
	    &run->tables->members.table[CP_SNAPSHOT_SAMPLES];
	struct cp_parquet p = { 0 };
	bool whole =
	    b->len != 0 &&
	    cp_parquet_open(&p, (const uint8_t *)b->data, b->len, MAX_PLAIN);
	uint64_t outweighed = run->diags->count[CP_D_PERIOD];
	int status = CP_OK;

	if (run->tables->imported)
		return read_imported(run, pass);
	run->quality.samples = CP_MAX(run->quality.samples, whole ? p.rows : 0);
	for (size_t g = 0; g < p.groups.len && whole && status == CP_OK; g++)
		whole = read_group(run, pass, &p, g, &status);
	cp_parquet_close(&p);
	cp_run_origin_outweighs(run, outweighed);
	if (!whole)
		cp_tables_damaged(run, CP_SNAPSHOT_SAMPLES);
	return status == CP_OK ? cp_tables_rates(run) : status;
}
