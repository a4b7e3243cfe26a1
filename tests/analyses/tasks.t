#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What threads did in captures that tell it twice, or in part: counted by hand.
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
from tap import is_
import made

HEAD = made.head_of("good-sched-waits", "sched:sched_switch")
MS = 1000000


def switch(time, cpu, out, state, into):
    return ('sample sched:sched_switch ip=0xffffffff81000100 pid=%d time=%d '
            'cpu=%d id=1 raw=u2:316,u1:0,u1:0,u4:%d,c16:"t",u4:%d,u4:120,'
            'u8:%s,c16:"t",u4:%d,u4:120\n' %
            (out, time, cpu, out, out, state, into))


def waking(time, cpu, by, tid):
    return ('sample sched:sched_waking ip=0xffffffff81000200 pid=%d time=%d '
            'cpu=%d id=2 raw=u2:320,u1:0,u1:0,u4:%d,c16:"t",u4:%d,u4:120,'
            'u4:%d\n' % (by, time, cpu, by, tid, cpu))


def records(time, cpu, out, state, into):
    """The context-switch records of a switch, a moment later."""
    where = 'time=%d .cpu=%d\n'
    return ('switch_cpu_wide misc=%s %d %d .pid=%d .tid=%d ' % (
        "0x6000" if state == "preempted" else "0x2000", into, into, out, out) +
        where % (time + 500, cpu) +
        'switch_cpu_wide %d %d .pid=%d .tid=%d ' % (out, out, into, into) +
        where % (time + 1000, cpu))


def times(rep):
    """By tid: lifetime, on CPU, runnable, blocked, unknown."""
    return {tid: tuple(r[k] for k in ("Lifetime", "On CPU", "Runnable",
                                      "Blocked", "Unknown"))
            for tid, r in made.table(rep, "offcpu-threads", "TID").items()}


# alpha runs from 1 ms to 3, is woken at 4 and runs from 5 to 8, where beta,
# woken at 6, displaces it until 9; both block at last.
TURNS = [(1, 0, 0, 100), (3, 100, 1, 0), (5, 0, 0, 100),
         (8, 100, "preempted", 200), (9, 200, 1, 100), (10, 100, 1, 0)]


def turns(name, twice):
    text = 'comm 100 100 "alpha"\ncomm 200 200 "beta"\n'
    for ms, out, state, into in TURNS:
        if ms == 5:
            text += waking(4 * MS, 0, 0, 100)
        if ms == 8:
            text += waking(6 * MS, 0, 100, 200)
        text += switch(ms * MS, 0, out, state, into)
        if twice:
            text += records(ms * MS, 0, out, state, into)
    return made.build(name, HEAD + text + switch(11 * MS, 1, 0, 0, 0))


once, twice = turns("once", False), turns("twice", True)
# The same from two events for each tracepoint, of which one has all.
more = "".join(re.sub(r"ids=(\d)", r"ids=1\1", line)
               for line in HEAD.splitlines(True) if line.startswith("attr "))
with open(os.path.join(made.work.name, "once.mkperf")) as f:
    text = f.read().replace("tracing ", more + "tracing ", 1)
double = made.build("double", "".join(
    line + (re.sub(r"time=(\d+)", lambda m: "time=%d" % (int(m[1]) + 300), line)
            .replace(" id=", " id=1") if line.startswith("sample") else "")
    for line in text.splitlines(True)))
for command, slugs in (("offcpu", ("states", "threads", "longest")),
                       ("sched", ("latency", "worst", "threads", "cpus"))):
    # The last copy comes 300 ns after all others.
    a, b, c = (made.report(p, command, "--time", ",0.011")
               for p in (once, twice, double))
    for slug in slugs:
        slug = "offcpu-" + slug if command == "offcpu" else slug
        is_(made.rows(b, slug), made.rows(a, slug),
            "records that repeat the switches change nothing: " + slug)
        if slug in ("offcpu-states", "offcpu-threads", "latency", "worst"):
            is_(made.rows(c, slug), made.rows(a, slug),
                "nor do events that repeat others: " + slug)
is_([[r[k] for k in ("Busy", "Switches", "Preemptions", "Wake-ups")]
     for r in made.rows(made.report(double, "sched"), "cpus")],
    [[7 * MS, 6, 1, 2], [0, 1, 0, 0]], "each switch is counted once")
