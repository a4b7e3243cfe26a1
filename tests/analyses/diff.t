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


def capture(name, counts, objects=NAMES, seconds=10, gap=0):
    """So many samples in each object, all called from the first one."""
    text = ATTR + "comm 11 11 \"app\" time=1000\n"
    for i, o in enumerate(objects):
        text += ("mmap pid=11 addr=0x%x len=0x1000 pgoff=0 name=\"/lib/%s\" "
                 "time=1000\n" % (0x400000 + i * 0x10000, o))
    ips = [i for i, n in enumerate(counts) for _ in range(n)]
    random.shuffle(ips)
    for k, i in enumerate(ips):
        ip = 0x400000 + i * 0x10000
        text += ("sample ip=0x%x pid=11 time=%d period=1000 "
                 "chain=user,0x%x,0x400800\n" %
                 (ip, 2000 + int(k * seconds * 1e9 / len(ips)), ip))
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
    found = {r["object"]: r["found"] for r in rows
             if r.get("found") in ("more", "less", "new", "gone")}
    return found, {r.get("object"): r for r in rows}, run


def check_counts():
    counts = [1000, 800, 600, 400, 300, 200, 100, 40]
    a = capture("a", counts)
    b = capture("b", [2 * n for n in counts], seconds=40)
    found, rows, run = diff(a, b)
    tap.ok(not found and len(rows) == 8, "twice as much of all is no change",
           rows)
    tap.ok(all(abs(float(r["change"])) < 1e-9 for r in rows.values()),
           "the factor is found: no row changed at all")
    tap.ok(abs(float(rows["hash"]["before"]) - 800 / 3440) < 1e-9 and
           abs(float(rows["hash"]["after"]) - 800 / 3440) < 1e-9,
           "shares are as counted", rows["hash"])
    _, rows, _ = diff(a, b, "--per", "none")
    tap.ok(abs(float(rows["hash"]["change"]) - 1) < 1e-9,
           "--per none: twice as much", rows["hash"])
    _, rows, _ = diff(a, b, "--per", "time")
    tap.ok(abs(float(rows["hash"]["change"]) + 0.5) < 0.01,
           "--per time: half as much a second", rows["hash"])
    slow = counts[:]
    slow[1] = 2400
    c = capture("c", slow)
    _, rows, _ = diff(a, c, "--per", "samples")
    want = 2400 / 5040 / (800 / 3440) - 1
    tap.ok(abs(float(rows["hash"]["change"]) - want) < 1e-6,
           "--per samples: by shares", rows["hash"])
    found, rows, _ = diff(a, c)
    tap.ok(found == {"hash": "more"} and
           abs(float(rows["hash"]["change"]) - 2) < 0.05,
           "three times slower: found, alone", rows)
    return a, b, c


def check_gate(a, b, c):
    for args, status, text in (
            ([a, c], 1, "a regression: 1"), ([c, a], 0, "an improvement: 0"),
            ([a, b], 0, "no change: 0"), ([a, c, "--alpha", "0"], 0,
            "nothing is ever improbable enough: 0")):
        _, _, run = diff("--fail-over", "5%", *args, status=status)
        tap.ok(run.returncode == status, "gate: " + text, run.stderr)
    _, _, run = diff("--fail-over", "300%", a, c)
    tap.ok(run.returncode == 0, "gate: less than allowed: 0", run.stderr)
    for args in ([a], [a, b, "--baseline", "2"], [a, b, "--baseline", "0"],
                 [a, b, "--per", "moon"], [a, b, c, "--time", "0%,50%",
                                           "--time", "50%,100%"]):
        _, _, run = diff(*args, status=2)
        tap.ok(run.returncode == 2, "refused: " + " ".join(args[-2:]))


