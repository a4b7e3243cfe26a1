#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Captures of stacks that are all new: what a node costs, and what happens at
# the limit.
import csv
import io
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

DEPTH = 250
scratch = tempfile.TemporaryDirectory(prefix="coldperf-stacks.")
data = os.path.join(scratch.name, "data")


def capture(samples):
    text = os.path.join(scratch.name, "in")
    with open(text, "w") as f:
        f.write("attr cycles type=0 config=0 period=1 "
                "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN "
                "flags=sample_id_all|mmap\n"
                'mmap pid=7 addr=4194304 len=2147483648 pgoff=0 '
                'name=//anon time=1\n')
        for i in range(samples):
            at = 4198400 + 16 * DEPTH * i
            f.write("sample cycles ip=%d pid=7 time=%d period=%d "
                    "chain=user,%s\n" % (at, 10 + i, 1 + i % 2 * 999, ",".join(
                        str(at + 16 * j) for j in range(DEPTH))))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    text, data], check=True)


def run(*arguments):
    """Status, output, messages and the largest resident size in KiB."""
    with open(os.path.join(scratch.name, "out"), "w+") as out, \
            open(os.path.join(scratch.name, "err"), "w+") as err:
        p = subprocess.Popen([tap.coldperf, *arguments, "--no-local", data],
                             stdout=out, stderr=err)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return p.returncode, out.read(), err.read(), usage.ru_maxrss


capture(400)
for command in (("hotspots", "--children"), ("report",),
                ("flame", "-f", "folded"), ("script",)):
    status, out, err, _ = run(*command, "--limit", "stacks=5000")
    tap.ok(status == 4 and "CP_MAX_STACKS" in err and "unmapped" not in err,
           command[0] + ": at the limit the status is 4", (status, err))
status, out, err, _ = run("hotspots", "-f", "csv", "--children", "--top",
                          "0", "--limit", "stacks=5000")
samples = sum(int(row["samples"]) for row in csv.DictReader(io.StringIO(out)))
tap.ok(samples == 400, "no sample is lost", samples)
_, out, err, _ = run("script", "-F", "ip", "--limit", "stacks=5000")
stacks = [s.split() for s in out.split("\n\n") if s.strip()]
leaves = ["%x" % (4198400 + 16 * DEPTH * i) for i in range(400)]
tap.ok([s[0] for s in stacks] == leaves and
       sum(len(s) == DEPTH for s in stacks) in range(15, 21),
       "at the limit each sample keeps its innermost frame",
       [s[:3] for s in stacks[:30:7]])
_, out, err, _ = run("flame", "-f", "folded", "--limit", "stacks=5000")
deeper = [int(line.rsplit(" ", 1)[1]) for line in out.splitlines()
          if ";[deeper];" in line]
tap.ok(sum(int(line.rsplit(" ", 1)[1]) for line in out.splitlines()) ==
       200 + 200 * 1000 and sum(deeper) > 150000 and "[deeper]" in err,
       "callers that are left out are one frame, with their sum",
       (len(deeper), sum(deeper), err))
status, out, err, _ = run("report", "--limit", "stacks=200K")
tap.ok(status == 0, "and above it all is as usual", (status, err))

with open(os.path.join(scratch.name, "perf-7.map"), "w") as f:
    for i in range(400 * DEPTH):
        f.write("%x 10 f%d\n" % (4198400 + 16 * i, i))
pictures = []
for more in ((), ("-o", os.path.join(scratch.name, "all.folded"))):
    picture = os.path.join(scratch.name, "picture.svg")
    _, _, err, peak = run("flame", "-o", picture, "--symbols", scratch.name,
                          *more)
    with open(picture) as f:
        pictures.append((f.read(), peak))
tap.ok(pictures[0][0] == pictures[1][0] and
       "50,000 frames below" in pictures[0][0] and
       (tap.sanitized or pictures[0][1] + 3000 < pictures[1][1]),
       "nodes too light to be drawn are not made, but counted",
       (err, re.findall("foot.*", pictures[0][0]), [p[1] for p in pictures]))

if tap.sanitized:
    tap.skip("a sanitizer needs memory of its own")
else:
    nodes = 2000 * DEPTH
    _, _, _, few = run("report")
    capture(2000)
    status, _, err, many = run("report")
    each = (many - few) * 1024 / (nodes - 400 * DEPTH)
    # 580 before keys and sums were made small, 120 before addresses without
    # names, which all of these are, were grouped into ranges.
    tap.ok(status == 0 and each < 180, "a stack node costs less than 180 bytes",
           "%d bytes, status %d\n%s" % (each, status, err))
    tap.diag("%d bytes a node" % each)
tap.done()
