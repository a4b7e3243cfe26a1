#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# diff on captures made up sample by sample: equals give no alarm, what changed
# is found, and the numbers are those counted by hand.
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
ATTR = ("attr cycles type=0 period=1000 flags=sample_id_all|mmap|comm "
        "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN\n")
NAMES = ("parse", "hash", "fold", "emit", "find", "sort", "read", "tiny")
SHARES = (0.28, 0.22, 0.17, 0.12, 0.09, 0.06, 0.05, 0.01)


def capture(name, counts, objects=NAMES, seconds=10, order=None, header="",
            period=1000, last=""):
    """So many samples in each object, all called from the first one."""
    text = ATTR + header + "comm 11 11 \"app\" time=1000\n"
    for i, o in enumerate(objects):
        text += ("mmap pid=11 addr=0x%x len=0x1000 pgoff=0 name=\"%s\" "
                 "time=1000\n" % (0x400000 + i * 0x10000,
                                  os.path.join("/lib/", o)))
    ips = [i for i, n in enumerate(counts) for _ in range(n)]
    random.shuffle(ips)
    ips = order or ips
    for k, i in enumerate(ips):
        ip = 0x400000 + i * 0x10000
        text += ("sample ip=0x%x pid=11 time=%d period=%d "
                 "chain=user,0x%x,0x400800\n" %
                 (ip, 2000 + int(k * seconds * 1e9 / len(ips)), period, ip))
    text += last + "\n"
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, name)
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    return path


def drawn(samples, slower=1.0, noise=0.0):
    """Counts as a sampler would find them: Poisson, near enough."""
    out = []
    for i, share in enumerate(SHARES):
        mean = samples * share * (slower if i == 1 else 1)
        mean *= 1 + random.gauss(0, noise)
        out.append(max(0, round(random.gauss(mean, mean ** 0.5))))
    return out


def diff(*args, status=0):
    run = subprocess.run([tap.coldperf, "diff", "-f", "csv", "--no-local"] +
                         list(args), capture_output=True, text=True)
    if run.returncode != status:
        tap.diag("status %d: %s" % (run.returncode, run.stderr))
    rows = list(csv.DictReader(io.StringIO(run.stdout)))
    found = {r.get("object") or "all": r["found"] for r in rows
             if r.get("found") in ("more", "less", "new", "gone")}
    return found, {r.get("object") or r.get("symbol", "").split(
        ": ")[0].rstrip(")") + ")": r for r in rows}, run


ALL = "(everything together)"


def change(row):
    return float(row["change"])


def check_counts():
    counts = [1000, 800, 600, 400, 300, 200, 100, 40]
    a = capture("a", counts)
    b = capture("b", [2 * n for n in counts], seconds=40)
    found, rows, _ = diff(a, b)
    tap.ok(list(rows)[0] == ALL and abs(change(rows[ALL]) - 1) < 1e-9 and
           found["all"] == "more" and len(rows) == 9,
           "twice as much of all: everything comes first, +100 %", rows)
    tap.ok(all(abs(change(r) - 1) < 1e-9 for r in rows.values()),
           "and so has every function twice the cost")
    few, more = ("x", "z", "y"), ("z", "y", "x")
    orders = [list(diff(capture("e1", [50] * 3, names, order=[0, 1, 2] * 50),
                        capture("e2", [90] * 3, more, order=[2, 1, 0] * 90))
                   [1]) for names in (few, more)]
    tap.ok(orders[0][1:] == ["x", "y", "z"] and orders[1] == orders[0],
           "equal rows are in order of their names", orders)
    tap.ok(abs(float(rows["hash"]["before"]) - 800 / 3440) < 1e-9 and
           abs(float(rows["hash"]["after"]) - 800 / 3440) < 1e-9 and
           rows["hash"]["cost_before"] == "800000" and
           rows["hash"]["cost_after"] == "1600000",
           "shares and costs are as counted", rows["hash"])
    found, rows, _ = diff(a, b, "--per", "median")
    tap.ok(found == {"all": "more"} and
           all(abs(change(r)) < 1e-9 for n, r in rows.items() if n != ALL),
           "--per median: no function, but everything", found)
    found, rows, _ = diff(a, b, "--per", "time")
    tap.ok(abs(change(rows["hash"]) + 0.5) < 0.01 and
           abs(change(rows[ALL]) + 0.5) < 0.01,
           "--per time: half as much a second", rows["hash"])
    found, rows, _ = diff(a, b, "--per", "100,200")
    tap.ok(not found and abs(change(rows[ALL])) < 1e-9,
           "--per 100,200: the same for a unit of twice the work", found)
    found, rows, _ = diff(a, b, "--per", "samples")
    tap.ok(found == {"all": "more"} and abs(change(rows["hash"])) < 1e-9,
           "--per samples: shares are the same, everything is not", found)
    for per, says in (("samples", ": cost of a run)"), ("run", ")"),
                      ("median", ": cost of a run)"), ("time", ")")):
        _, rows, run = diff(a, b, "--per", per, "--fail-over", "5%",
                            status=0 if per == "time" else 1)
        tap.ok(rows[ALL]["symbol"] == ALL[:-1] + says and
               (per == "time" or ("by the cost of a run" in run.stderr) ==
                (says != ")")),
               "--per %s: what everything together is by" % per,
               (rows[ALL], run.stderr))
    slow = counts[:]
    slow[1] = 2400
    c = capture("c", slow)
    _, rows, _ = diff(a, c, "--per", "samples")
    want = 2400 / 5040 / (800 / 3440) - 1
    tap.ok(abs(change(rows["hash"]) - want) < 1e-6,
           "--per samples: by shares", rows["hash"])
    found, rows, _ = diff(a, c)
    tap.ok(found == {"all": "more", "hash": "more"} and
           abs(change(rows["hash"]) - 2) < 1e-9 and
           abs(change(rows[ALL]) - 1600 / 3440) < 1e-6,
           "three times slower: found, alone", rows)
    return a, b, c


def check_dominant():
    """The change is the program: most of all, or all of it."""
    small = [40] * 7
    one = capture("d1", [442] + small)
    two = capture("d2", [1465] + small)
    for args in ([], ["--per", "run"]):
        found, rows, run = diff(one, two, "--fail-over", "5%", *args,
                                status=1)
        tap.ok(run.returncode == 1 and found.get("all") == "more" and
               found.get("parse") == "more" and len(found) == 2 and
               abs(change(rows[ALL]) - (1745 / 722 - 1)) < 1e-6,
               "722 and 1,745 samples: the gate fails, nothing else changed",
               run.stderr)
    found, _, run = diff(two, one, "--fail-over", "5%")
    tap.ok(run.returncode == 0 and found.get("all") == "less",
           "the other way round it passes", run.stderr)


def check_exact():
    """None of 1,091 and 50 of 1,159: by hand 2 ^ -50, and two sides."""
    a = capture("n1", [500, 300, 200, 91])
    b = capture("n2", [508, 302, 207, 92, 50])
    found, rows, _ = diff(a, b)
    # Its part of the risk: its cost, of all and of everything.
    weight = 50 / (2 * 2250)
    want = 2 * 2.0 ** -50 / weight
    tap.ok(found == {"find": "new"} and
           float(rows["find"]["p"]) < 100 * want,
           "new: found by an exact test, p %s" % rows["find"]["p"], found)
    found, rows, _ = diff(b, a)
    tap.ok(found == {"find": "gone"}, "gone: the same", found)
    tap.ok(change(rows["find"]) == -1 and
           float(rows["find"]["change_lo"]) == -1,
           "gone: its interval holds the change", rows["find"])


