#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A file without a build ID at its recorded path: taken if it is the one that
# was mapped, by device, inode and time; refused if another lies there now.
import os
import subprocess
import sys
import tempfile
import time
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-recorded.")
BASE = 0x400000
PROGRAM = """
.text
.globl work
.type work, @function
work: .fill 64, 1, 0x90
.size work, 64
"""


def path(name):
    return os.path.join(scratch.name, name)


def run(*command, **more):
    return subprocess.run(command, cwd=scratch.name, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **more)


def make_program():
    made = run("gcc", "-c", "-x", "assembler", "-", "-o", "w.o",
               input=PROGRAM.encode()).returncode == 0
    if not made or run("ld", "-Ttext=0x%x" % (BASE + 0x1000), "-e", "work",
                       "--build-id=none", "-o", "prog", "w.o").returncode:
        tap.skip_all("no assembler or linker")


def make_capture(name, inode, device):
    text = """attr cycles type=0 config=0 period=1 \
sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap|mmap2
mmap2 pid=5 addr=%d len=4096 pgoff=0x1000 maj=%d min=%d ino=%d name="%s"
sample cycles pid=5 time=1 period=1 misc=2 ip=%d
""" % (BASE + 0x1000, os.major(device), os.minor(device), inode,
       path("prog"), BASE + 0x1010)
    with open(path("in"), "w") as f:
        f.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path(name)], check=True)


def name_of(capture, *options):
    p = run(os.path.abspath(tap.coldperf), "script", "-F", "ip,sym,symoff",
            "--debuginfod=off", "--no-cache", *options, path(capture))
    words = p.stdout.decode().split()
    return words[1] if len(words) > 1 else p.stdout, p.stderr.decode()


make_program()
now = time.time()
os.utime(path("prog"), (now - 100, now - 100))
st = os.stat(path("prog"))
make_capture("same", st.st_ino, st.st_dev)
make_capture("other", st.st_ino + 1, st.st_dev)
make_capture("elsewhere", st.st_ino + 1, os.makedev(os.major(st.st_dev) + 1,
                                                    os.minor(st.st_dev)))
for name in ("same", "other", "elsewhere"):
    os.utime(path(name), (now, now))

got, err = name_of("same")
tap.ok(got == "work+0x10", "the file that was mapped", (got, err))
got, err = name_of("other")
tap.ok(got == "[unknown]" and "replaced since" in err,
       "another file of the same age at its place", (got, err))
got, err = name_of("other", "--allow-mismatch")
tap.ok(got == "work+0x10", "is used if the user wants", (got, err))
got, err = name_of("elsewhere")
tap.ok(got == "work+0x10", "a device of another number says nothing",
       (got, err))
os.utime(path("prog"), (now + 100, now + 100))
got, err = name_of("same")
tap.ok(got == "[unknown]" and "replaced since" in err,
       "one that was written to after the recording", (got, err))

# A file of another build ID, of the same name, somewhere in a folder.
os.makedirs(path("folder/deep"))
run("ld", "-Ttext=0x%x" % (BASE + 0x1000), "-e", "work", "--build-id=sha1",
    "-o", "folder/deep/prog", "w.o")
run("tar", "-cf", "folder.tar", "-C", "folder", "deep")
with open(path("in")) as f:
    text = f.read().replace("mmap2 ", "mmap2_build_id id=%s " % ("ab" * 20))
with open(path("in"), "w") as f:
    f.write(text.replace(path("prog"), "/nowhere/prog").replace(
        "maj=%d min=%d ino=%d " % (os.major(st.st_dev) + 1,
                                   os.minor(st.st_dev), st.st_ino + 1), ""))
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                path("in"), path("with-id")], check=True)
for where in "folder", "folder.tar":
    got, err = name_of("with-id", "--symbols", path(where))
    tap.ok(got == "[unknown]" and "deep/prog" in err,
           where + " has another build", (got, err))
    got, err = name_of("with-id", "--symbols", path(where),
                       "--allow-mismatch")
    tap.ok(got == "work+0x10", "which is used if the user wants", (got, err))
os.rename(path("folder/deep/prog"), path("folder/deep/other"))
got, err = name_of("with-id", "--symbols", path("folder"), "--allow-mismatch")
tap.ok(got == "[unknown]", "but none of another name", (got, err))
tap.done()
