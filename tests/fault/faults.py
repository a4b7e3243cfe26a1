# SPDX-License-Identifier: MIT
"""System calls that fail, and signals between them: whatever call it is, the
run ends with a status of its own, an output is whole or absent, no temporary
file is left, and EINTR changes nothing.  Memory that a library lacks is the
end of the run, but no crash.

Of each call the first and the last numbers are tried, and TRIES (default 6)
others that SEED chooses.
"""
import errno
import os
import random
import shlex
import shutil
import signal
import subprocess
import tempfile
import tap

if tap.sanitized:
    tap.skip_all("a sanitizer has the calls already")
TRIES = int(os.environ.get("TRIES", "6"))
seed = int(os.environ.get("SEED", "0"))
pick = random.Random(seed)
scratch = tempfile.TemporaryDirectory(prefix="coldperf-fault.")
top = scratch.name
library = os.path.join(top, "fail-calls.so")
# A coverage build: gcov's calls at the end are not to fail.
counted = os.path.exists(os.path.join(
    os.environ["top_builddir"], "cli/main.gcno"))
built = subprocess.run(
    shlex.split(os.environ.get("CC", "cc")) +
    (["-DCOVERAGE"] if counted else []) +
    ["-O1", "-fPIC", "-shared", "-o", library, os.path.join(
        tap.top_srcdir, "tests/fault/fail-calls.c"), "-ldl"],
    capture_output=True, text=True)
if built.returncode != 0:
    tap.skip_all("no library can be made: " + built.stderr[-300:])
capture = os.path.join(tap.top_srcdir, "corpus/good-fp/perf.data")
symbols = os.path.join(tap.top_srcdir, "corpus/good-fp/symbols")
box = os.path.join(top, "box")
log = os.path.join(top, "log")
OUTPUT = ("write", "fsync", "linkat", "rename")
WRITES = OUTPUT + ("pwrite", "ftruncate", "mkdirat", "symlinkat")
MEMORY = ("malloc", "calloc", "realloc")
OWN = (0, 1, 2, 3, 4, 5)  # statuses
# Names or code are missing, and it is said.
UNREAD = ("(not-opened)", "(bad-elf)", "(no-symbols)", "(no-code)")


def tree(folder):
    """Paths and contents."""
    found = {}
    for at, dirs, files in os.walk(folder):
        for name in files + [d for d in dirs if
                             os.path.islink(os.path.join(at, d))]:
            path = os.path.join(at, name)
            key = os.path.relpath(path, folder)
            if os.path.islink(path):
                found[key] = os.readlink(path)
            else:
                with open(path, "rb") as f:
                    found[key] = f.read()
    return found


def run(command, fault=None):
    """Status, standard output, messages, what is in the box."""
    shutil.rmtree(box, ignore_errors=True)
    os.mkdir(box)
    env = dict(os.environ, LD_PRELOAD=library, FAULT_LOG=log, HOME=top,
               XDG_CACHE_HOME=os.path.join(top, "none"))
    if fault:
        env["FAULT"] = fault
    # Landlock would keep the preloaded library from its log.
    command = [command[0], "--sandbox=off"] + command[1:]
    p = subprocess.run([os.path.abspath(tap.coldperf)] + command, cwd=box,
                       env=env, stdin=subprocess.DEVNULL, timeout=300,
                       capture_output=True)
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace"), \
        tree(box)


def numbers(n):
    rest = range(2, n)
    return sorted({1, n} | set(pick.sample(rest, min(TRIES, len(rest)))))


def partly(left, whole, folder):
    """Is it nothing, or all of it; of a folder, only whole files?"""
    if folder:
        return all(whole.get(k) == v for k, v in left.items())
    return left in ({}, whole)


def sweep(what, folder, *command):
    """How often the command made each call."""
    command = list(command)
    good = run(command)
    with open(log) as f:
        counts = {k: int(n) for k, n in (line.split() for line in f)}
    wrong, tried = [], 0
    faults = []
    for call, n in counts.items():
        for i in numbers(n) if n else ():
            # libarchive's writer crashes by itself
            if call in MEMORY and command[0] == "pack":
                continue
            if call in MEMORY:
                faults += [(call, "%s:%d%s:%d" % (call, i, more,
                                                  errno.ENOMEM), errno.ENOMEM)
                           for more in ("", "+")]
                continue
            errors = [errno.EIO, errno.ENOSPC] if call in WRITES else \
                [errno.EIO, errno.ENOMEM]
            if call in ("read", "pread", "write", "pwrite"):
                errors.append(errno.EINTR)
            faults += [(call, "%s:%d:%d" % (call, i, e), e) for e in errors]
            faults.append((call, "%s:%d+:%d" % (call, i, errors[0]),
                           errors[0]))
            if call in WRITES or i == 1:
                faults += [(call, "%s:%d:s%d" % (call, i, s), -s) for s in
                           (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)]
    for call, fault, e in faults:
        status, out, err, left = run(command, fault)
        tried += 1
        whole = status == good[0] and out == good[1] and left == good[3]
        if e < 0:
            # nobody can remove a file that has a name after SIGKILL
            named = -e == signal.SIGKILL and "FAULT_NAMED" in os.environ
            fine = whole or (status == e and (
                folder or named or partly(left, good[3], False)))
        elif call in MEMORY:
            # 1 is libarchive's own end, 127 that of the dynamic linker
            fine = whole or (status in OWN + (127,) and err != good[2] and
                             (folder or left in ({}, good[3]) or
                              any(said in err for said in UNREAD)))
        elif e == errno.EINTR:
            fine = whole
        elif call in OUTPUT and not whole:
            fine = status in OWN and status != good[0] and err and \
                (folder or left == {})
        else:  # what cannot be read is not there, which is said
            fine = whole or (status in OWN and err != good[2])
        if not fine:
            wrong.append("FAULT=%s: status %d, left %s\n%s" % (
                fault, status, {k: len(v) for k, v in left.items()},
                err[-300:]))
    tap.ok(good[0] in (0, 3) and tried > 20 and not wrong,
           "%s: %d faults" % (what, tried),
           "seed %d: %d wrong\n%s" % (seed, len(wrong), "\n".join(wrong[:8])))
    return counts


LOCAL = ("--no-local", "--no-cache", "--jobs", "1")
