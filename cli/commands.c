/* SPDX-License-Identifier: MIT */
/*
 * commands: the tables that parsing, help and plug-ins share.
 *
 * Options have perf's names where perf has them.
 */
#include "cli/commands.h"

#include <string.h>

#include "base/base.h"

const struct cp_common_option cp_common_options[] = {
	{ 'f', "format", "FORMAT",
	    "text, json, csv, folded, svg, html, or one of other tools (see "
	    "`coldperf list'); or by --output's suffix" },
	{ 'o', "output", "PATH",
	    "write there instead of standard output; reports: repeatable" },
	{ 0, "section", "SLUG",
	    "only this section of the report, or this picture" },
	{ 0, "color", "WHEN", "auto, always, never" },
	{ 0, "width", "N", "columns of text, pixels of a picture" },
	{ 0, "columns", "LIST",
	    "the columns of tables as text: Share,Symbol; tables that have "
	    "none of them are whole" },
	{ 0, "title", "TEXT",
	    "heading of a report, instead of what was recorded" },
	{ 0, "subtitle", "TEXT", "begins the line under a picture's heading" },
	{ 0, "palette", "NAME",
	    "colours of a flame graph: kind (default), object, language, "
	    "hot, cold or gray" },
	{ 0, "icicle", NULL, "draw a flame graph from the top" },
	{ 0, "page-samples", "N",
	    "samples that a page holds (default 2000000); more are merged" },
	{ 0, "page-source", "SHARE",
	    "a page has the code of functions above this share (default 1%); "
	    "0: none" },
	{ 0, "csv-raw", NULL,
	    "csv, samples-csv: without the ' before names that a spreadsheet "
	    "would compute" },
	{ 0, "with-time", NULL,
	    "pprof: do not merge equal samples; each has its time" },
	{ 0, "callgrind-addresses", NULL,
	    "callgrind: costs of addresses, too, not only of lines" },
	{ 0, "redact", "POLICY",
	    "remove confidential data by a policy: share, public or a file of "
	    "rules" },
	{ 0, "no-pager", NULL, "do not page long text" },
	{ 0, "symbols", "PATH",
	    "a folder or file that helps to name addresses (repeatable)" },
	{ 0, "cache", "DIR", "perf's build-id cache; default ~/.debug" },
	{ 0, "debuginfod", "HOW",
	    "off, cached (default: only what was fetched before), on" },
	{ 0, "no-local", NULL,
	    "do not open files by the paths that were recorded" },
	{ 0, "allow-mismatch", NULL,
	    "use files of another build ID where there is no right one" },
	{ 0, "demangle", "HOW",
	    "no, simple, short or full; default: short in text, full "
	    "elsewhere" },
	{ 0, "inline", "HOW",
	    "show inlined functions: yes, no or auto (default): where debug "
	    "information is found" },
	{ 0, "lines", NULL, "script: lines of frames; others have --by line" },
	{ 0, "no-cache", NULL,
	    "do not keep inlined functions and lines for the next run" },
	{ 0, "formats", "PATH",
	    "layouts of tracepoints that the capture lacks: a capture, a "
	    "format file, a copy of tracefs (repeatable)" },
	{ 'e', "event", "EVENT", "only this event (repeatable)" },
	{ 0, "comm", "NAME,...", "only threads of these names" },
	{ 0, "pid", "PID,...", "only these processes" },
	{ 0, "tid", "TID,...", "only these threads" },
	{ 0, "cpu", "CPU,...", "only these CPUs; ranges as in 0-3" },
	{ 0, "dso", "OBJECT,...", "only samples that fell in these objects" },
	{ 0, "symbol", "NAME,...", "only samples that fell in these symbols" },
	{ 0, "focus", "NAME,...", "only samples whose stack has one of these" },
	{ 0, "cgroup", "PATH,...", "only these control groups" },
	{ 0, "filter", "EXPR",
	    "only samples whose fields fit, as sched:sched_switch: prev_pid != "
	    "0 && prev_state & 2 (repeatable)" },
	{ 0, "time", "FROM,TO",
	    "a window; FROM..TO too; +1.5s and 100ms from the start, 50%, "
	    "14:03:10, 2026-01-31T12:00:00, or the capture's clock; 10%/2 and "
	    "0%-10%,50%-60% as in perf (repeatable)" },
	{ 0, "clock-offset", "WHEN",
	    "wall clock by hand: of the capture's start, or seconds to add to "
	    "its clock" },
	{ 0, "weight", "WHAT",
	    "count period (default), samples, time, latency, or "
	    "field:NAME of the payload" },
	{ 0, "callchain", "HOW",
	    "take call chains from fp, dwarf or lbr, where the capture has "
	    "several; default auto" },
	{ 0, "lost-callers", "HOW",
	    "where frame pointers lack a caller: mark it, or hide that it is "
	    "missing; default mark, but hide in script and folded stacks" },
	{ 0, "max-stack", "N", "the N innermost frames of stacks; 0: all" },
	{ 0, "stitch-lbr", NULL,
	    "lengthen call stacks of branches by those of the previous "
	    "sample" },
	{ 0, "stack-scan", NULL,
	    "without an unwind table, take words of the stack for return "
	    "addresses" },
	{ 'j', "jobs", "N", "worker threads; default: one per CPU" },
	{ 0, "progress", "WHEN", "auto, always, never" },
	{ 0, "plugin", "FILE", "load an analysis from a plug-in (repeatable)" },
	{ 0, "limit", "NAME=N",
	    "change a limit: inflated, inflate-ratio, counters, stacks "
	    "(repeatable)" },
	{ 0, "sandbox", "HOW",
	    "off, on (default: walls around the process, where the kernel has "
	    "them), require" },
	{ 0, "strict", NULL, "exit 3 on warnings too" },
	{ 0, "diag", "FORM",
	    "diagnostics as text (default), or as json: an object a line" },
	{ 0, "no-config", NULL, "do not read ~/.config/coldperf/config" },
	{ 'h', "help", NULL, "this help" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option pack_options[] = {
	{ 0, "sources", NULL,
	    "pack the source files of lines with samples, too" },
	{ 0, "slim", NULL,
	    "pack only the symbol and unwind tables of objects" },
	{ 0, "unwound", NULL,
	    "pack call chains instead of the copies of user stacks" },
	{ 0, "label", "KEY=VALUE",
	    "goes into the bundle and all reports of it (repeatable)" },
	{ 0, NULL, NULL, NULL },
};

/* Options of run; capture has them from the third on. */
static const struct cp_common_option run_options[] = {
	{ 0, "fail-over", "PERCENT",
	    "diff: exit with 1 if something is up by more than PERCENT" },
	{ 0, "keep", "N", "prune: keep the last N runs (default 20)" },
	{ 0, "for", "QUESTION",
	    "cpu (default), latency, offcpu, sched, cpi, locks, io, memory, "
	    "faults, jit, alloc, syscalls, branches" },
	{ 0, "all", NULL, "of the whole machine" },
	{ 0, "seconds", "N", "end after N seconds" },
	{ 0, "budget", "PERCENT",
	    "of a CPU that recording may cost, measured in the first second" },
	{ 0, "label", "KEY=VALUE",
	    "goes into the bundle and all reports of it (repeatable)" },
	{ 0, "dry-run", NULL, "print the command of perf, and do not record" },
	{ 0, "ring", "SECONDS",
	    "keep the last seconds alone, until --trigger" },
	{ 0, "trigger", "WHEN",
	    "ends a ring: signal (SIGUSR1, default), 'runq>N', or a command "
	    "that is run until its status is 0" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option script_options[] = {
	{ 'F', "fields", "FIELDS",
	    "what to print, as in perf script: comm tid pid cpu time period "
	    "event ip sym symoff dso addr cgroup; and guess; +FIELDS: in "
	    "addition to the usual ones" },
	{ 0, "ns", NULL, "times in nanoseconds" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option check_options[] = {
	{ 0, "sample", "N",
	    "compare N frames and N stacks; default 2000, 0: all" },
	{ 0, "all", NULL, "list explained differences, too" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option verify_options[] = {
	{ 0, "names", NULL,
	    "also compare names with those of elfutils, as check does" },
	{ 0, "sample", "N",
	    "--names: compare N frames and N stacks; default 2000, 0: all" },
	{ 0, "all", NULL, "--names: list explained differences, too" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option names_options[] = {
	{ 0, "vaddr", NULL,
	    "addresses are those that objdump shows, not offsets in files" },
	{ 0, "kernel-base", "ADDRESS",
	    "of a kernel: where its _text was; addresses from there on are "
	    "those of that boot" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option snapshot_options[] = {
	{ 0, "resymbolize", NULL,
	    "of a snapshot: look for files again, and report what changed" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option sql_options[] = {
	{ 0, "shell", NULL, "read queries from standard input" },
	{ 0, "max-time", "SECONDS",
	    "end a query after this time; default 600" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option symbols_options[] = {
	{ 0, "fetch", NULL, "get missing files from DEBUGINFOD_URLS" },
	{ 0, "max-size", "SIZE",
	    "fetch at most SIZE bytes in all; default 4G" },
	{ 0, "max-time", "SECONDS",
	    "fetch for at most this time; default 600" },
	{ 0, "debug-info", NULL,
	    "fetch files for lines and inlined functions, too" },
	{ 0, "kernel", NULL, "fetch the kernel's debug information, too" },
	{ 0, "retry", NULL, "ask again for files that servers did not know" },
	{ 0, NULL, NULL, NULL },
};

const char *
cp_option_group(const char *first)
{
	static const struct {
		const char *first, *title;
	} groups[] = {
		{ "format", "Output" },
		{ "symbols", "Names of addresses" },
		{ "event", "Which samples count" },
		{ "callchain", "Call chains" },
		{ "jobs", "The run" },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(groups); i++)
		if (strcmp(groups[i].first, first) == 0)
			return groups[i].title;
	return NULL;
}

bool
cp_is_one_of(const char *word, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

bool
cp_option_chooses(const char *option)
{
	static const char *const filters[] = { "event", "comm", "pid", "tid",
		"cpu", "dso", "symbol", "focus", "cgroup", "time", "filter",
		NULL };

	return cp_is_one_of(option, filters);
}

bool
cp_option_serves(const char *command, const char *option)
{
	static const char *const drawing[] = { "title", "subtitle", "palette",
		"icicle", "section", "page-samples", "page-source", "format",
		"width", "columns", "weight", "csv-raw", "with-time",
		"callgrind-addresses", NULL };
	static const char *const plain[] = { "output", "color", "progress",
		"strict", "diag", "no-config", "help", "plugin", "limit",
		"sandbox", NULL };
	static const char *const bundles[] = { "unpack", "verify", "dump",
		"repair", "selftest", NULL };
	static const char *const naming[] = { "symbols", "cache", "debuginfod",
		"no-local", "allow-mismatch", "demangle", "inline", "no-cache",
		"jobs", "format", "csv-raw", NULL };
	static const char *const looking[] = { "symbols", "cache", "debuginfod",
		"no-local", "no-cache", "jobs", NULL };
	static const char *const whole[] = { "pack", "redact", NULL };
	static const char *const shown[] = { "demangle", "inline", "max-stack",
		"clock-offset", NULL };
	static const char *const tables[] = { "snapshot", "merge", NULL };
	static const char *const counting[] = { "symbols", "check", NULL };
	static const char *const recording[] = { "output", "pid", "cgroup",
		"diag", "no-config", "help", NULL };
	static const char *const bare[] = { "list", "completion", "help",
		"version", NULL };
	const struct cp_command *c = cp_command_find(command);

	if (cp_is_one_of(command, bare))
		return false;
	if (strcmp(option, "lines") == 0)
		return strcmp(command, "script") == 0;
	if (strcmp(command, "capture") == 0 || strcmp(command, "run") == 0)
		return cp_is_one_of(option, recording) ||
		       (command[0] == 'r' && strcmp(option, "format") == 0);
	if (c == NULL)
		return true;
	if (strcmp(option, "redact") == 0 &&
	    (strcmp(command, "check") == 0 || strcmp(command, "symbols") == 0))
		return false;
	if (strcmp(command, "unpack") == 0 && strcmp(option, "redact") == 0)
		return true;
	if (strcmp(command, "verify") == 0 && cp_is_one_of(option, looking))
		return true;
	if (cp_is_one_of(command, bundles))
		return cp_is_one_of(option, plain);
	if (strcmp(command, "names") == 0)
		return cp_is_one_of(option, plain) ||
		       cp_is_one_of(option, naming);
	if (cp_is_one_of(command, whole) &&
	    (cp_option_chooses(option) || cp_is_one_of(option, shown)))
		return false;
	if (strcmp(option, "weight") == 0 && strcmp(command, "sql") != 0)
		return cp_is_one_of(command, tables);
	if (strcmp(option, "title") == 0 && cp_is_one_of(command, tables))
		return true;
	return strcmp(command, "sql") == 0 || cp_is_one_of(command, counting) ||
	       !cp_is_one_of(option, drawing);
}

static const struct {
	const char *option;
	const char *values[24]; /* in the order of their enums */
} values[] = {
	{ "format",
	    { "text", "json", "csv", "folded", "svg", "html", "pprof",
		"speedscope", "callgrind", "dot", "firefox", "perfetto", "otlp",
		"ndjson", "samples-csv", "snapshot", "markdown", "junit" } },
	{ "weight", { "period", "samples", "time", "latency" } },
	{ "callchain", { "auto", "fp", "dwarf", "lbr" } },
	{ "lost-callers", { "mark", "hide" } },
	{ "debuginfod", { "off", "cached", "on" } },
	{ "inline", { "auto", "no", "yes" } },
	{ "demangle", { "no", "simple", "full", "short" } },
	{ "color", { "auto", "never", "always" } },
	{ "progress", { "auto", "never", "always" } },
	{ "palette", { "kind", "object", "language", "hot", "cold", "gray" } },
	{ "sandbox", { "on", "off", "require" } },
	{ "diag", { "text", "json" } },
};

const char *const *
cp_option_values(const char *option)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(values); i++)
		if (strcmp(values[i].option, option) == 0)
			return values[i].values;
	return NULL;
}

/* Ends with a NULL name. */
static const struct cp_command commands[] = {
	{ "script", "samples as `perf script` prints them", script_options },
	{ "dump", "records as text", NULL },
	{ "capture", "records what a question needs, and packs it",
	    run_options + 2 },
	{ "run", "runs of a program kept: capture, compare, trend",
	    run_options },
	{ "pack", "a capture and its objects in one file", pack_options },
	{ "unpack", "a bundle into a new folder", NULL },
	{ "verify", "is a bundle as it was packed?", verify_options },
	{ "check", "names and stacks compared with those of elfutils",
	    check_options },
	{ "names", "lists of build IDs and addresses, named", names_options },
	{ "snapshot", "the samples, named, as one file of tables",
	    snapshot_options },
	{ "merge", "several captures as one snapshot", NULL },
	{ "repair", "a damaged capture as a file that perf reads", NULL },
	{ "redact", "a capture without what --redact removes, as a file",
	    NULL },
	{ "selftest", "do the walls of --sandbox hold here?", NULL },
	{ "browse", "the report and the samples to walk in a terminal", NULL },
	{ "sql", "samples, stacks and names asked in SQL", sql_options },
	{ "symbols", "which files are missing, and --fetch them",
	    symbols_options },
	{ "list", "the analyses and the output formats", NULL },
	{ "completion", "completion for bash, zsh or fish", NULL },
	{ "help", "this, or the options of a command", NULL },
	{ "version", "the version", NULL },
	{ NULL, NULL, NULL },
};

const struct cp_command *
cp_commands(void)
{
	return commands;
}

const struct cp_command *
cp_command_find(const char *name)
{
	for (const struct cp_command *c = commands; c->name != NULL; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const struct cp_common_option *
cp_common_option_find(
    const struct cp_common_option *o, char letter, const char *name, size_t n)
{
	for (; o != NULL && o->name != NULL; o++)
		if (name != NULL
			? strlen(o->name) == n && memcmp(o->name, name, n) == 0
			: letter != 0 && o->letter == letter)
			return o;
	return NULL;
}
