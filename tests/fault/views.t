#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Calls that fail while pages, snapshots, exports, answers and repaired
# captures are written: faults.py.
import os
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests",
                os.environ["top_srcdir"] + "/tests/fault"]
import tap
from faults import LOCAL, capture, sweep, symbols, top

NAMED = ("--symbols", symbols, *LOCAL)
FORMATS = ("pprof", "speedscope", "callgrind", "dot", "firefox", "perfetto",
           "otlp", "ndjson")
cold = os.path.join(top, "x.cold")
bad = os.path.join(top, "bad.data")
subprocess.run([tap.coldperf, "snapshot", *NAMED, "-o", cold, capture],
               check=True, capture_output=True)
with open(capture, "rb") as f, open(bad, "wb") as g:
    g.write(f.read()[:-3000])
sweep("a page", False, "report", *NAMED, "-o", "x.html", capture)
sweep("snapshot", False, "snapshot", *NAMED, "-o", "x.cold", capture)
sweep("report of a snapshot", False, "report", *LOCAL, cold)
sweep("sql", False, "sql", *LOCAL, cold, "SELECT * FROM self LIMIT 10")
sweep("repair", False, "repair", "-o", "x.data", bad)
sweep("check", False, "check", *NAMED, capture)
sweep("diff", False, "diff", *NAMED, capture, capture)
sweep("annotate", False, "annotate", *NAMED, capture)
for form in FORMATS:
    sweep(form, False, "profile", *NAMED, "-f", form, "-o", "x", capture)
tap.done()
