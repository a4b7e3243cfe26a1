#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inputs of fuzz targets as text: one input a line, deflated, in base64.

    stored.py unpack FOLDER FILE.b64...   each line becomes a file of the
                                          folder FOLDER/FILE
    stored.py pack LIMIT FOLDER           prints the smallest files of FOLDER
                                          whose lines fit LIMIT bytes

Lines that begin with `#` say what the next one is: a fault that was found and
corrected, for example.
"""
import base64
import os
import sys
import zlib


def unpack(folder, paths):
    for path in paths:
        stem = os.path.basename(path)[:-len(".b64")]
        os.makedirs(os.path.join(folder, stem), exist_ok=True)
        with open(path) as f:
            lines = [s.strip() for s in f if not s.startswith("#")]
        for i, line in enumerate(lines):
            name = os.path.join(folder, stem, "%03d" % i)
            with open(name, "wb") as out:
                out.write(zlib.decompress(base64.b64decode(line)))


def line_of(path):
    with open(path, "rb") as f:
        return base64.b64encode(zlib.compress(f.read(), 9)).decode()


def pack(limit, folder):
    lines = sorted({line_of(os.path.join(folder, name))
                    for name in os.listdir(folder)}, key=lambda s: (len(s), s))
    for line in lines:
        limit -= len(line) + 1
        if limit < 0:
            break
        print(line)


if sys.argv[1] == "unpack":
    unpack(sys.argv[2], sys.argv[3:])
else:
    pack(int(sys.argv[2]), sys.argv[3])
