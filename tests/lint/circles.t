#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# No circle among files: by what they include, and by what they call (nm).
# A unit is a .c file with its header.
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/lint")
import source
import tap


def unit(path):
    return os.path.splitext(path)[0]


def by_include(graph):
    for path in source.files(tap.top_srcdir, (".c", ".h"), source.PRODUCT):
        text = source.read(tap.top_srcdir, path)
        for _, quote, name in source.includes(text):
            if quote == '"' and name.endswith(".h") and "/" in name:
                graph.setdefault(unit(path), set()).add(unit(name))


def symbols(path):
    """(defined, undefined) names of the object file that path became."""
    run = subprocess.run(["nm", "-P", os.path.join(tap.top_builddir, path)],
                         text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    rows = [line.split()[:2] for line in run.stdout.splitlines()
            if len(line.split()) >= 2]
    return ({name for name, kind in rows if kind in "TDBRVWC"},
            {name for name, kind in rows if kind == "U"})


def by_call(graph):
    """Adds an arrow to the unit that defines what another calls; the number
    of object files that were there."""
    defined, asked = {}, {}
    for path in source.files(tap.top_srcdir, (".c",), source.PRODUCT):
        has, asked[unit(path)] = symbols(unit(path) + ".o")
        for name in has:
            defined[name] = unit(path)
    for name, wanted in asked.items():
        for one in wanted:
            if one in defined:
                graph.setdefault(name, set()).add(defined[one])
    return len(set(defined.values()))


def reach(graph, start):
    seen, todo = set(), list(graph.get(start, ()))
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += graph.get(one, ())
    return seen


def circles(graph):
    for start in graph:
        graph[start].discard(start)
    reached = {one: reach(graph, one) for one in graph}
    found = set()
    for one, others in reached.items():
        if one in others:
            found.add(tuple(sorted(x for x in others
                                   if one in reached.get(x, ()))))
    return sorted(found)


def report(graph, text):
    found = circles(graph)
    tap.ok(not found, text, "\n".join(" ".join(c) for c in found))


by_hand = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}
tap.ok(circles(by_hand) == [("a", "b", "c")], "a planted circle is found")
graph = {}
by_include(graph)
report(graph, "no circle of files by include")
if not shutil.which("nm"):
    tap.skip("no nm")
elif by_call(graph) < 100:
    tap.skip("the object files tell no names (built with -flto?)")
else:
    report(graph, "no circle of files by include and by call")
tap.done()
