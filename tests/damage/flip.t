#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A flipped bit in a compressed capture: what the records themselves prove to be
# damaged is left out with what hangs on it, and no sample is made up of it.
#
# COUNT flips (default 24) by SEED; a flip that no record proves changes some
# samples silently, as zstd frames of perf have no checksum.
import collections
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

COUNT = int(os.environ.get("COUNT", "24"))
SEED = int(os.environ.get("SEED", "0"))
COMPRESSED = 81
SAMPLE = re.compile(r"^\d+ \S+ (SAMPLE .*)$", re.M)
tmp = tempfile.TemporaryDirectory()
mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
bad = os.path.join(tmp.name, "bad.data")
HEAD = """
attr cpu-clock type=1 config=0 period=4000 \\
	sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN \\
	flags=sample_id_all|mmap|comm|freq
feature compressed
comm 8 8 "zipped"
comm 8 9 "zipped"
mmap pid=8 addr=0x400000 len=0x100000 pgoff=0 name="/bin/zipped"
"""
ROUND = """
compress begin chunk=2000
repeat 50 as i {
%s
sample misc=2 ip=0x400000+hash(r*50+i)%%0x1000 pid=8 tid=8+hash(r*7+i/5)%%2 \
	time=1000000000+(r*50+i)*250000+hash(i)%%9000 cpu=0 period=250000 \
	chain=user,0x400000+hash(r*50+i)%%0x1000,0x402000+i%%7*16,0x403000
}
compress end
finished_round
"""
# A sample of a value that no kernel writes, and one of an unusual value.
USUAL = dict(ip="0x400010", tid="8", time="1037600000", period="250000")
IMPOSSIBLE = (("a task that cannot be", "tid", "-5"),
              ("user code at no user's address", "ip", "0x8000000000400010"),
              ("a period that the clock does not have", "period", "605874248"),
              ("a time long before the last one", "time", "1000000"))
UNUSUAL = (("an unknown thread", "tid", "77"),
           ("an address outside all mappings", "ip", "0x700000"),
           ("a time a little before", "time", "1034000000"))


def make(rounds, name):
    source = os.path.join(tmp.name, name + ".mkperf")
    path = os.path.join(tmp.name, name + ".data")
    with open(source, "w") as f:
        f.write(HEAD + rounds)
    subprocess.run([mkperf, source, path], check=True)
    return path


def dump(path, words=None):
    """Status and samples; the words must be in what is said."""
    r = subprocess.run([tap.coldperf, "dump", path], capture_output=True,
                       text=True, errors="replace")
    if words:
        tap.ok(words in r.stderr, "it is said: " + words, r.stderr)
    return r.returncode, collections.Counter(SAMPLE.findall(r.stdout))


def with_value(key, value):
    """20 rounds of 50 samples; in the third, one more of that value."""
    fields = dict(USUAL, **{key: value})
    line = "sample misc=2 pid=8 cpu=0 chain=user,%s,0x403000 %s" % (
        fields["ip"], " ".join("%s=%s" % kv for kv in fields.items()))
    text = ""
    for r in range(20):
        body = "set r %d\n" % r
        if r == 2:
            body += (ROUND % "").replace("}\ncompress", "}\n%s\ncompress" %
                                         line)
        else:
            body += ROUND % ""
        text += body
    return text


def values():
    for what, key, value in IMPOSSIBLE:
        status, found = dump(make(with_value(key, value), "impossible"),
                             "a compressed sample has " + what)
        n = sum(found.values())
        tap.ok(status == 3 and 850 <= n <= 1000,
               "damage is proved by " + what, (status, n))
    for what, key, value in UNUSUAL:
        status, found = dump(make(with_value(key, value), "unusual"))
        tap.ok(status == 0 and sum(found.values()) == 1001,
               what + " proves nothing", (status, sum(found.values())))


def payloads(data):
    """The places of all bytes of compressed records."""
    at, size = struct.unpack_from("<QQ", data, 40)
    end, places = at + size, []
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if kind == COMPRESSED:
            places += range(at + 8, at + size)
        at += size
    return places


def repaired(path):
    """The samples of the repaired capture."""
    out = os.path.join(tmp.name, "repaired.data")
    r = subprocess.run([tap.coldperf, "repair", path, "-o", out],
                       capture_output=True)
    return dump(out) if r.returncode in (0, 3) else (r.returncode, r.stderr)


def flips():
    good = make("".join("set r %d\n%s" % (r, ROUND % "") for r in range(40)),
                "good")
    status, want = dump(good)
    tap.ok(status == 0 and sum(want.values()) == 2000, "the sound capture",
           (status, sum(want.values())))
    with open(good, "rb") as f:
        data = f.read()
    rng, places = random.Random(SEED), payloads(data)
    total, recovered, invented, silent, refused = 0, 0, 0, 0, []
    for i in range(COUNT):
        spoilt = bytearray(data)
        spoilt[rng.choice(places)] ^= 1 << rng.randrange(8)
        with open(bad, "wb") as f:
            f.write(spoilt)
        status, got = dump(bad)
        total += 2000
        recovered += sum((got & want).values())
        made_up = sum((got - want).values())
        if status == 0:
            silent = max(silent, made_up)
        else:
            invented += made_up
        if i % 6 == 0 and repaired(bad)[1] != got:
            refused.append(i)
    tap.ok(invented * 10000 <= total,
           "proved damage: 1 sample in 10000 is invented at most", invented)
    tap.ok(recovered * 100 >= total * 70, "70 % of the samples are recovered",
           "%d of %d" % (recovered, total))
    tap.ok(not refused, "repair writes what can be read", refused)
    tap.diag("%d flips: %.2f %% recovered, %d invented, %d silently" % (
        COUNT, 100 * recovered / total, invented, silent))


def stored():
    """A capture of which perf's reader and ours know the period."""
    path = os.path.join(tap.top_srcdir,
                        "../shared/cases/reading/flip-zstd-1bit.data")
    name = "a real capture has samples of its clock's period only"
    if not os.path.exists(path):
        return tap.skip("%s: no ../shared" % name)
    status, found = dump(path)
    right = sum("period=125000 " in s for s in found)
    r = subprocess.run([tap.coldperf, "report", path], capture_output=True,
                       text=True)
    tap.ok(status == 3 and right == len(found) >= 2000, name,
           (status, right, len(found)))
    first = r.stdout.partition("Findings")[2].splitlines()[2:3]
    tap.ok(first and "worthless" in first[0],
           "its report says first that its shares are worthless", first)


values()
flips()
stored()
tap.done()
