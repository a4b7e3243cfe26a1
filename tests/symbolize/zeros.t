#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# An object of which a block is zeros, as after a download that stopped: what it
# names is what the whole object names, and names that are lost are said.
import csv
import io
import os
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

BLOCK = 512
ID = "00112233445566778899aabbccddeeff00112233"
scratch = tempfile.TemporaryDirectory(prefix="coldperf-zeros.")
PROGRAM = """volatile int sink;
static inline __attribute__((always_inline)) void inner(int n) { sink = n; }
static __attribute__((noinline)) void %s(int n) { inner(n); inner(n + 1); }
%s
int main(int c, char **v) { (void)v; %s return 0; }
"""


def path(*names):
    return os.path.join(scratch.name, *names)


def need(*command):
    if shutil.which(command[0]) is None or subprocess.run(
            command, cwd=scratch.name, stderr=subprocess.DEVNULL).returncode:
        tap.skip_all("%s does not work" % command[0])


def sections(data):
    """(name, type, flags, offset, size), in the order of the headers"""
    at, = struct.unpack_from("<Q", data, 40)
    n, names = struct.unpack_from("<HH", data, 60)
    all_ = [struct.unpack_from("<IIQQQQ", data, at + 64 * i)
            for i in range(n)]
    return [(data[all_[names][4] + s[0]:].split(b"\0", 1)[0].decode(), s[1],
             s[2], s[4], s[5]) for s in all_]


def names(data, *options):
    """Status, messages, and of each address the functions and lines."""
    with open(path("symbols", "prog"), "wb") as f:
        f.write(data)
    p = subprocess.run(
        [os.path.abspath(tap.coldperf), "names", "--no-cache", "--inline",
         "yes", *(options or ("--vaddr",)), "--symbols", "symbols", "-f",
         "csv", "list.csv"],
        cwd=scratch.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=dict(os.environ, HOME="/nonexistent", PERF_BUILDID_DIR="/none"))
    rows = list(csv.DictReader(io.StringIO(p.stdout.decode())))
    return p.returncode, p.stderr.decode(), [
        (r["address"], r["depth"], r["function"], r["file"], r["line"])
        for r in rows]


def check(what, data):
    """Zeros in each block of what is not loaded."""
    status, err, whole = names(data)
    tap.ok(status == 0 and "bad-elf" not in err and
           any(r[2] == "inner" for r in whole) and
           any(r[2] == "function_7" for r in whole),
           what + ": the whole object has all names", (err, whole[:20]))
    table = sections(data)
    texts = [s for s in table if s[0] in (".debug_str", ".debug_line_str",
                                          ".strtab")]
    first = min(s[3] for s in table if s[1] > 0 and not s[2] & 2)
    known = {r[2] for r in whole}
    silent, wrong, told, died = [], [], 0, []
    for at in range(first, len(data), BLOCK):
        # A name that is cut by the block is taken for a shorter one.
        if data[at - 1] and any(s[3] < at <= s[3] + s[4] for s in texts):
            continue
        zeros = data[:at] + bytes(min(BLOCK, len(data) - at)) + \
            data[at + BLOCK:]
        status, err, got = names(zeros)
        if status not in (0, 3):
            died.append((at, status, err))
        told += "bad-elf" in err
        if got != whole and "bad-elf" not in err:
            silent.append((at, err, [r for r in whole if r not in got][:3]))
        wrong += [(at, r[2]) for r in got if r[2] and r[2] not in known]
    tap.ok(not died, what + ": it is read", died)
    tap.ok(told > 5 and not silent, what + ": lost names are said", silent)
    tap.ok(not wrong, what + ": no name is another", wrong[:9])


functions = ["function_%d" % i for i in range(30)]
text = PROGRAM % (functions[0], "".join(
    "static __attribute__((noinline)) void %s(int n) { inner(n * %d); }\n" %
    (f, i + 2) for i, f in enumerate(functions[1:])),
    "".join("%s(c);" % f for f in functions))
