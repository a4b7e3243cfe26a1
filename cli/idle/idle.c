/* SPDX-License-Identifier: MIT */
#include "cli/idle/idle.h"

#include <coldperf/plugin.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "cli/commands.h"

void
cp_cli_said(struct cp_cli *cli, const char *option)
{
	for (size_t i = 0; i < cli->said.len; i++)
		if (strcmp(cli->said.data[i], option) == 0)
			return;
	*cp_vec_push(&cli->said) = option;
}

static bool
is_said(const struct cp_cli *cli, const char *option)
{
	for (size_t i = 0; i < cli->said.len; i++)
		if (strcmp(cli->said.data[i], option) == 0)
			return true;
	return false;
}

/* They ask for something; other options only forbid it, or say how. */
static const char *const naming[] = { "symbols", "cache", "allow-mismatch",
	"demangle", "inline", NULL };
static const char *const chains[] = { "callchain", "lost-callers", "max-stack",
	"stitch-lbr", "stack-scan", NULL };
static const char *const asking[] = { "lines", "title", "subtitle", "section",
	"palette", "icicle", "width", "columns", "page-samples", "page-source",
	"csv-raw", "with-time", "callgrind-addresses", "weight", "formats",
	"clock-offset", NULL };

static bool
asks(const char *option)
{
	return cp_is_one_of(option, naming) || cp_is_one_of(option, chains) ||
	       cp_is_one_of(option, asking);
}

static void
add_word(struct cp_buf *b, const char *option)
{
	cp_buf_printf(b, "%s--%s", b->len != 0 ? ", " : "", option);
}

static void
tell(struct cp_cli *cli, struct cp_buf *b, const char *why)
{
	if (b->len != 0)
		cp_diag(
		    &cli->diags, CP_D_NO_EFFECT, "%s %s", cp_buf_text(b), why);
	cp_buf_free(b);
}

/* Options of all commands that mean nothing to this one. */
static void
tell_unserved(struct cp_cli *cli)
{
	struct cp_buf b;
	char why[80];

	cp_buf_init(&b, 160);
	for (size_t i = 0; i < cli->said.len; i++)
		if (asks(cli->said.data[i]) &&
		    !cp_option_serves(cli->command, cli->said.data[i]))
			add_word(&b, cli->said.data[i]);
	snprintf(why, sizeof(why), "of %.40s%s", cli->command,
	    is_said(cli, "lines") ? "; for lines there is --by line" : "");
	tell(cli, &b, why);
}

static const char *
value_of(const struct cp_cli *cli, const char *option)
{
	const char *value = NULL;

	for (size_t i = 0; i < cli->run.given.len; i++)
		if (strcmp(cli->run.given.data[i].name, option) == 0)
			value = cli->run.given.data[i].value;
	return value;
}

/*
 * Options that say more of another one.  NEEDS: it must be there, BARRED: it
 * must not; with the value, if there is one here.
 */
static const struct detail {
	const char *command, *option;
	enum { NEEDS, BARRED } how;
	const char *of, *value;
} details[] = {
	{ "verify", "sample", NEEDS, "names", NULL },
	{ "verify", "all", NEEDS, "names", NULL },
	{ "verify", "symbols", NEEDS, "names", NULL },
	{ "verify", "cache", NEEDS, "names", NULL },
	{ "symbols", "max-size", NEEDS, "fetch", NULL },
	{ "symbols", "max-time", NEEDS, "fetch", NULL },
	{ "symbols", "retry", NEEDS, "fetch", NULL },
	{ "diff", "paths", NEEDS, "fail-over", NULL },
	{ "diff", "allow-undecided", NEEDS, "fail-over", NULL },
	{ "offcpu", "hops", NEEDS, "tree", "offwake" },
	{ "offcpu", "state", BARRED, "tree", "wakers" },
	{ "offcpu", "state", BARRED, "tree", "offwake" },
	{ "offcpu", "threads", BARRED, "tree", "wakers" },
	{ "sched", "by", BARRED, "timehist", NULL },
	{ "sched", "by", BARRED, "map", NULL },
	{ "sched", "worst", BARRED, "timehist", NULL },
	{ "sched", "worst", BARRED, "map", NULL },
	{ "annotate", "show", BARRED, "by", "line" },
	{ "annotate", "context", BARRED, "by", "line" },
	{ "annotate", "context", BARRED, "show", "source" },
};

/* Is the other option there, with its value? */
static bool
is_there(const struct cp_cli *cli, const struct detail *d)
{
	const char *value = value_of(cli, d->of);

	if (d->value == NULL)
		return value != NULL || is_said(cli, d->of);
	return value != NULL && strcmp(value, d->value) == 0;
}

static void
tell_details(struct cp_cli *cli)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(details); i++) {
		const struct detail *d = &details[i];

		if (strcmp(cli->command, d->command) == 0 &&
		    is_said(cli, d->option) &&
		    is_there(cli, d) != (d->how == NEEDS))
			cp_diag(&cli->diags, CP_D_NO_EFFECT, "--%s %s --%s%s%s",
			    d->option, d->how == NEEDS ? "without" : "with",
			    d->of, d->value != NULL ? " " : "",
			    d->value != NULL ? d->value : "");
	}
}

