#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Form of the sources: licence line, opening comment, length of lines,
# functions and files, guards, words that mark unfinished work.
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/lint")
import source
import tap

LONGEST_FUNCTION = 60
LONGEST_FILE = 500
# A plug-in needs this header alone: it holds the whole interface.
LONG_FILES = ("include/coldperf/plugin.h",)
WIDTH = 80
UNFINISHED = re.compile(r"\b(%s)\b" % "|".join(
    ("TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK")))
CODE = (".c", ".h", ".def")
TEXT = CODE + (".sh", ".t", ".py", ".mk", ".js", ".awk")
top = tap.top_srcdir


def each(suffixes, check, folders=source.FOLDERS):
    bad = []
    for path in source.files(top, suffixes, folders):
        bad += ["%s%s" % (path, what)
                for what in check(path, source.read(top, path))]
    return bad


def report(bad, text):
    tap.ok(not bad, text, "\n".join(bad))


def licence(path, text):
    if not "SPDX-License-Identifier: MIT" in text[:200]:
        yield ": no SPDX line"


def opening(path, text):
    if not re.match(r"/\* SPDX[^\n]*\*/\n(/\*|#|\n)", text):
        yield ": does not begin with the licence"
    if path.endswith(".h") and not re.match(r"/\* SPDX[^\n]*\n/\*", text):
        yield ": says not what it is for"


def wide(path, text):
    for n, line in enumerate(text.splitlines(), 1):
        if len(line.expandtabs(8)) > WIDTH:
            yield ":%d: %d columns" % (n, len(line.expandtabs(8)))


def long(path, text):
    for name, line, length in source.functions(text):
        if length > LONGEST_FUNCTION:
            yield ":%d: %s() has %d lines" % (line, name, length)


def lengthy(path, text):
    lines = text.count("\n")
    if lines > LONGEST_FILE and path not in LONG_FILES:
        yield ": %d lines" % lines


def untidy(path, text):
    for n, line in enumerate(text.splitlines(), 1):
        if line != line.rstrip():
            yield ":%d: blanks at the end" % n
    if text and not text.endswith("\n"):
        yield ": no newline at the end"


def unfinished(path, text):
    for n, line in enumerate(text.splitlines(), 1):
        if UNFINISHED.search(line) and "mktemp" not in line:
            yield ":%d: %s" % (n, line.strip())


def guard(path, text):
    if not re.search(r"^#ifndef (\w+)\n#define \1$", text, re.M):
        yield ": no include guard"


report(each(CODE + (".sh", ".t", ".py"), licence),
       "every source carries its licence")
report(each((".c", ".h"), opening), "every source opens with what it does")
report(each((".c", ".h"), wide), "no line is wider than %d columns" % WIDTH)
report(each((".c", ".h"), long),
       "no function is longer than %d lines" % LONGEST_FUNCTION)
tap.ok(list(lengthy("a.c", "\n" * (LONGEST_FILE + 1)))
       and not list(lengthy("a.c", "\n" * LONGEST_FILE)),
       "a file that is too long is found")
report(each((".c", ".h"), lengthy, source.PRODUCT),
       "no file of the product is longer than %d lines" % LONGEST_FILE)
report(each(TEXT, untidy), "no blanks at the end of lines")
report(each(TEXT, unfinished), "nothing is marked as unfinished")
report(each((".h",), guard), "every header has its guard")
lengths = sorted(length for path in source.files(top, (".c",))
                 for _, _, length in source.functions(source.read(top, path)))
if lengths:
    tap.diag("%d functions, median %d lines, longest %d" %
             (len(lengths), lengths[len(lengths) // 2], lengths[-1]))
    tap.ok(lengths[len(lengths) // 2] <= 15,
           "the median function has at most 15 lines")
tap.done()
