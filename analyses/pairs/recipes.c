/* SPDX-License-Identifier: MIT */
#include "analyses/pairs/recipes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/record-hint.h"
#include "analyses/common/tracepoint-fields.h"

/*
 * Ends of names: two events that differ by these alone begin and end something.
 * perf probe calls the return of a function by "__return".
 */
static const char *const suffixes[][2] = { { "", "__return" },
	{ "__entry", "__return" }, { "__begin", "__end" },
	{ "__start", "__end" }, { "__start", "__done" }, { "_entry", "_exit" },
	{ "_entry", "_return" }, { "_enter", "_exit" }, { "_enter", "_leave" },
	{ "_begin", "_end" }, { "_start", "_end" }, { "_start", "_done" },
	{ "_start", "_stop" }, { "_start", "_finish" },
	{ "_start", "_complete" }, { "_begin", "_done" } };

static bool
has_event(struct cp_run *run, const char *name)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (strcmp(cp_run_evsel(run, i)->name, name) == 0)
			return true;
	return false;
}

/* Is name one of the words of a list with commas? */
static bool
listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; at != NULL; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, name, n) == 0 &&
		    (at[n] == ',' || at[n] == '\0'))
			return true;
	}
	return false;
}

static bool
is_known(const struct cp_recipes *r, const char *name, size_t n)
{
	for (size_t i = 0; i < r->n_known; i++)
		if (strncmp(r->known[i].name, name, n) == 0 &&
		    r->known[i].name[n] == '\0')
			return true;
	return false;
}

int
cp_recipes_check(struct cp_run *run)
{
	const char *list = cp_run_option(run, "recipe");
	const char *begin = cp_run_option(run, "begin");
	const char *end = cp_run_option(run, "end");
	struct cp_recipes r = { .run = run };

	if (cp_recipe_file_read(run, &r.known, &r.n_known) != CP_OK)
		return CP_FAIL;
	if ((begin == NULL) != (end == NULL)) {
		cp_run_diag(run, CP_D_USAGE,
		    "--begin and --end go together: the events that begin and "
		    "end something");
		return CP_FAIL;
	}
	for (const char *at = list; at != NULL; at = strchr(at, ',')) {
		size_t n;

		at += *at == ',';
		n = strcspn(at, ",");
		if (is_known(&r, at, n))
			continue;
		cp_run_diag(run, CP_D_USAGE,
		    "--recipe %.*s: there is no such recipe; --list shows all",
		    (int)(n < 60 ? n : 60), at);
		return CP_FAIL;
	}
	return CP_OK;
}

static void
put(struct cp_recipes *r, const struct cp_recipe *one)
{
	r->all[r->n++] = *one;
}

static bool
is_used(const struct cp_recipes *r, const char *event)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (strcmp(r->all[i].begin, event) == 0 ||
		    strcmp(r->all[i].end, event) == 0)
			return true;
	return false;
}

static void
put_by_name(
    struct cp_recipes *r, const char *begin, const char *end, const char *error)
{
	put(r, &(struct cp_recipe){ .name = begin,
		   .begin = begin,
		   .end = cp_run_string(r->run, cp_run_intern(r->run, end)),
		   .begin_key = "@tid",
		   .end_key = "",
		   .order = error[0] != '\0' ? CP_PAIR_ONE : CP_PAIR_NEST,
		   .of = "",
		   .value = "",
		   .error = error,
		   .about = "" });
}

/* Adds a recipe for an event that ends in one of the suffixes, with its other.
 */
static void
add_by_name(struct cp_recipes *r, const char *begin)
{
	const char *enter = strstr(begin, "sys_enter_");
	size_t length = strlen(begin);
	char end[256];

	if (enter != NULL && length + 16 < sizeof(end)) {
		snprintf(end, sizeof(end), "%.*ssys_exit_%s",
		    (int)(enter - begin), begin, enter + strlen("sys_enter_"));
		if (has_event(r->run, end))
			put_by_name(r, begin, end, "ret");
		return;
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t n = strlen(suffixes[i][0]);

		if (n >= length || length + 16 > sizeof(end) ||
		    strcmp(begin + length - n, suffixes[i][0]) != 0)
			continue;
		snprintf(end, sizeof(end), "%.*s%s", (int)(length - n), begin,
		    suffixes[i][1]);
		if (!has_event(r->run, end) || is_used(r, end))
			continue;
		put_by_name(r, begin, end, "");
		return;
	}
}

