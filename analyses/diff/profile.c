/* SPDX-License-Identifier: MIT */
#include "analyses/diff/profile.h"

#include <stdio.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"

#define MAX_NAME 4096

void
cp_diff_profiles_init(struct cp_diff_profiles *p, struct cp_run *run)
{
	*p = (struct cp_diff_profiles){ .run = run };
	cp_index_init(&p->texts, run);
	cp_index_init(&p->keys, run);
}

char *
cp_diff_copy(struct cp_run *run, const char *s, size_t n)
{
	return memcpy(cp_run_alloc(run, n + 1), s, n);
}

static uint64_t
hash(const char *s, size_t n, uint64_t h)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return h ^ h >> 29;
}

/* Returns the number of a text, which is copied. */
static uint32_t
text_number(struct cp_diff_profiles *p, const char *s, size_t n)
{
	uint32_t number =
	    cp_index_put(&p->texts, hash(s, n, UINT64_C(0xcbf29ce484222325)),
		hash(s, n, UINT64_C(0x9ae16a3b2f90404f)));

	cp_grow_to(p->run, p->text, &p->text_cap, number);
	if (p->text[number] == NULL)
		p->text[number] = cp_diff_copy(p->run, s, n);
	return number;
}

uint32_t
cp_diff_text(struct cp_diff_profiles *p, const char *s)
{
	return text_number(p, s, strlen(s));
}

/*
 * Returns the length without suffixes of compiler-made copies: foo.isra.0.cold
 * is foo.
 */
static size_t
plain_length(const char *name)
{
	static const char *const mark[] = { ".part.", ".isra.", ".constprop.",
		".cold", ".lto_priv.", ".llvm.", " [clone " };
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof(mark) / sizeof(mark[0]); i++) {
		const char *at = strstr(name, mark[i]);

		if (at != NULL && at != name && (size_t)(at - name) < n)
			n = (size_t)(at - name);
	}
	return n < MAX_NAME ? n : MAX_NAME;
}

