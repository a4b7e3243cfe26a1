/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include "analyses/list.h"
#include "cli/commands.h"
#include "cli/cli.h"
#include "cli/perf-words.h"
#include "cli/plugin.h"
#include "cli/suggest.h"
#include "base/buf.h"
#include "config.h"
#include "render/common/escape.h"
#include "render/render.h"

/* Shows the file of each plug-in: it is not our code. */
static void
print_plugins(const struct cp_cli *cli)
{
	struct cp_buf b;

	cp_buf_init(&b, 64u << 10);
	for (size_t i = 0; i < cli->loaded.len; i++) {
		const struct cp_plugin *p = &cli->loaded.data[i];

		cp_buf_printf(&b, "  %-12s ", p->analysis->name);
		cp_escape_terminal(&b, p->analysis->summary);
		cp_buf_str(&b, " (");
		cp_escape_terminal(&b, p->path);
		cp_buf_str(&b, ")\n");
	}
	printf("%s", cp_buf_text(&b));
	cp_buf_free(&b);
}

static void
print_format(const struct cp_renderer *r)
{
	printf("  %-12s *%s", r->name, r->suffix);
	if (r->others != NULL)
		printf(" *%s", r->others);
	if (r->prefix != NULL)
		printf(" %s*", r->prefix);
	printf("\n");
}

int
cp_list(const struct cp_cli *cli)
{
	printf("analyses\n");
	for (size_t i = 0; cp_analyses[i] != NULL; i++)
		printf("  %-12s %s\n", cp_analyses[i]->name,
		    cp_analyses[i]->summary);
	if (cli->loaded.len != 0)
		printf("plug-ins\n");
	print_plugins(cli);
	printf("formats\n");
	for (size_t i = 0; i < cp_renderer_count(); i++)
		print_format(cp_renderer_at(i));
	return CP_EXIT_OK;
}

static void
print_option(char letter, const char *name, const char *arg, const char *help,
    const char *fallback)
{
	char left[64], shortened[8] = "    ";

	if (letter != 0)
		snprintf(shortened, sizeof(shortened), "-%c, ", letter);
	snprintf(left, sizeof(left), "%s--%s%s%s", shortened, name,
	    arg != NULL ? " " : "", arg != NULL ? arg : "");
	printf("  %-26s %s", left, help);
	if (fallback != NULL)
		printf(" (default %s)", fallback);
	printf("\n");
}

static void
print_options(const struct cp_common_option *o)
{
	for (; o != NULL && o->name != NULL; o++)
		print_option(o->letter, o->name, o->arg, o->help, NULL);
}

/* Prints, by group, the common options that have an effect on the command. */
static void
print_common(const char *command)
{
	const struct cp_common_option *o;
	const char *title = NULL;

	for (o = cp_common_options; o->name != NULL; o++) {
		if (cp_option_group(o->name) != NULL)
			title = cp_option_group(o->name);
		if (!cp_option_serves(command, o->name))
			continue;
		if (title != NULL)
			printf("\n%s\n", title);
		title = NULL;
		print_option(o->letter, o->name, o->arg, o->help, NULL);
	}
}

/* Other commands are described in coldperf(1). */
static bool
has_page(const char *name)
{
	return strcmp(name, "help") != 0 && strcmp(name, "version") != 0 &&
	       strcmp(name, "completion") != 0;
}

/* The words of commands that take others than options and one capture. */
static const struct {
	const char *command, *words;
} usages[] = {
	{ "browse", "[options] CAPTURE..." },
	{ "capture", "[options] [--] COMMAND..." },
	{ "completion", "SHELL" },
	{ "diff", "[options] BEFORE AFTER..." },
	{ "help", "[COMMAND]" },
	{ "list", "" },
	{ "merge", "[options] -o SNAPSHOT CAPTURE..." },
	{ "names", "[options] [LIST]" },
	{ "pair", "[options] [RECIPE...] CAPTURE" },
	{ "redact", "[options] --redact POLICY -o FILE CAPTURE" },
	{ "repair", "[options] -o FILE CAPTURE" },
	{ "run", "[options] capture|add|list|show|diff|baseline|prune|trend "
		 "[CAPTURE|RUN|-- COMMAND...]" },
	{ "selftest", "[options]" },
	{ "sql", "[options] CAPTURE... [QUERY]" },
	{ "unpack", "[options] BUNDLE" },
	{ "verify", "[options] BUNDLE" },
	{ "version", "" },
};

static const char *
words_of_analysis(const struct cp_analysis *a)
{
	for (const struct cp_option *o = a->options;
	     o != NULL && o->name != NULL; o++)
		if (strcmp(o->name, "function") == 0)
			return "[options] CAPTURE [SYMBOL]";
	return (a->wants & CP_WANT_MERGED) != 0 ? "[options] CAPTURE..."
						: "[options] CAPTURE";
}

