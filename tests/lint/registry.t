#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What is registered in a list.def has its file; an analysis its man page too,
# and what has a file is registered.
import glob
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/lint")
import source
import tap

top = tap.top_srcdir
ENTRY = re.compile(r"^CP_(\w+)\((\w+)", re.M)


def exists(path):
    return os.path.exists(os.path.join(top, path))


def check(folder):
    text = source.read(top, folder + "/list.def")
    names = [m.group(2) for m in ENTRY.finditer(source.blank(text))]
    tap.ok(names and len(set(names)) == len(names),
           folder + "/list.def has entries, each once", names)
    for name in names:
        name = name.lower()
        file = "%s/%s.c" % (folder, name.replace("_", "-"))
        tap.ok(exists(file) and
               re.search(r"\b(cp_\w+_%s\b|CP_\w+_DEFINE\(%s\))" %
                         (name, name), source.read(top, file)),
               "%s: %s is defined in %s" % (folder, name, file))
        tap.ok(re.search(r"%%D%%/%s\.c" % name.replace("_", "-"),
                         source.read(top, folder + "/local.mk")),
               "%s: %s is in local.mk" % (folder, file))
        if folder == "analyses":
            page = "man/coldperf-%s.1" % name.replace("_", "-")
            tap.ok(exists(page), page + " is written")


for folder in ("readers", "symbolize/symbolizers", "analyses", "render",
               "render/export"):
    if exists(folder + "/list.def"):
        check(folder)
pages = source.read(top, "man/local.mk")
for page in sorted(glob.glob(os.path.join(top, "man", "*.[0-9]"))):
    name = os.path.basename(page)
    tap.ok("%D%/" + name in pages, name + " is installed")
    tap.ok(name == "coldperf.1" or ".Xr %s %s" % tuple(name.rsplit(".", 1))
           in source.read(top, "man/coldperf.1"),
           name + " is named in coldperf(1)")
tap.done()
