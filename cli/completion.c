/* SPDX-License-Identifier: MIT */
/*
 * completion: one walk over commands and their options, written three ways.
 *
 * Each script has a table of "command option value value ..." lines, a value
 * of FILE standing for files, and a few lines of the shell that look it up.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "analyses/list.h"
#include "base/base.h"
#include "cli/commands.h"

/* An option of a command; help and arg may be NULL. */
typedef void (*option_fn)(const char *command, char letter, const char *name,
    const char *arg, const char *help);

static void
each_common(const char *command, const struct cp_common_option *o, option_fn fn)
{
	for (; o != NULL && o->name != NULL; o++)
		if (cp_option_serves(command, o->name))
			fn(command, o->letter, o->name, o->arg, o->help);
}

static void
each_option(option_fn fn)
{
	for (size_t i = 0; cp_analyses[i] != NULL; i++) {
		const struct cp_analysis *a = cp_analyses[i];

		for (const struct cp_option *o = a->options;
		     o != NULL && o->name != NULL; o++)
			fn(a->name, 0, o->name, o->arg, o->help);
		each_common(a->name, cp_common_options, fn);
	}
	for (const struct cp_command *c = cp_commands(); c->name != NULL; c++) {
		each_common(c->name, c->options, fn);
		if (strcmp(c->name, "help") != 0 &&
		    strcmp(c->name, "list") != 0 &&
		    strcmp(c->name, "completion") != 0 &&
		    strcmp(c->name, "version") != 0)
			each_common(c->name, cp_common_options, fn);
	}
}

/* Calls fn for each command with its summary. */
static void
each_command(void (*fn)(const char *name, const char *summary))
{
	for (size_t i = 0; cp_analyses[i] != NULL; i++)
		fn(cp_analyses[i]->name, cp_analyses[i]->summary);
	for (const struct cp_command *c = cp_commands(); c->name != NULL; c++)
		fn(c->name, c->summary);
}

static void
name_and_blank(const char *name, const char *summary)
{
	printf("%s ", name);
}

static void
name_in_line(const char *name, const char *summary)
{
	printf("\t%s\n", name);
}

static bool
is_file(const char *arg)
{
	return strcmp(arg, "PATH") == 0 || strcmp(arg, "FILE") == 0 ||
	       strcmp(arg, "DIR") == 0;
}

static void
print_values(const char *name, const char *arg)
{
	const char *const *values = cp_option_values(name);

	for (; values != NULL && *values != NULL; values++)
		printf(" %s", *values);
	if (arg != NULL && is_file(arg))
		printf(" FILE");
}

/* Writes "report --format text json csv". */
static void
table_row(const char *command, char letter, const char *name, const char *arg,
    const char *help)
{
	(void)help;
	printf("%s --%s", command, name);
	print_values(name, arg);
	printf("\n");
	if (letter == 0)
		return;
	printf("%s -%c", command, letter);
	print_values(name, arg);
	printf("\n");
}

static void
print_table(void)
{
	each_option(table_row);
}

static void
bash(void)
{
	printf("# bash completion for coldperf; made by coldperf completion.\n"
	       "_coldperf_table() {\n\tcat <<'END'\n");
	print_table();
	printf("END\n}\n"
	       "_coldperf() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev= values=\n"
	       "\tlocal command=${COMP_WORDS[1]}\n"
	       "\tCOMPREPLY=()\n"
	       "\t[ \"$COMP_CWORD\" -gt 0 ] && "
	       "prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	       "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	       "\t\tCOMPREPLY=($(compgen -f -W '");
	each_command(name_and_blank);
	printf(
	    "' -- \"$cur\"))\n\t\treturn\n\tfi\n"
	    "\tif [ \"$cur\" = = ]; then cur=\n"
	    "\telif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}\n"
	    "\tfi\n"
	    "\tvalues=$(_coldperf_table | awk -v c=\"$command\" -v o=\"$prev\" "
	    "'$1 == c && $2 == o { $1 = $2 = \"\"; print; exit }')\n"
	    "\tcase $values in\n"
	    "\t*FILE*) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
	    "\t*[a-z]*) COMPREPLY=($(compgen -W \"$values\" -- \"$cur\")) ;;\n"
	    "\t*) case $cur in\n"
	    "\t\t-*) COMPREPLY=($(compgen -W \"$(_coldperf_table |\n"
	    "\t\t\tawk -v c=\"$command\" '$1 == c { print $2 }')\" "
	    "-- \"$cur\")) ;;\n"
	    "\t\t*) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
	    "\t\tesac ;;\n"
	    "\tesac\n}\n"
	    "complete -o filenames -F _coldperf coldperf\n");
}

