#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Line tables: rows that are known are written as programs, by instructions
# that SEED chooses among all that DWARF has for it, and are read back.
import os
import random
import struct
import sys
import tempfile
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/symbolize")]
import tap
from madedwarf import TEXT, abbrevs, frames, sleb, uleb, unit, write

scratch = tempfile.TemporaryDirectory(prefix="coldperf-lines.")
path = os.path.join(scratch.name, "object")
pick = random.Random(int(os.environ.get("SEED", "1")))
FILES = ["a.c", "b.c", "c.c"]
END = TEXT + 0x800
OPERANDS = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]


def extended(op, data=b""):
    return b"\0" + uleb(len(data) + 1, pick.randrange(2)) + bytes([op]) + data


class Program:
    """Writes rows, one after the other."""

    def __init__(self, version, least, base, first, span):
        self.version, self.least, self.base = version, least, base
        self.first, self.span = first, span # line_base, line_range
        self.code, self.column, self.file = b"", 0, 1
        self.address, self.line = 0, 1
        self.defined = 0

    def header(self):
        operands = OPERANDS + [2, 0, 3] # those of versions to come
        head = bytes([self.least]) + b"\1" * (self.version >= 4) + b"\1" + \
            struct.pack("<bBB", self.first, self.span, self.base)
        head += bytes(operands[:self.base - 1])
        if self.version >= 5:
            head += b"\1\1\x08\1/src\0" # a folder: a string
            head += b"\2\1\x08\2\x0b" # files: a string, a byte
            # The first file counts from 0; 1 is the first again.
            head += bytes([len(FILES) + 1]) + b"".join(
                f.encode() + b"\0\0" for f in FILES[:1] + FILES)
        else:
            head += b"\0" + b"".join(f.encode() + b"\0\0\0\0"
                                     for f in FILES[:2]) + b"\0"
        body = struct.pack("<H", self.version)
        body += b"\x08\0" if self.version >= 5 else b""
        body += struct.pack("<I", len(head)) + head + self.code
        return struct.pack("<I", len(body)) + body

    def to(self, address):
        """Goes there, or returns the steps that are left."""
        step, least = address - self.address, self.least
        way = pick.randrange(5)
        skip = (255 - self.base) // self.span # of const_add_pc
        if way == 0 or step < 0:
            self.code += extended(2, struct.pack("<Q", address))
        elif way == 1:
            self.code += b"\2" + uleb(step // least, pick.randrange(3))
        elif way == 2 and step < 0x10000:
            self.code += b"\x09" + struct.pack("<H", step)
        elif way == 3 and step >= skip * least:
            self.code += b"\x08\2" + uleb(step // least - skip)
        else:
            return step // least
        return 0

    def row(self, address, file, line, column):
        if file > 2 and self.version < 5 and not self.defined:
            self.code += extended(3, FILES[2].encode() + b"\0\0\0\0")
            self.defined = 1
        if file != self.file:
            self.code += b"\4" + uleb(file, pick.randrange(3))
        if column != self.column:
            self.code += b"\5" + uleb(column, pick.randrange(3))
        noise = [b"\7", extended(0x80, b"1234"), b"\6\6"]
        if self.base >= 13:
            noise += [b"\x0a", b"\x0b", b"\x0c\5"]
        if self.base >= 16:
            noise += [b"\x0d\x81\2\3", b"\x0e", b"\x0f\1\2\x83\4"]
        self.code += b"".join(pick.sample(noise, pick.randrange(3)))
        left = self.to(address)
        if not self.first <= line - self.line < self.first + self.span or \
                pick.randrange(4) == 0:
            self.code += b"\3" + sleb(line - self.line, pick.randrange(3))
            self.line = line
        less = line - self.line - self.first
        special = less + self.span * left + self.base
        if 0 <= less < self.span and special <= 255 and \
                (line != self.line or left or pick.randrange(2)):
            self.code += bytes([special])
        else:
            if left:
                self.code += b"\2" + uleb(left)
            if line != self.line:
                self.code += b"\3" + sleb(line - self.line)
            self.code += b"\1"
        self.address, self.line = address, line
        self.column, self.file = column, file

    def end(self, address):
        left = self.to(address)
        self.code += (b"\2" + uleb(left) if left else b"") + extended(1)


def rows_of(least):
    """Some rows of increasing addresses."""
    out, address = [], TEXT
    while address < END - 0x80:
        out.append((address, pick.randrange(1, 4),
                    pick.choice([1, 7, 100, 5000, 70000]) +
                    pick.randrange(8), pick.choice([0, 1, 9, 127, 128, 3000])))
        address += least * pick.choice([1, 2, 3, 7, 16, 60])
    return out


def check(version, least, base, first, span):
    p = Program(version, least, base, first, span)
    rows = rows_of(least)
    for row in rows:
        p.row(*row)
    p.end(END)
    if version < 5:
        info = abbrevs((0x11, 1, (3, 8), (0x10, 6 if version < 4 else 0x17),
                        (0x11, 1), (0x12, 1)),
                       (0x2e, 0, (3, 8), (0x11, 1), (0x12, 1)))
    else:
        info = abbrevs((0x11, 1, (3, 8), (0x10, 0x17), (0x11, 1), (0x12, 1)),
                       (0x2e, 0, (3, 8), (0x11, 1), (0x12, 1)))
    where = struct.pack("<QQ", TEXT, END)
    body = b"\1a.c\0" + struct.pack("<I", 0) + where + b"\2f\0" + where + b"\0"
    write(path, info=unit(body, version), abbrev=info, line=p.header())
    asked = list(range(TEXT, END))
    got = frames(path, asked)
    bad, at = [], 0
    for a, g in zip(asked, got):
        while at + 1 < len(rows) and rows[at + 1][0] <= a:
            at += 1
        _, file, line, column = rows[at]
        want = "%s:%d:%d" % (FILES[file - 1], line, column)
        if len(g) != 1 or g[0][0] != "f" or g[0][1] not in (
                want, "/src/" + want):
            bad.append("%#x: got %s want %s" % (a, g, want))
    tap.ok(not bad and len(got) == len(asked),
           "version %d, steps of %d, %d instructions, lines from %d, %d of "
           "them: %d rows" % (version, least, base, first, span, len(rows)),
           "\n".join(bad[:5]))


for version in (2, 3, 4, 5):
    for least, base, first, span in ((1, 10, -5, 14), (1, 13, -3, 12),
                                     (4, 13, -5, 14), (1, 16, 1, 4),
                                     (2, 16, -10, 100)):
        check(version, least, base, first, span)
tap.done()
