#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""makego.py LAYOUT ORDER FILE: a stripped Go program as far as names go.

LAYOUT is the version of Go that its table is like (2, 16, 18, 20), ORDER
little or big.  Nothing in it runs: there are functions, frames and lines, and
from 18 on inlined calls.  With "pie" behind, its addresses are relocations.
"""
import struct
import sys

TEXT = 0x401000
# Name, bytes, [(bytes, frame)], [(bytes, file, line, number of a call)].
FUNCTIONS = [
    ("runtime.goexit", 16, [(16, 0)], [(16, 0, 90, -1)]),
    ("main.work", 64, [(8, 0), (48, 40), (8, 0)],
     [(16, 0, 10, -1), (16, 1, 5, 1), (16, 1, 7, 0), (16, 0, 12, -1)]),
    ("main.main", 32, [(4, 0), (28, 24)], [(32, 0, 20, -1)]),
]
# Of main.work: name, where the caller goes on.  1 is inlined into 0.
CALLS = [("main.twice", 4), ("main.once", 40)]
FILES = ["/src/main.go", "/src/other.go"]
OUTERMOST = ("runtime.goexit",)


class Maker:
    def __init__(self, layout, order, pie):
        self.layout, self.pie = layout, pie
        self.e = "<" if order == "little" else ">"
        self.relocations = []

    def u32(self, *v):
        return b"".join(struct.pack(self.e + "I", x & 0xffffffff) for x in v)

    def u64(self, *v):
        return b"".join(struct.pack(self.e + "Q", x) for x in v)

    @staticmethod
    def uleb(n):
        out = b""
        while n >= 128:
            out, n = out + bytes([n & 127 | 128]), n >> 7
        return out + bytes([n])

    def values(self, pairs):
        out, last, joined = b"", -1, []
        for size, value in pairs:  # a step of 0 would end it
            if joined and joined[-1][1] == value:
                size += joined.pop()[0]
            joined.append((size, value))
        for size, value in joined:
            step = value - last
            zigzag = (step << 1) ^ (step >> 31) & 0xffffffff
            out += self.uleb(zigzag & 0xffffffff) + self.uleb(size)
            last = value
        return out + b"\0"

    def strings(self, texts):
        out, at = b"", {}
        for text in texts:
            at[text] = len(out)
            out += text.encode() + b"\0"
        return out, at

    def function(self, i, start, tables, name):
        frame, file, line, inlined = tables
        where = self.u32(start) if self.layout >= 18 else self.u64(
            0 if self.pie else TEXT + start)
        out = where + self.u32(name, 0, 0, frame, file, line, 3)
        if self.layout >= 16:
            out += self.u32(0)  # unit
        if self.layout >= 20:
            out += self.u32(1)
        flags = FUNCTIONS[i][0] in OUTERMOST and self.layout >= 18
        out += bytes([0, flags, 0, 4]) + self.u32(0, 0, inlined)
        return out + self.u32(*[0xffffffff] * 3,
                              0 if i == 1 else 0xffffffff)

    def table(self, addr):
        """The table, and the places of its functions' addresses."""
        names, name_at = self.strings(
            [""] + [f[0] for f in FUNCTIONS] + [c[0] for c in CALLS])
        files, _ = self.strings(FILES)
        units = self.u32(0, len(FILES[0]) + 1)
        values, tables = b"\0", []
        for _, _, frames, lines in FUNCTIONS:
            each = []
            for pairs in (frames, [(n, f) for n, f, _, _ in lines],
                          [(n, l) for n, _, l, _ in lines],
                          [(n, c) for n, _, _, c in lines]):
                each.append(len(values))
                values += self.values(pairs)
            tables.append(each)
        half = 4 if self.layout >= 18 else 8
        index_size = half * (2 * len(FUNCTIONS) + 1)
        head = {2: 16, 16: 64, 18: 72, 20: 72}[self.layout]
        if self.layout == 2:
            base, shift = head, head + index_size
            bodies = shift + len(names) + len(values)
        else:
            base, shift, bodies = 0, 0, index_size
        # Go 1.2 counts all from the table's beginning.
        name_shift = shift
        value_shift = shift + len(names) if self.layout == 2 else 0
        index, functions, start = b"", b"", 0
        starts = []
        for i, f in enumerate(FUNCTIONS):
            starts.append(len(index))
            index += self.u32(start) if half == 4 else self.u64(
                0 if self.pie else TEXT + start)
            index += (self.u32 if half == 4 else self.u64)(
                bodies + len(functions))
            functions += self.function(
                i, start, [t + value_shift for t in tables[i]],
                name_at[f[0]] + name_shift)
            start += f[1]
        starts.append(len(index))
        index += self.u32(start) if half == 4 else self.u64(
            0 if self.pie else TEXT + start)
        magic = {2: 0xfffffffb, 16: 0xfffffffa, 18: 0xfffffff0,
                 20: 0xfffffff1}[self.layout]
        out = self.u32(magic) + bytes([0, 0, 1, 8]) + self.u64(
            len(FUNCTIONS))
        if self.layout == 2:
            out += index + names + values + functions
        else:
            if self.layout >= 18:
                text = [0 if self.pie else TEXT]
            else:
                text = []
            at = head
            parts = []
            for part in (names, units, files, values):
                parts.append(at)
                at += len(part)
            out += self.u64(len(FILES), *text, *parts, at)
            assert len(out) == head
            out += names + units + files + values + index + functions
            base = at
        if half == 8 and self.pie:
            total = 0
            for i, s in enumerate(starts):
                self.relocations.append((addr + base + s, TEXT + total))
                if i < len(FUNCTIONS):
                    total += FUNCTIONS[i][1]
        self.names = name_at
        return out

    def calls(self):
        out = b""
        for i, (name, after) in enumerate(CALLS):
            if self.layout >= 20:
                out += self.u32(0, self.names[name], after, 1)
            else:
                out += struct.pack(self.e + "hBB", -1, 0, 0) + self.u32(
                    0, 0, self.names[name], after)
        return out

    def module(self, addr, table, calls):
        words = [0] * 41
        words[0], words[17] = table, len(FUNCTIONS) + 1
        words[20] = words[22] = TEXT
        words[21] = words[23] = TEXT + sum(f[1] for f in FUNCTIONS)
        words[40 if self.layout >= 20 else 38] = calls
        if self.pie:
            for i, w in enumerate(words):
                if i != 17 and w != 0:
                    self.relocations.append((addr + 8 * i, w))
                    words[i] = 0
        return self.u64(*words)


