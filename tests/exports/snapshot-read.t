#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A snapshot is read back as the capture: commands say the same of both, but
# for the file's name.  Damaged ones are read in part, or refused.
import base64
import json
import lzma
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zlib
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-snapshot-read.")
tmp = scratch.name
CORPUS = tap.top_srcdir + "/corpus/"
FP = ["--symbols", CORPUS + "good-fp/symbols"]
# Frame pointers, events, JIT, a kernel, switches, waits, branches, damage,
# a pipe, simpleperf, system calls, memory, compressed records.
CASES = {
    "good-fp": FP, "good-group": FP, "bad-killed": FP, "good-pipe": [],
    "good-jit": ["--symbols", CORPUS + "good-jit/symbols"],
    "good-waits": ["--symbols", CORPUS + "good-waits/symbols"],
    "good-sched": [], "good-lbr": [], "good-simpleperf": [],
    "good-syscalls": [], "good-system": [], "good-mem": [], "odd-lost": [],
    "good-zstd": [], "odd-no-samples": [], "good-endian-big": [],
    # Stacks become chains, a jitdump and the files of a folder are kept.
    # This machine's kernel may be that of the folder.
    "good-dwarf": FP, "good-directory": [*FP, "--no-local"],
    "good-jitdump": ["--symbols", CORPUS + "good-jitdump/symbols"],
}
COMMANDS = [["hotspots"], ["flame", "-f", "folded"], ["sched"], ["offcpu"],
            ["timeline"], ["script"], ["report"], ["quality"], ["unwind"]]


def coldperf(*args):
    return subprocess.run(
        [tap.coldperf, *args], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=dict(os.environ, NO_COLOR="1"))


def capture(case):
    """A copy of the capture with nothing beside it."""
    folder = "%s/%s" % (tmp, case)
    os.mkdir(folder)
    to = folder + "/n.data"
    if os.path.isdir(CORPUS + case + "/perf.data"):
        shutil.copytree(CORPUS + case + "/perf.data", to)
        return to
    if os.path.exists(CORPUS + case + "/perf.data"):
        with open(CORPUS + case + "/perf.data", "rb") as f, \
                open(to, "wb") as out:
            out.write(f.read())
        return to
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf",
                    CORPUS + case + "/input.mkperf", to], check=True)
    return to


def told(run):
    """Standard output without the file's name."""
    return re.sub(rb"[^ \n]*n\.(data|cold)", b"N", run.stdout)


def unpacked(data):
    """A datum of a page, which is deflated, or as it is."""
    try:
        return zlib.decompress(base64.b64decode(data.group(2)), -15)
    except (ValueError, zlib.error):
        return data.group(2)


def page(run):
    """A page as plain text, without the file's name and the options."""
    plain = re.sub(rb"(<script[^>]*cp-data[^>]*>)([^<]*)",
                   lambda m: m.group(1) + unpacked(m), run.stdout)
    plain = re.sub(rb'("meta" .*)data-size="\d+"(.*), "captures": .*\]',
                   rb"\1\2", plain)
    return re.sub(rb"n\.(data|cold)\b", b"N", plain)


def check_page(case, options, path, cold):
    # A snapshot has no machine code, so its page lists none.
    html = ["report", "-f", "html", "--page-source", "0"]
    want = page(coldperf(*html, *options, path))
    got = page(coldperf(*html, cold))
    other = [a[:200] + b" | " + b[:200] for a, b in
             zip(want.split(b"\n"), got.split(b"\n")) if a != b]
    tap.ok(want == got and b'"coldperf-report"' in want,
           case + ": the page of the snapshot is the same", other[:3])


def members(path):
    """Members by name, without the input's name and what follows from it."""
    with tarfile.open(path) as tar:
        files = {m.name: tar.extractfile(m).read() for m in tar
                 if m.name not in ("coldperf/MANIFEST", "report.json",
                                   "captures.parquet")}
    files["meta.json"] = re.sub(rb'[^ "]*n\.(data|cold)', b"N",
                                files["meta.json"])
    return files


