#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A lost record can have changed what threads did from the last record of its
# CPU until the kernel says that it was lost: that time is unknown, on whatever
# CPU the thread was seen, also where the loss is told long after.
import json
import os
import resource
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap
from tap import is_

tmp = tempfile.TemporaryDirectory(prefix="coldperf-losses.")
MS = 10 ** 6
with open(os.path.join(tap.top_srcdir, "corpus", "odd-waits-lost",
                       "input.mkperf")) as f:
    HEAD = f.read().split("\nsample ")[0] + "\n"
NAMES = {0: "swapper", 100: "alpha", 200: "beta"}


def switch(ms, cpu, out, into, state=1):
    return ("sample sched:sched_switch ip=0xffffffff81001104 pid=%d time=%d "
            "cpu=%d id=1 raw=u2:316,u1:0,u1:0,u4:%d,c16:\"%s\",u4:%d,u4:120,"
            "u8:%d,c16:\"%s\",u4:%d,u4:120\n" %
            (out, ms * MS, cpu, out, NAMES[out], out, state, NAMES[into],
             into))


def waking(ms, cpu, actor, whom, to):
    return ("sample sched:sched_waking ip=0xffffffff81001104 pid=%d time=%d "
            "cpu=%d id=2 raw=u2:317,u1:0,u1:0,u4:%d,c16:\"%s\",u4:%d,u4:120,"
            "u4:%d\n" % (actor, ms * MS, cpu, actor, NAMES[whom], whom, to))


def lost(ms, cpu):
    return "lost id=1 lost=3 time=%d .cpu=%d\n" % (ms * MS, cpu)


def capture(name, lines):
    path = os.path.join(tmp.name, name)
    with open(path + ".text", "w") as f:
        f.write(HEAD + "".join(lines))
    p = subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                        path + ".text", path], capture_output=True, text=True)
    tap.ok(p.returncode == 0, name + " is compiled", p.stderr)
    return path


def run(*args):
    return subprocess.run([tap.coldperf] + list(args), text=True,
                          capture_output=True)


def times(path):
    """By thread: ms on CPU, runnable, blocked, unknown."""
    report = json.loads(run("offcpu", "-f", "json", "--no-local", path).stdout)
    for s in report["sections"]:
        if s["slug"] == "offcpu-threads":
            names = [c["name"] for c in s["columns"]]
            rows = [dict(zip(names, r["values"])) for r in s["rows"]]
            return {r["Command"]: tuple(
                r[c] / MS for c in ("On CPU", "Runnable", "Blocked",
                                    "Unknown")) for r in rows}
    return {}


# beta blocks on CPU 0 at 1002, alpha on CPU 1 wakes it at 1012 (lost), it gets
# CPU 0 at 1042.  CPU 1 says at 1050 that records were lost since 1001.
BEGIN = [switch(1000, 0, 0, 200), switch(1001, 1, 0, 100),
         switch(1002, 0, 200, 0)]
END = [switch(1042, 0, 0, 200), lost(1050, 1), switch(1060, 0, 200, 0),
       switch(1070, 1, 100, 0)]
whole = BEGIN + [waking(1012, 1, 100, 200, 0)] + \
    [line for line in END if not line.startswith("lost")]
is_(times(capture("whole", whole)).get("beta"), (20, 30, 20, 0),
    "nothing lost: 10 + 10 ms blocked, 30 runnable")
got = times(capture("wake", BEGIN + END))
is_(got.get("beta"), (20, 0, 10, 40),
    "a wait in which its wake-up may have been lost is unknown")
is_(got.get("alpha"), (20, 0, 0, 50),
    "who ran on the CPU that lost is unknown until the loss is told")

# alpha leaves CPU 0 at 1002, which then loses records until 1010.  CPU 1 has it
# at 1040, as its first record: when it was first recorded, nobody knows.
MOVED = [switch(1000, 0, 0, 100), switch(1002, 0, 100, 0), lost(1010, 0)]
LEAVES = [switch(1040, 1, 100, 0), switch(1050, 0, 0, 200)]
is_(times(capture("unseen", MOVED + LEAVES)).get("alpha"), (2, 0, 10, 38),
    "a CPU without a record was not recorded")
is_(times(capture("heard", MOVED + [waking(1030, 1, 100, 200, 0)] +
                  LEAVES)).get("alpha"), (12, 0, 10, 28),
    "who leaves a CPU was there since its first record")

# CPU 1 was heard of at 1010: until then nothing of it was lost.
got = times(capture("part", BEGIN + [waking(1010, 1, 100, 100, 1)] + END))
is_(got.get("beta"), (20, 0, 18, 32),
    "what was before the loss is known: blocked")

# Its wake-up was seen, but who says that it did not run on CPU 1 then?
got = times(capture("seen", BEGIN + [waking(1005, 0, 0, 200, 0)] + END))
is_(got.get("beta"), (20, 0, 10, 40), "a seen wake-up does not help")

# CPU 1 told of itself after the wait, so that the loss began after it.
got = times(capture("after", BEGIN + [waking(1012, 1, 100, 200, 0)] +
                    END[:1] + [waking(1045, 1, 100, 100, 1)] + END[1:]))
