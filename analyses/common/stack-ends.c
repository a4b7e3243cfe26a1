/* SPDX-License-Identifier: MIT */
#include "analyses/common/stack-ends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"

#define OBJECTS 20 /* rows shown */

struct end {
	const struct cp_run *run;
	uint64_t n;
	uint32_t dso;
	uint32_t size; /* size of the copies that were too short */
	uint8_t why;
};

void
cp_unwind_ends_init(struct cp_unwind_ends *u, struct cp_run *run)
{
	u->tally = cp_tally_new(run);
}

bool
cp_unwind_ends_add(
    struct cp_unwind_ends *u, struct cp_run *run, const struct cp_sample *s)
{
	if (s->unwound == CP_UNWIND_NONE)
		return false;
	if (s->unwound == CP_UNWIND_CUT) {
		uint32_t size = cp_run_evsel(run, s->evsel)->stack_user;

		u->largest = size > u->largest ? size : u->largest;
	}
	cp_tally_add(u->tally, s->unwound, s->unwound_dso, s->weight);
	return true;
}

/* ------------------------------------------------------------------ words */

static const char *
reason(uint8_t why)
{
	switch (why) {
	case CP_UNWIND_COMPLETE: return "complete";
	case CP_UNWIND_CUT: return "stack dump too short";
	case CP_UNWIND_NO_TABLE: return "no unwind table";
	case CP_UNWIND_UNREADABLE: return "unreadable memory";
	case CP_UNWIND_LOOP: return "loop";
	case CP_UNWIND_UNSUPPORTED: return "unsupported rule";
	default: return "limit";
	}
}

/* Returns advice for code in memory that is in no file. */
static const char *
help_memory(const struct cp_run *run, const struct cp_dso *d)
{
	if (!d->runs)
		return "this memory is not executable, so the address is no "
		       "code: a damaged stack, or code whose table is wrong";
	if (strncmp(cp_run_string(run, d->name), "/memfd:", 7) == 0)
		return "a program, or code made at run time, in a file of "
		       "memory: have it keep frame pointers";
	return "code made at run time: have it keep frame pointers, or write "
	       "a jitdump with unwind tables";
}

/* Of captures that were added up no file is open any more. */
static bool
has_code(struct cp_run *run, uint32_t dso)
{
	return cp_run_merged(run) ? cp_run_dso_found(run, dso).code
				  : cp_run_dso_files(run, dso).code != NULL;
}

const char *
cp_unwind_help(struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = cp_run_dso(run, dso);
	bool code = has_code(run, dso);

	if (d == NULL)
		return "the address is in no mapping: a damaged stack, or code "
		       "made at run time";
	if (d->kind == CP_DSO_ANON)
		return help_memory(run, d);
	if (!code && cp_run_dso_found(run, dso).mismatch)
		return "the file found is of another build: coldperf symbols "
		       "--fetch, or give the one with the recorded build ID "
		       "with --symbols";
	if (!code && d->build_id_size != 0)
		return "the file was not found: coldperf symbols --fetch, or "
		       "give it with --symbols";
	if (!code)
		return "the file was not found: give it with --symbols";
	return "the file has no table there: its debug file may have one; or "
	       "build with frame pointers";
}

/* The largest copy that perf record makes. */
enum { DUMP_MAX = 65528 };

static const char *
help_dump(struct cp_run *run, uint32_t size)
{
	char *text;

	if (size >= DUMP_MAX)
		return "no larger dump can be recorded: build with frame "
		       "pointers, or record --call-graph lbr";
	text = cp_run_alloc(run, 80);
	snprintf(text, 80,
	    "record more than %u bytes: perf record "
	    "--call-graph dwarf,%u",
	    size, size <= DUMP_MAX / 4 ? size * 4 : DUMP_MAX);
	return text;
}