static bool
in_version(char c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

/*
 * Writes libfoo.so for libfoo-1.2.so.3.4, and perf-PID.map for the code that
 * any process made; out has room for MAX_NAME.
 */
static void
plain_object(const char *object, char *out)
{
	const char *so = strstr(object, ".so");
	size_t n;

	if (strncmp(object, "perf-", 5) == 0 &&
	    strcmp(object + 5 + strspn(object + 5, "0123456789"), ".map") == 0)
		object = "perf-PID.map";
	if (object[0] == '[' || so == NULL || so == object) {
		snprintf(out, MAX_NAME, "%.4000s", object);
		return;
	}
	n = (size_t)(so - object);
	while (n > 1 && in_version(object[n - 1]))
		n--;
	snprintf(out, MAX_NAME, "%.*s.so", (int)(n < 4000 ? n : 4000), object);
}

/*
 * True for names of the kernels' interrupt entries, but not of fault handlers.
 */
static bool
enters_interrupt(const char *name)
{
	static const char *const start[] = { "asm_sysvec_", "sysvec_",
		"asm_common_interrupt", "common_interrupt", "ret_from_intr",
		"apic_timer_interrupt", "smp_apic_timer_interrupt", "do_IRQ",
		"el0_irq", "el1_irq", "el0t_64_irq", "el1h_64_irq",
		"el0_interrupt", "el1_interrupt", "gic_handle_irq" };

	for (size_t i = 0; i < sizeof(start) / sizeof(start[0]); i++)
		if (strncmp(name, start[i], strlen(start[i])) == 0)
			return true;
	return false;
}

uint32_t
cp_diff_symbol_number(struct cp_diff_profiles *p, cp_frame_id id)
{
	const struct cp_frame *f = cp_frame_get(p->run, id);
	const struct cp_symbol *sym = cp_frame_symbol(p->run, id);
	char object[MAX_NAME], unnamed[MAX_NAME + 2];
	const char *name = sym != NULL ? sym->name : unnamed;
	uint32_t text, in, number;

	plain_object(cp_word_object(p->run, f->dso), object);
	/* What has no name is called as its object. */
	snprintf(
	    unnamed, sizeof(unnamed), object[0] == '[' ? "%s" : "[%s]", object);
	text = text_number(p, name, plain_length(name));
	in = cp_diff_text(p, object);
	number = cp_index_put(&p->keys, text, in);
	cp_grow_to(p->run, p->symbol, &p->symbol_cap, number);
	if (p->symbol[number].name == NULL)
		p->symbol[number] = (struct cp_diff_symbol){ .name =
								 p->text[text],
			.object = p->text[in],
			.kind = (uint8_t)cp_word_kind(p->run, f, sym),
			.interrupt = f->level == CP_LEVEL_KERNEL &&
				     enters_interrupt(name),
			.lost_caller = strcmp(name, CP_DIFF_LOST_CALLER) == 0,
			.addr = sym != NULL ? sym->start : 0,
			.same = number };
	return number;
}

uint32_t
cp_diff_symbol_put(
    struct cp_diff_profiles *p, const char *name, const char *object)
{
	uint32_t text = cp_diff_text(p, name), in = cp_diff_text(p, object);
	uint32_t number = cp_index_put(&p->keys, text, in);

	cp_grow_to(p->run, p->symbol, &p->symbol_cap, number);
	if (p->symbol[number].name == NULL)
		p->symbol[number] =
		    (struct cp_diff_symbol){ .name = p->text[text],
			    .object = p->text[in],
			    .kind = CP_KIND_UNKNOWN,
			    .same = number };
	return number;
}

/* ---------------------------------------------------------------- profiles */

static double
lost_part(const struct cp_run *run)
{
	double lost = (double)cp_run_lost(run);
	double had = (double)cp_run_quality(run)->samples;

	return had > 0 ? lost / (lost + had) : 0;
}

/*
 * Measures the window of --time that the capture covers; adds it to the name.
 */
static void
measure(struct cp_run *run, struct cp_diff_profile *pr)
{
	const struct cp_quality *q = cp_run_quality(run);
	uint64_t from, to, start = cp_run_start(run);
	char text[MAX_NAME];

	pr->lost = lost_part(run);
	if (q->first_time == CP_NO_TIME)
		return;
	cp_run_window(run, &from, &to);
	from = from > q->first_time ? from : q->first_time;
	to = to < q->last_time ? to : q->last_time;
	if (to < from)
		to = from;
	pr->duration = (double)cp_run_window_length(run) / 1e9;
	if (from == q->first_time && to == q->last_time)
		return;
	if (pr->duration < (double)(to - from) / 1e9)
		snprintf(text, sizeof(text), "%.4000s, %.3f s of its captures",
		    pr->name, pr->duration);
	else
		snprintf(text, sizeof(text), "%.4000s, +%.3f ... +%.3f s",
		    pr->name, (double)(int64_t)(from - start) / 1e9,
		    (double)(int64_t)(to - start) / 1e9);
	pr->name = cp_diff_copy(run, text, strlen(text));
}

bool
cp_diff_has_event(struct cp_diff_profiles *p, const struct cp_diff_profile *pr,
    const char *name)
{
	uint32_t number = cp_diff_text(p, name);

	for (uint32_t i = 0; i < pr->n_events; i++)
		if (pr->events[i] == number)
			return true;
	return false;
}

static void
list_events(
    struct cp_diff_profiles *p, struct cp_diff_profile *pr, uint32_t event)
{
	uint32_t n = cp_run_evsel_count(p->run);

	pr->events = cp_run_alloc(p->run, n * sizeof(*pr->events));
	for (uint32_t i = 0; i < n; i++) {
		const char *name = cp_run_evsel(p->run, i)->name;

		if (cp_run_event_of(p->run, i) == event &&
		    cp_run_keeps_event(p->run, i))
			pr->events[pr->n_events++] = cp_diff_text(p, name);
	}
}

static void
describe(struct cp_diff_profiles *p, struct cp_diff_profile *pr, uint32_t event)
{
	struct cp_run *run = p->run;
	const char *path = cp_run_fact(run, "path");

	pr->name = path != NULL ? cp_diff_copy(run, path, strlen(path)) : "";
	pr->covers = cp_diff_coverage_of(run);
	pr->event = "";
	if (event != CP_NO_ID) {
		const char *name = cp_run_event_name(run, event);

		pr->event = cp_diff_copy(run, name, strlen(name));
		list_events(p, pr, event);
		pr->by_frequency = cp_run_evsel(run, event)->freq;
		pr->several_rates = cp_run_evsel(run, event)->rates;
		pr->rate = cp_run_evsel(run, event)->sample_period;
	}
	measure(run, pr);
}

static void
mark(struct cp_diff_profile *pr, struct cp_run *run, uint32_t node,
    cp_frame_id id)
{
	enum cp_guess how = cp_frame_guess(cp_frame_get(run, id));

	if (how == CP_GUESS_NONE)
		return;
	if (pr->guess == NULL)
		pr->guess = cp_run_alloc(run, pr->n);
	pr->guess[node] = (uint8_t)how;
}

static void
fill_paths(struct cp_diff_profiles *p, struct cp_diff_profile *pr,
    const struct cp_tally_row *rows, size_t n, uint32_t event)
{
	struct cp_paths paths;
	uint32_t *number;

	cp_rows_name(p->run, rows, n);
	cp_paths_build(&paths, p->run, rows, n);
	pr->n = paths.n;
	pr->parent = paths.parent;
	pr->symbol = cp_run_alloc(p->run, paths.n * sizeof(*pr->symbol));
	pr->self = cp_run_alloc(p->run, paths.n * sizeof(*pr->self));
	pr->self_sq = cp_run_alloc(p->run, paths.n * sizeof(*pr->self_sq));
	pr->count = cp_run_alloc(p->run, paths.n * sizeof(*pr->count));
	pr->interrupted = cp_run_alloc(p->run, paths.n);
	/* Numbers each frame's function once. */
	number = cp_run_alloc(p->run, (paths.frames + 1) * sizeof(*number));
	for (uint32_t i = 1; i < paths.n; i++) {
		cp_frame_id f = paths.frame[i];

		if (number[f] == 0)
			number[f] = cp_diff_symbol_number(p, f) + 1;
		pr->symbol[i] = number[f] - 1;
		mark(pr, p->run, i, f);
		pr->interrupted[i] = pr->interrupted[pr->parent[i]] ||
				     p->symbol[pr->symbol[i]].interrupt;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t at = paths.at[rows[i].b];

		if (rows[i].a != event)
			continue;
		pr->self[at] += (double)rows[i].weight;
		pr->self_sq[at] += rows[i].weight_sq;
		pr->count[at] += rows[i].count;
		pr->weight += (double)rows[i].weight;
		pr->weight_sq += rows[i].weight_sq;
		pr->samples += rows[i].count;
	}
}

struct cp_diff_profile *
cp_diff_profiles_add(
    struct cp_diff_profiles *p, uint32_t event, const struct cp_tally *stacks)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(stacks, &rows);
	struct cp_diff_profile *pr;

	cp_grow_to(p->run, p->all, &p->cap, p->n);
	pr = &p->all[p->n++];
	describe(p, pr, event);
	fill_paths(p, pr, rows, n, event);
	return pr;
}

