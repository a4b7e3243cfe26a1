#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what tests reach of each room, from gcovr's summary in JSON:
`coverage.py coverage.json`.  The status is 1 if a folder has less than is
wanted of it."""
import collections
import json
import os
import sys

WANTED = {"readers": (92, 80), "symbolize": (92, 80)}  # lines, branches: %


def percent(covered, total):
    return 100 * covered / total if total else 100


with open(sys.argv[1]) as f:
    files = json.load(f)["files"]
rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
for one in files:
    room = os.path.dirname(one["filename"])
    for name in {room, room.split("/")[0]}:
        for i, key in enumerate(("line_covered", "line_total",
                                 "branch_covered", "branch_total")):
            rooms[name][i] += one[key]
print("%-26s %15s %17s" % ("room", "lines", "branches"))
enough = all(name in rooms for name in WANTED)
for name in sorted(rooms):
    n = rooms[name]
    lines, branches = percent(*n[:2]), percent(*n[2:])
    print("%-26s %5.1f %% of %5d  %5.1f %% of %6d" % (
        name, lines, n[1], branches, n[3]))
    if name in WANTED:
        enough &= lines >= WANTED[name][0] and branches >= WANTED[name][1]
sys.exit(not enough)
