#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The cases of ../shared/cases, small inputs that outsiders found: each has a
# right value in the CATALOG there or in a README, and a check here.  A case
# without a check fails, and so does a check whose value is wrong, unless it is
# in NOT_YET: such a point is expected to fail until the value is right.
#
# Cases that are sources are built, and recorded with perf where it is allowed.
import csv
import gzip
import io
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

CASES = os.environ.get("SHARED_CASES") or \
    os.path.join(tap.top_srcdir, "..", "shared", "cases")
FOLDERS = ("reading", "names", "stacks", "security")
NOT_YET = {"names/icf", "stacks/children-nameless.data"}
work = tempfile.TemporaryDirectory(prefix="coldperf-cases.")
# No names from recordings before.
os.environ["PERF_BUILDID_DIR"] = os.path.join(work.name, "none")


class Skip(Exception):
    """What the check needs is missing."""


class Wrong(Exception):
    """The value that is not right."""


def case(path):
    return os.path.join(CASES, path)


def scratch(*names):
    path = os.path.join(work.name, *names)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            raise Skip(tool + " is not installed")


def right(held, why=""):
    if not held:
        raise Wrong(why)


def command(*words, **more):
    return subprocess.run(words, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace",
                          **more)


def coldperf(*arguments, status=0):
    p = command(tap.coldperf, *arguments)
    right(status is None or p.returncode == status,
          "status %d of %s\n%s" % (p.returncode, " ".join(arguments), p.stderr))
    return p.stdout, p.stderr


def rows(*arguments, status=None):
    return list(csv.DictReader(io.StringIO(
        coldperf("hotspots", "-f", "csv", "--top", "0", *arguments,
                 status=status)[0])))


def shares(*arguments, by="symbol", status=None):
    """{symbol without parameters: per cent} of hotspots."""
    out = {}
    for row in rows("--by", by, *arguments, status=status):
        name = re.sub(r"\(.*", "", row["symbol"]).strip()
        out[name] = out.get(name, 0) + 100 * float(row["share"])
    return out


def whole(name, *arguments):
    """All samples are in that function."""
    got = shares("--no-local", *arguments)
    right(got.get(name, 0) > 99, got)


def folded(*arguments):
    out = {}
    for line in coldperf("flame", "-f", "folded", *arguments,
                         status=None)[0].splitlines():
        stack, n = line.rsplit(" ", 1)
        out[stack] = out.get(stack, 0) + int(n)
    return out


def unpacked(path):
    """The path of an unpacked copy."""
    to = scratch(path.replace("/", "-").rsplit(".", 1)[0])
    with gzip.open(case(path)) as f, open(to, "wb") as g:
        shutil.copyfileobj(f, g)
    return to


def built(source, *options, name="prog", compiler="gcc"):
    need(compiler)
    to = scratch(os.path.basename(source) + ".built", name)
    p = command(compiler, *options, "-o", to, source)
    if p.returncode:
        raise Skip("%s cannot build it: %s" % (compiler, p.stderr[-200:]))
    return to


def recorded(prog, *options):
    """A recording of the program, made here."""
    if tap.sanitized:
        raise Skip("recorded in the other build")
    need("perf")
    to = prog + ".data"
    p = command("perf", "record", "-q", "-N", "-o", to, *options, "--", prog,
                timeout=120)
    if p.returncode or not os.path.exists(to):
        raise Skip("perf cannot record here: " + p.stderr[-200:])
    return to


def script_lines(path, fields, *arguments, status=0):
    out, _ = coldperf("script", "-F", fields, "--no-local", *arguments, path,
                      status=status)
    return [line for line in out.splitlines() if line and line[0] != "\t"]


# ------------------------------------------------------------------- reading

def mmap2_misc_leak():
    folder = case("reading/mmap2-misc-leak")
    for name in ("fg.data", "m8.data", "m259.data", "maj0.data"):
        data = os.path.join(folder, name)
        if name != "maj0.data":  # of another program, which is not there
            whole("hashit", "--symbols", os.path.join(folder, "fpx"), data)
        _, err = coldperf("info", "--no-local", data, status=None)
        right("damaged" not in err, err)
        out, _ = coldperf("dump", data, status=None)
        right("build_id=" not in out and " ino=" in out, out[:2000])


def sound(path, *arguments):
    out, err = coldperf("report", "--no-local", *arguments, case(path))
    right("damage" not in err, err)
    return out


