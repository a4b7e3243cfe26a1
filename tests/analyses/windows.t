#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# --time: what begins before a window, or ends after it, counts with its part.
# The parts in windows that have all of the time add up to the whole, to the
# nanosecond; all of these windows together are the whole.
import os
import random
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
from tap import is_
import made
from made import US

HEAD = made.head_of("good-latencies", "raw_syscalls")
EVENTS = {  # what begins and ends, by analysis: its table, and the payloads
    "locks": ("locks", ("lock:contention_begin", 5, 408,
                        "u8:0xffff8880,u4:32,n:4"),
              ("lock:contention_end", 6, 407, "u8:0xffff8880,u4:0,n:4")),
    "blockio": ("blockio-operations",
                ("block:block_rq_issue", 3, 2104, 'u4:0x800010,n:4,u8:64,u4:8,'
                 'u4:4096,s:R,n:7,c16:"alpha"'),
                ("block:block_rq_complete", 4, 2107,
                 "u4:0x800010,n:4,u8:64,u4:8,u4:0,s:R,n:7")),
    "syscalls": ("syscalls", ("raw_syscalls:sys_enter", 1, 443,
                              "u8:0" + ",u8:0" * 6),
                 ("raw_syscalls:sys_exit", 2, 442, "u8:0,u8:0")),
}
PAIRS = {"locks": "lock", "blockio": "block", "syscalls": "syscall"}


def sample(us, event, tid=100):
    name, i, number, raw = event
    return ("sample %s ip=0xffffffff81000104 pid=%d tid=%d time=%d cpu=0 "
            "id=%d raw=u2:%d,u1:0,u1:0,u4:%d,%s\n" %
            (name, tid, tid, us * US, i, number, tid, raw))


