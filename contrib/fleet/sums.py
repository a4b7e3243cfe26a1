#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# sums.py LIST SUMS.csv...: adds up `coldperf hotspots -f csv` of the captures
# and says whether each engine has the same samples for each function.
import collections
import csv
import os
import re
import subprocess
import sys


def row_name(name):
    """The name of a function; code without one is '' in the engines."""
    unnamed = re.fullmatch(r"\[(\d+ address(es)?|unknown)\]", name)
    return "" if unnamed or name.startswith("0x") else name


def added_up(listed):
    sums = collections.Counter()
    with open(listed) as f:
        paths = [line.rstrip("\n").split("\t")[0] for line in f]
    for path in paths:
        done = subprocess.run(
            [os.environ.get("COLDPERF", "coldperf"), "hotspots", "--top", "0",
             "--by", "symbol", "-f", "csv", path], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, universal_newlines=True)
        for row in csv.DictReader(done.stdout.splitlines()):
            sums[row_name(row["symbol"])] += int(row["samples"])
    return sums


def of_engine(path):
    with open(path, newline="") as f:
        return {row_name(name): int(n) for name, n in csv.reader(f)}


want = added_up(sys.argv[1])
print("hotspots: %d samples, %d functions" % (sum(want.values()), len(want)))
failed = not want
for path in sys.argv[2:]:
    got = of_engine(path)
    other = {k: (want.get(k, 0), got.get(k, 0)) for k in set(want) | set(got)
             if want.get(k, 0) != got.get(k, 0)}
    print("%s: %d samples, %s" % (
        os.path.basename(path), sum(got.values()),
        "%d functions differ: %s" % (len(other), sorted(other.items())[:5])
        if other else "equal"))
    failed |= bool(other)
sys.exit(1 if failed else 0)