is_(times(made.report(twice, "offcpu")),
    {"100": (10 * MS, 6 * MS, 2 * MS, 2 * MS, 0),
     "200": (10 * MS, 1 * MS, 2 * MS, 2 * MS, 5 * MS)},
    "and the times are those of the switches")
is_([r["Meanwhile on the CPU"] for r in
     made.rows(made.report(twice, "sched"), "worst")],
    ["alpha:100 2.000 ms", "idle 1.000 ms", "beta:200 1.000 ms"],
    "who ran while others waited is known")

# On CPU 0 the begins of beta, before 3 ms, and of beta again, before 6 ms, are
# missing: nobody knows how long the CPU was idle, and how long gamma ran.
gaps = made.build("gaps", HEAD + switch(1 * MS, 0, 100, 1, 0) +
                  switch(3 * MS, 0, 200, 1, 100) +
                  switch(4 * MS, 0, 100, "preempted", 300) +
                  switch(6 * MS, 0, 200, 1, 100) +
                  switch(7 * MS, 0, 100, 1, 0) +
                  switch(9 * MS, 0, 0, 0, 100) +
                  switch(10 * MS, 0, 100, 1, 0))
rep = made.report(gaps, "sched")
is_([[r[k] for k in ("Busy", "Idle", "Unknown")]
     for r in made.rows(rep, "cpus")], [[3 * MS, 2 * MS, 4 * MS]],
    "a CPU is not idle until an event that does not fit")
is_([r["Meanwhile on the CPU"] for r in made.rows(rep, "worst")],
    ["2.000 ms not known"], "nor did a thread run until then")

# alpha is displaced at 2 ms; what CPU 0 did from then on is lost, as it says at
# 7 ms, long after alpha ran on CPU 1 at 5 ms.  gamma's wait was before.
late = made.build("late", HEAD + switch(1 * MS, 0, 0, 0, 100) +
                  switch(1 * MS + 1, 1, 0, 0, 300) +
                  waking(1200000, 1, 300, 400) +
                  switch(1500000, 1, 300, "preempted", 400) +
                  switch(1700000, 1, 400, 1, 300) +
                  switch(2 * MS, 0, 100, "preempted", 200) +
                  switch(5 * MS, 1, 300, 1, 100) +
                  switch(6 * MS, 1, 100, 1, 0) +
                  "lost 1 2 time=7000000 .cpu=0\n" +
                  switch(7100000, 0, 200, 1, 0))
rep = made.report(late, "sched")
is_({tid: (r["Waits"], r["Max"])
     for tid, r in made.table(rep, "latency", "TID").items()},
    {"100": (1, 0), "200": (1, 0), "300": (2, 200000), "400": (1, 300000)},
    "a wait is unknown if its loss is told after it, too")
is_({tid: r["Unknown waits"]
     for tid, r in made.table(rep, "threads", "TID").items()},
    {"100": 1, "200": 0, "300": 0, "400": 0}, "and counted as such")
is_([(r["Delay"], r["TID"]) for r in made.rows(rep, "worst")],
    [(300000, "400"), (200000, "300")], "and is none of the longest")
is_([(r["Delay"], r["TID"]) for r in
     made.rows(made.report(late, "sched", "--worst", "1"), "worst")],
    [(300000, "400")], "nor does it take the place of one of them")

# alpha blocks from 2 ms to 2.5, waits for CPU 0, runs there unseen and is woken
# at 3 and, after more that is not seen, at 6.  That tells that it was blocked
# since the loss of 4 ms, but not if CPU 0 says later that it lost more.
twice_lost = made.build("twice-lost", HEAD + switch(1 * MS, 0, 0, 0, 100) +
                        switch(1 * MS + 1, 1, 0, 0, 300) +
                        switch(2 * MS, 0, 100, 1, 0) +
                        waking(2500000, 0, 0, 100) + waking(3 * MS, 1, 300, 100) +
                        "lost 1 2 time=4000000 .cpu=0\n" +
                        waking(4 * MS, 0, 0, 400) + waking(4300000, 0, 0, 400) +
                        waking(6 * MS, 1, 300, 100) +
                        "lost 1 2 time=7000000 .cpu=0\n" +
                        switch(8 * MS, 0, 0, 0, 100) + switch(9 * MS, 0, 100, 1, 0))
is_(times(made.report(twice_lost, "offcpu"))["100"],
    (8 * MS, 2 * MS, 0, 500000, 5500000),
    "what a wake-up tells of the time before it is unknown after a loss, too")

