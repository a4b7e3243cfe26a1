#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Filters and weights: what a filter leaves must be what picking the lines of
# the unfiltered `coldperf script` by hand leaves, and the account must count
# the same samples.
import datetime
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-filters.")
HEAD = re.compile(r"^\s*(?P<comm>.*?)\s+(?P<pid>-?\d+)/(?P<tid>-?\d+)\s+"
                  r"(?:\[(?P<cpu>\d+)\]\s+)?(?P<time>\d+\.\d{9}):\s+"
                  r"(?:(?P<period>\d+)\s+)?(?P<event>\S+):\s*(?P<rest>.*)$")
FRAME = re.compile(r"^\s*[0-9a-f]+ (?P<sym>.*) \((?P<dso>.*)\)$")


@functools.lru_cache(maxsize=None)
def capture(case):
    made = os.path.join(scratch.name, case)
    if os.path.exists(made):
        return made
    return tap.capture(case, scratch.name)


def coldperf(*arguments):
    p = subprocess.run([tap.coldperf] + list(arguments),
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, env=dict(os.environ, TZ="UTC"))
    return p.returncode, p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


class Sample:
    """A sample as `script` prints it; its first frame is where it fell."""

    def __init__(self, head, lines):
        self.text = "\n".join(lines)
        self.comm, self.event = head["comm"], head["event"]
        self.pid, self.tid = int(head["pid"]), int(head["tid"])
        self.cpu = int(head["cpu"]) if head["cpu"] else None
        seconds, ns = head["time"].split(".")
        self.time = int(seconds) * 10**9 + int(ns)
        frames = [FRAME.match(l) for l in [head["rest"]] + lines[1:]]
        leaf = next((f for f in frames if f), None)
        self.dso = leaf["dso"] if leaf else None
        self.sym = leaf["sym"] if leaf else None
        self.syms = [f["sym"] for f in frames if f]


@functools.lru_cache(maxsize=None)
def script(path, *options):
    text = coldperf("script", "--ns", "-F",
                    "comm,pid,tid,cpu,time,event,ip,sym,dso", "--no-local",
                    *options, path)[1]
    samples, lines = [], []
    for line in text.split("\n") + [""]:
        if HEAD.match(line) and not line.startswith("\t"):
            if lines:
                samples.append(Sample(HEAD.match(lines[0]), lines))
            lines = [line]
        elif line.strip() and lines:
            lines.append(line)
    if lines:
        samples.append(Sample(HEAD.match(lines[0]), lines))
    return samples


def quality(path, *options):
    report = json.loads(coldperf("quality", "-f", "json", "--no-local",
                                 *options, path)[1])
    return {s["key"]: s["value"] for section in report["sections"]
            if section["type"] == "scalars" for s in section["scalars"]}


def check(case, options, keep):
    """The options leave those samples of the case that keep() keeps."""
    path = capture(case)
    everything = script(path)
    want = [s.text for s in everything if keep(s)]
    got = [s.text for s in script(path, *options)]
    name = "%s %s" % (case, " ".join(options))
    tap.ok(0 < len(want) < len(everything) and got == want,
           "%s: %d of %d samples" % (name, len(want), len(everything)),
           "got %d" % len(got))
    kept = quality(path, *options)["samples_kept"]
    tap.ok(kept == len(want), name + ": the account says so",
           "got %s, want %d" % (kept, len(want)))


def usage(case, *options):
    status, _, err = coldperf("script", *options, capture(case))
    tap.ok(status == 2 and "usage" in err,
           "%s %s is bad usage" % (case, " ".join(options)),
           "status %d: %s" % (status, err))


def names():
    check("good-sched", ["--comm", "known"], lambda s: s.comm == "known")
    check("good-sched", ["--comm", ":15,known"],
          lambda s: s.comm in (":15", "known"))
    check("good-events", ["--event", "page-faults"],
          lambda s: s.event == "page-faults")
    check("good-events", ["-e", "page-faults", "--event=context-switches"],
          lambda s: s.event in ("page-faults", "context-switches"))
    check("good-events", ["--event", "cpu-clock", "--comm", "known"],
          lambda s: s.event == "cpu-clock" and s.comm == "known")


