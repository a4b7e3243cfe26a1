/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include "analyses/list.h"
#include "cli/commands.h"
#include "cli/plugin.h"
#include "base/buf.h"
#include "config.h"
#include "render/common/escape.h"
#include "render/render.h"

/* They are not ours: where each comes from belongs to it. */
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
		printf("  %-12s *%s\n", cp_renderer_at(i)->name,
		    cp_renderer_at(i)->suffix);
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

static int
help_command(const char *name, const char *summary, const struct cp_option *own,
    const struct cp_common_option *options)
{
	bool function = false;

	for (const struct cp_option *o = own; o != NULL && o->name != NULL; o++)
		function |= strcmp(o->name, "function") == 0;
	printf("coldperf %s [options] CAPTURE%s\n  %s\n\n", name,
	    function ? " [SYMBOL]" : "", summary);
	for (const struct cp_option *o = own; o != NULL && o->name != NULL; o++)
		print_option(0, o->name, o->arg, o->help, o->fallback);
	print_options(options);
	printf("\n");
	print_options(cp_common_options);
	return CP_EXIT_OK;
}

static int
help_all(const struct cp_cli *cli)
{
	printf("%s: performance captures of Linux perf, away from the host\n\n"
	       "coldperf COMMAND [options] CAPTURE\n"
	       "  CAPTURE is a perf.data file, a directory of perf record "
	       "--threads,\n  a bundle (tar, of any compression) or - for a "
	       "pipe.\n\n",
	    PACKAGE_STRING);
	for (size_t i = 0; cp_analyses[i] != NULL; i++)
		printf("  %-12s %s\n", cp_analyses[i]->name,
		    cp_analyses[i]->summary);
	print_plugins(cli);
	for (const struct cp_command *c = cp_commands(); c->name != NULL; c++)
		printf("  %-12s %s\n", c->name, c->summary);
	printf("\ncoldperf help COMMAND lists a command's options.\n");
	return CP_EXIT_OK;
}

int
cp_help(const struct cp_cli *cli, const char *topic)
{
	const struct cp_command *c;
	const struct cp_analysis *a;

	if (topic == NULL)
		return help_all(cli);
	a = cp_cli_analysis(cli, topic);
	if (a != NULL)
		return help_command(a->name, a->summary, a->options, NULL);
	c = cp_command_find(topic);
	if (c != NULL)
		return help_command(c->name, c->summary, NULL, c->options);
	return help_all(cli);
}
