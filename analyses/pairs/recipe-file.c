/* SPDX-License-Identifier: MIT */
/*
 * recipe-file: recipes of the user, ~/.config/coldperf/pairs.
 *
 *	[request]
 *	begin = my:request_start
 *	end = my:request_done
 *	key = req_id
 *
 * A line names a member of struct cp_recipe; what it means is in recipes.def.
 * The first line that is wrong is named, and ends the run.
 */
#include "analyses/pairs/recipe-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file {
	struct cp_run *run;
	char path[4096];
	unsigned line;
	struct cp_recipe *all;
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
	const struct cp_recipe *r = f->n != 0 ? &f->all[f->n - 1] : NULL;

	if (r != NULL && (r->begin[0] == '\0' || r->end[0] == '\0'))
		wrong(f, "before this line a begin or an end is missing in",
		    r->name);
}

static const char *
kept(struct file *f, const char *text)
{
	return cp_run_string(f->run, cp_run_intern(f->run, text));
}

static void
read_name(struct file *f, char *s)
{
	char *end = strchr(s, ']');

	finish(f);
	if (end == NULL || end == s + 1 || end[1] != '\0') {
		wrong(f, "no [name]:", s);
		return;
	}
	*end = '\0';
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->all[i].name, s + 1) == 0)
			wrong(f, "this name is there twice:", s + 1);
	if (strpbrk(s + 1, ", ") != NULL)
		wrong(f, "a name has no blanks and no commas:", s + 1);
	if (f->n == CP_RECIPE_FILE_MAX) {
		wrong(f, "too many recipes at", s + 1);
		return;
	}
	f->all[f->n++] = (struct cp_recipe){ .name = kept(f, s + 1),
		.begin = "",
		.end = "",
		.begin_key = "@tid",
		.end_key = "",
		.order = CP_PAIR_NEST,
		.of = "",
		.value = "",
		.error = "",
		.about = "" };
}

static void
read_order(struct file *f, struct cp_recipe *r, const char *value)
{
	static const char *const orders[] = { [CP_PAIR_NEST] = "nest",
		[CP_PAIR_FIFO] = "fifo",
		[CP_PAIR_KEEP] = "keep",
		[CP_PAIR_ONE] = "one",
		[CP_PAIR_LIFE] = "life" };

	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		if (strcmp(orders[i], value) == 0) {
			r->order = (enum cp_pair_order)i;
			return;
		}
	wrong(f, "an order is nest, fifo, keep, one or life, not", value);
}

static void
read_member(struct file *f, char *s)
{
	struct cp_recipe none, *r = f->n != 0 ? &f->all[f->n - 1] : &none;
	char *equal = strchr(s, '='), *value;
	const struct {
		const char *name;
		const char **at;
	} members[] = { { "begin", &r->begin }, { "end", &r->end },
		{ "key", &r->begin_key }, { "end-key", &r->end_key },
		{ "of", &r->of }, { "value", &r->value },
		{ "error", &r->error }, { "about", &r->about } };

	if (f->n == 0 || equal == NULL) {
		wrong(f,
		    f->n == 0 ? "before the first [name]:" : "no NAME = VALUE:",
		    s);
		return;
	}
	*equal = '\0';
	value = trim(equal + 1);
	s = trim(s);
	if (strcmp(s, "order") == 0) {
		read_order(f, r, value);
		return;
	}
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (strcmp(members[i].name, s) == 0) {
			*members[i].at = kept(f, value);
			return;
		}
	wrong(f,
	    "there are begin, end, key, end-key, order, of, value, error and "
	    "about, not",
	    s);
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
cp_recipe_file_read(struct cp_run *run, struct cp_recipe **all, size_t *n)
{
	struct file f = { .run = run };
	FILE *in = open_file(&f);
	char text[1024];

	*n = 0;
	if (in == NULL)
		return CP_OK;
	f.all = cp_run_alloc(run, CP_RECIPE_FILE_MAX * sizeof(*f.all));
	while (!f.failed && fgets(text, sizeof(text), in) != NULL) {
		char *s = trim(text);

		f.line++;
		if (*s == '[')
			read_name(&f, s);
		else if (*s != '\0' && *s != '#')
			read_member(&f, s);
	}
	if (!f.failed && f.n != 0)
		finish(&f);
	fclose(in);
	*all = f.all;
	*n = f.n;
	return f.failed ? CP_FAIL : CP_OK;
}
