#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Loads and stores: levels, latencies and shared lines counted by hand, and as
# `perf script` prints the data sources.
import collections
import os
import random
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
from made import BASE, SHARED, build, near, notes, scalars, section
import tap

LOAD, STORE = 2, 4


def source(op=LOAD, level=0, snoop=0, lock=0, tlb=0, number=0, remote=0,
           snoopx=0, hops=0):
    return op | level << 5 | snoop << 19 | lock << 24 | tlb << 26 | \
        number << 33 | remote << 37 | snoopx << 38 | hops << 43


# What each says: level, snoop, translation, HITM, remote, peer.
SOURCES = [
    (source(level=2 | 8, snoop=2, tlb=2 | 8 | 0x10),
     "L1 hit", "none", "L1 or L2 hit", 0, 0, 0),
    (source(level=2 | 0x10, number=0xc, snoop=2, tlb=4 | 0x20),
     "LFB/MAB hit", "none", "walker miss", 0, 0, 0),
    (source(level=2 | 0x40, number=3, snoop=0x10, tlb=2 | 8),
     "L3 hit", "HITM", "L1 hit", 1, 0, 0),
    (source(level=2 | 0x400, snoop=0x10, tlb=4 | 0x10),
     "remote cache (1 hop) hit", "HITM", "L2 miss", 1, 1, 0),
    (source(level=2, number=0xd, remote=1, snoop=4, tlb=2 | 0x10),
     "remote RAM hit", "hit", "L2 hit", 0, 1, 0),
    (source(level=4 | 0x80, snoop=8), "local RAM miss", "miss", "N/A", 0, 0, 0),
    (source(level=2 | 0x40, number=0xb, remote=1, hops=1, snoopx=2),
     "remote core, same node any cache hit", "peer", "N/A", 0, 0, 1),
    (source(op=STORE, level=2 | 8, lock=2), "L1 hit", "N/A", "N/A", 0, 0, 0),
    (source(op=STORE, level=4 | 8, number=0xf), "L1 miss", "N/A", "N/A", 0, 0, 0),
    (source(level=2 | 0x400, snoopx=2),
     "remote cache (1 hop) hit", "peer", "N/A", 0, 1, 1),
    (source(level=2 | 0x40, snoop=0x10, remote=1, hops=1),
     "L3 hit", "HITM", "N/A", 1, 0, 0),
    (source(number=0xb, snoop=0x10, remote=1),
     "remote any cache", "HITM", "N/A", 1, 1, 0),
    (source(op=STORE, level=2 | 0x40, snoop=0x10),
     "L3 hit", "HITM", "N/A", 0, 0, 0),
    (0x1e05080021, "N/A", "N/A", "N/A", 0, 0, 0),  # no access
]
FIELDS = "IP|TID|TIME|ADDR|CPU|PERIOD|DATA_SRC"


def capture(order, weight, phys, seed):
    """Text, and samples as (source, symbol, latency, line, tid, cpu)."""
    rng = random.Random(seed)
    fields = FIELDS + ("|" + weight if weight else "") + \
        ("|PHYS_ADDR" if phys else "")
    text = ["byte_order " + order,
            "attr mem-loads type=4 config=0x1cd period=1000 ids=1 "
            "sample_type=%s flags=sample_id_all|mmap|mmap_data|comm" % fields]
    for pid in (8, 9):
        text += ['comm %d %d "prog"' % (pid, pid),
                 'mmap pid=%d addr=%#x len=0x10000 pgoff=0 name="/bin/prog"' %
                 (pid, BASE)]
    samples = []
    for i in range(400):
        s = rng.choice(SOURCES)
        symbol, line, tid = rng.randrange(4), rng.randrange(5), \
            rng.choice((8, 9))
        if line == 4:
            tid = 8
        cpu, latency = rng.randrange(3), rng.randrange(1, 1000)
        address = BASE + 0x9000 + 64 * line + rng.randrange(64)
        where = 0x7000000 + 64 * line + rng.randrange(64)
        samples.append((s, symbol, latency if weight else 1, line, tid, cpu))
        words = latency
        if weight == "WEIGHT_STRUCT":
            words |= rng.randrange(1 << 32) << 32
        text.append("sample ip=%#x pid=%d cpu=%d time=%d addr=%#x "
                    "data_src=%#x%s%s" %
                    (BASE + 16 * symbol, tid, cpu, 1000 * (i + 1), address,
                     s[0], " weight=%d" % words if weight else "",
                     " phys_addr=%#x" % where if phys else ""))
    return "\n".join(text) + "\n", samples


