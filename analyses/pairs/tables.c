/* SPDX-License-Identifier: MIT */
#include "analyses/pairs/match.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"
#include "analyses/common/stack-tree.h"
#include "analyses/common/syscall-names.h"

/* More histograms than these say less than the table. */
#define MOST_HISTOGRAMS 3u

/* ------------------------------------------------------------------- names */

/* Returns the name that an event's print format has for a field's number. */
static const char *
symbol_of(struct cp_run *run, const char *event, const char *field, uint64_t is)
{
	const char *format = "", *at, *end, *name;
	char key[128];

	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (strcmp(cp_run_evsel(run, i)->name, event) == 0)
			format = cp_run_print_format(run, i);
	snprintf(key, sizeof(key), "__print_symbolic(REC->%.80s,", field);
	at = strstr(format, key);
	if (at == NULL)
		return NULL;
	end = strstr(at, "})");
	while ((at = strchr(at, '{')) != NULL && (end == NULL || at < end)) {
		char *rest, text[64];
		uint64_t number = strtoull(++at, &rest, 0);
		size_t n;

		name = strchr(rest, '"');
		if (name == NULL)
			return NULL;
		n = strcspn(++name, "\"");
		if (number == is && n != 0 && n < sizeof(text)) {
			memcpy(text, name, n);
			text[n] = '\0';
			return cp_run_string(run, cp_run_intern(run, text));
		}
		at = name + n;
	}
	return NULL;
}

/* Asks for the names of the functions that rows are of. */
static void
name_rows(struct cp_pairs *p)
{
	cp_frame_id *frames =
	    cp_run_alloc(p->run, (p->rows.by.n + 1) * sizeof(*frames));
	size_t n = 0;

	for (uint32_t i = 0; i < p->rows.by.n; i++)
		if (p->rows.by.all[i].a >> 32 == CP_PAIR_OF_CODE)
			frames[n++] = (cp_frame_id)p->rows.by.all[i].b;
	cp_run_name_frames(p->run, frames, n);
	p->texts = cp_run_alloc(p->run, sizeof(*p->texts));
	cp_frametexts_init(p->texts, p->run);
}

/* An interrupt's name, a function, a call. */
const char *
cp_pairs_of(struct cp_pairs *p, uint32_t row)
{
	const struct cp_recipe *r = &p->recipes.all[cp_pair_recipe(p, row)];
	uint64_t value = p->rows.by.all[row].b;
	const char *name = NULL;
	struct cp_word word;
	char text[32];

	if (p->texts == NULL)
		name_rows(p);
	switch ((enum cp_pair_of)(p->rows.by.all[row].a >> 32)) {
	case CP_PAIR_OF_NONE: return "";
	case CP_PAIR_OF_TEXT: return cp_run_string(p->run, (cp_string_id)value);
	case CP_PAIR_OF_CODE:
		if (cp_frame_symbol(p->run, (cp_frame_id)value) != NULL)
			return cp_run_string(
			    p->run, cp_frametext(p->texts, (cp_frame_id)value));
		return cp_run_string(p->run,
		    cp_run_intern(p->run,
			cp_word_address(&word,
			    cp_frame_get(p->run, (cp_frame_id)value)->addr)));
	case CP_PAIR_OF_PLAIN: break;
	case CP_PAIR_OF_CALL:
		name = cp_syscall_name(p->run, value, false);
		break;
	case CP_PAIR_OF_NUMBER:
		name = symbol_of(p->run, r->begin, r->of, value);
		break;
	}
	if (name != NULL)
		return name;
	snprintf(text, sizeof(text), "%.10s%s%" PRId64,
	    r->of[0] == '@' ? "" : r->of, r->of[0] == '@' ? "" : " ",
	    (int64_t)value);
	return cp_run_string(p->run, cp_run_intern(p->run, text));
}

/* ------------------------------------------------------------------- tables */

struct line {
	const struct cp_recipe *recipe;
	const char *of;
	struct cp_pair_row *row;
	uint64_t time; /* of the whole recipe */
};

