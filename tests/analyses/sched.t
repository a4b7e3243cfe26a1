#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# corpus/good-sched-waits, counted by hand; and the same as a machine of the
# other byte order and a kernel before 4.14 would have recorded it.
import json
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-sched.")
source = os.path.join(tap.top_srcdir, "corpus/good-sched-waits/input.mkperf")
text = open(source, encoding="utf-8").read()

# tid: run, waits, average, p50, p90, p95, p99, p99.9, longest, ended at.
LATENCY = {
    "100": [1120000, 2, 100000, 0] + [200000] * 5 + [1900000],
    "200": [850000, 4, 35000, 10000] + [100000] * 5 + [1700000],
    "300": [200000, 2, 45000, 20000] + [70000] * 5 + [2200000],
    "400": [50000, 0] + [0] * 7 + [""],
}
# tid: lifetime, running, displaced, woken, blocked, unknown, voluntary and
# involuntary switches, migrations, unknown waits, wake-ups.
THREADS = {
    "100": [1500000, 1120000, 200000, 0, 180000, 0, 1, 1, 0, 0, 0],
    "200": [1500000, 850000, 0, 140000, 310000, 200000, 4, 0, 3, 0, 4],
    "300": [400000, 200000, 70000, 20000, 10000, 100000, 1, 1, 0, 0, 1],
    "400": [1500000, 50000, 0, 60000, 50000, 1340000, 1, 0, 0, 1, 1],
}
# CPU: busy, idle, unknown, switches, preemptions, wake-ups, longest queue.
CPUS = {
    "0": [1500000, 0, 0, 5, 1, 4, 1],
    "1": [720000, 580000, 200000, 7, 1, 1, 2],
}
# Slices of 2^20 ns, the last of 451424 ns: waits there by their length.
QUEUES = {
    ("0", 0): 300000 / 2**20, ("0", 1): 10000 / 451424,
    ("1", 0): 20000 / 2**20, ("1", 1): 160000 / 451424,
}
LONGEST = {("0", 0): 1, ("0", 1): 1, ("1", 0): 1, ("1", 1): 2}
# delay, since, tid, CPU, why, meanwhile.
WORST = [
    [200000, 1700000, "100", "0", "displaced by beta:200",
     "beta:200 200.000 us"],
    [100000, 1600000, "200", "0", "woken by alpha:100",
     "alpha:100 100.000 us"],
    [70000, 2130000, "300", "1", "displaced by beta:200",
     "beta:200 70.000 us"],
    [30000, 2100000, "200", "1", "woken by an interrupt on CPU 1",
     "gamma:300 30.000 us"],
    [20000, 2010000, "300", "1", "woken by alpha:100", "idle 20.000 us"],
    [10000, 2310000, "200", "0", "woken by alpha:100",
     "alpha:100 10.000 us"],
]
# time, cpu, tid, wait, delay, run, state, next: as perf sched timehist.
TIMEHIST = [
    (1000000, 0, 0, 0, 0, 0, "I", 100),
    (1100000, 1, 0, 0, 0, 0, "I", 200),
    (1500000, 1, 200, 0, 0, 400000, "S", 0),
    (1700000, 0, 100, 0, 0, 700000, "R", 200),
    (1900000, 0, 200, 200000, 100000, 200000, "S", 100),
    (2030000, 1, 0, 400000, 400000, 530000, "I", 300),
    (2130000, 1, 300, 0, 20000, 100000, "R", 200),
    (2200000, 1, 200, 230000, 30000, 70000, "D", 300),
    (2320000, 0, 100, 200000, 200000, 420000, "S", 200),
    (2400000, 1, 300, 70000, 70000, 200000, "Z", 400),
    (2450000, 1, 400, 0, 260000, 50000, "S", 0),
    (2500000, 0, 200, 120000, 10000, 180000, "I", 0),
]


