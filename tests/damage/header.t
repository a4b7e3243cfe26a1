#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A damaged header: the rest of the file tells what must have stood there.
#
# Bits of the magic, the size, the places of attrs, data and ids are spoilt one
# at a time.  All samples are reported all the same, none is made, and no loss
# is silent.  CASES (default: a few) chooses captures of the corpus; "all".
import collections
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

FEW = "good-fp good-pipe good-events good-zstd good-endian-big " \
    "good-ids-by-id good-group-read good-all-fields good-late-attrs " \
    "good-hybrid good-group-inherit"
MAX = 1 << 40  # beyond any file
EVENT_DESC = 1 << 12  # the feature that describes events once more
corpus = os.path.join(tap.top_srcdir, "corpus")
tmp = tempfile.TemporaryDirectory()


def times(path):
    """The times of all samples, and the exit status."""
    r = subprocess.run([tap.coldperf, "script", "-F", "time", path],
                       capture_output=True, text=True)
    found = re.findall(r"\d+\.\d{6,9}", r.stdout)
    return collections.Counter(found), r.returncode


class Capture:
    """The bytes of a good capture, and what its header says."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        self.order = ">" if self.data[:8] == b"2ELIFREP" else "<"
        self.pipe = self.word(8) == 16
        self.good, _ = times(path)

    def word(self, at):
        return struct.unpack_from(self.order + "Q", self.data, at)[0]

    def put(self, at, value):
        return self.data[:at] + struct.pack(self.order + "Q", value) + \
            self.data[at + 8:]


def first_bytes(c):
    for bit in (0, 13, 27, 42, 63):
        bad = bytearray(c.data)
        bad[bit // 8] ^= 1 << bit % 8
        yield "magic", bytes(bad)
    n = 16 if c.pipe else 104
    yield "zeros", bytes(8) + c.data[8:]
    yield "zeros", bytes(n) + c.data[n:]
    for value in (0, 7, 104 if c.pipe else 16):
        yield "size", c.put(8, value)


def places(c):
    size, attrs, data = len(c.data), c.word(24), c.word(40)
    for value in (0, 7, c.word(16) - 8, c.word(16) + 8, MAX):
        yield "attr size", c.put(16, value)
    for n in (1, 4, 8):
        yield "bytes before the attrs", \
            c.data[:attrs] + bytes(n) + c.data[attrs:]
    for value in (0, attrs + 8, attrs - 8, size - 100, MAX):
        yield "attrs", c.put(24, value)
    for value in (0, c.word(32) * 2, MAX):
        yield "attrs", c.put(32, value)
    for value in (0, data + 8, data - 8, size - 100, size, MAX):
        yield "data", c.put(40, value)
    for value in (0, 8, 40, c.word(48) // 100 & ~7, MAX,
                  c.word(48) // 2 & ~7, c.word(48) - 8):
        yield "data", c.put(48, value)
    entry = c.word(16)
    for at in range(attrs + entry - 16, attrs + c.word(32), entry):
        for value in (0, c.word(at) + 8, size - 64, MAX):
            yield "ids", c.put(at, value)
        for value in (0, c.word(at + 8) + 8, MAX):
            yield "ids", c.put(at + 8, value)


def layouts(c):
    """Of three events or more one disagrees on where ids are."""
    entry = c.word(16)
    if c.word(32) // entry < 3:
        return
    for at in range(c.word(24) + 24, c.word(24) + c.word(32), entry):
        for bit in (0, 3, 16):
            yield "sample_type", c.put(at, c.word(at) ^ 1 << bit)


def noises(c):
    """Noise for the sample_type of one of several equal events."""
    places = range(c.word(24) + 24, c.word(24) + c.word(32), c.word(16))
    if len(places) < 2 or len({c.word(at) for at in places}) > 1:
        return
    for at in places:
        # The last has one unknown bit, and no ids where the others have.
        for noise in (0xd1a9bc3c8927f15a, 0x5357f71501ffbfff, 0x20000008000):
            yield "noise", c.put(at, noise)


def entries(c):
    """The size that an attr says of itself; bits that no kernel has."""
    low = 0xffffffff
    for at in range(c.word(24), c.word(24) + c.word(32), c.word(16)):
        for size in (1, 24, low):
            yield "an attr's own size", c.data[:at + 4] + struct.pack(
                c.order + "I", size) + c.data[at + 8:]
    if c.word(32) == c.word(16):
        yield "high bits", c.put(at + 24, c.word(at + 24) | low << 32)


def damages(c):
    yield from first_bytes(c)
    if not c.pipe:
        yield from entries(c)
        yield from places(c)
        yield from layouts(c)
        yield from noises(c)


def spoil(case, c):
    """Families of damage: [samples, found]; and what went wrong."""
    sums = collections.defaultdict(lambda: [0, 0])
    wrong = []
    path = os.path.join(tmp.name, "bad")
    for i, (family, data) in enumerate(damages(c)):
        with open(path, "wb") as f:
            f.write(data)
        got, status = times(path)
        kept = sum((c.good & got).values())
        total = sum(c.good.values())
        sums[family][0] += total
        sums[family][1] += kept
        if got - c.good:
            wrong.append("%s %d: samples are made" % (family, i))
        if data != c.data and status != 3 and kept < total:
            wrong.append("%s %d: %d of %d, status %d" % (
                family, i, kept, total, status))
    tap.ok(not wrong, case + ": no loss is silent, nothing is made",
           "\n".join(wrong))
    return sums


def without_attrs():
    """Of samples whose sample_type has no bit that is known none is shown, if
    the event is described once."""
    c = Capture(tap.capture("good-fp", tmp.name))
    c.data = c.put(72, c.word(72) & ~EVENT_DESC)
    path = os.path.join(tmp.name, "noise")
    with open(path, "wb") as f:
        f.write(c.put(c.word(24) + 24, 0x14 << 32))
    got, status = times(path)
    r = subprocess.run([tap.coldperf, "quality", "-f", "json", path],
                       capture_output=True, text=True)
    tap.ok(not got and status == 2 and r.returncode == 2,
           "samples of a type of unknown bits only are not shown",
           (len(got), status, r.stdout[:300], r.stderr))


def names_between():
    """Old files have names of events between the attrs and the data."""
    c = Capture(tap.capture("good-events", tmp.name))
    path = os.path.join(tmp.name, "names")
    data, n = c.word(40), 6 * 72
    c.data = c.data[:data] + b"cycles\0\0" * (n // 8) + c.data[data:]
    for at in range(data + n + c.word(48), len(c.data), 16):
        if not data <= c.word(at) < len(c.data):
            break
        c.data = c.put(at, c.word(at) + n)
    c.data = c.put(40, data + n)
    c.data = c.put(56, data)
    c.data = c.put(64, n)
    attrs = c.word(24)
    lost = []
    for spoilt in (c.data, c.put(24, 0), c.put(24, attrs + 4), c.put(16, 0),
                   c.put(32, MAX), c.data[:attrs] + b"\0" + c.data[attrs:],
                   c.data[:attrs + 40] + b"\0" + c.data[attrs + 40:]):
        with open(path, "wb") as f:
            f.write(spoilt)
        got, status = times(path)
        # A byte in the first attr costs its event, cpu-clock.
        least = 74 if len(lost) == 6 else sum(c.good.values())
        lost.append((sum(got.values()) < least or got - c.good or
                     status != (0 if spoilt is c.data else 3),
                     sum(got.values()), status))
    tap.ok(not any(x[0] for x in lost),
           "attrs that are followed by names are found", lost)


def description_cut():
    """A pipe that ends in what describes the recording has lost the rest."""
    source = os.path.join(corpus, "good-pipe-all", "input.mkperf")
    path = os.path.join(tmp.name, "pipe")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    source, path], check=True)
    with open(path, "rb") as f:
        data = f.read()
    at, ends = 16, []
    while True:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        at += size
        ends.append((at, kind == 64 or kind == 80 and size > 16))
        if kind == 80 and size == 16:  # the mark of the features' end
            break
    found = []
    for at, inside in ends:
        with open(path, "wb") as f:
            f.write(data[:at])
        found.append((inside, times(path)[1] == 3))
    tap.ok(len(found) > 6 and all(a == b for a, b in found),
           "a pipe that is cut in its description has status 3", found)


def features_lost():
    """A turned bit that hides features, or moves one, is said."""
    c = Capture(tap.capture("good-fp", tmp.name))
    path = os.path.join(tmp.name, "features")
    table = c.word(40) + c.word(48)
    quiet = []
    hostname = c.word(table + 16)  # the second one: BUILD_ID stands first
    for at, value in ((8, 72), (table + 16, hostname + 256),
                      (table + 32, hostname), (table + 24, 4),
                      (table + 16, hostname + 4)):
        with open(path, "wb") as f:
            f.write(c.put(at, value))
        r = subprocess.run([tap.coldperf, "info", path], capture_output=True,
                           text=True)
        if r.returncode != 3:
            quiet.append((at, value, r.returncode, r.stderr))
        if at == 8 and not re.search(r"hostname +vm", r.stdout):
            quiet.append((at, "the features are lost"))
    tap.ok(not quiet, "features that are lost or moved are said", quiet)


def ids_beyond():
    """Ids of an odd size after the end of the file: the message has a place."""
    c = Capture(tap.capture("good-jit", tmp.name))
    at = c.word(24) + c.word(16) - 16
    c.data = c.put(at, 1 << 34)
    path = os.path.join(tmp.name, "beyond")
    with open(path, "wb") as f:
        f.write(c.put(at + 8, (1 << 37) + 4))
    r = subprocess.run([tap.coldperf, "quality", "--diag", "json", path],
                       capture_output=True, text=True)
    said = [json.loads(line) for line in r.stderr.splitlines()]
    said = [m for m in said if m["id"] == "bad-attr"]
    tap.ok(said and all(m.get("offset", MAX) <= len(c.data) for m in said),
           "what is said of ids has a place in the file", r.stderr)


def spoilt_ids(c):
    """What may happen to the ids before the attrs, and to their places."""
    size, at, n = c.word(16), c.word(24), c.word(32)
    places = range(at + size - 16, at + n, size)
    yield "one bit", c.put(c.word(places[0]), c.word(c.word(places[0])) ^ 16)
    for what, fill in (("zeros", b"\0"), ("other bytes", b"\xc5")):
        bad = bytearray(c.data)
        for p in places:
            bad[c.word(p):c.word(p) + c.word(p + 8)] = fill * c.word(p + 8)
        yield what, bytes(bad)
    for what, where in (("offsets", 0), ("sizes", 8)):
        bad = bytearray(c.data)
        for p in places:
            bad[p + where:p + where + 8] = bytes(8)
        yield what, bytes(bad)
    ids = [at for p in places for at in range(
        c.word(p), c.word(p) + c.word(p + 8), 8)]
    for one, other in ((ids[-1], ids[0]), (ids[0], ids[-1])):
        yield "an id of another event", c.put(one, c.word(other))
    yield "ids of another event", c.put(places[-1], c.word(places[0]))
    bad = bytearray(c.data)
    bad[at + n - size + 8] ^= 2
    last, n_ids = c.word(places[-1]), c.word(places[-1] + 8)
    bad[last:last + n_ids] = b"\xc5" * n_ids
    yield "with a config", bytes(bad)
    yield "with an attr", c.data[:at] + b"\xc5" * size + c.data[at + size:]


def ids_twice():
    """The ids are in the file twice, before the attrs and after the data."""
    for case in ("good-events", "good-group", "good-sched", "good-cpi",
                 "good-ids-by-identifier", "odd-mixed-attrs", "good-waits",
                 "good-hybrid", "good-group-read", "good-late-attrs"):
        c, wrong = Capture(tap.capture(case, tmp.name)), []
        path = os.path.join(tmp.name, "ids")
        for what, data in [("sound", c.data), *spoilt_ids(c)]:
            with open(path, "wb") as f:
                f.write(data)
            r = subprocess.run(
                [tap.coldperf, "script", "-F", "event,time,ip", path],
                capture_output=True, text=True)
            if what == "sound":
                good = r.stdout
            elif r.stdout != good or r.returncode != 3:
                wrong.append((what, r.returncode, r.stderr))
        tap.ok(good and not wrong,
               case + ": samples keep their events if their ids are spoilt",
               "\n".join(map(str, wrong)))


def spoilt_attrs(c):
    """What may happen to the descriptions of events, which are there twice."""
    if c.pipe:
        at, size, n = 24, c.word(16) >> 48, 1
        yield "type of the record", c.put(16, c.word(16) ^ 1)
        yield "gone", c.data[:16] + c.data[16 + size:]
        size -= 8
    else:
        at, size = c.word(24), c.word(16)
        n = c.word(32) // size
    for bit in (0, 1, 2, 5, 6, 7, 8, 10, 11, 14, 16, 23):
        yield "sample_type, bit %d" % bit, c.put(
            at + 24, c.word(at + 24) ^ 1 << bit)
    for fill in (b"\0", b"\xc5"):
        bad = bytearray(c.data)
        bad[at:at + 64] = fill * 64
        yield "first words", bytes(bad)
        bad[at:at + n * size] = fill * n * size
        yield "all", bytes(bad)


def attrs_twice():
    for case in ("good-fp", "good-pipe", "good-events", "good-dwarf",
                 "good-zstd", "good-endian-big"):
        c, wrong = Capture(tap.capture(case, tmp.name)), []
        path = os.path.join(tmp.name, "attrs")
        for what, data in spoilt_attrs(c):
            with open(path, "wb") as f:
                f.write(data)
            got, status = times(path)
            if got != c.good or status != 3:
                wrong.append((what, sum(got.values()), status))
        tap.ok(c.good and not wrong,
               case + ": a second description takes the place of a spoilt one",
               "\n".join(map(str, wrong)))


def pipe_records(c):
    """The records of a pipe, up to the first that is no description."""
    at = 16
    while at < len(c.data):
        kind, size = struct.unpack_from(c.order + "IxxH", c.data, at)
        if kind not in (64, 80):
            break
        yield kind, c.data[at:at + size]
        at += size


def written(data, *args):
    path = os.path.join(tmp.name, "written")
    with open(path, "wb") as f:
        f.write(data)
    return subprocess.run([tap.coldperf, "script", "-F", "event,time,ip",
                           *args, path], capture_output=True, timeout=30)


def desc_first():
    """perf 4.14 to 4.16 wrote the features before the attrs."""
    c = Capture(tap.capture("good-pipe", tmp.name))
    records = list(pipe_records(c))
    attrs = b"".join(r for kind, r in records if kind == 64)
    rest = b"".join(r for kind, r in records if kind == 80)
    after = c.data[16 + len(attrs) + len(rest):]
    good = written(c.data)
    r = written(c.data[:16] + rest + attrs + after)
    tap.ok(good.stdout and r.stdout == good.stdout and r.returncode == 0,
           "a pipe may have EVENT_DESC before the attrs", r.stderr)
    r = written(c.data[:16] + rest + after)
    tap.ok(r.stdout == good.stdout and r.returncode == 3,
           "EVENT_DESC is used if no attr comes", r.stderr)
    bad = bytearray(attrs)
    bad[8 + 24] ^= 2
    r = written(c.data[:16] + rest + bytes(bad) + after)
    tap.ok(r.stdout == good.stdout and r.returncode == 3,
           "EVENT_DESC is used if the attr after it is damaged", r.stderr)
    desc = [r for kind, r in records if kind == 80 and r[8] == 12]
    bad = bytearray(desc[0])
    bad[24 + 24] ^= 2  # it agrees with the attr no more
    mark = struct.pack(c.order + "IHH", 68, 0, 8)  # FINISHED_ROUND
    r = written(c.data[:16] + attrs + bytes(bad) * 20000 + mark * 200000)
    tap.ok(r.returncode == 3, "EVENT_DESC is compared once", r.stderr)


def desc_fewer():
    """A record that was read has a number that the copy has not."""
    c = Capture(tap.capture("good-pipe", tmp.name))
    attr = bytearray(next(pipe_records(c))[1][8:8 + 128])
    fields = (1 << 16) + 3  # IDENTIFIER, IP, TID: no time
    data = c.data[:16]
    struct.pack_into("<Q", attr, 24, fields)
    for i in (1, 2):
        data += struct.pack("<IHH", 64, 0, 8 + 128 + 8) + attr + \
            struct.pack("<Q", i)
    sample = struct.pack("<IHHQQII", 9, 0, 32, 2, 4096, 7, 7)
    struct.pack_into("<Q", attr, 24, fields + 128)
    one = struct.pack("<II", 1, 128) + attr + struct.pack("<II", 1, 8) + \
        b"name\0\0\0\0" + struct.pack("<Q", 2)
    data += sample + struct.pack("<IHHQ", 80, 0, 16 + len(one), 12) + one
    sample = struct.pack("<IHHQQIIQ", 9, 0, 40, 2, 4096, 7, 7, 1)
    r = written(data + sample * 9)
    tap.ok(r.returncode == 3 and b"is right" not in r.stderr,
           "a copy with fewer events takes no place", r.stderr)


def late_sample():
    """Which copy is right shows only after many samples of another event."""
    one, two = (struct.pack("<IIQQQQQ", 1, 128, i, 1, (1 << 16) + 7, 0, 1 << 18)
                + bytes(80) for i in (0, 1))
    bad = bytearray(two)
    bad[24] ^= 128
    desc = struct.pack("<II", 2, 128)
    for i, attr in ((1, one), (2, two)):
        desc += attr + struct.pack("<II8sQ", 1, 8, b"event%d" % i, i)
    start = b"PERFILE2" + struct.pack("<Q", 16)
    end = struct.pack("<IHHQ", 80, 0, 16 + len(desc), 12) + desc
    for i in [1] * 2000 + [2] * 10:
        end += struct.pack("<IHHQQIIQ", 9, 0, 40, i, 4096, 7, 7, 1000)
    out = []
    for second in (two, bad):
        data = start
        for i, attr in ((1, one), (2, bytes(second))):
            data += struct.pack("<IHH", 64, 0, 144) + attr + \
                struct.pack("<Q", i)
        out.append(written(data + end))
    tap.ok(out[0].returncode == 0 and out[1].returncode == 3 and
           out[0].stdout.count(b"event2") == 10 and
           out[0].stdout == out[1].stdout,
           "a sample after 2,000 of another event shows which copy is right",
           out[1].stderr)


def desc_place(c):
    """Where the table of a file's features has the place of EVENT_DESC."""
    before = bin(c.word(72) & (EVENT_DESC - 1)).count("1")
    return c.word(40) + c.word(48) + 16 * before


