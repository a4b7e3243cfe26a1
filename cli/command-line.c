/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <unistd.h>

#include "cli/commands.h"
#include "cli/perf-words.h"
#include "cli/plugin.h"

static char *
copy(struct cp_cli *cli, const char *s)
{
	return cp_arena_strndup(&cli->arena, s, strlen(s));
}

/* Searches folders of plug-ins only for names that are not built in. */
static bool
is_command(struct cp_cli *cli, const char *name)
{
	if (cp_command_find(name) != NULL || cp_cli_analysis(cli, name) != NULL)
		return true;
	cp_plugins_find(cli);
	return cp_cli_analysis(cli, name) != NULL;
}

/* True for words that a report may begin with: a file, a pipe, an option. */
static bool
begins_report(const char *word)
{
	if (word[0] != '-')
		return access(word, F_OK) == 0;
	return strcmp(word, "--help") != 0 && strcmp(word, "-h") != 0 &&
	       strcmp(word, "--version") != 0 && strcmp(word, "-V") != 0 &&
	       strcmp(word, "--examples") != 0;
}

/*
 * Replaces perf's command at argv[1] by ours with its option; returns the
 * number of words replaced.
 */
static int
from_perf(struct cp_cli *cli, cp_argv *out, int argc, char **argv, int *taken)
{
	const char *second = argc > 2 ? argv[2] : NULL;
	const struct cp_perf_command *c = cp_perf_command(argv[1], second);

	*taken = 0;
	/* `sched' alone is our command; `sched latency' is perf's. */
	if (c == NULL ||
	    (strchr(c->perf, ' ') == NULL && is_command(cli, argv[1])))
		return CP_OK;
	if (c->ours[0] == NULL) {
		cp_diag(&cli->diags, CP_D_USAGE, "perf %s: %s", c->perf,
		    c->instead);
		return CP_FAIL;
	}
	*taken = strchr(c->perf, ' ') != NULL ? 2 : 1;
	*cp_vec_push(out) = copy(cli, c->ours[0]);
	if (c->ours[1] != NULL)
		*cp_vec_push(out) = copy(cli, c->ours[1]);
	return CP_OK;
}

/* Reads one word as a shell would; NULL: a quote is not closed. */
static const char *
shell_word(const char *s, char *out)
{
	char quote = 0;

	for (; *s != '\0' && (quote != 0 || strchr(" \t\n", *s) == NULL); s++) {
		if (quote == 0 && (*s == '\'' || *s == '"'))
			quote = *s;
		else if (*s == quote)
			quote = 0;
		else if (*s == '\\' && quote != '\'' && s[1] != '\0')
			*out++ = *++s;
		else
			*out++ = *s;
	}
	*out = '\0';
	return quote == 0 ? s : NULL;
}

/* Splits $COLDPERF_OPTIONS into words as a shell would. */
static int
split_words(struct cp_cli *cli, const char *s, cp_argv *words)
{
	while (s += strspn(s, " \t\n"), *s != '\0') {
		char *word = copy(cli, s);

		s = shell_word(s, word);
		if (s == NULL || strncmp(word, "--plugin", 8) == 0) {
			cp_diag(&cli->diags, CP_D_USAGE,
			    "$COLDPERF_OPTIONS: %s",
			    s == NULL ? "a quote does not end"
				      : "only the command line may have "
					"--plugin");
			return CP_FAIL;
		}
		*cp_vec_push(words) = word;
	}
	return CP_OK;
}

static bool
takes_options(const char *command)
{
	return strcmp(command, "help") != 0 && strcmp(command, "list") != 0 &&
	       strcmp(command, "version") != 0 &&
	       strcmp(command, "completion") != 0 && command[0] != '-';
}

/* Removes --no-config from the words; returns whether it was there. */
static bool
no_config(cp_argv *words)
{
	size_t n = 0;
	bool found = false, options = true;

	for (size_t i = 0; i < words->len; i++) {
		options &= strcmp(words->data[i], "--") != 0;
		if (options && strcmp(words->data[i], "--no-config") == 0)
			found = true;
		else
			words->data[n++] = words->data[i];
	}
	words->len = n;
	return found;
}

/* Inserts defaults before the words typed: later options win. */
static int
add_defaults(struct cp_cli *cli, cp_argv *words, size_t at)
{
	const char *env = getenv("COLDPERF_OPTIONS");
	bool none = no_config(words);
	cp_argv more = { 0 };
	int status = CP_OK;

	cli->command = words->data[1];
	if (!takes_options(cli->command))
		return CP_OK;
	if (!none)
		status = cp_config_options(cli, &more);
	if (status == CP_OK && env != NULL)
		status = split_words(cli, env, &more);
	for (size_t i = 0; i < more.len && status == CP_OK; i++) {
		char **last = cp_vec_push(words);

		memmove(&words->data[at + i + 1], &words->data[at + i],
		    (size_t)(last - &words->data[at + i]) *
			sizeof(*words->data));
		words->data[at + i] = more.data[i];
	}
	cli->typed = (int)(at + more.len);
	cp_vec_free(&more);
	return status;
}

int
cp_command_line(struct cp_cli *cli, cp_argv *out, int argc, char **argv)
{
	size_t at;
	int taken;

	*cp_vec_push(out) = argv[0];
	if (argc < 2 && access("perf.data", F_OK) != 0)
		return CP_OK;
	if (argc < 2) {
		*cp_vec_push(out) = copy(cli, "report");
		return add_defaults(cli, out, out->len);
	}
	if (from_perf(cli, out, argc, argv, &taken) != CP_OK)
		return CP_FAIL;
	if (taken == 0 && is_command(cli, argv[1])) {
		*cp_vec_push(out) = argv[1];
		taken = 1;
	} else if (taken == 0 && begins_report(argv[1])) {
		*cp_vec_push(out) = copy(cli, "report");
	}
	at = out->len;
	for (int i = 1 + taken; i < argc; i++)
		*cp_vec_push(out) = argv[i];
	return at < 2 ? CP_OK : add_defaults(cli, out, at);
}
