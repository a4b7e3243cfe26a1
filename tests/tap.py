# SPDX-License-Identifier: MIT
"""The Test Anything Protocol for tests written in Python.

A test does `sys.path.insert(0, os.environ["top_srcdir"] + "/tests")`, then
`import tap`; states its points with ok() and skip(), and ends with done().
"""
import os
import subprocess
import sys
import tempfile

top_srcdir = os.environ["top_srcdir"]
top_builddir = os.environ.get("top_builddir", ".")
coldperf = os.environ.get("COLDPERF", top_builddir + "/coldperf")
sanitized = bool(os.environ.get("SAN_FLAGS"))  # all is slower

# What perf and rustup keep in the user's folder: a test has a folder of its
# own, so that no kernel is named by what somebody recorded.
os.environ.setdefault("RUSTUP_HOME", os.environ.get("HOME", "") + "/.rustup")
_home = tempfile.TemporaryDirectory(prefix="coldperf-home.")
os.environ["HOME"] = _home.name

# Options of the user are not of the tests.
os.environ.pop("COLDPERF_OPTIONS", None)
os.environ["XDG_CONFIG_HOME"] = "/nonexistent/none"

# Whether all is tried, also what changes rarely: `./check.sh --nightly'.
nightly = "NIGHTLY" in os.environ

# `make test T=... CASE=word`: the points whose text has the word, and no other.
_case = os.environ.get("CASE", "")

_points = int(os.environ.get("TAP_POINTS", 0))  # of who started us
_failures = 0


def share(items, turn, of):
    """All, but with sanitizers one of `of': another one at each turn, so that
    after as many turns each was there."""
    return [x for i, x in enumerate(items)
            if not sanitized or (i + turn) % of == 0]


def wanted(text):
    """Is a point of that text asked for?  A test whose cases take long asks
    before it runs one."""
    return _case in text


def diag(text):
    for line in str(text).splitlines():
        print("#", line)


def ok(held, text, why=""):
    global _points, _failures
    if not wanted(text):
        return held
    _points += 1
    print("%sok %d - %s" % ("" if held else "not ", _points, text))
    if not held:
        _failures += 1
        diag(why)
    sys.stdout.flush()
    return held


def is_(got, want, text):
    return ok(got == want, text, "got  %r\nwant %r" % (got, want))


def has_node():
    """Is there a node that reads pages?  From now on it does.  With sanitizers
    there is none: they tell nothing of a page's script, and take time."""
    if sanitized:
        return False
    os.environ["NODE_OPTIONS"] = \
        '--require "%s/tests/page/raw-deflate.cjs"' % top_srcdir
    try:
        return subprocess.run(
            ["node", "-e", "new DecompressionStream('deflate-raw')"],
            stderr=subprocess.DEVNULL, check=False).returncode == 0
    except FileNotFoundError:
        return False


def capture(case, folder):
    """The capture of a case of the corpus: the recorded one, or what mkperf
    makes of the text, once, in that folder."""
    source = os.path.join(top_srcdir, "corpus", case)
    recorded = os.path.join(source, "perf.data")
    if os.path.exists(recorded):
        return recorded
    path = os.path.join(folder, case + ".data")
    if not os.path.exists(path):
        subprocess.run([os.path.join(top_builddir, "tests/tools/mkperf"),
                        os.path.join(source, "input.mkperf"), path],
                       check=True)
    return path


def todo(text, reason, why=""):
    """A point that is known not to hold yet."""
    global _points
    _points += 1
    print("not ok %d - %s # %s %s" % (_points, text, "TO" + "DO", reason))
    diag(why)


def skip(reason):
    global _points
    _points += 1
    print("ok %d # SKIP %s" % (_points, reason))


def skip_all(reason):
    if _points:  # a plan of none would contradict them
        skip("the rest: " + reason)
        done()
    print("1..0 # SKIP %s" % reason)
    sys.exit(0)


def done():
    if _case and not _points:
        print("1..0 # SKIP no case has %r" % _case)
        sys.exit(1)
    print("1..%d" % _points)
    sys.exit(0 if _points and not _failures else 1)
