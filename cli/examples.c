/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

struct example {
	const char *command;
	struct {
		const char *words, *what;
	} line[3];
};

static const struct example examples[] = {
	{ "report", { { "perf.data", "the overview of a capture" },
			{ "--comm nginx --time +10s..+20s perf.data",
			    "ten seconds of one program" } } },
	{ "hotspots",
	    { { "--by dso perf.data", "which objects the time went to" },
		{ "--callers malloc perf.data",
		    "who calls malloc, and how heavily" } } },
	{ "flame", { { "-o flame.svg perf.data", "a flame graph" },
		       { "--order time -o chart.svg perf.data",
			   "a flame chart: the samples in order of time" },
		       { "--reverse -o up.svg perf.data",
			   "from the innermost function outwards" } } },
	{ "annotate",
	    { { "perf.data json_parse", "the instructions of one function" },
		{ "--by line --show source perf.data",
		    "lines of the heaviest functions" } } },
	{ "diff",
	    { { "before.data after.data", "what got slower or faster" },
		{ "--versions v1/ v2/ v3/", "which version brought a change" },
		{ "--fail-over 5% before.data after.data",
		    "a gate: status 1 if something did" } } },
	{ "timeline",
	    { { "-o time.html perf.data", "heat maps, lanes and changes" },
		{ "--column 100ms perf.data",
		    "finer: a column a tenth of a second" } } },
	{ "wall",
	    { { "perf.data", "on the CPU, ready, blocked, not known" },
		{ "-o wall.svg perf.data", "all time as one flame graph" } } },
	{ "critical",
	    { { "perf.data", "what the program's time depended on" },
		{ "--waits 5 perf.data", "the five longest waits, each" } } },
	{ "explain", { { "--time 40%..60% perf.data", "its third fifth" },
			 { "--slow 'wait>50ms' perf.data", "long waits" } } },
	{ "offcpu", { { "perf.data", "where threads waited" },
			{ "--tree offwake -o wait.svg perf.data",
			    "and who woke them, as a picture" } } },
	{ "sched", { { "perf.data", "how long threads waited for a CPU" },
		       { "--timehist --comm nginx perf.data",
			   "each switch of one program" } } },
	{ "syscalls", { { "perf.data", "system calls by time" },
			  { "--pid 1234 perf.data", "of one process" } } },
	{ "locks", { { "perf.data", "waits for locks" },
		       { "--comm mysqld perf.data", "of one program" } } },
	{ "blockio", { { "perf.data", "requests to block devices" },
			 { "-f json perf.data", "the same for a program" } } },
	{ "pair", { { "perf.data", "interrupts, work items, requests, leaks" },
		      { "--begin a:start --end a:done --key id perf.data",
			  "two events of your own" } } },
	{ "stat", { { "perf.data", "what perf stat record counted" },
		      { "--by cpu perf.data", "of each CPU" } } },
	{ "faults",
	    { { "perf.data", "page faults" },
		{ "-o faults.svg perf.data", "the stacks that made them" } } },
	{ "mem", { { "perf.data", "where loads were slow" },
		     { "--symbol memcpy perf.data", "in one function" } } },
	{ "branches", { { "perf.data", "mispredicted branches" },
			  { "--dso app perf.data", "of one object" } } },
	{ "cpi",
	    { { "perf.data", "cycles per instruction" },
		{ "-o cpi.svg perf.data", "a flame graph coloured by it" } } },
	{ "info", { { "perf.data", "what was recorded, on what" },
		      { "--objects perf.data",
			  "the objects that samples fell in" } } },
	{ "profile",
	    { { "perf.data", "how many samples, stacks, symbols" },
		{ "-o profile.html perf.data", "the samples as a page" } } },
	{ "advise",
	    { { "perf.data", "which questions it answers, what to record" },
		{ "-f json perf.data", "for a program" } } },
	{ "quality", { { "perf.data", "what was lost, and what has no name" },
			 { "-f json perf.data", "the account in numbers" } } },
	{ "unwind", { { "perf.data", "how far stacks were unwound" },
			{ "--stack-scan perf.data",
			    "with words of the stack as a last resort" } } },
	{ "script", { { "perf.data", "samples, as perf script prints them" },
			{ "-F comm,time,event,sym perf.data",
			    "some fields of each" } } },
	{ "dump", { { "perf.data", "records as text" },
		      { "perf.data -o records.txt", "into a file" } } },
	{ "capture",
	    { { "--for latency -- ./server", "why is a program slow?" },
		{ "--for offcpu --pid 1234 --seconds 10",
		    "what a process waits for" } } },
	{ "run",
	    { { "capture --output runs -- ./bench", "records and keeps a run" },
		{ "diff --fail-over 5% LAST BASELINE", "a gate" } } },
	{ "pack",
	    { { "-o app.tar.zst perf.data", "a capture with its objects" },
		{ "--slim -o small.tar.zst perf.data",
		    "only what names need" } } },
	{ "unpack", { { "-o folder app.tar.zst", "a bundle into a new folder" },
			{ "app.tar", "beside it" } } },
	{ "verify", { { "app.tar", "is a bundle as it was packed?" },
			{ "--names app.tar",
			    "and are its names those of elfutils?" } } },
	{ "check", { { "perf.data", "are names those of elfutils?" },
		       { "--sample 0 --all perf.data",
			   "all frames, and each difference" } } },
	{ "names", { { "--symbols bundle.tar list.csv",
			 "build IDs and addresses with names" },
		       { "-f ndjson --vaddr - <list.csv",
			   "those of objdump, as JSON" } } },
	{ "snapshot",
	    { { "-o case.cold perf.data", "samples and names as tables" },
		{ "perf.data", "into perf.data.cold" } } },
	{ "redact", { { "--redact share -o out.data perf.data",
			  "a capture that others may see" },
			{ "--redact rules.ini -o out.data perf.data",
			    "by a policy of your own" } } },
	{ "merge", { { "-o all.cold monday.data tuesday.data",
			 "several captures as one snapshot" },
		       { "-o all.cold captures/", "those of a folder" } } },
	{ "repair",
	    { { "-o fixed.data perf.data",
		  "what can be read of a damaged capture" },
		{ "-o one.data folder", "a folder or a pipe as one file" } } },
	{ "selftest", { { "", "do the walls hold here?" },
			  { "--diag json", "for a program" } } },
	{ "browse",
	    { { "perf.data", "the capture in the terminal" },
		{ "before.data after.data", "what changed between two" } } },
	{ "sql", { { "perf.data 'SELECT * FROM self LIMIT 10'",
		       "the hottest functions" },
		     { "perf.data", "the tables that can be asked" } } },
	{ "symbols", { { "perf.data", "which files are missing" },
			 { "--fetch perf.data",
			     "and get them from DEBUGINFOD_URLS" } } },
	{ NULL, { { NULL, NULL }, { NULL, NULL } } },
};

bool
cp_examples_has(const char *command)
{
	for (const struct example *e = examples; e->command != NULL; e++)
		if (strcmp(e->command, command) == 0)
			return true;
	return false;
}

void
cp_examples_print(const char *command)
{
	for (const struct example *e = examples; e->command != NULL; e++) {
		if (command != NULL && strcmp(e->command, command) != 0)
			continue;
		for (int i = 0; i < 2; i++)
			printf("  coldperf %s %s\n      %s\n", e->command,
			    e->line[i].words, e->line[i].what);
	}
}
