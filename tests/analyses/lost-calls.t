#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A call, a wait for a lock or a request to a disk has no time where records can
# have been lost meanwhile: on whatever CPU, also where the loss is told long
# after, or only by perf's count at the end.  What was looks like one long call
# where the end of one and the begin of the next were lost.
import os
import random
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
from tap import is_
import made
from made import US

HEAD = made.head_of("good-latencies", "raw_syscalls")
RAW = "u1:0,u1:0,u4:%d"
REQUEST = ",u4:0x800010,n:4,u8:1000,u4:8,"


def text_of(record):
    """record: (time in us, what, CPU, thread)."""
    us, what, cpu, tid = record
    if what == "lost":
        return "lost id=1 lost=2 time=%d .cpu=%d\n" % (us * US, cpu)
    if what == "count":
        return "lost_samples lost=%d time=0 .cpu=%d\n" % (tid, cpu)
    event, i, raw = {
        "call": ("raw_syscalls:sys_enter", 1, "u2:443," + RAW +
                 ",u8:202,u8:0x7000,u8:0x80,u8:2,u8:0,u8:0,u8:0"),
        "return": ("raw_syscalls:sys_exit", 2, "u2:442," + RAW +
                   ",u8:202,u8:0"),
        "begin": ("lock:contention_begin", 5, "u2:408," + RAW +
                  ",u8:0xffff8880,u4:32,n:4"),
        "end": ("lock:contention_end", 6, "u2:407," + RAW +
                ",u8:0xffff8880,u4:0,n:4"),
        "issue": ("block:block_rq_issue", 3, "u2:2104," + RAW + REQUEST +
                  "u4:4096,s:R,n:7,c16:app"),
        "complete": ("block:block_rq_complete", 4, "u2:2107," + RAW +
                     REQUEST + "u4:0,s:R,n:7"),
    }[what]
    return ("sample %s ip=0xffffffff81000104 pid=100 tid=%d time=%d cpu=%d "
            "id=%d raw=%s\n" % (event, tid, us * US, cpu, i, raw % tid))


def reported(name, records):
    """The sums and longest of syscalls and of locks by kind, in us."""
    path = made.build(name, HEAD + "".join(map(text_of, records)))
    out = {"syscall": (0, 0)}
    for row in made.rows(made.report(path, "syscalls"), "syscalls"):
        out["syscall"] = row["Time"] // US, (row["Max"] or 0) // US
    for row in made.rows(made.report(path, "locks"), "lock-threads"):
        n, time = out.get(row["Kind"], (0, 0))
        out[row["Kind"]] = n + row["Waits"], time + row["Time"] // US
    return out


# The thread calls on CPU 0, goes to CPU 1, where its return and the next call
# are lost, and returns on CPU 0.  CPU 1 tells the loss last.
LATE = [(5, "begin", 1, 7), (6, "end", 1, 7), (10, "call", 0, 8),
        (50, "return", 0, 8)]
TOLD = [(99, "lost", 1, 0), (100, "begin", 1, 7), (101, "end", 1, 7)]
is_(reported("whole", LATE + TOLD[1:])["syscall"], (40, 40),
    "nothing is lost: 40 us")
got = reported("late", LATE + TOLD)
is_(got, {"syscall": (0, 0), "kernel": (2, 2)},
    "a call that a loss told later can have cut has no time")
is_(reported("before", LATE[:2] + [(7, "lost", 1, 0)] + LATE[2:])["syscall"],
    (40, 40), "a loss that was over before it does not matter")
is_(reported("heard", LATE + [(51, "begin", 1, 7)] + TOLD[:1] +
             [(100, "end", 1, 7)]),
    {"syscall": (40, 40), "lock": (1, 40), "kernel": (1, 1)},
    "nor one that began after it; the wait that it is in does not count")
is_(reported("counted", [(0, "count", 1, 3)] + LATE)["syscall"], (0, 0),
    "a loss that only perf's count tells")
is_(reported("twice", [(2, "lost", 1, 0)] + LATE + [(0, "count", 1, 2)])
    ["syscall"], (40, 40), "a loss that was told is not counted again")
is_(reported("other", LATE + [(0, "count", 0, 3)])["syscall"], (40, 40),
    "a CPU that lost after its last record")
