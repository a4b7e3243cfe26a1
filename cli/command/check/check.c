/* SPDX-License-Identifier: MIT */
/*
 * check: compares the names, inlined functions and lines of a capture's frames
 * with those of elfutils; stacks.c compares stacks.
 *
 * Frames are those of the samples that the filters keep.  If there are many,
 * every n-th is compared, in the order of objects and addresses: each file is
 * opened once, and another run compares the same frames.
 */
#include "cli/command/check/stacks.h"
#include "cli/command/command.h"
#include "cli/progress.h"
#include "cli/report-output.h"
#include "cli/status.h"
#include "run/api.h"
#include "symbolize/object/alt.h"
#include "symbolize/object/files.h"
#include "symbolize/opinion/rules.h"

enum { NAMES, INLINES, LINES, STACKS, QUESTIONS };

static const char *const questions[] = { "names", "inlines", "lines",
	"stacks" };

struct check {
	struct cp_cli *cli;
	struct cp_run *run;
	CP_VEC(uint8_t) seen; /* by stack id */
	cp_asked_vec frames;
	struct cp_table *list; /* of differences */
	uint64_t count[QUESTIONS][CP_VERDICTS];
	struct cp_check_stacks *stacks;
	uint64_t not_asked; /* frames without a file that elfutils reads */
	/* The object whose frames are compared now. */
	const struct cp_dso_info *dso;
	struct cp_opinion *names, *debug; /* may be the same */
};

/* The state of the analysis: a pointer to the check. */
struct state {
	struct check *check;
};

static int
mark(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct check *c = ((struct state *)state)->check;

	while (c->seen.len <= s->stack)
		*cp_vec_push(&c->seen) = 0;
	c->seen.data[s->stack] = 1;
	return CP_OK;
}

static const struct cp_analysis marking = {
	.abi = CP_ABI,
	.name = "check",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS,
	.state_size = sizeof(struct state),
	.sample = mark,
};

/* --------------------------------------------------------------- frames */

/* Collects the frames of all marked stacks; a stack's parent has a lower id. */
static void
collect(struct check *c)
{
	CP_VEC(cp_frame_id) ids = { 0 };
	size_t step, n = 0;

	for (size_t i = c->seen.len; i-- > 1;) {
		if (c->seen.data[i] == 0)
			continue;
		*cp_vec_push(&ids) = cp_stack_frame(c->run, (cp_stack_id)i);
		c->seen.data[cp_stack_parent(c->run, (cp_stack_id)i)] = 1;
	}
	cp_run_collect_frames(c->run, ids.data, ids.len, 0x80, &c->frames);
	cp_vec_free(&ids);
	step = c->cli->sample == 0 ? 1 : c->frames.len / c->cli->sample + 1;
	for (size_t i = 0; i < c->frames.len; i += step)
		c->frames.data[n++] = c->frames.data[i];
	c->frames.len = n;
}

/* Looks up names of the chosen frames only. */
static void
name(struct check *c)
{
	cp_frame_id *ids = cp_xcalloc(c->frames.len + 1, sizeof(*ids));

	for (size_t i = 0; i < c->frames.len; i++)
		ids[i] = c->frames.data[i].frame;
	cp_run_name_frames(c->run, ids, c->frames.len);
	if (c->run->options->inlines != CP_INLINE_NO)
		cp_run_spot_frames(c->run, ids, c->frames.len, false);
	free(ids);
}

/* -------------------------------------------------------------- objects */

static void
close_object(struct check *c)
{
	if (c->debug != c->names)
		cp_opinion_free(c->debug);
	cp_opinion_free(c->names);
	c->names = c->debug = NULL;
}

static void
open_object(struct check *c, const struct cp_dso_info *dso)
{
	struct cp_symbols *s = cp_run_symbols(c->run);
	const struct cp_elf *debug = cp_symbols_debug(s, dso), *names = NULL;
	struct cp_found found[8];
	size_t n = cp_symbols_found(s, dso, found, CP_ARRAY_LEN(found));

	close_object(c);
	c->dso = dso;
	for (size_t i = 0; i < n; i++)
		if (found[i].symbols && found[i].elf != NULL)
			names = found[i].elf;
	if (names == NULL)
		names = cp_symbols_runtime(s, dso);
	if (names != NULL)
		c->names = cp_opinion_open(
		    names, names == debug ? cp_symbols_alt(s, dso) : NULL);
	if (debug == names)
		c->debug = c->names;
	else if (debug != NULL)
		c->debug = cp_opinion_open(debug, cp_symbols_alt(s, dso));
}

