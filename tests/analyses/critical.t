#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# critical: the steps of a path, worked by hand; and for each capture of both
# corpora they add up to the time of the path, to the nanosecond.
import glob
import os
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
from tap import is_
import made

HEAD = made.head_of("good-sched-waits", "sched:sched_switch")
MS = 1000000
IRQ = 8  # of common_flags: in an interrupt handler


def switch(ms, cpu, out, state, into):
    return ms, ('sample sched:sched_switch ip=0xffffffff81000100 pid=%d '
                'time=%d cpu=%d id=1 raw=u2:316,u1:0,u1:0,u4:%d,c16:"t%d",'
                'u4:%d,u4:120,u8:%d,c16:"t%d",u4:%d,u4:120\n' %
                (out, ms * MS, cpu, out, out, out, state, into, into))


def waking(ms, cpu, by, tid, flags=0, target=None):
    return ms, ('sample sched:sched_waking ip=0xffffffff81000200 pid=%d '
                'time=%d cpu=%d id=2 raw=u2:320,u1:%d,u1:0,u4:%d,c16:"t%d",'
                'u4:%d,u4:120,u4:%d\n' %
                (by, ms * MS, cpu, flags, by, tid, tid,
                 cpu if target is None else target))


def fork(ms, parent, tid):
    return ms, 'fork %d %d %d %d .pid=%d .tid=%d time=%d\n' % (
        tid, parent, tid, parent, parent, parent, ms * MS)


def build(name, *events):
    return made.build(name, HEAD + "".join(
        text for _, text in sorted(events, key=lambda e: e[0])))


def critical(path, *options):
    return made.report(path, "critical", "--top", "0", *options)


