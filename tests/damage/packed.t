#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A compressed capture that is cut or damaged has all that can be inflated, also
# of its last block, and its loss is said.
import gzip
import lzma
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

tmp = tempfile.TemporaryDirectory()
bad = os.path.join(tmp.name, "bad")


def zstd(data):
    try:
        return subprocess.run(["zstd", "-qc", "--check"], input=data,
                              capture_output=True, check=True).stdout
    except FileNotFoundError:
        return None


def samples(data):
    """Status, the number of samples and what is said of these bytes."""
    with open(bad, "wb") as f:
        f.write(data)
    r = subprocess.run([tap.coldperf, "flame", "-f", "folded", "--weight",
                        "samples", "--no-local", bad], capture_output=True,
                       text=True)
    return r.returncode, sum(int(line.rsplit(" ", 1)[1]) for line in
                             r.stdout.splitlines()), r.stderr


with open(tap.capture("good-fp", tmp.name), "rb") as f:
    good = f.read()
for name, pack in (("gzip", gzip.compress), ("xz", lzma.compress),
                   ("zstd", zstd)):
    packed = pack(good)
    if packed is None:
        tap.skip(name + ": not installed")
        continue
    status, whole, said = samples(packed)
    tap.ok(status == 0 and whole == 280, name + ": whole", (whole, said))
    got = samples(packed[:-1])
    tap.ok(got[:2] == (3, whole) and "truncated %s input" % name in got[2],
           name + ": without its last byte all samples are there", got)
    got = samples(packed + packed[:40])
    tap.ok(got[:2] == (3, whole) and "truncated %s input" % name in got[2],
           name + ": a second one that is cut does not take the first", got)
    got = samples(packed + b"junk")
    tap.ok(got[:2] == (3, whole) and "(bad-bundle)" in got[2],
           name + ": nor do bytes that are none", got)
    if name == "zstd":
        continue  # a block of 128 KiB is whole or nothing
    got = samples(packed[:len(packed) // 2])
    tap.ok(got[0] == 3 and 100 < got[1] < whole,
           name + ": a half of it has what it has", got)
    got = samples(packed + bytes(512))
    tap.ok(got[:2] == (0, whole) and not re.search("partial", got[2]),
           name + ": zeros at the end are padding", got)
tap.done()
