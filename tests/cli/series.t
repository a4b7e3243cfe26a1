#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A folder of perf record --switch-output is one recording: a wait goes on from
# file to file, and a thread that a later file lists anew is the one before.
import json
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
S = 10 ** 9


def attr(ids):
    return ("attr cpu-clock type=1 config=0 period=1000000 ids=%d flags="
            "sample_id_all|mmap|comm|task|context_switch "
            "sample_type=IP|TID|TIME|CPU|PERIOD|IDENTIFIER\n" % ids)


def known():
    """What perf lists at the head of each file, without times."""
    return ("fork misc=0x2000 pid=11 ppid=1 tid=11 ptid=1 time=0\n"
            'comm 11 11 "app" time=0\n'
            'mmap pid=11 addr=0x400000 len=0x1000 pgoff=0 name="/bin/app" '
            "time=0\n")


def sample(ns, of=5):
    return ("sample cpu-clock ip=0x400100 pid=11 time=%d cpu=0 id=%d "
            "period=1000000\n" % (ns, of))


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(tmp.name + "/in", "w") as f:
        f.write(text)
    subprocess.run([mkperf, tmp.name + "/in", os.path.join(folder, name)],
                   check=True)


def switch(ns, out):
    return "switch misc=0x%x .pid=11 .tid=11 time=%d .cpu=0\n" % (
        0x2000 if out else 0, ns)


def run(*args):
    return subprocess.run([tap.coldperf, *args, "--no-local"],
                          capture_output=True, text=True)


def tables(*args):
    out = run(*args, "-f", "json")
    return {s.get("slug"): s for s in json.loads(out.stdout)["sections"]}


def rows(section):
    heads = [c["name"] for c in section["columns"]]
    return [dict(zip(heads, r["values"])) for r in section["rows"]]


ring = tmp.name + "/ring"
write(ring, "perf.data.2026112904585399",
      attr(5) + known() + switch(1 * S, False) + sample(1 * S + 1000) +
      switch(2 * S, True))
write(ring, "perf.data.2026112904585535",
      attr(5) + known() + sample(2 * S - 500) + switch(5 * S, False) +
      sample(5 * S + 1000))
write(ring, "perf.data.2026112904585685",
      attr(5) + known() + sample(6 * S) + switch(6 * S + 1000, True))

wall = tables("wall", ring)
threads = rows(wall["wall-threads"])
tap.ok(len(threads) == 1 and threads[0]["Blocked"] == 3 * S and
       threads[0]["User"] == 2 * S + 1000,
       "a wait goes on from file to file", threads)
script = run("script", "-F", "comm,tid,time", ring).stdout.split("\n")[:-1]
tap.ok(len(script) == 4 and all("app" in line for line in script) and
       [line.split()[-1].rstrip(":") for line in script] ==
       ["1.000001", "1.999999" if "1.999999" in script[1] else "2.000000",
        "5.000001", "6.000000"],
       "all samples, in order of time across files", script)
quality = json.loads(run("quality", "-f", "json", ring).stdout)
tap.ok("nothing lost" in json.dumps(quality), "and nothing was lost")
joined = tmp.name + "/joined.data"
out = run("repair", "-o", joined, ring)
tap.ok(out.returncode == 0 and
       rows(tables("wall", joined)["wall-threads"])[0]["Blocked"] == 3 * S,
       "repair joins them as one file", out.stderr)
out = run("pack", "-o", tmp.name + "/x.tar", ring)
tap.ok(out.returncode == 2 and "coldperf repair" in out.stderr,
       "pack says how to join them", out.stderr)

write(ring, "perf.data.2026112904585800", attr(6) + known() + sample(9 * S, 6))
out = run("wall", ring)
tap.ok(out.returncode != 0 and "2026112904585800 is of another recording" in
       out.stderr, "a file of another recording is refused", out.stderr)
with open(ring + "/perf.data.2026112904585800", "wb") as f:
    f.write(b"PERFILE2 and no more")
out = run("wall", ring)
tap.ok(out.returncode == 3 and "its part is missing" in out.stderr and
       "3.000 s" in out.stdout, "a file that cannot be read is said",
       (out.returncode, out.stderr))

two = tmp.name + "/two"
write(two, "a.data.2026112904585399", attr(5) + known() + sample(S))
write(two, "b.data.2026112904585535", attr(5) + known() + sample(S))
out = run("wall", two)
tap.ok(out.returncode != 0 and "no file `data`" in out.stderr,
       "files of two names are two recordings", out.stderr)
tap.done()
