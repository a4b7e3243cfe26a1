#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Names in a picture are cut as those in a table are: page/names.js and
# page/short.js against the table of names.def, at each width.
import json
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

node = shutil.which("node")
if node is None:
    tap.skip_all("there is no node to run scripts of pictures")
table = subprocess.run(
    [os.path.join(tap.top_builddir, "tests/render/test-names"), ""],
    stdout=subprocess.PIPE, check=True).stdout.decode()
names = json.loads(table)
script = ""
for part in "names.js", "short.js":
    with open(os.path.join(tap.top_srcdir, "render/page", part),
              encoding="utf-8") as f:
        script += re.sub("(?m)^export ", "", f.read())
script += """
const names = %s;
console.log(JSON.stringify(names.map((n) => [shortName(n[0]),
	...[12, 20, 40, 80].map((w) =>
		fitName(n[0], n[1] === n[0] ? undefined : n[1], w))])));
""" % table
got = json.loads(subprocess.run([node, "-e", script], stdout=subprocess.PIPE,
                                check=True).stdout)
tap.ok(len(names) >= 40, "the table has %d names" % len(names))
for name, (short, *cut) in zip(names, got):
    tap.ok(short == name[1], "as short: " + name[0],
           "%r\n%r" % (short, name[1]))
    if name[0].startswith("< "):  # callers, which no picture has
        continue
    tap.ok(cut == name[2:], "as in tables: " + name[0],
           "%r\n%r" % (cut, name[2:]))
tap.done()