def make(layout, order, path, pie):
    m = Maker(layout, order, pie)
    base, table_at, calls_at, data_at = TEXT - 0x1000, 0x2000, 0x3000, 0x4000
    parts = [(".text", 1, 6, 0x1000, b"\x90" * sum(f[1] for f in FUNCTIONS)),
             (".gopclntab", 1, 2, table_at, m.table(base + table_at))]
    parts.append((".rodata", 1, 2, calls_at, m.calls()))
    if layout >= 18:
        parts.append((".data", 1, 3, data_at,
                      m.module(base + data_at, base + table_at,
                               base + calls_at)))
    rela = b"".join(m.u64(a, 8 if order == "little" else 12, v)
                    for a, v in m.relocations)
    parts.append((".rela.dyn", 4, 2, 0x5000, rela))
    names = b"\0" + b"".join(p[0].encode() + b"\0" for p in parts)
    names += b".shstrtab\0"
    parts.append((".shstrtab", 3, 0, 0x6000, names))
    image = bytearray(0x7000)
    for _, _, _, at, data in parts:
        image[at:at + len(data)] = data
    machine = 62 if order == "little" else 22
    head = b"\x7fELF" + bytes([2, 1 if order == "little" else 2, 1]) + bytes(9)
    head += struct.pack(m.e + "HHIQQQIHHHHHH", 3 if pie else 2, machine, 1,
                        TEXT, 64, 0x6800, 0, 64, 56, 1, 64, len(parts) + 1,
                        len(parts))
    head += struct.pack(m.e + "IIQQQQQQ", 1, 7, 0, base, base, 0x7000,
                        0x7000, 0x1000)
    image[0:len(head)] = head
    at, name = 0x6800 + 64, 1
    for text, kind, flags, offset, data in parts:
        image[at:at + 64] = struct.pack(
            m.e + "IIQQQQIIQQ", name, kind, flags,
            base + offset if flags else 0, offset, len(data), 0, 0, 8,
            24 if kind == 4 else 0)
        at, name = at + 64, name + len(text) + 1
    with open(path, "wb") as f:
        f.write(image)


if __name__ == "__main__":
    make(int(sys.argv[1]), sys.argv[2], sys.argv[3], "pie" in sys.argv[4:])