def check_words(what, rep, slug, column, samples, at):
    want = collections.defaultdict(lambda: [0, 0])
    for s in samples:
        want[s[0][at]][0] += 1
        want[s[0][at]][1] += s[2]
    total = sum(s[2] for s in samples)
    got, why = made.table(rep, slug, column), []
    for word, (n, latency) in want.items():
        cells = got.get(word, {})
        share = cells.get("Latency", cells.get("Share", {"value": 0}))
        if cells.get("Accesses") != n or \
                not near(share["value"], latency / total) or \
                ("Mean" in cells and
                 not near(cells["Mean"]["value"], latency / n)):
            why.append("%s: %s, not %s" % (word, cells, (n, latency)))
    tap.ok(not why and set(got) == set(want), "%s: %s" % (what, slug),
           "\n".join(why) or "%s, not %s" % (sorted(got), sorted(want)))


def check_lines(what, rep, samples, phys):
    """Without physical addresses two processes share no line."""
    want = collections.defaultdict(lambda: [0] * 6 + [set(), set(), 0])
    for s, _, latency, line, tid, cpu in samples:
        e = want[(line, None if phys else tid)]
        e[0] += 1
        e[1] += latency
        e[2] += s[4]
        e[3] += (s[4] or s[6]) and s[5]
        e[4] += s[0] & LOAD != 0
        e[5] += s[0] & STORE != 0
        e[6].add(tid)
        e[7].add(cpu)
        e[8] += s[6]
    lines = sorted((BASE + 0x9000 + 64 * line, *e[:6], len(e[6]), len(e[7]),
                    e[8]) for (line, _), e in want.items())
    total = sum(s[2] for s in samples)
    got = sorted((r["Line"], r["Accesses"],
                  round(r.get("Latency", r.get("Share"))["value"] * total),
                  r["HITM"], r["Remote"], r["Loads"], r["Stores"],
                  r["Threads"], r["CPUs"], r["Peer"])
                 for r in made.rows(rep, "lines"))
    tap.ok(got == lines, what + ": lines", "%s\n%s" % (got, lines))
    shared = [r for r in made.rows(rep, "shared")]
    tap.ok(len(shared) == sum(x[3] + x[9] != 0 or (x[7] > 1 and x[6] != 0)
                              for x in lines) and
           [r["HITM"] + r["Peer"] for r in shared] ==
           sorted((r["HITM"] + r["Peer"] for r in shared), reverse=True),
           what + ": shared lines, HITM first")