def foreign():
    """The EVENT_DESC of another capture names no event."""
    c = Capture(tap.capture("good-events", tmp.name))
    other = Capture(tap.capture("good-sched", tmp.name))
    at, n = (other.word(desc_place(other) + i) for i in (0, 8))
    data = bytearray(c.data) + other.data[at:at + n]
    struct.pack_into("<QQ", data, desc_place(c), len(c.data), n)
    good, r = written(c.data), written(bytes(data))
    tap.ok(good.stdout and r.stdout == good.stdout and r.returncode == 3,
           "descriptions of another capture give no names", r.stderr)


def differ():
    """Copies that differ are told, even if no record can say which is right."""
    c, wrong = Capture(tap.capture("good-events", tmp.name)), []
    size, at = c.word(16), c.word(24)
    first, second = (c.word(at + i * size - 16) for i in (1, 2))
    swapped = bytearray(c.put(first, c.word(second)))
    swapped[second:second + 8] = c.data[first:first + 8]
    desc = c.word(desc_place(c))
    for what, data in (
            ("ids", bytes(swapped)),
            ("a config", c.put(at + 8, c.word(at + 8) ^ 2)),
            ("no event", c.data[:desc] + bytes(4) + c.data[desc + 4:]),
            ("two events", c.data[:desc] + b"\2\0\0\0" + c.data[desc + 4:]),
            ("its size", c.put(desc, c.word(desc) & 0xffffffff | 104 << 32))):
        r = written(data)
        if r.returncode != 3 or b"event" not in r.stderr:
            wrong.append((what, r.returncode, r.stderr))
    tap.ok(not wrong, "two descriptions of events that differ are told",
           "\n".join(map(str, wrong)))


