/* SPDX-License-Identifier: MIT */
/*
 * config-file: reads options from ~/.config/coldperf/config.
 *
 * Lines are "name = value", as --name=value; "name" or "name = yes" of a
 * switch.  Those before the first "[command]" are for all commands that have
 * them, those after it for that command.  # and ; begin a comment.
 */
#include "cli/cli.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/strings.h"
#include "cli/commands.h"
#include "cli/plugin.h"

#define MAX_FILE (1u << 20)

struct config {
	struct cp_cli *cli;
	cp_argv *out;
	const char *path;
	unsigned line;
	bool all, mine; /* the section: applies to all commands, to this one */
};

static int
bad(const struct config *c, const char *what, const char *word)
{
	cp_diag(&c->cli->diags, CP_D_USAGE, "%.160s:%u: %s `%.40s'", c->path,
	    c->line, what, word);
	return CP_FAIL;
}

static int
section(struct config *c, char *s)
{
	char *end = strchr(s, ']');

	if (end == NULL || end[1] != '\0')
		return bad(c, "no section", s);
	*end = '\0';
	s = cp_trim(s + 1);
	c->all = false;
	c->mine = strcmp(s, c->cli->command) == 0;
	if (!c->mine && cp_command_find(s) == NULL &&
	    cp_cli_analysis(c->cli, s) == NULL)
		return bad(c, "no such command", s);
	return CP_OK;
}

/*
 * Returns 0 if the command has no such option, 2 if it takes a value, else 1.
 */
static int
kind_of(const struct cp_cli *cli, const char *name)
{
	const struct cp_analysis *a = cp_cli_analysis(cli, cli->command);
	const struct cp_command *c = cp_command_find(cli->command);
	const struct cp_common_option *o =
	    cp_common_option_find(cp_common_options, 0, name, strlen(name));

	for (const struct cp_option *own = a != NULL ? a->options : NULL;
	     own != NULL && own->name != NULL; own++)
		if (strcmp(own->name, name) == 0)
			return own->arg != NULL ? 2 : 1;
	if (o == NULL && c != NULL)
		o = cp_common_option_find(c->options, 0, name, strlen(name));
	return o == NULL ? 0 : o->arg != NULL ? 2 : 1;
}

static int
option(struct config *c, char *s)
{
	char *equals = strchr(s, '='), *value = NULL;
	int kind;
	struct cp_buf b;

	if (equals != NULL) {
		*equals = '\0';
		value = cp_trim(equals + 1);
	}
	s = cp_trim(s);
	/* a file must not load code: see cli/plugin.c */
	if (strcmp(s, "plugin") == 0)
		return bad(c, "only the command line may have", s);
	if (!c->all && !c->mine)
		return CP_OK;
	kind = kind_of(c->cli, s);
	if (kind == 0)
		return c->all ? CP_OK : bad(c, "no such option", s);
	if (kind == 2 && value == NULL)
		return bad(c, "no value of", s);
	if (kind == 1 && value != NULL && strcmp(value, "no") == 0)
		return CP_OK;
	if (kind == 1 && value != NULL && strcmp(value, "yes") != 0)
		return bad(c, "neither yes nor no:", value);
	cp_buf_init(&b, 8192);
	cp_buf_printf(&b, kind == 2 ? "--%s=%s" : "--%s", s, value);
	*cp_vec_push(c->out) =
	    cp_arena_strndup(&c->cli->arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	return CP_OK;
}

static int
line(struct config *c, char *s)
{
	c->line++;
	s = cp_trim(s);
	if (*s == '\0' || *s == '#' || *s == ';')
		return CP_OK;
	return *s == '[' ? section(c, s) : option(c, s);
}

/* Returns NULL if there is no file. */
static FILE *
open_config(struct cp_buf *path)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct stat st;
	FILE *f;

	if (config != NULL && config[0] == '/')
		cp_buf_printf(path, "%s/coldperf/config", config);
	else if (home != NULL && home[0] == '/')
		cp_buf_printf(path, "%s/.config/coldperf/config", home);
	else
		return NULL;
	if (stat(cp_buf_text(path), &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > MAX_FILE)
		return NULL;
	f = fopen(cp_buf_text(path), "re");
	return f;
}

int
cp_config_options(struct cp_cli *cli, cp_argv *out)
{
	struct cp_buf path;
	struct config c = { .cli = cli, .out = out, .all = true };
	char text[4096];
	int status = CP_OK;
	FILE *f;

	cp_buf_init(&path, 8192);
	f = open_config(&path);
	c.path = cp_buf_text(&path);
	while (f != NULL && status == CP_OK &&
	       fgets(text, sizeof(text), f) != NULL) {
		text[strcspn(text, "\n")] = '\0';
		status = line(&c, text);
	}
	if (f != NULL)
		fclose(f);
	cp_buf_free(&path);
	return status;
}
