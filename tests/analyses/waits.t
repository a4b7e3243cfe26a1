#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# offcpu, locks, syscalls, blockio and faults of captures whose numbers are
# worked out by hand: see the comments that their texts begin with.
import json
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap
from tap import is_

corpus = os.path.join(tap.top_srcdir, "corpus")
scratch = tempfile.TemporaryDirectory(prefix="coldperf-waits.")
MS = 1000000


def run(case, *options):
    path = tap.capture(case, scratch.name)
    symbols = os.path.join(corpus, case, "symbols")
    p = subprocess.run(
        [tap.coldperf] + list(options) + ["--no-local", "--cache",
                                          scratch.name + "/none", path] +
        (["--symbols", symbols] if os.path.isdir(symbols) else []),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def tables(case, analysis, *options):
    _, out, _ = run(case, analysis, "-f", "json", *options)
    return {s["slug"]: [dict(zip([c["name"] for c in s["columns"]],
                                 r["values"])) for r in s["rows"]]
            for s in json.loads(out)["sections"] if s["type"] == "table"}


def folded(case, *options):
    _, out, _ = run(case, "offcpu", "-f", "folded", *options)
    return dict((line.rsplit(" ", 1)[0], int(line.rsplit(" ", 1)[1]))
                for line in out.splitlines())


def pick(rows, key, *columns):
    return {r[key]: tuple(r[c] for c in columns) for r in rows}


def times(rows):
    return pick(rows, "Command", "Lifetime", "On CPU", "Runnable", "Blocked",
                "Unknown")


waits = tables("good-waits", "offcpu")
is_([(r["Time"], r["Command"], r["TID"], r["Wait"], r["Ended by"])
     for r in waits["offcpu-longest"]],
    [(9500000, "beta", "200", "sleep", "(interrupt)"),
     (5 * MS, "alpha", "100", "disk", "(interrupt)"),
     (3 * MS, "alpha", "100", "futex", "beta")],
    "the longest waits: how long, for what, who ended them")
is_(waits["offcpu-longest"][2]["Began"], 1002 * MS, "and when they began")
tap.ok(waits["offcpu-longest"][2]["Where"].startswith("< futex_wait"),
       "and where", waits["offcpu-longest"][2])
is_([r["Command"] for r in tables("good-waits", "offcpu", "--comm", "alpha")
     ["offcpu-longest"]], ["alpha", "alpha"], "of what the filters leave")


def futex_in(function):
    """The class of alpha's futex if the program waits in that function."""
    folder = os.path.join(scratch.name, function)
    os.makedirs(folder)
    with open(os.path.join(corpus, "good-waits", "input.mkperf")) as f:
        text = f.read().replace('"/bin/waits"', '"//anon"')
    with open(os.path.join(folder, "text"), "w") as f:
        f.write(text)
    with open(os.path.join(folder, "perf-100.map"), "w") as f:
        f.write("401000 100 %s\n401600 100 main\n" % function)
    path = os.path.join(folder, "data")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    os.path.join(folder, "text"), path], check=True)
    p = subprocess.run(
        [tap.coldperf, "offcpu", "-f", "json", "--no-local", "--cache",
         scratch.name + "/none", "--symbols",
         os.path.join(corpus, "good-waits", "symbols"), "--symbols",
         os.path.join(folder, "perf-100.map"), path],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return [r["values"][4] for s in json.loads(p.stdout)["sections"]
            if s.get("slug") == "offcpu-longest" for r in s["rows"]][2]


is_(futex_in("___pthread_cond_wait"), "idle", "a condition variable is idle")
is_(futex_in("pthread_mutex_lock"), "futex", "a mutex is not")


is_(times(waits["offcpu-threads"]),
    {"alpha": (20 * MS, 10500000, 1500000, 8 * MS, 0),
     "beta": (30 * MS, 14300000, 4200000, 9500000, 2 * MS)},
    "time by thread, to the nanosecond")
is_(pick(waits["offcpu-classes"], "Wait", "Time", "State"),
    {"futex": (3 * MS, "interruptible"), "disk": (5 * MS, "uninterruptible"),
     "sleep": (9500000, "interruptible")}, "classes and states of waits")
is_(pick(waits["offcpu-wakers"], "Wait", "Woken", "Waker", "Time"),
    {"futex": ("alpha", "beta", 3 * MS),
     "disk": ("alpha", "(interrupt)", 5 * MS),
     "sleep": ("beta", "(interrupt)", 9500000)}, "who ended the waits")
is_(pick(waits["offcpu-states"], "State", "Time", "Times", "Open", "Max"),
    {"on CPU": (24800000, 6, 0, 5500000),
     "runnable, preempted": (4 * MS, 1, 0, 4 * MS),
     "runnable, woken up": (1700000, 3, 0, 1 * MS),
     "blocked": (17500000, 3, 0, 9500000),
     "unknown": (2 * MS, 1, 1, None)}, "states, with their percentiles")

is_([r["State"] for r in
     tables("good-switch-synthetic", "offcpu")["offcpu-states"]],
    ["on CPU", "runnable, preempted", "blocked", "unknown"],
    "nobody was woken up where wake-ups were not recorded")

lost = tables("odd-waits-lost", "offcpu")
is_(times(lost["offcpu-threads"]),
    {"alpha": (30 * MS, 30 * MS, 0, 0, 0),
     "beta": (30 * MS, 18 * MS, 0, 0, 12 * MS)},
    "what a lost record touches is unknown, and nothing else")

cut = tables("good-waits", "offcpu", "--time", "1.003,1.012")
is_(times(cut["offcpu-threads"]),
    {"alpha": (9 * MS, 4 * MS, 1 * MS, 4 * MS, 0),
     "beta": (9 * MS, 5 * MS, 4 * MS, 0, 0)}, "--time cuts the times")
is_(pick(cut["offcpu-classes"], "Wait", "Time", "Open"),
    {"futex": (2 * MS, 1), "disk": (2 * MS, 1)}, "what it cuts is open")
one = tables("good-waits", "offcpu", "--comm", "beta")
is_([r["Command"] for r in one["offcpu-threads"]], ["beta"],
    "--comm leaves threads out")
is_(pick(one["offcpu-classes"], "Wait", "Time"), {"sleep": (9500000,)},
    "and their waits")

# A thread that gets another name while it waits for the disk.
with open(os.path.join(corpus, "good-waits", "input.mkperf")) as f:
    text = f.read() + 'comm 100 100 "gamma" time=1010000000\n'
with open(os.path.join(scratch.name, "renamed.mkperf"), "w") as f:
    f.write(text)
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf")] +
               [os.path.join(scratch.name, "renamed" + suffix)
                for suffix in (".mkperf", ".data")], check=True)