def migrated_task():
    path = case("reading/migrated-task.data")
    got = [float(line.strip().rstrip(":"))
           for line in script_lines(path, "time")]
    right(len(got) == 4 and all(abs(a - b) < 0.001 for a, b in zip(
        got, [4241.236, 4305.000, 4305.286, 4305.482])), got)


def count_of(path, n):
    got = sum(int(r["samples"])
              for r in rows("--by", "dso", case(path), status=0))
    right(got == n, got)


def clock_skew():
    path = case("reading/clock-skew.data")
    got = list(csv.DictReader(io.StringIO(
        coldperf("sched", "-f", "csv", path)[0])))
    ran = {r["comm"]: int(r["run_ns"]) for r in got}
    right(abs(ran.get("mover", 0) - 3995000) <= 10000, ran)


def flip_zstd():
    path = case("reading/flip-zstd-1bit.data")
    periods = {line.split()[0] for line in
               script_lines(path, "period,event", status=None)}
    right(periods <= {"125000", "125,000"}, sorted(periods)[:5])
    own = [r for r in rows("--by", "dso", path)
           if not r["object"].startswith("[")]
    right(own and float(own[0]["share"]) > 0.8, own)


# --------------------------------------------------------------------- names

def no_build_id_pipe():
    folder = case("names/no-build-id-pipe")
    data = os.path.join(folder, "pipe.data")
    by_file = shares("--no-local", "--symbols", folder + "/prog", data)
    by_folder = shares("--no-local", "--symbols", folder, data)
    right(by_folder == by_file and not all(
        re.match(r"0x|\[|prog\+", n) for n in by_folder), by_folder)


def z_no_build_id():
    raise Skip("the kallsyms of its host are not there")


def deleted_object():
    folder = case("names/deleted-object")
    own = scratch("deleted", "delx")
    shutil.copy(folder + "/delx.bin", own)
    for given in (own, os.path.dirname(own)):
        whole("foo", "--symbols", given, folder + "/delx.data")


def text_on_anonymous_pages():
    folder = case("names/text-on-anonymous-pages")
    whole("foo", "--symbols", folder + "/hug", folder + "/h2.data")


def cxx20():
    need("llvm-cxxfilt")
    with open(case("names/cxx20/names.txt")) as f:
        names = f.read().split()
    map_of = scratch("cxx20", "perf-7.map")
    text = "attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME\n" \
        'mmap pid=7 addr=0x10000 len=0x100000 pgoff=0 name="//anon"\n'
    with open(map_of, "w") as f:
        for i, name in enumerate(names):
            at = 0x10000 + 0x100 * i
            f.write("%x 100 %s\n" % (at, name))
            text += "sample ip=%d pid=7 time=%d\n" % (at + 8, 1 + i)
    with open(scratch("cxx20.mkperf"), "w") as f:
        f.write(text)
    data = scratch("cxx20.data")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    f.name, data], check=True)
    theirs = [command("llvm-cxxfilt", n).stdout.strip() for n in names]
    if sum(n.startswith("_Z") for n in theirs) > len(names) // 4:
        raise Skip("this llvm-cxxfilt does not know the newer names, either")
    got = {r["symbol"] for r in rows("--no-local", "--symbols", map_of, data)}
    lacks = [n for n in theirs if not n.startswith("_Z") and n not in got]
    right(len(lacks) <= 2, "\n".join(lacks))


def jit_map_per_worker():
    folder = case("names/jit-map-per-worker")
    got = {(r["pid"], r["symbol"]): 100 * float(r["share"])
           for r in rows("--no-local", "--by", "pid,symbol", "--symbols",
                         folder + "/maps", folder + "/g.data")}
    right(abs(got.get(("29048", "fn_of_alpha"), 0) - 27.85) < .1 and
          abs(got.get(("29049", "fn_of_beta"), 0) - 61.87) < .1, got)


def jit_map_of_parent():
    folder = case("names/jit-map-of-parent")
    got = shares("--no-local", "--symbols", folder + "/m",
                 folder + "/php2.data")
    right(abs(got.get("TRACE-2$mandel$2", 0) - 77) < 1, got)


def memfd():
    stacks = folded("--no-local", case("names/memfd/memfd.data"))
    right(any(re.search(r"\[memfd:runc_cloned.*\(deleted\)\]", s)
              for s in stacks), list(stacks)[:5])


def icf():
    need("ld.lld")
    prog = built(case("names/icf/icf.cc"), "-O1", "-g", "-ffunction-sections",
                 "-fuse-ld=lld", "-Wl,--icf=all", compiler="clang++")
    got = shares(recorded(prog, "-e", "cpu-clock:u", "-F", "499"))
    right(any(re.search(r"alpha_sum.*= beta_sum|beta_sum.*= alpha_sum", n)
              for n in got), got)