def clock(ns):
    return "%d.%09d" % (ns // 10**9, ns % 10**9)


def windows(*us):
    return [w for a, b in us
            for w in ("--time", clock(a * US) + "," + clock(b * US))]


def taken(rep, slug):
    """Number and sum in us."""
    rows = [r for r in made.rows(rep, slug)]
    count = next((c for c in ("Waits", "Requests", "Calls", "Pairs", "Count")
                  if rows and c in rows[0]), None)
    return (sum(r[count] for r in rows) if count else 0,
            sum(r["Time"] if "Time" in r else r["Requests"] * r["Average"]
                for r in rows) // US)


# One of 20 us, from 10 to 30, and one of 5 us.
CUT = "begun before a window of --time, or ended after it: 1; counted with"
for command, (slug, first, last) in EVENTS.items():
    path = made.build(command, HEAD + sample(10, first) + sample(30, last) +
                      sample(50, first) + sample(55, last))
    for asked, what in ((command, slug), ("pair", "pairs")):
        options = ("--recipe", PAIRS[command]) if asked == "pair" else ()
        for times, want, cut in (
                ((), (2, 25), False), (((15, 20),), (1, 5), True),
                (((5, 12),), (1, 2), True), (((25, 40),), (1, 5), True),
                (((5, 12), (25, 52)), (2, 9), True),
                (((10, 30),), (1, 20), False), (((11, 12), (14, 16)), (1, 3),
                                                True),
                (((20, 40), (5, 25)), (1, 20), False),
                (((5, 60),), (2, 25), False)):
            rep = made.report(path, asked, *options, *windows(*times))
            is_((taken(rep, what), cut),
                (want, CUT[:-1] in made.notes(rep).replace(
                    "after it: 2", "after it: 1")),
                "%s %s: %s" % (asked, " ".join(options), times))

path = os.path.join(made.work.name, "blockio.data")
for times, want in ((), 25 / 45), (((15, 20),), 1), (((20, 40),), .5), \
        (((25, 35), (50, 55)), 10 / 15):
    tap.ok(made.near(made.rows(made.report(path, "blockio", *windows(*times)),
                               "blockio")[0]["Busy"]["value"], want),
           "the disk is busy for its part: %s" % (times,))

# ------------------------------------------------------------ the whole of it
SUMS = {"Time", "Run", "Lifetime", "Running", "Displaced", "Woken", "Blocked",
        "Unknown", "Busy", "Idle", "Preempted", "Not recorded"}
RAN = ("User", "Kernel", "On CPU")
# What a row names beside what it counts: the most of some.
MOST = {"Mostly by", "By", "Where"}
TABLES = {  # whose rows are those of all windows; a sample is of one state
    "sched": ("threads", "cpus"), "offcpu": ("offcpu-states", "offcpu-classes",
                                             "offcpu-threads"),
    "wall": ("wall-threads",), "critical": ("critical-paths",),
    "locks": ("locks", "lock-threads"), "syscalls": ("syscalls",), "pair": ("pairs",),
}


def sums(path, command, *times):
    more = ("--top", "0")
    if command == "critical":  # else each window has the path of its busiest
        more = ("--tid", made.rows(made.report(path, command),
                                   "critical-paths")[0]["TID"])
    rep = made.report(path, command, *times,
                      *(more if command != "pair" else ()))
    out = {}
    for slug in TABLES[command]:
        s = made.section(rep, slug)
        for row in s["rows"] if s else ():
            key, parts = (slug,), []
            for c, v in zip(s["columns"], row["values"]):
                if c["type"] == "text" and c["name"] not in MOST:
                    key += (v,)
                elif c["name"] in SUMS or c["name"] in RAN:
                    parts.append(("ran" if c["name"] in RAN else c["name"], v))
            # The row of all is there where there are others.
            for name, v in parts if "(all)" not in key else ():
                out[key + (name,)] = out.get(key + (name,), 0) + v
    return {k: v for k, v in out.items() if v}


def partition(path, command, cuts):
    edges = ["", *(clock(c) for c in sorted(cuts)), ""]
    times = ["%s,%s" % w for w in zip(edges, edges[1:])]
    whole, parts = sums(path, command), {}
    for t in times:
        for k, v in sums(path, command, "--time", t).items():
            parts[k] = parts.get(k, 0) + v
    both = sums(path, command, *(w for t in times for w in ("--time", t)))
    name = "%s of %s at %s" % (command, os.path.basename(path), edges[1:-1])
    differ = {k: (whole.get(k), parts.get(k)) for k in {*whole, *parts}
              if whole.get(k) != parts.get(k)}
    tap.ok(whole and not differ, name + ": the parts are the whole",
           str(differ)[:500])
    tap.ok(both == whole, name + ": and so are all windows")


random.seed(44)
text = [HEAD]
open_, t = {}, 1000
for _ in range(400):
    t += random.randrange(1, 30)
    command = random.choice([*EVENTS])
    tid = 100 if command == "blockio" else random.randrange(100, 104)
    begin = (command, tid) not in open_
    if begin:
        open_[command, tid] = t
    else:
        del open_[command, tid]
    text.append(sample(t, EVENTS[command][1 if begin else 2], tid))
path = made.build("mixed", "".join(text))
for command in "locks", "syscalls", "pair":
    partition(path, command,
              [random.randrange(1000 * US, t * US) for _ in range(3)])
for case in "good-waits", "good-sched-waits":
    path = os.path.join(made.work.name, case)
    subprocess.run([made.MKPERF, os.path.join(
        tap.top_srcdir, "corpus", case, "input.mkperf"), path], check=True)
    out = subprocess.run([tap.coldperf, "script", "--no-local", path],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout
    times = [int(s) * 10**9 + int(us) * 1000 for s, us in
             re.findall(rb" (\d+)\.(\d{6}):", out)]
    first, last = min(times), max(times)
    middle = (first + last) // 2
    for length, *times in (last - first,), \
            (middle - first, "--time", "," + clock(middle)):
        cpu = made.rows(made.report(path, "report", *times), "resources")[0]
        tap.ok(abs(cpu["Threads waiting"] -
                   cpu["Waited"] / length) < .0051,
               "%s: an average is over the window: %s" % (case, times), cpu)
    for command in "sched", "offcpu", "wall", "critical":
        partition(path, command,
                  [random.randrange(first, last) for _ in range(2)])
tap.done()
