#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Five jobs, run from README's words alone: the commands are those of its
# section "Five jobs", in a folder with the files that it speaks of.
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

corpus = os.path.abspath(os.path.join(tap.top_srcdir, "corpus"))
scratch = tempfile.TemporaryDirectory(prefix="coldperf-jobs.")
ID = "04989075cda917b7ef47fa5426a1240f91cad1b1"
KERNEL = "4a5a9b0affb66c437abcd455d2738af879985fa9"


def jobs():
    """Title -> commands."""
    with open(os.path.join(tap.top_srcdir, "README.md")) as f:
        section = re.search(r"^## Five jobs\n(.*?)^## ", f.read(), re.S | re.M)
    found = {}
    for words, code in re.findall(r"^(\w[^\n]*)\n\n```sh\n(.*?)```",
                                  section.group(1), re.S | re.M):
        found[words.split(":")[0]] = [
            re.sub(r" +#.*", "", line) for line in code.splitlines()]
    return found


def folder_of(job):
    path = os.path.join(scratch.name, job.replace(" ", "-"))
    os.makedirs(path)
    return path


def run(command, folder, status=0):
    bin = os.path.dirname(os.path.abspath(tap.coldperf))
    p = subprocess.run(["sh", "-c", command], cwd=folder, env=dict(
        os.environ, LC_ALL="C", TZ="UTC", HOME=folder,
        PATH=bin + ":" + os.environ["PATH"]), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    err = p.stderr.decode("utf-8", "replace")
    tap.ok(p.returncode == status and ("error" in err) == (status != 0),
           command, err)
    return p.stdout.decode("utf-8", "replace"), err


def text_of(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as f:
        return f.read()


def known(folder):
    """good-fp of a kernel that runs nowhere: names of the one that runs here
    would be found."""
    with open(os.path.join(corpus, "good-fp/perf.data"), "rb") as f:
        data = f.read()
    assert bytes.fromhex(KERNEL) in data
    with open(os.path.join(folder, "perf.data"), "wb") as f:
        f.write(data.replace(bytes.fromhex(KERNEL), b"\x05" * 20))
    return os.path.join(corpus, "good-fp/symbols/known")


def archive(commands):
    """As perf archive packs it: the cache's folder, and a link by build ID."""
    folder = folder_of("archive")
    program = known(folder)
    member = "usr/local/lib/coldperf-corpus/known/%s/elf" % ID
    with tarfile.open(os.path.join(folder, "perf.data.tar.bz2"),
                      "w:bz2") as tar:
        tar.add(program, member)
        link = tarfile.TarInfo(".build-id/%s/%s" % (ID[:2], ID[2:]))
        link.type, link.linkname = tarfile.SYMTYPE, "../../" + \
            os.path.dirname(member)
        tar.addfile(link)
    for command in commands:
        out, err = run(command, folder)
        tap.ok(re.search(r"4\d\.\d\d% .* known +\[\.\] +leaf\n", out) and
               "hot function" in out, "... names the hot function", out)


def latency(commands):
    """good-waits, ten times as slow: beta waited 40 ms for the CPU."""
    folder = folder_of("latency")
    with open(os.path.join(corpus, "good-waits/input.mkperf")) as f:
        text = re.sub(r"time=(\d+)", lambda m: "time=%d" % (
            10 * int(m[1]) - 9 * 10**9), f.read())
    source = os.path.join(folder, "text")
    with open(source, "w") as f:
        f.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    source, os.path.join(folder, "perf.data")], check=True)
    out = {c.split()[1]: run(c, folder)[0] for c in commands}
    found = out["perf.data"].split("\nEvents")[0]
    tap.ok(re.search(r"beta was\s+ready\s+and\s+waited\s+40\.000\s+ms", found),
           "the wait is found first", out["perf.data"])
    tap.ok("beta" in out["sched"] and "40.000 ms" in out["sched"] and
           "alpha" in out["sched"], "who had the CPU", out["sched"])
    tap.ok(re.search(r"30\.000 ms +alpha +100 .*beta\n", out["offcpu"]),
           "where alpha blocked, and who woke it", out["offcpu"])
    tap.ok("</svg>" in text_of(folder, "when.svg"), "when, as a picture")


def jit(commands):
    folder = folder_of("jit")
    shutil.copy(os.path.join(corpus, "good-jit/perf.data"), folder)
    err = run(commands[0], folder, 2)[1]
    tap.ok("./maps: No such file or directory" in err,
           "a folder that is not there is told from one without maps", err)
    shutil.copytree(os.path.join(corpus, "good-jit/symbols"),
                    os.path.join(folder, "maps"))
    out = [run(c, folder)[0] for c in commands]
    tap.ok("jit_spin took 100.00 %" in out[0], "code of the JIT has its name",
           out[0])
    tap.ok("jit_spin" in text_of(folder, "flame.svg"), "in the picture, too")


def pack(commands):
    folder = folder_of("pack")
    shutil.copytree(os.path.dirname(known(folder)),
                    os.path.join(folder, "from-the-server"))
    for command in commands:
        out, err = run(command, folder)
        if " pack " in command:
            # From here on it is elsewhere.
            shutil.rmtree(os.path.join(folder, "from-the-server"))
            os.remove(os.path.join(folder, "perf.data"))
            tap.ok(re.search(r"not found: kallsyms .*17\.50%", err),
                   "what it lacks is named", err)
    tap.ok("leaf" in out and "hot function" in out, "names went along", out)


def picture(commands):
    folder = folder_of("picture")
    known(folder)
    for command in commands:
        run(command, folder)
    loads = re.compile(r"(?:src|href|url\(|@import)[=(\s]*[\"']?(?:https?:)?//")
    for name, mark in ("flame.svg", "<svg"), ("report.html", "<html"):
        text = text_of(folder, name)
        tap.ok(mark in text and "cpu-clock" in text and not loads.search(text),
               name + " stands alone", text[:300])


doers = {"An archive from a host": archive, "A latency incident": latency,
         "Java, node and other JITs": jit, "Pack and ship": pack,
         "Share a picture": picture}
found = jobs()
tap.ok(list(found) == list(doers) and all(found.values()),
       "README has the five jobs", found)
for title, do in doers.items():
    tap.diag(title)
    do(found.get(title, []))
tap.done()
