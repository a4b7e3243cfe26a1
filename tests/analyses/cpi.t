#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Cycles per instruction: captures made by mkperf whose counts are summed here
# once more, of all three kinds and with every form of group read; recordings
# of others against sums of `perf script`.
import json
import math
import os
import random
import re
import shlex
import struct
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
from made import BASE, SHARED, build, near, notes, section, table
import tap

LEAST = 10
COMMON = "sample_id_all|mmap|comm"


MAPS = os.path.join(made.work.name, "maps")
os.mkdir(MAPS)
with open(os.path.join(MAPS, "perf-8.map"), "w") as f:
    f.write("".join("%x 10 f%d\n" % (BASE + 16 * i, i) for i in range(5)))


def report(path, *options, command="cpi"):
    return made.report(path, command, "--top", "0", "--symbols", MAPS,
                       *options)


def scalar(rep, key):
    return made.scalars(rep, "ratios")[key]


# ------------------------------------------- what the intervals should be
def student(n):
    f = n - 1
    return 1.96 + 2.37 / f + 2.8 / f ** 2 + 2.4 / f ** 3


def reading_interval(pairs):
    """Ratio estimator: value and ends from (above, below) of readings."""
    k = len(pairs)
    a, b = sum(p[0] for p in pairs), sum(p[1] for p in pairs)
    if k < LEAST or a == 0 or b == 0:
        return None
    r = a / b
    sd = math.sqrt(sum((x - r * y) ** 2 for x, y in pairs) * k / (k - 1)) / a
    return r, r * math.exp(-student(k) * sd), r * math.exp(student(k) * sd)


def effective(part, all_):
    """Samples of equal weight that tell as much of the share; words.h."""
    p = sum(part) / sum(all_)
    n = sum(all_) ** 2 / sum(x * x for x in all_)
    inside = sum(x * x for x in part)
    found = inside * (1 - p) ** 2 + \
        (sum(x * x for x in all_) - inside) * p * p
    if 0 < p < 1 and found > 0:
        n = min(n, p * (1 - p) * sum(all_) ** 2 / found)
    return p, n


def separate_interval(above, below, all_above, all_below):
    if len(above) < LEAST or len(below) < LEAST:
        return None
    variance = 0
    for part, all_ in ((above, all_above), (below, all_below)):
        p, n = effective(part, all_)
        k = sum(part) ** 2 / sum(x * x for x in part)
        variance += (1 - p) / (p * n) + 1 / (12 * k * k)
    r = sum(above) / sum(below)
    t = student(min(len(above), len(below)))
    sd = math.sqrt(variance)
    return r, r * math.exp(-t * sd), r * math.exp(t * sd)


def is_ratio(cell, want, scale=1):
    if want is None:
        return cell["value"] is None
    return near(cell["value"], want[0] * scale) and \
        near(cell["interval"][0], want[1] * scale, 1e-6) and \
        near(cell["interval"][1], want[2] * scale, 1e-6)


# ---------------------------------------------------------- group readings
class Group:
    """Readings with random increases, as text and as what they mean."""

    def __init__(self, seed, events, n, fmt, ids=True, leader=0, inherit=False,
                 running=1.0, group_desc=True, cpus=2, by_id=True):
        self.rng = random.Random(seed)
        self.events, self.fmt, self.ids = events, fmt, ids
        self.leader, self.running = leader, running
        self.inherit, self.cpus, self.by_id = inherit, cpus, by_id
        self.rows = []  # (symbol, tid, cpu, increases)
        self.last = {}
        words = fmt + ("|ID" if ids else "")
        fields = "IP|TID|TIME|CPU|READ" + ("|ID" if by_id else "")
        self.text = []
        for i, (name, type_, config) in enumerate(events):
            identity = ",".join(str(10 * i + c + 1) for c in range(cpus))
            self.text.append(
                "attr %s type=%d config=%d period=%d ids=%s sample_type=%s "
                "read_format=%s flags=%s" %
                (name, type_, config, 1000 if i == leader else 0, identity,
                 fields, words, COMMON + ("|inherit" if inherit else "")))
        if group_desc:
            self.text.append('feature group_desc "{anon_group}" 0 %d' %
                             len(events))
        self.text += ['comm 8 8 "prog"', 'comm 8 9 "prog"',
                      'mmap pid=8 addr=%#x len=0x10000 pgoff=0 name="//anon"'
                      % BASE]
        for i in range(n):
            self.sample(i)

    def sample(self, i):
        rng = self.rng
        symbol, tid, cpu = rng.randrange(5), rng.choice((8, 8, 9)), \
            rng.randrange(self.cpus)
        key = (cpu, tid if self.inherit else 0)
        values, enabled = self.last.setdefault(
            key, ([0] * len(self.events), 0))
        grew = [rng.choice((0, 1)) * rng.randrange(1, 3000) if e > 1 else
                rng.randrange(500, 4000) for e in range(len(self.events))]
        if self.leader == 0:
            grew[0] = 1000
        if rng.randrange(20) == 0:
            grew[1] = 0
        values = [v + g for v, g in zip(values, grew)]
        step = rng.randrange(10, 50) * 1000
        enabled += step
        self.last[key] = (values, enabled)
        part = int(enabled * self.running)
        before = int((enabled - step) * self.running)
        words = [len(values)]
        if "ENABLED" in self.fmt:
            words.append(enabled)
        if "RUNNING" in self.fmt:
            words.append(part)
        for e, v in enumerate(values):
            words.append(v)
            if self.ids:
                words.append(10 * e + cpu + 1)
            if "LOST" in self.fmt:
                words.append(rng.randrange(3))
        scale = step / (part - before) if "RUNNING" in self.fmt else 1
        if scale > 1:
            grew = [int(g * scale + 0.5) for g in grew]
        self.rows.append((symbol, tid, cpu, grew))
        self.text.append(
            "sample %s ip=%#x pid=8 tid=%d cpu=%d time=%d id=%d read=%s" %
            (self.events[self.leader][0], BASE + 16 * symbol, tid, cpu,
             1000 * (i + 1), 10 * self.leader + cpu + 1,
             ",".join(map(str, words))))

    def pairs(self, a, b, keep):
        return [(r[3][a], r[3][b]) for r in self.rows
                if keep(r) and (r[3][a] or r[3][b])]


