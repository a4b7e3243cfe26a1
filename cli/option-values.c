/* SPDX-License-Identifier: MIT */
/* option-values: parses the values of options, and stores them. */
#include "base/caps/caps.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/suggest.h"

int
cp_cli_bad(struct cp_cli *cli, const char *fmt, ...)
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

/* Is there a backslash, which takes a comma or a bracket as part of a name? */
static bool
is_escaped(const char *s)
{
	return s[0] == '\\' && s[1] != '\0' &&
	       strchr(",\\/()<>[]{}", s[1]) != NULL;
}

/* Takes the backslashes out of a name; regular expressions keep theirs. */
static void
unescape(char *s)
{
	char *to = s;

	if (*s == '/')
		return;
	for (; *s != '\0'; s++) {
		if (is_escaped(s))
			s++;
		*to++ = *s;
	}
	*to = '\0';
}

/* The comma of C++'s operator, is a part of its name. */
static bool
is_operator(const char *word, const char *comma)
{
	return comma - word >= 8 && memcmp(comma - 8, "operator", 8) == 0 &&
	       (comma - word == 8 || comma[-9] == ':');
}

/*
 * Finds the end of a word in a list; event names may have commas in brackets.
 */
static char *
word_end(char *s, bool events)
{
	bool slashes = false, regex = !events && s[0] == '/';
	const char *word = s;
	int depth = 0;

	for (; *s != '\0' && (*s != ',' || depth > 0 || slashes || regex ||
				 is_operator(word, s));
	     s++) {
		if (!events && !regex && is_escaped(s)) {
			s++;
			continue;
		}
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
		if (!events)
			unescape(value);
		*cp_vec_push(w) = value;
		if (!more)
			return;
		value = end + 1;
	}
}

static int
number(struct cp_cli *cli, const char *name, const char *value, unsigned max,
    unsigned *out)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end != '\0' || n > max)
		return cp_cli_bad(
		    cli, "bad number `%s' of --%s, up to %u", value, name, max);
	*out = (unsigned)n;
	return CP_OK;
}

/* Parses "0.5%"; the sign may be left out. */
static int
share(struct cp_cli *cli, const char *name, const char *value, double *out)
{
	char *end;
	double percent = strtod(value, &end);

	if (strcmp(end, "%") == 0)
		end++;
	if (*value < '0' || *value > '9' || *end != '\0' || !(percent <= 100))
		return cp_cli_bad(
		    cli, "bad share `%s' of --%s, up to 100%%", value, name);
	*out = percent / 100;
	return CP_OK;
}

/*
 * Parses an address of the kernel, which is in the upper half; it may be
 * written as a signed number.
 */
static int
kernel_address(struct cp_cli *cli, const char *name, const char *value)
{
	char *end;

	errno = 0;
	cli->kernel_base = strtoull(value, &end, 0);
	if (errno != 0 || *end != '\0' || cli->kernel_base >> 63 == 0)
		return cp_cli_bad(cli,
		    "bad value `%.40s' of --%s: the address of _text, as "
		    "0xffffffff81000000",
		    value, name);
	return CP_OK;
}

/* Parses "700M", "2G". */
static int
byte_size(
    struct cp_cli *cli, const char *name, const char *value, uint64_t *out)
{
	static const char units[] = "KMGT";
	char *end;
	unsigned long long n = strtoull(value, &end, 10);
	const char *unit = *end != '\0' ? strchr(units, *end & ~0x20) : NULL;
	unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;

	if (*value < '0' || *value > '9' ||
	    (*end != '\0' && (unit == NULL || end[1] != '\0')) ||
	    n > UINT64_MAX >> shift)
		return cp_cli_bad(cli, "bad size `%.40s' of --%s", value, name);
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
	status = cp_cli_bad(cli, "unknown value `%.40s' of --%s: %s%s%s", value,
	    name, cp_buf_text(&all),
	    strcmp(name, "weight") == 0 ? ", field:NAME" : "",
	    cp_suggest_value(value, words).text);
	cp_buf_free(&all);
	return status;
}

/* Short names apply to formats that only people read. */
static void
set_demangle(struct cp_cli *cli, unsigned n)
{
	cli->brief = n > CP_DEMANGLE_FULL;
	cli->full = !cli->brief;
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
	else if (strcmp(name, "lost-callers") == 0)
		cli->run.lost_callers = n == 0 ? CP_LOST_MARK : CP_LOST_HIDE;
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
	else if (strcmp(name, "sandbox") == 0)
		cli->sandbox = (enum cp_walls)n;
	else if (strcmp(name, "palette") == 0)
		cli->palette = value;
	else if (strcmp(name, "format") == 0)
		cli->format = value;
	else
		cli->diag_json = n == 1;
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
		{ "focus", &cli->run.focus, true },
		{ "cgroup", &cli->run.cgroups, true },
		{ "filter", &cli->run.payloads, false },
		{ "time", &cli->run.times, false },
		{ "output", &cli->outputs, false },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(lists); i++)
		if (strcmp(name, lists[i].name) == 0) {
			if (lists[i].split)
				words_add(lists[i].words, value,
				    lists[i].words == &cli->run.events);
			else
				*cp_vec_push(lists[i].words) = value;
			if (lists[i].words == &cli->outputs)
				cli->output = value;
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
		{ "cache", &cli->run.cache },
		{ "clock-offset", &cli->run.clock_offset },
		{ "section", &cli->section },
		{ "title", &cli->title },
		{ "columns", &cli->columns },
		{ "subtitle", &cli->subtitle },
		{ "redact", &cli->redact },
		{ "fields", &cli->fields },
		{ "for", &cli->capture.question },
		{ "budget", &cli->capture.budget },
		{ "ring", &cli->capture.ring },
		{ "trigger", &cli->capture.trigger },
		{ "fail-over", &cli->capture.fail_over },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(texts); i++)
		if (strcmp(name, texts[i].name) == 0) {
			*texts[i].to = value;
			return true;
		}
	return false;
}