def check_again(case, cold):
    """A snapshot of a snapshot has all that the first one has."""
    again = os.path.dirname(cold) + "/again.cold"
    run = coldperf("snapshot", "-o", again, cold)
    if not os.path.exists(again):
        tap.ok(False, case + ": a snapshot of the snapshot", run.stderr)
        return
    first, second = members(cold), members(again)
    tap.ok(first == second, case + ": a snapshot of the snapshot is the same",
           [name for name in {**first, **second}
            if first.get(name) != second.get(name)])


def check_case(case, options):
    path = capture(case)
    cold = os.path.dirname(path) + "/n.cold"
    coldperf("snapshot", *options, "-o", cold, path)
    bad = []
    for command in COMMANDS:
        want = coldperf(*command, *options, path)
        got = coldperf(*command, cold)
        if told(want) != told(got) or want.returncode != got.returncode:
            bad.append("%s: %d, %d" % (
                command[0], want.returncode, got.returncode))
    tap.ok(not bad, case + ": commands say the same of the snapshot",
           ", ".join(bad))
    check_page(case, options, path, cold)
    check_again(case, cold)
    return cold


def damaged(cold, data, *command):
    to = tmp + "/damaged.cold"
    with open(to, "wb") as f:
        f.write(data)
    return coldperf(*(command or ("flame", "-f", "folded")), to)


