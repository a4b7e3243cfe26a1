/* SPDX-License-Identifier: MIT */
/*
 * cli/cli.h: the command line.  The only folder that sees all the others,
 * prints, or exits.
 */
#ifndef CP_CLI_CLI_H
#define CP_CLI_CLI_H

#include "base/diag.h"
#include "base/vec.h"
#include "symbolize/symbolize.h"

enum {
	CP_EXIT_OK = 0,
	CP_EXIT_GATE = 1,
	CP_EXIT_ERROR = 2,
	CP_EXIT_PARTIAL = 3,
	CP_EXIT_LIMIT = 4,
	CP_EXIT_BUG = 5,
};

enum cp_weight { CP_WEIGHT_PERIOD, CP_WEIGHT_SAMPLES, CP_WEIGHT_TIME };
enum cp_when { CP_AUTO, CP_NEVER, CP_ALWAYS };

typedef CP_VEC(const char *) cp_words;

struct cp_given {
	const char *name, *value;
};

/* Options of the command line as they were given; texts live in argv. */
struct cp_cli {
	const char *command;
	cp_words captures;
	const char *format, *output;
	cp_words symbols, events, comms, pids, tids, cpus, dsos, names;
	cp_words cgroups, plugins;
	const char *time;
	const char *cache;
	const char *fields; /* script -F */
	const char *palette;
	enum cp_weight weight;
	enum cp_demangle demangle;
	enum cp_when color, progress, pager;
	unsigned jobs, width;
	bool strict, diag_json, help, ns, recorded_paths, icicle;
	struct cp_diags diags;
	/* --name value of options that belong to an analysis */
	CP_VEC(struct cp_given) given;
};

/* options.c: CP_FAIL after a diagnostic; help was asked for: cli->help. */
int cp_cli_parse(struct cp_cli *, int argc, char **argv) CP_MUST_USE;
void cp_cli_free(struct cp_cli *);

/* help.c */
int cp_help(const struct cp_cli *, const char *topic);
int cp_list(const struct cp_cli *);

/* script.c, dump.c, analyse.c: commands; they return the exit status. */
int cp_command_script(struct cp_cli *);
int cp_command_dump(struct cp_cli *);
int cp_command_analyse(struct cp_cli *);

/* status.c: prints what happened and says with which status to exit. */
int cp_cli_status(struct cp_cli *);

#endif
