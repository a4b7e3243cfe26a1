# SPDX-License-Identifier: MIT
"""Captures made by mkperf from text, and the reports on them, for tests."""
import json
import os
import subprocess
import tempfile

import tap

MKPERF = os.path.join(tap.top_builddir, "tests/tools/mkperf")
SHARED = os.environ.get("SHARED_CORPUS") or \
    os.path.join(tap.top_srcdir, "..", "shared", "corpus")
BASE = 0x400000
US = 1000  # ns
work = tempfile.TemporaryDirectory(prefix="coldperf-made.")


def head_of(recipe, sample):
    """What stands in a recipe of the corpus before the first such sample."""
    with open(os.path.join(tap.top_srcdir, "corpus", recipe,
                           "input.mkperf")) as f:
        return f.read().split("sample " + sample)[0]


def build(name, text):
    """Compiles the text; the capture's path."""
    source, path = (os.path.join(work.name, name + suffix)
                    for suffix in (".mkperf", ".data"))
    with open(source, "w") as f:
        f.write(text)
    subprocess.run([MKPERF, source, path], check=True)
    return path


def report(path, command, *options, local=False):
    """The JSON report of an analysis; local: with the files it names."""
    options += () if local else ("--no-local",)
    p = subprocess.run([tap.coldperf, command, "-f", "json", *options, path], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        return json.loads(p.stdout)
    except ValueError:
        tap.diag(p.stderr.decode())
        return {"sections": []}


def section(rep, slug):
    return next((s for s in rep["sections"] if s.get("slug") == slug), None)


def rows(rep, slug):
    """The rows of a table as dictionaries; none if there is no such table."""
    s = section(rep, slug)
    if s is None:
        return []
    names = [c["name"] for c in s["columns"]]
    return [dict(zip(names, row["values"])) for row in s["rows"]]


def table(rep, slug, *keys):
    """Rows by what stands in the columns of these names."""
    return {tuple(r[k] for k in keys) if len(keys) > 1 else r[keys[0]]: r
            for r in rows(rep, slug)}


def scalars(rep, slug):
    s = section(rep, slug)
    return {v["key"]: v["value"] for v in s["scalars"]} if s else {}


def notes(rep):
    return "\n".join(n for s in rep["sections"] if s["type"] == "notes"
                     for n in s["notes"])


def group(fields, more, n):
    """n records of a group that its leader samples: each tells two counters."""
    text = "".join(
        "attr %s type=0 config=%d period=%d ids=%d sample_type=IP|TID|TIME|ID|"
        "PERIOD|READ|%s branch_sample_type=USER|ANY read_format=ID|GROUP "
        "flags=sample_id_all|comm\n" % (name, i, 1000 * (i == 0), i + 1, fields)
        for i, name in enumerate(("cycles", "instructions")))
    text += "feature branch_stack\n" if "BRANCH" in fields else ""
    text += 'feature group_desc "{anon_group}" 0 2\n'
    for i in range(1, n + 1):
        text += "sample cycles ip=0x400010 pid=8 time=%d period=1000 " \
            "read=2,%d,1,%d,2 %s\n" % (1000 * i, 1000 * i, 3000 * i, more)
    return text


def near(a, b, part=1e-9):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= part * max(abs(a), abs(b), 1e-300)
