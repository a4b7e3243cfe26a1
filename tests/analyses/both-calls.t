#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Captures with raw_syscalls:* and syscalls:*, which tell each call twice.
import os
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
from tap import is_
import made
from made import US

ONE, ALL = "syscalls:", "raw_syscalls:"
# Events by which group and which end of a call: name, id, number, payload.
EVENTS = {
    (ALL, "enter"): ("raw_syscalls:sys_enter", 1, 443,
                     "u8:202,u8:0x7000,u8:0x80,u8:2,u8:0,u8:0,u8:0"),
    (ALL, "exit"): ("raw_syscalls:sys_exit", 2, 442, "u8:202,u8:0"),
    (ONE, "enter"): ("syscalls:sys_enter_futex", 8, 600,
                     "u4:202,u4:0,u8:0x7000,u8:0x80"),
    (ONE, "exit"): ("syscalls:sys_exit_futex", 9, 601, "u4:202,u4:0,u8:0"),
}
COMMON = [("unsigned short common_type", 0, 2),
          ("unsigned char common_flags", 2, 1),
          ("unsigned char common_preempt_count", 3, 1),
          ("int common_pid", 4, 4), ("int __syscall_nr", 8, 4)]
FIELDS = {"enter": [("u32 * uaddr", 16, 8), ("int op", 24, 8)],
          "exit": [("long ret", 16, 8)]}


def format_of(end):
    name, _, number, _ = EVENTS[ONE, end]
    fields = "".join("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:1;\n" % f
                     for f in COMMON + FIELDS[end])
    return ("format syscalls <<END\nname: %s\nID: %d\nformat:\n%s\n"
            "print fmt: \"\"\nEND\n" % (name.split(":")[1], number, fields))


def attr_of(end):
    name, i, number, _ = EVENTS[ONE, end]
    return ("attr %s type=2 config=%d period=1 sample_type=IP|TID|TIME|CPU|"
            "PERIOD|RAW|IDENTIFIER flags=sample_id_all ids=%d\n" %
            (name, number, i))


def head():
    text = made.head_of("good-latencies", "raw_syscalls")
    attrs, features = text.split("feature", 1)
    before, formats = features.split("tracing\n", 1)
    return (attrs + attr_of("enter") + attr_of("exit") + "feature" + before +
            "tracing\n" + format_of("enter") + format_of("exit") + formats)


def text_of(us, group, end):
    name, i, number, raw = EVENTS[group, end]
    return ("sample %s ip=0xffffffff81000104 pid=100 tid=100 time=%d cpu=0 "
            "id=%d raw=u2:%d,u1:0,u1:0,u4:100,%s\n" %
            (name, us * US, i, number, raw))


def call(begin, end, first, second):
    """A wait for a futex, told by the events of both groups."""
    return (text_of(begin, first, "enter") + text_of(begin, second, "enter") +
            text_of(end, first, "exit") + text_of(end, second, "exit"))


def sums(rep, slug, what):
    rows = made.rows(rep, slug)
    return sum(r[what] for r in rows), sum(r["Time"] for r in rows) // US


for first, second in ((ALL, ONE), (ONE, ALL)):
    # Two calls, of 20 and of 50 us.
    path = made.build(first[:3], head() + call(10, 30, first, second) +
                      call(100, 150, first, second))
    for event in ("*", "raw_syscalls:*", "syscalls:*"):
        said = "%s first, %s" % (first, event)
        is_(sums(made.report(path, "syscalls", "--event", event), "syscalls",
                 "Calls"), (2, 70), "calls: " + said)
        is_(sums(made.report(path, "locks", "--event", event), "lock-threads",
                 "Waits"), (2, 70), "waits: " + said)
    is_(sums(made.report(path, "syscalls", "--event", "syscalls:*", "--event",
                         "raw_syscalls:sys_exit"), "syscalls", "Calls"),
        (2, 70), "both ends come before one: %s first" % first)
    is_(sums(made.report(path, "syscalls", "--event",
                         "syscalls:sys_enter_futex"), "syscalls", "Calls"),
        (2, 0), "begins alone have no time: %s first" % first)

# The events of one group have no samples: a filter left them in the kernel.
path = made.build("none", head() + text_of(10, ONE, "enter") +
                  text_of(30, ONE, "exit"))
for command in "syscalls", "locks":
    tap.ok("counted with --event 'syscalls:*'" in
           made.notes(made.report(path, command)),
           command + ": what is left out is said")
is_(sums(made.report(path, "syscalls", "--event", "syscalls:*"), "syscalls",
         "Calls"), (1, 20), "and counted with that option")
path = made.build("cut", head() + text_of(10, ALL, "enter") +
                  text_of(30, ALL, "exit"))
CUT = "begun before a window of --time, or ended after it: 1; counted with"
for window, want, said in (("0.000005,0.00002", (1, 10), True),
                           ("0.000005,0.00004", (1, 20), False),
                           ("0.000015,0.00002", (1, 5), True),
                           ("0.00002,0.00004", (1, 10), True)):
    rep = made.report(path, "syscalls", "--time", window)
    is_((sums(rep, "syscalls", "Calls"), CUT in made.notes(rep)),
        (want, said), "--time %s cuts a call, and says so" % window)
tap.done()
