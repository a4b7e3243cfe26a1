#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A zstd block that claims to be larger than it is takes what follows for its
# own: the loss is said, whichever block it is.
import os
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

tmp = tempfile.TemporaryDirectory()
good = os.path.join(tmp.name, "good")
bad = os.path.join(tmp.name, "bad")
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                os.path.join(tap.top_srcdir,
                             "corpus/good-compressed/input.mkperf"), good],
               check=True)
with open(good, "rb") as f:
    data = f.read()


def blocks():
    """Places of the blocks that begin their record."""
    at, size = struct.unpack_from("<QQ", data, 40)
    end = at + size
    while at < end:
        kind, _, n = struct.unpack_from("<IHH", data, at)
        if kind == 81 and data[at + 8:at + 12] != b"\x28\xb5\x2f\xfd":
            yield at + 8
        at += n


def samples(path):
    r = subprocess.run([tap.coldperf, "script", "-F", "time", path],
                       capture_output=True, text=True)
    return len(r.stdout.splitlines()), r


n, r = samples(good)
tap.ok(n == 200 and r.returncode == 0, "the good capture has no damage", r)
places, silent = list(blocks()), []
for at in places:
    head = int.from_bytes(data[at:at + 3], "little") + (8000 << 3)
    with open(bad, "wb") as f:
        f.write(data[:at] + head.to_bytes(3, "little") + data[at + 3:])
    left, r = samples(bad)
    if left < n and r.returncode != 3:
        silent.append("at %d: %d of %d, status %d" % (
            at, left, n, r.returncode))
tap.ok(len(places) >= 5 and not silent, "a block too large is said",
       "%d blocks\n%s" % (len(places), "\n".join(silent)))
tap.done()
