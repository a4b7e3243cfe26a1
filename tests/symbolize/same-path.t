#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# perf's table has build IDs by path.  If several files had a path while it was
# recorded, the table's ID can be that of another one: it proves nothing.
import json
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-same-path.")
ID, OTHER = "00112233445566778899aabbccddeeff00112233", "ff" * 20
PROGRAM = os.path.join(scratch.name, "prog")


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.PIPE, check=False)


def states(records, ids=(ID,)):
    """Trust classes of the program's objects; is it told?"""
    with open(PROGRAM + ".in", "w", encoding="ascii") as f:
        f.write("attr cycles type=0 config=0 period=1 "
                "sample_type=IP|TID|TIME flags=sample_id_all|mmap|mmap2\n")
        for one in ids:
            f.write('build_id %s "%s"\n' % (one, PROGRAM))
        for i, record in enumerate(records):
            f.write("%s name=\"%s\" pid=%d addr=0x400000 len=0x400000 "
                    "pgoff=0 time=%d\n" % (record, PROGRAM, i + 5, 2 * i + 1))
            f.write("sample ip=%d pid=%d time=%d\n" % (START, i + 5, 2 * i + 2))
    p = run(os.path.join(tap.top_builddir, "tests/tools/mkperf"),
            PROGRAM + ".in", PROGRAM + ".data")
    if p.returncode:
        tap.diag(p.stderr)
    p = run(tap.coldperf, "info", "-f", "json", "--debuginfod=off",
            PROGRAM + ".data")
    found = []
    for s in json.loads(p.stdout)["sections"]:
        if s["slug"] == "objects":
            at = [c["name"] for c in s["columns"]].index("Trust")
            found = [row["values"][at] for row in s["rows"]]
    return found, "(several-files)" in p.stderr, p.stderr


with open(PROGRAM + ".c", "w", encoding="ascii") as source:
    source.write("int hot(void) { return 1; } int main(void) { return 0; }\n")
made = run("gcc", "-no-pie", "-fno-pie", "-Wl,--build-id=0x" + ID,
           PROGRAM + ".c", "-o", PROGRAM)
if made.returncode:
    tap.skip_all("no compiler")
START = [int(line.split()[0], 16)
         for line in run("nm", PROGRAM).stdout.splitlines()
         if line.endswith(" hot")][0]

FIRST, COPY = "mmap2 maj=8 min=1 ino=7 gen=1", "mmap2 maj=8 min=1 ino=8 gen=1"
EQUAL, ABSENT = "build ID equal", "absent"
for what, records, ids, want, told in (
        ("one file", [FIRST, FIRST], [ID], [EQUAL], False),
        ("one file, whose first record lacks its generation",
         [FIRST.replace("gen=1", "gen=0"), FIRST], [ID], [EQUAL], False),
        ("records without an inode", ["mmap", FIRST, "mmap"], [ID], [EQUAL],
         False),
        ("one ID twice in the table", [FIRST], [ID, ID], [EQUAL], False),
        ("a file that was replaced", [FIRST, COPY], [ID], [ABSENT], True),
        ("by one with the inode again",
         [FIRST, FIRST.replace("gen=1", "gen=2")], [ID], [ABSENT], True),
        ("files of two file systems",
         [FIRST, FIRST.replace("min=1", "min=2")], [ID], [ABSENT], True),
        ("two IDs in the table", [FIRST], [OTHER, ID], [ABSENT], True),
        ("IDs of mappings", ["mmap2_build_id id=" + ID] * 2, [OTHER, ID],
         [EQUAL], False)):
    got = states(records, ids)
    tap.ok(got[:2] == (want, told), what, got)
tap.done()
