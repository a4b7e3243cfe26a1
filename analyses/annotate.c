/* SPDX-License-Identifier: MIT */
/*
 * annotate: the instructions and source lines of a function that samples fell
 * in.
 *
 * The innermost frame counts.  A function is a symbol in an object; the
 * heaviest ones are shown, or those of a name.  Every sample of a function is
 * in its rows, even one at an address where no instruction begins, so the rows
 * add up to the function.  One table per event.
 */
#include "analyses/annotate/annotate.h"
#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include <coldperf/plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/options.h"
#include "analyses/precision/typical.h"

struct annotate {
	struct cp_annotate rows;
	struct cp_precision precision;
};

/* Pages count themselves, by what the user selects. */
static bool
is_shown(const char *command)
{
	return strcmp(command, "annotate") == 0 ||
	       strcmp(command, "browse") == 0;
}

static int
choose(struct cp_annotate *a)
{
	const char *by = cp_run_option(a->run, "by");
	const char *show = cp_run_option(a->run, "show");
	const char *syntax = cp_run_option(a->run, "syntax");

	a->share = cp_run_code_share(a->run);
	a->embedded = !is_shown(cp_run_command(a->run));
	a->by_line = strcmp(by, "line") == 0;
	a->sources = strcmp(show, "asm") != 0;
	a->instructions = strcmp(show, "source") != 0;
	a->flags = strcmp(syntax, "intel") == 0 ? CP_CODE_INTEL : 0;
	a->flags |= a->embedded ? CP_CODE_QUIET : 0;
	if (!a->by_line && strcmp(by, "address") != 0)
		cp_run_diag(a->run, CP_D_USAGE,
		    "--by wants address or line, not '%.40s'", by);
	else if (a->sources && a->instructions && strcmp(show, "both") != 0)
		cp_run_diag(a->run, CP_D_USAGE,
		    "--show wants both, asm or source, not '%.40s'", show);
	else if ((a->flags & CP_CODE_INTEL) == 0 && strcmp(syntax, "att") != 0)
		cp_run_diag(a->run, CP_D_USAGE,
		    "--syntax wants att or intel, not '%.40s'", syntax);
	else
		return CP_OK;
	return CP_FAIL;
}

static int
annotate_begin(struct cp_run *run, void *state)
{
	struct annotate *all = state;
	struct cp_annotate *a = &all->rows;

	a->run = run;
	a->top = cp_run_option_u64(run, "top");
	a->context = cp_run_option_u64(run, "context");
	a->whole = cp_run_option_bool(run, "all");
	a->function = cp_run_option(run, "function");
	a->pattern = cp_run_option_pattern(run, "function");
	if (a->pattern != NULL)
		cp_run_wants(
		    run, CP_WANT_SAMPLES | CP_WANT_NAMES | CP_WANT_SPOTS);
	a->last_file = &a->files;
	a->leaves = cp_run_leaves(run);
	cp_groups_init(&a->groups, run, 0, 1);
	return choose(a) == CP_OK ? cp_precision_init(&all->precision, run)
				  : CP_FAIL;
}

static int
annotate_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct annotate *all = state;

	if (!all->rows.embedded)
		cp_precision_add(&all->precision, s, s->event);
	return CP_OK;
}

/* ---------------------------------------------------------------- counting */

static int
compare_hits(const void *va, const void *vb)
{
	const struct cp_hit *a = va, *b = vb;
	uint32_t x = a->symbol != NULL ? a->symbol->id : 0;
	uint32_t y = b->symbol != NULL ? b->symbol->id : 0;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (x != y)
		return x < y ? -1 : 1;
	return (a->addr > b->addr) - (a->addr < b->addr);
}

static bool
same_place(const struct cp_hit *a, const struct cp_hit *b)
{
	return a->event == b->event && a->symbol == b->symbol &&
	       a->addr == b->addr;
}

/* Joins hits of one place: frames of several levels may share an address. */
static size_t
merge(struct cp_hit *hits, size_t n)
{
	size_t kept = 0;

	for (size_t i = 1; i < n; i++) {
		if (!same_place(&hits[kept], &hits[i])) {
			hits[++kept] = hits[i];
			continue;
		}
		hits[kept].mass.weight += hits[i].mass.weight;
		hits[kept].mass.weight_sq += hits[i].mass.weight_sq;
		hits[kept].samples += hits[i].samples;
	}
	return n == 0 ? 0 : kept + 1;
}

static struct cp_hit
hit_of(const struct cp_annotate *a, const struct cp_tally_row *row)
{
	cp_frame_id frame = (cp_frame_id)row->b;
	struct cp_hit h = { .symbol = cp_frame_function(a->run, frame),
		.addr = cp_frame_get(a->run, frame)->addr,
		.mass = cp_row_mass(row),
		.samples = row->count,
		.event = (uint32_t)row->a };

	cp_wanted_hit(a, &h, frame);
	return h;
}