def symbol_sources():
    need("objcopy")
    prog = built(case("names/symbol-sources/n.c"), "-O1", "-g",
                 "-Wl,--build-id", name="n")
    data = recorded(prog, "-e", "cpu-clock:u", "-F", "499")
    debug = scratch("debug", "n.debug")
    command("objcopy", "--only-keep-debug", prog, debug)
    command("strip", prog)
    note = command("readelf", "-n", prog).stdout
    build_id = re.search(r"Build ID: ([0-9a-f]+)", note).group(1)
    lacks = []

    def named(what, *options, **env):
        p = command(tap.coldperf, "hotspots", *options, data,
                    env=dict(os.environ, **env))
        if "hidden_sum" not in p.stdout:
            lacks.append(what)

    for tool, suffix in (("xz", "xz"), ("zstd", "zst"), ("gzip", "gz")):
        need(tool)
        folder = scratch("sources-" + suffix, "n.debug." + suffix)
        with open(folder, "wb") as f:
            subprocess.run([tool, "-q", "-c", debug], stdout=f, check=True)
        named("." + suffix, "--no-local", "--symbols",
              os.path.dirname(folder))
    nix = scratch("nix", "lib", "debug", ".build-id", build_id[:2],
                  build_id[2:] + ".debug")
    shutil.copy(debug, nix)
    named("NIX_DEBUG_INFO_DIRS", NIX_DEBUG_INFO_DIRS=scratch("nix", "lib",
                                                             "debug"))
    tar = scratch("tarred", "n.tar")
    with tarfile.open(tar, "w") as t:
        t.add(debug, "n.debug")
    named("a tar in a folder", "--no-local", "--symbols", os.path.dirname(tar))
    need("dpkg-deb")
    root = scratch("deb", "usr", "lib", "debug", ".build-id", build_id[:2],
                   build_id[2:] + ".debug")
    shutil.copy(debug, root)
    with open(scratch("deb", "DEBIAN", "control"), "w") as f:
        f.write("Package: n-dbgsym\nVersion: 1\nArchitecture: all\n"
                "Maintainer: nobody <nobody@localhost>\nDescription: n\n")
    deb = scratch("n-dbgsym.deb")
    command("dpkg-deb", "-b", os.path.join(work.name, "deb"), deb)
    named("a .deb", "--no-local", "--symbols", deb)
    right(not lacks, "not read: " + ", ".join(lacks))


def patchelf():
    folder = case("names/patchelf")
    data = unpacked("names/patchelf/nopie.data.gz")
    for given in (["x.debug"], ["o_nopie"], ["o_nopie", "x.debug"]):
        options = [w for f in given for w in ("--symbols",
                                              os.path.join(folder, f))]
        got = shares("--no-local", *options, data)
        right("g08" not in got, (given, got))
    right(got.get("hot", 0) > 99, got)


def patchelf_on_host():
    whole("hot", "--symbols", case("names/patchelf-on-host"),
          unpacked("names/patchelf-on-host/s1.data.gz"))


def debuglink():
    stacks = folded("--no-local", "--symbols",
                    case("names/debuglink-in-symbols"),
                    unpacked("names/debuglink-in-symbols/p.data.gz"))
    right(any("main;hidden_sum" in s for s in stacks), stacks)


# -------------------------------------------------------------------- stacks

def leaf_caller():
    prog = built(case("stacks/leaf-caller/l.c"), "-O1", "-g",
                 "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls")
    stacks = folded("--lost-callers=mark",
                    recorded(prog, "-e", "cpu-clock:u", "-F", "499",
                             "--call-graph", "fp"))
    wrong = sum(n for s, n in stacks.items()
                if re.search(r"request;_*(mem|str)[a-z0-9_]*$", s))
    right(wrong * 50 < sum(stacks.values()), sorted(stacks)[:6])


def frameless():
    path = case("stacks/frameless-eagain.data")
    out, err = coldperf("report", path, status=None)
    quality, _ = coldperf("quality", path, status=None)
    right(re.search("callers?.*not recorded", out + quality),
          (out[-600:], quality[-600:]))


def children_nameless():
    got = {r["symbol"][-6:]: (float(r["self"]), float(r["children"]))
           for r in rows("--no-local", "-e", "context-switches", "--children",
                         "--by", "symbol",
                         case("stacks/children-nameless.data"))}
    right(got == {"003000": (1, 1), "004000": (0, 1)}, got)