/* NAME=VALUE */
static int
limit(struct cp_cli *cli, const char *value)
{
#define CP_CAP(id, name, value, least, what) " " name
	static const char names[] =
#include "base/caps/caps.def"
	    ;
#undef CP_CAP
	size_t n = strcspn(value, "=");
	const char *why;
	uint64_t to;

	if (value[n] == '\0')
		return cp_cli_bad(cli,
		    "no value in `%.40s' of --limit NAME=N, for these:%s",
		    value, names);
	if (byte_size(cli, "limit", value + n + 1, &to) != CP_OK)
		return CP_FAIL;
	why = cp_cap_set(value, n, to);
	if (why != NULL)
		return cp_cli_bad(
		    cli, "--limit %.60s: %s; there are:%s", value, why, names);
	return CP_OK;
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
	else if (strcmp(name, "with-time") == 0)
		cli->with_time = true;
	else if (strcmp(name, "csv-raw") == 0)
		cli->csv_raw = true;
	else if (strcmp(name, "callgrind-addresses") == 0)
		cli->callgrind_addresses = true;
	else if (strcmp(name, "shell") == 0)
		cli->shell = true;
	else if (strcmp(name, "all") == 0)
		cli->all = true;
	else if (strcmp(name, "dry-run") == 0)
		cli->capture.dry_run = true;
	else if (strcmp(name, "names") == 0)
		cli->names = true;
	else if (strcmp(name, "vaddr") == 0)
		cli->vaddr = true;
	else if (strcmp(name, "slim") == 0)
		cli->slim = true;
	else if (strcmp(name, "sources") == 0)
		cli->sources = true;
	else if (strcmp(name, "stitch-lbr") == 0)
		cli->run.stitch_lbr = true;
	else if (strcmp(name, "stack-scan") == 0)
		cli->run.stack_scan = true;
	else if (strcmp(name, "resymbolize") == 0)
		cli->run.again = true;
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

/* Keeps an option that says which samples are counted, or their names. */
static void
note_reading(struct cp_cli *cli, const char *name, const char *value)
{
	static const char *const names[] = { "symbols", "cache", "debuginfod",
		"no-local", "allow-mismatch", "demangle", "inline", "formats",
		"event", "comm", "pid", "tid", "cpu", "dso", "symbol", "focus",
		"cgroup", "filter", "time", "clock-offset", "weight",
		"callchain", "lost-callers", "max-stack", "stitch-lbr",
		"stack-scan" };

	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			*cp_vec_push(
			    &cli->reads) = (struct cp_render_word){ names[i],
				value == NULL ? NULL
					      : cp_arena_strndup(&cli->arena,
						    value, strlen(value)) };
}

int
cp_cli_set_option(
    struct cp_cli *cli, const struct cp_common_option *o, char *value)
{
	note_reading(cli, o->name, o->arg == NULL ? NULL : value);
	if (o->arg == NULL)
		return option_switch(cli, o->name);
	/* One of the defaults may be of another machine: it is a warning. */
	if (strcmp(o->name, "symbols") == 0 && !cli->by_default &&
	    access(value, F_OK) != 0)
		return cp_cli_bad(
		    cli, "--symbols %.200s: %s", value, strerror(errno));
	if (option_list(cli, o->name, value) ||
	    option_text(cli, o->name, value))
		return CP_OK;
	if (strcmp(o->name, "jobs") == 0) {
		cli->run.jobs_asked = true;
		return number(cli, o->name, value, 256, &cli->run.jobs);
	}
	if (strcmp(o->name, "max-time") == 0)
		return number(
		    cli, o->name, value, 1u << 30, &cli->fetch.seconds);
	if (strcmp(o->name, "sample") == 0)
		return number(cli, o->name, value, 1u << 30, &cli->sample);
	if (strcmp(o->name, "seconds") == 0 && strcmp(value, "0") == 0)
		return cp_cli_bad(cli, "--seconds wants a number from 1");
	if (strcmp(o->name, "seconds") == 0)
		return number(
		    cli, o->name, value, 1u << 30, &cli->capture.seconds);
	if (strcmp(o->name, "keep") == 0)
		return number(
		    cli, o->name, value, 1u << 30, &cli->capture.keep);
	if (strcmp(o->name, "label") == 0) {
		if (value[0] == '=' || strchr(value, '=') == NULL)
			return cp_cli_bad(
			    cli, "--label wants KEY=VALUE, not `%.60s'", value);
		*cp_vec_push(&cli->capture.labels) = value;
		return CP_OK;
	}
	if (strcmp(o->name, "kernel-base") == 0)
		return kernel_address(cli, o->name, value);
	if (strcmp(o->name, "limit") == 0)
		return limit(cli, value);
	if (strcmp(o->name, "max-size") == 0)
		return byte_size(cli, o->name, value, &cli->fetch.bytes);
	if (strcmp(o->name, "max-stack") == 0)
		return number(
		    cli, o->name, value, 1u << 16, &cli->run.max_stack);
	if (strcmp(o->name, "width") == 0)
		return number(cli, o->name, value, 100000, &cli->width);
	if (strcmp(o->name, "page-source") == 0)
		return share(cli, o->name, value, &cli->run.code_share);
	if (strcmp(o->name, "page-samples") == 0)
		return number(
		    cli, o->name, value, UINT32_MAX, &cli->page_samples);
	return option_choice(cli, o->name, value);
}