NAMED_AT = 0x7000000000


def named(name, places, stacks):
    """
    A capture that has its names: places: start of each function in the
    object; stacks: (how many samples, innermost function, its caller ...).
    """
    symbols = ",".join("v:34,m:(v:8,v:0x%x,v:16,v:0x100,v:26,m:(s:\"%s\"))" %
                       (at, function) for function, at in places.items())
    text = ("layout no-event-desc\n"
            "attr cpu-clock type=1 config=0 period=1000 "
            "flags=sample_id_all|mmap|comm "
            "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN\n"
            "feature arch x86_64\n"
            "feature sp_meta_info simpleperf_version 1 event_type_info "
            "cpu-clock,1,0\n"
            "feature sp_file2 L4:(v:10,m:(s:\"/lib/app\"),v:16,v:2,v:24,"
            "v:0x1000,%s,v:50,m:(v:8,v:0x1000))\n"
            "comm 11 11 app\n"
            "mmap2 pid=11 addr=0x%x len=0x10000 pgoff=0x1000 "
            "name=\"/lib/app\"\n" % (symbols, NAMED_AT + 0x1000))
    drawn = [s for n, *s in stacks for _ in range(n)]
    random.Random(1).shuffle(drawn)
    for i, stack in enumerate(drawn):
        ips = ["0x%x" % (NAMED_AT + places[f] + 0x10) for f in stack]
        text += ("sample ip=%s pid=11 time=%d period=1000 chain=user,%s\n" %
                 (ips[0], 2000 + i * 1000000, ",".join(ips)))
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, name)
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    return path


def pairing(before, after):
    """What was found, by symbol, and the pairs with their reason."""
    out = subprocess.run([tap.coldperf, "diff", "-f", "json", "--no-local",
                          before, after], capture_output=True,
                         text=True).stdout
    tables = {s["slug"]: [dict(zip([c["name"] for c in s["columns"]],
                                   r["values"])) for r in s["rows"]]
              for s in json.loads(out)["sections"] if s["type"] == "table"}
    found = {r["Symbol"]: r["Found"] for r in tables["diff"]
             if r["Found"] in ("more", "less", "new", "gone", "undecided")}
    return found, [tuple(r.values()) for r in tables.get("pairs", [])]


def check_pairs():
    """A function of another name is another one; copies and instances are not."""
    rest = [(1500, "main"), (2000, "parse", "main"), (800, "emit", "main")]
    at = {"main": 0x1000, "parse": 0x1200, "emit": 0x1400}
    one = named("p1", dict(at, slow=0x1600), rest + [(1000, "slow", "main")])
    two = named("p2", dict(at, fast=0x1600), rest + [(1040, "fast", "main")])
    found, pairs = pairing(one, two)
    tap.ok(found == {"slow": "gone", "fast": "new"} and not pairs,
           "renamed: one is gone, one is new", (found, pairs))
    _, _, run = diff("--fail-over", "5%", one, two, status=6)
    tap.ok(run.returncode == 6, "and the gate does not fail by that",
           run.stderr)
    # By words they differ: std, sort, int four times and std, sort, long.
    old, new = "std::sort<int*, less<int> >(int*, int*)", "std::sort<long*>()"
    found, pairs = pairing(
        named("p1", dict(at, **{old: 0x1600}), rest + [(1000, old)]),
        named("p2", dict(at, **{new: 0x1800}), rest + [(1040, new)]))
    tap.ok(not found and len(pairs) == 1 and {old, new} <= set(pairs[0]),
           "another instance of a template takes its place", (found, pairs))
    one = named("p1", dict(at, alpha=0x1600), rest + [(1000, "alpha")])
    two = named("p2", dict(at, omega=0x1800), rest + [(1000, "omega")])
    found, pairs = pairing(one, two)
    tap.ok(found == {"alpha": "gone", "omega": "new"} and not pairs,
           "neither caller, address nor name: one is gone, one is new",
           (found, pairs))
    two = named("p2", dict(at, omega=0x1600), rest + [(3000, "omega")])
    found, pairs = pairing(one, two)
    tap.ok(found.get("alpha") == "gone" and found.get("omega") == "new" and
           not pairs, "the same address, three times as much: no pair",
           (found, pairs))
    one = named("p1", dict(at, alpha=0x1600), rest + [(900, "alpha", "parse")])
    two = named("p2", at, [(1500, "main"), (2900, "parse", "main"),
                           (800, "emit", "main")])
    found, pairs = pairing(one, two)
    tap.ok(not found and len(pairs) == 1 and "inlined" in pairs[0],
           "inlined: counts as its caller", (found, pairs))
    check_inlined_twice()


def check_inlined_twice():
    """A function that is in two callers itself after: its cost is theirs."""
    at = {"main": 0x1000, "left": 0x1200, "right": 0x1400, "hash": 0x1600,
          "sort": 0x1800}
    rest = [(1500, "main"), (900, "sort", "main")]
    one = named("i1", at, rest + [
        (2000, "left", "main"), (2000, "right", "main"),
        (1000, "hash", "left", "main"), (800, "hash", "right", "main")])

    def table(before, after, *options, status=0):
        _, _, run = diff(before, after, "--fail-over", "5%", *options,
                         status=status)
        rows = csv.DictReader(io.StringIO(run.stdout.split("\n\n")[0]))
        return {r["symbol"]: r for r in rows}

    two = named("i2", at, rest + [(3000, "left", "main"),
                                  (2800, "right", "main")])
    for what, sides in (("inlined", (one, two)), ("no more", (two, one))):
        found, pairs = pairing(*sides)
        tap.ok(not found and sorted(p[3] for p in pairs) ==
               ["left", "right"] and {p[0] for p in pairs} == {"inlined"},
               "%s in two callers: counts as both" % what, (found, pairs))
        rows = table(*sides, "--paths")
        tap.ok("hash" not in rows and
               rows["left"]["cost_before"] == "3000000" and
               rows["right"]["cost_before"] == "2800000" and
               rows["right"]["cost_after"] == "2800000" and
               rows[ALL]["cost_after"] == "8200000",
               "%s: each caller has its part" % what, rows)
    two = named("i2", at, rest + [(2000, "left", "main"),
                                  (3800, "right", "main")])
    found, pairs = pairing(one, two)
    tap.ok(found.get("hash") == "gone" and not pairs,
           "one of both has all of it: not inlined in both", (found, pairs))


