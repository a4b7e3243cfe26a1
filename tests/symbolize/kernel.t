#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A kernel that was loaded elsewhere than it was linked, and modules, packed or
# not: names from a vmlinux, .ko files and kallsyms, each made here.
import csv
import io
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-kernel.")
LINKED = 0xffffffff81000000
LOADED = 0xffffffff93400000
MODULE = 0xffffffffc0a00000
KERNEL_ID, MODULE_ID, OTHER_ID = "4b" * 20, "3d" * 20, "99" * 20
KERNEL = """
.text
.globl _text
_text:
.globl _stext
_stext:
.fill 64, 1, 0x90
.globl do_one
.type do_one, @function
do_one: .fill 32, 1, 0x90
.size do_one, 32
.globl do_two
.type do_two, @function
do_two: .fill 32, 1, 0x90
.size do_two, 32
.globl _etext
_etext:
"""
PART = """
.text
.fill 16, 1, 0x90
.globl part_run
.type part_run, @function
part_run: .fill 48, 1, 0x90
.size part_run, 48
"""


def path(name):
    return os.path.join(scratch.name, name)


def run(*command, **more):
    return subprocess.run(command, cwd=scratch.name, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **more)


def assemble(name, text):
    return run("gcc", "-c", "-x", "assembler", "-", "-o", name,
               input=text.encode()).returncode == 0


def link(*arguments):
    return run("ld", *arguments).returncode == 0


def make_files():
    if not (assemble("k.o", KERNEL) and assemble("m.o", PART)):
        tap.skip_all("no assembler")
    for name, build_id in (("vmlinux", KERNEL_ID), ("vmlinux-other",
                                                    OTHER_ID)):
        if not link("-Ttext=0x%x" % LINKED, "-e", "_text",
                    "--build-id=0x" + build_id, "-o", name, "k.o"):
            tap.skip_all("no linker that can")
    if not link("-r", "--build-id=0x" + MODULE_ID, "-o", "part-mod.ko",
                "m.o"):
        tap.skip_all("no linker that can")
    for pack, end in (("xz", ".xz"), ("zstd", ".zst"), ("gzip", ".gz")):
        if shutil.which(pack):
            with open(path("part-mod.ko" + end), "wb") as f:
                subprocess.run([pack, "-c", path("part-mod.ko")], stdout=f,
                               check=True)


