#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf sched beside perf sched latency and timehist, to the printed digit.
#
# perf 6.1 and 7 count by different rules; sched.py has both.  It must give
# what the perf at hand prints, by that one's rules, and what coldperf gives,
# by the rules of 7.  $PERF7 may name a perf of version 7, to be asked, too.
# Percentiles are compared with those of a sort of all waits.  What coldperf
# does differently, and why:
#   - a wait during which a record was lost is not counted: perf shows it with
#     whatever length the loss gives it;
#   - timehist takes the thread from the event, not from the sample, whose ids
#     are -1 when the thread is being reaped, and remembers it beyond its EXIT
#     record, which comes before its last switch.
import collections
import csv
import io
import json
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import sched
import tap

SHARES = (0.5, 0.9, 0.95, 0.99, 0.999)


def coldperf(path, *options):
    status, out, messages = oracle.run(
        [tap.coldperf, "sched", *options, path])
    return out if status == 0 else tap.diag(messages) or ""


def table(path, *options):
    return list(csv.reader(io.StringIO(
        coldperf(path, "-f", "csv", *options))))[1:]


def same(got, want, text):
    """Two lists, whatever their order; says what differs."""
    a, b = collections.Counter(got), collections.Counter(want)
    only = ["only %s: %s" % (who, row)
            for who, c in (("here", a - b), ("there", b - a))
            for row in list(c)[:5]]
    tap.ok(a == b and a, text, "\n".join(only))


# ----------------------------------------------------------------- latency

def amount(ns):
    """A time as perf prints it."""
    return "%.3f ms" % (ns / 1e6)


def moment(ns):
    return "%d.%06d s" % (ns // 10 ** 9, ns % 10 ** 9 // 1000)


def printed(threads):
    """Rows of perf sched latency -p: those that waited."""
    for t in threads:
        if t.waits:
            yield (str(t.tid), amount(t.run), str(len(t.waits)),
                   amount(sum(t.waits) // len(t.waits)), amount(t.max),
                   moment(t.max_at))


def perf_latency(perf, path):
    for line in oracle.run([perf, "sched", "-f", "-i", path, "latency",
                            "-p"])[1].splitlines():
        cells = [re.sub(r"^(avg|max|max start|max end):\s*", "", c.strip())
                 for c in line.split("|")]
        if len(cells) >= 7 and cells[0] != "Task":
            yield (cells[0].rsplit(":", 1)[1], *cells[1:5], cells[6])


def exact(threads, runtime):
    """Rows of coldperf sched -f csv."""
    for t in threads:
        if t.waits:
            yield (str(t.tid), str(t.run) if runtime else "",
                   str(len(t.waits)), str(sum(t.waits) // len(t.waits)),
                   *(str(sched.percentile(t.waits, s)) for s in SHARES),
                   str(t.max), str(t.max_at) if t.max else "")


def check_latency(name, path, events):
    runtime = any(e.kind == "stat_runtime" for e in events)
    got = [(r[2], r[3] if runtime else "", *r[4:])
           for r in table(path) if r[4] != "0"]
    threads = sched.latency(events, True, losses=True)
    same(got, exact(threads, runtime),
         name + ": waits, percentiles, run time of each thread")
    unknown = sum(r["unknown_waits"] for r in states(path))
    tap.ok(unknown == sum(t.unknown for t in threads),
           "%s: %d waits are unknown" % (name, unknown))


def check_perf(name, path, events, perf, seven):
    text = "%s: perf %s prints what its rules give, " % (
        name, "7" if seven else "6.1")
    threads = sched.latency(events, seven)
    same(perf_latency(perf, path), printed(threads), text + "latency")
    shown = list(perf_timehist(perf, path))
    if not shown:
        tap.skip(name + ": perf timehist shows nothing")
        return
    same(shown, (row_printed(r) for r in sched.timehist(events, seven)),
         text + "timehist")


# ---------------------------------------------------------------- timehist

ROW = re.compile(r"\s*(\d+\.\d{6}) \[(\d+)\]\s+.*?\s+(\d+\.\d{3})\s+"
                 r"(\d+\.\d{3})\s+(\d+\.\d{3})(?=\s|$)")


def perf_timehist(perf, path):
    for line in oracle.run([perf, "sched", "-f", "-i", path,
                            "timehist"])[1].splitlines():
        m = ROW.match(line)
        if m:
            yield m.groups()


def row_printed(row):
    time, cpu, _, *spans = row
    return ("%d.%06d" % (time // 10 ** 9, time % 10 ** 9 // 1000),
            "%04d" % cpu, *("%d.%03d" % (ns // 10 ** 6, ns // 1000 % 1000)
                            for ns in spans))


def check_timehist(name, path, events):
    got = [(r[0], r[1], r[3], *r[4:7]) for r in table(path, "--timehist")]
    want = [tuple(map(str, r))
            for r in sched.timehist(events, True, perf=False)]
    tap.ok(got == want and got, "%s: %d switches" % (name, len(got)),
           [(a, b) for a, b in zip(got, want) if a != b][:5] or
           "%d and %d" % (len(got), len(want)))


# ------------------------------------------------------------ conservation

def states(path):
    report = json.loads(coldperf(path, "-f", "json"))
    for section in report["sections"]:
        if section["slug"] == "threads":
            names = [re.sub(r"\W+", "_", c["name"].lower())
                     for c in section["columns"]]
            return [dict(zip(names, row["values"]))
                    for row in section["rows"]]
    return []


def check_states(name, path):
    bad = [r for r in states(path) if r["lifetime"] !=
           r["running"] + r["displaced"] + r["woken"] + r["blocked"] +
           r["unknown"]]
    tap.ok(not bad and states(path),
           name + ": the states of each thread add up to its lifetime",
           bad[:5])


oracle.need_perf()
version = oracle.perf_version()
if version == (6, 1) or version >= (7, 0):
    perfs = [("perf", version >= (7, 0))]
else:
    perfs = []
    tap.skip("whose rules perf %d.%d follows is not known here" % version)
if os.environ.get("PERF7"):
    perfs.append((os.environ["PERF7"], True))
for name, path in oracle.captures():
    if "sched:sched_switch" not in oracle.run(
            ["perf", "evlist", "-f", "-i", path])[1]:
        continue
    events = sched.events(path)
    if not any(e.kind == "switch" for e in events):
        continue
    check_latency(name, path, events)
    check_timehist(name, path, events)
    check_states(name, path)
    for perf, seven in perfs:
        check_perf(name, path, events, perf, seven)
tap.done()
