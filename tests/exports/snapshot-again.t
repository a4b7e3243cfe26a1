#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# snapshot --resymbolize asks for the names of a snapshot again, takes files
# that know more, keeps what it had where they know less, and tells what changed.
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-snapshot-again.")
tmp = scratch.name
SOURCE = r"""
#include <stdlib.h>
static volatile int sink;
static inline __attribute__((always_inline)) void inner(int x)
{
	sink += x * 3;
	sink ^= x;
}
__attribute__((noinline)) void outer(int x) { inner(x); sink--; inner(x + 1); }
int main(void) { outer(sink); return sink == 9 ? rand() : 0; }
"""


def run(*args):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def coldperf(*args):
    return run(tap.coldperf, *args)


def tables(path):
    """Without the one that has the input's name."""
    with tarfile.open(path) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar
                if m.name.endswith((".parquet", ".zst")) and
                m.name != "captures.parquet"}


def account(text):
    return {k: int(v) for k, v in
            re.findall(r"^  ([a-z ]+): +(\d+)$", text.decode(), re.M)}


def snapshot(name, source, *options):
    to = "%s/%s.cold" % (tmp, name)
    return to, coldperf("snapshot", "--no-local", *options, "-o", to, source)


def program():
    """Three of the same code: whole, stripped, and with another name."""
    for folder in "whole", "stripped", "other":
        os.mkdir("%s/%s" % (tmp, folder))
    whole = tmp + "/whole/program"
    with open(tmp + "/program.c", "w") as f:
        f.write(SOURCE)
    steps = [[*os.environ.get("CC", "cc").split(), "-O2", "-g", "-no-pie",
              "-o", whole, tmp + "/program.c"],
             ["strip", "-o", tmp + "/stripped/program", whole],
             ["objcopy", "--redefine-sym", "outer=renamed", whole,
              tmp + "/other/program"]]
    return all(shutil.which(s[0]) and run(*s).returncode == 0 for s in steps)


def capture():
    """A sample at each byte of outer(); returns how many."""
    nm = run("nm", "-S", tmp + "/whole/program").stdout
    at = re.search(rb"(\w+) (\w+) T outer", nm)
    start, size = int(at.group(1), 16), int(at.group(2), 16)
    base = start & ~0xfff
    text = ["attr cycles type=0 config=0 sample_type=IP|TID|TIME "
            "flags=mmap|comm", 'comm 7 7 "again"',
            'mmap pid=7 addr=%#x len=0x1000 pgoff=%#x '
            'name="/nowhere/program"' % (base, base - 0x400000)]
    text += ["sample cycles ip=%#x pid=7 time=%d" % (start + i, 100 + i)
             for i in range(size)]
    with open(tmp + "/input", "w") as f:
        f.write("\n".join(text) + "\n")
    run(tap.top_builddir + "/tests/tools/mkperf", tmp + "/input",
        tmp + "/data")
    return size


def check_better(n):
    bare, _ = snapshot("bare", tmp + "/data")
    full, _ = snapshot("full", tmp + "/data", "--symbols", tmp + "/whole/program")
    again, told = snapshot("again", bare, "--resymbolize", "--symbols",
                           tmp + "/whole/program")
    tap.ok(told.returncode == 0 and tables(again) == tables(full) !=
           tables(bare), "a file that turned up names all that it would have",
           told.stderr)
    got = account(told.stdout)
    tap.ok(got == {"addresses": n, "named before": 0, "named now": n,
                   "new names": n, "names lost": 0, "other names": 0,
                   "with lines before": 0, "with lines now": n},
           "what changed is told", told.stdout)
    tap.ok(re.search(rb"/nowhere/program +0 +\d+ +\S+/whole/program",
                     told.stdout), "and which file did it", told.stdout)
    out = coldperf("flame", "-f", "folded", again).stdout
    tap.ok(b"inner_[i]" in out, "inlined functions are among the names", out)
    return full


def check_worse(full, n):
    for what, options in (("none", []), (
            "a stripped one", ["--symbols", tmp + "/stripped/program"])):
        kept, told = snapshot("kept", full, "--resymbolize", *options)
        tap.ok(tables(kept) == tables(full), what + ": the names stay",
               told.stdout + told.stderr)
        got = account(told.stdout)
        tap.ok(got["named before"] == got["named now"] == n and
               got["names lost"] == got["other names"] == 0,
               what + ": nothing has changed", told.stdout)


def check_stripped():
    """What a snapshot says of objects without symbols is what the capture
    said, though it has a symbol: the stub of an imported function."""
    sections = run("readelf", "-SW", tmp + "/whole/program").stdout
    plt = re.search(rb" \.plt +PROGBITS +(\w+)", sections)
    if plt is None:
        tap.skip("programs have no .plt here")
        return
    with open(tmp + "/input", "a") as f:
        f.write("sample cycles ip=%#x pid=7 time=9999\n" %
                (int(plt.group(1), 16) + 16))
    run(tap.top_builddir + "/tests/tools/mkperf", tmp + "/input",
        tmp + "/data")
    file = ["--symbols", tmp + "/stripped/program"]
    cold, _ = snapshot("stripped", tmp + "/data", *file)
    again, _ = snapshot("twice", cold)
    sums = tmp + "/sums.cold"
    coldperf("flame", "--no-local", *file, "-o", sums, tmp + "/data")
    for of, options in ((tmp + "/data", file), (cold, []), (again, []),
                        (sums, [])):
        told = coldperf("hotspots", "--no-local", *options, of)
        tap.ok(b"(stripped): /nowhere/program" in told.stderr and
               b"(no-object)" not in told.stderr,
               "%s: an object is stripped" % os.path.basename(of),
               told.stderr)


def check_other(full, n):
    other, told = snapshot("other", full, "--resymbolize", "--symbols",
                           tmp + "/other/program")
    listed = re.findall(rb"0x[0-9a-f]+ +outer +renamed$", told.stdout, re.M)
    tap.ok(account(told.stdout)["other names"] == n == len(listed),
           "addresses of other names are listed", told.stdout)
    out = coldperf("flame", "-f", "folded", other).stdout
    tap.ok(b"renamed" in out and b"outer" not in out,
           "and have them from now on", out)


if not program():
    print("1..0 # SKIP no compiler, strip or objcopy")
    sys.exit(0)
count = capture()
whole = check_better(count)
check_worse(whole, count)
check_other(whole, count)
check_stripped()
refused = coldperf("snapshot", "--resymbolize", "-o", tmp + "/none",
                   tmp + "/data")
tap.ok(refused.returncode == 2 and b"--resymbolize" in refused.stderr and
       not os.path.exists(tmp + "/none"), "a capture is refused",
       refused.stderr)
tap.done()