static const char *
words_of(const char *name, const struct cp_analysis *a)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(usages); i++)
		if (strcmp(usages[i].command, name) == 0)
			return usages[i].words;
	return a != NULL ? words_of_analysis(a) : "[options] CAPTURE";
}

static int
help_command(const char *name, const char *summary, const struct cp_analysis *a,
    const struct cp_common_option *options)
{
	const struct cp_option *own = a != NULL ? a->options : NULL;
	const char *words = words_of(name, a);

	printf("coldperf %s%s%s\n  %s; see coldperf", name,
	    words[0] != '\0' ? " " : "", words, summary);
	printf(has_page(name) && cp_examples_has(name) ? "-%s(1)\n" : "(1)\n",
	    name);
	if (!cp_option_serves(name, "help"))
		return CP_EXIT_OK;
	if (cp_examples_has(name)) {
		printf("\nExamples\n");
		cp_examples_print(name);
	}
	if (own != NULL || options != NULL)
		printf("\nOf this command\n");
	for (const struct cp_option *o = own; o != NULL && o->name != NULL; o++)
		print_option(0, o->name, o->arg, o->help, o->fallback);
	print_options(options);
	print_common(name);
	return CP_EXIT_OK;
}

/* Writes perf's spelling: "-S, --symbols X". */
static void
perf_spelling(const struct cp_perf_option *o, char *text, size_t size)
{
	char letter[8] = "";

	if (o->letter != 0)
		snprintf(letter, sizeof(letter), "-%c", o->letter);
	snprintf(text, size, "%s%s%s%s%s", letter,
	    o->letter != 0 && o->name != NULL ? ", " : "",
	    o->name != NULL ? "--" : "", o->name != NULL ? o->name : "",
	    o->arg == CP_PERF_VALUE ? " X" : "");
}

/* Prints perf's words and ours, a line for each row of the tables. */
static int
help_perf(void)
{
	for (const struct cp_perf_command *c = cp_perf_commands;
	     c->perf != NULL; c++)
		printf("  %-32s %s%s%s%s\n", c->perf,
		    c->ours[0] != NULL ? "coldperf " : "no: ",
		    c->ours[0] != NULL ? c->ours[0] : c->instead,
		    c->ours[1] != NULL ? " " : "",
		    c->ours[1] != NULL ? c->ours[1] : "");
	for (const struct cp_perf_option *o = cp_perf_options;
	     o->letter != 0 || o->name != NULL; o++) {
		char perf[64];

		perf_spelling(o, perf, sizeof(perf));
		printf("  %-32s ", perf);
		if (o->ours != NULL && o->ours[0] == '\0')
			printf("the capture");
		else if (o->ours != NULL)
			printf("--%s%s%s", o->ours, o->value ? " " : "",
			    o->value ? o->value : "");
		else if (o->instead != NULL)
			printf("no: %s", o->instead);
		else
			printf("always so");
		if (o->commands != NULL)
			printf("  (%.*s)", (int)strlen(o->commands) - 2,
			    o->commands + 1);
		printf("\n");
	}
	return CP_EXIT_OK;
}

static int
help_all(const struct cp_cli *cli)
{
	printf("%s: performance captures of Linux perf, away from the host\n\n"
	       "coldperf COMMAND [options] CAPTURE\n"
	       "  CAPTURE is a perf.data file, a directory of perf record "
	       "--threads,\n  a bundle (tar, of any compression), a snapshot, "
	       "or - for a "
	       "pipe.\n\n",
	    PACKAGE_STRING);
	for (size_t i = 0; cp_analyses[i] != NULL; i++)
		printf("  %-12s %s\n", cp_analyses[i]->name,
		    cp_analyses[i]->summary);
	print_plugins(cli);
	for (const struct cp_command *c = cp_commands(); c->name != NULL; c++)
		printf("  %-12s %s\n", c->name, c->summary);
	printf("\ncoldperf FILE is coldperf report FILE; without a file, "
	       "./perf.data is read.\ncoldperf help COMMAND lists a command's "
	       "options, help perf what perf calls them,\nand coldperf "
	       "--examples two lines to paste for each command.\n");
	return CP_EXIT_OK;
}

int
cp_help(struct cp_cli *cli, const char *topic)
{
	const struct cp_command *c;
	const struct cp_analysis *a;

	if (topic == NULL)
		return help_all(cli);
	if (strcmp(topic, "perf") == 0)
		return help_perf();
	a = cp_cli_analysis(cli, topic);
	if (a != NULL)
		return help_command(a->name, a->summary, a, NULL);
	c = cp_command_find(topic);
	if (c != NULL)
		return help_command(c->name, c->summary, NULL, c->options);
	cp_diag(&cli->diags, CP_D_USAGE,
	    "no such command `%.60s'%s; see coldperf help", topic,
	    cp_suggest_command(cli, topic).text);
	return CP_EXIT_ERROR;
}
