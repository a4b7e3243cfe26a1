#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Calls that fail while reports and bundles are written and read: faults.py.
import os
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests",
                os.environ["top_srcdir"] + "/tests/fault"]
import tap
from faults import LOCAL, capture, sweep, symbols, top

packed = os.path.join(top, "packed.tar.zst")
subprocess.run([tap.coldperf, "pack", "--symbols", symbols, *LOCAL, "-o",
                packed, capture], check=True, capture_output=True)


def synced(what, counts):
    """Where that call fails no file is left: it comes before the name."""
    tap.ok(counts.get("fsync", 0) > 0, what + ": the data are on the disk "
           "before the file has its name", counts)


synced("flame -o", sweep("flame -o", False, "flame", "-f", "svg", *LOCAL, "-o",
                         "x", capture))
os.environ["FAULT_NAMED"] = "1"
sweep("flame -o, where each file has a name", False, "flame", "-f", "svg",
      *LOCAL, "-o", "x", capture)
del os.environ["FAULT_NAMED"]
sweep("script", False, "script", *LOCAL, capture)
sweep("report of a bundle", False, "report", *LOCAL, packed)
synced("pack", sweep("pack", False, "pack", "--symbols", symbols, *LOCAL, "-o",
                     "x", capture))
sweep("unpack", True, "unpack", "-o", "x", packed)
sweep("verify", False, "verify", packed)
tap.done()
