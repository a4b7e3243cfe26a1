#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# wall: the parts of each thread's time add up to its lifetime, which is that
# of sched, for each capture of both corpora.
import csv
import glob
import io
import json
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

corpus = os.path.join(tap.top_srcdir, "corpus")
shared = os.environ.get("SHARED_CORPUS") or \
    os.path.join(tap.top_srcdir, "..", "shared", "corpus")
scratch = tempfile.TemporaryDirectory(prefix="coldperf-wall.")
MS = 1000000
STATES = ("User", "Kernel", "On CPU", "Preempted", "Woken", "Blocked",
          "Unknown", "Not recorded")


def run(path, *options):
    return subprocess.run(
        [tap.coldperf, *options, "--no-local", "--cache",
         scratch.name + "/none", path], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout.decode()


def table(text, slug):
    for s in json.loads(text)["sections"] if text else ():
        if s["slug"] == slug:
            names = [c["name"] for c in s["columns"]]
            return [dict(zip(names, r["values"])) for r in s["rows"]]
    return []


def wall(path, *options):
    text = run(path, "wall", "-f", "json", *options)
    return table(text, "wall-threads"), table(text, "wall-account")


def sums(rows, parts, keys):
    """Lines whose states or parts do not add up to the lifetime."""
    of = {}
    for p in parts:
        k = tuple(p[key] for key in keys)
        of[k] = of.get(k, 0) + p["Time"]
    whole = {}
    for r in rows:
        k = tuple(r[key] for key in keys)
        whole[k] = whole.get(k, 0) + r["Lifetime"]
    return [r for r in rows if sum(r[s] for s in STATES) != r["Lifetime"]] + \
        [(k, v, of.get(k, 0)) for k, v in whole.items() if of.get(k, 0) != v]


# ------------------------------------------------------- all that there are
KEYS = ("Command", "PID", "TID")
bad, differ, captures, switched = [], [], 0, 0
paths = [tap.capture(os.path.basename(d), scratch.name)
         for d in sorted(glob.glob(corpus + "/*"))
         if os.path.exists(d + "/perf.data") or
         os.path.exists(d + "/input.mkperf")]
paths += sorted(p for p in glob.glob(shared + "/*/*")
                if "data" in os.path.basename(p) and
                os.path.getsize(p) < 1000000 and
                not p.endswith((".pb_text", ".txt", ".perf-script")))
for path in tap.share(paths, 0, 8):
    rows, parts = wall(path, "--threads")
    captures += bool(rows)
    wrong = sums(rows, parts, KEYS)
    if wrong:
        bad.append((path, wrong))
    if not any(r["Preempted"] or r["Woken"] or r["Unknown"] or
               r["Not recorded"] == 0 for r in rows):
        continue
    lives = {}
    for r in csv.DictReader(io.StringIO(
            run(path, "sched", "-f", "csv", "--section", "threads"))):
        lives.setdefault((r["comm"], r["pid"], r["tid"]), []).append(
            int(r["lifetime_ns"]))
    switched += bool(lives)
    for r in rows:
        life = lives.get(tuple(r[k] for k in KEYS), [])
        if len(life) == 1 and (life[0] != r["Lifetime"] or
                               r["Not recorded"] != 0):
            differ.append((path, r, life))
tap.ok(captures and not bad,
       "states and parts add up to the lifetime, to the nanosecond",
       bad[:3])
tap.ok((switched > 4 or tap.sanitized) and not differ,
       "with switches it is the lifetime that sched has, all recorded",
       "%d\n%s" % (switched, differ[:3]))

# ------------------------------------------------------------ worked by hand
rows, parts = wall(tap.capture("good-waits", scratch.name))
tap.ok([[r[s] / MS for s in ("Lifetime",) + STATES] for r in rows] ==
       [[30, 0, 0, 14.3, 4, .2, 9.5, 2, 0],
        [20, 0, 0, 10.5, 0, 1.5, 8, 0, 0]], "the numbers of good-waits", rows)
got = {(p["Command"], p["State"], p["Wait"]): (p["Time"] / MS, p["By"])
       for p in parts}
tap.ok(got.get(("beta", "runnable, preempted", "")) == (4, "alpha"),
       "who had the CPU of a thread that was preempted", got)
tap.ok(any(k[:2] == ("alpha", "blocked") and v[1].startswith("(interrupt)")
           for k, v in got.items()), "who ended a wait", got)
rows, parts = wall(tap.capture("good-waits", scratch.name), "--time",
                   "1.010..1.020")
tap.ok(not sums(rows, parts, ("Command", "PID")) and
       all(r["Lifetime"] <= 10 * MS for r in rows),
       "--time cuts lifetimes, too", rows)

# ----------------------------------------------------------- samples alone
# The program lives 100 ms: 20 samples of 1 ms in user code, 10 in the kernel.
# Its worker, of a pool of two, 40 ms, with 5 samples each.
text = ("attr cpu-clock type=1 config=0 period=1000000 "
        "sample_type=IDENTIFIER|IP|TID|TIME|PERIOD ids=1 flags=sample_id_all\n"
        "feature cmdline perf record ./prog\n"
        "comm misc=0x2000 7 7 \"prog\" .pid=7 .tid=7 time=%d\n" % MS)
for tid in 8, 9:
    text += ("fork 7 7 %d 7 %d .pid=7 .tid=7 time=%d\n"
             "comm 7 %d \"work/%d\" .pid=7 .tid=%d time=%d\n" %
             (tid, 10 * MS, 10 * MS, tid, tid - 8, tid, 10 * MS))
events = []
for i in range(30):
    events.append((1 + i, "sample cpu-clock ip=%s pid=7 tid=7 time=%d%s\n" % (
        "0x400010" if i < 20 else "0xffffffff81000010", (1 + i) * MS,
        "" if i < 20 else " misc=1")))
for tid in 8, 9:
    for i in range(5):
        events.append((12 + 2 * i, "sample cpu-clock ip=0x400020 pid=7 tid=%d "
                       "time=%d\n" % (tid, (12 + 2 * i) * MS)))
    events.append((50, "exit 7 7 %d 7 %d .pid=7 .tid=%d time=%d\n" %
                   (tid, 50 * MS, tid, 50 * MS)))
events.append((101, "sample cpu-clock ip=0x400010 pid=7 tid=7 time=%d\n" %
               (101 * MS)))
text += "".join(e for _, e in sorted(events, key=lambda e: e[0]))
with open(scratch.name + "/samples.mkperf", "w") as f:
    f.write(text)
p = subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    scratch.name + "/samples.mkperf",
                    scratch.name + "/samples.data"], stderr=subprocess.PIPE)