/* A page shows heavy functions only, so it needs the hits of no others. */
static struct cp_hit *
find_hits(struct cp_annotate *a, size_t *n)
{
	const struct cp_tally_row *rows;
	size_t all = cp_tally_rows(a->leaves, &rows), k = 0;
	const bool *heavy = NULL;
	struct cp_hit *hits;

	cp_leaves_name(a->run, rows, all);
	if (a->embedded)
		heavy = cp_annotate_heavy(a, rows, all);
	for (size_t i = 0; i < all; i++)
		k += heavy == NULL || heavy[i];
	hits = cp_run_alloc(a->run, (k + 1) * sizeof(*hits));
	k = 0;
	for (size_t i = 0; i < all; i++)
		if (heavy == NULL || heavy[i])
			hits[k++] = hit_of(a, &rows[i]);
	qsort(hits, k, sizeof(*hits), compare_hits);
	k = merge(hits, k);
	*n = 0;
	for (size_t i = 0; i < k; i++)
		if (hits[i].wanted || hits[i].symbol == NULL)
			hits[(*n)++] = hits[i];
	if (a->pattern != NULL)
		cp_wanted_check(a, hits, *n);
	return hits;
}

static int
compare_hot(const void *va, const void *vb)
{
	const struct cp_hot *a = va, *b = vb;
	int c;

	if (a->mass.weight != b->mass.weight)
		return a->mass.weight > b->mass.weight ? -1 : 1;
	c = strcmp(a->symbol->name, b->symbol->name);
	if (c == 0)
		c = (a->symbol->start > b->symbol->start) -
		    (a->symbol->start < b->symbol->start);
	return c != 0 ? c : a->symbol->id < b->symbol->id ? -1 : 1;
}

static void
hot_add(struct cp_hot *h, const struct cp_hit *hit)
{
	h->n++;
	h->mass.weight += hit->mass.weight;
	h->mass.weight_sq += hit->mass.weight_sq;
	h->samples += hit->samples;
}

/*
 * Returns the functions of one event, heaviest first, and sums up samples
 * without a symbol.
 */
static struct cp_hot *
find_functions(struct cp_annotate *a, const struct cp_hit *hits, size_t n,
    size_t *found, struct cp_part *unnamed)
{
	struct cp_hot *hot = cp_run_alloc(a->run, (n + 1) * sizeof(*hot));
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		const struct cp_hit *h = &hits[i];

		if (h->symbol == NULL)
			cp_part_add(unnamed, h);
		if (h->symbol == NULL)
			continue;
		if (k == 0 || hot[k - 1].symbol != h->symbol)
			hot[k++] = (struct cp_hot){ .symbol = h->symbol,
				.inlined = h->inlined,
				.hits = h };
		hot_add(&hot[k - 1], h);
	}
	qsort(hot, k, sizeof(*hot), compare_hot);
	*found = k;
	return hot;
}

/* ----------------------------------------------------------------- showing */

static void
function_row(
    const struct cp_annotate *a, struct cp_table *t, const struct cp_hot *h)
{
	struct cp_part all = { h->mass, h->samples };
	const char *object = cp_word_object(a->run, h->symbol->dso);
	const char *inlined = h->inlined != NULL ? h->inlined->name : "";
	size_t size = strlen(h->symbol->name) + strlen(object) +
		      strlen(inlined) + sizeof(" in  ()");
	char *text = cp_run_alloc(a->run, size);

	snprintf(text, size, "%s%s%s (%s)", inlined,
	    h->inlined != NULL ? " in " : "", h->symbol->name, object);
	cp_table_row(t);
	cp_table_at_code(t, h->symbol->start);
	cp_table_in_object(t, h->symbol->dso);
	cp_annotate_shares(a, t, h, &all);
	if (!a->by_line)
		cp_table_cells(t, "");
	cp_table_cells(t, "", text);
	cp_run_free(a->run, text, size);
}

static struct cp_table *
table_new(const struct cp_annotate *a, struct cp_report *rep, uint32_t event)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_SHARE("Local"), CP_COUNT("Samples") };
	static const struct cp_column_spec columns_2[] = { CP_TEXT("Where"),
		CP_TEXT("Code") };
	struct cp_table *t;

	if (a->embedded) {
		t = cp_report_code(
		    rep, "annotate", cp_event_name(a->run, event), NULL, 0);
	} else {
		t = cp_event_table(&a->groups, rep, "annotate", event);
		cp_table_columns(t, CP_COLUMNS(columns));
	}
	cp_table_listing(t);
	if (!a->by_line)
		cp_table_column(t, CP_TEXT("Address"));
	cp_table_columns(t, CP_COLUMNS(columns_2));
	return t;
}

static void
count_unnamed(
    struct cp_annotate *a, uint32_t event, const struct cp_part *unnamed)
{
	if (unnamed->samples != 0)
		cp_event_shares_add(&a->unnamed, a->run, event,
		    unnamed->mass.weight,
		    cp_groups_whole(&a->groups, event).mass.weight);
}

