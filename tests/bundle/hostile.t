#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Bundles from anywhere: unpack writes below its folder only, verify names what
# is wrong, a capture is read from any tar, and limits are named.
import bz2
import gzip
import io
import os
import random
import subprocess
import sys
import tarfile
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-bundle.")
top = scratch.name
capture = os.path.join(tap.top_srcdir, "corpus/good-fp/perf.data")
symbols = os.path.join(tap.top_srcdir, "corpus/good-fp/symbols")


def run(*args, stdin=None, **env):
    p = subprocess.run([tap.coldperf, *args], cwd=top, stdin=stdin,
                       env=dict(os.environ, **env),
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


def make(name, members, mode="w"):
    path = os.path.join(top, name)
    with tarfile.open(path, mode, format=tarfile.PAX_FORMAT) as t:
        for m in members:
            info = tarfile.TarInfo(m[0])
            info.type = m[1]
            if m[1] == tarfile.REGTYPE:
                info.size = len(m[2])
                t.addfile(info, io.BytesIO(m[2]))
            else:
                info.linkname = m[2] if len(m) > 2 else ""
                t.addfile(info)
    return path


def tree(folder):
    return sorted(os.path.relpath(os.path.join(at, f), folder)
                  for at, dirs, files in os.walk(folder)
                  for f in files + [d for d in dirs if
                                    os.path.islink(os.path.join(at, d))])


def refuses(members, what, kept=("good",)):
    """Unpacks with a good member at the end, in a folder of its own."""
    path = make("x.tar", members + [("good", tarfile.REGTYPE, b"good")])
    os.mkdir(os.path.join(top, "box"))
    before = tree(top)
    status, _, err = run("unpack", "-o", "box/in", path)
    inside = tree(os.path.join(top, "box"))
    outside = [f for f in tree(top)
               if f not in before and not f.startswith("box/in/")]
    tap.ok(status == 3 and "refused-member" in err and not outside and
           inside == sorted("in/" + k for k in kept), "unpack: " + what,
           "status %d\n%s\n%s outside %s" % (status, err, inside, outside))
    subprocess.run(["rm", "-rf", os.path.join(top, "box")], check=True)


REG, LINK = tarfile.REGTYPE, tarfile.SYMTYPE
refuses([("../out", REG, b"x")], "a name that leads up")
refuses([("a/../../out", REG, b"x")], "one that leads up later")
refuses([(top + "/out", REG, b"x")], "an absolute name")
deep = ["/".join(["a"] * n) for n in (300, 130, 129)]
refuses([(d, REG, b"x") for d in deep], "names of too many folders",
        ("good", deep[2]))
refuses([("l", LINK, "/etc"), ("l/x", REG, b"x")], "an absolute link",
        ("good", "l/x"))
refuses([("l", LINK, "../.."), ("l/x", REG, b"x")], "a link that leads up",
        ("good", "l/x"))
refuses([("a/l", LINK, "."), ("k", LINK, "a/l/../..")],
        "a link that leads up through another", ("a/l", "good"))
refuses([("d/e", REG, b""), ("l", LINK, "d"), ("l/x", REG, b"x")],
        "a member through a link", ("d/e", "good", "l"))
refuses([("f", REG, b"1"), ("f", REG, b"2")], "the same name twice",
        ("f", "good"))
refuses([("h", tarfile.LNKTYPE, "/etc/passwd")], "a hard link")
refuses([("p", tarfile.FIFOTYPE)], "a pipe")
refuses([("c", tarfile.CHRTYPE)], "a device")
refuses([("f", REG, b"1"), ("f/g", REG, b"2")], "a file as a folder",
        ("f", "good"))
os.mkdir(os.path.join(top, "full"))
with open(os.path.join(top, "full", "mine"), "w") as f:
    f.write("mine")
path = make("y.tar", [("mine", REG, b"theirs")])
status, _, err = run("unpack", "-o", "full", path)
tap.ok(status == 2 and open(os.path.join(top, "full/mine")).read() == "mine",
       "unpack: not into a folder that holds something", err)

# A capture inside.
with open(capture, "rb") as f:
    data = f.read()
want = run("script", "--no-local", "--cache", "/none", capture)[1]
for mode, name in (("w", "tar"), ("w:gz", "gz"), ("w:bz2", "bz2"),
                   ("w:xz", "xz")):
    path = make("c." + name, [("notes", REG, random.Random(1).randbytes(600000)),
                              ("deep/any.name", REG, data)], mode)
    got = run("script", "--no-local", "--cache", "/none", path)
    tap.ok(got[:2] == (0, want), "a capture in a tar file, " + name, got[2])
    with open(path, "rb") as f:
        got = run("script", "--no-local", "--cache", "/none", "-", stdin=f)
    tap.ok(got[:2] == (0, want), "... from a pipe", got[2])
status, _, err = run("info", make("n.tar", [("a", REG, b"x")]))
tap.ok(status == 2 and "no capture in the bundle" in err,
       "a bundle without a capture", err)
path = make("cut.tar", [("perf.data", REG, data)])
os.truncate(path, len(data) // 2)
status, _, err = run("info", path)
tap.ok(status == 3 and "truncated" in err, "a capture that is cut in a bundle",
       err)
status, _, err = run("unpack", "-o", os.path.join(top, "cut"), path)
left = len(data) // 2 - 512
tap.ok(status == 3 and "; perf.data has %d of %d bytes"
       % (left, len(data)) in err and
       os.path.getsize(os.path.join(top, "cut/perf.data")) == left,
       "... unpacked: it tells which file, and what is there of it", err)
status, _, err = run("info", make("folder.tar", [
    ("perf.data/data", REG, data), ("perf.data/data.0", REG, b""),
    ("perf.data/../data.1", REG, b"x"), ("other/data.2", REG, b"x")]))
tap.ok(status == 0, "a directory capture in a bundle", err)
long = os.path.join(top, *["a long name"] * 9)
os.makedirs(long)
for what, folder in ("far below", long), ("not there", top + "/none"):
    status, _, err = run("info", os.path.join(top, "folder.tar"),
                         TMPDIR=folder)
    tap.ok(status == 0, "... where the temporary folder is " + what, err)
tap.ok(os.listdir(long) == [], "... in which nothing is left")

# A CRC that is wrong, after all that is needed was read; members whose CRC is
# right on either side.
for what, name, parts in (("a capture", "perf.data.gz", [data]),
                          ("a tar file", "crc.tar.gz", [
                              open(make("crc.tar", [("perf.data", REG, data)]),
                                   "rb").read()]),
                          ("the first of two", "two.gz",
                           [data[:5000], data[5000:]])):
    for at in None, -8, -4:  # CRC, size
        packed = [bytearray(gzip.compress(part)) for part in parts]
        if at is not None:
            packed[0][at] ^= 1
        with open(os.path.join(top, name), "wb") as f:
            f.write(b"".join(packed))
        want = 0 if at is None else 3
        status, _, err = run("unpack", "-o", name + ".d", name)
        subprocess.run(["rm", "-rf", os.path.join(top, name + ".d")])
        tap.ok(status == want, "gzip: %s, %s" % (
            what, "whole" if at is None else "byte %d is wrong" % at), err)

# What follows the end of a stream of bzip2; of several streams, and of zeros,
# nothing is lost.
for what, parts, want in (
        ("in two streams", [data[:5000], data[5000:]], 0),
        ("and zeros", [data, bytes(5000)], 0), ("and junk", [data, b"x"], 3),
        ("and zeros, then junk", [data, bytes(300000) + b"x"], 3)):
    with open(os.path.join(top, "end.bz2"), "wb") as f:
        f.write(b"".join(bz2.compress(p) if p[:1] != b"\0" and len(p) > 1
                         else p for p in parts))
    status, _, err = run("info", "--no-local", "--cache", "/none", "end.bz2")
    tap.ok(status == want and
           (want == 0 or "bytes after the end that are no bzip2" in err),
           "bzip2: a capture %s" % what, "status %d: %s" % (status, err))

# Modes are those of the archive, less the umask; what is private stays so.
def modes(what, bundle, mode, umask, want):
    path = make("m.tar", [])
    with tarfile.open(path, "w") as t:
        info = tarfile.TarInfo("perf.data")
        info.size, info.mode = len(data), mode
        t.addfile(info, io.BytesIO(data))
    os.chmod(path, bundle)
    old = os.umask(umask)
    run("unpack", "-o", "m", path)
    os.umask(old)
    got = os.stat(os.path.join(top, "m/perf.data")).st_mode & 0o7777
    tap.ok(got == want, "unpack: " + what, "%o" % got)
    subprocess.run(["rm", "-rf", os.path.join(top, "m")])


modes("a member's mode is kept", 0o644, 0o600, 0o022, 0o600)
modes("... less the umask", 0o644, 0o666, 0o027, 0o640)
modes("... without set-user-ID", 0o644, 0o4755, 0, 0o755)
modes("of a private bundle no more than 0644", 0o600, 0o666, 0, 0o644)
for mode, want in ((0o600, 0o600), (0o644, 0o644)):
    with open(os.path.join(top, "own.data"), "wb") as f:
        f.write(data)
    os.chmod(f.name, mode)
    run("pack", "--no-local", "--no-cache", "-o", "own.tar.zst", "own.data")
    run("unpack", "-o", "own", "own.tar.zst")
    got = os.stat(os.path.join(top, "own/perf.data")).st_mode & 0o777
    tap.ok(got == want, "a capture of mode %o is packed and unpacked" % mode,
           "%o" % got)
    subprocess.run(["rm", "-rf", os.path.join(top, "own")])

# Limits, by whatever command they are met; no folder gets what is outside.
def limited(name, members, word):
    """members: what the tar file is made of, compressed piece by piece."""
    path = os.path.join(top, name)
    with open(path, "wb") as f:
        for part, times in members:
            f.write(gzip.compress(part) * times)
    for want, *command in ((2, "info"), (4, "verify"),  # 2: no capture
                           (4, "unpack", "-o", name + ".d")):
        before = tree(top)
        status, _, err = run(*command, path)
        new = [f for f in tree(top) if f not in before and
               not f.startswith(name + ".d/")]
        tap.ok(status == want and word in err and not new,
               "%s: %s names %s" % (name, command[0], word),
               (status, err[-500:], new))
        subprocess.run(["rm", "-rf", os.path.join(top, name + ".d")])


def header(name, size):
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.USTAR_FORMAT)


limited("bomb.gz", [(header("bomb", 320 << 20), 1), (bytes(16 << 20), 20)],
        "CP_ARCHIVE_RATIO")
limited("many.gz", [(header("m", 0) * 65536, 4), (header("m", 0), 1)],
        "CP_MAX_MEMBERS")
limited("long.gz",
        [(tarfile.TarInfo("n" * 4097).tobuf(tarfile.GNU_FORMAT), 1)],
        "CP_MAX_MEMBER_NAME")


def number(value):
    return b"\x80" + value.to_bytes(11, "big")


def sparse(size, stored=512, first=False):
    """A member of so many bytes of which the last or first are stored."""
    h = bytearray(header("sparse", stored))
    h[156:157] = b"S"
    h[257:265] = b"ustar  \0"
    h[386:410] = number(0 if first else size - stored) + number(stored)
    h[483:495] = number(size)
    h[148:156] = b" " * 8
    h[148:156] = b"%06o\0 " % sum(h)
    return bytes(h) + b"x" * stored


path = os.path.join(top, "sparse.tar")
with open(path, "wb") as f:
    f.write(sparse(1 << 30) + bytes(1024))
status, _, err = run("verify", path)
tap.ok(status == 4 and "CP_ARCHIVE_RATIO" in err,
       "zeros of a sparse member count as inflated", (status, err))

# Captures with copies of stacks reach 120 times their size.
with open(path, "wb") as f:
    f.write(sparse((256 << 20) + (120 << 20), 1 << 20, True) + bytes(1024))
_, _, err = run("verify", path)
tap.ok("CP_ARCHIVE_RATIO" not in err, "a bundle of copied stacks", err)

with open(path, "wb") as f:
    f.write(sparse(65 << 30) + bytes(1024))
status, _, err = run("unpack", "-o", "spool", path)
tap.ok(status == 4 and "CP_MAX_SPOOL" in err,
       "a sparse member of 65 GiB is not unpacked", (status, err))

# verify
status, _, err = run("pack", "--symbols", symbols, "-o", "p.tar.zst", capture)
tap.ok(status == 0, "a capture is packed", err)
status, out, err = run("verify", "p.tar.zst")
tap.ok(status == 0, "verify: as it was packed", (out, err))
run("unpack", "-o", "p", "p.tar.zst")
names = tree(os.path.join(top, "p"))
everything = [("coldperf/MANIFEST", REG,
               open(os.path.join(top, "p/coldperf/MANIFEST"), "rb").read())]
for n in names:
    at = os.path.join(top, "p", n)
    if os.path.islink(at):
        everything.append((n, LINK, os.readlink(at)))
    elif n != "coldperf/MANIFEST":
        everything.append((n, REG, open(at, "rb").read()))
victim = max((m for m in everything[1:] if m[1] == REG),
             key=lambda m: len(m[2]))
others = [m for m in everything if m is not victim]
flipped = bytearray(victim[2])
flipped[len(flipped) // 2] ^= 4


def wrong(members, word, name, what):
    status, out, err = run("verify", make("v.tar.gz", members, "w:gz"))
    tap.ok(status == 1 and ("%s: %s\n" % (word, name)).encode() in out,
           "verify: " + what, (status, out, err))


tap.ok(run("verify", make("v.tar", everything))[0] == 0,
       "verify: repacked by tar")
wrong(others + [(victim[0], REG, bytes(flipped))], "damaged", victim[0],
      "a flipped bit")
wrong(others + [(victim[0], REG, victim[2][:-1])], "damaged", victim[0],
      "a byte less")
wrong(others, "missing", victim[0], "a member less")
wrong(everything + [("more", REG, b"x")], "added", "more", "a member more")
wrong(everything + [victim], "twice", victim[0], "a member twice")
links = [m for m in everything if m[1] == LINK]
if links:
    wrong([m for m in everything if m is not links[0]] +
          [(links[0][0], LINK, "../../elsewhere")], "damaged", links[0][0],
          "a link to elsewhere")
# Without its manifest nothing can be said of the content.
status, out, err = run("verify", make("bare.tar", everything[1:]))
tap.ok(status == 3 and b"no manifest: " in out and
       b"the content of none is known" in out,
       "verify: a bundle whose manifest was taken out", (status, out, err))
# A bundle is compressed as its name says.
for name, magic, where in (("n.tar", b"ustar", 257), ("n.tar.gz", b"\x1f\x8b", 0),
                           ("n.tgz", b"\x1f\x8b", 0), ("n.tar.xz", b"\xfd7zXZ", 0),
                           ("n.tar.zst", b"\x28\xb5\x2f\xfd", 0),
                           ("n", b"\x28\xb5\x2f\xfd", 0)):
    run("pack", "--no-local", "-o", name, capture)
    with open(os.path.join(top, name), "rb") as f:
        begin = f.read(300)
    tap.ok(begin[where:where + len(magic)] == magic and
           run("verify", name)[0] == 0, "pack -o " + name, begin[:8])
status, out, err = run("verify", make("none.tar", [("a", REG, b"x")]))
tap.ok(status == 1 and b"nothing to check" in out,
       "verify: a tar file of something else", (out, err))
tap.done()
