#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# syscalls and locks against perf trace --summary and perf lock contention.
#
# perf trace counts calls that ended, thread by thread; coldperf also those
# that did not, or whose begin is missing.  perf lock rounds each row, and has
# no time for a wait whose thread exits in it: the end has no thread number.
import json
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

THREAD = re.compile(r"^ (.*) \((\d+)\), \d+ events")
CALL = re.compile(r"^   (\w+)\s+(\d+)\s+(\d+)\s+([\d.]+)\s+([\d.]+)\s+"
                  r"([\d.]+)\s+([\d.]+)")
LOCK = re.compile(r"^\s+(\d+)\s+([\d.]+) (ns|us|ms|s)\s+([\d.]+) (ns|us|ms|s)"
                  r"\s+[\d.]+ (?:ns|us|ms|s)\s+(\S+)")
# They return in the new thread, too, which perf takes for a call of its.
TWICE = {"clone", "clone3", "fork", "vfork"}
BOUND = re.compile(r"^\s*(-?\d+) \[(\d+)\]\s+(\d+)\.(\d+):\s+"
                   r"lock:contention_(begin|end): (0x\w+)")
UNIT = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def tables(path, *options):
    p = subprocess.run([tap.coldperf] + list(options) +
                       ["-f", "json", "--top", "0", path],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    report = json.loads(p.stdout.decode("utf-8", "replace"))
    return {s["slug"]: [dict(zip([c["name"] for c in s["columns"]],
                                 r["values"])) for r in s["rows"]]
            for s in report["sections"] if s["type"] == "table"}


def has_event(path, name):
    _, out, _ = oracle.run(["perf", "evlist", "-i", path])
    return name in out.split()


def broken(path):
    """perf makes times of what it did not see; and under load perf record
    now and then writes a part of a CPU's buffer twice."""
    _, out, messages = oracle.run(["perf", "script", "-f", "-i", path, "-F",
                                   "tid,cpu,time,event", "--ns", "-G",
                                   "--show-lost-events"])
    if "PERF_RECORD_LOST" in out:
        return "records were lost"
    lines = out.splitlines()
    return "records were written twice" if len(set(lines)) < len(lines) else ""


def perf_trace(path):
    """{tid: {call: (calls, errors, total ms, max ms)}}"""
    status, out, messages = oracle.run(
        ["perf", "trace", "-f", "-s", "-i", path])
    threads, at = {}, None
    for line in (out + messages).splitlines():
        t, c = THREAD.match(line), CALL.match(line)
        if t and (t.group(1).startswith("perf") or
                  not t.group(1).startswith(os.environ.get("ORACLE_COMM", ""))):
            at = None  # perf is recorded on one CPU after the other
        elif t:
            at = threads.setdefault(int(t.group(2)), {})
        elif c and at is not None:
            at[c.group(1)] = (int(c.group(2)), int(c.group(3)),
                              float(c.group(4)), float(c.group(7)))
    return None if status != 0 else threads


def compare_calls(name, path):
    want = perf_trace(path)
    if not want:
        tap.skip("%s: perf trace does not read it" % name)
        return
    bad, compared = [], 0
    for tid, calls in want.items():
        rows = {}
        for r in tables(path, "syscalls", "--tid", str(tid))["syscalls"]:
            rows[r["Call"]] = r
        for call, (n, errors, total, longest) in calls.items():
            r = rows.get(call)
            compared += 1
            if call in TWICE and (r["Calls"] if r else 0) == n - 1:
                n -= 1
                if r is None:
                    continue
            if r is None or not n <= r["Calls"] <= n + 1 or \
                    r["Errors"] != errors or \
                    abs(r["Time"] / 1e6 - total) > 0.0006 or \
                    abs((r["Max"] or 0) / 1e6 - longest) > 0.0006:
                bad += ["%d %s: perf %s, ours %s" %
                        (tid, call, (n, errors, total, longest), r)]
    tap.ok(compared and not bad,
           "%s: %d rows of system calls equal perf trace" % (name, compared),
           "\n".join(bad[:10]))


def exits(path):
    """The time of spinning waits whose threads exit: ends without a number."""
    _, out, _ = oracle.run(["perf", "script", "-f", "--ns", "-G", "-F",
                            "tid,cpu,time,event,trace", "-i", path])
    begun, total = {}, 0
    for m in filter(None, map(BOUND.match, out.splitlines())):
        tid, cpu, lock = m.group(1), m.group(2), m.group(6)
        at = int(m.group(3)) * 10 ** 9 + int(m.group(4))
        if m.group(5) == "begin":
            begun[cpu, lock] = tid, at
            continue
        was, since = begun.pop((cpu, lock), (tid, at))
        if tid == "-1" != was:
            total += at - since
    return total


def compare_locks(name, path):
    status, out, messages = oracle.run(
        ["perf", "lock", "-f", "contention", "-i", path])
    rows = [m for m in map(LOCK.match,
                         (out + messages).splitlines()) if m]
    if status != 0 or not rows:
        tap.skip("%s: perf lock does not read it" % name)
        return
    kinds = {}
    for m in rows:
        n, ns = kinds.get(m.group(6), (0, 0))
        kinds[m.group(6)] = (n + int(m.group(1)),
                             ns + float(m.group(2)) * UNIT[m.group(3)])
    ours = {}
    for r in tables(path, "locks").get("locks", []):
        n, ns = ours.get(r["Type"], (0, 0))
        ours[r["Type"]] = (n + r["Waits"], ns + r["Time"])
    if "spinlock" in ours:
        n, ns = ours["spinlock"]
        ours["spinlock"] = n, ns - exits(path)
    bad = ["%s: perf %s, ours %s" % (k, v, ours.get(k))
           for k, v in kinds.items()
           if k not in ours or abs(ours[k][0] - v[0]) > 0.01 * v[0] + 1 or
           abs(ours[k][1] - v[1]) > 0.01 * v[1] + 1000]
    tap.ok(not bad and set(ours) == set(kinds),
           "%s: %d kinds of locks equal perf lock" % (name, len(kinds)),
           "\n".join(bad))


oracle.need_perf()
for name, path in oracle.captures():
    if not has_event(path, "raw_syscalls:sys_enter") and \
            not has_event(path, "lock:contention_begin"):
        continue
    reason = broken(path)
    if reason:
        tap.skip("%s: %s" % (name, reason))
        continue
    if has_event(path, "raw_syscalls:sys_enter"):
        compare_calls(name, path)
    if has_event(path, "lock:contention_begin"):
        compare_locks(name, path)
tap.done()
