/* SPDX-License-Identifier: MIT */
/*
 * faults: page faults, by thread, by the code that caused them and by the data
 * they touched.
 *
 * From the software events page-faults, minor-faults and major-faults, or from
 * exceptions:page_fault_user and page_fault_kernel, each counted apart. The
 * touched data are known if addresses were recorded, and have names if the
 * mappings of data were recorded too (perf record -d).  These events do not
 * tell how long a fault took: `offcpu' shows the time spent waiting.
 */
#include <coldperf/plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/options.h"
#include "analyses/common/record-hint.h"
#include "analyses/common/sample-groups.h"
#include "analyses/common/stack-tree.h"

#define TYPE_SOFTWARE 1u
#define PAGE_FAULTS 2u
#define PAGE_FAULTS_MIN 5u
#define PAGE_FAULTS_MAJ 6u
#define PAGE_BITS 12
#define SAMPLE_ADDR (1u << 3) /* of cp_evsel.sample_type */

enum { ADDRESS, ERROR_CODE, IP };

static const struct cp_probe probes[] = {
	{ "exceptions:page_fault_user", { "address", "error_code", "ip" } },
	{ "exceptions:page_fault_kernel", { "address", "error_code", "ip" } },
	{ NULL, { NULL } },
};

struct faults {
	struct cp_run *run;
	struct cp_probes probes;
	struct cp_groups events, threads;
	struct cp_tally *stacks;    /* group of events, stack */
	struct cp_tally *by_thread; /* group of threads, 0 */
	struct cp_tally *code;      /* event, frame */
	struct cp_tally *touched;   /* event, object */
	struct cp_tally *kinds;     /* event, error code */
	struct cp_index pages;      /* (page, process) */
	uint64_t addresses;         /* samples that have an address */
};

static int
faults_begin(struct cp_run *run, void *state)
{
	struct faults *f = state;

	f->run = run;
	cp_probes_init(&f->probes, run, probes);
	cp_groups_init(&f->events, run, 0, 0);
	cp_groups_init(&f->threads, run,
	    1u << CP_BY_COMM | 1u << CP_BY_PID | 1u << CP_BY_TID, 0);
	f->stacks = cp_tally_new(run);
	f->by_thread = cp_tally_new(run);
	f->code = cp_tally_new(run);
	f->touched = cp_tally_new(run);
	f->kinds = cp_tally_new(run);
	cp_index_init(&f->pages, run);
	return CP_OK;
}

static bool
is_software(const struct cp_run *run, uint32_t event)
{
	const struct cp_evsel *e = cp_run_evsel(run, event);

	return e->type == TYPE_SOFTWARE && !e->dummy &&
	       (e->config == PAGE_FAULTS || e->config == PAGE_FAULTS_MIN ||
		   e->config == PAGE_FAULTS_MAJ);
}

static void
touch(struct faults *f, const struct cp_sample *s, uint64_t addr)
{
	uint64_t page = addr >> PAGE_BITS;
	cp_frame_id id =
	    cp_sample_frame(f->run, s, page << PAGE_BITS, CP_LEVEL_UNKNOWN);
	const struct cp_frame *frame = cp_frame_get(f->run, id);

	f->addresses++;
	/* The kernel's pages are the same in all processes. */
	(void)cp_index_put(&f->pages, page,
	    frame->level == CP_LEVEL_KERNEL ? CP_NO_ID : s->pid);
	cp_tally_add(f->touched, s->evsel, frame->dso, s->weight);
}

static int
faults_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct faults *f = state;
	const struct cp_probe_at *p = cp_probes_of(&f->probes, s);
	cp_frame_id frame = cp_stack_frame(run, s->stack);
	uint64_t addr = s->addr, code, ip;
	bool located;

	if (p == NULL && !is_software(run, s->evsel))
		return CP_OK;
	cp_tally_add(
	    f->stacks, cp_groups_add(&f->events, s), s->stack, s->weight);
	cp_tally_add(f->by_thread, cp_groups_add(&f->threads, s), 0, s->weight);
	/* Address 0 is touched, too: by a null pointer. */
	located = addr != 0 ||
		  (p == NULL && (cp_run_evsel(run, s->evsel)->sample_type &
				    SAMPLE_ADDR) != 0);
	if (p != NULL) {
		located |= cp_probe_u64(p, ADDRESS, s, &addr);
		if (cp_probe_u64(p, ERROR_CODE, s, &code))
			cp_tally_add(f->kinds, s->evsel, code, s->weight);
		if (cp_probe_u64(p, IP, s, &ip))
			frame = cp_sample_frame(run, s, ip, CP_LEVEL_UNKNOWN);
	}
	cp_tally_add(f->code, s->evsel, frame, s->weight);
	if (located)
		touch(f, s, addr);
	return CP_OK;
}

/* ------------------------------------------------------------------ finish */

struct line {
	const char *object, *symbol;
	uint64_t weight, event, key;
};

