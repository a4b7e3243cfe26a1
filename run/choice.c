/* SPDX-License-Identifier: MIT */
#include "run/choice.h"

#include <coldperf/samples.h>

#include "base/strings.h"
#include "run/api.h"

int
cp_choice_init(
    struct cp_choice *c, const char *const *words, size_t n, const char **bad)
{
	*c = (struct cp_choice){ 0 };
	for (size_t i = 0; i < n; i++) {
		struct cp_word_of_choice *w = cp_vec_push(&c->words);

		*w = (struct cp_word_of_choice){ 0 };
		if (cp_pattern_init(&w->pattern, words[i]) != CP_OK) {
			*bad = words[i];
			return CP_FAIL;
		}
	}
	return CP_OK;
}

void
cp_choice_free(struct cp_choice *c)
{
	for (size_t i = 0; i < c->words.len; i++)
		cp_pattern_free(&c->words.data[i].pattern);
	cp_vec_free(&c->words);
	cp_vec_free(&c->asked);
}

void
cp_choice_answer(struct cp_choice *c, uint32_t number, bool chosen)
{
	while (c->asked.len <= number)
		*cp_vec_push(&c->asked) = CP_UNASKED;
	c->asked.data[number] = chosen ? CP_CHOSEN : CP_REFUSED;
}

static bool
fits_any(const struct cp_pattern *p, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cp_pattern_fits(p, names[i]))
			return true;
	return false;
}

bool
cp_choice_names(
    struct cp_choice *c, uint32_t number, const char *const *names, size_t n)
{
	bool chosen = c->words.len == 0;

	if (cp_choice_of(c, number) != CP_UNASKED)
		return cp_choice_of(c, number) == CP_CHOSEN;
	for (size_t i = 0; i < c->words.len; i++) {
		struct cp_word_of_choice *w = &c->words.data[i];

		if (fits_any(&w->pattern, names, n))
			chosen = w->hit = true;
	}
	cp_choice_answer(c, number, chosen);
	return chosen;
}

bool
cp_choice_name(struct cp_choice *c, uint32_t number, const char *name)
{
	return cp_choice_names(c, number, &name, 1);
}

bool
cp_choice_symbol(
    struct cp_run *run, struct cp_choice *c, const struct cp_symbol *y)
{
	bool chosen = c->words.len == 0;
	uint32_t number = y != NULL ? y->id : 0;

	if (cp_choice_of(c, number) != CP_UNASKED)
		return cp_choice_of(c, number) == CP_CHOSEN;
	for (size_t i = 0; i < c->words.len; i++) {
		struct cp_word_of_choice *w = &c->words.data[i];

		if (y != NULL ? cp_run_symbol_fits(run, &w->pattern, y)
			      : cp_pattern_fits(&w->pattern, "[unknown]"))
			chosen = w->hit = true;
	}
	cp_choice_answer(c, number, chosen);
	return chosen;
}

bool
cp_choice_has(const struct cp_choice *c, const char *part)
{
	for (size_t i = 0; i < c->words.len; i++)
		if (strstr(c->words.data[i].pattern.text, part) != NULL)
			return true;
	return false;
}

bool
cp_choice_hit(const struct cp_choice *c)
{
	for (size_t i = 0; i < c->words.len; i++)
		if (c->words.data[i].hit)
			return true;
	return false;
}

bool
cp_symbol_fits(const struct cp_pattern *p, const struct cp_symbol *y)
{
	return strcmp(p->text, y->raw) == 0 ||
	       cp_pattern_fits_symbol(p, y->name);
}

/* Returns the bytes before the function, if these are the object's name. */
static size_t
object_length(struct cp_run *run, const char *text, uint32_t dso)
{
	const struct cp_dso *d = cp_run_dso(run, dso);
	const char *bang = strchr(text, '!'), *name[3];
	size_t n = bang != NULL ? (size_t)(bang - text) : 0;

	if (n == 0 || d == NULL)
		return 0;
	name[0] = cp_run_string(run, d->short_name);
	name[1] = cp_run_string(run, d->name);
	name[2] = cp_basename(name[1]);
	for (size_t i = 0; i < CP_ARRAY_LEN(name); i++)
		if (strlen(name[i]) == n && memcmp(name[i], text, n) == 0)
			return n + 1;
	return 0;
}

bool
cp_run_symbol_fits(
    struct cp_run *run, const struct cp_pattern *p, const struct cp_symbol *y)
{
	struct cp_pattern function;
	size_t n;
	bool fits;

	if (cp_symbol_fits(p, y))
		return true;
	n = p->kind != CP_PATTERN_REGEX ? object_length(run, p->text, y->dso)
					: 0;
	if (n == 0 || cp_pattern_init(&function, p->text + n) != CP_OK)
		return false;
	fits = cp_symbol_fits(&function, y);
	cp_pattern_free(&function);
	return fits;
}
