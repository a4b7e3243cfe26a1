#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What a capture of perf stat lacks is said: an event that was never read, the
# record that ends it, a count of no event.
import os
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
import tap

ATTRS = """attr faults type=1 config=2 period=0 sample_type=IDENTIFIER ids=10
attr cycles type=0 config=0 period=0 sample_type=IDENTIFIER ids=20
stat_config entries=0,1,1,0,2,1
"""
READ = "stat id=%d cpu=-1 thread=0 value=7 enabled=9 running=%d\n"
END = "stat_round stat_type=1 stime=1000\n"
UNREAD, UNENDED = "no counter of cycles was read", "that ends the counts"


def stat(name, text):
    p = subprocess.run([tap.coldperf, "stat", made.build(name, ATTRS + text)],
                       capture_output=True, text=True)
    return p.returncode, p.stdout, p.stderr


def check(name, text, status, said, unsaid=()):
    got = stat(name, text)
    tap.ok(got[0] == status and all(s in got[1] + got[2] for s in said) and
           not any(s in got[1] + got[2] for s in unsaid), name, got)


BOTH = READ % (10, 9) + READ % (20, 9)
check("all is there", BOTH + END, 0, (), (UNREAD, UNENDED))
check("an event was not supported", READ % (10, 9) + END, 0, (UNREAD,),
      (UNENDED,))
check("none was", END, 0, (UNREAD,), (UNENDED, "has no counts"))
check("the end is missing", BOTH, 0, (UNENDED,), (UNREAD,))
check("a count of no event", BOTH + READ % (30, 9) + END, 3, ("counter 30",))
check("a counter that ran too long", BOTH.replace("running=9", "running=99") +
      END, 3, ("counter 10",), ("1100",))

# A hybrid processor: each kind of core has its own metrics; slots are divided.
HYBRID = """attr cpu_core/cycles/ type=0 config=0 period=0 sample_type=IDENTIFIER ids=1
attr cpu_core/instructions/ type=0 config=1 period=0 sample_type=IDENTIFIER ids=2
attr cpu_atom/cycles/ type=0 config=0 period=0 sample_type=IDENTIFIER ids=3
attr cpu_atom/instructions/ type=0 config=1 period=0 sample_type=IDENTIFIER ids=4
attr cpu_core/slots/ type=4 config=0x400 period=0 sample_type=IDENTIFIER ids=5
attr cpu_core/topdown-retiring/ type=4 config=0x8000 period=0 sample_type=IDENTIFIER ids=6
attr cpu_core/topdown-mem-bound/ type=4 config=0x8700 period=0 sample_type=IDENTIFIER ids=7
stat_config entries=0,1,1,0,2,1
"""


def hybrid(*values):
    lines = ["stat id=%d cpu=-1 thread=0 value=%d enabled=90 running=%d\n" %
             (i + 1, v, 45 if i == 3 else 90) for i, v in enumerate(values)]
    return HYBRID + "".join(lines) + END


p = stat("hybrid", hybrid(1000, 3000, 400, 100, 6000, 1500, 600))[1]
lines = {" ".join(x.split()[:1] + x.split()[1:2] + x.split()[2:3])
         for x in p.splitlines()}
tap.ok({"3,000 cpu_core/instructions/ 3", "200 cpu_atom/instructions/ 0.5",
        "1,500 cpu_core/topdown-retiring/ 25",
        "600 cpu_core/topdown-mem-bound/ 10"} <= lines and
       "for 50.0 %" in p, "hybrid: metrics of each kind of core", p)

# Two captures: means of both sides, change, and what only one has.
before = made.build("before", hybrid(1000, 3000, 400, 100, 6000, 1500, 600))
after = made.build("after", hybrid(1500, 3000, 400, 200, 6000, 1500, 600))
one = made.build("one", ATTRS + BOTH + END)
p = subprocess.run([tap.coldperf, "diff", before, after], capture_output=True,
                   text=True).stdout
rows = [line.split() for line in p.splitlines() if "cpu_" in line]
tap.ok(["+50.0%", "1,000", "1,500", "cpu_core/cycles/"] in
       [r[:4] for r in rows] and
       ["+0.0%", "3,000", "3,000", "cpu_core/instructions/", "3", "2"] in
       [r[:6] for r in rows] and
       ["+100.0%", "200", "400", "cpu_atom/instructions/", "0.5", "1"] in
       [r[:6] for r in rows], "diff of two: counts and metrics", p)
p = subprocess.run([tap.coldperf, "diff", before, after, after, "--baseline",
                    "1"], capture_output=True, text=True).stdout
tap.ok("1,500" in p and "means" in p, "and of one and two: means", p)
p = subprocess.run([tap.coldperf, "diff", "--fail-over", "5%", before, after],
                   capture_output=True, text=True)
tap.ok(p.returncode == 2 and "counts alone" in p.stderr and not p.stdout,
       "a gate has no answer for counts", p)
p = subprocess.run([tap.coldperf, "diff", before, one], capture_output=True,
                   text=True).stdout
tap.ok("one side only" in p, "an event of one side is said", p)
tap.done()
