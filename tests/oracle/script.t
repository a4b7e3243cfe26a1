#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf script prints every sample as perf script does.
#
# Compared line for line, with runs of blanks as one (column widths are not
# part of the promise).  The address of a user frame in a chain is left out:
# perf prints the offset in the file before 6.12 and the address since.
import itertools
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

FIELDS = "comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso"
LACKING = re.compile(r"Cannot print '(\w+)' field")
KERNEL = 1 << 63
# capture: (lines that differ, reason)
ALLOWED = {
}


def perf_script(path):
    """Fields that perf accepts for this capture, and what it printed."""
    fields = FIELDS.split(",")
    while True:
        status, out, err = oracle.run(
            ["perf", "script", "-f", "--no-inline", "--no-itrace", "-F",
             ",".join(fields), "-i", path])
        m = LACKING.search(err)
        if not m or m.group(1) not in fields:
            return ",".join(fields), oracle.refused(status, err), out
        fields.remove(m.group(1))


def frames(line):
    """A line of a chain: (address, the rest); None for other lines."""
    m = re.match(r"\t\s*([0-9a-f]+) (.*)$", line)
    return (int(m.group(1), 16), m.group(2)) if m else None


def comparable(line, kernel):
    frame = frames(line)
    if frame is None:
        return " ".join(line.split())
    return "%x %s" % frame if kernel else frame[1]


def pairs(ours, theirs):
    for got, want in itertools.zip_longest(ours.splitlines(),
                                           theirs.splitlines()):
        frame = frames(got or "")
        kernel = frame is not None and frame[0] >= KERNEL
        yield tuple(comparable(line, kernel) if line is not None else "nothing"
                    for line in (got, want))


oracle.need_perf()
allowed = oracle.Allowed(ALLOWED)
for name, path in oracle.captures():
    fields, reason, theirs = perf_script(path)
    if reason:
        tap.skip("%s: %s" % (name, reason))
        continue
    status, ours, messages = oracle.run(
        [tap.coldperf, "script", "-F", fields, path])
    differing, why = oracle.report_differences(pairs(ours, theirs))
    if status not in (0, 3):
        why = "exit status %d: %s\n%s" % (status, messages, why)
        differing = max(differing, 1)
    allowed.judge(name, differing, "%s: %d lines equal perf script" %
                  (name, len(theirs.splitlines())), why)
tap.done()
