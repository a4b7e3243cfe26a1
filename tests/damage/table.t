#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A wrong place of the data, or a wrong entry in the table of features, loses no
# feature: the others show what is right.
import os
import re
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

DATA_OFFSET, DATA_SIZE = 40, 48
tmp = tempfile.TemporaryDirectory()
bad = os.path.join(tmp.name, "bad.data")
good = tap.capture("good-syscalls", tmp.name)
with open(good, "rb") as f:
    data = f.read()


def run(*arguments):
    r = subprocess.run([tap.coldperf] + list(arguments), capture_output=True,
                       text=True, errors="replace")
    return r.returncode, r.stdout, r.stderr


def facts(path):
    """What info knows of the recording, but for the path and the damage."""
    status, out, err = run("info", path)
    rows = out.partition("What the capture says of itself")[2]
    return status, [s for s in rows.splitlines() if path not in s], err


def samples(path):
    return run("script", "--ns", "-F", "comm,tid,time,event,period", path)[1]


def spoilt(at, value):
    with open(bad, "wb") as f:
        f.write(data[:at] + struct.pack("<Q", value) + data[at + 8:])
    return bad


def entries():
    """The places of the table's entries in the file."""
    at, size = struct.unpack_from("<QQ", data, DATA_OFFSET)
    bits = int.from_bytes(data[72:104], "little")
    return [at + size + 16 * i for i in range(bin(bits).count("1"))]


def same(what, places, values):
    """Whatever of these values is there, all is known, and damage is said."""
    wrong, loud = [], 0
    for at in places:
        old = struct.unpack_from("<Q", data, at)[0]
        for value in values(old):
            status, found, err = facts(spoilt(at, value))
            loud += status == 3 and ("offset 0x" in err)
            if found != known or (at < 104 and samples(bad) != shown):
                wrong.append("%#x: %#x -> %#x" % (at, old, value))
    n = sum(len(values(0)) for _ in places)
    tap.ok(not wrong, what, "\n".join(wrong))
    tap.ok(loud == n, what + ": it is said, with its place",
           "%d of %d" % (loud, n))


known, shown = facts(good)[1], samples(good)
same("a wrong size of the data", [DATA_SIZE],
     lambda old: (0, 8, old + 8, old // 2 & ~7, len(data), 1 << 40))
same("a wrong offset of the data", [DATA_OFFSET],
     lambda old: (0, len(data) - 8, len(data) + 8, 1 << 40))
same("a wrong offset of a feature", entries(),
     lambda old: (len(data) + 99, old ^ 1 << 45))
same("a wrong size of a feature", [at + 8 for at in entries()],
     lambda old: (old + (1 << 33),))
tap.done()
