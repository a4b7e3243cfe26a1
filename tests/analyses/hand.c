/* SPDX-License-Identifier: MIT */
/* The analyses over stacks small enough to add up by hand. */
#include "tests/analyses/host.h"
#include "tests/tap.h"

#define FOR_PROGRAM                                                            \
	"note: the 95 % intervals are for the program: what other runs under " \
	"the same conditions would show (--interval run: for this run)\n"
#define OPTIONS(...)                                                           \
	(const char *const[])                                                  \
	{                                                                      \
		__VA_ARGS__, NULL                                              \
	}

/* analyses/precision/apart.h: test apart.t has its figure. */
#define APART                                                                  \
	"note: the first two rows of cycles, 75.0 % and 15.0 %, cannot be "    \
	"told apart: that takes about 5 times as many samples\n"

/* Weights 10, 5, 3 and 2: 20 in all; a calls itself in the second. */
static struct cp_run *
four_samples(void)
{
	struct cp_run *run = host_new();

	host_event(run, "cycles");
	host_sample(run, "x", host_stack(run, "main;a;b"), 10);
	host_sample(run, "x", host_stack(run, "main;a;a;b"), 5);
	host_sample(run, "y", host_stack(run, "main;k:c"), 3)->cpu = 1;
	host_sample(run, "x", host_stack(run, "main;a"), 2)->tid = 9;
	return run;
}

static void
test_hotspots(void)
{
	struct cp_run *run = four_samples();

	is_str(host_text(run, "hotspots", NULL, ""),
	    "hotspots: cycles: 4 samples, event count (approx.) 20\n"
	    "0.7500|2|x|app|[.]|b\n"
	    "0.1500|1|y|[kernel.kallsyms]|[k]|c\n"
	    "0.1000|1|x|app|[.]|a\n" APART FOR_PROGRAM,
	    "self by command, object and symbol");
	ok((run->wants & CP_WANT_STACKS) == 0, "self asks for no stacks");
	is_str(
	    host_text(run, "hotspots", OPTIONS("children=1", "by=symbol"), ""),
	    "hotspots: cycles: 4 samples, event count (approx.) 20\n"
	    "1.0000|0.0000|0|[.]|main\n"
	    "0.8500|0.1000|1|[.]|a\n"
	    "0.7500|0.7500|2|[.]|b\n"
	    "0.1500|0.1500|1|[k]|c\n" FOR_PROGRAM,
	    "children count recursion once");
	ok((run->wants & CP_WANT_STACKS) != 0, "children ask for stacks");
	is_str(host_text(run, "hotspots", OPTIONS("children=1", "by=comm"),
		   "hotspots"),
	    "hotspots: cycles: 4 samples, event count (approx.) 20\n"
	    "0.8500|0.8500|3|x\n"
	    "0.1500|0.1500|1|y\n",
	    "children of commands are their own weight");
	is_str(host_text(run, "hotspots", OPTIONS("by=cpu,tid", "top=1"), ""),
	    "hotspots: cycles: 4 samples, event count (approx.) 20\n"
	    "0.7500|2|0|8\n"
	    "rest 2 rows 5\n" FOR_PROGRAM,
	    "by CPU and thread, the heaviest only");
	is_str(
	    host_text(run, "hotspots", OPTIONS("by=dso", "min-share=20"), ""),
	    "hotspots: cycles: 4 samples, event count (approx.) 20\n"
	    "0.8500|3|app\n"
	    "rest 1 rows 3\n" FOR_PROGRAM,
	    "shares below the least are left out");
	is_str(host_text(run, "hotspots", OPTIONS("by=time:2ms"), ""),
	    "hotspots: cycles: 4 samples, event count (approx.) 20\n"
	    "0.7500|2|1000000\n"
	    "0.2500|2|3000000\n" FOR_PROGRAM,
	    "slices of time count from the first sample");
	host_free(run);
}