static const char *
help(struct cp_run *run, const struct end *e)
{
	switch (e->why) {
	case CP_UNWIND_COMPLETE: return "";
	case CP_UNWIND_CUT: return help_dump(run, e->size);
	case CP_UNWIND_NO_TABLE: return cp_unwind_help(run, e->dso);
	case CP_UNWIND_UNREADABLE:
		return "the stack goes on elsewhere (coroutines, handlers on "
		       "a stack of their own), or is damaged";
	case CP_UNWIND_LOOP: return "the stack or its table is damaged";
	case CP_UNWIND_UNSUPPORTED:
		return "registers that were not recorded, or a damaged table";
	default: return "endless recursion, or a damaged table";
	}
}

/* ----------------------------------------------------------------- tables */

static int
compare_ends(const void *va, const void *vb)
{
	const struct end *a = va, *b = vb;
	int c = (a->n < b->n) - (a->n > b->n);

	if (c == 0)
		c = (a->why > b->why) - (a->why < b->why);
	if (c == 0)
		c = strcmp(
		    cp_word_path(a->run, a->dso), cp_word_path(b->run, b->dso));
	return c != 0 ? c : (a->dso > b->dso) - (a->dso < b->dso);
}

/* Collects all ends, the most frequent first. */
static struct end *
collect(struct cp_run *run, const struct cp_unwind_ends *u, size_t *n)
{
	const struct cp_tally_row *rows;
	struct end *ends;

	*n = cp_tally_rows(u->tally, &rows);
	ends = cp_run_alloc(run, (*n + 1) * sizeof(*ends));
	for (size_t i = 0; i < *n; i++)
		ends[i] = (struct end){ .run = run,
			.n = rows[i].count,
			.dso = (uint32_t)rows[i].b,
			.size = u->largest,
			.why = (uint8_t)rows[i].a };
	qsort(ends, *n, sizeof(*ends), compare_ends);
	return ends;
}

void
cp_unwind_ends_count(struct cp_unwind_ends *u)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(u->tally, &rows);

	u->all = u->complete = 0;
	for (size_t i = 0; i < n; i++) {
		u->all += rows[i].count;
		if (rows[i].a == CP_UNWIND_COMPLETE)
			u->complete += rows[i].count;
	}
}

static struct cp_table *
table_new(struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Stacks"), CP_TEXT("Reason"), CP_TEXT("Object"),
		CP_PROSE("What helps"), CP_TEXT("Build ID") };
	struct cp_table *t = cp_report_table(
	    rep, "ends", "Where user stacks ended", CP_COLUMNS(columns));

	return t;
}

void
cp_unwind_ends_show(
    struct cp_unwind_ends *u, struct cp_run *run, struct cp_report *rep)
{
	struct cp_table *t = table_new(rep);
	size_t n;
	struct end *ends = collect(run, u, &n);
	uint64_t rest = 0;

	for (size_t i = 0; i < n; i++) {
		const struct end *e = &ends[i];
		bool object = e->why == CP_UNWIND_NO_TABLE;

		if (i >= OBJECTS) {
			rest += e->n;
			continue;
		}
		cp_table_add(t, cp_count_cell(e->n, cp_counted(u->all, 1)),
		    e->n, reason(e->why),
		    object ? cp_word_object(run, e->dso) : "", help(run, e),
		    object ? cp_word_build_id(run, e->dso) : "");
	}
	if (n > OBJECTS)
		cp_table_rest(t, n - OBJECTS, rest);
}

bool
cp_unwind_ends_untold(
    const struct cp_unwind_ends *u, const struct cp_quality *q)
{
	return u->all == 0 && q->unwound != 0 &&
	       q->unwound_part <= q->unwound && q->samples_kept == q->samples;
}

static void
sum_row(struct cp_table *t, uint64_t n, uint64_t all, const char *why,
    const char *helps)
{
	if (n == 0)
		return;
	cp_table_add(
	    t, cp_count_cell(n, cp_counted(all, 1)), n, why, "", helps, "");
}

void
cp_unwind_sums_show(const struct cp_quality *q, struct cp_report *rep)
{
	struct cp_table *t = table_new(rep);

	sum_row(t, q->unwound_part, q->unwound, "before the outermost frame",
	    "the snapshot has this sum alone: coldperf unwind shows the "
	    "reasons if given the capture");
	sum_row(t, q->unwound - q->unwound_part, q->unwound, "complete", "");
}