with open(path("a.c"), "w") as f:
    f.write(text)
os.mkdir(path("symbols"))
need("gcc", "-g", "-O2", "-Wl,--build-id=0x" + ID, "-o", "plain", "a.c")
data = open(path("plain"), "rb").read()
if data[4:6] != b"\2\1":
    tap.skip_all("objects are not of 64 bit, little end first")
code = next(s for s in sections(data) if s[0] == ".text")
nm = subprocess.run(["nm", path("plain")], stdout=subprocess.PIPE,
                    text=True).stdout
start = min(int(line.split()[0], 16) for line in nm.splitlines()
            if line.split()[1] in "tT" and "function_" in line)
with open(path("list.csv"), "w") as f:
    for at in range(start, start + 0x180, 3):
        f.write("%s,0x%x\n" % (ID, at))
check("plain", data)
need("objcopy", "--compress-debug-sections=zlib", "plain", "packed")
check("packed", open(path("packed"), "rb").read())

# The end is zeros: the sections' headers are.
status, err, got = names(data[:-2048] + bytes(2048))
tap.ok("section headers are damaged" in err and "stripped" not in err,
       "an end of zeros is no stripped object", err)

# Single fields of the header: format, place, value.
strtab = [s[0] for s in sections(data)].index(".strtab")
for what, form, at, value, said in (
        ("e_shstrndx of none", "<H", 62, 0, "section headers"),
        ("e_shstrndx of other strings", "<H", 62, strtab, "section headers"),
        ("e_phoff beyond the file", "<Q", 32, 1 << 40, "program headers"),
        ("e_phoff in the middle", "<Q", 32, 0x1000, "program headers"),
        ("e_phnum of 0", "<H", 56, 0, "program headers"),
        ("e_machine of none", "<H", 18, 0, "tells no machine")):
    bad = bytearray(data)
    struct.pack_into(form, bad, at, value)
    status, err, got = names(bad, "--no-local")
    tap.ok(status == 0 and "(bad-elf)" in err and said in err,
           "a damaged header is said: " + what, (status, err))

# Split units: a file that ends early, or whose headers are zeros.
need("gcc", "-g", "-gsplit-dwarf", "-O2", "-Wl,--build-id=0x" + ID, "-o",
     "split", "a.c")
with open(path("split"), "rb") as f:
    split = f.read()
dwo = [f for f in os.listdir(scratch.name) if f.endswith(".dwo")]
if len(dwo) == 1:
    dwo = path(dwo[0])
    status, err, got = names(split)
    tap.ok("bad-elf" not in err and any(r[2] == "inner" for r in got),
           "a split unit is read", err)
    os.rename(dwo, path("away"))
    status, err, got = names(split)
    tap.ok("no-object" in err and os.path.basename(dwo) in err,
           "... one that is not there is said", err)
    os.rename(path("away"), dwo)
    with open(dwo, "rb") as f:
        whole = f.read()
    for what, bad in (("ends early", whole[:len(whole) * 3 // 4]),
                      ("ends in zeros", whole[:-1024] + bytes(1024))):
        with open(dwo, "wb") as f:
            f.write(bad)
        status, err, got = names(split)
        tap.ok("bad-elf" in err and all(r[2] != "inner" for r in got),
               "... one that %s is said" % what, err)

# Symbols in .gnu_debugdata.
need("strip", "-o", "stripped", "plain")
with open(path("junk.xz"), "wb") as f:
    f.write(b"\xfd7zXZ\0" + bytes(500))
need("objcopy", "--add-section", ".gnu_debugdata=junk.xz", "stripped", "mini")
status, err, got = names(open(path("mini"), "rb").read())
tap.ok("bad-elf" in err and ".gnu_debugdata" in err,
       "symbols that do not inflate are said", err)
tap.done()