static void
test_callers(void)
{
	struct cp_run *run = four_samples();

	is_str(host_text(run, "hotspots", OPTIONS("callers=a"), "callers"),
	    "callers: Callers of a (cycles)\n"
	    "0.8500|1.0000|17|app|[.]|main\n"
	    "0.2500|0.2941|5|app|[.]|a\n",
	    "callers, the symbol itself among them");
	is_str(host_text(run, "hotspots", OPTIONS("callers=a"), "notes"),
	    APART
	    "note: a matches 1 function: a; 10.00 % of cycles, 85.00 % with "
	    "callees\n"
	    "note: the callers of a (cycles) add up to 129 % of it: where a "
	    "stack has it several times, a sample counts for each of "
	    "them\n" FOR_PROGRAM,
	    "with recursion they are more than all");
	is_str(host_text(run, "hotspots", OPTIONS("callees=a"), "callees"),
	    "callees: Callees of a (cycles)\n"
	    "0.7500|0.8824|15|app|[.]|b\n"
	    "0.2500|0.2941|5|app|[.]|a\n"
	    "0.1000|0.1176|2|||(itself)\n",
	    "callees and the symbol's own weight");
	is_str(host_text(run, "hotspots", OPTIONS("callers=mai*"), "callers"),
	    "callers: Callers of mai* (cycles)\n"
	    "1.0000|1.0000|20|||(no caller)\n",
	    "a pattern; the outermost function has no caller");
	(void)host_text(run, "hotspots", OPTIONS("callees=zz"), "notes");
	is_u64(run->diags[CP_D_NO_MATCH], 1, "a symbol that is not there");
	host_free(run);
}

static void
test_unnamed(void)
{
	struct cp_run *run = host_new();

	host_event(run, "cycles");
	host_sample(run, "x", host_stack(run, "main;libz.so!0x40"), 4);
	host_sample(run, "x", host_stack(run, "main;libz.so!0x48"), 4);
	host_sample(run, "x", host_stack(run, "main;k:0xffff"), 2);
	host_sample(run, "x", 0, 1);
	is_str(host_text(run, "hotspots", OPTIONS("by=dso,symbol"), "hotspots"),
	    "hotspots: cycles: 4 samples, event count (approx.) 11\n"
	    "0.7273|2|libz.so|[.]|[2 addresses]\n"
	    "0.1818|1|[kernel.kallsyms]|[k]|0x000000000000ffff\n"
	    "0.0909|1|[unknown]|[?]|[no address]\n",
	    "addresses without a name are one row an object");
	is_str(host_text(
		   run, "hotspots", OPTIONS("by=dso,symbol", "addresses="), ""),
	    "hotspots: cycles: 4 samples, event count (approx.) 11\n"
	    "0.3636|1|libz.so|[.]|0x0000000000000040\n"
	    "0.3636|1|libz.so|[.]|0x0000000000000048\n"
	    "0.1818|1|[kernel.kallsyms]|[k]|0x000000000000ffff\n"
	    "0.0909|1|[unknown]|[?]|[no address]\n" FOR_PROGRAM,
	    "or rows each; equal ones by text");
	is_str(host_text(run, "flame", NULL, "flame"),
	    "x 1 of 11\n"
	    "x;main 0 of 10\n"
	    "x;main;[libz.so] 8 of 8\n"
	    "x;main;[kernel.kallsyms] 2 of 2\n",
	    "in the flame graph they show their object");
	host_free(run);
}

