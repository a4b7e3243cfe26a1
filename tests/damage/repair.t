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
COUNT = int(os.environ.get("COUNT", "7" if tap.nightly else "3"))
# The damages of which perf must read the result: see spoil().
ASKED = tuple(map(int, os.environ.get(
    "ASKED", "0 3 4 5" if tap.nightly else "0").split()))
# Damages whose repaired files had losses of their own.
KNOWN = {"good-endian-big": [1015, 1034, 1059]}
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
# Where perf shows another text of what was repaired.
PERF_DIFFERS = {
    "good-lbr": "perf reads behind an empty branch stack",
    "odd-attr-size-zero": "perf makes up a name that the new file has",
}
corpus = os.path.join(tap.top_srcdir, "corpus")
tmp = tempfile.TemporaryDirectory()
# What sanitizers look at is not what perf reads.
perf = None if tap.sanitized else shutil.which("perf")


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
    """Why perf does not read it to its end, or nothing.

    Where perf report ends at a record its status is 0; perf script's is not.
    """
    for words in (["report", "--stdio", "-n"], ["script", "-F", "comm"]):
        r = run(perf, *words, "-i", path, "--force")
        if r.returncode:
            return r.stderr.decode(errors="replace") or words[0]
    return ""


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
    if after != before:
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


def shown_alike(name, path):
    """perf shows the same of a sound capture and of what repair made of it."""
    if name in PERF_DIFFERS:
        tap.skip("%s: %s" % (name, PERF_DIFFERS[name]))
        return
    texts = [run(perf, "script", "--force", "-i", p) for p in (
        path, os.path.join(tmp.name, "fixed.data"))]
    if texts[0].returncode == 0 and texts[0].stdout:
        tap.ok(texts[0].stdout == texts[1].stdout,
               name + ": perf script shows the same, repaired or not",
               texts[1].stdout[:2000])


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
    seeds = [SEED * 1000 + i for i in range(COUNT)] + KNOWN.get(name, [])
    for seed in seeds:
        bad = os.path.join(tmp.name, "spoilt.data")
        with open(bad, "wb") as f:
            f.write(spoil(data, seed))
        wrong += ["seed %d: %s" % (seed, w) for w in
                  check(name, bad, False, seed % 6 in ASKED)]
    tap.ok(not wrong, "%s: %d damages, seed %d" % (name, len(seeds), SEED),
           "\n".join(wrong))


