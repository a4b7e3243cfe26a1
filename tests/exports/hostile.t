#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Hostile names in all exports; states, waits and losses where a format has
# them; trees without samples; which files get which format.
import collections
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/exports")
import decode
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-exports.")
tmp = scratch.name
WRITE = tap.top_builddir + "/tests/render/write-sample"
TREES = ["pprof", "speedscope", "callgrind", "dot", "otlp"]


def write(*args):
    run = subprocess.run([WRITE] + list(args), stdout=subprocess.PIPE)
    tap.ok(run.returncode == 0 and run.stdout,
           "write-sample " + " ".join(args))
    return run.stdout


def text_of(data):
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def check_names(name, data):
    """13 functions weigh 1, 2, 4 ...; none is lost, none becomes another."""
    got = decode.READERS[name](data)
    weights = sorted(w for t in got.values() for w in t.values() if w)
    tap.ok(weights == sorted([1 << i for i in range(13)] + [1000]),
           name + ": each hostile name weighs what it did", got)
    raw = text_of(data)
    if name not in ("pprof", "otlp", "perfetto"):
        bad = re.findall(b"[\x00-\x08\x0b-\x1f\x7f]", raw)
        tap.ok(not bad and b"\xe2\x80\xae" not in raw,
               name + ": no control characters", bad)
        raw.decode("utf-8")
    else:
        tap.ok(b"\x1b[31m" not in raw and b"\xff\xfe" not in raw,
               name + ": no escape sequences")


def check_dot(data, functions):
    text = data.decode("utf-8")
    # Quotes that are not escaped come in pairs in each line.
    odd = [line for line in text.splitlines()
           if len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2]
    tap.ok(not odd and text.startswith("digraph ") and
           text.endswith("}\n"), "dot: quotes are closed", odd)
    nodes = re.findall(r"^\tn\d+ \[label=.*self=(\d+), total=(\d+)\];$", text,
                       re.M)
    tap.ok(len(nodes) == functions, "dot: a node for each function",
           (len(nodes), functions))


def check_perfetto(data):
    packets = [decode.fields(p) for p in decode.fields(data)[1]]
    switches, waits, lost = [], [], 0
    for p in packets:
        for bundle in map(decode.fields, p[1]):
            for e in map(decode.fields, bundle[2]):
                s = decode.fields(e[4][0])
                switches.append((decode.one(e, 1), decode.one(s, 2),
                                 decode.one(s, 4), decode.one(s, 6)))
        for e in map(decode.fields, p[11]):
            if decode.one(e, 22, b"") == b"wait" or decode.one(e, 9) == 2:
                waits.append((decode.one(p, 8), decode.one(e, 9)))
        for s in map(decode.fields, p[66]):
            lost += decode.one(s, 17)
    start = 5000000
    tap.ok(switches == [(start, 0, 0, 7), (start + 100, 7, 1, 8),
                        (start + 300, 8, 0, 0), (start + 400, 0, 0, 7),
                        (start + 500, 7, 0, 0)],
           "perfetto: running spans are switches", switches)
    tap.ok(waits == [(start + 100, 1), (start + 400, 2)],
           "perfetto: a wait begins and ends", waits)
    tap.ok(lost == 42, "perfetto: lost records are told", lost)


def check_firefox(data):
    threads = json.loads(gzip.decompress(data))["threads"]
    markers = collections.Counter()
    for t in threads:
        m = t["markers"]
        for i in range(m["length"]):
            markers[m["data"][i]["type"]] += m["data"][i].get("count", 1)
            if m["data"][i]["type"] == "coldperf-wait":
                tap.ok((m["startTime"][i], m["endTime"][i]) ==
                       (0.0001, 0.0004), "firefox: a wait is a marker", m)
    tap.ok(markers["coldperf-lost"] == 42 and
           markers["coldperf-wait"] == 1, "firefox: losses are markers",
           markers)