def check_jit():
    """What only one of two runs compiled is undecided; of several it is not.
    """
    names = os.path.join(tmp.name, "names")
    os.mkdir(names)
    with open(os.path.join(names, "perf-11.map"), "w") as f:
        f.write("400000 1000 main\n410000 1000 parse\n420000 1000 late\n")

    def compiled(name, *counts):
        return capture(name, counts, ["//anon"] * 3)

    one, two = compiled("j1", 1000, 1000, 0), compiled("j2", 1000, 1000, 200)

    def found(*args):
        _, _, run = diff("--symbols", names, *args)
        return {r["symbol"]: r["found"] for r in
                csv.DictReader(io.StringIO(run.stdout))}

    tap.ok(found(one, two)["late"] == "undecided",
           "compiled in one of two runs: undecided", found(one, two))
    _, _, run = diff("--symbols", names, "--section", "paths", one, two)
    tap.ok(run.stdout.count("\n") == 1 and "late" not in run.stdout,
           "and so is its path", run.stdout)
    got = found("--before", one, one, one, "--after", two, two, two)
    tap.ok(got["late"] == "new", "compiled in all of three: new", got)


def check_path_gate():
    """One caller of two costs half as much again: a path, not a function."""
    at = {"main": 0x1000, "left": 0x1200, "right": 0x1400, "hash": 0x1600}

    def program(name, left, right):
        return named(name, at, [(2000, "left", "main"),
                                (2000, "right", "main"),
                                (left, "hash", "left", "main"),
                                (right, "hash", "right", "main")])

    one, two = program("g1", 3000, 3000), program("g2", 4600, 1400)
    loose = ["--fail-over", "5%", "--gate-share", "100", "--noise", "0.1"]
    found, _, run = diff(*loose, one, two)
    tap.ok(run.returncode == 0 and not found,
           "--fail-over: what moved between callers passes", run.stderr)
    _, _, run = diff("--fail-over", "5%", "--paths", one, two, status=1)
    tap.ok(run.returncode == 1 and "2 call paths" in run.stderr and
           # With all below it: 6,600 for 5,000.
           "main;left: +32.0 %" in run.stderr, "--paths: it does not", run.stderr)
    _, _, run = diff("--fail-over", "60%", "--paths", one, two)
    tap.ok(run.returncode == 0, "--paths: unless it is allowed", run.stderr)
    _, _, run = diff(*loose, "--paths", one, one)
    tap.ok(run.returncode == 0, "--paths: equals pass", run.stderr)


def check_path_witnesses():
    """
    Everything changed, of one run each: of paths, as of functions, what others
    did outside of them is the witness.
    """
    at = {"main": 0x1000, "left": 0x1200, "right": 0x1400, "hash": 0x1600,
          "sort": 0x1800, "read": 0x1a00, "work": 0x1c00}

    def paths(before, after, *options, status=1):
        args = [named("q1", at, before), named("q2", at, after), *options]
        _, _, run = diff("--fail-over", "5%", "--paths", *args, status=status)
        _, _, table = diff("--section", "paths", *args)
        return {r["path"]: change(r) for r in
                csv.DictReader(io.StringIO(table.stdout))}, run.stderr

    # As runs of xz on a host that others use.
    slow = [[(n[k], "work", "left", "main"), (n[k + 2], "hash", "main"),
             (n[k + 4], "sort", "main"), (n[k + 6], "read", "main")]
            for k in (0, 1)
            for n in [[9000, 16000, 90, 110, 60, 90, 40, 55]]]
    got, said = paths(*slow)
    tap.ok(not got and "everything together" in said and
           "call path" not in said,
           "one of 98 %, and the rest went up, too: no path of its own",
           (got, said))
    got, said = paths(*slow, "--per", "samples")
    tap.ok("everything together" in said and "call path" not in said,
           "and so by shares", (got, said))

    def program(left):
        return [(left, "hash", "left", "main"), (3000, "hash", "right", "main"),
                (2000, "sort", "main"), (1000, "read", "main")]

    got, said = paths(program(1000), program(5000))
    _, _, run = diff("--section", "paths", tmp.name + "/q1", tmp.name + "/q2")
    shares = list(csv.DictReader(io.StringIO(run.stdout)))
    # "left" does what "hash" does there.
    tap.ok(abs(float(shares[0]["before"]) - 1 / 7) < 1e-8 and
           abs(float(shares[0]["after"]) - 5 / 11) < 1e-8,
           "shares are of their side", shares)
    tap.ok(got == {"main;left;hash": 4.0} and "2 call paths" in said and
           "main;left: +400.0 %" in said,
           "what a function costs elsewhere is a witness of its path",
           (got, said))
    counts = [2000, 1500, 1200, 900, 700, 500, 400, 300]
    twice = [2 * n for n in counts]
    a, b = capture("q3", counts), capture("q4", twice)
    _, _, run = diff("--fail-over", "150%", "--paths", a, b)
    tap.ok(run.returncode == 0, "all paths twice: within what is allowed",
           run.stderr)
    _, _, run = diff("--fail-over", "5%", "--paths", a, b, status=1)
    tap.ok("call path" not in run.stderr,
           "all paths twice: the gate fails, of the whole", run.stderr)


def check_undecided():
    """More than sampling explains, less than runs of the same may differ."""
    counts = [20000, 8000, 6000, 4000]
    a = capture("u1", counts)
    b = capture("u2", [round(n * 1.08) for n in counts])
    found, rows, run = diff(a, b, "--fail-over", "5%", status=6)
    tap.ok(run.returncode == 6 and not found and
           rows[ALL]["found"] == "undecided" and "more of each" in run.stderr,
           "8 % of all: not decidable from one run each: 6", run.stderr)
    _, _, run = diff(a, b, "--fail-over", "5%", "--allow-undecided")
    tap.ok(run.returncode == 0, "--allow-undecided: 0", run.stderr)
    found, _, run = diff(a, b, "--fail-over", "5%", "--noise", "0.5%",
                         status=1)
    tap.ok(run.returncode == 1 and found["all"] == "more",
           "if runs are known to differ less: 1", run.stderr)
    found, _, run = diff("--before", a, a, a, "--after", b, b, b,
                         "--fail-over", "5%", status=1)
    tap.ok(run.returncode == 1 and found["all"] == "more",
           "three runs each decide: 1", run.stderr)


def check_bursts():
    """The same program, whose functions run in bursts of 50 samples."""
    random.seed(3)
    alarms = 0
    for i in range(12):
        sides = []
        for side in "xy":
            ips = [f for f in random.choices(range(4), [4, 3, 2, 1], k=40)
                   for _ in range(50)]
            sides.append(capture("b" + side, [ips.count(f) for f in range(4)],
                                 order=ips))
        found, _, _ = diff(*sides)
        alarms += bool(found)
    tap.ok(alarms <= 1, "%d of 12 comparisons of equals with bursts give an "
           "alarm" % alarms)


def untimed(name, ips):
    """Cycles without times, beside an event whose times are far apart."""
    text = ("attr cycles type=0 period=1000 ids=1 "
            "flags=sample_id_all|mmap|comm "
            "sample_type=IP|TID|PERIOD|IDENTIFIER\n"
            "attr instructions type=0 config=1 period=1000 ids=2 "
            "flags=sample_id_all sample_type=IP|TID|TIME|PERIOD|IDENTIFIER\n"
            "comm 11 11 app\n")
    for i in range(4):
        text += ("mmap pid=11 addr=0x%x len=0x1000 pgoff=0 name=\"/lib/%s\"\n"
                 % (0x400000 + i * 0x10000, NAMES[i]))
    for k, i in enumerate(ips):
        text += ("sample cycles ip=0x%x pid=11\n"
                 "sample instructions ip=0x400000 pid=11 time=%d\n" %
                 (0x400000 + i * 0x10000, 5000000000000 + k * 50000000))
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, name)
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    return path


