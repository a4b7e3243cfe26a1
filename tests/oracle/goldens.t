#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Captures that others made, beside what their own programs said of them: the
# same samples at the same times, and the same stacks but for what is explained
# here.  The programs that were recorded are not at hand; where they are needed
# a stack is shorter here, and never other.
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

SHARED = os.path.join(tap.top_srcdir, "..", "shared", "corpus")
KERNEL = 1 << 63


def ours(path):
    """[(pid, tid, seconds, [(address, object)])]"""
    p = subprocess.run([tap.coldperf, "script", "--ns", "--no-local",
                        "--inline", "no", "--cache", "/nonexistent", "-F",
                        "pid,tid,time,ip,sym,dso", path],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = []
    for line in p.stdout.decode("utf-8", "replace").splitlines():
        if line.startswith("\t"):
            out[-1][1].append((int(line.split()[0], 16),
                               line.rpartition("(")[2].rstrip(")")))
        elif line:
            pid, tid, time = re.match(r" *(\d+)/(\d+) +([\d.]+):",
                                      line).groups()
            out.append(((int(tid), time), []))
    return out


def text(path, head, frame):
    """[(what the head says, addresses)]"""
    out = []
    with open(path, errors="replace") as f:
        for line in f:
            h, a = re.match(head, line), re.match(frame, line)
            if h:
                tid, time = h.groups()
                out.append(((int(tid), time), []))
            elif a and out:
                out[-1][1].append(int(a[1], 16))
    return out


def same_time(got, want):
    return got[0] == want[0] and got[1].startswith(want[1])


def leaf_caller(got, want):
    """perf for arm64 puts the link register behind a leaf whose unwind table
    says that it has not been saved."""
    got = [ip for ip, _ in got]
    return got in (want, want[:1] + want[2:])


def without_art(got, want):
    """simpleperf hides the frames of Android's runtime, and names interpreted
    code."""
    rest = list(want)
    for ip, name in got:
        if rest and rest[0] == ip:
            del rest[0]
        elif not HIDDEN.search(name):
            return False
    return not rest


def leaf_and_kernel(got, want):
    """All that can be had without the program: perfparser prints the address
    of a frame, and on the next line that of its symbol."""
    got = [ip for ip, _ in got]
    kernel = [ip for ip in got if ip >= KERNEL]
    return got[:1] == want[:1] and \
        kernel == [ip for ip in want if ip >= KERNEL][:len(kernel)]


HIDDEN = re.compile(r"/(libart\.so|boot[\w-]*\.oat)$")
PERFPARSER = (r"\S.*\t\d+\t(\d+)\t([\d.]+)$", r"\t([0-9a-f]+) ",
              leaf_and_kernel)
CASES = (
    ("jnidzwetzki-pg-conf-ger-2026/flamegraph-workload.perf",
     "jnidzwetzki-pg-conf-ger-2026/flamegraph.stacks",
     r"\S+ +(\d+) ([\d.]+): ", r"\t +([0-9a-f]+) ", leaf_caller),
    ("jbeich-platform_system_extras/perf_display_bitmaps.data",
     "jbeich-platform_system_extras/perf_display_bitmaps.perf-script",
     r".*\t\d+/(\d+) \[\d+\] ([\d.]+): ", r"\t *([0-9a-f]+) ", without_art),
    *(("KDAB-perfparser/" + name, "KDAB-perfparser/" + name + ".expected.txt",
       *PERFPARSER)
      for name in ("fork_static_gcc.perf.data.zstd",
                   "vector_static_gcc.perf.data",
                   "vector_static_gcc.perf.lbr.data")),
)
for capture, golden, head, frame, agrees in CASES:
    if not os.path.exists(os.path.join(SHARED, capture)):
        tap.skip("%s is not here" % capture)
        continue
    got = ours(os.path.join(SHARED, capture))
    want = text(os.path.join(SHARED, golden), head, frame)
    wrong = [(g, w) for g, w in zip(got, want)
             if not same_time(g[0], w[0]) or not agrees(g[1], w[1])]
    for g, w in wrong[:3]:
        tap.diag("%s: %s, ours %s %s" % (
            w[0], " ".join("%x" % ip for ip in w[1]), g[0],
            " ".join("%x:%s" % f for f in g[1])))
    tap.ok(len(got) == len(want) > 0 and not wrong,
           "%s: %d of %d samples agree" % (capture, len(got) - len(wrong),
                                           len(want)))
tap.done()