static int
compare_lines(const void *va, const void *vb)
{
	const struct line *a = va, *b = vb;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	if (strcmp(a->object, b->object) != 0)
		return strcmp(a->object, b->object);
	if (strcmp(a->symbol, b->symbol) != 0)
		return strcmp(a->symbol, b->symbol);
	return (a->key > b->key) - (a->key < b->key);
}

struct lines {
	struct line *all;
	uint32_t n;
};

static void
line_add(struct lines *l, uint64_t event, uint64_t key, const char *object,
    const char *symbol, const struct cp_tally_row *row)
{
	l->all[l->n++] =
	    (struct line){ object, symbol, row->weight, event, key };
}

/* Shows the first `top` lines of each event. */
static void
show_lines(struct faults *f, struct cp_table *t, struct lines *l,
    void (*cells)(struct faults *, struct cp_table *, const struct line *))
{
	uint64_t top = cp_run_option_u64(f->run, "top");
	uint64_t rest = 0, rows = 0, shown = 0;

	qsort(l->all, l->n, sizeof(*l->all), compare_lines);
	for (uint32_t i = 0; i < l->n; i++) {
		if (i != 0 && l->all[i].event != l->all[i - 1].event)
			shown = 0;
		if (top != 0 && shown++ >= top) {
			rest += l->all[i].weight;
			rows++;
			continue;
		}
		cp_table_add(t,
		    cp_event_name(f->run, (uint32_t)l->all[i].event),
		    l->all[i].weight);
		cells(f, t, &l->all[i]);
	}
	if (rows != 0)
		cp_table_rest(t, rows, rest);
}

static struct cp_table *
lines_table(struct cp_report *rep, const char *slug, const char *title)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Event"),
		CP_WEIGHT("Faults") };
	struct cp_table *t =
	    cp_report_table(rep, slug, title, CP_COLUMNS(columns));

	return t;
}

static void
thread_cells(struct faults *f, struct cp_table *t, const struct line *l)
{
	cp_table_cells(t, cp_by_cell(&f->threads, CP_BY_COMM, (uint32_t)l->key),
	    cp_by_cell(&f->threads, CP_BY_PID, (uint32_t)l->key),
	    cp_by_cell(&f->threads, CP_BY_TID, (uint32_t)l->key));
}

static void
show_threads(struct faults *f, struct cp_report *rep)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(f->by_thread, &rows);
	struct lines l = { cp_run_alloc(f->run, n * sizeof(*l.all)), 0 };
	struct cp_table *t = lines_table(rep, "faults", "Faults by thread");

	cp_by_columns(NULL, t, CP_BY_COMM);
	cp_by_columns(NULL, t, CP_BY_PID);
	cp_by_columns(NULL, t, CP_BY_TID);
	for (size_t i = 0; i < n; i++)
		line_add(&l, f->threads.all[rows[i].a].v[CP_BY_EVENT],
		    rows[i].a, "", "", &rows[i]);
	show_lines(f, t, &l, thread_cells);
}

static void
code_cells(struct faults *f, struct cp_table *t, const struct line *l)
{
	cp_table_cells(t, l->object, l->symbol);
}

/* Returns the line for these texts; rows of the same event share it. */
static struct line *
words_line(struct faults *f, struct lines *l, struct cp_index *x,
    uint64_t event, const char *object, const char *symbol)
{
	uint32_t i = cp_index_put(x,
	    (uint64_t)cp_run_intern(f->run, object) << 32 |
		cp_run_intern(f->run, symbol),
	    event);

	if (i == l->n)
		l->all[l->n++] = (struct line){
			.object = object, .symbol = symbol, .event = event
		};
	return &l->all[i];
}

static struct line *
code_line(struct faults *f, struct lines *l, struct cp_index *x, uint64_t event,
    cp_frame_id frame)
{
	const struct cp_symbol *sym =
	    frame != 0 ? cp_frame_symbol(f->run, frame) : NULL;

	return words_line(f, l, x, event,
	    frame != 0
		? cp_word_object(f->run, cp_frame_get(f->run, frame)->dso)
		: "[unknown]",
	    sym != NULL ? sym->name : "[unknown]");
}

/* Sums by the symbol and object of the frame that faulted. */
static void
show_code(struct faults *f, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Object"),
		CP_TEXT("Symbol") };
	struct cp_table *t = lines_table(
	    rep, "fault-code", "Faults by the code that caused them");
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(f->code, &rows);
	struct lines l = { cp_run_alloc(f->run, n * sizeof(*l.all)), 0 };
	cp_frame_id *frames = cp_run_alloc(f->run, n * sizeof(*frames));
	struct cp_index x;

	cp_index_init(&x, f->run);
	for (size_t i = 0; i < n; i++)
		frames[i] = (cp_frame_id)rows[i].b;
	cp_run_name_frames(f->run, frames, n);
	cp_table_columns(t, CP_COLUMNS(columns));
	for (size_t i = 0; i < n; i++)
		code_line(f, &l, &x, rows[i].a, frames[i])->weight +=
		    rows[i].weight;
	show_lines(f, t, &l, code_cells);
}