def check_untimed_bursts():
    """The same, of an event without times."""
    random.seed(3)
    alarms = 0
    for i in range(12):
        sides = [untimed(side, [f for f in random.choices(
            range(4), [4, 3, 2, 1], k=40) for _ in range(50)])
                 for side in "xy"]
        alarms += bool(diff(*sides)[0])
    tap.ok(alarms <= 1, "%d of 12 comparisons of equals give an alarm where "
           "bursts of an event have no times and another event has" % alarms)


def check_alike():
    """Whether all functions changed by the same factor is said."""
    said = "All functions changed by about the same factor (%s"

    def alike(before, after, *options):
        run = subprocess.run([tap.coldperf, "diff", "--no-local", *options,
                              before, after], capture_output=True, text=True)
        return run.stdout

    counts = [2000, 1500, 1200, 900, 700, 500, 400, 300]
    a = capture("l1", counts)
    b = capture("l2", [round(n * 1.42) for n in counts])
    text = alike(a, b)
    tap.ok(said % "+42.0 %)" in text, "all functions +42 %: said to be alike",
           text)
    tap.ok(said % "-29.6 %)" in alike(b, a), "all functions -30 %: alike")
    _, rows, run = diff("--fail-over", "5%", a, b, status=1)
    tap.ok(run.returncode == 1 and rows[ALL]["found"] == "more",
           "alike or not, the gate fails", run.stderr)
    tap.ok(said % "" not in alike(a, b, "--per", "samples"),
           "nothing of it where shares are compared")
    for name, slower in (("one function", [2.2] + 7 * [1]),
                         ("half of them", 4 * [1.5] + 4 * [1]),
                         ("not the small ones", 3 * [1.42] + 5 * [1])):
        c = capture("l3", [round(n * f) for n, f in zip(counts, slower)])
        text = alike(a, c)
        tap.ok(said % "" not in text and "Everything together: +" in text,
               "%s changed: not said to be alike" % name, text)
    large = capture("l4", [9000] + 7 * [60])
    text = alike(large, capture("l5", [13000] + 7 * [60]))
    tap.ok(said % "" not in text, "one large function changed: not alike",
           text)
    tap.ok(said % "" not in alike(a, capture("l6", counts)), "equals: nothing")
    many = ["f%03d" % i for i in range(203)]
    small = 3 * [2000] + 200 * [20]
    text = alike(capture("l7", small, many),
                 capture("l8", 3 * [3000] + 200 * [20],
                         many))
    tap.ok("Everything together: +30.0 %" in text and said % "" not in text,
           "three of 20 %, and 200 small ones stayed: not alike", text)


def check_as_whole():
    """What changed as everything did is no finding of its own."""
    def words(a, b, *options, status=0):
        _, rows, run = diff(*options, a, b, status=status)
        return {n: r["found"] for n, r in rows.items()}, run

    counts = [2000, 1500, 1200, 900, 700, 500, 400, 300]
    a, b = capture("w1", counts), capture("w2", [2 * n for n in counts])
    got, run = words(a, b, "--fail-over", "5%", status=1)
    tap.ok(got.pop(ALL) == "more" and set(got.values()) == {"as the whole"},
           "everything twice: no function has a finding of its own", got)
    tap.ok(run.returncode == 1 and "everything together: +100.0 %" in
           run.stderr and "symbol" not in run.stderr,
           "the gate fails, of the whole", run.stderr)
    got, run = words(a, b, "--fail-over", "150%")
    tap.ok(run.returncode == 0, "within what is allowed: it passes",
           run.stderr)
    counts[7] = 60
    other = [2 * n for n in counts[:7]] + [130]
    got, run = words(capture("w3", counts), capture("w4", other),
                     "--fail-over", "110%", status=6)
    tap.ok(run.returncode == 6 and got["tiny"] == "as the whole",
           "over what is allowed, as the whole is not: undecided",
           run.stderr)
    text = subprocess.run([tap.coldperf, "diff", "--no-local", a, b],
                          capture_output=True, text=True).stdout
    tap.ok("0 of 8 symbols tested have changed" in text and
           "8 of them changed as the whole did, and are not counted" in text,
           "a note counts them", text)
    own = [2 * n for n in counts[:5]] + [2000] + [2 * n for n in counts[6:]]
    got, _ = words(a, capture("w5", own))
    tap.ok(got["sort"] == "more", "one that grew fourfold is one", got)
    got, _ = words(a, capture("w6", [2 * n for n in counts[:7]] + [0]))
    tap.ok(got["tiny"] == "gone", "one that is gone is one", got)


def check_beyond():
    """
    A host that others use: equal runs of one program cost twice as much, and
    functions not by the same factor.  Counts are as runs of xz and of a server
    had them.
    """
    random.seed(4)

    def words(before, after, **options):
        a, b = capture("v1", before), capture("v2", after)
        _, rows, run = diff("--fail-over", "5%", a, b, **options)
        return {n: r["found"] for n, r in rows.items()}, run

    got, run = words([9000, 90, 60, 40, 24], [16000, 110, 90, 55, 32],
                     status=1)
    tap.ok(got[ALL] == "more" and got["parse"] in ("undecided",
                                                   "as the whole"),
           "one of 98 %, and the rest went up, too: no finding of its own",
           got)
    tap.ok(run.returncode == 1 and "symbol" not in run.stderr,
           "the gate fails, of everything", run.stderr)
    half = [620, 880, 500, 420, 320, 270, 250]
    got, _ = words([1000, 1500, 800, 700, 500, 450, 400, 176], half + [45])
    tap.ok(got[ALL] == "less" and got["tiny"] == "undecided" and
           got["parse"] == got["hash"] == "as the whole",
           "all went down, one of 3 % by more: one run each cannot tell", got)
    got, _ = words([1000, 1500, 800, 700, 500, 450, 400, 800], half + [20])
    tap.ok(got["tiny"] == "less", "one that is almost gone is told", got)
    got, _ = words(half + [400], [1000, 1500, 800, 700, 500, 450, 400, 120],
                   status=1)
    tap.ok(got[ALL] == "more" and got["tiny"] == "less",
           "one that went down while all went up is told", got)


def check_sides(a, c):
    folder = os.path.join(tmp.name, "one")
    other = os.path.join(tmp.name, "two")
    for path, source in ((folder, a), (other, c)):
        os.mkdir(path)
        for i in range(3):
            os.symlink(source, os.path.join(path, "r%d.data" % i))
    _, rows, _ = diff(folder, other)
    tap.ok(int(rows[ALL]["samples_before"]) == 3 * 3440 and
           int(rows[ALL]["samples_after"]) == 3 * 5040,
           "two folders are two sides", rows[ALL])
    _, rows, _ = diff("--before", a, a, "--after", c)
    tap.ok(int(rows[ALL]["samples_before"]) == 2 * 3440 and
           int(rows[ALL]["samples_after"]) == 5040, "--before, --after")
    for args in (["--before", a], [a, "--before", a, "--after", c],
                 ["--before", a, "--after", c, "--baseline", "1"],
                 [tmp.name + "/one", os.path.dirname(tap.__file__)]):
        _, _, run = diff(*args, status=2)
        tap.ok(run.returncode == 2, "refused: " + " ".join(args[-3:]))


