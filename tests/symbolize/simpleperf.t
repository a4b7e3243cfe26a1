#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Names that simpleperf wrote into a capture (feature FILE2) are those that
# its own script prints; where it made one up there is none.
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

FOLDER = os.path.join(tap.top_srcdir, "..", "shared", "corpus",
                      "jbeich-platform_system_extras")
CAPTURE = os.path.join(FOLDER, "perf_display_bitmaps.data")
GOLDEN = os.path.join(FOLDER, "perf_display_bitmaps.perf-script")
FRAME = re.compile(r"\s+([0-9a-f]+) (.*) \((/.*|\[.*)\)$")


def innermost(text):
    """[(address, name)] of each sample's innermost frame."""
    found, fresh = [], False
    for line in text.splitlines():
        m = FRAME.match(line)
        if m and fresh:
            found.append((m.group(1), m.group(2)))
        fresh = not m and line != ""
    return found


def alike(ours, its):
    """Its demangler shows arguments, and not all that ours does."""
    return its.startswith("_Z") or \
        ours.replace(" ", "") in its.replace(" ", "")


if not os.path.exists(GOLDEN):
    tap.skip_all("the shared corpus is not here")
p = subprocess.run([tap.coldperf, "script", "--inline=no", "--no-local",
                    "--demangle=full", "-F", "tid,ip,sym,dso", CAPTURE],
                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                   text=True)
with open(GOLDEN, encoding="utf-8") as f:
    want = innermost(f.read())
got = innermost(p.stdout)
names = dict(got)
compared = [(a, names[a], name) for a, name in want
            if a in names and "[+" not in name and "unknown" not in name]
wrong = [row for row in compared if not alike(row[1], row[2])]
tap.ok(len(compared) > 300, "%d innermost frames are compared" %
       len(compared))
tap.ok(not wrong, "their names are simpleperf's",
       "\n".join("%s: %s, not %s" % row for row in wrong[:20]))
made_up = [name for a, name in want if "[+" in name and
           names.get(a, "[unknown]") != "[unknown]"]
tap.ok(not made_up, "names that it made up are none",
       "\n".join(made_up[:20]))
tap.done()
