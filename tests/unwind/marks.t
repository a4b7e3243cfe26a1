#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What a frame was found by, told of each frame: a stack in which every means
# was needed once, and two in which one was.
import csv
import json
import os
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import tap
from made import (BASE, TEXT, TOP, at, capture, coldperf, elf, path, sample,
                  text_map)

# From 0x500 on no table speaks of the code.
TABLES = [(TEXT, 0x100, b"", False), (TEXT + 0x100, 0x100, b"\x0e\x18", False),
          (TEXT + 0x800, 0x100, b"\x07\x10", False)]
code = bytearray(b"\x90" * 0x1000)
code[0x500] = 0xc3  # ret
code[0x4b] = 0xe8  # a call returns to 0x50
elf("code", TABLES, code=bytes(code), hdr="before")
JIT = BASE + 0x10000
MAPS = [text_map(path("code")), text_map("//anon", base=JIT)]
EVERY = sample([at(0x110), 2, 3, at(0x530), 4, 1, at(0x540), 5, at(0x50),
                at(0x810)], bp=TOP + 40, ip=at(0x500))
EXACT = sample([at(0x810)], ip=at(0x10), time=60)
MADE = sample([1, at(0x810)], bp=TOP, ip=JIT + TEXT + 0x100, time=70)
MARKS = [(at(0x500), ""), (at(0x10f), "instructions"), (at(0x52f), ""),
         (at(0x53f), "frame pointer"), (at(0x4f), "stack scan"),
         (at(0x80f), "")]


def marks(text):
    """[(address, mark)] of each stack."""
    out = []
    for one in text.split("\n\n"):
        rows = [line.split(None, 1) for line in one.splitlines()
                if line.startswith("\t")]
        if rows:
            out.append([(int(r[0], 16), r[1].partition("[guess: ")[2]
                         .partition("]")[0]) for r in rows])
    return out


def table(slug, *options):
    doc = json.loads(coldperf("unwind", "-f", "json", *options))
    t, = [s for s in doc["sections"] if s["slug"] == slug]
    names = [c["name"] for c in t["columns"]]
    return [dict(zip(names, r["values"])) for r in t["rows"]]


capture(MAPS + [EVERY, EXACT, MADE])
WANT = [MARKS, [(at(0x10), ""), (at(0x80f), "")],
        [(JIT + TEXT + 0x100, ""), (at(0x80f), "frame pointer")]]
text = coldperf("script", "-F", "+guess", "--stack-scan")
tap.ok(marks(text) == WANT, "script -F +guess marks each", text)
plain = coldperf("script", "--stack-scan")
bare = "\n".join(line.partition(" [guess: ")[0]
                 for line in text.split("\n"))
tap.ok(bare == plain and "[guess" not in plain,
       "that is all it adds to the usual fields", plain)
scanless = marks(coldperf("script", "-F", "+guess"))
tap.ok(scanless[0] == MARKS[:4], "no scan unless asked", scanless)

found = {r["Found by"]: r["Frames"] for r in table("frames", "--stack-scan")}
tap.ok(found == {"registers of the sample": 3, "unwind table": 3,
                 "instructions": 1, "frame pointer": 2, "stack scan": 1},
       "unwind counts them", found)
rows = [(os.path.basename(r["Object"]), r["Table"], r["Instructions"],
         r["Frame pointer"], r["Stack scan"])
        for r in table("callers", "--stack-scan")]
tap.ok(rows == [("code", 3, 1, 1, 1), ("perf-7.map", 0, 0, 1, 0)],
       "by the object whose code they were found from", rows)
helps = {os.path.basename(r["Object"]): r["What helps"]
         for r in table("callers")}
tap.ok("debug file" in helps["code"] and "jitdump" in helps["perf-7.map"],
       "and tells what helps", helps)


def nodes(*options):
    """{path: (total, guessed)} of the tree of calls."""
    doc = json.loads(coldperf("flame", "-f", "json", "--no-comm",
                              "--stack-scan", *options))
    t, = [s["nodes"] for s in doc["sections"] if s["type"] == "tree"]
    paths, out = [], {}
    for n in t:
        up = paths[n["parent"]] + "/" if n["parent"] else ""
        paths.append(up + n["name"])
        out[paths[-1]] = (n["total"], n.get("guessed"))
    return out


# Frames without names show their object, so that those of one depth are one.
C, J = "[code]", "[perf-7.map]"
got = nodes()
tap.ok(got == {
    "all": (3, None), C: (3, {"frame_pointer": 1}), C + "/" + J: (1, None),
    C + "/" + C: (2, {"stack_scan": 1}),
    C + "/" + C + "/" + C: (1, {"frame_pointer": 1}),
    "/".join([C] * 4): (1, None),
    "/".join([C] * 5): (1, {"instructions": 1}),
    "/".join([C] * 6): (1, None)}, "flame tells how much of a node", got)