is_(got.get("beta"), (20, 30, 20, 0), "a loss that began later")

# A record that tells no CPU: any can be it.  CPU 1 was the last time heard
# of at 1001, so all is unknown from there to 1050.
got = times(capture("any", BEGIN + END[:1] + [lost(1050, 0xffffffff)] +
                    END[2:]))
is_(got.get("beta"), (11, 0, 10, 49), "a loss of an unknown CPU: all unknown")

# Two in a row, in between CPU 0 only: the second is since 1001, too.
ANY = 0xffffffff
got = times(capture("again", BEGIN + [lost(1010, ANY)] + END[:1] +
                    [lost(1050, ANY)] + END[2:]))
is_(got.get("beta"), (11, 0, 10, 49), "and another one: the same")
got = times(capture("quiet", BEGIN + [waking(1005, 1, 100, 100, 1),
                                      lost(1010, ANY)] + END[:1] + END[2:]))
is_(got, {"alpha": (61, 0, 0, 9), "beta": (20, 0, 10, 40)},
    "CPUs that were quiet are unknown until their next event")

# Two CPUs lose, one within the time of the other.
got = times(capture("two", BEGIN + [waking(1010, 1, 100, 100, 1)] + END[:1] +
                    [lost(1044, 2)] + END[1:]))
is_(got.get("beta"), (20, 0, 10, 40),
    "of a CPU never heard of before the loss can have begun at once")

# The last loss of a CPU has no LOST record.  perf counts it when it ends, in
# a record without a time that counts the told losses once more.
def counted(cpu, n, misc):
    return "lost_samples lost=%d time=0 .cpu=%d misc=%d\n" % (n, cpu, misc)


LAST = BEGIN + [switch(1062, 1, 100, 0)]
is_(times(capture("full", LAST)).get("beta"), (2, 0, 60, 0),
    "nothing is counted: nothing lost")
got = times(capture("counted", LAST + [counted(0, 3, 0)]))
is_(got.get("beta"), (2, 0, 0, 60), "a loss that only perf's count tells")
is_(got.get("alpha"), (61, 0, 0, 1), "which is not of the other CPU")
is_(times(capture("front", [counted(0, 3, 0)] + LAST)), got,
    "where the count stands does not matter")
is_(times(capture("told", LAST[:3] + [lost(1003, 1), counted(1, 3, 0)] +
                  LAST[3:])), times(capture("told1", LAST[:3] +
                                            [lost(1003, 1)] + LAST[3:])),
    "a loss that was told does not count again")
got = times(capture("nowhere", LAST + [counted(0xffffffff, 3, 0)]))
is_(got.get("beta"), (2, 0, 0, 60), "a count of no CPU: any of them")
is_(times(capture("filter", LAST + [counted(0, 3, 0x8000)])).get("beta"),
    (2, 0, 60, 0), "what a BPF filter dropped is not lost")

# beta's first event is its wake-up at 1005: until then it is unknown.
is_(times(capture("first", [switch(1001, 1, 0, 100),
                            waking(1005, 1, 100, 200, 0),
                            switch(1006, 0, 0, 200), switch(1010, 0, 200, 0),
                            switch(1020, 1, 100, 0)])).get("beta"),
    (4, 1, 10, 4), "before its first event a thread is unknown")

for command in ("sched", "timeline", "report"):
    p = run(command, "--no-local", os.path.join(tmp.name, "wake"))
    tap.ok(p.returncode == 0, command + " takes it", p.stderr)

# More than is held in memory: that a loss came too late is said.
many = BEGIN[:2]
for i in range(36000):
    many += ["".join((switch(1002, 0, 200, 0), switch(1002, 0, 0, 200)))
             .replace("time=1002000000", "time=%d" % (1002 * MS + 20 * i), 1)
             .replace("time=1002000000",
                      "time=%d" % (1002 * MS + 20 * i + 10))]
p = run("offcpu", "--no-local", capture("late", many + [lost(1050, 1)]))
tap.ok("1 loss was reported late" in p.stdout, "a loss too late is said",
       p.stdout + p.stderr)
p = run("offcpu", "--no-local", os.path.join(tmp.name, "wake"))
tap.ok("reported late" not in p.stdout, "and only then")

# 131,072 CPUs times 400,000 losses would take more than this time.
many = capture("cpus", [switch(1000, 65535, 0, 100), switch(1001, 0, 0, 200),
                        "repeat 400000 as i {\n",
                        lost(1002, ANY).replace("\n", "+i\n").replace(
                            " .cpu=%d+i" % ANY, "+i .cpu=%d" % ANY), "}\n"])
for command in ("offcpu", "sched"):
    p = subprocess.run([tap.coldperf, command, "--no-local", many],
                       capture_output=True, text=True,
                       preexec_fn=lambda: resource.setrlimit(
                           resource.RLIMIT_CPU, (10, 10)))
    tap.ok(p.returncode == 0, command + ": losses of many CPUs cost little",
           p.stderr)

tap.done()