void
cp_recipes_init(struct cp_recipes *r, struct cp_run *run)
{
	const char *list = cp_run_option(run, "recipe");
	const char *begin = cp_run_option(run, "begin");
	const char *by = cp_run_option(run, "by");

	*r = (struct cp_recipes){ .run = run };
	r->evsels = cp_run_evsel_count(run);
	r->uses = cp_run_alloc(run, (r->evsels + 1) * sizeof(*r->uses));
	/* The file was found right when the run began. */
	if (cp_recipe_file_read(run, &r->known, &r->n_known) != CP_OK)
		r->failed = true;
	r->all =
	    cp_run_alloc(run, (r->n_known + r->evsels + 1) * sizeof(*r->all));
	if (begin != NULL) {
		const char *key = cp_run_option(run, "key");

		put(r, &(struct cp_recipe){ .name = begin,
			   .begin = begin,
			   .end = cp_run_option(run, "end"),
			   .begin_key = key != NULL ? key : "@tid",
			   .end_key = "",
			   .order = CP_PAIR_NEST,
			   .of = by != NULL ? by : "",
			   .value = "",
			   .error = "",
			   .about = "" });
		list = "";
	}
	for (size_t i = 0; i < r->n_known; i++)
		if ((list == NULL || listed(list, r->known[i].name)) &&
		    has_event(run, r->known[i].begin) &&
		    has_event(run, r->known[i].end))
			put(r, &r->known[i]);
	for (uint32_t i = 0; list == NULL && i < r->evsels; i++)
		if (!is_used(r, cp_run_evsel(run, i)->name))
			add_by_name(r, cp_run_evsel(run, i)->name);
	for (uint32_t i = 0; by != NULL && i < r->n; i++)
		r->all[i].of = by;
	r->ends = cp_run_alloc(run, (r->n + 1) * sizeof(*r->ends));
}

/* Finds the first field of "name|other name"; NULL: the event has none. */
static const struct cp_field *
field_of(struct cp_recipes *r, uint32_t evsel, const char *name, size_t n)
{
	const struct cp_field *field = NULL;
	char text[128];

	for (size_t at = 0; field == NULL && at < n; at++) {
		const char *bar = memchr(name + at, '|', n - at);
		size_t length = (bar != NULL ? bar : name + n) - (name + at);

		if (length != 0 && length < sizeof(text)) {
			memcpy(text, name + at, length);
			text[length] = '\0';
			field = cp_run_field(r->run, evsel, text);
		}
		at += length;
	}
	return field;
}

/* What --by may name besides a field. */
static const struct {
	const char *name;
	int is;
} common[] = { { "comm", CP_PAIR_COMM }, { "pid", CP_PAIR_PID },
	{ "tid", CP_PAIR_TID }, { "cpu", CP_PAIR_CPU },
	{ "cgroup", CP_PAIR_CGROUP } };
#define N_COMMON (sizeof(common) / sizeof(common[0]))

/* Says that an event has no such field, and which it has. */
static void
no_field(struct cp_recipes *r, uint32_t evsel, const char *option,
    const char *name, size_t n)
{
	const struct cp_field_type *all;
	char there[400] = "";
	size_t used = 0, fields = cp_run_field_types(r->run, evsel, &all);

	for (size_t i = 0; i < fields && used < sizeof(there) - 50; i++)
		used += (size_t)snprintf(
		    there + used, sizeof(there) - used, " %.40s", all[i].name);
	cp_run_diag(r->run, CP_D_USAGE,
	    "%s: %.100s has no field %.*s; its fields are%s", option,
	    cp_run_evsel(r->run, evsel)->name, (int)(n < 60 ? n : 60), name,
	    used != 0 ? there : " not known");
	r->failed = true;
}

/* Reads one word of a key; false after a diagnostic. */
static bool
read_word(struct cp_recipes *r, uint32_t evsel, const char *text, size_t n,
    struct cp_pair_word *word)
{
	size_t name = strcspn(text, "!=");

	if (n == 4 && strncmp(text, "@tid", n) == 0) {
		word->kind = CP_WORD_TID;
		return true;
	}
	if (n == 4 && strncmp(text, "@cpu", n) == 0) {
		word->kind = CP_WORD_CPU;
		return true;
	}
	word->kind = CP_WORD_FIELD;
	if (name < n) {
		word->kind = CP_WORD_IF;
		word->equal = text[name] == '=';
		word->want =
		    strtoull(text + name + (word->equal ? 1 : 2), NULL, 0);
		n = name;
	}
	word->field = field_of(r, evsel, text, n);
	if (word->field == NULL)
		no_field(r, evsel, "--key", text, n);
	return word->field != NULL;
}