static void
test_flame(void)
{
	struct cp_run *run = four_samples();

	is_str(host_text(run, "flame", NULL, ""),
	    "x 0 of 17\n"
	    "x;main 0 of 17\n"
	    "x;main;a 2 of 17\n"
	    "x;main;a;b 10 of 10\n"
	    "x;main;a;a 0 of 5\n"
	    "x;main;a;a;b 5 of 5\n"
	    "y 0 of 3\n"
	    "y;main 0 of 3\n"
	    "y;main;c 3 of 3\n",
	    "by command, from the outermost frame");
	is_str(host_text(
		   run, "flame", OPTIONS("no-comm=1", "kernel-suffix=1"), ""),
	    "main 0 of 20\n"
	    "main;a 2 of 17\n"
	    "main;a;b 10 of 10\n"
	    "main;a;a 0 of 5\n"
	    "main;a;a;b 5 of 5\n"
	    "main;c_[k] 3 of 3\n",
	    "without commands, the kernel marked");
	is_str(host_text(run, "flame", OPTIONS("reverse=1", "no-comm=1"), ""),
	    "a 0 of 2\n"
	    "a;main 2 of 2\n"
	    "b 0 of 15\n"
	    "b;a 0 of 15\n"
	    "b;a;main 10 of 10\n"
	    "b;a;a 0 of 5\n"
	    "b;a;a;main 5 of 5\n"
	    "c 0 of 3\n"
	    "c;main 3 of 3\n",
	    "reversed, from the innermost frame");
	is_str(host_text(run, "flame", OPTIONS("threads=1"), ""),
	    "x 0 of 17\n"
	    "x;7/8 0 of 15\n"
	    "x;7/8;main 0 of 15\n"
	    "x;7/8;main;a 0 of 15\n"
	    "x;7/8;main;a;b 10 of 10\n"
	    "x;7/8;main;a;a 0 of 5\n"
	    "x;7/8;main;a;a;b 5 of 5\n"
	    "y 0 of 3\n"
	    "y;7/8 0 of 3\n"
	    "y;7/8;main 0 of 3\n"
	    "y;7/8;main;c 3 of 3\n"
	    "x;7/9 0 of 2\n"
	    "x;7/9;main 0 of 2\n"
	    "x;7/9;main;a 2 of 2\n",
	    "a level of threads");
	host_free(run);
}

static void
test_events(void)
{
	struct cp_run *run = host_new();

	host_event(run, "dummy:HG");
	run->evsels.data[0].dummy = true;
	host_event(run, "cycles");
	host_event(run, "faults");
	host_event(run, "never");
	host_sample(run, "x", host_stack(run, "main;f"), 3)->evsel = 2;
	host_sample(run, "x", host_stack(run, "main;g"), 2)->evsel = 1;
	host_sample(run, "x", host_stack(run, "main"), 2)->evsel = 1;
	host_sample(run, "x", host_stack(run, "main"), 9);
	is_str(host_text(run, "hotspots", OPTIONS("by=symbol"), ""),
	    "hotspots: cycles: 2 samples, event count (approx.) 4\n"
	    "0.5000|1|[.]|g\n"
	    "0.5000|1|[.]|main\n"
	    "hotspots: faults: 1 sample, event count (approx.) 3\n"
	    "1.0000|1|[.]|f\n" FOR_PROGRAM,
	    "a table per event with samples, none for a dummy");
	is_str(host_text(run, "hotspots", OPTIONS("by=symbol,event"), ""),
	    "hotspots: all events; shares are of each event's own period\n"
	    "1.0000|1|[.]|f|faults\n"
	    "0.5000|1|[.]|g|cycles\n"
	    "0.5000|1|[.]|main|cycles\n" FOR_PROGRAM,
	    "by event: one table, sorted by share");
	is_str(host_text(run, "flame", NULL, ""),
	    "x 0 of 4\n"
	    "x;main 2 of 4\n"
	    "x;main;g 2 of 2\n"
	    "note: this is event cycles; faults (samples: 1) is not shown; "
	    "choose it with --event\n",
	    "the first event with samples is drawn, others are named");
	host_free(run);
}

static void
test_interval(void)
{
	struct cp_run *run = four_samples();
	const struct cp_value *v;
	struct cp_report rep;

	/* Wilson at 0.75 of n = 20^2 / (10^2 + 5^2 + 3^2 + 2^2). */
	ok(host_run(run, "hotspots", NULL, &rep) == CP_OK, "hotspots runs");
	v = rep.first->table.rows.data[0].values;
	ok(v->lo > 0.25090 && v->lo < 0.25091 && v->hi > 0.96411 &&
		v->hi < 0.96412,
	    "interval %.6f to %.6f", v->lo, v->hi);
	cp_report_free(&rep);
	host_free(run);
}