def run(path, *options):
    p = subprocess.run([tap.coldperf, "sched", *options, path],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.stdout.decode()


def compiled(name, text):
    path = os.path.join(scratch.name, name)
    with open(path + ".mkperf", "w", encoding="utf-8") as f:
        f.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".mkperf", path], check=True)
    return path


def rows(report, slug):
    for section in report["sections"]:
        if section["slug"] == slug:
            return [row["values"] for row in section["rows"]]
    return []


def cells(report, slug):
    """The values of a grid by row and column."""
    for section in report["sections"]:
        if section["slug"] == slug:
            labels = section["y"]["labels"]
            return {(labels[y], x): v for x, y, v in section["cells"]}
    return {}


def thousandths(by):
    return {k: round(v, 3) for k, v in by.items()}


def equal(got, want, what):
    tap.ok(got == want, what, "got  %s\nwant %s" % (got, want))


def check(name, path, idle="I"):
    csv = [r.split(",") for r in run(path, "-f", "csv").splitlines()]
    equal(",".join(csv[0]), "comm,pid,tid,run_ns,waits,delay_avg_ns,"
          "delay_p50_ns,delay_p90_ns,delay_p95_ns,delay_p99_ns,"
          "delay_p999_ns,delay_max_ns,delay_max_at_ns",
          name + ": the columns of the table of waits")
    equal({r[2]: r[3:] for r in csv[1:]},
          {k: list(map(str, v)) for k, v in LATENCY.items()},
          name + ": waits of each thread")
    report = json.loads(run(path, "-f", "json"))
    equal({r[2]: r[3:14] for r in rows(report, "threads")}, THREADS,
          name + ": what each thread did")
    equal({r[0]: r[1:4] + r[5:8] + r[10:11] for r in rows(report, "cpus")},
          CPUS, name + ": what each CPU did")
    equal(cells(report, "queues"), thousandths(QUEUES),
          name + ": the mean length of run queues over time")
    equal(cells(report, "queues-most"), LONGEST,
          name + ": the longest they were")
    equal([r[:2] + r[3:7] for r in rows(report, "worst")], WORST,
          name + ": the longest waits")
    one = json.loads(run(path, "-f", "json", "--tid", "300"))
    equal([r[:2] + r[3:4] for r in rows(one, "worst")],
          [w[:3] for w in WORST if w[2] == "300"],
          name + ": the longest waits of a thread")
    table = json.loads(run(path, "-f", "json", "--timehist"))
    equal([(r[0], int(r[1]), int(r[3]), *r[4:8], int(r[9]))
           for r in rows(table, "timehist")],
          [r[:6] + (idle if r[0] == 2500000 else r[6],) + r[7:]
           for r in TIMEHIST], name + ": a line per switch")
    for option in "timehist", "map":
        every, = [s for s in json.loads(run(path, "-f", "json", "--" + option))
                  ["sections"] if s["slug"] == option]
        some, = [s for s in json.loads(run(path, "-f", "json", "--" + option,
                                           "--top", "3"))["sections"]
                 if s["slug"] == option]
        equal((some["rows"], some["rest"]["rows"]),
              (every["rows"][:3], len(every["rows"]) - 3),
              "%s: --%s --top 3" % (name, option))
    marks = [r[:2] for r in
             rows(json.loads(run(path, "-f", "json", "--map")), "map")]
    equal(marks[:5] + marks[-1:],
          [["*A0", ""], [" A0", "*B0"], [" A0", "*."],
           ["*B0", " ."], ["*A0", " ."], ["*.", " ."]],
          name + ": the map of CPUs")
    table = json.loads(run(path, "-f", "json", "--timehist", "--tid", "200"))
    equal([r[0] for r in rows(table, "timehist")],
          [r[0] for r in TIMEHIST if r[2] == 200],
          name + ": the switches of a task, and no idle CPU's")
    # Who took the CPU from them is named, and not known later on.
    marks = [r[:2] for r in rows(json.loads(run(
        path, "-f", "json", "--map", "--tid", "100,300")), "map")]
    equal(marks, [["*A0", ""], ["*B0", ""], ["*A0", ""], [" A0", "*C0"],
                  [" A0", "*B0"], [" A0", "*C0"], ["*B0", " C0"],
                  [" -", "*D0"]], name + ": the map of two tasks")
    merged = run(path, "-f", "csv", "--by", "comm").splitlines()
    equal(len(merged), 5, name + ": a row per name")