def check_rows(what, rows, keys, group, keep, c, n):
    good, why = bool(rows), []
    for key in keys:
        cells = rows.get(key)
        pairs = group.pairs(c, n, lambda r: keep(r, key))
        want = reading_interval(pairs)
        fine = cells is not None and is_ratio(cells["CPI"], want) and \
            is_ratio(cells["IPC"], want and
                     (1 / want[0], 1 / want[2], 1 / want[1])) and \
            cells["Readings"] == len(pairs)
        if not fine:
            why.append("%s: %s, not %s" % (key, cells, want))
        good = good and fine
    tap.ok(good and len(rows) == len(set(keys)), what, "\n".join(why))


def check_group(name, group, c=0, n=1):
    rep = report(build(name, "\n".join(group.text) + "\n"))
    if not tap.ok(section(rep, "ratios"), name + ": there are ratios",
                  notes(rep)):
        return rep
    everything = group.pairs(c, n, lambda r: True)
    want = reading_interval(everything)
    tap.ok(is_ratio(scalar(rep, "cpi"), want) and
           scalar(rep, "cycles") == sum(p[0] for p in everything) and
           scalar(rep, "instructions") == sum(p[1] for p in everything) and
           scalar(rep, "source") == "group readings", name + ": the whole",
           "%s, not %s" % (section(rep, "ratios"), want))
    symbols = {"f%d" % s: s for s in {r[0] for r in group.rows}}
    check_rows(name + ": symbols", table(rep, "symbols", "Symbol"), symbols,
               group, lambda r, k: r[0] == symbols[k], c, n)
    check_rows(name + ": threads", table(rep, "threads", "TID"),
               {str(r[1]) for r in group.rows}, group,
               lambda r, k: str(r[1]) == k, c, n)
    if group.cpus > 1:
        check_rows(name + ": CPUs", table(rep, "cpus", "CPU"),
                   {str(r[2]) for r in group.rows}, group,
                   lambda r, k: str(r[2]) == k, c, n)
    check_rows(name + ": processes", table(rep, "processes", "PID"), {"8"},
               group, lambda r, k: True, c, n)
    check_rows(name + ": objects", table(rep, "objects", "Object"),
               {"perf-8.map"}, group, lambda r, k: True, c, n)
    return rep


CI = [("cycles", 0, 0), ("instructions", 0, 1)]
TIMES = "TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|GROUP"
check_group("ids", Group(1, CI, 300, "GROUP"))
check_group("lost", Group(2, CI, 300, TIMES + "|LOST"))
rep = check_group("multiplexed", Group(3, CI, 300, TIMES, running=0.25))
tap.ok("ran 25.0 % of the time" in notes(rep),
       "multiplexed: it is said", notes(rep))
rep = check_group("not multiplexed", Group(4, CI, 60, TIMES))
tap.ok("multiplexing" not in notes(rep), "not multiplexed: nothing is said")
check_group("by order", Group(5, CI, 300, "GROUP", ids=False))
check_group("by order and nothing else",
            Group(6, CI, 300, "GROUP", ids=False, group_desc=False,
                  by_id=False))
check_group("by order, inherited",
            Group(7, CI, 300, TIMES + "|LOST", ids=False, inherit=True))
