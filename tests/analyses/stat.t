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
tap.done()
