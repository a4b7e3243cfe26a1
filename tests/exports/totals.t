#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Exports weigh each function as the flame graph does and count samples as
# hotspots does, on captures of several kinds, read by decoders of our own.
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/exports")
import decode
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-exports.")
tmp = scratch.name
CORPUS = tap.top_srcdir + "/corpus/"
SYMBOLS = ["--symbols", CORPUS + "good-fp/symbols"]
# Several events, DWARF stacks, JIT, a named kernel, damage, losses.
CASES = {
    "good-events": SYMBOLS, "good-dwarf": SYMBOLS,
    "good-jit": ["--symbols", CORPUS + "good-jit/symbols"],
    "good-waits": ["--symbols", CORPUS + "good-waits/symbols"],
    "bad-killed": SYMBOLS, "odd-lost": [],
}
ID = "0123456789abcdef0123456789abcdef01234567"
SOURCE = """
static inline __attribute__((always_inline)) unsigned part(unsigned n)
{
	__asm__ volatile(".globl in_part\\nin_part: nop" ::: "memory");
	return n * 3;
}
__attribute__((noinline)) unsigned whole(unsigned n)
{
	__asm__ volatile(".globl in_whole\\nin_whole: nop" ::: "memory");
	return part(n) + 1;
}
int main(int c, char **v) { return (int)whole((unsigned)c); }
"""


def coldperf(*args):
    return subprocess.run(
        [tap.coldperf, *args], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=dict(os.environ, NO_COLOR="1"))


def capture(case):
    """The capture's path; the synthetic ones are compiled."""
    return tap.capture(case, tmp)


def sections(path, options, command, *more):
    run = coldperf(command, "-f", "json", *options, *more, path)
    return json.loads(run.stdout)["sections"] if run.stdout else []


def tree_of(path, options, event):
    """Weights by innermost function, of the flame graph."""
    out = collections.Counter()
    for s in sections(path, options, "flame", "--event", event):
        if s["type"] != "tree":
            continue
        for node in s["nodes"]:
            named = node["kind"] != "unknown" and node["parent"] is not None
            if node["self"]:
                name = decode.unbracketed(node["name"])
                out[name if named else None] += node["self"]
    return out


def hotspots_of(path, options):
    """Samples by function, of all events together."""
    out = collections.Counter()
    for s in sections(path, options, "hotspots", "--by", "symbol", "--top",
                      "0"):
        if s["slug"] != "hotspots":
            continue
        for row in s["rows"]:
            samples, _, name = row["values"][-3:]
            out[None if name.startswith("0x") or name.startswith("[")
                else name] += samples
    return out


def export(path, options, formats):
    """Files of all formats from one run; their bytes."""
    names = {"callgrind": "x.callgrind", "firefox": "x.firefox.json.gz",
             "ndjson": "x.ndjson", "otlp": "x.otlp",
             "perfetto": "x.perfetto-trace", "pprof": "x.pb.gz",
             "samples-csv": "x.samples.csv",
             "speedscope": "x.speedscope.json"}
    args = []
    for f in formats:
        args += ["-o", "%s/%s" % (tmp, names[f])]
    run = coldperf("flame", *options, *args, path)
    out = {}
    for f in formats:
        with open("%s/%s" % (tmp, names[f]), "rb") as file:
            out[f] = file.read()
        os.remove("%s/%s" % (tmp, names[f]))
    return out, run


def plain(tally):
    return {k: v for k, v in tally.items() if v}


def compare(case, path, options):
    files, run = export(path, options, sorted(decode.READERS))
    tap.ok(run.returncode in (0, 3), case + ": all formats in one run",
           run.stderr.decode())
    profile = decode.Pprof(files["pprof"])
    counted = plain(profile.tally(inner=False)["samples"])
    want = plain(hotspots_of(path, [*options, "--inline", "no"]))
    tap.ok(counted == want and sum(want.values()) > 0,
           case + ": pprof counts samples as hotspots does",
           "got  %r\nwant %r" % (counted, want))
    events = [t[0] for t in profile.types[1:]]
    trees = {e: plain(tree_of(path, options, e)) for e in events}
    for name, read in decode.READERS.items():
        got = read(files[name])
        if name == "callgrind":
            words = {"".join(c if c.isalnum() or c in "-." else "_"
                             for c in e): e for e in events}
            got = {words[e]: t for e, t in got.items()}
        if None in got:  # firefox: a single event is not told
            got = {events[0]: got[None]}
        got = {e: plain(t) for e, t in got.items() if plain(t)}
        tap.ok(got == {e: t for e, t in trees.items() if t},
               "%s: %s weighs functions as the flame graph does" % (
                   case, name), "got  %r\nwant %r" % (got, trees))
    return profile, files