def one_bit(data, at):
    return data[:at] + bytes([data[at] ^ 32]) + data[at + 1:]


def not_seekable():
    """Records of a real pipe are seen once; the next ones are known.  Before
    the first sample may come more mappings than these."""
    for case in ("good-pipe", "good-zstd-pipe"):
        c = Capture(tap.capture(case, tmp.name))
        at = 16 + sum(len(r) for _, r in pipe_records(c))
        while struct.unpack_from("<I", c.data, at)[0] != 1:
            at += struct.unpack_from("<H", c.data, at + 6)[0]
        one = c.data[at:at + struct.unpack_from("<H", c.data, at + 6)[0]]
        for n in (0, 2000000 // len(one)):
            data = c.data[:at] + one * n + c.data[at:]
            good = written(data).stdout
            r = subprocess.run(
                [tap.coldperf, "script", "-F", "event,time,ip", "-"],
                input=one_bit(data, 24 + 24),  # the first attr's sample_type
                capture_output=True, timeout=30)
            tap.ok(good and r.stdout == good and r.returncode == 3 and
                   b"is another" not in r.stderr,
                   "%s: a second description of events is used without "
                   "seeking, after %d mappings" % (case, n), r.stderr)


def folder():
    """Samples of a capture in a folder are not in the file with the attrs."""
    path = os.path.join(tmp.name, "folder")
    shutil.copytree(os.path.join(corpus, "good-directory", "perf.data"), path)
    data = os.path.join(path, "data")
    os.chmod(data, 0o600)
    c = Capture(data)
    run = [tap.coldperf, "script", "-F", "event,time,ip", path]
    good = subprocess.run(run, capture_output=True, timeout=30)
    with open(data, "wb") as f:
        f.write(one_bit(c.data, c.word(24) + 24))
    r = subprocess.run(run, capture_output=True, timeout=30)
    tap.ok(good.stdout and r.stdout == good.stdout and r.returncode == 3,
           "a second description of events is used in a folder", r.stderr)


LATE = """
attr one type=0 config=0 period=1 ids=1 sample_type=IDENTIFIER|IP|TID|TIME \\
	flags=sample_id_all
attr two type=0 config=1 period=1 ids=2 sample_type=IDENTIFIER|IP|TID|TIME \\
	flags=sample_id_all
feature compressed
comm 8 8 "zipped"
compress begin chunk=500
repeat 5000 as i {
sample one ip=0x400000 pid=8 time=1000+i
}
sample two ip=0x400000 pid=8 time=9000
compress end
"""


def late_compressed():
    """The sample that shows it is not in the first compressed record."""
    path = os.path.join(tmp.name, "late")
    with open(path + ".mkperf", "w") as f:
        f.write(LATE)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".mkperf", path], check=True)
    c = Capture(path)
    good = written(c.data)
    r = written(one_bit(c.data, c.word(24) + c.word(16) + 24))
    tap.ok(good.stdout.count(b"two:") == 1 and r.stdout == good.stdout and
           r.returncode == 3,
           "compressed records after the first show which copy is right",
           r.stderr)


def main():
    cases = os.environ.get("CASES", " ".join(
        tap.share(FEW.split(), 0, 2))).split()
    if cases == ["all"]:
        cases = [c for c in sorted(os.listdir(corpus))
                 if c.startswith("good-")]
    sums = collections.defaultdict(lambda: [0, 0])
    for case in cases:
        path = tap.capture(case, tmp.name)
        if not os.path.isfile(path):
            continue
        for family, (total, kept) in spoil(case, Capture(path)).items():
            sums[family][0] += total
            sums[family][1] += kept
    for family, (total, kept) in sorted(sums.items()):
        tap.ok(total and kept >= 0.99 * total,
               family + ": 99 % of the samples are reported",
               "%d of %d" % (kept, total))
    description_cut()
    without_attrs()
    names_between()
    ids_beyond()
    ids_twice()
    attrs_twice()
    desc_first()
    desc_fewer()
    late_sample()
    differ()
    foreign()
    not_seekable()
    folder()
    late_compressed()
    features_lost()
    tap.done()


main()