renamed = tables("renamed", "offcpu", "--comm", "gamma")
is_([(r["Command"], r["Longest"]) for r in renamed["offcpu-threads"]],
    [("gamma", 5 * MS)], "a thread is counted under its last name")
is_([(r["Command"], r["Time"]) for r in renamed["offcpu-longest"]],
    [("gamma", 5 * MS), ("gamma", 3 * MS)], "and so is each of its waits")
LAST = "have another since: 1; they are left out, since a thread is counted"
for command in "offcpu", "sched":
    tap.ok(LAST in re.sub(r"\s+", " ", run("renamed", command, "--comm",
                                           "alpha")[1]),
           command + " says it if a name before is asked for")
    tap.ok(LAST not in re.sub(r"\s+", " ", run("renamed", command, "--comm",
                                               "gamma")[1]),
           "and not if the last one is")

tree = folded("good-waits", "--state", "blocked")
is_(sorted(tree.values()), [3 * MS, 5 * MS, 9500000], "blocked time only")
is_(sum(folded("good-waits").values()), 23200000,
    "the tree holds all time off the CPU")
is_(sum(folded("good-waits", "--state", "runnable").values()), 5700000,
    "runnable time only")
wake = folded("good-waits", "--tree", "offwake")
is_([n for s, n in wake.items() if s.startswith("alpha;") and
     "futex_wait;schedule;__schedule;[futex];try_to_wake_up;futex_wake" in s
     and s.endswith(";beta")], [3 * MS], "offwake: the two calls meet")
