#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Waits for locks whose begins and ends are those of several idle threads, or
# are missing.
import os
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
from tap import is_
import made
from made import US

HEAD = made.head_of("good-latencies", "raw_syscalls")
EVENTS = {"enter": ("raw_syscalls:sys_enter", 1, 443),
          "exit": ("raw_syscalls:sys_exit", 2, 442),
          "begin": ("lock:contention_begin", 5, 408),
          "end": ("lock:contention_end", 6, 407)}
MUTEX, WRITER = 32, 4
WAIT = ",u8:202,u8:0x7000,u8:0x80,u8:2,u8:0,u8:0,u8:0"
WAKE = ",u8:202,u8:0x7000,u8:0x81,u8:1,u8:0,u8:0,u8:0"
READ = ",u8:0" * 7
DONE, HAS_READ = ",u8:202,u8:0", ",u8:0,u8:0"


def text_of(us, what, raw, cpu=0, tid=100):
    event, i, number = EVENTS[what]
    return ("sample %s ip=0xffffffff81000104 pid=%d tid=%d time=%d cpu=%d "
            "id=%d raw=u2:%d,u1:0,u1:0,u4:%d%s\n" %
            (event, tid, tid, us * US, cpu, i, number, tid, raw))


def begin(us, kind, *where):
    return text_of(us, "begin", ",u8:0xffff8880,u4:%d,n:4" % kind, *where)


def end(us, *where):
    return text_of(us, "end", ",u8:0xffff8880,u4:0,n:4", *where)


def waits(name, *records):
    """Number of the waits, their sum and the longest in us; notes."""
    rep = made.report(made.build(name, HEAD + "".join(records)), "locks")
    rows = made.rows(rep, "lock-threads")
    return (sum(r["Waits"] for r in rows),
            sum(r["Time"] for r in rows) // US,
            max([(r["Max"] or 0) // US for r in rows], default=0)), \
        made.notes(rep)


got, said = waits("idle", begin(10, 1, 0, 0), begin(20, 1, 1, 0),
                  end(30, 0, 0), end(50, 1, 0))
is_(got, (2, 50, 30), "the idle threads of two CPUs wait apart")

GONE = 0xffffffff
got, said = waits("exits", begin(10, 1, 1), begin(15, 1, 0, GONE),
                  end(30, 1, GONE), end(50, 0, GONE))
is_(got, (2, 55, 35), "a thread that exits while it spins ends its wait")
tap.ok("not recorded" not in said, "which is not taken for lost", said)

got, said = waits("spins", begin(10, MUTEX | 1), begin(20, MUTEX), end(30))
is_(got, (1, 20, 20), "a mutex that spins and then sleeps: one wait")
got, said = waits("again", begin(10, WRITER), begin(100, WRITER), end(130))
is_(got, (1, 30, 30), "another lock that begins again: its end is missing")
tap.ok("their end not recorded: 1;" in said, "which is told", said)

got, said = waits("futex", text_of(10, "enter", WAIT), text_of(30, "exit", DONE))
is_(got, (1, 20, 20), "a wait for a futex")
for name, records in (
        ("call", [(100, "enter", READ), (200, "exit", HAS_READ)]),
        ("return", [(200, "exit", HAS_READ)]),
        ("begin", [(100, "enter", READ), (200, "exit", DONE)]),
        ("wake", [(100, "enter", WAKE), (200, "exit", DONE)])):
    got, said = waits(name, text_of(10, "enter", WAIT),
                      *(text_of(*r) for r in records))
    is_(got, (0, 0, 0), "its end is missing: another call does not end it, "
        + name)
    tap.ok("their end not recorded: 1;" in said, "which is told", said)



def waker(name, *records):
    """Who woke thread 100; the others are of its process."""
    text = "".join(text_of(*r) for r in records).replace(" pid=200 ", " pid=100 ")
    rep = made.report(made.build(name, HEAD + text), "locks")
    return [r["Waker"] for r in made.rows(rep, "futexes")]


WAITS = [(20, "enter", WAIT), (50, "exit", DONE)]
for name, at in (("during", 30), ("before", 10)):
    got = waker(name, *sorted(WAITS + [(at, "enter", WAKE, 0, 200),
                                       (at + 1, "exit", DONE, 0, 200)]))
    is_(got, ["beta" if name == "during" else "(not known)"],
        "a wake-up %s the wait" % name)

# The operation and the value that is expected tell what a futex is: (operation,
# value), as glibc 2.36, Rust 1.63 and Go 1.19 call it.
KINDS = [("glibc's mutex", 0x80, 2, "lock"), ("Rust's mutex", 0x89, 2, "lock"),
         ("musl's mutex", 0x80, 0x80000010, "lock"),
         ("a mutex with priority inheritance", 0x86, 0, "lock"),
         ("glibc's condition variable", 0x189, 2, "other wait"),
         ("a join", 0x109, 4711, "other wait"),
         ("an idle thread of Go", 0x80, 0, "other wait"),
         ("a parked thread of Rust", 0x89, 0xffffffff, "other wait")]
for i, (who, operation, value, want) in enumerate(KINDS):
    wait = ",u8:202,u8:0x7000,u8:0x%x,u8:0x%x,u8:0,u8:0,u8:0" % (operation,
                                                               value)
    path = made.build("kind", HEAD + text_of(10, "enter", wait) +
                      text_of(900000, "exit", DONE))
    rep = made.report(path, "locks")
    is_([r["Kind"] for r in made.rows(rep, "futexes")], [want],
        who + " is " + want)
    found = [r["Finding"] for r in
             made.rows(made.report(path, "report"), "findings")
             if r["About"] == "locks"]
    tap.ok(len(found) == (want == "lock"), who + ": the finding", found)

# A signal comes: the kernel has forgotten the number of the call that ends.
path = made.build("signal", HEAD + "".join((
    text_of(10, "enter", ",u8:39" + ",u8:0" * 6),
    text_of(15, "exit", ",u8:-1,u8:-1"),
    text_of(20, "enter", ",u8:15" + ",u8:0" * 6),
    text_of(21, "exit", ",u8:-1,u8:-4"),
    text_of(30, "enter", READ), text_of(38, "exit", HAS_READ))))
is_({r["Call"]: (r["Calls"], r["Errors"], r["Time"]) for r in
     made.rows(made.report(path, "syscalls"), "syscalls")},
    {"getpid": (1, 0, 5 * US), "rt_sigreturn": (1, 0, 1 * US),
     "read": (1, 0, 8 * US)}, "an exit of -1 ends the call under way")
tap.done()
