#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Damage that leaves readable input: a bundle is cut, a feature's bit is lost,
# periods add up to more than 2^63 - 1.  Each is said, with status 3.
import os
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

tmp = tempfile.TemporaryDirectory()


def run(*args):
    r = subprocess.run([tap.coldperf, *args], capture_output=True, text=True)
    return r, "status %d\n%s" % (r.returncode, r.stderr)


# Objects of a bundle that is cut; the second does not fit into what is read.
bundle = os.path.join(tmp.name, "bundle.tar")
with tarfile.open(bundle, "w", format=tarfile.USTAR_FORMAT,
                  dereference=True) as t:  # it may have a second name
    for name in "one", "two":
        t.add(tap.coldperf, "objects/" + name)
fp = tap.capture("good-fp", tmp.name)
r, why = run("hotspots", "--symbols", bundle, fp)
tap.ok(r.returncode == 0, "a whole bundle", why)
cut = os.path.getsize(tap.coldperf) + 100000
os.truncate(bundle, cut)
r, why = run("hotspots", "--symbols", bundle, fp)
tap.ok(r.returncode == 3 and "(bad-bundle)" in r.stderr and
       "%d of %d bytes were read" % (cut, cut) in r.stderr, "a cut one", why)


# A bit of the header's features that is lost: others take its place, or those
# after the last one are not read.
with open(fp, "rb") as f:
    whole = f.read()
with open(os.path.join(tmp.name, "more.data"), "wb") as f:
    f.write(whole + b"x")
r, why = run("info", f.name)
tap.ok(": 1 byte after the last section" in r.stderr, "one byte too many", why)
bits, = struct.unpack_from("<Q", whole, 72)
lost = os.path.join(tmp.name, "lost.data")
bad = []
for bit in range(64):
    if not bits >> bit & 1:
        continue
    with open(lost, "wb") as f:
        f.write(whole[:72] + struct.pack("<Q", bits & ~(1 << bit)) +
                whole[80:])
    r, why = run("info", lost)
    if r.returncode != 3 or "more features than the header" not in r.stderr:
        bad.append((bit, why))
tap.ok(not bad and bin(bits).count("1") > 15, "each feature's bit", bad[:2])


def impossible(*periods):
    """A capture of samples with these periods, 0x28 bytes each."""
    text = os.path.join(tmp.name, "huge.in")
    with open(text, "w") as f:
        f.write("attr cycles type=0 config=0 period=1 sample_type="
                "IDENTIFIER|IP|TID|TIME|PERIOD flags=sample_id_all ids=1\n")
        for i, period in enumerate(periods, 8):
            f.write("sample cycles ip=0x400010 pid=%d tid=%d time=%d "
                    "period=%d id=1\n" % (i, i, i * 1000, period))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    text, text + ".data"], check=True)
    return text + ".data"


def total(r):
    return sum(int(line.rsplit(" ", 1)[1]) for line in r.stdout.splitlines())


for first, name in ((1000, "after"), (0, "before")):
    huge = impossible(first, (1 << 64) - 1, 1500 - first)
    r, why = run("flame", "-f", "folded", huge)
    tap.ok(r.returncode == 3 and re.search(
        r"\(impossible-period\), at offset 0x130: " +
        str((1 << 64) - 1), r.stderr), "a period of 2^64-1 is said", why)
    tap.ok(total(r) == 1500, "... and left out, others " + name, r.stdout)
r, why = run("flame", "-f", "folded", impossible((1 << 63) - 1))
tap.ok(r.returncode == 0 and total(r) == (1 << 63) - 1, "the largest", why)
r, why = run("info", "-f", "json", impossible((1 << 63) - 1, 1))
tap.ok(r.returncode == 3 and str((1 << 63) - 1) in r.stdout, "... and 1", why)

# Several captures: each has a sum that is possible.
cold = os.path.join(tmp.name, "all.cold")
huge = impossible((1 << 63) - 1)
other = os.path.join(tmp.name, "other.data")
os.rename(huge, other)
huge = impossible(5)
r, why = run("merge", "-o", cold, other, huge)
tap.ok(r.returncode == 3 and "(impossible-period)" in r.stderr,
       "a sum over captures", why)
cold = os.path.join(tmp.name, "one.cold")
run("merge", "-o", cold, impossible(5, (1 << 64) - 1, 6))
r, why = run("flame", "-f", "folded", cold)
tap.ok(r.returncode == 3 and "(were-damaged)" in r.stderr and total(r) == 11,
       "samples of such a capture, without its records", why)
# What a LOST record counts may be any number, but not every one.
for lost, status in ((1 << 40, 0), ((1 << 60) + 3, 3)):
    path = os.path.join(tmp.name, "lost")
    with open(path + ".in", "w") as f:
        f.write("attr cycles type=0 config=0 period=1 "
                "sample_type=IP|TID|TIME|ID flags=sample_id_all ids=1\n"
                "sample cycles ip=0x400010 pid=8 time=1000 id=1\n"
                "lost id=1 lost=%d time=2000\n"
                "sample cycles ip=0x400010 pid=8 time=3000 id=1\n" % lost)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".in", path], check=True)
    r, why = run("quality", path)
    tap.ok(r.returncode == status and
           ("bad-record" in r.stderr) == (status == 3) and
           (str(lost) in r.stderr) == (status == 0),
           "a LOST record that counts %d" % lost, why)

tap.done()
