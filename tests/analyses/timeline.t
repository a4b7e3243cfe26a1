#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeline on captures made here: cells hold the samples of their moments, a
# change of rate is found where it is, and --time takes the window it tells.
import json
import os
import random
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
START = 5000 * 10 ** 9 + 123456789
SECOND = 10 ** 9
ATTR = ("attr cpu-clock type=1 period=1000000 ids=1 flags=sample_id_all|mmap|comm "
        "sample_type=IP|TID|TIME|CPU|PERIOD\n")


def capture(name, times, attr=ATTR, last=""):
    """Samples at those times, in turn of threads 11 and 12 on two CPUs."""
    text = attr + "comm 11 11 \"one\" time=%d\n" % START
    for i, t in enumerate(times):
        text += ("sample ip=0x401000 pid=11 tid=%d cpu=%d time=%d "
                 "period=1000000\n" % (11 + i % 2, i % 2, t))
    text += last
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, name)
    run = subprocess.run([mkperf, tmp.name + "/in", path],
                         capture_output=True, text=True)
    tap.ok(run.returncode == 0, name + " is compiled", run.stderr)
    return path


def coldperf(*args):
    run = subprocess.run([tap.coldperf] + list(args), capture_output=True,
                         text=True)
    if run.returncode != 0:
        tap.diag(run.stderr)
    return run.stdout


def sections(*args):
    report = json.loads(coldperf("timeline", "-f", "json", *args))
    return {s["slug"]: s for s in report["sections"]}, report


def check_after_all():
    """perf before 6.16 ends with the sums of --off-cpu, at no time."""
    times = [START + 100000000 * i for i in range(100)]
    plain, _ = sections(capture("plain", times))
    both = ATTR.replace("IP|", "IDENTIFIER|IP|")
    both += both.replace("cpu-clock", "offcpu-time").replace(
        "period=1000000 ids=1", "config=10 period=1 ids=2")
    got, _ = sections(capture(
        "sums", times, both, "sample offcpu-time ip=0x401000 pid=11 id=2 "
        "period=5000000 time=0xffffffff00000000\n"))
    for slug in "samples", "threads":
        tap.ok(got[slug] == plain[slug],
               slug + ": sums at the end do not stretch the axis", got[slug])


def check_cells():
    times = [START + t for t in (0, 1, 19999999, 20000000, SECOND,
                                 SECOND * 3 + 999999999)]
    got, report = sections(capture("cells", times), "--column", "1s")
    tap.ok(report["start"] == START, "the start is the first sample's time",
           report["start"])
    tap.ok(got["samples"]["cells"] == [[0, 0, 3], [0, 1, 1], [1, 0, 1],
                                       [3, 49, 1]],
           "samples are in the cells of their moments",
           got["samples"]["cells"])
    tap.ok(got["samples"]["x"]["count"] == 4 and
           got["samples"]["x"]["from"] == START, "a column a second")
    got, _ = sections(tmp.name + "/cells", "--column", "2s", "--rows", "4")
    tap.ok(got["samples"]["cells"] == [[0, 0, 4], [0, 2, 1], [1, 3, 1]],
           "columns and rows are options", got["samples"]["cells"])
    tap.ok(got["threads"]["lanes"] == ["one 11", "12"] or
           got["threads"]["lanes"][0].startswith("one"),
           "a lane for each thread", got["threads"]["lanes"])
    tap.ok(got["cpus"]["lanes"] == ["CPU 0", "CPU 1"],
           "a lane for each CPU", got["cpus"]["lanes"])


def poisson_times(rates):
    """Moments with those rates (per second), one second each."""
    times = []
    for second, rate in enumerate(rates):
        t = random.expovariate(rate)
        while t < 1:
            times.append(START + int((second + t) * SECOND))
            t += random.expovariate(rate)
    return times