/*
 * One sample of 20 in a row, 80 of 1 beside it: Wilson at 0.2 of n =
 * 0.2 * 0.8 * 100^2 / (400 * 0.8^2 + 80 * 0.2^2) = 6.1728, which is less than
 * 100^2 / 480 = 20.8.
 */
static void
test_unequal_interval(void)
{
	struct cp_run *run = host_new();
	const struct cp_value *v;
	struct cp_report rep;

	host_event(run, "cycles");
	host_sample(run, "x", host_stack(run, "main;heavy"), 20);
	for (int i = 0; i < 80; i++)
		host_sample(run, "x", host_stack(run, "main;light"), 1);
	ok(host_run(run, "hotspots", OPTIONS("children=1"), &rep) == CP_OK,
	    "hotspots runs");
	/* main, light, heavy. */
	v = &rep.first->table.rows.data[2].values[1];
	ok(v->value > 0.1999 && v->value < 0.2001 && v->lo > 0.04187 &&
		v->lo < 0.04196 && v->hi > 0.58820 && v->hi < 0.58829,
	    "few heavy samples: %.6f to %.6f", v->lo, v->hi);
	ok(v[-1].lo == v->lo && v[-1].hi == v->hi,
	    "children have the same interval");
	v = rep.first->table.rows.data[0].values;
	ok(v[0].value == 1 && v[0].hi == 1 && v[1].value == 0 && v[1].lo == 0,
	    "all and nothing end at 1 and 0: %g %g", v[0].hi, v[1].lo);
	cp_report_free(&rep);
	host_free(run);
}

static void
test_bad_options(void)
{
	static const char *const bad[] = { "by=", "by=symbl", "by=comm,",
		"by=comm,comm", "by=time", "by=time:0s", "by=time:5",
		"by=time:xs", "by=dso:1s", "by=time:1e99s" };
	struct cp_run *run = four_samples();

	for (size_t i = 0; i < CP_ARRAY_LEN(bad); i++) {
		struct cp_report rep;

		run->diags[CP_D_USAGE] = 0;
		ok(host_run(run, "hotspots", OPTIONS(bad[i]), &rep) ==
			    CP_FAIL &&
			run->diags[CP_D_USAGE] == 1,
		    "--%s is refused", bad[i]);
		cp_report_free(&rep);
	}
	host_free(run);
}

static void
test_quality(void)
{
	struct cp_run *run = four_samples();
	struct cp_quality *q = &run->quality;

	is_str(host_text(run, "quality", NULL, "notes"), "",
	    "no notes where nothing deviates");
	host_sample(run, "x", host_stack(run, "main;libz.so!0x40"), 9);
	q->bytes_total = 1000;
	q->bytes_skipped = 20;
	q->lost_samples = 5;
	q->truncated_chains = 1;
	is_str(host_text(run, "quality", NULL, "notes"),
	    "note: 2.0 % of the input could not be used (20 of 1,000 "
	    "bytes)\n"
	    "note: 50.0 % of the samples were lost while recording (5 of "
	    "10; the recorder said so)\n"
	    "note: 20.0 % of the call chains are cut at the recorder's "
	    "depth limit (1)\n"
	    "note: 20.0 % of the samples have no symbol; most of them, 20.0 "
	    "% of all, lie in /lib/libz.so\n",
	    "what deviates is said in words");
	is_str(host_text(run, "quality", NULL, "trust"),
	    "build_id_equal: 0.8000\nabsent: 0.0000\nmismatch: 0.0000\n"
	    "recorded: 0.0000\n"
	    "unnamed: 0.2000\n",
	    "trust counts samples");
	host_free(run);
}

