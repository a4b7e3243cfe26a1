#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copies a perf.data file under another host name, which is written over the
# recorded one: rename-host.py CAPTURE NAME COPY.  The demonstration makes
# several hosts of one with it.
import struct
import sys

HOSTNAME = 3


def section_of(data, feature):
    """Offset and size of a feature's section; None if there is none."""
    at, size = struct.unpack_from("<QQ", data, 40)
    bits = int.from_bytes(data[72:104], "little")
    if data[:8] != b"PERFILE2" or not bits >> feature & 1:
        return None
    before = bin(bits & ((1 << feature) - 1)).count("1")
    return struct.unpack_from("<QQ", data, at + size + 16 * before)


capture, name, copy = sys.argv[1:]
with open(capture, "rb") as f:
    data = bytearray(f.read())
found = section_of(data, HOSTNAME)
if not found:
    sys.exit("%s: no host name was recorded" % capture)
at = found[0]
room = struct.unpack_from("<I", data, at)[0]
text = name.encode()
if len(text) >= room or at + 4 + room > len(data):
    sys.exit("%s: no room for the name %s" % (capture, name))
data[at + 4:at + 4 + room] = text.ljust(room, b"\0")
with open(copy, "wb") as f:
    f.write(data)