check_group("inherited", Group(8, CI, 300, "GROUP", inherit=True))
rest = [("cache-references", 0, 2), ("cache-misses", 0, 3),
        ("branches", 0, 4), ("branch-misses", 0, 5),
        ("stalled-cycles-frontend", 0, 7), ("dTLB-load-misses", 3, 0x10003),
        ("iTLB-load-misses", 3, 0x10004), ("L1-dcache-load-misses", 3, 0x10000),
        ("LLC-load-misses", 3, 0x10002)]
everything = Group(9, CI + rest, 400, "GROUP")
rep = check_group("all events", everything)
for key, above, below, scale in (
        ("cache misses per 1000 instructions", 3, 1, 1000),
        ("cache misses per cache reference", 3, 2, 1),
        ("branch misses per 1000 instructions", 5, 1, 1000),
        ("branch misses per branch", 5, 4, 1),
        ("front-end stalls per cycle", 6, 0, 1),
        ("data TLB misses per 1000 instructions", 7, 1, 1000),
        ("code TLB misses per 1000 instructions", 8, 1, 1000),
        ("L1 data misses per 1000 instructions", 9, 1, 1000),
        ("last-level cache misses per 1000 instructions", 10, 1, 1000)):
    want = reading_interval(everything.pairs(above, below, lambda r: True))
    tap.ok(is_ratio(scalar(rep, key), want, scale), "all events: " + key,
           "%s, not %s" % (scalar(rep, key), want))
check_group("another leader",
            Group(10, [("cache-misses", 0, 3)] + CI, 300, "GROUP"), 1, 2)
# A leader in the middle: perf sorts it first, the values do not.
few = Group(11, CI, 9, "GROUP", cpus=1)
rep = check_group("few", few)
tap.ok(scalar(rep, "cpi")["value"] is None, "nine readings are too few")


# Samples of the kernel's counters, without readings, between those of the
# user's: the interval is the same as when they come after them.
def with_kernel(first, more=""):
    group = Group(12, [("cycles:u", 0, 0), ("instructions:u", 0, 1)], 60,
                  "GROUP", cpus=1)
    lines = [re.sub("^(attr .*)", r"\1|exclude_kernel", x) for x in group.text]
    attrs = [x for x in lines if x.startswith("attr ")]
    apart = ["attr %s:k type=0 config=%d period=700 ids=%d sample_type="
             "IP|TID|TIME|CPU|ID flags=%s|exclude_user" %
             (name, config, 91 + config, COMMON) for name, _, config in CI]
    kernel = [(first + 1000 * i, "sample %s:k ip=%#x pid=8 tid=8 cpu=0 "
               "time=%d id=%d" % (CI[i % 2][0], BASE, first + 1000 * i,
                                  91 + i % 2)) for i in range(60)]
    user = [(int(re.search(r"time=(\d+)", x)[1]), x)
            for x in lines if x.startswith("sample ")]
    rest = [x for x in lines[len(attrs):] if not x.startswith("sample ")]
    pairs = group.pairs(0, 1, lambda r: True)
    return scalar(report(build("kernel-%d" % first, "\n".join(
        attrs + apart + rest + [x for _, x in sorted(user + kernel)]) + "\n" +
        more)), "cpi"), reading_interval(pairs + [(700, 0), (0, 700)] * 30)


(between, want), (after, _) = with_kernel(1500), with_kernel(1000000)
tap.ok(is_ratio(between, want),
       "each of them is as a reading of one event",
       "%s, not %s" % (between, want))
tap.ok(between["value"] is not None and between == after,
       "samples between readings are no part of them",
       "%s, not %s" % (between, after))
for i, ends in (91, [None, None]), (1, between["interval"]):
    got, _ = with_kernel(1500, "throttle id=%d time=9000001 cpu=0\n" % i)
    tap.ok((got.get("interval") or [None, None]) == ends,
           "only readings do not suffer from throttling (%d)" % i, got)


# Misses of the user alone are no part of the instructions of all.
def places(*misses):
    names = ["cycles:u", "cycles:k", "instructions:u", "instructions:k"]
    names += misses
    config = {"cycles": 0, "instructions": 1, "branches": 4,
              "branch-misses": 5}
    text = ["attr %s type=0 config=%d period=1000 ids=%d sample_type="
            "IP|TID|TIME|CPU|ID flags=%s|exclude_%s" %
            (n, config[n[:-2]], i + 1, COMMON,
             "kernel" if n[-1] == "u" else "user")
            for i, n in enumerate(names)]
    text += ['comm 8 8 "prog"']
    text += ["sample %s ip=%#x pid=8 tid=8 cpu=0 time=%d id=%d" %
             (n, BASE, 1000 + 100 * k + i, i + 1)
             for k in range(20) for i, n in enumerate(names)]
    rep = report(build("places-%d" % len(misses), "\n".join(text) + "\n"))
    return made.scalars(rep, "ratios"), notes(rep)


got, said = places("branch-misses:u", "branches:u")
tap.ok(got["cpi"]["value"] == 1 and
       got["branch misses per branch"]["value"] == 1,
       "counted in the same places: known", got)