static void
test_report(void)
{
	struct cp_run *run = four_samples();

	is_str(host_text(run, "report", NULL, "symbols"),
	    "symbols: cycles: 4 samples, event count (approx.) 20\n"
	    "0.7500|0.7500|app|[.]|b\n"
	    ">0.5000|0.5000|||< a < main\n"
	    ">0.2500|0.2500|||< a < a < main\n"
	    "0.1500|0.1500|[kernel.kallsyms]|[k]|c\n"
	    ">0.1500|0.1500|||< main\n"
	    "0.1000|0.8500|app|[.]|a\n"
	    ">0.1000|0.8500|||< main\n",
	    "symbols with the paths that lead to them");
	is_str(host_text(run, "report", NULL, "threads"),
	    "threads: Threads\n"
	    "0.8500|3|2|x|7|2 threads\n"
	    "0.1500|1|1|y|7|8\n",
	    "threads; those of one name are a pool");
	is_str(host_text(run, "report", NULL, "notes"),
	    APART
	    "note: 1,333 samples a second over 3.000 ms\n"
	    "note: 2 CPUs have samples: CPU 0 the most, 85.0 %, CPU 1 the "
	    "least, 15.0 %\n"
	    "note: all samples have a symbol from a file whose build ID is "
	    "the recorded one\n" FOR_PROGRAM
	    "note: not recorded: system calls, waits for locks, block "
	    "requests, "
	    "page faults, branch stacks, loads and stores, waits, scheduler "
	    "delays, cycles per instruction; coldperf advise says what would "
	    "record it\n",
	    "notes on time, CPUs and names");
	host_free(run);
}

/* main and serve pass all on; handle forks; parse calls itself. */
static void
test_functions(void)
{
	struct cp_run *run = host_new();

	host_event(run, "cycles");
	host_sample(
	    run, "x", host_stack(run, "main;serve;handle;parse;parse;scan"), 6);
	host_sample(run, "x", host_stack(run, "main;serve;handle;send"), 3);
	host_sample(run, "x", host_stack(run, "main;serve;handle"), 1);
	is_str(host_text(run, "report", NULL, "functions"),
	    "functions: Heaviest functions with their heaviest callees\n"
	    "1.0000|app|[.]|handle\n"
	    ">0.6000|app|[.]|> parse\n"
	    ">0.3000|app|[.]|> send\n"
	    "0.6000|app|[.]|parse\n"
	    ">0.6000|app|[.]|> scan\n",
	    "functions downwards, from where they fork");
	host_free(run);
	run = host_new();
	host_event(run, "cycles");
	host_sample(run, "x", host_stack(run, "f"), 1);
	is_str(host_text(run, "report", NULL, "functions"), "",
	    "no such table without call chains");
	host_free(run);
}

static void
test_several_events(void)
{
	struct cp_run *run = host_new();

	host_event(run, "sched:sched_switch");
	host_event(run, "cycles:HG");
	host_event(run, "never");
	host_sample(run, "x", host_stack(run, "f"), 1);
	host_sample(run, "x", host_stack(run, "g"), 70)->evsel = 1;
	is_str(host_text(run, "report", NULL, "events"),
	    "events: Events\n"
	    "1|1|sched:sched_switch\n"
	    "1|70|cycles:HG\n"
	    "0|0|never\n",
	    "every event has a line");
	is_str(host_text(run, "report", NULL, "symbols"),
	    "symbols: sched:sched_switch: 1 sample, event count (approx.) "
	    "1\n"
	    "1.0000|app|[.]|f\n",
	    "symbols are of the first");
	host_free(run);
}

