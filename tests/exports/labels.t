#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What single samples say goes with them into formats that have a place for it:
# the payload as script prints it, data source, snoop, latency, size of pages.
import collections
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/exports")]
import decode
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-labels.")
OF_LABELS = ("payload", "data_src", "snoop_status", "data_tlb", "data_lock",
             "cache_latency", "data_page_size", "code_page_size")
PAGES = """attr a type=1 period=1 \
sample_type=IP|TID|TIME|WEIGHT|DATA_PAGE_SIZE|CODE_PAGE_SIZE
sample a ip=1 pid=7 tid=7 time=1 weight=33 data_page_size=2097152 \
code_page_size=4096
sample a ip=1 pid=7 tid=7 time=2
"""


def coldperf(*words):
    p = subprocess.run([tap.coldperf, *words], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.stdout


def of_pprof(data):
    found = collections.Counter()
    for values, _, labels in decode.Pprof(data).samples:
        found[frozenset((k, str(v)) for k, v in labels.items()
                        if k in OF_LABELS)] += values[0]
    return found


def of_ndjson(data):
    rows = [json.loads(line) for line in data.decode().splitlines()]
    return collections.Counter(
        frozenset((k, v) for k, v in row.items() if k in OF_LABELS)
        for row in rows if row["row"] == "sample")


def of_otlp(data):
    top = decode.fields(data)
    d = decode.fields(decode.one(top, 2, b""))
    strings = [s.decode("utf-8") for s in d[5]]
    attributes = [(strings[decode.one(a, 1)], decode.fields(
        decode.one(a, 2, b"")) if 2 in a else {})
        for a in map(decode.fields, d[6])]
    found = collections.Counter()
    for resource in map(decode.fields, top[1]):
        for scope in map(decode.fields, resource[2]):
            for p in map(decode.fields, scope[2]):
                for s in map(decode.fields, p[2]):
                    at = [attributes[i] for i in decode.packed(s, 2)]
                    found[frozenset(
                        (k[5:], decode.one(v, 1, b"").decode())
                        for k, v in at if k[:5] == "perf." and 1 in v)] += sum(
                            decode.one(v, 3) for k, v in at
                            if k == "perf.samples")
    return found


def of_firefox(data):
    found = collections.Counter()
    for t in json.loads(gzip.decompress(data))["threads"]:
        for marker in t["markers"]["data"]:
            if marker["type"] == "coldperf-sample":
                found[frozenset(tuple(line.split("=", 1)) for line in
                                marker["labels"].split("\n"))] += 1
    return found


def all_of(case, capture):
    """The labels that each format has are those of the first."""
    got = of_pprof(coldperf("profile", "-f", "pprof", capture))
    want = of_ndjson(coldperf("profile", "-f", "ndjson", capture))
    tap.ok(got == want and got, case + ": pprof and ndjson agree", got - want)
    otlp = of_otlp(coldperf("profile", "-f", "otlp", capture))
    tap.ok(otlp == got, case + ": so does OTLP", (otlp, got))
    markers = of_firefox(coldperf("profile", "-f", "firefox", capture))
    tap.ok(markers == {k: n for k, n in got.items() if k},
           case + ": and markers for Firefox", markers)
    return got


def mem():
    found = all_of("good-mem", tap.capture("good-mem", scratch.name))
    words = collections.Counter()
    for labels, n in found.items():
        label = dict(labels)
        words[label.get("data_src"), label.get("snoop_status"),
              label.get("data_tlb"), label.get("data_lock"),
              "cache_latency" in label] += n
    tap.ok(words == {("L3 hit", "HITM", "L1 hit", None, True): 30,
                     ("remote cache (1 hop) hit", "HITM", "L1 hit", "locked",
                      True): 30, ("L1 hit", "none", "L1 hit", None, True): 30,
                     ("L1 hit", None, None, None, False): 30},
           "good-mem: where the data was, by hand", words)


def payloads():
    capture = tap.capture("good-sched", scratch.name)
    found = all_of("good-sched", capture)
    script = collections.Counter(
        line.strip() for line in coldperf("script", "-F", "trace", capture)
        .decode().splitlines())
    got = collections.Counter()
    for labels, n in found.items():
        got[dict(labels).get("payload", "")] += n
    tap.ok(got == script, "good-sched: payloads are those of script",
           (list((got - script).items())[:3],
            list((script - got).items())[:3]))
    for options, wanted in ([], True), (["--redact", "public"], False):
        page = coldperf("report", "-f", "html", *options, capture)
        tap.ok((b'"samples.labels"' in page) == wanted and page,
               "a page has them" + (", not if names are removed"
                                    if not wanted else ""))
    page = coldperf("report", "-f", "html",
                    tap.capture("good-dwarf", scratch.name))
    tap.ok(b'"samples.labels"' not in page and page,
           "a page of samples without labels has no column")


def pages():
    path = os.path.join(scratch.name, "pages")
    with open(path + ".txt", "w") as f:
        f.write(PAGES)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".txt", path], check=True)
    found = all_of("sizes of pages", path)
    tap.ok(found == {frozenset(): 1, frozenset({
        ("cache_latency", "33"), ("data_page_size", "2097152"),
        ("code_page_size", "4096")}): 1}, "by hand", found)


mem()
payloads()
pages()
tap.done()
