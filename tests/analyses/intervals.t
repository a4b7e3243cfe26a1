#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The intervals that hotspots and report print: for a program with phases they
# are as wide as its phases make other runs differ, with --interval run as
# narrow as the regular ticks of this one; CPUs that tick together count once;
# what was recorded completely has none.
import json
import os
import random
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

tmp = tempfile.TemporaryDirectory(prefix="coldperf-intervals.")
MS = 10 ** 6
HEAD = ("attr cpu-clock type=1 config=0 period=1000000 ids=1 "
        "sample_type=IP|TID|TIME|CPU|PERIOD\n"
        "mmap pid=5 tid=5 addr=0x400000 len=0x1000 name=/bin/one\n"
        "mmap pid=5 tid=5 addr=0x500000 len=0x1000 name=/bin/two\n")


def capture(name, samples, head=HEAD):
    """samples: (time in ms, CPU, whether in /bin/one)."""
    path = os.path.join(tmp.name, name)
    with open(path + ".text", "w") as f:
        f.write(head)
        for at, cpu, one in samples:
            f.write("sample ip=%d pid=5 tid=%d cpu=%d time=%d\n" %
                    (0x400010 if one else 0x500010, 5, cpu,
                     int(at * MS) + 1000))
    made = subprocess.run([os.path.join(tap.top_builddir,
                                        "tests/tools/mkperf"),
                           path + ".text", path], capture_output=True,
                          text=True)
    tap.ok(made.returncode == 0, name + " is compiled", made.stderr)
    return path


def run(*args):
    return subprocess.run([tap.coldperf] + list(args), text=True,
                          capture_output=True)


def section(p, slug):
    report = json.loads(p.stdout)
    return next(s for s in report["sections"] if s["slug"] == slug)


def share(path, *args):
    """Of /bin/one: value, low, high."""
    p = run("hotspots", "--no-local", "--by", "dso", "-f", "json", *args, path)
    for row in section(p, "hotspots")["rows"]:
        if row["values"][2] == "one":
            cell = row["values"][0]
            return [cell["value"]] + cell.get("interval", [])
    return None


draw = random.Random(12)


def phases(n, mean):
    one, left = False, 0
    for _ in range(n):
        while left <= 0:
            one, left = draw.random() < 0.3, left + draw.expovariate(1 / mean)
        yield one
        left -= 1


def width(interval):
    return interval[2] - interval[1]


# Independent samples: Wilson's interval of 4,000 is 0.0284 wide at 0.3.
path = capture("independent", [(i, 0, draw.random() < 0.3)
                               for i in range(4000)])
got = share(path)
tap.ok(got[1] < 0.3 < got[2] and 0.026 < width(got) < 0.036,
       "independent samples: Wilson's interval", got)
got = share(path, "--interval", "run")
tap.ok(0.02 < width(got) < 0.030, "and much the same for this run", got)

# 200 phases: their lengths vary, so they tell as much as 100 samples would.
path = capture("phases", [(i, 0, one)
                          for i, one in enumerate(phases(4000, 20))])
got = share(path)
tap.ok(got[1] < 0.3 < got[2] and 0.12 < width(got) < 0.26,
       "phases of 20 samples: six times as wide", got)
here = share(path, "--interval", "run")
tap.ok(here[0] == got[0] and got[1] < here[1] and here[2] < got[2] and
       width(here) < 0.012, "this run is known better than by chance", here)

# 16 CPUs in step: 250 moments, not 4,000 samples.
steps = [draw.random() < 0.3 for _ in range(250)]
path = capture("step", [(i, c, one) for i, one in enumerate(steps)
                        for c in range(16)])
for question in ("program", "run"):
    got = share(path, "--interval", question)
    tap.ok(got[1] < 0.3 < got[2] and 0.08 < width(got) < 0.16,
           "16 CPUs in step, %s: of 250 moments" % question, got)

# The same CPUs, each by itself.
path = capture("apart", [(i, c, draw.random() < 0.3) for i in range(250)
                         for c in range(16)])
got = share(path)
tap.ok(0.024 < width(got) < 0.04, "16 CPUs that have nothing in common", got)

# Half of the run here, then half there: no other phases to compare with.
path = capture("halves", [(i, 0, i < 1000) for i in range(2000)])
got = share(path)
tap.ok(got[1] < 0.5 < got[2] and width(got) < 0.3,
       "two parts that follow one another are no draw of phases", got)

path = capture("complete", [(i, 0, i % 4 == 0) for i in range(400)],
               HEAD.replace("cpu-clock type=1 config=0 period=1000000",
                            "page-faults type=1 config=2 period=1"))
got = share(path)
tap.ok(got == [0.25], "page faults that were all recorded: no interval", got)
p = run("report", "--no-local", "-f", "json", path)
cells = [c for r in section(p, "symbols")["rows"] for c in r["values"]
         if isinstance(c, dict)]
tap.ok(cells and not any("interval" in c for c in cells),
       "nor has the report one", cells)
p = run("hotspots", "--no-local", path)
tap.ok("95 % intervals" not in p.stdout, "nor does it speak of any", p.stdout)

path = os.path.join(tmp.name, "phases")
for command in ("hotspots", "report"):
    tap.ok("are for the program" in run(command, "--no-local", path).stdout,
           command + " says what its intervals are for")
    tap.ok("are for this run" in run(command, "--no-local", "--interval",
                                     "run", path).stdout,
           command + " --interval run says so")
    p = run(command, "--interval", "both", path)
    tap.ok(p.returncode == 2 and "is not program, run or none" in p.stderr,
           command + " --interval both is refused", p.stderr)
