#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Forms of debug information that compilers write now and then: each kind of
# entry in lists of ranges, and classes that are described by type units.
import os
import struct
import sys
import tempfile
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/symbolize")]
import tap
from madedwarf import SIZE, TEXT, abbrevs, frames, uleb, unit, write

scratch = tempfile.TemporaryDirectory(prefix="coldperf-forms.")
path = os.path.join(scratch.name, "object")
SPAN = struct.pack("<QQ", TEXT, SIZE)


def quad(*values):
    return struct.pack("<%dQ" % len(values), *values)


def names_at(addresses):
    return [[name for name, _ in one] for one in frames(path, addresses)]


def check(what, inside):
    """inside: the offsets that have g in f; their neighbours have not."""
    asked = sorted({max(0, i + d) for i in inside for d in (-1, 0, 1)} |
                   {0x800})
    got = names_at([TEXT + i for i in asked])
    want = [["g", "f"] if i in inside else ["f"] for i in asked]
    bad = [(hex(a), g) for a, g, w in zip(asked, got, want) if g != w]
    tap.ok(got == want, what, bad[:6])


# -------------------------------------------------------------------- ranges

ADDRESSES = (TEXT + 0x100, TEXT + 0x110, TEXT + 0x300)


def ranges(version, how, lists):
    """f, with g inlined where the list says.  how: form and value."""
    form, value = how
    root = [(3, 8), (0x11, 1), (0x12, 7)] # name, low_pc, high_pc
    if version >= 5:
        root += [(0x73, 0x17), (0x74, 0x17)] # addr_base, rnglists_base
    table = abbrevs((0x11, 1, *root), (0x2e, 0, (3, 8), (0x20, 0x0b)),
                    (0x2e, 1, (3, 8), (0x11, 1), (0x12, 7)),
                    (0x1d, 0, (0x31, 0x13), (0x55, form)))
    body = b"\1a.c\0" + SPAN
    body += struct.pack("<II", 8, 12) if version >= 5 else b""
    g = len(body) + (12 if version >= 5 else 11)
    body += b"\2g\0\1" + b"\3f\0" + SPAN
    body += b"\4" + struct.pack("<I", g) + value + b"\0\0"
    more = {}
    if version >= 5:
        head = struct.pack("<HBBI", 5, 8, 0, 1) + struct.pack("<I", 4)
        more["rnglists"] = struct.pack("<I", len(head + lists)) + head + lists
        words = struct.pack("<HBB", 5, 8, 0) + quad(*ADDRESSES)
        more["addr"] = struct.pack("<I", len(words)) + words
    else:
        more["ranges"] = lists
    write(path, info=unit(body, version), abbrev=table, **more)


FIRST, AT16 = (0x23, b"\0"), (0x17, struct.pack("<I", 16))
TWO = set(range(0x100, 0x110)) | set(range(0x300, 0x308))
PAIR = b"\4" + uleb(0x100) + uleb(0x110) + b"\4" + uleb(0x300) + uleb(0x308)
for what, entries in (
        ("offsets of the unit's address", PAIR),
        ("offsets of an address", b"\5" + quad(TEXT + 0x80) +
         b"\4" + uleb(0x80) + uleb(0x90) + b"\4" + uleb(0x280) + uleb(0x288)),
        ("offsets of an address with a number", b"\1\0\4\0\x10\1\2\4\0\x08"),
        ("two numbers of addresses", b"\2\0\1\3\2\x08"),
        ("an address with a number, and a length", b"\3\0\x10\3\2\x08"),
        ("two addresses", b"\6" + quad(TEXT + 0x100, TEXT + 0x110) +
         b"\6" + quad(TEXT + 0x300, TEXT + 0x308)),
        ("an address and a length", b"\7" + quad(TEXT + 0x100) + b"\x10\7" +
         quad(TEXT + 0x300) + b"\x08"),
        ("an empty range among others", b"\7" + quad(TEXT + 0x10) + b"\0" +
         PAIR),
        ("a dropped base among others", b"\5" + quad(2 ** 64 - 1) +
         b"\4\0\x10\5" + quad(TEXT) + PAIR)):
    for how in (FIRST, AT16):
        ranges(5, how, entries + b"\0")
        check("ranges by %s, %s" % (what, "by number" if how == FIRST else
                                    "by offset"), TWO)
for what, how, entries in (
        ("an entry of no kind", FIRST, b"\x08" + PAIR + b"\0"),
        ("a number of no address", FIRST, b"\3\x70\x10" + PAIR + b"\0"),
        ("a list of no number", (0x23, b"\x40"), PAIR + b"\0"),
        ("a list after the section", (0x17, b"\0\0\1\0"), PAIR + b"\0"),
        ("a range that ends before it begins", FIRST,
         b"\6" + quad(TEXT + 0x110, TEXT + 0x100) + b"\0")):
    ranges(5, how, entries)
    check("no ranges: " + what, set())

AT0 = (0x17, b"\0\0\0\0")
ranges(4, AT0, quad(0x100, 0x110, 0x300, 0x308, 0, 0))
check("pairs of offsets", TWO)
ranges(4, AT0, quad(2 ** 64 - 1, TEXT + 0x80, 0x80, 0x90, 2 ** 64 - 1, 0,
                    TEXT + 0x300, TEXT + 0x308, 0, 0))
check("pairs after a base", TWO)
ranges(4, (0x17, b"\0\0\1\0"), quad(0x100, 0x110, 0, 0))
check("no pairs: after the section", set())
ranges(4, AT0, quad(0x100, 0x110)[:-4])
check("no pairs: cut", set())

# ---------------------------------------------------------------- type units

SIGNATURE = 0x1122334455667788


def typed(version, signature):
    """A method of class K, whose name is in the type unit alone."""
    table = abbrevs(
        (0x11, 1, (3, 8), (0x11, 1), (0x12, 7)), (0x39, 1, (3, 8)),
        (0x02, 1, (0x3c, 0x19), (0x69, 0x20)), # declaration, signature
        (0x2e, 0, (3, 8), (0x3c, 0x19)),
        (0x2e, 0, (0x47, 0x13), (0x11, 1), (0x12, 7)), # specification
        (0x41, 1, (3, 8)), (0x02, 0, (3, 8)))
    head = 12 if version >= 5 else 11
    body = b"\1a.cc\0" + SPAN + b"\2ns\0\3" + quad(signature)
    m = head + len(body)
    body += b"\4m\0\0\0\5" + struct.pack("<I", m) + SPAN + b"\0"
    inner = b"\6t.cc\0\2ns\0"
    place = head + 12 + len(inner)
    other = unit(inner + b"\7K\0\0\0", version, 2,
                 struct.pack("<QI", SIGNATURE, place))
    second = unit(inner + b"\7L\0\0\0", version, 2,
                  struct.pack("<QI", SIGNATURE, place))
    own = unit(body, version)
    if version >= 5: # the first of two of one type is taken
        write(path, info=other + own + second, abbrev=table)
    else:
        write(path, info=own, abbrev=table, types=other + second)


for version in (4, 5):
    typed(version, SIGNATURE)
    got = names_at([TEXT + 8])
    tap.ok(got == [["ns::K::m"]], "version %d: a class of a type unit" %
           version, got)
    typed(version, 99)
    got = names_at([TEXT + 8])
    tap.ok(got == [["ns::{unnamed}::m"]], "version %d: and one of a type that "
           "no unit describes" % version, got)
tap.done()
