#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Threads of a pool are one row: in the overview, hotspots and flame graphs.
# Programs that only have similar names are not.
import os
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
from made import build, report, rows, section
import tap

# (process, thread, name, samples)
THREADS = [(100, 100, "server", 3)]
THREADS += [(100, 101 + i, "worker/%d" % i, 4) for i in range(64)]
THREADS += [(100, 201 + i, "io-%d-net" % (i + 3), 5) for i in range(4)]
THREADS += [(100, 301 + i, "gc", 6) for i in range(4)]
THREADS += [(500, 500, "app1", 7), (600, 600, "app2", 7)]
THREADS += [(20 + i, 20 + i, "kworker/%d:%d" % (i, i % 2), 8) for i in range(3)]
THREADS += [(700, 700, "solo9", 9)]

text = "attr cpu-clock type=1 config=0 period=1000 ids=1 " \
    "sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN " \
    "flags=sample_id_all|mmap|comm\n"
for pid, tid, name, _ in THREADS:
    text += 'comm %d %d "%s"\n' % (pid, tid, name)
for pid, tid, name, n in THREADS:
    for i in range(n):
        text += "sample ip=0x400010 pid=%d tid=%d cpu=0 time=%d period=1000 " \
            "chain=user,0x400010\n" % (pid, tid, 1000 + tid * 100 + i)
path = build("pools", text)
WANT = {"server": 3, "worker/0…63": 256, "io-3…6-net": 20, "gc": 24,
        "app1": 7, "app2": 7, "kworker/*": 24, "solo9": 9}
APART = {}
for _, _, name, n in THREADS:
    APART[name] = APART.get(name, 0) + n

rep = report(path, "report")
shown = {r["Command"]: (r["Samples"], r["Threads"], str(r["PID"]),
                        str(r["TID"])) for r in rows(rep, "threads")}
tap.ok(shown.get("worker/0…63") == (256, 64, "100", "64 threads"),
       "64 threads of a pool are one row", shown)
tap.ok(shown.get("gc") == (24, 4, "100", "4 threads"),
       "so are those of one name", shown)
tap.ok(shown.get("kworker/*") == (24, 3, "-", "3 threads"),
       "and the kernel's, which have a process each", shown)
tap.ok(len(shown) == 5 and "io-3…6-net" in shown,
       "a number may stand within the name", shown)
split = rows(report(path, "report", "--split-threads"), "threads")
tap.ok(split and all(r["Threads"] == 1 and r["Samples"] <= 9 for r in split),
       "--split-threads has each by itself", split)

text = "attr cpu-clock type=1 config=0 period=1000 ids=1 " \
    "sample_type=IP|TID|TIME|CPU|PERIOD flags=sample_id_all|mmap|comm\n"
for pid in range(900, 912):
    name = "cc1" if pid < 907 else "as"
    text += 'comm %d %d "%s"\n' % (pid, pid, name)
    for i in range(80 if pid == 900 else 2 if pid < 907 else 3):
        text += "sample ip=0x400010 pid=%d tid=%d cpu=0 time=%d period=1000\n" \
            % (pid, pid, pid * 100 + i)
shown = [(r["Command"], r["Samples"], r["Threads"], r["PID"], r["TID"])
         for r in rows(report(build("compilers", text), "report"), "threads")]
tap.ok(shown[1] == ("cc1", 12, 6, "-", "6 threads"),
       "six small processes of one name are one row", shown)
tap.ok(shown[0] == ("cc1", 80, 1, "900", "900"),
       "one that did much is not among them", shown)
tap.ok(shown[2:] == [("as", 3, 1, str(p), str(p)) for p in range(907, 910)],
       "five have a row each", shown)

# Thread 101 has a name for each job, and 102 has one of them.
text = "attr cpu-clock type=1 config=0 period=1000 ids=1 " \
    "sample_type=IP|TID|TIME|CPU|PERIOD flags=sample_id_all|mmap|comm\n"
for i, tid in enumerate((101, 101, 101, 101, 102, 300, 300)):
    text += 'comm 100 %d "%s-%d" .pid=100 .tid=%d time=%d .cpu=0\n' % (
        tid, "job" if tid < 300 else "step", i, tid, 1000 * i)
    text += "sample ip=0x400010 pid=100 tid=%d cpu=0 time=%d period=1000\n" % (
        tid, 1000 * i + 500)
renamed = rows(report(build("renamed", text), "report"), "threads")
shown = [(r["Command"], r["Samples"], r["Threads"], r["PID"], r["TID"])
         for r in renamed]
tap.ok(shown == [("job-0…4", 5, 2, "100", "2 threads"),
                 ("step-5…6", 2, 1, "100", "300")],
       "a thread that was renamed is one thread", shown)


def commands(*options):
    out = {}
    for r in rows(report(path, "hotspots", "--by", "comm", "--top", "0",
                         *options), "hotspots"):
        out[r["Command"]] = out.get(r["Command"], 0) + r["Samples"]
    return out


tap.ok(commands() == WANT, "hotspots", commands())
tap.ok(commands("--split-threads") == APART, "hotspots --split-threads")
tids = rows(report(path, "hotspots", "--by", "comm,tid", "--top", "0"),
            "hotspots")
tap.ok(len(tids) == len(THREADS), "--by tid splits", len(tids))


def folded(*options):
    out = subprocess.run([tap.coldperf, "flame", "-f", "folded", "--weight",
                          "samples", *options, path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False).stdout
    got = {}
    for line in out.decode().splitlines():
        stack, n = line.rsplit(" ", 1)
        name = stack.split(";")[0]
        got[name] = got.get(name, 0) + int(n)
    return got


def flame(*options):
    nodes = section(report(path, "flame", "--weight", "samples", *options),
                    "flame")["nodes"]
    return {n["name"]: n["total"] for n in nodes
            if n["parent"] == 0 and n["total"] != 0}


tap.ok(flame() == WANT, "flame", flame())
tap.ok(flame("--split-threads") == APART, "flame --split-threads")
tap.ok(folded() == APART, "folded stacks have commands as they were recorded",
       folded())
tap.done()
