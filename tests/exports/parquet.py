# SPDX-License-Identifier: MIT
"""A reader of Parquet files, written from the format's own definition.

It reads what snapshots have: REQUIRED columns, PLAIN and DELTA_BINARY_PACKED,
pages compressed by zstd.  Whatever else there is is an error.
"""
import ctypes
import ctypes.util
import struct

ZSTD, PLAIN, DELTA, UTF8 = 6, 0, 5, 0
INT32, INT64, DOUBLE, BYTES = 1, 2, 5, 6


def zstd():
    """The library, or None."""
    for name in ("libzstd.so.1", ctypes.util.find_library("zstd")):
        try:
            lib = ctypes.CDLL(name) if name else None
        except OSError:
            continue
        if lib:
            lib.ZSTD_decompress.restype = ctypes.c_size_t
            lib.ZSTD_decompress.argtypes = [
                ctypes.c_char_p, ctypes.c_size_t,
                ctypes.c_char_p, ctypes.c_size_t]
            return lib
    return None


def inflate(data, size):
    out = ctypes.create_string_buffer(size + 1)
    n = LIB.ZSTD_decompress(out, size, data, len(data))
    assert n == size, "zstd: %d bytes instead of %d" % (n, size)
    return out.raw[:size]


LIB = zstd()


class Thrift:
    """The compact protocol: structs are dictionaries by field id."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        v = self.varint()
        return v >> 1 ^ -(v & 1)

    def take(self, n):
        out = self.data[self.at:self.at + n]
        assert len(out) == n, "cut"
        self.at += n
        return out

    def value(self, kind):
        if kind in (5, 6):
            return self.signed()
        if kind == 8:
            return self.take(self.varint()).decode()
        if kind == 9:
            head = self.take(1)[0]
            n = head >> 4 if head >> 4 != 15 else self.varint()
            return [self.value(head & 15) for _ in range(n)]
        assert kind == 12, "type %d" % kind
        return self.struct()

    def struct(self):
        out, last = {}, 0
        while True:
            head = self.take(1)[0]
            if head == 0:
                return out
            assert head >> 4, "a field id in the long form"
            last += head >> 4
            out[last] = self.value(head & 15)


def delta(data, n, bits):
    r = Thrift(data)
    block, parts, count, value = (r.varint(), r.varint(), r.varint(),
                                  r.signed())
    assert count == n and block % 128 == 0 and block // parts % 32 == 0
    out = [value] if n else []
    while len(out) < n:
        least, widths = r.signed(), r.take(parts)
        for width in widths:
            if len(out) >= n:
                break
            assert width <= bits, "steps wider than the type"
            some = int.from_bytes(r.take(width * block // parts // 8),
                                  "little")
            for i in range(min(block // parts, n - len(out))):
                step = some >> i * width & (1 << width) - 1
                value += least + step
                value = (value + (1 << bits - 1)) % (1 << bits) - (
                    1 << bits - 1)
                out.append(value)
    assert r.at == len(data), "bytes after the last number"
    return out


def plain(data, n, kind):
    if kind != BYTES:
        code = {INT32: "i", INT64: "q", DOUBLE: "d"}[kind]
        return list(struct.unpack("<%d%s" % (n, code), data))
    out, at = [], 0
    for _ in range(n):
        size, = struct.unpack_from("<I", data, at)
        out.append(data[at + 4:at + 4 + size].decode())
        at += 4 + size
    assert at == len(data), "bytes after the last text"
    return out


def chunk(data, meta, kind):
    """The values of a column of a row group, and how many pages."""
    out, pages, r = [], 0, Thrift(data, meta[9])
    inflated = 0
    while len(out) < meta[5]:
        start = r.at
        page = r.struct()
        inflated += r.at - start + page[2]
        assert page[1] == 0 and page[5][1] > 0, "not a page of data"
        body = inflate(r.take(page[3]), page[2])
        n, encoding = page[5][1], page[5][2]
        assert encoding in meta[2]
        if encoding == DELTA:
            out += delta(body, n, 32 if kind == INT32 else 64)
        else:
            assert encoding == PLAIN
            out += plain(body, n, kind)
        pages += 1
    assert len(out) == meta[5] and r.at == meta[9] + meta[7]
    assert inflated == meta[6], "the size without compression"
    return out, pages


def read(data):
    """(columns by name, row groups, most pages of a chunk)."""
    assert data[:4] == data[-4:] == b"PAR1"
    size, = struct.unpack("<I", data[-8:-4])
    r = Thrift(data, len(data) - 8 - size)
    footer = r.struct()
    assert r.at == len(data) - 8, "bytes after the footer"
    fields = footer[2][1:]
    assert footer[2][0][5] == len(fields)
    assert all(f[3] == 0 and (f.get(6) == UTF8) == (f[1] == BYTES)
               for f in fields)
    table = {f[4]: [] for f in fields}
    most = 0
    for group in footer[4]:
        for f, c in zip(fields, group[1]):
            meta = c[3]
            assert meta[1] == f[1] and meta[3] == [f[4]] and meta[4] == ZSTD
            assert meta[5] == group[3]
            values, pages = chunk(data, meta, f[1])
            table[f[4]] += values
            most = max(most, pages)
    assert all(len(v) == footer[3] for v in table.values())
    return table, len(footer[4]), most


def rows(table):
    """The table as a list of dictionaries."""
    return [dict(zip(table, r)) for r in zip(*table.values())]