def noreturn():
    prog = built(case("stacks/noreturn.c"), "-O1", "-g",
                 "-fno-omit-frame-pointer", "-fno-toplevel-reorder",
                 "-falign-functions=1")
    stacks = folded(recorded(prog, "-e", "cpu-clock:u", "-F", "499", "-g"))
    good = sum(n for s, n in stacks.items()
               if s.endswith("main;real_caller;spin_forever"))
    right(good > .95 * sum(stacks.values()), stacks)


def inlined_waits():
    prog = built(case("stacks/inlined-waits.cpp"), "-O2", "-g",
                 "-fno-omit-frame-pointer", "-pthread", compiler="g++")
    data = recorded(prog, "-F", "1999", "-e", "cpu-clock", "-e",
                    "sched:sched_switch", "--switch-events", "--call-graph",
                    "dwarf")
    stacks = {}
    for line in coldperf("offcpu", "-f", "folded", data)[0].splitlines():
        stack, n = line.rsplit(" ", 1)
        stacks[stack] = int(n)
    part = {name: sum(n for s, n in stacks.items() if name + "_[i]" in s) /
            max(1, sum(stacks.values())) for name in ("locked", "rest")}
    # How long others hold the CPU is not the program's.
    right(part["locked"] > .25 and .02 < part["rest"] < .4, part)


# ------------------------------------------------------------------ security

def redact_fp():
    data = case("security/redact-fp/pw.data")
    out = scratch("redacted.data")
    coldperf("redact", "--redact", "public", "-o", out, data, status=None)
    with open(out, "rb") as f:
        right(b"hunter2!" not in f.read(), "in the redacted capture")
    word = b"hunter2!"[::-1].hex()
    for words in (("script", "--redact", "public"),
                  ("flame", "-f", "folded", "--redact", "public")):
        text, _ = coldperf(*words, data, status=None)
        right("hunter2!" not in text and word not in text, words)


def capture_sh():
    need("perf")
    if tap.sanitized:
        raise Skip("recorded in the other build")
    secret = scratch("target", "secret")
    with open(secret, "w") as f:
        f.write("hunter2!\n")
    prog = scratch("target", "t (" + secret)
    shutil.copy(built(case("stacks/leaf-caller/l.c"), "-O1"), prog)
    data, tar = scratch("target", "ev.data"), scratch("target", "out.tar")
    p = command("perf", "record", "-q", "-o", data, "--", prog)
    if p.returncode:
        raise Skip("perf cannot record here")
    command(os.path.join(tap.top_srcdir, "contrib", "coldperf-capture.sh"),
            "-o", tar, data, timeout=60)
    if not os.path.exists(tar):
        return
    with tarfile.open(tar) as t:
        for member in t:
            f = t.extractfile(member) if member.isfile() else None
            right(f is None or f.read(8) != b"hunter2!", member.name)


def first_finding(name, about, words):
    out = coldperf("report", "--no-local", "-f", "json", case(name),
                   status=None)[0]
    table = next(s for s in json.loads(out)["sections"]
                 if s.get("slug") == "findings")
    told = [r["values"] for r in table["rows"]]
    right(any(a == about and words in t for a, t in told), told)
    return told, out


def broken_period():
    told, _ = first_finding("analyses/broken-period.data", "few heavy samples",
                            "the 1,001 samples tell as much as 1.0")
    right(told[0][0] == "few heavy samples", told)


def user_only():
    out = first_finding("analyses/user-only.data", "user only",
                        "cpu-clock:u samples user code only")[1]
    right('"slug": "modes"' not in out, "modes of user code only")


# ------------------------------------------------------------------ analyses

def found(path):
    """{about: finding} of report."""
    sections = json.loads(coldperf("report", "-f", "json", "--no-local",
                                   case(path), status=None)[0])["sections"]
    rows = next(s["rows"] for s in sections if s.get("slug") == "findings")
    return {r["values"][0]: r["values"][1] for r in rows}


def one_process_switches():
    out, _ = coldperf("offcpu", "--no-local",
                      case("analyses/one-process-switches.data.zst"))
    right(re.search(r"928\.7 ms .* on CPU", out), out[:2000])
    right(re.search(r" 0 ns .* unknown", out), out[:2000])
    # Who had the CPU was not recorded.
    f = found("analyses/one-process-switches.data.zst")
    right("held back" not in f and "not recorded" in f["CPU taken"], f)


