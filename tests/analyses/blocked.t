#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What the overview says of threads that waited, by small schedules whose times
# are known: for whom, where, and what that one did meanwhile.
import os
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
import tap

MAPS = tempfile.TemporaryDirectory(prefix="coldperf-blocked.")
USER = ("main", "serve", "work", "ask", "wait_answer", "collect")
KERNEL = ("__x64_sys_futex", "futex_wait", "__x64_sys_poll", "do_sys_poll",
          "__x64_sys_clock_nanosleep", "hrtimer_nanosleep", "schedule",
          "fcntl_setlk", "__x64_sys_fcntl")
AT = {name: 0x400000 + 0x1000 * i for i, name in enumerate(USER)}
with open(os.path.join(MAPS.name, "perf-8.map"), "w", encoding="ascii") as f:
    for name, at in AT.items():
        f.write("%x 800 %s\n" % (at, name))
AT.update((name, 0xffffffffc0000000 + 0x1000 * i)
          for i, name in enumerate(KERNEL))
FUTEX = ("schedule", "futex_wait", "__x64_sys_futex")
POLL = ("schedule", "do_sys_poll", "__x64_sys_poll")
SLEEP = ("schedule", "hrtimer_nanosleep", "__x64_sys_clock_nanosleep")
MS = 10**6
HEAD = made.head_of("good-sched-waits", "sched:sched_switch").replace(
    "|RAW|", "|CALLCHAIN|RAW|").replace(
    "flags=sample_id_all", "flags=sample_id_all|ksymbol").split("comm ")[0] + (
    "attr cpu-clock type=1 config=0 period=1000000 ids=4 flags=sample_id_all "
    "sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN|IDENTIFIER\n")


def chain(kernel, user):
    return "chain=" + ",".join(
        (["kernel"] + ["%#x" % (AT[f] + 16) for f in kernel] if kernel else []) +
        (["user"] + ["%#x" % (AT[f] + 16) for f in user] if user else []))


class Schedule:
    """Switches of threads of process 8, each on a CPU of its own."""

    def __init__(self):
        self.lines = []

    def add(self, ms, text):
        self.lines.append((ms, len(self.lines), text))

    def switch(self, ms, out, into, state=1, stack=((), ())):
        tid = out or into
        self.add(ms, 'sample sched:sched_switch ip=0xffffffff81000100 pid=%d '
                 'tid=%d time=%d cpu=%d id=1 %s raw=u2:316,u1:0,u1:0,u4:%d,'
                 'c16:"t",u4:%d,u4:120,u8:%s,c16:"t",u4:%d,u4:120\n' %
                 (8 if out else 0, out, (1000 + ms) * MS, tid % 16,
                  chain(*stack), out, out, state, into))

    def run(self, tid, begin, end, stack):
        """It runs, then waits there."""
        self.switch(begin, 0, tid, 0, (("schedule",), ()))
        at = begin
        while at < end:
            self.add(at, "sample cpu-clock ip=%#x pid=8 tid=%d time=%d cpu=%d "
                     "id=4 period=1000000 misc=2 %s\n" %
                     (AT["work"] + 16, tid, (1000 + at) * MS + 1, tid % 16,
                      chain((), ("work", "main"))))
            at += 1
        self.switch(end, tid, 0, 1, stack)

    def wake(self, ms, by, tid):
        self.add(ms, 'sample sched:sched_waking ip=0xffffffff81000200 pid=%d '
                 'tid=%d time=%d cpu=%d id=2 %s raw=u2:320,u1:%d,u1:0,u4:%d,'
                 'c16:"t",u4:%d,u4:120,u4:%d\n' %
                 (8 if by else 0, by, (1000 + ms) * MS, (by or tid) % 16,
                  chain(("schedule",), ()), 0 if by else 8, by, tid, tid % 16))

    def findings(self, name, threads, head=HEAD):
        text = head + 'feature cmdline perf record ./prog\n' \
            'mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 ' \
            'pgoff=0xffffffff81000000 misc=1 name="[kernel.kallsyms]_text"\n' \
            'comm 8 8 "prog" misc=0x2000 .pid=8 .tid=8 time=%d\n' \
            'mmap pid=8 addr=0x400000 len=0x200000 pgoff=0 name="//anon"\n' % \
            (1000 * MS)
        text += "".join('ksymbol addr=%#x len=0x100 name="%s" time=1\n' %
                        (AT[f], f) for f in KERNEL)
        for tid, comm in threads.items():
            text += 'comm 8 %d "%s" .pid=8 .tid=%d time=%d\n' % (
                tid, comm, tid, 1000 * MS)
        rep = made.report(
            made.build(name, text + "".join(t for *_, t in sorted(self.lines))),
            "report", "--symbols", MAPS.name)
        return [(r["About"], r["Finding"]) for r in made.rows(rep, "findings")]


# Ten times it waits 400 ms for an answer that does not come.
s = Schedule()
for i in range(10):
    s.run(8, i * 402, i * 402 + 2, (POLL, ("wait_answer", "ask", "main")))
    s.wake(i * 402 + 402, 0, 8)
s.run(8, 4020, 4022, (POLL, ("wait_answer", "ask", "main")))
f = s.findings("timeout", {})
tap.ok(f and f[0][0] == "ran" and
       "waited until a timeout was over, in wait_answer < ask (poll), 10 times,"
       " mostly 400.000 ms" in f[0][1], "timeouts", f)