got = nodes("--reverse")
tap.ok(got == {
    "all": (3, None), J: (1, None), J + "/" + C: (1, {"frame_pointer": 1}),
    C: (2, None), C + "/" + C: (2, {"instructions": 1}),
    C + "/" + C + "/" + C: (1, None),
    "/".join([C] * 4): (1, {"frame_pointer": 1}),
    "/".join([C] * 5): (1, {"stack_scan": 1}),
    "/".join([C] * 6): (1, None)}, "and from the innermost frame", got)
text = coldperf("flame", "--no-comm", "--stack-scan")
tap.ok("(code)  [33.33% of it guessed: frame pointer]" in text and
       "(code)  [guessed: instructions]" in text, "as text", text)
picture = coldperf("flame", "-f", "svg", "--no-comm", "--stack-scan")
tap.ok(picture.count(' guess" x=') == 2 and
       "50.00% of it guessed: stack scan" in picture and
       "there is no unwind table" in picture,
       "as a picture, in which those that mostly were are marked", picture)
G = C + "_[g]"
folded = coldperf("flame", "-f", "folded", "--no-comm", "--stack-scan")
marked = coldperf("flame", "-f", "folded", "--no-comm", "--stack-scan",
                  "--guess-suffix")
tap.ok(sorted(folded.splitlines()) == sorted(
    [";".join([C] * 6) + " 1", C + ";" + C + " 1", C + ";" + J + " 1"]),
    "folded stacks merge with others", folded)
tap.ok(sorted(marked.splitlines()) == sorted(
    [";".join([C, G, G, C, G, C]) + " 1", C + ";" + C + " 1",
     G + ";" + J + " 1"]), "unless --guess-suffix marks them", marked)

with open(path("perf-7.map"), "w") as f:
    f.write("%x 100 made\n" % (JIT + TEXT + 0x100))
text = coldperf("hotspots", "--callers", "made", "--symbols", path(""))
tap.ok("100 % of the weight of made (a): the calling frame was "
       "guessed" in " ".join(text.split()), "callers tell, too", text)

capture(MAPS + [EXACT])
tap.ok("guess" not in coldperf("flame", "-f", "json"),
       "a flame graph without any does not speak of it")
found = [r["Found by"] for r in table("frames")]
tap.ok(found == ["registers of the sample", "unwind table"] and
       "guess" not in coldperf("script", "-F", "+guess"),
       "nothing is marked that has a table", found)

# The kernel's chain is no guess, and what only repeats it is not ours.
capture(MAPS + [sample([9, 9, 9], bp=1, ip=at(0x510), chain="user,%d,%d,%d" %
                       (at(0x510), at(0x20), at(0x30)))])
found = {r["Found by"]: r["Frames"] for r in table("frames")}
tap.ok(found == {"registers of the sample": 1, "recorded call chain": 2},
       "a recorded chain is called that", found)

# A heap is no code: what leads there is not believed.
heap = text_map("[heap]", base=JIT).replace("mmap", "mmap2 prot=3", 1)
capture([MAPS[0], heap, sample([1, JIT + TEXT + 16, 0], bp=TOP,
                               ip=at(0x510))])
got = marks(coldperf("script", "-F", "+guess"))
ends = list(csv.DictReader(coldperf("unwind", "-f", "csv").splitlines()))
tap.ok(got == [[(at(0x510), "")]] and
       os.path.basename(ends[0]["object"]) == "code",
       "a frame pointer that leads to a heap is none", (got, ends))
capture([MAPS[0], heap, sample([JIT + TEXT + 16, 0], ip=at(0x10))])
ends = list(csv.DictReader(coldperf("unwind", "-f", "csv").splitlines()))
tap.ok(ends[0]["object"] == "[heap]" and
       "not executable" in ends[0]["what_helps"] and
       "jitdump" not in ends[0]["what_helps"],
       "a table that leads there is doubted, not the heap", ends)

capture(MAPS + [EVERY, EXACT, MADE])
subprocess.run([os.path.abspath(tap.coldperf), "pack", "--unwound",
                "--stack-scan", "-o", path("packed.tar.zst"),
                path("capture")], stderr=subprocess.DEVNULL, check=True)
os.replace(path("packed.tar.zst"), path("capture"))
tap.ok(marks(coldperf("script", "-F", "+guess")) == WANT,
       "pack --unwound keeps the marks")

# arm64: what a leaf returns to is in a register.  With tables, nearly all is
# found by them, without by the register of the leaf and the frame pointer.
folder = path("arm64")
os.mkdir(folder)
if subprocess.run("xz -dc '%s/tests/unwind/foreign/arm64.tar.xz' | tar -C "
                  "'%s' -xf -" % (tap.top_srcdir, folder),
                  shell=True).returncode != 0:
    tap.skip("no xz")
else:
    os.replace(folder + "/perf.data", path("capture"))
    os.mkdir(path("none"))
    blind, seen = [{r["Found by"]: r["Frames"] for r in
                    table("frames", "--no-local", "--symbols", where)}
                   for where in (path("none"), folder)]
    tap.ok(blind.get("instructions", 0) > 100 and
           "unwind table" not in blind and
           blind.get("frame pointer", 0) > 1000 and
           seen["unwind table"] > 2700 and "instructions" in seen,
           "arm64: the link register and frame pointers", (blind, seen))
tap.done()
