# SPDX-License-Identifier: MIT
"""Objects whose debug information is written word by word."""
import os
import struct
import subprocess
import tap

TEXT, SIZE = 0x1000, 0x1000
READER = os.path.join(tap.top_builddir, "tests/symbolize/inlines")


def uleb(n, pad=0):
    """pad: bytes more than are needed."""
    out = b""
    while n >= 0x80:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    if pad:
        return out + bytes([n | 0x80]) + b"\x80" * (pad - 1) + b"\0"
    return out + bytes([n])


def sleb(n, pad=0):
    out = b""
    while not -64 <= n < 64:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    if pad:
        fill = 0x7f if n < 0 else 0
        return out + bytes([n & 0x7f | 0x80]) + \
            bytes([fill | 0x80]) * (pad - 1) + bytes([fill])
    return out + bytes([n & 0x7f])


def unit(body, version, kind=1, more=b""):
    """A unit of .debug_info; more: what follows the header's fields."""
    head = struct.pack("<HBBI", version, kind, 8, 0) if version >= 5 else \
        struct.pack("<HIB", version, 0, 8)
    return struct.pack("<I", len(head + more + body)) + head + more + body


def abbrevs(*all_):
    """(tag, has children, (attribute, form)...)"""
    out = b""
    for i, (tag, children, *specs) in enumerate(all_):
        out += uleb(i + 1) + uleb(tag) + bytes([children])
        for attribute, form in specs:
            out += uleb(attribute) + uleb(form)
        out += b"\0\0"
    return out + b"\0"


def write(path, **sections):
    """An x86-64 object of a page of code and these sections of debug_."""
    names, data = b"\0.text\0", bytearray(64 + 56)
    headers = struct.pack("<IIQQQQIIQQ", 1, 1, 6, TEXT, TEXT, SIZE, 0, 0, 1, 0)
    data += b"\0" * (TEXT - len(data)) + b"\x90" * SIZE
    for name, content in sections.items():
        headers += struct.pack("<IIQQQQIIQQ", len(names), 1, 0, 0, len(data),
                               len(content), 0, 0, 1, 0)
        names += b".debug_" + name.encode() + b"\0"
        data += content
    headers += struct.pack("<IIQQQQIIQQ", len(names), 3, 0, 0, len(data),
                           len(names) + 10, 0, 0, 1, 0)
    data += names + b".shstrtab\0"
    data += b"\0" * (-len(data) % 8)
    count = len(headers) // 64 + 1
    data[:64] = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1,
                            0, 64, len(data), 0, 64, 56, 1, 64, count,
                            count - 1)
    data[64:120] = struct.pack("<IIQQQQQQ", 1, 5, TEXT, TEXT, TEXT, SIZE, SIZE,
                               0x1000)
    with open(path, "wb") as f:
        f.write(data + b"\0" * 64 + headers)


def frames(path, addresses):
    """Of each address the functions, innermost first, as (name, place)."""
    p = subprocess.run([READER, path], stdout=subprocess.PIPE, check=True,
                       input="".join("%x\n" % a for a in addresses),
                       text=True)
    out = []
    for block in p.stdout.split("\n\n")[:len(addresses)]:
        lines = block.strip("\n").split("\n")
        out.append(list(zip(lines[::2], lines[1::2])))
    return out
