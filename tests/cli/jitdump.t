#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# jitdumps whose times, machine or byte order are made up: what is believed.
import os
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-jitdump.")
CODE = 0x7f0000001000
MAPPED = 100 * 10**9  # when the dump is mapped; code comes after 1 s and 2 s


def path(name):
    return os.path.join(scratch.name, name)


def capture(clock="flags=sample_id_all|mmap|use_clockid clockid=1", conv="",
            mapped=MAPPED, arch=None):
    lines = ["attr cycles type=0 config=0 period=1 "
             "sample_type=IP|TID|TIME|PERIOD " + clock]
    if arch:
        lines.append('feature arch "%s"' % arch)
    if conv:
        lines.append("time_conv " + conv)
    lines += ['mmap pid=7 addr=%d len=4096 pgoff=0 name="//anon" time=%d'
              % (CODE, mapped),
              'mmap pid=7 addr=4096 len=4096 pgoff=0 name="/x/jit-7.dump" '
              'time=%d' % mapped]
    for after in (1.5, 2.5):
        lines.append("sample cycles pid=7 time=%d period=1 ip=%d"
                     % (MAPPED + int(after * 10**9), CODE + 8))
    with open(path("in"), "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path("capture")], check=True)


def dump(order="<", flags=0, machine=62, ticks=lambda ns: ns):
    data = struct.pack(order + "IIIIIIQQ", 0x4a695444, 1, 40, machine, 0, 7, 0,
                       flags)
    for after, name in ((1, b"early"), (2, b"late")):
        data += struct.pack(order + "IIQIIQQQQ", 0, 56 + len(name) + 1 + 16,
                            ticks(MAPPED + after * 10**9), 7, 7, CODE, CODE,
                            16, after) + name + b"\0" + b"\x90" * 16
    with open(path("jit-7.dump"), "wb") as f:
        f.write(data)


def names():
    p = subprocess.run([os.path.abspath(tap.coldperf), "script", "-F", "ip,sym",
                        "--no-local", path("capture")], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return [line.split()[1] for line in p.stdout.decode().splitlines()], \
        p.stderr.decode()


def expect(what, want, word=None):
    got, err = names()
    tap.ok(got == want and (word in err if word else "jit" not in err), what,
           (got, err))


RIGHT, NOTHING = ["early", "late"], ["[unknown]"] * 2
capture()
dump()
expect("each sample has the name of its time", RIGHT)
dump(order=">")
expect("in the other byte order, too", RIGHT)
dump(ticks=lambda ns: ns - 10**10)
expect("code from before the dump was mapped: another process", NOTHING,
       "other-jit-map")
capture(mapped=0)
expect("but a mapping without a time says nothing", ["late", "late"])
capture(arch="aarch64")
dump()
expect("another machine", NOTHING, "other-jit-map")
dump(machine=0)
expect("none, as CPython writes", RIGHT)
capture(clock="flags=sample_id_all|mmap")
dump()
expect("another clock: the last definition", ["late", "late"], "jit-clock")
capture(clock="flags=sample_id_all|mmap|use_clockid clockid=0")
expect("the wall clock likewise", ["late", "late"], "jit-clock")
# 3 ticks are 2 ns, and the clock began at tick 300.
capture(clock="flags=sample_id_all|mmap",
        conv="shift=32 mult=%d zero=%d cycles=0 mask=-1 cap_zero=1 cap_short=0"
        % ((2 << 32) // 3, (1 << 64) - 200))
dump(flags=1, ticks=lambda ns: (ns + 200) * 3 // 2)
expect("the CPU's counter, which the capture converts", RIGHT)
capture(clock="flags=sample_id_all|mmap")
expect("and where it does not", ["late", "late"], "jit-clock")


# ---------------------------------------------------------- several dumps

def load(name, code, after):
    """One function of 64 bytes, ready some seconds after MAPPED."""
    return struct.pack("<IIQIIQQQQ", 0, 56 + len(name) + 1 + 64,
                       MAPPED + after * 10**9, 7, 7, code, code, 64, 0) + \
        name + b"\0" + b"\x90" * 64


def put_dump(name, *loads):
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "wb") as f:
        f.write(struct.pack("<IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 7, 0, 0) +
                b"".join(loads))


def names_of(lines, *options):
    """The names of the samples in a capture of these lines."""
    text = ["attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME|"
            "PERIOD flags=sample_id_all|mmap|use_clockid clockid=1",
            'mmap pid=7 addr=%d len=4096 pgoff=0 name="//anon" time=%d'
            % (CODE, MAPPED)] + lines
    with open(path("in"), "w") as f:
        f.write("\n".join(text) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path("several")], check=True)
    p = subprocess.run([os.path.abspath(tap.coldperf), "script", "-F",
                        "ip,sym", *options, path("several")], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return [line.split()[1] for line in p.stdout.decode().splitlines()]


def maps(pid, name, after=0):
    return 'mmap pid=%d addr=4096 len=4096 pgoff=0 name="%s" time=%d' % (
        pid, name, MAPPED + after * 10**9)


def sample(pid, at, after):
    return "sample cycles pid=%d time=%d period=1 ip=%d" % (
        pid, MAPPED + after * 10**9, CODE + at)


put_dump("one/jit-7.dump", load(b"of_one", CODE, 1))
put_dump("two/jit-7.dump", load(b"of_two", CODE + 256, 1),
         load(b"over_one", CODE + 32, 3))
got = names_of([maps(7, path("one/jit-7.dump")),
                maps(7, path("two/jit-7.dump")), sample(7, 8, 2),
                sample(7, 264, 2), sample(7, 40, 2), sample(7, 40, 4)])
tap.ok(got == ["of_one", "of_two", "of_one", "over_one"],
       "two runtimes of a process, each with its dump", got)
put_dump("one/jit-7.dump", load(b"parents", CODE, 1))
put_dump("two/jit-8.dump", load(b"childs", CODE + 256, 3))
fork = "fork pid=8 ppid=7 tid=8 ptid=7 time=%d" % (MAPPED + 2 * 10**9)
over = 'mmap pid=8 addr=%d len=4096 pgoff=0 name="/lib/x.so" time=%d' % (
    CODE, MAPPED + 5 * 10**9)
got = names_of([maps(7, path("one/jit-7.dump")), fork,
                maps(8, path("two/jit-8.dump"), 2), sample(8, 8, 4),
                sample(8, 264, 4), sample(7, 8, 4), over, sample(7, 8, 6),
                sample(8, 8, 6)])
tap.ok(got == ["parents", "childs", "parents", "parents", "[unknown]"],
       "a child has its parent's code and its own; what it maps is its own",
       got)
put_dump("a/jit-1.dump", load(b"of_a", CODE, 1))
put_dump("b/jit-1.dump", load(b"of_b", CODE, 6))
anon = 'mmap pid=8 addr=%d len=4096 pgoff=0 name="//anon" time=%d' % (
    CODE, MAPPED + 5 * 10**9)
put_dump("one/jit-7.dump", load(b"second", CODE, 4))
got = names_of([maps(7, path("one/jit-7.dump")), sample(7, 8, 1),
                'comm 7 7 "again" misc=0x2000 time=%d' % (MAPPED + 2 * 10**9),
                'mmap pid=7 addr=%d len=4096 pgoff=0 name="//anon" time=%d'
                % (CODE, MAPPED + 3 * 10**9),
                maps(7, path("one/jit-7.dump"), 3), sample(7, 8, 5)])
tap.ok(got == ["[unknown]", "second"],
       "a program that another one follows, with the same pid", got)
for first, second in ("ab", "ba"):
    got = names_of([maps(7, "/none/jit-1.dump"), anon,
                    maps(8, "/none/jit-1.dump", 5), sample(7, 8, 9),
                    sample(8, 8, 9)], "--no-local", "--symbols", path(first),
                   "--symbols", path(second))
    tap.ok(got == ["of_a", "of_b"],
           "process 1 of two containers, %s first" % first, got)
tap.done()
