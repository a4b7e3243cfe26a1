#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Several captures as one: equal to the sum of each by itself, to the sample;
# kernels that lay elsewhere, JIT and BPF code; what cannot be added up.
import collections
import csv
import json
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

MKPERF = os.path.join(tap.top_builddir, "tests/tools/mkperf")
CORPUS = os.path.join(tap.top_srcdir, "corpus")
work = tempfile.TemporaryDirectory(prefix="coldperf-merge.")

CPU_CLOCK = ["good-fp", "good-dwarf", "good-events", "good-group", "good-jit",
             "good-jitdump", "good-clock", "good-system"]
TEXT = "attr %s type=0 config=%d period=%d sample_type=IP|TID|TIME|PERIOD|" \
    "CALLCHAIN flags=sample_id_all|mmap|comm|ksymbol%s\n"


def coldperf(*words):
    p = subprocess.run([tap.coldperf] + list(words), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


def path(*parts):
    return os.path.join(work.name, *parts)


def make(text, *to):
    os.makedirs(path(*to[:-1]), exist_ok=True)
    with open(path("in"), "w") as f:
        f.write(text)
    subprocess.run([MKPERF, path("in"), path(*to)], check=True)
    return path(*to)


def folded(captures, *options):
    status, out, err = coldperf("flame", "-f", "folded", "--no-cache",
                                *options, *captures)
    sums = collections.Counter()
    for line in out.splitlines():
        stack, weight = line.rsplit(" ", 1)
        sums[re.sub(r"\[(perf-\d+.map|jit-\d+.dump)\]", "[JIT]",
                    stack)] += int(weight)
    return sums, status, err


def rows(captures, *options):
    """Samples of all rows of hotspots, by event and names."""
    status, out, err = coldperf("hotspots", "-f", "json", "--top", "0",
                                "--no-cache", "--by", "event,comm,dso,symbol",
                                *options, *captures)
    sums = collections.Counter()
    for s in json.loads(out)["sections"] if out else ():
        for row in s["rows"] if s["slug"] == "hotspots" else ():
            samples, *names = row["values"][1:]
            # Those without a name are a row, of one it shows the address.
            key = tuple("[address]" if n.startswith("0x") or
                        n.endswith(" addresses]") else "[JIT]" if
                        re.fullmatch(r"perf-\d+.map|jit-\d+.dump", n) else n
                        for n in names)
            sums[key] += samples
    return sums, status, err


def sums_equal(captures, what, *options):
    for name, count in (("flame", folded), ("hotspots", rows)):
        union, status, err = count(captures, *options)
        single = collections.Counter()
        for c in captures:
            single += count([c], *options)[0]
        tap.ok(status == 0 and union == single and single,
               "%s: %s of all is the sum of each" % (what, name),
               (status, err, list((union - single).items())[:9],
                list((single - union).items())[:9]))


def recorded():
    corpus = [os.path.join(CORPUS, n, "perf.data") for n in CPU_CLOCK]
    corpus = [c for c in corpus if os.path.exists(c)]
    if len(corpus) != len(CPU_CLOCK):
        tap.skip("captures of the corpus are not here")
        return
    symbols = [w for n in CPU_CLOCK for w in
               ("--symbols", os.path.join(CORPUS, n, "symbols"))
               if os.path.isdir(os.path.join(CORPUS, n, "symbols"))]
    sums_equal(corpus, "recorded captures", *symbols)
    sums_equal(corpus, "with inlined functions", "--inline", "yes", *symbols)


def modules():
    """A module whose path is known is [snd_hda] in a sum, too."""
    name = "/lib/modules/6.1.0/snd-hda.ko"
    text = TEXT % ("cycles", 0, 1000, "") + 'build_id %s "%s" misc=1\n' \
        "mmap pid=-1 tid=0 addr=0xffffffffa0000000 len=0x1000 pgoff=0 " \
        'misc=1 name="%s"\nsample cycles misc=1 ip=0xffffffffa0000020 ' \
        "pid=1 time=5 chain=kernel,0xffffffffa0000020\n" % ("22" * 20, name,
                                                            name)
    captures = [make(text, n + ".module.data") for n in "ab"]
    sums_equal(captures, "a module with a build ID")
    tap.ok("[snd_hda]" in coldperf("hotspots", "--by", "dso", *captures)[1],
           "its name is that of a module")


KERNEL = """mmap pid=-1 tid=0 addr=%d len=128 pgoff=%d misc=1 \
name="[kernel.kallsyms]_text"
build_id %s "[kernel.kallsyms]" misc=1
"""
LINKED = 0xffffffff81000000


def host(rng, number, loaded):
    """A capture: two events, kernel, JIT and BPF code, a file."""
    bpf = 0xffffffffc0001000 + rng.randrange(64) * 0x1000
    jit = 0x7f0000000000 + rng.randrange(1 << 20) * 0x1000
    pid = 100 + number
    text = TEXT % ("cycles", 0, 1000, " ids=1") + \
        TEXT % ("faults", 5, 1, " ids=2")
    text = text.replace("IP|TID", "ID|IP|TID").replace(
        "faults type=0 config=5", "faults type=1 config=2")
    text += 'feature hostname "host%d"\n' % number
    text += KERNEL % (loaded, loaded, "11" * 20)
    text += 'comm %d %d "work"\n' % (pid, pid)
    text += 'mmap pid=%d addr=0x400000 len=0x1000 pgoff=0 name="/bin/prog"\n' \
        % pid
    text += 'mmap pid=%d addr=%d len=0x10000 pgoff=0 name="//anon"\n' \
        % (pid, jit)
    text += 'ksymbol addr=%d len=0x200 name="bpf_prog_aa_first" time=1\n' % bpf
    places = [loaded + 64, loaded + 100, bpf + 16, jit + 0x20, jit + 0x128,
              0x400010 + 4 * number, 0x400100]
    for time in range(300):
        ip, caller = rng.choice(places), rng.choice(places[3:])
        level, chain = (1, "kernel,%d,user,%d") if ip >> 63 else \
            (2, "user,%d,%d")
        text += "sample %s misc=%d ip=%d pid=%d time=%d period=%d " \
            "chain=%s\n" % (rng.choice(("cycles", "faults")), level, ip, pid,
                            time + 10, rng.randrange(1, 5000),
                            chain % (ip, caller))
    capture = make(text, "host%d" % number, "perf.data")
    with open(path("host%d" % number, "perf-%d.map" % pid), "w") as f:
        f.write("%x 100 Main.run\n%x 100 Main.fast\n" % (jit, jit + 0x100))
    return capture


def made():
    rng = random.Random(7)
    with open(path("kallsyms"), "w") as f:
        for where, symbol in ((0, "_text"), (0, "_stext"), (64, "do_one"),
                              (96, "do_two"), (128, "_etext")):
            f.write("%016x T %s\n" % (LINKED + where, symbol))
    hosts = [host(rng, i, LINKED + i * 0x200000) for i in range(5)]
    names = "--symbols", path("kallsyms")
    for event in ("cycles", "faults"):
        sums_equal(hosts, "five hosts, " + event, "-e", event, *names)
    union, status, err = folded(hosts, "-e", "cycles", *names)
    leaves = {s.split(";")[-1] for s in union}
    tap.ok(leaves == {"do_one", "do_two", "bpf_prog_aa_first", "Main.run",
                      "Main.fast", "[prog]"},
           "kernels that lie elsewhere, JIT and BPF code have one name",
           (leaves, err))
    frames = profile_count(hosts, "frames", names)
    tap.ok(frames == 2 + 1 + 2 * (2 + len(hosts) + 1),
           "a frame is one on all hosts, as a leaf and as a caller", frames)
    one = folded(hosts, *names)[0], folded(hosts[::-1], *names)[0]
    out = [coldperf("hotspots", *names, *w)[1] for w in
           (hosts, hosts[2:] + hosts[:2])]
    tap.ok(one[0] == one[1] and out[0] == out[1] and out[0],
           "in whatever order they are given")
    account(hosts, names)
    return hosts


SOURCE = """static inline __attribute__((always_inline)) int inner(int x)
{ int s = 0; for (int i = 0; i < x; i++) s += i * (x ^ i); return s; }
int outer(int n)
{ return inner(n) + 3; }
"""


def inlined():
    with open(path("code.c"), "w") as f:
        f.write(SOURCE)
    cc = os.environ.get("CC", "cc").split() + [
        "-O1", "-g", "-fPIC", "-shared", "-nostdlib",
        "-Wl,--build-id=0x" + "33" * 20]
    for need in (cc + ["-o", path("code.so"), path("code.c")],
                 ["nm", "-S", path("code.so")]):
        try:
            p = subprocess.run(need, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
        except OSError:
            p = None
        if p is None or p.returncode:
            tap.skip("no %s that makes a library" % need[0])
            return
    at, size = [int(w, 16) for line in p.stdout.decode().splitlines()
                for w in line.split()[:2] if line.endswith(" outer")]
    rng = random.Random(3)
    both = []
    for i in range(2):
        text = TEXT % ("cycles", 0, 1000, "") + \
            "build_id %s %s\n" % ("33" * 20, path("code.so")) + \
            "mmap pid=8 addr=0x10000000 len=0x10000 pgoff=0 name=%s\n" \
            % path("code.so")
        for time in range(200):
            ip = 0x10000000 + at + rng.randrange(size)
            text += "sample ip=%d pid=8 time=%d period=%d chain=user,%d\n" \
                % (ip, time + 1, rng.randrange(1, 99), ip)
        both.append(make(text, "inlined", "%d.data" % i))
    sums_equal(both, "inlined functions", "--inline", "yes")
    leaves = {s.split(";")[-1] for s in folded(both, "--inline", "yes")[0]}
    tap.ok(any(s.startswith("inner") for s in leaves),
           "they are in the sum", leaves)
    query = "SELECT line, count(*) FROM samples JOIN stack_functions " \
        "USING (stack) GROUP BY 1 ORDER BY 1"
    lines = [collections.Counter(), collections.Counter()]
    for to, runs in ((0, [both]), (1, [[c] for c in both])):
        for captures in runs:
            out = json.loads(coldperf("sql", "-f", "json", *captures,
                                      query)[1])
            for t in out["sections"]:
                for r in t["rows"] if t["type"] == "table" else ():
                    lines[to][r["values"][0]] += r["values"][1]
    tap.ok(lines[0] == lines[1] and sum(lines[0].values()) >= 400,
           "and so are lines", lines)


def profile_count(captures, key, names):
    out = json.loads(coldperf("profile", "-f", "json", *names, *captures)[1])
    return [s["value"] for d in out["sections"] if d["slug"] == "profile"
            for s in d["scalars"] if s["key"] == key][0]


def account(hosts, names):
    out = json.loads(coldperf("flame", "-f", "json", *names, *hosts)[1])
    tables = {s["slug"]: s for s in out["sections"]}
    got = [(r["values"][0], r["values"][5], r["values"][7])
           for r in tables["captures"]["rows"]]
    tap.ok(got == [(300, "host%d" % i, c) for i, c in enumerate(hosts)],
           "the account of each capture is kept", got)
    total = {s["key"]: s["value"] for s in tables["quality"]["scalars"]}
    tap.ok(total["samples"] == 1500 and total["bytes_total"] ==
           sum(os.path.getsize(c) for c in hosts),
           "and they are added up", total)


def folder(hosts):
    os.mkdir(path("folder"))
    for i, capture in enumerate(hosts):
        os.link(capture, path("folder", "%d.data" % i))
    # What lies beside a capture is no other one.
    first = path("folder", "perf.data")
    os.rename(path("folder", "0.data"), first)
    want = folded([first] + [path("folder", "%d.data" % i)
                             for i in range(1, len(hosts))])
    for name in "old", "tar.bz2", "svg":
        with open(first + "." + name, "w") as f:
            f.write("no capture\n")
    for command in "pack", "snapshot":
        coldperf(command, "--no-local", first)
    tap.ok(os.path.exists(first + ".tar.zst") and
           os.path.exists(first + ".cold"), "made beside the capture")
    got = folded([path("folder")])
    tap.ok(got[0] == want[0] and got[0] and got[1] == 0,
           "a folder stands for its captures", got)
    os.mkdir(path("many"))
    for i in range(1010):
        shutil.copy(hosts[0], path("many", "%d.data" % i))
    status, out, err = coldperf("quality", "-f", "json", path("many"))
    label = json.loads(out)["sections"][0]["scalars"]
    tap.ok("1010 captures" in [s["value"] for s in label],
           "however many they are", err)
    shutil.rmtree(path("many"))
    overview(hosts)
    status, out, err = coldperf("flame", hosts[0], hosts[1], hosts[0])
    tap.ok(status == 2 and "is given twice" in err and not out,
           "none counts twice", err)
    link = hosts[0] + ".link"
    os.symlink(hosts[0], link)
    for again in (link, os.path.join(os.path.dirname(hosts[0]), ".",
                                     os.path.basename(hosts[0]))):
        status, out, err = coldperf("flame", hosts[0], again)
        tap.ok(status == 2 and "is given twice" in err and not out,
               "nor by another path", err)
    os.unlink(link)
    status, out, err = coldperf("sched", hosts[0], hosts[1])
    tap.ok(status == 2 and "one capture at a time" in err,
           "what needs all records takes one capture", err)
    status, out, err = coldperf("flame", "-f", "folded", "--pid", "101",
                                *hosts)
    tap.ok(status == 0 and out, "a filter may fit one of them only", err)
    status, out, err = coldperf("flame", "-f", "folded", "--pid", "7", *hosts)
    tap.ok(status == 2 and "no-match" in err and not out,
           "not none of them", err)


def overview(hosts):
    """Of several captures report says what samples tell, and no more."""
    status, out, err = coldperf("report", "-f", "json", path("folder"))
    sections = {s["slug"]: s for s in json.loads(out)["sections"]}
    label = {s["key"]: s["value"] for s in sections["label"]["scalars"]}
    events = {r["values"][2]: r["values"][0]
              for r in sections["events"]["rows"]}
    single = collections.Counter()
    for h in hosts:
        for key, n in rows([h])[0].items():
            single[key[0]] += n
    tap.ok(status == 0 and label["samples"] == 1500 and events == single and
           label["capture"] == "5 captures", "report of a folder",
           (label, events, single))
    tap.ok("missing" not in sections and "cpi" not in sections and
           any("in the report of each" in n
               for n in sections["notes"]["notes"]),
           "and what needs other records is left to single reports",
           list(sections))


def unlike():
    body = "mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name=/bin/prog\n" \
        "sample ip=0x400010 pid=8 time=1\nsample ip=0x400018 pid=8 time=2\n"
    kinds = {
        "periods": TEXT % ("cycles", 0, 1000, ""),
        "frequency": TEXT.replace("|PERIOD", "") %
        ("cycles", 0, 1000, "|freq"),
        "other": TEXT % ("cycles", 1, 1000, ""),
        "empty": TEXT % ("faults", 0, 1000, "") +
        TEXT % ("cycles", 1, 1000, ""),
        "rate": TEXT % ("cycles", 0, 500, ""),
    }
    c = {k: make(v + body, "unlike", k)
         for k, v in kinds.items()}
    for a, b, options, why in (
            ("periods", "frequency", (), "only some captures have"),
            ("periods", "other", (), "stands for two events"),
            ("periods", "rate", ("--weight", "samples"), "other rates"),
            ("periods", "rate", (), None),
            ("periods", "empty", (), None),
            ("frequency", "frequency", (), "given twice")):
        status, out, err = coldperf("hotspots", *options, c[a], c[b])
        tap.ok(status == (2 if why else 0) and (why or "") in err and
               (why is None or why == "given twice" or
                "(unlike-captures)" in err),
               "%s and %s: %s" % (a, b, why or "are added up"), (status, err))


def rates():
    """10 samples at 99 Hz and 100 at 999 Hz: each a tenth of a second."""
    body = "mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name=/bin/prog\n" \
        "repeat %d as i {\nsample ip=0x400010 pid=8 time=1+i%s\n}\n"

    def capture(name, event, hz, count, period=0):
        text = TEXT % (event, event == "cycles", hz, "|freq")
        return make(text.replace("cycles type=0 config=1", "cycles type=0 "
                                 "config=0").replace(
            "cpu-clock type=0", "cpu-clock type=1").replace(
            "" if period else "|PERIOD", "") +
            body % (count, " period=%d" % period if period else ""), name)
    periods = [capture("p99", "cpu-clock", 99, 10, 10101010),
               capture("p999", "cpu-clock", 999, 100, 1001001)]
    without = [capture("w99", "cpu-clock", 99, 10),
               capture("w999", "cpu-clock", 999, 100)]
    cycles = [capture("c99", "cycles", 99, 10),
              capture("c999", "cycles", 999, 100)]
    sum_of = 10 * 10101010 + 100 * 1001001

    def weighed(weight, captures):
        status, out, err = coldperf("sql", "-f", "csv", "--weight", weight,
                                    *captures, "SELECT unit, weight, samples "
                                    "FROM events")
        return out.splitlines()[1:] if status == 0 else \
            "unlike-captures" in err and re.search("--weight (\\w+)",
                                                   err).group(1)
    for what, captures, weight, want in (
            ("recorded periods add up", periods, "period", "ns"),
            ("as times, too", periods, "time", "ns"),
            ("their numbers do not", periods, "samples", None),
            ("rates alone do not", without, "period", None),
            ("clocks at two rates as times", without, "time", "ns"),
            ("periods and rates as times", [periods[0], without[1]], "time",
             "ns"),
            ("periods and rates do not", [periods[0], without[1]], "period",
             None),
            ("cycles at two rates as times", cycles, "time", "ns"),
            ("numbers of cycles do not", cycles, "samples", None)):
        for each in captures, captures[::-1]:
            got = weighed(weight, each)
            tap.ok(got == (["%s,%d,110" % (want, sum_of)] if want else
                           "period" if weight == "samples" else "time"),
                   what, got)
    cold = path("rates.cold")
    coldperf("merge", "--weight", "time", "-o", cold, *cycles)
    got = weighed("time", [cold])
    tap.ok(got == ["ns,%d,110" % sum_of], "a sum has the times", got)
    got = coldperf("quality", "--weight", "time", cold)[1]
    tap.ok("cycles (up to 999 Hz)" in got, "and says that rates differed", got)
    status, out, err = coldperf("quality", cold)
    tap.ok(status == 2 and "the snapshot counts ns of cycles" in err,
           "and that it counts no cycles", (status, err))


def alike(what, captures, cold, *options):
    """A sum says what its captures say, with these options."""
    want, got = (coldperf("flame", "-f", "folded", *options, *c)
                 for c in (captures, [cold]))
    tap.ok(want[:2] == got[:2] and (want[1] or want[0] == 2),
           "%s: %s" % (what, " ".join(options)), (want, got))
    return want, got


CLOCKED = "attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|" \
    "PERIOD flags=sample_id_all|mmap|comm\n%smmap pid=8 addr=0x400000 " \
    "len=0x1000 pgoff=0 name=/bin/prog\nrepeat %d as i {\n" \
    "sample ip=0x400010 pid=8 time=%d+i*%d period=1+i\n}\n"
WALL = 1700000000


def clocked(name, first, count, step, told=True):
    """Begins 50 ms before its first sample and ends 100 ms after the last."""
    said = "feature sample_time %d %d\n" % (first - 50000000, first + 100000000
                                            + (count - 1) * step) + \
        "feature clock_data clockid=1 tod_ns=%d clockid_ns=%d\n" % (
            WALL * 10 ** 9, first) if told else ""
    return make(CLOCKED % (said, count, first, step), "times", name)


def times():
    """--time asks each capture of a sum by its own clock."""
    a = clocked("a.data", 10 ** 9, 50, 20000000)
    b = clocked("b.data", 77 * 10 ** 9, 20, 100000000)
    c = clocked("c.data", 5 * 10 ** 9, 10, 1000000, False)
    cold, sum_of, other = (path("times", n + ".cold") for n in
                           ("two", "sum", "three"))
    for to, captures in (cold, [a, b]), (other, [a, b, c]):
        coldperf("merge", "-o", to, *captures)
    coldperf("snapshot", "-e", "cycles", "-o", path("times", "b.cold"), b)
    coldperf("merge", "-o", sum_of, a, path("times", "b.cold"))
    for time in ("+0.1,+0.2", "+0.5,", ",+0.1", "100ms", "10%,50%", "60%,",
                 "1.1,1.3", "77.5,", "+1.2,+1.4", "+1.04,+1.049", "+50,+60",
                 "2023-11-14T22:13:20.5Z,2023-11-14T22:13:21Z",
                 "22:13:20.1Z,22:13:20.2Z"):
        for what, captures in (cold, "two captures"), (sum_of, "a sum of sums"):
            want, got = alike(captures, [a, b], what, "--time", time)
            tap.ok(("-match)" in want[2]) == ("-match)" in got[2]),
                   "the same is said of it", (want[2], got[2]))
    want, got = alike("moved clocks", [a, b], cold, "--time",
                      "2001-09-09T01:46:41Z,2001-09-09T01:46:42Z",
                      "--clock-offset", "999999999.5")
    tap.ok(want[1] == ":8;[prog] %d\n" % sum(range(26, 51)), "by hand: 1.5 to 2.5",
           want)
    for time in "+0.001,+0.003", "5.001,5.003", "+0.5,":
        alike("one tells no times", [a, b, c], other, "--time", time)
    for time in "10%,50%", "60%,":
        want, got = alike("one tells no end", [a, b, c], other, "--time", time)
        tap.ok("does not say when it ends" in want[2] and
               "does not say when it ends" in got[2] and
               "match" not in want[2] + got[2] and " × bad" not in want[2],
               "one message", (want[2], got[2]))
    status, out, err = coldperf("diff", "-f", "json", "--time", "+0.5,+0.6",
                                "--time", "+0.6,+0.8", cold, cold)
    rows = [r["values"] for s in json.loads(out)["sections"]
            if s["slug"] == "captures" for r in s["rows"]]
    tap.ok([r[3] for r in rows][:2] == [2 * 10 ** 8, 4 * 10 ** 8],
           "diff: windows of two captures last twice as long", (rows, err))


def from_one(name, wall, minutes):
    """A sample a minute from that second on."""
    return make(CLOCKED % (
        "feature clock_data clockid=1 tod_ns=%d clockid_ns=%d\n" %
        (wall * 10 ** 9, 10 ** 9), minutes, 10 ** 9, 60 * 10 ** 9),
                "summer", name)


def summer_time():
    """A time of day is that of each capture's day, also where clocks change."""
    os.environ["TZ"] = "CET-1CEST,M3.5.0,M10.5.0/3"
    # From 1:00 on, local time: the day before, that of the change, October's.
    captures = [from_one("%d.data" % i, wall, 300) for i, wall in
                enumerate((1774656000, 1774742400, 1792882800))]
    cold = path("summer", "all.cold")
    coldperf("merge", "-o", cold, *captures)
    time = "01:30:00,03:30:00"
    for first, last, told, capture in zip(
            (30, 30, 30), (150, 90, 210),
            ("00:30:00Z,02:30:00Z", "00:30:00Z,01:30:00Z",
             "23:30:00Z,02:30:00Z"), captures):
        status, out, err = coldperf("flame", "-f", "folded", "--time", time,
                                    capture)
        tap.ok(out == ":8;[prog] %d\n" % sum(range(first + 1, last + 2)),
               "%s: from minute %d to %d" % (time, first, last), (out, err))
        out = coldperf("hotspots", "--time", time, capture)[1]
        tap.ok("--time %s\n" % told in out, "and told as %s" % told, out)
        again = coldperf("hotspots", "--time", told, capture)[1]
        tap.ok(again == out, "which chooses the same", (again, out))
    alike("days of other lengths", captures, cold, "--time", time)
    out = coldperf("hotspots", "--time", time, cold)[1]
    tap.ok("1 of --time 00:30:00Z,02:30:00Z; 1 of --time 00:30:00Z,01:30:00Z; "
           "1 of --time 23:30:00Z,02:30:00Z\n" in out,
           "a sum tells what was chosen of each", out)
    del os.environ["TZ"]


def unlike_sum():
    """What is refused of captures is refused of their sum."""
    text = TEXT % ("cycles", 0, 1000, " ids=1") + \
        TEXT % ("faults", 1, 1000, " ids=2") + \
        "mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name=/bin/prog\n" \
        "repeat 9 as i {\nsample cycles ip=0x400010 pid=8 time=1+i*9 " \
        "period=77\nsample faults ip=0x400010 pid=8 time=2+i*9 period=5\n}\n"
    text = text.replace("IP|TID", "ID|IP|TID")
    often = text.replace("period=1000", "period=100", 1)
    both = [make(t, "unlike", n + ".r.data") for t, n in ((text, "a"),
                                                          (often, "b"))]
    cold = path("unlike", "r.cold")
    coldperf("merge", "-o", cold, *both)
    want, got = alike("rates", both, cold, "--weight", "samples")
    tap.ok("(unlike-captures): event cycles: it was sampled at other rates" in
           want[2] and "(unlike-captures): event cycles: it was sampled at "
           "other rates" in got[2], "for the same reason", (want, got))
    tap.ok("its captures tell: the snapshot counts cycles" in got[2],
           "and where to ask is said", got)
    alike("one rate", both, cold, "--weight", "samples", "-e", "faults")
    alike("periods", both, cold, "-e", "cycles")


def time_weights():
    """--weight time is told of a snapshot where events have one rate."""
    text = TEXT % ("cycles", 0, 99, "|freq") + \
        "mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name=/bin/prog\n" \
        "repeat 9 as i {\nsample ip=0x400010 pid=8 time=1+i*9%s\n}\n"
    clock = text.replace("type=0 config=0", "type=1 config=0")
    for name, body, period, rate in (
            ("cycles", text, " period=77", 9 * 10101010),
            ("clock", clock, " period=77", 9 * 77),
            ("bare", clock.replace("|PERIOD", ""), "", 9 * 10101010)):
        both = [make(body % period, "weights", name + n) for n in "ab"]
        cold = path("weights", name + ".cold")
        for how in ("period", "time") if name != "cycles" else ("period",
                                                                "samples"):
            coldperf("merge", "-o", cold, "--weight", how, *both)
            want, got = alike("%s counted by %s" % (name, how), both, cold,
                              "--weight", "time")
            tap.ok(want[1] == ":8;[prog] %d\n" % (2 * rate), "by hand", want)
    each = make(text.replace("|freq", "") % " period=77", "weights", "each")
    other = make(text.replace("=99", "=999") % " period=77", "weights", "other")
    for captures, said in ([each], "cycles of cycles, and not --weight time; "
                           "--weight samples can be counted"), \
            ([other, path("weights", "cyclesa")],
             "cycles of cycles at several rates, and not --weight time\n"):
        coldperf("merge", "-o", cold, *captures)
        status, out, err = coldperf("hotspots", "--weight", "time", cold)
        tap.ok(status == 2 and said in err, "else it is refused", err)


def unlike_by_order():
    """Which capture's path comes first does not matter."""
    two = "attr cycles type=%d config=0 period=1000 ids=1 sample_type=IP|" \
        "TID|TIME|PERIOD|IDENTIFIER flags=sample_id_all|mmap|comm\n" \
        "attr faults type=1 config=2 period=1 ids=2 sample_type=IP|TID|TIME|" \
        "PERIOD|IDENTIFIER flags=sample_id_all\n" \
        "mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name=/bin/prog\n" \
        "sample faults ip=0x400010 pid=8 time=9 period=1\n"
    some = "sample cycles ip=0x400010 pid=8 time=1 period=1000\n"

    def capture(name, kind, body=some):
        return make(two % kind + body, "order", name)

    for kinds, why in (((0, 10), "two events"), ((10, 0), "two events"),
                       ((10, 10), None), ((10, 11), None)):
        files = [capture("%d.data" % i, k) for i, k in enumerate(kinds)]
        status, out, err = coldperf("hotspots", "-e", "cycles", *files)
        tap.ok(status == (2 if why else 0) and (why or "") in err,
               "one name of the PMUs %d and %d" % kinds, (status, err))
    none = capture("0.data", 0, "")
    for kinds, why in (((1, 1), None), ((1, 0), "two events"),
                       ((0, 0), None)):
        files = [capture("%d.data" % (i + 1), k)
                 for i, k in enumerate(kinds)]
        status, out, err = coldperf("hotspots", "-e", "cycles", none, *files)
        tap.ok(status == (2 if why else 0) and (why or "") in err,
               "after one without samples: %d and %d" % kinds, (status, err))


def disagree():
    text = TEXT % ("cycles", 0, 1000, "") + \
        'feature osrelease "4.4.88"\nfeature arch "aarch64"\n' \
        'feature sp_meta_info "simpleperf_version" "1.build.1"\n' \
        "build_id %s /system/bin/sleep\n" \
        "mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 " \
        "name=/system/bin/sleep\n" \
        "sample ip=0x400010 pid=8 time=1 period=1\n" \
        "sp_dso dso_type=2 id=1 min_vaddr=0x1000 name=/system/bin/sleep\n" \
        "sp_symbol addr=0x1010 len=8 dso=1 name=%s\n"
    a, b, c = (make(text % ("22" * 20, name), "names", name + ".data")
               for name in ("main", "start", "unused"))
    same = make(text % ("22" * 20, "main"), "names", "same.data")
    status, out, err = coldperf("flame", "-f", "folded", a, b)
    tap.ok(status == 0 and "(captures-disagree)" in err and "22" * 20 in err
           and sorted(x.split(";")[-1] for x in out.splitlines()) ==
           ["main 1", "start 1"],
           "other names under one build ID are said, and counted apart",
           (status, out, err))
    status, out, err = coldperf("flame", "-f", "folded", a, same)
    tap.ok(status == 0 and "disagree" not in err and out.endswith("main 2\n"),
           "the same name is not", (status, out, err))


def each_address(hosts):
    """Addresses without names are as in the single runs, from _text on."""
    def rows_of(*captures):
        out = coldperf("hotspots", "--addresses", "--top", "0", "-f", "csv",
                       "--no-local", "--by", "dso,symbol", *captures)[1]
        sums = collections.Counter()
        for row in csv.DictReader(out.splitlines()):
            if row["symbol"].startswith("0x"):
                at = int(row["symbol"], 16)
                sums[row["object"], at % 0x200000 if at >> 63 else at] += \
                    int(row["samples"])
        return sums

    single = sum((rows_of(h) for h in hosts), collections.Counter())
    tap.ok(rows_of(*hosts) == single and len(single) > len(hosts),
           "each address without a name is a row of its own",
           (rows_of(*hosts), single))


def kernels():
    """Without a build ID a kernel is known by where it says it lies."""
    def capture(name, loaded, release, ip, fields="mmap|comm"):
        text = (TEXT % ("cycles", 0, 1000, "")).replace("mmap|comm", fields)
        if release:
            text += 'feature osrelease "%s"\n' % release
        text += (KERNEL % (loaded, loaded, "")).split("build_id")[0]
        text += "sample misc=1 ip=%d pid=8 time=1 period=1 chain=kernel,%d\n" \
            % (ip, ip)
        return make(text, "kernels", name)

    def addresses(*captures):
        out = coldperf("hotspots", "--addresses", "--top", "0", "-f", "csv",
                       "--no-local", "--by", "dso,symbol", *captures)[1]
        return sorted((line.split(",")[-1], line.split(",")[3])
                      for line in out.splitlines()[1:])

    at = LINKED + 0x200000
    a = capture("a.data", LINKED, "6.1.0", LINKED + 8)
    moved = capture("b.data", at, "6.1.0", at + 8)
    other = capture("c.data", at, "6.2.0", at + 8)
    silent = capture("d.data", at, None, at + 8)
    hidden = capture("e.data", 0, "6.1.0", at + 8)
    one = "0x%016x" % (LINKED + 8), "0x%016x" % (at + 8)
    tap.ok(addresses(a, moved) == [(one[0], "2")],
           "one kernel at two places", addresses(a, moved))
    for what, b in (("of another release", other), ("of no release", silent),
                    ("that hides where it lies", hidden)):
        got = addresses(a, b)
        tap.ok(got == [(one[0], "1"), (one[1], "1")],
               "addresses of a kernel %s stay as they are" % what, got)
    colds = []
    for capture in a, moved, other, silent, hidden:
        colds.append(capture + ".cold")
        coldperf("merge", "--no-local", "-o", colds[-1], capture)
    for pair in (colds[0], colds[1]), (colds[0], moved), (a, colds[1]):
        got = addresses(*pair)
        tap.ok(got == [(one[0], "2")], "one kernel, of a snapshot", got)
    for cold in colds[2:]:
        got = addresses(a, cold)
        tap.ok(got == [(one[0], "1"), (one[1], "1")],
               "other kernels of snapshots stay apart", got)


def sample_types():
    """A sample may weigh its frequency by chance: periods were recorded."""
    text = TEXT % ("cycles", 0, 99, "|freq") + \
        "mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name=/bin/prog\n" \
        "sample ip=0x400010 pid=8 time=1 period=%d\n"
    a, b = (make(text % n, "types", "%d.data" % n) for n in (99, 700))
    status, out, err = coldperf("merge", "-o", path("types", "a.cold"), a)
    status, out, err = coldperf("flame", "-f", "folded",
                                path("types", "a.cold"), b)
    tap.ok(status == 0 and out.endswith(" 799\n"),
           "a snapshot tells that periods were recorded", (status, out, err))


def said_of_each(hosts):
    """A diagnostic names the capture it is about, not the last one."""
    with open(path("cut.data"), "wb") as f, open(hosts[0], "rb") as whole:
        f.write(whole.read()[:-7])
    for command in ("flame", "hotspots", "merge -o " + path("new.cold")):
        status, out, err = coldperf(*command.split(), path("cut.data"),
                                    path("host3", "perf.data"))
        said = [s for s in err.splitlines() if "(bad-feature)" in s]
        tap.ok(status == 3 and said and all(path("cut.data") + ":" in s
                                            for s in said),
               "%s names the capture that is cut" % command.split()[0], err)


def damaged_before(hosts):
    """What was read of damaged captures is still not all of them."""
    with open(path("part.data"), "wb") as f, open(hosts[0], "rb") as whole:
        data = whole.read()
        f.write(data[:len(data) // 2])
    whole, cold, again = path("whole.cold"), path("part.cold"), path("2.cold")
    made = coldperf("merge", "-o", cold, path("part.data"), hosts[1])
    tap.ok(made[0] == 3 and coldperf("merge", "-o", again, cold)[0] == 3 and
           coldperf("merge", "-o", whole, *hosts[:2])[0] == 0,
           "a damaged capture and a whole one are added up", made)
    for command in "report", "quality", "hotspots", "flame -f folded":
        for name, n in (cold, 1), (again, 1), (whole, 0):
            status, out, err = coldperf(*command.split(), name)
            said = err.count("(were-damaged)")
            told = "1 of 2, first %s: " % path("part.data") in err
            tap.ok(status == 3 * n and said == n and told == bool(n) and out,
                   "%s of %s" % (command, os.path.basename(name)),
                   (status, err))
    status, out, err = coldperf("hotspots", cold, again)
    tap.ok(status == 3 and "2 × " in err,
           "each of several snapshots is counted", (status, err))


UNWOUND = "attr a type=1 period=1 sample_type=IP|TID|TIME|PERIOD|CALLCHAIN%s" \
    " flags=sample_id_all|mmap|comm\nfeature arch x86_64\n" \
    "mmap pid=7 addr=0x400000 len=0x1000 pgoff=0 name=/gone/prog\n" \
    "repeat 30 as i {\nsample a ip=0x400010 pid=7 time=50+i misc=2 %s\n}\n"


def dumped_stacks():
    """Stacks that were unwound are no broken chains of frame pointers."""
    dump = make(UNWOUND % ("|REGS_USER|STACK_USER sample_regs_user=0x1ff "
                           "sample_stack_user=64",
                           "chain= regs_user=2,0,0,0,0,0,0,1,4096,0x400010 "
                           "stack_size=64 stack_dyn=16 stack=" +
                           "1000400000000000" * 2), "dump.data")
    # The captures are added up in the order of their names.
    before = make(UNWOUND % ("", "chain=user,0x400010"), "b.data")
    after = make(UNWOUND % ("", "chain=user,0x400010"), "e.data")
    cold, mixed = path("dump.cold"), path("mixed.cold")
    coldperf("merge", "-o", cold, dump)
    coldperf("merge", "-o", mixed, before, dump)
    for captures in [before, dump], [dump, after], [cold], [mixed], \
            [before, cold]:
        what = " ".join(os.path.basename(c) for c in captures)
        out = coldperf("report", *captures)[1]
        tap.ok("there are no frame pointers" not in out and
               "end before the outermost function" in out,
               "report of %s: no chain is broken" % what, out)
        status, out, err = coldperf("quality", "-f", "csv", *captures)
        rows = list(csv.DictReader(out.splitlines()))
        tap.ok(status == 0 and len(rows) == 1 and rows[0]["stacks"] == "30" and
               rows[0]["share"] == "1" and "broken" not in out,
               "quality of %s: where stacks ended" % what, (status, out, err))
    for cold in cold, mixed:
        err = coldperf("flame", "-f", "folded", "--callchain", "fp", cold)[2]
        tap.ok("(other-callchains): --callchain fp: what the snapshot's "
               "stacks were unwound to is shown" in err,
               "%s says that these are no chains of frame pointers" %
               os.path.basename(cold), err)
    out = coldperf("quality", "-f", "csv", before)[1]
    tap.ok("user_chains" in coldperf("quality", "-f", "json", before)[1],
           "chains alone are judged", out)


def first_without():
    """The first capture has no stacks; those of the next are still seen."""
    plain = make(TEXT.replace("|CALLCHAIN", "") % ("b", 1, 1, "") +
                 "mmap pid=7 addr=0x400000 len=0x1000 pgoff=0 name=/gone/b\n"
                 "sample b ip=0x400010 pid=7 time=5\n", "0plain.data")
    chains = make(TEXT % ("a", 0, 1, "") +
                  "mmap pid=7 addr=0x400000 len=0x1000 pgoff=0 name=/a.so\n"
                  "mmap pid=7 addr=0x500000 len=0x1000 pgoff=0 name=/libc.so\n"
                  "repeat 30 as i {\nsample a ip=0x400010 pid=7 time=50+i "
                  "misc=2 chain=user,0x400010,0x500010\n}\n", "chains.data")
    cold = path("first.cold")
    coldperf("merge", "-o", cold, plain, chains)
    for captures in [chains], [plain, chains], [cold]:
        out = coldperf("quality", "-f", "json", *captures)[1]
        got = {s["key"]: s["value"] for d in json.loads(out)["sections"]
               for s in d.get("scalars", ()) if d["slug"] == "chains"}
        tap.ok(got.get("user_chains") == 30 and got.get("broken") == 0,
               "quality of %d: chains are judged whole" % len(captures), got)
    dump = make(UNWOUND % ("|REGS_USER|STACK_USER sample_regs_user=0x1ff "
                           "sample_stack_user=64",
                           "chain= regs_user=2,0,0,0,0,0,0,1,4096,0x400010 "
                           "stack_size=64 stack_dyn=16 stack=" +
                           "1000400000000000" * 2), "dump.data")
    out = coldperf("hotspots", plain, dump)[1]
    tap.ok("quality:  30 user stacks unwound in part" in out,
           "hotspots says how they were unwound", out)


def after_all():
    """Sums that perf wrote at the end have no time, in a sum, too."""
    text = TEXT % ("a", 0, 1, "") + \
        "mmap pid=7 addr=0x400000 len=0x1000 pgoff=0 name=/gone/prog\n" \
        "sample a ip=0x400010 pid=7 time=1000\n" \
        "sample a ip=0x400010 pid=7 time=%s\n"
    sums = make(text % "0xffffffff00000000", "0sums.data")
    usual = make(text % 31000, "usual.data")
    cold = path("sums.cold")
    coldperf("merge", "-o", cold, sums, usual)
    for captures in [sums, usual], [cold]:
        out = coldperf("report", *captures)[1]
        tap.ok(re.search(r"duration: 30\.00\d us", out),
               "the length is that of what has times", out)
        out = coldperf("hotspots", "-f", "csv", "--by", "time:1ms",
                       *captures)[1]
        got = sorted((r["from"], r["samples"])
                     for r in csv.DictReader(out.splitlines()))
        tap.ok(got == [("", "1"), ("0", "3")], "and they are at none", got)


def damage_again(hosts):
    """What was said of a header and features is said of their sum, too."""
    part, cold, again, one = (path(n) for n in (
        "hurt.data", "hurt.cold", "hurt2.cold", "alone.cold"))
    with open(hosts[0], "rb") as f:
        data = bytearray(f.read())
    data[0] ^= 1  # of the magic
    at, size = struct.unpack_from("<QQ", data, 40)  # of the records
    struct.pack_into("<Q", data, at + size + 8, 1 << 40)  # a feature's size
    with open(part, "wb") as f:
        f.write(data)

    def said(*words):
        status, _, err = coldperf(*words, "--diag", "json")
        return status, {(m["id"], m["count"], m.get("offset"))
                        for m in map(json.loads, err.splitlines())
                        if m["level"] == "partial" and
                        m["id"] != "were-damaged"}
    status, of_one = said("quality", part)
    tap.ok(status == 3 and {"bad-header", "bad-feature"} <=
           {m[0] for m in of_one}, "a header and a feature are damaged",
           of_one)
    coldperf("merge", "-o", cold, part, hosts[1])
    coldperf("merge", "-o", again, cold)
    coldperf("flame", "-o", one, part)
    for words in (["report", cold], ["quality", cold], ["hotspots", again],
                  ["quality", one]):
        told = said(*words)
        tap.ok(told == (3, of_one), "%s of %s says the same" % (
            words[0], os.path.basename(words[1])), told)
    err = coldperf("quality", cold)[2]
    tap.ok(part + ": " in err and "1 of 2, first " + part in err,
           "and which capture it was", err)


def beyond():
    """A sum says again that a sample did not fit into it."""
    text = TEXT % ("a", 0, 1, "") + "sample a ip=0x10 pid=7 time=%d " \
        "period=%d\nsample a ip=0x10 pid=7 time=%d period=3\n"
    parts = [make(text % (50 + i, 5 << 60, 60 + i), "vast", "%d" % i)
             for i in range(2)]
    colds, one = [p + ".cold" for p in parts], path("vast", "one.cold")
    for p, c in zip(parts, colds):
        coldperf("merge", "-o", c, p)
    coldperf("merge", "-o", one, *parts)
    coldperf("merge", "-o", path("vast", "sum.cold"), *colds)
    coldperf("merge", "-o", path("vast", "again.cold"), one)
    coldperf("redact", "--redact", "share", "-o", path("vast", "hidden.cold"),
             one)
    for name in "one", "sum", "again", "hidden":
        got, status, err = folded([path("vast", name + ".cold")])
        tap.ok(status == 3 and "(impossible-period)" in err and
               "1 of 2, first %s: " % (
                   "capture-2" if name == "hidden" else parts[1]) in err and
               sum(got.values()) == (5 << 60) + 6,
               name + ": what did not fit into a sum is said of it",
               (status, got, err))
    tap.ok([coldperf("hotspots", c)[0] for c in colds] == [0, 0],
           "each fits by itself")


def most_memory(*words):
    """Bytes that a run had at most."""
    p = subprocess.Popen([tap.coldperf] + list(words),
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_maxrss << 10 if p.returncode == 0 else None


def memory():
    """A capture that stayed would be a megabyte each time."""
    text = TEXT % ("cycles", 0, 1000, "") + \
        "mmap pid=8 addr=0x400000 len=0x10000 pgoff=0 name=/bin/prog\n" \
        "repeat 8000 as i {\n" \
        "sample ip=0x400000+hash(i)%4096 pid=8 time=1000+i period=1 " \
        "chain=user,0x400000+hash(i)%4096,0x401000+hash(i)%64\n}\n"
    make(text, "many", "0.data")
    for i in range(1, 160):
        shutil.copyfile(path("many", "0.data"), path("many", "%d.data" % i))
    few = [path("many", "%d.data" % i) for i in range(4)]
    if tap.sanitized:
        tap.skip("sanitizers keep what was freed")
    for command in () if tap.sanitized else ("flame", "hotspots"):
        small = most_memory(command, *few)
        large = most_memory(command, path("many"))
        tap.ok(small and large and large < small + (24 << 20),
               "%s of 160 captures takes the memory of few" % command,
               (small, large))
    status, out, err = coldperf("hotspots", "-f", "json", path("many"))
    sums = [s["value"] for t in json.loads(out)["sections"]
            if t["slug"] == "label" for s in t["scalars"]
            if s["key"] == "samples"]
    tap.ok(status == 0 and sums == [160 * 8000], "and counts all", sums)


def snapshot(hosts):
    names = "--symbols", path("kallsyms")
    said = []
    for to, captures in (("a.cold", hosts), ("b.cold", hosts[::-1])):
        said.append(coldperf("merge", "-o", path(to), *names, *captures))
    with open(path("a.cold"), "rb") as a, open(path("b.cold"), "rb") as b:
        tap.ok(said[0][0] == 0 and a.read() == b.read(),
               "merge writes the same bytes in whatever order", said)
    status, out, err = coldperf("verify", path("a.cold"))
    tap.ok(status == 0 and " 0 wrong" in out, "verify takes it", out + err)
    query = "SELECT event, symbol, object, sum(samples) AS samples, " \
        "sum(weight) AS weight FROM self GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
    union = answers(hosts, names, query)
    single = collections.Counter()
    for h in hosts:
        single += answers([h], names, query)
    tap.ok(union == single and union, "sql asks the sum",
           (union, single))
    status, out, err = coldperf("merge", *hosts)
    tap.ok(status == 2 and "merge needs -o" in err, "merge wants an output", err)
    p = subprocess.run([os.path.abspath(tap.coldperf), "merge", "-o",
                        "all.tar"], stderr=subprocess.PIPE, check=False,
                       cwd=work.name)
    tap.ok(p.returncode == 2 and b"needs the captures" in p.stderr,
           "and captures", p.stderr.decode())


def answers(captures, names, query):
    status, out, err = coldperf("sql", "-f", "json", *names, *captures, query)
    sums = collections.Counter()
    for t in json.loads(out)["sections"]:
        for r in t["rows"] if t["type"] == "table" else ():
            event, symbol, of, samples, weight = r["values"]
            of = re.sub(r".*/perf-\d+.map", "[JIT]", of)
            sums[event, symbol, of, "samples"] += samples
            sums[event, symbol, of, "weight"] += weight
    return sums


COMMANDS = ("info", "script", "dump", "sched", "offcpu", "symbols", "check",
            "snapshot --resymbolize -o " + path("new"),
            "pack -o " + path("new"))


def only_tables(hosts):
    """What wants records refuses a snapshot without, and says what to do."""
    names = "--symbols", path("kallsyms")
    coldperf("snapshot", "-e", "cycles", "-o", path("some.cold"), *names,
             hosts[0])
    for cold in path("a.cold"), path("some.cold"):
        bad = []
        for words in [c.split() + [cold] for c in COMMANDS]:
            status, out, err = coldperf(*words)
            if status != 2 or "(only-tables)" not in err or \
                    "not-perf-data" in err or os.path.exists(path("new")):
                bad.append((words, status, err))
        tap.ok(not bad, "%s is refused by what wants records" %
               os.path.basename(cold), bad)
    read_back(hosts, names)
    snapshots_add_up(hosts, names)


# What tells the same of the tables as of the captures, but for their names.
READ_BACK = ("flame -f folded", "flame -e faults -f folded",
             "flame --inline yes -f folded --pid 101,103",
             "hotspots -f csv --by event,comm,dso,symbol",
             "hotspots -f csv --weight samples", "hotspots -f csv --time +0.0,",
             "report -f json", "quality -f json", "hotspots -f json",
             "profile -f ndjson", "profile -f samples-csv",
             "flame -f speedscope", "flame -f callgrind", "flame -f dot",
             "flame -f svg")


def told(words, captures, options=()):
    """Status and output, without what tells which captures it was."""
    status, out, err = coldperf(*words.split(), *options, *captures)
    if " -f json" in words:
        out = json.loads(out) if out else {}
        del out["title"]
        out["sections"] = [
            dict(s, scalars=[c for c in s["scalars"]
                             if c["key"] != "capture"])
            if s["slug"] == "label" else s for s in out["sections"]
            if s["slug"] != "captures" or not any(
                c.endswith(".cold") for c in captures[1:])]
        return status, json.dumps(out, indent=1)
    out = re.sub(r"[\w/.-]*\.cold|\d captures", "CAPTURES", out)
    return status, out


def read_back(hosts, names):
    """A snapshot without records is as good as its captures."""
    parts = [path("first.cold"), path("rest.cold"), path("again.cold")]
    for part, of in zip(parts, (hosts[:2], hosts[2:], parts[:2])):
        status, out, err = coldperf("merge", "-o", part, *names, *of)
        tap.ok(status == 0, "merge -o %s" % os.path.basename(part), err)
    for words in READ_BACK:
        want = told(words, hosts, names)
        for got, what in ((told(words, [path("a.cold")]), "merged"),
                          (told(words, parts[2:]), "merged twice"),
                          (told(words, [parts[0]] + hosts[2:], names),
                           "mixed with captures")):
            tap.ok(want[0] == 0 and got == want and want[1],
                   "%s: %s" % (words, what), (want, got))
    origins(hosts, parts)
    chosen = told("flame -f folded -e cycles", hosts[:1], names)
    tap.ok(told("flame -f folded", [path("some.cold")]) == chosen,
           "a snapshot of chosen samples", chosen)
    coldperf("snapshot", "-e", "cycles", "-o", path("other.cold"), *names,
             hosts[1])
    want = told("diff -f csv -e cycles", hosts[:2], names)
    got = told("diff -f csv", [path("some.cold"), path("other.cold")])
    tap.ok(want == got and want[0] == 0 and want[1], "diff of such",
           (want, got))
    query = "SELECT event, symbol, object, sum(samples) AS samples, " \
        "sum(weight) AS weight FROM self GROUP BY 1, 2, 3"
    want, got = answers(hosts, names, query), \
        answers([path("a.cold")], (), query)
    tap.ok(want == got and want, "sql", (want, got))
    with open(path("a.cold"), "rb") as f:
        p = subprocess.run([tap.coldperf, "flame", "-f", "folded", "-"],
                           stdin=f, stdout=subprocess.PIPE)
    tap.ok(p.stdout.decode() == told("flame -f folded", hosts, names)[1],
           "as a stream", p.stdout)
    status, out, err = coldperf("flame", "--pid", "7", path("a.cold"))
    tap.ok(status == 2 and "no-match" in err, "a filter that fits none", err)
    damaged_tables()


def sections(*words):
    out = coldperf(*words)[1]
    return {s["slug"]: s for s in json.loads(out)["sections"]}


def origins(hosts, parts):
    """A sum of sums knows the captures, and whose they were."""
    want = [(r["values"][0], r["values"][5], r["values"][7])
            for r in sections("flame", "-f", "json", *hosts)["captures"]
            ["rows"]]
    for colds in parts[2:], parts[:2], parts[:1] + hosts[2:], hosts[:2] + \
            parts[1:2]:
        got = sections("flame", "-f", "json", *colds)
        rows = [(r["values"][0], r["values"][5], r["values"][7])
                for r in got["captures"]["rows"]]
        label = {s["key"]: s["value"] for s in got["label"]["scalars"]}
        tap.ok(sorted(rows) == want and len(rows) == 5 and
               sorted(label["hosts"].split(", ")) ==
               ["host%d" % i for i in range(5)],
               "%d files have a row for each capture" % len(colds),
               (rows, label))
    one = sections("flame", "-f", "json", path("some.cold"))
    label = {s["key"]: s["value"] for s in one["label"]["scalars"]}
    tap.ok(label["host"] == "host0" and "captures" not in one,
           "a snapshot of chosen samples knows its host", label)


def damaged_tables():
    """Each byte that is another is said, none is trusted."""
    with open(path("a.cold"), "rb") as f:
        whole = f.read()
    for table in ("objects", "symbols", "frames", "stacks", "threads",
                  "events", "samples", "quality", "captures", "contexts"):
        data = bytearray(whole)
        data[whole.index(table.encode() + b".parquet\0") + 512 + 9] ^= 0x41
        with open(path("bad.cold"), "wb") as f:
            f.write(data)
        status, out, err = coldperf("flame", "-f", "folded", path("bad.cold"))
        tap.ok(status in (2, 3) and re.search(
            r"\(bad-snapshot\), at offset 0x\w+: %s\.parquet" % table, err),
            "a damaged table: " + table, (status, err))


def snapshots_add_up(hosts, names):
    """What the message advises: snapshots of each are as good as captures."""
    colds = [path("%d.cold" % i) for i in range(len(hosts))]
    for host, cold in zip(sorted(hosts), colds):
        coldperf("snapshot", "-o", cold, *names, host)
    for words in (["flame", "-f", "folded"], ["hotspots", "-f", "csv"]):
        want, got = coldperf(*words, *names, *hosts), coldperf(*words, *colds)
        tap.ok(want[0] == 0 and got[0] == 0 and want[1] == got[1] != "",
               words[0] + " of snapshots is that of their captures",
               (want, got))


recorded()
modules()
hosts = made()
folder(hosts)
each_address(hosts)
kernels()
sample_types()
said_of_each(hosts)
damaged_before(hosts)
damage_again(hosts)
beyond()
dumped_stacks()
first_without()
after_all()
snapshot(hosts)
only_tables(hosts)
inlined()
memory()
unlike()
rates()
unlike_sum()
times()
summer_time()
time_weights()
unlike_by_order()
disagree()
tap.done()
