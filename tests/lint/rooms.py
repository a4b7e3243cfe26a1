# SPDX-License-Identifier: MIT
"""The law of docs/ARCHITECTURE.md: who may include whom, room by room.

A room is a folder of product code.  It may include its own files, what its
row names (rooms, or single headers), and include/coldperf.
"""
import os

CODE = ("model", "base")
LAW = {
    "include/coldperf": (),
    "base": ("base/open",),
    "base/open": ("base/base.h", "base/mem.h"),
    "base/archive": ("base",),
    "base/caps": ("base",),
    "base/parquet": ("base",),
    "base/match": ("base",),
    "base/redact": ("base/match", "base"),
    "base/sandbox": ("base/base.h",),
    "report": ("base",),
    "model": ("base",),

    "readers/header": ("readers/reader.h", "readers/record-head.h",
                       "readers/input.h", "readers/byte-account.h") + CODE,
    "readers/formats": ("readers/header", "readers/reader.h",
                        "readers/input.h", "readers/list.h") + CODE,
    "readers/record": ("readers/header", "readers/reader.h",
                       "readers/record-head.h", "readers/input.h",
                       "readers/byte-account.h", "base/caps") + CODE,
    "readers/rewrite": ("readers/header", "readers/record",
                        "readers/reader.h", "readers/record-head.h",
                        "readers/input.h") + CODE,
    "readers/redact": ("readers/rewrite", "readers/header", "readers/record",
                       "readers/reader.h", "readers/record-head.h",
                       "base/redact") + CODE,
    "readers": ("readers/header", "readers/record", "readers/rewrite",
                "base/archive") + CODE,

    "symbolize/demangle": CODE,
    "symbolize/insn": CODE,
    "symbolize/opinion": ("symbolize/elf", "symbolize/cfi/arch.h") + CODE,
    "symbolize/symtab": ("symbolize/demangle",) + CODE,
    "symbolize/elf": ("symbolize/symtab",) + CODE,
    "symbolize/dwarf": ("symbolize/elf",) + CODE,
    "symbolize/cfi": ("symbolize/elf",) + CODE,
    "symbolize/kernel": ("symbolize/elf", "symbolize/symtab") + CODE,
    "symbolize/debuginfod": ("symbolize/elf",) + CODE,
    "symbolize/golang": ("symbolize/cfi", "symbolize/dwarf", "symbolize/elf",
                         "symbolize/symtab") + CODE,
    "symbolize/file-index": ("symbolize/elf", "symbolize/kernel",
                             "base/archive") + CODE,
    "symbolize/object": ("symbolize/file-index", "symbolize/golang",
                         "symbolize/kernel", "symbolize/symtab",
                         "symbolize/elf", "symbolize/demangle",
                         "base/archive", "base/parquet") + CODE,
    "symbolize/symbolizers": ("symbolize/object", "symbolize/file-index",
                              "symbolize/debuginfod", "symbolize/kernel",
                              "symbolize/symtab", "symbolize/elf") + CODE,
    "symbolize/inlines": ("symbolize/object", "symbolize/symbolizers",
                          "symbolize/dwarf", "symbolize/golang",
                          "symbolize/file-index", "symbolize/elf",
                          "symbolize/demangle") + CODE,
    "symbolize/unwind": ("symbolize/object", "symbolize/cfi",
                         "symbolize/golang", "symbolize/insn",
                         "symbolize/elf") + CODE,
    "symbolize/bounds": ("symbolize/object", "symbolize/cfi",
                         "symbolize/elf") + CODE,
    "symbolize/code": ("symbolize/inlines", "symbolize/object",
                       "symbolize/symbolizers", "symbolize/file-index",
                       "symbolize/insn", "symbolize/elf") + CODE,
    "symbolize": ("symbolize/demangle", "symbolize/insn", "symbolize/symtab",
                  "symbolize/elf", "symbolize/dwarf", "symbolize/cfi",
                  "symbolize/kernel", "symbolize/debuginfod",
                  "symbolize/golang", "symbolize/file-index",
                  "symbolize/object", "symbolize/symbolizers",
                  "symbolize/inlines", "symbolize/unwind",
                  "symbolize/bounds", "symbolize/code") + CODE,

    "analyses/common": (),
    "analyses/summary": ("analyses/common",),
    "analyses/lost": ("analyses/common",),
    "analyses/tasks": ("analyses/lost", "analyses/common"),
    "analyses/annotate": ("analyses/common",),
    "analyses/blockio": ("analyses/summary", "analyses/lost",
                         "analyses/common"),
    "analyses/brief": ("analyses/precision", "analyses/summary",
                       "analyses/common"),  # and brief.h of others
    "analyses/cpi": ("analyses/common",),
    "analyses/diff": ("analyses/common",),
    "analyses/hotspots": ("analyses/common",),
    "analyses/info": ("analyses/common",),
    "analyses/locks": ("analyses/summary", "analyses/lost",
                       "analyses/common"),
    "analyses/mem": ("analyses/summary", "analyses/common"),
    "analyses/precision": ("analyses/common",),
    "analyses/profile": ("analyses/waits", "analyses/tasks",
                         "analyses/common"),
    "analyses/report": ("analyses/precision", "analyses/summary",
                        "analyses/tasks", "analyses/common"),
    "analyses/sched": ("analyses/tasks", "analyses/summary",
                       "analyses/common"),
    "analyses/syscalls": ("analyses/summary", "analyses/lost",
                          "analyses/common"),
    "analyses/timeline": ("analyses/tasks", "analyses/common"),
    "analyses/unwind": ("analyses/common",),
    "analyses/waits": ("analyses/tasks", "analyses/common"),
    "analyses": ("analyses/common", "analyses/summary", "analyses/tasks",
                 "analyses/precision"),  # and see own_room()

    "render/common": ("render/render.h", "report", "base"),
    "render/export/common": ("render/common", "render/render.h", "report",
                             "base"),
    "render/export/snapshot": ("render/export/common", "render/common",
                               "report", "base"),
    "render/export": ("render/export/common", "render/export/snapshot",
                      "render/common",
                      "render/render.h", "report", "base"),
    "render/svg": ("render/common", "render/render.h", "report", "base"),
    "render/text": ("render/common", "render/render.h", "report", "base"),
    "render/page": ("render/common", "render/svg", "render/text",
                    "render/render.h", "report", "base"),
    "render": ("render/common", "render/export/list.def", "render/page", "render/svg", "render/text",
               "report", "base"),

    "run": ("readers", "base/parquet", "readers/formats", "readers/record", "readers/redact", "base/redact", "symbolize", "symbolize/unwind",
            "symbolize/bounds", "symbolize/code", "symbolize/object",
            "symbolize/insn",
            "report", "base/match",
            "base/caps") + CODE,
    "run/merge": ("run", "report") + CODE,
    "sql": ("report", "base"),
    "cli": ("base/redact", "run/merge", "cli/command/command.h", "run", "render",
            "render/common",
            "analyses/list.h", "readers", "symbolize", "report",
            "symbolize/debuginfod", "base/archive", "base/match",
            "base/caps", "base/sandbox") + CODE,
    "cli/command/check": ("cli", "cli/command/command.h", "run", "symbolize",
                          "symbolize/object", "symbolize/opinion",
                          "report") + CODE,
    "cli/command/snapshot": ("cli", "cli/command/command.h",
                             "cli/command/bundle.h",
                             "cli/command/write-snapshot.h",
                             "cli/command/pack-unwound.h", "run", "render",
                             "render/common/escape.h",
                             "render/export/snapshot/tar.h",
                             "analyses/list.h", "readers", "symbolize/object",
                             "report", "base/archive") + CODE,
    "cli/command": ("cli", "run", "run/merge", "render", "render/common",
                    "analyses/list.h", "readers",
                    "readers/header", "readers/record", "readers/rewrite",
                    "readers/redact", "base/redact",
                    "symbolize", "symbolize/debuginfod", "symbolize/elf",
                    "symbolize/object", "symbolize/kernel",
                    "symbolize/opinion",
                    "symbolize/file-index", "symbolize/code", "report",
                    "base/archive", "base/match", "base/sandbox",
                    "sql") + CODE,
}
# The command report shows in brief what other analyses found.
REPORT = "analyses/report.c"


def room(path):
    return os.path.dirname(path)


def own_room(path, name):
    """analyses/NAME.c has the room of its name; waits serves several."""
    if room(path) == "analyses/brief":
        return os.path.basename(name) == "brief.h"
    if room(path) != "analyses" or room(name) == "analyses/common":
        return False
    if path == REPORT and (os.path.basename(name) == "brief.h" or
                           room(name) == "analyses/brief"):
        return True
    return (room(name) == os.path.splitext(path)[0]
            or room(name) == "analyses/waits")


def may_include(path, name):
    """True if the file at path may include the header called name."""
    here, there = room(path), room(name)
    if there == "coldperf":
        return True
    return (there == here or there in LAW[here] or name in LAW[here]
            or own_room(path, name))
