#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Time off the CPU, thread by thread, as a calculation of its own finds it in
# what perf script prints of the scheduler's events: to the nanosecond.
#
# The calculation knows neither losses nor switches that do not fit each
# other: threads with one are counted and left to other tests.  Most threads
# must do without, unless the recorder left switches out and said nothing
# of it: some kernels do so with those away from idle.  In all threads
# on CPU + runnable + blocked + unknown must be the lifetime.
import collections
import json
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

LINE = re.compile(r"\s*(-?\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(\S+?):?"
                  r"(?:\((-?\d+):(-?\d+)\).*| (.*))$")
SWITCH = re.compile(r"prev_pid=(\d+) .*prev_state=(\S+) ==> .*next_pid=(\d+)")
PID = re.compile(r"\bpid=(\d+)")
EVENTS = ("sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new",
          "sched_migrate_task", "sched_stat_runtime")


class Thread:
    def __init__(self, since, state, letter=""):
        self.since, self.state, self.letter = since, state, letter
        self.ns = collections.Counter()
        self.clean = True
        self.early = self.exiting = False

    def end(self, t, kind):
        self.ns[kind] += t - self.since
        self.since = t


class Machine:
    def __init__(self):
        self.threads, self.gone, self.cpus = {}, [], {}
        self.first = self.last = None
        self.missing = 0

    def of(self, tid):
        if tid not in self.threads:
            self.threads[tid] = Thread(self.first, "unknown")
        return self.threads[tid]

    def switch(self, t, cpu, prev, letters, next_):
        fits = self.cpus.get(cpu, prev) == prev
        self.missing += not fits
        if not fits and self.cpus[cpu]:
            self.of(self.cpus[cpu]).clean = False
        self.cpus[cpu] = next_
        if prev:
            p = self.of(prev)
            p.clean &= p.state in ("run", "unknown") and fits
            p.end(t, "run")
            p.letter = letters
            p.state = "preempted" if letters.startswith("R") else "blocked"
            if letters[0] in "XZ":
                self.gone.append((prev, self.threads.pop(prev)))
        if next_:
            n = self.of(next_)
            n.clean &= n.state != "run"
            kind = n.state
            if kind == "blocked" and (n.early or n.letter == "new"):
                kind = "woken"
            n.end(t, kind)
            n.state = "run"
            n.early = False

    def wake(self, t, tid):
        w = self.of(tid)
        if w.state == "run":  # the waker waits until it has left its CPU
            w.early = True
        elif w.state in ("blocked", "unknown"):
            w.end(t, w.state)
            w.state = "woken"

    def fork(self, t, tid):
        old = self.threads.pop(tid, None)
        if old:
            old.clean = False
            self.gone.append((tid, old))
        self.threads[tid] = Thread(t, "blocked", "new")

    def finish(self):
        for th in self.threads.values():
            th.clean &= not th.exiting  # its last switch is missing
            th.end(self.last, th.state)
        return self.gone + list(self.threads.items())


def event(m, t, cpu, name, trace, waking):
    s = SWITCH.search(trace)
    if name == "sched_switch" and s:
        m.switch(t, cpu, int(s.group(1)), s.group(2), int(s.group(3)))
    elif name in ("sched_waking", "sched_wakeup_new") or \
            (name == "sched_wakeup" and not waking):
        m.wake(t, int(PID.search(trace).group(1)))
    elif name in ("sched_migrate_task", "sched_stat_runtime"):
        m.of(int(PID.search(trace).group(1)))


def calculate(text):
    m = Machine()
    waking = "sched:sched_waking" in text
    for line in text.splitlines():
        f = LINE.match(line)
        if not f:
            continue
        t, name = int(f.group(3) + f.group(4)), f.group(5)
        if m.first is None and name[6:] in EVENTS:
            m.first = t
        if m.first is None:
            continue
        m.last = max(m.last or t, t)
        if name == "PERF_RECORD_FORK":
            m.fork(t, int(f.group(7)))
        elif name == "PERF_RECORD_EXIT":
            m.of(int(f.group(7))).exiting = True
        elif name.startswith("sched:"):
            event(m, t, int(f.group(2)), name[6:], f.group(8), waking)
    return m.finish() if m.first is not None else [], m.missing


def ours(path):
    p = subprocess.run([tap.coldperf, "offcpu", "-f", "json", "--top", "0",
                        path], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    report = json.loads(p.stdout.decode("utf-8", "replace"))
    for s in report["sections"]:
        if s.get("slug") == "offcpu-threads":
            return [dict(zip([c["name"] for c in s["columns"]], r["values"]))
                    for r in s["rows"]]
    return []


def compare(name, path):
    status, text, messages = oracle.run(
        ["perf", "script", "-f", "-G", "--ns", "--show-task-events",
         "--show-lost-events", "-F", "tid,cpu,time,event,trace", "-i", path])
    if oracle.refused(status, messages) or "sched:sched_switch" not in text:
        return
    rows = ours(path)
    broken = [r for r in rows if r["On CPU"] + r["Runnable"] + r["Blocked"] +
              r["Unknown"] != r["Lifetime"]]
    tap.ok(rows and not broken, name + ": times add up to lifetimes",
           broken[:5])
    if "PERF_RECORD_LOST" in text:
        return
    want, got = collections.defaultdict(list), collections.defaultdict(list)
    threads_of, missing = calculate(text)
    for tid, th in threads_of:
        want[tid].append(th)
    for r in rows:
        got[int(r["TID"])].append(r)
    bad, compared, left = [], 0, 0
    for tid, threads in want.items():
        if len(threads) != 1 or not threads[0].clean or len(got[tid]) != 1:
            left += 1
            continue
        compared += 1
        ns, r = threads[0].ns, got[tid][0]
        pair = [(ns["run"], r["On CPU"]),
                (ns["preempted"] + ns["woken"], r["Runnable"]),
                (ns["blocked"], r["Blocked"]),
                (ns["unknown"], r["Unknown"])]
        if any(a != b for a, b in pair):
            bad += ["%s %d: calculated and ours %s" %
                    (r["Command"], tid, pair)]
    tap.ok(compared and not bad and (missing or compared >= left),
           "%s: %d threads as calculated, %d left out, %d switches missing" %
           (name, compared, left, missing), "\n".join(bad[:10]))


oracle.need_perf()
for name, path in oracle.captures():
    compare(name, path)
tap.done()
