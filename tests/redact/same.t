#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Redaction takes names and bytes: every sample of every capture of the corpus
# is still there, with its time, thread, CPU, address and period, and perf
# reads it to its end where it reads the original.  Addresses of no object are
# no code: they are 1.
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

corpus = os.path.join(tap.top_srcdir, "corpus")
tmp = tempfile.TemporaryDirectory()
out = os.path.join(tmp.name, "out.data")
mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
perf = shutil.which("perf")
# Samples of an event that nobody knows are left out.
FIELDS = "tid,cpu,time,period,ip,dso"
if tap.sanitized:
    tap.skip_all("perf is asked without sanitizers")


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)


def script(path):
    """Addresses alone: names of what is hidden are others."""
    r = run(tap.coldperf, "script", "--no-local", "-F", FIELDS, path)
    lines = []
    for line in r.stdout.decode(errors="replace").splitlines():
        rest, _, dso = line.partition(" (")
        if dso == "[unknown])":
            rest = "%17x" % 1
        lines.append(rest)
    return lines


def perf_reads(path):
    r = run(perf, "script", "-F", "comm", "-i", path, "--force")
    return r.returncode == 0


def check(name, path, policy):
    if os.path.exists(out):
        os.unlink(out)
    before = script(path)
    r = run(tap.coldperf, "redact", "--no-local", "--redact", policy, "-o",
            out, path)
    if not os.path.exists(out):
        return ["no file: " + r.stderr.decode(errors="replace")[-300:]]
    why = []
    if script(out) != before:
        why.append("other samples")
    if perf and perf_reads(path) and not perf_reads(out):
        why.append("perf does not read it")
    return why


def capture(name):
    """The recording, or what mkperf makes of the text; None: neither."""
    path = os.path.join(corpus, name, "perf.data")
    text = os.path.join(corpus, name, "input.mkperf")
    if os.path.exists(path):
        return path
    made = os.path.join(tmp.name, "in.data")
    if os.path.exists(text) and os.access(mkperf, os.X_OK) and \
            run(mkperf, text, made).returncode == 0:
        return made
    return None


for turn, name in enumerate(sorted(os.listdir(corpus))):
    path = capture(name) if name.startswith("good-") else None
    if not path:
        continue
    wrong = []
    for policy in tap.share(("share", "public"), turn, 2):
        wrong += ["%s: %s" % (policy, w) for w in check(name, path, policy)]
    tap.ok(not wrong, name + ": the same samples", "\n".join(wrong))
tap.done()