check("this kernel", compiled("new", text))
# gamma runs on CPU 1 only; a capture of one CPU cannot tell.
waits = rows(json.loads(run(compiled("new", text), "-f", "json")), "worst")
equal({r[7] for r in waits if r[3] == "300"}, {"ran on CPU 1 only"},
      "a thread that ran on one CPU only")
waits = rows(json.loads(run(compiled("one", text.replace(" cpu=1 ", " cpu=0 ")
                                     .replace(".cpu=1", ".cpu=0")),
                            "-f", "json")), "worst")
tap.ok(waits and not any("only" in r[7] for r in waits),
       "where one CPU was recorded, nobody ran there only", waits)
# beta waits on CPU 0 from 1.2 ms on, is moved to CPU 1 at 1.5 and runs there
# at 1.6; gamma waits on CPU 0 from 1.3 to 1.8, alpha from 1.8 to 2.0.  At 2.1
# alpha is woken before it has left CPU 0, 2.2; it runs on at 2.4.
MIGRATE = """attr sched:sched_migrate_task type=2 config=321 period=1 \
	sample_type=IP|TID|TIME|CPU|PERIOD|RAW|IDENTIFIER \
	flags=sample_id_all ids=4
"""
FORMAT = """format sched <<END
name: sched_migrate_task
ID: 321
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:char comm[16];	offset:8;	size:16;	signed:0;
	field:pid_t pid;	offset:24;	size:4;	signed:1;
	field:int prio;	offset:28;	size:4;	signed:1;
	field:int orig_cpu;	offset:32;	size:4;	signed:1;
	field:int dest_cpu;	offset:36;	size:4;	signed:1;

print fmt: "pid=%d", REC->pid
END
"""
NAMES = {0: "swapper", 100: "alpha", 200: "beta", 300: "gamma", 400: "delta"}


def sample(event, number, time, cpu, pid, tail):
    return "sample sched:%s ip=0xffffffff81000100 pid=%d time=%d cpu=%d " \
        "id=%d raw=u2:%d,u1:0,u1:0,u4:%d,%s\n" % (
            event, pid, time, cpu,
            {316: 1, 320: 2, 321: 4}[number], number, pid, tail)


def switch(time, cpu, prev, state, then):
    return sample("sched_switch", 316, time, cpu, prev,
                  'c16:"%s",u4:%d,u4:120,u8:%s,c16:"%s",u4:%d,u4:120' %
                  (NAMES[prev], prev, state, NAMES[then], then))


def waking(time, cpu, by, pid, target):
    return sample("sched_waking", 320, time, cpu, by,
                  'c16:"%s",u4:%d,u4:120,u4:%d' % (NAMES[pid], pid, target))


def migrate(time, cpu, by, pid, orig, dest):
    return sample("sched_migrate_task", 321, time, cpu, by,
                  'c16:"%s",u4:%d,u4:120,u4:%d,u4:%d' %
                  (NAMES[pid], pid, orig, dest))


def made(name, *samples):
    head, rest = text.split("tracing ")
    return compiled(name, head + MIGRATE + "tracing " +
                    rest.split("comm 100 100")[0] + FORMAT +
                    "".join(samples))


moved = made("moved",
             switch(1000000, 0, 0, 0, 100), switch(1000000, 1, 0, 0, 400),
             waking(1200000, 0, 100, 200, 0), waking(1300000, 0, 100, 300, 0),
             migrate(1500000, 1, 400, 200, 0, 1),
             switch(1600000, 1, 400, 1, 200),
             switch(1800000, 0, 100, "preempted", 300),
             switch(2000000, 0, 300, 1, 100),
             waking(2100000, 1, 200, 100, 0),
             switch(2200000, 0, 100, 1, 0), switch(2400000, 0, 0, 0, 100),
             switch(2500000, 0, 100, 1, 0))
