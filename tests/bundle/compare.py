#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py OURS PERF [leaves]: two outputs of script, line by line.

Both have the fields comm,tid,time,ip,sym,symoff,dso.  What may differ:
addresses, which perf before 6.12 prints as offsets in the file; the object of
JIT code, which perf calls by files of perf inject; stubs, which perf before
6.3 takes for one another.  Where perf has no name we may have one, but not
the other way round.  With "leaves", callers are left out.

Prints the number of frames, of those that perf names, and of those that only
we do; fails if any other line differs.
"""
import re
import sys

STUB = re.compile(r"(?<!\S)(\S*@plt|\.plt|_init)(\+0x[0-9a-f]+)?(?=\s|$)")
CODE = re.compile(r"\((\S*/jitted-\d+-\d+\.so|\S*/jit-\d+\.dump|"
                  r"\S*perf-\d+\.map|\[unknown\]|//anon|\[heap\])\)$")


def read(path, leaves):
    samples = []
    with open(path, errors="replace") as f:
        for line in f:
            frame = re.match(r"\t\s*[0-9a-f]+ (.*?)\s*$", line)
            if frame and not (leaves and len(samples[-1]) > 1):
                text = STUB.sub("[unknown]", frame.group(1))
                samples[-1].append(CODE.sub("(code)", text))
            elif line.strip() and not frame:
                samples.append([" ".join(line.split())])
    return samples


def named_by_us_only(ours, perf):
    """The name is all that perf lacks."""
    return perf.startswith("[unknown] ") and \
        ours.rsplit(" ", 1)[-1] == perf.rsplit(" ", 1)[-1]


leaves = sys.argv[3:] == ["leaves"]
ours, perf = read(sys.argv[1], leaves), read(sys.argv[2], leaves)
frames = named = more = wrong = 0
if len(ours) != len(perf):
    print("%d samples, perf has %d" % (len(ours), len(perf)))
    wrong = 1
for a, b in zip(ours, perf):
    if len(a) != len(b):
        a, b = ["\n  ".join(a)], ["\n  ".join(b)]
    for x, y in zip(a, b):
        frames += 1
        named += not y.startswith("[unknown] ")
        if x == y:
            continue
        if named_by_us_only(x, y):
            more += 1
        else:
            wrong += 1
            if wrong < 6:
                print("coldperf: %s\nperf:     %s" % (x, y))
print("%d lines, perf names %d, we %d more, %d differ" %
      (frames, named, more, wrong))
sys.exit(wrong != 0 or named == 0)