/* ------------------------------------------------------------- verdicts */

static void
list(struct check *c, unsigned question, const struct cp_dso_info *dso,
    uint64_t vaddr, const struct cp_compared *r)
{
	struct cp_table *t = c->list;

	cp_table_add(t, questions[question],
	    dso != NULL ? cp_run_string(c->run, dso->pub.short_name) : "",
	    vaddr, r->verdict == CP_VERDICT_DIFFERENT ? "" : r->rule, r->ours,
	    r->our_line, r->theirs, r->their_line);
}

static void
count(struct check *c, unsigned question, const struct cp_dso_info *dso,
    uint64_t vaddr, struct cp_compared r)
{
	bool differs = r.verdict == CP_VERDICT_DIFFERENT;

	c->count[question][r.verdict]++;
	if (differs || (c->cli->all && r.verdict != CP_VERDICT_EQUAL &&
			   r.verdict != CP_VERDICT_SILENT))
		list(c, question, dso, vaddr, &r);
}

/*
 * True if the name comes from a symbol table: elfutils reads no other source.
 */
static bool
is_of_elf(const struct cp_symbol *s)
{
	return s == NULL || s->source == CP_SOURCE_BUNDLE ||
	       s->source == CP_SOURCE_CACHE ||
	       s->source == CP_SOURCE_DEBUGINFOD ||
	       s->source == CP_SOURCE_LOCAL;
}

static void
ask_name(struct check *c, cp_frame_id id, uint64_t vaddr)
{
	const struct cp_frame *f = cp_frame_get(c->run, id);
	const struct cp_symbol *s = cp_frame_symbol(c->run, id);
	uint64_t start = s != NULL ? vaddr - (f->addr - s->start) : 0;
	struct cp_opinion_name theirs;

	if (c->names == NULL || !is_of_elf(s)) {
		c->not_asked++;
		return;
	}
	theirs = cp_opinion_name(c->names, vaddr);
	count(c, NAMES, c->dso, vaddr, cp_check_name(s, start, &theirs, vaddr));
}

static void
ask_spots(struct check *c, cp_frame_id id, uint64_t vaddr)
{
	struct cp_opinion_spot theirs[CP_CHECK_SPOTS];
	const struct cp_spot *ours = NULL;
	size_t n = cp_frame_spots(c->run, id, &ours), m;

	if (c->debug == NULL || n > CP_ARRAY_LEN(theirs))
		return;
	if ((cp_frame_get(c->run, id)->flags & CP_FRAME_CALLER) != 0)
		vaddr--; /* in the call, not after it */
	m = cp_opinion_spots(c->debug, vaddr, theirs, CP_ARRAY_LEN(theirs));
	if (n == 0 && m == 0)
		return;
	count(c, INLINES, c->dso, vaddr, cp_check_inlines(ours, n, theirs, m));
	count(c, LINES, c->dso, vaddr, cp_check_lines(ours, n, theirs, m));
}

static void
ask_all(struct check *c)
{
	struct cp_symbols *s = cp_run_symbols(c->run);

	for (size_t i = 0; i < c->frames.len; i++) {
		const struct cp_asked *a = &c->frames.data[i];
		const struct cp_dso_info *dso =
		    cp_dsos_at(&c->run->session.dsos, a->dso);
		uint64_t vaddr;

		if (dso != c->dso)
			open_object(c, dso);
		if (!cp_symbols_vaddr(s, dso, a->addr, &vaddr)) {
			c->not_asked++;
			continue;
		}
		ask_name(c, a->frame, vaddr);
		if (c->run->options->inlines != CP_INLINE_NO)
			ask_spots(c, a->frame, vaddr);
	}
	close_object(c);
}