def check_changes():
    random.seed(7)
    times = poisson_times([100] * 30)
    path = capture("steady", times)
    got, _ = sections(path)
    tap.ok(got["changes"]["rows"] == [], "one rate has no changes",
           got["changes"]["rows"])
    tap.ok("steady" in got["notes"]["notes"][0], "and is called steady")
    got, _ = sections(capture("short", [START + 100 * i for i in range(99)]))
    tap.ok(re.search("in \\d+ pieces of [1-9]", got["notes"]["notes"][0]),
           "also if it is short", got["notes"]["notes"])
    path = capture("single", [START])
    got, _ = sections(path)
    tap.ok("steady" not in str(got.get("notes")), "one sample is not steady",
           got.get("notes"))
    for n in 19, 30:
        got, _ = sections(capture("few%d" % n, [
            START + SECOND * i // 100 for i in range(n)]))
        tap.ok(("is steady" in str(got["notes"]),
                "Too few samples" in str(got["notes"])) == (n == 30, n == 19),
               "%d samples and their rate" % n, got["notes"])
    svg = coldperf("timeline", "--no-local", "--column", "1s", "-f", "svg",
                   tmp.name + "/cells")
    keys = re.findall(r'class="key" [^>]*>([^<]*)</text>', svg)
    keys = [k for k in keys if re.fullmatch(r"\d+( samples?)?", k)]
    tap.ok(keys == ["1 sample", "2", "3"], "each count has one key", keys)
    tap.ok(re.findall(r'<path class="(q\d)"', svg) == ["q6", "q9"] and
           re.findall(r'<rect class="(q\d)"', svg) == ["q6", "q8", "q9"],
           "a key has the colour of its cells")
    for how, words in (("text", " is 1 sample\n"), ("svg", ">1 sample<")):
        tap.ok(words in subprocess.run(
            [tap.coldperf, "timeline", "--no-local", "-f", how, path],
            capture_output=True, text=True).stdout, "one sample, as " + how)
    times = poisson_times([100] * 12 + [300] * 5 + [100] * 13)
    path = capture("storm", times)
    got, _ = sections(path)
    rows = [r["values"] for r in got["changes"]["rows"]]
    tap.ok(len(rows) == 2, "a storm has two ends", rows)
    for row, at, change in zip(rows, (12, 17), (2, -2 / 3)):
        tap.ok(abs(row[0] / SECOND - at) < 0.2, "at %d s" % at, row)
        low, high = row[4]["interval"]
        tap.ok(low - 0.05 <= change <= high + 0.05, "by %g" % change, row)
    tap.ok("-k CLOCK_MONOTONIC" in "".join(got["notes"]["notes"]),
           "what to record for the wall clock", got["notes"])
    window = re.match(r"--time \+([\d.]+),\+([\d.]+)$", rows[0][5])
    tap.ok(window is not None, "its window is told", rows[0][5])
    low, high = (times[0] + float(w) * SECOND for w in window.groups())
    inside = sum(low <= t <= high for t in times)
    out = json.loads(coldperf("quality", "-f", "json", *rows[0][5].split(),
                              path))
    kept = [s["value"] for sec in out["sections"] if sec["type"] == "scalars"
            for s in sec["scalars"] if s["key"] == "samples_kept"]
    tap.ok(inside in kept, "--time takes it: %d samples" % inside, kept)


def check_end():
    """The last window has what is no whole piece, in short captures too."""
    for name, unit, options in (("end", SECOND, ()),
                                ("brief", SECOND // 10000,
                                 ("--column", "100us"))):
        times = [START + i * unit // 10 for i in range(6)]
        times += [START + (56 + i) * unit // 100 for i in range(100)]
        path = capture(name, times)
        got, _ = sections(path, *options)
        rows = [r["values"] for r in got["changes"]["rows"]]
        tap.ok(len(rows) == 1, name + ": one change", rows)
        low, high = (float(w.strip("+")) * SECOND + START
                     for w in rows[-1][5].split()[1].split(","))
        tap.ok(abs(low - START - 0.56 * unit) < 0.1 * unit and
               high > times[-1], name + ": the window ends with the capture",
               rows[-1][5])


def check_origin():
    """Axis, windows and --time have one origin: each window holds what the
    table says, also where records come before the first sample and the file
    does not say when that was."""
    random.seed(5)
    switch = "switch time=%d misc=0x2000 .pid=11 .tid=11 .cpu=0\n"
    for kind in "file", "pipe":
        for before in "", "comm", "switch":
            times = [START + i * SECOND // 100 for i in range(300)]
            times += [START + 3 * SECOND + i * SECOND // 1000
                      for i in range(1000)]
            text = "container %s\n" % kind + ATTR.replace(
                "|comm", "|comm|context_switch")
            if before == "comm":
                text += "comm 11 11 \"one\" time=%d\n" % (START - SECOND // 2)
            elif before:
                text += switch % (START - SECOND // 2)
            for i, t in enumerate(times):
                text += ("sample ip=0x401000 pid=11 tid=11 cpu=0 time=%d "
                         "period=1000000\n" % t)
            with open(tmp.name + "/in", "w") as f:
                f.write(text)
            path = os.path.join(tmp.name, "origin")
            made = subprocess.run([mkperf, tmp.name + "/in", path],
                                  capture_output=True, text=True)
            name = "%s, %s first" % (kind, before or "samples")
            tap.ok(made.returncode == 0, name + " is compiled", made.stderr)
            got, report = sections(path)
            rows = [r["values"] for r in got["changes"]["rows"]]
            origin = START - (SECOND // 2 if before == "switch" else 0)
            tap.ok(len(rows) == 1 and report["start"] == origin and
                   abs(origin + rows[0][0] - START - 3 * SECOND) <
                   SECOND // 5, name + ": the change is where it is", rows)
            for row in rows:
                low, high = (origin + float(w.strip("+")) * SECOND
                             for w in row[5].split()[1].split(","))
                inside = sum(low - 500 <= t <= high + 500 for t in times)
                out = json.loads(coldperf("quality", "-f", "json",
                                          *row[5].split(), path))
                kept = [s["value"] for sec in out["sections"]
                        if sec["type"] == "scalars"
                        for s in sec["scalars"] if s["key"] == "samples_kept"]
                tap.ok(inside > 900 and kept == [inside],
                       name + ": its window has %d samples" % inside, kept)
                again, _ = sections(*row[5].split(), path)
                seen = sum(c[2] for c in again["samples"]["cells"])
                tap.ok(seen == inside, name + ": timeline shows them", seen)


def check_late():
    """Work that begins late and ends early, in a capture of more events."""
    random.seed(9)
    text = "".join("attr %s type=%d config=%d period=1 ids=%d flags="
                   "sample_id_all|mmap|comm sample_type=IP|TID|TIME|ID\n" % a
                   for a in (("cycles", 0, 0, 1), ("page-faults", 1, 2, 2)))
    times = [(START + 4 * SECOND + random.randrange(3 * SECOND), 1)
             for _ in range(600)]
    times += [(START, 2), (START + 10 * SECOND, 2)]
    for t, identity in sorted(times):
        text += "sample %s ip=0x401000 pid=11 time=%d id=%d\n" % (
            ("", "cycles", "page-faults")[identity], t, identity)
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, "late")
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    got, _ = sections(path)
    at = [r["values"][0] / SECOND for r in got["changes"]["rows"]]
    tap.ok(len(at) == 2 and abs(at[0] - 4) < 0.2 and abs(at[1] - 7) < 0.2,
           "work that begins and ends amid the capture is two changes", at)


def check_gap():
    """To nothing is a change by -100 %, which its interval holds."""
    times = [START + i * SECOND // 1000 for i in range(300)]
    times += [t + 7 * SECOND // 10 for t in times]
    got, _ = sections(capture("gap", times))
    changes = [r["values"][4] for r in got["changes"]["rows"]]
    tap.ok(len(changes) == 2 and changes[0]["value"] == -1 and
           changes[0]["interval"][0] == -1 <= changes[0]["interval"][1],
           "the interval of a change to nothing holds -1", changes)


def steps(length, n):
    """n moments up to a length, the last at its end; the same each time."""
    random.seed(n)
    return sorted(random.randrange(length) for _ in range(n - 2)) + [
        length - 1]


def check_fit():
    """Columns fit the length: 60 to 150 of them, without losing a sample."""
    for name, length, column in (("instant", SECOND // 5, 2000000),
                                 ("second", SECOND, 10000000),
                                 ("minute", 60 * SECOND, SECOND),
                                 ("hour", 3600 * SECOND, 50 * SECOND)):
        times = [0] + steps(length, 2000)
        path = capture(name, [START + t for t in times])
        got, _ = sections(path)
        x, y, cells = (got["samples"][k] for k in ("x", "y", "cells"))
        tap.ok(60 <= x["count"] <= 150 and x["step"] == column and
               y["step"] * y["count"] == column,
               "%s: %d columns" % (name, x["count"]), x)
        want = {}
        for t in times:
            at = (t // column, t % column // y["step"])
            want[at] = want.get(at, 0) + 1
        tap.ok({(a, b): n for a, b, n in cells} == want,
               name + ": each sample is in its cell")
        same, _ = sections(path, "--column", "%dns" % column)
        tap.ok(same["samples"] == got["samples"],
               name + ": --column shows the same")
        keys = re.findall(r'<text class="key" text-anchor="(\w+)"[^>]*>'
                          r'\+?(\d+(?:\.\d+)?) (\w+)<',
                          coldperf("timeline", "-f", "svg", path))
        for anchor, axis in (("end", "offsets"), ("start", "times")):
            forms = {(len(v.partition(".")[2]), unit)
                     for side, v, unit in keys if side == anchor}
            tap.ok(len(forms) == 1,
                   "%s: %s have one unit and as many decimals" % (name, axis),
                   forms)
        odd, _ = sections(path, "--rows", "7")
        tap.ok(odd["samples"]["y"]["count"] == 7 and
               60 <= odd["samples"]["x"]["count"] <= 150 and
               sum(c[2] for c in odd["samples"]["cells"]) == len(times),
               name + ": with seven rows, too", odd["samples"]["x"])


def check_fit_spans():
    """Time off the CPU is the same in columns that grew."""
    text = ATTR.replace("|comm", "|comm|context_switch")
    t, runs = START, True
    for step in steps(70 * SECOND, 400):
        t = START + step
        text += "switch time=%d misc=%s .pid=11 .tid=11 .cpu=0\n" % (
            t, "0x2000" if runs else "0")
        runs = not runs
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, "spans")
    made = subprocess.run([mkperf, tmp.name + "/in", path],
                          capture_output=True, text=True)
    tap.ok(made.returncode == 0, "spans are compiled", made.stderr)
    got, _ = sections(path)
    same, _ = sections(path, "--column", "1s")
    tap.ok(got["offcpu"]["x"]["step"] == SECOND and
           len(got["offcpu"]["cells"]) > 1000, "a minute of waits",
           got["offcpu"]["x"])
    tap.ok(got["offcpu"] == same["offcpu"],
           "they are the same as with --column")


def check_reused():
    """An id that is used again is another thread, with a lane of its own."""
    text = ATTR.replace("|comm", "|comm|task")
    for name, first in ("old", 0), ("new", 2000):
        text += "fork pid=8 ppid=1 tid=8 ptid=1 time=%d\n" % (
            START + first * SECOND // 1000)
        text += 'comm 8 8 "%s" time=%d\n' % (
            name, START + first * SECOND // 1000 + 1)
        for ms in range(first + 1, first + 1000):
            text += "sample ip=0x401000 pid=8 tid=8 cpu=0 time=%d period=1\n" \
                % (START + ms * SECOND // 1000)
        text += "exit pid=8 ppid=1 tid=8 ptid=1 time=%d\n" % (
            START + (first + 1000) * SECOND // 1000)
    text += "sample ip=0x401000 pid=-1 tid=-1 cpu=0 time=%d period=1\n" % (
        START + 4 * SECOND)
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, "reused")
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    lanes = sections(path)[0]["threads"]
    tap.ok(lanes["lanes"] == ["old 8", "new 8", "thread not recorded"],
           "an id that is used again has two lanes", lanes["lanes"])
    late = min(s["start"] for s in lanes["spans"] if s["lane"] == 1)
    tap.ok(late >= START + 19 * SECOND // 10,
           "the second begins where the first has ended", late)


def check_cpus():
    """--cpu keeps the spans of its CPUs, as in sched and offcpu."""
    text = ATTR.replace("|comm", "|comm|context_switch")
    for i in range(20):
        for cpu in 0, 1:
            text += "switch time=%d misc=%s .pid=%d .tid=%d .cpu=%d\n" % (
                START + i * SECOND // 10 + cpu, "0" if i % 2 else "0x2000",
                11 + cpu, 11 + cpu, cpu)
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, "cpus")
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    off = [sum(c[2] for c in sections(path, *of)[0]["offcpu"]["cells"])
           for of in ((), ("--cpu", "0"), ("--cpu", "1"))]
    tap.ok(off[1] == off[2] == SECOND and off[0] == 2 * SECOND,
           "--cpu keeps the time of its threads", off)
    got, _ = sections(path, "--cpu", "1")
    tap.ok(got["cpus"]["lanes"] == ["CPU 1"], "and its lane",
           got["cpus"]["lanes"])
    tap.ok(len(got["threads"]["lanes"]) == 1, "and its threads",
           got["threads"]["lanes"])


def check_refusals():
    for args in (["--column", "7"], ["--rows", "0"],
                 ["--column", "1s", "--rows", "7"]):
        run = subprocess.run([tap.coldperf, "timeline"] + args +
                             [tmp.name + "/cells"], capture_output=True)
        tap.ok(run.returncode == 2, " ".join(args) + " is refused")
    far = capture("far", [START, START + 4 * 10 ** 18])
    run = subprocess.run([tap.coldperf, "timeline", far],
                         capture_output=True, text=True)
    tap.ok(run.returncode == 0, "a century between two samples is bearable",
           run.stderr)


def check_long_wait():
    """A thread that waits for a day makes no cell for each moment of it."""
    text = ATTR.replace("|comm", "|comm|context_switch")
    text += "comm 11 11 \"one\" time=%d\n" % START
    for out, t in ((0, 0), (1, 1), (0, 86400), (1, 86401)):
        text += ("switch misc=%d .pid=11 .tid=11 time=%d\n" %
                 (0x2000 * out, START + t * SECOND))
        text += ("sample ip=0x401000 pid=11 tid=11 cpu=0 time=%d "
                 "period=1000000\n" % (START + t * SECOND))
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    path = os.path.join(tmp.name, "wait")
    subprocess.run([mkperf, tmp.name + "/in", path], check=True)
    got, _ = sections("--column", "1s", path)
    n = len(got["offcpu"]["cells"]) if "offcpu" in got else 0
    tap.ok(n < 100 and "longer than the heat maps" in str(got["notes"]),
           "a wait of a day is not shown moment by moment", n)
    got, _ = sections("--column", "100s", path)
    cells = got["offcpu"]["cells"]
    tap.ok(abs(sum(c[2] for c in cells) - 86399 * SECOND) < SECOND,
           "it is with larger columns", sum(c[2] for c in cells))


check_cells()
check_after_all()
check_changes()
check_long_wait()
check_end()
check_late()
check_origin()
check_gap()
check_fit()
check_fit_spans()
check_reused()
check_cpus()
check_refusals()
tap.done()
