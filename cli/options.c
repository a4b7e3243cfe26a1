/* SPDX-License-Identifier: MIT */
/*
 * options: argv -> struct cp_cli.
 *
 * Options are those of all commands, of this command (commands.c), and of the
 * analysis if the command is one.
 */
#include <stdarg.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/perf-words.h"
#include "cli/plugin.h"
#include "cli/suggest.h"

static int CP_PRINTF(2, 3) bad(struct cp_cli *cli, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	cp_diag(&cli->diags, CP_D_USAGE, "%s; see coldperf help %s", text,
	    cli->command != NULL ? cli->command : "");
	return CP_FAIL;
}

/* --------------------------------------------------------------- values */

/*
 * Finds the end of a word in a list; event names may have commas in brackets.
 */
static char *
word_end(char *s, bool events)
{
	bool slashes = false, regex = !events && s[0] == '/';
	int depth = 0;

	for (; *s != '\0' && (*s != ',' || depth > 0 || slashes || regex);
	     s++) {
		if (regex && *s == '/' && (s[1] == ',' || s[1] == '\0'))
			regex = false;
		slashes ^= events && *s == '/';
		if (!events && strchr("(<{[", *s) != NULL)
			depth++;
		else if (!events && strchr(")>}]", *s) != NULL)
			depth--;
	}
	return s;
}