static void
add_use(struct cp_recipes *r, uint32_t evsel, uint32_t recipe, bool ends)
{
	const struct cp_recipe *of = &r->all[recipe];
	struct cp_pair_uses *uses = &r->uses[evsel];
	struct cp_pair_use *use = &uses->all[uses->n];
	const char *key =
	    ends && of->end_key[0] != '\0' ? of->end_key : of->begin_key;

	*use = (struct cp_pair_use){ .recipe = recipe, .ends = ends };
	r->ends[recipe] |= ends;
	while (*key != '\0' && use->n < CP_PAIR_WORDS) {
		size_t n = strcspn(key, " ,");

		if (n != 0 &&
		    !read_word(r, evsel, key, n, &use->word[use->n++]))
			return;
		key += n + (key[n] != '\0');
	}
	if (ends)
		use->error = field_of(r, evsel, of->error, strlen(of->error));
	else {
		const char *field = of->of + (of->of[0] == '*');

		if (strcmp(field, "@call") == 0)
			field = "id";
		use->of = field_of(r, evsel, field, strlen(field));
		for (size_t i = 0; use->of == NULL && i < N_COMMON; i++)
			if (strcmp(field, common[i].name) == 0)
				use->common = common[i].is;
		if (use->of == NULL && use->common == CP_PAIR_NOT_COMMON &&
		    cp_run_option(r->run, "by") != NULL) {
			no_field(r, evsel, "--by", field, strlen(field));
			return;
		}
		use->value = field_of(r, evsel, of->value, strlen(of->value));
	}
	uses->n++;
}

const struct cp_pair_uses *
cp_recipes_of(struct cp_recipes *r, const struct cp_sample *s)
{
	static const struct cp_pair_uses none = { .looked = true };
	struct cp_pair_uses *uses;
	const char *name;

	if (s->evsel >= r->evsels)
		return &none;
	uses = &r->uses[s->evsel];
	if (uses->looked)
		return uses;
	uses->looked = true;
	name = cp_run_evsel(r->run, s->evsel)->name;
	for (uint32_t i = r->evsels; i-- > 0;)
		if (strcmp(cp_run_evsel(r->run, i)->name, name) == 0) {
			uses->twice |= i != s->evsel;
			uses->kind = i;
		}
	uses->all =
	    cp_run_alloc(r->run, (2 * (size_t)r->n + 1) * sizeof(*uses->all));
	if (cp_event_sampled(cp_run_evsel(r->run, s->evsel)))
		return uses;
	/* The end of one thing may be the begin of the next. */
	for (unsigned ends = 2; ends-- > 0;)
		for (uint32_t i = 0; i < r->n; i++)
			if (strcmp(ends ? r->all[i].end : r->all[i].begin,
				name) == 0)
				add_use(r, s->evsel, i, ends);
	return uses;
}

void
cp_recipes_note(struct cp_recipes *r, struct cp_report *rep)
{
	for (uint32_t i = 0; i < r->evsels; i++) {
		const struct cp_evsel *e = cp_run_evsel(r->run, i);

		if (is_used(r, e->name) && cp_event_sampled(e) &&
		    e->samples != 0)
			cp_report_note(rep,
			    "%.100s was sampled: not each one is in the "
			    "capture, so none is paired; perf record -c 1 "
			    "records each",
			    e->name);
	}
	if (cp_run_option(r->run, "begin") != NULL)
		return;
	for (size_t i = 0; i < r->n_known; i++) {
		bool begins = has_event(r->run, r->known[i].begin);

		if (begins == has_event(r->run, r->known[i].end) ||
		    is_used(r, begins ? r->known[i].begin : r->known[i].end))
			continue;
		cp_report_note(rep,
		    "%.40s needs %.80s beside %.80s: perf record -a -e %.80s "
		    "-e %.80s",
		    r->known[i].name,
		    begins ? r->known[i].end : r->known[i].begin,
		    begins ? r->known[i].begin : r->known[i].end,
		    r->known[i].begin, r->known[i].end);
	}
}

void
cp_recipes_list(struct cp_recipes *r, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Recipe"),
		CP_TEXT("Here"), CP_TEXT("What"), CP_TEXT("Begin"),
		CP_TEXT("End") };
	struct cp_table *t =
	    cp_report_table(rep, "recipes", "Recipes", CP_COLUMNS(columns));

	for (size_t i = 0; i < r->n_known; i++) {
		cp_table_add(t, r->known[i].name,
		    has_event(r->run, r->known[i].begin) &&
			    has_event(r->run, r->known[i].end)
			? "yes"
			: "",
		    r->known[i].about, r->known[i].begin, r->known[i].end);
	}
}
