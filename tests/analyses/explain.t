#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# explain: what was planted in a window is named, with its amount; windows of a
# steady program, in which nothing was planted, have nothing to say.
import os
import random
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
import made

HEAD = made.head_of("good-sched-waits", "sched:sched_switch").replace(
    "attr sched:sched_wakeup_new",
    "attr cpu-clock type=1 config=0 period=1000000 sample_type=IP|TID|TIME|CPU"
    "|PERIOD|RAW|IDENTIFIER flags=sample_id_all ids=4\n"
    "attr sched:sched_wakeup_new")
NS, MS, PAGE = 10 ** 9, 10 ** 6, 0x10000
SWITCH = ('sample sched:sched_switch ip=0xffffffff81000100 pid=%d time=%d '
          'cpu=%d id=1 raw=u2:316,u1:0,u1:0,u4:%d,c16:"t%d",u4:%d,u4:120,'
          'u8:%d,c16:"t%d",u4:%d,u4:120\n')
WAKE = ('sample sched:sched_waking ip=0xffffffff81000200 pid=0 time=%d cpu=%d '
        'id=2 raw=u2:320,u1:0,u1:0,u4:0,c16:"w",u4:%d,u4:120,u4:%d\n')


def program(name, seed, seconds, odd=lambda cpu, at: None):
    """Three threads, each on a CPU, run and sleep for times that vary by
    chance; a function lasts for some samples of 1 ms.  odd() tells another
    one for a sample, or how long a sleep that begins there is."""
    r, events = random.Random(seed), []
    text = "".join('mmap pid=100 tid=100 addr=0x%x len=0x1000 pgoff=0 '
                   'name="/f%02d"\n' % (0x400000 + i * PAGE, i)
                   for i in range(12))
    for cpu in range(3):
        tid, at, function = 100 + cpu, r.randrange(MS), cpu * 4
        text += 'comm 100 %d "w%d" .pid=100 .tid=%d time=1\n' % (tid, cpu,
                                                                 tid)
        while at < seconds * NS:
            events.append((at, SWITCH % (0, at, cpu, 0, 0, 0, 0, tid, tid)))
            end = at + int(r.expovariate(1 / 8e6)) + 10000
            for tick in range(at // MS + 1, end // MS + 1):
                if r.random() < .25:
                    function = cpu * 4 + r.randrange(4)
                other = odd(cpu, tick * MS)
                events.append((
                    tick * MS, "sample cpu-clock ip=0x%x pid=100 tid=%d "
                    "time=%d cpu=%d id=4\n" % (
                        0x400000 + (function if type(other) is not int or
                                    r.random() < .5 else other) * PAGE,
                        tid, tick * MS, cpu)))
            events.append((end, SWITCH % (tid, end, cpu, tid, tid, tid, 1, 0,
                                          0)))
            wait = int(r.expovariate(1 / 8e6)) + 10000
            if type(odd(cpu, end)) is float:
                wait = int(odd(cpu, end) * NS)
            events.append((end + wait, WAKE % (end + wait, cpu, tid, cpu)))
            at = end + wait + int(r.expovariate(1 / 2e5)) + 1000
    events.sort(key=lambda e: e[0])
    return made.build(name, HEAD + text + "".join(t for _, t in events))


def why(rep):
    return [r["What"] for r in made.rows(rep, "explain-why")]


def explain(path, *options):
    return made.report(path, "explain", *options)


# ------------------------------------------------------------------ nothing
steady = program("steady", 1, 12)
r, found = random.Random(5), []
windows = 300 if tap.nightly else 25
for i in range(windows):
    length = r.choice((.1, .25, .5, 1))
    at = r.uniform(.1, 11.8 - length)
    rep = explain(steady, "--time", "%.3f,%.3f" % (at, at + length))
    if made.scalars(rep, "explain").get("result") != \
            "nothing differs more than chance":
        found.append((at, length, why(rep)))
tap.ok(len(found) <= max(1, windows // 50),
       "windows of a steady program: nothing differs", found)
tap.ok(made.scalars(explain(steady), "explain").get("result", "").startswith(
    "no window differs"), "none is found in it either")

# ------------------------------------------------------------------ planted
planted = program("planted", 2, 12, lambda cpu, at:
                  11 if 5 * NS <= at < 6 * NS else None)
rep = explain(planted, "--time", "5,6")
text = why(rep)[0] if why(rep) else ""
m = re.search(r"^f11 ran (\d+) ms of each second, normally (\d+) ms of each "
              r"second, .* p < 0.001$", text)
# Half of the samples of three threads that run half of the time.
tap.ok(m and 650 < int(m[1]) < 1050 and 50 < int(m[2]) < 220 and
       len(why(rep)) <= 2, "a function that ran in the window", why(rep))
tap.ok("annotate 'f11' --time 5.0" in
       made.rows(rep, "explain-why")[0]["Command"], "... and the command",
       made.rows(rep, "explain-why"))

waits = program("waits", 3, 12, lambda cpu, at:
                (.2 if cpu == 2 else 4) if 7 * NS <= at < 8 * NS else None)
rep = explain(waits, "--slow", "wait>150ms")
got = made.scalars(rep, "explain")
tap.ok(abs(got.get("slow time", 0) / NS - 1) < .25,
       "--slow wait>: long waits are the windows", got)
tap.ok(any(re.match("f04 ran", t) for t in why(rep)),
       "... and what another thread did meanwhile is named", why(rep))
stopped = program("stopped", 4, 12, lambda cpu, at:
                  .25 if 7 * NS <= at < 8 * NS else None)
rep = explain(stopped)
got = made.scalars(rep, "explain")
tap.ok(abs(got.get("slow time", 0) / NS - 1.1) < .3 and
       any(t.startswith("the threads ran") for t in why(rep)),
       "a slow second is found without an option", "%s\n%s" % (got, why(rep)))
tap.ok(len(why(rep)) <= 7, "at most seven sentences", why(rep))
tap.ok(made.scalars(explain(steady, "--slow", "runq>99"), "explain").get(
    "result") == "nothing is slow by that measure",
    "no window by that measure")
for bad in ("wait", "wait>", "wait>5", "runq>x", "pair:>5ms", "p:x>5ms"):
    p = subprocess.run([tap.coldperf, "explain", "--slow", bad, steady],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    tap.ok(p.returncode == 2 and b"--slow" in p.stderr,
           "--slow %s is no measure" % bad, p.stderr.decode())
tap.done()
