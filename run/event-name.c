/* SPDX-License-Identifier: MIT */
#include "run/api.h"

#include "run/bare-event.h"

enum { NAME = 256 };

/* Events that have two names in perf. */
static const char *
first_alias(const char *bare)
{
	static const char *const alias[][2] = {
		{ "cpu-cycles", "cycles" },
		{ "branch-instructions", "branches" },
		{ "context-switches", "cs" },
		{ "page-faults", "faults" },
		{ "cpu-migrations", "migrations" },
		{ "stalled-cycles-frontend", "idle-cycles-frontend" },
		{ "stalled-cycles-backend", "idle-cycles-backend" },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(alias); i++)
		if (strcmp(alias[i][1], bare) == 0)
			return alias[i][0];
	return bare;
}

enum nearness { NOT_IT, BEGINS_SO, NO_SYSTEM, BARE_NAME, THE_NAME };

static enum nearness
nearness(const char *word, const char *name)
{
	char bare[NAME];
	const char *colon = strchr(name, ':');

	if (strcmp(word, name) == 0)
		return THE_NAME;
	cp_event_bare(name, bare, sizeof(bare));
	if (strcmp(first_alias(word), first_alias(bare)) == 0)
		return BARE_NAME;
	if (colon != NULL && strcmp(word, colon + 1) == 0)
		return NO_SYSTEM;
	return word[0] != '\0' && strncmp(word, name, strlen(word)) == 0
		   ? BEGINS_SO
		   : NOT_IT;
}

/*
 * Finds the best match; NOT_IT if there is none, or if several events begin
 * with the word.
 */
static enum nearness
nearest(const struct cp_run *run, const char *word)
{
	enum nearness best = NOT_IT;
	const char *first = NULL;
	bool several = false;

	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const char *name = cp_run_evsel(run, i)->name;
		enum nearness near = nearness(word, name);

		best = CP_MAX(best, near);
		if (near != BEGINS_SO)
			continue;
		several |= first != NULL && strcmp(first, name) != 0;
		first = name;
	}
	return best == BEGINS_SO && several ? NOT_IT : best;
}

static bool
pattern_fits(const struct cp_pattern *p, const char *name)
{
	char bare[NAME];

	cp_event_bare(name, bare, sizeof(bare));
	return cp_pattern_fits(p, name) || cp_pattern_fits(p, bare);
}

static void
choose_word(
    const struct cp_run *run, struct cp_choice *c, struct cp_word_of_choice *w)
{
	enum nearness wanted = w->pattern.kind == CP_PATTERN_NAME
				   ? nearest(run, w->pattern.text)
				   : NOT_IT;

	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const char *name = cp_run_evsel(run, i)->name;

		if (w->pattern.kind == CP_PATTERN_NAME
			? wanted == NOT_IT ||
			      nearness(w->pattern.text, name) != wanted
			: !pattern_fits(&w->pattern, name))
			continue;
		w->hit = true;
		cp_choice_answer(c, i, true);
	}
}

void
cp_events_choose(const struct cp_run *run, struct cp_choice *c)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		cp_choice_answer(c, i, c->words.len == 0);
	for (size_t i = 0; i < c->words.len; i++)
		choose_word(run, c, &c->words.data[i]);
}