def numbers():
    samples = script(capture("good-sched"))
    pid, tid = samples[0].pid, samples[-1].tid
    check("good-sched", ["--pid", str(pid)], lambda s: s.pid == pid)
    check("good-sched", ["--tid", str(tid)], lambda s: s.tid == tid)
    check("good-sched", ["--tid", "%d-%d,%d" % (tid, tid + 3, pid)],
          lambda s: tid <= s.tid <= tid + 3 or s.tid == pid)
    check("good-syscalls", ["--cpu", "1"], lambda s: s.cpu == 1)
    check("good-large", ["--cpu", "1-2"], lambda s: 1 <= s.cpu <= 2)
    check("good-large", ["--cpu", "3,0"], lambda s: s.cpu in (0, 3))


def places():
    samples = script(capture("good-events"))
    dso, sym = samples[-1].dso, samples[0].sym
    check("good-events", ["--dso", dso], lambda s: s.dso == dso)
    check("good-events", ["--dso", os.path.basename(dso)],
          lambda s: s.dso == dso)
    if sym != "[unknown]":
        check("good-events", ["--symbol", sym], lambda s: s.sym == sym)
    check("good-ksymbol", ["--symbol", "[unknown]"],
          lambda s: s.sym == "[unknown]")
    named = next(s.sym for s in script(capture("good-ksymbol"))
                 if s.sym != "[unknown]")
    check("good-ksymbol", ["--symbol", named], lambda s: s.sym == named)
    symbols = ("--symbols", tap.top_srcdir + "/corpus/good-fp/symbols")
    fp = script(capture("good-fp"), *symbols)
    for names in (["descend"], ["leaf"], ["descend", "child_work"]):
        want = [s.text for s in fp if set(names) & set(s.syms)]
        got = script(capture("good-fp"), *symbols, "--focus", ",".join(names))
        tap.ok(0 < len(want) < len(fp) and [s.text for s in got] == want,
               "--focus %s: %d samples" % (names, len(want)), len(got))


def nothing(case, options, *said):
    """A filter that fits nothing is an error that lists what there is."""
    status, out, err = coldperf("hotspots", "--no-local", *options,
                                capture(case))
    tap.ok(status == 2 and out == "" and "(no-match)" in err and
           all(s in err for s in said),
           "%s %s fits nothing, and that is said" % (case, " ".join(options)),
           "status %d: %s" % (status, err))


def patterns():
    check("good-sched", ["--comm", "kno*"], lambda s: s.comm == "known")
    check("good-sched", ["--comm", "/^:1[0-9]$/,knowN?"],
          lambda s: re.match(r"^:1\d$", s.comm) is not None)
    dso = script(capture("good-events"))[-1].dso
    for pattern in ("*" + os.path.basename(dso)[1:],
                    "/%s$/" % os.path.basename(dso)[1:].replace(".", "[.]")):
        check("good-events", ["--dso", pattern], lambda s: s.dso == dso)
    check("good-ksymbol", ["--symbol", "/[unk]nown/"],
          lambda s: s.sym == "[unknown]")
    for name in ("vmlinux", "[kernel.kallsyms]", "*linux"):
        check("good-fp", ["--dso", name],
              lambda s: s.dso == "[kernel.kallsyms]")
    # Events: without modifiers and terms, by prefix, without the system.
    check("good-events", ["-e", "page"], lambda s: s.event == "page-faults")
    check("good-events", ["-e", "faults"], lambda s: s.event == "page-faults")
    check("good-events", ["-e", "/^c/"],
          lambda s: s.event in ("cpu-clock", "context-switches"))
    status, out, err = coldperf("hotspots", "--comm", "/[/",
                                capture("good-sched"))
    tap.ok(status == 2 and "usage" in err, "/[/ is no expression", err)


EVENTS = """
container file
attr cycles:u type=0 config=0 sample_type=IP|TID|TIME|ID|PERIOD ids=1 \
    period=1000
attr cpu_core/cycles/k type=0 config=0 sample_type=IP|TID|TIME|ID|PERIOD ids=2
attr cpu-clock/freq=499/ type=1 config=0 sample_type=IP|TID|TIME|ID|PERIOD ids=3
attr sched:sched_switch type=2 config=7 sample_type=IP|TID|TIME|ID|PERIOD ids=4
attr cpu/event=0x3c,umask=0x1/ type=4 config=0x13c \
    sample_type=IP|TID|TIME|ID|PERIOD ids=5
comm 10 10 known
"""