static void
text_cells(struct faults *f, struct cp_table *t, const struct line *l)
{
	cp_table_cells(t, l->object);
}

static void
show_touched(struct faults *f, struct cp_report *rep)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(f->touched, &rows);
	struct lines l = { cp_run_alloc(f->run, n * sizeof(*l.all)), 0 };
	struct cp_index x;
	struct cp_table *t;

	if (n == 0)
		return;
	cp_index_init(&x, f->run);
	t = lines_table(rep, "fault-memory", "Faults by what they touched");
	cp_table_column(t, CP_TEXT("Object"));
	/* Each process has its own anonymous objects. */
	for (size_t i = 0; i < n; i++)
		words_line(f, &l, &x, rows[i].a,
		    cp_word_path(f->run, (uint32_t)rows[i].b), "")
		    ->weight += rows[i].weight;
	show_lines(f, t, &l, text_cells);
}

/* Puts the bits of x86's error code into words. */
static const char *
kind_text(struct faults *f, uint64_t code)
{
	char text[96];

	snprintf(text, sizeof(text), "%s by %s code, %s",
	    code & 16  ? "execution"
	    : code & 2 ? "write"
		       : "read",
	    code & 4 ? "user" : "kernel",
	    code & 1 ? "the page is protected" : "no page is there");
	return cp_run_string(f->run, cp_run_intern(f->run, text));
}

static void
show_kinds(struct faults *f, struct cp_report *rep)
{
	const char *arch = cp_run_fact(f->run, "arch");
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(f->kinds, &rows);
	struct lines l = { cp_run_alloc(f->run, n * sizeof(*l.all)), 0 };
	struct cp_table *t;

	if (n == 0 || arch == NULL ||
	    (strcmp(arch, "x86_64") != 0 && strcmp(arch, "i686") != 0))
		return;
	t = lines_table(rep, "fault-kinds", "Faults by kind of access");
	cp_table_column(t, CP_TEXT("Access"));
	for (size_t i = 0; i < n; i++)
		line_add(&l, rows[i].a, rows[i].b, kind_text(f, rows[i].b), "",
		    &rows[i]);
	show_lines(f, t, &l, text_cells);
}

/* Makes a tree of the stacks of the main event. */
static void
show_stacks(struct faults *f, const struct cp_tally_row *rows, size_t n,
    struct cp_report *rep)
{
	uint32_t event = cp_groups_main_event(&f->events);
	struct cp_stacktree tree;

	if (event == CP_NO_ID)
		return;
	cp_report_event(rep, cp_event_name(f->run, event));
	cp_stacktree_init(&tree, f->run,
	    cp_report_tree(rep, "fault-stacks", "Stacks by faults"));
	for (size_t i = 0; i < n; i++)
		if (f->events.all[rows[i].a].v[CP_BY_EVENT] == event)
			cp_stacktree_add(&tree,
			    cp_stacktree_stack(
				&tree, 0, (cp_stack_id)rows[i].b, 0),
			    rows[i].weight, rows[i].count);
	cp_stacktree_finish(&tree);
	cp_groups_note_others(&f->events, rep, event);
}

/* Notes that there is nothing to show, and why. */
static void
note_nothing(const struct cp_run *run, struct cp_report *rep)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (is_software(run, i) ||
		    cp_probes_find(run, probes, i) != CP_NO_ID) {
			cp_report_note(rep,
			    "no sample of %.200s is left, by the filters or "
			    "because there was none",
			    cp_run_evsel(run, i)->name);
			return;
		}
	cp_recipe_note(rep, "page faults", CP_ADVICE_faults);
}

static int
faults_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct faults *f = state;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(f->stacks, &rows);
	struct cp_word words[2];

	if (n == 0) {
		note_nothing(run, rep);
		return CP_OK;
	}
	cp_rows_name(run, rows, n);
	show_threads(f, rep);
	show_code(f, rep);
	show_touched(f, rep);
	show_kinds(f, rep);
	show_stacks(f, rows, n, rep);
	if (f->addresses != 0)
		cp_report_note(rep,
		    "samples with an address: %s, in %s different pages",
		    cp_word_count(&words[0], f->addresses),
		    cp_word_count(&words[1], f->pages.n));
	return CP_OK;
}

static const struct cp_option faults_options[] = {
	{ "top", "N", "20", "show N of each table and event, 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(faults) = {
	.abi = CP_ABI,
	.name = "faults",
	.summary = "page faults by thread, code and memory",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_SPOTS | CP_WANT_RAW,
	.options = faults_options,
	.state_size = sizeof(struct faults),
	.begin = faults_begin,
	.sample = faults_sample,
	.finish = faults_finish,
};