is_([s.split(";")[-2:] for s in wake if "[disk]" in s],
    [["asm_common_interrupt", "(interrupt)"]],
    "an interrupt's stack ends where it began")
is_(sorted(folded("good-waits", "--tree", "wakers").values()),
    [3 * MS, 5 * MS, 9500000], "the stacks of wakers")
hops = folded("good-waits", "--tree", "offwake", "--hops", "2")
is_(sum(hops.values()), 17500000, "more hops, the same time")

# Time on the CPU in the same tree: alpha's 10.5 ms are of three samples, beta
# has none.  A sample of the idle CPU is no thread's.
with open(os.path.join(corpus, "good-waits", "input.mkperf")) as f:
    text = f.read()
CLOCK = "sample cpu-clock pid=%d time=%d cpu=0 id=3 ip=%#x " \
    "chain=%s,0x401608 period=1000000\n"
USER, KERNEL = "user,0x401008", "kernel,0xffffffff81001504,user,0x401508"
head, rest = text.replace(
    "feature arch", "attr cpu-clock type=1 config=0 period=1000000 sample_type="
    "IP|TID|TIME|CPU|PERIOD|CALLCHAIN|IDENTIFIER flags=sample_id_all ids=3\n"
    "feature arch", 1).split("finished_round")
with open(os.path.join(scratch.name, "wall.mkperf"), "w") as f:
    f.write(head + "".join(
        CLOCK % (pid, at * MS // 10, int(chain.split(",")[1], 16), chain)
        for pid, at, chain in ((100, 10010, USER), (100, 10070, KERNEL),
                               (100, 10080, KERNEL), (0, 10220, KERNEL))) +
        "finished_round" + rest)
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf")] +
               [os.path.join(scratch.name, "wall" + suffix)
                for suffix in (".mkperf", ".data")], check=True)
SYMBOLS = ("--symbols", os.path.join(corpus, "good-waits", "symbols"))
onoff = folded("wall", "--tree", "onoff", *SYMBOLS)
is_(sorted(n for s, n in onoff.items() if s.startswith("on_CPU;alpha;")),
    [3500000, 7 * MS], "onoff: samples divide the time of the switches")
is_({s: n for s, n in onoff.items() if s.startswith("on_CPU;beta")},
    {"on_CPU;beta;[no_sample]": 14300000}, "without a sample: no stack")
off = folded("good-waits")
is_({s: n for s, n in onoff.items() if not s.startswith("on_CPU")},
    {"off_CPU;" + s: n for s, n in off.items()}, "the other half is offcpu's")
wall = folded("wall", "--tree", "wall", *SYMBOLS)
is_(sum(wall.values()), 24800000 + 23200000, "wall: all time that is known")
is_({s: n for s, n in wall.items() if "on_CPU]" not in s and "sample]" not in s},
    off, "one tree of both")
is_(sorted(n for s, n in wall.items() if s.endswith(";[on_CPU]")),
    [3500000, 7 * MS], "each tower says what it is")
is_(sum(n for s, n in folded("wall", "--tree", "onoff", "--time", "1.003,1.012",
                             *SYMBOLS).items() if s.startswith("on_CPU")),
    9 * MS, "--time cuts both halves")
is_([s for s in folded("wall", "--tree", "onoff", "--comm", "beta", *SYMBOLS)
     if "alpha" in s], [], "--comm leaves samples out")


def tree_of(case, *options):
    _, out, _ = run(case, "offcpu", "-f", "json", *options)
    sections = json.loads(out)["sections"]
    return ([s for s in sections if s["type"] == "tree"][0],
            [n for s in sections if s["type"] == "notes" for n in s["notes"]])


_, notes = tree_of("wall", "--tree", "wall", "-e", "sched:sched_switch")
is_([n.split("; ")[-1] for n in notes if n.startswith("[no sample]")],
    ["those that they leave out (3) may tell where they ran"],
    "threads whose samples --event leaves out were sampled")
