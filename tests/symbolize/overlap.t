#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names and lists that overlap in a file: a small object has any number of
names of 8 MB, and of units with half a million ranges.  Memory stays bounded,
the limit is named, and all samples are reported."""
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/symbolize")
import tap
from madedwarf import SIZE, TEXT, abbrevs, uleb, unit, write

N = 400
UNIT, FUNCTION, INLINED = 0x11, 0x2e, 0x1d
NAME, LOW, HIGH, RANGES, LINKAGE = 3, 0x11, 0x12, 0x55, 0x6e
ADDR, DATA4, STRING, STRP, OFFSET = 1, 6, 8, 0xe, 0x17
LONG = bytes(random.Random(1).choices(b"abcdefgh", k=8 << 20)) + b"\0"
scratch = tempfile.TemporaryDirectory(prefix="coldperf-overlap.")


def path(name):
    return os.path.join(scratch.name, name)


def header(*words):
    return struct.pack("<IIQQQQIIQQ", *words)


def symbols(name):
    """An object whose symbols have one name, of the longest that is shown."""
    table = bytes(24) + b"".join(
        struct.pack("<IBBHQQ", len(LONG) - (64 << 10), 0x12, 0, 1, TEXT + i, 1)
        for i in range(SIZE))
    names, text = b"\0.text\0.symtab\0.strtab\0.shstrtab\0", b"\0" + LONG
    data = bytearray(TEXT) + b"\x90" * SIZE + table + text + names
    at = TEXT + SIZE
    data += bytes(-len(data) % 8)
    data[:64] = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1, 0,
                            64, len(data), 0, 64, 56, 1, 64, 5, 4)
    data[64:120] = struct.pack("<IIQQQQQQ", 1, 5, TEXT, TEXT, TEXT, SIZE, SIZE,
                               0x1000)
    data += bytes(64) + header(1, 1, 6, TEXT, TEXT, SIZE, 0, 0, 1, 0)
    data += header(7, 2, 0, 0, at, len(table), 3, 1, 8, 24)
    at += len(table)
    data += header(15, 3, 0, 0, at, len(text), 0, 0, 1, 0)
    data += header(23, 3, 0, 0, at + len(text), len(names), 0, 0, 1, 0)
    with open(path(name), "wb") as f:
        f.write(data)


def inlined(name):
    """Of inlined functions."""
    specs = abbrevs((UNIT, 1, (LOW, ADDR), (HIGH, DATA4)),
                    (FUNCTION, 1, (NAME, STRING), (LOW, ADDR), (HIGH, DATA4)),
                    (INLINED, 0, (LINKAGE, STRP), (LOW, ADDR), (HIGH, DATA4)))
    body = uleb(1) + struct.pack("<QI", TEXT, SIZE) + uleb(2) + b"outer\0" + \
        struct.pack("<QI", TEXT, SIZE)
    for i in range(N):
        body += uleb(3) + struct.pack("<IQI", i, TEXT + i, 1)
    write(path(name), info=unit(body + b"\0\0", 4), abbrev=specs, str=LONG)
    named(name)


def ranges(name, n=500000):
    """Units that share a list of ranges."""
    specs = abbrevs((UNIT, 1, (RANGES, OFFSET), (LOW, ADDR)),
                    (FUNCTION, 0, (NAME, STRING), (RANGES, OFFSET)))
    list_ = b"".join(struct.pack("<QQ", TEXT + i % SIZE, TEXT + i % SIZE + 1)
                     for i in range(n)) + bytes(16)
    one = unit(uleb(1) + struct.pack("<IQ", 0, 0) +
               (uleb(2) + b"f\0" + bytes(4)) * 20 + b"\0", 4)
    write(path(name), info=one * 100, abbrev=specs, ranges=list_)
    named(name)


def named(name):
    p = subprocess.run(["objcopy", "--add-symbol",
                        "hot=.text:0,function,global", path(name)],
                       stderr=subprocess.PIPE)
    if p.returncode:
        tap.skip_all("objcopy: " + p.stderr.decode())


def bounded(make, what, limit):
    make("object")
    os.utime(path("object"), (1, 1))
    with open(path("in.mkperf"), "w") as f:
        f.write("attr cycles type=0 config=0 period=1 "
                "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap\n"
                "mmap pid=7 addr=0x401000 len=0x1000 pgoff=0x1000 "
                'name="%s"\nrepeat %d as i {\nsample cycles pid=7 time=i+1 '
                "period=1 ip=0x401000+i\n}\n" %
                (path("object"), SIZE if make is symbols else N))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in.mkperf"), path("data")], check=True)
    command = [os.path.abspath(tap.coldperf), "quality", "--inline", "yes",
               "--no-cache", "-f", "json", path("data")]
    if make is not symbols:
        command[1:2] = ["flame"]
        command[command.index("json")] = "folded"

    def less():
        if not tap.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    p = subprocess.run(command, stdin=subprocess.DEVNULL, preexec_fn=less,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    tap.ok(p.returncode == (4 if limit else 0) and
           (not limit or limit in p.stderr.decode()),
           what, (p.returncode, p.stderr.decode()[:500]))
    if make is not symbols:
        total = sum(int(line.rsplit(b" ", 1)[1])
                    for line in p.stdout.splitlines())
        tap.ok(total == N, "... all samples are reported", total)


def lacking():
    """Without memory for a copy, qsort() sorts in place: the order of ranges
    has to be one, or it leaves the list."""
    ranges("object", 50000)
    os.utime(path("object"), (1, 1))
    ends = set()
    for mib in range(100, 700, 25):
        def less():
            resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))
        ends.add(subprocess.run(
            [os.path.abspath(tap.coldperf), "flame", "--inline", "yes", "-j1",
             "--no-cache", "-f", "folded", path("data")], preexec_fn=less,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE).returncode)
    tap.ok(ends <= {0, 4, 5} and 5 in ends and ends != {5},
           "ranges are sorted with little memory", ends)


bounded(symbols, "names of symbols: the limit is named", "CP_MAX_NAMES")
bounded(inlined, "names of inlined functions are cut", None)
bounded(ranges, "ranges of units: the limit is named", "more work than")
if not tap.sanitized:
    lacking()
tap.done()