static void
test_unnamed_objects(void)
{
	struct cp_run *run = host_new();

	host_event(run, "cycles");
	host_sample(run, "x", host_stack(run, "main;liba.so!0x40"), 9);
	host_sample(run, "x", host_stack(run, "main;liba.so!0x48"), 9);
	host_sample(run, "x", host_stack(run, "main;libb.so!0x40"), 9);
	host_sample(run, "x", host_stack(run, "main;libb.so!f"), 9);
	host_sample(run, "x", host_stack(run, "main;libc.so!0x10"), 9);
	host_sample(run, "x", host_stack(run, "main;libd.so!0x10"), 9);
	host_sample(run, "x", 0, 9);
	host_sample(run, "x", host_stack(run, "main"), 9);
	/* app is object 1. */
	run->dsos.data[2].build_id_size = 1;
	run->dsos.data[2].build_id[0] = 0x5a;
	run->state[2].mismatch = true;
	run->state[3] =
	    (struct cp_dso_state){ .symbolizer = "elf", .symbols = 1 };
	run->state[4] = (struct cp_dso_state){ .symbolizer = "elf" };
	is_str(host_text(run, "report", NULL, "unnamed"),
	    "unnamed: Objects without symbols\n"
	    "0.2500|2|liba.so|only a file of another build|5a\n"
	    "0.1250|1|libb.so|no symbol at these addresses|\n"
	    "0.1250|1|libc.so|no symbols inside|\n"
	    "0.1250|1|libd.so|not found|\n",
	    "objects without symbols, and why");
	host_free(run);
	run = host_new();
	host_event(run, "cycles");
	host_sample(run, "x", host_stack(run, "main;liba.so!0x40"), 9);
	host_event(run, "instructions");
	host_sample(run, "x", host_stack(run, "main;liba.so!0x40"), 1)->evsel =
	    1;
	is_str(host_text(run, "report", NULL, "unnamed"),
	    "unnamed: Objects without symbols, by samples of all events\n"
	    "1.0000|2|liba.so|not found|\n",
	    "... of several events");
	host_free(run);
}

static void
test_no_samples(void)
{
	struct cp_run *run = host_new();

	host_event(run, "cycles");
	run->quality.records = 7;
	is_str(host_text(run, "report", NULL, ""),
	    "note: the capture holds no samples (records of other kinds: "
	    "7)\n",
	    "a capture without samples: one note");
	host_free(run);
}

static void
test_nothing(void)
{
	static const char *const all[] = { "report", "hotspots", "flame",
		"info", "quality" };
	struct cp_run *run = host_new();

	host_event(run, "cycles");
	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++) {
		struct cp_report rep;

		ok(host_run(run, all[i], NULL, &rep) == CP_OK,
		    "%s of no samples", all[i]);
		cp_report_free(&rep);
	}
	host_free(run);
}

static void
test_info(void)
{
	static const struct cp_fact facts[] = {
		{ "host", "hostname", "h1" },
	};
	struct cp_run *run = four_samples();

	run->facts = facts;
	run->n_facts = 1;
	run->dsos.data[1].build_id_size = 2;
	run->dsos.data[1].build_id[0] = 0xab;
	run->state[1] = (struct cp_dso_state){
		.symbolizer = "elf", .path = "/bin/app", .symbols = 3
	};
	run->state[2] = (struct cp_dso_state){ .symbolizer = "kallsyms" };
	is_str(host_text(run, "info", NULL, ""),
	    "facts: What the capture says of itself\n"
	    "host|hostname|h1\n"
	    "events: Events\n"
	    "cycles|hardware|0|every 1|4|0|0|0|0\n"
	    "objects: Objects that samples fell in\n"
	    "0.7500|3|1.0000|cache|build ID "
	    "equal|file|ab00|/bin/app|3|/bin/app\n"
	    "0.2500|1|1.0000|cache|build ID equal|kernel||[kernel.kallsyms]|0|"
	    "kallsyms\n",
	    "facts, events and objects");
	host_free(run);
}

int
main(void)
{
	test_hotspots();
	test_callers();
	test_unnamed();
	test_flame();
	test_events();
	test_interval();
	test_unequal_interval();
	test_bad_options();
	test_quality();
	test_report();
	test_functions();
	test_several_events();
	test_unnamed_objects();
	test_no_samples();
	test_nothing();
	test_info();
	return done_testing();
}
