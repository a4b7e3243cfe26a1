#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""inlines.py FILE...: what inlined functions and lines of addresses cost.

For each file with debug information 20,000 addresses uniform over its
functions, and 20,000 in 400 functions as a profile hits them, are asked of
coldperf's reader and of the usual tools.  CPU time of whole processes, user
and system, the median of three runs; tools that take too long are asked for
fewer addresses and compared by the address.  What comes from the cache is
shown without printing, too, which takes as long.

A FILE that is a capture is printed by `coldperf script`, cold and from the
cache, made a flame graph of, and printed by `perf script` with inlined
functions, once.
"""
import bisect
import ctypes
import os
import random
import resource
import subprocess
import sys
import tempfile

COLDPERF = os.path.join(os.environ.get("top_builddir", "."), "coldperf")
OURS = os.path.join(os.environ.get("top_builddir", "."),
                    "tests/symbolize/inlines")
COUNT = 20000


def functions(path):
    found = set()
    out = subprocess.run(["nm", "-S", "--defined-only", path],
                         stdout=subprocess.PIPE).stdout.decode()
    for line in out.splitlines():
        w = line.split()
        # Discarded code is said to be at low addresses.
        if len(w) >= 4 and w[2] in "tTwW" and int(w[0], 16) >= 0x10000:
            found.add((int(w[0], 16), int(w[1], 16)))
    return sorted(found)


def uniform(fn):
    ends, total, out = [], 0, set()
    for _, size in fn:
        total += size
        ends.append(total)
    while len(out) < min(COUNT, total // 2):
        at = random.randrange(total)
        i = bisect.bisect_right(ends, at)
        out.add(fn[i][0] + fn[i][1] - (ends[i] - at))
    return list(out)


def clustered(fn):
    hot, out = random.sample(fn, min(400, len(fn))), set()
    weights = [random.paretovariate(1.16) for _ in hot]
    most = min(COUNT, sum(size for _, size in hot) * 4 // 5)
    while len(out) < most:
        start, size = random.choices(hot, weights)[0]
        out.add(start + random.randrange(size))
    return list(out)


def used():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


def seconds(words, text=b"", **more):
    before = used()
    subprocess.run(words, input=text, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, **more)
    # perf leaves its addr2line to whoever comes after it.
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return used() - before


def cpu(words, addrs):
    text = "".join("0x%x\n" % a for a in addrs).encode()
    return seconds(words, text) * 1e6 / len(addrs)


def median(words, addrs, runs=3):
    return sorted(cpu(words, addrs) for _ in range(runs))[runs // 2]


def measure_file(path):
    fn = functions(path)
    for name, addrs in (("uniform", uniform(fn)),
                        ("clustered", clustered(fn))):
        with tempfile.TemporaryDirectory() as d:
            cached = [OURS, "-c", d + "/cache", path]
            cpu(cached, addrs)
            warm = median(cached, addrs)
            quiet = median([OURS, "-q"] + cached[1:], addrs)
        cold = median([OURS, path], addrs)
        others = [
            median(["llvm-symbolizer", "--inlines", "--no-demangle",
                    "--obj=" + path], addrs),
            cpu(["addr2line", "-i", "-f", "-e", path], addrs),
            cpu(["eu-addr2line", "-i", "-f", "-e", path], addrs[:100])]
        print("| %s | %d %s | %.1f us | %.2f us (%.2f) | %s |" % (
            os.path.basename(path), len(addrs), name, cold, warm, quiet,
            " | ".join("%.1f us (%.0fx)" % (o, o / cold) for o in others)))
        sys.stdout.flush()


def measure_capture(path):
    with tempfile.TemporaryDirectory() as d:
        env = dict(os.environ, XDG_CACHE_HOME=d)
        cold, warm, flame = [], [], []
        for _ in range(3):
            cold.append(seconds([COLDPERF, "script", "--no-cache", path]))
            flame.append(seconds([COLDPERF, "flame", "--no-cache", "-f",
                                  "folded", path]))
        for _ in range(4):
            warm.append(seconds([COLDPERF, "script", path], env=env))
    theirs = seconds(["perf", "script", "-i", path])
    print("| %s | %s | %.2f s |" % (os.path.basename(path), " | ".join(
        "%.3f s (%.0fx)" % (t, theirs / t) for t in (
            sorted(cold)[1], sorted(warm[1:])[1], sorted(flame)[1])), theirs))
    sys.stdout.flush()


def is_capture(path):
    with open(path, "rb") as f:
        return f.read(7) == b"PERFILE"


def main():
    random.seed(1)
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    captures = [p for p in sys.argv[1:] if is_capture(p)]
    files = [p for p in sys.argv[1:] if p not in captures]
    if captures:
        print("| capture | script, cold | from the cache | flame, cold "
              "| perf script |\n|---|---|---|---|---|")
    for path in captures:
        measure_capture(path)
    if files:
        print("| file | addresses | cold | from the cache (not printed) "
              "| llvm-symbolizer | addr2line | eu-addr2line |\n"
              "|---|---|---|---|---|---|---|")
    for path in files:
        measure_file(path)


main()