tap.ok("branch misses per 1000 instructions" not in got and
       "branch misses per 1000 instructions are not known" in said,
       "counted in some of the places: not known, which is told",
       "%s\n%s" % (got, said))
got, said = places("branch-misses:u", "branch-misses:k")
tap.ok(got["branch misses per 1000 instructions"]["value"] == 1000 and
       "not known" not in said, "counted in all of them: known", got)


# ------------------------------------------------------- separate samples
def separate(seed, events, n, period, extra=""):
    """Samples of several events, each by itself: text and lists of (event,
    symbol, tid, cpu, period)."""
    rng = random.Random(seed)
    text = ["attr %s type=%d config=%d period=%d ids=%d "
            "sample_type=IP|TID|TIME|CPU|ID%s flags=%s" %
            (name, type_, config, 700 + i, i + 1,
             "|PERIOD" if period else "", COMMON)
            for i, (name, type_, config) in enumerate(events)]
    text += [extra, 'comm 8 8 "prog"', 'comm 8 9 "prog"',
             'mmap pid=8 addr=%#x len=0x10000 pgoff=0 name="//anon"' % BASE]
    samples = []
    for i in range(n):
        e = rng.randrange(len(events))
        symbol, tid, cpu = rng.choice((0, 0, 0, 1, 1, 2, 3 + e)), \
            rng.choice((8, 8, 9)), rng.randrange(2)
        count = int(rng.expovariate(1 / 1e6)) + 1 if period else 700 + e
        samples.append((e, symbol, tid, cpu, count))
        text.append("sample %s ip=%#x pid=8 tid=%d cpu=%d time=%d id=%d%s" %
                    (events[e][0], BASE + 16 * symbol, tid, cpu,
                     1000 * (i + 1), e + 1,
                     " period=%d" % count if period else ""))
    return text, samples


def check_separate(name, text, samples, above=0, below=1):
    rep = report(build(name, "\n".join(text) + "\n"))
    if not tap.ok(section(rep, "ratios") and
                  scalar(rep, "source") == "separate samples",
                  name + ": they were sampled by themselves", notes(rep)):
        return rep

    def periods(event, keep):
        return [s[4] for s in samples if s[0] == event and keep(s)]

    all_a, all_b = (periods(e, lambda s: True) for e in (above, below))
    want = separate_interval(all_a, all_b, all_a, all_b)
    tap.ok(is_ratio(scalar(rep, "cpi"), want), name + ": the whole",
           "%s, not %s" % (scalar(rep, "cpi"), want))
    for slug, column, of in (
            ("symbols", "Symbol", lambda s: "f%d" % s[1]),
            ("threads", "TID", lambda s: str(s[2])),
            ("cpus", "CPU", lambda s: str(s[3])),
            ("processes", "PID", lambda s: "8")):
        rows, why = table(rep, slug, column), []
        keys = {of(s) for s in samples if s[0] in (above, below)}
        for key in keys:
            a, b = (periods(e, lambda s: of(s) == key)
                    for e in (above, below))
            want = separate_interval(a, b, all_a, all_b)
            cells = rows.get(key)
            if cells is None or not is_ratio(cells["CPI"], want) or \
                    cells["Samples"] != len(a) or \
                    cells["Instr. samples"] != len(b):
                why.append("%s: %s, not %s" % (key, cells, want))
        tap.ok(not why and set(rows) == keys, "%s: %s" % (name, slug),
               "\n".join(why))
    return rep


check_separate("periods", *separate(21, CI, 900, True))
check_separate("fixed", *separate(22, CI, 900, False))

# How much was throttled no interval knows; the whole has none then.
lines = separate(22, CI, 900, False)[0]
for event in (1, 2):
    rep = report(build("throttled%d" % event, "\n".join(lines) + "\n"
                       "throttle id=%d time=900001 cpu=0\n" % event))
    wrong = [k for k in ("cpi", "ipc") if "interval" in scalar(rep, k) or
             scalar(rep, k)["value"] is None]
    tap.ok(not wrong and "throttled or lost: %d times of cycles" % (2 - event)
           in str(notes(rep)),
           "a ratio of what was throttled has no interval",
           "%s %s" % (scalar(rep, "cpi"), notes(rep)))
names = {
    "vendor": [("CPU_CLK_UNHALTED.THREAD:u", 4, 0x1234),
               ("INST_RETIRED.ANY:u", 4, 0x4321)],
    "fast cores": [("cpu_core/cycles/", 4, 0x3c),
                   ("cpu_core/instructions/", 4, 0xc0)],
    "arm": [("armv8_pmuv3_0/cpu_cycles/", 8, 0x11),
            ("armv8_pmuv3_0/inst_retired/", 8, 0x8)],
    "on a hybrid": [("cycles", 0, 0x400000000),
                    ("instructions", 0, 0x400000001)],
}
for name, events in names.items():
    check_separate(name, *separate(23, events, 300, True))
