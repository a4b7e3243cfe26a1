#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
browse.py COLDPERF CAPTURE: CPU time to the first screen of browse, against
report, and of each selection, in a terminal of 80 columns; writes
bench/BROWSE.md to standard output.  bench/multiply makes a large CAPTURE.
"""
import os
import pty
import resource
import select
import subprocess
import sys
import time

coldperf, capture = sys.argv[1:]
KEYS = (("functions, with intervals", b"2"), ("threads", b"5"),
        ("a process alone", b"\r"), ("its functions", b"2"),
        ("all again", b"A"), ("an object alone", b"d"), ("all again", b"A"),
        ("calls", b"3"), ("all of them", b"E"), ("callers", b"4"),
        ("the flame graph", b"7"))


def used(pid):
    fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([coldperf, "report", "--no-cache", "--no-pager", capture],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime +
            after.ru_stime - before.ru_stime)


def browse(keys):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", LC_ALL="C.UTF-8", COLUMNS="80",
                          LINES="24")
        os.execv(coldperf, [coldperf, "browse", "--no-cache",
                            "--progress=never", capture])
    seen = b""
    while b"lists the keys" not in seen:
        seen += os.read(fd, 65536)
    first, took = used(pid), []
    for _, key in keys:
        start = used(pid)
        os.write(fd, key)
        # What is drawn is drawn at once: a silent second ends it.
        while select.select([fd], [], [], 1)[0]:
            os.read(fd, 65536)
        took.append(used(pid) - start)
    os.write(fd, b"q")
    try:
        while os.read(fd, 65536):
            pass
    except OSError:
        pass
    os.waitpid(pid, 0)
    return first, took


reports = [report() for _ in range(3)]
firsts = [browse(())[0] for _ in range(2)]
first, took = browse(KEYS)
firsts.append(first)
print("# The browser in the terminal\n")
print("Written by `bench/browse.py` on %s, of a capture of %d MB.\n" % (
    time.strftime("%Y-%m-%d"), os.path.getsize(capture) >> 20))
print("| what | CPU ms | wanted | |\n|---|---|---|---|")
ratio = min(firsts) / min(reports)
print("| first screen | %.0f | 1.3 x report (%.0f) | %.2f: %s |" % (
    min(firsts) * 1000, min(reports) * 1000, ratio,
    "met" if ratio <= 1.3 else "**missed**"))
for (what, _), ms in zip(KEYS, took):
    print("| %s | %.0f | 200 | %s |" % (
        what, ms * 1000, "met" if ms <= .2 else "**missed**"))
