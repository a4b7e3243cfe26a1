/* SPDX-License-Identifier: MIT */
#include "run/tables-rows.h"

#include "base/parquet/parquet.h"

/* The version of snapshots that this coldperf knows. */
enum { VERSION = 1 };

/* What all pages of samples may inflate to. */
#define MAX_PLAIN (UINT64_C(8) << 30)

enum column { TIME, WEIGHT, STACK, THREAD, EVENT, CPU, COLUMNS };

static const char *const names[COLUMNS] = { [TIME] = "time_ns",
	[WEIGHT] = "weight",
	[STACK] = "stack",
	[THREAD] = "thread",
	[EVENT] = "event",
	[CPU] = "cpu" };

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
	cp_vec_free(&t->object);
	cp_vec_free(&t->symbol);
	cp_vec_free(&t->stack);
	cp_vec_free(&t->thread);
	cp_arena_free(&t->arena);
	free(t);
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
	t = cp_xcalloc(1, sizeof(*t));
	t->members = *m;
	t->merged.first = run->capture.in.path;
	run->tables = t;
	run->merged = &t->merged;
	run->rec.container = "snapshot";
	cp_tables_code(t, run);
	cp_tables_events(t, run);
	cp_tables_origins(t, run);
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

static int
pass_row(struct cp_run *run, pass_fn *pass, int64_t *const *column, size_t i)
{
	const struct cp_tables *t = run->tables;
	static const struct cp_tables_thread none = { CP_NO_ID, CP_NO_ID, 0 };
	uint64_t stack = (uint64_t)column[STACK][i],
		 thread = (uint64_t)column[THREAD][i],
		 event = (uint64_t)column[EVENT][i];
	const struct cp_tables_thread *at =
	    thread < t->thread.len ? &t->thread.data[thread] : &none;
	struct cp_sample s = {
		.time = (uint64_t)column[TIME][i],
		.period = (uint64_t)column[WEIGHT][i],
		.weight = (uint64_t)column[WEIGHT][i],
		.stack = stack < t->stack.len ? t->stack.data[stack] : 0,
		.pid = at->pid,
		.tid = at->tid,
		.comm = at->comm,
		.cpu = (uint32_t)column[CPU][i],
		.evsel = (uint32_t)event,
	};

	if (event >= cp_run_evsel_count(run))
		return CP_OK;
	s.level = cp_frame_get(run, cp_stack_frame(run, s.stack))->level;
	note_time(&run->quality, s.time);
	return pass(run, &s);
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
		whole = whole && cp_parquet_numbers(p, group,
				     cp_parquet_column(p, names[c]), column[c]);
	}
	for (size_t i = 0; i < rows && whole && *status == CP_OK; i++)
		*status = pass_row(run, pass, column, i);
	for (int c = 0; c < COLUMNS; c++)
		free(column[c]);
	if (run->options->progress != NULL)
		run->options->progress(
		    run->options->progress_ctx, &run->quality);
	return whole;
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
	int status = CP_OK;

	run->quality.samples = CP_MAX(run->quality.samples, whole ? p.rows : 0);
	for (size_t g = 0; g < p.groups.len && whole && status == CP_OK; g++)
		whole = read_group(run, pass, &p, g, &status);
	cp_parquet_close(&p);
	if (!whole)
		cp_tables_damaged(run, CP_SNAPSHOT_SAMPLES);
	return status;
}