_, notes = tree_of("wall", "--tree", "wall", "-e", "cpu-clock")
is_([n.rsplit(", ", 1)[-1] for n in notes if n.startswith("[no sample]")],
    ["of threads that were not sampled: nobody knows where they ran"],
    "and others were not")
tree, notes = tree_of("wall", "--tree", "wall", *SYMBOLS)
is_((tree["scale"], tree["unit"], tree["unit_type"]), ("cpu", "time", "time"),
    "one unit, and a scale of its own")
is_([round(n["color"], 9) for n in tree["nodes"] if n["name"] in
     ("alpha", "[on CPU]", "[futex]")] + [n["color"] for n in tree["nodes"]
                                          if n["parent"] is None],
    [round(10.5 / 20, 9), 0, 1, 1, 24.8 / 48],
    "a node is as red as its time was on the CPU")
tap.ok(any("24.800 ms" in n and "cpu-clock (3)" in n for n in notes) and
       any(n.startswith("[no sample]: 14.300 ms") for n in notes),
       "what the time is made of is said", notes)

# Without switches the time is that of a clock, and of nothing else.
tree, notes = tree_of("good-offcpu-time", "--tree", "onoff")
is_([n["total"] for n in tree["nodes"] if n["name"] in ("on CPU", "off CPU")],
    [11 * MS], "cycles are not time")
tap.ok(any("not known" in n and "cpu-clock" in n for n in notes),
       "which is said", notes)
with open(os.path.join(corpus, "good-offcpu-time", "input.mkperf")) as f:
    text = f.read()
with open(os.path.join(scratch.name, "clock.mkperf"), "w") as f:
    f.write(text.replace("attr cycles type=0", "attr cpu-clock type=1")
            .replace("sample cycles", "sample cpu-clock"))
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf")] +
               [os.path.join(scratch.name, "clock" + suffix)
                for suffix in (".mkperf", ".data")], check=True)
tree, notes = tree_of("clock", "--tree", "onoff")
is_({n["name"]: n["total"] for n in tree["nodes"] if "CPU" in n["name"]},
    {"on CPU": 1000, "off CPU": 11 * MS}, "a clock's periods are")

# A real capture: each thread's time on the CPU, and every sample.
recorded = tables("good-switch", "offcpu", "--top", "0")
tree, _ = tree_of("good-switch", "--tree", "onoff", "--threads")
on = {n["name"]: n["total"] for n in tree["nodes"]
      if n["parent"] is not None and
      tree["nodes"][tree["nodes"][n["parent"]]["parent"] or 0]["name"] ==
      "on CPU"}
is_(on, {"%s/%s" % (r["PID"], r["TID"]): r["On CPU"]
         for r in recorded["offcpu-threads"] if r["On CPU"]},
    "the time of each thread, to the nanosecond")
hot = tables("good-switch", "hotspots", "--by", "tid", "--top", "0")
is_(sum(n["samples"] for n in tree["nodes"]
        if n["color"] == 1 and n["name"] != "[no sample]"),
    sum(r["Samples"] for r in hot["hotspots"]), "every sample is in it")
for n in "0", "17":
    status, _, err = run("good-waits", "offcpu", "--hops", n)
    tap.ok(status == 2 and "1 ... 16" in err, "%s hops are refused" % n, err)

mine = os.path.join(scratch.name, "classes")
with open(mine, "w") as f:
    f.write("# mine\nstorage: folio_* nothing_*\n\nnap: hrtimer_*sleep # c\n")
is_(pick(tables("good-waits", "offcpu", "--wait-classes",
                mine)["offcpu-classes"], "Wait", "Time"),
    {"futex": (3 * MS,), "storage": (5 * MS,), "nap": (9500000,)},
    "classes of a file come first")
for text in ("no colon\n", ": x\n", "two words: x\n", "empty:\n"):
    with open(mine, "w") as f:
        f.write(text)
    status, _, said = run("good-waits", "offcpu", "--wait-classes", mine)
    tap.ok(status == 2 and ":1:" in said, "refused: " + text.strip(), said)