/* Is one of the keys in the list of --by?  Without a list it is "symbol". */
static bool
has_key(const char *by, const char *const *keys)
{
	for (size_t n; by != NULL && *by != '\0'; by += n + (by[n] != '\0')) {
		n = strcspn(by, ",");
		for (size_t i = 0; keys[i] != NULL; i++)
			if (strlen(keys[i]) == n && memcmp(keys[i], by, n) == 0)
				return true;
	}
	return by == NULL && strcmp(keys[0], "symbol") == 0;
}

static void
tell_keys(struct cp_cli *cli)
{
	static const char *const symbol[] = { "symbol", NULL };
	static const char *const threads[] = { "comm", "pid", "tid", NULL };
	const char *by = value_of(cli, "by");

	if (strcmp(cli->command, "hotspots") != 0)
		return;
	if (is_said(cli, "addresses") && !has_key(by, symbol))
		cp_diag(&cli->diags, CP_D_NO_EFFECT,
		    "--addresses without --by symbol");
	if (is_said(cli, "split-threads") && !has_key(by, threads))
		cp_diag(&cli->diags, CP_D_NO_EFFECT,
		    "--split-threads without --by comm");
}

static void
tell_cache(struct cp_cli *cli)
{
	const char *dir = cli->run.cache;
	struct stat st;

	if (!is_said(cli, "cache") || dir[0] == '\0' ||
	    !cp_option_serves(cli->command, "cache") ||
	    (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)))
		return;
	cp_diag(&cli->diags, CP_D_NO_EFFECT,
	    "--cache %.200s is no folder; an empty name means none", dir);
}

/* Whoever asks for a connection gets none from a plan. */
static void
tell_unconnected(struct cp_cli *cli)
{
	if (strcmp(cli->command, "symbols") == 0 &&
	    is_said(cli, "debuginfod") && !cli->fetch.wanted &&
	    cli->run.debuginfod == CP_DEBUGINFOD_ON)
		cp_diag(&cli->diags, CP_D_NO_EFFECT,
		    "--debuginfod on without --fetch");
}

void
cp_cli_idle(struct cp_cli *cli)
{
	tell_unconnected(cli);
	tell_unserved(cli);
	tell_details(cli);
	tell_keys(cli);
	tell_cache(cli);
}

/* ----------------------------------------------------------------- formats */

/* Options that formats have a use for. */
static const struct {
	const char *option, *formats[8];
} uses[] = {
	{ "palette", { "svg" } },
	{ "icicle", { "svg" } },
	{ "subtitle", { "svg" } },
	{ "width", { "text", "svg" } },
	{ "columns", { "text" } },
	{ "page-samples", { "html" } },
	{ "page-source", { "html" } },
	{ "csv-raw", { "csv", "samples-csv" } },
	{ "with-time", { "pprof" } },
	{ "callgrind-addresses", { "callgrind" } },
	{ "kernel-suffix", { "text", "json", "folded", "svg" } },
	{ "guess-suffix", { "text", "json", "folded", "svg" } },
};

/* Their figures are times and counts of their own. */
static const char *const unweighed[] = { "sched", "locks", "blockio",
	"syscalls", "cpi", NULL };

static bool
is_weighed(const struct cp_cli *cli, const cp_report_outputs *to)
{
	for (size_t i = 0; i < to->len; i++)
		if ((to->data[i].renderer->shows &
			CP_SHOWS(CP_SECTION_PROFILE)) != 0)
			return true;
	return !cp_is_one_of(cli->command, unweighed);
}

static bool
is_used(const cp_report_outputs *to, const char *const *formats)
{
	for (size_t i = 0; i < to->len; i++)
		if (cp_is_one_of(to->data[i].renderer->name, formats))
			return true;
	return false;
}

void
cp_cli_idle_formats(struct cp_cli *cli, const cp_report_outputs *to)
{
	struct cp_buf b, why;

	cp_buf_init(&b, 160);
	cp_buf_init(&why, 160);
	for (size_t i = 0; i < CP_ARRAY_LEN(uses); i++)
		if (is_said(cli, uses[i].option) &&
		    !is_used(to, uses[i].formats))
			add_word(&b, uses[i].option);
	if (is_said(cli, "weight") && !is_weighed(cli, to))
		add_word(&b, "weight");
	cp_buf_printf(&why, "of %.40s in", cli->command);
	for (size_t i = 0; i < to->len; i++)
		cp_buf_printf(&why, "%s %s", i != 0 ? "," : "",
		    to->data[i].renderer->name);
	tell(cli, &b, cp_buf_text(&why));
	cp_buf_free(&why);
}

void
cp_cli_idle_wants(struct cp_cli *cli, uint32_t wants)
{
	struct cp_buf b;

	cp_buf_init(&b, 160);
	for (size_t i = 0; i < cli->said.len; i++) {
		const char *option = cli->said.data[i];

		if (((wants & CP_WANT_NAMES) == 0 && cli->run.names.len == 0 &&
			cp_is_one_of(option, naming)) ||
		    ((wants & CP_WANT_STACKS) == 0 &&
			cp_is_one_of(option, chains)))
			add_word(&b, option);
	}
	tell(cli, &b,
	    (wants & CP_WANT_NAMES) == 0 ? "where nothing is named"
					 : "where no stacks are shown");
}
