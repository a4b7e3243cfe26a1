#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The include law of docs/ARCHITECTURE.md: each row of rooms.py is a point.
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/lint")
import rooms
import source
import tap

OURS = set(source.PRODUCT) | {"coldperf"}
# A room is a subject: 40 files are a warning, no wall.
MOST_FILES = 48
# Foreign libraries have the folders that need them; options are read by
# cli/options.c alone.
FOREIGN = {
    r"^(g?elf|libelf|libdw|libdwfl|dwarf|elfutils/.*|libiberty/.*)(\.h)?$":
        ("symbolize",),
    r"^zstd.*\.h$": ("readers", "symbolize", "base", "cli", "render"),
    r"^lzma.*\.h$": ("base", "symbolize"),
    r"^nettle/.*\.h$": ("base",),
    r"^archive(_entry)?\.h$": ("base",),
    r"^capstone/.*\.h$": ("symbolize",),
    # A plug-in; debuginfod's library, which opens connections.
    r"^dlfcn\.h$": ("cli", "base"),
    r"^getopt\.h$": (),
}
SAYS = re.compile(r"(?<![\w.>])(printf|vprintf|puts|putchar|perror|exit|_exit|"
                  r"quick_exit|err|errx|warn|warnx|syslog|fprintf\s*\(\s*std"
                  r"(?:out|err)|fputs\s*\([^;]*std(?:out|err))\s*\(")


def head(name):
    return name.split("/")[0]


def files_of(room):
    for path in source.files(tap.top_srcdir, (".c", ".h", ".def"), (room,)):
        if rooms.room(path) == room:
            yield path


def broken_includes(room):
    for path in files_of(room):
        text = source.read(tap.top_srcdir, path)
        for n, quote, name in source.includes(text):
            place = "%s:%d: %s" % (path, n, name)
            if name == "config.h" or (quote == '"' and "/" not in name):
                if room == "include/coldperf" or name != "config.h":
                    yield place + " (our headers are named from the top)"
            elif head(name) in OURS:
                if not rooms.may_include(path, name) and not \
                        name.endswith(".inc"):
                    yield place
            for pattern, owners in FOREIGN.items():
                if re.match(pattern, name) and head(path) not in owners \
                        and not name == "elf.h":
                    yield place


def includes_of(paths):
    return {name for path in paths for _, _, name in
            source.includes(source.read(tap.top_srcdir, path))}


def unused_of(room):
    for allowed in rooms.unused(rooms.LAW[room], includes_of(files_of(room))):
        yield "unused allowance: %s -> %s" % (room, allowed)


def unused_several():
    for room, paths in rooms.SEVERAL.items():
        for path in paths:
            if room not in map(rooms.room, includes_of((path,))):
                yield "unused allowance: %s -> %s" % (path, room)


def unused_foreign():
    for folder in source.PRODUCT:
        names = includes_of(source.files(tap.top_srcdir, (".c", ".h"),
                                         (folder,)))
        for pattern, owners in FOREIGN.items():
            if folder in owners and not any(re.match(pattern, name) and
                                            name != "elf.h" for name in names):
                yield "unused allowance: %s -> %s" % (folder, pattern)


# The contract of an analysis, and what some of them need besides.
CONTRACT = ("coldperf/plugin.h", "coldperf/pairs.h", "coldperf/precision.h",
            "coldperf/profile.h", "coldperf/spans.h")


def only_plugin_h(folder):
    for path in source.files(tap.top_srcdir, (".c", ".h"), (folder,)):
        for n, _, name in source.includes(source.read(tap.top_srcdir, path)):
            if head(name) == "coldperf" and name not in CONTRACT:
                yield "%s:%d: %s" % (path, n, name)


def talkers(folder):
    for path in source.files(tap.top_srcdir, (".c",), (folder,)):
        code = source.blank(source.read(tap.top_srcdir, path))
        for n, line in enumerate(code.splitlines(), 1):
            # A child that cannot become its program has no other end.
            if SAYS.search(line) and not (path == "capture/record.c" and
                                          "_exit(" in line):
                yield "%s:%d: %s" % (path, n, line.strip())


def planted():
    """Includes against the law that must be refused."""
    return [pair for pair in (
        ("base/buf.c", "model/map.h"),
        ("symbolize/elf/strip.c", "symbolize/object/object.h"),
        ("symbolize/symtab/symtab.c", "symbolize/elf/symbols.h"),
        ("analyses/common/label.c", "analyses/sched/gather.h"),
        ("analyses/hotspots.c", "base/buf.h"),
        ("render/svg/picture.c", "render/text/style.h"),
        ("run/run.c", "cli/options.h"),
        ("run/run.c", "render/render.h"),
        ("readers/header/header.c", "readers/record/decode.h"),
    ) if rooms.may_include(*pair)]


bad = planted()
tap.ok(not bad, "an include against the law is found", "\n".join(map(str, bad)))
row = ("model", "base", "base/buf.h", "run/run.h", "cli/exit.h")
bad = list(rooms.unused(row, {"base/map.h", "run/run.h"}))
tap.ok(bad == ["model", "base/buf.h", "cli/exit.h"],
       "an allowance that no include uses is found", bad)
present = {rooms.room(path) for path in
           source.files(tap.top_srcdir, (".c", ".h"), source.PRODUCT)}
odd = present ^ set(rooms.LAW)
tap.ok(not odd, "each room has its row", " ".join(sorted(odd)))
for room in rooms.LAW:
    bad = list(broken_includes(room))
    tap.ok(not bad, room + "/ includes what its row allows", "\n".join(bad))
for room in rooms.LAW:
    bad = list(unused_of(room))
    tap.ok(not bad, room + "/ uses what its row allows", "\n".join(bad))
bad = list(unused_several())
tap.ok(not bad, "each analysis uses the rooms it may", "\n".join(bad))
bad = list(unused_foreign())
tap.ok(not bad, "each folder uses the libraries it may", "\n".join(bad))
for room in rooms.LAW:
    size = sum(path.endswith((".c", ".h")) for path in files_of(room))
    tap.ok(size <= MOST_FILES, "%s/ has at most %d files" % (room, MOST_FILES),
           size)
bad = list(only_plugin_h("analyses"))
tap.ok(not bad, "analyses/ live by the public headers alone", "\n".join(bad))
for folder in source.PRODUCT:
    if folder != "cli":
        bad = list(talkers(folder))
        tap.ok(not bad, folder + "/ never prints and never exits",
               "\n".join(bad))
tap.done()
