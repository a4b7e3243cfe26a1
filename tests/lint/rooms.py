# SPDX-License-Identifier: MIT
"""The law of docs/ARCHITECTURE.md: who may include whom, room by room.

A room is a folder of product code.  It may include its own files, what its
row names (rooms, or single headers), and include/coldperf.  What a row names
is used: layers.t finds an allowance that no file needs.
"""
import os

CODE = ("model", "base")
LAW = {
    "include/coldperf": (),
    "base": ("base/open",),
    "base/open": ("base/base.h", "base/mem.h", "base/port.h"),
    "base/archive": ("base",),
    "base/caps": ("base",),
    "base/parquet": ("base",),
    "base/match": ("base",),
    "base/redact": ("base/match", "base"),
    "base/sandbox": ("base/base.h",),
    "base/spill": ("base",),
    "report": ("base",),
    "model/order": ("model/callchain.h", "model/event.h", "model/evsel.h",
                    "base"),
    "model": ("model/order", "base"),

    "readers/header": ("readers/reader.h", "readers/record-head.h",
                       "readers/input.h", "readers/byte-account.h",
                       "readers/rules.h") + CODE,
    "readers/formats": ("readers/header", "readers/list.h") + CODE,
    "readers/record": ("readers/header", "readers/record-head.h",
                       "readers/input.h", "readers/rules.h", "model/order/order.h",
                       "base/caps") + CODE,
    "readers/rewrite": ("readers/header", "readers/record",
                        "readers/reader.h", "readers/record-head.h") + CODE,
    "readers/redact": ("readers/rewrite", "readers/header", "readers/record",
                       "readers/reader.h", "readers/record-head.h",
                       "base/redact", "model/callchain.h", "base"),
    "readers": ("readers/header", "readers/record", "base/archive") + CODE,

    "symbolize/demangle": ("base/match", "base"),
    "symbolize/insn": ("base",),
    "symbolize/opinion": ("symbolize/elf", "symbolize/cfi/arch.h") + CODE,
    "symbolize/symtab": ("symbolize/demangle", "base"),
    "symbolize/elf": ("symbolize/symtab", "base"),
    "symbolize/dwarf": ("symbolize/elf", "base"),
    "symbolize/cfi": ("symbolize/elf", "base"),
    "symbolize/kernel": ("symbolize/elf", "symbolize/symtab", "base"),
    "symbolize/debuginfod": ("symbolize/elf",) + CODE,
    "symbolize/golang": ("symbolize/cfi", "symbolize/dwarf", "symbolize/elf",
                         "base"),
    "symbolize/file-index": ("symbolize/elf", "symbolize/kernel",
                             "base/archive") + CODE,
    "symbolize/object": ("symbolize/file-index", "symbolize/golang",
                         "symbolize/kernel", "symbolize/symtab",
                         "symbolize/elf", "symbolize/cfi",
                         "symbolize/demangle",
                         "base/archive", "base/parquet") + CODE,
    "symbolize/symbolizers": ("symbolize/object", "symbolize/file-index",
                              "symbolize/debuginfod", "symbolize/kernel",
                              "symbolize/symtab") + CODE,
    "symbolize/inlines": ("symbolize/object", "symbolize/symbolizers",
                          "symbolize/dwarf", "symbolize/golang",
                          "symbolize/file-index",
                          "symbolize/demangle") + CODE,
    "symbolize/unwind": ("symbolize/object", "symbolize/cfi",
                         "symbolize/golang", "symbolize/insn",
                         "symbolize/elf") + CODE,
    "symbolize/callers": ("symbolize/unwind", "symbolize/object",
                          "symbolize/elf",
                          "symbolize/insn") + CODE,
    "symbolize/bounds": ("symbolize/object", "symbolize/cfi") + CODE,
    "symbolize/code": ("symbolize/inlines", "symbolize/object",
                       "symbolize/symbolizers", "symbolize/file-index",
                       "symbolize/insn", "symbolize/elf") + CODE,
    "symbolize": ("symbolize/demangle", "symbolize/object",
                  "symbolize/symbolizers", "symbolize/inlines",
                  "symbolize/code") + CODE,

    "analyses/common": (),
    "analyses/code": ("analyses/common",),
    "analyses/accounts": ("analyses/common",),
    "analyses/lost": ("analyses/common",),
    "analyses/tasks": ("analyses/lost", "analyses/common"),
    "analyses/annotate": ("analyses/common",),
    "analyses/blockio": ("analyses/accounts", "analyses/pairs",
                         "analyses/common"),
    "analyses/causes": ("analyses/waits", "analyses/accounts",
                        "analyses/tasks", "analyses/common"),
    "analyses/cpi": ("analyses/common",),
    "analyses/critical": ("analyses/causes", "analyses/pairs",
                          "analyses/waits", "analyses/common"),
    "analyses/diff": ("analyses/waits", "analyses/common"),
    "analyses/explain": ("analyses/causes", "analyses/pairs",
                         "analyses/timeline", "analyses/waits",
                         "analyses/common"),
    "analyses/flame": ("analyses/common",),
    "analyses/hotspots": ("analyses/common",),
    "analyses/info": ("analyses/common",),
    "analyses/locks": ("analyses/accounts", "analyses/pairs",
                       "analyses/common"),
    "analyses/mem": ("analyses/accounts", "analyses/common"),
    "analyses/pairs": ("analyses/accounts", "analyses/lost",
                       "analyses/common"),
    "analyses/precision": ("analyses/common",),
    "analyses/profile": ("analyses/waits", "analyses/common"),
    "analyses/report": ("analyses/code", "analyses/precision",
                        "analyses/accounts", "analyses/lost",
                        "analyses/tasks", "analyses/common"),
    "analyses/sched": ("analyses/tasks", "analyses/common"),
    "analyses/stat": (),
    "analyses/syscalls": ("analyses/accounts", "analyses/pairs",
                          "analyses/common"),
    "analyses/timeline": ("analyses/common",),
    "analyses/unwind": ("analyses/common",),
    "analyses/waits": ("analyses/tasks", "analyses/common"),
    "analyses/wall": ("analyses/causes", "analyses/waits",
                      "analyses/tasks", "analyses/common"),
    "analyses": ("analyses/common", "analyses/lost", "analyses/tasks",
                 "analyses/precision", "analyses/code"),  # and see own_room()

    "render/common": ("report", "base/match", "base"),
    "render/export/common": ("render/common", "render/render.h", "report",
                             "base"),
    "render/export/snapshot": ("render/export/common", "render/common",
                               "report", "base/spill", "base"),
    "render/export": ("render/export/common", "render/export/snapshot",
                      "render/common", "base/match",
                      "render/render.h", "report", "base"),
    "render/svg": ("render/common", "render/render.h", "report", "base/match",
                   "base"),
    "render/text": ("render/common", "render/render.h", "report",
                    "base/match", "base"),
    "render/page": ("render/common", "render/text", "render/render.h",
                    "report", "base"),
    "render": ("render/common", "render/export/list.def", "render/page",
               "render/svg", "render/text", "report", "base"),

    "run": ("run/facts", "run/import", "readers", "base/parquet", "readers/formats", "readers/redact",
            "base/redact", "run/filter", "symbolize", "symbolize/unwind",
            "symbolize/bounds", "symbolize/callers", "symbolize/code",
            "symbolize/object",
            "symbolize/insn", "symbolize/demangle", "report",
            "base/match", "base/spill", "base/caps") + CODE,
    "run/facts": ("base",),
    "run/filter": ("run", "base/match", "base"),
    "run/import": ("run", "readers", "symbolize/demangle", "base"),
    "run/merge": ("run", "base"),
    "browse": ("analyses/precision/dispersion.h",
               "analyses/precision/seen.h", "render/common", "report",
               "base"),
    "capture": ("analyses/common/advice.h", "symbolize/elf", "base"),
    "runs": ("base", "render/common/escape.h"),
    "sql": ("report", "base"),
    "cli": ("base/redact", "run/merge", "cli/command/command.h", "cli/idle",
            "run",
            "render", "render/common", "analyses/list.h", "report",
            "symbolize/debuginfod", "base/archive", "base/match",
            "base/caps", "base/sandbox", "base"),
    "cli/idle": ("cli", "base"),
    "cli/command/check": ("cli", "cli/command/command.h", "run",
                          "symbolize/object", "symbolize/opinion", "base"),
    "cli/command/script": ("cli", "cli/command/command.h", "run",
                           "render/common/escape.h", "base"),
    "cli/command/snapshot": ("cli", "cli/command/command.h",
                             "cli/command/bundle.h",
                             "cli/command/write-snapshot.h",
                             "cli/command/pack-unwound.h", "run", "render",
                             "render/common/escape.h",
                             "render/export/snapshot/tar.h",
                             "analyses/list.h", "readers",
                             "symbolize/file-index/content.h",
                             "symbolize/object", "report", "base/archive",
                             "base"),
    "cli/command": ("cli", "cli/idle", "run", "run/merge", "render", "render/common",
                    "render/export/snapshot/stream.h",
                    "analyses/list.h", "readers/header", "readers/rewrite",
                    "symbolize", "symbolize/debuginfod", "symbolize/elf",
                    "symbolize/object", "symbolize/file-index", "report",
                    "base/archive", "base/sandbox", "browse", "capture", "runs", "sql",
                    "base"),
}
# A room that serves several analyses, and which.
SEVERAL = {"analyses/causes": ("analyses/report.c",),
           "analyses/cpi": ("analyses/report.c",),
           "analyses/info": ("analyses/report.c",),
           "analyses/pairs": ("analyses/pair.c",),
           "analyses/stat": ("analyses/diff.c", "analyses/report.c"),
           "analyses/waits": ("analyses/offcpu.c", "analyses/timeline.c")}


def room(path):
    return os.path.dirname(path)


def own_room(path, name):
    """analyses/NAME.c has the room of its name, or one of SEVERAL."""
    if room(path) != "analyses" or room(name) == "analyses/common":
        return False
    return (room(name) == os.path.splitext(path)[0]
            or path in SEVERAL.get(room(name), ()))


def may_include(path, name):
    """True if the file at path may include the header called name."""
    here, there = room(path), room(name)
    if there == "coldperf":
        return True
    return (there == here or there in LAW[here] or name in LAW[here]
            or own_room(path, name))


def unused(row, names):
    """What a row allows that no include called so needs."""
    for allowed in row:
        if room(allowed) in row and "." in allowed or not any(
                allowed in (name, room(name)) for name in names):
            yield allowed
