#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The words of a picture that people keep: --title and --subtitle are in it as
# text, whatever they hold, and in no other place than they are for.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

SVG = "{http://www.w3.org/2000/svg}"
TITLE = 'Parser <b>before</b> & "after" \N{RIGHT-TO-LEFT OVERRIDE}x'
SHOWN = 'Parser <b>before</b> & "after" '
capture = os.path.join(tap.top_srcdir, "corpus", "good-fp", "perf.data")


def run(*arguments, of=capture):
    return subprocess.run([tap.coldperf, *arguments, of],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True).stdout.decode()


def words(picture):
    """The text of the heading and of the line under it."""
    texts = [t for t in xml.fromstring(picture).iter(SVG + "text")
             if t.get("class") in ("title", "fact")]
    return ["".join(t.itertext()) for t in texts]


for command in "flame", "timeline":
    plain = words(run(command, "-f", "svg"))
    title, line = words(run(command, "-f", "svg", "--title", TITLE,
                            "--subtitle", "</text><b>v1.2"))
    tap.ok(title != plain[0] and title.startswith(SHOWN) and
           "\N{RIGHT-TO-LEFT OVERRIDE}" not in title,
           command + ": --title is the heading", title)
    tap.ok(line == "</text><b>v1.2  ·  " + plain[1],
           command + ": --subtitle begins the line under it", (line, plain[1]))
for words_of_type, arguments in (
        ("flame graph  ·  ", ("flame", "--title", "x")),
        ("icicle graph  ·  ", ("flame", "--icicle", "--title", "x")),
        ("flame graph  ·  cpu-clock, from the innermost frame outwards  ·  ",
         ("flame", "--reverse", "--title", "x")),
        ("Samples of cpu-clock over time", ("timeline", "--title", "x"))):
    line = words(run(*arguments, "-f", "svg"))[1]
    tap.ok(line.startswith(words_of_type),
           "the line tells the type of graph: " + words_of_type, line)
switches = os.path.join(tap.top_srcdir, "corpus", "good-switch", "perf.data")
line = words(run("offcpu", "-f", "svg", of=switches))[1]
line = line.split("  \N{MIDDLE DOT}  ")
tap.ok(line[:4] == ["flame graph", "Stacks by time off the CPU",
                    "vm \N{MIDDLE DOT} 0.3 s", "time 343.7 ms"],
       "what has no event has no gap for one", line)
# What a comparison's picture says of one capture is of the one after.
for side, slug in ("after", "flame"), ("before", "flame-before"):
    line = words(run("diff", "-f", "svg", "--section", slug, capture,
                     of=switches))[1].split("  \N{MIDDLE DOT}  ")
    tap.ok(line[1] == "Change, as wide as %s: %s to %s" %
           (side, capture, switches) and
           line[2].startswith("after: vm \N{MIDDLE DOT} 0.3 s"),
           slug + ": the line tells what is compared", line)
sched = os.path.join(tap.top_srcdir, "corpus", "good-sched", "perf.data")
for tree, state, want in (("wall", "blocked", "only blocked"),
                          ("offcpu", "runnable", "only runnable"),
                          ("offcpu", "all", ""), ("offwake", "all", "")):
    title = words(run("offcpu", "-f", "svg", "--tree", tree, "--state", state,
                      of=sched))[1].split("  \N{MIDDLE DOT}  ")[1]
    tap.ok(title.partition(" (waits: ")[2].rstrip(")") == want,
           "the line tells which waits: " + tree + " " + state, title)
for command, want in (("offcpu", "thread, kind of wait"), ("flame", "thread")):
    keys = [t.text for t in xml.fromstring(run(command, "-f", "svg", of=sched))
            .iter(SVG + "text") if t.get("class") == "key"]
    tap.ok(keys[0] == want, command + ": the legend tells what has no kind of "
           "code", keys)
line = run("diff", "-f", "svg", "--redact", "share", capture, of=switches)
tap.ok("as wide as after" in line and "good-" not in line,
       "redacted, their names are not told")