# gamma waits 0.2 ms and then 0.1 as zeta.
renamed = made.build(
    "renamed", HEAD + 'comm 300 300 "gamma"\n' +
    switch(1 * MS, 0, 0, 0, 300) +
    switch(1500000, 0, 300, "preempted", 400) +
    switch(1700000, 0, 400, 1, 300) +
    'comm 300 300 "zeta" time=1800000\n' +
    switch(2500000, 0, 300, "preempted", 400) +
    switch(2600000, 0, 400, 1, 300) + switch(3 * MS, 0, 300, 1, 0))
for name, want in (("gamma", []), ("zeta", [(200000, "zeta"),
                                            (100000, "zeta")])):
    rep = made.report(renamed, "sched", "--comm", name)
    is_([(r["Delay"], r["Command"]) for r in made.rows(rep, "worst")], want,
        "the longest waits of a renamed thread are under its last name: " +
        name)
    is_([r["Max"] for r in made.rows(rep, "latency")],
        [d for d, _ in want[:1]], "as its row in the table of waits")

# In turns, alpha runs 2.5 ms of the time from 4 to 7.5 ms; from 8.5 ms on beta
# runs for 0.5 ms and alpha for 1.
for window, cpu, want in (("0.004,0.0075", "0", {"100": 2500000, "200": 0}),
                          ("0.0085,0.020", "0", {"100": MS, "200": 500000}),
                          ("0.004,0.0075", "1", {"100": 0, "200": 0})):
    rep = made.report(once, "sched", "--time", window, "--cpu", cpu)
    is_({tid: r["Run"] for tid, r in
         made.table(rep, "latency", "TID").items()}, want,
        "time on the CPU is cut to --time %s and --cpu %s" % (window, cpu))
rep = made.report(once, "sched", "--time", "0.004,0.0075")
states = made.rows(rep, "threads")
is_([(r["TID"], r["Lifetime"], sum(r[k] for k in (
        "Running", "Displaced", "Woken", "Blocked", "Unknown")))
     for r in sorted(states, key=lambda r: r["TID"])],
    [("100", 3500000, 3500000), ("200", 3500000, 3500000)],
    "what threads did is cut to --time, and adds up")
is_([(r["CPU"], r["Busy"] + r["Idle"] + r["Unknown"])
     for r in made.rows(rep, "cpus")], [("0", 3500000), ("1", 3500000)],
    "and what CPUs did")

# In a capture of a process the switch after an exit is not recorded.  Thread 8
# is used again by a process that has no sample before it waits.
RECORDS = (
    "attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|"
    "CPU|PERIOD|CALLCHAIN|IDENTIFIER "
    "flags=sample_id_all|mmap|comm|task|context_switch ids=1\n"
    "attr cs type=1 config=3 period=1 sample_type=IP|TID|TIME|"
    "CPU|PERIOD|CALLCHAIN|IDENTIFIER flags=sample_id_all ids=2\n"
    'mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name="/bin/old"\n'
    'comm 8 8 "old"\n'
    "switch .pid=8 .tid=8 time=1000000 .cpu=0\n"
    "sample cycles ip=0x400010 pid=8 time=1500000 cpu=0 id=1 "
    "chain=user,0x400010 period=1000\n"
    "switch misc=0x2000 .pid=8 .tid=8 time=1600000 .cpu=0\n"
    "switch .pid=8 .tid=8 time=1700000 .cpu=0\n"
    "exit pid=8 ppid=1 tid=8 ptid=1 time=1900000 .cpu=0 .pid=8 .tid=8\n"
    "fork pid=8 ppid=1 tid=8 ptid=1 time=3000000 .cpu=0\n"
    'comm 8 8 "new" .pid=8 .tid=8 time=3100000 .cpu=0\n'
    "switch .pid=8 .tid=8 time=4000000 .cpu=0\n"
    "switch misc=0x2000 .pid=8 .tid=8 time=5000000 .cpu=0\n"
    "switch .pid=8 .tid=8 time=9000000 .cpu=0\n"
    "switch misc=0x2000 .pid=8 .tid=8 time=10000000 .cpu=0\n")
again = made.build("again", RECORDS)
rep = made.report(again, "offcpu")
is_({r["Command"]: tuple(r[k] for k in ("Lifetime", "On CPU", "Blocked",
                                        "Unknown", "PID"))
     for r in made.rows(rep, "offcpu-threads")},
    {"old": (900000, 800000, 100000, 0, "8"),
     "new": (7 * MS, 2 * MS, 4 * MS, 0, "8")},
    "a thread ends with its exit, and not when its id is used again")


