#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Golden files: corpus/CASE/expect/ANALYSIS.FORMAT is what coldperf prints for
# the case, and expect/diag its messages and exit status.
#
# Nothing of this machine may show: files are looked up in the case's symbols/
# only.  `make check-update` (UPDATE=1) rewrites the files that are there; an
# empty file asks for a new one.  The diff is the review.
#
# Captures of others (../shared/corpus) have theirs in tests/cli/shared.
import difflib
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

corpus = os.path.join(tap.top_srcdir, "corpus")
update = os.environ.get("UPDATE")
goldens = os.path.join(tap.top_srcdir, "tests/cli/shared")
shared = os.environ.get("SHARED_CORPUS") or \
    os.path.join(tap.top_srcdir, "..", "shared", "corpus")
GOOGLE = "google-perf_data_converter/perf.data."
OF_OTHERS = {
    "arm": GOOGLE + "armv7-3.4",
    "group": "KDAB-hotspot/perf.data.PerfFormatLost",
    "lbr": "KDAB-perfparser/vector_static_gcc.perf.lbr.data",
    "mem": GOOGLE + "weight_struct",
    "offcpu": "microsoft-perfview/symbol-tests.perf.data",
    "throttled": GOOGLE + "throttle-3.8",
}
VERSION = subprocess.run([tap.coldperf, "version"], text=True,
                         capture_output=True).stdout.split("\n")[0]
scratch = tempfile.TemporaryDirectory(prefix="coldperf-golden.")


def capture(case):
    """The capture of a case, under a name that is the same everywhere; its
    symbols likewise."""
    path = os.path.join(scratch.name, case + ".data")
    recorded = os.path.join(corpus, case, "perf.data")
    if os.path.exists(recorded):
        os.symlink(os.path.abspath(recorded), path)
    else:
        subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                        os.path.join(corpus, case, "input.mkperf"), path],
                       check=True)
    symbols = os.path.join(os.path.abspath(corpus), case, "symbols")
    if os.path.isdir(symbols):
        os.symlink(symbols, os.path.join(scratch.name, case + ".symbols"))
    return os.path.basename(path)


def run(case, name, analysis, arguments):
    symbols = case + ".symbols"
    options = ["--no-local", "--cache", "", "--jobs", "2"]
    if os.path.isdir(os.path.join(scratch.name, symbols)):
        options += ["--symbols", symbols]
    p = subprocess.run([os.path.abspath(tap.coldperf), analysis] + options +
                       arguments + [name], cwd=scratch.name,
                       env=dict(os.environ, LC_ALL="C", TZ="UTC",
                                DEBUGINFOD_CACHE_PATH=scratch.name,
                                XDG_CACHE_HOME=scratch.name + "/cache"),
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    # Goldens do not change with the version.
    out = p.stdout.decode("utf-8", "replace")
    return p.returncode, out.replace(VERSION, "coldperf 0.1.0"), \
        p.stderr.decode("utf-8", "replace")


def actual(case, name, golden):
    if golden == "diag":
        status, _, messages = run(case, name, "quality", [])
        return "%sexit status %d\n" % (messages, status)
    analysis, form = golden.rsplit(".", 1)
    options = ["-f", form, "--width", "80"]
    if golden == "hotspots.csv":  # each address is compared
        options += ["--addresses"]
    return run(case, name, analysis, options)[1]


def check(case, name, golden, folder):
    if not tap.wanted("%s: %s" % (case, golden)):
        return
    path = os.path.join(folder, golden)
    with open(path, encoding="utf-8", errors="replace") as f:
        want = f.read()
    got = actual(case, name, golden)
    if update:
        with open(path, "w", encoding="utf-8", errors="replace") as f:
            f.write(got)
        want = got
    diff = difflib.unified_diff(want.splitlines(), got.splitlines(),
                                "expect/" + golden, "coldperf", lineterm="")
    tap.ok(got == want and got, "%s: %s" % (case, golden),
           "\n".join(list(diff)[:40]))


for case in sorted(os.listdir(corpus)):
    folder = os.path.join(corpus, case, "expect")
    if os.path.isdir(folder):
        name = capture(case)
        for golden in sorted(os.listdir(folder)):
            check(case, name, golden, folder)

for case, file in OF_OTHERS.items():
    path = os.path.join(shared, file)
    if not os.path.exists(path):
        tap.skip("shared %s: there is no %s" % (case, file))
        continue
    os.symlink(os.path.abspath(path),
               os.path.join(scratch.name, "shared-%s.data" % case))
    check("shared " + case, "shared-%s.data" % case, "report.text",
          os.path.join(goldens, case))
tap.done()
