#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Branch stacks: every branch counted by hand, and as `perf script` prints
# them; in both byte orders.
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

MISSED, PREDICTED, IN_TX, ABORT = 1, 2, 4, 8
KINDS = {0: "-", 1: "conditional", 4: "call", 6: "return"}


def capture(order, seed, flags=True):
    rng = random.Random(seed)
    text = ["byte_order " + order,
            "attr cycles type=0 config=0 period=1000 ids=1 sample_type="
            "IP|TID|TIME|PERIOD|BRANCH_STACK branch_sample_type=ANY "
            "flags=sample_id_all|mmap|comm", 'comm 8 8 "prog"',
            'mmap pid=8 addr=%#x len=0x10000 pgoff=0 name="/bin/prog"' % BASE]
    entries = []
    for i in range(300):
        words = []
        for _ in range(rng.randrange(1, 17)):
            kind = rng.choice((0, 1, 1, 4, 6))
            source = BASE + 0x1000 * kind + 0x10 * rng.randrange(3)
            target = BASE + 0x8000 + 0x100 * rng.randrange(2)
            said = rng.choice((MISSED, PREDICTED, PREDICTED, PREDICTED)) \
                if flags else 0
            if flags and rng.randrange(30) == 0:
                said |= IN_TX | (ABORT if rng.randrange(2) else 0)
            cycles = rng.choice((0, 1, 7, 200, 65535)) if flags else 0
            words.append("%#x:%#x:%#x" % (source, target, said | cycles << 4 |
                                          kind << 20))
            entries.append((source - BASE, target - BASE, said, cycles, kind))
        text.append("sample ip=%#x pid=8 time=%d branch=%s" %
                    (BASE + 0x8000, 1000 * (i + 1), ",".join(words)))
    text.append("sample ip=%#x pid=8 time=999000 branch=" % (BASE + 0x8000))
    return "\n".join(text) + "\n", entries


def place(n):
    return "0x%016x" % n


