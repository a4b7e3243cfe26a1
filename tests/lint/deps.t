#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# `.ci/deps.sh build` installs the package of every header that the product
# includes and of every pkg-config module that configure asks for, so that a
# machine with nothing but the base system can build.
import os
import re
import shlex
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/lint")
import source
import tap

# What comes with the compiler.
COMPILER = re.compile(r"^(libc6-dev|linux-libc-dev|libgcc-\d+-dev|"
                      r"libclang-common-\d+-dev|libstdc\+\+.*)$")
# configure and bench/ go on without them; one is Fedora's.
OPTIONAL = {"libdw", "xxhash.h", "demangle.h"}


def text_of(path):
    return source.read(tap.top_srcdir, path)


def headers():
    found = set()
    for path in source.files(tap.top_srcdir, (".c", ".h"), source.PRODUCT):
        if path == "base/port-darwin.c":
            continue
        found |= {name for _, quote, name in source.includes(text_of(path))
                  if quote == "<" and not name.startswith("coldperf/")}
    return found | set(re.findall(r"AC_CHECK_HEADERS?\(\[([^\]]+)\]",
                                  text_of("configure.ac")))


def preprocessed(names):
    """The files that the compiler takes, if it has all of them."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    run = subprocess.run(compiler + ["-E", "-x", "c", "-"], text=True,
                         input="".join("#include <%s>\n" % n for n in names),
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return set(re.findall(r'^# \d+ "([^"<]*)"', run.stdout, re.M)) \
        if run.returncode == 0 else set()


def place_of(header, files):
    """The file that the compiler takes for <header>; None: it has none."""
    for path in sorted(files) or sorted(preprocessed([header])):
        if path.endswith("/" + header):
            return path
    return None


def module_place(module):
    run = subprocess.run(["pkg-config", "--variable=pcfiledir", module],
                         text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    folder = run.stdout.strip()
    return folder + "/" + module + ".pc" if folder else None


def package_of(path):
    for name in (path, os.path.realpath(path)):
        run = subprocess.run(["dpkg-query", "-S", name], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if run.stdout:
            return run.stdout.split(":")[0]
    return None


def check(what, place):
    if place is None:
        tap.ok(False, what + " is there", "nothing provides it")
        return
    package = package_of(place)
    if package is None:
        tap.skip("%s: %s is of no package" % (what, place))
        return
    tap.ok(package in listed or COMPILER.match(package),
           "%s: %s is installed for a build" % (what, package),
           "not in the list `build` of .ci/deps.sh")


if not shutil.which("dpkg-query"):
    tap.skip_all("no dpkg-query: not a Debian system")
listed = re.search(r'^build="([^"]*)"', text_of(".ci/deps.sh"),
                   re.M).group(1).split()
tap.ok("gcc" in listed and "make" in listed, "the list is read", listed)
files = preprocessed(sorted(headers() - OPTIONAL))
for header in sorted(headers() - OPTIONAL):
    check("<%s>" % header, place_of(header, files))
for module in sorted(set(re.findall(r"PKG_CHECK_MODULES\(\[\w+\], \[(\S+)\]",
                                    text_of("configure.ac"))) - OPTIONAL):
    check("pkg-config " + module, module_place(module))
tap.done()