def check_lacking(a):
    nothing = capture("nothing", [0, 0])
    _, _, run = diff(a, nothing, "--fail-over", "5%", status=1)
    tap.ok(run.returncode == 1 and "has no samples" in run.stderr,
           "gate: a side without samples: 1", run.stderr)
    few = capture("few", [20, 10])
    _, _, run = diff(few, few, "--fail-over", "5%", status=6)
    tap.ok(run.returncode == 6 and "too few samples" in run.stderr,
           "gate: too few samples to see anything: 6", run.stderr)


def check_worthless(a):
    """Samples of no cost, and losses that hide what is worse."""
    counts = [1000, 800, 600, 400, 300, 200, 100, 40]
    free = [capture("z%d" % i, [n * (i + 1) for n in counts], period=0)
            for i in range(2)]
    for args in (free, ["--allow-undecided", *free], [a, free[0]],
                 ["--before", *free, "--after", *free]):
        _, _, run = diff("--fail-over", "5%", *args, status=1)
        tap.ok(run.returncode == 1 and "has no cost" in run.stderr,
               "gate: samples of no cost: 1", run.stderr)
    half = capture("half", counts, last="lost id=1 lost=3440 time=11000000000")
    _, _, run = diff("--fail-over", "5%", a, half, status=6)
    tap.ok(run.returncode == 6 and "+100.0 %" in run.stderr,
           "gate: half was lost after: 6", run.stderr)
    for args in ([half, half], [half, a]):
        _, _, run = diff("--fail-over", "15%", "--gate-share", "100", *args)
        tap.ok(run.returncode == 0, "gate: lost on both sides or before: 0",
               run.stderr)
    fresh = capture("fresh", counts[:-1] + [200])
    _, _, run = diff("--fail-over", "5%", capture("old", counts[:-1] + [0]),
                     fresh, status=1)
    tap.ok(run.returncode == 1 and ": new" in run.stderr and
           "inf" not in run.stderr, "gate: what is new is so called",
           run.stderr)


UNITS = {
    "counts": "page-faults type=1 config=2 period=1 sample_type=IP|TIME|PERIOD",
    "hertz": "page-faults type=1 config=2 period=4000 flags=freq "
             "sample_type=IP|TIME",
    "cycles": "cycles type=0 period=1 sample_type=IP|TIME|PERIOD",
    "clock": "cpu-clock type=1 config=0 period=1 sample_type=IP|TIME|PERIOD",
    "also": "page-faults type=1 config=2 period=1 "
            "sample_type=IP|TIME|PERIOD|ID ids=1\n"
            "attr cpu-clock type=1 config=0 period=1 "
            "sample_type=IP|TIME|PERIOD|ID ids=2",
    "also-hertz": "page-faults type=1 config=2 period=4000 flags=freq "
                  "sample_type=IP|TIME|ID ids=1\n"
                  "attr cpu-clock type=1 config=0 period=1 "
                  "sample_type=IP|TIME|PERIOD|ID ids=2",
    "two": "cycles type=0 period=1 sample_type=IP|TIME|PERIOD|ID ids=1\n"
           "attr faults type=1 config=2 period=1 "
           "sample_type=IP|TIME|PERIOD|ID ids=2",
    "two-hertz": "cycles type=0 period=4000 flags=freq "
                 "sample_type=IP|TIME|ID ids=1\n"
                 "attr faults type=1 config=2 period=1 "
                 "sample_type=IP|TIME|PERIOD|ID ids=2",
}


def weighed(name):
    text = "attr %s\n" % UNITS[name]
    for i in range(1000):
        text += "sample ip=0x1000 time=%d\n" % (1000 + i)
        second = {"a": "cpu-clock", "t": "faults"}.get(name[0])
        if second:
            text += "sample %s ip=0x1000 time=%d\n" % (second, 1000 + i)
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, "weighed-" + name)
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    return path


def check_units():
    """Weights of different units have no ratio."""
    path = {name: weighed(name) for name in UNITS}
    for a, b, units in (("counts", "hertz", ("events", "ns")),
                        ("hertz", "counts", ("ns", "events")),
                        ("cycles", "clock", ("cycles", "ns"))):
        _, _, run = diff(path[a], path[b], status=2)
        said = "is weighed in %s, " % units[0], " in %s: " % units[1]
        tap.ok(run.returncode == 2 and run.stdout == "" and
               all(s in run.stderr for s in said) and
               "--per samples" in run.stderr,
               "%s in %s against %s: refused" % (a, *units), run.stderr)
        for args in (["--per", "samples"], ["--weight", "samples"]):
            _, rows, run = diff(*args, path[a], path[b])
            tap.ok(run.returncode == 0 and float(rows[ALL]["change"]) == 0,
                   "%s against %s %s: equal" % (a, b, " ".join(args)), rows)
    _, _, run = diff("--fail-over", "5%", path["counts"], path["hertz"],
                     status=2)
    tap.ok(run.returncode == 2, "a gate of different units: 2", run.stderr)
    _, _, run = diff("--fail-over", "5%", path["cycles"], path["clock"],
                     status=1)
    tap.ok(run.returncode == 1 and "has no event" in run.stderr,
           "a gate without the event: 1", run.stderr)
    for pair in (("counts", "hertz"), ("counts", "counts")):
        for args in (["--per", "samples"], ["--weight", "samples"]):
            run = subprocess.run([tap.coldperf, "diff", "--no-local"] + args +
                                 [path[n] for n in pair],
                                 capture_output=True, text=True)
            tap.ok(("sampled at different rates" in run.stdout) ==
                   (pair[0] != pair[1]),
                   "%s and %s %s: rates are said where they differ" %
                   (*pair, " ".join(args)), run.stdout)
    text = subprocess.run([tap.coldperf, "diff", "--no-local", "--per",
                           "samples", path["cycles"], path["clock"]],
                          capture_output=True, text=True)
    tap.ok(text.stdout.count("Nothing can be compared") == 1,
           "another event is told once", text.stdout)
    args = ["-e", "page-faults", path["also"], path["also-hertz"]]
    _, _, run = diff(*args, status=2)
    tap.ok(run.returncode == 2, "-e chooses units, too: 2", run.stderr)
    _, rows, run = diff("-e", "cpu-clock", *args[2:])
    tap.ok(run.returncode == 0 and float(rows[ALL]["change"]) == 0,
           "another event has one unit: compared", run.stderr)


def check_length(a):
    """A command of the same cost that takes twice as long waits."""
    counts = [1000, 800, 600, 400, 300, 200, 100, 40]
    slow = capture("slow", counts, seconds=20)
    found, _, run = diff("--fail-over", "5%", a, slow, status=6)
    tap.ok(run.returncode == 6 and not found and
           "runs lasted 19.99 s, before 9.997 s: +100.0 %" in run.stderr,
           "gate: twice as long, and nobody knows what for: 6", run.stderr)
    bit = capture("bit", counts, seconds=11)
    longer = [capture("l%d" % i, counts, seconds=13 + i / 10)
              for i in range(3)]
    usual = [capture("k%d" % i, counts, seconds=10 + i / 10)
             for i in range(3)]
    for status, args in ((0, [slow, a]), (0, [a, bit]),
                         (0, ["--per", "time", a, slow]),
                         (0, ["--before", *usual, "--after", *usual[::-1]]),
                         (6, ["--before", *usual, "--after", *longer])):
        _, _, run = diff("--fail-over", "15%", "--gate-share", "100", *args,
                         status=status)
        tap.ok(run.returncode == status, "gate: lengths: %d" % status,
               run.stderr)


