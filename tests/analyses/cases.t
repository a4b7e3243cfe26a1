#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The cases of ../shared/cases/analyses: small captures whose right values are
# in the CATALOG there.
import os
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
from made import report, rows, table
import tap

CASES = os.path.join(tap.top_srcdir, "..", "shared", "cases", "analyses")
if not os.path.isdir(CASES):
    tap.skip_all("../shared/cases is not there")


def of(name, command, *options):
    return report(os.path.join(CASES, name), command, *options)


def found(name):
    return [(r["About"], r["Finding"])
            for r in rows(of(name, "report"), "findings")]


calls = {r["Call"]: (r["Calls"], r["Average"])
         for r in rows(of("syscall-minus-one.data", "syscalls"), "syscalls")}
tap.ok(calls == {"write": (3, 4000), "ioctl": (1, 8000), "getpid": (1, 5000),
                 "rt_sigreturn": (1, 1000)}, "calls that return -1", calls)
for name, total, longest in (("blockio-two-in-flight.data", 5, 4000000),
                             ("blockio-write-read.data", 10, 500000)):
    r = rows(of(name, "blockio"), "blockio")
    tap.ok(len(r) == 1 and (r[0]["Requests"], r[0]["Max"]) == (total, longest),
           "requests by operation and size: " + name, r)
r = rows(of("one-process-switches.data.zst", "wall"), "wall-threads")
ran = sum(x["On CPU"] for x in r)
tap.ok(abs(ran - 929e6) < 1e6 and all(x["Unknown"] == 0 for x in r),
       "what the program ran, of its own switches", r)
f = found("one-command-sched.data")
tap.ok(not any("waited" in x or about == "CPU wait" for about, x in f),
       "waits of others for a CPU cannot be known", f)
f = found("idle-threads-locks.data")
tap.ok(not any("lock" in x for _, x in f), "idle threads wait for no lock", f)
f = found("blocked-switch-events.data")
tap.ok("producer ran for 4.1 %" in f[0][1] and "blocked" in f[0][1],
       "a producer that is blocked", f)
f = found("convoy-cpu-only.data")
tap.ok(f[0][1].startswith("wl ran for 10.9 % of its 4.057 s"),
       "it did not run", f)
f = found("user-only.data")
tap.ok("was seen in user code for 1.9 %" in f[0][1] and
       "or was in the kernel" in f[0][1] and
       not any("100 % user" in x for _, x in f),
       "samples of user code do not tell that it waited", f)
f = found("quota.data")
tap.ok(f[0][0] == "held back" and "quota" in f[0][1], "a quota", f)
f = found("broken-period.data")
tap.ok(f[0][0] == "few heavy samples", "one sample is all the weight", f)
c = table(of("time-window.data", "sched", "--time", "+1.5s,+1.6s"),
          "cpus", "CPU")
tap.ok(c["0"]["Busy"] == 100000000, "a window of CPUs", c)
c = rows(of("time-window.data", "syscalls", "--time", "+0.2s,+0.5s"),
         "syscalls")
tap.ok([(x["Call"], x["Time"]) for x in c] == [("poll", 300000000)],
       "a call that spans the window", c)
p = rows(of("softirq.data.zst", "pair"), "pairs")
tap.ok([(x["Count"], x["Time"]) for x in p] == [(1000, 350000000)],
       "time in softirqs", p)
p = rows(of("kmem-leak.data", "pair"), "pair-open")
tap.ok([(x["Count"], x["Bytes"]) for x in p] == [(10, 1280)],
       "memory that is not freed", p)
c = [x["At"] for x in rows(of("one-slow-second.data.zst", "timeline"),
                           "changes")]
tap.ok(len(c) == 2 and abs(c[0] - 30.3e9) < 3e8 and abs(c[1] - 31.3e9) < 3e8,
       "one slow second of sixty", c)
tap.done()
