#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# --filter and --by field: count what can be counted in the text that perf
# script prints of the same payloads; what is wrong is named with what there is.
import collections
import csv
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

SCHED = os.path.join(os.environ["top_srcdir"], "corpus/good-sched/perf.data")
CALLS = os.path.join(os.environ["top_srcdir"], "corpus/good-syscalls/perf.data")


def coldperf(*words):
    p = subprocess.run([tap.coldperf, *words], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def lines(capture, *words):
    return coldperf("script", "--ns", "-F", "comm,pid,tid,cpu,time,event,trace",
                    *words, capture)[1].splitlines()


LINE = re.compile(r"^\s*(.+?)\s+(-?\d+)/(-?\d+)\s+\[(\d+)\]\s+(\d+)\.(\d+):"
                  r"\s+(\S+): (.*)$")


class Sample:
    """A line of script; as perf prints it, says tests/oracle/script.t."""

    def __init__(self, line):
        m = LINE.match(line)
        self.line = line
        self.comm, self.event, self.text = m.group(1), m.group(7), m.group(8)
        self.pid, self.tid, self.cpu = (int(m.group(i)) for i in (2, 3, 4))
        self.time = int(m.group(5)) * 10**9 + int(m.group(6))
        self.fields = dict(re.findall(r"(\w+)=(\S+)", self.text))

    def number(self, name):
        return int(self.fields[name], 0)


def is_switch(s):
    return s.event == "sched:sched_switch"


samples = [Sample(x) for x in lines(SCHED)]
some = samples[len(samples) // 2]
FILTERS = [
    ("sched:sched_switch: prev_pid != 0 && next_pid != 0",
     lambda s: not is_switch(s) or
     s.number("prev_pid") != 0 and s.number("next_pid") != 0),
    ("sched:sched_switch: !(prev_pid == 0 || next_prio < 120)",
     lambda s: not is_switch(s) or
     not (s.number("prev_pid") == 0 or s.number("next_prio") < 120)),
    ("sched:sched_switch: prev_state & 0xff",
     lambda s: not is_switch(s) or not s.fields["prev_state"].startswith("R")),
    ('sched:sched_switch: prev_comm ~ "swapper*"',
     lambda s: not is_switch(s) or
     s.fields["prev_comm"].startswith("swapper")),
    ("sched:*: CPU == 0 && TID >= 0", lambda s: s.cpu == 0),
    ("cpu == 1 || cpu == 0 && pid == 0",
     lambda s: (s.cpu if "target_cpu" not in s.fields else s.cpu) == 1 or
     s.cpu == 0 and (s.number("pid") if s.event.startswith("sched:sched_wak")
                     else s.pid) == 0),
    ("COMM == '%s'" % some.comm, lambda s: s.comm == some.comm),
    ("COMM !~ '%s*'" % some.comm[:2],
     lambda s: not s.comm.startswith(some.comm[:2])),
    ("time <= %d.%09d" % divmod(some.time, 10**9),
     lambda s: s.time <= some.time),
    ("next_pid > 0", lambda s: is_switch(s) and s.number("next_pid") > 0),
]
for text, keep in FILTERS:
    want = [s.line for s in samples if keep(s)]
    got = lines(SCHED, "--filter", text)
    tap.ok(got == want and (want or True),
           "--filter %s: %d of %d samples" % (text, len(want), len(samples)),
           "%d lines" % len(got))
two = lines(SCHED, "--filter", "CPU == 0", "--filter", "next_pid != 0")
tap.ok(two == [s.line for s in samples if is_switch(s) and s.cpu == 0 and
               s.number("next_pid") != 0], "two filters: both hold")

for text, words in [
        ("sched:sched_switch: prev_pidd == 1",
         ("no field `prev_pidd'", "prev_pid prev_prio", "addr weight period")),
        ("nothing == 1", ("no field `nothing'",)),
        ("prev_pid ==", ("at `the end' there must be a value",)),
        ("prev_pid ? 1", ("at `? 1' there must be ==",)),
        ("(prev_pid == 1", ("there must be a ) at the end",)),
        ("prev_pid == 1)", ("at `)' there must be a ( before it",)),
        ("prev_pid == 1 next_pid == 2", ("at `next_pid == 2'", "&& or ||")),
        ("prev_pid == 'x", ("the quote that ends",)),
        ("prev_comm > 3", ("prev_comm is a text",)),
        ("prev_pid ~ 3*", ("prev_pid is a number",)),
        ("(" * 100 + "prev_pid == 1", ("fewer parentheses",))]:
    status, _, said = coldperf("script", "--filter", text, SCHED)
    tap.ok(status == 2 and all(w in said for w in words),
           "--filter %.40s: the word that is wrong is named" % text, said)


def counts(capture, by, *words):
    """Samples by the values of the keys, from the table as CSV."""
    status, out, said = coldperf("hotspots", "--top", "0", "--format", "csv",
                                 "--by", by, *words, capture)
    if status != 0:
        return said
    got = collections.Counter()
    names = [{"comm": "command", "0": "args"}.get(k, k)
             for k in (w.split(":")[-1] for w in by.split(","))]
    for row in csv.DictReader(out.splitlines()):
        got[tuple(row[k] for k in names)] += int(row["samples"])
    return got


switches = [s for s in samples if is_switch(s)]
for by, key in [
        ("field:next_comm", lambda s: (s.fields["next_comm"],)),
        ("field:next_prio", lambda s: (s.fields["next_prio"],)),
        ("cpu,field:next_pid", lambda s: (str(s.cpu), s.fields["next_pid"])),
        ("comm,field:prev_prio,field:next_prio",
         lambda s: (s.comm, s.fields["prev_prio"], s.fields["next_prio"]))]:
    want = collections.Counter(key(s) for s in switches)
    got = counts(SCHED, by, "--split-threads", "--event", "sched:sched_switch")
    tap.ok(got == want, "--by %s: %d values" % (by, len(want)),
           "%s\n%s" % (got, want))
calls = [Sample(x) for x in lines(CALLS)]
want = collections.Counter(
    (m.group(1),) for m in (re.match(r"NR \d+ \((\w+)", s.text)
                            for s in calls if s.event.endswith("enter")))
got = counts(CALLS, "arg:0", "--event", "raw_syscalls:sys_enter")
tap.ok(isinstance(got, collections.Counter) and
       collections.Counter({(("%x" % int(k[0], 0)),): v
                            for k, v in got.items()}) == want,
       "--by arg:0: the first argument of system calls",
       "%s\n%s" % (got, want))
said = counts(SCHED, "field:nothing")
tap.ok("no sample has the field nothing" in said and "next_comm" in said,
       "a field that no event has is named, with those there are", said)
dumped = [x.split(" payload=", 1)[1] for x in
          coldperf("dump", SCHED)[1].splitlines() if " payload=" in x]
tap.ok(sorted(dumped) == sorted(s.text for s in samples),
       "dump has the payloads of all samples", dumped[:3])
tap.done()
