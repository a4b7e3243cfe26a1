#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What carries the id of no event is left out, counted, and said with status 3:
# a sample, and the value of a counter in a sample of a group.  Another record
# is used, and its id is a note.
import json
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

tmp = tempfile.TemporaryDirectory()
FIELDS = "sample_type=IDENTIFIER|IP|TID|TIME|PERIOD|READ"
GROUP = "".join(
    "attr %s type=0 config=%d period=%d %s read_format=ID|GROUP "
    "flags=sample_id_all|mmap ids=%d\n" % (name, number, 100 - 100 * number,
                                           FIELDS, number + 1)
    for number, name in enumerate(("cycles", "instructions"))) + "".join(
        "sample cycles ip=0x400010 pid=8 time=%d period=100 id=1 "
        "read=2,%d,1,%d,%d\n" % (i * 1000, i * 100, i * 10, member)
        for i, member in enumerate((2, 77, 2, 88), 1))


def quality(path):
    """The numbers of the view, and how the run ended."""
    r = subprocess.run([tap.coldperf, "quality", "-f", "json", path],
                       capture_output=True, text=True)
    numbers = {}
    for section in json.loads(r.stdout)["sections"]:
        for scalar in section.get("scalars", []):
            numbers[scalar["key"]] = scalar["value"]
    return numbers, r


def check(what, path, unknown, samples):
    numbers, r = quality(path)
    tap.ok(numbers["samples_unknown_id"] == unknown and
           numbers["samples"] == samples, "%s: counted" % what, numbers)
    tap.ok(r.returncode == 3 and "(unknown-id)" in r.stderr and
           numbers["quality"].startswith(
               "%d sample%s of no event" % (unknown, "s"[:unknown > 1])),
           "%s: said" % what, "status %d\n%s%s" % (
               r.returncode, r.stderr, numbers["quality"]))


check("a sample", tap.capture("odd-unknown-id", tmp.name), 1, 2)
group = os.path.join(tmp.name, "group")
with open(group + ".in", "w") as f:
    f.write(GROUP)
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                group + ".in", group], check=True)
# Four samples of the leader, two of the member: 10, then the increase of 20.
check("counters of a group", group, 2, 6)

# The trailer of another record ends in the id.
KNOWN = GROUP.replace(",77", ",2").replace(",88", ",2")
for kind, record in (
        (1, 'mmap pid=8 addr=0x400000 len=4096 pgoff=0 name="/a" time=4000'),
        (8, "read pid=8 values=1,5,2 time=4000")):
    said = []
    for number in 2, 99:
        with open(group + ".in", "w") as f:
            f.write("%s%s .id=%d\n" % (KNOWN, record, number))
        subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                        group + ".in", group], check=True)
        r = subprocess.run([tap.coldperf, "quality", "--diag", "json", group],
                           capture_output=True, text=True)
        said.append((r.stderr, r.returncode))
    place = r"id 99 in a record of type %d is of no event" % kind
    tap.ok(re.search(place, said[1][0]) and not re.search(place, said[0][0]),
           "the id of a record of type %d: said" % kind, said)
    tap.ok(said[1][1] == 0, "... and no damage", said)
tap.done()