is_(reported("nowhere", LATE + [(99, "lost", 0xffffffff, 0)])["syscall"],
    (0, 0), "a loss of no CPU can be of any")
is_(reported("later", LATE + [(60, "begin", 1, 7),
                              (99, "lost", 0xffffffff, 0)])["syscall"],
    (40, 40), "of which none was silent so long")

def requests(name, records):
    """Of the device: requests, the longest in us, depth, deepest, busy."""
    path = made.build(name, HEAD + "".join(map(text_of, records)))
    return [(r["Requests"], r["Max"] // US, round(r["Depth"]["value"], 3),
             r["Deepest"], round(r["Busy"]["value"], 3))
            for r in made.rows(made.report(path, "blockio"),
                               "blockio")]


# As the call above; then one of whose time nothing was lost, and one that
# waited while CPU 1 lost: the 10 us before it and its 20 are unknown.
ONE = [(10, "issue", 0, 8), (50, "complete", 0, 8)]
TWO = [(60, "issue", 0, 8), (80, "complete", 0, 8)]
is_(requests("issued", LATE[:2] + ONE + TOLD[1:]), [(1, 40, 1, 1, 1)],
    "a request of 40 us")
is_(requests("unknown", LATE[:2] + ONE + TOLD), [],
    "a request that a loss told later can have cut does not count")
is_(requests("both", LATE[:2] + ONE + [(55, "begin", 1, 7)] + TWO + TOLD[:1] +
             [(100, "end", 1, 7)]), [(1, 40, 1, 1, 1)],
    "nor does its time, in the depth of the queue and of the busy time")
is_(requests("told", LATE[:2] + ONE + TWO + TOLD[1:]),
    [(2, 40, round(60 / 70, 3), 1, round(60 / 70, 3))],
    "which is 60 us of 70 if nothing is lost")
is_(requests("front", [(0, "count", 1, 2), (2, "lost", 1, 0)] + ONE + TWO),
    [(2, 40, round(60 / 70, 3), 1, round(60 / 70, 3))],
    "a count of what was told is no loss")
is_(requests("amid", ONE[:1] + [(0, "count", 1, 2)] + ONE[1:] + TWO), [],
    "and of what was not told it is one since the last record of that CPU")


# More than is held in memory: that a loss came too late is said.
many = text_of((5, "begin", 1, 7)) + "repeat 66000 as i {\n" + "".join(
    text_of((0, what, 0, 8)).replace("time=0", "time=10000+i*1000+%d" % at)
    for what, at in (("call", 0), ("return", 500))) + "}\n" + \
    text_of((70000, "lost", 1, 0))
late = made.report(made.build("many", HEAD + many), "syscalls")
notes = made.notes(late)
tap.ok("reported late" in str(notes), "a loss that was told too late is noted",
       notes)


def schedule(rng):
    """All records of threads that call and wait, wherever they are."""
    out, moment = [], {}
    for tid in range(10, 10 + rng.randrange(1, 5)):
        now = rng.randrange(50)
        for _ in range(rng.randrange(5, 40)):
            kind = rng.choice((("call", "return"), ("begin", "end")))
            for what in kind:
                now += rng.randrange(1, 60)
                while now in moment:  # their order is that of time
                    now += 1
                moment[now] = True
                out.append((3 * now, what, rng.randrange(3), tid))
    return sorted(out)


def lose(rng, records):
    """What a recording has of it, and when something can have been lost."""
    kept, spans, open_, lost, last = [], [], {}, {}, {}
    first = None
    for r in records:
        us, _, cpu, _ = r
        if rng.random() < (0.5 if cpu in open_ else 0.04):
            open_.setdefault(cpu, last.get(cpu))
            lost[cpu] = lost.get(cpu, 0) + 1
            continue
        if cpu in open_:
            kept.append((us - 1, "lost", cpu, 0))
            first = us - 1 if first is None else first
            spans.append((open_.pop(cpu), us - 1))
        first = us if first is None else first
        kept.append(r)
        last[cpu] = us
    end = kept[-1][0] if kept else 0
    # LOST says 2 each; those that are not told were counted in the end.
    spans += [(start, end) for start in open_.values()]
    told = [r[2] for r in kept if r[1] == "lost"]
    counts = [(0, "count", cpu, 2 * told.count(cpu) + (cpu in open_))
              for cpu in lost]
    at = rng.choice((0, len(kept)))
    return kept[:at] + counts + kept[at:], \
        [(first if a is None else a, b) for a, b in spans]


