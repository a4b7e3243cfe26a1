#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The head of a report, the line of a picture and the panel of a page say what
# is damaged, also where no number of the account tells it: they are read
# without what was printed.
import base64
import gzip
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

NOTHING = "everything read, nothing lost"
tmp = tempfile.TemporaryDirectory()
bad = os.path.join(tmp.name, "bad")


def run(*args):
    return subprocess.run([tap.coldperf, *args, "--no-local", bad],
                          capture_output=True)


def quality_of(report):
    for section in report["sections"]:
        for scalar in section.get("scalars", []):
            if (section["slug"], scalar["key"]) == ("label", "quality"):
                return scalar["value"]
    return None


def page_report():
    path = os.path.join(tmp.name, "page.html")
    run("report", "--page-source", "0", "-o", path)
    with open(path, encoding="utf-8") as f:
        text = re.search(r'data-name="report"[^>]*>([^<]*)<', f.read())
    return json.loads(zlib.decompress(base64.b64decode(text.group(1)), -15))


def says(text, *words):
    """All outputs have these words about the file `bad'."""
    r = run("report", "-f", "json")
    heads = [quality_of(json.loads(r.stdout)), quality_of(page_report()),
             run("flame", "-f", "svg").stdout.decode()]
    sound = words == (NOTHING,)
    if sound:
        heads.pop()
    tap.ok(r.returncode == (0 if sound else 3) and
           all(w in h for w in words for h in heads), text,
           (r.returncode, heads[:2], r.stderr))


def write(data):
    with open(bad, "wb") as f:
        f.write(data)


with open(tap.capture("good-fp", tmp.name), "rb") as f:
    good = f.read()
write(good)
says("a sound capture", NOTHING)

hostname = struct.unpack_from("<Q", good, struct.unpack_from(
    "<Q", good, 40)[0] + struct.unpack_from("<Q", good, 48)[0] + 16)[0]
write(good[:hostname] + b"\xff" * 4 + good[hostname + 4:])
says("a damaged feature", "a header feature is damaged")

attr = struct.unpack_from("<Q", good, 24)[0]
write(good[:attr + 4] + b"\x07" + good[attr + 5:])
says("a damaged description of an event", "an event description is damaged")

write(good + good)
says("a second capture", "%d bytes skipped" % len(good),
     "the file header is damaged")
r = run("quality", "-f", "json")
tap.ok(b"another capture follows this one: its %d bytes are not read" %
       len(good) in r.stderr, "... which is not read", r.stderr)

write(gzip.compress(good)[:-1])
says("a compressed one without its last byte",
     "the input ends in the middle")

shutil.copytree(tap.top_srcdir + "/corpus/good-directory/perf.data",
                bad + ".folder", copy_function=shutil.copyfile)
os.unlink(bad)
os.rename(bad + ".folder", bad)
os.unlink(bad + "/data.0")
says("a folder without one of its files",
     "folder is missing")
tap.done()