# A picture of a part of the capture does not look like one of all of it.
for several, *part in (([], "--time", "+0.1,+0.2"),
                       ([], "--comm", "known", "--pid", "1-99999"),
                       ([switches], "--comm", "known", "--tid", "1-99999")):
    line = words(run("flame", "-f", "svg", *part, *several))[1]
    tap.ok(" \N{MIDDLE DOT} only " + " ".join(part) + "  " in line,
           "the line tells the filter " + " ".join(part), line)
windows = ["--time", "0%,30%", "--time", "+0.2,"]
for form in "text", "json", "html", "svg":
    told = run("diff", "-f", form, *windows)
    tap.ok(" ".join(windows) in told, form + " tells the window of each side")
many = ",".join("%d-%d" % (i, i + 9000) for i in range(1, 1500))
line = words(run("flame", "-f", "svg", "--tid", many))[1]
tap.ok("vm \N{MIDDLE DOT} 0.4 s" in line and "only --tid 1-9001,2-" in line,
       "long ones are cut", line)
tap.ok("only" not in words(run("flame", "-f", "svg", "-e", "cpu-clock"))[1],
       "the event is told anyway")
line = words(run("flame", "-f", "svg", "--comm", "known", "--redact",
                 "share"))[1]
tap.ok("only --comm ...  " in line, "redacted, names are left out", line)
# Commands of Java are long.  Cut between characters, they have 511 bytes.
with tempfile.TemporaryDirectory() as tmp:
    with open(tmp + "/in", "w", encoding="utf-8") as f:
        f.write('attr cycles type=0 period=1000 sample_type=IP|TID|TIME '
                'flags=sample_id_all|mmap|comm\nfeature hostname "box"\n'
                'feature cmdline "perf" "record" "%s"\ncomm 8 8 "a,b"\n'
                'sample ip=0x10 pid=8 time=1\n' % ("\N{LATIN SMALL LETTER E WITH ACUTE}" * 300))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    tmp + "/in", tmp + "/data"], check=True)
    title = json.loads(run("flame", "-f", "json", of=tmp + "/data"))["title"]
    tap.ok(title == "flame: '%s... on box" %
           ("\N{LATIN SMALL LETTER E WITH ACUTE}" * 255),
           "a long command is cut in the heading", title)
    line = words(run("flame", "-f", "svg", "--comm", "a\\,b",
                     of=tmp + "/data"))[1]
    tap.ok("only --comm 'a\\,b' " in line, "a name with a comma is one", line)
    line = words(run("flame", "-f", "svg", "--comm", "a\\,b,x" + 200 *
                     "\N{LATIN SMALL LETTER E WITH ACUTE}",
                     of=tmp + "/data"))[1]
    told = re.search("only --comm (.*?) \N{MIDDLE DOT}", line)[1]
    tap.ok(re.fullmatch(r"'a\\,b,x\u00e9{20,30}\.\.\.", told),
           "long filters are cut between characters", told)
# What a picture lacks is told whatever stands before it.
with tempfile.TemporaryDirectory() as tmp:
    with open(tmp + "/in", "w", encoding="utf-8") as f:
        f.write('attr cycles type=0 period=1000 sample_type=IP|TID|TIME '
                'flags=sample_id_all|mmap|comm\n'
                'comm 8 8 "%s"\nsample ip=0x10 pid=8 tid=8 time=1\n'
                'lost id=1 lost=74\n' % ("n" * 40))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    tmp + "/in", tmp + "/data"], check=True)
    part = ["--comm", "n" * 40, "--pid", "1-9999", "--time", "0.0,9.0"]
    part += [x for c in "abcdefgh" for x in ("--symbol", "/%s|./" % (50 * c))]
    picture = run("flame", "-f", "svg", *part, of=tmp + "/data")
    facts = [t for t in xml.fromstring(picture).iter(SVG + "text")
             if t.get("class") == "fact"][0]
    line = " ".join("".join(facts.itertext()).split())
    tap.ok("only --comm %s --pid 1-9999 --symbol" % ("n" * 40) in line and
           re.search(r"\.\.\. and \d more filters \N{MIDDLE DOT} 74 records "
                     r"lost \(\d\d %\)", line), "many filters and a loss", line)
    lines = re.split('<tspan[^>]* x="10" y="[0-9]+">', xml.tostring(
        facts, "unicode").replace("ns0:", ""))
    widest = max(len(re.sub("<[^>]*>", "", x)) for x in lines)
    below = re.search('class="legend"><g transform="translate\\(10,(\\d+)',
                      picture)[1]
    tap.ok(len(lines) > 2 and widest < 175 and
           int(below) == 62 + 16 * (len(lines) - 1),
           "are in as many lines as they need", (lines, below))
