#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Symbol files as people have them: compressed, in a tar that lies in a folder,
# in a package of Debian, of Fedora or of Android, in the folders of Nix.
import bz2
import gzip
import io
import lzma
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-packed.")
corpus = os.environ["top_srcdir"] + "/corpus/good-fp/"
os.environ["XDG_CACHE_HOME"] = scratch.name + "/cache"
with open(corpus + "symbols/known", "rb") as known:
    ELF = known.read()


def path(name):
    full = os.path.join(scratch.name, name)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    return full


def write(name, data):
    with open(path(name), "wb") as f:
        f.write(data)


def named(*options, env=None):
    done = subprocess.run(
        [tap.coldperf, "hotspots", "-f", "csv", "--by", "symbol",
         "--debuginfod=off", "--cache", "", *options,
         corpus + "perf.data"], stdout=subprocess.PIPE, text=True,
        stderr=subprocess.PIPE, check=False, stdin=subprocess.DEVNULL,
        env={**os.environ, **(env or {})})
    return any(line.endswith(",heavy")
               for line in done.stdout.splitlines()), done.stderr


def tar(*members, mode="w"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as t:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()


def deb(data, name="data.tar.xz"):
    out = b"!<arch>\n"
    for member, text in (("debian-binary", b"2.0\n"),
                         ("control.tar.gz", tar(("./control", b"Package: x\n"),
                                                mode="w:gz")),
                         (name, data)):
        out += b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (
            member.encode(), 0, 0, 0, b"100644", len(text))
        out += text + b"\n" * (len(text) % 2)
    return out


def cpio(name, data):
    def entry(name, data, mode):
        name = name.encode() + b"\0"
        head = b"070701" + b"".join(b"%08X" % n for n in (
            1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name), 0)) + name
        head += b"\0" * (-len(head) % 4)
        return head + data + b"\0" * (-len(data) % 4)
    return entry(name, data, 0o100644) + entry("TRAILER!!!", b"", 0)


def rpm(payload):
    head = b"\x8e\xad\xe8\1" + b"\0" * 4 + struct.pack(">II", 1, 8) + \
        struct.pack(">IIII", 1000, 7, 0, 8) + b"\0" * 8
    return b"\xed\xab\xee\xdb\3\0" + b"\0" * 90 + head + head + payload


def zipped(*members, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, data in members:
            z.writestr(name, data)
    return out.getvalue()


tap.ok(not named("--no-local")[0], "without symbols there is no name")
packed = {".xz": lzma.compress(ELF), ".gz": gzip.compress(ELF),
          ".bz2": bz2.compress(ELF)}
if shutil.which("zstd"):
    packed[".zst"] = subprocess.run(["zstd", "-qc"], input=ELF, check=True,
                                    stdout=subprocess.PIPE).stdout
for end, data in packed.items():
    write("dir" + end + "/deep/known.debug" + end, data)
    got, err = named("--no-local", "--symbols", path("dir" + end))
    tap.ok(got, "a %s in a folder" % end, err)
write("inside/in.tar", tar(("./a/known.xz", packed[".xz"])))
BELOW = "./usr/lib/debug/.build-id/00/11.debug"
DATA = tar((BELOW, ELF), mode="w:xz")
write("tar/in.tar.xz", DATA)
for what in ("tar", "inside"):
    got, err = named("--no-local", "--symbols", path(what))
    tap.ok(got, "a tar in a folder: " + what, err)
PACKAGES = {
    "x-dbgsym_1_amd64.deb": deb(DATA),
    "y-dbgsym_1_amd64.ddeb": deb(tar((BELOW, ELF)), "data.tar"),
    "z-debuginfo-1.rpm": rpm(lzma.compress(cpio(BELOW, ELF))),
    "g-debuginfo-1.rpm": rpm(gzip.compress(cpio(BELOW, ELF))),
    "base.apk": zipped(("classes.dex", b"dex"), ("lib/a/known.so", ELF)),
    "symbols.zip": zipped(("armeabi/known.so", ELF),
                          method=zipfile.ZIP_DEFLATED),
}
for name, data in PACKAGES.items():
    write("given/" + name, data)
    got, err = named("--no-local", "--symbols", path("given/" + name))
    tap.ok(got, "--symbols " + name, err)
    if name != "symbols.zip":
        write("in-" + name + "/" + name, data)
        got, err = named("--no-local", "--symbols", path("in-" + name))
        tap.ok(got, "in a folder: " + name, err)
        got, err = named("--no-local", "--symbols", path("in-" + name))
        tap.ok(got, "and again, from the cache", err)
write("usual/x_1_amd64.deb", deb(DATA))
got, err = named("--no-local", "--symbols", path("usual"))
tap.ok(not got, "of packages in a folder those without debug information are "
       "left alone", err)
HEX = subprocess.run(["readelf", "-n", corpus + "symbols/known"], text=True,
                     stdout=subprocess.PIPE, check=False).stdout
HEX = HEX.split("Build ID: ")[1].split()[0]
write("nix/.build-id/%s/%s.debug" % (HEX[:2], HEX[2:]), ELF)
nix = {"NIX_DEBUG_INFO_DIRS": "/none::" + path("nix")}
got, err = named(env=nix)
tap.ok(got, "NIX_DEBUG_INFO_DIRS", err)
got, err = named("--no-local", env=nix)
tap.ok(not got, "not with --no-local", err)

# What is none of these, cut or made to harm.
write("bad/text.gz", gzip.compress(b"no object " * 1000))
write("bad/cut.debug.xz", packed[".xz"][:len(packed[".xz"]) // 2])
write("bad/zeros.debug.gz", gzip.compress(b"\x7fELF" + bytes(200 << 20)))
write("bad/out-dbgsym.deb", deb(tar(("../../../../" + scratch.name + "/out",
                                     ELF[:64]))))
write("bad/cut-debug.rpm", PACKAGES["z-debuginfo-1.rpm"][:300])
write("bad/far-dbg.deb", deb(tar(("deep.tar", tar(("deep.tar", tar(
    ("deep.tar", tar(("known", b"\x7fELF"))))))))))
got, err = named("--no-local", "--symbols", path("bad"))
tap.ok(not got and not os.path.exists(path("out")) and
       "cut-debug.rpm" in err, "bad ones name nothing and write nothing", err)
tap.done()
