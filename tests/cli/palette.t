#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# --palette object: the seven objects with most samples have a hue each, which
# the legend names; frames of all others have none.  A function keeps its shade.  Shades of diff
# have a scale.
import json
import math
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
# Eyes without cones for red, green or blue, in linear RGB: Machado, Oliveira
# and Fernandes 2009.
EYES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868),
               (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968),
                 (0.280085, 0.672501, 0.047413),
                 (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779),
                (-0.078411, 0.930809, 0.147602),
                (0.004733, 0.691367, 0.303900)),
}
XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722),
       (0.0193, 0.1192, 0.9505))


def times(matrix, v):
    return [sum(a * b for a, b in zip(row, v)) for row in matrix]


def linear(rgb):
    part = (int(rgb[i:i + 2], 16) / 255 for i in (1, 3, 5))
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in part]


def lab(v):
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
               for t in (c / w for c, w in
                         zip(times(XYZ, v), (0.9505, 1, 1.089))))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(part, eyes):
    """The least difference of two groups, each the mean of its shades."""
    seen = {}
    for letter, rgb in part:
        v = [min(1, max(0, c)) for c in times(eyes, linear(rgb))]
        seen.setdefault(letter, []).append(lab(v))
    means = [[sum(c) / len(c) for c in zip(*all_)] for all_ in seen.values()]
    return min(math.dist(a, b) for i, a in enumerate(means)
               for b in means[:i])


fills = re.findall(r"\.([A-Gkt])\d\{fill:(#[0-9a-f]{6})\}",
                   flame("--palette", "object")[0])
half = len(fills) // 2
for theme, part, least, ink in (("light", fills[:half], 12, "#14171a"),
                                ("dark", fills[half:], 8, "#f1f3f5")):
    for name, eyes in EYES.items():
        got = apart(part, eyes)
        tap.ok(got >= least, "objects look different, %s, %s cones" %
               (theme, name), got)
    lights = [times(XYZ, linear(rgb))[1] for _, rgb in part]
    text = times(XYZ, linear(ink))[1]
    got = min((max(text, y) + 0.05) / (min(text, y) + 0.05) for y in lights)
    tap.ok(got >= 4.5, "names can be read on them, " + theme, got)
tap.done()
