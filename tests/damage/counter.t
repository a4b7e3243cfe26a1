#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A counter that goes backwards began again: what it counted since is its value,
# never 2^64 less the difference, and it is said, but of inherited counters: a
# thread may have the number of an older one.  So it is for values without ids,
# and for times; what counters beyond a limit count is unknown, not their values.
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

tmp = tempfile.TemporaryDirectory()
path = os.path.join(tmp.name, "group")
GROUP = "".join(
    "attr %s type=0 config=%d period=%d sample_type=IP|TID|TIME|ID|PERIOD|READ "
    "read_format=ID|GROUP flags=sample_id_all|mmap ids=%d\n" % (
        name, number, 100 - 100 * number, number + 1)
    for number, name in enumerate(("cycles", "instructions")))


def read(values, more=""):
    """What the member counted, and how the run ended."""
    return periods("instructions", GROUP.replace("mmap", "mmap" + more) +
                   "".join(
        "sample cycles ip=0x400010 pid=8 time=%d period=100 id=1 "
        "read=2,%d,1,%d,2\n" % (i * 1000, i * 100, value)
        for i, value in enumerate(values, 1)))


def periods(event, text, *options):
    with open(path + ".in", "w") as f:
        f.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".in", path], check=True)
    r = subprocess.run([tap.coldperf, "script", "-F", "event,period", *options,
                        path], capture_output=True, text=True)
    words = [line.replace(":", " ").split() for line in r.stdout.splitlines()]
    return [int(w[0]) for w in words if w[1] == event], r


def single(form, reads, more="", fields="", types=""):
    """Samples of one event, with these values."""
    return ("attr cycles type=0 config=0 period=70 read_format=%s "
            "sample_type=IP|TID|TIME|PERIOD|READ%s flags=sample_id_all|mmap%s"
            "\n" % (form, types, more) + "".join(
                "sample cycles ip=0x400010 pid=8 time=%d period=70 %s "
                "read=%s\n" % (i * 1000, fields, read)
                for i, read in enumerate(reads, 1)))


grew, r = read((3000, 3500, 9000, 9000))
tap.ok(grew == [3000, 500, 5500] and "counter" not in r.stderr,
       "a counter that grows", "%s\n%s" % (grew, r.stderr))
grew, r = read((3000, 3500, 100, 9000))
tap.ok(grew == [3000, 500, 100, 8900], "one that goes backwards", grew)
tap.ok(r.returncode == 0 and "(counter-restart)" in r.stderr and
       "100 after 3500" in r.stderr and "offset 0x" in r.stderr,
       "is said, and where", "status %d\n%s" % (r.returncode, r.stderr))
grew, r = read((3000, 3500, 100, 9000), "|inherit")
tap.ok(grew == [3000, 500, 100, 8900] and "counter" not in r.stderr,
       "an inherited one that goes backwards", "%s\n%s" % (grew, r.stderr))

# Without ids the period is the sample's; a value that goes backwards is said.
TIMES = "TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING"
for form, good, bad, said in (
        ("0", ("100", "200", "900"), ("100", "900", "200"), "200 after 900"),
        (TIMES, ("100,5,5", "200,7,6"), ("200,5,5", "100,7,6"),
         "100 after 200"),
        (TIMES, ("100,5,5", "100,5,5"), ("100,50,5", "200,7,6"),
         "time enabled: 7 after 50"),
        (TIMES, ("100,5,5", "200,5,5"), ("100,50,50", "200,70,6"),
         "time running: 6 after 50")):
    for where, types in (("", ""), ("cpu=3", "|CPU")):
        what = "read_format %s%s" % (form, types)
        grew, r = periods("cycles", single(form, good, "", where, types))
        tap.ok(grew == [70] * len(good) and "counter" not in r.stderr,
               what + ": grows", "%s\n%s" % (grew, r.stderr))
        grew, r = periods("cycles", single(form, bad, "", where, types))
        tap.ok(grew == [70] * len(bad) and r.stderr.count(said) == 1 and
               "(counter-restart)" in r.stderr, "%s: %s" % (what, said),
               "%s\n%s" % (grew, r.stderr))
        _, r = periods("cycles", single(form, bad, "|inherit", where, types))
        tap.ok("counter" not in r.stderr, what + ": an inherited one", r.stderr)
# Threads have counters of their own; so have CPUs.
text = single("0", ("100", "200"))
text += "sample cycles ip=0x400010 pid=8 tid=9 time=9000 period=70 read=50\n"
_, r = periods("cycles", text)
tap.ok("counter" not in r.stderr, "another thread's counter", r.stderr)

# Times of a counter with an id
NAMED = "ID|" + TIMES
grew, r = periods("cycles", single(NAMED, ("100,5,5,1", "300,9,8,1"),
                                   " ids=1"))
tap.ok(grew == [100, 200] and "counter" not in r.stderr, "times that grow",
       "%s\n%s" % (grew, r.stderr))
grew, r = periods("cycles", single(NAMED, ("100,50,5,1", "300,9,8,1"),
                                   " ids=1"))
tap.ok(grew == [100, 200] and "time enabled: 9 after 50" in r.stderr,
       "times that go backwards are said", "%s\n%s" % (grew, r.stderr))

# The kernel writes the leader's value at least: a sample with none is damaged.
text = GROUP + "".join(
    "raw 9 2 u8:0x400010 u4:8 u4:8 u8:%d u8:1 u8:100 u8:%d%s\n" % (
        i * 1000, len(values) // 2, "".join(" u8:%d" % v for v in values))
    for i, values in enumerate(((), (70, 1)), 1))
grew, r = periods("cycles", text)
tap.ok(grew == [70] and r.returncode == 3 and "(bad-record)" in r.stderr,
       "a group of no value is a loss that is said",
       "%s %d\n%s" % (grew, r.returncode, r.stderr))
new = path + ".new"
r = subprocess.run([tap.coldperf, "repair", "-o", new, path],
                   capture_output=True, text=True)
tap.ok("1 record, 1 of them a sample" in r.stderr,
       "and is left out of a repaired file", r.stderr)
if shutil.which("perf"):
    r = subprocess.run(["perf", "script", "--force", "-F", "ip", "-i", new],
                       capture_output=True, text=True)
    tap.ok(r.returncode == 0, "which perf reads", r.stderr)

# More counters than are kept: what the others counted is unknown.
MANY = GROUP + "".join(
    "sample cycles ip=0x400010 pid=8 time=%d period=100 id=1 "
    "read=2,%d,1,%d,2\n" % (i * 1000, i * 100, i * 1000) for i in (1, 2, 3))
grew, r = periods("instructions", MANY, "--limit", "counters=2")
tap.ok(grew == [1000, 1000, 1000] and r.returncode == 0,
       "as many counters as are kept", "%s\n%s" % (grew, r.stderr))
grew, r = periods("cycles", MANY, "--limit", "counters=1")
tap.ok(grew == [100, 100, 100] and r.returncode == 4 and
       "over 1 counters" in r.stderr, "one more is a limit's status",
       "%s %d\n%s" % (grew, r.returncode, r.stderr))
grew, r = periods("instructions", MANY, "--limit", "counters=1")
tap.ok(grew == [], "its values are not taken for counts", grew)
tap.done()
