/* SPDX-License-Identifier: MIT */
#include "cli/suggest.h"

#include "analyses/list.h"
#include "base/match/nearest.h"
#include "cli/commands.h"
#include "cli/plugin.h"

static struct cp_suggestion
suggest(const char *typed, cp_candidates *all, const char *dashes)
{
	struct cp_suggestion s = { "" };
	const char *best = cp_nearest(typed, all);

	if (best != NULL)
		snprintf(s.text, sizeof(s.text), "; did you mean %s%.60s?",
		    dashes, best);
	cp_vec_free(all);
	return s;
}

struct cp_suggestion
cp_suggest_command(const struct cp_cli *cli, const char *typed)
{
	cp_candidates all = { 0 };

	for (size_t i = 0; cp_analyses[i] != NULL; i++)
		*cp_vec_push(&all) = cp_analyses[i]->name;
	for (size_t i = 0; i < cli->loaded.len; i++)
		*cp_vec_push(&all) = cli->loaded.data[i].analysis->name;
	for (const struct cp_command *c = cp_commands(); c->name != NULL; c++)
		*cp_vec_push(&all) = c->name;
	return suggest(typed, &all, "");
}

/* Commands that have the option; "": none. */
static struct cp_suggestion
elsewhere(const char *name)
{
	struct cp_suggestion s = { "" };
	size_t n = 0;

	for (size_t i = 0; cp_analyses[i] != NULL; i++)
		for (const struct cp_option *o = cp_analyses[i]->options;
		     o != NULL && o->name != NULL; o++)
			if (strcmp(o->name, name) == 0 && n < sizeof(s.text))
				n += (size_t)snprintf(s.text + n,
				    sizeof(s.text) - n, "%s%s",
				    n == 0 ? "; it is of " : ", ",
				    cp_analyses[i]->name);
	return s;
}

struct cp_suggestion
cp_suggest_option(const struct cp_cli *cli, const char *typed, size_t n)
{
	const struct cp_analysis *a = cp_cli_analysis(cli, cli->command);
	const struct cp_command *c = cp_command_find(cli->command);
	const struct cp_common_option *o;
	struct cp_suggestion there;
	cp_candidates all = { 0 };
	char name[80];

	for (const struct cp_option *own = a != NULL ? a->options : NULL;
	     own != NULL && own->name != NULL; own++)
		*cp_vec_push(&all) = own->name;
	for (o = c != NULL ? c->options : NULL; o != NULL && o->name != NULL;
	     o++)
		*cp_vec_push(&all) = o->name;
	for (o = cp_common_options; o->name != NULL; o++)
		*cp_vec_push(&all) = o->name;
	snprintf(name, sizeof(name), "%.*s", (int)CP_MIN(n, 79), typed);
	there = elsewhere(name);
	if (there.text[0] != '\0') {
		cp_vec_free(&all);
		return there;
	}
	return suggest(name, &all, "--");
}

struct cp_suggestion
cp_suggest_value(const char *typed, const char *const *words)
{
	cp_candidates all = { 0 };

	for (; *words != NULL; words++)
		*cp_vec_push(&all) = *words;
	return suggest(typed, &all, "");
}