p = run("report", "--no-local", "-f", "json", path)
cells = [r["values"][0] for r in section(p, "symbols")["rows"]
         if "one" in r["values"]]
tap.ok(cells and cells[0]["interval"][1] - cells[0]["interval"][0] > 0.12,
       "the report's symbols have the same intervals", cells)
cells = [r["values"][0] for r in section(p, "threads")["rows"]]
tap.ok(len(cells) == 1 and cells[0]["interval"][0] > 0.99,
       "the only thread has all", cells)

# More than are kept in their order.
path = capture("long", [(i, 0, one)
                        for i, one in enumerate(phases(70000, 20))])
got = share(path)
tap.ok(got[1] < 0.3 < got[2] and 0.03 < width(got) < 0.07,
       "70,000 samples in phases", got)

# What CPUs did: the kernel's part is as sure as a function's of such phases.
path = os.path.join(tmp.name, "modes")
with open(os.path.join(tmp.name, "phases.text")) as f:
    text = f.read().replace("sample ip=%d " % 0x400010,
                            "sample misc=1 ip=0xffffffff81000010 ")
with open(path + ".text", "w") as f:
    f.write(text.replace("sample ip=", "sample misc=2 ip="))
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                path + ".text", path], check=True)
for args in (), ("--interval", "run"):
    p = run("report", "--no-local", "-f", "json", *args, path)
    cells = {r["values"][1]: r["values"][0]
             for r in section(p, "modes")["rows"]}
    got = [cells["kernel"]["value"]] + cells["kernel"]["interval"]
    want = share(os.path.join(tmp.name, "phases"), *args)
    tap.ok(got[0] == want[0] and
           width(want) / 1.2 < width(got) < width(want) * 1.2,
           " ".join(("modes",) + args), "%s %s" % (got, want))
# Where rows are not measured one by one, they have the mean of the functions'.
PLACE = {True: 0x400010, False: 0x500010}
names = os.path.join(tmp.name, "names")
os.mkdir(names)
with open(os.path.join(names, "perf-5.map"), "w") as f:
    f.write("400000 100 one\n500000 100 two\n600000 100 caller\n")


def counted(name, ones):
    """Cycles and instructions in one and two, and accesses to memory."""
    path = os.path.join(tmp.name, name)
    with open(path + ".text", "w") as f:
        f.write("attr cycles type=0 config=0 period=1000 ids=1 "
                "sample_type=IP|TID|TIME|ID|CPU|PERIOD|CALLCHAIN\n"
                "attr instructions type=0 config=1 period=1000 ids=2 "
                "sample_type=IP|TID|TIME|ID|CPU|PERIOD|CALLCHAIN\n"
                "attr cpu/mem-loads,ldlat=30/P type=4 config=0x1cd "
                "config1=30 period=1000 ids=3 "
                "sample_type=IP|TID|TIME|ID|CPU|PERIOD|WEIGHT|DATA_SRC\n"
                "comm 5 5 app\n")
        for at in PLACE.values():
            f.write("mmap pid=5 tid=5 addr=%d len=0x1000 pgoff=0 "
                    'name="//anon"\n' % (at & ~0xfff))
        f.write("mmap pid=5 tid=5 addr=0x600000 len=0x1000 pgoff=0 "
                'name="//anon"\n')
        for i, one in enumerate(ones):
            for k, event in enumerate(("cycles", "instructions")):
                f.write("sample %s ip=%d pid=5 tid=5 cpu=0 id=%d time=%d "
                        "period=1000 chain=user,%d,0x600010\n" %
                        (event, PLACE[one], k + 1, i * MS + 1000 + k,
                         PLACE[one]))
            f.write("sample cpu/mem-loads,ldlat=30/P ip=%d pid=5 tid=5 cpu=0 "
                    "id=3 time=%d period=1000 weight=100 "
                    "data_src=2|(2|8)<<5\n" % (PLACE[one], i * MS + 1002))
    made = subprocess.run([os.path.join(tap.top_builddir,
                                        "tests/tools/mkperf"),
                           path + ".text", path], capture_output=True,
                          text=True)
    tap.ok(made.returncode == 0, name + " is compiled", made.stderr)
    return path


def cell_of(path, slug, word, command, *args):
    """The first cell of the first row that has the word."""
    p = run(command, "--no-local", "--symbols", names, "-f", "json", *args,
            path)
    for row in section(p, slug)["rows"]:
        if any(isinstance(c, str) and word in c for c in row["values"]):
            return [row["values"][0]["value"]] + row["values"][0]["interval"]
    return None


even = counted("even", [draw.random() < 0.3 for _ in range(4000)])
burst = counted("burst", phases(4000, 20))
for slug, word, command, *args in (
        ("callers", "caller", "hotspots", "--callers", "one"),
        ("callees", "one", "hotspots", "--callees", "caller"),
        ("annotate", "one", "annotate"), ("symbols", "one", "cpi"),
        ("symbols", "one", "mem")):
    event = () if command in ("cpi", "mem") else ("-e", "cycles")
    one, many = (cell_of(path, slug, word, command, *event, *args)
                 for path in (even, burst))
    tap.ok(one and many and width(one) < 0.04 and
           0.12 < width(many) < 0.26 and many[1] < 0.3 < many[2],
           "%s: phases widen the intervals of %s" % (command, slug),
           (one, many))
    many = cell_of(burst, slug, word, command, *event, *args, "--interval",
                   "run")
    tap.ok(many and width(many) < 0.04, "%s: not for this run" % command, many)

tap.done()