def spoil_more(data, seed):
    """Damage that spoil() does not do: moved and copied spans, the header."""
    dice = random.Random(seed)
    bad = bytearray(data)
    low = min(104, len(bad) // 3)
    at, to = dice.randrange(low, len(bad)), dice.randrange(low, len(bad))
    n = dice.randrange(1, 400)
    kind = seed % 4
    span = bad[at:at + n]
    if kind == 0:
        del bad[at:at + n]
        bad[to:to] = span
    elif kind == 1:
        bad[to:to + len(span)] = span
    elif kind == 2:
        place = dice.randrange(1, 13) * 8
        bad[place:place + 8] = dice.randbytes(len(bad[place:place + 8]))
    else:
        for _ in range(4):
            bad[dice.randrange(len(bad) * 3 // 4, len(bad))] ^= \
                1 << dice.randrange(8)
    return bytes(bad)


def sweep(paths):
    """One damage of each capture: the reader finds none in the new file."""
    wrong = []
    for i, (name, path) in enumerate(paths):
        seed = SEED * 100 + i
        with open(path, "rb") as f:
            data = f.read()
        if len(data) < 32:
            continue
        bad = os.path.join(tmp.name, "sweep.data")
        with open(bad, "wb") as f:
            f.write(spoil_more(data, seed))
        wrong += ["%s, seed %d: %s" % (name, seed, w)
                  for w in check("sweep", bad, False, False)]
    tap.ok(not wrong and len(paths) > 50,
           "%d captures, one damage each, seed %d" % (len(paths), SEED),
           "\n".join(wrong))


# Two events: of one alone perf does not ask for ids.
EVENTS = """
attr cycles type=1 config=0 period=1000 sample_type=IP|TID|TIME|ID \\
	flags=sample_id_all|comm ids=11
attr faults type=1 config=2 period=1 sample_type=IP|TID|TIME|ID \\
	flags=sample_id_all ids=12
comm 10 10 one time=1000
%s
repeat 5 as i {
sample cycles ip=0x400100+i pid=10 time=4000+i*100
sample faults ip=0x400200+i pid=10 time=4050+i*100
}
"""


def made(name, record, said, refused=True, features=""):
    """A record that repair changes or leaves out, which it says; perf refuses
    the original and reads the new file."""
    source = os.path.join(tmp.name, "made.mkperf")
    path = os.path.join(tmp.name, "made.data")
    with open(source, "w") as f:
        f.write(EVENTS.replace("comm 10", features + "comm 10") % record)
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    if perf and refused:
        tap.ok(perf_reads(path), name + ": perf ends there")
    check(name, path)
    r = run(tap.coldperf, "repair", "-o", os.path.join(tmp.name, "new"), path)
    tap.ok(b" 10 of them samples" in r.stderr and said in r.stderr,
           name + ": what is left out is told",
           r.stderr.decode(errors="replace"))


def made_ones():
    """What follows the record must be in the new file, byte for byte."""
    trailer = " u4:10 u4:10 u8:3000 u8:11"
    made("16 bytes too many in a name", "raw 3 0 u4:10 u4:10 p:two n:16"
         + trailer, b"left out: 0 bytes of damage", False)
    # Lists of two texts of no length, and the place of one CPU of the 64.
    made("places of fewer CPUs than there are", "", b"cpu-topology", False,
         "feature nrcpus 64\nfeature cpu_topology items=u4:0,u4:0,u8:0\n")
    formless = b" 1 record that perf has no form for"
    # What follows perf 6.1's, with nothing that it could belong to.
    made("type 22", "raw 22 0 u8:1 u8:0" + trailer, formless)
    for kind in 23, 40:
        made("type %d" % kind, "raw %d 0 u8:0" % kind + trailer, formless)
    made("a name that is not padded", "raw 3 0 u4:10 u4:10 z:two" + trailer,
         b" 0 records that perf has no form for")
    made("a tracer that nobody knows", "raw 70 0 u4:99 u4:0", formless)
    made("type 63", "raw 63 0 u8:0" + trailer, formless)
    made("an index of an unknown id", "id_index entries=99,0,0,10", formless)
    # perf wants one place of ids, and formats of readings that it knows.
    for layout in "IP|TID|TIME", "IP|TIME|TID|ADDR|ID", "IP|TIME|READ|ID":
        made("an event of no sample with %s" % layout, "", b"", features=
             "attr other type=1 config=3 sample_type=%s ids=13 \\\n"
             "\tread_format=0x8000000000 flags=sample_id_all\n" % layout)


def changed(name, case, old, new):
    """A capture of the corpus with other bytes at the first place of some."""
    source = os.path.join(corpus, case, "input.mkperf")
    path = os.path.join(tmp.name, "changed.data")
    if os.path.exists(source):
        run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    else:
        shutil.copyfile(os.path.join(corpus, case, "perf.data"), path)
    with open(path, "rb") as f:
        data = f.read()
    tap.ok(old in data, name + ": there is what is changed")
    with open(path, "wb") as f:
        f.write(data.replace(old, new, 1))
    check(name, path)


# With it a sample has an id of no event, by which a later one was taken.
NOISE = """
76d059d76fb3a609a528f4b435617127f42546f740b647e63566f9e190185fcf
49d42db9fe5178c60a038bd41f3c482039bf9957555d1a936b4f3c54d780bb67
f45a415d0bb4693ce8d73d38914a3dd8a2f7c798f6ecd0606d94305d2e734c50
6519b7865a126b
"""


def overwritten(name, case, at, new):
    """A capture of the corpus with other bytes at a place."""
    path = os.path.join(tmp.name, "overwritten.data")
    with open(os.path.join(corpus, case, "perf.data"), "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(data[:at] + new + data[at + len(new):])
    check(name, path)


def doubled(name, case, at, n, samples):
    """A capture with n bytes twice: what follows is not where it was."""
    path = os.path.join(tmp.name, "doubled.data")
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"),
        os.path.join(corpus, case, "input.mkperf"), path)
    with open(path, "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(data[:at + n] + data[at:])
    check(name, path)
    r = run(tap.coldperf, "script", "-F", "time,event", path)
    tap.ok(r.returncode == 3 and len(r.stdout.splitlines()) == samples,
           name + ": none is made up", r.stdout + r.stderr)


GROUP = """
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|ID|READ \\
	read_format=ID|GROUP flags=comm|sample_id_all ids=11
attr faults type=1 config=2 sample_type=IP|TID|TIME|ID|READ \\
	read_format=ID|GROUP flags=sample_id_all ids=12
comm 10 10 one time=1000
raw 9 2 u8:0x400100 u4:10 u4:10 u8:2000 u8:11 u8:2 u8:5 u8:11 u8:6 u8:12
raw 9 2 u8:0x400200 u4:10 u4:10 u8:2100 u8:11 u8:2 u8:7 u8:99 u8:9 u8:12
raw 9 2 u8:0x400300 u4:10 u4:10 u8:2200 u8:11 u8:1 u8:9 u8:98
"""


def counters():
    """Values of no event are left out, the others are read as before."""
    source = os.path.join(tmp.name, "group.mkperf")
    path = os.path.join(tmp.name, "group.data")
    with open(source, "w") as f:
        f.write(GROUP)
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    text, status = script(path, True)
    tap.ok(text.count(b"faults") == 2 and text.count(b"cycles") == 1 and
           status == 3, "values of two ids of no event", text)
    check("values of no event", path)
    r = run(tap.coldperf, "repair", "-o", path + ".new", path)
    tap.ok(b" 1 sample of no event" in r.stderr and
           b", 1 value of no event in samples" in r.stderr,
           "values and samples of no event are counted apart", r.stderr)


# Counters of branches are newer than perf 6.1, which takes them for what follows
# them: the registers.
BRANCHES = """
attr cycles type=0 config=0 period=1000 \\
	sample_type=IP|TID|TIME|RAW|BRANCH_STACK|REGS_USER \\
	branch_sample_type=%s sample_regs_user=7 flags=comm|sample_id_all
comm 10 10 one time=1000
repeat 4 as i {
sample ip=0x400100+i pid=10 time=2000+i*10 raw=u4:7 %s \\
	branch=0x400100:0x400200,0x400300:0x400400 regs_user=2,0x11,0x22,0x33+i
}
"""


def branch_counters():
    """Without them perf reads what it reads of a capture that has none."""
    paths = [os.path.join(tmp.name, s) for s in ("old", "new", "fixed")]
    for path, form in zip(paths, (("0x8", ""), ("0x80008", "counters=5,6"))):
        source = path + ".mkperf"
        with open(source, "w") as f:
            f.write(BRANCHES % form)
        run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    r = run(tap.coldperf, "repair", "-o", paths[2], paths[1])
    tap.ok(r.returncode == 0 and b"the counters of branches in 4 samples" in
           r.stderr, "counters of branches: what is left out is told",
           r.stderr.decode(errors="replace"))
    check("counters of branches", paths[1])
    one = os.path.join(tmp.name, "one")
    with open(source, "w") as f:
        f.write(BRANCHES.replace("repeat 4", "repeat 1") % form)
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, one)
    r = run(tap.coldperf, "repair", "-o", os.path.join(tmp.name, "less"), one)
    tap.ok(b": 2 records, 1 of them a sample; left out: 0 bytes" in r.stderr
           and b"branches in 1 sample\n" in r.stderr, "one is no plural",
           r.stderr.decode(errors="replace"))
    red = os.path.join(tmp.name, "redacted")
    r = run(tap.coldperf, "redact", "--redact", "share", "-o", red, paths[1])
    # Its addresses are in no code, and are one constant there.
    tap.ok(r.returncode == 0 and script(red, False)[0].count(b"\n") == 4,
           "counters of branches: a redaction has its samples", r.stderr)
    if not perf:
        tap.skip("no perf")
        return
    text = [run(perf, "script", "--force", "-F", "time,ip,brstack,uregs",
                "-i", path).stdout for path in paths]
    tap.ok(text[0].count(b"0x11") == 4 and text[0] == text[2] != text[1],
           "counters of branches: perf reads the registers",
           b"\n".join(text).decode(errors="replace"))


# They are kept: a newer perf joins them, and nobody could without them.
def deferred_chains():
    path = os.path.join(tmp.name, "deferred.data")
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"),
        os.path.join(corpus, "good-deferred-chain/input.mkperf"), path)
    r = run(tap.coldperf, "repair", "-o", path + ".new", path)
    tap.ok(b"unknown to perf 6.1: 2 deferred call chains" in r.stderr,
           "deferred chains: that perf 6.1 lacks them is told",
           r.stderr.decode(errors="replace"))


# The reader takes values of any id for those of an event that is alone.
ALONE = """
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|ID|READ \\
	read_format=ID|GROUP flags=comm|sample_id_all ids=11
comm 10 10 one time=1000
raw 9 2 u8:0x400100 u4:10 u4:10 u8:2000 u8:11 u8:2 u8:5 u8:11 u8:6 u8:12
raw 9 2 u8:0x400200 u4:10 u4:10 u8:2100 u8:11 u8:2 u8:7 u8:11 u8:9 u8:12
"""


def values_of_one():
    """The ids of all values are in the new file, so perf has as many lines."""
    source, path, out = (os.path.join(tmp.name, "alone" + s)
                         for s in (".mkperf", ".data", ".new"))
    with open(source, "w") as f:
        f.write(ALONE)
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    check("values of an event that is alone", path)
    run(tap.coldperf, "repair", "-o", out, path)
    with open(out, "rb") as f:
        data = f.read()
    size, attrs = struct.unpack_from("<QQ", data, 16)
    at, n = struct.unpack_from("<QQ", data, attrs + size - 16)
    ids = struct.unpack_from("<%dQ" % (n // 8), data, at)
    tap.ok(sorted(ids) == [11, 12], "the event has the ids of all values", ids)


def noise_only():
    """Noise in the only description: no layout of the samples is left."""
    source, path, out = (
        os.path.join(p, n) for p, n in (
            (corpus, "good-all-fields/input.mkperf"),
            (tmp.name, "noise.data"), (tmp.name, "noise.new")))
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    with open(path, "r+b") as f:
        f.seek(140)
        f.write(bytes.fromhex("15f75753def88eb65eaa098abfb4a4b2738e02028f"))
        f.seek(73)
        f.write(b"\0")  # no feature EVENT_DESC
    r = run(tap.coldperf, "repair", "-o", out, path)
    tap.ok(r.returncode == 2 and not os.path.exists(out) and
           b"that is noise" in r.stderr,
           "of a description that is noise nothing is written",
           (r.returncode, r.stderr.decode(errors="replace")))


# One sample_type has a bit that no kernel has; the reader cannot tell how many
# bytes are of it.
NEWER = """
attr cycles type=1 config=0 period=1000 \\
	sample_type=IP|TID|0x10000000000 flags=sample_id_all|comm
comm 10 10 one
raw 9 2 u8:0x400100 u4:10 u4:10 u8:77
raw 9 2 u8:0x400200 u4:10 u4:10 u8:78
"""
NO_IDS = """
attr cycles type=1 config=0 period=1000 sample_type=IP|TID|TIME \\
	flags=sample_id_all|comm
attr faults type=1 config=2 period=1000 sample_type=IP|TID|TIME \\
	flags=sample_id_all
comm 10 10 one time=900
sample cycles ip=0x400100 pid=10 time=1000
sample cycles ip=0x400110 pid=10 time=1001
"""
LOST_IDS = """
attr cycles type=1 config=0 period=1000 sample_type=IP|TID|TIME|ID \\
	flags=sample_id_all|comm ids=11
attr faults type=1 config=2 period=1000 sample_type=IP|TID|TIME|ID \\
	flags=sample_id_all
comm 10 10 one time=900
sample cycles ip=0x400100 pid=10 time=1000
sample cycles ip=0x400110 pid=10 time=1001
"""
# The trailer of the lost record is not that of the other event's in the new
# file.
OTHER = """
attr cycles type=1 config=0 period=1000 sample_type=IP|TID|TIME|ID \\
	flags=sample_id_all|comm ids=11
attr other type=1 config=3 sample_type=IP|ADDR flags=sample_id_all ids=2
comm 10 10 one time=900
sample cycles ip=0x400100 pid=10 time=1000
raw 2 0 u8:2 u4:10 u4:10 u8:2
sample cycles ip=0x400110 pid=10 time=1001
"""
# perf looks up the place of the CPU.
CPUS = """
feature nrcpus 1
feature cpu_topology items=u4:0,u4:0,u4:0,u4:0
attr cycles type=1 config=0 period=1000 sample_type=IP|TID|TIME|CPU \\
	flags=sample_id_all|comm
comm 10 10 one time=900
sample cycles ip=0x400100 pid=10 time=1000 cpu=0
sample cycles ip=0x400110 pid=10 time=1001 cpu=0x40000001
"""
# Of a file of the other byte order perf 6.1 has no features without a hostname.
NO_HOST = """
byte_order big
attr cycles type=0 config=0 period=1000 sample_type=IDENTIFIER|IP|TID|TIME \
	flags=sample_id_all|comm ids=1
attr sched:sched_switch type=2 config=316 period=1 \
	sample_type=IDENTIFIER|IP|TID|TIME|CPU|RAW flags=sample_id_all ids=3
comm 10 10 one time=900
sample cycles ip=0x400100 pid=10 time=1000 id=1
sample cycles ip=0x400110 pid=10 time=1001 id=1
"""

# perf refuses the first event; the second has no samples, and gets its layout.
VALUES = """
attr cycles type=1 config=0 period=1000 read_format=TOTAL_TIME_ENABLED \\
	sample_type=IP|TID|TIME|ID|PERIOD|READ|CPU flags=sample_id_all|comm ids=11
attr faults type=1 config=2 sample_type=IP|TIME|ID|READ ids=12 \\
	flags=sample_id_all
comm 10 10 one time=900
sample cycles ip=0x400100 pid=10 time=1000 cpu=1 period=7 read=70,5
sample cycles ip=0x400110 pid=10 time=1001 cpu=2 period=8 read=60,5
"""


# Their content is shorter than a trailer, which perf takes from their end.
NO_TRAILER = """
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|ID|CPU \\
	flags=comm|sample_id_all ids=11
raw 3 0 u4:5 u4:6 u8:0x6d616e
raw 3 0 u4:5 u4:7 u8:0x6d616e32 u8:0x0101010101010101
raw 2 0 u8:11 u8:3
raw 9 2 u8:0x400100 u4:5 u4:6 u8:2000 u8:11 u4:0 u4:0
raw 9 2 u8:0x400200 u4:5 u4:7 u8:2100 u8:11 u4:0 u4:0
"""


def compiled(name, text, samples):
    """A capture of that text; its samples stay as they are."""
    source = os.path.join(tmp.name, "compiled.mkperf")
    path = os.path.join(tmp.name, "compiled.data")
    with open(source, "w") as f:
        f.write(text)
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    lines = script(path, True)[0].count(b"\n")
    tap.ok(lines == samples, name + ": samples", lines)
    check(name, path)


TWO_NAMES = """
layout no-event-desc
attr sched:sched_switch type=2 config=316 period=1 \\
	sample_type=IP|TID|TIME flags=sample_id_all|comm
format sched <<END
name: sched_switch
ID: 316
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
END
feature sp_meta_info "event_type_info" "sched:sched_switcl,2,316"
sample ip=0x400100 pid=10 time=1000
"""


def two_names():
    """A name does not depend on what is read first: the repaired capture has
    the layouts before simpleperf's description, which has a wrong letter."""
    source, path = os.path.join(tmp.name, "two"), os.path.join(tmp.name, "2")
    with open(source, "w") as f:
        f.write(TWO_NAMES)
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    r = run(tap.coldperf, "script", "-F", "event", path)
    tap.ok(r.stdout.strip().strip(b":") == b"sched:sched_switch",
           "a tracepoint has the name of its layout", r)


def changed_ones():
    name = (64).to_bytes(4, "little") + b"cycles\0"
    changed("the length of an event's name", "good-build-ids", name,
            b"\xff\xff" + name[2:])
    # libtraceevent crashes at the first, and runs forever at the second.
    changed("a line of a format", "good-sched", b"\tfield:long prev_state",
            b")field:long prev_state")
    changed("a field's name in a print format", "good-sched",
            b"REC->next_prio", b"REC->next_pri;")
    changed("an event's name in its format", "good-sched",
            b"name: sched_switch", b"name: sched_sw\xebtch")
    # perf copies so many bytes into a room of 20.
    changed("the size of a build ID", "good-build-ids",
            bytes(range(1, 17)) + bytes(4) + b"\x10",
            bytes(range(1, 17)) + bytes(4) + b"\x9d")
    changed("the layout of a page", "good-sched", b"\tfield: u64 timestamp",
            b"\tfi<ld: u64 timestamp")
    overwritten("noise in compressed data", "good-zstd-pipe", 5756,
                bytes.fromhex(NOISE.replace("\n", "")))


# The second object is damaged: its message has a wire type that there is not.
SYMBOLS = """
layout no-event-desc
attr cpu-clock type=1 config=0 period=1000 sample_type=IP|TID|TIME flags=mmap
feature sp_meta_info "simpleperf_version" "1.build.1"
feature sp_file2 L4:(v:10,m:(s:"/a.so"),v:16,v:2,v:24,v:0x1000,\
v:34,m:(v:8,v:0x2000,v:16,v:0x100,v:26,m:(s:"malloc")),\
v:50,m:(v:8,v:0x1000)) L4:(v:15,v:1)
mmap pid=8 addr=0x7000001000 len=0x10000 pgoff=0x1000 name="/a.so"
sample ip=0x7000002010 pid=8 time=1000
"""


def named(what, text, name):
    """Names that simpleperf wrote are in the new file, too."""
    source, path, out = (os.path.join(tmp.name, "named" + s)
                         for s in (".mkperf", ".data", ".new"))
    with open(source, "w") as f:
        f.write(text)
    run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source, path)
    run(tap.coldperf, "repair", "-o", out, path)
    before, after = (run(tap.coldperf, "script", "-F", "ip,sym", p).stdout
                     for p in (path, out))
    tap.ok(name in before and before == after,
           what + ": the names of simpleperf are kept", (before, after))
    bad = perf and perf_reads(out)
    tap.ok(not bad, what + ": perf reads the file that has them", bad)


def named_ones():
    old = os.path.join(corpus, "good-simpleperf-old/input.mkperf")
    with open(old) as f:
        named("in records", f.read(), b" main\n")
    named("in a damaged feature", SYMBOLS, b" malloc\n")


def main():
    if not perf:
        tap.skip("perf is not installed: it is not asked")
    paths = []
    for case in sorted(os.listdir(corpus)):
        source = os.path.join(corpus, case, "input.mkperf")
        path = os.path.join(corpus, case, "perf.data")
        if os.path.exists(source):
            path = os.path.join(tmp.name, case)
            run(os.path.join(tap.top_builddir, "tests/tools/mkperf"), source,
                path)
        if not os.path.exists(path):
            continue
        sound = not case.startswith("bad-")
        check(case, path, ask=tap.nightly or not sound)
        if perf and sound:
            shown_alike(case, path)
        if os.path.isfile(path):
            paths.append((case, path))
        if case in FEW.split() and os.path.isfile(path):
            spoilt(case, path)
    sweep(paths)
    made_ones()
    counters()
    values_of_one()
    branch_counters()
    deferred_chains()
    noise_only()
    compiled("values without ids", VALUES, 2)
    r = run(tap.coldperf, "repair", "-o", os.path.join(tmp.name, "fixed"),
            os.path.join(tmp.name, "compiled.data"))
    tap.ok(b"the values without ids in 2 samples" in r.stderr,
           "values without ids: that they are left out is told", r.stderr)
    compiled("fields that nobody knows", NEWER, 2)
    compiled("records without room for a trailer", NO_TRAILER, 2)
    compiled("two events without ids", NO_IDS, 2)
    compiled("an event whose ids are lost", LOST_IDS, 2)
    compiled("a CPU that is not in the topology", CPUS, 2)
    compiled("a record of an event of another layout", OTHER, 2)
    compiled("another byte order, no hostname", NO_HOST, 2)
    doubled("a part of two events", "good-offcpu-time", 200, 24, 1)
    doubled("a larger part of two", "odd-unknown-id", 150, 36, 2)
    changed_ones()
    two_names()
    named_ones()
    tap.done()


main()
