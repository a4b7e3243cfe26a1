# SPDX-License-Identifier: MIT
"""The folder of a test: captures are made there, and read there."""
import os
import subprocess
import tempfile
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()


def path(*names):
    return os.path.join(tmp.name, *names)


def write(name, data):
    with open(path(name), "wb" if isinstance(data, bytes) else "w") as f:
        f.write(data)
    return path(name)


def capture(name, text):
    """What mkperf makes of the text."""
    subprocess.run([mkperf, write("in.mkperf", text), path(name)], check=True)
    return path(name)


def run(*words):
    """The file `key' has the key of hashes."""
    env = dict(os.environ, COLDPERF_REDACT_KEY_FILE=path("key"))
    return subprocess.run([tap.coldperf, *words], stdout=subprocess.PIPE,
                          env=env, stderr=subprocess.PIPE, timeout=300)


def bytes_of(words):
    """Standard output, and the file x that was written; and what was said."""
    if os.path.exists(path("x")):
        os.unlink(path("x"))
    r = run(*words)
    data = r.stdout
    if os.path.exists(path("x")):
        with open(path("x"), "rb") as f:
            data += f.read()
    return data, r.stderr.decode(errors="replace")
