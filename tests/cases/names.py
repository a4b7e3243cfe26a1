# SPDX-License-Identifier: MIT
"""Checks of the cases under names/: see tests/cases.t."""
import os
import re
import shutil
import subprocess
import tarfile

import tap
from common import (
    Skip, built, case, coldperf, command, folded, need, recorded, right,
    rows, scratch, shares, unpacked, whole, work)


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
    linker = "lld" if shutil.which("ld.lld") else "gold"
    need("ld." + linker)
    prog = built(case("names/icf/icf.cc"), "-O1", "-g", "-ffunction-sections",
                 "-fuse-ld=" + linker, "-Wl,--icf=all", compiler="clang++")
    got = {r["symbol"] for r in rows(recorded(prog, "-e", "cpu-clock:u", "-F",
                                              "499"))}
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