# The filter that is told, given again, takes the same samples.
with tempfile.TemporaryDirectory() as tmp:
    comms = ["a(b", "a>b", "c", "op(x, y)", "p,q", "/alp", "/new",
             "/x/,y", "it's $HOME", "a\nb",
             "\u00e9\u202ea"]
    with open(tmp + "/in", "w", encoding="utf-8") as f:
        f.write("attr cycles type=0 period=1000 sample_type=IP|TID|TIME "
                "flags=sample_id_all|mmap|comm\n")
        for i, comm in enumerate(comms):
            text = json.dumps(comm, ensure_ascii=False)
            f.write("comm %d %d %s\n" % (i + 1, i + 1, text) + "".join(
                "sample ip=0x10 pid=%d tid=%d time=%d\n" % (
                    i + 1, i + 1, 10 * i + k + 1) for k in range(2 ** i)))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    tmp + "/in", tmp + "/data"], check=True)

    def label(*words):
        got = json.loads(run("hotspots", "-f", "json", *words,
                             of=tmp + "/data"))["sections"][0]["scalars"]
        got = {s["key"]: s["value"] for s in got}
        return got["filter"], got["samples of the filter"]

    for want, told, *given in (
            (1, "--comm 'a\\(b'", "--comm", "a\\(b"),
            (7, "--comm 'a\\(b,a\\>b,c'", "--comm", "a\\(b,a\\>b,c"),
            (28, "--comm 'op(x, y),c,p\\,q'", "--comm", "op(x, y),c,p\\,q"),
            (96, "--comm /alp --comm /new", "--comm", "/alp", "--comm",
             "/new"),
            (128, "--comm '\\/x/\\,y'", "--comm", "\\/x/\\,y"),
            (256, "--comm 'it'\\''s $HOME'", "--comm", "it's $HOME"),
            (512, "--comm $'a\\012b'", "--comm", "a\nb"),
            (1024, "--comm $'\u00e9\\342\\200\\256a'", "--comm", "\u00e9\u202ea"),
            (4, "--comm c --time 0.000000020,", "--time=0.000000020,",
             "--comm=c")):
        got = label(*given)
        if shutil.which("bash") is None:
            tap.skip("there is no bash")
            break
        again = subprocess.run(
            ["bash", "-c", "printf '%s\\0' " + got[0]],
            stdout=subprocess.PIPE, check=True).stdout.decode()
        again = label(*again.split("\0")[:-1])
        tap.ok(got == (want, told)[::-1] and again == got,
               "a shell takes the filter as it is told: " + told.replace(
                   "\\", "/"), (got, again))
# Times of the wall clock are told so that they mean the same everywhere.
def at(zone, *words):
    out = subprocess.run([tap.coldperf, "hotspots", "-f", "json", *words,
                          capture], stdout=subprocess.PIPE, check=True,
                         stderr=subprocess.DEVNULL,
                         env=dict(os.environ, TZ=zone)).stdout
    out = json.loads(out)["sections"][0]["scalars"]
    return {x["key"]: x["value"] for x in out if "filter" in x["key"] or
            x["key"] == "clock offset"}


start = "--clock-offset", "2026-01-31T12:00:00"
for window, told in (
        ("12:00:00.1,12:00:00.25", "03:00:00.100000000Z,03:00:00.250000000Z"),
        ("2026-01-31T12:00:00.1..",
         "2026-01-31T03:00:00.100000000Z.."),
        (",03:00:00.2Z", ",03:00:00.200000000Z")):
    got = at("JST-9", "--time", window, *start)
    told = "--time %s --clock-offset 2026-01-31T03:00:00Z" % told
    tap.ok(got["filter"] == told and 0 < got["samples of the filter"] < 280 and
           got["clock offset"] == "2026-01-31T03:00:00Z" and
           at("EST5", *told.split()) == got, "told in UTC: " + window, got)
