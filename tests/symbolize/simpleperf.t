#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Names that simpleperf wrote into a capture (feature FILE2) are those that
# its own script prints; where it made one up there is none.
import json
import os
import re
import subprocess
import sys
import tempfile
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


MADE = """layout no-event-desc
attr cpu-clock type=1 config=0 sample_type=IP|TID|TIME flags=sample_id_all|mmap
feature osrelease "4.4.88"
feature sp_meta_info "simpleperf_version" "1.build.1"
mmap misc=1 pid=-1 tid=0 addr=0xffffffff81000000 len=0x7effffff pgoff=0 \
name="[kernel.kallsyms]"
sample misc=1 ip=0xffffffff81000010 pid=8 time=1000
sp_dso dso_type=0 id=1 min_vaddr=0 name="[kernel.kallsyms]"
sp_symbol addr=0xffffffff81000000 len=0x100 dso=1 name="first"
sp_symbol addr=0xfffffffffffffffe len=%d dso=1 name="last"
"""


def made(length):
    """Number of symbols, if the last one has that length."""
    with tempfile.TemporaryDirectory(prefix="coldperf-sp.") as scratch:
        path = os.path.join(scratch, "made")
        with open(path + ".mkperf", "w") as f:
            f.write(MADE % length)
        subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                        path + ".mkperf", path], check=True)
        out = subprocess.run([tap.coldperf, "info", "-f", "json", path],
                             stdout=subprocess.PIPE, check=True,
                             stderr=subprocess.DEVNULL).stdout
    for s in json.loads(out)["sections"]:
        if s.get("slug") == "objects":
            at = [c["name"] for c in s["columns"]].index("Symbols")
            return [r["values"][at] for r in s["rows"]]
    return None


tap.ok(made(0) == [2], "a symbol without a length has one byte", made(0))
tap.ok(made(1) == [2], "a symbol may end at the last address", made(1))
tap.ok(made(2) == [1], "none ends after it", made(2))
MADE = MADE.replace("fffe len", "ffff len")
tap.ok(made(0) == [1], "nor if it has no length", made(0))

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
