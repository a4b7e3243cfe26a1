#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Other people's parsers read what the renderers write, hostile names too.
import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap
from tap import is_

WRITE = tap.top_builddir + "/tests/render/write-sample"
NS = "{http://www.w3.org/2000/svg}"


def write(*args):
    run = subprocess.run([WRITE] + list(args), stdout=subprocess.PIPE)
    tap.ok(run.returncode == 0, "write-sample " + " ".join(args))
    return run.stdout.decode("utf-8")  # strict: what is no UTF-8 fails


def check_json():
    plain = json.loads(write("json", "plain"))
    is_(plain["schema"], "coldperf-report", "json has its schema")
    is_(plain["version"], 1, "json has its version")
    by_slug = {s["slug"]: s for s in plain["sections"]}
    row = by_slug["hotspots"]["rows"][0]["values"]
    is_(row[0]["value"], 0.4211, "json keeps a share exactly")
    tap.ok(row[0]["interval"][0] < 0.4211 < row[0]["interval"][1],
           "json has the interval around it")
    is_(by_slug["types"]["rows"][0]["values"][1], 2 ** 64 - 1,
            "json keeps 64 bits")
    is_(by_slug["types"]["rows"][0]["values"][3], None,
            "json has null for a time that was not recorded")
    nodes = by_slug["flame"]["nodes"]
    tap.ok(nodes[0]["parent"] is None and
           all(n["parent"] < i for i, n in enumerate(nodes) if i),
           "json has parents before children")
    is_(nodes[0]["total"], sum(n["self"] for n in nodes),
            "json's root weighs what all nodes weigh")
    hostile = json.loads(write("json", "hostile"))
    names = [r["values"][1] for s in hostile["sections"]
             if s["type"] == "table" for r in s["rows"]]
    tap.ok("\"><script>alert(1)</script>" in names and
           "esc\x1b[31mred\x1b]0;title\x07" in names and
           "bad\\xff\\xfe\\xc3(utf\\xed\\xa0\\x80 8\\xf4\\x90\\x80\\x80"
           in names, "json gives back hostile names", names)
    json.loads(write("json", "empty"))


def check_schema():
    """Every key in the output is in docs/report-schema.md and vice versa."""
    with open(tap.top_srcdir + "/docs/report-schema.md") as f:
        text = f.read()
    known = set(re.findall(r"^\| `(\w+)` \|", text, re.M))
    known |= set(re.findall(r'"(\w+)": (?:value|string|integer|array|\[low|'
                            r"number)", text))
    known |= set(re.findall(r"`(\w+)` is an array", text))
    known |= set(re.findall(r"^Each has `(\w+)`, `(\w+)`.*`(\w+)`", text,
                            re.M)[0])
    known -= {"text", "count", "weight", "share", "rate", "time", "clock",
              "bytes", "address", "change", "chance", "number"} - {"weight", "count", "text"}
    seen = set()

    def walk(v):
        if isinstance(v, dict):
            seen.update(v)
            v = v.values()
        if not isinstance(v, (str, int, float, type(None))):
            for x in v:
                walk(x)
    walk(json.loads(write("json", "plain")))
    walk(json.loads(write("json", "charts")))
    is_(sorted(seen), sorted(known), "the schema names every key")


def check_csv():
    rows = list(csv.reader(io.StringIO(write("csv", "plain"))))
    is_(rows[0], ["depth", "self", "self_lo", "self_hi", "period",
                      "object", "symbol"], "csv has names for columns")
    tap.ok(all(len(r) == len(rows[0]) for r in rows), "csv rows are full")
    is_(rows[1][6], "parse_statement(Parser&, int)",
            "csv quotes a cell with a comma")
    rows = list(csv.reader(io.StringIO(write("csv", "hostile"))))
    tap.ok(len(rows) == 14 and all(len(r) == 4 for r in rows),
           "csv has one line per hostile row", rows)
    tap.ok("'=1+2,\"quoted\",;semi" in [r[3] for r in rows],
           "csv gives back a hostile name, which is no formula")


def texts(root):
    return "".join(t for t in root.itertext())


def check_svg(which, *options):
    out = write("svg", which, *options)
    root = ET.fromstring(out)
    is_(root.tag, NS + "svg", which + " svg: XML reads it")
    scripts = root.findall(".//" + NS + "script")
    is_(len(scripts), 2, which + " svg: no script but ours")
    data = json.loads(scripts[0].text)
    check_inert(which, out, root)
    n = len(data["frames"]) // 5
    is_(n, int(root.get("data-frames")), which + " svg: counts frames")
    rects = root.findall("./%sg[@class='frames']/%srect" % (NS, NS))
    if n <= 10000:
        is_(len(rects), n, which + " svg: a box for each frame")
    return root, data, rects


