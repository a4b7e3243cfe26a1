#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Bytes that are missing or too many move all that follows: the records behind
# them are found wherever they are.  A sample whose type became another is said.
#
# TRIES (default 15, at night 40) and SEED choose how many places are tried, and which.
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
TRIES = int(os.environ.get("TRIES", "40" if tap.nightly else "15"))
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


def without_much(at):
    """More than what follows the data: the file ends before they should."""
    n = len(data) - start - size + pick.choice((1, 2, 5, 8, 30))
    return data[:at] + data[at + n:], n


tries("bytes are missing", without)
tries("more bytes are missing than follow the data", without_much)
tries("bytes are too many", with_more)

# In a pipe they may be missing before the first description.
with open(tap.capture("good-pipe", tmp.name), "rb") as f:
    pipe = f.read()
whole = times(pipe)[0]
few = []
for n in 1, 2, 3, 4, 7, 8, 9, 100:
    got, r = times(pipe[:16] + (b"@\x02\xe9\xef" * 25)[:n] + pipe[16:])
    if got != whole or r.returncode != 3:
        few.append((n, len(got), r.returncode))
tap.ok(len(whole) > 200 and not few,
       "bytes before the first record of a pipe: all samples are found", few)

# A sample without its last bytes takes the first ones of the next sample.
lost = []
for i in range(6, 190, 7):
    for n in 5, 8, 13, 16, 40:
        at = sum(samples[i])
        got, r = times(data[:at - n] + data[at:])
        if every - got - {"0.%06d" % (i + 1)} or r.returncode != 3:
            lost.append((i, n, sorted(every - got), r.returncode))
tap.ok(not lost, "the sample after one that lost its end is found", lost[:5])
for kind in 9 + 16, 9 + 32, 40 + 9, 63, 64, 150, 255:
    at, n = samples[SAMPLES // 2]
    got, r = times(data[:at] + struct.pack("<I", kind) + data[at + 4:])
    tap.ok(len(every - got) == 1 and r.returncode == 3,
           "a sample of type %d is a loss that is said" % kind,
           (len(every - got), r.returncode, r.stderr))


def samples_of(text):
    """Writes that capture; its bytes and the offset of each sample."""
    global data, start, size
    with open(good + ".in", "w") as f:
        f.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    good + ".in", good], check=True)
    with open(good, "rb") as f:
        data = f.read()
    start, size = struct.unpack_from("<QQ", data, 40)
    return [r[0] for r in records() if r[2] == 9]


# Each of the kernel's and perf's types, of layouts that have records of the
# very size of a sample, with a time that a CPU makes 0.
def retyped(fields, read, comm):
    every = samples_of(
        "attr cycles type=0 config=0 period=0 read_format=%s sample_type=%s "
        "flags=sample_id_all|mmap|comm\n%s" % (read, fields, comm) + "".join(
            "sample cycles ip=%d pid=8 time=%d" % (
                0x400010 + i, 5000000000000 + 1000 * i) +
            (" cpu=0" if "CPU" in fields else "") +
            (" period=%d\n" % (i + 1) if "PERIOD" in fields else "\n")
            for i in range(4)))
    found = times(data)
    tap.ok(found[1].returncode == 0 and len(found[0]) == 4,
           fields + ": nothing of the good capture is doubted",
           found[1].stderr)
    silent = []
    for at in every[0], every[1], every[-1]:
        for kind in [*range(1, 25), *range(64, 90)]:
            if kind == 9:
                continue
            got, r = times(data[:at] + struct.pack("<I", kind) +
                           data[at + 4:])
            if r.returncode == 0 or got - found[0]:
                silent.append((every.index(at), kind, len(got)))
    tap.ok(not silent, fields + ": no loss is silent", silent)


same = ('comm 1164 1164 "a"\ncomm 1164 1164 "abcdefghi"\n'
        'mmap pid=1164 addr=0x7f0000001000 len=0x1000 pgoff=0 name="/a"\n')
retyped("IP|TID|TIME|CPU|PERIOD", "0", same)
retyped("IP|TID|TIME|CPU|PERIOD", "ID", same)
retyped("IP|TID|TIME|PERIOD", "0", same)
retyped("IP|TID|TIME|ADDR|CPU|PERIOD", "0", same)

# A type that nobody knows, with a trailer of no thread that there is; and a
# sample_type of bits that no kernel has.
every = samples_of(
    "attr cycles type=0 config=0 period=0 ids=7 sample_type=IP|TID|TIME|ID "
    "flags=sample_id_all\n" + "".join(
        "sample cycles ip=%d pid=8 time=%d id=7\n" % (i, 5000000000000 + i)
        for i in range(1000, 4000, 1000)))
got, r = times(data[:every[1]] + struct.pack("<I", 25) +
               data[every[1] + 4:every[1] + 32] + b"\xff" +
               data[every[1] + 33:])
tap.ok(len(got) == 2 and r.returncode == 3,
       "type 25 with an id of no event is a loss that is said", r.stderr)
at = data.index(struct.pack("<Q", 0x47))
got, r = times(data[:at] + struct.pack("<Q", 1 << 63) + data[at + 8:])
tap.ok(r.returncode == 3 and "bad-attr" in r.stderr,
       "samples of a damaged sample_type are a loss that is said", r.stderr)
tap.done()
