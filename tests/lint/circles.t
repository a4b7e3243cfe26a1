#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# No circle among headers by what they include, none among .c files by what they
# call (nm).  A header is the room's: it may have what several files define.
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
                graph.setdefault(path, set()).add(name)


def symbols(paths):
    """For each (defined, undefined) names of the object file it became."""
    run = subprocess.run(["nm", "-P", "-A"] + [p + ".o" for p in paths],
                         text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, cwd=tap.top_builddir)
    found = {path: (set(), set()) for path in paths}
    for line in run.stdout.splitlines():
        path, name, kind = line.split()[:3]
        defined, undefined = found[path[:-3]]  # without ".o:"
        if kind in "TDBRVWC":
            defined.add(name)
        elif kind == "U":
            undefined.add(name)
    return found


def by_call(graph):
    """Adds an arrow to the unit that defines what another calls; the number
    of object files that were there."""
    found = symbols([unit(p) for p in source.files(
        tap.top_srcdir, (".c",), source.PRODUCT)])
    defined = {name: one for one, (has, _) in found.items() for name in has}
    for one, (_, wanted) in found.items():
        for name in wanted:
            if name in defined:
                graph.setdefault(one, set()).add(defined[name])
    return len(set(defined.values()))


def circles(graph):
    """The strongly connected parts of more than one (Tarjan, by hand: as deep
    as the graph is)."""
    index, low, stack, found = {}, {}, [], []
    for root in graph:
        work = [] if root in index else [(root, None)]
        while work:
            one, others = work.pop()
            if others is None:
                if one in index:
                    continue
                index[one] = low[one] = len(index)
                stack.append(one)
                others = iter(graph.get(one, ()))
            for other in others:
                if other not in index:
                    work += [(one, others), (other, None)]
                    break
                if other in stack:
                    low[one] = min(low[one], low[other])
            else:
                if low[one] == index[one]:
                    at = stack.index(one)
                    part, stack[at:] = stack[at:], []
                    found += [tuple(sorted(part))] if len(part) > 1 else []
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[one])
    return sorted(found)


def report(graph, text):
    found = circles(graph)
    tap.ok(not found, text, "\n".join(" ".join(c) for c in found))


by_hand = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}
tap.ok(circles(by_hand) == [("a", "b", "c")], "a planted circle is found")
graph = {}
by_include(graph)
report(graph, "no circle of headers by include")
if not shutil.which("nm"):
    tap.skip("no nm")
elif by_call(graph) < 100:
    tap.skip("the object files tell no names (built with -flto?)")
else:
    report(graph, "no circle of files by call")
tap.done()