def check_extent():
    """A window of the system is compared by the second."""
    counts = [1000, 800, 600, 400]
    wide = 'feature cmdline perf record -a sleep 5\n'
    one = capture("w1", counts, header=wide)
    two = capture("w2", [2 * n for n in counts], seconds=20, header=wide)
    found, rows, _ = diff(one, two)
    tap.ok(not found and abs(change(rows[ALL])) < 0.01,
           "perf record -a: by the second", rows[ALL])
    cpus = "feature nrcpus %d %d\n"
    one = capture("w1", counts, header=cpus % (4, 4) + wide)
    two = capture("w2", counts, header=cpus % (2, 2) + wide)
    for pair, want in (((one, two), 1), ((two, one), -0.5)):
        _, rows, run = diff(*pair)
        tap.ok(abs(change(rows[ALL]) - want) < 0.01,
               "4 CPUs and 2: by the second of each", rows[ALL])
    for listed, n in (("-C 0", 1), ("--cpu=1-2,2 -g", 2), ("-C0,1,3", 3)):
        two = capture("w2", counts, header=cpus % (4, 4) +
                      "feature cmdline perf record %s sleep 5\n" % listed)
        for pair, want in (((one, two), 4 / n - 1), ((two, one), n / 4 - 1)):
            _, rows, run = diff(*pair)
            tap.ok(abs(change(rows[ALL]) - want) < 0.01,
                   "4 CPUs and %s: by the second of each" % listed, rows[ALL])
    two = capture("w2", counts, header=cpus % (4, 4) +
                  'feature cmdline perf record -p 11 sleep 5\n')
    for pair in ((one, two), (two, one)):
        _, rows, run = diff(*pair)
        tap.ok(abs(change(rows[ALL])) < 0.01,
               "4 CPUs and a process: by the second", rows[ALL])
    command = 'feature cmdline perf record -g ./app\n'
    one = capture("w1", counts, header=command)
    two = capture("w2", [2 * n for n in counts], seconds=20, header=command)
    found, rows, _ = diff(one, two)
    tap.ok(found["all"] == "more", "perf record ./app: by the run", rows[ALL])


def check_empty_first():
    """The first capture has no samples: the next has the event."""
    path = {name: weighed(name) for name in UNITS}
    empty = capture("e1", [0])
    text = subprocess.run([tap.coldperf, "diff", "--no-local", empty,
                           path["cycles"]], capture_output=True,
                          text=True).stdout
    tap.ok("Nothing can be compared: %s (before) has no samples of cycles"
           % empty in text and "Different events" not in text,
           "no samples before: no event that differs", text)
    tap.ok("Everything together: new, by the " in text,
           "no samples before: no percentage of nothing", text)
    _, _, run = diff("--baseline", "2", empty, path["cycles"], path["clock"],
                     status=2)
    tap.ok(run.returncode == 2 and "is weighed in" in run.stderr,
           "other units after a capture without samples: refused", run.stderr)


def cores(name, events, samples):
    """Samples in turn of cycles of these kinds of cores."""
    text = "".join(
        "attr cpu_%s/cycles/ type=0 config=%#x period=1000 ids=%d sample_type="
        "IP|TID|TIME|ID|PERIOD flags=sample_id_all|mmap|comm\n" %
        (e, 0x400000000 * (i + 1), i + 1) for i, e in enumerate(events))
    text += "comm 11 11 app\nmmap pid=11 addr=0x400000 len=0x1000 pgoff=0 " \
        "name=/lib/parse\n"
    text += "".join(
        "sample cpu_%s/cycles/ ip=0x400010 pid=11 id=%d time=%d period=1000\n"
        % (events[k % samples], k % samples + 1, 2000 + k * 1000)
        for k in range(600))
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, name)
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    return path


def check_cores():
    """Cycles of all kinds of cores are others than those of one kind."""
    path = {"both": cores("both", ("core", "atom"), 2),
            "turned": cores("turned", ("atom", "core"), 2),
            "idle": cores("idle", ("core", "atom"), 1),
            "core": cores("core", ("core",), 1),
            "atom": cores("atom", ("atom",), 1)}
    for before in path:
        for after in path:
            kinds = [sorted(("atom", "core") if n not in ("atom", "core")
                            else (n,)) for n in (before, after)]
            text = subprocess.run([tap.coldperf, "diff", "--no-local",
                                   path[before], path[after]],
                                  capture_output=True, text=True).stdout
            tap.ok(("Nothing can be compared" in text) ==
                   (kinds[0] != kinds[1]),
                   "%s and %s: other kinds of cores are told" %
                   (before, after), text)


def check_sums():
    """A sum of captures is as many runs, or as many seconds, as they were."""
    counts = [1000, 800, 600, 400]
    command = 'feature cmdline perf record -o %s ./app\n'
    runs = [capture("m%d" % i, counts, header=command % i) for i in range(4)]
    total = os.path.join(tmp.name, "sum.cold")
    subprocess.run([tap.coldperf, "merge", "--no-local", "-o", total] +
                   runs[1:], capture_output=True, check=True)
    for args in ([runs[0], total], [total, runs[0]],
                 [runs[0], total, "--per", "run"]):
        found, rows, run = diff("--fail-over", "5%", *args)
        tap.ok(not found and change(rows[ALL]) == 0,
               "a run and a sum of three: the same cost of a run",
               (rows[ALL], run.stderr))
    text = subprocess.run([tap.coldperf, "diff", "--no-local", runs[0],
                           total], capture_output=True, text=True).stdout
    tap.ok("commands that ran to their end" in text and
           "Runs lasted" not in text, "and each ran as long", text)
    lossy = [capture("m6", counts, header=command % 1, last=
                     "lost id=1 lost=2800 time=20000000000"),
             capture("m7", counts, header=command % 2, last=
                     "lost_samples lost=2800 time=20000000000")]
    subprocess.run([tap.coldperf, "merge", "--no-local", "-o", total] + lossy,
                   capture_output=True, check=True)
    for after in lossy + [total]:
        text = subprocess.run([tap.coldperf, "diff", "--no-local", runs[0],
                               after], capture_output=True, text=True).stdout
        tap.ok("everything together may be +100.0 %" in text,
               "half was lost, whichever record tells so", text)
    wide = capture("m4", counts, header="feature cmdline perf record -a\n")
    subprocess.run([tap.coldperf, "merge", "--no-local", "-o", total, wide] +
                   runs[1:], capture_output=True, check=True)
    text = subprocess.run([tap.coldperf, "diff", "--no-local", runs[0],
                           total], capture_output=True, text=True).stdout
    tap.ok("cost of a second (windows of time" in text,
           "a window among commands: by the second", text)
    with open(tmp.name + "/in", "w") as f:
        f.write(ATTR.replace("|TIME", "") + "comm 11 11 app\n" +
                "sample ip=0x400000 pid=11\n" * 100)
    bare = os.path.join(tmp.name, "m5")
    subprocess.run([mkperf, tmp.name + "/in", bare], check=True)
    subprocess.run([tap.coldperf, "merge", "--no-local", "-o", total, bare] +
                   runs[1:], capture_output=True, check=True)
    _, _, run = diff("--per", "time", runs[0], total, status=2)
    tap.ok("has no times" in run.stderr,
           "a capture without times in a sum: no second", run.stderr)


