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
    for choice, shown in ((), want), (("-e", other), other):
        p = subprocess.run([tap.coldperf, "diff", "--no-local", "-f", "json",
                            *choice, path, path], stdout=subprocess.PIPE)
        got = {r["Event"] for r in made.rows(made.json.loads(p.stdout),
                                             "captures")}
        tap.ok(got == {shown}, "%s: diff %s compares %s" %
               (name, " ".join(choice), shown), got)

# A hybrid processor has an event for each kind of core: one picture of both.
HYBRID = """container file
attr %(first)s type=%(type)s config=%(c1)s period=4000 flags=freq sample_type=IP|TID|TIME|ID|PERIOD|CALLCHAIN ids=1
attr %(second)s type=%(type)s config=%(c2)s period=4000 flags=freq sample_type=IP|TID|TIME|ID|PERIOD|CALLCHAIN ids=2
comm 10 10 known
mmap pid=10 addr=0x400000 len=0x1000 pgoff=0 name="/lib/a"
mmap pid=10 addr=0x500000 len=0x1000 pgoff=0 name="/lib/b"
repeat %(n)d as i {
sample %(first)s ip=0x400010 pid=10 time=1000000+i*1000 period=1000 chain=user,0x400010
sample %(second)s ip=0x400010 pid=10 time=1000100+i*1000 period=3000 chain=user,0x400010
sample %(second)s ip=0x500010 pid=10 time=1000200+i*1000 period=2000 chain=user,0x500010
}
"""


def hybrid(name, first, second, kind=0, c1="0xa00000000", c2="0x400000000",
           n=50):
    return made.build(name, HYBRID % {
        "first": first, "second": second, "type": kind, "c1": c1, "c2": c2,
        "n": n})


def tables(path, *options):
    rep = made.report(path, "hotspots", *options)
    return [s for s in rep["sections"] if s.get("slug") == "hotspots"]


def objects(path, *options):
    return {r["Object"]: (r["Samples"], round(r["Share"]["value"], 6))
        for r in made.rows(made.report(path, "hotspots", "--by", "dso",
                                       *options), "hotspots")}


ATOM, CORE = "cpu_atom/cycles/u", "cpu_core/cycles/u"
path = hybrid("both", ATOM, CORE)
both = ATOM + " + " + CORE
got = objects(path)
tap.ok(got == {"a": (100, round(4 / 6, 6)), "b": (50, round(2 / 6, 6))},
       "hybrid: shares are of both events together", got)
for command in "hotspots", "report", "flame", "timeline":
    rep = made.report(path, command)
    tap.ok(rep["event"] == both, "hybrid: %s is about both" % command,
           rep["event"])
marked = made.scalars(made.report(path, "flame"), "label").get("hybrid", "")
tap.ok("%s (samples: 50) + %s (samples: 100)" % (ATOM, CORE) in marked,
       "hybrid: the label says how many samples each has", marked)
got = output(path, "flame", "-f", "folded").split("\n")
tap.ok(sorted(got) == ["", "known;[a] 200000", "known;[b] 100000"],
       "hybrid: the tree has the sums of both", got)
svg = output(path, "flame", "-f", "svg")
tap.ok(both + " at 4000 Hz" in svg, "hybrid: the picture bears both names")
got = objects(path, "-e", CORE)
tap.ok(got == {"a": (50, 0.6), "b": (50, 0.4)},
       "hybrid: -e chooses one", got)
got = made.report(path, "flame", "-e", CORE)["event"]
tap.ok(got == CORE, "hybrid: -e bears the name of that one", got)
got = {(r["Event"], r["Samples"]) for r in made.rows(made.report(
    path, "hotspots", "--by", "event"), "hotspots")}
tap.ok(got == {(ATOM, 50), (CORE, 100)}, "hybrid: --by event tells them apart",
       got)
p = subprocess.run([tap.coldperf, "diff", "--no-local", "-f", "json",
                    "--per", "run", path, hybrid("swapped", CORE, ATOM)],
                   stdout=subprocess.PIPE)
runs = [s for s in made.json.loads(p.stdout)["sections"]
        if s.get("slug") == "captures"]
got = [dict(zip([c["name"] for c in s["columns"]], r["values"]))
       for s in runs for r in s["rows"]]
tap.ok([r["Samples"] for r in got] == [150, 150] and
       "Different events" not in p.stdout.decode(),
       "hybrid: diff compares both together, whichever stands first", got)

ALONE = (("an event by its number", "cpu_atom/event=0x3c/",
          "cpu_core/event=0x3c/", {"kind": 4}),
         ("user and kernel apart", "cpu_atom/cycles/u", "cpu_core/cycles/k",
          {}),
         ("another term", "cpu_atom/cycles/", "cpu_core/instructions/", {}))
for name, first, second, other in ALONE:
    path = hybrid(name.replace(" ", "-"), first, second, **other)
    tap.ok(len(tables(path)) == 2, "not the same: %s" % name)
tap.done()