def expected(records, spans):
    at, sums = {}, {"syscall": (0, 0)}
    for us, what, _, tid in records:
        call = what in ("call", "return")
        if what in ("lost", "count"):
            continue
        begin = at.pop((tid, call), None)
        if what in ("call", "begin"):
            # A lock that begins twice is one wait, if nothing was lost.
            at[tid, call] = us if call or begin is None or any(
                b > begin and b <= us for _, b in spans
                if (b, "lost") in TOLD_AT) else begin
            continue
        if begin is None or any(a < us and b > begin for a, b in spans):
            continue
        kind = "lock" if call else "kernel"
        n, time = sums.get(kind, (0, 0))
        sums[kind] = n + 1, time + us - begin
        if call:
            time, longest = sums["syscall"]
            sums["syscall"] = time + us - begin, max(longest, us - begin)
    return sums


rng, wrong, some = random.Random(12), [], 0
for n in range(150):
    records, spans = lose(rng, schedule(rng))
    TOLD_AT = {(r[0], r[1]) for r in records}
    want = expected(records, spans)
    got = reported("random", records)
    some += want["syscall"][0] != 0 and bool(spans)
    if got != want:
        wrong.append((n, got, want, spans))
tap.ok(not wrong, "150 random schedules with losses", wrong[:2])
tap.ok(some >= 40, "in which some calls are known", some)

# The time of a call by what its thread did, where switches were recorded: 100
# reads 10 us, is blocked for 20, ready for 5; then --time cuts the call.
waits = made.head_of("good-waits", "sched").replace("CALLCHAIN|", "")
head, rest = HEAD.split("tracing", 1)
split = head + "".join(
    x.replace(" ids=", " ids=1") + "\n" for x in waits.splitlines()
    if x.startswith("attr ")) + "tracing" + rest.split("comm 100")[0] + \
    "format sched" + waits.split("format sched", 1)[1].split("\nEND\n")[0] + \
    "\nEND\n" + "format sched" + \
    waits.split("format sched", 2)[2].split("\nEND\n")[0] + "\nEND\n"


def switch(us, prev, state, then):
    return "sample sched:sched_switch ip=0xffffffff81000104 pid=%d time=%d " \
        "cpu=0 id=11 raw=u2:316,u1:0,u1:0,u4:%d,c16:x,u4:%d,u4:120,u8:%d," \
        "c16:y,u4:%d,u4:120\n" % (prev, us * US, prev, prev, state, then)


def waking(us, by, pid):
    return "sample sched:sched_waking ip=0xffffffff81000104 pid=%d time=%d " \
        "cpu=0 id=12 raw=u2:317,u1:0,u1:0,u4:%d,c16:x,u4:%d,u4:120,u4:0\n" % (
            by, us * US, by, pid)


path = made.build("split", split + switch(1000, 0, 0, 100) +
                  text_of((1010, "call", 0, 100)) + switch(1020, 100, 1, 7) +
                  waking(1040, 7, 100) + switch(1045, 7, 0, 100) +
                  text_of((1055, "return", 0, 100)) +
                  text_of((1060, "call", 0, 100)) +
                  text_of((1062, "return", 0, 100)))


def parts(*options):
    return [tuple(r[k] // US for k in ("Time", "On CPU", "Ready", "Blocked"))
            for r in made.rows(made.report(path, "syscalls", *options),
                               "syscalls")]


is_(parts(), [(47, 22, 5, 20)], "on the CPU, ready, blocked")
is_(parts("--time", "0.001030,0.001050"), [(20, 5, 5, 10)],
    "the parts that --time keeps")
is_([(r["Time"] // US, r["Call"], r["Arguments"]) for r in
     made.rows(made.report(path, "syscalls"), "syscall-slowest")],
    [(45, "futex", "(7000, 80, 2, 0, 0, 0)"),
     (2, "futex", "(7000, 80, 2, 0, 0, 0)")], "the slowest calls")
tap.done()