def check_gate(a, b, c):
    for args, status, text in (
            ([a, c], 1, "a regression: 1"), ([c, a], 0, "an improvement: 0"),
            ([a, a], 6, "no change, and none excluded: 6"),
            ([a, a, "--noise", "0.1"], 0, "no change: 0"),
            ([a, b], 1, "twice of all: 1"),
            ([a, b, "--per", "1,2", "--noise", "0.1"], 0, "of twice the work: 0"),
            ([c, a, "--alpha", "0.001"], 0, "and so with less risk: 0")):
        _, _, run = diff("--fail-over", "5%", "--gate-share", "100", *args,
                         status=status)
        tap.ok(run.returncode == status, "gate: " + text, run.stderr)
    _, _, run = diff("--fail-over", "300%", a, c)
    tap.ok(run.returncode == 0, "gate: less than allowed: 0", run.stderr)
    for args in ([a], [a, b, "--baseline", "2"], [a, b, "--baseline", "0"],
                 [a, b, "--per", "moon"], [a, b, "--per", "1,0"],
                 [a, b, "--per", "1,2,3"], [a, b, "--per", "function:none"],
                 [a, b, c, "--time", "0%,50%", "--time", "50%,100%"],
                 [a, b, "--alpha", "0"], [a, b, "--alpha", "2"],
                 [a, b, "--noise", "-3"], [a, b, "--min-share", "101"],
                 [a, b, "--fail-over", "-5%"], [a, b, "--fail-over", "nan"],
                 [a, b, "--fail-over", "inf"]):
        _, _, run = diff(*args, status=2)
        tap.ok(run.returncode == 2, "refused: " + " ".join(args[-2:]))


def check_windows(a, c):
    found, rows, _ = diff(a, "--time", "+0,+5", "--time", "+5,+10")
    tap.ok(not found and 1600 < int(rows[ALL]["samples_before"]) < 1850,
           "two windows of one capture", rows)
    found, rows, _ = diff(a, c, "--time", "+0,+5", "--time", "+5,")
    tap.ok(found == {"all": "more", "hash": "more"}, "a window of each",
           found)


def check_many(a, c):
    found, rows, _ = diff(a, a, a)
    tap.ok(not found, "one against many", found)
    random.seed(5)
    before = [capture("o%d" % i, drawn(4000, noise=0.01)) for i in range(3)]
    after = [capture("n%d" % i, drawn(4000, 1.4, 0.01)) for i in range(3)]
    found, rows, _ = diff("--baseline", "3", *before, *after)
    tap.ok(found in ({"hash": "more"}, {"hash": "more", "all": "more"}),
           "three runs each: found, alone", rows)
    low, high = float(rows["hash"]["change_lo"]), \
        float(rows["hash"]["change_hi"])
    tap.ok(low < 0.4 < high and high - low < 0.4, "and its interval holds it",
           (low, high))


def check_each(a, c):
    """One against several that are no runs of the same."""
    counts = [1000, 800, 600, 400, 300, 200, 100, 40]
    same = [capture("s%d" % i, counts) for i in range(2)]
    found, rows, _ = diff(a, same[0], c, same[1])
    tap.ok(int(rows["hash"]["samples_after"]) == 4000 and
           "all" not in found, "taken together, one of three counts as noise",
           found)
    _, _, run = diff("--section", "steps", a, same[0], c, same[1])
    steps = list(csv.DictReader(io.StringIO(run.stdout)))
    tap.ok([(r["found"], r["object"], os.path.basename(r["version"]))
            for r in steps] == [("more", "hash", "c"), ("less", "hash", "s1")]
           and abs(float(steps[0]["change"]) - 2) < 1e-9,
           "against the one before it it is found, alone", run.stdout)
    tap.ok(abs(float(steps[0]["before"]) - 800 / 3440) < 1e-9 and
           abs(float(steps[0]["after"]) - 2400 / 5040) < 1e-9,
           "with its shares of either capture", steps[0])
    _, _, run = diff("--fail-over", "5%", a, same[0], c, same[1], status=1)
    tap.ok(run.returncode == 1, "gate: one of three is a regression: 1",
           run.stderr)
    _, _, run = diff("--fail-over", "15%", "--gate-share", "100", a, *same)
    tap.ok(run.returncode == 0, "gate: none of two: 0", run.stderr)
    _, _, run = diff("--fail-over", "5%", "--baseline", "2", a, same[0], c,
                     same[1], status=6)
    tap.ok(run.returncode == 6, "gate: with several before they are runs of "
           "the same, that differ too much: 6", run.stderr)


def check_versions():
    """Five versions of three runs: one slows hash down, a later one mends it
    and has a new function; a slow trend is no step, and is in the whole."""
    state = random.getstate()
    random.seed(7)
    parse = [0] * 5
    for v in range(5):
        os.mkdir("%s/ver%d" % (tmp.name, v))
        for r in range(3):
            n = drawn(6000, 1.6 if v in (2, 3) else 1)
            n[2] = round(n[2] * 1.03 ** v)
            n[7] = 500 if v == 4 else 0
            parse[v] += n[0]
            capture("ver%d/%d.data" % (v, r), n)
    random.setstate(state)
    folders = ["%s/ver%d" % (tmp.name, v) for v in range(5)]
    _, _, run = diff("--versions", "--section", "steps", *folders)
    steps = {(r["version"], r["found"], r["object"])
             for r in csv.DictReader(io.StringIO(run.stdout))}
    tap.ok(steps == {("ver2", "more", "hash"), ("ver4", "less", "hash"),
                     ("ver4", "new", "tiny")},
           "versions: each change at the version that brought it", steps)
    _, _, run = diff("--versions", "--section", "versions", *folders)
    rows = list(csv.DictReader(io.StringIO(run.stdout)))
    tap.ok([(r["version"], r["runs"], r["found"]) for r in rows] ==
           [("ver%d" % v, "3", {2: "more", 4: "less"}.get(v, ""))
            for v in range(5)], "and what changed everything", rows)
    found, rows, _ = diff("--versions", "--section", "diff", *folders)
    tap.ok("hash" not in found and found.get("tiny") == "new" and
           int(rows["parse"]["samples_before"]) == parse[0] and
           int(rows["parse"]["samples_after"]) == parse[4],
           "the sides are the last version and the first", (found, rows))
    out = subprocess.run([tap.coldperf, "diff", "-f", "json", "--no-local",
                          "--versions", *folders], capture_output=True,
                         text=True).stdout
    grid = [s for s in json.loads(out)["sections"] if s["slug"] == "shares"]
    tap.ok(grid and grid[0]["x"]["labels"] ==
           ["ver%d" % v for v in range(5)], "shares over versions", grid)
    _, _, run = diff("--versions", "--fail-over", "5%", *folders, status=1)
    tap.ok(run.returncode == 1 and "ver2 alone: " in run.stderr,
           "gate: one version that was slower", run.stderr)
    one = ["%s/ver%d/0.data" % (tmp.name, v) for v in range(3)]
    for options in ([], ["--versions"]):
        _, _, run = diff("--per", "1000,2000,1000", "--section", "versions",
                         *options, *one)
        rows = list(csv.DictReader(io.StringIO(run.stdout)))
        tap.ok([r["found"] for r in rows] == ["", "less", "more"],
               "--per: a number for each version", run.stdout + run.stderr)
    _, _, run = diff("--versions", folders[0], status=2)
    tap.ok("two versions" in run.stderr, "one version is too few", run.stderr)