for option in ("--tree=x", "--state=x", "--wait-classes=/nowhere"):
    status, _, said = run("good-waits", "offcpu", option)
    tap.ok(status == 2 and said, option + " is refused", said)

for case, ms in ("good-offcpu-time", 11), ("good-offcpu-time-old", 10):
    is_(times(tables(case, "offcpu")["offcpu-threads"]),
        {"alpha": (ms * MS, 0, 0, ms * MS, 0)},
        case + ": the period is the time")
_, text, _ = run("good-offcpu-time", "script", "-F", "pid,period,event")
is_(text.split().count("5000000"), 1, "script: the sample in the raw data")

calls = tables("good-latencies", "syscalls")
is_(pick(calls["syscalls"], "Call", "Calls", "Errors", "Time", "p50", "Max"),
    {"read": (3, 1, 40000, 10000, 30000),
     "futex": (2, 0, 3200000, 200000, 3 * MS)}, "system calls by name")
is_([tuple(r.values()) for r in calls["syscall-errors"]],
    [(1, "read", "EAGAIN")], "errors by name")
is_([(r["Command"], r["Call"], r["Calls"], r["Time"])
     for r in calls["syscall-threads"]],
    [("alpha", "(all)", 4, 3040000), ("alpha", "futex", 1, 3000000),
     ("alpha", "read", 3, 40000), ("beta", "(all)", 1, 200000),
     ("beta", "futex", 1, 200000)], "and by thread")
locks = tables("good-latencies", "locks")
is_([(r["Waits"], r["Time"], r["Type"]) for r in locks["locks"]],
    [(1, 4000, "mutex")], "a mutex that spins, then sleeps, is one wait")
is_([(r["Waits"], r["Time"], r["Failed"], r["Futex"], r["Waker"])
     for r in locks["futexes"]],
    [(1, 3 * MS, 0, 0x7000, "beta")] if isinstance(
        locks["futexes"][0]["Futex"], int) else
    [(1, 3 * MS, 0, "0x7000", "beta")], "a futex and its waker")
# alpha's request is sent back and issued again by a kernel worker.
with open(os.path.join(corpus, "good-latencies", "input.mkperf")) as f:
    lines = f.read().split("sample block:block_rq_issue")
with open(os.path.join(scratch.name, "again.mkperf"), "w") as f:
    f.write("sample block:block_rq_issue".join(
        lines[:2] + [
            " ip=0xffffffff81000104 pid=90 time=1005300000 cpu=0 id=3 "
            "raw=u2:2104,u1:0,u1:0,u4:90,u4:0x800010,n:4,u8:1000,u4:8,"
            'u4:4096,s:"R",n:7,c16:"kworker/0:1H"\n'] + lines[2:]))
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf")] +
               [os.path.join(scratch.name, "again" + suffix)
                for suffix in (".mkperf", ".data")], check=True)
is_(pick(tables("again", "blockio")["blockio-commands"], "Command",
         "Requests", "Max"), {"alpha": (1, 700000), "beta": (1, 2 * MS)},
    "a request issued again is whose it was, and its time from then on")
tap.ok("issued again" in run("again", "blockio")[1], "which is said")
# 0.7 and 2 ms under way, in 2.2 of the device's 2.5 ms.
is_([(round(r["Depth"]["value"], 6), round(r["Busy"]["value"], 6))
     for r in tables("again", "blockio")["blockio"]], [(1.08, 0.88)],
    "and so are the depth and the busy time")
disk = tables("good-latencies", "blockio")
row = disk["blockio"][0]
is_((row["Device"], row["Requests"], row["Bytes"], row["p50"], row["Max"],
     row["Depth"]["value"], row["Deepest"], row["Busy"]["value"]),
    ("8:16", 2, 12288, 1 * MS, 2 * MS, 1.2, 2, 1),
    "requests, one in two parts; queue depth")
