/* SPDX-License-Identifier: MIT */
/*
 * cli/cli.h: the command line, and the end of the process.
 *
 * cli/ reads options, runs a command and prints diagnostics; no other folder
 * prints or exits, and this one may use all others.  Code that commands share
 * is here, the commands are in command/.  Begin in main.c.
 */
#ifndef CP_CLI_CLI_H
#define CP_CLI_CLI_H

#include "base/diag.h"
#include "base/vec.h"
#include "render/render.h"
#include "run/options.h"
#include <stdbool.h>
#include "cli/commands.h"
#include "run/merge/merge.h"

enum {
	CP_EXIT_OK = 0,
	CP_EXIT_GATE = 1,
	CP_EXIT_ERROR = 2,
	CP_EXIT_PARTIAL = 3,
	CP_EXIT_LIMIT = 4,
	CP_EXIT_BUG = 5,
	CP_EXIT_UNDECIDED = 6,
};

typedef CP_VEC(char *) cp_argv;

enum cp_when { CP_AUTO, CP_NEVER, CP_ALWAYS };
enum cp_walls { CP_SANDBOX_ON, CP_SANDBOX_OFF, CP_SANDBOX_REQUIRE };

/* An analysis loaded from a plug-in. */
struct cp_plugin {
	const struct cp_analysis *analysis;
	const char *path;
};

/* An output of a report. */
struct cp_report_output {
	const char *path; /* NULL: standard output */
	const struct cp_renderer *renderer;
};
typedef CP_VEC(struct cp_report_output) cp_report_outputs;

/* The parsed command line; texts point into argv. */
struct cp_cli {
	const char *command;
	cp_words captures;
	const char *format;
	const char *output; /* the last of outputs, or the one being written */
	/* members that a snapshot keeps of the capture; NULL: none */
	struct cp_render_kept *kept;
	/* the samples of the snapshot being made; NULL: the report has them */
	struct cp_snapshot_stream *stream;
	bool private; /* that output holds the records of a capture */
	cp_words outputs;
	cp_words said; /* options typed, each once; see cli/idle/ */
	cp_words plugins;
	/* options that say which samples are counted, and their names */
	CP_VEC(struct cp_render_word) reads;
	/* those of the analysis, but for what names captures */
	CP_VEC(struct cp_render_word) own;
	int typed;       /* the first word typed, after those of defaults */
	bool by_default; /* the word being parsed is one of those */
	/* the capture being read, or a text for all of several; or NULL */
	const char *reading;
	const char *redact; /* --redact POLICY, or NULL */
	const char *fields; /* script -F */
	const char *query;  /* sql */
	const char *palette;
	const char *title, *subtitle; /* of reports; NULL: the capture's */
	const char *section;
	const char *columns; /* of tables as text; NULL: all */
	enum cp_when color, progress, pager;
	enum cp_walls sandbox;
	unsigned width;
	unsigned page_samples;
	bool lines; /* --lines */
	bool strict, diag_json, help, ns, icicle;
	bool brief;     /* --demangle short */
	bool full;      /* --demangle with another value */
	bool with_time; /* pprof */
	bool csv_raw;   /* cells that look like formulas as they are */
	bool callgrind_addresses;
	bool shell;                  /* sql --shell */
	unsigned sample;             /* check: frames to ask for; 0: all */
	bool all;                    /* check --all */
	bool names;                  /* verify --names */
	bool vaddr;                  /* names --vaddr */
	uint64_t kernel_base;        /* names: _text at run time; 0: none */
	bool slim, unwound, sources; /* pack */
	struct {                     /* capture, run */
		const char *question, *budget, *ring, *trigger;
		const char *fail_over;
		cp_words labels; /* KEY=VALUE; of pack, too */
		unsigned seconds, keep;
		bool dry_run;
	} capture;
	struct { /* symbols --fetch */
		bool wanted, debug_info, kernel, retry;
		unsigned seconds;
		uint64_t bytes;
	} fetch;
	struct cp_run_options run;
	struct cp_diags diags;
	CP_VEC(struct cp_plugin) loaded;
	bool plugins_found; /* $COLDPERF_PLUGIN_PATH has been searched */
	struct cp_arena arena;
};

