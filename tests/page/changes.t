#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The page of every command marks the moments at which the rate of samples
# changes: those that `timeline' finds.  A steady rate makes no table.
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

CHANGING = ("good-events", "good-fp", "good-syscalls", "good-zstd")
STEADY = ("good-dwarf", "odd-no-samples", "odd-no-time")
scratch = tempfile.TemporaryDirectory(prefix="coldperf-changes.")


def run(*args):
    return subprocess.run([os.path.join(tap.top_builddir, "coldperf"), *args,
                           "--no-local"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()


def changes(report):
    return [s["rows"] for s in report["sections"] if s.get("slug") == "changes"]


def of_page(text):
    packed = re.search(r'data-name="report"[^>]*>([^<]*)', text)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed), -15))


def compare(name, path, *filters):
    want = changes(json.loads(run("timeline", "-f", "json", *filters, path)))
    want = [rows for rows in want if rows]
    for command in ("report", "hotspots", "flame"):
        got = changes(of_page(run(command, "-f", "html", *filters, path)))
        tap.ok(got == want, f"{name}: {command} has what timeline finds",
               (got, want))
    return want


for case in CHANGING + STEADY:
    found = compare(case, tap.capture(case, scratch.name))
    tap.ok(bool(found) == (case in CHANGING), case + ": are there changes?")
path = tap.capture("good-fp", scratch.name)
compare("a window", path, "--time", "+0.05,+0.3")
both = of_page(run("diff", "-f", "html", path, path))
tap.ok(changes(both) == [], "two captures have none: whose would they be?")
tap.done()
