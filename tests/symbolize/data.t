#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Data that loads and stores touched (perf record -d): the heap, a stack, memory
# of no file and a file that is no object are no code without names, and nothing
# is wrong with them.  Of code the same is said as ever.
import os
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import subprocess
import made
import tap

DATA, CODE = 0x2002, 0x2
locale = os.path.join(made.work.name, "LC_CTYPE")
with open(locale, "w", encoding="ascii") as f:
    f.write("not an object\n" * 100)
damaged = os.path.join(made.work.name, "libbad.so")
with open(damaged, "wb") as f:
    f.write(b"\x7fELF" + b"\xff" * 60)
HEAD = """attr mem type=4 config=0x1cd period=1 sample_type=IP|TID|TIME|ADDR|\
DATA_SRC|WEIGHT flags=sample_id_all|mmap|mmap_data|comm
comm pid=8 comm=app
"""
PLACES = ("//anon", "[stack]", "[heap]", locale, "/nowhere/data.bin")


def messages(maps, data, ip):
    text = HEAD
    for i, (misc, name) in enumerate(maps):
        text += "mmap pid=8 misc=%#x addr=%#x len=0x1000 pgoff=0 name=%s\n" % (
            misc, 0x10000 * (i + 1), name)
    for i, addr in enumerate(data):
        text += "sample pid=8 time=%d misc=2 ip=%#x addr=%#x weight=5 " \
            "data_src=0x5080022\n" % (i + 1, ip, addr)
    p = subprocess.run([tap.coldperf, "mem", "--debuginfod=off",
                        made.build("data", text)], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, check=False,
                       stdin=subprocess.DEVNULL)
    if "By data" not in p.stdout:
        return "no report: " + p.stdout + p.stderr
    return p.stderr


got = messages([(DATA, name) for name in PLACES],
               [0x10010 + 0x10000 * i for i in range(len(PLACES))], 0)
tap.ok("(unmapped-ip)" in got and len(got.splitlines()) == 1,
       "nothing is said of data, but of code at 0", got)
got = messages([(CODE, "//anon"), (CODE, "/nowhere/lib.so"), (CODE, locale),
                (CODE, damaged)], [0x20010, 0x30010, 0x40010], 0x10010)
tap.ok("no-jit-map" in got, "code in memory still misses its map", got)
tap.ok("(no-object): /nowhere/lib.so" in got, "a file with code is missed",
       got)
tap.ok("2 × " in got and "LC_CTYPE: it is no ELF file" in got,
       "where code was mapped from, a file must be an object", got)
got = messages([(DATA, damaged)], [0x10010], 0)
tap.ok("bad-elf" in got, "a damaged object is one, also for data", got)
tap.done()
