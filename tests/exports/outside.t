#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Programs that are no packages of Debian open exports, and show their totals:
# speedscope's page, Firefox Profiler's loader, Perfetto's trace processor,
# OpenTelemetry's decoder and inferno.  CONSUMERS names the folder where
# bench/exports/get.sh put them; what is not there is skipped.
import collections
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/exports")
import decode
import tap

THERE = os.path.abspath(os.environ.get("CONSUMERS", "/nonexistent"))
MODULES = THERE + "/node_modules/"
SPEEDSCOPE = MODULES + "speedscope/dist/release/index.html"
PROFILER = MODULES + "@firefox-devtools/profiler-cli/dist/profiler-cli.js"
TRACES = THERE + "/package/assets/trace-processor"
SUFFIXES = {"speedscope": ".speedscope.json", "firefox": ".firefox.json.gz",
            "perfetto": ".pftrace", "otlp": ".otlp", "folded": ".folded"}
# Several events and inlined functions; copied stacks; machine code of a JIT;
# waits and a kernel; damage.
CASES = {"good-events": "good-fp", "good-dwarf": "good-fp",
         "good-jit": "good-jit", "good-waits": "good-waits",
         "bad-killed": "good-fp"}
scratch = tempfile.TemporaryDirectory(prefix="coldperf-outside.")
tmp = scratch.name


def run(*args, **more):
    done = subprocess.run(args, stdout=subprocess.PIPE, cwd=tmp,
                          stderr=subprocess.PIPE, timeout=300, **dict(
                              env=dict(os.environ, HOME=tmp), **more))
    return done.stdout.decode("utf-8", "replace")


def data(path):
    with open(path, "rb") as f:
        return f.read()


def chromium():
    names = (os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium",
             "google-chrome")
    return next((shutil.which(n) for n in names if n and shutil.which(n)),
                None)


UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "": 1}


def shown_weight(text):
    """The number of a text of speedscope's, as 1.50ms or 1,234; 0:02 is s."""
    m = re.match(r"([\d.,]+)\s*(\D*)$", text)
    return float(m.group(1).replace(",", "")) * UNITS[m.group(2)] if m else -1


def check_speedscope(case, path):
    """Its page lists the profiles with their weights; a single one it only
    calls by name."""
    profiles = json.loads(data(path))["profiles"]
    with open(tmp + "/load.js", "w") as f:
        f.write("speedscope.loadFileFromBase64('x.speedscope.json', '%s')\n" %
                base64.b64encode(data(path)).decode())
    page = run(chromium(), "--headless", "--no-sandbox", "--disable-gpu",
               "--enable-unsafe-swiftshader", "--virtual-time-budget=20000",
               "--allow-file-access-from-files", "--dump-dom", "file://" +
               SPEEDSCOPE + "#localProfilePath=" + tmp + "/load.js")
    rows = re.findall(r'<tr title="[^"]*"[^>]*><td[^>]*>\d+</td><td[^>]*>'
                      r'<span>(.*?)</span></td><td[^>]*>(.*?)</td>', page)
    want = [(p["name"], float(sum(p["weights"]))) for p in profiles]
    got = [(name, shown_weight(text)) for name, text in rows]
    if len(want) == 1 and not rows:
        tap.ok("<span>%s</span>" % want[0][0] in page or
               re.search(r">%s<" % re.escape(want[0][0]), page),
               case + ": speedscope's page has the profile", page[-900:])
        return
    tap.ok(len(want) == len(got) and all(
        a[0] == b[0] and abs(a[1] - b[1]) <= 0.006 * a[1] for a, b in
        zip(want, got)), case + ": speedscope's page lists the profiles",
           "%r\n%r\n%s" % (want, rows, page[-500:]))


def profiler(*args):
    return run("node", PROFILER, *args)