const struct cp_diff_profile *
cp_diff_first(const struct cp_diff_profiles *p)
{
	for (uint32_t r = 0; r < p->n; r++)
		if (p->all[r].samples != 0)
			return &p->all[r];
	return NULL;
}

/* Adds the weight of a symbol by its callers; returns the sum. */
static double
add_callers(const struct cp_diff_profiles *p, const struct cp_diff_profile *pr,
    uint32_t symbol, double *by, uint32_t *best)
{
	double all = 0;

	for (uint32_t i = 1; i < pr->n; i++) {
		uint32_t up = pr->parent[i], caller;

		if (p->symbol[pr->symbol[i]].same != symbol)
			continue;
		all += pr->self[i];
		if (up == 0)
			continue;
		caller = p->symbol[pr->symbol[up]].same;
		by[caller] += pr->self[i];
		if (*best == CP_NO_ID || by[caller] > by[*best])
			*best = caller;
	}
	return all;
}

uint32_t
cp_diff_caller(const struct cp_diff_profiles *p, uint32_t symbol, uint32_t from,
    uint32_t to, double *by)
{
	uint32_t best = CP_NO_ID;
	double all = 0;
	bool nearly;

	for (uint32_t r = from; r < to; r++)
		all += add_callers(p, &p->all[r], symbol, by, &best);
	nearly = best != CP_NO_ID && best != symbol && by[best] > 0.9 * all;
	memset(by, 0, p->keys.n * sizeof(*by));
	return nearly ? best : CP_NO_ID;
}
