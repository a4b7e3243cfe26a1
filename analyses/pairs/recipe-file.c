/* SPDX-License-Identifier: MIT */
/*
 * recipe-file: reads the recipes of recipes.conf, which says what
 * its lines mean, and those of the user, ~/.config/coldperf/pairs.  The first
 * line that is wrong is named, and ends the run.
 */
#include "analyses/pairs/recipes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const built_in[] = {
#include "analyses/pairs/recipes.inc"
};

/* Most recipes, of both files. */
enum { MOST = 512 };

struct file {
	struct cp_run *run;
	char path[4096];
	unsigned line;
	struct cp_recipe *all, *now; /* now: NULL before the first */
	size_t n;
	bool failed;
};

static void
wrong(struct file *f, const char *what, const char *word)
{
	if (!f->failed)
		cp_run_diag(f->run, CP_D_USAGE, "%.500s:%u: %s `%.60s'",
		    f->path, f->line, what, word);
	f->failed = true;
}

static char *
trim(char *s)
{
	size_t n;

	s += strspn(s, " \t");
	n = strlen(s);
	while (n != 0 && strchr(" \t\r\n", s[n - 1]) != NULL)
		s[--n] = '\0';
	return s;
}

/* A recipe needs both events. */
static void
finish(struct file *f)
{
	const struct cp_recipe *r = f->now;

	if (r != NULL && (r->begin[0] == '\0' || r->end[0] == '\0'))
		wrong(f, "before this line a begin or an end is missing in",
		    r->name);
}

static const char *
kept(struct file *f, const char *text)
{
	return cp_run_string(f->run, cp_run_intern(f->run, text));
}

/* "[name] what it is"; one of the user's takes the place of a built-in one. */
static void
read_name(struct file *f, char *s)
{
	char *end = strchr(s, ']');

	finish(f);
	if (end == NULL || end == s + 1) {
		wrong(f, "no [name]:", s);
		return;
	}
	*end = '\0';
	f->now = f->all;
	while (f->now < f->all + f->n && strcmp(f->now->name, s + 1) != 0)
		f->now++;
	if (f->now < f->all + f->n && f->now->line != 0)
		wrong(f, "this name is there twice:", s + 1);
	if (strpbrk(s + 1, ", ") != NULL)
		wrong(f, "a name has no blanks and no commas:", s + 1);
	if (f->now == f->all + MOST)
		wrong(f, "too many recipes at", s + 1);
	if (f->failed)
		return;
	f->n += f->now == f->all + f->n;
	*f->now = (struct cp_recipe){ .name = kept(f, s + 1),
		.line = f->line,
		.begin = "",
		.end = "",
		.begin_key = "@tid",
		.end_key = "",
		.order = CP_PAIR_NEST,
		.of = "",
		.value = "",
		.error = "",
		.about = kept(f, trim(end + 1)) };
}

static void
read_member(struct file *f, char *s)
{
	static const char *const orders[] = { [CP_PAIR_NEST] = "nest",
		[CP_PAIR_FIFO] = "fifo",
		[CP_PAIR_KEEP] = "keep",
		[CP_PAIR_ONE] = "one",
		[CP_PAIR_LIFE] = "life" };
	struct cp_recipe *r = f->now;
	char *equal = strchr(s, '='), *value;
	const struct {
		const char *name;
		const char **at;
	} members[] = { { "begin", &r->begin }, { "end", &r->end },
		{ "key", &r->begin_key }, { "end-key", &r->end_key },
		{ "of", &r->of }, { "value", &r->value },
		{ "error", &r->error }, { "about", &r->about } };

	if (equal == NULL) {
		wrong(f, "no NAME = VALUE:", s);
		return;
	}
	*equal = '\0';
	value = trim(equal + 1);
	s = trim(s);
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (strcmp(members[i].name, s) == 0) {
			*members[i].at = kept(f, value);
			return;
		}
	if (strcmp(s, "order") != 0)
		wrong(f,
		    "there are begin, end, key, end-key, order, of, value, "
		    "error and about, not",
		    s);
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		if (strcmp(orders[i], value) == 0) {
			r->order = (enum cp_pair_order)i;
			return;
		}
	wrong(f, "an order is nest, fifo, keep, one or life, not", value);
}

static void
read_line(struct file *f, char *text)
{
	char *s = trim(text), *arrow, *rest;

	if (*s == '\0' || *s == '#')
		return;
	if (*s == '[') {
		read_name(f, s);
		return;
	}
	if (f->now == NULL) {
		wrong(f, "before the first [name]:", s);
		return;
	}
	arrow = strstr(s, " -> ");
	if (arrow != NULL && strchr(s, '=') == NULL) {
		*arrow = '\0';
		f->now->begin = kept(f, trim(s));
		f->now->end = kept(f, trim(arrow + 4));
		return;
	}
	for (; s != NULL && !f->failed; s = rest) {
		rest = strchr(s, ';');
		if (rest != NULL)
			*rest++ = '\0';
		read_member(f, trim(s));
	}
}

/* Returns NULL if there is no file. */
static FILE *
open_file(struct file *f)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n;

	if (config != NULL && config[0] == '/')
		n = snprintf(
		    f->path, sizeof(f->path), "%s/coldperf/pairs", config);
	else if (home != NULL && home[0] == '/')
		n = snprintf(f->path, sizeof(f->path),
		    "%s/.config/coldperf/pairs", home);
	else
		return NULL;
	return n > 0 && (size_t)n < sizeof(f->path) ? fopen(f->path, "re")
						    : NULL;
}

int
cp_recipe_file_read(struct cp_run *run, const struct cp_recipe **all, size_t *n)
{
	struct file f = { .run = run };
	FILE *in = open_file(&f);
	char text[1024];

	f.all = cp_run_alloc(run, MOST * sizeof(*f.all));
	for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++) {
		snprintf(text, sizeof(text), "%s", built_in[i]);
		read_line(&f, text);
	}
	f.now = NULL;
	while (
	    in != NULL && !f.failed && fgets(text, sizeof(text), in) != NULL) {
		f.line++;
		read_line(&f, text);
	}
	if (!f.failed)
		finish(&f);
	if (in != NULL)
		fclose(in);
	*all = f.all;
	*n = f.n;
	return f.failed ? CP_FAIL : CP_OK;
}
