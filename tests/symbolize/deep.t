#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inlined functions cost what a file's size justifies: one that nests them
without end, or claims the same addresses with each entry, is read to a limit
that is named.
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

MKPERF = os.path.abspath(tap.top_builddir + "/tests/tools/mkperf")
COLDPERF = os.path.abspath(tap.coldperf)
SIZE = 4096
# A function, and INLINED in it.
SOURCE = """
	.text
	.globl code
	.type code, @function
	.size code, {size}
code:	.fill {size}, 1, 0x90
	.section .debug_abbrev, "", @progbits
abbrevs:
	.uleb128 1, 0x11
	.byte 1
	.uleb128 0x11, 1, 0x12, 7, 3, 8, 0, 0
	.uleb128 2, 0x2e
	.byte 1
	.uleb128 3, 8, 0x11, 1, 0x12, 7, 0, 0
	.uleb128 3, 0x1d
	.byte 1
	.uleb128 0x31, 0x13, 0x11, 1, 0x12, 7, 0, 0
	.uleb128 4, 0x2e
	.byte 0
	.uleb128 3, 8, 0, 0
	.byte 0
	.section .debug_info, "", @progbits
unit:	.long 2f - 1f
1:	.short 4
	.long abbrevs
	.byte 8
	.uleb128 1
	.quad code, {size}
	.asciz "unit.c"
origin:	.uleb128 4
	.asciz "inner"
	.uleb128 2
	.asciz "code"
	.quad code, {size}
	{inlined}
	.byte 0, 0
2:
"""
ENTRY = """.rept {0}
	.uleb128 3
	.long origin - unit
	.quad code, {size}
	{1}
	.endr
"""
tmp = tempfile.mkdtemp(prefix="coldperf-deep.")


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, timeout=120,
                          stderr=subprocess.PIPE, cwd=tmp)


def nested(n):
    return ENTRY.format(n, "", size=SIZE) + "\t.fill %d, 1, 0" % n


def siblings(n):
    return ENTRY.format(n, ".byte 0", size=SIZE)


def build(inlined):
    with open(tmp + "/a.s", "w") as f:
        f.write(SOURCE.format(size=SIZE, inlined=inlined))
    try:
        p = run("gcc", "-m64", "-shared", "-nostdlib", "-Wl,--build-id",
                "a.s", "-o", "a.so")
    except OSError:
        p = None
    if p is None or p.returncode != 0 or sys.byteorder != "little" or \
            os.uname().machine != "x86_64":
        shutil.rmtree(tmp)
        tap.skip_all("gcc makes no library of x86-64")


def capture(step):
    """A sample at each step-th byte of the function."""
    start = [int(line.split()[0], 16) for line in
             run("nm", "a.so").stdout.decode().splitlines()
             if line.endswith(" code")][0]
    build_id, = [line.split()[-1] for line in
                 run("readelf", "-n", "a.so").stdout.decode().splitlines()
                 if "Build ID:" in line]
    text = ("byte_order little\nattr clock type=1 period=1000 "
            "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap2|comm\n"
            "comm 7 7 work\nmmap2_build_id pid=7 addr=0x1000000 len=0x100000 "
            "pgoff=0 id=%s name=\"%s/a.so\"\n"
            "repeat %d as i {\nsample pid=7 time=1000+i ip=0x%x+i*%d\n}\n" % (
                build_id, tmp, SIZE // step, 0x1000000 + start, step))
    with open(tmp + "/in.mkperf", "w") as f:
        f.write(text)
    p = run(MKPERF, "in.mkperf", "data")
    if p.returncode != 0:
        tap.diag(p.stderr.decode())


def folded(inlined, step):
    """Exit status, how deep each folded line is, what it said."""
    build(inlined)
    capture(step)
    p = run(COLDPERF, "flame", "--inline", "yes", "--no-cache", "--cache",
            tmp + "/none", "-f", "folded", "data")
    lines = p.stdout.decode().splitlines()
    return (p.returncode, {line.count(";inner") for line in lines
                           if ";code" in line}, p.stderr.decode())


status, depths, said = folded(nested(200), 64)
tap.ok(status == 0 and depths == {200}, "200 inlined functions are shown",
       (status, depths, said))
status, depths, said = folded(nested(5000), 64)
tap.ok(status == 4 and depths == {256} and "CP_MAX_INLINED" in said,
       "of 5,000 the outermost 256, and that is a limit",
       (status, depths, said))
status, depths, said = folded(siblings(2000), 1)
tap.ok(status == 0 and depths == {1}, "2,000 that claim the same addresses",
       (status, depths, said))
status, depths, said = folded(siblings(40000), 1)
tap.ok(status == 4 and depths <= {0, 1} and "more work than" in said,
       "40,000 are more work than their size justifies",
       (status, depths, said))
shutil.rmtree(tmp)
tap.done()
