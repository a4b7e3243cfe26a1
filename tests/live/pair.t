#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf pair against begins and ends that are counted from perf script, over a
# capture of the whole machine that is recorded here and now.
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

if tap.sanitized:
    tap.skip_all("perf is asked without sanitizers")
work = tempfile.TemporaryDirectory(prefix="coldperf-pair.")
data = os.path.join(work.name, "perf.data")
EVENTS = [("softirq", "irq:softirq_entry", "irq:softirq_exit", r"vec=(\d+)",
           "cpu"),
          ("workqueue", "workqueue:workqueue_execute_start",
           "workqueue:workqueue_execute_end", r"work struct (\S+?):", ""),
          ("hrtimer", "timer:hrtimer_expire_entry",
           "timer:hrtimer_expire_exit", r"hrtimer=(\S+)", "cpu"),
          ("syscall", "raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "",
           "tid")]
LOAD = ("import os, time\n"
        "for i in range(300):\n"
        "    open('/proc/self/stat').read(); time.sleep(0.0005)\n")


def record():
    events = [e for one in EVENTS for e in one[1:3]]
    p = subprocess.run(["perf", "record", "-q", "-a", "-m", "4M", "-o", data,
                        "-e", ",".join(events), "--", sys.executable, "-c",
                        LOAD], stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE)
    if p.returncode != 0:
        tap.skip_all("perf cannot record here: " +
                     p.stderr.decode().strip().splitlines()[-1])


def expected():
    """Per recipe: the pairs' number, sum and longest, and what has no end."""
    text = subprocess.run(
        ["perf", "script", "--ns", "-F", "tid,cpu,time,event,trace", "-i",
         data], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    line = re.compile(r"\s*(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d+):\s+(\S+):\s?(.*)")
    got = {one[0]: [0, 0, 0, 0] for one in EVENTS}
    opened = {one[0]: collections.defaultdict(list) for one in EVENTS}
    for words in text.decode(errors="replace").splitlines():
        m = line.match(words)
        if m is None:
            continue
        tid, cpu, time = m[1], m[2], int(m[3]) * 10 ** 9 + int(m[4])
        for name, begin, end, pattern, of in EVENTS:
            if m[5] not in (begin, end):
                continue
            field = re.search(pattern, m[6]) if pattern else None
            key = ({"cpu": cpu, "tid": tid}.get(of),
                   field[1] if field else "")
            stack = opened[name][key]
            if m[5] == begin:
                # one call at a time, and one turn of a work item
                if name in ("syscall", "workqueue") and stack:
                    stack.pop()  # it ended, and nothing says when
                stack.append(time)
            elif stack:
                took = time - stack.pop()
                got[name][0] += 1
                got[name][1] += took
                got[name][2] = max(got[name][2], took)
    for name in got:
        got[name][3] += sum(len(s) for s in opened[name].values())
    return {name: tuple(v) for name, v in got.items()}


def counted():
    out = subprocess.run([tap.coldperf, "pair", "--no-local", "-f", "json",
                          "--recipe", ",".join(e[0] for e in EVENTS), data],
                         stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    table = next(s for s in json.loads(out)["sections"]
                 if s.get("slug") == "pairs")
    names, got = [c["name"] for c in table["columns"]], {}
    for row in table["rows"]:
        r = dict(zip(names, (v["value"] if isinstance(v, dict) else v
                             for v in row["values"])))
        # The sum of a recipe stands before its rows.
        got.setdefault(r["Recipe"], (r["Count"], r["Time"], r["Max"],
                                     r["Open"]))
    return got


record()
want, got = expected(), counted()
for name, *_ in EVENTS:
    if want[name][0] == 0 and name not in got:
        tap.skip(name + " did not happen meanwhile")
        continue
    tap.ok(got.get(name) == want[name],
           "%s: count, sum, longest and open as of perf script" % name,
           (got.get(name), want[name]))
tap.done()