for order, seed in (("little", 1), ("big", 2)):
    text, entries = capture(order, seed)
    path = build("branches-" + order, text)
    rep = made.report(path, "branches", "--top", "0")
    want = collections.defaultdict(lambda: [0, 0, 0, 0, 0, set()])
    for source, target, said, cycles, kind in entries:
        e = want[(place(source), place(target))]
        e[0] += 1
        e[1] += said & (MISSED | PREDICTED) != 0
        e[2] += said & MISSED
        e[3] += cycles != 0
        e[4] += cycles
        e[5].add(kind)
    got = made.table(rep, "edges", "From", "To")
    why = []
    for key, e in want.items():
        cells = got.get(key)
        if cells is None or cells["Taken"] != e[0] or \
                not near(cells["Share"]["value"], e[0] / len(entries)) or \
                not near(cells["Mispredicted"]["value"], e[2] / e[1]) or \
                not near(cells["Cycles before"]["value"],
                         e[4] / e[3] if e[3] else None) or \
                cells["Kind"] != KINDS[min(e[5])]:
            why.append("%s: %s, not %s" % (key, cells, e))
    tap.ok(not why and len(got) == len(want), order + ": every branch",
           "\n".join(why))
    all_ = scalars(rep, "branches")
    timed = [e[3] for e in entries if e[3]]
    tap.ok(all_["taken"] == len(entries) and all_["stacks"] == 300 and
           near(all_["mispredicted"]["value"],
                sum(e[2] & MISSED for e in entries) / len(entries)) and
           near(all_["cycles before"]["value"], sum(timed) / len(timed)) and
           all_["in transactions"] == sum(e[2] & IN_TX != 0 for e in entries)
           and all_["aborts"] == sum(e[2] & ABORT != 0 for e in entries),
           order + ": the whole", all_)
    most = [e[2] for _, e in sorted(want.items())]
    tap.ok([r["Mispredicted"]["value"] is not None for r in
            made.rows(rep, "mispredicted")] and
           sorted(round(r["Mispredicted"]["value"] * want[
               (r["From"], r["To"])][1]) for r in
               made.rows(rep, "mispredicted"))[::-1] ==
           [round(r["Mispredicted"]["value"] * want[(r["From"], r["To"])][1])
            for r in made.rows(rep, "mispredicted")] and
           len(made.rows(rep, "mispredicted")) == sum(m != 0 for m in most),
           order + ": most mispredicted first")
    kinds = collections.Counter(e[4] for e in entries)
    tap.ok({r["Kind"]: r["Taken"] for r in made.rows(rep, "kinds")} ==
           {KINDS[k].replace("-", "unknown"): n for k, n in kinds.items()},
           order + ": kinds")
    first = made.rows(made.report(path, "branches", "--top", "3"), "edges")
    tap.ok(first == made.rows(rep, "edges")[:3], order + ": --top")
    if not shutil.which("perf"):
        tap.skip("perf is not installed")
        continue
    p = subprocess.run(["perf", "script", "-f", "-i", path, "-F", "brstack"],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # FROM/TO/M|P/X/A/CYCLES, newer ones with a type behind it
    found = collections.Counter(
        (place(int(a, 16) - BASE), place(int(b, 16) - BASE), m) for a, b, m in
        re.findall(r"0x([0-9a-f]+)/0x([0-9a-f]+)/([MP-])/", p.stdout.decode()))
    mine = collections.Counter()
    for key, cells in got.items():
        known = cells["Taken"]
        missed = round(cells["Mispredicted"]["value"] * known)
        mine[key + ("M",)] = missed
        mine[key + ("P",)] = known - missed
    if not found:
        tap.skip("this perf prints no branch stacks of it")
        continue
    tap.ok(+mine == +found, order + ": as perf script prints them",
           "%s\n%s" % (+mine - found, found - mine))

# perf report -b has a row for those predicted or not, of so many cycles; it
# prints 65535 as -1.
text, entries = capture("little", 5)
path = build("report", text.replace("\nattr ", "\nfeature branch_stack\nattr ",
                                    1))
p = subprocess.run(["perf", "report", "-f", "-b", "-i", path, "--stdio", "-n",
                    "--sort", "mispredict,cycles"], stdin=subprocess.DEVNULL,
                   stdout=subprocess.PIPE, stderr=subprocess.PIPE) \
    if shutil.which("perf") else None
found = p and re.findall(r"^ +[\d.]+% +(\d+) +([YN]) +(-?\d+|-) *$",
                         p.stdout.decode(), re.M)
if not found:
    tap.skip("this perf, if any, reports no branch stacks of it")
else:
    rep = made.report(path, "branches")
    whole = scalars(rep, "branches")
    taken = sum(int(n) for n, _, _ in found)
    timed = [(int(n), int(c) & 0xffff) for n, _, c in found if c != "-"]
    tap.ok(whole["taken"] == taken and
           near(whole["mispredicted"]["value"],
                sum(int(n) for n, m, _ in found if m == "Y") / taken) and
           near(whole["cycles before"]["value"],
                sum(n * c for n, c in timed) / sum(n for n, _ in timed)),
           "as perf report -b counts them", "%s\n%s" % (whole, found))

text, entries = capture("little", 3, flags=False)
rep = made.report(build("bare", text), "branches", "--top", "0")
tap.ok("mispredictions were not recorded" in notes(rep) and
       "cycles between branches were not recorded" in notes(rep) and
       all(r["Mispredicted"]["value"] is None and
           r["Cycles before"]["value"] is None
           for r in made.rows(rep, "edges")) and made.rows(rep, "edges") and
       section(rep, "mispredicted") is None,
       "what was not recorded is not known", notes(rep))
rep = made.report(build("calls", text.replace("=ANY ", "=USER|CALL_STACK ")),
                  "branches")
tap.ok("are call stacks" in notes(rep) and "perf record -b" in notes(rep) and
       not made.rows(rep, "edges"), "call stacks are no branches", notes(rep))
by_symbol = made.report(build("symbols", text), "branches", "--by", "symbol",
                        "--top", "0")
tap.ok(sum(r["Taken"] for r in made.rows(by_symbol, "edges")) == len(entries),
       "--by symbol loses none")
p = subprocess.run([tap.coldperf, "branches", "--by", "moon",
                    os.path.join(made.work.name, "symbols.data")],
                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
tap.ok(p.returncode == 2 and b"address or symbol" in p.stderr,
       "--by something else is refused", p.stderr)
lbr = os.path.join(SHARED, "KDAB-perfparser/vector_static_gcc.perf.lbr.data")
if os.path.exists(lbr):
    rep = made.report(lbr, "branches")
    tap.ok("are call stacks" in notes(rep), "a recording of call stacks",
           notes(rep))
else:
    tap.skip("the recordings of others are not here")
# A group's members have the samples of its leader: one stack for all.
path = made.build("group", made.group(
    "BRANCH_STACK", "branch=0x400020:0x400000:2,0x400030:0x400010:1", 10))
got = made.scalars(made.report(path, "branches"), "branches")
tap.ok((got["stacks"], got["taken"]) == (10, 20),
       "a stack is counted once, whatever its group counts", got)
told = [r["What"] for r in made.rows(made.report(path, "report"), "others")]
tap.ok("20 branches taken" in told, "by the overview, too", told)
tap.done()