/* command-line.c: the words of the command line, before they are parsed. */

/*
 * Completes the words: `report' if the first word is a capture or an option,
 * our command for perf's, and options of the config file and of
 * $COLDPERF_OPTIONS before those typed.  CP_FAIL after a diagnostic.
 */
int cp_command_line(
    struct cp_cli *, cp_argv *, int argc, char **argv) CP_MUST_USE;

/* completion.c: completion scripts for shells, made of the tables of commands
 * and options. */

/* Writes the script for bash, zsh or fish; false: another shell. */
bool cp_completion_print(const char *shell);

/* config-file.c: reads options from the user's config file. */

/* Returns the options of the user's config file for cli->command, as words. */
int cp_config_options(struct cp_cli *, cp_argv *) CP_MUST_USE;

/* default-output.c: the name of what is written without -o. */

/*
 * pack, snapshot and unpack write next to the capture, by its name.  CP_FAIL
 * after a diagnostic: it has none.
 */
int cp_default_output(struct cp_cli *) CP_MUST_USE;

/* examples.c: two lines to paste for each command. */

/* Prints the examples of a command; NULL: all. */
void cp_examples_print(const char *command);
bool cp_examples_has(const char *command);

/* walls.c: --sandbox: takes rights away from the process before a command runs.
 * This happens before the first byte of an input is read. */

/*
 * Opens the outputs and sets up the walls; page: text goes to a pager, too.
 * CP_FAIL after a diagnostic: --sandbox=require, and a limit cannot be set.
 */
int cp_cli_walls(struct cp_cli *, bool page) CP_MUST_USE;

/* option-values.c: the options of all commands, and their values. */

/* Reports an error in the command line.  Returns CP_FAIL. */
int cp_cli_bad(struct cp_cli *, const char *fmt, ...) CP_PRINTF(2, 3);
/*
 * Sets an option that is not an analysis' own.  Splits the value in place and
 * keeps it; NULL: the option has none.
 */
int cp_cli_set_option(
    struct cp_cli *, const struct cp_common_option *, char *value) CP_MUST_USE;

/* options.c: parses argv into struct cp_cli. */

/*
 * Parses the command line.  CP_FAIL after a diagnostic; if help was asked for,
 * sets cli->help.
 */
int cp_cli_parse(struct cp_cli *, int argc, char **argv) CP_MUST_USE;
void cp_cli_free(struct cp_cli *);

/* merging.c: reads several captures, as one or to compare them. */

/* Adds analyses to the run of the union. */
typedef int (*cp_merging_tasks)(void *ctx, struct cp_run *all);
/* Reads all captures of the command line; CP_FAIL after a diagnostic. */
int cp_merging_read(struct cp_cli *, struct cp_merger *, cp_merging_tasks,
    void *ctx) CP_MUST_USE;

/*
 * Reads all captures by one run, one after the other, for an analysis that
 * compares them.
 */
int cp_comparing_read(struct cp_cli *, struct cp_run *, cp_merging_tasks,
    void *ctx, struct cp_report *) CP_MUST_USE;

/* sides.c: several captures: the two sides of a comparison, before and after,
 * or captures that are counted as one. */

/*
 * Sorts captures into before and after, and expands folders; CP_FAIL after a
 * diagnostic.
 */
int cp_cli_sides(struct cp_cli *) CP_MUST_USE;
/*
 * Expands folders, and sorts the captures, so that results do not depend on
 * the order they were given in; CP_FAIL after a diagnostic.
 */
int cp_cli_captures(struct cp_cli *) CP_MUST_USE;

#endif
