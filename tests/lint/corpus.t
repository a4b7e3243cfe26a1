#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Every recorded case says where it comes from, is unchanged since, is small
# and is part of the distribution.
import hashlib
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

CASE_LIMIT = 400 << 10
TOTAL_LIMIT = 4 << 20
corpus = os.path.join(tap.top_srcdir, "corpus")
with open(os.path.join(corpus, "local.mk")) as f:
    listed = set(re.findall(r"%D%/([^\s/\\]+)", f.read()))


def contents(case):
    for where, dirs, names in os.walk(os.path.join(corpus, case)):
        dirs.sort()
        for name in sorted(names):
            yield os.path.join(where, name)


def provenance(case):
    """What is wrong with the case's PROVENANCE, or nothing."""
    with open(os.path.join(corpus, case, "PROVENANCE")) as f:
        text = f.read()
    for key in ("command", "kernel", "perf", "date"):
        if not re.search(r"^%s: \S" % key, text, re.M):
            yield "no " + key
    sums = dict((name, digest) for digest, name in
                re.findall(r"^([0-9a-f]{64})  (\S+)$", text, re.M))
    for path in contents(case):
        name = os.path.relpath(path, os.path.join(corpus, case))
        if name == "PROVENANCE" or name.startswith("expect"):
            continue
        with open(path, "rb") as f:
            if hashlib.sha256(f.read()).hexdigest() != sums.get(name):
                yield "%s is not what was recorded" % name


total = 0
for case in sorted(os.listdir(corpus)):
    if not re.match(r"(good|odd|bad)-", case):
        continue
    size = sum(os.path.getsize(path) for path in contents(case))
    total += size
    tap.ok(size <= CASE_LIMIT, case + " is small", "%d bytes" % size)
    tap.ok(case in listed, case + " is part of the distribution")
    if os.path.exists(os.path.join(corpus, case, "PROVENANCE")):
        bad = list(provenance(case))
        tap.ok(not bad, case + " says where it comes from", "\n".join(bad))
    else:
        binary = [p for p in contents(case) if b"\0" in open(p, "rb").read()]
        tap.ok(not binary, case + " has no binary without a recipe",
               "\n".join(binary))
tap.ok(0 < total <= TOTAL_LIMIT, "the corpus is small", "%d bytes" % total)
tap.done()