/* Adds code of functions above the share to the page, if it is available. */
static void
event_embed(struct cp_annotate *a, struct cp_report *rep, struct cp_hot *hot,
    size_t n, uint32_t event)
{
	struct cp_table *t = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!cp_annotate_is_heavy(a, hot[i].mass.weight, event))
			return;
		hot[i].code = cp_annotate_code(a, &hot[i]);
		if (hot[i].code.why != NULL)
			continue;
		if (t == NULL)
			t = table_new(a, rep, event);
		function_row(a, t, &hot[i]);
		cp_annotate_listing(a, t, &hot[i]);
	}
}

static void
event_show(struct cp_annotate *a, struct cp_report *rep,
    const struct cp_hit *hits, size_t n)
{
	struct cp_part unnamed = { 0 };
	size_t k, i, shown;
	struct cp_hot *hot = find_functions(a, hits, n, &k, &unnamed);
	uint64_t rest = 0;
	struct cp_table *t;

	if (a->embedded) {
		event_embed(a, rep, hot, k, hits->event);
		return;
	}
	count_unnamed(a, hits->event, &unnamed);
	if (k == 0)
		return;
	if (a->pattern != NULL)
		cp_wanted_note(a, rep, hits, n);
	shown = a->top == 0 || a->top > k ? k : (size_t)a->top;
	for (i = 0; i < shown; i++)
		hot[i].code = cp_annotate_code(a, &hot[i]);
	cp_annotate_hottest(a, rep, hot, shown);
	t = table_new(a, rep, hits->event);
	for (i = 0; i < shown; i++) {
		function_row(a, t, &hot[i]);
		(a->by_line ? cp_annotate_lines : cp_annotate_listing)(
		    a, t, &hot[i]);
	}
	for (size_t j = i; j < k; j++)
		rest += hot[j].mass.weight;
	if (i < k)
		cp_table_rest(t, k - i, rest);
}

/*
 * Shows the table of `event`, if this is set; else the tables of all other
 * events.
 */
static void
events_show(struct cp_annotate *a, struct cp_report *rep,
    const struct cp_hit *hits, size_t n, uint32_t event, bool this)
{
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		for (end = i; end < n && hits[end].event == hits[i].event;)
			end++;
		if ((hits[i].event == event) == this &&
		    cp_event_counts(a->run, hits[i].event))
			event_show(a, rep, hits + i, end - i);
	}
}

/* Code without a name has no row, so no interval. */
static bool
any_named(const struct cp_hit *hits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (hits[i].symbol != NULL)
			return true;
	return false;
}

static int
annotate_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct annotate *all = state;
	struct cp_annotate *a = &all->rows;
	const struct cp_tally_row *rows;
	const struct cp_hit *hits;
	uint32_t first;
	size_t n;

	cp_groups_count_events(&a->groups, a->leaves);
	hits = find_hits(a, &n);
	first = cp_groups_main_event(&a->groups);
	if (a->embedded) {
		events_show(a, rep, hits, n, first, true);
		events_show(a, rep, hits, n, first, false);
		return CP_OK;
	}
	a->dispersion = cp_precision_typical_all(&all->precision);
	events_show(a, rep, hits, n, first, true);
	events_show(a, rep, hits, n, first, false);
	if (a->unnamed.text[0] != '\0')
		cp_report_note(rep,
		    "%s fell in code without a name, which is not shown here; "
		    "`coldperf quality` says whose it is",
		    a->unnamed.text);
	cp_annotate_files(a, rep);
	if (cp_tally_rows(a->leaves, &rows) == 0)
		cp_report_note(rep, "no samples");
	if (a->kernel)
		cp_report_note(rep,
		    "a kernel's instructions are those of its file; a kernel "
		    "changes some of them when it starts and while it runs");
	if (any_named(hits, n))
		cp_precision_note(&all->precision, rep);
	return CP_OK;
}

static const struct cp_option annotate_options[] = {
	{ "function", "SYMBOL", NULL,
	    "only this function, or those of a pattern or /regex/; may follow "
	    "CAPTURE" },
	{ "top", "N", "5", "show the N heaviest functions, 0: all" },
	{ "context", "N", "5",
	    "instructions shown before and after each with samples" },
	{ "all", NULL, NULL, "every instruction of the functions" },
	{ "by", "WHAT", "address",
	    "rows are instructions (address), or source lines (line)" },
	{ "show", "WHAT", "both", "both, asm or source" },
	{ "syntax", "STYLE", "att", "of x86: att or intel" },
	CP_PRECISION_OPTION,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(annotate) = {
	.abi = CP_ABI,
	.name = "annotate",
	.summary = "instructions and source lines of the heaviest functions",
	.wants = CP_WANT_SAMPLES | CP_WANT_NAMES,
	.options = annotate_options,
	.state_size = sizeof(struct annotate),
	.begin = annotate_begin,
	.sample = annotate_sample,
	.finish = annotate_finish,
};
