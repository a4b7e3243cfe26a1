/* SPDX-License-Identifier: MIT */
/*
 * options: argv -> struct cp_cli.
 *
 * Options are those of all commands, of this command (commands.c), and of the
 * analysis if the command is one.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/buf.h"
#include "cli/commands.h"
#include "cli/idle/idle.h"
#include "cli/cli.h"
#include "cli/perf-words.h"
#include "cli/plugin.h"
#include "cli/suggest.h"

/* -------------------------------------------------------------- the words */

/* Searches the command's options, then those of all commands. */
static const struct cp_common_option *
common_find(const struct cp_cli *cli, char letter, const char *name, size_t n)
{
	const struct cp_command *c = cp_command_find(cli->command);
	const struct cp_common_option *o =
	    cp_common_option_find(cp_common_options, letter, name, n);

	if (o == NULL && c != NULL)
		o = cp_common_option_find(c->options, letter, name, n);
	return o;
}

static const struct cp_option *
own_find(const struct cp_cli *cli, const char *name, size_t n)
{
	const struct cp_analysis *a = cp_cli_analysis(cli, cli->command);
	const struct cp_option *o = a != NULL ? a->options : NULL;

	for (; o != NULL && o->name != NULL; o++)
		if (strlen(o->name) == n && memcmp(o->name, name, n) == 0)
			return o;
	return NULL;
}

struct words {
	int argc, at;
	char **argv;
};

/* Takes the value after "=", or the next word. */
static int
value_of(struct cp_cli *cli, struct words *w, char *attached, bool wanted,
    const char *option, char **value)
{
	*value = attached;
	if (!wanted)
		return attached == NULL
			   ? CP_OK
			   : cp_cli_bad(cli, "%s takes no value", option);
	if (attached != NULL)
		return CP_OK;
	if (w->at >= w->argc)
		return cp_cli_bad(cli, "%s wants a value", option);
	*value = w->argv[w->at++];
	return CP_OK;
}

/*
 * Refuses a filter that the command does not apply: its output would be taken
 * for that of the chosen samples.  A filter of the configuration file is meant
 * for other commands, and is passed over.
 */
static int
set_common(struct cp_cli *cli, const struct cp_common_option *o, char *value)
{
	if (!cli->by_default)
		cp_cli_said(cli, o->name);
	if (!cp_option_chooses(o->name) ||
	    cp_option_serves(cli->command, o->name))
		return cp_cli_set_option(cli, o, value);
	return cli->by_default
		   ? CP_OK
		   : cp_cli_bad(cli,
			 "--%s chooses samples, and %s takes all of them",
			 o->name, cli->command);
}

/*
 * Analyses read their numbers when they need them, which may be never.  N is a
 * count, PERCENT may have a point and the sign.
 */
static int
check_number(struct cp_cli *cli, const struct cp_option *o, const char *value)
{
	bool percent = o->arg != NULL && strcmp(o->arg, "PERCENT") == 0;
	unsigned long n = 0;
	char *end;

	if (!percent && (o->arg == NULL || strcmp(o->arg, "N") != 0))
		return CP_OK;
	errno = 0;
	if (percent)
		(void)strtod(value, &end);
	else
		n = strtoul(value, &end, 10);
	if (end != value && percent && *end == '%')
		end++;
	if (end != value && *end == '\0' && errno == 0 && n <= UINT32_MAX &&
	    (percent || (*value >= '0' && *value <= '9')))
		return CP_OK;
	return cp_cli_bad(
	    cli, "--%s wants a number, not `%.40s'", o->name, value);
}

/* Takes an option of the analysis. */
static void
take_own(struct cp_cli *cli, const struct cp_option *o, const char *value,
    size_t captures)
{
	static const char *const sides[] = { "before", "after", "baseline",
		"versions" };

	*cp_vec_push(&cli->run.given) = (struct cp_given){ o->name,
		o->arg != NULL ? value : "yes", captures };
	for (size_t i = 0; i < CP_ARRAY_LEN(sides); i++)
		if (strcmp(o->name, sides[i]) == 0)
			return;
	*cp_vec_push(&cli->own) =
	    (struct cp_render_word){ o->name, o->arg != NULL ? value : NULL };
}

static int
take(struct cp_cli *cli, const char *name, char *value)
{
	size_t n = strlen(name);
	const struct cp_option *own = own_find(cli, name, n);

	if (own == NULL)
		return set_common(cli, common_find(cli, 0, name, n), value);
	if (!cli->by_default)
		cp_cli_said(cli, own->name);
	if (check_number(cli, own, value) != CP_OK)
		return CP_FAIL;
	take_own(cli, own, value, cli->captures.len);
	return CP_OK;
}

/*
 * Converts perf's value to ours: "sym" is symbol; a filter matches part of the
 * name.
 */
