#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The manual is true: its pages are well-formed, every example of them works
# on the corpus, every option that `coldperf help` shows is described, and none
# is described that does not exist.
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

PAGES = sorted(glob.glob(os.path.join(tap.top_srcdir, "man", "*.[0-9]")))


def examples(text):
    return [re.sub(r"\\e", r"\\", m)
            for m in re.findall(r"^\.Dl \$ (.*coldperf.*)$", text, re.M)]


def try_example(command, folder):
    """Runs it in a folder where corpus/ and coldperf are as in the page."""
    env = dict(os.environ, PATH=os.path.dirname(tap.coldperf) + ":" +
               os.environ["PATH"])
    p = subprocess.run(["sh", "-c", command], cwd=folder, env=env,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120)
    out = re.search(r"-o (\S+)", command)
    made = os.path.getsize(os.path.join(folder, out.group(1))) if out and \
        os.path.exists(os.path.join(folder, out.group(1))) else len(p.stdout)
    return p.returncode == 0 and made > 0, "status %d, %d bytes\n%s" % (
        p.returncode, made, p.stderr.decode("utf-8", "replace"))


def described(text):
    return set(re.findall(r"(?:\bFl|,) -([a-z][a-z-]+)", text))


def help_of(*command):
    return subprocess.run([tap.coldperf, "help", *command], text=True,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout


def shown(*command):
    """Long options in the help of a command."""
    return set(re.findall(r"--([a-z][a-z-]+)", help_of(*command)))


def operands(text, what):
    """What a command takes, and whether it takes several."""
    return {w.lower() for w in re.findall(what, text, re.M)}, "..." in text


folder = tempfile.mkdtemp(prefix="coldperf-man.")
os.symlink(os.path.join(tap.top_srcdir, "corpus"),
           os.path.join(folder, "corpus"))
os.mkdir(os.path.join(folder, "debug"))
try:
    texts = {}
    for page in PAGES:
        name = os.path.basename(page)
        with open(page) as f:
            texts[name] = f.read()
        if shutil.which("mandoc"):
            p = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page],
                               stdout=subprocess.PIPE, text=True)
            tap.ok(p.returncode == 0, name + " is well-formed", p.stdout)
        for command in examples(texts[name]):
            good, why = try_example(command, folder)
            if not good and "selftest" in command:
                tap.skip("there are no walls here: " + why.splitlines()[0])
                continue
            tap.ok(good, "%s: %s" % (name, command), why)
finally:
    shutil.rmtree(folder)
if not shutil.which("mandoc"):
    tap.skip("mandoc is not installed")
common = described(texts["coldperf.1"])
every = set()
for name in sorted(texts):
    m = re.match(r"coldperf-([a-z-]+)\.1$", name)
    if m:
        options = shown(m.group(1))
        every |= options
        missing = options - common - described(texts[name]) - {"help"}
        tap.ok(bool(options) == (name != "coldperf-list.1") and not missing, name + " describes every option",
               "not described: %s" % sorted(missing))
        synopsis = texts[name].split(".Sh SYNOPSIS")[1].split(".Sh ")[0]
        usage = help_of(m.group(1)).split("\n", 1)[0]
        want = operands(synopsis, r"^\.(?:Op )?Ar (capture|bundle|list)\b")
        got = operands(usage, r"CAPTURE|BUNDLE|LIST")
        tap.ok(got == want or m.group(1) == "diff",
               name + " and the usage take the same", (usage, want))
gone = set().union(*map(described, texts.values())) - every - \
    shown() - {"threads", "help"}
tap.ok(not gone, "every option described exists", sorted(gone))
tap.done()