def check_windows(a, c):
    found, rows, _ = diff(a, "--time", "+0,+5", "--time", "+5,+10")
    tap.ok(not found and 1600 < sum(int(r["samples_before"])
                                    for r in rows.values()) < 1850,
           "two windows of one capture", rows)
    found, rows, _ = diff(a, c, "--time", "+0,+5", "--time", "+5,")
    tap.ok(found == {"hash": "more"}, "a window of each", found)


def check_many(a, c):
    found, rows, _ = diff(a, a, a)
    tap.ok(not found, "one against many", found)
    random.seed(5)
    before = [capture("o%d" % i, drawn(4000, noise=0.01)) for i in range(3)]
    after = [capture("n%d" % i, drawn(4000, 1.2, 0.01)) for i in range(3)]
    found, rows, _ = diff("--baseline", "3", *before, *after)
    tap.ok(found == {"hash": "more"}, "three runs each: found, alone", rows)
    low, high = float(rows["hash"]["change_lo"]), \
        float(rows["hash"]["change_hi"])
    tap.ok(low < 0.2 < high and high - low < 0.25, "and its interval holds it",
           (low, high))


def check_each(a, c):
    """One against several that are no runs of the same."""
    counts = [1000, 800, 600, 400, 300, 200, 100, 40]
    same = [capture("s%d" % i, counts) for i in range(2)]
    found, rows, _ = diff(a, same[0], c, same[1])
    tap.ok(not found and int(rows["hash"]["samples_after"]) == 4000,
           "taken together, one of three counts as noise", rows)
    _, _, run = diff("--section", "each", a, same[0], c, same[1])
    each = list(csv.DictReader(io.StringIO(run.stdout)))
    tap.ok([(r["found"], r["object"], os.path.basename(r["capture"]))
            for r in each] == [("more", "hash", "c")] and
           abs(float(each[0]["change"]) - 2) < 0.05,
           "by itself it is found, alone", run.stdout)
    _, _, run = diff("--fail-over", "5%", a, same[0], c, same[1], status=1)
    tap.ok(run.returncode == 1, "gate: one of three is a regression: 1",
           run.stderr)
    _, _, run = diff("--fail-over", "5%", a, *same)
    tap.ok(run.returncode == 0, "gate: none of two: 0", run.stderr)
    _, _, run = diff("--fail-over", "5%", "--baseline", "2", a, same[0], c,
                     same[1])
    tap.ok(run.returncode == 0, "gate: with several before they are runs of "
           "the same: 0", run.stderr)


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
    tap.ok(not found and "libhash.so" in rows and len(rows) == 8,
           "another version of an object is the same object", rows)


def check_equals():
    """Twenty pairs of captures of the same program."""
    random.seed(11)
    alarms, hits, alone = 0, 0, 0
    for i in range(20):
        a = capture("ea", drawn(3000, noise=0.01))
        b = capture("eb", drawn(3000 + 100 * i, noise=0.01))
        found, _, _ = diff(a, b)
        alarms += bool(found)
        if i < 5:
            c = capture("ec", drawn(6000, 1.4, noise=0.01))
            found, _, _ = diff(a, c)
            hits += found.get("hash") == "more"
            alone += len(found) <= 1
    tap.ok(alarms <= 1, "%d of 20 comparisons of equals give an alarm" %
           alarms)
    tap.ok(hits == 5 and alone == 5, "40 %% slower: found in %d of 5, alone "
           "in %d" % (hits, alone))


def check_pictures(a, c):
    out = subprocess.run([tap.coldperf, "diff", "-f", "json", "--no-local", a,
                          c], capture_output=True, text=True).stdout
    sections = {s["slug"]: s for s in json.loads(out)["sections"]}
    after, before = sections["flame"], sections["flame-before"]
    root = after["nodes"][0]
    tap.ok(root["before_total"] == 3440000 and
           abs(root["total"] - 5040000) < 30000,
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


a, b, c = check_counts()
check_gate(a, b, c)
check_windows(a, c)
check_unequal_windows(a)
check_many(a, c)
check_each(a, c)
check_moved()
check_equals()
check_pictures(a, c)
tap.done()