def make_capture(name, with_id=True, reference=LOADED, at=LOADED):
    lines = ["attr cycles type=0 config=0 period=1 "
             "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap"]
    if with_id:
        lines += ['build_id %s "[kernel.kallsyms]" misc=1' % KERNEL_ID,
                  'build_id %s "/lib/modules/6/part-mod.ko" misc=1'
                  % MODULE_ID]
    lines += ['mmap pid=-1 tid=0 addr=%d len=128 pgoff=%d misc=1 '
              'name="[kernel.kallsyms]_text"' % (at, reference),
              'mmap pid=-1 tid=0 addr=%d len=4096 pgoff=0 misc=1 '
              'name="/lib/modules/6/part-mod.ko"' % MODULE]
    for time, ip in enumerate((at + 64, at + 127, MODULE + 20)):
        lines.append("sample cycles pid=5 time=%d period=1 misc=1 ip=%d"
                     % (time + 1, ip))
    with open(path("in"), "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path(name)], check=True)


def names(capture, *symbols):
    command = [os.path.abspath(tap.coldperf), "script", "-F", "ip,sym,symoff",
               "--no-local", "--cache", path("none"), "--debuginfod=off"]
    for s in symbols:
        command += ["--symbols", path(s)]
    p = run(*command, path(capture))
    return [line.split()[1] for line in p.stdout.decode().splitlines()], \
        p.stderr.decode()


def kallsyms(name, at, module=MODULE, zero=False):
    with open(path(name), "w") as f:
        for where, kind, symbol in (
                (at, "T", "_text"), (at, "T", "_stext"),
                (at + 64, "T", "do_one"), (at + 96, "T", "do_two"),
                (at + 128, "T", "_etext"),
                (module + 16, "t", "part_run\t[part_mod]")):
            f.write("%016x %s %s\n" % (0 if zero else where, kind, symbol))


make_files()
make_capture("capture")
make_capture("nameless", with_id=False)
make_capture("hidden", reference=0)
WANT = ["do_one+0x0", "do_two+0x1f", "[unknown]"]
WHOLE = WANT[:2] + ["part_run+0x4"]

got, err = names("capture", "vmlinux")
tap.ok(got == WANT, "a vmlinux that was loaded elsewhere", (got, err))
got, err = names("capture", "vmlinux-other")
tap.ok(got == ["[unknown]"] * 3 and "build-id-mismatch" in err,
       "one of another build is not used", (got, err))
for end in ("", ".xz", ".zst", ".gz"):
    if not os.path.exists(path("part-mod.ko" + end)):
        tap.skip("nothing makes part-mod.ko" + end)
        continue
    os.mkdir(path("folder" + end))
    shutil.copy(path("part-mod.ko" + end), path("folder" + end))
    got, err = names("capture", "vmlinux", "folder" + end)
    tap.ok(got == WHOLE, "a module as .ko" + end, (got, err))
kallsyms("same-boot", LOADED)
got, err = names("capture", "same-boot")
tap.ok(got == WHOLE, "the kallsyms of that boot", (got, err))
kallsyms("other-boot", LINKED, MODULE + 0x100000)
got, err = names("capture", "other-boot")
tap.ok(got == WANT and "another boot" in err,
       "one of another boot slides, but for modules", (got, err))
os.makedirs(path("server/proc"))
shutil.copy(path("same-boot"), path("server/proc/kallsyms"))
got, err = names("capture", "server")
tap.ok(got == WHOLE, "one in a folder", (got, err))
if run("tar", "-czf", path("server.tar.gz"), "-C", path("server"),
       "proc").returncode == 0:
    got, err = names("capture", "server.tar.gz")
    tap.ok(got == WHOLE, "one in a bundle", (got, err))
else:
    tap.skip("no tar")
for drop, why in (("_etext", "does not say where its code ends"),
                  ("", "is of another kernel")):
    with open(path("same-boot")) as f, \
            open(path("server/proc/kallsyms"), "w") as out:
        for line in f:
            if drop == "":
                line = line.replace("%x T _etext" % (LOADED + 128),
                                    "%x T _etext" % (LOADED + 144))
            if drop == "" or drop not in line:
                out.write(line)
    got, err = names("capture", "server")
    tap.ok(got == ["[unknown]"] * 3, "not if it " + why, (got, err))
kallsyms("zeros", LOADED, zero=True)
got, err = names("capture", "zeros")
tap.ok(got == ["[unknown]"] * 3 and "kallsyms-hidden" in err,
       "one without addresses is told", (got, err))
got, err = names("capture")
tap.ok(KERNEL_ID in err and "--symbols" in err,
       "what would help is told with its build ID", err)
got, err = names("nameless")
tap.ok("no build ID" in err, "or why nothing is known of it", err)
got, err = names("nameless", "vmlinux")
tap.ok(got == WANT, "the vmlinux that the user names is believed", (got, err))
got, err = names("hidden", "same-boot")
tap.ok("kernel-restricted" in err and got[:2] == WANT[:2],
       "a recorder that could not see the kernel's place", (got, err))


def make_guest():
    lines = ["attr cycles type=0 config=0 period=1 "
             "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap"]
    for pid, at, module in ((-1, LINKED, MODULE), (7, LOADED, MODULE + 4096)):
        misc, kernel, ko = (1, "[kernel.kallsyms]_text", "[part_mod]") \
            if pid < 0 else (4, "[guest.kernel.kallsyms.7]_text", "[part_mod]")
        lines += ['mmap pid=%d tid=0 addr=%d len=128 pgoff=%d misc=%d '
                  'name="%s"' % (pid, at, at, misc, kernel),
                  'mmap pid=%d tid=0 addr=%d len=4096 pgoff=0 misc=%d '
                  'name="%s"' % (pid, module, misc, ko)]
        for ip in (at + 64, module + 20):
            lines.append("sample cycles pid=7 time=%d period=1 misc=%d ip=%d"
                         % (len(lines), misc, ip))
    with open(path("in"), "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path("guest-capture")], check=True)


# Host and guest have a module of one name, each at its place.
make_guest()
kallsyms("host-names", LINKED)
kallsyms("guest.kallsyms", LOADED, MODULE + 4096)
got, err = names("guest-capture", "host-names", "guest.kallsyms")
tap.ok(got == ["do_one+0x0", "part_run+0x4"] * 2,
       "kernel and module of a virtual machine and of its host", (got, err))
got, err = names("guest-capture", "host-names")
tap.ok(got == ["do_one+0x0", "part_run+0x4", "[unknown]", "[unknown]"],
       "the host's text names nothing of the machine", (got, err))
kallsyms("guest.kallsyms", LINKED, MODULE)
got, err = names("guest-capture", "host-names", "guest.kallsyms")
tap.ok(got[2:] == ["do_one+0x0", "[unknown]"] and "another boot" in err,
       "another boot of the machine: not for its modules", (got, err))


def running():
    """Build ID, _text and _etext of this machine's kernel, if it tells."""
    try:
        with open("/sys/kernel/notes", "rb") as f:
            notes = f.read()
        with open("/proc/kallsyms") as f:
            at = {w[2]: int(w[0], 16) for w in map(str.split, f)
                  if w[2] in ("_text", "_etext")}
    except OSError:
        return None
    note = notes.find(struct.pack("<III", 4, 20, 3) + b"GNU\0")
    if note < 0 or not at.get("_text") or not at.get("_etext"):
        return None
    return notes[note + 16:note + 36].hex(), at["_text"], at["_etext"]


def running_names(build_id, at, end, *options):
    """Of the first byte of a kernel that is said to be the running one."""
    said = 'build_id %s "[kernel.kallsyms]" misc=1\n' % build_id
    with open(path("in"), "w") as f:
        f.write("""attr cycles type=0 config=0 period=1 \
sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap
%smmap pid=-1 tid=0 addr=%d len=%d pgoff=%d misc=1 name="[kernel.kallsyms]_text"
sample cycles pid=5 time=1 period=1 misc=1 ip=%d
""" % (said if build_id else "", at, end - at, at, at))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path("running")], check=True)
    p = run(os.path.abspath(tap.coldperf), "script", "-F", "ip,sym",
            "--cache", path("none"), "--debuginfod=off", *options,
            path("running"))
    return p.stdout.decode().split()[1:2], p.stderr.decode()


