# SPDX-License-Identifier: MIT
"""The scheduler once more: perf's rules, calculated from `perf script`.

Written from the description of what perf does, apart from coldperf: where
perf's own numbers follow other rules, by its version, this calculation is
first shown to give perf's numbers by those, and then gives coldperf's.

LATENCY and TIMEHIST have the two sets of rules: perf 6.1 takes a preempted
task for a sleeping one and ignores sched_waking; perf 7 does neither.
"""
import collections
import math
import re

import oracle

EVENT = re.compile(r"\s*(-?\d+)\s+(?:\[(\d+)\]\s+)?(\d+)\.(\d{9}):\s+(.*)")
SWITCH = re.compile(r"prev_comm=(.*) prev_pid=(\d+) prev_prio=-?\d+ "
                    r"prev_state=(\S+) ==> next_comm=(.*) next_pid=(\d+) ")
PID = re.compile(r"comm=.* pid=(\d+) ")
TASK = re.compile(r"PERF_RECORD_(FORK|EXIT)\(-?\d+:(-?\d+)\)"
                  r":\(-?\d+:(-?\d+)\)")
COMM = re.compile(r"PERF_RECORD_COMM(?: exec)?: .*:-?\d+/(-?\d+)$")

Event = collections.namedtuple(
    "Event", "kind time cpu actor tid next state value")


def parse(line):
    m = EVENT.match(line)
    if not m:
        return None
    actor, cpu, seconds, ns, rest = m.groups()
    time = int(seconds) * 10 ** 9 + int(ns)
    cpu = int(cpu or 0)

    def event(kind, tid=None, next=None, state=None, value=0):
        return Event(kind, time, cpu, int(actor), tid, next, state, value)
    task = TASK.match(rest)
    if task:
        return event(task.group(1).lower(), int(task.group(2)),
                     int(task.group(3)))
    comm = COMM.match(rest)
    if comm:
        return event("comm", int(comm.group(1)))
    if rest.startswith("PERF_RECORD_LOST lost"):
        return event("lost")
    m = re.match(r"sched:sched_(\w+):\s+(.*)", rest)
    if not m:
        return event("other")
    name, fields = m.groups()
    fields += " "
    if name == "switch":
        s = SWITCH.match(fields)
        return event(name, int(s.group(2)), int(s.group(5)), s.group(3))
    pid = PID.match(fields)
    value = re.search(r" runtime=(\d+) ", fields)
    return event(name, int(pid.group(1)) if pid else None,
                 value=int(value.group(1)) if value else 0)


def events(path):
    """All of a capture in perf's order."""
    status, out, messages = oracle.run(
        ["perf", "script", "-f", "--ns", "-i", path, "--show-task-events",
         "--show-lost-events", "-F", "tid,cpu,time,event,trace"])
    assert status == 0, messages
    found = [parse(line) for line in out.splitlines()]
    return [e for e in found if e and (e.time or e.kind == "comm")]


class Rules:
    def __init__(self, events, seven):
        waking = any(e.kind == "waking" for e in events)
        self.seven = seven
        self.latency = {"wakeup_new"} | (
            {"waking"} if seven and waking else {"wakeup"})
        self.timehist = {"wakeup_new", "waking" if waking else "wakeup"}

    def runnable(self, state):
        return state[0] == "R" if self.seven else state == "R"


class Waits:
    """What perf sched latency keeps of a thread."""

    def __init__(self, tid):
        self.tid = tid
        self.state = None
        self.begun = self.run = self.unknown = self.max = self.max_at = 0
        self.waits = []


def lost_spans(events):
    """From the last event of the CPU to the record that tells the loss."""
    last, spans = {}, []
    for e in events:
        if e.kind == "lost":
            spans.append((last.get(e.cpu, 0), e.time))
        last[e.cpu] = e.time
    return spans


def latency(events, seven, losses=False):
    """Waits of each thread.  With losses, those touched are unknown."""
    rules = Rules(events, seven)
    all_threads, threads = [], {}
    spans = lost_spans(events) if losses else []

    def thread(tid):
        if tid not in threads:
            threads[tid] = Waits(tid)
            all_threads.append(threads[tid])
        return threads[tid]
    for e in events:
        if e.kind == "fork":
            threads.pop(e.tid, None)
        elif e.kind == "switch":
            t = thread(e.tid)
            t.state = "wait" if rules.runnable(e.state) else "sleep"
            t.begun = e.time
            t = thread(e.next)
            if t.state is None:
                t.state, t.begun = "wait", e.time
            if t.state != "wait":
                continue
            t.state = "in"
            if any(a < e.time and b > t.begun for a, b in spans):
                t.unknown += 1
                continue
            delay = e.time - t.begun
            t.waits.append(delay)
            if delay > t.max:
                t.max, t.max_at = delay, e.time
        elif e.kind == "stat_runtime":
            t = thread(e.tid)
            t.run += e.value
            if t.state is None:
                t.state, t.begun = "wait", e.time
        elif e.kind in rules.latency:
            t = thread(e.tid)
            if t.state is None:
                t.state, t.begun = "sleep", e.time
            if t.state == "sleep" and t.begun <= e.time:
                t.state, t.begun = "wait", e.time
    return [t for t in all_threads if t.tid != 0]


def percentile(waits, share):
    """The smallest that at least that share of all does not exceed."""
    if not waits:
        return 0
    exact = round(share * 1000) * len(waits)  # share in thousandths
    return sorted(waits)[max(math.ceil(exact / 1000), 1) - 1]


def timehist(events, seven, perf=True):
    """(time, cpu, tid, wait, delay, run) of each switch.

    perf, unlike coldperf, takes the thread from the sample, whose ids are -1
    when it is being reaped; and since version 7 it forgets a thread at its
    EXIT record, so that it knows nothing of what came before the last switch.
    A thread that it first met being woken, because the FORK record was lost,
    has no process; perf forgets it when it forks.
    """
    rules = Rules(events, seven)
    last, ready, out = {}, {}, {}
    met, astray = set(), set()
    for e in events:
        if e.kind == "fork" and perf and e.next in astray:
            ready.pop(e.next, None)
            out.pop(e.next, None)
            astray.discard(e.next)
        if e.kind in rules.timehist and e.tid not in met:
            astray.add(e.tid)
        if e.kind in ("fork", "exit"):
            astray.discard(e.tid)
        met.add(e.actor if e.kind == "switch" else e.tid)
        if e.kind == "exit" and seven:
            met.discard(e.tid)
        if e.kind == "fork" or (e.kind == "exit" and perf and seven):
            ready.pop(e.tid, None)
            out.pop(e.tid, None)
        elif e.kind in rules.timehist:
            if not ready.get(e.tid):
                ready[e.tid] = e.time
        elif e.kind == "switch":
            tid = e.actor if perf and e.tid else e.tid
            key = tid if tid else ("idle", e.cpu)
            before = last.get(e.cpu)
            wait = delay = run = 0
            if before is not None:
                run = e.time - before
                if 0 < out.get(key, 0) <= before:
                    wait = before - out[key]
                if 0 < ready.get(key, 0) <= before:
                    delay = before - ready[key]
            out[key] = e.time
            ready[key] = e.time if seven and rules.runnable(e.state) else 0
            last[e.cpu] = e.time
            yield e.time, e.cpu, tid, wait, delay, run
