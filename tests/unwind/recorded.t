#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Stacks of other architectures as libdwfl unwound them when they were recorded
# (foreign/record.py says how), as the chain of frame records has them, or as
# calls and returns were counted (foreign/steps.py).
import csv
import glob
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

folder = os.path.join(tap.top_srcdir, "tests", "unwind", "foreign")


def run(scratch, *command):
    return subprocess.run(
        [tap.coldperf, *command, "--no-local", "--symbols", scratch, "--cache",
         os.path.join(scratch, "none"), os.path.join(scratch, "perf.data")],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def complete(scratch):
    """So many stacks are said to have reached the outermost frame."""
    table = run(scratch, "unwind", "-f", "csv")
    return sum(int(row[3]) for row in csv.reader(table.splitlines())
               if len(row) > 4 and row[4] == "complete")


def ours(scratch):
    """{time: addresses}"""
    text = run(scratch, "script", "--ns", "--inline", "no", "-F", "time,ip")
    stacks = {}
    for line in text.splitlines():
        if line.startswith("\t"):
            stacks[time].append(int(line, 16))
        elif line:
            time = int(line.strip(" :").replace(".", ""))
            stacks[time] = []
    return stacks


def agrees(word, want, got):
    if word == "whole":
        return got == want
    if word == "begin":
        return got[:len(want)] == want
    return got == want or got[:1] + got[2:] == want


def compare(name):
    scratch = tempfile.mkdtemp(prefix="coldperf-unwind.")
    archive = os.path.join(folder, name + ".tar.xz")
    if subprocess.run("xz -dc '%s' | tar -C '%s' -xf -" % (archive, scratch),
                      shell=True).returncode != 0:
        sys.exit(1)
    got, ends = ours(scratch), complete(scratch)
    shutil.rmtree(scratch)
    wrong, lines, whole = 0, 0, 0
    with open(os.path.join(folder, name + ".stacks")) as f:
        for line in f:
            time, word, *want = line.split()
            stack = got.get(int(time), [])
            lines += 1
            whole += word == "whole"
            if not agrees(word, [int(a, 16) for a in want], stack):
                wrong += 1
                tap.diag("%s ours %s" % (line.strip(),
                                         " ".join("%x" % a for a in stack)))
    tap.ok(lines >= 100 and not wrong, "%s: %d stacks" % (name, lines))
    tap.ok(whole <= ends <= len(got),
           "%s: %d whole ones, %d called complete" % (name, whole, ends))


for path in sorted(glob.glob(folder + "/*.stacks")):
    compare(os.path.basename(path)[:-len(".stacks")])
tap.done()