is_(pick(disk["blockio-operations"], "Operation", "Max"),
    {"read": (1 * MS,), "write sync": (2 * MS,)}, "operations in words")
faults = tables("good-latencies", "faults")
is_(pick(faults["fault-kinds"], "Access", "Faults"),
    {"write by user code, no page is there": (2,),
     "read by user code, no page is there": (1,)}, "kinds of page faults")

with open(os.path.join(scratch.name, "anon.mkperf"), "w") as f:
    f.write("attr page-faults type=1 config=2 period=1 "
            "sample_type=IP|TID|TIME|ADDR flags=sample_id_all|mmap|comm\n")
    for pid, n in (100, 3), (200, 2):
        f.write('mmap pid=%d addr=0x400000 len=0x1000 pgoff=0 name="/bin/x"\n'
                'mmap misc=0x2002 pid=%d addr=0x700000 len=0x9000 pgoff=0 '
                'name="//anon"\n'
                % (pid, pid))
        for i in range(n):
            f.write("sample ip=0x400010 pid=%d time=%d addr=%#x\n" %
                    (pid, 1000 * pid + i, 0x700000 + 0x1000 * i))
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf")] +
               [os.path.join(scratch.name, "anon" + suffix)
                for suffix in (".mkperf", ".data")], check=True)
is_([(r["Object"], r["Faults"])
     for r in tables("anon", "faults")["fault-memory"]], [("//anon", 5)],
    "memory that is no file is one row, of all processes")

# The same calls by a 32-bit program, by its numbers; it came by execve, which
# began as a call of a 64-bit one.
with open(os.path.join(corpus, "good-latencies", "input.mkperf")) as f:
    text = f.read()
for old, new in (("u8:202,", "u8:240,"), ("u8:0,u8:3,", "u8:3,u8:3,"),
                 ("u8:0,u8:5\n", "u8:3,u8:5\n"),
                 ("u8:0,u8:-11\n", "u8:3,u8:-11\n")):
    text = text.replace(old, new)
head, rest = text.split('comm 100 100 "alpha"')
CALL = "sample raw_syscalls:sys_%s ip=0xffffffff81000104 pid=100 time=%d " \
    "cpu=0 id=%d raw=u2:%d,u1:0,u1:0,u4:100,u8:%d,u8:0%s\n"
VDSO = 'mmap pid=100 addr=%#x len=0x2000 pgoff=0 name="[vdso]" time=%d\n'
for name, addr in ("narrow", 0xf7fc4000), ("wide", 0x7ffd0f7fc000):
    with open(os.path.join(scratch.name, name + ".mkperf"), "w") as f:
        f.write(head + CALL % ("enter", 1000, 1, 443, 59, ",u8:0" * 5) +
                'comm misc=0x2000 100 100 "alpha" time=2000\n' +
                VDSO % (addr, 3000) +
                CALL % ("exit", 6000, 2, 442, 11, "") + rest)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf")] +
                   [os.path.join(scratch.name, name + suffix)
                    for suffix in (".mkperf", ".data")], check=True)
is_(pick(tables("narrow", "syscalls")["syscalls"], "Call", "Calls", "Errors",
         "Time", "Max"),
    {"read": (3, 1, 40000, 30000), "futex": (2, 0, 3200000, 3 * MS),
     "execve": (1, 0, 5000, 5000)}, "system calls of a 32-bit program")
is_([(r["Waits"], r["Time"], r["Waker"])
     for r in tables("narrow", "locks")["futexes"]], [(1, 3 * MS, "beta")],
    "and its futexes")
is_(sorted(r["Call"] for r in tables("wide", "syscalls")["syscalls"]),
    ["close", "execve", "mq_open", "munmap"],
    "a 64-bit program means other calls by these numbers")
tap.ok("futexes" not in tables("wide", "locks"), "and no futexes")

# A call that makes a thread returns in that one, too: 0, without a begin.
NEW = "sample raw_syscalls:sys_%s ip=0xffffffff81000104 pid=%d time=%d " \
    "cpu=0 id=%d raw=u2:%d,u1:0,u1:0,u4:%d,u8:%d,u8:%d%s\n"
