#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# diff on the kinds of pairs that people bring, each made up so that the truth
# is known: what changed is said first, and nothing that did not.
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
BASE, KERNEL = 0x7000000000, 0xffffffff81000000
PLACES = {}
MS = 1000000


def place(name):
    return PLACES.setdefault(name, 0x1000 + 0x100 * len(PLACES))


def make(name, stacks, seconds=10.0, threads=1, event="cpu-clock", binary="app",
         period=MS, freq=0, names=True, switches=False, seed=1):
    """
    A command of so many seconds; stacks: (samples, innermost function, its
    caller ...); names: the binary's are there; switches: between samples it
    is blocked, and that is recorded.
    """
    kinds = {"cpu-clock": "type=1 config=0", "cycles": "type=0 config=0",
             "branch-misses": "type=0 config=5"}
    functions = sorted({f for _, *s in stacks for f in s})
    symbols = ",".join("v:34,m:(v:8,v:0x%x,v:16,v:0x100,v:26,m:(s:\"%s\"))" %
                       (place(f), f) for f in functions)
    text = ("layout no-event-desc\n"
            "attr %s %s period=%d flags=sample_id_all|mmap|comm%s"
            "|enable_on_exec%s sample_type=IP|TID|TIME|PERIOD|CALLCHAIN\n"
            "feature arch x86_64\n"
            "feature sp_meta_info simpleperf_version 1 event_type_info "
            "%s,1,0\n" % (event, kinds[event], freq or period,
                          "|freq" if freq else "",
                          "|context_switch" if switches else "", event))
    if names:
        text += ("feature sp_file2 L4:(v:10,m:(s:\"/bin/%s\"),v:16,v:2,v:24,"
                 "v:0x1000,%s,v:50,m:(v:8,v:0x1000))\n" % (binary, symbols))
    text += ("comm 11 11 app\n"
             "mmap2 pid=11 addr=0x%x len=0x100000 pgoff=0x1000 "
             "name=\"/bin/%s\"\n" % (BASE + 0x1000, binary))
    drawn = [s for n, *s in stacks for _ in range(n)]
    rng = random.Random(seed)
    rng.shuffle(drawn)
    times = [int(i * seconds * 1e9 / len(drawn)) for i in range(len(drawn))]
    for i, stack in enumerate(drawn):
        ips = ["0x%x" % (BASE + place(f) + 0x10) for f in stack]
        text += ("sample ip=%s pid=11 tid=%d time=%d period=%d chain=user,%s\n"
                 % (ips[0], 11 + i % threads, 2000 + times[i], period,
                    ",".join(ips)))
        if switches and i + 1 < len(drawn):
            text += ("switch misc=0x2000 .pid=11 .tid=11 time=%d\n"
                     "switch misc=0 .pid=11 .tid=11 time=%d\n" %
                     (3000 + times[i], 1000 + times[i + 1]))
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, name)
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    return path


def diff(before, after, *options):
    """Tables by slug, the verdicts of functions, status and text."""
    args = [tap.coldperf, "diff", "--no-local", *options]
    sides = ["--before", *before, "--after", *after]
    run = subprocess.run(args + ["-f", "json"] + sides, capture_output=True,
                         text=True)
    rep = json.loads(run.stdout)
    tables = {s["slug"]: [dict(zip([c["name"] for c in s["columns"]],
                                   r["values"])) for r in s["rows"]]
              for s in rep["sections"] if s["type"] == "table"}
    first = next(s["title"] for s in rep["sections"] if s["slug"] == "totals")
    found = {r["Symbol"]: r["Found"] for r in tables["diff"]
             if r["Found"] in ("more", "less", "new", "gone", "undecided")}
    gate = subprocess.run(args + ["-f", "csv", "--fail-over", "5%"] + sides,
                          capture_output=True, text=True)
    return tables, found, first, gate


def kind(what, good, *told):
    tap.ok(good, what, told)


ALL = "(everything together)"

# Thread count: one thread, then 36; 18 % less CPU time.
work = [(800, "work", "main"), (150, "read", "main"), (50, "main")]
less = [(656, "work", "main"), (123, "read", "main"), (41, "main")]
_, found, first, gate = diff(
    [make("t1", work, 93.8, period=93 * MS)],
    [make("t2", less, 2.1, 36, period=93 * MS)])
kind("thread count: elapsed, CPU time and CPUs busy come first",
     first.startswith("93.7 s → 2.10 s (44.7 times faster); CPU time -18 %")
     and "CPUs busy 0.99 → 36.4" in first and gate.returncode != 1,
     first, found, gate.stderr)

