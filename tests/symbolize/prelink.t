#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# prelink moves a library to addresses of its own, but not its debug file: names,
# inlined functions and lines are those of the library before that.
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

MKPERF = os.path.join(tap.top_builddir, "tests/tools/mkperf")
SOURCE = """
volatile int v;
static inline __attribute__((always_inline)) int
helper(int n)
{ int s = 0; for (int i = 0; i < n; i++) s += v * i; return s; }
static __attribute__((noinline)) int hidden(int n) { return helper(n) + 1; }
int work(int n) { return helper(n) + hidden(n); }
"""
MOVED = 0x3a00000000
ALLOC, DYNSYM = 2, 11
STACK = 0x6474e551
for tool in ("gcc", "objcopy", "strip", "readelf", "nm"):
    if not shutil.which(tool):
        tap.skip_all(tool + " is not installed")


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.PIPE, text=True)


def add(b, at, moved):
    struct.pack_into("<Q", b, at, struct.unpack_from("<Q", b, at)[0] + moved)


def prelink(path):
    """Moves segments, sections and dynamic symbols."""
    with open(path, "rb") as f:
        b = bytearray(f.read())
    phoff, shoff = struct.unpack_from("<QQ", b, 32)
    phsize, phnum, shsize, shnum = struct.unpack_from("<4H", b, 54)
    for at in range(phoff, phoff + phnum * phsize, phsize):
        if struct.unpack_from("<I", b, at)[0] != STACK:
            add(b, at + 16, MOVED)
            add(b, at + 24, MOVED)
    for at in range(shoff, shoff + shnum * shsize, shsize):
        kind, flags = struct.unpack_from("<IQ", b, at + 4)
        offset, size = struct.unpack_from("<QQ", b, at + 24)
        if flags & ALLOC:
            add(b, at + 16, MOVED)
        for s in range(offset, offset + size, 24) if kind == DYNSYM else ():
            if struct.unpack_from("<H", b, s + 6)[0] != 0:
                add(b, s + 8, MOVED)
    with open(path, "wb") as f:
        f.write(b)


with tempfile.TemporaryDirectory(prefix="coldperf-prelink.") as tmp:
    def at(name):
        return os.path.join(tmp, name)

    def names(*where):
        words = [tap.coldperf, "script", "--no-local", "--no-cache",
                 "--lines", "-F", "ip,sym,symoff", at("perf.data")]
        for w in where:
            words += ["--symbols", at(w)]
        p = run(*words)
        return p.stdout + re.sub(".*: warning: .*\n", "", p.stderr)

    with open(at("a.c"), "w", encoding="ascii") as f:
        f.write(SOURCE)
    if run("gcc", "-g", "-O2", "-shared", "-fPIC", "-Wl,--build-id", "-o",
           at("whole.so"), at("a.c")).returncode != 0 or run(
               "objcopy", "--only-keep-debug", at("whole.so"),
               at("a.debug")).returncode != 0:
        tap.skip_all("gcc and objcopy do not work here")
    run("strip", "-o", at("a.so"), at("whole.so"))
    if run("readelf", "-h", at("a.so")).stdout.find("X86-64") < 0:
        tap.skip_all("only for x86-64")
    prelink(at("a.so"))
    build = re.search("Build ID: ([0-9a-f]+)",
                      run("readelf", "-n", at("a.so")).stdout).group(1)
    text = ["attr cycles period=1 sample_type=IP|TID|TIME|CALLCHAIN ids=1 "
            "flags=sample_id_all|mmap|comm",
            'build_id %s "/lib/a.so" misc=2' % build, 'comm 8 8 "a"',
            'mmap pid=8 addr=0x10000000 len=0x10000 pgoff=0 name="/lib/a.so"']
    functions = [line.split() for line in
                 run("nm", "-S", at("whole.so")).stdout.splitlines()
                 if line.endswith((" hidden", " work"))]
    for start, size, *_ in functions:
        for a in range(int(start, 16), int(start, 16) + int(size, 16)):
            text.append("sample ip=0x%x pid=8 time=%d chain=user,0x%x"
                        % (0x10000000 + a, a, 0x10000000 + a))
    with open(at("in.mkperf"), "w", encoding="ascii") as f:
        f.write("\n".join(text) + "\n")
    made = run(MKPERF, at("in.mkperf"), at("perf.data"))
    tap.ok(made.returncode == 0 and len(functions) == 2,
           "the capture is made", made.stderr)
    want = names("whole.so")
    tap.ok("hidden+" in want and "helper" in want and "a.c:" in want,
           "the library has names, inlined functions and lines", want)
    for where in ("a.so", "a.debug"), ("a.debug", "a.so"), ("a.debug",):
        got = names(*where)
        tap.ok(got == want, " and ".join(where) + ": the same", got)
    tap.ok("work+" in names("a.so"),
           "the library alone has those that are exported")
tap.done()