def check_unequal_windows(a):
    """A quarter against the rest of a capture that is the same throughout."""
    found, rows, _ = diff("--per", "time", a, "--time", "+0,+2.5", "--time",
                          "+2.5,")
    tap.ok(not found and abs(float(rows["hash"]["change"])) < 0.3,
           "--per time: the time of the window, not of the capture", rows)
    _, _, run = diff("--section", "captures", a, "--time", "+0,+2.5",
                     "--time", "+2.5,")
    said = [(round(int(r["duration"]) / 1e9, 1), r["capture"])
            for r in csv.DictReader(io.StringIO(run.stdout))]
    tap.ok(said == [(2.5, a + ", +0.000 ... +2.500 s"),
                    (7.5, a + ", +2.500 ... +9.997 s")],
           "what was compared says which window", said)


def check_moved():
    counts = [1000, 800, 600, 400, 300, 200, 100, 40]
    a = capture("v1", counts, ["lib%s-1.2.so.3" % n for n in NAMES])
    b = capture("v2", counts, ["lib%s.so.4.0.1" % n for n in NAMES])
    found, rows, _ = diff(a, b)
    tap.ok(not found and "libhash.so" in rows and len(rows) == 9,
           "another version of an object is the same object", rows)


def program(name, functions):
    """perf script's text of a program: all of it is called by main."""
    text, n = "", 0
    for i, (function, samples) in enumerate(functions.items()):
        for _ in range(samples):
            n += 1
            text += ("%s 8 1.%06d: 1000000 cpu-clock:\n\t%x %s (/opt/%s)\n"
                     "\t409000 main (/opt/%s)\n\n" %
                     (name, n, 0x401000 + 0x100 * i, function, name, name))
    path = os.path.join(tmp.name, name + ".txt")
    with open(path, "w") as f:
        f.write(text)
    return path


def check_renamed():
    """Another name of the program is one program if its functions are the
    same; main and one more name do not make it so."""
    before = {"parse": 300, "main": 100, "run": 200, "emit": 90}
    old = program("app-1.2", before)
    for name, functions, one in (
            ("app-1.3", {"parse": 310, "main": 90, "new1": 90, "new2": 90,
                         "new3": 90, "new4": 90}, True),
            ("other", dict(before, run=260), True),
            ("draws", {"draw": 300, "main": 180, "run": 60, "blur": 90},
             False)):
        new = program(name, functions)
        run = subprocess.run([tap.coldperf, "diff", "-f", "csv", "--per",
                              "1,1", "--no-local", old, new],
                             capture_output=True, text=True)
        rows = list(csv.DictReader(io.StringIO(run.stdout)))
        both = [r["symbol"] for r in rows if r["symbol"] == "main" and
                int(r["samples_before"]) and int(r["samples_after"])]
        text = subprocess.run([tap.coldperf, "diff", "--per", "1,1",
                               "--no-local", old, new], capture_output=True,
                              text=True).stdout
        said = "app-1.2 and %s are taken for %s object" % (
            name, "one" if one else "two")
        tap.ok(bool(both) == one and said in text,
               "%s is %s" % (name, "the same" if one else "another program"),
               (rows, text))
    tap.ok(" app-1.2  run" in text and " draws    run" in text,
           "rows of one name have their objects", text)


def check_pictures(a, c):
    out = subprocess.run([tap.coldperf, "diff", "-f", "json", "--no-local", a,
                          c], capture_output=True, text=True).stdout
    sections = {s["slug"]: s for s in json.loads(out)["sections"]}
    after, before = sections["flame"], sections["flame-before"]
    root = after["nodes"][0]
    tap.ok(root["before_total"] == 3440000 and root["total"] == 5040000,
           "the flame graph has both weights", root)
    tap.ok(before["reversed"] and before["nodes"][0]["total"] == 3440000,
           "the other one is laid out by those before")
    hot = [n for n in after["nodes"] if n["detail"] == "hash"]
    tap.ok(len(hot) == 1 and hot[0]["color"] == 1, "what grew is red", hot)
    paths = sections["paths"]["rows"]
    tap.ok(len(paths) == 1, "one call path changed", paths)
    folded = subprocess.run([tap.coldperf, "diff", "-f", "folded",
                             "--no-local", a, c], capture_output=True,
                            text=True).stdout
    tap.ok("[parse];[hash] 800000 " in folded, "folded: both weights", folded)


def check_parts():
    """What each run has once in a function of its own is a third of a sample
    in the cost of a run, and all of these are many."""
    names = ["f%02d" % i for i in range(90)]
    runs = [capture("part%d" % r, [i % 3 == r for i in range(90)], names,
                    period=1) for r in range(3)]
    out = subprocess.run([tap.coldperf, "diff", "-f", "json", "--no-local",
                          "--baseline", "1", runs[0], *runs],
                         capture_output=True, text=True).stdout
    sections = {s["slug"]: s for s in json.loads(out)["sections"]}
    got = [sections[s]["nodes"][0][t] for s, t in (
        ("flame", "total"), ("flame", "before_total"),
        ("flame-before", "total"), ("flame-before", "before_total"))]
    tap.ok(got == [30] * 4, "parts of samples add up in flame graphs", got)
    most = max(n["self"] for n in sections["flame"]["nodes"])
    tap.ok(most == 1, "each of them is off by less than one", most)


def check_vast():
    """The first period is the most that all may add up to; a double is 1
    more."""
    a = capture("vast", [300] * 8, period=2 ** 63 - 1,
                last="sample ip=0x401000 pid=11 time=10000002000 period=1 "
                "chain=user,0x401000")
    out = subprocess.run([tap.coldperf, "diff", "-f", "json", "--no-local", a,
                          a], capture_output=True, text=True).stdout
    sections = {s["slug"]: s for s in json.loads(out)["sections"]}
    weights = [row["values"][2] for row in sections["captures"]["rows"]]
    tap.ok(weights == [2 ** 63] * 2, "of vast periods the first counts",
           weights)


a, b, c = check_counts()
check_gate(a, b, c)
check_windows(a, c)
check_unequal_windows(a)
check_many(a, c)
check_each(a, c)
check_versions()
check_moved()
check_renamed()
check_dominant()
check_exact()
check_pairs()
check_jit()
check_path_gate()
check_path_witnesses()
check_undecided()
check_alike()
check_as_whole()
check_beyond()
check_bursts()
check_untimed_bursts()
check_sides(a, c)
check_lacking(a)
check_worthless(a)
check_units()
check_length(a)
check_extent()
check_empty_first()
check_cores()
check_sums()
check_vast()
check_pictures(a, c)
check_parts()
tap.done()