/* Splits "a,b" in place. */
static void
words_add(cp_words *w, char *value, bool events)
{
	for (;;) {
		char *end = word_end(value, events);
		bool more = *end != '\0';

		*end = '\0';
		*cp_vec_push(w) = value;
		if (!more)
			return;
		value = end + 1;
	}
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

/* Parses "700M", "2G". */
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

/*
 * Returns the index of value among those of the option; CP_FAIL after a
 * diagnostic.
 */
static int
choice(struct cp_cli *cli, const char *name, const char *value, unsigned *out)
{
	const char *const *words = cp_option_values(name);
	struct cp_buf all;
	int status;

	for (unsigned i = 0; words[i] != NULL; i++)
		if (strcmp(value, words[i]) == 0) {
			*out = i;
			return CP_OK;
		}
	cp_buf_init(&all, 200);
	for (unsigned i = 0; words[i] != NULL; i++)
		cp_buf_printf(&all, "%s%s", i != 0 ? ", " : "", words[i]);
	status = bad(cli, "unknown value `%.40s' of --%s: %s%s", value, name,
	    cp_buf_text(&all), cp_suggest_value(value, words).text);
	cp_buf_free(&all);
	return status;
}

/* Short names apply to formats that only people read. */
static void
set_demangle(struct cp_cli *cli, unsigned n)
{
	cli->brief = n > CP_DEMANGLE_FULL;
	cli->run.demangle =
	    (enum cp_demangle)CP_MIN(n, (unsigned)CP_DEMANGLE_FULL);
}

static int
option_choice(struct cp_cli *cli, const char *name, const char *value)
{
	unsigned n = 0;

	if (strcmp(name, "weight") == 0 && strncmp(value, "field:", 6) == 0 &&
	    value[6] != '\0') {
		cli->run.weight = CP_WEIGHT_FIELD;
		cli->run.weight_field = value + 6;
		return CP_OK;
	}
	if (choice(cli, name, value, &n) != CP_OK)
		return CP_FAIL;
	if (strcmp(name, "weight") == 0)
		cli->run.weight = (enum cp_weight)n;
	else if (strcmp(name, "callchain") == 0)
		cli->run.callchain = (enum cp_callchain)n;
	else if (strcmp(name, "debuginfod") == 0)
		cli->run.debuginfod = (enum cp_debuginfod_use)n;
	else if (strcmp(name, "inline") == 0)
		cli->run.inlines = (enum cp_inline)n;
	else if (strcmp(name, "demangle") == 0)
		set_demangle(cli, n);
	else if (strcmp(name, "color") == 0)
		cli->color = (enum cp_when)n;
	else if (strcmp(name, "progress") == 0)
		cli->progress = (enum cp_when)n;
	else if (strcmp(name, "palette") == 0)
		cli->palette = value;
	else if (strcmp(name, "format") == 0)
		cli->format = value;
	else
		cli->diag_json = true;
	return CP_OK;
}

static bool
option_list(struct cp_cli *cli, const char *name, char *value)
{
	const struct {
		const char *name;
		cp_words *words;
		bool split;
	} lists[] = {
		{ "symbols", &cli->run.symbols, false },
		{ "formats", &cli->run.formats, false },
		{ "event", &cli->run.events, true },
		{ "comm", &cli->run.comms, true },
		{ "pid", &cli->run.pids, true },
		{ "tid", &cli->run.tids, true },
		{ "cpu", &cli->run.cpus, true },
		{ "dso", &cli->run.dsos, true },
		{ "symbol", &cli->run.names, true },
		{ "cgroup", &cli->run.cgroups, true },
		{ "time", &cli->times, false },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(lists); i++)
		if (strcmp(name, lists[i].name) == 0) {
			if (lists[i].split)
				words_add(lists[i].words, value,
				    lists[i].words == &cli->run.events);
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
		{ "output", &cli->output },
		{ "cache", &cli->run.cache },
		{ "clock-offset", &cli->run.clock_offset },
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
		cli->run.recorded_paths = false;
	else if (strcmp(name, "no-pager") == 0)
		cli->pager = CP_NEVER;
	else if (strcmp(name, "icicle") == 0)
		cli->icicle = true;
	else if (strcmp(name, "slim") == 0)
		cli->slim = true;
	else if (strcmp(name, "sources") == 0)
		cli->sources = true;
	else if (strcmp(name, "stitch-lbr") == 0)
		cli->run.stitch_lbr = true;
	else if (strcmp(name, "stack-scan") == 0)
		cli->run.stack_scan = true;
	else if (strcmp(name, "unwound") == 0)
		cli->unwound = true;
	else if (strcmp(name, "allow-mismatch") == 0)
		cli->run.allow_mismatch = true;
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
		cli->run.no_cache = true;
	else if (strcmp(name, "ns") == 0)
		cli->ns = true; /* --no-config was removed earlier */
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
		cli->run.jobs_asked = true;
		return number(cli, value, 256, &cli->run.jobs);
	}
	if (strcmp(o->name, "max-time") == 0)
		return number(cli, value, 1u << 30, &cli->fetch.seconds);
	if (strcmp(o->name, "max-size") == 0)
		return byte_size(cli, value, &cli->fetch.bytes);
	if (strcmp(o->name, "max-stack") == 0)
		return number(cli, value, 1u << 16, &cli->run.max_stack);
	if (strcmp(o->name, "width") == 0)
		return number(cli, value, 100000, &cli->width);
	return option_choice(cli, o->name, value);
}

/* -------------------------------------------------------------- the words */

/* Searches the command's options, then those of all commands. */
static const struct cp_common_option *
common_find(const struct cp_cli *cli, char letter, const char *name, size_t n)
{
	const struct cp_command *c = cp_command_find(cli->command);
	const struct cp_common_option *o =
	    cp_common_option_find(cp_common_options, letter, name, n);

	if (o == NULL && c != NULL)
		o = cp_common_option_find(c->options, letter, name, n);
	return o;
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

/* Takes the value after "=", or the next word. */
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
unknown_option(struct cp_cli *cli, const char *word)
{
	const char *name = word + strspn(word, "-");
	size_t n = strcspn(name, "=");

	return bad(cli, "unknown option %.60s%s", word,
	    word[1] == '-' ? cp_suggest_option(cli, name, n).text : "");
}

static int
take(struct cp_cli *cli, const char *name, char *value)
{
	size_t n = strlen(name);
	const struct cp_option *own = own_find(cli, name, n);

	if (own == NULL)
		return option_common(cli, common_find(cli, 0, name, n), value);
	*cp_vec_push(&cli->run.given) = (struct cp_given){ own->name,
		own->arg != NULL ? value : "yes", cli->captures.len };
	return CP_OK;
}

/*
 * Converts perf's value to ours: "sym" is symbol; a filter matches part of the
 * name.
 */
static char *
perf_value(struct cp_cli *cli, const struct cp_perf_option *o, char *value)
{
	struct cp_buf b;
	char *text;

	if (value == NULL || o->value != NULL || strcmp(o->ours, "by") != 0) {
		if (o->value == NULL)
			return value;
		cp_buf_init(&b, 8192);
		cp_buf_str(&b, o->value[0] == '*' ? "*" : o->value);
		if (o->value[0] == '*')
			cp_buf_printf(&b, "%s*", value);
	} else {
		cp_buf_init(&b, 8192);
		for (char *s = value; s != NULL;) {
			char *word = strsep(&s, ",");

			cp_buf_printf(&b, "%s%s", b.len != 0 ? "," : "",
			    strcmp(word, "sym") == 0 ? "symbol" : word);
		}
	}
	text = cp_arena_strndup(&cli->arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	return text;
}

/* Handles an option that perf has and we have not. */
static int
perf_option(struct cp_cli *cli, struct words *w, const char *word,
    const struct cp_perf_option *o, char *attached)
{
	char *value = attached;

	if (o == NULL)
		return unknown_option(cli, word);
	if (o->arg != CP_PERF_ATTACHED &&
	    value_of(cli, w, attached, o->arg == CP_PERF_VALUE, word, &value) !=
		CP_OK)
		return CP_FAIL;
	if (o->ours == NULL && o->instead == NULL)
		return CP_OK;
	if (o->ours == NULL)
		return bad(cli, "%.60s is perf's; here: %s", word, o->instead);
	if (o->ours[0] != '\0')
		return take(cli, o->ours, perf_value(cli, o, value));
	*cp_vec_push(&cli->captures) = value;
	return CP_OK;
}

static int
long_option(struct cp_cli *cli, struct words *w, char *word)
{
	char *name = word + 2, *equals = strchr(name, '='), *value;
	size_t n = equals != NULL ? (size_t)(equals - name) : strlen(name);
	const struct cp_option *own = own_find(cli, name, n);
	const struct cp_common_option *o = common_find(cli, 0, name, n);
	char *attached = equals != NULL ? equals + 1 : NULL;

	if (own == NULL && o == NULL)
		return perf_option(cli, w, word,
		    cp_perf_option(cli->command, 0, name, n), attached);
	if (value_of(cli, w, attached,
		(own != NULL ? own->arg : o->arg) != NULL, word,
		&value) != CP_OK)
		return CP_FAIL;
	return take(cli, own != NULL ? own->name : o->name, value);
}

static int
short_option(struct cp_cli *cli, struct words *w, char *word)
{
	const struct cp_common_option *o = common_find(cli, word[1], NULL, 0);
	char *value, *attached = word[2] != '\0' ? word + 2 : NULL;

	if (o == NULL)
		return perf_option(cli, w, word,
		    cp_perf_option(cli->command, word[1], NULL, 0), attached);
	if (value_of(cli, w, attached, o->arg != NULL, word, &value) != CP_OK)
		return CP_FAIL;
	return option_common(cli, o, value);
}

/* Takes the word after the capture as --function, for analyses that have it. */
static void
take_function(struct cp_cli *cli)
{
	const struct cp_option *o = own_find(cli, "function", 8);

	if (o == NULL || cli->captures.len != 2)
		return;
	*cp_vec_push(&cli->run.given) =
	    (struct cp_given){ o->name, cli->captures.data[1], 1 };
	cli->captures.len = 1;
}

int
cp_cli_parse(struct cp_cli *cli, int argc, char **argv)
{
	struct words w = { .argc = argc, .at = 2, .argv = argv };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	bool only_words = false;

	cli->run.demangle = CP_DEMANGLE_FULL;
	cli->run.debuginfod = CP_DEBUGINFOD_CACHED;
	cli->fetch.bytes = CP_FETCH_BYTES;
	cli->fetch.seconds = CP_FETCH_SECONDS;
	cli->run.recorded_paths = true;
	cli->run.jobs = cpus > 0 ? (unsigned)CP_MIN(cpus, 64) : 1;
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
	if (cli->captures.len == 0 && own_find(cli, "before", 6) == NULL &&
	    access("perf.data", F_OK) == 0)
		*cp_vec_push(&cli->captures) = "perf.data";
	cli->run.analysis = cli->command;
	if (cli->captures.len != 0)
		cli->run.capture = cli->captures.data[0];
	if (cli->times.len != 0)
		cli->run.time = cli->times.data[cli->times.len - 1];
	return CP_OK;
}

void
cp_cli_free(struct cp_cli *cli)
{
	cp_words *all[] = { &cli->captures, &cli->run.symbols, &cli->run.events,
		&cli->run.comms, &cli->run.pids, &cli->run.tids, &cli->run.cpus,
		&cli->run.dsos, &cli->run.names, &cli->run.cgroups,
		&cli->plugins, &cli->times };

	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		cp_vec_free(all[i]);
	cp_vec_free(&cli->run.given);
	cp_vec_free(&cli->loaded);
	cp_arena_free(&cli->arena);
}
