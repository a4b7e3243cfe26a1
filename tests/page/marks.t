#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Threads of a page: their names, when they began and ended, ids that are used
# again; and what happened at one moment.
import json
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

if not tap.has_node():
    tap.skip_all("no node that reads pages")
scratch = tempfile.TemporaryDirectory(prefix="coldperf-marks.")
FORK, EXIT, COMM, LOST, THROTTLE, UNTHROTTLE = range(2, 8)
TEXT = """
attr cycles type=0 config=0 period=1000 \\
	sample_type=IP|TID|TIME|CPU|PERIOD|IDENTIFIER \\
	flags=sample_id_all|mmap|comm|task ids=1
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 \\
	pgoff=0xffffffff81000000 name="[kernel.kallsyms]_text" misc=1
comm 100 100 "shell"
sample cycles pid=100 tid=100 time=1000 cpu=1 id=1 ip=0x401000 period=5
fork 200 100 time=1100
sample cycles pid=200 tid=200 time=1200 cpu=1 id=1 ip=0x401000 period=5
comm 200 200 "make" time=1300
sample cycles pid=200 tid=200 time=1400 cpu=1 id=1 ip=0x401000 period=5
exit 200 100 time=1500
fork 200 100 time=1600
sample cycles pid=200 tid=200 time=1700 cpu=1 id=1 ip=0x401000 period=5
fork 300 100 time=1750
lost id=1 lost=7 time=1800 cpu=1
throttle id=1 time=1900 cpu=1
unthrottle id=1 time=2000 cpu=1
sample cycles pid=100 tid=100 time=2100 cpu=1 id=1 \\
	ip=0xffffffff81000010 misc=1 period=5
finished_round
"""


def page(name, text, *options, command="profile"):
    path = os.path.join(scratch.name, name)
    with open(path + ".mkperf", "w") as f:
        f.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".mkperf", path + ".data"], check=True)
    subprocess.run([tap.coldperf, command, "--no-local", "-f", "html", "-o",
                    path + ".html", *options, path + ".data"], check=True,
                   stderr=subprocess.DEVNULL)
    return json.loads(subprocess.run(
        ["node", tap.top_srcdir + "/tests/page/print.js", path + ".html"],
        stdout=subprocess.PIPE, check=True).stdout)


got = page("lives", TEXT)
start = int(got["start"])
tap.ok([t[:4] for t in got["lives"]] == [
    [100, 100, "shell", "shell"], [200, 200, "shell", "shell"],
    [200, 200, "make", "make"], [200, 200, "shell", "shell"]],
    "a row for each name of a thread, and for an id that is used again",
    got["lives"])
tap.ok("1.1 us" in got["label"].split(" · "),
       "the head tells the length of a short capture", got["label"])
lives = [[t + start if t >= 0 else None for t in row[4:]]
         for row in got["lives"]]
tap.ok(lives == [[None, None], [1100, 1500], [1100, 1500], [1600, None]],
       "they begin and end as FORK and EXIT say", lives)
tap.ok(got["samples"] == [0, 1, 2, 3, 0], "samples are of the right one",
       got["samples"])
marks = [[m[0], m[1] + start] + m[2:] for m in got["marks"]]
want = [[FORK, 1100, 1], [COMM, 1300, 2], [EXIT, 1500, 2], [FORK, 1600, 3],
        [LOST, 1800, -1], [THROTTLE, 1900, -1], [UNTHROTTLE, 2000, -1]]
tap.ok([[m[0], m[1], m[4]] for m in marks] == want,
       "marks are at their time, of their thread; none of one without samples",
       marks)
tap.ok([m[3] for m in marks if m[0] == LOST] == [7], "a loss tells how many")
tap.ok([m[5] for m in marks] == ["", "make", "", "", "", "", ""],
       "a new name is told", marks)
tap.ok("ffffffff81000000" in got["bases"], "where the kernel lies",
       got["bases"])
summed = page("summed", TEXT.replace("finished_round",
                                     "lost id=1 lost=9 time=0 cpu=1"))
tap.ok(summed["start"] == got["start"] and [m[1] for m in summed["marks"]
                                            if m[3] == 9] == [-1],
       "losses added up at time 0 are at no moment", summed["marks"])
few = page("cut", TEXT, "--time", "0.0000013,0.0000016")
tap.ok([m[0] for m in few["marks"]] == [COMM, EXIT] and
       len(few["samples"]) == 1, "--time is for marks, too", few["marks"])
# 50 samples a second, from the eighth second 400, from the 14th 100.
rate, at = TEXT.split("sample cycles")[0], 10**9
for count, seconds in ((50, 8), (400, 6), (100, 6)):
    for _ in range(count * seconds):
        rate += ("sample cycles pid=100 tid=100 time=%d cpu=1 id=1 "
                 "ip=0x401000 period=5\n" % at)
        at += 10**9 // count
got = page("rate", rate, command="timeline")["changes"]
tap.ok([round(c["at"] / 1e9, 1) for c in got] == [8, 14] and
       got[0]["to"] == got[1]["at"] - 1 and got[1]["to"] == 10**12 and
       abs(got[0]["change"] - 7) < 0.1 and
       abs(got[1]["change"] + 0.75) < 0.01,
       "changes of the rate that the timeline found", got)
tap.done()
