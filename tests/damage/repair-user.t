#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# repair: records of perf's own that no recorder wrote so.
#
# perf 6.1 ends or crashes at a type that is not of a recording, and at a count
# or an id that is wrong.  A repaired file lacks such records, which is counted;
# those that are whole stay.
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

tmp = tempfile.TemporaryDirectory()
perf = shutil.which("perf")

EVENTS = """
attr cycles type=1 config=0 period=1000 sample_type=IP|TID|TIME|ID|CPU|PERIOD|ADDR \\
	flags=sample_id_all|comm ids=11
attr faults type=1 config=2 period=1 sample_type=IP|TID|TIME|ID|CPU|PERIOD|ADDR \\
	flags=sample_id_all ids=12
attr other type=8 config=0 period=1 sample_type=IP|TID|TIME|ID|CPU|PERIOD|ADDR \\
	flags=sample_id_all ids=13
thread_map 10 "one"
comm 10 10 one time=1000
%s
repeat 5 as i {
sample cycles ip=0x400100+i pid=10 time=4000+i*100
sample faults ip=0x400200+i pid=10 time=4050+i*100
}
"""
COUNTS = """
attr cycles type=1 config=0 period=0 sample_type=IDENTIFIER|IP flags=disabled ids=11
%s
stat_config entries=0,3,1,0,2,1
stat id=11 cpu=-1 thread=0 value=5 enabled=6 running=7
stat_round stat_type=1 stime=1002600
"""
MAPS = 'thread_map 10 "one"\ncpu_map_cpus cpus=0xffff'


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)


def types(path):
    """The types of the records, in their order."""
    with open(path, "rb") as f:
        data = f.read()
    at, n = struct.unpack_from("<QQ", data, 40)
    end, found = at + n, []
    while at < end:
        kind, size = struct.unpack_from("<I2xH", data, at)
        found.append(kind)
        at += size
    return found


def repaired(text):
    """Its path, and what repair said."""
    source, path, out = (os.path.join(tmp.name, "a" + s)
                         for s in (".mkperf", ".data", ".new"))
    with open(source, "w") as f:
        f.write(text)
    r = run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    if r.returncode:
        tap.ok(False, "compiled", r.stderr)
    return out, run(tap.coldperf, "repair", "-o", out, path).stderr


def asked(name, path, lines):
    """perf reads it to its end."""
    if not perf:
        tap.skip(name + ": perf is not installed")
        return
    r = run(perf, "script", "--force", "-F", "comm,ip", "-i", path)
    tap.ok(r.returncode == 0 and r.stdout.count(b"\n") == lines,
           name + ": perf reads the new file", (r.returncode, r.stderr))


def left_out(name, line, told=b" 1 record that perf has no form for"):
    kind = int(re.match(r"raw (\d+)", line).group(1))
    path, said = repaired(EVENTS % line)
    had = types(path)
    # The map of threads before it is whole.
    tap.ok(had.count(kind) == (kind == 73) and had.count(9) == 10 and
           told in said, name + ": left out and counted", (had, said))
    asked(name, path, 10)


def kept(name, line):
    path, said = repaired(EVENTS % line)
    had = types(path)
    tap.ok(had.count(int(line.split()[1])) == 1 + (line[4:6] == "73") and
           b" 0 records that perf has no form for" in said,
           name + ": kept", (had, said))
    asked(name, path, 10)


NAME = struct.unpack("<Q", b"other\0\0\0")[0]
ENDLESS = struct.unpack("<Q", b"otherone")[0]


def samples_only():
    """perf stat's types, and others whose content is wrong."""
    left_out("a value of a counter",
             "raw 76 0 u8:11 u4:0 u4:0 u8:5 u8:6 u8:7")
    left_out("a round of counters", "raw 77 0 u8:1 u8:2000")
    left_out("a list of options of perf stat", "raw 75 0 u8:1 u8:0 u8:3")
    for name, words in (
            ("of a form that there is not", "u2:130 u2:1 u4:0"),
            ("with no CPU", "u2:0 u2:0 u2:0 u2:0"),
            ("with a mask of no CPU", "u2:1 u2:1 u2:4 u4:0 u4:0 u2:0"),
            ("with words of 3 bytes", "u2:1 u2:1 u2:3 u4:1 u4:0 u2:0"),
            ("from a high CPU to a low", "u2:2 u1:0 u1:0 u2:3 u2:1")):
        left_out("a map of CPUs " + name, "raw 74 0 " + words)
    left_out("a map of no thread", "raw 73 0 u8:0")
    left_out("a tracer with too few words", "raw 70 0 u4:1 u4:0 u8:8 u8:1")
    left_out("a tracer without an event",
             "raw 70 0 u4:2 u4:0 u8:7 u8:1 u8:1 u8:1 u8:1 u8:1")
    left_out("an unknown update", "raw 78 0 u8:9 u8:11 u8:0")
    # The reader itself finds these to be damaged.
    left_out("a map of more CPUs than its size has",
             "raw 74 0 u2:0 u2:9 u2:0 u2:1", b" 16 bytes of damage")
    left_out("a name without an end", "raw 78 0 u8:2 u8:11 u8:%d" % ENDLESS,
             b" 32 bytes of damage")
    left_out("an error without an end of its text",
             "raw 72 0 u4:1 u4:0 u4:0 u4:10 u4:10 u4:1 u8:0 u8:5 u8:%d"
             % ENDLESS)


