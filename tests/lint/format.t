#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The sources are as .clang-format says, by the release that Debian 12 has.
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/lint")
import source
import tap

RELEASE = "14"
tool = shutil.which("clang-format-" + RELEASE) or shutil.which("clang-format")
if not tool:
    tap.skip_all("no clang-format")
version = subprocess.run([tool, "--version"], text=True,
                         stdout=subprocess.PIPE).stdout
if not re.search(r"version %s\." % RELEASE, version):
    tap.skip_all("clang-format is not release %s: %s" %
                 (RELEASE, version.strip()))


def changed(folder):
    """Files of a folder that clang-format would change."""
    paths = list(source.files(tap.top_srcdir, (".c", ".h"), (folder,)))
    if not paths:
        return []
    run = subprocess.run([tool, "--dry-run"] + paths, text=True,
                         cwd=tap.top_srcdir, stderr=subprocess.PIPE,
                         stdout=subprocess.PIPE)
    return sorted(set(re.findall(r"^(\S+?):\d+:\d+: warning", run.stderr,
                                 re.M)))


sample = subprocess.run([tool, "--style=file", "--assume-filename=base/x.c"],
                        input="int  f(void){return 1;}\n", text=True,
                        cwd=tap.top_srcdir, stdout=subprocess.PIPE).stdout
tap.ok(sample.startswith("int\nf(void)"), ".clang-format is in force", sample)
for folder in source.FOLDERS:
    bad = changed(folder)
    tap.ok(not bad, folder + "/ is formatted", "\n".join(bad))
tap.done()