report = json.loads(run(moved, "-f", "json"))
equal({r[2]: r[4:8] for r in rows(report, "threads") if r[2] == "100"},
      {"100": [1100000, 200000, 200000, 0]},
      "a thread woken before it had left its CPU waits from then on")
equal({r[0]: [round(r[8]["value"], 6)] + r[10:11]
       for r in rows(report, "cpus")},
      {"0": [0.8, 2], "1": [round(0.1 / 1.5, 6), 1]},
      "one that is moved waits in the queue where it is")
equal(cells(report, "queues"), thousandths(
    {("0", 0): 1000000 / 2**20, ("0", 1): 200000 / 451424,
     ("1", 0): 100000 / 2**20}), "and so in the slices of time")
equal(cells(report, "queues-most"),
      {("0", 0): 2, ("0", 1): 1, ("1", 0): 1}, "at most, too")
said = [s["notes"] for s in report["sections"] if s["type"] == "notes"][0]
tap.ok(not any("waits that ended" in n for n in said), "which is known", said)
# Without the event nobody knows when it was moved.
report = json.loads(run(made(
    "unmoved", switch(1000000, 0, 0, 0, 100), switch(1000000, 1, 0, 0, 400),
    waking(1200000, 0, 100, 200, 0), switch(1600000, 1, 400, 1, 200),
    switch(2000000, 1, 200, 1, 0), switch(2000000, 0, 100, 1, 0)),
    "-f", "json"))
equal({r[0]: r[8]["value"] for r in rows(report, "cpus")}, {"0": 0.4, "1": 0},
      "one of which that is not known waits in the queue where it was woken")
said = [s["notes"] for s in report["sections"] if s["type"] == "notes"][0]
tap.ok(any("waits that ended on another CPU than they began: 1;" in n
           for n in said), "which is told", said)
# Forty CPUs, of which CPU 5 does nothing: three maps.
NAMES.update({1000 + c: "t%d" % c for c in range(40)})
BUSY = [c for c in range(40) if c != 5]
many = made("many", *(
    switch(1000000 + 1000 * c + 100000 * back, c, 0 if not back else 1000 + c,
           back, 1000 + c if not back else 0)
    for back in (0, 1) for c in BUSY))
maps = [s for s in json.loads(run(many, "-f", "json", "--map"))["sections"]
        if s["slug"] == "map"]
equal([s["title"] for s in maps],
      ["Tasks on CPUs 0 to 16", "Tasks on CPUs 17 to 32",
       "Tasks on CPUs 33 to 39"], "sixteen CPUs to a map")
equal([[r["values"][-2] for r in s["rows"]] for s in maps],
      [[1000000 + 1000 * c + 100000 * back for back in (0, 1) for c in part]
       for part in (BUSY[:16], BUSY[16:32], BUSY[32:])],
      "each switch is in the map of its CPU")
brief = run(many).split("What threads did")
all_rows = len(run(many, "-f", "csv").splitlines()) - 1
tap.ok(all_rows > 20 and "… and %d more" % (all_rows - 20) in brief[0],
       "text has 20 rows of a table, CSV all")
tap.ok("more" not in run(many, "--top", "0").split("Longest waits")[0],
       "text has all rows with --top 0")
tap.ok(max(len(l) for l in run(many, "--map").splitlines()
           if "=>" in l) <= 120,
       "and its lines stay short")
equal([s["title"] for s in json.loads(run(
    many, "-f", "json", "--map", "--cpu", "3,35"))["sections"]
    if s["slug"] == "map"], ["Tasks on the CPUs"], "--cpu chooses CPUs")
