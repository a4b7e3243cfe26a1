#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Memory that runs out at the N-th allocation, whatever N: the run ends with
# status 5 and says so, or never comes to it; no signal, and an output that is
# whole or absent.
#
# Without a sanitizer every allocation of a small run fails once; with one,
# or for longer runs, a spread of them.
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-memory.")
RUNS = 60 if tap.sanitized else 400


def capture(case):
    return tap.capture(case, scratch.name)


def run(n, command):
    p = subprocess.run([tap.coldperf] + command, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                       env=dict(os.environ, COLDPERF_FAIL_ALLOCATION=str(n)))
    return p.returncode, p.stderr.decode("utf-8", "replace")


def length(command):
    """How many allocations a run makes."""
    low, high = 0, 1 # 0 means never
    while run(high, command)[0] == 5:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if run(middle, command)[0] == 5:
            low = middle
        else:
            high = middle
    return high - 1


def spread(total):
    """All of them, or the first 40 and RUNS more up to the last."""
    if total <= RUNS:
        return range(1, total + 1)
    rest = {total - i * (total - 40) // RUNS for i in range(RUNS)}
    return sorted(set(range(1, 41)) | rest)


def wrong(n, command, out, whole):
    """What is wrong with a run that lacks allocation n, or None."""
    status, err = run(n, command)
    left = {f: open(os.path.join(out, f), "rb").read()
            for f in os.listdir(out)}
    if status == 5 and "(memory)" in err and left in ({}, {"report": whole}):
        return None
    return "%d: status %d, %s: %s" % (n, status, list(left), err)


def sweep(case, *command):
    out = os.path.join(scratch.name, "out")
    where = os.path.join(out, "report")
    command = list(command) + ["--no-local", "--jobs", "1", capture(case)]
    whole = None
    if command[0] not in ("script", "dump"):
        command += ["-o", where]
    os.makedirs(out, exist_ok=True)
    good = run(0, command)[0]
    if os.path.exists(where):
        with open(where, "rb") as f:
            whole = f.read()
    total = length(command)
    tried, bad = spread(total), []
    for n in tried:
        if os.path.exists(where):
            os.unlink(where)
        bad.append(wrong(n, command, out, whole))
    bad = [b for b in bad if b]
    tap.ok(not bad and total > 20, "%s of %s: %d of %d allocations fail" %
           (command[0], case, len(tried), total), "\n".join(bad[:5]))
    after = run(total + 1, command)[0]
    tap.ok(after == good, "and with one more it ends as usual",
           "%d instead of %d" % (after, good))


sweep("good-fp", "flame", "-f", "svg")
sweep("good-zstd-pipe", "report", "-f", "json")
sweep("good-all-records", "info")
sweep("good-directory", "hotspots", "-f", "csv")
sweep("good-all-fields", "script")
sweep("bad-tracing", "dump")
tap.done()
