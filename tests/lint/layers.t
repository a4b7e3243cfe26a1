#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The include law of docs/ARCHITECTURE.md: each row of the table is a point.
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/lint")
import source
import tap

# include/coldperf is below base: everybody may include it, it nobody.
LAW = {
    "include": (),
    "base": ("base", "coldperf"),
    "report": ("report", "base", "coldperf"),
    "model": ("model", "base", "coldperf"),
    "readers": ("readers", "model", "base", "coldperf"),
    "symbolize": ("symbolize", "model", "base", "coldperf"),
    "analyses": ("analyses", "coldperf"),
    "render": ("render", "report", "base", "coldperf"),
    "run": ("run", "readers", "symbolize", "model", "report", "base", "cli", "analyses", "render", "coldperf"),
    "cli": ("cli", "run", "report", "render", "analyses", "symbolize", "readers", "model",
            "base", "coldperf"),
}
OURS = set(LAW) | {"coldperf"}
# Foreign libraries have one folder each.
FOREIGN = {
    r"^(g?elf|libelf|libdw|libdwfl|dwarf|elfutils/.*|libiberty/.*)(\.h)?$":
        ("symbolize", "base"),
    r"^zstd.*\.h$": ("readers", "symbolize", "base", "cli"),
    r"^lzma.*\.h$": ("readers", "symbolize", "base", "cli"),
    r"^nettle/.*\.h$": ("base",),
    r"^archive(_entry)?\.h$": ("base",),
    r"^capstone/.*\.h$": ("symbolize",),
    # A plug-in; debuginfod's library, which opens connections.
    r"^dlfcn\.h$": ("cli", "base", "symbolize"),
    r"^getopt\.h$": ("cli",),
}
SAYS = re.compile(r"(?<![\w.>])(printf|vprintf|puts|putchar|perror|exit|_exit|"
                  r"quick_exit|err|errx|warn|warnx|syslog|fprintf\s*\(\s*std"
                  r"(?:out|err)|fputs\s*\([^;]*std(?:out|err))\s*\(")


def head(name):
    return name.split("/")[0]


def broken_includes(folder, allowed):
    for path in source.files(tap.top_srcdir, (".c", ".h", ".def"), (folder,)):
        text = source.read(tap.top_srcdir, path)
        for n, quote, name in source.includes(text):
            place = "%s:%d: %s" % (path, n, name)
            if name == "config.h" or (quote == '"' and "/" not in name):
                if folder == "include" or name != "config.h":
                    yield place + " (our headers are named from the top)"
            elif folder == "include" and head(name) == "coldperf":
                continue
            elif head(name) in OURS and head(name) not in allowed:
                yield place
            for pattern, owners in FOREIGN.items():
                if re.match(pattern, name) and folder not in owners \
                        and not name == "elf.h":
                    yield place


def only_plugin_h(folder):
    for path in source.files(tap.top_srcdir, (".c", ".h"), (folder,)):
        for n, _, name in source.includes(source.read(tap.top_srcdir, path)):
            if head(name) == "coldperf" and name != "coldperf/plugin.h":
                yield "%s:%d: %s" % (path, n, name)


def talkers(folder):
    for path in source.files(tap.top_srcdir, (".c",), (folder,)):
        code = source.blank(source.read(tap.top_srcdir, path))
        for n, line in enumerate(code.splitlines(), 1):
            if SAYS.search(line):
                yield "%s:%d: %s" % (path, n, line.strip())


for folder, allowed in LAW.items():
    bad = list(broken_includes(folder, allowed))
    tap.ok(not bad, "%s/ includes only %s" %
           (folder, ", ".join(allowed) or "libc"), "\n".join(bad))
bad = list(only_plugin_h("analyses"))
tap.ok(not bad, "analyses/ live by coldperf/plugin.h alone", "\n".join(bad))
for folder in LAW:
    if folder != "cli":
        bad = list(talkers(folder))
        tap.ok(not bad, folder + "/ never prints and never exits",
               "\n".join(bad))
tap.done()
