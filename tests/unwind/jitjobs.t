#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Code of jitdumps that is loaded, moved and replaced while stacks are unwound:
# what comes out is the same for any number of threads, byte by byte, as for
# other code (jobs.t).
import json
import os
import random
import struct
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import made
import tap
from made import BASE, TEXT, TOP, path, text_map

SAMPLES, LOADS = 4000, 600
CODE, START = 0x7f0000000000, 100 * 10**9
PAGES = 64 * 4096  # where code is made
OTHER_JOBS = (3,) if tap.sanitized else (2, 3, 8)
dice = random.Random(15)
TABLES = [b"", b"\x0e\x18", b"\x0e\x20\x86\x02", b"\x0c\x00\x18"]


def record(kind, at, body):
    return struct.pack("<IIQ", kind, 16 + len(body), at) + body


def load(number, at, addr, size):
    """A function; most bring a table, before them."""
    out = b""
    if dice.random() < .8:
        table = made.eh_frame([(0, size, dice.choice(TABLES), False)],
                              size + -size % 8)
        out = record(4, at, struct.pack("<QQQ", len(table) + 20, 20, 0) +
                     table + b"\x01\x1b\x03\x3b" + b"\0" * 16)
    return out + record(0, at, struct.pack(
        "<IIQQQQ", 7, 7, addr, addr, size, number) +
        b"made%d\0" % number + b"\x90" * size)


def make_dump(steady):
    """Half of it is there before the first sample; all, if steady."""
    data = struct.pack("<IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 7, 0, 0)
    there = []
    for i in range(LOADS):
        early = steady or i < LOADS / 2
        at = START + (i if early else
                      1000 + i * SAMPLES * 20 // LOADS)
        addr = CODE + dice.randrange(PAGES // 16) * 16
        size = dice.randrange(16, 900)
        if i % 10 == 9:
            number, old, size = dice.choice(there)
            data += record(1, at, struct.pack("<IIQQQQQ", 7, 7, addr, old,
                                              addr, size, number))
        else:
            number = i
            data += load(i, at, addr, size)
        there.append((number, addr, size))
    with open(path("jit-7.dump"), "wb") as f:
        f.write(data)


def address():
    if dice.random() < .02:
        return dice.getrandbits(47)
    if dice.random() < .3:
        return BASE + TEXT + dice.randrange(0x1000)
    return CODE + dice.randrange(PAGES)


def records(changes):
    """A process, its child, and one that has no dump."""
    out = []
    for pid in (7, 9):
        out += [text_map(path("code"), pid=pid, time=START),
                "mmap pid=%d addr=%d len=%d pgoff=0 name=\"//anon\" time=%d" %
                (pid, CODE, PAGES, START)]
    out += ['mmap pid=7 addr=4096 len=4096 pgoff=0 name="/x/jit-7.dump" '
            "time=%d" % START,
            "fork pid=8 ppid=7 time=%d" % (START + 1)]
    for i in range(SAMPLES):
        at = START + 1000 + 20 * i
        pid = dice.choice((7, 7, 7, 8, 9))
        if dice.random() < changes:
            base = CODE + dice.randrange(64) * 4096
            out.append("mmap pid=%d addr=%d len=4096 pgoff=0 name=\"//anon\" "
                       "time=%d" % (pid, base, at))
        words = [dice.getrandbits(64) if dice.random() < .1 else address()
                 for i in range(dice.randrange(1, 40))]
        out.append(made.sample(words, pid=pid, time=at, ip=address(),
                               ax=TOP + 8 * dice.randrange(8),
                               bp=TOP + 8 * dice.randrange(40)))
        if i % 50 == 49:
            out.append("finished_round")
    return out


def capture(container, lines):
    with open(path("in"), "w") as f:
        f.write("container %s\nattr a type=1 period=1 sample_type=IP|TID|TIME|"
                "PERIOD|CALLCHAIN|REGS_USER|STACK_USER sample_regs_user=511 "
                "sample_stack_user=65528 flags=sample_id_all|mmap|comm|task|"
                "use_clockid clockid=1\nfeature arch \"x86_64\"\n%s\n" %
                (container, "\n".join(lines)))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path("capture")], check=True)


def run(command, jobs):
    p = subprocess.run([os.path.abspath(tap.coldperf), *command, "--no-local",
                        "--symbols", path("code"), "--jobs=%d" % jobs,
                        path("capture")],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout, p.stderr


def same(name):
    for command in (["flame", "-f", "folded"], ["unwind"],
                    ["script", "-F", "+guess"]):
        want = run(command, 1)
        other = [n for n in OTHER_JOBS if run(command, n) != want]
        tap.ok(want[0] == 0 and not other, "%s: %s" % (name, command[0]),
               (other, want[2]))


made.elf("code", [(TEXT, 0x800, b"", False),
                  (TEXT + 0x800, 0x400, b"\x0e\x18\x86\x02", False)],
         hdr="before")
for steady in (True, False):
    make_dump(steady)
    for container in ("file", "pipe"):
        for changes in (0, .02):
            capture(container, records(changes))
            same("%s, %s, %s" % (container,
                                 "all code is there" if steady
                                 else "code comes",
                                 "mappings change" if changes
                                 else "no mapping changes"))
found = json.loads(run(["unwind", "-f", "json"], 1)[1])
rows = [r["values"] for s in found["sections"] if s.get("slug") == "callers"
        for r in s["rows"]]
by_table = [r for r in rows if any("jit-7.dump" in str(v) for v in r)]
tap.ok(by_table and max(v for v in by_table[0] if isinstance(v, int)) > 1000,
       "the code's own tables are used", rows)
tap.done()
