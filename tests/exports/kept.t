#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What other tools compare: commands as recorded in folded stacks, the program
# first in pprof and no location of what is no code, time in speedscope.
import gzip
import json
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-kept.")
tmp = scratch.name


def text(samples):
    """What perf script prints: comm, tid, ms, event, frames."""
    return "".join("%s %d/%d [000] %d.%06d: %d %s:\n%s\n" % (
        comm, tid, tid, ms // 1000, ms % 1000 * 1000, 1000000, event,
        "".join("\t%s\n" % f for f in frames))
        for comm, tid, ms, event, frames in samples)


def export(fmt, samples, command="profile"):
    path = os.path.join(tmp, "in.txt")
    with open(path, "w") as f:
        f.write(text(samples))
    r = subprocess.run([tap.coldperf, command, "-f", fmt, "-o", tmp + "/out",
                        path], stderr=subprocess.PIPE)
    if r.returncode != 0:
        tap.diag(r.stderr.decode())
    with open(tmp + "/out", "rb") as f:
        return f.read()


def fields(data):
    """(number, value) of a protobuf message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 0x7f) << shift
            shift += 7
            at += 1
            if data[at - 1] < 0x80:
                return value
    while at < len(data):
        tag = varint()
        n = varint()
        if tag & 7 == 2:
            n, at = data[at:at + n], at + n
        yield tag >> 3, n


POOL = [("ksoftirqd/%d" % i, 10 + i, i, "cpu-clock",
         ["ff f ([kernel.kallsyms])"]) for i in range(6)]
folded = export("folded", POOL, "flame").decode()
tap.ok(all("ksoftirqd/%d;f" % i in folded for i in range(6)),
       "folded stacks have commands as recorded, not their pool", folded)

IN_LIBC = ["10 copy (/usr/lib/libc.so.6)", "20 main (/opt/a_long_program_name)"]
pprof = list(fields(gzip.decompress(export("pprof", [
    ("a_long_program_", 7, i, "cpu-clock", IN_LIBC) for i in range(9)]))))
strings = [v for n, v in pprof if n == 6]
mapping = dict(fields([v for n, v in pprof if n == 3][0]))
tap.ok(strings[mapping[5]] == b"/opt/a_long_program_name",
       "pprof's first mapping is the program, not the library with most samples",
       strings[mapping[5]])
WORDS = [["10 leaf (/opt/prog)", "%x [unknown] ([unknown])" % (0x1234560 + i),
          "20 main (/opt/prog)"] for i in range(50)]
pprof = list(fields(gzip.decompress(export("pprof", [
    ("prog", 7, i, "cpu-clock", WORDS[i]) for i in range(50)]))))
tap.ok(len([1 for n, v in pprof if n == 4]) <= 3,
       "pprof has no location for a word of a stack that is no code",
       [v for n, v in pprof if n == 4])

speed = json.loads(export("speedscope", [
    ("prog", 7, ms, "cpu-clock", ["10 %s (/opt/prog)" % name])
    for ms, name in ((1, "b"), (2, "a"), (12, "b"))]))
names = [f["name"] for f in speed["shared"]["frames"]]
one = speed["profiles"][0]
order = [[names[i] for i in s] for s in one["samples"]]
tap.ok(order == [["b"], ["a"], [], ["b"]] and
       one["weights"] == [10**6, 10**6, 9 * 10**6, 10**6] and
       one["endValue"] == 12 * 10**6,
       "speedscope's samples are in order of time, with gaps", one)
LONG = "ns::map<int, std::vector<std::string> >::at(int, std::string const&) " \
    "const [with K = int; V = std::vector<std::string, std::allocator<char> >] "
speed = json.loads(export("speedscope", [
    ("prog", 7, 1, "cpu-clock", ["10 %s(/opt/prog)" % (LONG)])]))
tap.ok(len(speed["shared"]["frames"][-1]["name"]) < 60,
       "speedscope's names are short", speed["shared"]["frames"])
tap.done()
