#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A zstd block that claims to be larger than it is takes what follows for its
# own: the loss is said, whichever block it is.  Records that did not inflate
# are counted as skipped, in a pipe's capture too.
import json
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


def bytes_of(path):
    """How many of the file's bytes: all, used, skipped."""
    r = subprocess.run([tap.coldperf, "quality", "-f", "json", path],
                       capture_output=True, text=True)
    found = {s["key"]: s["value"] for section in json.loads(r.stdout)["sections"]
             for s in section.get("scalars", [])}
    return [found["bytes_" + k] for k in ("total", "parsed", "skipped")]


def spoilt_pipe():
    """Spoils the first compressed record of a pipe; how long it is."""
    with open(tap.capture("good-zstd-pipe", tmp.name), "rb") as f:
        piped = bytearray(f.read())
    at = 16
    while True:
        kind, _, size = struct.unpack_from("<IHH", piped, at)
        if kind in (81, 83):
            break
        at += size
    piped[at + 24:at + size] = b"\xff" * (size - 24)
    with open(bad, "wb") as f:
        f.write(piped)
    return size, len(piped)


size, whole = spoilt_pipe()
total, parsed, skipped = bytes_of(bad)
tap.ok(skipped >= size and parsed + skipped == total == whole,
       "a pipe: what did not inflate is skipped, not used",
       "a record of %d, a file of %d: %d parsed, %d skipped of %d" % (
           size, whole, parsed, skipped, total))
tap.done()