def event_names():
    text = EVENTS + "".join(
        "sample %s ip=0x1000 pid=10 time=%d period=1\n" % (e, 10 + i)
        for i, e in enumerate(["cycles:u"] * 1 + ["cpu_core/cycles/k"] * 2 +
                              ["cpu-clock/freq=499/"] * 4 +
                              ["sched:sched_switch"] * 8 +
                              ["cpu/event=0x3c,umask=0x1/"] * 16))
    path = made("made-events", text)
    for event, want in (("cycles", 3), ("cpu-cycles", 3), ("cycles:u", 1),
                        ("cpu_core/cycles/k", 2), ("cpu-clock", 4),
                        ("sched_switch", 8), ("sched:*", 8), ("sch", 8),
                        ("cpu/event=0x3c,umask=0x1/", 16), ("/cycles/", 3)):
        kept = quality(path, "-e", event)["samples_kept"]
        tap.ok(kept == want, "-e %s means %d samples" % (event, want),
               "got %s" % kept)
    for event, said in (("c", "cpu-clock/freq=499/"),
                        ("cycles:k", "there are: cycles:u"),
                        ("instructions", "cpu_core/cycles/k")):
        nothing("made-events", ["-e", event], "--event " + event, said)


UNSAMPLED = """
container file
attr cycles type=0 sample_type=IP|TID|TIME|ID|CPU|PERIOD ids=1 period=1000
attr page-faults type=1 config=2 sample_type=IP|TID|TIME|ID|CPU|PERIOD ids=2
feature nrcpus 8 8
comm 5 5 sleeper
comm 10 11 worker
comm 10 12 worker
comm 20 20 other
mmap pid=10 addr=0x1000 len=0x1000 pgoff=0 name="/lib/used"
mmap pid=10 addr=0x3000 len=0x1000 pgoff=0 name="/lib/spare"
sample cycles ip=0x1000 pid=10 tid=11 time=1000000000 cpu=1
sample cycles ip=0x1010 pid=10 tid=12 time=1500000000 cpu=2
sample cycles ip=0x1010 pid=20 tid=20 time=3000000000 cpu=2
"""


def made(name, text):
    source = os.path.join(scratch.name, name + ".mkperf")
    path = os.path.join(scratch.name, name)
    with open(source, "w") as out:
        out.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    source, path], check=True)
    return path


def commas():
    """A comma, a bracket or a slash of a name has a backslash before it."""
    names = ("a,b", "c", "(d", "\\e", "/f/,g", "b")
    text = "container file\nattr cycles type=0 config=0 period=1000 " \
        "sample_type=IP|TID|TIME|PERIOD\n"
    for i, name in enumerate(names):
        text += 'comm %d %d "%s"\nsample cycles ip=0x1000 pid=%d time=%d\n' % (
            i + 5, i + 5, name.replace("\\", "\\\\"), i + 5, i + 1)
    made("made-commas", text)
    for words, want in (("a\\,b", ["a,b"]), ("a\\,b,c", ["a,b", "c"]),
                        ("\\(d,c", ["c", "(d"]), ("\\e", ["\\e"]),
                        ("\\\\e,b", ["\\e", "b"]),
                        ("\\/f\\/\\,g,c", ["c", "/f/,g"]),
                        ("/^.,/,c", ["a,b", "c"]),
                        ("a?b", ["a,b"])):
        got = [s.comm for s in script(capture("made-commas"),
                                     "--comm", words)]
        tap.ok(got == want, "--comm %s: %s" % (words, " and ".join(want)), got)
    for word, n in ("\\\\x0aline", 1), ("cut\\\\xc3", 1), ("\\\\x0a", 0):
        made("made-shown", """container file
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD
comm 5 5 "\\nline"
comm 6 6 "cut\\xc3"
sample cycles ip=0x1000 pid=5 time=1
sample cycles ip=0x1000 pid=6 time=2
""")
        status, out, err = coldperf("hotspots", "--no-local", "--by", "comm",
                                    "-f", "csv", "--comm", word,
                                    capture("made-shown"))
        tap.ok(len(out.splitlines()) == (1 + n if n else 0),
               "--comm %s: a name as it is shown" % word, out + err)


