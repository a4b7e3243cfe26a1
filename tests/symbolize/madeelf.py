# SPDX-License-Identifier: MIT
"""Objects of any machine, class and byte order, made section by section."""
import struct


class Object:
    """An object of 0x4000 bytes; addresses are offsets in the file."""

    def __init__(self, machine, wide, big, kind=3):
        self.kind = kind # ET_DYN; 1: ET_REL
        self.machine, self.wide, self.e = machine, wide, ">" if big else "<"
        self.big, self.sections = big, []

    def pack(self, form, *values):
        """W is a word of the class."""
        return struct.pack(self.e + form.replace(
            "W", "Q" if self.wide else "I"), *values)

    def add(self, name, kind, flags, at, data, link=0, entry=0, info=0):
        self.sections.append((name, kind, flags, at, data, link, entry, info))

    def symbols(self, name, kind, at, link, symbols):
        """symbols: (name, value, size, section)"""
        names, table = b"\0", b"\0" * (24 if self.wide else 16)
        for text, value, size, section in symbols:
            table += self.pack("IBBHQQ", len(names), 0x12, 0, section, value,
                               size) if self.wide else self.pack(
                "IIIBBH", len(names), value, size, 0x12, 0, section)
            names += text + b"\0"
        self.add(name, kind, 0, at, table, link, 24 if self.wide else 16)
        self.add(b".strings", 3, 0, at + 0x400, names)

    def write(self, path):
        names, table = b"\0", b"\0" * (64 if self.wide else 40)
        data = bytearray(0x4000)
        self.add(b".shstrtab", 3, 0, 0x3000,
                 b"\0" * (sum(len(s[0]) + 1 for s in self.sections) + 11))
        for name, kind, flags, at, content, link, entry, info in \
                self.sections:
            table += self.pack("II4WII2W", len(names), kind, flags,
                               0 if self.kind == 1 else at, at, len(content),
                               link, info, 4, entry)
            names += name + b"\0"
            data[at:at + len(content)] = content
        data[0x3000:0x3000 + len(names)] = names
        data[0x3800:0x3800 + len(table)] = table
        size = 64 if self.wide else 52
        head = b"\x7fELF" + bytes([1 + self.wide, 1 + self.big, 1]) + b"\0" * 9
        n = len(self.sections)
        head += self.pack("HHI3WIHHHHHH", self.kind, self.machine, 1, 0, size, 0x3800,
                          0, size, 56 if self.wide else 32, 1,
                          64 if self.wide else 40, n + 1, n)
        head += self.pack("IIQQQQQQ", 1, 5, 0, 0, 0, 0x4000, 0x4000, 0x1000) \
            if self.wide else self.pack("8I", 1, 0, 0, 0, 0x4000, 0x4000, 5,
                                        0x1000)
        data[:len(head)] = head
        with open(path, "wb") as f:
            f.write(data)
