#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# ARM code: mapping symbols say where it is ARM, Thumb and data, in files of
# either byte order.  Without them the address of a function says if it is Thumb.
import json
import os
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

ARM, AARCH64 = 40, 183
TEXT, AT, SIZE = 0x11000, 0x1000, 0x40
BE8 = 0x00800000
scratch = tempfile.TemporaryDirectory(prefix="coldperf-mapping.")


def path(name):
    return os.path.join(scratch.name, name)


def elf(name, machine, code, symbols, dynamic=False, big=False, flags=0):
    """symbols: (name, address, size, is it a function?)."""
    wide, e = machine == AARCH64, ">" if big else "<"
    names, table = b"\0", b"\0" * (24 if wide else 16)
    for text, value, size, function in symbols:
        info, at = 0x12 if function else 0, len(names)
        table += struct.pack(e + "IBBHQQ", at, info, 0, 1, value, size) \
            if wide else struct.pack(e + "IIIBBH", at, value, size, info, 0, 1)
        names += text.encode() + b"\0"
    sections = [(1, 6, TEXT, AT, SIZE, 0, 0),
                (11 if dynamic else 2, 2, 0, 0x2000, len(table), 3,
                 24 if wide else 16),
                (3, 0, 0, 0x3000, len(names), 0, 0)]
    word = "Q" if wide else "I"
    data = bytearray(0x4000)
    ident = b"\x7fELF" + bytes([1 + wide, 1 + big, 1]) + b"\0" * 9
    head = struct.pack(e + "HHI3%sIHHHHHH" % word, 3, machine, 1, TEXT,
                       64 if wide else 52, 0x3800, flags, 64 if wide else 52,
                       56 if wide else 32, 1, 64 if wide else 40, 4, 3)
    load = struct.pack(e + "IIQQQQQQ", 1, 5, AT, TEXT, TEXT, 0x800, 0x800,
                       0x1000) if wide else \
        struct.pack(e + "8I", 1, AT, TEXT, TEXT, 0x800, 0x800, 5, 0x1000)
    data[:len(ident + head + load)] = ident + head + load
    data[AT:AT + len(code)] = code
    data[0x2000:0x2000 + len(table)] = table
    data[0x3000:0x3000 + len(names)] = names
    at = 0x3800 + (64 if wide else 40)
    for kind, flag, addr, where, size, link, each in sections:
        one = struct.pack(e + "II4%sII2%s" % (word, word), 0, kind, flag, addr,
                          where, size, link, 0, 4, each)
        data[at:at + len(one)] = one
        at += len(one)
    with open(path(name), "wb") as f:
        f.write(data)


def listing(name, offset, arch):
    """The instructions of the function there: (offset in it, text)."""
    with open(path("in"), "w", encoding="ascii") as f:
        f.write("""attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME
feature arch "%s"
mmap pid=5 addr=0x70001000 len=0x1000 pgoff=0x1000 name="%s"
sample ip=%#x pid=5 time=5
""" % (arch, path(name), 0x70001000 + offset))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path("data")], check=True)
    p = subprocess.run([tap.coldperf, "annotate", "--all", "-f", "json",
                        "--debuginfod=off", "--no-cache", path("data")],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False)
    if b"libcapstone" in p.stderr:
        tap.skip_all("Capstone is not installed")
    for s in json.loads(p.stdout)["sections"]:
        if s["slug"] == "annotate":
            return [r["values"][-1] for r in s["rows"] if r["depth"] == 2]
    return p.stderr.decode()


def check(what, got, want):
    tap.ok(got == want, what, "got %s want %s" % (got, want))


def mixed(e, data):
    """Two instructions of ARM, data, two instructions of Thumb."""
    return struct.pack(e + "2I", 0xe3a00001, 0xe12fff1e) + data + \
        struct.pack(e + "2H", 0x2002, 0x4770)


DATA = b"\xef\xbe\xad\xde"
WANT = ["mov r0, #1", "bx lr", ".bytes ef be ad de", "movs r0, #2", "bx lr"]
# $q and $dx are no marks; one of code without an instruction set is of ARM.
MARKS = [("mixed", TEXT, 16, True), ("$t.x", TEXT + 12, 0, False),
         ("$q", TEXT, 0, False), ("$a", TEXT, 0, False),
         ("$dx", TEXT + 4, 0, False), ("$d", TEXT + 8, 0, False),
         ("$", TEXT + 4, 0, False), ("$d", TEXT + 16, 0, False)]
elf("little", ARM, mixed("<", DATA), MARKS)
check("ARM, data and Thumb", listing("little", 0, "armv7l"), WANT)
elf("be32", ARM, mixed(">", DATA), MARKS, big=True)
check("in a big-endian file", listing("be32", 0, "armv7b"), WANT)
elf("be8", ARM, mixed("<", DATA), MARKS, big=True, flags=BE8)
check("in a big-endian file whose code is little-endian",
      listing("be8", 0, "armv7b"), WANT)

# A function without a mark of its own: what the one before ended with says if
# it is Thumb, but is not data.
two = mixed("<", DATA) + struct.pack("<2H", 0x2003, 0x4770)
elf("after", ARM, two, [("mixed", TEXT, 16, True), ("$d", TEXT + 8, 0, False),
                        ("$t", TEXT + 12, 0, False),
                        ("after", TEXT + 16, 4, True)])
check("a function after Thumb code", listing("after", 16, "armv7l"),
      ["movs r0, #3", "bx lr"])
elf("stale", ARM, mixed("<", DATA), [("$d", TEXT - 4, 0, False),
                                    ("f", TEXT, 8, True)])
check("data before a function do not reach into it",
      listing("stale", 0, "armv7l"), WANT[:2])

# A stripped file: bit 0 of an address says that the function is Thumb.
thumb = struct.pack("<2H", 0x2003, 0x4770)
elf("odd", ARM, thumb, [("f", TEXT | 1, 4, True)], dynamic=True)
check("a Thumb function of a stripped file", listing("odd", 0, "armv7l"),
      ["movs r0, #3", "bx lr"])
elf("even", ARM, mixed("<", b""), [("f", TEXT, 8, True)], dynamic=True)
check("and one of ARM", listing("even", 0, "armv7l"), WANT[:2])

# AArch64 code is little-endian in files of either byte order.
code = struct.pack("<2I", 0x91000400, 0xd65f03c0) + DATA
marks = [("f", TEXT, 12, True), ("$x", TEXT, 0, False),
         ("$d.7", TEXT + 8, 0, False)]
for big in (False, True):
    elf("a64", AARCH64, code, marks, big=big)
    check("AArch64, %s-endian" % ("big" if big else "little"),
          listing("a64", 0, "aarch64_be" if big else "aarch64"),
          ["add x0, x0, #1", "ret", WANT[2]])
tap.done()