def each_alone():
    """What the capture names and no sample has is not offered, but refused."""
    made("made-unsampled", UNSAMPLED)
    for option, said in (("--event=page-faults", "there is: cycles"),
                         ("--comm=sleeper", "there are: worker, other"),
                         ("--pid=5", "there are: 10, 20"),
                         ("--tid=5", "there are: 11, 12, 20"),
                         ("--tid=4-6", "there are: 11, 12, 20"),
                         ("--cpu=7", "there are: 1, 2"),
                         ("--dso=spare", "there are: used, [unknown]"),
                         ("--symbol=main", "the samples have none"),
                         ("--time=1.6,2", "the last before: +0.500000s, the "
                          "first after: +2.000000s"),
                         ("--time=+3s..", "the last before: +2.000000s, the "
                          "first after: none")):
        word = option.replace("=", " ")
        nothing("made-unsampled", [option], word + "; ", said)
        status, out, err = coldperf("report", "--no-local", option,
                                    capture("made-unsampled"))
        tap.ok(status == 2 and word + "; " in err,
               "report %s says the same" % option, err)
        # Next to one that fits, the one that does not is named, alone.
        nothing("made-unsampled", [option, "--pid=10"] if "pid" not in option
                else [option, "--tid=11"], word + "; ", said)
    for options, said in ((["--tid=12", "--cpu=1"], "--tid none of the 1 "),
                          (["--comm=worker", "--tid=11", "--time=1.2,"],
                           "--time none of the 1 "),
                          (["--dso=used", "--tid=20"], "--dso none of the 1 "),
                          (["--pid=20", "--cpu=1-2", "--comm=worker"],
                           "--comm none of the 1 ")):
        nothing("made-unsampled", options, "of 3 samples: " + said)


def nothings():
    nothing("good-events", ["-e", "cpu-clok"],
            "--event cpu-clok; there are: cpu-clock, ")
    nothing("good-events", ["--comm", "knwon"], "there are: known, ")
    nothing("good-events", ["--pid", "4000000000"], "there are: ")
    nothing("good-events", ["--tid", "4000000000"], "there are: ")
    nothing("good-large", ["--cpu", "4000"], "--cpu 4000")
    nothing("good-events", ["--cpu", "99"], "the samples have none")
    nothing("good-events", ["--dso", "libc.so"], "there are: libc.so.6, ")
    nothing("good-ksymbol", ["--symbol", "bpf_prog_nosuch"], "there ")
    nothing("good-clock", ["--time", "1,2"], "the samples lie in +0.000s..")
    for case, window, said in (
            ("good-clock", "+0.2,+0.1", "the window ends before it begins"),
            ("good-fp", "14:03:10,", "--clock-offset WHEN does"),
            ("good-cpi", "50%,", "when it ends; give +SECONDS")):
        status, out, err = coldperf("quality", "--time", window, capture(case))
        tap.ok(status == 2 and out == "" and "(usage)" in err and said in err,
               "%s --time %s: %s" % (case, window, said), err)
    for window in ",+1", "5,6", "+0,", "0,":
        nothing("odd-no-time", ["--time", window], "the samples have no times")
    samples = script(capture("good-events"))
    other = next(s for s in samples if s.comm != "known")
    nothing("good-events", ["--comm", "known", "--pid", str(other.pid)],
            "the filters together leave none of %d samples: --comm none of "
            "the %d that the others leave" %
            (len(samples), sum(s.pid == other.pid for s in samples)))
    each_alone()
    status, out, err = coldperf("hotspots", "--no-local", "--comm",
                                "known,knwon", capture("good-events"))
    tap.ok(status == 0 and out and "warning" in err and "(part-match)" in err
           and "--comm knwon" in err, "one word of two is a warning", err)
    # Of several captures one may lack what another has.
    for a, b, want in (("good-events", "good-sched", 0),
                       ("good-sched", "good-sched", 2)):
        status, out, err = coldperf("diff", "--no-local", "-e", "page-faults",
                                    capture(a), capture(b))
        tap.ok(status == want and "(part-match)" in err and
               (want == 0 or "(no-match)" in err),
               "-e page-faults of %s and %s: status %d" % (a, b, want), err)