check_separate("Intel by number",
               *separate(24, [("r3c", 4, 0x3c), ("rc0", 4, 0xc0)], 300, True,
                         'feature cpuid "GenuineIntel,6,85,4"'))
check_separate("ARM by number",
               *separate(25, [("r11", 4, 0x11), ("r8", 4, 8)], 300, True,
                         'feature arch "aarch64"'))

# A hybrid processor: the sum, and each kind of core by itself.
kinds = [("cpu_%s/%s/" % (core, what), 0, (i + 4) << 32 | k)
         for i, core in enumerate(("core", "atom"))
         for k, what in enumerate(("cycles", "instructions"))]
text, samples = separate(28, kinds, 900, True)
text = [re.sub(r"(attr .*) period=70\d ", r"\1 period=700 ", t) for t in text]
rep = report(build("hybrid", "\n".join(text) + "\n"))
sums = [sum(s[4] for s in samples if s[0] == e) for e in range(4)]
got = {r["Core"]: r["IPC"]["value"] for r in made.rows(rep, "cores")}
tap.ok(sorted(got) == ["cpu_atom", "cpu_core"] and
       near(got["cpu_core"], sums[1] / sums[0]) and
       near(got["cpu_atom"], sums[3] / sums[2]),
       "kinds of core by themselves", (got, sums))

# Several places: user and kernel add up, what is in both does not.
apart = [("cycles:u", 0, 0), ("instructions:u", 0, 1), ("cycles:k", 0, 0),
         ("instructions:k", 0, 1)]
text, samples = separate(26, apart, 900, True)
rep = report(build("apart", "\n".join(text) + "\n"))
sums = [sum(s[4] for s in samples if s[0] % 2 == e) for e in (0, 1)]
tap.ok(near(scalar(rep, "cpi")["value"], sums[0] / sums[1]) and
       scalar(rep, "cycles_event") == "cycles:u + cycles:k",
       "user and kernel mode apart: both are used", section(rep, "ratios"))
twice = [("cycles", 0, 0), ("instructions", 0, 1), ("cycles:u", 0, 0),
         ("instructions:u", 0, 1)]
text, samples = separate(27, twice, 900, True)
rep = report(build("twice", "\n".join(text) + "\n"))
sums = [sum(s[4] for s in samples if s[0] == e) for e in (0, 1)]
tap.ok(near(scalar(rep, "cpi")["value"], sums[0] / sums[1]) and
       "cycles:u is not used" in notes(rep),
       "user mode beside everything: once", notes(rep))
rep = report(os.path.join(made.work.name, "twice.data"), "--event", "cycles:u",
             "--event", "instructions:u")
sums = [sum(s[4] for s in samples if s[0] == e) for e in (2, 3)]
tap.ok(section(rep, "ratios") is not None and
       near(scalar(rep, "cpi")["value"], sums[0] / sums[1]) and
       "is not used" not in notes(rep),
       "or user mode alone, if it is chosen", notes(rep))
rep = report(os.path.join(made.work.name, "twice.data"), "--event", "cycles:u")
tap.ok(section(rep, "ratios") is None and "is not used" not in notes(rep) and
       "no sample of instructions:u is left" in notes(rep),
       "one of the two: which is left out is said", notes(rep))
text, samples = separate(28, [("cycles:u", 0, 0), ("instructions:k", 0, 1)],
                         300, True)
rep = report(build("elsewhere", "\n".join(text) + "\n"))
tap.ok(section(rep, "ratios") is None and "not counted in the same place" in notes(rep) and
       "perf record -e '{cycles,instructions}:S' -g" in notes(rep),
       "cycles and instructions of different places make no ratio",
       notes(rep))
text, samples = separate(29, CI[:1], 300, True)
rep = report(build("lonely", "\n".join(text) + "\n"))
tap.ok(section(rep, "ratios") is None and
       "perf record -e '{cycles,instructions}:S' -g" in notes(rep),
       "cycles alone: what to record", notes(rep))
rep = report(os.path.join(made.work.name, "periods.data"), "--event",
             "cycles")
tap.ok(section(rep, "ratios") is None and
       "no sample of instructions is left" in notes(rep),
       "filters that leave one of them: it is said", notes(rep))
rep = report(build("width", "\n".join(separate(
    30, CI, 300, True, 'feature cpuid "GenuineIntel,6,85,4"')[0]) + "\n"))
tap.ok("this processor can finish 4 instructions a cycle" in notes(rep),
       "the processor's width", notes(rep))
path = os.path.join(made.work.name, "periods.data")
rep = report(path, command="report")
tap.ok(section(rep, "ratios") and section(rep, "cpi-symbols"),
       "the overview has a short form")
full = report(path)
tap.ok(scalar(rep, "cpi") == scalar(full, "cpi") if section(rep, "ratios")
       else False, "it says the same")

