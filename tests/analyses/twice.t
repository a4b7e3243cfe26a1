#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A tracepoint that two events record: what happened is counted once.
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
import made

MORE = 1000  # is added to the id of the second event


def other(line):
    """The line of the second event."""
    return re.sub(r"\bids?=(\d+)",
                  lambda m: "%s=%d" % (m[0].split("=")[0], int(m[1]) + MORE),
                  line)


def doubled(text):
    """Attributes and samples twice; a sample may go on in the next line."""
    lines = re.split(r"(?<!\\)\n", text)
    attrs = [line for line in lines if line.startswith("attr")]
    out = []
    for line in lines:
        out.append(line)
        if line.startswith("sample"):
            out.append(other(line))
        if line == attrs[-1]:
            out += [other(a) for a in attrs]
    return "\n".join(out)


with open(os.path.join(tap.top_srcdir, "corpus", "good-latencies",
                       "input.mkperf")) as f:
    once = f.read()
paths = [made.build(name, text) for name, text in (("once", once),
                                                   ("twice", doubled(once)))]
for command in "syscalls", "locks", "blockio":
    reports = [made.report(path, command) for path in paths]
    tables = [([s for s in rep["sections"] if s["type"] in ("table", "tree")],
               [n for n in made.notes(rep).split("\n")
                if "of the samples" not in n])
              for rep in reports]
    tap.ok(tables[0] == tables[1] and tables[0][0] != [],
           command + ": two events of a tracepoint tell one thing",
           "got  %r\nwant %r" % (tables[1], tables[0]))

# --event leaves out the one that tells first.
named = re.sub(r"^(attr|sample) (\S+)((?:.*\\\n)*.*?\bids?=1\d\d\d)", r"\1 \2:k\3",
               doubled(once), flags=re.M)
path = made.build("named", named)
for command in "syscalls", "locks", "blockio":
    reports = [made.report(paths[0], command),
               made.report(path, command, "--event", "*:k")]
    tables = [[s for s in rep["sections"] if s["type"] in ("table", "tree")]
              for rep in reports]
    tap.ok(tables[0] == tables[1] and tables[0] != [],
           command + ": one of the two is chosen",
           "got  %r\nwant %r" % (tables[1], tables[0]))
tap.done()
