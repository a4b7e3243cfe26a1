#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# diff of snapshots of chosen samples: what was chosen of each capture is a
# window of it, as if --time were given now.  A program that samples 100 times a
# second is seen for 2 s and for 4 s: its cost of a second is the same.
import csv
import io
import os
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
import tap

TEXT = """attr cycles type=0 period=1000 flags=sample_id_all|mmap|comm \\
    sample_type=IP|TID|TIME|PERIOD
feature sample_time 1000000000 10990000000
comm 11 11 app time=1000000000
mmap pid=11 addr=0x400000 len=0x1000 pgoff=0 name=/lib/parse time=1000000000
repeat 1000 as i {
sample ip=0x400000 pid=11 time=1000000000+i*10000000 period=1000
}
"""
capture = made.build("app", TEXT)


def cold(name, path, *options):
    out = os.path.join(made.work.name, name + ".cold")
    subprocess.run([tap.coldperf, "snapshot", *options, "-o", out, path],
                   check=True, stderr=subprocess.DEVNULL)
    return out


def table(slug, *args):
    p = subprocess.run([tap.coldperf, "diff", "--no-local", "-f", "csv",
                        "--section", slug, *args], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True)
    tap.diag(p.stderr)
    return list(csv.DictReader(io.StringIO(p.stdout)))


def check(what, before, after, length, *options):
    """Costs of a second are equal; lengths of the sides, in ns."""
    whole = table("diff", before, after, *options)[:1]
    sides = table("captures", before, after, *options)
    change = float(whole[0]["change"]) if whole else None
    tap.ok(change is not None and abs(change) < 0.02,
           what + ": the cost of a second is the same", whole)
    got = [round(int(r["duration"]) / 1e9, 2) for r in sides]
    tap.ok(got == length, what + ": lengths of the windows", (got, sides))


two, four = cold("two", capture, "--time", "1s,3s"), \
    cold("four", capture, "--time", "4s,8s")
check("seconds from the start", two, four, [2, 4])
check("one is chosen now", capture, four, [2, 4], "--time", "1s,3s",
      "--time", "4s,8s")
check("chosen twice", cold("again", four, "--time", "5s,6s"), four, [1, 4])
check("parts of the length", cold("tenth", capture, "--time", "10%,20%"),
      cold("half", capture, "--time", "50%,"), [1, 5])
check("a name that looks like a window", two,
      cold("comm", four, "--comm", "app,'x --time 0,1'"), [2, 4])
merged = os.path.join(made.work.name, "merged.cold")
subprocess.run([tap.coldperf, "merge", "-o", merged, two, four],
               stderr=subprocess.DEVNULL, check=True)
check("of captures that were added up", merged, four, [6, 4])

# What was recorded is known of chosen samples, too.
CPUS = 'feature cmdline "perf" "record" "-a" "sleep" "%d"\n'
OTHER = "sample ip=0x500000 pid=11 time=1000000001+i*10000000 period=1000\n}"
HEAD, REPEAT = TEXT.replace("}", OTHER).split("comm 11", 1)
long, short = (cold("of-%d" % n, made.build("of-%d" % n, (
    HEAD + CPUS % n + "comm 11" + REPEAT).replace(
        "repeat 1000", "repeat %d" % (100 * n))), "--dso", "parse")
    for n in (10, 5))
check("captures of all CPUs", long, short, [9.99, 4.99])
told = {s["key"]: s["value"] for s in made.section(
    made.report(two, "hotspots"), "label")["scalars"]}
tap.ok((told.get("samples of the filter"), told.get("samples")) == (201, 1000),
       "the head tells how many samples were chosen", told)
tap.done()
