#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What the label and the notes say of a capture that is not whole: the share
# that was lost, how much of a cut file is missing; and the date, if the header
# has one.
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
from made import build, notes, report, rows, scalars
import tap

HEAD = """attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME|ID \
flags=sample_id_all|mmap|comm
comm pid=8 comm=app
mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name=/nowhere/app
"""


def samples(n):
    return "".join("sample pid=8 time=%d misc=2 ip=0x400010\n" % (i + 1)
                   for i in range(n))


def text(path, command, form="text"):
    p = subprocess.run([tap.coldperf, command, "--no-local", "-f", form, path],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                       stdin=subprocess.DEVNULL, check=False)
    return p.stdout.decode("utf-8", "replace")


# 23 samples, comm, mmap and the LOST record itself are 26 records of 100.
lossy = build("lossy", HEAD + samples(23) + "lost id=1 lost=74\n")
rep = report(lossy, "report")
tap.ok("74 records lost (74 %)" in scalars(rep, "label").get("quality", ""),
       "the label has the share of records that were lost",
       scalars(rep, "label"))
tap.ok("74.0 % of the records were lost while recording (74 of 100)" in
       notes(rep), "so have the notes", notes(rep))
got = scalars(report(lossy, "quality"), "quality").get("share_lost")
tap.ok(got is not None and got.get("value") == 0.74, "and JSON", got)
tap.ok("74 records lost (74 %)" in text(lossy, "flame", "html"), "and HTML")
few = build("few", HEAD + samples(2996) + "lost id=1 lost=1\n")
for command, form in ("flame", "callgrind"), ("flame", "dot"):
    got = text(few, command, form)
    tap.ok("1 record lost" in got and "1 records" not in got,
           "%s: 1 record" % form, got[:300])
tap.ok("1 record lost (0.033 %)" in
       scalars(report(few, "report"), "label").get("quality", ""),
       "a small share does not become 0",
       scalars(report(few, "report"), "label"))

whole = build("whole", HEAD + samples(40000))
size = os.path.getsize(whole)
with open(whole, "rb") as f:
    content = f.read()
data, length = (int.from_bytes(content[at:at + 8], "little")
                for at in (40, 48))
for missing, said in ((1200000, "1.2 MB"), (99000, "99 kB"), (13, "13 bytes"),
                      (999600, "1.0 MB")):
    cut = os.path.join(made.work.name, "cut")
    with open(cut, "wb") as f:
        f.write(content[:data + length - missing])
    label = scalars(report(cut, "report"), "label").get("quality", "")
    tap.ok("the file ends %s before its header says" % said in label,
           "a cut file: %s are missing" % said, label)
    found = rows(report(cut, "report"), "findings")
    at = [f["About"] for f in found].index("cut")
    first = found[at]
    m = re.search(r": (?:below )?([0-9.]+) % of it \(([0-9,]+) bytes\)",
                  first["Finding"])
    share = 100 * missing / (data + length)
    tap.ok((at == 0) == (10 * missing >= data + length) and m and
           int(m[2].replace(",", "")) == missing and
           abs(float(m[1]) - share) <= 0.05,
           "with its share it is the first finding if a tenth is missing, "
           "else after what it does not make worthless", found)
    tap.ok("the file was cut: " in text(cut, "report", "html"),
           "of the page, too")
got = scalars(report(cut, "quality"), "quality").get("bytes_missing")
tap.ok(got == 999600, "to the byte in JSON", got)
tap.ok("cut" not in [r["About"] for r in
                     rows(report(whole, "report"), "findings")],
       "a whole one has no such finding")
label = scalars(report(whole, "report"), "label")
tap.ok("ends" not in label.get("quality", "") and "date" not in label,
       "nothing of it is said of a whole one", label)

SIMPLE = """layout late-attrs
attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME|ID \
flags=sample_id_all|mmap|comm
feature sp_meta_info "simpleperf_version" "1.build.1" "timestamp" "%s"
comm pid=8 comm=app
"""
rep = report(build("dated", SIMPLE % "1608081649" + samples(3)), "report")
tap.ok(scalars(rep, "label").get("date") == "2020-12-16 01:20:49 UTC",
       "the date is of the header where the clock is not known",
       scalars(rep, "label"))
for wrong in ("", "soon", "12x", "-5", "99999999999999999999"):
    rep = report(build("odd", SIMPLE % wrong + samples(3)), "report")
    tap.ok("date" not in scalars(rep, "label"), "no date of '%s'" % wrong,
           scalars(rep, "label"))

# One of a thing is singular, wherever it is counted.
MANY = re.compile(r"(?<![\d.,+-])1 (?:sample|record|event|run|wait|load|store|"
                  r"access|branch|request|call|symbol|instruction)e?s\b")
with tempfile.TemporaryDirectory(prefix="coldperf-account.") as scratch:
    for case in ("good-all-fields", "good-all-records", "good-endian-big",
                 "good-ids-by-id", "good-simpleperf"):
        path = tap.capture(case, scratch)
        for command in "report", "cpi", "mem", "offcpu", "branches", "info":
            found = MANY.search(text(path, command))
            tap.ok(found is None, "%s of %s: one is no plural" %
                   (command, case), found)
tap.done()