static int
compare_lines(const void *va, const void *vb)
{
	const struct line *a = va, *b = vb;
	uint64_t x = a->row->took.sum, y = b->row->took.sum;
	int c;

	c = (a->recipe->order == CP_PAIR_LIFE) -
	    (b->recipe->order == CP_PAIR_LIFE);
	if (c != 0)
		return c;
	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	c = strcmp(a->recipe->name, b->recipe->name);
	if (c == 0)
		c = (x < y) - (x > y);
	if (c == 0)
		c = (a->row->open < b->row->open) -
		    (a->row->open > b->row->open);
	return c != 0 ? c : strcmp(a->of, b->of);
}

static void
show_row(struct cp_table *t, const char *recipe, const char *of,
    struct cp_pair_row *row, unsigned depth)
{
	cp_table_add(t, row->took.n, row->errors, row->open, row->took.sum,
	    row->self, CP_QUANTILES_CELLS(&row->took), recipe, of);
	cp_table_indent(t, depth);
}

/* Shows the rows of one recipe, below their sum if there are several. */
static void
show_recipe(
    struct cp_pairs *p, struct cp_table *t, struct line *lines, size_t n)
{
	uint64_t top = cp_run_option_u64(p->run, "top");
	struct cp_pair_row all = { 0 };

	for (size_t i = 0; i < n; i++)
		cp_pair_row_add(p->run, &all, lines[i].row);
	if (n == 1) {
		show_row(t, lines->recipe->name, lines->of, lines->row, 0);
		return;
	}
	show_row(t, lines->recipe->name, "(all)", &all, 0);
	for (size_t i = 0; i < n && (top == 0 || i < top); i++)
		show_row(
		    t, lines[i].recipe->name, lines[i].of, lines[i].row, 1);
}

/* Returns one line for each name of each recipe: a function has many addresses.
 */
static struct line *
lines_of(struct cp_pairs *p, size_t *count)
{
	uint64_t *time =
	    cp_run_alloc(p->run, (p->recipes.n + 1) * sizeof(*time));
	struct cp_pair_rows named;
	struct line *lines;

	cp_pair_rows_init(&named, p->run);
	for (uint32_t i = 0; i < p->rows.by.n; i++) {
		const struct cp_pair_row *row = &p->rows.all[i];
		uint32_t recipe = cp_pair_recipe(p, i);

		time[recipe] += row->took.sum;
		if (row->took.n != 0 || row->open != 0)
			cp_pair_rows_add(&named, recipe,
			    cp_run_intern(p->run, cp_pairs_of(p, i)), row);
	}
	lines = cp_run_alloc(p->run, (named.by.n + 1) * sizeof(*lines));
	for (uint32_t i = 0; i < named.by.n; i++)
		lines[i] = (struct line){ &p->recipes.all[named.by.all[i].a],
			cp_run_string(p->run, (cp_string_id)named.by.all[i].b),
			&named.all[i], time[named.by.all[i].a] };
	qsort(lines, named.by.n, sizeof(*lines), compare_lines);
	*count = named.by.n;
	return lines;
}

static void
show_pairs(struct cp_pairs *p, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Count"),
		CP_COUNT("Errors"), CP_COUNT("Open"), CP_TIME("Time"),
		CP_TIME("Self"), CP_QUANTILES_COLUMNS, CP_TEXT("Recipe"),
		CP_TEXT("Of") };
	size_t n, first = 0;
	struct line *lines = lines_of(p, &n);
	struct cp_table *t = cp_report_table(
	    rep, "pairs", "From begin to end, by time", CP_COLUMNS(columns));

	if (!p->nested)
		cp_table_without(t, "Self");
	for (size_t i = 1; i <= n; i++)
		if (i == n || lines[i].recipe != lines[first].recipe) {
			show_recipe(p, t, &lines[first], i - first);
			first = i;
		}
}