# Three clients wait for one worker, which sleeps 20 ms for each of them.
s = Schedule()
s.run(8, 0, 1, (SLEEP, ("main",)))
for tid in (9, 10, 11):
    s.run(tid, 1, 2, (FUTEX, ("ask", "serve")))
at = 2
for i in range(60):
    s.run(12, at, at + 1, (SLEEP, ("work", "collect")))
    s.wake(at + 21, 0, 12)
    at += 21
    s.wake(at + 0.5, 12, 9 + i % 3)
    s.run(9 + i % 3, at + 0.6, at + 0.8, (FUTEX, ("ask", "serve")))
s.run(12, at, at + 1, (SLEEP, ("work", "collect")))
s.wake(at + 21, 0, 8)
s.run(8, at + 21, at + 22, (SLEEP, ("main",)))
f = s.findings("pool", {9: "client", 10: "client", 11: "client", 12: "worker"})
tap.ok(f and f[0][0] == "ran" and
       "most of its threads waited for another thread, in ask < serve (futex);"
       " worker ended it, and slept meanwhile, in work < collect" in f[0][1],
       "whom clients wait for, and what that one did", f)

# A thread works for 30 of 40 ms while three others wait for it.  Stacks of
# these waits end in libc; others tell what the threads are there for.
s = Schedule()
s.run(8, 0, 1, (FUTEX, ()))
for i in range(40):
    at = 2 + i * 40
    for tid in (9, 10, 11):
        s.run(tid, at, at + 4, (SLEEP, ("work", "serve")))
        s.wake(at + 5, 0, tid)
        s.run(tid, at + 5, at + 8, (FUTEX, ()))
        s.wake(at + 39, 12, tid)
    s.run(12, at + 8, at + 39, (SLEEP, ("collect",)))
    s.wake(at + 48, 0, 12)
s.wake(1605, 12, 8)
s.run(8, 1605, 1606, (SLEEP, ("main",)))
f = s.findings("stopped", {12: "collector"})
tap.ok(f and f[0][0] == "stopped threads" and f[0][1].startswith(
    "3 threads of prog waited 3.720 s") and
    "for collector, which was at work, in serve (futex)" in f[0][1],
       "threads of one kind that were stopped, without the one beside", f)

# A recording of two threads, which take turns on CPU 0 with others: whether
# CPU 1 of two was idle is not known, so nobody can say that they are bound.
s = Schedule()
for i in range(100):
    for k, tid in enumerate((9, 10)):
        at = 1 + i * 40 + k * 20
        s.add(at, "switch .pid=8 .tid=%d time=%d .cpu=0\n" %
              (tid, (1000 + at) * MS))
        s.add(at + 10, 'sample sched:sched_switch ip=0xffffffff81000100 pid=8 '
              'tid=%d time=%d cpu=0 id=1 %s raw=u2:316,u1:0,u1:0,u4:%d,c16:"t",'
              'u4:%d,u4:120,u8:preempted,c16:"t",u4:900,u4:120\n' %
              (tid, (1010 + at) * MS, chain(("schedule",), ()), tid, tid))
f = s.findings("scoped", {}, HEAD.replace("flags=", "flags=enable_on_exec|") +
               "feature nrcpus 2 2\n")
tap.ok(f and f[0][0] == "CPU taken" and "not recorded" in f[0][1] and
       "affinity" not in f[0][1], "CPUs that were not recorded are not idle", f)

# Twelve threads take one lock in turn, and sleep 10 ms with it: each thread is
# in front for a twelfth of its wait alone.  Another program of the same name
# began earlier; perf made process 8 for the one that it ran.
s = Schedule()
s.run(8, 0, 1, (FUTEX, ("main",)))
ring = list(range(20, 32))
for tid in ring:
    s.run(tid, 1, 2, (FUTEX, ("ask", "serve")))
at = 2
for i in range(120):
    tid, after = ring[i % 12], ring[(i + 1) % 12]
    if i == 0:
        s.wake(at, 0, tid)
    s.run(tid, at, at + 1, (SLEEP, ("work", "serve")))
    s.wake(at + 11, 0, tid)
    s.wake(at + 11.2, tid, after)
    s.run(tid, at + 11, at + 11.4, (FUTEX, ("ask", "serve")))
    at += 12
s.wake(at, 0, 8)
s.run(8, at, at + 1, (FUTEX, ("main",)))
made_first = ('comm 8 8 "perf-exec" .pid=8 .tid=8 time=0\n'
              'comm 6 6 "prog" misc=0x2000 .pid=6 .tid=6 time=%d\n' %
              (999 * MS))
f = s.findings("queue", {}, HEAD + made_first)
tap.ok(f and f[0][0] == "shared resource" and
       f[0][1].startswith("12 threads of prog waited 15."),
       "a queue of many threads, of the process that perf ran", f)

# A lock of fcntl is a lock, though nothing else in the stack says so.
s = Schedule()
s.run(8, 0, 1, (("schedule", "fcntl_setlk", "__x64_sys_fcntl"), ("main",)))
s.run(9, 0, 1000, (SLEEP, ("work",)))
s.wake(1000, 9, 8)
s.run(8, 1000, 1002, (SLEEP, ("main",)))
f = s.findings("fcntl", {9: "holder"})
tap.ok(any(about == "lock" and "for a file lock" in said for about, said in f),
       "locks of fcntl", f)
tap.done()