BEGIN, END = ("enter", 1, 443, ",u8:0" * 5), ("exit", 2, 442, "")


def call(edge, tid, time, number, ret):
    return NEW % (edge[0], tid, time, edge[1], edge[2], tid, number, ret,
                  edge[3])


with open(os.path.join(scratch.name, "forks.mkperf"), "w") as f:
    f.write(head + "".join(
        call(BEGIN, 100, 10000 * n, number, 0) +
        "fork pid=%d ppid=100 tid=%d ptid=100 time=%d\n" %
        (500 + n, 500 + n, 10000 * n + 1000) +
        call(END, 500 + n, 10000 * n + 2000, number, 0) +
        call(BEGIN, 500 + n, 10000 * n + 3000, 0, 0) +
        call(END, 100, 10000 * n + 4000, number, 500 + n) +
        call(END, 500 + n, 10000 * n + 5000, 0, 7)
        for n, number in enumerate((56, 57, 58, 435))))
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf")] +
               [os.path.join(scratch.name, "forks" + suffix)
                for suffix in (".mkperf", ".data")], check=True)
is_(pick(tables("forks", "syscalls")["syscalls"], "Call", "Calls", "Errors",
         "Time", "Max"),
    {"read": (4, 0, 8000, 2000), "clone": (1, 0, 4000, 4000),
     "fork": (1, 0, 4000, 4000), "vfork": (1, 0, 4000, 4000),
     "clone3": (1, 0, 4000, 4000)}, "a call that makes a thread is one call")
tap.ok("not recorded" not in run("forks", "syscalls")[1],
       "no begin is missed where it returns in the new thread")

# What was sampled is not paired: no time is shown that is not true.
for case, analysis, never in (
        ("good-waits", "offcpu", None),
        ("good-waits", "sched", None),
        ("good-waits", "timeline", {"offcpu", "runqueue"}),
        ("good-waits", "report", {"offcpu-states", "offcpu-classes",
                                  "latency", "sched-latency"}),
        ("good-latencies", "syscalls", None),
        ("good-latencies", "locks", None),
        ("good-latencies", "blockio", None)):
    text = open(os.path.join(corpus, case, "input.mkperf")).read()
    for how, what in (("period", text.replace(" period=1 ", " period=100 ")),
                      ("frequency", re.sub(r"( flags=)", r"\1freq|", text))):
        name = "%s-%s" % (case, how)
        sampled = os.path.join(scratch.name, name)
        with open(sampled + ".mkperf", "w") as f:
            f.write(what)
        subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                        sampled + ".mkperf", sampled + ".data"], check=True)
        _, out, _ = run(name, analysis)
        tap.ok("was sampled: not each one" in out and
               "this records each: perf record -c 1 -e " in out,
               "%s says that its events were sampled (%s)" % (analysis, how),
               out)
        sections = {s["slug"] for s in json.loads(
            run(name, analysis, "-f", "json")[1])["sections"]
            if s["type"] != "scalars" and s["type"] != "notes"}
        account = {s["slug"] for s in json.loads(
            run(name, "quality", "-f", "json")[1])["sections"]}
        tap.ok(not sections & never if never else not sections - account,
               "%s pairs none of them (%s)" % (analysis, how), sections)
    _, out, _ = run(case, analysis)
    tap.ok("was sampled" not in out,
           analysis + " says nothing where they were not", out)
    sections = {s["slug"] for s in json.loads(
        run(case, analysis, "-f", "json")[1])["sections"]}
    tap.ok(not never or sections & never,
           analysis + " has sections of times where they were not", sections)

for analysis, event in (("offcpu", "sched:sched_switch"),
                        ("locks", "lock:contention_begin"),
                        ("syscalls", "raw_syscalls:sys_enter"),
                        ("blockio", "block:block_rq_issue"),
                        ("faults", "page-faults")):
    status, out, _ = run("good-exec", analysis)
    tap.ok(status == 0 and "perf record -e " + event in out,
           analysis + " says what to record", out)
tap.done()
