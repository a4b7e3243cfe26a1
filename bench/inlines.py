#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""inlines.py FILE...: what inlined functions and lines of addresses cost.

For each file with debug information 20,000 addresses uniform over its
functions, and 20,000 in 400 functions as a profile hits them, are asked of
coldperf's reader and of the usual tools.  CPU time of whole processes, user
and system, the median of three runs; tools that take too long are asked for
fewer addresses and compared by the address.
"""
import bisect
import os
import random
import resource
import subprocess
import sys
import tempfile

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


def cpu(words, addrs):
    text = "".join("0x%x\n" % a for a in addrs).encode()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, input=text, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime -
            before.ru_stime) * 1e6 / len(addrs)


def median(words, addrs, runs=3):
    return sorted(cpu(words, addrs) for _ in range(runs))[runs // 2]


def main():
    random.seed(1)
    print("| file | addresses | cold | from the cache | llvm-symbolizer "
          "| addr2line | eu-addr2line |")
    print("|---|---|---|---|---|---|---|")
    for path in sys.argv[1:]:
        fn = functions(path)
        for name, addrs in (("uniform", uniform(fn)),
                            ("clustered", clustered(fn))):
            with tempfile.TemporaryDirectory() as d:
                cached = [OURS, "-c", d + "/cache", path]
                cpu(cached, addrs)
                warm = median(cached, addrs)
            cold = median([OURS, path], addrs)
            others = [
                median(["llvm-symbolizer", "--inlines", "--no-demangle",
                        "--obj=" + path], addrs),
                cpu(["addr2line", "-i", "-f", "-e", path], addrs),
                cpu(["eu-addr2line", "-i", "-f", "-e", path], addrs[:100])]
            print("| %s | %d %s | %.1f us | %.2f us | %s |" % (
                os.path.basename(path), len(addrs), name, cold, warm,
                " | ".join("%.1f us (%.0fx)" % (o, o / cold)
                           for o in others)))
            sys.stdout.flush()


main()