def steps(rep):
    return [(r["Time"] // MS, r["TID"], r["State"], r["By"])
            for r in made.rows(rep, "critical-steps")]


def tree_sum(rep):
    """Of the root: each node has the time that is its own."""
    return sum(n["self"] for s in rep["sections"]
               if s.get("slug") == "critical" for n in s["nodes"])


def wrong(rep):
    """Where the tables and the tree do not add up to the paths."""
    paths = made.rows(rep, "critical-paths")
    whole = sum(r["Time"] for r in paths)
    got = [sum(r["Time"] for r in made.rows(rep, "critical-" + slug))
           for slug in ("states", "account", "steps")] + [tree_sum(rep)]
    bad = [g for g in got if g != whole]
    of = {}
    for r in made.rows(rep, "critical-steps"):
        # They touch, in order of time.
        if of.get(r["Path"], r["Start"]) != r["Start"]:
            bad.append(r)
        of[r["Path"]] = r["Start"] + r["Time"]
    return bad + [p for p in paths
                  if of.get(p["Path"]) != p["Start"] + p["Time"]]


# 100 waits for 101, which waits for an interrupt, then for 300 to leave its
# CPU.  Its child 102 begins while 100 waits for that; 102 runs at once.
chain = build(
    "chain", switch(1, 0, 0, 0, 100), switch(1, 1, 0, 0, 101),
    switch(3, 0, 100, 1, 0), switch(5, 1, 101, 2, 300),
    waking(7, 1, 300, 101, IRQ), switch(8, 1, 300, 1, 101),
    waking(10, 1, 101, 100, 0, 0), switch(11, 0, 0, 0, 100),
    switch(13, 0, 100, 1, 0), switch(15, 1, 101, 1, 0),
    fork(14, 101, 102), switch(16, 1, 0, 0, 102), waking(18, 1, 102, 100),
    switch(18, 0, 0, 0, 100), switch(20, 0, 100, 64, 0))
rep = critical(chain, "--tid", "100")
got = steps(rep)
is_(got[:7], [(2, "100", "on CPU, no sample", ""),
              (2, "101", "on CPU, no sample", ""),
              (2, "101", "blocked", "(interrupt)"),
              (1, "101", "waits for a CPU", "t300"),
              (2, "101", "on CPU, no sample", ""),
              (1, "100", "waits for a CPU", "(idle CPU)"),
              (2, "100", "on CPU, no sample", "")],
    "what the waker did until then: it ran, waited for an interrupt, and for "
    "the CPU that another had")
is_([s[:2] for s in got[7:] if s[2].startswith("on CPU")],
    [(1, "101"), (2, "102"), (2, "100")],
    "before a thread began, what its parent did")
is_(sum(s[0] for s in got), 19, "all of the time is there")
is_(wrong(rep), [], "the tables and the tree add up to it")
is_(steps(critical(chain, "--tid", "100", "--time", "0.004,0.009")),
    [(5, "100", "blocked", "(not ended yet)")],
    "--time: back from a moment in the middle of a wait")
is_([s[:2] for s in steps(critical(chain, "--tid", "100", "--time", ",0.012"))],
    [(2, "100"), (2, "101"), (2, "101"), (1, "101"), (2, "101"), (1, "100"),
     (1, "100")], "... and of a moment on the CPU")

rep = critical(chain, "--tid", "100", "--waits", "5")
is_([r["Time"] // MS for r in made.rows(rep, "critical-paths")], [7, 5],
    "--waits: a path for each wait, the longest first")
is_(wrong(rep), [], "... which add up, too")

# 201 and 202 end the wait of each other at the same time.
loop = build(
    "loop", switch(1, 0, 0, 0, 201), switch(1, 1, 0, 0, 202),
    switch(2, 0, 201, 1, 0), switch(3, 1, 202, 1, 0),
    waking(8, 0, 202, 201), waking(8, 1, 201, 202),
    switch(9, 0, 0, 0, 201), switch(9, 1, 0, 0, 202),
    switch(10, 0, 201, 1, 0), switch(10, 1, 202, 1, 0))
rep = critical(loop, "--tid", "201")
tap.ok((5, "202", "blocked", "(loop of wake-ups)") in steps(rep) and
       not wrong(rep), "a loop of wake-ups is cut, and said", steps(rep))

# 400 ... 479 are woken each by the next, all at the same time.
n = 80
deep = build(
    "deep", *[e for i in range(n) for e in (
        switch(1, i, 0, 0, 400 + i), switch(2, i, 400 + i, 1, 0),
        waking(5, i, 401 + i, 400 + i), switch(6, i, 0, 0, 400 + i),
        switch(7, i, 400 + i, 1, 0))])
rep = critical(deep, "--tid", "400")
tap.ok(any(s[3] == "(too deep to follow)" for s in steps(rep)) and
       not wrong(rep), "waits that depend on each other are bounded",
       steps(rep)[:9])

# Nothing wakes 100 after its wait.
rep = critical(build(
    "nobody", switch(1, 0, 0, 0, 100), switch(3, 0, 100, 1, 0),
    switch(9, 0, 0, 0, 100), switch(10, 0, 100, 64, 0)), "--tid", "100")
tap.ok((6, "100", "blocked", "(no waker recorded)") in steps(rep),
       "a wait without a wake-up says so", steps(rep))
rep = made.report(chain, "critical", "--tid", "100", "--top", "2")
rows = made.rows(rep, "critical-steps")
tap.ok(len([r for r in rows if r["TID"]]) < 12 and not wrong(rep) and
       any("shorter step" in r["State"] for r in rows),
       "--top shows the longest steps, and sums those between", rows)

# ------------------------------------------------------- all that there are
corpus = os.path.join(tap.top_srcdir, "corpus")
paths = [tap.capture(os.path.basename(d), made.work.name)
         for d in sorted(glob.glob(corpus + "/*sched*") +
                         glob.glob(corpus + "/*switch*") +
                         glob.glob(corpus + "/*wait*"))
         if os.path.exists(d + "/perf.data") or
         os.path.exists(d + "/input.mkperf")]
paths += sorted(p for p in glob.glob(made.SHARED + "/*/*")
                if os.path.isfile(p) and os.path.getsize(p) < 1000000 and
                subprocess.run(["grep", "-qa", "sched_switch", p]).returncode
                == 0)
bad, n = [], 0
for path in tap.share(paths, 0, 8):
    for options in ((), ("--waits", "9")):
        rep = critical(path, *options)
        n += bool(made.rows(rep, "critical-steps"))
        bad += [(path, options, w) for w in wrong(rep)]
tap.ok((n > 6 or tap.sanitized) and not bad,
       "the steps add up for each capture that has switches",
       "%d\n%s" % (n, bad[:3]))
tap.done()
