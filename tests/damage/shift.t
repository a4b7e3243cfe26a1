#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Bytes that are missing or too many move all that follows: the records behind
# them are found wherever they are.  A sample whose type became another is said.
#
# TRIES (default 40) and SEED choose how many places are tried, and which.
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

SAMPLES = 200
TRIES = int(os.environ.get("TRIES", "40"))
seed = int(os.environ.get("SEED", "0"))
pick = random.Random(seed)
tmp = tempfile.TemporaryDirectory()
good = os.path.join(tmp.name, "good")
bad = os.path.join(tmp.name, "bad")
with open(good + ".in", "w") as f:
    f.write("attr cycles type=0 config=0 period=1000 "
            "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN "
            "flags=sample_id_all|mmap\n"
            'feature hostname "box"\nfeature arch "x86_64"\n'
            'mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name="/bin/x" '
            'time=1\n')
    for i in range(SAMPLES):
        f.write("sample cycles ip=%d pid=8 time=%d period=1000 "
                "chain=user,%s\n" % (0x400010 + i, 1000 * i + 1000, ",".join(
                    str(0x400010 + i + k) for k in range(i % 7 + 1))))
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                good + ".in", good], check=True)
with open(good, "rb") as f:
    data = f.read()
start, size = struct.unpack_from("<QQ", data, 40)


def records():
    """(offset, size, type) of each record."""
    at = start
    while at < start + size:
        kind, _, n = struct.unpack_from("<IHH", data, at)
        yield at, n, kind
        at += n


samples = [r[:2] for r in records() if r[2] == 9]


def times(spoilt):
    with open(bad, "wb") as f:
        f.write(spoilt)
    r = subprocess.run([tap.coldperf, "script", "-F", "time", bad],
                       capture_output=True, text=True)
    return set(re.findall(r"\d+\.\d{6}", r.stdout)), r


every = {"0.%06d" % (i + 1) for i in range(SAMPLES)}
tap.ok(times(data)[0] == every and len(samples) == SAMPLES,
       "the good capture has all samples", len(samples))


def tries(what, spoil):
    wrong = []
    for _ in range(TRIES):
        at = samples[0][0] + pick.randrange(samples[-1][0] - samples[0][0])
        spoilt, n = spoil(at)
        touched = sum(o < at + n and at < o + s for o, s in samples)
        got, r = times(spoilt)
        if r.returncode != 3 or got - every or \
                len(every - got) > touched + 1:
            wrong.append("%d at %d: %d of %d lost, status %d\n%s" % (
                n, at, len(every - got), touched, r.returncode, r.stderr))
    tap.ok(not wrong, "%s: what is whole is found, the loss is said" % what,
           "seed %d: %d of %d\n%s" % (seed, len(wrong), TRIES, "".join(wrong[:4])))


def without(at):
    n = pick.choice((1, 2, 3, 5, 8, 13, 100))
    return data[:at] + data[at + n:], n


def with_more(at):
    n = pick.choice((1, 2, 3, 5, 8, 13, 100))
    return data[:at] + pick.randbytes(n) + data[at:], 1


tries("bytes are missing", without)
tries("bytes are too many", with_more)
for kind in 9 + 16, 9 + 32, 40 + 9, 63, 64, 150, 255:
    at, n = samples[SAMPLES // 2]
    got, r = times(data[:at] + struct.pack("<I", kind) + data[at + 4:])
    tap.ok(len(every - got) == 1 and r.returncode == 3,
           "a sample of type %d is a loss that is said" % kind,
           (len(every - got), r.returncode, r.stderr))
tap.done()
