#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Completion: what bash, zsh and fish offer after a few words, in the real
# shells; a shell that is not there is skipped.
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-completion.")


def script(shell):
    path = os.path.join(scratch.name, shell)
    with open(path, "wb") as out:
        p = subprocess.run([tap.coldperf, "completion", shell], stdout=out)
    tap.ok(p.returncode == 0 and os.path.getsize(path) > 1000,
           "there is a script for " + shell)
    return path


def run(command, **environment):
    p = subprocess.run(command, cwd=scratch.name, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       env=dict(os.environ, HOME=scratch.name,
                                XDG_CONFIG_HOME=scratch.name + "/config",
                                XDG_DATA_HOME=scratch.name + "/data",
                                **environment))
    return p.stdout.decode("utf-8", "replace").splitlines()


def bash(path, words):
    return run(["bash", "--norc", "-c",
                'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                '_coldperf; printf "%s\\n" "${COMPREPLY[@]}"', path, *words])


def zsh(path, words):
    return run(["zsh", "-fc",
                'compdef() { }; compadd() { shift; print -rl -- "$@" }; '
                '_files() { print -rl -- * }; source $1; shift; words=("$@"); '
                'CURRENT=$#; _coldperf', "zsh", path, *words])


def fish(path, words):
    # The commands are not looked up: coldperf need not be in PATH.
    return [line.split("\t")[0] for line in
            run(["fish", "--no-config", "-c",
                 'source $argv[1]; complete -C "$argv[2]"', path,
                 " ".join(words)])]


open(os.path.join(scratch.name, "a-capture.data"), "w").close()
ASKED = (
    (["coldperf", "fl"], {"flame"}, {"hotspots"}),
    (["coldperf", "flame", "--pal"], {"--palette"}, {"--by"}),
    (["coldperf", "hotspots", "--chi"], {"--children"}, {"--slim"}),
    (["coldperf", "flame", "--palette", ""], {"hot", "cold"}, {"--palette"}),
    (["coldperf", "report", "--demangle", "f"], {"full"}, {"--demangle"}),
    (["coldperf", "pack", "--sl"], {"--slim"}, {"--children"}),
    (["coldperf", "report", "a-cap"], {"a-capture.data"}, {"flame"}),
)
for shell, ask in (("bash", bash), ("zsh", zsh), ("fish", fish)):
    path = script(shell)
    if shutil.which(shell) is None:
        tap.skip("there is no %s" % shell)
        continue
    for words, there, absent in ASKED:
        got = set(ask(path, words))
        # zsh and fish leave it to the shell to match what was typed.
        tap.ok(there <= got and not absent & got -
               (absent if shell == "zsh" and words[-1][:1] != "-" and
                len(words) == 2 else set()),
               "%s: %s" % (shell, " ".join(words)), sorted(got)[:40])
p = subprocess.run([tap.coldperf, "completion", "csh"],
                   stderr=subprocess.DEVNULL)
tap.ok(p.returncode == 2, "there is none for csh")
tap.done()