static char *
perf_value(struct cp_cli *cli, const struct cp_perf_option *o, char *value)
{
	struct cp_buf b;
	char *text;

	if (value == NULL || o->value != NULL || strcmp(o->ours, "by") != 0) {
		if (o->value == NULL)
			return value;
		cp_buf_init(&b, 8192);
		cp_buf_str(&b, o->value[0] == '*' ? "*" : o->value);
		if (o->value[0] == '*')
			cp_buf_printf(&b, "%s*", value);
	} else {
		cp_buf_init(&b, 8192);
		for (char *s = value; s != NULL;) {
			char *word = strsep(&s, ",");

			cp_buf_printf(&b, "%s%s", b.len != 0 ? "," : "",
			    strcmp(word, "sym") == 0 ? "symbol" : word);
		}
	}
	text = cp_arena_strndup(&cli->arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	return text;
}

/* Is the word what perf takes after -g, as in "-g graph,0.5,caller"? */
static bool
is_call_graph(const char *word)
{
	static const char *const known[] = { "graph", "flat", "fractal",
		"folded", "none", "caller", "callee", "function", "address",
		"percent", "period", "count" };
	size_t n = strcspn(word, ",");

	for (size_t i = 0; i < CP_ARRAY_LEN(known); i++)
		if (strlen(known[i]) == n && memcmp(known[i], word, n) == 0)
			return true;
	return false;
}

/* Handles an option that perf has and we have not. */
static int
perf_option(struct cp_cli *cli, struct words *w, const char *word,
    const struct cp_perf_option *o, char *attached)
{
	char *value = attached;

	if (o == NULL) {
		const char *name = word + strspn(word, "-");
		size_t n = strcspn(name, "=");

		return cp_cli_bad(cli, "unknown option %.60s%s", word,
		    word[1] == '-' ? cp_suggest_option(cli, name, n).text : "");
	}
	if (o->arg != CP_PERF_ATTACHED &&
	    value_of(cli, w, attached, o->arg == CP_PERF_VALUE, word, &value) !=
		CP_OK)
		return CP_FAIL;
	if (o->arg == CP_PERF_ATTACHED && attached == NULL && w->at < w->argc &&
	    is_call_graph(w->argv[w->at]))
		w->at++;
	if (o->ours == NULL && o->instead == NULL)
		return CP_OK;
	if (o->ours == NULL)
		return cp_cli_bad(
		    cli, "%.60s is perf's; here: %s", word, o->instead);
	if (o->ours[0] != '\0')
		return take(cli, o->ours, perf_value(cli, o, value));
	*cp_vec_push(&cli->captures) = value;
	return CP_OK;
}

/*
 * Other tables have intervals, too: what they are for cannot be chosen, but
 * they can be left out.
 */
static int
other_interval(struct cp_cli *cli, struct words *w, char *word, char *attached)
{
	char *value;

	if (value_of(cli, w, attached, true, word, &value) != CP_OK)
		return CP_FAIL;
	if (strcmp(value, "none") != 0)
		return cp_cli_bad(cli,
		    "--interval: %s has intervals of one kind; `none' leaves "
		    "them out",
		    cli->command);
	*cp_vec_push(&cli->own) = (struct cp_render_word){ "interval", value };
	return CP_OK;
}

static int
long_option(struct cp_cli *cli, struct words *w, char *word)
{
	char *name = word + 2, *equals = strchr(name, '='), *value;
	size_t n = equals != NULL ? (size_t)(equals - name) : strlen(name);
	const struct cp_option *own = own_find(cli, name, n);
	const struct cp_common_option *o = common_find(cli, 0, name, n);
	char *attached = equals != NULL ? equals + 1 : NULL;

	if (own == NULL && o == NULL && n == 8 &&
	    memcmp(name, "interval", n) == 0 &&
	    cp_cli_analysis(cli, cli->command) != NULL)
		return other_interval(cli, w, word, attached);
	if (own == NULL && o == NULL)
		return perf_option(cli, w, word,
		    cp_perf_option(cli->command, 0, name, n), attached);
	if (value_of(cli, w, attached,
		(own != NULL ? own->arg : o->arg) != NULL, word,
		&value) != CP_OK)
		return CP_FAIL;
	return take(cli, own != NULL ? own->name : o->name, value);
}

static int
short_option(struct cp_cli *cli, struct words *w, char *word)
{
	const struct cp_common_option *o = common_find(cli, word[1], NULL, 0);
	char *value, *attached = word[2] != '\0' ? word + 2 : NULL;

	if (o == NULL)
		return perf_option(cli, w, word,
		    cp_perf_option(cli->command, word[1], NULL, 0), attached);
	if (value_of(cli, w, attached, o->arg != NULL, word, &value) != CP_OK)
		return CP_FAIL;
	return set_common(cli, o, value);
}

/* Takes the word after the capture as --function, for analyses that have it. */
static void
take_function(struct cp_cli *cli)
{
	const struct cp_option *o = own_find(cli, "function", 8);

	if (o == NULL || cli->captures.len != 2)
		return;
	take_own(cli, o, cli->captures.data[1], 1);
	cli->captures.len = 1;
}

/* Takes the word after the captures as the query of sql: no file has it. */
static void
take_query(struct cp_cli *cli)
{
	size_t n = cli->captures.len;

	if (strcmp(cli->command, "sql") != 0 || n < 2 ||
	    access(cli->captures.data[n - 1], F_OK) == 0)
		return;
	cli->query = cli->captures.data[n - 1];
	cli->captures.len = n - 1;
}

/* Takes words that no file has, as irq, for --recipe of pair. */
static void
take_recipes(struct cp_cli *cli)
{
	const struct cp_option *o = own_find(cli, "recipe", 6);
	size_t n = 0, room = 1;
	char *list, *at;

	if (o == NULL || strcmp(cli->command, "pair") != 0)
		return;
	for (size_t i = 0; i < cli->captures.len; i++)
		room += strlen(cli->captures.data[i]) + 1;
	list = at = cp_arena_alloc(&cli->arena, room);
	for (size_t i = 0; i < cli->captures.len; i++) {
		const char *word = cli->captures.data[i];
		size_t length = strlen(word);

		if (word[0] == '-' || strpbrk(word, "./") != NULL ||
		    access(word, F_OK) == 0) {
			cli->captures.data[n++] = word;
			continue;
		}
		memcpy(at, word, length);
		at += length;
		*at++ = ',';
	}
	cli->captures.len = n;
	if (at == list)
		return;
	at[-1] = '\0';
	take_own(cli, o, list, n);
}

/* Of windows of time, those typed replace those of defaults. */
static void
take_times(struct cp_cli *cli, size_t defaults)
{
	cp_words *t = &cli->run.times;

	if (t->len > defaults) {
		memmove(t->data, t->data + defaults,
		    (t->len - defaults) * sizeof(*t->data));
		t->len -= defaults;
	}
}

/* Commands that record, and have a program for a capture. */
static bool
records(const struct cp_cli *cli)
{
	return strcmp(cli->command, "capture") == 0 ||
	       strcmp(cli->command, "run") == 0;
}

/* Is the last word that of a program to record, whose options follow? */
static bool
begins_command(const struct cp_cli *cli)
{
	return strcmp(cli->command, "capture") == 0 ||
	       (strcmp(cli->command, "run") == 0 && cli->captures.len == 2 &&
		   strcmp(cli->captures.data[0], "capture") == 0);
}

int
cp_cli_parse(struct cp_cli *cli, int argc, char **argv)
{
	struct words w = { .argc = argc, .at = 2, .argv = argv };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	bool only_words = false;
	size_t times = 0;

	cli->run.demangle = CP_DEMANGLE_FULL;
	cli->run.debuginfod = CP_DEBUGINFOD_CACHED;
	cli->fetch.bytes = CP_FETCH_BYTES;
	cli->fetch.seconds = CP_FETCH_SECONDS;
	cli->sample = CP_CHECK_FRAMES;
	cli->run.recorded_paths = true;
	cli->run.code_share = CP_PAGE_SOURCE;
	cli->run.jobs = cpus > 0 ? (unsigned)CP_MIN(cpus, 64) : 1;
	while (w.at < argc) {
		char *word = argv[w.at++];
		int status = CP_OK;

		cli->by_default = w.at - 1 < cli->typed;
		if (w.at - 1 == cli->typed)
			times = cli->run.times.len;
		if (only_words || word[0] != '-' || word[1] == '\0') {
			*cp_vec_push(&cli->captures) = word;
			only_words |= begins_command(cli);
		} else if (strcmp(word, "--") == 0)
			only_words = true;
		else if (word[1] == '-')
			status = long_option(cli, &w, word);
		else
			status = short_option(cli, &w, word);
		if (status != CP_OK)
			return CP_FAIL;
	}
	take_function(cli);
	take_query(cli);
	take_recipes(cli);
	if (cli->captures.len == 0 && own_find(cli, "before", 6) == NULL &&
	    strcmp(cli->command, "names") != 0 && !records(cli) &&
	    strcmp(cli->command, "merge") != 0 &&
	    strcmp(cli->command, "selftest") != 0 &&
	    access("perf.data", F_OK) == 0)
		*cp_vec_push(&cli->captures) = "perf.data";
	cli->run.analysis = cli->command;
	if (cli->captures.len != 0)
		cli->run.capture = cli->captures.data[0];
	take_times(cli, times);
	return CP_OK;
}

void
cp_cli_free(struct cp_cli *cli)
{
	cp_words *all[] = { &cli->captures, &cli->run.symbols, &cli->run.events,
		&cli->run.comms, &cli->run.pids, &cli->run.tids, &cli->run.cpus,
		&cli->run.dsos, &cli->run.names, &cli->run.cgroups,
		&cli->run.formats, &cli->run.payloads, &cli->plugins,
		&cli->run.times, &cli->outputs, &cli->said,
		&cli->capture.labels };

	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		cp_vec_free(all[i]);
	cp_vec_free(&cli->run.given);
	cp_vec_free(&cli->reads);
	cp_vec_free(&cli->own);
	cp_vec_free(&cli->loaded);
	cp_arena_free(&cli->arena);
}