/* Finds the recipes with the most time; things that live long come last. */
static uint32_t
longest(const struct cp_pairs *p, uint32_t recipes[MOST_HISTOGRAMS])
{
	uint64_t best[MOST_HISTOGRAMS];
	uint32_t n = 0, k;

	for (uint32_t i = 0; i < p->recipes.n; i++) {
		uint64_t time = 0;

		for (unsigned bin = 0; bin < CP_PAIRS_BINS; bin++)
			time += p->sum[i].bin[bin] != 0
				    ? p->sum[i].total[bin] + 1
				    : 0;
		if (p->recipes.all[i].order == CP_PAIR_LIFE && time != 0)
			time = 1;
		if (time == 0 || (n == MOST_HISTOGRAMS && time <= best[n - 1]))
			continue;
		n += n < MOST_HISTOGRAMS;
		for (k = n - 1; k > 0 && best[k - 1] < time; k--) {
			best[k] = best[k - 1];
			recipes[k] = recipes[k - 1];
		}
		best[k] = time;
		recipes[k] = i;
	}
	return n;
}

static void
show_histograms(struct cp_pairs *p, struct cp_report *rep,
    const uint32_t *recipes, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct cp_pair_sum *s = &p->sum[recipes[i]];
		struct cp_histogram *h;
		unsigned first = 0, last = CP_PAIRS_BINS - 3;
		char slug[128], title[128];

		while (first < last && s->bin[first] == 0)
			first++;
		while (last > first && s->bin[last] == 0)
			last--;
		snprintf(slug, sizeof(slug), "pair-times-%.100s",
		    p->recipes.all[recipes[i]].name);
		snprintf(title, sizeof(title), "%.100s by length",
		    p->recipes.all[recipes[i]].name);
		h = cp_report_histogram(rep, slug, title, "time", CP_COL_TIME);
		cp_histogram_unit(h, "total", CP_COL_TIME);
		for (; first <= last; first++) {
			cp_histogram_bin(h, cp_pair_bin(first),
			    cp_pair_bin(first + 1), s->bin[first]);
			cp_histogram_weight(h, s->total[first]);
		}
	}
}

/* "malloc < parse < main": the innermost frames of a stack. */
const char *
cp_pairs_stack(struct cp_pairs *p, cp_stack_id stack)
{
	char text[400];
	size_t n = 0;

	if (p->texts == NULL)
		name_rows(p);
	text[0] = '\0';
	for (unsigned i = 0; i < 4 && stack != 0; i++) {
		const char *frame = cp_run_string(p->run,
		    cp_frametext(p->texts, cp_stack_frame(p->run, stack)));

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.80s",
		    i != 0 ? " < " : "", frame);
		stack = cp_stack_parent(p->run, stack);
	}
	return cp_run_string(p->run, cp_run_intern(p->run, text));
}

static void
show_slowest(struct cp_pairs *p, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_CLOCK("Began"),
		CP_TIME("Time"), CP_TEXT("CPU"), CP_TEXT("PID"), CP_TEXT("TID"),
		CP_TEXT("Command"), CP_TEXT("Recipe"), CP_TEXT("Of"),
		CP_PROSE("Fields"), CP_PROSE("Stack") };
	struct cp_table *t;
	bool stacks = false;

	if (p->slowest.n == 0)
		return;
	t = cp_report_table(
	    rep, "pair-slowest", "Slowest", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < p->slowest.n; i++)
		stacks |= cp_stack_parent(p->run, p->slow[i].stack) != 0;
	if (!stacks)
		cp_table_without(t, "Stack");
	for (uint32_t i = 0; i < p->slowest.n; i++) {
		const struct cp_pair_slow *s = &p->slow[p->slowest.at[i].slot];
		const struct cp_pair *thread = &p->threads.all[s->thread];

		cp_table_add(t, s->start, p->slowest.at[i].ns,
		    cp_cell_id(s->cpu), cp_cell_id((uint32_t)(thread->a >> 32)),
		    cp_cell_id((uint32_t)thread->a),
		    cp_run_string(p->run, (cp_string_id)thread->b),
		    p->recipes.all[cp_pair_recipe(p, s->row)].name,
		    cp_pairs_of(p, s->row),
		    s->fields != 0 ? cp_run_string(p->run, s->fields) : "",
		    cp_pairs_stack(p, s->stack));
	}
}

