#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A flipped bit in the size of a record is never silent, nor a size that ends
# where a later record ends: over the records of all good captures of the corpus.
#
# FLIPS (default 60 of each capture, at night 120; 0 for all) and SEED choose
# what is tried.
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

FLIPS = os.environ.get("FLIPS", "120" if tap.nightly else "60")
SEED = os.environ.get("SEED", "0")
tools = os.path.join(tap.top_builddir, "tests/tools")
corpus = os.path.join(tap.top_srcdir, "corpus")
tmp = tempfile.TemporaryDirectory()


def captures():
    """(name, path) of the good captures that are one file."""
    for case in sorted(os.listdir(corpus)):
        if not case.startswith("good-"):
            continue
        path = tap.capture(case, tmp.name)
        if os.path.isfile(path):
            yield case, path


def main():
    flips = 0
    for case, path in captures():
        # All flips where each type of record is.
        flips_of = "0" if case == "good-all-records" else FLIPS
        r = subprocess.run([tools + "/sizes", path, flips_of, SEED],
                           capture_output=True, text=True)
        if r.returncode == 2 and "can be walked" in r.stderr:
            continue
        lines = r.stdout.splitlines()
        last = re.fullmatch(r"(\d+) flips, .*", lines[-1] if lines else "")
        tap.ok(r.returncode == 0 and last and len(lines) == 1,
               case + ": every loss is said and counted, nothing is made",
               "status %d\n%s" % (r.returncode, r.stdout[:2000] + r.stderr))
        flips += int(last.group(1)) if last else 0
    tap.ok(flips >= 1000, "enough flips were tried", flips)
    tap.diag("%d flips, seed %s" % (flips, SEED))
    tap.done()


main()