def clock(ns):
    return "%d.%09d" % (ns // 10**9, ns % 10**9)


def wall_clock(ns, zone):
    """The same moment by the reference that the capture carries."""
    text = coldperf("info", capture("good-clock"))[1]
    there = re.search(r"clock-reference\s+(\d+)\.(\d{9})", text)
    wall = re.search(r"wall-clock-reference\s+(\S+)\.(\d{9})Z", text)
    base = datetime.datetime.strptime(wall[1], "%Y-%m-%dT%H:%M:%S")
    ns += int(wall[2]) - int(there[1]) * 10**9 - int(there[2])
    moment = base + datetime.timedelta(seconds=ns // 10**9)
    return "%s.%09d%s" % (moment.strftime("%Y-%m-%dT%H:%M:%S"), ns % 10**9,
                          zone)


def times():
    samples = script(capture("good-clock"))
    first, a, b = (samples[i].time for i in (0, 40, 120))
    last = max(s.time for s in samples)
    check("good-clock", ["--time", "%s,%s" % (clock(a), clock(b))],
          lambda s: a <= s.time <= b)
    check("good-clock", ["--time", "%s," % clock(a)], lambda s: s.time >= a)
    check("good-clock", ["--time", ",%s" % clock(b)], lambda s: s.time <= b)
    check("good-clock", ["--time", "+%s,+%s" % (clock(a - first),
                                               clock(b - first))],
          lambda s: a <= s.time <= b)
    for window in "+%dns..+%dns" % (a - first, b - first), \
            "%dns,%dns" % (a - first, b - first):
        check("good-clock", ["--time", window], lambda s: a <= s.time <= b)
    check("good-clock", ["--time", "50ms"],
          lambda s: s.time <= first + 50 * 10**6)
    check("good-clock", ["--time", "+0.05s..0.1s"],
          lambda s: first + 50 * 10**6 <= s.time <= first + 10**8)
    check("good-clock", ["--time", "..0.001m"],
          lambda s: s.time <= first + 60 * 10**6)
    check("good-clock", ["--time", "50%.."],
          lambda s: s.time >= first + (last - first) * 0.5)
    check("good-clock", ["--time", "10%,50%"],
          lambda s: first + (last - first) * 0.1 <= s.time <=
          first + (last - first) * 0.5)
    for window in "10%-50%", "40%/2":
        share = (.1, .5) if window[0] == "1" else (.4, .8)
        check("good-clock", ["--time", window],
              lambda s: first + (last - first) * share[0] <= s.time <=
              first + (last - first) * share[1])
    # perf's: the ns at which a part ends is of the next one.
    def part(s, *parts):
        return any(first + round((last - first) * a / 100) <= s.time <
                   first + round((last - first) * b / 100) + (b == 100)
                   for a, b in parts)

    for windows, parts in ((["10%/1,10%/3"], ((0, 10), (20, 30))),
                           (["0%-10%,50%-60%"], ((0, 10), (50, 60))),
                           (["0%-10%,5%-20%", "90%,100%"],
                            ((0, 20), (90, 100))),
                           (["25%/4 25%/2"], ((75, 100), (25, 50))),
                           (["10%"], ((0, 10),))):
        check("good-clock", [w for t in windows for w in ("--time", t)],
              lambda s: part(s, *parts))
    check("good-clock", ["--time", "%s,%s" % (clock(a), clock(b)), "--time",
                         "..%s" % clock(first)],
          lambda s: a <= s.time <= b or s.time == first)
    counts = [len(script(capture("good-clock"), "--time", "20%%/%d" % n))
              for n in range(1, 6)]
    tap.ok(sum(counts) == len(samples), "a sample is in one of five parts",
           counts)
    for window in ("10%/1,10%/3", "0%-10%,50%-60%", "33%/2", "10%",
                   "%s,%s %s,%s" % (*map(clock, (first, a)), clock(b), ""),
                   "90%-100%") if shutil.which("perf") else ():
        perf = subprocess.run(
            ["perf", "script", "-i", capture("good-clock"), "-F", "time",
             "--time", window], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL).stdout.split(b"\n")
        got = script(capture("good-clock"), "--time", window)
        tap.ok(len(got) == len([x for x in perf if x.strip()]),
               "as perf keeps: --time " + window, (len(got), len(perf)))
    for zone in "Z", "":
        check("good-clock", ["--time", "%s,%s" % (wall_clock(a, zone),
                                                 wall_clock(b, zone))],
              lambda s: a <= s.time <= b)
        check("good-clock",
              ["--time", "%s..%s" % (wall_clock(a, zone)[11:],
                                     wall_clock(b, zone)[11:])],
              lambda s: a <= s.time <= b)
    for wall, offset in (("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
                         ("12:00:00Z", "2026-01-31T12:00:00Z"),
                         ("1970-01-01T00:00:00Z", "0")):
        status, out, err = coldperf("info", "--clock-offset", offset,
                                    capture("good-sched"))
        want = "2026-01-31 12:00:00.000" if offset != "0" else "1970-01-01 "
        tap.ok(status == 0 and want in out, "--clock-offset " + offset,
               out + err)
    everything = script(capture("good-sched"))
    got = script(capture("good-sched"), "--clock-offset",
                 "2026-01-31T23:59:59.9Z", "--time", "..00:00:00.1Z")
    start = min(s.time for s in everything)
    want = [s.text for s in everything if s.time <= start + 2 * 10**8]
    tap.ok(0 < len(got) and [s.text for s in got] == want,
           "a time of the day after midnight", "%d of %d, want %d" %
           (len(got), len(everything), len(want)))
    usage("good-clock", "--clock-offset", "yesterday")
    for bad in "1", "1q,", "50ms..1..2", "25:00:00,", "1s2,", "+,", "..x", "x,y", "1,2,3", "5%,200%", "1.2.3,4", "2026-13-99,":
        usage("good-clock", "--time", bad)
    usage("good-fork", "--time", "2026-01-01T00:00:00Z,")


def extremes():
    """A capture from the first ns of 64 bits to almost the last."""
    made("made-extremes", """container file
feature sample_time first=1 last=0xffffffffffffff00
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD
mmap pid=5 addr=0x1000 len=0x1000 pgoff=0 name="/lib/one"
mmap pid=5 addr=0x2000 len=0x1000 pgoff=0 name="/lib/other"
sample cycles ip=0x1000 pid=5 time=1 period=1
sample cycles ip=0x2000 pid=5 time=0xffffffffffffff00 period=0x7fffffffffffff00
""")
    path = capture("made-extremes")
    for window, want in ("0%,100%", 2), ("0%,50%", 1), ("100%,", 1):
        got = script(path, "--time", window)
        tap.ok(len(got) == want, "64 bits of ns, --time " + window, len(got))
    status, out, err = coldperf("hotspots", "-f", "dot", "--min-share", "100%",
                                path)
    tap.ok(status == 0 and out.count("[label=") == 1,
           "a function of 1 is not 100 % of 63 bits", out + err)


def cgroups():
    for group, want in ("/", 1), ("/docker/abc", 1), ("/docker/new", 1), \
            ("/,/docker/abc", 2), ("/docker/*", 2):
        path = capture("good-containers")
        kept = quality(path, "--cgroup", group)["samples_kept"]
        tap.ok(kept == want, "good-containers --cgroup %s: %d samples" %
               (group, want), "got %s" % kept)
    nothing("good-containers", ["--cgroup", "/docker/abd"],
            "--cgroup /docker/abd; there are: /docker/abc, /docker/new, /")


def weight(path, what):
    """The weights of all stacks added up."""
    text = coldperf("flame", "-f", "folded", "--no-local", "--weight", what,
                    path)[1]
    return sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines())


def weights():
    path = capture("good-containers")
    for what, want in (("period", 10000), ("samples", 4)):
        got = weight(path, what)
        tap.ok(got == want, "--weight %s adds up to %d" % (what, want),
               "got %s" % got)
    path = capture("good-clock")
    got, want = weight(path, "time"), weight(path, "period")
    tap.ok(got == want, "a clock's period is its time", "%s" % got)
    usage("good-clock", "--weight", "frobnicate")
    # Recorded with a constant period of cycles: its samples tell no time.
    usage("good-containers", "--weight", "time")


names()
patterns()
commas()
event_names()
nothings()
numbers()
places()
times()
extremes()
cgroups()
weights()
for value in ("10%/0", "10%/11", "10%/", "10%-", "10%-20", "/2", "10%/x",
              "10%/1,", "10%/1,x", "10%,20%,30%", "10%/1 x", "", " ",
              "+1s,+2s,+3s"):
    usage("good-clock", "--time", value)
for values in ("+2s,+1s",), ("0%,10%", "20%-10%"), ("+1s,+2s +2s,+1s",):
    usage("good-clock", *(w for v in values for w in ("--time", v)))
for option in "--pid", "--tid", "--cpu":
    for value in "x", "5-3", "-2", "1-x", "99999999999":
        usage("good-clock", option, value)
tap.done()