/* ------------------------------------------------------- what has no end */

struct unended {
	const struct cp_tally_row *row;
	bool lives;
};

static int
compare_unended(const void *va, const void *vb)
{
	const struct unended *ua = va, *ub = vb;
	const struct cp_tally_row *a = ua->row, *b = ub->row;

	/* What lives long may leak; other things are under way. */
	if (ua->lives != ub->lives)
		return ua->lives ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return a->a != b->a ? (a->a > b->a) - (a->a < b->a)
			    : (a->b > b->b) - (a->b < b->b);
}

static void
show_unended(struct cp_pairs *p, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Count"),
		CP_BYTES("Bytes"), CP_TEXT("Recipe"), CP_TEXT("Of"),
		CP_TEXT("Stack") };
	uint64_t top = cp_run_option_u64(p->run, "top"), rest = 0;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(p->unended, &rows);
	struct unended *all = cp_run_alloc(p->run, (n + 1) * sizeof(*all));
	struct cp_table *t;

	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		uint32_t recipe = cp_pair_recipe(p, (uint32_t)rows[i].a);

		all[i].row = &rows[i];
		all[i].lives = p->recipes.all[recipe].order == CP_PAIR_LIFE;
	}
	qsort(all, n, sizeof(*all), compare_unended);
	t = cp_report_table(rep, "pair-open",
	    "Begun, and not ended in the capture", CP_COLUMNS(columns));
	for (size_t i = 0; i < n; i++) {
		uint32_t row = (uint32_t)all[i].row->a;

		if (top != 0 && i >= top) {
			rest += all[i].row->weight;
			continue;
		}
		cp_table_add(t, all[i].row->count, all[i].row->weight,
		    p->recipes.all[cp_pair_recipe(p, row)].name,
		    cp_pairs_of(p, row),
		    cp_pairs_stack(p, (cp_stack_id)all[i].row->b));
	}
	if (top != 0 && n > top)
		cp_table_rest(t, n - top, rest);
}

static void
show_stacks(struct cp_pairs *p, struct cp_report *rep)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(p->stacks, &rows);
	struct cp_stacktree tree;
	struct cp_word word;
	char title[100] = "Stacks of the begins, by time";

	if (n == 0)
		return;
	if (p->slower != 0)
		snprintf(title, sizeof(title),
		    "Stacks of the begins of %s and more, by time",
		    cp_word_time(&word, p->slower));
	cp_stacktree_init(
	    &tree, p->run, cp_report_tree(rep, "pair-stacks", title));
	cp_tree_unit(tree.tree, "time", CP_COL_TIME, "pairs");
	for (size_t i = 0; i < n; i++) {
		uint32_t recipe = cp_stacktree_label(
		    &tree, 0, p->recipes.all[rows[i].a].name, CP_KIND_NONE);

		cp_stacktree_add(&tree,
		    cp_stacktree_stack(
			&tree, recipe, (cp_stack_id)rows[i].b, 0),
		    rows[i].weight, rows[i].count);
	}
	cp_stacktree_finish(&tree);
}

void
cp_pairs_tables(struct cp_pairs *p, struct cp_report *rep)
{
	const struct cp_tally_row *rows;
	uint32_t recipes[MOST_HISTOGRAMS];
	uint32_t most = longest(p, recipes);
	size_t n;

	n = cp_tally_rows(p->stacks, &rows);
	cp_rows_name(p->run, rows, n);
	n = cp_tally_rows(p->unended, &rows);
	cp_rows_name(p->run, rows, n);
	show_pairs(p, rep);
	show_slowest(p, rep);
	show_unended(p, rep);
	show_histograms(p, rep, recipes, most);
	cp_pairs_over_time(p, rep, recipes, most);
	show_stacks(p, rep);
}
