/* SPDX-License-Identifier: MIT */
/* sentences: what differs, largest first, and the numbers of all that does. */
#include "analyses/explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/event.h"
#include "analyses/common/label.h"

#define SENTENCES 7u
#define OF_A_KIND 2u  /* sentences of one kind, at most */
#define NEAR 0.85     /* two functions of one call path differ by less */
#define FAULT_NS 1000 /* of a page fault, to order it among times */

static const struct {
	const char *about, *what, *command;
} words[CP_EXPLAIN_KINDS] = {
	[CP_EXPLAIN_ALL] = { "on CPU", "the threads ran", "report" },
	[CP_EXPLAIN_SELF] = { "function", "%s ran", "annotate %s" },
	[CP_EXPLAIN_UNDER] = { "with callees", "%s, with what it calls, ran",
	    "hotspots --callees %s" },
	[CP_EXPLAIN_CPU] = { "CPU", "CPU %s was busy", "hotspots --cpu %s" },
	[CP_EXPLAIN_SAMPLED] = { "command", "%s ran", "hotspots --comm %s" },
	[CP_EXPLAIN_CGROUP] = { "cgroup", "cgroup %s ran",
	    "hotspots --cgroup %s" },
	[CP_EXPLAIN_FAULTS] = { "faults", "%s came", "faults" },
	[CP_EXPLAIN_RAN] = { "command", "%s ran", "wall --comm %s" },
	[CP_EXPLAIN_WAIT] = { "blocked", "threads were blocked: %s,",
	    "offcpu" },
	[CP_EXPLAIN_READY] = { "ready", "threads waited for a CPU", "sched" },
	[CP_EXPLAIN_WAKER] = { "waker", "waits that %s ended took",
	    "critical --waits 5" },
};

/* ns that one of the weight stands for; 0: it is no time. */
static double
unit_of(const struct cp_explain *e, enum cp_explain_kind kind)
{
	if (kind == CP_EXPLAIN_FAULTS)
		return 0;
	if (kind > CP_EXPLAIN_FAULTS)
		return 1;
	return cp_event_interval(cp_run_evsel(e->run, e->event));
}

/* How much it matters: ns of each second, more or less. */
static double
size_of(const struct cp_explain *e, const struct cp_explain_row *r)
{
	double unit = unit_of(e, r->kind);

	if (unit <= 0)
		unit = r->kind == CP_EXPLAIN_FAULTS ? FAULT_NS : 1e6;
	return fabs(r->gain) * unit;
}

struct sized {
	const struct cp_explain_row *row;
	double size;
};

/* Of equals, that of the function itself comes last. */
static int
compare_sizes(const void *va, const void *vb)
{
	const struct sized *a = va, *b = vb;

	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	if (a->row->kind != b->row->kind)
		return a->row->kind < b->row->kind ? 1 : -1;
	return (a->row->name > b->row->name) - (a->row->name < b->row->name);
}

static bool
is_code(const struct cp_explain_row *r)
{
	return r->kind == CP_EXPLAIN_SELF || r->kind == CP_EXPLAIN_UNDER;
}

/* Does a function that is called below it say nearly all of it? */
static bool
is_caller(const struct sized *all, size_t n, size_t i)
{
	if (all[i].row->kind != CP_EXPLAIN_UNDER)
		return false;
	for (size_t k = i + 1; k < n && all[k].size >= NEAR * all[i].size; k++)
		if (is_code(all[k].row) &&
		    (all[k].row->gain > 0) == (all[i].row->gain > 0))
			return true;
	return false;
}

/* "620 ms of each second", "1,200 a second". */
static const char *
rate_text(const struct cp_explain *e, const struct cp_explain_row *r,
    double weight, double bins, char *buf, size_t size)
{
	double unit = unit_of(e, r->kind);
	double a_second = weight / bins * 1e9 / (double)e->buckets.width;
	double ns = a_second * unit;
	struct cp_word word;

	if (unit > 0)
		(void)snprintf(buf, size, "%.3g %s of each second",
		    ns / (ns >= 1e9      ? 1e9
			     : ns >= 1e6 ? 1e6
					 : 1e3),
		    ns >= 1e9   ? "s"
		    : ns >= 1e6 ? "ms"
				: "us");
	else
		(void)snprintf(buf, size, "%s%s a second",
		    cp_word_count(&word, (uint64_t)a_second),
		    r->kind == CP_EXPLAIN_FAULTS ? "" : " samples");
	return buf;
}

/* Puts the name where the pattern has a %s. */
static void
fill(char *buf, size_t size, const char *pattern, const char *name)
{
	const char *at = strstr(pattern, "%s");

	if (at == NULL)
		(void)snprintf(buf, size, "%s", pattern);
	else
		(void)snprintf(buf, size, "%.*s%.280s%s", (int)(at - pattern),
		    pattern, name, at + 2);
}

static const char *
sentence(const struct cp_explain *e, const struct cp_explain_row *r, char *buf,
    size_t size)
{
	char what[420], slow[80], normal[80], times[80] = "", chance[40];
	const char *name =
	    cp_run_name_short(e->run, cp_run_string(e->run, r->name));

	fill(what, sizeof(what), words[r->kind].what, name);
	(void)rate_text(e, r, r->slow, e->slow_bins, slow, sizeof(slow));
	(void)rate_text(
	    e, r, r->normal, e->normal_bins, normal, sizeof(normal));
	if (r->lo <= r->hi)
		(void)snprintf(times, sizeof(times),
		    ", %.2g times as much (%.2g to %.2g)", r->ratio, r->lo,
		    r->hi);
	if (r->p < 0.001)
		(void)snprintf(chance, sizeof(chance), "p < 0.001");
	else
		(void)snprintf(chance, sizeof(chance), "p = %.2g", r->p);
	(void)snprintf(buf, size, "%s %s, normally %s%s; %s", what,
	    r->slow > 0 ? slow : "not at all",
	    r->normal > 0 ? normal : "not at all", times, chance);
	return buf;
}