# Gone and new: 4.5 % of the time in one phase, then in another function.
base = [(2000, "base", "main")]
t, found, first, gate = diff([make("g1", base + [(95, "slow_path", "main")])],
                             [make("g2", base + [(96, "fast_path", "main")])])
kind("gone and new: decided", found == {"slow_path": "gone",
     "fast_path": "new"} and gate.returncode != 1, found, gate.stderr)

# Names on one side only: the object is compared as a whole.
many = [(300, "f%d" % i, "main") for i in range(8)]
t, found, first, gate = diff([make("n1", many, names=False)],
                             [make("n2", [(290, *s) for _, *s in many])])
kind("names on one side: compared by object, nothing found",
     not found and gate.returncode != 1, found, gate.stderr, t["diff"])

# Stacks on one side only: no path is told to have changed.
t, found, first, gate = diff(
    [make("s1", [(n, f, "main", "start") for n, f, *_ in many])],
    [make("s2", [(n, f) for n, f, *_ in many])], "--paths")
kind("stacks on one side: no call paths", not found and "paths" not in t and
     gate.returncode != 1, found, t.get("paths"), gate.stderr)

# Copies.
for old, new in (("sum", "sum._omp_fn.0"), ("sum", "sum.constprop.0"),
                 ("sum", "sum.isra.0"), ("sum", "sum.part.0"),
                 ("sum", "sum.cold"), ("sum[abi:cxx11]", "sum"),
                 ("run::{lambda()#1}", "run::{lambda()#3}"),
                 ("app::run::{{closure}}::h0123456789abcdef",
                  "app::run::{{closure}}::hfedcba9876543210"),
                 ("main.run.func1", "main.run.func2"),
                 ("(anonymous namespace)::sum", "sum"),
                 ("std::sort<int*>", "std::sort<long*>")):
    rest = [(1500, "main"), (900, "parse", "main")]
    t, found, first, gate = diff([make("c1", rest + [(800, old, "main")])],
                                 [make("c2", rest + [(810, new, "main")])])
    kind("copies: %s is %s" % (old, new), not found and gate.returncode != 1,
         found, gate.stderr)
t, found, first, gate = diff(
    [make("i1", [(1500, "main"), (900, "parse", "main")])],
    [make("i2", [(1500, "main"), (500, "parse", "main"),
                 (400, "token", "parse", "main")])])
kind("outlined: one change, and none", not found and gate.returncode != 1,
     found, gate.stderr)
t, found, first, gate = diff(
    [make("m1", [(1500, "main"), (2000, "parse", "main"),
                 (800, "emit", "main")])],
    [make("m2", [(1500, "main"), (1000, "parse", "main"),
                 (1800, "emit", "main")])])
kind("cost that moves between two functions: shown, and no failure",
     found.get("emit") == "more" and gate.returncode != 1, found, gate.stderr)

# Another clock frequency: cycles up, time down.
t, found, first, gate = diff(
    [make("f1", many, 2.4, event="cycles", freq=1000, period=2 * MS)],
    [make("f2", [(213, *s) for _, *s in many], 1.704, event="cycles",
          freq=1000, period=int(3.31 * MS))])
rows = {r["What"]: r for r in t["totals"]}
kind("other frequency: elapsed and CPU time fall, cycles rise",
     "CPU time -29 %" in first and
     rows["Elapsed"]["Before"] != rows["Elapsed"]["After"] and
     abs(rows["cycles:HG"]["Change"]["value"] - 0.175) < 0.01
     and gate.returncode != 1, first, rows, gate.stderr)

# Another event: nothing to compare.
t, found, first, gate = diff(
    [make("e1", many, event="cycles")],
    [make("e2", [(30, *s) for _, *s in many], event="branch-misses")])
kind("other event: nothing can be compared, said first",
     first.startswith("Nothing can be compared") and not found and
     gate.returncode == 1, first, found, gate.stderr)

# Equal work, the same cost.
t, found, first, gate = diff([make("q1", many)],
                             [make("q2", [(303, *s) for _, *s in many], seed=2)])
kind("equal work: nothing found", not found and gate.returncode != 1, found,
     gate.stderr)

# A calibrated benchmark: runs for a second, whatever it does in it.
t, found, first, gate = diff(
    [make("b1", [(9000, "loop", "main"), (1000, "main")])],
    [make("b2", [(9000, "loop", "main"), (1000, "main")], seed=2)],
    "--per", "1000,2000")
kind("calibrated benchmark: half the cost of a unit of work",
     found.get(ALL) == "less" and gate.returncode == 0, found, gate.stderr)