def waits_of(path):
    out = subprocess.run([tap.coldperf, "offcpu", "-f", "folded", "--no-local",
                          path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout.decode()
    return sorted(line for line in out.splitlines() if "unknown]" in line)


is_(waits_of(again), ["new;[unknown] 4000000", "old;[old];[unknown] 100000"],
    "a wait stands where its thread was last sampled, for a cause not known")
SWITCH = ("sample cs ip=0x400020 pid=8 time=%d cpu=0 id=2 "
          "chain=user,0x400020 period=1\n")
OUT = "switch misc=0x2000 .pid=8 .tid=8 time=1600000 .cpu=0\n"
is_(waits_of(made.build("own", RECORDS.replace(
    OUT, SWITCH % 1599000 + OUT))),
    ["new;[unknown] 4000000", "old;[old];[unknown] 100000"],
    "a sampled switch gives the stack to its record, not to the next thread's")
SAMPLE = ("sample cycles ip=0x400010 pid=8 time=1500000 cpu=0 id=1 "
          "chain=user,0x400010 period=1000\n")
is_(waits_of(made.build("earlier", RECORDS.replace(SAMPLE, "").replace(
    "switch .pid=8 .tid=8 time=1000000", SWITCH % 999000 +
    "switch .pid=8 .tid=8 time=1000000"))),
    ["new;[unknown] 4000000", "old;[unknown] 100000"],
    "what was sampled before the thread got the CPU has no part in it")

# At the end beta and gamma wait; alpha, from 4 to 5 ms, did not wait any more.
TAKES = [(1, 0, 0, 200), (2, 200, 1, 300), (3, 300, 1, 100), (4, 100, 1, 0),
         (5, 0, 0, 100), (6, 100, 0, 0), (7, 0, 0, 100)]
path = made.build("open", HEAD + "".join(
    'comm %d %d "%s"\n' % (tid, tid, name)
    for tid, name in ((100, "alpha"), (200, "beta"), (300, "gamma"))) + "".join(
        switch(ms * MS, 0, *rest) for ms, *rest in TAKES))
OPEN = "open waits: 0 had begun before the capture or in a loss of records, "
for options, want in (((), "2 went on at its end;"),
                      (("--comm", "alpha"), None),
                      (("--comm", "beta"), "1 went on at its end;"),
                      (("--time", ",0.0045"),
                       "0 went on at its end, --time cut 3;")):
    said = made.notes(made.report(path, "offcpu", *options))
    tap.ok(OPEN + want in said if want else "open waits" not in said,
           "open waits of what the filters keep: %s" % " ".join(options), said)
said = made.notes(made.report(again, "offcpu", "--comm", "new"))
tap.ok("sample stands for" not in said,
       "and so those of borrowed stacks", said)

# Ten samples at 1000 Hz, without periods.
clock = made.build(
    "clock", "attr cpu-clock type=1 config=0 period=1000 sample_type=IP|TID|"
    "TIME|CPU|CALLCHAIN|IDENTIFIER flags=freq|sample_id_all|mmap|comm ids=1\n"
    "attr offcpu-time type=1 config=10 period=1 sample_type=IP|TID|TIME|CPU|"
    "PERIOD|CALLCHAIN|IDENTIFIER flags=sample_id_all ids=2\n"
    'comm 10 10 "app"\n' + "".join(
        "sample cpu-clock ip=0x400010 pid=10 tid=10 cpu=0 time=%d id=1 "
        "chain=user,0x400010\n" % (i * MS) for i in range(1, 11)) +
    "sample offcpu-time ip=0x400010 pid=10 tid=10 cpu=0 time=20000000 id=2 "
    "period=5000000 chain=user,0x400010\n")
said = made.notes(made.report(clock, "offcpu", "--tree", "wall"))
tap.ok("on the CPU: 10.000 ms, the periods of cpu-clock" in said,
       "a sample of a frequency stands for its period", said)

# gamma runs for 8 ms, of which 2 are in bb, and is zeta then.
CLOCK = "attr cpu-clock type=1 config=0 period=1000000 sample_type=IP|TID|" \
    "TIME|CPU|PERIOD|CALLCHAIN|IDENTIFIER flags=sample_id_all ids=9\n"
sampled = made.build("sampled", HEAD.replace("tracing ", CLOCK + "tracing ", 1) +
                     'comm 300 300 "gamma"\n' + "".join(
    "mmap pid=300 addr=%#x len=0x1000 pgoff=0 name=%s\n" % place
    for place in ((0x400000, "/bin/aa"), (0x500000, "/bin/bb"))) +
    switch(1 * MS, 0, 0, 0, 300) + "".join(
    'comm 300 300 "zeta" time=%d\n' % (at * MS) * (at == 7) +
    "sample cpu-clock pid=300 time=%d cpu=0 id=9 ip=%s chain=user,%s "
    "period=1000000\n" % (at * MS + 500000, ip, ip)
    for at, ip in zip(range(1, 9), 6 * ["0x400010"] + 2 * ["0x500010"])) +
    switch(9 * MS, 0, 300, 1, 0))
for options, want in (((), [2 * MS, 6 * MS]), (("--comm", "zeta"), [2 * MS, 6 * MS]),
                      (("--comm", "gamma"), []), (("--dso", "bb"), [2 * MS]),
                      (("--dso", "aa", "--comm", "zeta"), [6 * MS])):
    rep = made.report(sampled, "offcpu", "--tree", "wall", *options)
    is_(sorted(n["self"] for n in made.section(rep, "wall")["nodes"]
               if n["name"] == "[on CPU]"), want,
        "a thread's time is divided among all its samples: " +
        " ".join(options))
    said = made.notes(rep)
    tap.ok(("not in the tree" in said) == ("--dso" in options),
           "and what is left out is told", said)
for path, n in ((gaps, 2), (late, 2), (once, None)):
    said = made.notes(made.report(path, "sched", "--timehist"))
    tap.ok("records were lost: %d; as in perf" % n in said if n else
           "as in perf" not in said,
           "a line per switch: how many times are not certain", said)

# Of alpha alone, without CPUs: when beta and gamma left theirs is not there.
alone = made.build("alone", HEAD.replace("|CPU|", "|") + "".join(
    re.sub(r" cpu=0 ", " ", switch(ms * MS, 0, 100, 1, into))
    for ms, into in ((1, 200), (5, 300), (6, 300), (9, 200))))
is_({tid: r["On CPU"] for tid, r in
     made.table(made.report(alone, "offcpu"), "offcpu-threads", "TID").items()},
    {"100": 0, "200": 0, "300": 0},
    "without CPUs, a thread that is not seen to leave did not run till the end")

# Only alpha and beta were recorded: their own switches.  gamma and the idle task
# get the CPU after them, a thread is woken by beta, and nothing else is known of
# those.  By hand: alpha ran until 1 ms (since when is unknown); beta got the CPU
# from alpha at 6 ms and ran to 7 ms.
SCOPED = HEAD.replace("flags=", "flags=enable_on_exec|")
SOME = (switch(1 * MS, 0, 100, "preempted", 300) +
        switch(6 * MS, 0, 100, 1, 200) + waking(6500000, 0, 200, 500) +
        switch(7 * MS, 0, 200, 1, 0))


def begin(time, cpu, tid):
    return 'switch .pid=%d .tid=%d time=%d .cpu=%d\n' % (tid, tid, time, cpu)


scoped = made.build("scoped", SCOPED + SOME)
is_(times(made.report(scoped, "offcpu")),
    {"100": (6 * MS, 0, 0, 0, 6 * MS), "200": (6 * MS, 1 * MS, 0, 0, 5 * MS)},
    "of recorded threads alone there are states, between events that prove them")
rep = made.report(scoped, "sched")
is_(sorted(made.table(rep, "latency", "TID")), ["100", "200"],
    "threads that were not recorded have no row")
is_(made.rows(rep, "cpus"), [], "nor is known what the CPUs did")
tap.ok("perf record -a" in made.notes(rep), "and the report says what records it",
       made.notes(rep))
is_(sorted(made.table(made.report(made.build("whole", HEAD + SOME), "sched"),
                      "latency", "TID")), ["100", "200", "300"],
    "a capture of the machine has them all")
# The idle task's switches are those of whole CPUs, whatever the events say.
is_(len(made.rows(made.report(made.build(
    "idle", SCOPED + switch(500000, 0, 0, 0, 100) + SOME), "sched"), "cpus")),
    1, "switches of the idle task prove that CPUs were recorded")
for words, some in (("-p 100", True), ("-gt 100", True), ("prog -a", True),
                    ("--uid=5 -a", True), ("-F 99 -ag -- prog", False),
                    ("-C 0-3 prog", False), ("--all-cpus", False)):
    line = " ".join('"%s"' % w for w in ("perf record " + words).split())
    head = HEAD.replace("tracing ", "feature cmdline " + line + "\ntracing ", 1)
    is_(made.rows(made.report(made.build("line", head + SOME), "sched"),
                  "cpus") == [], some, "perf record %s: threads are chosen" %
        words if some else "perf record %s: they are not" % words)
# With records of their own switches each turn is known.
inout = made.build("inout", SCOPED.replace(
    "flags=", "flags=context_switch|") + "".join(
        begin(at * MS, 0, 100) + switch((at + 1) * MS, 0, 100, state, 300)
        for at, state in ((1, "preempted"), (5, "preempted"), (8, 1))))
is_(times(made.report(inout, "offcpu")), {"100": (8 * MS, 3 * MS, 5 * MS, 0, 0)},
    "context-switch records tell when a thread got the CPU")

# alpha and beta take turns of 5 ms on CPU 0; gamma is on CPU 1 now and then.
text = 'comm 100 100 "alpha"\ncomm 200 200 "beta"\n'
for i in range(60):
    at = (1 + 5 * i) * MS
    out, into = ((200, 100), (100, 200))[i % 2]
    text += switch(at, 0, out if i else 0, "preempted" if i else 0, into)
    text += switch(at, 1, 300 * (i % 2), i % 2, 300 * (1 - i % 2))
both = made.build("both", HEAD.replace(
    "tracing ", "feature nrcpus 2 2\ntracing ", 1) + text)
for options in ((), ("--comm", "alpha")):
    rep = made.report(both, "report", *options)
    said = made.notes(rep)
    tap.ok("looks as if it waited" not in said and
           "CPU taken" in made.table(rep, "findings", "About"),
           "what filters leave out is no CPU without samples: %s" %
           " ".join(options), said)
said = made.notes(made.report(both, "report"))
tap.ok("CPU 0 the most, 50.0 %, CPU 1 the least, 50.0 %" in said,
       "of CPUs with equally many samples, two are told", said)
# A thread moves from CPU 0 to CPU 1, whose clock is some us behind: it begins
# to run there before it has left CPU 0.  The switches of each CPU are consistent.
US = 1000


def moves(name, behind, leaves=True):
    """Runs from 1 ms on CPU 0, from 2 ms on CPU 1 until 4; blocks for 2 ms."""
    text = switch(MS, 0, 0, 0, 100) + waking(2 * MS - 100 * US, 1, 0, 100) + \
        switch(2 * MS - behind, 1, 0, 0, 100)
    if leaves:
        text += switch(2 * MS, 0, 100, 1, 0)
    return made.report(made.build(name, HEAD + 'comm 100 100 "mover"\n' + text +
                                  switch(4 * MS, 1, 100, 1, 0) +
                                  waking(6 * MS, 1, 0, 100) +
                                  switch(6 * MS + 10 * US, 1, 0, 0, 100) +
                                  switch(7 * MS, 1, 100, 1, 0) +
                                  switch(8 * MS, 0, 0, 0, 0)), "sched")


def ran(rep):
    return tuple(made.table(rep, "threads", "TID")["100"][k]
                 for k in ("Running", "Blocked", "Unknown")) + tuple(
        c["Busy"] for c in made.table(rep, "cpus", "CPU").values())


def skew_notes(rep):
    return re.findall(r"another: 1, by [0-9.]+ us at most; the clocks",
                      made.notes(rep))


is_(ran(moves("behind", 5 * US)),
    (3995 * US, 3 * MS, 0, MS, 2995 * US), "5 us between clocks")
is_(len(skew_notes(moves("behind", 5 * US))), 1, "... are said")
threads = made.table(made.report(os.path.join(made.work.name, "behind.data"),
                                 "wall", "--threads"), "wall-threads", "TID")
is_([threads["100"][k] for k in ("Lifetime", "On CPU", "Not recorded")],
    [7 * MS, 3990 * US, 0], "... wall counts the time of both once")
is_(ran(moves("same", 0))[:3], (3990 * US, 3 * MS, 0), "equal clocks")
is_(skew_notes(moves("same", 0)), [], "... and nothing is said")
is_(ran(moves("lost", 0, leaves=False))[2] >= MS, True,
    "a switch that is missing leaves its time unknown")
tap.done()
