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

enum cp_weight {
	CP_WEIGHT_PERIOD,
	CP_WEIGHT_SAMPLES,
	CP_WEIGHT_TIME,
	CP_WEIGHT_FIELD, /* of the payload: weight_field */
};
enum cp_callchain { CP_CHAIN_AUTO, CP_CHAIN_FP, CP_CHAIN_DWARF, CP_CHAIN_LBR };
enum cp_inline { CP_INLINE_AUTO, CP_INLINE_NO, CP_INLINE_YES };
enum cp_when { CP_AUTO, CP_NEVER, CP_ALWAYS };

typedef CP_VEC(const char *) cp_words;

struct cp_given {
	const char *name, *value;
};

/* Options of the command line as they were given; texts live in argv. */
/* An analysis from outside. */
struct cp_plugin {
	const struct cp_analysis *analysis;
	const char *path;
};

struct cp_cli {
	const char *command;
	cp_words captures;
	const char *format, *output;
	cp_words symbols, events, comms, pids, tids, cpus, dsos, names;
	cp_words cgroups, plugins, times;
	const char *time;    /* of times: that of the capture being read */
	const char *reading; /* of several captures; or NULL */
	const char *cache;
	const char *fields; /* script -F */
	const char *palette;
	const char *section;
	enum cp_weight weight;
	const char *weight_field;
	enum cp_demangle demangle;
	enum cp_debuginfod_use debuginfod;
	enum cp_callchain callchain;
	enum cp_inline inlines;
	enum cp_when color, progress, pager;
	unsigned jobs, width;
	bool jobs_asked; /* by the user */
	bool lines;      /* --lines */
	bool no_cache;
	bool strict, diag_json, help, ns, recorded_paths, icicle;
	bool stitch_lbr, stack_scan;
	bool slim, unwound, sources; /* pack */
	bool allow_mismatch;
	struct { /* symbols --fetch */
		bool wanted, debug_info, kernel, retry;
		unsigned seconds;
		uint64_t bytes;
	} fetch;
	struct cp_diags diags;
	/* --name value of options that belong to an analysis */
	CP_VEC(struct cp_given) given;
	CP_VEC(struct cp_plugin) loaded;
	bool plugins_found; /* $COLDPERF_PLUGIN_PATH was gone through */
	struct cp_arena arena;
};

/* options.c: CP_FAIL after a diagnostic; help was asked for: cli->help. */
int cp_cli_parse(struct cp_cli *, int argc, char **argv) CP_MUST_USE;
void cp_cli_free(struct cp_cli *);

/* help.c */
int cp_help(const struct cp_cli *, const char *topic);
int cp_list(const struct cp_cli *);
/* Whether it is the name of a command that is no analysis. */
bool cp_help_is_command(const char *name);

/* script.c, dump.c, analyse.c, symbols.c: commands; they return the status. */
int cp_command_script(struct cp_cli *);
int cp_command_dump(struct cp_cli *);
int cp_command_analyse(struct cp_cli *);
/* pack.c, unpack.c, verify.c: bundles. */
int cp_command_pack(struct cp_cli *);
int cp_command_unpack(struct cp_cli *);
int cp_command_verify(struct cp_cli *);
int cp_command_symbols(struct cp_cli *);

/* status.c: prints what happened and says with which status to exit. */
int cp_cli_status(struct cp_cli *);

#endif
