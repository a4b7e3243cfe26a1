#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The overview: what is found, what CPUs did, what others tell, what is
# missing, on captures whose numbers are known.
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
from made import build, notes, report, rows, scalars, section
import tap

PARSE, OTHER, TIMER, IDLE = 0x1000, 0x2000, 0x3000, 0x4000
KERNEL = 0xffffffffc0000000
HEAD = """attr cpu-clock type=1 config=0 %s ids=1 flags=sample_id_all|mmap|comm|ksymbol sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 misc=1 name="[kernel.kallsyms]_text"
comm 8 8 "server"
"""
NAMES = ((PARSE, "json_parse"), (OTHER, "other_work"),
         (TIMER, "asm_sysvec_apic_timer_interrupt"), (IDLE, "do_idle"))


def head(how):
    text = HEAD % how
    for at, name in NAMES:
        text += 'ksymbol addr=%#x len=0x100 name="%s" time=1\n' % \
            (KERNEL + at, name)
    return text


def sample(time, cpu, at, pid=8, outer=None):
    chain = "kernel,%#x" % (KERNEL + at + 0x10)
    if outer is not None:
        chain += ",%#x" % (KERNEL + outer + 0x10)
    return "sample cpu-clock ip=%#x pid=%d tid=%d cpu=%d time=%d " \
        "period=1000000 misc=1 chain=%s\n" % (KERNEL + at + 0x10, pid, pid, cpu,
                                             time, chain)


def found(rep):
    return {r["About"]: r["Finding"] for r in rows(rep, "findings")}


def saturated():
    """CPU 1 has a sample each ms from 3.2 to 4.1 s, else one in 4 ms; of
    those within, 61 of 100 are json_parse's, of the others 18."""
    text, inside, outside = "", 0, 0
    for ms in range(0, 6000):
        if 3200 <= ms < 4100:
            text += sample(10**9 + ms * 10**6, 1,
                           PARSE if inside % 100 < 61 else OTHER)
            inside += 1
        elif ms % 4 == 0:
            text += sample(10**9 + ms * 10**6, 1,
                           PARSE if outside % 100 < 18 else OTHER)
            outside += 1
    return text


def idle_around():
    """CPU 1 is idle for 3 s, runs a thread for 4 s, and is idle for 3 s."""
    return "".join(sample(10**9 + ms * 10**6, 1, PARSE,
                          8 if 3000 <= ms < 7000 else 0)
                   for ms in range(0, 10000))