n = 0
for order in ("little", "big"):
    for weight, phys in (("WEIGHT", True), ("WEIGHT_STRUCT", False), ("", True)):
        n += 1
        what = "%s-endian, %s, %s" % (order, weight or "no weight",
                                      "physical" if phys else "virtual")
        text, samples = capture(order, weight, phys, n)
        path = build("mem%d" % n, text)
        nothing = sum(s[0] == SOURCES[-1] for s in samples)
        samples = [s for s in samples if s[0] != SOURCES[-1]]
        rep = made.report(path, "mem", "--top", "0")
        check_words(what, rep, "levels", "Source", samples, 1)
        check_words(what, rep, "snoops", "Snoop", samples, 2)
        check_words(what, rep, "tlb", "TLB", samples, 3)
        by_code = [(("0x%016x" % (16 * s[1]),),) + s[1:] for s in samples]
        check_words(what, rep, "symbols", "Symbol", by_code, 0)
        check_lines(what, rep, samples, phys)
        whole = scalars(rep, "memory")
        tap.ok(whole["accesses"] == len(samples) and
               whole["hitm"] == sum(s[0][4] for s in samples) and
               whole["peer"] == sum(s[0][6] for s in samples) and
               whole["stores"] == sum(s[0][0] & STORE != 0 for s in samples)
               and (not weight or
                    near(whole["mean latency, cycles"]["value"],
                         sum(s[2] for s in samples) / len(samples))),
               what + ": the whole", whole)
        tap.ok(("latencies were not recorded" in notes(rep)) == (not weight),
               what + ": latencies that are missing are said", notes(rep))
        tap.ok("no access to memory: %d;" % nothing in notes(rep) and nothing,
               what + ": samples without an access are counted", notes(rep))

rep = made.report(build("wide", text.replace(
    'comm 8 8', 'feature arch "ppc64le"\ncomm 8 8', 1)), "mem")
tap.ok(all(r["Line"] % 128 == 0 for r in made.rows(rep, "lines")) and
       len(made.rows(rep, "lines")) == 3, "lines of 128 bytes",
       made.rows(rep, "lines"))
rep = made.report(build("none", "attr cycles type=0 config=0 period=1 "
                        "sample_type=IP|TID|TIME flags=sample_id_all\n"
                        "sample ip=0x400000 pid=8 time=1000\n"), "mem")
tap.ok("perf record -e cpu/mem-loads,ldlat=30/P -e cpu/mem-stores/P -d -W" in
       notes(rep) and section(rep, "levels") is not None,
       "what to record, where nothing is there", notes(rep))


# --------------------------------------------------------- as perf prints it
def perf_levels(path):
    p = subprocess.run(["perf", "script", "-f", "-i", path, "-F",
                        "ip,data_src,weight"], stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL)
    counts = collections.Counter()
    for level, weight in re.findall(r"\|LVL ([^|]*)\|.*\|BLK +\S+ +(\d+) ",
                                    p.stdout.decode("utf-8", "replace")):
        # perf 6.1 has each level twice, by its bit and by its number.
        level = re.sub(r"^(\S+) or \1\b", r"\1", level.strip())
        counts[level] += 1
        counts[level, "latency"] += int(weight)
    return counts


