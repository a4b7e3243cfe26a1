#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What is said to be C++: not Rust, whose older names are such of C++ that end
# in a hash.  Colours of flame graphs and of the page go by it.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/symbolize")]
import tap
from madeelf import Object

scratch = tempfile.TemporaryDirectory(prefix="coldperf-kinds.")
HASH = "17h0123456789abcdefE"
NAMES = [("_ZN3foo3barEv", "c++"), ("main", "user"), ("_RNvC1r4main", "user"),
         ("_ZN1r4main" + HASH, "user"),
         ("_ZN4core3fmt5write" + HASH + ".llvm.123", "user"),
         # A word of 17 letters that begins with h, and a hash of 17 digits.
         ("_ZN3foo17handle_connectionEv", "c++"),
         ("_ZN3foo18h0123456789abcdef0Ev", "c++")]


def path(name):
    return os.path.join(scratch.name, name)


o = Object(62, True, False)
o.add(b".text", 1, 6, 0x1000, b"\x90" * 0x100)
o.symbols(b".symtab", 2, 0x2000, 3,
          [(name.encode(), 0x1000 + 16 * i, 16, 1)
           for i, (name, _) in enumerate(NAMES)])
o.write(path("bin"))
text = ["attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME "
        "flags=sample_id_all|mmap", 'feature arch "x86_64"',
        'mmap pid=7 addr=0x400000 len=0x4000 pgoff=0 name="%s"' % path("bin")]
text += ["sample pid=7 misc=2 time=%d ip=%#x" % (i + 1, 0x401000 + 16 * i)
         for i in range(len(NAMES))]
with open(path("in"), "w", encoding="ascii") as f:
    f.write("\n".join(text) + "\n")
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                path("in"), path("data")], check=True)
out = subprocess.run([tap.coldperf, "flame", "-f", "json", "--demangle", "no",
                      "--symbols", path("bin"), path("data")],
                     stdout=subprocess.PIPE, check=False).stdout
nodes = [n for s in json.loads(out)["sections"] for n in s.get("nodes", [])]
kinds = {n["name"]: n["kind"] for n in nodes}
for name, kind in NAMES:
    tap.ok(kinds.get(name) == kind, "%s: %s" % (name, kind), kinds)
if shutil.which("node"):
    with open(os.path.join(tap.top_srcdir, "render/page/funcs.js"),
              encoding="utf-8") as f:
        line = re.search("(?m)^const IS_CXX = .*$", f.read())[0]
    got = subprocess.run(
        ["node", "-e", line + "console.log(JSON.stringify(%s.map((n) =>"
         "IS_CXX.test(n))))" % json.dumps([name for name, _ in NAMES])],
        stdout=subprocess.PIPE, check=False).stdout
    tap.ok(json.loads(got) == [kind == "c++" for _, kind in NAMES],
           "the page says the same", got)
else:
    tap.skip("there is no node to run a page's script")
tap.done()
