#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A snapshot, with records and without, says the same as the capture: which
# names could not be had and why.
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-snapshot-says.")
tmp = scratch.name
CORPUS = tap.top_srcdir + "/corpus/"
FILES = tmp + "/files"
# An ELF file with a build ID.
PROGRAM = CORPUS + "good-fp/symbols/known"


def coldperf(*args):
    return subprocess.run(
        [tap.coldperf, *args], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=dict(os.environ, NO_COLOR="1"))


def made(name, text):
    path = "%s/%s" % (tmp, name)
    with open(path + ".mkperf", "w") as f:
        f.write(text)
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf",
                    path + ".mkperf", path], check=True)
    return path


def written(data, options):
    """The snapshots of a capture, and theirs."""
    cold = {n: "%s.%s.cold" % (data, n)
            for n in ("records", "again", "tables", "tables-again")}
    coldperf("snapshot", *options, "-o", cold["records"], data)
    coldperf("snapshot", "-o", cold["again"], cold["records"])
    coldperf("flame", *options, "-o", cold["tables"], data)
    coldperf("snapshot", "-o", cold["tables-again"], cold["tables"])
    return cold


# ------------------------------------------------------------------- warnings

# Each object lacks its names for another reason.
OBJECTS = """\
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD \
flags=sample_id_all|mmap|comm
build_id 0102030405060708090a0b0c0d0e0f1011121314 "/nowhere/other"
build_id 1112131415161718191a1b1c1d1e1f2021222324 "/nowhere/gone"
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 \
pgoff=0xffffffff81000000 misc=1 name="[kernel.kallsyms]_text"
comm 8 8 "says"
mmap pid=8 addr=0x400000 len=0x100000 pgoff=0 name="/nowhere/other"
mmap pid=8 addr=0x600000 len=0x1000 pgoff=0 name="/nowhere/gone"
mmap pid=8 addr=0x700000 len=0x1000 pgoff=0 name="FILES/damaged"
mmap pid=8 addr=0xa00000 len=0x1000 pgoff=0 name="//anon"
mmap pid=8 addr=0xb00000 len=0x1000 pgoff=0 misc=0x2002 name="/nowhere/data"
sample cycles ip=0x401136 pid=8 time=1000 period=1000
sample cycles ip=0x600010 pid=8 time=2000 period=1000
sample cycles ip=0x700010 pid=8 time=3000 period=1000
sample cycles ip=0xa00010 pid=8 time=5000 period=1000
sample cycles ip=0xb00010 pid=8 time=6000 period=1000
sample cycles ip=0xffffffff81000010 pid=8 time=7000 period=1000
"""
WHY = {"build-id-mismatch": "/other", "no-object": "/nowhere/",
       "no-jit-map": "perf-8.map",
       "no-kallsyms": "kernel.kallsyms"}


def warnings(run):
    """How often each is given, and of what."""
    text = run.stderr.decode()
    return {m.group(2): (int(m.group(1) or 1), m.group(3)) for m in
            re.finditer(r"warning: (?:(\d+) × )?[^\n(]*\(([a-z-]+)\)(.*)",
                        text)}


def check_warnings():
    os.mkdir(FILES)
    shutil.copy(PROGRAM, FILES + "/other")
    with open(PROGRAM, "rb") as f, open(FILES + "/damaged", "wb") as out:
        out.write(f.read(4000))
    data = made("objects", OBJECTS.replace("FILES", FILES))
    options = ["--symbols", FILES + "/other"]
    told = coldperf("flame", "-f", "folded", *options, data)
    want = warnings(told)
    tap.ok(all(part in want.get(slug, (0, ""))[1]
               for slug, part in WHY.items()),
           "each reason is told of the capture", told.stderr)
    for name, cold in written(data, options).items():
        run = coldperf("flame", "-f", "folded", cold)
        got = warnings(run)
        tap.ok({k: v[0] for k, v in got.items()} ==
               {k: v[0] for k, v in want.items()} and
               all(part in got[slug][1] for slug, part in WHY.items()),
               name + ": and of the snapshot", run.stderr)


# ----------------------------------------------------------- who wrote it

# An analysis that shows no event, or another than the main one; one that also
# judges call chains; and tracepoints, stacks, waits, a file that is cut.
COMMANDS = ["flame", "hotspots", "sched", "offcpu", "report", "quality",
            "timeline", "faults", "mem", "profile"]
CASES = ["good-fp", "good-waits", "good-mem", "good-dwarf", "bad-killed"]


