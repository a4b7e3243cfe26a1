#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Stacks beside those of `perf script --no-inline`, on captures made here and
# now: equal, or perf's is the part that perf managed.
#
# perf 6.1 adds an address of -1 where it could not go on, never reads the last
# word of the dump, and takes the unwind table of a library from wherever the
# process before exec had it mapped: whole processes end early or go astray
# then.  A stack of perf's that leaves ours is accepted if ours goes on to an
# outermost frame that perf itself reaches in other samples, or that its own
# stack ends in, with frames of ours left out before it.
import atexit
import collections
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.mkdtemp(prefix="coldperf-unwind.")
atexit.register(shutil.rmtree, scratch, True)
KERNEL = 1 << 63


def run(command):
    p = subprocess.run(command, cwd=scratch, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


def stacks(text):
    """(head, addresses): perf prints offsets in files, so of user addresses
    only the place in the page is kept."""
    out = []
    for line in text.splitlines():
        if not line.startswith("\t") and line.strip():
            out.append((line.strip(), []))
        elif line.startswith("\t") and out:
            ip = int(line.split()[0], 16)
            out[-1][1].append(ip if ip >= KERNEL and ip != 2 ** 64 - 1
                              else ip % 4096 if ip != 2 ** 64 - 1 else None)
    return out


def within(some, all_of_them):
    """Every frame, in this order."""
    rest = iter(all_of_them)
    return all(frame in rest for frame in some)


def classify(perf, ours, outermost):
    if perf and perf[-1] is None:
        perf = perf[:-1]
    if perf == ours:
        return "equal"
    if perf[:-1] == ours[:len(perf) - 1] and len(perf) <= len(ours) + 1:
        return "part"
    if len(perf) >= 127:
        return "part" if perf[:100] == ours[:100] else "other"
    if ours and perf and ours[-1] == perf[-1] and within(perf, ours):
        return "astray"
    return "astray" if ours and ours[-1] in outermost else "other"


def compare(name, least, command):
    data = os.path.join(scratch, "perf.data")
    status, _, err = run(["perf", "record", "-q", "-e", "cpu-clock", "-F",
                          "999", "--call-graph", "dwarf,16384", "-o", data,
                          "--"] + command)
    if not os.path.exists(data):
        tap.skip("%s: %s" % (name, err.strip()[-100:]))
        return
    fields = ["-F", "comm,tid,time,ip"]
    perf = stacks(run(["perf", "script", "--no-inline", "-i", data, "-F",
                       "comm,tid,time,ip,sym"])[1])
    ours = stacks(run([tap.coldperf, "script", "--inline", "no"] + fields +
                      [data])[1])
    ends = collections.Counter(p[1][-1] for p, o in zip(perf, ours)
                               if p[1] and p[1] == o[1])
    outermost = {ip for ip, n in ends.items() if n > 1 and ip is not None}
    count = collections.Counter()
    for p, o in zip(perf, ours):
        kind = classify(p[1], o[1], outermost) if p[0] == o[0] else "head"
        count[kind] += 1
        if kind in ("other", "head") and count[kind] <= 3:
            tap.diag("%s %s: perf %s ours %s" % (name, p[0], p[1], o[1]))
    good = count["equal"] + count["part"] + count["astray"]
    tap.ok(len(perf) == len(ours) and len(perf) >= least and
           good * 1000 >= len(perf) * 997,
           "%s: %s" % (name, dict(count)))
    os.remove(data)


work = os.path.join(os.environ["top_srcdir"], "tests", "unwind", "work")
if run(["perf", "record", "-q", "-e", "cpu-clock", "--call-graph", "dwarf",
        "-o", "probe.data", "true"])[0] != 0:
    tap.skip_all("perf cannot record here")
for name, options in (("frames", ["-O2"]), ("static", ["-O2", "-static"])):
    program = os.path.join(scratch, name)
    if run(["gcc", "-pthread", "-o", program, os.path.join(work, "frames.c")] +
           options)[0] == 0:
        compare(name, 100, [program])
if shutil.which("gcc"):
    compare("gcc", 50, ["gcc", "-O2", "-S", "-o", "/dev/null", os.path.join(
        os.environ["top_srcdir"], "tests", "unwind", "work", "frames.c")])
if shutil.which("openssl"):
    compare("openssl", 100, ["openssl", "speed", "-seconds", "1", "sha256"])
tap.done()