# ------------------------------------------------------ without any names
bare = made.report(path, "cpi", "--top", "0")
tap.ok([(r["Object"], r["Symbol"], r["CPI"])
        for r in made.rows(bare, "symbols")] ==
       [("perf-8.map", "[addresses]", scalar(full, "cpi"))],
       "what has no names is one row of its object",
       made.rows(bare, "symbols"))

# ------------------------------------------------------------ flame graph
tree = section(full, "cpi-flame")
by_name = {n["name"]: n for n in tree["nodes"]}
tap.ok(tree.get("scale") == "ratio" and tree.get("legend") == "CPI" and
       near(tree.get("whole"), scalar(full, "cpi")["value"]) and
       by_name["all"]["total"] == scalar(full, "cycles") and
       near(by_name["prog"]["color"], scalar(full, "cpi")["value"]),
       "the flame graph: width is cycles, colour is CPI",
       json.dumps(tree)[:600])

# -------------------------------------------------------- lines of source
source = os.path.join(made.work.name, "lines.c")
library = os.path.join(made.work.name, "lines.so")
with open(source, "w") as f:
    f.write("int first(int x)\n{\n\treturn x + 1;\n}\n\n"
            "int second(int x)\n{\n\treturn x + 2;\n}\n")
built = subprocess.run(shlex.split(os.environ.get("CC", "cc")) +
                       ["-g", "-O0", "-shared", "-fPIC", "-o", library,
                        source], stderr=subprocess.PIPE)
addresses = {line.split()[2]: int(line.split()[0], 16) for line in
             subprocess.run(["nm", library], stdout=subprocess.PIPE,
                            text=True).stdout.splitlines()
             if len(line.split()) == 3}
if built.returncode == 0 and "second" in addresses:
    text = "\n".join(everything.text).replace(
        '"//anon"', '"%s"' % library)
    for symbol, name in enumerate(("first", "second", "first", "first",
                                   "second")):
        text = text.replace("ip=%#x " % (BASE + 16 * symbol),
                            "ip=%#x " % (BASE + addresses[name]))
    rep = made.report(build("lines", text + "\n"), "cpi", local=True)
    rows = {(r["Line"].rsplit("/")[-1], r["Symbol"]): r
            for r in made.rows(rep, "lines")}
    want = {("lines.c:2", "first"): (0, 2, 3), ("lines.c:7", "second"): (1, 4)}
    good = set(rows) == set(want)
    for key, symbols in want.items():
        good = good and is_ratio(rows[key]["CPI"], reading_interval(
            everything.pairs(0, 1, lambda r: r[0] in symbols)))
    tap.ok(good, "lines of source", rows)
else:
    tap.skip("the compiler makes no library with lines")

# -------------------------------------------------------------- branches
rng = random.Random(40)
text = ["attr cycles type=0 config=0 period=1000 ids=1 "
        "sample_type=IP|TID|TIME|PERIOD|BRANCH_STACK branch_sample_type=ANY "
        "flags=" + COMMON, 'feature arch "aarch64"', 'comm 8 8 "prog"',
        'mmap pid=8 addr=%#x len=0x10000 pgoff=0 name="/bin/prog"' % BASE]
