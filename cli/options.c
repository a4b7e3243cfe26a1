/* SPDX-License-Identifier: MIT */
/*
 * options: argv -> struct cp_cli.
 *
 * One table for the options that all commands share; those of the analysis
 * that is the command come from its own table.  perf's names where it has
 * them.
 */
#include <stdarg.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/plugin.h"

const struct cp_common_option cp_common_options[] = {
	{ 'f', "format", "FORMAT",
	    "text, json, csv, folded, svg, html; or by --output's suffix" },
	{ 'o', "output", "PATH", "write there instead of standard output" },
	{ 0, "symbols", "PATH",
	    "a folder or file that helps to name addresses (repeatable)" },
	{ 0, "cache", "DIR", "perf's build-id cache; default ~/.debug" },
	{ 0, "debuginfod", "HOW",
	    "off, cached (default: only what was fetched before), on" },
	{ 0, "no-local", NULL,
	    "do not open files by the paths that were recorded" },
	{ 0, "allow-mismatch", NULL,
	    "use files of another build ID where there is no right one" },
	{ 'e', "event", "EVENT", "only this event (repeatable)" },
	{ 0, "comm", "NAME,...", "only threads of these names" },
	{ 0, "pid", "PID,...", "only these processes" },
	{ 0, "tid", "TID,...", "only these threads" },
	{ 0, "cpu", "CPU,...", "only these CPUs; ranges as in 0-3" },
	{ 0, "dso", "OBJECT,...", "only samples that fell in these objects" },
	{ 0, "symbol", "NAME,...", "only samples that fell in these symbols" },
	{ 0, "cgroup", "PATH,...", "only these control groups" },
	{ 0, "time", "FROM,TO",
	    "seconds of the capture's clock, +seconds from its start, N%, "
	    "or wall clock as 2026-01-31T12:00:00" },
	{ 0, "weight", "WHAT",
	    "count period (default), samples, time, or field:NAME of the "
	    "payload" },
	{ 0, "callchain", "HOW",
	    "take call chains from fp, dwarf or lbr, where the capture has "
	    "several; default auto" },
	{ 0, "stitch-lbr", NULL,
	    "lengthen call stacks of branches by those of the sample before" },
	{ 0, "stack-scan", NULL,
	    "where no table leads on, take words of the stack for addresses" },
	{ 0, "demangle", "HOW", "no, simple or full (default)" },
	{ 0, "inline", "HOW",
	    "show inlined functions: yes, no or auto (default): where debug "
	    "information is at hand" },
	{ 0, "lines", NULL, "script: lines of frames; others have --by line" },
	{ 0, "no-cache", NULL,
	    "do not keep inlined functions and lines for the next run" },
	{ 'j', "jobs", "N", "worker threads; default: one per CPU" },
	{ 0, "color", "WHEN", "auto, always, never" },
	{ 0, "progress", "WHEN", "auto, always, never" },
	{ 0, "width", "N", "columns of text, pixels of a picture" },
	{ 0, "palette", "NAME", "colours of a flame graph" },
	{ 0, "icicle", NULL, "draw a flame graph from the top" },
	{ 0, "no-pager", NULL, "do not page long text" },
	{ 0, "plugin", "FILE", "load an analysis from outside (repeatable)" },
	{ 0, "section", "SLUG",
	    "only this section of the report; the one a picture shows" },
	{ 0, "strict", NULL, "exit 3 on warnings too" },
	{ 0, "diag", "json", "diagnostics as JSON, one a line" },
	{ 'h', "help", NULL, "this help" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option pack_options[] = {
	{ 0, "sources", NULL, "source files of the lines with samples too" },
	{ 0, "slim", NULL, "of objects only what names and unwinding need" },
	{ 0, "unwound", NULL,
	    "call chains instead of the copies of users' stacks" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option script_options[] = {
	{ 'F', "fields", "FIELDS",
	    "what to print, as in perf script: comm tid pid cpu time period "
	    "event ip sym symoff dso addr cgroup; and guess; +FIELDS: beside "
	    "the usual ones" },
	{ 0, "ns", NULL, "times in nanoseconds" },
	{ 0, NULL, NULL, NULL },
};

static const struct cp_common_option symbols_options[] = {
	{ 0, "fetch", NULL, "get what is missing from DEBUGINFOD_URLS" },
	{ 0, "max-size", "SIZE", "fetch at most so much; default 4G" },
	{ 0, "max-time", "SECONDS", "fetch for so long; default 600" },
	{ 0, "debug-info", NULL, "want files for lines and inlines too" },
	{ 0, "kernel", NULL, "want the kernel's debug information, too" },
	{ 0, "retry", NULL, "ask again for what servers did not know" },
	{ 0, NULL, NULL, NULL },
};

const struct cp_common_option *
cp_command_options(const char *command)
{
	if (strcmp(command, "pack") == 0)
		return pack_options;
	if (strcmp(command, "symbols") == 0)
		return symbols_options;
	return strcmp(command, "script") == 0 ? script_options
					      : pack_options + 3;
}

static int CP_PRINTF(2, 3) bad(struct cp_cli *cli, const char *fmt, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	cp_diag(&cli->diags, CP_D_USAGE, "%s; see coldperf help %s", text,
	    cli->command != NULL ? cli->command : "");
	return CP_FAIL;
}

/* --------------------------------------------------------------- values */

/* Splits "a,b" in place. */
static void
words_add(cp_words *w, char *value)
{
	char *comma;

	for (; (comma = strchr(value, ',')) != NULL; value = comma + 1) {
		*comma = '\0';
		*cp_vec_push(w) = value;
	}
	*cp_vec_push(w) = value;
}

static int
number(struct cp_cli *cli, const char *value, unsigned max, unsigned *out)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end != '\0' || n > max)
		return bad(cli, "bad number `%s'", value);
	*out = (unsigned)n;
	return CP_OK;
}

/* "700M", "2G" */
static int
byte_size(struct cp_cli *cli, const char *value, uint64_t *out)
{
	static const char units[] = "KMGT";
	char *end;
	unsigned long long n = strtoull(value, &end, 10);
	const char *unit = *end != '\0' ? strchr(units, *end & ~0x20) : NULL;
	unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;

	if (*value < '0' || *value > '9' ||
	    (*end != '\0' && (unit == NULL || end[1] != '\0')) ||
	    n > UINT64_MAX >> shift)
		return bad(cli, "bad size `%s'", value);
	*out = (uint64_t)n << shift;
	return CP_OK;
}

/* The index of value among the words, or CP_FAIL after a diagnostic. */
static int
choice(struct cp_cli *cli, const char *value, const char *const *words,
    unsigned *out)
{
	for (unsigned i = 0; words[i] != NULL; i++)
		if (strcmp(value, words[i]) == 0) {
			*out = i;
			return CP_OK;
		}
	return bad(cli, "unknown value `%s'", value);
}

static int
option_choice(struct cp_cli *cli, const char *name, const char *value)
{
	static const char *const when[] = { "auto", "never", "always", NULL };
	static const char *const weight[] = { "period", "samples", "time",
		NULL };
	static const char *const demangle[] = { "no", "simple", "full", NULL };
	static const char *const debuginfod[] = { "off", "cached", "on", NULL };
	static const char *const inlines[] = { "auto", "no", "yes", NULL };
	static const char *const chain[] = { "auto", "fp", "dwarf", "lbr",
		NULL };
	unsigned n = 0;
	int status;

	if (strcmp(name, "weight") == 0 && strncmp(value, "field:", 6) == 0 &&
	    value[6] != '\0') {
		cli->weight = CP_WEIGHT_FIELD;
		cli->weight_field = value + 6;
		status = CP_OK;
	} else if (strcmp(name, "weight") == 0) {
		status = choice(cli, value, weight, &n);
		cli->weight = (enum cp_weight)n;
	} else if (strcmp(name, "callchain") == 0) {
		status = choice(cli, value, chain, &n);
		cli->callchain = (enum cp_callchain)n;
	} else if (strcmp(name, "debuginfod") == 0) {
		status = choice(cli, value, debuginfod, &n);
		cli->debuginfod = (enum cp_debuginfod_use)n;
	} else if (strcmp(name, "inline") == 0) {
		status = choice(cli, value, inlines, &n);
		cli->inlines = (enum cp_inline)n;
	} else if (strcmp(name, "demangle") == 0) {
		status = choice(cli, value, demangle, &n);
		cli->demangle = (enum cp_demangle)n;
	} else {
		status = choice(cli, value, when, &n);
		if (strcmp(name, "color") == 0)
			cli->color = (enum cp_when)n;
		else
			cli->progress = (enum cp_when)n;
	}
	return status;
}

static bool
option_list(struct cp_cli *cli, const char *name, char *value)
{
	const struct {
		const char *name;
		cp_words *words;
		bool split;
	} lists[] = {
		{ "symbols", &cli->symbols, false },
		{ "event", &cli->events, false },
		{ "comm", &cli->comms, true },
		{ "pid", &cli->pids, true },
		{ "tid", &cli->tids, true },
		{ "cpu", &cli->cpus, true },
		{ "dso", &cli->dsos, true },
		{ "symbol", &cli->names, true },
		{ "cgroup", &cli->cgroups, true },
		{ "time", &cli->times, false },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(lists); i++)
		if (strcmp(name, lists[i].name) == 0) {
			if (lists[i].split)
				words_add(lists[i].words, value);
			else
				*cp_vec_push(lists[i].words) = value;
			return true;
		}
	return false;
}

static bool
option_text(struct cp_cli *cli, const char *name, const char *value)
{
	const struct {
		const char *name;
		const char **to;
	} texts[] = {
		{ "format", &cli->format },
		{ "output", &cli->output },
		{ "cache", &cli->cache },
		{ "palette", &cli->palette },
		{ "section", &cli->section },
		{ "fields", &cli->fields },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(texts); i++)
		if (strcmp(name, texts[i].name) == 0) {
			*texts[i].to = value;
			return true;
		}
	return false;
}

static int
option_switch(struct cp_cli *cli, const char *name)
{
	if (strcmp(name, "help") == 0)
		cli->help = true;
	else if (strcmp(name, "strict") == 0)
		cli->strict = true;
	else if (strcmp(name, "no-local") == 0)
		cli->recorded_paths = false;
	else if (strcmp(name, "no-pager") == 0)
		cli->pager = CP_NEVER;
	else if (strcmp(name, "icicle") == 0)
		cli->icicle = true;
	else if (strcmp(name, "slim") == 0)
		cli->slim = true;
	else if (strcmp(name, "sources") == 0)
		cli->sources = true;
	else if (strcmp(name, "stitch-lbr") == 0)
		cli->stitch_lbr = true;
	else if (strcmp(name, "stack-scan") == 0)
		cli->stack_scan = true;
	else if (strcmp(name, "unwound") == 0)
		cli->unwound = true;
	else if (strcmp(name, "allow-mismatch") == 0)
		cli->allow_mismatch = true;
	else if (strcmp(name, "fetch") == 0)
		cli->fetch.wanted = true;
	else if (strcmp(name, "debug-info") == 0)
		cli->fetch.debug_info = true;
	else if (strcmp(name, "kernel") == 0)
		cli->fetch.kernel = true;
	else if (strcmp(name, "retry") == 0)
		cli->fetch.retry = true;
	else if (strcmp(name, "lines") == 0)
		cli->lines = true;
	else if (strcmp(name, "no-cache") == 0)
		cli->no_cache = true;
	else
		cli->ns = true;
	return CP_OK;
}

static int
option_common(struct cp_cli *cli, const struct cp_common_option *o, char *value)
{
	if (o->arg == NULL)
		return option_switch(cli, o->name);
	if (option_list(cli, o->name, value) ||
	    option_text(cli, o->name, value))
		return CP_OK;
	if (strcmp(o->name, "jobs") == 0) {
		cli->jobs_asked = true;
		return number(cli, value, 256, &cli->jobs);
	}
	if (strcmp(o->name, "max-time") == 0)
		return number(cli, value, 1u << 30, &cli->fetch.seconds);
	if (strcmp(o->name, "max-size") == 0)
		return byte_size(cli, value, &cli->fetch.bytes);
	if (strcmp(o->name, "width") == 0)
		return number(cli, value, 100000, &cli->width);
	if (strcmp(o->name, "diag") == 0) {
		cli->diag_json = strcmp(value, "json") == 0;
		return cli->diag_json ? CP_OK
				      : bad(cli, "unknown value `%s'", value);
	}
	return option_choice(cli, o->name, value);
}

/* -------------------------------------------------------------- the words */

static const struct cp_common_option *
common_find(
    const struct cp_common_option *o, char letter, const char *name, size_t n)
{
	for (; o->name != NULL; o++)
		if (name != NULL
			? strlen(o->name) == n && memcmp(o->name, name, n) == 0
			: letter != 0 && o->letter == letter)
			return o;
	return NULL;
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

/* The value behind "=" or the next word. */
static int
value_of(struct cp_cli *cli, struct words *w, char *attached, bool wanted,
    const char *option, char **value)
{
	*value = attached;
	if (!wanted)
		return attached == NULL ? CP_OK
					: bad(cli, "%s takes no value", option);
	if (attached != NULL)
		return CP_OK;
	if (w->at >= w->argc)
		return bad(cli, "%s wants a value", option);
	*value = w->argv[w->at++];
	return CP_OK;
}

static int
long_option(struct cp_cli *cli, struct words *w, char *word)
{
	char *name = word + 2, *equals = strchr(name, '='), *value;
	size_t n = equals != NULL ? (size_t)(equals - name) : strlen(name);
	const struct cp_option *own = own_find(cli, name, n);
	const struct cp_common_option *o =
	    common_find(cp_common_options, 0, name, n);

	if (o == NULL)
		o = common_find(cp_command_options(cli->command), 0, name, n);
	if (own == NULL && o == NULL)
		return bad(cli, "unknown option %s", word);
	if (value_of(cli, w, equals != NULL ? equals + 1 : NULL,
		(own != NULL ? own->arg : o->arg) != NULL, word,
		&value) != CP_OK)
		return CP_FAIL;
	if (own == NULL)
		return option_common(cli, o, value);
	*cp_vec_push(&cli->given) =
	    (struct cp_given){ own->name, own->arg != NULL ? value : "yes" };
	return CP_OK;
}

static int
short_option(struct cp_cli *cli, struct words *w, char *word)
{
	const struct cp_common_option *o =
	    common_find(cp_common_options, word[1], NULL, 0);
	char *value;

	if (o == NULL)
		o = common_find(
		    cp_command_options(cli->command), word[1], NULL, 0);
	if (o == NULL)
		return bad(cli, "unknown option %s", word);
	if (value_of(cli, w, word[2] != '\0' ? word + 2 : NULL, o->arg != NULL,
		word, &value) != CP_OK)
		return CP_FAIL;
	return option_common(cli, o, value);
}

/* The word behind the capture of an analysis with --function. */
static void
take_function(struct cp_cli *cli)
{
	const struct cp_option *o = own_find(cli, "function", 8);

	if (o == NULL || cli->captures.len != 2)
		return;
	*cp_vec_push(&cli->given) =
	    (struct cp_given){ o->name, cli->captures.data[1] };
	cli->captures.len = 1;
}

int
cp_cli_parse(struct cp_cli *cli, int argc, char **argv)
{
	struct words w = { .argc = argc, .at = 2, .argv = argv };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	bool only_words = false;

	cli->demangle = CP_DEMANGLE_FULL;
	cli->debuginfod = CP_DEBUGINFOD_CACHED;
	cli->fetch.bytes = CP_FETCH_BYTES;
	cli->fetch.seconds = CP_FETCH_SECONDS;
	cli->recorded_paths = true;
	cli->jobs = cpus > 0 ? (unsigned)CP_MIN(cpus, 64) : 1;
	while (w.at < argc) {
		char *word = argv[w.at++];
		int status = CP_OK;

		if (only_words || word[0] != '-' || word[1] == '\0')
			*cp_vec_push(&cli->captures) = word;
		else if (strcmp(word, "--") == 0)
			only_words = true;
		else if (word[1] == '-')
			status = long_option(cli, &w, word);
		else
			status = short_option(cli, &w, word);
		if (status != CP_OK)
			return CP_FAIL;
	}
	take_function(cli);
	if (cli->times.len != 0)
		cli->time = cli->times.data[cli->times.len - 1];
	return CP_OK;
}

void
cp_cli_free(struct cp_cli *cli)
{
	cp_words *all[] = { &cli->captures, &cli->symbols, &cli->events,
		&cli->comms, &cli->pids, &cli->tids, &cli->cpus, &cli->dsos,
		&cli->names, &cli->cgroups, &cli->plugins, &cli->times };

	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		cp_vec_free(all[i]);
	cp_vec_free(&cli->given);
	cp_vec_free(&cli->loaded);
	cp_arena_free(&cli->arena);
}