def check_cut_tables(cold):
    """Samples are read wherever it is cut after their table, and the place is
    told wherever it is cut after its first member."""
    with open(cold, "rb") as f:
        whole = f.read()
    with tarfile.open(cold) as tar:
        members = tar.getmembers()
    of = {m.name: m for m in members}
    end = {name: m.offset_data + m.size for name, m in of.items()}
    want = coldperf("flame", "-f", "folded", cold).stdout
    bad, seen = [], 0
    for n in sorted({m.offset + d for m in members[1:]
                     for d in (0, 300, 512, 512 + m.size // 2)}):
        run = damaged(cold, whole[:n])
        told = re.search(rb"offset 0x([0-9a-f]+)", run.stderr)
        status = 3 if n >= end["meta.json"] else 2
        if run.returncode != status or not told or int(told[1], 16) > n:
            bad.append((n, run.returncode, run.stderr))
        if end["samples.parquet"] <= n < of["perf.data.zst"].offset:
            seen += 1
            if run.stdout != want or b"perf.data.zst" not in run.stderr:
                bad.append((n, run.stdout, run.stderr))
    tap.ok(not bad and seen >= 8, "a cut snapshot is read up to there",
           (seen, bad[:3]))


MANY = """\
attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME flags=sample_id_all
repeat 20000 as i {
sample ip=hash(i) pid=7 tid=7 time=1000+i
}
"""


def check_members(cold, seed, names):
    """A byte flipped in a member that is read: its name and status 3, or 2
    where nothing is left."""
    with open(cold, "rb") as f:
        whole = f.read()
    pick, bad = random.Random(seed), []
    for name in names:
        with tarfile.open(cold) as tar:
            m = tar.getmember(name)
        for _ in range(8):
            at = m.offset_data + pick.randrange(m.size)
            data = bytearray(whole)
            data[at] ^= 1 << pick.randrange(8)
            run = damaged(cold, bytes(data))
            if name.encode() not in run.stderr or \
                    run.returncode != (3 if run.stdout else 2):
                bad.append((name, at, run.returncode, run.stderr))
    tap.ok(not bad, "a flipped byte: the member is named", bad[:3])


def check_cut():
    """Records that are cut are read up to there."""
    text, data, cold = tmp + "/many", tmp + "/many.data", tmp + "/many.cold"
    with open(text, "w") as f:
        f.write(MANY)
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf", text, data],
                   check=True)
    coldperf("snapshot", "-o", cold, data)
    with open(cold, "rb") as f:
        whole = f.read()
    with tarfile.open(cold) as tar:
        m = tar.getmember("perf.data.zst")
    run = damaged(cold, whole[:m.offset_data + m.size * 9 // 10])
    got = sum(int(x.split()[-1]) for x in run.stdout.splitlines())
    tap.ok(run.returncode == 3 and 0 < got < 20000 and
           b"perf.data.zst" in run.stderr,
           "records that are cut are read up to there", (got, run.stderr))
    run = damaged(cold, whole[:m.offset])
    got = sum(int(x.split()[-1]) for x in run.stdout.splitlines())
    tap.ok(run.returncode == 3 and got == 20000 and
           b"offset 0x%x: perf.data.zst" % m.offset in run.stderr,
           "the samples of one cut before its records are read", run.stderr)
    run = damaged(cold, whole[:m.offset], "script")
    tap.ok(run.returncode == 2 and not run.stdout and
           b"offset 0x%x: perf.data.zst" % m.offset in run.stderr,
           "what needs records refuses it and says where", run.stderr)
    check_members(cold, 16, ["perf.data.zst"])


def check_damage(cold):
    with open(cold, "rb") as f:
        whole = f.read()
    step = len(whole) // 60
    cut = [damaged(cold, whole[:n]).returncode
           for n in range(1, len(whole), step)]
    tap.ok(set(cut) <= {0, 2, 3}, "cut snapshots are read or refused", cut)
    flip = []
    for at in range(7, len(whole), step):
        bytes_ = bytearray(whole)
        bytes_[at] ^= 0x55
        flip.append(damaged(cold, bytes(bytes_)).returncode)
    tap.ok(set(flip) <= {0, 2, 3}, "so are flipped bytes", flip)
    check_members(cold, 17, ["objects.parquet", "symbols.parquet",
                             "frames.parquet", "perf.data.zst"])
    check_cut()
    check_cut_tables(cold)


def check_table(cold):
    """A table that is no table any more: what it had is told as lost."""
    with open(cold, "rb") as f:
        whole = bytearray(f.read())
    at = whole.index(b"symbols.parquet", whole.index(b"meta.json\0"))
    whole = bytearray(whole)
    at = whole.index(b"PAR1", whole.index(b"symbols.parquet\0"))
    whole[at + 8:at + 40] = b"\xff" * 32
    run = damaged(cold, bytes(whole))
    tap.ok(run.returncode == 3 and b"symbols.parquet" in run.stderr,
           "a damaged table is told", run.stderr)


def check_newer(cold):
    with open(cold, "rb") as f:
        whole = f.read()
    run = damaged(cold, whole.replace(b'snapshot","version":1',
                                      b'snapshot","version":9'))
    tap.ok(run.returncode == 3 and b"newer" in run.stderr,
           "a newer version is told", run.stderr)


def check_stream():
    """A stream of either format is kept too."""
    for case in "good-fp", "good-pipe":
        path = "%s/%s/n.data" % (tmp, case)
        cold = tmp + "/%s/s.cold" % case
        with open(path, "rb") as f:
            data = f.read()
        subprocess.run([tap.coldperf, "snapshot", "-o", cold, "-"],
                       input=data, stderr=subprocess.PIPE)
        want = coldperf("flame", "-f", "folded", path)
        got = coldperf("flame", "-f", "folded", cold)
        tap.ok(want.stdout != b"" and want.stdout == got.stdout,
               case + " through a pipe", got.stderr)


def feed(cold, *args):
    """A command that reads the file as a stream."""
    with open(cold, "rb") as f:
        return subprocess.run([tap.coldperf, *args], input=f.read(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def from_fifo(path, *args):
    """The same by a FIFO's name, which is the last argument."""
    fifo = tmp + "/fifo"
    os.mkfifo(fifo)
    cat = subprocess.Popen(["sh", "-c", 'exec cat "$0" >"$1"', path, fifo])
    run = coldperf(*args, fifo)
    cat.kill()
    cat.wait()
    os.remove(fifo)
    return run


def check_streamed_snapshot():
    """A snapshot that is a stream has its names, and all its members."""
    cold, again = tmp + "/good-fp/n.cold", tmp + "/good-fp/streamed.cold"
    want = coldperf("flame", "-f", "folded", cold).stdout
    got = feed(cold, "flame", "-f", "folded", "-")
    tap.ok(b"known" in want and got.stdout == want,
           "a snapshot through a pipe has its names", got.stderr)
    got = from_fifo(cold, "flame", "-f", "folded")
    tap.ok(got.stdout == want, "and through a FIFO", got.stderr)
    run = feed(cold, "snapshot", "-o", again, "-")
    tap.ok(members(cold) == members(again),
           "a snapshot of it is the same", run.stderr)
    run = from_fifo(cold, "snapshot", "-o", again)
    tap.ok(members(cold) == members(again),
           "so is one of a FIFO", run.stderr)
    os.remove(again)
    run = from_fifo(tmp + "/good-fp/n.data", "snapshot", *FP, "-o", again)
    got = coldperf("flame", "-f", "folded", again).stdout
    tap.ok(got == want, "a capture in a FIFO is kept", run.stderr)


def check_kept():
    """Snapshots of each version, kept for ever: never make them anew.

    NAME.CASE.b64 was made of that case of the corpus; that of a sum has
    tables alone, which script does not read."""
    folder = tap.top_srcdir + "/tests/exports/snapshots/"
    kept = sorted(os.listdir(folder))
    tap.ok(len(kept) >= 2, "snapshots of old are kept", kept)
    for name in kept:
        with open(folder + name, "rb") as f:
            cold = lzma.decompress(base64.b64decode(f.read()))
        path = tmp + "/kept.cold"
        with open(path, "wb") as f:
            f.write(cold)
        case = "%s/%s/n.data" % (tmp, name.split(".")[1])
        bad = []
        # It has names, and stacks, by the C library that was installed then,
        # and none of the kernel: the one that runs may be that of the case.
        now = coldperf("script", *FP, case)
        same = b"__libc_start" in now.stdout and \
            b"(no-kallsyms)" in now.stderr
        sum_of = name.startswith(("v1-sums", "v1-contexts"))
        for command in ["flame", "-f", "folded"], ["script"], ["hotspots"]:
            if sum_of and command == ["script"]:
                continue
            want = coldperf(*command, *FP, case)
            got = coldperf(*command, path)
            if got.returncode != 0 or b"leaf" not in got.stdout or \
                    same and told(want) != \
                    told(got).replace(path.encode(), b"N"):
                bad.append("%s: %d: %s" % (command[0], got.returncode,
                                           got.stderr))
        tap.ok(not bad, name + " is read", "\n".join(bad))


def check_info():
    """info says that it is a snapshot, of what, and that capture's size."""
    for case, container in ("good-fp", "file"), ("good-dwarf", "file"), \
            ("good-pipe", "pipe"), ("good-directory", "directory"):
        facts = []
        for path in "data", "cold":
            run = coldperf("info", "%s/%s/n.%s" % (tmp, case, path))
            facts.append(dict(re.findall(
                rb"(?m)^ *file +(container|snapshot-of|size) +(\S+)$",
                run.stdout)))
        data, cold = facts
        name = container.encode()
        tap.ok(data == {b"container": name, b"size": data.get(b"size")} and
               cold == {b"container": b"snapshot", b"snapshot-of": name,
                        b"size": data[b"size"]},
               case + ": info tells a snapshot, and of what", facts)


def check_objects():
    """info --objects tells whose names a snapshot has, and asks for others."""
    bare = tmp + "/good-fp/nothing.cold"
    coldperf("snapshot", "--no-local", "-o", bare, tmp + "/good-fp/n.data")
    for cold, named in (first, True), (bare, False):
        run = coldperf("info", "--objects", "-f", "json", "--no-local", cold)
        missing, collect = [], None
        for s in json.loads(run.stdout)["sections"]:
            if s["slug"] == "missing":
                missing = [(r["values"][2], r["values"][8])
                           for r in s["rows"]]
            elif s["slug"] == "collect":
                collect = s
        asked = [c for path, c in missing if path.endswith("/known")]
        tap.ok(len(asked) == 1 and asked[0].startswith("tar ") != named and
               (named or "snapshot --resymbolize" in str(collect)) and
               not any("dash" in path or "pack" in c for path, c in missing),
               "info --objects of a snapshot %s names"
               % ("with" if named else "without"),
               (run.stdout, run.stderr))


def slugs(path):
    """The sections of a snapshot's report.json."""
    with tarfile.open(path) as tar:
        text = tar.extractfile("report.json").read()
    found = sorted(s["slug"] for s in json.loads(text)["sections"]
                   if s["slug"] != "identity")  # only where files are found
    return found if text.count(b"\n") == 1 and {
        "label", "facts", "quality"} < set(found) else text


def check_alone():
    """A snapshot without records is told when it is written."""
    path, to = tmp + "/good-fp/n.data", tmp + "/alone.cold"
    for args in ["snapshot", "--time", "0%,50%"], ["flame"], ["hotspots"]:
        run = coldperf(*args, "-o", to, path)
        tap.ok(run.returncode == 0 and b"warning: " in run.stderr and
               b"(no-records)" in run.stderr and b"script" in run.stderr,
               args[0] + " -o: a snapshot without records is told",
               run.stderr)
        run = coldperf("script", to)
        tap.ok(run.returncode == 2 and b"(only-tables)" in run.stderr,
               "and script refuses it", run.stderr)
        said = slugs(to)
        tap.ok(said == slugs(tmp + "/good-fp/n.cold"),
               "its report.json is that of `snapshot'", said)


def check_compressed():
    """The tar as a whole may be compressed by zstd."""
    cold, to = tmp + "/good-fp/n.cold", tmp + "/good-fp/n.cold.zst"
    if not shutil.which("zstd"):
        tap.skip("no zstd to compress a snapshot")
        return
    subprocess.run(["zstd", "-q", cold, "-o", to], check=True)
    tap.ok(os.path.getsize(to) < os.path.getsize(cold) / 2,
           "a small snapshot is a fraction, compressed")
    bad = []
    for command in (["script"], ["hotspots", "-f", "csv"],
                    ["flame", "-f", "folded"], ["info"], ["verify"],
                    ["profile", "-f", "ndjson"]):
        want, got = coldperf(*command, cold), coldperf(*command, to)
        if (want.returncode, want.stdout) != (
                got.returncode, got.stdout.replace(b".cold.zst", b".cold")):
            bad.append((command, want.stderr, got.stderr))
    tap.ok(not bad, "and read as it was before", bad)


def check_symbols():
    """With --symbols an object is told by its file there or by the snapshot,
    as a whole; without it nothing but the snapshot is asked."""
    path, cold = tmp + "/good-fp/n.data", tmp + "/good-fp/bare.cold"
    coldperf("snapshot", "--no-local", "-o", cold, path)
    bare = coldperf("flame", "-f", "folded", cold).stdout
    want = coldperf("flame", "-f", "folded", *FP, path).stdout
    tap.ok(bare == coldperf("flame", "-f", "folded", "--no-local",
                            path).stdout != want,
           "a snapshot without names stays without", bare)
    got = coldperf("flame", "-f", "folded", *FP, cold).stdout
    tap.ok(got == want, "and --symbols gives it names", got)
    got = coldperf("flame", "-f", "folded", "--symbols", tmp + "/good-fp",
                   first).stdout
    tap.ok(got == want, "--symbols without the file: those of the snapshot",
           got)


def check_chains():
    """Stacks that were unwound stay so: what was asked for is not there."""
    for how in "fp", "lbr", "dwarf":
        run = coldperf("flame", "-f", "folded", "--callchain", how,
                       tmp + "/good-dwarf/n.cold")
        tap.ok((b"snapshot's stacks were unwound" in run.stderr) ==
               (how != "dwarf") and b"main;descend" in run.stdout,
               "--callchain %s of unwound stacks" % how, run.stderr)


def check_diff():
    """diff of two snapshots is that of their captures."""
    data = ["%s/%s/n.data" % (tmp, case) for case in ("good-fp", "good-dwarf")]
    cold = [path.replace(".data", ".cold") for path in data]
    want = coldperf("diff", *FP, *data)
    got = coldperf("diff", *cold)
    tap.ok(want.stdout != b"" and told(want) == told(got),
           "diff says the same of two snapshots",
           want.stdout + b"---\n" + got.stdout)


INLINED = r"""
static volatile int sink;
static inline __attribute__((always_inline)) void inner(int x)
{
	sink += x * 3;
	sink ^= x;
}
__attribute__((noinline)) void outer(int x) { inner(x); sink--; inner(x + 1); }
int main(void) { outer(sink); return 0; }
"""


def check_inlined():
    """Each address as the leaf, and as the one a call returns to."""
    folder = tmp + "/inlined"
    os.mkdir(folder)
    program = folder + "/program"
    with open(program + ".c", "w") as f:
        f.write(INLINED)
    done = subprocess.run(
        [*os.environ.get("CC", "cc").split(), "-O2", "-g", "-no-pie", "-o",
         program, program + ".c"], stderr=subprocess.PIPE)
    if done.returncode != 0:
        tap.skip("no compiler for a program with inlined functions")
        return
    nm = subprocess.run(["nm", "-S", program], stdout=subprocess.PIPE)
    at = re.search(rb"(\w+) (\w+) T outer", nm.stdout)
    start, size = int(at.group(1), 16), int(at.group(2), 16)
    base = start & ~0xfff
    text = ["attr cycles type=0 config=0 sample_type=IP|TID|TIME|CALLCHAIN "
            "flags=mmap|comm", 'comm 7 7 "inlined"',
            'mmap pid=7 addr=%#x len=0x1000 pgoff=%#x name="%s"' % (
                base, base - 0x400000, program)]
    for i in range(size):
        for chain in ((start + i,), (start, start + i)):
            text.append("sample cycles ip=%#x pid=7 time=%d chain=user,%s" % (
                chain[0], 100 + len(text), ",".join(map(hex, chain))))
    with open(folder + "/input", "w") as f:
        f.write("\n".join(text) + "\n")
    data, cold = folder + "/n.data", folder + "/n.cold"
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf",
                    folder + "/input", data], check=True)
    coldperf("snapshot", "--symbols", program, "-o", cold, data)
    want = coldperf("flame", "-f", "folded", "--symbols", program, data)
    got = coldperf("flame", "-f", "folded", cold)
    tap.ok(b"inner_[i]" in want.stdout and want.stdout == got.stdout,
           "inlined functions at an address that is returned to",
           want.stdout[:600] + b"---\n" + got.stdout[:600])
    # Its tables alone have those functions whether they are asked for or not.
    tables = folder + "/tables.cold"
    coldperf("flame", "--symbols", program, "-o", tables, data)
    for sides in ((data, data), (data, tables), (tables, tables)):
        got = coldperf("diff", "--section", "diff", "-f", "csv", "--symbols",
                       program, *sides)
        rows = [r.split(b",") for r in got.stdout.splitlines()[1:]]
        tap.ok([(r[1], r[-1]) for r in rows[1:]] == [(b"0", b"outer")],
               "diff counts them as their caller: %s" % " ".join(
                   os.path.basename(s) for s in sides), got.stdout)


for case, options in CASES.items():
    cold = check_case(case, options)
    if case == "good-fp":
        first = cold
check_stream()
check_streamed_snapshot()
check_kept()
check_info()
check_objects()
check_alone()
check_compressed()
check_symbols()
check_chains()
check_diff()
check_damage(first)
check_table(first)
check_newer(first)
check_inlined()
tap.done()