def check_trees():
    """Trees weigh in exports what folded stacks say."""
    want = collections.Counter()
    for line in write("folded", "waits").decode().splitlines():
        want["all"] += int(line.split()[-1])
    tap.ok(want["all"] == sum(1000 << i for i in range(13)),
           "folded stacks weigh all", want)
    for name in TREES:
        data = write(name, "waits")
        if name == "dot":
            check_dot(data, data.decode().count("fontsize="))
            continue
        got = decode.READERS[name](data)
        tap.ok(len(got) == 1 and len(got[max(got)]) == 13 and
               sum(sum(t.values()) for t in got.values()) == want["all"],
               name + ": a tree weighs what folded stacks say",
               (got, want))
    data = write("pprof", "deep")
    if tap.nightly:
        tap.ok(max(len(s[1]) for s in decode.Pprof(data).samples) >= 8192,
               "pprof: a deep tree")
    for name in ("speedscope", "callgrind", "dot", "otlp"):
        write(name, "deep")


def coldperf(*args):
    return subprocess.run([tap.coldperf, *args], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def check_files():
    fp = tap.top_srcdir + "/corpus/good-fp/perf.data"
    heads = {"a.pb.gz": b"\x1f\x8b", "a.pprof": b"\x1f\x8b",
             "a.speedscope.json": b'{"$schema"', "a.callgrind": b"# callg",
             "callgrind.out.7": b"# callg", "a.dot": b"digraph",
             "a.firefox.json.gz": b"\x1f\x8b", "a.perfetto-trace": b"\n",
             "a.pftrace": b"\n", "a.otlp": b"\n", "a.ndjson": b'{"row"',
             "a.jsonl": b'{"row"', "a.samples.csv": b"time,", "a.csv": b"",
             "a.json": b'{"schema"', "a.txt": b""}
    args = []
    for name in heads:
        args += ["-o", tmp + "/" + name]
    run = coldperf("hotspots", fp, *args)
    wrong = {}
    for name, head in heads.items():
        with open(tmp + "/" + name, "rb") as f:
            data = f.read()
        if not data.startswith(head) or not data:
            wrong[name] = data[:20]
    tap.ok(run.returncode == 0 and not wrong,
           "many --output in one run, each by its name",
           "%r %r" % (wrong, run.stderr))
    run = coldperf("flame", fp, "-o", tmp + "/b.svg", "-o", tmp + "/b.xyz")
    tap.ok(run.returncode == 2 and not os.path.exists(tmp + "/b.svg"),
           "an unknown suffix among them: nothing is written", run.stderr)
    run = coldperf("flame", fp, "-f", "svg", "-o", tmp + "/b.svg", "-o",
                   tmp + "/c.svg")
    tap.ok(run.returncode == 2, "--format with several --output is refused")
    one = coldperf("flame", fp, "-f", "pprof", "-j", "1").stdout
    two = coldperf("flame", fp, "-f", "pprof", "-j", "4").stdout
    tap.ok(one == two != b"", "the same bytes with any number of workers")


def check_waits():
    """offcpu hands over its tree, sched what a profile has."""
    waits = tmp + "/waits.data"
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf",
                    tap.top_srcdir + "/corpus/good-waits/input.mkperf",
                    waits], check=True)
    profile = decode.Pprof(coldperf("offcpu", "-f", "pprof", waits).stdout)
    folded = coldperf("offcpu", "-f", "folded", waits).stdout.decode()
    total = sum(int(line.split()[-1]) for line in folded.splitlines())
    tap.ok(profile.types[1][1] == "nanoseconds" and total > 0 and
           sum(s[0][1] for s in profile.samples) == total,
           "offcpu: pprof has the waits", (profile.types, total))
    fp = tap.top_srcdir + "/corpus/good-fp/perf.data"
    none = decode.Pprof(coldperf("offcpu", "-f", "pprof", fp).stdout)
    tap.ok([t[0] for t in none.types] == ["samples", "cpu-clock"],
           "offcpu without switches: pprof has the samples", none.types)
    got = decode.perfetto(coldperf("sched", "-f", "perfetto", waits).stdout)
    tap.ok("sched:sched_switch" in got, "sched: a trace has its events", got)
    diff = coldperf("diff", "-f", "pprof", waits, waits)
    types = decode.Pprof(diff.stdout).types if diff.stdout else None
    tap.ok(types is None or [t[0] for t in types] ==
           ["samples", "after", "before"],
           "diff: both captures are sample types", (types, diff.stderr))


made = {name: write(name, "profile") for name in decode.READERS}
for name, data in made.items():
    check_names(name, data)
check_dot(write("dot", "profile"), 13)
write("callgrind", "profile", "0", "addresses")
check_perfetto(made["perfetto"])
check_firefox(made["firefox"])
check_trees()
check_files()
check_waits()
tap.done()
