#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The label of a capture of many events ends with whole words.
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

EVENTS = 300
with tempfile.TemporaryDirectory(prefix="coldperf-label.") as tmp:
    with open(tmp + "/a.mkperf", "w", encoding="ascii") as f:
        for i in range(EVENTS):
            f.write("attr event-with-a-name-%d type=0 config=%d period=1 "
                    "sample_type=IP|TID|TIME|ID flags=sample_id_all "
                    "ids=%d\n" % (i, i % 10, i + 1))
        f.write("comm 8 8 many\n"
                "sample event-with-a-name-0 ip=0x10 pid=8 time=1\n")
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf",
                    tmp + "/a.mkperf", tmp + "/a.data"], check=True)
    p = subprocess.run([tap.coldperf, "quality", tmp + "/a.data"],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                       text=True, check=False)
line = re.search(r"events: *(.*(?:\n {10,}\S.*)*)", p.stdout)
text = " ".join(line.group(1).split()) if line else p.stdout
words = text.split(", ")
whole = [w for w in words if re.fullmatch(r"[\w-]+ \(every 1\)", w)]
tap.ok(words[:-1] == whole, "every event is whole", text[-200:])
m = re.fullmatch(r"(\d+) more", words[-1])
tap.ok(m and len(whole) + int(m.group(1)) == EVENTS,
       "what does not fit is counted", words[-1])
tap.done()