def test_running():
    here = running()
    if here is None:
        tap.skip("the running kernel does not tell its names or place")
        return
    want, _ = running_names(*here)
    tap.ok(len(want) == 1 and want != ["[unknown]"],
           "the running kernel names a capture of itself", want)
    got, _ = running_names(OTHER_ID, *here[1:])
    tap.ok(got == ["[unknown]"], "but none of another build", got)
    given = "--no-local", "--symbols", "/proc/kallsyms"
    got, err = running_names(*here, *given)
    tap.ok(got == want and "build-id" not in err and "unverified" not in err,
           "and so if the user names it", (got, err))
    got, err = running_names(OTHER_ID, *here[1:], *given)
    tap.ok(got == ["[unknown]"] and OTHER_ID in err and here[0] in err,
           "of another build both IDs are told", (got, err))
    got, err = running_names("", *here[1:], "--diag=json", *given)
    tap.ok(got == want and "unverified" in err,
           "without an ID it is believed as any kallsyms is", (got, err))
    got, err = running_names(*here, "--no-local", "--symbols",
                             "/proc/self/maps")
    tap.ok(got == ["[unknown]"] and "no-symbols" in err,
           "nothing else is opened there", (got, err))


test_running()


def inlined(capture, *symbols):
    """With a cache, which names() does not want; lines without one are out."""
    command = [os.path.abspath(tap.coldperf), "script", "-F", "ip,sym",
               "--no-local", "--debuginfod=off", "--lines"]
    for s in symbols:
        command += ["--symbols", path(s)]
    p = run(*command, path(capture),
            env=dict(os.environ, XDG_CACHE_HOME=path("xdg")))
    return [line for line in p.stdout.decode().splitlines()
            if line.startswith("  k.c:") or line.startswith("  m.c:")]


def listing(*symbols):
    """(address, code, samples) of each instruction that annotate shows."""
    command = [os.path.abspath(tap.coldperf), "annotate", "--all", "-f",
               "csv", "--no-local", "--debuginfod=off"]
    for s in symbols:
        command += ["--symbols", path(s)]
    p = run(*command, path("capture"),
            env=dict(os.environ, XDG_CACHE_HOME=path("xdg")))
    rows = csv.DictReader(io.StringIO(p.stdout.decode()))
    return [(int(r["address"], 16), r["code"], int(r["samples"]))
            for r in rows if r["depth"] == "2"], p.stderr.decode()