# Debug and release: everything is five times faster, small functions inlined.
t, found, first, gate = diff(
    [make("d1", [(3000, "step", "main"), (1500, "at", "step", "main"),
                 (500, "main")], 5)],
    [make("d2", [(900, "step", "main"), (100, "main")], 1)])
kind("debug and release: five times faster, at was inlined",
     "5 times faster" in first and "at" not in found and
     found.get(ALL) == "less" and gate.returncode == 0, first, found,
     gate.stderr, t.get("pairs"))

# Tiling: the same function, three times faster.
t, found, first, gate = diff(
    [make("l1", [(9000, "matmul", "main"), (300, "init", "main")], 9.3)],
    [make("l2", [(3000, "matmul", "main"), (300, "init", "main")], 3.3)])
kind("tiling: matmul is less, alone", found == {ALL: "less", "matmul": "less"}
     and gate.returncode == 0, first, found, gate.stderr)

# A wait that is not for a CPU: longer, and decided.
sides = [[make("w%d%d%d" % (side, recorded, i), many, seconds + i / 50,
               switches=recorded, seed=i) for i in range(3)]
         for side, seconds in ((1, 10), (2, 20)) for recorded in (True, False)]
t, found, first, gate = diff(sides[0], sides[2])
kind("blocked twice as long, and that was recorded: found, and the gate fails",
     "undecided" not in first and gate.returncode == 1 and
     {r["Found"] for r in t.get("waits", [])} == {"more"}, first, t.get("waits"),
     gate.stderr)
_, found, first, gate = diff(sides[1], sides[3])
kind("nobody knows what it waited for: undecided",
     "undecided" in first and gate.returncode == 6, first, gate.stderr)


def jit(pid):
    """A process whose run-time compiler left no map: its object has its pid."""
    path = os.path.join(tmp.name, "jit-%d" % pid)
    with open(path + ".txt", "w") as f:
        f.write("attr cpu-clock type=1 config=0 period=1000000 sample_type="
                "IP|TID|TIME|PERIOD flags=sample_id_all|mmap|comm\n"
                'comm %d %d "node"\n'
                'mmap pid=%d addr=0x10000 len=0x10000 pgoff=0 name="//anon" '
                "time=1\n" % (pid, pid, pid))
        for i in range(400):
            f.write("sample cpu-clock ip=0x%x pid=%d time=%d period=1000000\n" %
                    (0x10000 + i % 7 * 64, pid, 10 + MS * i))
    subprocess.run([mkperf, path + ".txt", path], check=True)
    return path


run = subprocess.run([tap.coldperf, "diff", "--no-local", "--per", "1,1",
                      jit(7), jit(8)], capture_output=True, text=True,
                     check=False)
kind("code of two processes without a map: one object, nothing found",
     "[perf-PID.map]" in run.stdout and "perf-7" not in run.stdout and
     " new " not in run.stdout and " gone " not in run.stdout, run.stdout)


# What is first on the screen, and how wide it is.
run = subprocess.run([tap.coldperf, "diff", "--no-local", tmp.name + "/l1",
                      tmp.name + "/l2"], capture_output=True, text=True,
                     env=dict(os.environ, COLUMNS="100"))
lines = run.stdout.split("\n")
at = [i for i, line in enumerate(lines) if "matmul" in line]
kind("the culprit is on the first screen, and 100 columns are enough",
     at and at[0] < 24 and max(map(len, lines[:30])) <= 100, run.stdout[:2500])
# An old folded file: it counts samples of it does not say what, at a rate that
# it does not say, and of a run that is half as long.
folded = tmp.name + "/old.folded"
with open(folded, "w") as f:
    f.write("app;main;work 800\napp;main;read 1000\napp;main 200\n")
new = make("n1", [(3600, "work", "main"), (2000, "read", "main"),
                  (400, "main")], 20.0)
for sides in ((folded, new), (new, folded)):
    t, found, first, gate = diff(sides[:1], sides[1:])
    kind("folded: shares of samples, and nothing of the whole",
         found == {"work": "more" if sides[0] == folded else "less",
                   "read": "less" if sides[0] == folded else "more"}
         and first.startswith("Shares of samples") and
         t["diff"][0]["Change"]["value"] is None and gate.returncode == 6,
         t["diff"], first, gate)
_, found, _, gate = diff([folded], [make("n2", [(3200, "work", "main"), (4000,
                          "read", "main"), (800, "main")], 20.0)])
kind("folded: a gate cannot pass by shares alone", not found and
     gate.returncode == 6 and "nothing is known of everything together: give the capture" in
     gate.stderr, found, gate)
tap.done()
