#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A counter that goes backwards began again: what it counted since is its value,
# never 2^64 less the difference, and it is said, but of inherited counters: a
# thread may have the number of an older one.
import os
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
    with open(path + ".in", "w") as f:
        f.write(GROUP.replace("mmap", "mmap" + more) + "".join(
            "sample cycles ip=0x400010 pid=8 time=%d period=100 id=1 "
            "read=2,%d,1,%d,2\n" % (i * 1000, i * 100, value)
            for i, value in enumerate(values, 1)))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".in", path], check=True)
    r = subprocess.run([tap.coldperf, "script", "-F", "event,period", path],
                       capture_output=True, text=True)
    words = [line.replace(":", " ").split() for line in r.stdout.splitlines()]
    return [int(w[0]) for w in words if w[1] == "instructions"], r


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
tap.done()