def members(path):
    """All but the records, and what says that they are there."""
    with tarfile.open(path) as tar:
        files = {m.name: tar.extractfile(m).read() for m in tar
                 if m.name not in ("coldperf/MANIFEST", "perf.data.zst")}
    files["meta.json"] = re.sub(rb'"bytes_total".*?"tool"', b'"tool"',
                                files["meta.json"])
    return files


def check_writers():
    for case in CASES:
        data, cold, bad = tap.capture(case, tmp), tmp + "/by.cold", []
        coldperf("snapshot", "-o", cold, data)
        want = members(cold)
        for command in COMMANDS:
            os.remove(cold)
            run = coldperf(command, "-o", cold, data)
            got = members(cold) if os.path.exists(cold) else run.stderr
            if got != want:
                bad.append((command, got if isinstance(got, bytes) else
                            [n for n in want if got.get(n) != want[n]]))
        tap.ok(not bad, case + ": the same whatever command wrote it", bad)


# ------------------------------------------------------------- one of another

def read(path):
    with open(path, "rb") as f:
        return f.read()


def check_copied():
    """Without records, and all samples: nothing that it has is lost."""
    data, cold, to = (tap.capture("good-waits", tmp), tmp + "/one.cold",
                      tmp + "/two.cold")
    coldperf("flame", "-o", cold, data)
    run = coldperf("snapshot", "-o", to, cold)
    tap.ok(run.returncode == 0 and read(cold) == read(to),
           "a snapshot without records is copied", run.stderr)
    if shutil.which("zstd"):
        subprocess.run(["zstd", "-q", cold, "-o", cold + ".zst"], check=True)
        coldperf("snapshot", "-o", to, cold + ".zst")
        tap.ok(read(cold) == read(to), "and so is one that was compressed")
    run = coldperf("snapshot", "--event", "sched:sched_switch", "-o", to, cold)
    got = json.loads(members(to)["meta.json"])["tables"]
    tap.ok(run.returncode == 0 and got["samples"] == 8 and
           got["states"] == 0, "one of chosen samples is made anew", got)
    whole = read(cold)
    with tarfile.open(cold) as tar:
        at = tar.getmember("states.parquet")
    for what, upto, status in (("a table that is copied", at.offset + 600, 3),
                               ("the end", len(whole) - 600, 3)):
        with open(tmp + "/cut.cold", "wb") as f:
            f.write(whole[:upto])
        os.remove(to)
        run = coldperf("snapshot", "-o", to, tmp + "/cut.cold")
        tap.ok(run.returncode == status and b"(bad-snapshot)" in run.stderr,
               "cut in " + what, (run.returncode, run.stderr))


# ------------------------------------------------- when, and of which command

def check_label():
    """Tables alone tell the time of day, and what diff asks of a command."""
    data, cold = tap.capture("good-clock", tmp), tmp + "/clock.cold"
    part = tmp + "/part.cold"
    coldperf("flame", "-o", cold, data)
    coldperf("flame", "--time", "0%,50%", "-o", part, data)
    for options in [], ["--clock-offset", "2020-01-01T00:00:00"]:
        want, got = [re.search(rb"^  start: .*", coldperf(
            "hotspots", *options, of).stdout, re.M) for of in (data, cold)]
        tap.ok(want and got and want.group() == got.group(),
               "the start of a capture " + " ".join(options), (want, got))
    whole, known, half = [
        coldperf("diff", data, of).stdout for of in (data, cold, part)]
    words = b"(commands that ran to their end"
    tap.ok(words in whole and words in known and words not in half,
           "a whole capture's command ran to its end", known[-600:])


# --------------------------------------------------------------------- places

def check_places():
    """Records are copied, or written anew: then they lie elsewhere."""
    for case, elsewhere in (("good-all-fields", True), ("good-lbr", False)):
        data, cold = tap.capture(case, tmp), "%s/%s.cold" % (tmp, case)
        coldperf("snapshot", "-o", cold, data)
        want, got = [
            re.search(rb"\(unmapped-ip\), at ([^:]*)",
                      coldperf("hotspots", of).stderr).group(1)
            for of in (data, cold)]
        tap.ok(want.startswith(b"offset 0x") and
               (got.endswith(b" of the snapshot's records") if elsewhere
                else got == want), case + ": where it is", (want, got))
    run = coldperf("hotspots", "--diag=json", tmp + "/good-all-fields.cold")
    tap.ok(b'"of":"snapshot"' in run.stderr, "also in JSON", run.stderr)


check_places()
check_label()
check_warnings()
check_writers()
check_copied()
tap.done()