# ------------------------------------------------- as perf c2c counts them
def perf_c2c(path):
    p = subprocess.run(["perf", "c2c", "report", "-f", "-i", path, "--stats",
                        "--no-source", "--stdio"], stdout=subprocess.PIPE,
                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {k.strip(): int(v) for k, v in re.findall(
        r"^ *(.*[A-Za-z)]) +: +(\d+)$", p.stdout.decode(), re.M)}


text, samples = capture("little", "WEIGHT", False, 11)
path = build("c2c", text.replace(
    "comm 8 8", 'feature nrcpus 4 4\nfeature numa_topology 0 1000 1000 "0-3"\n'
    "comm 8 8", 1))
want = perf_c2c(path) if shutil.which("perf") else {}
if "Load Remote HITM" not in want or "Load HIT Remote Peer" not in want:
    tap.skip("this perf counts no HITM of a synthetic capture")
else:
    rep = made.report(path, "mem", "--top", "0")
    whole = scalars(rep, "memory")
    far = sum(r["Remote"] for r in made.rows(rep, "lines"))
    got = (whole["hitm"], whole["peer"], far, whole["loads"], whole["stores"])
    want = (want["Load Local HITM"] + want["Load Remote HITM"],
            want["Load HIT Local Peer"] + want["Load HIT Remote Peer"],
            want["Load Remote HITM"] + want["Load HIT Remote Peer"],
            want["Load Operations"], want["Store Operations"])
    tap.ok(got == want, "HITM and peers, near and far, as perf c2c counts",
           "%s, not %s" % (got, want))

text = ["attr mem-loads type=4 config=0x1cd period=1000 ids=1 "
        "sample_type=%s flags=sample_id_all|mmap|mmap_data|comm" % FIELDS]
for pid in 8, 9:
    text += ['mmap pid=%d addr=%#x len=0x10000 pgoff=0 name="/bin/prog"' %
             (pid, BASE),
             'mmap misc=0x2002 pid=%d addr=0x700000 len=0x9000 pgoff=0 '
             'name="//anon"' % pid]
    text += ["sample ip=%#x pid=%d cpu=0 time=%d addr=%#x data_src=%#x" %
             (BASE, pid, 1000 * pid + i, 0x700000 + 64 * i, SOURCES[0][0])
             for i in range(pid)]
rep = made.report(build("anon", "\n".join(text) + "\n"), "mem")
got = [(r["Object"], r["Accesses"]) for r in made.rows(rep, "data")]
tap.ok(got == [("anon", 17)],
       "memory that is no file is one row, of all processes", got)
# Three places share a line, none of them with a majority; a fourth and a fifth
# have little of it.
share = [(0x10, 8, 4), (0x20, 16, 3), (0x10, 24, 2), (0x30, 8, 1),
         (0x40, 0, 1)]
text = text[:1] + [
    "mmap pid=8 addr=%#x len=0x10000 pgoff=0 name=\"/bin/prog\"" % BASE]
text += ["sample ip=%#x pid=8 cpu=0 time=%d addr=%#x data_src=%#x" %
         (BASE + code, 1000 + n, BASE + 0x9000 + offset, SOURCES[0][0])
         for n, (code, offset) in enumerate(
             (c, o) for i in range(4) for c, o, times in share if i < times)]
rep = made.report(build("codes", "\n".join(text) + "\n"), "mem")
got = [r["Code"] for r in made.rows(rep, "lines")]
tap.ok(got == ["prog+0x10 on 0x8: 36.4 %, prog+0x20 on 0x10: 27.3 %, "
               "prog+0x10 on 0x18: 18.2 %, 2 others"],
       "the code of a line, by offset and with shares", got)

path = os.path.join(SHARED, "google-perf_data_converter",
                    "perf.data.weight_struct")
if not os.path.exists(path) or not shutil.which("perf"):
    tap.skip("the recordings of others, or perf, are not here")
else:
    want = perf_levels(path)
    rep = made.report(path, "mem", "--top", "0")
    got = collections.Counter()
    for r in made.rows(rep, "levels"):
        got[r["Source"]] += r["Accesses"]
        got[r["Source"], "latency"] += round(r["Mean"]["value"] *
                                             r["Accesses"])
    tap.ok(want and got == want, "a recording, as perf script prints it",
           "%s\n%s" % (got, want))

# What was not recorded is no number, and lines that may be there twice are told.
def lined(name, fields, *each):
    text = "attr mem-loads type=4 config=1 period=1000 ids=1 sample_type=%s " \
        "flags=sample_id_all|comm\n" % fields
    text += 'comm 8 8 "prog"\n'
    for i in range(4):
        text += "sample ip=%#x pid=8 time=%d addr=%#x data_src=%d %s\n" % (
            BASE, 1000 + i, BASE, SOURCES[0][0], each[i % len(each)])
    rep = made.report(build(name, text), "mem")
    return made.rows(rep, "lines"), made.notes(rep)


PLAIN = "IP|TID|TIME|ADDR|PERIOD|DATA_SRC"
got, told = lined("no-cpu", PLAIN, "")
tap.ok(len(got) == 1 and got[0].get("Threads") == 1 and "CPUs" not in got[0],
       "a CPU that was not recorded is not one", got)
got, told = lined("half", PLAIN + "|CPU|PHYS_ADDR", "cpu=1 phys_addr=0x7000",
                  "cpu=0 phys_addr=0")
tap.ok([r["CPUs"] for r in got] == [1, 1] and
       "physical address is not known: 2;" in told,
       "lines without a physical address are told", (got, told))
tap.ok("physical" not in lined("all", PLAIN + "|PHYS_ADDR",
                               "phys_addr=0x7000")[1], "not if all have it")

# A group's members have the samples of its leader: one access for all.
rep = made.report(build("group", made.group(
    "ADDR|DATA_SRC|WEIGHT", "addr=%#x weight=9 data_src=%d" %
    (BASE, SOURCES[0][0]), 10)), "mem")
tap.ok(scalars(rep, "memory")["accesses"] == 10 and
       [r["Accesses"] for r in made.rows(rep, "lines")] == [10],
       "an access is counted once, whatever its group counts",
       scalars(rep, "memory"))

# Events with a latency and events without one; and sources that differ, but
# not in their level.
def mixed(name, count, loads=True):
    kinds = [("mem-loads", 1, "|WEIGHT", " weight=100"),
             ("mem-stores", 2, "", "")][0 if loads else 1:]
    text = ["attr %s type=4 config=%d period=1000 ids=%d sample_type=%s%s "
            "flags=sample_id_all|comm" % (n, i, i, FIELDS + "|ID", f)
            for n, i, f, _ in kinds] + ['comm 8 8 "prog"']
    for k in range(count):
        level = 2 | 8 if k % 10 < 6 else 2 | 0x20
        text += ["sample %s ip=%#x pid=8 tid=8 cpu=0 time=%d id=%d period=1000 "
                 "addr=%#x data_src=%d%s" %
                 (n, BASE, 1000 + 10 * k + i, i, BASE + 64 * i,
                  source(2 * i, level, snoop=2 + k % 2 * 2), w)
                 for n, i, _, w in kinds]
    return build(name, "\n".join(text) + "\n")


def equals(name, order):
    """Lines and code that are used equally often, in an order of time."""
    text = ["attr mem-loads type=4 config=1 period=1000 ids=1 sample_type=" +
            FIELDS + " flags=sample_id_all|comm", 'comm 8 8 "prog"']
    text += ["sample ip=%#x pid=8 tid=8 cpu=0 time=%d period=1000 addr=%#x "
             "data_src=%d" % (BASE + 16 * code, 1000 + t, BASE + 64 * line,
                              source(LOAD, 2 | 8))
             for t, (line, code) in enumerate(order)]
    rows = made.rows(made.report(build(name, "\n".join(text) + "\n"), "mem"),
                     "lines")
    return [(r["Line"], r["Code"]) for r in rows]


USES = [(line, code) for line in range(4) for code in range(5)]
first = equals("forward", USES)
tap.ok(len(first) == 4 and first == equals("backward", USES[::-1]),
       "equals are in one order, whichever came first", first)
tap.ok([a for a, _ in first] == sorted(a for a, _ in first),
       "that of their addresses", first)
path = mixed("mixed", 40)
rep = made.report(path, "mem")
tap.ok(scalars(rep, "memory")["mean latency, cycles"]["value"] == 100,
       "accesses of events without latencies have none",
       scalars(rep, "memory"))
got = {r["Operation"]: (r["Accesses"], r["Latency"]["value"])
       for r in made.rows(rep, "operations")}
tap.ok(sorted(got.values()) == [(40, 0), (40, 1)], "nor a part of it", got)
for name, one in (("mixed", path), ("stores", mixed("stores", 40, False))):
    text = subprocess.run([tap.coldperf, "report", "--no-local", one],
                          stdout=subprocess.PIPE).stdout.decode()
    tap.ok(re.search("L1 hit: 60(.0)? % of the ", text),
           "the overview adds up what a level has: " + name, text)
tap.done()
