#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf stat has the counts that perf stat report prints, for recordings made
# here: of a program, of all CPUs together and apart, by core, by thread, and in
# intervals.
#
# Rates of intervals are not compared: perf divides by the mean clock of all
# intervals so far, coldperf by that of the interval.
import json
import os
import re
import subprocess
import sys
import threading
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

EVENTS = "task-clock,page-faults,context-switches"
LINE = re.compile(r"\s*(?P<time>\d+\.\d{9}\s+)?"
                  r"(?P<part>CPU\d+ |S\d+(?:-D\d+-C\d+)? +\d+ |\S+-\d+ )?\s*"
                  r"(?P<n>[\d.]+|<not counted>)\s+(?:msec )?\s*"
                  r"(?P<event>[\w:-]+)(\s*|\s+#.*)$")
KINDS = {
    "a program": "",
    "all CPUs": "-a",
    "each CPU": "-a -A",
    "each core": "-a --per-core",
    "each socket": "-a --per-socket",
    "each thread": "--per-thread -p %d" % os.getpid(),
    "intervals": "-a -I 100",
    "intervals of CPUs": "-a -A -I 100",
}


def busy():
    while True:
        sum(range(1000))


def number(text):
    return None if "not" in text else float(text)


def of_perf(path):
    status, out, err = oracle.run(["perf", "stat", "report", "-i", path])
    rows = []
    for line in (out + err).splitlines():
        m = LINE.match(line)
        if m:
            part = re.sub(r"^CPU|-\d+ *$", "", (m["part"] or "").strip())
            rows.append((round(float(m["time"] or 0), 4), part[:2],
                         m["event"], number(m["n"])))
    return sorted(rows, key=str)


def of_coldperf(path, intervals):
    p = subprocess.run([tap.coldperf, "stat", "-f", "json", path],
                       capture_output=True, text=True)
    tables = {t["slug"]: t for t in json.loads(p.stdout)["sections"]}
    t = tables["intervals" if intervals else "counts"]
    keys = [c["name"].lower() for c in t["columns"]]
    rows = []
    for r in t["rows"]:
        v = dict(zip(keys, r["values"]))
        part = str(v.get("cpu", v.get("core", v.get(
            "thread", "S" + v["socket"] if "socket" in v else ""))))
        if intervals and v["until"] is None:
            continue  # perf does not show what came after the last one
        n = v["count"]
        rows.append((round((v.get("until") or 0) / 1e9, 4),
                     re.sub(r" \d+$", "", part)[:2] if not
                     part.startswith("S") else part[:2],
                     v["event"], n if n is None or v["unit"] != "msec"
                     else round(n, 2)))
    return sorted(rows, key=str)


oracle.need_perf()
threading.Thread(target=busy, daemon=True).start()
tmp = oracle.scratch.name
for name, options in KINDS.items():
    path = os.path.join(tmp, name.replace(" ", "-"))
    p = subprocess.run(["perf", "stat", "record", "-o", path, "-e", EVENTS] +
                       options.split() + ["sleep", "0.35"],
                       capture_output=True, text=True)
    if p.returncode or not os.path.exists(path):
        tap.skip("%s: perf stat does not record it: %s" %
                 (name, p.stderr.strip()[-80:]))
        continue
    want = of_perf(path)
    got = of_coldperf(path, "-I" in options)
    tap.ok(len(want) >= 3 and got == want,
           "%s: %d counts equal perf stat report" % (name, len(want)),
           "got  %s\nwant %s" % (got, want))
tap.done()
