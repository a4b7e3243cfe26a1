#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# repair: what can be read of a damaged capture becomes a sound one.
#
# Every capture of the corpus, and seeded damage of a few, is repaired.  The
# result has the samples that the original gives, it is read without loss, and
# perf reads it to its end.
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

FEW = "good-fp good-pipe good-events good-zstd good-endian-big good-sched"
SEED = int(os.environ.get("SEED", "1"))
COUNT = int(os.environ.get("COUNT", "10"))
# The damages of which perf must read the result: see spoil().
ASKED = tuple(map(int, os.environ.get("ASKED", "0 3 4 5").split()))
# What perf 6.1 does not read in the original, whatever the damage.
NOT_PERF = {
    "good-attr-136": "attrs that are newer than perf 6.1",
    "good-attr-144": "attrs that are newer than perf 6.1",
    "odd-attr-200": "attrs that are newer than perf 6.1",
    "good-deferred-chain": "deferred call chains are newer than perf 6.1",
    "odd-mixed-attrs": "perf wants one sample_type",
    "odd-unknown-record": "a record that no perf knows",
    "good-all-records": "records that are newer than perf 6.1",
}
# perf ends at a record whose size is no multiple of 4: they are left out.
ODD_SIZES = ("odd-record-sizes",)
corpus = os.path.join(tap.top_srcdir, "corpus")
tmp = tempfile.TemporaryDirectory()
perf = shutil.which("perf")


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)


def script(path, events):
    fields = "comm,tid,time,ip,addr" + (",event" if events else "")
    r = run(tap.coldperf, "script", "-F", fields, path)
    # An event without a layout has a made-up name in the new file.
    text = re.sub(rb"unknown(:event_\d+| tracepoint)", b"unknown", r.stdout)
    return re.sub(rb" +", b" ", text), r.returncode


def perf_reads(path):
    """Why perf does not read it to its end, or nothing."""
    r = run(perf, "report", "-i", path, "--force", "--stdio", "-n")
    return r.stderr.decode(errors="replace") if r.returncode else ""


def check(name, path, told=True, ask=True):
    """Repairs one, which is a point if it is told; asks perf."""
    out = os.path.join(tmp.name, "fixed.data")
    if os.path.exists(out):
        os.unlink(out)
    before, status = script(path, told)
    r = run(tap.coldperf, "repair", "-o", out, path)
    if not os.path.exists(out):
        why = [] if r.returncode in (2, 4) and not before else [
            "no file, status %d" % r.returncode]
        if told:
            tap.ok(not why, name + ": nothing to repair, which is said", why)
        return why
    after, sound = script(out, told)
    why = []
    if name in ODD_SIZES:
        if len(after) >= len(before) or b" 0 records that perf" in r.stderr:
            why.append("records of odd sizes are not left out and told")
    elif after != before:
        why.append("other samples")
    if sound != 0:
        why.append("the repaired file has status %d" % sound)
    if r.returncode != status:
        why.append("status %d, script has %d" % (r.returncode, status))
    if ask and perf and name not in NOT_PERF and before:
        bad = perf_reads(out)
        if bad:
            why.append("perf: " + bad[-200:])
    if told:
        tap.ok(not why, name + ": repaired in full", "\n".join(why))
    return why


def spoil(data, seed):
    """Cut, bits flipped, a span of noise, one left out, zeroed or doubled."""
    dice = random.Random(seed)
    bad = bytearray(data)
    at = dice.randrange(104, len(bad))
    kind = seed % 6
    if kind == 0:
        return bytes(bad[:at])
    if kind == 1:
        for _ in range(5):
            bad[dice.randrange(104, len(bad))] ^= 1 << dice.randrange(8)
        return bytes(bad)
    n = dice.randrange(1, 200)
    if kind == 2:
        bad[at:at + n] = dice.randbytes(len(bad[at:at + n]))
        return bytes(bad)
    if kind == 3:
        return bytes(bad[:at] + bad[at + n:])
    if kind == 4:
        bad[at:at + n] = bytes(len(bad[at:at + n]))
        return bytes(bad)
    return bytes(bad[:at + n] + bad[at:])


def spoilt(name, path):
    """perf is asked about cut files: content that was flipped is read as it
    is, and perf refuses some of that; names of events may be damaged."""
    with open(path, "rb") as f:
        data = f.read()
    wrong = []
    for i in range(COUNT):
        seed = SEED * 1000 + i
        bad = os.path.join(tmp.name, "spoilt.data")
        with open(bad, "wb") as f:
            f.write(spoil(data, seed))
        wrong += ["seed %d: %s" % (seed, w) for w in
                  check(name, bad, False, seed % 6 in ASKED)]
    tap.ok(not wrong, "%s: %d damages, seed %d" % (name, COUNT, SEED),
           "\n".join(wrong))


def unknown_type(name, path):
    """A record of a type that perf does not know is left out."""
    with open(path, "rb") as f:
        data = bytearray(f.read())
    at, size = struct.unpack_from("<QQ", data, 40)
    end = at + size
    while at < end and struct.unpack_from("<I", data, at)[0] != 3:
        at += struct.unpack_from("<H", data, at + 6)[0]
    struct.pack_into("<I", data, at, 25)
    bad = os.path.join(tmp.name, "spoilt.data")
    with open(bad, "wb") as f:
        f.write(data)
    r = run(tap.coldperf, "repair", "-o", os.path.join(tmp.name, "new"), bad)
    tap.ok(b" 1 records that perf has no form for" in r.stderr,
           name + ": no record of an unknown type is kept",
           r.stderr.decode(errors="replace"))


def main():
    if not perf:
        tap.skip("perf is not installed: it is not asked")
    for case in sorted(os.listdir(corpus)):
        source = os.path.join(corpus, case, "input.mkperf")
        path = os.path.join(corpus, case, "perf.data")
        if os.path.exists(source):
            path = os.path.join(tmp.name, case)
            run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source,
                path)
        if not os.path.exists(path):
            continue
        check(case, path)
        if case in FEW.split() and os.path.isfile(path):
            spoilt(case, path)
        if case == "good-fp":
            unknown_type(case, path)
    tap.done()


main()
