#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Every row of the unwind tables of whole libraries, as readelf interprets it.
#
# readelf writes "u" for what was not mentioned yet as well as for what is
# undefined; only where it matters, at the return address, are they told apart.
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

rows = os.path.join(os.environ.get("top_builddir", "."), "tests/unwind/rows")
machine = os.uname().machine


def libraries():
    """One of each kind that is there, the smaller first."""
    folders = ["/usr/lib/%s-linux-gnu" % machine, "/lib64", "/usr/lib64"]
    for name in ("libc.so.6", "libcrypto.so.3", "libstdc++.so.6",
                 "libgmp.so.10", "libz.so.1", "ld-linux-x86-64.so.2"):
        for folder in folders:
            path = os.path.join(folder, name)
            if os.path.exists(path):
                yield os.path.realpath(path)
                break


def readelf(path):
    """(address, cfa, {register: rule}) of each row."""
    out = subprocess.run(["readelf", "--debug-dump=frames-interp", path],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    columns, fde = [], False
    for line in out.stdout.decode().splitlines():
        if " FDE " in line or " CIE " in line:
            fde = " FDE " in line
        elif line.strip().startswith("LOC"):
            columns = line.split()[2:]
        elif fde and re.match(r"[0-9a-f]{16} ", line):
            # "r5 (rdi)" is one word for us.
            words = [w for w in line.split() if not w.startswith("(")]
            rules = dict(zip(columns, words[2:]))
            yield int(words[0], 16), words[1], rules


def same(cfa, rules, ours):
    words = ours.split()
    if words[-1] == "differs":  # the brief way, see cfibrief.c
        return False
    got = dict(w.split("=") for w in words[1:])
    if words[0] != cfa:
        return False
    for name, rule in rules.items():
        mine = got.pop(name, "u" if name != "ra" else "")
        if rule in ("u", "s") and name != "ra":
            rule = "u"
        if mine != rule:
            return False
    return not {n: r for n, r in got.items() if r != "u"}


if machine != "x86_64" or not shutil.which("readelf"):
    tap.skip_all("needs readelf, and libraries of x86-64")
for path in libraries():
    # Of two rows at one address the later counts.
    want = {}
    for address, cfa, rules in readelf(path):
        want[address] = (cfa, rules)
    p = subprocess.run([rows, path], stdout=subprocess.PIPE, input="".join(
        "%x\n" % a for a in want).encode())
    lines = p.stdout.decode().splitlines()
    wrong = [(a, want[a], line) for a, line in zip(want, lines)
             if not same(*want[a], line)]
    for w in wrong[:5]:
        tap.diag("%x: readelf %s, ours %s" % w)
    tap.ok(len(lines) == len(want) and want and not wrong,
           "%s: %d rows" % (os.path.basename(path), len(want)))
tap.done()
