#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A step of over a second shows how far it is and leaves nothing.  What comes
# slowly takes long on any machine: the input waits, not the test's clock.
import bz2
import concurrent.futures
import os
import subprocess
import sys
import time
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

with open(os.path.join(tap.top_srcdir, "corpus/good-fp/perf.data"),
          "rb") as f:
    capture = f.read()


def fed(content, *options, pause=1.5):
    """Messages and output for a capture of which a part comes late."""
    p = subprocess.Popen([tap.coldperf, "report", "--no-local", *options, "-"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    half = len(content) // 2
    p.stdin.write(content[:half])
    p.stdin.flush()
    time.sleep(pause)
    out, err = p.communicate(content[half:])
    return out.decode(), err.decode()


packed = bz2.compress(capture)
# Each waits; they wait at the same time.
with concurrent.futures.ThreadPoolExecutor() as pool:
    always, never, usual = pool.map(lambda options: fed(packed, *options), (
        ("--progress=always",), ("--progress=never",), ()))
out, err = always
if "libarchive is not installed" in err:
    tap.skip_all("libarchive is not installed")
tap.ok("\runpacking " in err and " MiB/s" in err, "unpacking a .bz2 shows it",
       err)
tap.ok("\r\033[K" in err and "unpacking" not in err.split("\r\033[K")[-1],
       "... and removes it", err)
tap.ok("280" in out, "the capture is read as ever", out)
plain, err = never
tap.ok("unpacking" not in err and plain == out, "--progress=never", err)
err = usual[1]
tap.ok("unpacking" not in err, "no terminal, nothing", err)
tap.done()
