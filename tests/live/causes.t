#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Causes planted in programs are named by the report of a recording of the
# whole machine.  causes/run.py has more of them, for a figure on demand.
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/live/causes")
import run
import tap

if tap.sanitized:
    tap.skip_all("what takes how long is judged without sanitizers")
if shutil.which("perf") is None or shutil.which("gcc") is None:
    tap.skip_all("perf or gcc is not installed")
with tempfile.TemporaryDirectory(prefix="coldperf-causes.") as where:
    if subprocess.run(["perf", "record", "-q", "-o", where + "/probe", *run.ADVICE, "--", "true"],
                      capture_output=True, check=False).returncode != 0:
        tap.skip_all("perf cannot record switches here")
    for name in ("convoy", "pipestall", "poolstarved", "childwait",
                 "kernelonly"):
        program = run.build(name, where, "-DRUN=0.5")
        capture, _ = run.record(program, "a", where)
        found, _ = run.findings(tap.coldperf, capture)
        tap.ok(run.rank(name, found) is not None, "the cause is named: " + name, found)
    for name in ("null_pool", "null_daemon", "null_pingpong"):
        program = run.build(name, where, "-DRUN=0.5")
        capture, _ = run.record(program, "a", where)
        found, _ = run.findings(tap.coldperf, capture)
        # What else runs on this machine may have the CPUs.  What the program
        # did with its own is no cause.
        causes = [f for f in found if name in f[1] and f[0] not in run.PLAIN]
        tap.ok(not causes, "nothing is wrong: " + name, causes)
tap.done()
