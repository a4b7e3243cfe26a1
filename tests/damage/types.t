#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A sample whose type became another is a loss that is said: each type, in the
# good and the odd captures of the corpus.
#
# FLIPS (default 100 of each capture, at night 200; 0 for all) and SEED choose
# what is tried.
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

FLIPS = os.environ.get("FLIPS", "200" if tap.nightly else "100")
SEED = os.environ.get("SEED", "0")
# A LOST_SAMPLES of these has the fields of a sample; an address below 2^32 may
# be a number of samples.
UNTOLD = {("good-period-default", 13), ("odd-no-time", 13)}
tools = os.path.join(tap.top_builddir, "tests/tools")
corpus = os.path.join(tap.top_srcdir, "corpus")
tmp = tempfile.TemporaryDirectory()


def captures():
    """(name, path) of the readable captures that are one file."""
    for case in sorted(os.listdir(corpus)):
        if case.startswith(("good-", "odd-")):
            path = tap.capture(case, tmp.name)
            if os.path.isfile(path):
                yield case, path


def main():
    flips = 0
    for case, path in captures():
        r = subprocess.run([tools + "/sizes", "types", path, FLIPS, SEED],
                           capture_output=True, text=True)
        if r.returncode == 2 and "can be walked" in r.stderr:
            continue
        *wrong, last = r.stdout.splitlines() or [""]
        wrong = [w for w in wrong if (
            case, int(re.search(r"now type (\d+)", w).group(1))) not in UNTOLD]
        last = re.fullmatch(r"(\d+) flips, .*", last)
        tap.ok(r.returncode == 0 and last and not wrong,
               case + ": every loss is said and counted, nothing is made",
               "status %d\n%s" % (
                   r.returncode, "\n".join(wrong[:20]) + r.stderr))
        flips += int(last.group(1)) if last else 0
    tap.ok(flips >= 1000, "enough flips were tried", flips)
    tap.diag("%d flips, seed %s" % (flips, SEED))
    tap.done()


main()
