#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Headers of compressed records that are damaged.  By its content a record is
# known in spite of its type.  One that is lost takes what refers to it along:
# no sample is made of other bytes.
import collections
import os
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

COMPRESSED = (81, 83)
tmp = tempfile.TemporaryDirectory()
bad = os.path.join(tmp.name, "bad")


def samples(data):
    """Status, samples, and what is said."""
    with open(bad, "wb") as f:
        f.write(data)
    r = subprocess.run([tap.coldperf, "script", "--no-local", "-F",
                        "event,pid,time,period", bad], capture_output=True,
                       text=True)
    return r.returncode, collections.Counter(r.stdout.splitlines()), r.stderr


def compressed(data):
    """Places and sizes of compressed records."""
    at, end = struct.unpack_from("<QQ", data, 40)
    end += at
    if data[8] == 16:  # a pipe
        at, end = 16, len(data)
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if kind in COMPRESSED:
            yield at, size
        at += size


for case in "good-zstd", "good-zstd-pipe", "good-compressed", \
        "good-compressed2":
    with open(tap.capture(case, tmp.name), "rb") as f:
        good = f.read()
    _, whole, _ = samples(good)
    places = list(compressed(good))
    middle, size = places[len(places) // 2]
    wrong = []
    for bit in tap.share(range(32), 0, 4):
        if bit == 6:
            continue  # a type of the kernel's, whose content is judged
        b = bytearray(good)
        b[middle + bit // 8] ^= 1 << bit % 8
        got = samples(b)
        if got[0] != 3 or got[1] != whole or \
                "used with %d bytes, as compressed records" % size \
                not in got[2]:
            wrong.append((bit, got[0], sum(got[1].values()), got[2]))
    tap.ok(len(places) > 1 and not wrong, case + ": each bit of a type",
           wrong[:2])
    status, got, said = samples(good[:middle] + bytes(size) +
                                good[middle + size:])
    tap.ok(status == 3 and 0 < sum(got.values()) < sum(whole.values()) and
           not got - whole, case + ": no sample is made of other bytes",
           (status, list((got - whole))[:3], said))
    tap.ok(middle == places[-1][0] or "refers to data that are lost" in said,
           case + ": those that are lost are told", said)
tap.done()