def build(folder):
    """A program with an inlined function; addresses in both, or why not."""
    os.mkdir(folder)
    with open(folder + "/prog.c", "w") as f:
        f.write(SOURCE)
    prog = folder + "/prog"
    if not shutil.which("nm") or not shutil.which("objcopy"):
        return None, "no binutils"
    done = subprocess.run(
        os.environ.get("CC", "cc").split() +
        ["-O2", "-g", "-gdwarf-4", "-no-pie", "-fno-pie",
         "-Wl,--build-id=0x" + ID, "-o", prog, folder + "/prog.c"], stderr=subprocess.PIPE)
    if done.returncode != 0:
        return None, "no program was built: %r" % done.stderr[-200:]
    nm = subprocess.run(["nm", prog], stdout=subprocess.PIPE, check=True,
                        universal_newlines=True).stdout
    at = {line.split()[-1]: int(line.split()[0], 16)
          for line in nm.splitlines() if len(line.split()) == 3}
    subprocess.run(["objcopy", "-N", "in_part", "-N", "in_whole", prog],
                   check=True)
    return at, prog


def check_inlines():
    folder = tmp + "/inlined"
    at, prog = build(folder)
    if at is None:
        tap.skip(prog)
        return
    base = at["main"] & ~0xFFFFF
    chain = "chain=user,0x%x,0x%x"
    with open(folder + "/text", "w") as f:
        print("attr cycles type=0 config=0 period=1000 "
              "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN "
              "flags=sample_id_all|mmap|comm", file=f)
        print('comm 8 8 "prog"', file=f)
        print('mmap pid=8 addr=0x%x len=0x200000 pgoff=0 name="%s"' % (
            base, prog), file=f)
        print('build_id %s "%s"' % (ID, prog), file=f)
        for i in range(5):
            ip = at["in_part" if i < 3 else "in_whole"]
            print("sample ip=0x%x pid=8 time=%d period=%d " % (
                ip, 1000 + i, 10 ** i) + chain % (ip, at["main"] + 1),
                file=f)
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf",
                    folder + "/text", folder + "/x.data"], check=True)
    profile, files = compare("inlines", folder + "/x.data", [])
    leaf = collections.Counter(
        tuple(profile.lines(s[1][0])) for s in profile.samples)
    tap.ok(leaf.keys() == {("part", "whole"), ("whole",)},
           "inlines: pprof has the innermost function first", leaf)
    tap.ok(decode.pprof(files["pprof"])["cycles"] ==
           {"part": 111, "whole": 11000},
           "inlines: an inlined function weighs for itself")
    text = files["callgrind"].decode()
    tap.ok("calls=3 " in text and "prog.c" in text,
           "inlines: callgrind has it called, with its file", text)


def check_labels(profile):
    values, _, labels = profile.samples[0]
    tap.ok(labels.get("pid", "").isdigit() and labels.get("comm") and
           labels.get("thread_type") == ("main" if labels["pid"] ==
                                         labels["tid"] else "other"),
           "pprof's samples have labels", labels)
    tap.ok(profile.default == "cpu-clock",
           "pprof shows the event that measures time first",
           profile.default)
    tap.ok(any(len(profile.text(decode.one(m, 6))) == 40
               for m in profile.mappings.values()),
           "pprof's mappings have build IDs")
    tap.ok(any("cpu-clock: 168 samples" in c for c in profile.comments),
           "pprof's comments tell of events", profile.comments)


def check_time(path, options):
    run = coldperf("flame", "-f", "pprof", "--with-time", *options, path)
    profile = decode.Pprof(run.stdout)
    tap.ok(all(s[0][0] == 1 and s[2].get("timestamp_ns")
               for s in profile.samples) and len(profile.samples) == 242,
           "--with-time: each sample by itself, with its time")


for case, options in CASES.items():
    profile, files = compare(case, capture(case), options)
    if case == "good-events":
        check_labels(profile)
        check_time(capture(case), options)
    if case == "odd-lost":
        tap.ok(any("lost" in c for c in profile.comments),
               "pprof's comments tell of losses", profile.comments)
check_inlines()
tap.done()