rows, parts = wall(scratch.name + "/samples.data")
got = {r["Command"]: (r["Threads"], r["Lifetime"] / MS, r["User"] / MS,
                      r["Kernel"] / MS, r["Not recorded"] / MS) for r in rows}
tap.ok(got == {"prog": (1, 100, 21, 10, 69), "work/0…1": (2, 80, 10, 0, 70)},
       "CPU time against lifetime, the rest not recorded; pools are one row",
       "%s\n%s\n%s" % (got, text[:900], p.stderr))
rows, _ = wall(os.path.join(corpus, "good-fp", "perf.data"))
tap.ok({r["PID"]: r["Command"] for r in rows if r["PID"] in ("8411", "8415")}
       == {"8411": "family", "8415": "known"},
       "threads without samples have their names, and after an exec the new one",
       rows)
text = run(scratch.name + "/samples.data", "wall")
tap.ok("perf record" in text and "sched:sched_switch" in text,
       "it says what records the rest", text)
folded = [line.rsplit(" ", 1) for line in
          run(scratch.name + "/samples.data", "wall", "-f", "folded")
          .splitlines()]
tap.ok(sum(int(n) for _, n in folded) == 180 * MS and
       any(s.endswith("[not_recorded]") for s, _ in folded),
       "the picture has all of it", folded)
tap.done()
