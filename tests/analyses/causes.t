#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Causes that samples alone name: what a program began to do, what the kernel
# did for it; and their parts in JSON.
import os
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
from made import build, report, rows
import tap

MAPS = tempfile.TemporaryDirectory(prefix="coldperf-causes.")
NAMES = ("main", "answer", "search", "load", "runtime.gcDrain",
         "runtime.memmove")
AT = {name: 0x400000 + 0x1000 * i for i, name in enumerate(NAMES)}
with open(os.path.join(MAPS.name, "perf-8.map"), "w", encoding="ascii") as f:
    for name, at in AT.items():
        f.write("%x 800 %s\n" % (at, name))
KERNEL = 0xffffffffc0000000
CALLS = ("do_syscall_64", "ksys_read", "copy_page", "net_rx_action")
for i, name in enumerate(CALLS):
    AT[name] = KERNEL + 0x1000 * i
HEAD = """attr cpu-clock type=1 config=0 period=1000000 ids=1 flags=sample_id_all|mmap|mmap2|comm|ksymbol sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 misc=1 name="[kernel.kallsyms]_text"
feature cmdline perf record ./prog
comm 8 8 "prog" misc=0x2000 .pid=8 .tid=8 time=%d
mmap2 pid=8 addr=0x400000 len=0x200000 pgoff=0 name="//anon"
""" % 10**9
for name in CALLS:
    HEAD += 'ksymbol addr=%#x len=0x100 name="%s" time=1\n' % (AT[name], name)


def sample(ms, kernel, user, pid=8):
    """Frames are innermost first."""
    at = [AT[f] + 0x10 for f in kernel + user]
    chain = ["kernel"] * bool(kernel) + ["%#x" % a for a in at[:len(kernel)]] + \
        ["user"] + ["%#x" % a for a in at[len(kernel):]]
    return "sample cpu-clock ip=%#x pid=%d tid=%d cpu=0 time=%d " \
        "period=1000000 misc=%d chain=%s\n" % (
            at[0], pid, pid, 10**9 + ms * 10**6, 1 if kernel else 2,
            ",".join(chain))


def causes(name, samples):
    rep = report(build(name, HEAD + samples), "report", "--symbols", MAPS.name)
    parts = rows(rep, "accounts")
    tap.ok([(x["Cause"], x["Kind"]) for x in parts] ==
           [(x["About"], "trust" if x["About"] == "callers" else "cause")
            for x in rows(rep, "findings")],
           "each finding in parts: " + name, parts)
    return [x for x in parts if x["Time"]], rows(rep, "findings")


# From 1.408 s on, two of three samples are in search.
c, f = causes("change", "".join(
    sample(ms, (), ("search", "main") if ms >= 1408 and ms % 3 else
           ("answer", "main")) for ms in range(2000)))
tap.ok(len(c) == 1 and c[0]["Cause"] == "change" and
       c[0]["Where"] == "search" and 1.3e9 < c[0]["When"] < 1.5e9 and
       abs(c[0]["Time"] - 395e6) < 20e6 and
       abs(c[0]["Share"]["value"] - 0.667) < 0.05,
       "what it began to do, since when, and how much that is", c)
tap.ok(f[0]["About"] == "change" and "search" in f[0]["Finding"] and
       "before that 0 %" in f[0]["Finding"], "the sentence of it", f)
c, f = causes("turns", "".join(
    sample(ms, (), ("search" if ms // 300 % 2 else "answer", "main"))
    for ms in range(2000)))
tap.ok(not c, "turns are no change", c)
c, f = causes("warm", "".join(
    sample(ms, (), ("load" if ms < 150 else "answer", "main"))
    for ms in range(2000)))
tap.ok(not c, "a short beginning is no change", c)

# Of 100 samples 60 are in the kernel for read, 10 of packets.
c, f = causes("call", "".join(
    sample(ms, ("copy_page", "ksys_read", "do_syscall_64")
           if ms * 37 % 100 < 60 else
           ("net_rx_action",) if ms * 37 % 100 < 80 else (),
           ("load", "main")) for ms in range(2000)))
tap.ok([(x["Cause"], x["Time"], x["Where"]) for x in c] ==
       [("kernel", 1200000000, "load < main"),
        ("softirqs", 400000000, "load < main")],
       "time in the kernel, by system call and by softirq", c)
tap.ok("for the system call read, in load < main" in f[0]["Finding"],
       "the sentence of it", f)
# Half of the way to a call and back is not known to be of one.
c, f = causes("one-call", "".join(
    sample(ms, ("copy_page", "ksys_read", "do_syscall_64") if ms % 4 < 2 else
           ("do_syscall_64",) if ms % 4 == 2 else (), ("load", "main"))
    for ms in range(2000)))
tap.ok([(x["Cause"], x["Time"]) for x in c] == [("kernel", 1500000000)] and
       "for the system call read, in load < main" in f[0]["Finding"],
       "the way to the only call is of it", c)
# A phase has the name of what main() calls then.
c, f = causes("phase", "".join(
    sample(ms, (), ("answer", "search", "main") if ms >= 1000 else
           ("load",)) for ms in range(2000)))
tap.ok(c[0]["Cause"] == "change" and c[0]["Where"] == "search",
       "a change in main() is one of what it calls", c)
c, f = causes("garbage", "".join(
    sample(ms, (), ("runtime.memmove", "runtime.gcDrain") if ms % 2 else
           ("answer", "main")) for ms in range(2000)))
tap.ok([(x["Cause"], x["Time"]) for x in c] ==
       [("garbage collection", 1000000000)], "the collector of a runtime", c)
threads = "".join(
    "fork 8 8 %d 8 time=%d\nexit 8 8 %d 8 time=%d\n" % (
        100 + i, 10**9 + i * 1000000, 100 + i, 10**9 + i * 1000000 + 200000)
    for i in range(1990))
c, f = causes("threads", threads + "".join(
    sample(ms, (), ("answer", "main")) for ms in range(1, 2000, 40)))
tap.ok(c[0]["Cause"] == "short threads" and
       "prog started 1,990 threads" in f[0]["Finding"] and
       "lived 200.000 us on average" in f[0]["Finding"] and
       not any(x["Cause"] == "ran" for x in c),
       "threads that end at once, of which samples see few", (c, f))
tap.done()