static void
zsh(void)
{
	printf("#compdef coldperf\n"
	       "# zsh completion for coldperf; made by coldperf completion.\n"
	       "_coldperf_table() {\n\tcat <<'END'\n");
	print_table();
	printf("END\n}\n_coldperf_commands=(\n");
	each_command(name_in_line);
	printf(")\n"
	       "_coldperf_words() {\n"
	       "\t_coldperf_table | awk -v c=\"$1\" -v o=\"$2\" '$1 == c && "
	       "(o == \"\" || $2 == o) {\n"
	       "\t\tif (o == \"\") print $2\n"
	       "\t\telse for (i = 3; i <= NF; i++) print $i }'\n}\n"
	       "_coldperf() {\n"
	       "\tlocal -a values\n"
	       "\tif (( CURRENT == 2 )); then\n"
	       "\t\tcompadd -- $_coldperf_commands\n\t\t_files\n"
	       "\t\treturn\n\tfi\n"
	       "\tvalues=(${(f)\"$(_coldperf_words $words[2] "
	       "$words[CURRENT-1])\"})\n"
	       "\tif [[ $words[CURRENT-1] == -* && -n \"$values\" ]]; then\n"
	       "\t\tif [[ $values[1] == FILE ]]; then _files; "
	       "else compadd -- $values; fi\n"
	       "\telif [[ $words[CURRENT] == -* ]]; then\n"
	       "\t\tcompadd -- ${(f)\"$(_coldperf_words $words[2] '')\"}\n"
	       "\telse\n\t\t_files\n\tfi\n}\n"
	       "compdef _coldperf coldperf\n");
}

/* Quotes a text with ''; the only quote in our texts is this one. */
static void
fish_text(const char *s)
{
	for (; *s != '\0'; s++)
		printf(*s == '\'' || *s == '\\' ? "\\%c" : "%c", *s);
}

static void
fish_option(const char *command, char letter, const char *name, const char *arg,
    const char *help)
{
	const char *const *values = cp_option_values(name);

	printf("complete -c coldperf -n '__coldperf_is %s' "
	       "-l %s",
	    command, name);
	if (letter != 0)
		printf(" -s %c", letter);
	if (arg != NULL)
		printf(is_file(arg) ? " -r -F" : " -x");
	if (values != NULL)
		printf(" -a '");
	for (; values != NULL && *values != NULL; values++)
		printf("%s ", *values);
	if (cp_option_values(name) != NULL)
		printf("'");
	printf(" -d '");
	fish_text(help);
	printf("'\n");
}

static void
fish_command(const char *name, const char *summary)
{
	printf("complete -c coldperf -n __coldperf_first -a %s -d '", name);
	fish_text(summary);
	printf("'\n");
}

static void
fish(void)
{
	printf("# fish completion for coldperf; made by coldperf completion.\n"
	       "function __coldperf_is\n"
	       "    set -l words (commandline -opc)\n"
	       "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
	       "end\n"
	       "function __coldperf_first\n"
	       "    test (count (commandline -opc)) -eq 1\n"
	       "end\n");
	each_command(fish_command);
	each_option(fish_option);
}

bool
cp_completion_print(const char *shell)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} shells[] = { { "bash", bash }, { "zsh", zsh }, { "fish", fish } };

	for (size_t i = 0; i < CP_ARRAY_LEN(shells); i++)
		if (strcmp(shells[i].name, shell) == 0) {
			shells[i].print();
			return true;
		}
	return false;
}
