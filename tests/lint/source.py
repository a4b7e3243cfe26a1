# SPDX-License-Identifier: MIT
"""What the lint tests look at: our sources, with comments and literals blanked.

Knows C as far as a lexer must: comments, strings, character constants and
preprocessor lines.  Does not parse declarations.
"""
import os
import re

PRODUCT = ("include", "base", "report", "model", "readers", "symbolize",
           "analyses", "render", "run", "browse", "capture", "runs", "sql",
           "cli")
FOLDERS = PRODUCT + ("tests", "corpus", "bench")
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
                   r"|'(?:\\.|[^'\\\n])*'", re.S)


def files(top, suffixes, folders=FOLDERS):
    """Paths below top, sorted, relative to it."""
    for folder in folders:
        for where, dirs, names in os.walk(os.path.join(top, folder)):
            dirs[:] = [d for d in dirs if d != "node_modules"]
            dirs.sort()
            for name in sorted(names):
                if name.endswith(suffixes):
                    yield os.path.relpath(os.path.join(where, name), top)


def read(top, path):
    with open(os.path.join(top, path), encoding="utf-8") as f:
        return f.read()


def blank(text):
    """The text with comments and literals as blanks; lines keep their place."""
    def gap(m):
        return re.sub(r"[^\n]", " ", m.group())
    return TOKEN.sub(gap, text)


def includes(text):
    """(line number, '<' or '"', name) of each include."""
    found = []
    for n, line in enumerate(text.splitlines(), 1):
        m = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if m:
            found.append((n, m.group(1), m.group(2)))
    return found


def functions(text):
    """(name, first line, length) by braces in column 0."""
    lines = blank(text).splitlines()
    found = []
    start = None
    for n, line in enumerate(lines, 1):
        if line.startswith("{"):
            start = n
        elif line.startswith("}") and start is not None:
            name = "?"
            for back in range(start - 1, max(start - 12, 0), -1):
                m = re.match(r"(\w+)\s*\(", lines[back - 1])
                if m:
                    name = m.group(1)
                    break
            found.append((name, start, n - start - 1))
            start = None
    return found