def renamed(others):
    """Thread 8 has three names on two CPUs; CPU 1 is idle for a moment."""
    text = sample(10**9, 1, PARSE, 0)
    for ms in range(1, 601):
        if ms % 200 == 1:
            text += 'comm 8 8 "name%d" .pid=8 .tid=8 time=%d .cpu=0\n' % (
                ms, 10**9 + ms * 10**6)
        text += sample(10**9 + ms * 10**6 + 1, ms // 300 % 2, PARSE)
    for i in range(others):
        text += sample(2 * 10**9 + i, 0, OTHER, 20 + i)
    return head("period=1000000") + text


said = [found(report(build("renamed%d" % n, renamed(n)), "report")).get(
    "one thread") for n in range(3)]
tap.ok(said[0] is None and
       [s and s.split(" %")[0] for s in said[1:]] ==
       ["one thread of 2, name401 (8), did 99.67",
        "one thread of 3, name401 (8), did 99.50"],
       "a thread of several names is one, and an idle CPU is none", said)
idle = build("idle", head("period=1000000") + idle_around())
f = found(report(idle, "report"))
m = re.match(r"CPU 1 was saturated from \+(\S+) s to \+(\S+) s", f.get("CPU 1", ""))
tap.ok(m and 3 <= float(m[1]) < 3.2 and 6.8 < float(m[2]) <= 7,
       "a CPU that was idle before and after", f)
uneven = report(build("uneven", head("period=1000000") + saturated()), "report",
                "--time", "+2.5,+5")
tap.ok(re.search(r"most, [\d,]+, at \+3\.\d+ s; fewest, \d+, at \+",
                 notes(uneven)),
       "when most samples came, as --time counts", notes(uneven))
f = found(report(idle, "report", "--time", "+4,+6"))
tap.ok(f.get("CPU 1") == "CPU 1 was saturated all the time",
       "all the time that --time keeps", f)
f = found(report(idle, "report", "--time", "+2,+8", "--pid", "8"))
m = re.match(r"CPU 1 was saturated from \+(\S+) s to \+(\S+) s", f.get("CPU 1", ""))
tap.ok(m and 3 <= float(m[1]) < 3.2 and 6.8 < float(m[2]) <= 7,
       "its times are those of --time, and idle samples need not be kept", f)

for how in ("period=1000000", "freq"):
    if how.startswith("freq"):
        first = head("period=1000").replace("flags=sample", "flags=freq|sample")
    else:
        first = head(how)
    f = found(report(build("busy" + how[:1], first + saturated()), "report"))
    m = re.match(r"CPU 1 was saturated from \+(\S+) s to \+(\S+) s; json_parse "
                 r"took ([\d.]+) % there \(([\d.]+)–([\d.]+) %\), "
                 r"([\d.]+) % elsewhere",
                 f.get("CPU 1", ""))
    tap.ok(m and 3.2 <= float(m[1]) < 3.4 and 3.9 < float(m[2]) <= 4.1,
           how + ": when a CPU was saturated, by slices", f)
    tap.ok(m and abs(float(m[3]) - 61) <= 3 and
           abs(float(m[6]) - 18) <= 4 and
           float(m[4]) < float(m[3]) < float(m[5]),
           how + ": with what, and what ran elsewhere", f)

# What took 4 % of a span and nothing elsewhere does not explain the span.
text = "".join(sample(10**9 + ms * 10**6, 1,
                      PARSE if 3200 <= ms < 4100 and ms % 25 == 0 else OTHER)
               for ms in range(0, 6000)
               if 3200 <= ms < 4100 or ms % 4 == 0)
f = found(report(build("dull", head("period=1000000") + text), "report"))
tap.ok(re.fullmatch(r"CPU 1 was saturated from \S+ s to \S+ s",
                    f.get("CPU 1", "")),
       "a small part of a span is not told", f)

# Shares of few samples are no findings, however large.
for n in (19, 20):
    few = "".join(sample(10**9 + ms * 10**7, 1, PARSE) for ms in range(n))
    f = found(report(build("few%d" % n, head("period=1000000") + few),
                     "report"))
    tap.ok(("hot function" in f, "kernel" in f, "few samples" in f) ==
           ((False, False, True) if n < 20 else (True, True, False)),
           "%d samples, all of one function" % n, f)

# A moment's rest ends the span, not the work: what follows is told, too.
text = "".join(sample(10**9 + ms * 10**6, 1, OTHER) for ms in range(0, 4096)
               if not 2560 <= ms < 2624)
f = found(report(build("rest", head("period=1000000") + text), "report"))
m = re.match(r"CPU 1 was saturated from \+0.00 s to \+([\d.]+) s, and for "
             r"([\d.]+) s besides", f.get("CPU 1", ""))
tap.ok(m and 2.49 <= float(m[1]) <= 2.56 and 1.34 <= float(m[2]) <= 1.47,
       "what was saturated after a moment's rest", f)

# The same load everywhere is not worth a word.
even = "".join(sample(10**9 + ms * 10**6, 1, OTHER) for ms in range(0, 4000, 4))
f = found(report(build("even", head("period=1000000") + even), "report"))
tap.ok("CPU 1" not in f, "a CPU that idles is not saturated", f)
tap.ok(f.get("hot function", "").startswith("other_work took 100.00 % of cpu"),
       "a function that is all is hot", f)

# Events that came with nothing are told if they are few, else counted.
for silent in (5, 6):
    text = "".join("attr event%d type=4 config=%d period=1 ids=%d sample_type=IP|"
                   "TID|TIME|PERIOD|IDENTIFIER flags=sample_id_all\n" %
                   (i, i + 2, i + 1) for i in range(silent + 2))
    text += "".join("sample event%d ip=0x10 pid=8 tid=8 time=%d period=1 id=%d\n" %
                    (i, 10**9 + i, i + 1) for i in range(2))
    rep = report(build("silent%d" % silent, text), "report")
    want = 7 if silent == 5 else 2
    tap.ok(len(rows(rep, "events")) == want and
           ("6 more events were recorded and have no samples" in notes(rep)) ==
           (silent == 6),
           "of %d events without samples %d have rows" % (silent, want - 2),
           (rows(rep, "events"), notes(rep)))

# Begins without ends: no time is known, nor that nothing waited.
with open(os.path.join(tap.top_srcdir, "corpus", "good-latencies",
                       "input.mkperf")) as source:
    latencies = [l for l in source.read().replace("\\\n", " ").splitlines(True)
                 if not re.match(r"sample (raw_syscalls:sys_exit|lock:)|"
                                 r"attr lock:", l)]
for ends in (True, False):
    rep = report(build("begins%d" % ends, "".join(
        l for l in latencies
        if ends or not l.startswith("attr raw_syscalls:sys_exit"))), "report")
    told = [r["What"] for r in rows(rep, "others")]
    tap.ok(any("no end of a call is in the capture" in t for t in told) and
           not any("took 0" in t for t in told), "calls without ends took "
           "nobody knows how long", rep)
    tap.ok(("no waits for locks" in told) == ends, "that nothing waited is said %s" %
           ("with ends" if ends else "of ends only"), told)

# Where CPUs idle is not where they work: of 100 samples 60 wait for work, and
# what works next is told, if it is enough.
for part, told in ((35, True), (5, False)):
    text = "".join(
        sample(10**9 + n * 10**7, n % 2, IDLE, pid=0) if n * 37 % 100 < 60 else
        sample(10**9 + n * 10**7, n % 2,
               OTHER if n * 37 % 100 < 60 + part else PARSE + n % 40 * 0x100000,
               pid=8) for n in range(1000))
    f = found(report(build("idle%d" % part, head("period=1000000") + text),
                     "report"))
    tap.ok(f.get("hot function", "none").startswith(
        "other_work took 35.00 % of cpu-clock" if told else "none"),
        "idle CPUs are not hot, work of %d %% is%s" %
        (part, "" if told else " not"), f)

# Of 100: 50 of the kernel's, 20 in interrupts (10 of which while idle), 20
# idle, 10 of a guest; well mixed, so that their shares are sure.
mixed = ""
for n in range(1000):
    t, i = 10**9 + n * 10**7, max(n * 37 % 100 - 10, 0)
    if i < 40:
        mixed += sample(t, i % 2, OTHER)
    elif i < 50:
        mixed += sample(t, 0, OTHER, outer=TIMER)
    elif i < 60:
        mixed += sample(t, 0, OTHER, pid=0, outer=TIMER)
    elif i < 80:
        mixed += sample(t, 1, IDLE, pid=0)
    else:
        mixed += sample(t, 0, OTHER).replace("misc=1", "misc=4")
rep = report(build("modes", head("period=1000000") + mixed), "report")
modes = {r["Mode"]: r["Share"] for r in rows(rep, "modes")}
share = {m: round(v[0] if isinstance(v, list) else
                  v["value"] if isinstance(v, dict) else v, 6)
         for m, v in modes.items()}
tap.ok(share == {"kernel": 0.5, "interrupts": 0.2, "idle": 0.2, "guest": 0.1},
       "what CPUs did", modes)
f = found(rep)
tap.ok(f.get("kernel", "").startswith("the kernel, for programs, took 50.00 % of cpu-clock"),
       "so much in the kernel is found", f)
tap.ok(f.get("interrupts", "").startswith("interrupts took 20.00 % of cpu-clock"),
       "so many interrupts are found", f)
few = mixed.splitlines(True)[:20]
f = found(report(build("few", head("period=1000000") + "".join(few)),
                 "report"))
tap.ok("kernel" not in f and "interrupts" not in f,
       "what chance may have made of 20 samples is no finding", f)
tap.ok(rep["sections"] and
       next(s["slug"] for s in rep["sections"]
            if s.get("columns")) == "findings", "findings are the first table")

# The recorder in its own capture; the others of 1000 samples are the server's.
for part, told in ((80, True), (5, False)):
    text = head("period=1000000") + 'comm 9 9 "perf"\n' + "".join(
        sample(10**9 + n * 10**7, n % 2, OTHER,
               pid=9 if n * 37 % 100 < part else 8) for n in range(1000))
    f = found(report(build("perf%d" % part, text), "report"))
    tap.ok(f.get("recorder", "").startswith(
        "threads called perf took 80.00 % of cpu-clock") == told and
        ("recorder" in f) == told,
        "a recorder with %d %% is%s found" % (part, "" if told else " not"), f)

# Files that end early: in the middle of a record, and in a file that its
# recorder did not finish, whose head has no size of the data.
whole = build("whole", head("period=1000000") + even)
f = found(report(whole, "report"))
tap.ok("cut" not in f and "killed" not in f, "a whole file is not cut", f)
with open(whole, "rb") as data:
    content = bytearray(data.read())
content[48:56] = bytes(8)
killed = whole + ".killed"
with open(killed, "wb") as data:
    data.write(content)
rep = report(killed, "report")
tap.ok("killed" in found(rep) and
       "the recorder was killed" in scalars(rep, "label")["quality"],
       "that the recorder was killed is found", found(rep))
stream = build("stream", "container pipe\n" + head("period=1000000") + even)
with open(stream, "rb") as data:
    content = data.read()
with open(stream, "wb") as data:
    data.write(content[:len(content) * 2 // 3 - len(content) * 2 // 3 % 8 - 4])
rep = report(stream, "report")
tap.ok("middle of a record" in found(rep).get("cut", "") and
       "middle of a record" in scalars(rep, "label")["quality"] and
       "middle of a record" in notes(rep),
       "that a stream was cut is found", found(rep))

# Without callers what a function calls is nothing.
columns = [c["name"] for c in section(rep, "symbols")["columns"]]
tap.ok("Children" not in columns and "Self" in columns,
       "no callers, no column of children", columns)
columns = [c["name"] for c in section(
    report(build("callers", head("period=1000000") + mixed), "report"),
    "symbols")["columns"]]
tap.ok("Children" in columns, "with callers there is one", columns)

# What is missing, with options that record it.
missing = {r["What"]: r["coldperf capture"] for r in rows(rep, "missing")}
tap.ok(missing.get("branch stacks") == "--for branches" and
       missing.get("system calls") == "--for syscalls",
       "what was not recorded, and what records it", missing)

# Nothing is advised that the capture's host cannot record: without counters of
# its CPUs, and with those of AMD, ARM, and hybrid processors of Intel.
BRANCHES, MEMORY = "--for branches", "--for memory"
for name, text, want in (
        ("unknown", "", (BRANCHES, MEMORY, True)),
        ("Intel", 'feature arch "x86_64"\nfeature pmu_mappings 1 software 4 cpu\n',
         (BRANCHES, MEMORY, True)),
        ("virtual", "feature pmu_mappings 1 software 9 msr 10 cpufreq\n",
         (None, None, False)),
        ("AMD", 'feature cpuid "AuthenticAMD,25,1,1"\n'
         "feature pmu_mappings 4 cpu 11 ibs_op\n",
         (BRANCHES, MEMORY, True)),
        ("AMD without IBS", 'feature cpuid "AuthenticAMD,25,1,1"\n'
         "feature pmu_mappings 4 cpu\n", (BRANCHES, None, True)),
        ("hybrid", "feature pmu_mappings 4 cpu_core 10 cpu_atom\n",
         (BRANCHES, MEMORY, True)),
        ("ARM", 'feature arch "aarch64"\n'
         "feature pmu_mappings 8 armv8_pmuv3_0\n", (None, None, True))):
    on = report(build("host", head("period=1000000") + even + text), "report")
    missing = {r["What"]: r["coldperf capture"] for r in rows(on, "missing")}
    tap.ok((missing.get("branch stacks"), missing.get("loads and stores"),
            "cycles per instruction" in missing) == want and
           ("had no counters" in notes(on)) == (not want[2]),
           "%s: what its host can record is advised" % name, missing)


def lines(case):
    r = report(path_of(case), "report")
    return r, lines_of(r)


def lines_of(r):
    out, command = {}, ""
    for row in rows(r, "others"):
        command = row["Command"] or command
        out.setdefault(command, []).append(row["What"])
    return out


def path_of(case):
    source = os.path.join(tap.top_srcdir, "corpus", case)
    path = os.path.join(source, "perf.data")
    if os.path.exists(path):
        return path
    with open(os.path.join(source, "input.mkperf")) as text:
        return build(case, text.read())


def total(case, command, slug, column):
    return sum(r[column] for r in rows(
        report(path_of(case), command, "--top", "0"), slug))


rep, told = lines("good-syscalls")
n = total("good-syscalls", "syscalls", "syscalls", "Calls")
tap.ok(told.get("coldperf syscalls", [""])[0].startswith("%d calls" % n),
       "as many calls as syscalls has: %d" % n, told)
tap.ok("system calls" not in [r["What"] for r in rows(rep, "missing")],
       "what was recorded is not missing")
rep, told = lines("good-latencies")
n = total("good-latencies", "blockio", "blockio", "Requests")
tap.ok(n > 0 and told.get("coldperf blockio", [""])[0].startswith(
    "%d requests" % n), "as many requests as blockio has: %d" % n, told)
tap.ok(all(1 <= len(v) <= 3 for v in told.values()) and len(told) >= 3,
       "three lines at most of each", told)
rep, told = lines("good-mem")
tap.ok(told.get("coldperf mem", [""])[0] ==
       "120 accesses: 90 loads, 30 stores", "accesses to memory", told)
tap.ok(found(rep).get("memory", "").startswith("CPUs take lines from each "
                                               "other in 50.00 %"),
       "shared lines are found", found(rep))
rep, told = lines("good-branches")
tap.ok(found(rep).get("branches", "").startswith("12.50 % of the branches"),
       "mispredicted branches are found", found(rep))

# Waits for a CPU: those of good-waits, ten times as long.
with open(os.path.join(tap.top_srcdir, "corpus/good-waits/input.mkperf")) as f:
    text = re.sub(r"time=(\d+)", lambda m: "time=%d" % (
        10 * int(m[1]) - 9 * 10**9), f.read())
f = found(report(build("waits", text), "report"))
tap.ok(f.get("CPU wait", "").startswith("beta was ready and waited 40.000 ms"),
       "a long wait for a CPU is found", f)
f = found(report(build("less", text + 'feature nrcpus 4\n'),
                 "report"))
tap.ok("CPU wait" not in f, "... not where a CPU may be lacking", f)

# Two threads of one name are told by their number; a thread that was first
# seen when it began to run (0 ns, as perf counts it) has no row.
SWITCH = ("sample sched:sched_switch ip=0xffffffff81000100 pid=%d time=%d "
          "cpu=1 id=1 raw=u2:316,u1:0,u1:0,u4:%d,c16:\"%s\",u4:%d,u4:120,"
          "u8:0,c16:\"%s\",u4:%d,u4:120\n")
with open(os.path.join(tap.top_srcdir,
                       "corpus/good-sched-waits/input.mkperf")) as f:
    text = f.read().replace('"beta"', '"alpha"')
text += SWITCH % (0, 2460000, 0, "swapper", 0, "omega", 500)
text += SWITCH % (500, 2470000, 500, "omega", 500, "swapper", 0)
waits = [(r["Command"], r["TID"], r["Waited"], r["Waits"])
         for r in rows(report(build("pool", text), "report"), "cpu-waits")]
tap.ok(waits == [("alpha", "2 threads", 340000, 4),
                 ("gamma", "300", 90000, 2), ("delta", "400", 60000, 1)],
       "waits of threads of one name, and none of 0 ns", waits)

# Throttling, from a hundredth of the time on; a pause that is shorter than the
# interval of the samples, 4 ms, loses none (Linux 6.17 notes one per sample).
for times, pause, told in ((3, 7, False), (3, 9, True), (250, 3, False)):
    text = head("period=1000000") + "".join(
        sample(10**9 + ms * 10**6, 1, OTHER) for ms in range(0, 1001, 4))
    stops = {i * (1000 // times) // 4 * 4 for i in range(1, times)} | {996}
    text = head("period=1000000")
    for ms in range(0, 1001):
        if ms in stops:
            text += "throttle id=1 time=%d .pid=8 .tid=8 .cpu=1\n" % (
                10**9 + ms * 10**6 + 1)
        if ms - pause in stops:
            text += "unthrottle id=1 time=%d .pid=8 .tid=8 .cpu=1\n" % (
                10**9 + ms * 10**6 + 1)
        if ms % 4 == 0 and not any(s < ms <= s + pause for s in stops):
            text += sample(10**9 + ms * 10**6, 1, OTHER)
    f = found(report(build("throttled%d" % times, text), "report"))
    tap.ok(("throttled" in f) == told and (not told or re.match(
        r"sampling stopped 2 times, for 10.000 ms in all", f["throttled"])),
           "throttled %d times in a second for %d ms" % (times, pause), f)

# What the samples of tracepoints lack is no finding, nor is an empty field.
rep = report(path_of("good-syscalls"), "report")
tap.ok("no names" not in found(rep) and not any(
    s.get("slug") == "to-get-names" for s in rep["sections"]),
    "where a tracepoint stands wants no name", found(rep))
rep, told = lines("good-dwarf")
tap.ok("coldperf mem" not in told and "loads and stores need" in notes(rep),
       "stacks were dumped: no loads and stores", told)

# Names that the event shown lacks are not hidden by those of another.
text = head("period=1000000").replace("IP|TID", "ID|IP|TID")
attr = text.split("\n")[0]
text = text.replace(attr + "\n", attr + "\n" + attr.replace(
    "attr cpu-clock type=1 config=0", "attr switches type=1 config=3").replace(
        "ids=1", "ids=2") + "\n")
text += "".join(sample(10**9 + i * 10**6, 1, OTHER if i % 4 else 0x9000)
                for i in range(40))
text += "".join(sample(10**9 + i * 10**5, 1, OTHER).replace(
    "cpu-clock", "switches", 1) for i in range(400))
rep = report(build("diluted", text), "report")
tap.ok(found(rep).get("no names", "").startswith(
    "25.0 % of cpu-clock is in code without a symbol"),
    "10 of 40 samples have no name, beside 400 of another event", found(rep))

# Where no function has a name there is no interval to speak of.
rep = report(path_of("good-mem"), "annotate")
tap.ok(notes(rep) and "intervals" not in notes(rep),
       "annotate: no row, no note on intervals", notes(rep))

# Minor and major faults are of page-faults; one wait is no "waits".
FAULT = "attr %s type=1 config=%d period=1 ids=%d flags=sample_id_all|mmap|comm sample_type=IP|TID|TIME|ID|PERIOD\n"
faults = "".join(FAULT % of for of in (
    ("page-faults", 2, 1), ("minor-faults", 5, 2), ("major-faults", 6, 3)))
faults += 'comm 7 7 "prog"\n'
for time in range(10):
    for event in "page-faults", "minor-faults" if time < 7 else "major-faults":
        faults += "sample %s ip=0x1000 pid=7 time=%d period=1\n" % (
            event, 1000 + time)
told = lines_of(report(build("faults", faults), "report"))
tap.ok(told.get("coldperf faults", [""])[:2] == [
    "10 page faults", "3 had to be read from a disk"],
    "no fault is counted twice", told)
told = lines_of(report(build("faults", faults), "report", "--event",
                       "minor-faults"))
tap.ok(told.get("coldperf faults", [""])[0] == "7 page faults",
       "of page-faults that are left out no other is a part", told)
_, told = lines("good-latencies")
tap.ok("beta issued most of it: 2.000 ms in 1 request" in
       told.get("coldperf blockio", []), "one request is no \"requests\"", told)

# A call stack made of LBR is no branch that was taken, and a stack of branches
# is one observation.
LBR = "attr %s type=0 config=%d period=1000 ids=%d sample_type=IDENTIFIER|IP|" \
    "TID|TIME|PERIOD|CALLCHAIN|BRANCH_STACK branch_sample_type=%s flags=" \
    "sample_id_all|mmap|comm\n"
text = LBR % ("cycles", 0, 1, "USER|CALL_STACK") + \
    LBR % ("branches", 4, 2, "USER|ANY") + 'feature branch_stack\n'
for event, branches in (("cycles", "0x10:0x20:2,0x30:0x40:2,0x50:0x60:2"),
                        ("branches", "0x110:0x120:1,0x130:0x140:2")):
    for i in range(40):
        text += "sample %s ip=0x10 pid=7 id=%d time=%d period=1 chain=0x10 " \
            "branch=%s\n" % (event, 1 + (event != "cycles"), 1000 + i, branches)
path = build("callers", text)
told = lines_of(report(path, "report")).get("coldperf branches", [])
whole = scalars(report(path, "branches"), "branches")
tap.ok(told[:1] == ["%d branches taken" % whole["taken"]] and
       whole["taken"] == 80, "callers are no branches", told)
tap.ok(told[1:2] == ["mispredicted: 50.00 %% (%.1f–%.1f %%)" % tuple(
    100 * x for x in whole["mispredicted"]["interval"])],
       "the overview and branches have one interval", (told, whole))

# Addresses without names: neighbours are a range; a file is taken once.
nameless = """attr cpu-clock type=1 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD|CALLCHAIN flags=sample_id_all|mmap|mmap2|comm
comm 7 7 "prog"
mmap2 pid=7 addr=0x10000 len=0x1000 pgoff=0 ino=1 name="/no/such/prog"
mmap2 pid=7 addr=0x20000 len=0x1000 pgoff=0 ino=2 name="/no/such/lib.so"
mmap2 pid=7 addr=0x30000 len=0x1000 pgoff=0 ino=3 name="/no/such/lib.so"
repeat 40 as i {
sample cpu-clock ip=0x20010+i%4 pid=7 time=1000+i period=1000 chain=user,0x20010+i%4,0x20100,0x20200+i%2,0x10010,0x10020+i%2,0x20300
}
"""
rep = report(build("nameless", nameless), "report")
symbols = [r["Symbol"] for r in rows(rep, "symbols")]
tap.ok(symbols == ["0x10…0x13",
                   "< lib.so+0x100 < lib.so+0x200…0x201 < prog+0x10"],
       "neighbours without names are a range, callers, too", symbols)
way = scalars(rep, "to-get-names").get("on the host")
tap.ok(way and way.count("lib.so'") == 1 and way.count("prog'") == 1,
       "a file is taken once", way)

# Addresses are those of a row's own samples: of its event, and no callers'.
HOW = "attr %s type=1 config=%d period=1000 ids=%d sample_type=ID|IP|TID|" \
    "TIME|PERIOD|CALLCHAIN flags=sample_id_all|mmap|mmap2|comm\n"
OWN = {"cpu-clock": (0, 0, 4, 4, 8), "page-faults": (4, 12, 16, 20, 24)}
two = HOW % ("cpu-clock", 0, 1) + HOW % ("page-faults", 2, 2) + \
    "".join(nameless.splitlines(True)[1:3])
two += two.splitlines(True)[-1].replace("10000 ", "20000 ").replace("prog",
                                                                    "lib.so")
for event, own in OWN.items():
    for n, at in enumerate(own):
        two += "sample %s ip=%#x pid=7 time=%d period=1000 chain=user,%#x," \
            "%#x,%#x\n" % (event, 0x10010 + at, 1000 + n, 0x10010 + at,
                          0x10100 + 4 * n, 0x20040 + 4 * n)
two += "sample cpu-clock ip=0x20010 pid=7 time=1010 period=1000 " \
    "chain=user,0x20010\n"
two = build("two", two)
for event, want in ("cpu-clock", "0x10…0x18"), ("page-faults", "0x14…0x28"):
    rep = report(two, "report", "--event", event)
    got = [r["Symbol"] for r in rows(rep, "symbols")]
    tap.ok(got[0] == want, event + ": own addresses, of five samples a range",
           got)


def places(*options):
    rep = report(two, "hotspots", "--by", "dso,symbol", *options)
    return sorted((s["title"].split(":")[0], r["values"][-3], r["values"][-1])
                  for s in rep["sections"] if s.get("slug") == "hotspots"
                  for r in s["rows"])


OWN = [("cpu-clock", "prog", "[3 addresses]"),
       ("page-faults", "prog", "[5 addresses]")]
got = places()
tap.ok(got == [("cpu-clock", "lib.so", "0x%016x" % 0x10)] + OWN,
       "hotspots: a single one by itself", got)
got = places("--children")
tap.ok(got == [("cpu-clock", "lib.so", "[addresses]"), OWN[0],
               ("page-faults", "lib.so", "[addresses]"), OWN[1]],
       "callers' have no number", got)

# The tables of what the overview says: each row is used, and a template has
# fields that there are.
ROOM = os.path.join(tap.top_srcdir, "analyses/accounts")


def read(name):
    with open(os.path.join(ROOM, name), encoding="utf-8") as f:
        return f.read()


source = subprocess.run(["grep", "-rh", "", "--include=*.c",
                         os.path.join(tap.top_srcdir, "analyses")],
                        text=True, capture_output=True).stdout
code = set(re.findall(r"CP_[AT]_\w+", re.sub(r"CP_ACCOUNT\(\s*", "CP_A_",
                                             source)))
table = read("accounts.def")
names = (["CP_A_" + name for name in re.findall(
    r"^(?:ACCOUNT|PHRASE)\((\w+),", table, re.M)] +
    ["CP_T_" + name for name in re.findall(
        r"^THRESHOLD\((\w+),", read("thresholds.def"), re.M)])
least = re.findall(r"^ACCOUNT\(\w+, \w+, (\w+),", table, re.M)
unused = [n for n in names if n not in code and n[5:] not in least]
tap.ok(len(names) > 150 and not unused,
       "each account and threshold is used", unused)
fields = re.findall(r'FIELD\("(\w+)"', read("words.c"))
said = re.findall(r"{(\w+)}", table)
tap.ok(set(said) == set(fields) and
       all(t.count("[") == t.count("]") for t in table.splitlines()),
       "templates have the fields of accounts", set(said) ^ set(fields))
# A tracepoint's place in the code is no hot function.
rep = report(path_of("good-sched"), "report")
tap.ok(not any(s.get("slug") in ("symbols", "functions")
               for s in rep["sections"]) and rows(rep, "threads") and
       "sched_stat_runtime is a tracepoint: its stacks tell" in notes(rep),
       "a tracepoint without callers has no symbols", notes(rep))
rep = report(path_of("good-waits"), "report")
tap.ok(section(rep, "symbols") and
       "sched_switch is a tracepoint: its stacks tell" in notes(rep),
       "one with callers has them, and what they are", notes(rep))

# Switches of one thread only: when it came back is not in the capture.
with open(os.path.join(tap.top_srcdir, "corpus", "good-waits",
                       "input.mkperf")) as source:
    lines_of = source.read().replace("\\\n", " ").splitlines(True)
for whole in (True, False):
    rep = report(build("switches%d" % whole, "".join(
        l for l in lines_of if whole or not l.startswith("sample") or
        re.match(r"sample sched:sched_switch .*pid=100 ", l))), "report")
    tap.ok((section(rep, "offcpu-states") is not None) == whole and
           ("not to come back" in notes(rep)) == (not whole) and
           ("waits, scheduler delays" in
            [r["What"] for r in rows(rep, "missing")]) == (not whole),
           "switches of %s" % ("all threads tell how long they waited"
                               if whole else "one thread tell no times"),
           (notes(rep), section(rep, "offcpu-states")))

# A name that is cut has brackets that stay open, and no function at its end.
name = "outer<" + 70 * "deep::" + "type>::function"
seen = report(build("long", head("period=1000000") + 'ksymbol addr=%#x len=0x100 name="%s"'
                    " time=1\n" % (KERNEL + 0x90000, name) + "".join(
                        sample(10**9 + ms * 10**6, 1, PARSE, outer=0x90000)
                        for ms in range(100))), "report")
tap.ok("< " + name in [r["Symbol"] for r in rows(seen, "symbols")],
       "a long name of a caller is whole", rows(seen, "symbols"))

# A share is written in one way: as in the table that has it.
text = report(path_of("good-fp"), "report", "--symbols", os.path.join(
    tap.top_srcdir, "corpus/good-fp/symbols"))
hot = re.search(r"took (\S+) % of", found(text).get("hot function", ""))
own = rows(text, "symbols")[0]["Self"]
share = own["value"] if isinstance(own, dict) else \
    own[0] if isinstance(own, list) else own
tap.ok(hot and hot[1] == "%.2f" % (100 * share),
       "a sentence has the table's digits", (hot, own))
tap.done()
