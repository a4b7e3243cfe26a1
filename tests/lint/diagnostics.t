#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Every diagnostic is explained in coldperf-diagnostics(7), under its level,
# and can arise; no slug is used twice.
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/lint")
import source
import tap

top = tap.top_srcdir
ENTRY = re.compile(r'CP_DIAG\((\w+),\s*(\w+),\s*"([^"]+)",')
page = source.read(top, "man/coldperf-diagnostics.7")
described = dict(re.findall(r"^\.It Sy ([\w-]+) Pq (\w+)$", page, re.M))
entries = ENTRY.findall(source.read(top, "include/coldperf/diag.def"))
code = "".join(source.blank(source.read(top, path))
               for path in source.files(top, (".c", ".h", ".def"),
                                        source.PRODUCT))

slugs = [slug for _, _, slug in entries]
tap.ok(entries and len(set(slugs)) == len(slugs), "slugs are unique", slugs)
for name, level, slug in entries:
    tap.ok(described.get(slug) == level.lower(),
           slug + " is explained with its level",
           "the page has %s, diag.def %s" % (described.get(slug), level))
    tap.ok(re.search(r"\bCP_D_%s\b" % name, code), slug + " can arise")
stale = sorted(set(described) - set(slugs))
tap.ok(not stale, "no entry explains what does not exist", stale)
tap.done()