def one_command_sched():
    f = found("analyses/one-command-sched.data")
    right("CPU wait" not in f and "CPU taken" not in f, f)


def blocked_switch_events():
    f = found("analyses/blocked-switch-events.data")
    right(re.match(r"producer ran for 4\.\d % of its 2\.", f["ran"]), f)


def convoy_cpu_only():
    f = found("analyses/convoy-cpu-only.data")
    right(re.match(r"wl ran for 10\.9 % of its 4\..*not recorded", f["ran"]), f)
    right(list(f)[0] == "ran", f)


def quota():
    f = found("analyses/quota.data")
    right(re.match(r"pod was ready for 800\.000 ms .*quota", f["held back"]), f)


def pool():
    rows = [line.rsplit(" ", 1) for line in coldperf(
        "offcpu", "-f", "folded", "--no-local",
        case("analyses/pool/sched40.data.zst"), status=None)[0].splitlines()]
    most = max(rows, key=lambda r: int(r[1]))
    right(most[0].startswith("pool-0…39;") and
          int(most[1]) > 15e9, most)


# Of these folders each case has a check; of analyses only some.
CHECKS = {
    "analyses/broken-period.data": broken_period,
    "analyses/user-only.data": user_only,
    "reading/mmap2-misc-leak": mmap2_misc_leak,
    "reading/cpu-map-slack.data": lambda: sound("reading/cpu-map-slack.data"),
    "reading/migrated-task.data": migrated_task,
    "reading/samples-with-8-bytes-more.data":
        # Its row says 245, which is of another file: perf script has 11.
        lambda: count_of("reading/samples-with-8-bytes-more.data", 11),
    "reading/simpleperf-attrs-at-168.data":
        lambda: count_of("reading/simpleperf-attrs-at-168.data", 1),
    "reading/stat-record-no-counters.data":
        lambda: sound("reading/stat-record-no-counters.data"),
    "reading/clock-skew.data": clock_skew,
    "reading/flip-zstd-1bit.data": flip_zstd,
    "names/no-build-id-pipe": no_build_id_pipe,
    "names/z-no-build-id.data": z_no_build_id,
    "names/deleted-object": deleted_object,
    "names/text-on-anonymous-pages": text_on_anonymous_pages,
    "names/cxx20": cxx20,
    "names/jit-map-per-worker": jit_map_per_worker,
    "names/jit-map-of-parent": jit_map_of_parent,
    "names/memfd": memfd,
    "names/icf": icf,
    "names/symbol-sources": symbol_sources,
    "names/patchelf": patchelf,
    "names/patchelf-on-host": patchelf_on_host,
    "names/debuglink-in-symbols": debuglink,
    "stacks/leaf-caller": leaf_caller,
    "stacks/frameless-eagain.data": frameless,
    "stacks/children-nameless.data": children_nameless,
    "stacks/noreturn.c": noreturn,
    "stacks/inlined-waits.cpp": inlined_waits,
    "analyses/one-process-switches.data.zst": one_process_switches,
    "analyses/one-command-sched.data": one_command_sched,
    "analyses/blocked-switch-events.data": blocked_switch_events,
    "analyses/convoy-cpu-only.data": convoy_cpu_only,
    "analyses/quota.data": quota,
    "analyses/pool": pool,
    "security/redact-fp": redact_fp,
    "security/capture-sh": capture_sh,
}


def listed():
    """The cases of the catalogue; a row may name several."""
    out = []
    with open(os.path.join(CASES, "CATALOG.md")) as f:
        for line in f:
            if line.startswith("| ") and "/" in line.split("|")[1]:
                out += [w for w in re.split(r"[,\s]+", line.split("|")[1])
                        if w.split("/")[0] in FOLDERS or w in CHECKS]
    return out


def judge(name):
    try:
        CHECKS[name]()
    except Skip as why:
        tap.skip("%s: %s" % (name, why))
        return
    except (Wrong, subprocess.SubprocessError, KeyError, OSError) as why:
        if name in NOT_YET:
            tap.todo(name, "not right yet", why)
        else:
            tap.ok(False, name, why)
        return
    tap.ok(True, name)
    if name in NOT_YET:
        tap.diag(name + " is right now: take it out of NOT_YET")


if not os.path.exists(os.path.join(CASES, "CATALOG.md")):
    tap.skip_all("there is no folder of cases")
only = sys.argv[1:]
for one in listed():
    if only and one not in only:
        continue
    if one in CHECKS:
        judge(one)
    else:
        tap.ok(False, one + " has a check")
tap.done()
