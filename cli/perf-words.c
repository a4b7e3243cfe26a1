/* SPDX-License-Identifier: MIT */
#include "cli/perf-words.h"

#include <string.h>

#define RECORDS "coldperf reads captures; perf record makes them"

const struct cp_perf_command cp_perf_commands[] = {
	{ "sched latency", { "sched", NULL }, NULL },
	{ "sched timehist", { "sched", "--timehist" }, NULL },
	{ "sched map", { "sched", "--map" }, NULL },
	{ "sched script", { "script", NULL }, NULL },
	{ "sched record", { NULL, NULL }, RECORDS },
	{ "sched replay", { NULL, NULL }, "coldperf does not run workloads" },
	{ "lock contention", { "locks", NULL }, NULL },
	{ "lock report", { "locks", NULL }, NULL },
	{ "lock info", { "locks", NULL }, NULL },
	{ "mem report", { "mem", NULL }, NULL },
	{ "mem record", { NULL, NULL }, RECORDS },
	{ "c2c report", { "mem", NULL }, NULL },
	{ "c2c record", { NULL, NULL }, RECORDS },
	{ "timechart", { "timeline", NULL }, NULL },
	{ "trace", { "syscalls", NULL }, NULL },
	{ "buildid-list", { "info", "--objects" }, NULL },
	{ "evlist", { "info", NULL }, NULL },
	{ "archive", { "pack", NULL }, NULL },
	{ "record", { NULL, NULL }, RECORDS },
	{ "top", { NULL, NULL }, RECORDS },
	{ "inject", { NULL, NULL },
	    "jitdumps and build IDs are read as they are" },
	{ "buildid-cache", { NULL, NULL }, "--symbols PATH names files" },
	{ "kmem stat", { NULL, NULL },
	    "coldperf flame --weight field:bytes_alloc" },
	{ "data convert", { NULL, NULL }, "coldperf script, or -f json" },
	{ NULL, { NULL, NULL }, NULL },
};

#define SORTS " hotspots "
#define PROFILES " report hotspots flame annotate "

const struct cp_perf_option cp_perf_options[] = {
	{ NULL, 'i', "input", CP_PERF_VALUE, "", NULL, NULL },
	{ SORTS, 's', "sort", CP_PERF_VALUE, "by", NULL, NULL },
	{ " report flame ", 's', "sort", CP_PERF_VALUE, NULL, NULL,
	    "coldperf hotspots --by KEYS" },
	{ SORTS, 'F', "fields", CP_PERF_VALUE, "by", NULL, NULL },
	{ " report flame ", 'F', "fields", CP_PERF_VALUE, NULL, NULL,
	    "coldperf hotspots --by KEYS" },
	{ " annotate ", 's', NULL, CP_PERF_VALUE, "function", NULL, NULL },
	{ " annotate ", 'M', "disassembler-style", CP_PERF_VALUE, "syntax",
	    NULL, NULL },
	{ " script ", 'G', "hide-call-graph", CP_PERF_SWITCH, NULL, NULL,
	    "-F without ip: -F comm,tid,time,event,sym" },
	{ NULL, 'c', "comms", CP_PERF_VALUE, "comm", NULL, NULL },
	{ NULL, 'd', "dsos", CP_PERF_VALUE, "dso", NULL, NULL },
	{ NULL, 'S', NULL, CP_PERF_VALUE, "symbol", NULL, NULL },
	{ NULL, 0, "symbol-filter", CP_PERF_VALUE, "symbol", "*%s*", NULL },
	{ NULL, 'C', NULL, CP_PERF_VALUE, "cpu", NULL, NULL },
	{ NULL, 0, "symfs", CP_PERF_VALUE, "symbols", NULL, NULL },
	{ NULL, 'k', "vmlinux", CP_PERF_VALUE, "symbols", NULL, NULL },
	{ NULL, 0, "kallsyms", CP_PERF_VALUE, "symbols", NULL, NULL },
	{ NULL, 0, "stdio", CP_PERF_SWITCH, "format", "text", NULL },
	{ SORTS, 0, "percent-limit", CP_PERF_VALUE, "min-share", NULL, NULL },
	{ " report flame ", 0, "percent-limit", CP_PERF_VALUE, NULL, NULL,
	    "coldperf hotspots --min-share PERCENT" },
	{ " flame ", 0, "inverted", CP_PERF_SWITCH, "icicle", NULL, NULL },
	{ " report hotspots ", 'G', "inverted", CP_PERF_SWITCH, NULL, NULL,
	    "coldperf flame, or hotspots --callees SYMBOL" },
	{ PROFILES, 'g', "call-graph", CP_PERF_ATTACHED, NULL, NULL, NULL },
	{ PROFILES, 0, "no-children", CP_PERF_SWITCH, NULL, NULL, NULL },
	{ " report ", 0, "children", CP_PERF_SWITCH, NULL, NULL,
	    "coldperf hotspots --children" },
	{ PROFILES, 'n', "show-nr-samples", CP_PERF_SWITCH, NULL, NULL, NULL },
	{ NULL, 0, "header", CP_PERF_SWITCH, NULL, NULL, NULL },
	{ NULL, 0, "header-only", CP_PERF_SWITCH, NULL, NULL, "coldperf info" },
	{ NULL, 'I', "show-info", CP_PERF_SWITCH, NULL, NULL, "coldperf info" },
	{ NULL, 'v', "verbose", CP_PERF_SWITCH, NULL, NULL, NULL },
	{ NULL, 'q', "quiet", CP_PERF_SWITCH, NULL, NULL, NULL },
	{ NULL, 0, "force", CP_PERF_SWITCH, NULL, NULL, NULL },
	{ NULL, 't', "field-separator", CP_PERF_VALUE, NULL, NULL, "-f csv" },
	{ NULL, 0, "tui", CP_PERF_SWITCH, NULL, NULL, "-o report.html" },
	{ NULL, 0, "gtk", CP_PERF_SWITCH, NULL, NULL, "-o report.html" },
	{ " script ", 'D', "dump-raw-trace", CP_PERF_SWITCH, NULL, NULL,
	    "coldperf dump" },
	{ NULL, 0, NULL, CP_PERF_SWITCH, NULL, NULL, NULL },
};

static bool
is_command(const char *perf, const char *first, const char *second)
{
	size_t n = strlen(first);

	if (strncmp(perf, first, n) != 0)
		return false;
	return perf[n] == '\0' || (perf[n] == ' ' && second != NULL &&
				      strcmp(perf + n + 1, second) == 0);
}

const struct cp_perf_command *
cp_perf_command(const char *first, const char *second)
{
	for (const struct cp_perf_command *c = cp_perf_commands;
	     c->perf != NULL; c++)
		if (is_command(c->perf, first, second))
			return c;
	return NULL;
}

/* True if the command is one of the words " a b c ". */
static bool
among(const char *words, const char *command)
{
	size_t n = strlen(command);

	for (; (words = strstr(words, command)) != NULL; words += n)
		if (words[-1] == ' ' && words[n] == ' ')
			return true;
	return false;
}

const struct cp_perf_option *
cp_perf_option(const char *command, char letter, const char *name, size_t n)
{
	const struct cp_perf_option *o = cp_perf_options;

	for (; o->letter != 0 || o->name != NULL; o++) {
		if (o->commands != NULL && !among(o->commands, command))
			continue;
		if (name == NULL ? o->letter == letter
				 : o->name != NULL && strlen(o->name) == n &&
				       memcmp(o->name, name, n) == 0)
			return o;
	}
	return NULL;
}