/* The longest slow window, as --time takes it. */
static void
longest(const struct cp_explain *e, char *buf, size_t size)
{
	uint32_t at = 0, most = 0, n = 0;

	for (uint32_t i = 0; i < e->n_bins; i++) {
		n = e->block[i] == CP_EXPLAIN_SLOW ? n + 1 : 0;
		if (n > most) {
			most = n;
			at = i + 1 - n;
		}
	}
	(void)snprintf(buf, size, "--time %.6f,%.6f",
	    (double)(e->origin + at * e->buckets.width) / 1e9,
	    (double)(e->origin + (at + (uint64_t)most) * e->buckets.width) /
		1e9);
}

static const char *
command(const struct cp_explain *e, const struct cp_explain_row *r, char *buf,
    size_t size)
{
	char what[300], window[80], name[200];

	longest(e, window, sizeof(window));
	(void)snprintf(name, sizeof(name), "'%.190s'",
	    r->kind == CP_EXPLAIN_UNDER || r->kind == CP_EXPLAIN_SELF
		? cp_run_name_last(e->run, cp_run_string(e->run, r->name))
		: cp_run_string(e->run, r->name));
	fill(what, sizeof(what), words[r->kind].command, name);
	(void)snprintf(buf, size, "coldperf %s %s", what, window);
	return buf;
}

static void
show_windows(const struct cp_explain *e, struct cp_report *rep)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < e->n_bins; i++)
		n += e->block[i] == CP_EXPLAIN_SLOW &&
		     (i == 0 || e->block[i - 1] != CP_EXPLAIN_SLOW);
	cp_report_scalar(rep, "explain", "slow windows", CP_COL_COUNT, n);
	cp_report_scalar(rep, "explain", "slow time", CP_COL_TIME,
	    (uint64_t)e->slow_bins * e->buckets.width);
	cp_report_scalar(rep, "explain", "normal time", CP_COL_TIME,
	    (uint64_t)e->normal_bins * e->buckets.width);
	cp_report_scalar(
	    rep, "explain", "normal blocks", CP_COL_COUNT, e->n_blocks);
	cp_report_scalar(rep, "explain", "questions", CP_COL_COUNT, e->n_rows);
}

static void
show_sentences(const struct cp_explain *e, struct cp_report *rep,
    const struct sized *all, size_t n)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("What"),
		CP_PROSE("Command") };
	struct cp_table *t = cp_report_table(rep, "explain-why",
	    "What is different in the slow windows", CP_COLUMNS(columns));
	unsigned of[CP_EXPLAIN_KINDS] = { 0 }, shown = 0;
	char text[900], next[400];

	for (size_t i = 0; i < n && shown < SENTENCES; i++) {
		const struct cp_explain_row *r = all[i].row;

		if (of[r->kind] == OF_A_KIND || is_caller(all, n, i))
			continue;
		of[r->kind]++;
		shown++;
		cp_table_add(t, sentence(e, r, text, sizeof(text)),
		    command(e, r, next, sizeof(next)));
	}
}

static void
show_numbers(const struct cp_explain *e, struct cp_report *rep,
    const struct sized *all, size_t n, uint64_t top)
{
	static const struct cp_column_spec columns[] = { CP_NUMBER("Slow"),
		CP_NUMBER("Normal"), CP_RATE("Ratio"), CP_CHANCE("p"),
		CP_TEXT("Kind"), CP_TEXT("Name") };
	struct cp_table *t = cp_report_table(rep, "explain-numbers",
	    "All that differs more than chance", CP_COLUMNS(columns));

	for (size_t i = 0; i < n; i++) {
		const struct cp_explain_row *r = all[i].row;
		double unit = unit_of(e, r->kind);
		double scale = (unit > 0 ? unit * 1e-6 : 1) * 1e9 /
			       (double)e->buckets.width;

		cp_table_add(t, r->slow / e->slow_bins * scale,
		    r->normal / e->normal_bins * scale,
		    cp_cell_value(
			isinf(r->ratio) ? (double)NAN : r->ratio, r->lo, r->hi),
		    r->p, words[r->kind].about, cp_run_string(e->run, r->name));
	}
	cp_table_listing(t);
	if (top != 0)
		cp_table_brief(t, top);
}

void
cp_explain_show(struct cp_explain *e, struct cp_report *rep, uint64_t top)
{
	struct sized *all =
	    cp_run_alloc(e->run, (e->n_rows + (size_t)1) * sizeof(*all));
	size_t n = 0;

	show_windows(e, rep);
	for (uint32_t i = 0; i < e->n_rows; i++)
		if (e->row[i].p < CP_EXPLAIN_RISK)
			all[n++] = (struct sized){ &e->row[i],
				size_of(e, &e->row[i]) };
	if (n == 0) {
		cp_report_scalar_text(rep, "explain", "result",
		    "nothing differs more than chance");
		return;
	}
	qsort(all, n, sizeof(*all), compare_sizes);
	show_sentences(e, rep, all, n);
	show_numbers(e, rep, all, n, top);
	cp_report_note(rep,
	    "numbers: ms of each second, of faults how many; p is corrected "
	    "for all that was asked (Holm)");
}