/* --------------------------------------------------------------- report */

static struct cp_table *
begin_list(struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("question"),
		CP_TEXT("object"), CP_ADDRESS("address"), CP_TEXT("rule"),
		CP_TEXT("coldperf"), CP_COUNT("line"), CP_TEXT("elfutils"),
		CP_COUNT("its line") };
	struct cp_table *t = cp_report_table(
	    rep, "differences", "Differences", CP_COLUMNS(columns));

	return t;
}

static void
write_counts(struct check *c, struct cp_table *t)
{
	for (unsigned q = 0; q < QUESTIONS; q++) {
		uint64_t sum = 0;

		for (unsigned v = 0; v < CP_VERDICTS; v++)
			sum += c->count[q][v];
		cp_table_add(t, questions[q], sum);
		for (unsigned v = 0; v < CP_VERDICTS; v++)
			cp_table_cells(t, c->count[q][v]);
	}
}

/* The exit status: 1 for differences, 4 where nothing could be asked. */
static void
judge(struct check *c)
{
	const char *why = cp_opinion_missing();
	uint64_t different = 0, answered = 0;

	for (unsigned q = 0; q < QUESTIONS; q++) {
		different += c->count[q][CP_VERDICT_DIFFERENT];
		for (unsigned v = 0; v < CP_VERDICT_SILENT; v++)
			answered += c->count[q][v];
	}
	if (different != 0)
		cp_diag(&c->cli->diags, CP_D_GATE,
		    "%" PRIu64 " answers differ from those of elfutils",
		    different);
	else if (answered == 0)
		cp_diag(&c->cli->diags, CP_D_NOT_ASKED, "%s",
		    why != NULL ? why : "no file of a frame was found");
}

static void
check(struct check *c, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("question"),
		CP_COUNT("asked"), CP_COUNT("equal"), CP_COUNT("longer"),
		CP_COUNT("explained"), CP_COUNT("different"),
		CP_COUNT("unanswered") };
	struct cp_table *counts = cp_report_table(rep, "check",
	    "Answers compared with those of elfutils", CP_COLUMNS(columns));
	struct cp_check_stack s;

	collect(c);
	name(c);
	c->list = begin_list(rep);
	ask_all(c);
	for (size_t i = 0; cp_check_stacks_get(c->stacks, i, &s); i++)
		count(c, STACKS, s.dso, s.addr, s.compared);
	write_counts(c, counts);
	cp_report_scalar(rep, "check", "frames", CP_COL_COUNT, c->frames.len);
	cp_report_scalar(
	    rep, "check", "frames not asked", CP_COL_COUNT, c->not_asked);
	cp_report_scalar(rep, "check", "stacks", CP_COL_COUNT,
	    cp_check_stacks_seen(c->stacks));
	judge(c);
}

static int
read_capture(struct check *c, struct cp_run *run)
{
	if (cp_run_open(run, &c->cli->run, &c->cli->diags,
		c->cli->captures.data[0]) != CP_OK ||
	    cp_run_add(run, &marking) != CP_OK)
		return CP_FAIL;
	((struct state *)run->tasks.data[0].state)->check = c;
	c->stacks = cp_check_stacks_new(run, c->cli->sample);
	return cp_progress_read(c->cli, run);
}

int
cp_command_check(struct cp_cli *cli)
{
	struct cp_run run = { 0 };
	struct check c = { .cli = cli, .run = &run };
	cp_report_outputs to = { 0 };
	struct cp_report rep;

	if (cp_report_choose(cli, &to) != CP_OK) {
		cp_vec_free(&to);
		return cp_cli_status(cli);
	}
	cp_report_init(&rep, "check");
	if (read_capture(&c, &run) == CP_OK) {
		cp_run_label(&run, &rep);
		check(&c, &rep);
		cp_report_finish(&rep);
		cp_report_write(cli, &to, &rep);
	}
	cp_report_free(&rep);
	cp_vec_free(&to);
	cp_vec_free(&c.seen);
	cp_vec_free(&c.frames);
	cp_check_stacks_free(c.stacks);
	cp_run_close(&run);
	return cp_cli_status(cli);
}