def check_firefox(case, path):
    """Its loader counts the samples of each function."""
    for _ in range(5):  # it waits half a second for itself
        if "Session started" in profiler("load", path):
            break
        profiler("stop", "--all")
    got, want = collections.Counter(), collections.Counter()
    threads = json.loads(profiler("thread", "list", "--json"))["threads"]
    for t in threads:
        listed = json.loads(profiler(
            "thread", "functions", "--json", "--include-idle", "--limit",
            "0", "--thread", t["threadHandle"]))
        for f in listed["functions"]:
            got[decode.unbracketed(f["name"])] += round(
                f["selfSamples"] * (1e6 if listed["weightType"] ==
                                    "tracing-ms" else 1))
    profiler("stop", "--all")
    for tally in decode.READERS["firefox"](data(path)).values():
        want.update(tally)
    got, want = +got, +want
    tap.ok(got.keys() == want.keys() and all(
        abs(got[k] - want[k]) <= 1e-6 * want[k] for k in want),
        case + ": profiler-cli shows each function's cost",
        "%r\n%r" % (got, want))


PERF_SAMPLES = """select coalesce(f.name, '') as name, count(*) as n
from perf_sample p left join stack_profile_callsite c on c.id = p.callsite_id
left join stack_profile_frame f on f.id = c.frame_id group by 1"""


def check_perfetto(case, path):
    """The trace processor counts the samples of each function."""
    out = run("node", tap.top_srcdir + "/bench/exports/trace-processor.mjs",
              path, PERF_SAMPLES, "select sum(value) from stats where "
              "severity in ('error', 'data_loss')")
    rows = re.findall(r"^(.*) \| (\d+)$", out, re.M)
    got = collections.Counter()
    for name, n in rows:
        got[decode.unbracketed(name) or None] += int(n)
    want = collections.Counter()
    for line in run(tap.coldperf, "flame", "-q", "-f", "ndjson", *OF[case]
                    ).splitlines():
        row = json.loads(line)
        if row["row"] == "sample":
            want[row.get("symbol")] += 1
    tap.ok(got == want and re.search(r"-- select sum.*\n0$", out, re.M),
           case + ": the trace processor counts each function's samples",
           "%r\n%r\n%s" % (got - want, want - got, out[-300:]))


def check_otlp(case, path):
    """The decoder finds the sum of each profile."""
    text = run(THERE + "/bin/otlp", path).split("\n", 1)
    got = []
    for r in json.loads(text[1])["resourceProfiles"] if text[1:] else ():
        for scope in r["scopeProfiles"]:
            got += [sum(int(v) for s in p.get("samples", ())
                        for v in s["values"]) for p in scope["profiles"]]
    want = [sum(t.values())
            for t in decode.READERS["otlp"](data(path)).values()]
    tap.ok(got and sorted(got) == sorted(want),
           case + ": OpenTelemetry's decoder finds the sums",
           "%r\n%r" % (got, want))


def check_folded(case, path):
    """inferno draws all of them."""
    lines = data(path).decode().splitlines()
    want = sum(int(line.rsplit(" ", 1)[1]) for line in lines)
    out = run(THERE + "/bin/inferno-flamegraph", path)
    tap.ok("<title>all (%s samples, 100%%)" % format(want, ",") in out,
           case + ": inferno draws all samples", (want, out[:300]))


NEEDS = {"speedscope": [SPEEDSCOPE], "firefox": [PROFILER],
         "perfetto": [TRACES], "otlp": [THERE + "/bin/otlp"],
         "folded": [THERE + "/bin/inferno-flamegraph"]}
OF = {}

if not os.path.isdir(THERE):
    print("1..0 # SKIP CONSUMERS names no folder of bench/exports/get.sh")
    sys.exit(0)
os.environ["TRACE_PROCESSOR"] = TRACES
for case, symbols in CASES.items():
    OF[case] = ["--no-local", "--symbols", "%s/corpus/%s/symbols" % (
        tap.top_srcdir, symbols), tap.capture(case, tmp)]
    run(tap.coldperf, "flame", *(x for s in SUFFIXES.values() for x in (
        "-o", "%s/%s%s" % (tmp, case, s))), *OF[case])
for name, suffix in SUFFIXES.items():
    missing = [p for p in NEEDS[name] if not os.path.exists(p)]
    if name in ("firefox", "perfetto") and not shutil.which("node"):
        missing.append("node")
    if name == "speedscope" and not chromium():
        missing.append("chromium")
    if missing:
        tap.skip("for %s there is no %s" % (name, ", ".join(missing)))
        continue
    for case in CASES:
        globals()["check_" + name](case, "%s/%s%s" % (tmp, case, suffix))
tap.done()