blocks, entries = {}, 0
for i in range(400):
    stack, runs = [], []
    for k in range(8):
        symbol = rng.randrange(3)
        start = BASE + 0x1000 * symbol
        length = (3, 5, 20)[symbol]
        cycles = length * (symbol + 1) + rng.randrange(3)
        stack.append((start, start + 4 * (length - 1), cycles))
    # Newest first: entry k leaves the run that entry k + 1 went to.
    words = []
    for k in range(len(stack)):
        to = stack[k - 1][0] if k else BASE + 0x8000
        words.append("%#x:%#x:%#x" % (stack[k][1], to,
                                      stack[k][2] << 4 | 2))
        if k + 1 < len(stack):  # the oldest has nothing before it
            runs.append(stack[k])
    for start, end, cycles in runs:
        blocks.setdefault(start, []).append((cycles, (end - start) // 4 + 1))
        entries += 1
    text.append("sample ip=%#x pid=8 time=%d branch=%s" %
                (BASE + 0x8000, 1000 * (i + 1), ",".join(words)))
rep = report(build("branches", "\n".join(text) + "\n"))
same = entries / 400
if tap.ok(section(rep, "ratios") and
          scalar(rep, "source") == "branch stacks",
          "branches: from branch stacks", notes(rep)):
    def block_interval(of):
        c, n = sum(x[0] for x in of), sum(x[1] for x in of)
        r = c / n
        sd = math.sqrt(sum((x - r * y) ** 2 for x, y in of) * same) / c
        t = student(len(of) / same)
        return r, r * math.exp(-t * sd), r * math.exp(t * sd)
    tap.ok(is_ratio(scalar(rep, "cpi"),
                    block_interval(sum(blocks.values(), []))),
           "branches: the whole", section(rep, "ratios"))
    rows = table(rep, "symbols", "Symbol")
    for start, of in sorted(blocks.items()):
        cells = rows.get("0x%016x" % (start - BASE))
        tap.ok(cells and is_ratio(cells["CPI"], block_interval(of)) and
               cells["Blocks"] == len(of) and
               near(cells["Cycles/block"]["value"],
                    sum(x[0] for x in of) / len(of)),
               "branches: the run at %#x" % start,
               "%s, not %s" % (cells, block_interval(of)))
rep = report(build("x86", "\n".join(text).replace("aarch64", "x86_64") + "\n"))
tap.ok(scalar(rep, "cpi")["value"] is None and
       scalar(rep, "cycles per block")["value"] is not None and
       "known for 0 % of the cycles" in notes(rep),
       "branches: lengths that vary make no ratio", notes(rep))
# Each record of a group tells two counters, and has one stack of branches.
text = made.group("BRANCH_STACK",
                  "branch=0x40001c:0x400000:0x82,0x40001c:0x400010:0x42", 10)
rep = report(build("branches-group",
                   text.replace("attr instructions type=0 config=1",
                                "attr cache-misses type=0 config=3")))
got = scalar(rep, "cycles"), sum(r["Blocks"] for r in
                                 made.rows(rep, "symbols"))
tap.ok(got == (80, 10), "branches: those of a record are counted once", got)

# x86-64: instructions are counted in the object.
body = "".join("\tmov\t$%d, %%%s\n" % (i * 1000003, r) for i, r in
               enumerate(("eax", "rbx", "r9d", "cx"))) + \
    "\taddl\t$1, 8(%rsp,%rax,4)\n\tvpaddd\t%ymm1, %ymm2, %ymm3\n" \
    "\tmovabs\t$0x123456789abc, %rdx\n\tlock xadd %ecx, (%rdi)\n" \
    "\tnopw\t0x200(%rax,%rax,1)\n"
with open(source, "w") as f:
    f.write("__asm__(\".text\\n.globl run\\nrun:\\n%s.globl end\\n"
            "end:\\n\\tret\\n\");\n" %
            body.replace("\t", "\\t").replace("\n", "\\n"))
built = subprocess.run(shlex.split(os.environ.get("CC", "cc")) +
                       ["-shared", "-fPIC", "-nostdlib", "-o", library,
                        source], stderr=subprocess.PIPE)
addresses = {line.split()[2]: int(line.split()[0], 16) for line in
             subprocess.run(["nm", library], stdout=subprocess.PIPE,
                            text=True).stdout.splitlines()
             if len(line.split()) == 3}
if built.returncode == 0 and "end" in addresses and \
        os.uname().machine == "x86_64":
    start, end = (BASE + addresses[n] for n in ("run", "end"))
    text = ["attr cycles type=0 config=0 period=1000 ids=1 "
            "sample_type=IP|TID|TIME|PERIOD|BRANCH_STACK "
            "branch_sample_type=ANY flags=" + COMMON,
            'feature arch "x86_64"', 'comm 8 8 "prog"',
            'mmap pid=8 addr=%#x len=0x10000 pgoff=0 name="%s"' %
            (BASE, library)]
    for i in range(50):  # a run, and one that begins inside an instruction
        text.append("sample ip=%#x pid=8 time=%d branch=%#x:%#x:%#x,"
                    "%#x:%#x:%#x,%#x:%#x:0" %
                    (start, 1000 * (i + 1), end, start, 40 << 4 | 2,
                     end, start + 1, 7 << 4 | 2, end, start))
    rep = made.report(build("x86-code", "\n".join(text) + "\n"), "cpi",
                      local=True)
    count = body.count("\n") + 1
    tap.ok(scalar(rep, "cycles") == 50 * 47 and
           scalar(rep, "cycles of known instructions") == 50 * 7 and
           scalar(rep, "instructions") == 50 * count and
           near(scalar(rep, "cpi")["value"], 7 / count),
           "branches: %d instructions counted in the object" % count,
           "%s\n%s" % (section(rep, "ratios"), notes(rep)))
else:
    tap.skip("the compiler makes no code of x86-64")


# ---------------------------------------------------- recordings of others
def perf_sums(path, fixed=None):
    """Periods and samples by (event, ...), as `perf script` prints them."""
    fields = "tid,cpu,event,ip" + (",period" if fixed is None else "")
    for fields in (fields, fields.replace("cpu,", "")):
        p = subprocess.run(["perf", "script", "-f", "-i", path, "-F", fields],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL,
                           env=dict(os.environ, LC_ALL="C"))
        if p.returncode == 0 and p.stdout:
            break
    sums = {}
    line = re.compile(r"^\s*(-?\d+) +(?:\[(-?\d+)\] +)?(?:(\d+) +)?"
                      r"([a-z]\S+?):.*$")
    for m in map(line.match, p.stdout.decode("utf-8", "replace").splitlines()):
        if not m:
            continue
        period = int(m.group(3)) if fixed is None else fixed
        for key in (("all",), ("cpu", int(m.group(2) or -1)),
                    ("tid", int(m.group(1)))):
            s = sums.setdefault((m.group(4),) + key, [0, 0])
            s[0] += period
            s[1] += 1
    return sums


def group_sums(path):
    """Sums of a capture with group reads, taken from its bytes: what each
    sample's counters have grown by, as perf script cannot for this perf."""
    with open(path, "rb") as f:
        data = f.read()
    word = struct.Struct("<Q").unpack_from
    attr_size, attrs, _, start, size = struct.unpack_from("<5Q", data, 16)
    sample_type, form = struct.unpack_from("<QQ", data, attrs + 24)
    names = {}
    for i in range(2):  # cycles, instructions: config 0 and 1
        at = attrs + i * attr_size
        ids, n = struct.unpack_from("<QQ", data, at + attr_size - 16)
        for k in range(n // 8):
            names[word(data, ids + 8 * k)[0]] = \
                ("cycles", "instructions")[word(data, at + 8)[0]]
    assert form == 0x1c, "ID, GROUP and LOST, no times"
    # What lies before READ: IDENTIFIER, IP, TID, TIME, ADDR, ID, STREAM_ID,
    # CPU, PERIOD, one word each.
    order = (1 << 16, 1, 2, 4, 8, 1 << 6, 1 << 9, 1 << 7, 1 << 8)
    have = [bit for bit in order if sample_type & bit]
    sums, before, at = {}, {}, start
    while at < start + size:
        kind, _, length = struct.unpack_from("<IHH", data, at)
        if kind == 9:
            tid = word(data, at + 8 + 8 * have.index(2))[0] >> 32
            cpu = word(data, at + 8 + 8 * have.index(1 << 7))[0] \
                & 0xffffffff if 1 << 7 in have else -1
            n = word(data, at + 8 + 8 * len(have))[0]
            for i in range(n):
                value, identity, _ = struct.unpack_from(
                    "<3Q", data, at + 16 + 8 * len(have) + 24 * i)
                grew = value - before.get((identity, tid), 0)
                before[identity, tid] = value
                for key in (("all",), ("cpu", cpu), ("tid", tid)):
                    s = sums.setdefault((names[identity],) + key, [0, 0])
                    s[0] += grew
                    s[1] += grew != 0
        at += length
    return sums


def check_recorded(name, sums_of, others=()):
    path = os.path.join(SHARED, name)
    if not os.path.exists(path):
        tap.skip(name + " is not here")
        return
    sums = sums_of(path)
    if ("cycles", "all") not in sums:
        tap.skip("this perf does not read " + name)
        return
    rep, why = report(path), []
    for slug, column, key in ((None, None, "all"), ("cpus", "CPU", "cpu"),
                              ("threads", "TID", "tid")):
        # A thread that changed its name has several rows.
        rows = {}
        for cells in made.rows(rep, slug):
            rows.setdefault(int(cells[column].replace("-", "-1")),
                            []).append(cells)
        for k in {s[1:] for s in sums if s[0] == "cycles" and s[1] == key}:
            c, n = sums[("cycles",) + k], \
                sums.get(("instructions",) + k, [0, 0])
            cells = [{"CPI": scalar(rep, "cpi")}] if slug is None \
                else rows.get(k[1], [])
            if len(cells) != 1:
                continue
            want = c[0] / n[0] if min(c[1], n[1]) >= LEAST else None
            if not near(cells[0]["CPI"]["value"], want):
                why.append("%s: %s, not %s" % (k, cells[0]["CPI"], want))
    tap.ok(not why and sums, name + (": the sums of perf script"
                                     if sums_of != group_sums else
                                     ": the sums of its bytes"),
           "\n".join(why))
    for key, above, below, scale in others:
        want = sums[(above, "all")][0] / sums[(below, "all")][0] * scale
        tap.ok(near(scalar(rep, key)["value"], want),
               "%s: %s" % (name, key), "%s, not %g" % (scalar(rep, key), want))


ALL = (("cache misses per 1000 instructions", "cache-misses", "instructions",
        1000),
       ("cache misses per cache reference", "cache-misses",
        "cache-references", 1),
       ("branch misses per 1000 instructions", "branch-misses",
        "instructions", 1000),
       ("branch misses per branch", "branch-misses", "branches", 1))
GOOGLE = "google-perf_data_converter/perf.data."
check_recorded(GOOGLE + "throttle-3.8", lambda p: perf_sums(p, 10000))
check_recorded(GOOGLE + "armv7-3.4", perf_sums, ALL)
check_recorded(GOOGLE + "piped.target-3.8", perf_sums, ALL)
check_recorded("KDAB-hotspot/perf.data.PerfFormatLost", group_sums)
tap.done()