NAMES.update({2000 + c: ("cc1", "as")[c % 2] for c in range(120)})
ADVICE = "120 threads have 2 names"
build = made("build", *(
    switch(1000000 + 1000 * i, 0, 2000 + i - 1 if i else 0, 0, 2000 + i)
    for i in range(120)))
tap.ok(ADVICE in run(build) and ADVICE not in run(build, "--by", "comm"),
       "many threads of one name: --by comm is advised", run(build)[-300:])
# Two threads take turns of 50 ms on one CPU: one runs, the other waits.
turns = made("turns", *(
    switch(1000000 + 50000000 * i, 0, (100, 200)[(i + 1) % 2] if i else 0, 0,
           (100, 200)[i % 2])
    for i in range(21)))
want = "alpha was ready for 500.000 ms (50.0 % of its time) and had no CPU; " \
    "beta had it for 100 % of that: coldperf sched"
out = subprocess.run([tap.coldperf, "report", turns], text=True,
                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
tap.ok(want in out, "a program that another keeps from the CPU", out)
# A quota of 20 %: alpha runs 20 ms of each 100 and another has a part of the
# rest; each is in a control group, which its samples tell.
GROUP = "/system.slice/docker-%s.scope" % ("0123456789abcdef" * 4)
ms = 10 ** 6


def table(rep, slug):
    return next(([dict(zip([c["name"] for c in t["columns"]], r["values"]))
                  for r in t["rows"]] for t in rep["sections"]
                 if t["slug"] == slug), [])


quota = []
for i in range(10):
    at = 1000000 + i * 100 * ms
    quota += [switch(at, 0, 200 if i else 0, 1, 100),
              switch(at + 20 * ms, 0, 100, 0, 0),
              switch(at + 60 * ms, 0, 0, 0, 200)]
quota = text.split("comm 100 100")[0].replace("|CPU|", "|CPU|CGROUP|") + \
    'cgroup 5 "%s" time=1\ncgroup 6 "/other" time=1\n' % GROUP + "".join(
        q.replace(" cpu=0 ", " cgroup=%d cpu=0 " % (5 if "pid=100" in q else 6))
        for q in quota)
quota = compiled("quota", quota)
out = json.loads(subprocess.run(
    [tap.coldperf, "report", "-f", "json", quota], stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL).stdout)
tap.ok([(r["On a CPU"], r["Waited"], r["Held back"], r["Control group"],
         r["Path"]) for r in table(out, "cgroups")] ==
       [(360 * ms, 0, 0, "/other", "/other"),
        (200 * ms, 720 * ms, 720 * ms, "docker:0123456789ab", GROUP)],
       "what control groups had of the CPU, and what a quota held back",
       table(out, "cgroups"))
tap.ok("a quota (cpu.max) of docker:0123456789ab or" in json.dumps(out),
       "the quota is named with its group", table(out, "findings"))
out = json.loads(run(quota, "--by", "cgroup", "-f", "json"))
tap.ok([(r["Control group"], r["Run"]) for r in table(out, "latency")] ==
       [("docker:0123456789ab", 200 * ms), ("/other", 360 * ms)],
       "sched --by cgroup", table(out, "latency"))
tap.ok("--all-cgroups" in run(turns, "--by", "cgroup"),
       "a capture without them says what records them")
old = text.replace("0x0020, \"Z\"", "0x0010, \"Z\"") \
    .replace("0x0010, \"X\"", "0x0020, \"X\"") \
    .replace(", { 0x0080, \"I\" }", "") \
    .replace("REC->prev_state & (((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008"
             " | 0x0010 | 0x0020 | 0x0040) + 1) << 1) ? \"+\"",
             "REC->prev_state & 1024 ? \"+\"") \
    .replace("set preempted 0x100", "set preempted 1024") \
    .replace("set zombie 0x20", "set zombie 16") \
    .replace("set idle 0x80", "set idle 1")
tap.ok(old.count("1024") == 2 and "set zombie 16" in old,
       "the states of an old kernel")
check("an old kernel, big-endian",
      compiled("old", "byte_order big\n" + old), idle="S")
tap.done()