def whole():
    kept("a map of CPUs as a list", "raw 74 0 u2:0 u2:2 u2:0 u2:1")
    kept("a map of CPUs as a mask", "raw 74 0 u2:1 u2:1 u2:4 u4:2 u4:0 u2:0")
    kept("a map of CPUs as a range", "raw 74 0 u2:2 u1:1 u1:0 u2:0 u2:3")
    kept("a tracer with its event",
         "raw 70 0 u4:2 u4:0 u8:8 u8:1 u8:1 u8:1 u8:1 u8:1")
    kept("a second map of threads", "raw 73 0 u8:1 u8:10 u8:%d u8:0" % NAME)
    kept("a name", "raw 78 0 u8:2 u8:12 u8:%d" % NAME)


def counts():
    """A capture of perf stat keeps them, if perf has room for them."""
    path, said = repaired(COUNTS % MAPS)
    tap.ok(types(path) == [73, 74, 75, 76, 77], "perf stat: all are kept",
           (types(path), said))
    asked("perf stat", path, 2)
    path, said = repaired(COUNTS % MAPS.split("\n")[0])
    tap.ok([t for t in types(path) if t != 82] == [73, 75],
           "perf stat without a map of CPUs: no values", (types(path), said))
    asked("perf stat without a map of CPUs", path, 0)


MENDED = """
attr cycles type=1 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD \\
	flags=sample_id_all|comm
sample ip=0x400100 pid=10 time=1000
sample ip=0x400200 pid=10 time=2000
sample ip=0x400300 pid=10 time=3000
"""


def mended():
    """A record that gets its size is not left out, and nothing of it is."""
    path, _ = repaired(MENDED)
    path = path.replace(".new", ".data")
    with open(path, "r+b") as f:
        data = f.read()
        f.seek(struct.unpack_from("<Q", data, 40)[0] + 40 + 6)
        f.write(struct.pack("<H", 80))
    r = run(tap.coldperf, "repair", "-o", path + ".new", path)
    tap.ok(b" 3 of them samples; left out: 0 bytes of damage" in r.stderr and
           b"; mended: a size or a field in 1 record\n" in r.stderr and
           r.returncode == 3, "a mended size is told as one", r)
    asked("a mended size", path + ".new", 3)


EARLY = """
container pipe
attr cycles type=1 config=0 period=1000 sample_type=IP|TID|TIME|ID|CPU \\
	flags=sample_id_all|task ids=11
attr faults type=1 config=2 period=1 sample_type=IP|TID|TIME|ID|CPU \\
	flags=sample_id_all ids=12
exit pid=11 ppid=10 time=1500
sample cycles ip=0x400100 pid=10 time=1000
sample faults ip=0x400200 pid=10 time=2000
"""


def early():
    """A record before the events' descriptions keeps its trailer."""
    path, _ = repaired(EARLY)
    path = path.replace(".new", ".data")
    with open(path, "rb") as f:
        data = f.read()
    at, found = 16, None
    while found is None:
        kind, size = struct.unpack_from("<I2xH", data, at)
        if kind == 4:
            found = data[at:at + size]
        at += size
    with open(path, "wb") as f:
        f.write(data[:16] + found + data[16:at - size] + data[at:])
    r = run(tap.coldperf, "repair", "-o", path + ".new", path)
    with open(path + ".new", "rb") as f:
        new = f.read()
    tap.ok(found in new and r.returncode == 0,
           "a record before the events' descriptions keeps its trailer", r)
    asked("a record before the events' descriptions", path + ".new", 2)


FORMAT = """format app <<END
name: open
ID: 900
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:u64 first;	offset:8;	size:8;	signed:0;

print fmt: "a	tab \\n first=%llu", REC->first
END
"""


def formats():
    """A kernel's text has tabs; a layout that is there twice is no damage."""
    attr = """
attr app:open type=2 config=900 period=1 ids=1 flags=sample_id_all \\
	sample_type=IP|TID|TIME|RAW|IDENTIFIER
tracing printk=""
"""
    sample = """
sample app:open ip=0x400100 pid=20 time=2000 raw=u2:900,u2:0,u4:20,u8:7
"""
    path, _ = repaired(attr + FORMAT.replace("tab", "\1") + sample)
    if perf:
        r = run(perf, "script", "--force", "-i", path)
        tap.ok(r.returncode == 0 and b"app:open: first=7\n" in r.stdout,
               "perf shows the fields of a layout with a damaged text", r)
    path, _ = repaired(attr + FORMAT + FORMAT + sample)
    text = FORMAT[FORMAT.index('"'):FORMAT.index(", REC")].encode()
    with open(path, "rb") as f:
        tap.ok(text in f.read(), "the text of a layout has a tab")
    r = run(tap.coldperf, "info", path.replace(".new", ".data"))
    tap.ok(r.returncode == 0 and b"bad-tracing" not in r.stderr,
           "a layout is there twice", r)


def idle():
    """perf report crashes if the idle task is a thread of a process."""
    path, said = repaired(EVENTS %
                          "fork pid=10 tid=0 ppid=10 ptid=10 time=1100")
    had = types(path)
    tap.ok(7 not in had and had.count(9) == 10 and
           b" 1 record that perf has no form for" in said,
           "a FORK of the idle task: left out and counted", (had, said))
    if perf:
        r = run(perf, "report", "--stdio", "--force", "-i", path)
        tap.ok(r.returncode == 0, "perf report reads the new file", r.stderr)


samples_only()
idle()
formats()
early()
whole()
mended()
counts()
tap.done()