def check_inert(which, out, root):
    handlers = [e.tag + " " + a for e in root.iter() for a in e.keys()
                if a.startswith("on") or "href" in a]
    is_(handlers, [], which + " svg: no handler, no link")
    tap.ok(not re.search(r"(src|url|import|https?:)\W", re.sub(
        r"http://www\.w3\.org/(2000/svg|1999/xhtml)", "", out)),
        which + " svg: names nothing outside itself")


def check_chart(which, section):
    out = write("svg", which, "1200", "-", section)
    name = which + " " + section
    root = ET.fromstring(out)
    scripts = root.findall(".//" + NS + "script")
    is_(len(scripts), 2, name + " svg: no script but ours")
    check_inert(name, out, root)
    plot = root.find("./%sg[@class='plot']" % NS)
    return json.loads(scripts[0].text), plot, root


def check_charts():
    data, plot, root = check_chart("charts", "subsecond")
    cells = data["cells"]
    is_(data["x"]["from"], 0, "grid svg: moments are told from the start")
    is_(max(cells[2::3]), 91, "grid svg: cells hold what was counted")
    drawn = sum((p.get("d") or "").count("z")
                for p in plot.findall(NS + "path"))
    is_(drawn, len(cells) // 3, "grid svg: a box for each cell")
    data, plot, root = check_chart("charts", "by-cpu")
    is_(data["y"]["labels"], ["CPU 0", "CPU 1", "CPU 2"],
        "grid svg: an axis of names")
    is_(sum(data["cells"][2::3]), 14 + sum(i * i for i in range(14)),
        "grid svg: a cell outside the axes is dropped")
    data, plot, root = check_chart("charts", "rates")
    is_((data["merge"], data["value"]["type"]), ("mean", "rate"),
        "grid svg: what several cells are in one")
    is_(check_chart("charts", "most")[0]["merge"], "most",
        "grid svg: or the most")
    data, plot, root = check_chart("charts", "delay")
    is_(sum(data["bins"][2::4]), 35643, "histogram svg: all are counted")
    data, plot, root = check_chart("charts", "threads")
    is_(len(data["spans"]), 720, "lanes svg: all spans are there")
    is_([k[1] for k in data["kinds"]], ["kr", "kw", "kb0", "kb1"],
        "lanes svg: a colour for each kind")
    tap.ok("worker/5 4716" in texts(plot), "lanes svg: lanes have names")
    for section in "hgln":
        check_chart("hostile", section)
    for section in "hgl":
        data, plot, root = check_chart("empty", section)
        tap.ok("nothing to show" in texts(root), "empty svg: says so")


def check_empty_columns():
    for which in "text", "html":
        out = write(which, "charts", "0", "-", "changes")
        tap.ok("Change" in out and "Remark" not in out and
               "Begun" not in out,
               which + ": a column that is empty in each row is left out", out)
    rows = list(csv.reader(io.StringIO(write("csv", "charts", "0", "-",
                                             "changes"))))
    tap.ok("remark" in rows[0] and len(rows[0]) == len(rows[1]),
           "csv: it is there", rows)
    table = json.loads(write("json", "charts", "0", "-",
                             "changes"))["sections"][0]
    is_([c["name"] for c in table["columns"]],
        ["Change", "p", "Remark", "Begun at"], "json: it is there")


def check_scales():
    root, data, rects = check_svg("charts", "1200", "-", "cpi")
    names = [s[0] for s in data["symbols"]]
    at = [names[i] for i in data["frames"][1::5]]
    colors = dict(zip(at, data["colors"]))
    is_([colors[n] for n in ("walk_list", "add_numbers", "same_as_ever",
                             "too_few")], [16, 1, 8, -1],
        "svg: colours by ratio: four times, a quarter, the same, unknown")
    is_(data["values"][at.index("walk_list")], "4.4", "svg: and its text")
    tap.ok("CPI 1.1: all" in texts(root), "svg: the legend says of what")
    is_(data["weight"], "cycles", "svg: a tree has its own unit")
    root, data, rects = check_svg("charts", "1200", "-", "change")
    at = [names[i] for i in data["frames"][1::5]]
    tap.ok(data["colors"][at.index("walk_list")] > 8 >
           data["colors"][at.index("add_numbers")],
           "svg: what grew is red, what shrank is blue")
    is_(data["values"][at.index("walk_list")], "+114.3%",
        "svg: and by how much")
    is_(data["before"][at.index("walk_list")], 21000, "svg: from what")
    folded = write("folded", "charts", "0", "-", "change").split("\n")
    tap.ok("server;main;walk_list 21000 45000" in folded,
           "folded: both weights of a comparison", folded)


def check_lists():
    rows = list(csv.reader(io.StringIO(write("csv", "charts", "0", "-",
                                             "delay"))))
    is_(rows[:2], [["delay_from", "delay_to", "count", "total"],
                   ["0", "2000", "12", "8400"]], "csv: bins")
    rows = list(csv.reader(io.StringIO(write("csv", "charts", "0", "-",
                                             "by-cpu"))))
    is_(rows[:2], [["delay", "cpu", "waits"], ["0", "CPU 0", "1"]],
        "csv: cells")
    rows = list(csv.reader(io.StringIO(write("csv", "charts", "0", "-",
                                             "rates"))))
    is_(rows[1][2], "3.000", "csv: cells that are rates")
    is_({c[2] for s in json.loads(write("json", "charts"))["sections"]
         if s["slug"] == "rates" for c in s["cells"]}, {3},
        "json: cells that are rates")
    # A character is 41 cells, the last one 7: 4 of them are 3, the rest 0.
    text = write("text", "charts", "80")
    tap.ok("is 1.715 waiting" in text and "is 3 waiting" in text,
           "text: the mean of several cells, and the most", text)
    rows = list(csv.reader(io.StringIO(write("csv", "charts", "0", "-",
                                             "threads"))))
    is_(rows[1][:2] + rows[1][4:], ["worker/0 4711", "running", "0", ""],
        "csv: spans")
    for kind in "hgl":
        write("csv", "hostile", "0", "-", kind)
        write("text", "hostile", "60", "-", kind)


def check_pictures():
    root, data, rects = check_svg("plain")
    is_(root.get("data-dropped"), "1", "svg: dropped frames are counted")
    tap.ok("1 frame below" in texts(root), "svg: and told in the picture")
    tap.ok("db::(anonymous namespace)::parse(char const*)" in texts(root),
           "svg: names are written out")
    inside = [r for r in rects if float(r.get("x")) < 10 or
              float(r.get("x")) + float(r.get("width")) > 1190.01]
    is_(inside, [], "svg: frames stay inside the picture")
    total = data["frames"][2]
    is_(sum(data["frames"][3::5]) + 90, total,
            "svg: frames and dropped ones weigh what was recorded")
    root, data, rects = check_svg("hostile")
    tap.ok("\"><script>alert(1)</script>" in [s[0] for s in data["symbols"]],
           "svg: a hostile name is a name")
    tap.ok(max(len(s[0]) for s in data["symbols"]) <= 4000,
           "svg: a name of 20,000 bytes is cut")
    check_svg("empty")
    root, data, rects = check_svg("20000")
    tap.ok(len(rects) == 0 and
           len(root.findall("./%sg[@class='frames']/%spath" % (NS, NS))) > 9,
           "svg: many frames are paths")


class Page(html.parser.HTMLParser):
    """Elements, attributes and text outside scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = [], set(), ""
        self.scripts = []  # their types
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.update(a for a, _ in attrs)
        if tag == "script":
            self.scripts.append(dict(attrs).get("type"))

    def handle_data(self, data):
        if self.tags[-1:] not in (["script"], ["style"]):
            self.text += data


def check_html():
    page = Page(write("html", "plain"))
    tap.ok("42.11%" in page.text and "parse_statement(Parser&, int)" in
           page.text and "The recorder lost 12 records." in page.text,
           "html: tables and notes are there")
    page = Page(write("html", "hostile"))
    is_([kind for kind in page.scripts if kind != "text/plain"], [None],
        "html: no script but ours")
    is_([a for a in page.attributes if a.startswith("on")], [],
        "html: no handler")
    tap.ok("</title></text></svg><svg onload='alert(3)'>" in page.text,
           "html: a hostile name is text")


def depth_of(out, name):
    root = ET.fromstring(out)
    for r in root.findall("./%sg[@class='frames']/%srect" % (NS, NS)):
        if (r.find(NS + "title").text or "").startswith(name + "\n"):
            return float(r.get("y"))
    return None


check_json()
check_schema()
check_csv()
check_pictures()
check_charts()
check_empty_columns()
check_scales()
check_lists()
check_html()
flame, icicle = write("svg", "plain"), write("svg", "plain", "900", "icicle")
tap.ok(depth_of(flame, "main") < depth_of(flame, "_start"),
       "flame: callees are above their callers")
tap.ok(depth_of(icicle, "main") > depth_of(icicle, "_start"),
       "icicle: callees are below their callers")
tap.done()
