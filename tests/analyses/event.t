#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The right event: a report is about the one that measures CPU time, wherever
# it stands, and bears its name; others come after it.
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
import tap

KINDS = {
    "sched:sched_switch": "type=2 config=316 period=1",
    "page-faults": "type=1 config=2 period=1",
    "instructions": "type=0 config=1 period=4000 flags=freq",
    "branches": "type=0 config=4 period=4000 flags=freq",
    "task-clock": "type=1 config=1 period=1000000",
    "cpu-clock": "type=1 config=0 period=1000000",
    "cycles:u": "type=0 config=0 period=4000 flags=freq",
    "cpu_atom/cycles/": "type=0 config=0xa00000000 period=4000 flags=freq",
    "armv8_pmuv3_0/cpu-cycles/": "type=9 config=0x11 period=4000 flags=freq",
}


def capture(name, events):
    """events: (name, samples) in the order of the file."""
    text = ["container file"]
    for i, (event, _) in enumerate(events):
        text.append("attr %s %s sample_type=IP|TID|TIME|ID|PERIOD ids=%d" %
                    (event, KINDS[event], i + 1))
    text.append("comm 10 10 known")
    at = 1000000000
    for i, (event, n) in enumerate(events):
        for k in range(n):
            at += 1000000
            text.append("sample %s ip=0x%x pid=10 time=%d" %
                        (event, 0x1000 + 16 * i, at))
    return made.build(name, "\n".join(text) + "\n")


def output(path, *options):
    p = subprocess.run([tap.coldperf, options[0], "--no-local", *options[1:],
                        path], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.stdout.decode()


def titles(text):
    """Events in the order in which their tables stand."""
    return [line.split(": ")[0] for line in text.splitlines()
            if re.match(r"\S+: \d+ samples?, ", line)]


CASES = (
    ("first", [("sched:sched_switch", 50), ("cpu-clock", 5)], "cpu-clock"),
    ("clocks", [("task-clock", 9), ("cpu-clock", 5), ("page-faults", 99)],
     "cpu-clock"),
    ("cycles", [("cpu-clock", 50), ("cycles:u", 3)], "cycles:u"),
    ("hybrid", [("cycles:u", 3), ("cpu_atom/cycles/", 4),
                ("instructions", 9)], "cpu_atom/cycles/"),
    ("raw", [("instructions", 9), ("armv8_pmuv3_0/cpu-cycles/", 2)],
     "armv8_pmuv3_0/cpu-cycles/"),
    ("most", [("instructions", 3), ("branches", 8), ("page-faults", 20)],
     "branches"),
    ("counted", [("sched:sched_switch", 30), ("page-faults", 2)],
     "page-faults"),
    ("empty", [("cycles:u", 0), ("sched:sched_switch", 3)],
     "sched:sched_switch"),
)

for name, events, want in CASES:
    path = capture(name, events)
    for command in "report", "flame", "hotspots", "timeline", "faults":
        if command == "faults" and "page-faults" not in dict(events):
            continue
        shown = "page-faults" if command == "faults" else want
        tap.ok(made.report(path, command)["event"] == shown,
               "%s: %s is about %s" % (name, command, shown),
               made.report(path, command)["event"])
    for command in "hotspots", "annotate":
        got = titles(output(path, command))
        there = [e for e, n in events if n]
        tap.ok(command == "annotate" and not got or
               got == [want] + [e for e in there if e != want],
               "%s: %s shows %s first, then the others" %
               (name, command, want), got)
    svg = output(path, "flame", "-f", "svg")
    got = re.findall(r"s · (\S+) (?:at \d|every \d)", svg)
    tap.ok(got and set(got) == {want},
           "%s: the picture bears the name of %s" % (name, want), got)
    other = next((e for e, n in events if n and e != want), None)
    if other is None:
        continue
    text = output(path, "flame", "-f", "text")
    tap.ok(other in text and "--event" in text,
           "%s: %s is named with the option that shows it" % (name, other),
           text)
    for command in "flame", "timeline":
        got = made.report(path, command, "-e", other)["event"]
        tap.ok(got == other, "%s: %s -e %s bears its name" %
               (name, command, other), got)
    p = subprocess.run([tap.coldperf, "diff", "--no-local", "-f", "json", "-e",
                        other, path, path], stdout=subprocess.PIPE)
    tap.ok('"event":"%s"' % other in p.stdout.decode().replace(": ", ":"),
           "%s: diff -e %s bears its name" % (name, other))
tap.done()
