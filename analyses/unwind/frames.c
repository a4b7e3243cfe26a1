/* SPDX-License-Identifier: MIT */
#include "analyses/unwind/frames.h"

#include "analyses/common/label.h"
#include "analyses/common/stack-ends.h"

#define OBJECTS 20 /* rows shown */

/* ------------------------------------------------------------------ counts */

/* Counts the user frames of one stack, each n times; innermost first. */
static void
count_stack(struct cp_unwind_frames *f, cp_stack_id stack, uint64_t n)
{
	const struct cp_frame *callee = NULL;
	unsigned seen = 0; /* 1 << how */

	for (; stack != 0; stack = cp_stack_parent(f->run, stack)) {
		const struct cp_frame *frame =
		    cp_frame_get(f->run, cp_stack_frame(f->run, stack));
		enum cp_guess how = cp_frame_guess(frame);

		f->all += n;
		seen |= 1u << how;
		if (frame->level != CP_LEVEL_USER)
			continue;
		if (callee == NULL) {
			f->first += n;
		} else if ((frame->flags & CP_FRAME_CALLER) != 0) {
			f->recorded += n;
		} else {
			f->found[how] += n;
			f->objects[callee->dso].found[how] += n;
		}
		callee = frame;
	}
	f->stacks_guessed += seen > 1u << CP_GUESS_NONE ? n : 0;
	f->stacks_scanned += (seen >> CP_GUESS_SCAN & 1) != 0 ? n : 0;
}

void
cp_unwind_frames_count(struct cp_unwind_frames *f, struct cp_run *run,
    const struct cp_tally *stacks)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(stacks, &rows);

	*f = (struct cp_unwind_frames){ .run = run,
		.n = cp_run_dso_count(run) + 1 };
	f->objects = cp_run_alloc(run, f->n * sizeof(*f->objects));
	for (uint32_t i = 0; i < f->n; i++)
		f->objects[i].dso = i;
	for (size_t i = 0; i < n; i++)
		count_stack(f, (cp_stack_id)rows[i].b, rows[i].count);
}

/* ------------------------------------------------------------------ tables */

static void
means_row(struct cp_table *t, uint64_t n, uint64_t all, const char *what)
{
	if (n == 0)
		return;
	cp_table_add(t, cp_share((double)n, (double)all), n, what);
}

void
cp_unwind_frames_show(const struct cp_unwind_frames *f, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Frames"), CP_TEXT("Found by") };
	struct cp_table *t = cp_report_table(
	    rep, "frames", "How user frames were found", CP_COLUMNS(columns));
	uint64_t all = f->first + f->recorded;

	for (unsigned i = 0; i < CP_GUESSES; i++)
		all += f->found[i];
	means_row(t, f->first, all, "registers of the sample");
	means_row(t, f->recorded, all, "recorded call chain");
	means_row(t, f->found[CP_GUESS_NONE], all, "unwind table");
	for (unsigned i = CP_GUESS_NONE + 1; i < CP_GUESSES; i++)
		means_row(t, f->found[i], all, cp_guess_name((enum cp_guess)i));
}

static uint64_t
guesses(const struct cp_unwind_object_frames *o)
{
	uint64_t n = 0;

	for (unsigned i = CP_GUESS_NONE + 1; i < CP_GUESSES; i++)
		n += o->found[i];
	return n;
}

static void
object_row(struct cp_table *t, const struct cp_unwind_frames *f,
    const struct cp_unwind_object_frames *o)
{
	uint64_t n = guesses(o), all = n + o->found[CP_GUESS_NONE];

	cp_table_add(t, n, cp_share((double)n, (double)all));
	/* A copied stack lacks no caller: there is no column for them. */
	for (unsigned i = 0; i < CP_GUESS_CALL; i++)
		cp_table_cells(t, o->found[i]);
	cp_table_cells(t, cp_word_object(f->run, o->dso),
	    n != 0 ? cp_unwind_help(f->run, o->dso) : "");
}

void
cp_unwind_frames_objects(struct cp_unwind_frames *f, struct cp_report *rep)
{
	static const struct cp_column_spec heads[] = { CP_COUNT("Guesses"),
		CP_SHARE("Guessed"), CP_COUNT("Table"),
		CP_COUNT("Instructions"), CP_COUNT("Frame pointer"),
		CP_COUNT("Stack scan"), CP_TEXT("Object"),
		CP_PROSE("What helps") };
	struct cp_table *t = cp_report_table(rep, "callers",
	    "What callers were found by, in the code of each object",
	    CP_COLUMNS(heads));

	cp_table_without(t, "Guesses");
	for (uint32_t i = 0; i < f->n; i++) {
		const struct cp_unwind_object_frames *o = &f->objects[i];

		if (guesses(o) + o->found[CP_GUESS_NONE] != 0)
			object_row(t, f, o);
	}
	cp_table_sort(t, "Guesses");
	cp_table_sort(t, "Table");
	cp_table_top(t, OBJECTS, NULL);
}
