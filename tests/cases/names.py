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


# LLVM 19 does not read these, either.
BEYOND_LLVM = ("_ZN3FooIiE6methodITk4True", "_ZN16GrDrawingManager5flushE")


def cxx20():
    """The names are of functions of an object: those of maps stay as they are."""
    with open(case("names/cxx20/names.txt")) as f:
        names = f.read().split()
    if not any(os.path.exists(folder + "/libc++abi.so.1") for folder in (
            "/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib")):
        raise Skip("libc++abi is not installed")
    source = scratch("cxx20", "names.s")
    with open(source, "w") as f:
        f.write(".text\n.p2align 12\n.globl begin\nbegin: ret\n")
        for name in names:
            f.write('.p2align 5\n.globl "{0}"\n.type "{0}",@function\n'
                    '"{0}": ret\n.size "{0}",1\n'.format(name))
    object = built(source, "-shared", "-nostdlib", "-Wl,-z,noseparate-code",
                   "-Wl,-Ttext=0x1000")
    data = scratch("cxx20", "names.data")
    with open(scratch("cxx20", "names.mkperf"), "w") as f:
        f.write("attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME\n"
                'mmap pid=7 addr=0x10000 len=0x10000 pgoff=0 name="%s"\n' %
                object)
        f.write("".join("sample ip=%d pid=7 time=%d\n" % (
            0x11000 + 32 * (i + 1), i + 1) for i in range(len(names))))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    f.name, data], check=True)
    got = [r["symbol"] for r in rows("--demangle=full", data)]
    raw = [n for n in got if n.startswith("_Z")]
    right(len(got) == len(names) and "tuple[abi:ne180000]" in str(got) and
          all(n.startswith(BEYOND_LLVM) for n in raw), got)


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
