#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Symbols of machines that are not this one: stubs of a procedure linkage table,
# whose relocations have 32 or 64 bits, with addends or without, and functions
# of ppc64 that are named by their descriptors.
import os
import subprocess
import sys
import tempfile
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/symbolize")]
import tap
from madeelf import Object

AT, GOT = 0x1000, 0x8000 # addresses are offsets in the file
scratch = tempfile.TemporaryDirectory(prefix="coldperf-machines.")
PATH = os.path.join(scratch.name, "object")


def names(offsets):
    base = 0x10000000
    text = "attr cycles type=1 config=0 period=1 sample_type=IP|TID|TIME\n" \
        "mmap pid=5 addr=%d len=0x4000 pgoff=0 name=\"%s\"\n" % (base, PATH)
    for i, offset in enumerate(offsets):
        text += "sample ip=%d pid=5 time=%d misc=2\n" % (base + offset, i + 1)
    source, capture = (os.path.join(scratch.name, n) for n in ("in", "data"))
    with open(source, "w", encoding="ascii") as f:
        f.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    source, capture], check=True)
    p = subprocess.run([tap.coldperf, "script", "-F", "ip,sym",
                        "--debuginfod=off", capture], text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False)
    if p.stdout.count("\n") < len(offsets):
        tap.diag(p.stderr)
    return [line.split()[1] for line in p.stdout.splitlines()]


def plt(what, machine, wide, big, addends, header, stub, missing=False):
    """Three stubs: two of functions, one without a name, by its addend."""
    o = Object(machine, wide, big)
    rels = b""
    for i, symbol in enumerate((2, 1, 99 if missing else 0)):
        info = symbol << (32 if wide else 8) | 7
        rels += o.pack("WW", GOT + 8 * i, info)
        rels += o.pack("W", 0x7770) if addends else b""
    o.add(b".plt", 1, 6, AT, b"\xa5" * (header + 3 * stub), entry=stub)
    o.add(b".rela.plt" if addends else b".rel.plt", 4 if addends else 9, 2,
          0x1800, rels, link=3, entry=len(rels) // 3)
    o.symbols(b".dynsym", 11, 0x2000, 4, [(b"one", 0, 0, 0),
                                          (b"two", 0, 0, 0)])
    o.add(b".text", 1, 6, 0x2800, b"\0" * 16)
    o.write(PATH)
    first = AT + header
    got = names([first, first + stub - 1, first + stub, first + 2 * stub] +
                [AT] * (header != 0))
    last = "*ABS*+0x%x@plt" % (0x7770 if addends else 0)
    want = ["two@plt", "two@plt", "one@plt", last] + [".plt"] * (header != 0)
    tap.ok(got == want, what, "got %s want %s" % (got, want))


plt("arm", 40, False, False, False, 20, 12)
plt("arm, big-endian", 40, False, True, False, 20, 12)
plt("i386", 3, False, False, False, 16, 16)
plt("riscv of 32 bits", 243, False, False, True, 32, 16)
plt("riscv64", 243, True, False, True, 32, 16)
plt("aarch64", 183, True, False, True, 32, 16)
plt("s390x", 22, True, True, True, 32, 32)
plt("x86_64", 62, True, False, True, 16, 16)
plt("another machine, by the size of entries", 258, True, False, True, 16, 16)
plt("without a header, as in static programs", 183, True, False, True, 0, 16)
plt("a relocation of no symbol", 40, False, False, False, 20, 12, missing=True)

# A symbol of .opd is the address of a descriptor, whose first word is that of
# the code.  The last symbol's descriptor is cut.
ppc = Object(21, True, True)
ppc.add(b".text", 1, 6, AT, b"\0" * 0x100)
ppc.add(b".opd", 1, 3, 0x1800, ppc.pack("QQQQQQ", AT + 0x40, 0, 0, AT, 0, 0) +
        b"\0\0\0\0")
ppc.symbols(b".symtab", 2, 0x2000, 4, [
    (b"second", 0x1800, 0x40, 2), (b"first", 0x1818, 0x40, 2),
    (b"third", AT + 0x80, 0x40, 1), (b"cut", 0x1830, 4, 2)])
ppc.write(PATH)
got = names([AT, AT + 0x3f, AT + 0x40, AT + 0x80])
tap.ok(got == ["first", "first", "second", "third"],
       "ppc64: functions by their descriptors", got)
tap.done()
