#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The page colours frames as flame graphs do: page/palette.js against the style
# of a picture, light and dark, and against the shade of each of its names.
import json
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

node = shutil.which("node")
if node is None:
    tap.skip_all("there is no node to run scripts of pages")
svg = subprocess.run(
    [os.path.join(tap.top_builddir, "tests/render/write-sample"), "svg",
     "plain"], stdout=subprocess.PIPE, check=True).stdout.decode()
symbols = json.loads(
    re.search(r'class="data">(.*?)</script>', svg, re.S).group(1))["symbols"]
with open(os.path.join(tap.top_srcdir, "render/page/palette.js"),
          encoding="utf-8") as f:
    script = re.sub("(?m)^export ", "", f.read())
script += """
const names = %s;
console.log(JSON.stringify({ light: kindColours(false),
	dark: kindColours(true), letters: KINDS.map((k) => k[0]),
	shades: names.map((name) => shadeOf(name)) }));
""" % json.dumps([s[0] for s in symbols])
got = json.loads(subprocess.run([node, "-e", script], stdout=subprocess.PIPE,
                                check=True).stdout)
rules = re.findall(r"\.([a-z])(\d)\{fill:(#[0-9a-f]{6})\}", svg)
half = len(rules) // 2
tap.ok(half == len(got["light"]), "a picture has %d colours" % half)
for theme, part in ("light", rules[:half]), ("dark", rules[half:]):
    want = {letter + shade: colour for letter, shade, colour in part}
    have = {got["letters"][i // 8] + str(i % 8): colour
            for i, colour in enumerate(got[theme])}
    tap.ok(have == want, "those of the page are the same: " + theme,
           {k for k in want if want[k] != have.get(k)})
tap.ok(len(symbols) > 5 and
       [int(s[2][1:]) for s in symbols] == got["shades"],
       "names have the same shades", got["shades"])

# States of threads: the lanes of a picture against those of the page.
def part_of(name):
    with open(os.path.join(tap.top_srcdir, "render", name),
              encoding="utf-8") as f:
        return f.read()


page = part_of("page/page.css")
themes = part_of("svg/chart.css").split("@media screen")[:2]
classes = part_of("page/frames.js").split("const WAIT_COLOURS = ")[1]
classes = re.findall(r"\['(#\w+)', '(#\w+)'\]", classes.split(";")[0])
tap.ok(len(classes) == 5, "classes of waits have colours", classes)
for i, theme in enumerate(("light", "dark")):
    have = dict(re.findall(r"\.(k\w+)\{fill:(#\w+)\}", themes[i]))
    want = {"kb%d" % (k + 1): pair[i] for k, pair in enumerate(classes)}
    for tone, name in (("run", "kr"), ("wait", "kw"), ("block", "kb0"),
                       ("idle", "ki"), ("unknown", "ku"), ("plain", "kp")):
        value = re.search(r"--%s:([^;]*);" % tone, page)[1]
        pair = re.findall(r"#\w+", value)
        want[name] = pair[i % len(pair)]
    tap.ok(want.items() <= have.items(), "states are those of the page: " +
           theme, {k for k in want if want[k] != have.get(k)})
tap.done()
