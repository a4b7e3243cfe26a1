#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What the build takes out of the page's script are blanks, none in a string.
import glob
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

ROOM = os.path.join(tap.top_srcdir, "render/page")
TYPE = r"/\*\* @type \{[^}]*\} \*/ *"
REMARK = r"(?<=[;{},]) +// [^'\"`\n]*$"
STRING = r"'[^']*'"


def squeezed(text):
    return subprocess.run(["sed", "-f", ROOM + "/squeeze.sed"], check=True,
                          input=text.encode(),
                          stdout=subprocess.PIPE).stdout.decode()


def words(line):
    """The names and numbers of a line, which blanks keep apart."""
    return re.findall(r"[\w$]+|[-+]{2}|\S", re.sub(STRING, "''", line))


for before, after in (
        ("\ta = b + c;\n", "\ta=b+c;\n"),
        ("x = a - -b + +c - --d;\n", "x=a - -b + +c - --d;\n"),
        ("f('a = b', c);\n", "f('a = b',c);\n"),
        ("f(x, ' + ' + y);\n", "f(x,' + '+y);\n"),
        ("s = \"it's = x\";\n", "s = \"it's = x\";\n"),
        ("s.replace(/ = /g, x);\n", "s.replace(/ = /g, x);\n"),
        ("return [a, b];\n", "return[a,b];\n"),
        ("x = 0; // none; really\n", "x=0;\n"),
        ("f('a; // b');\n", "f('a; // b');\n"),
        ("y = /** @type {any} */ (z).w;\n", "y=(z).w;\n")):
    tap.ok(squeezed(before) == after, "squeezed: " + before.strip(),
           squeezed(before))
for path in sorted(glob.glob(ROOM + "/*.js")):
    with open(path, encoding="utf-8") as f:
        text = re.sub(TYPE, "", f.read())
    text = re.sub(REMARK, "", text, flags=re.M)
    left = re.findall("[^ \t*/].* // .*", re.sub(STRING, "", text))
    tap.ok(not left, os.path.basename(path) + " keeps no remark", left[:3])
    lines = text.split("\n"), squeezed(text).split("\n")
    bad = [pair for pair in zip(*lines) if words(pair[0]) != words(pair[1]) or
           re.findall(STRING, pair[0]) != re.findall(STRING, pair[1])]
    tap.ok(len(lines[0]) == len(lines[1]) and not bad,
           os.path.basename(path) + " says the same", bad[:3])
tap.done()