def disassembled(name, *options):
    out = run("objdump", "-d", "-w", *options, path(name)).stdout.decode()
    return [int(m, 16) for m in re.findall(r"^ *([0-9a-f]+):\t", out, re.M)]


def test_code():
    got, err = listing("vmlinux-g", "part-g.ko")
    if "libcapstone" in err:
        return tap.skip("Capstone is not installed")
    kernel = [r for r in got if r[0] >= LINKED]
    tap.ok([r[0] for r in kernel] ==
           disassembled("vmlinux-g", "--disassemble=do_one") and
           kernel[0][2] == 1, "instructions of a kernel", (got, err))
    module = [r for r in got if r[0] < LINKED]
    tap.ok([r[0] for r in module if not r[1].startswith("(")] ==
           disassembled("part-g.ko") and
           sum(r[2] for r in module) == 1 and
           any(r[1].endswith(" (relocated)") for r in module),
           "and of a module, whose calls lead nowhere yet", (got, err))
    got, err = listing("same-boot")
    tap.ok("no-code" in err and "vmlinux" in err and
           {r[1] for r in got} == {"[not known]"},
           "kallsyms has no instructions", (got, err))


with open(path("k.c"), "w") as f:
    f.write("int v;\nint do_one(int a) { v = a; return v * 3; }\n")
with open(path("m.c"), "w") as f:
    f.write("int w, gone(int);\n"
            "int part_run(int a) { w = a; return w * 5 + gone(a); }\n")
if run("gcc", "-c", "-g", "-O1", "-fno-pie", "-falign-functions=64", "k.c",
       "-o", "kg.o").returncode == 0 and \
        run("gcc", "-c", "-g", "-O0", "-fno-pie", "m.c",
            "-o", "mg.o").returncode == 0 and \
        assemble("t.o", ".text\n.globl _text\n_text: .fill 64, 1, 0x90\n") \
        and link("-Ttext=0x%x" % LINKED, "-e", "_text", "--build-id=0x" +
                 KERNEL_ID, "-o", "vmlinux-g", "t.o", "kg.o") \
        and link("-r", "--build-id=0x" + MODULE_ID, "-o", "part-g.ko",
                 "mg.o") \
        and run("strip", "-g", "-o", "vmlinux-s", "vmlinux-g"
                ).returncode == 0:
    make_capture("next-boot", reference=LOADED + 0x400000,
                 at=LOADED + 0x400000)
    cold = inlined("capture", "vmlinux-g", "part-g.ko")
    tap.ok({"k.c:2", "m.c:2"} <= {x.strip() for x in cold},
           "lines of a kernel and a module", cold)
    got = inlined("next-boot", "vmlinux-s")
    tap.ok(got == [], "the cache does not answer for a file without lines",
           (got, cold))
    test_code()
else:
    tap.skip("gcc makes no kernel with debug information")
# perf: the same, but for what follows the kernel's text up to the first module.
FIRST, SECOND = 0xffffffffc0010000, 0xffffffffc0020000
lines = ["attr cycles type=0 config=0 period=1 "
         "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap",
         'mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x3f000000 '
         'pgoff=0xffffffff81000000 misc=1 name="[kernel.kallsyms]_text"']
lines += ['mmap pid=-1 tid=0 addr=%#x len=0x4000 pgoff=0 misc=1 '
          'name="/lib/modules/6/%s.ko"' % m
          for m in ((SECOND, "second"), (FIRST, "first"))]
lines += ["sample cycles pid=5 time=%d period=1 misc=1 ip=%#x" % (i + 1, ip)
          for i, ip in enumerate((FIRST - 16, FIRST + 16, FIRST + 0x8000,
                                  SECOND + 16, SECOND + 0x8000))]
with open(path("in"), "w") as f:
    f.write("\n".join(lines) + "\n")
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                path("in"), path("gaps")], check=True)
rows = run(os.path.abspath(tap.coldperf), "hotspots", "--by", "dso", "-f",
           "csv", "--no-local", path("gaps")).stdout.decode()
got = {r.split(",")[-1]: r.split(",")[3] for r in rows.splitlines()[1:]}
tap.ok(got == {"[kernel.kallsyms]": "1", "[first]": "1", "[second]": "1",
               "[unknown]": "2"}, "gaps between modules are in no object",
       rows)
tap.done()
