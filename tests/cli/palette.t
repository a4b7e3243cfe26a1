#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# --palette object: the seven objects with most samples have a hue each, which
# the legend names; frames of all others have none.  A function keeps its shade.  Shades of diff
# have a scale.
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

SVG = "{http://www.w3.org/2000/svg}"
OBJECTS = 9
scratch = tempfile.TemporaryDirectory(prefix="coldperf-palette.")
text = os.path.join(scratch.name, "text")
capture = os.path.join(scratch.name, "perf.data")
with open(text, "w", encoding="ascii") as f:
    f.write("attr cycles type=0 config=0 period=1 "
            "sample_type=IP|TID|TIME|PERIOD ids=1\n")
    for i in range(OBJECTS):
        f.write("mmap pid=7 tid=7 addr=%#x len=0x1000 name=/lib/o%d.so\n" %
                (0x100000 * (i + 1), i))
    for i in range(OBJECTS):
        f.write("sample ip=%#x pid=7 tid=7 time=%d period=%d\n" %
                (0x100000 * (i + 1) + 16, 1000 + i, 100 - i))
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"), text,
                capture], check=True)


def flame(*arguments):
    svg = subprocess.run([tap.coldperf, "flame", "-f", "svg", *arguments,
                          capture], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=True).stdout.decode()
    data = re.search(r'class="data">(.*?)</script>', svg, re.S).group(1)
    return svg, {(name, detail): color for name, detail, color, *_
                 in json.loads(data)["symbols"]}


svg, by_object = flame("--palette", "object")
_, by_kind = flame()
color = {detail: c for (_, detail), c in by_object.items()
         if detail.endswith(".so")}
first = ["o%d.so" % i for i in range(7)]
tap.ok(len(color) == OBJECTS and
       {color[o][0] for o in first} == set("ABCDEFG"),
       "the objects with most samples have a hue each", color)
tap.ok([color[o][0] for o in ("o7.so", "o8.so")] == ["x", "x"],
       "those that have fewer have none", color)
tap.ok(all(c[1] == by_kind[key][1] for key, c in by_object.items()),
       "shades are those of the other palettes", (by_object, by_kind))
keys = {"".join(g.itertext()): g.find(SVG + "rect").get("class")[0]
        for g in xml.fromstring(svg).iter(SVG + "g")
        if g.get("transform") and g.find(SVG + "rect") is not None}
tap.ok(all(keys.get(o) == color[o][0] for o in first) and
       keys.get("other objects") == "x", "the legend names them", keys)
rules = dict(re.findall(r"\.([A-G]2)\{fill:(#[0-9a-f]{6})\}",
                        svg.split("@media")[0]))
tap.ok(len(rules) == 7 and len(set(rules.values())) == 7,
       "hues differ", rules)
rects = {r.find(SVG + "title").text: r.get("class")
         for r in xml.fromstring(svg).iter(SVG + "rect")
         if r.find(SVG + "title") is not None}
tap.ok(all(any(c.split()[0] == color[o] and t.endswith("\n" + o)
               for t, c in rects.items()) for o in first),
       "frames have the colours of their objects", rects)

for name in ("hot", "cold", "gray"):
    svg = flame("--palette", name)[0]
    tap.ok(not re.search('class="legend">.*>(user|no name)<', svg),
           name + " has one hue, so that a legend tells nothing")

# 29 = 100 * (1 - 2 ** -0.5), 41 = 100 * (2 ** 0.5 - 1)
svg = subprocess.run([tap.coldperf, "diff", "-f", "svg", capture, capture],
                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                     check=True).stdout.decode()
legend = next(g for g in xml.fromstring(svg).iter(SVG + "g")
              if g.get("class") == "legend")
keys = [(g.find(SVG + "rect").get("class"), "".join(g.itertext()))
        for g in legend]
tap.ok(keys == [("v0", "half or less"), ("v4", "\N{MINUS SIGN}29%"),
                ("v8", "the same, or chance"), ("v12", "+41%"),
                ("v16", "twice or more"), ("vx", "not known")],
       "diff: the legend says how much each shade is", keys)
tap.done()