got = at("JST-9", "--time", "+0.1,", "--clock-offset", "17.5")
tap.ok(got["filter"] == "--time +0.1," and got["clock offset"] == "17.5",
       "seconds are told as they are", got)
# A snapshot tells which samples it took, and those tell who read it.
def heads(*words, of):
    """The filter in a report, and what is told under a picture."""
    report = json.loads(run("hotspots", "-f", "json", *words, of=of))
    got = [x["value"] for x in report["sections"][0]["scalars"]
           if x["key"] == "filter"]
    line = words_of_line(words, of)
    return got, line


def words_of_line(words, of):
    line = heading(run("flame", "-f", "svg", *words, of=of))[1]
    line = line.split("  \N{MIDDLE DOT}  ")[1].split(" \N{MIDDLE DOT} ")
    return [x for x in line if x.startswith(("only ", "parts "))]


heading = words
with tempfile.TemporaryDirectory() as tmp:
    part = tmp + "/part.cold"
    chosen = "--event cpu-clock --comm known --time +0.1,"
    run("snapshot", "-o", part, *chosen.split())
    tap.ok(heads(of=part) == ([chosen], ["only " + chosen]),
           "a snapshot tells its filter", heads(of=part))
    run("flame", "-o", tmp + "/flame.cold", *chosen.split())
    tap.ok(heads(of=tmp + "/flame.cold") == heads(of=part),
           "whatever command wrote it")
    again = heads("--pid", "1-99999", of=part)
    told = chosen + " then --pid 1-99999"
    tap.ok(again == ([told], ["only " + told]), "and what is chosen of it",
           again)
    run("snapshot", "-o", tmp + "/two.cold", "--pid", "1-99999", of=part)
    tap.ok(heads(of=tmp + "/two.cold") == again,
           "a snapshot of a snapshot tells both")
    parts = part, tmp + "/flame.cold"
    run("merge", "-o", tmp + "/all.cold", *parts, of=capture)
    told = ["1 of everything", "2 of " + chosen]
    got, line = heads(of=tmp + "/all.cold")
    tap.ok(sorted(got[0].split("; ")) == told and
           line == ["parts of captures: " + got[0]] and
           heads(*parts, of=capture) == (got, line),
           "a sum tells the part of each", (got, line))
    run("snapshot", "-o", tmp + "/whole.cold")
    tap.ok(heads(of=tmp + "/whole.cold") == ([], []), "or that there is none")
    told = "1 of %s; 1 of everything" % chosen
    for form in "text", "json", "svg":
        tap.ok(told in run("diff", "-f", form, part),
               form + " tells the part of each side")
    # The name that was typed is in no redacted output.
    run("snapshot", "-o", part, "--comm", "known,kn*zebrafish", "--cpu=-1")
    told = "--comm ... --cpu -1"
    tap.ok(heads("--redact", "share", of=part) == ([told], ["only " + told]),
           "redacted, names are left out",
           heads("--redact", "share", of=part))
    run("redact", "--redact", "share", "-o", tmp + "/shared.cold", of=part)
    run("snapshot", "--redact", "share", "--comm", "known,zebrafish",
        "--cpu=-1", "-o", tmp + "/made.cold")
    for of in tmp + "/shared.cold", tmp + "/made.cold":
        out = run("report", "-f", "json", of=of)
        tap.ok("zebrafish" not in out and
               heads(of=of) == ([told], ["only " + told]),
               "nor are they in a redacted snapshot", heads(of=of))
title = json.loads(run("hotspots", "-f", "json", "--title", TITLE))["title"]
tap.ok(title == TITLE, "JSON has the title", title)
tap.ok(run("hotspots", "--title", "Mine").startswith("Mine"),
       "text has the title")
page = run("flame", "-f", "html", "--title", TITLE)
tap.ok("<h1>Parser &lt;b&gt;before&lt;/b&gt; &amp; " in page,
       "a page has the title, as text")
listed = subprocess.run([tap.coldperf, "help", "flame"],
                        stdout=subprocess.PIPE, check=True).stdout.decode()
tap.ok("kind (default), object, language, hot, cold or gray" in listed,
       "help lists palettes")
tap.done()
