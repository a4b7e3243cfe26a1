# SPDX-License-Identifier: MIT
"""What the oracle tests share: the captures, and perf beside coldperf.

Captures are those of corpus/ and, where it is there, of ../shared/corpus:
recordings of other people that are not part of the project.
"""
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tap

SHARED = os.environ.get("SHARED_CORPUS") or \
    os.path.join(tap.top_srcdir, "..", "shared", "corpus")
BEGINS = re.compile(r"\+0x0$")  # an address where a function begins
STUB = "[unknown]"  # the name of stubs that perf mistakes
scratch = tempfile.TemporaryDirectory(prefix="coldperf-oracle.")
NO_CAPTURE = re.compile(r"(\.(md|pb_text|buildids|txt|folded|svg|stacks|"
                        r"perf-script|map)|/PROVENANCE)$")


def compiled(folder, case):
    """A synthetic capture; the text of it is compiled."""
    path = os.path.join(scratch.name, case + ".data")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    os.path.join(folder, "input.mkperf"), path], check=True)
    return path


def made(name, text):
    """The capture that mkperf makes of the text."""
    path = os.path.join(scratch.name, name)
    with open(path + ".mkperf", "w") as out:
        out.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".mkperf", path], check=True)
    return path


def findings(path):
    """The event that report shows, and (about, sentence)s."""
    text = run([tap.coldperf, "report", "-f", "json", "--no-local", path])[1]
    try:
        rep = json.loads(text)
    except ValueError:
        return None, []
    return rep.get("event"), [
        tuple(r["values"]) for s in rep.get("sections", [])
        if s.get("slug") == "findings" for r in s["rows"]]


def replaced(path):
    """Whether a recorded file was replaced here: perf names it none the less.
    """
    messages = run([tap.coldperf, "script", "--inline=no", path])[2]
    return "it was replaced since" in messages


def captures(turn=None):
    """Those of which perf can be believed.  With sanitizers a test that has a
    turn takes every second one, for others read the rest."""
    every = all_captures()
    for name, path in every if turn is None else tap.share(every, turn, 2):
        if not name.startswith("live/") and replaced(path):
            tap.skip(name + ": its objects were replaced here")
        else:
            yield name, path


def all_captures():
    """(name, path): stable names for tables of differences.

    Arguments of the test take their place (tests/live/ gives its own).
    """
    if sys.argv[1:]:
        for path in sys.argv[1:]:
            yield "live/" + os.path.basename(path), path
        return
    corpus = os.path.join(tap.top_srcdir, "corpus")
    for case in sorted(os.listdir(corpus)):
        path = os.path.join(corpus, case, "perf.data")
        if os.path.exists(path):
            yield case, path
        elif os.path.exists(os.path.join(corpus, case, "input.mkperf")):
            yield case, compiled(os.path.join(corpus, case), case)
    for folder in sorted(os.listdir(SHARED)) if os.path.isdir(SHARED) else ():
        where = os.path.join(SHARED, folder)
        for name in sorted(os.listdir(where)) if os.path.isdir(where) else ():
            path = os.path.join(where, name)
            if not NO_CAPTURE.search(path):
                yield "shared/%s/%s" % (folder, name), path


def need_perf():
    if not shutil.which("perf"):
        tap.skip_all("perf is not installed")
    if run(["perf", "--version"])[0] != 0:
        tap.skip_all("perf does not run here")
    if not os.path.isdir(SHARED) and not sys.argv[1:]:
        tap.skip("no ../shared/corpus: only our own captures are compared")


def perf_version():
    m = re.search(r"(\d+)\.(\d+)", run(["perf", "--version"])[1])
    return (int(m.group(1)), int(m.group(2))) if m else (0, 0)


def run(command):
    """Exit status, output, messages.  Bytes that are no text are replaced."""
    env = dict(os.environ, LC_ALL="C", TZ="UTC", DEBUGINFOD_URLS="",
               PERF_CONFIG="/dev/null", PAGER="cat")
    p = subprocess.run(command, stdin=subprocess.DEVNULL, env=env,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       timeout=300)
    return (p.returncode, p.stdout.decode("utf-8", "replace"),
            p.stderr.decode("utf-8", "replace"))


def refused(status, messages):
    """Why perf cannot serve as an oracle for a capture, or nothing."""
    if status < 0:
        return "perf died of signal %d" % -status
    if re.search("incompatible file format|bad event header size|"
                 "failed to process", messages) or status > 0:
        last = (messages.strip().splitlines() or ["status %d" % status])[-1]
        return "perf cannot read it: " + last
    return None


@functools.lru_cache(maxsize=None)
def perf_counts_slots():
    """Whether perf names stubs by their slots, and the head of the stubs.

    Before 6.3 it takes the stubs of a library with indirect functions for one
    another, prints "@plt" for the slot of such a function, and has no names
    for those of .plt.got, which are busy in libpython;
    tests/symbolize/perf-names.t asks objdump instead.
    """
    return perf_version() >= (6, 3)


def stub_alike(text):
    return text if perf_counts_slots() else re.sub(
        r"(?<!\S)(\S*@plt|\.plt|_init|\[libpython\S+\])(\+0x[0-9a-f]+)?"
        r"(?=\s|$)", STUB, text)


def kernel_unnamed(messages):
    """Whether coldperf says that it has no symbols of the recorded kernel.

    perf takes this machine's kernel for one without a build ID, or reads
    hidden addresses as if they were true; its names mean nothing then.
    """
    return "(no-kallsyms)" in messages


def has_user_stacks(path):
    """Whether perf makes call chains from dumped stacks, which coldperf does
    not: frames of users are then left out of the comparison."""
    return "STACK_USER" in run(["perf", "evlist", "-v", "-f", "-i", path])[1]


class Allowed:
    """A table of differences that are known, each with its reason.

    An unlisted difference fails, and so does a listed one that is gone.
    """

    def __init__(self, table):
        self.table = table
        self.strict = perf_version() == (6, 1)

    def judge(self, name, differing, text, why):
        want, reason = self.table.get(name, (0, ""))
        if differing == want or (reason and not self.strict):
            tap.ok(True, text + (" but for %d: %s" % (want, reason)
                                 if reason else ""))
        else:
            tap.ok(False, text, "%d differ, %d are allowed%s\n%s" %
                   (differing, want, reason and ": " + reason, why))


def report_differences(pairs, limit=12):
    """pairs: iterable of (got, want); the number that differ, and a text."""
    bad = [(g, w) for g, w in pairs if g != w]
    text = "\n".join("coldperf: %s\nperf:     %s" % p for p in bad[:limit])
    return len(bad), text
