# SPDX-License-Identifier: MIT
"""Readers of the exports, written from the formats' own definitions.

Each answers what weighs how much: {event: {function: weight}}, by the
innermost function, inlined or not.  None stands for code without a name.
"""
import collections
import csv
import gzip
import json
import re
import struct


# ------------------------------------------------------- protocol buffers

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a message: number -> values as they come."""
    out = collections.defaultdict(list)
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, = struct.unpack_from("<Q", data, at)
            at += 8
        elif key & 7 == 2:
            size, at = varint(data, at)
            value = data[at:at + size]
            assert len(value) == size, "a message is cut"
            at += size
        else:
            raise ValueError("wire type %d" % (key & 7))
        out[key >> 3].append(value)
    return out


def one(message, number, none=0):
    return message[number][-1] if message[number] else none


def packed(message, number):
    out = []
    for value in message[number]:
        if isinstance(value, int):
            out.append(value)
            continue
        at = 0
        while at < len(value):
            v, at = varint(value, at)
            out.append(v)
    return out


def bare(name):
    """Without the mark, which only some formats have."""
    return re.sub(r" \(inlined\)$", "", name)


def unbracketed(name):
    """The name; None if it stands for an object's code without names."""
    return None if re.match(r"\[.*\]$", name) else bare(name)


def tallies():
    return collections.defaultdict(collections.Counter)


# ------------------------------------------------------------------ pprof

class Pprof:
    """profile.proto: the samples with their labels and functions."""

    def __init__(self, data):
        top = fields(gzip.decompress(data))
        self.strings = [s.decode("utf-8") for s in top[6]]
        assert self.strings[0] == "", "string 0 is not empty"
        self.types = [tuple(self.text(one(fields(t), n)) for n in (1, 2))
                      for t in top[1]]
        self.default = self.text(one(top, 14))
        self.comments = [self.text(c) for c in packed(top, 13)]
        self.functions = {one(f, 1): f for f in map(fields, top[5])}
        self.mappings = {one(m, 1): m for m in map(fields, top[3])}
        self.locations = {one(m, 1): m for m in map(fields, top[4])}
        for table in (self.functions, self.mappings, self.locations):
            assert 0 not in table, "a row has no number"
        self.samples = [self.sample(fields(s)) for s in top[2]]

    def text(self, i):
        return self.strings[i]

    def sample(self, s):
        values = packed(s, 2)
        assert len(values) == len(self.types), "a sample lacks values"
        labels = {}
        for label in map(fields, s[3]):
            number = one(label, 3)
            labels[self.text(one(label, 1))] = (
                number if number else self.text(one(label, 2)))
        return values, packed(s, 1), labels

    def lines(self, location):
        """Functions there, the innermost first."""
        out = []
        for line in map(fields, self.locations[location][4]):
            f = self.functions[one(line, 1)]
            out.append(unbracketed(self.text(one(f, 2))))
        return out or [None]

    def tally(self, inner=True, column=None):
        out = tallies()
        for values, locations, _ in self.samples:
            name = self.lines(locations[0])[0 if inner else -1]
            for (event, _), value in zip(self.types, values):
                if value:
                    out[event][name] += value
        return out


def pprof(data):
    out = Pprof(data).tally()
    del out["samples"]
    return out


# ------------------------------------------------------- texts and tables

def speedscope(data):
    top = json.loads(data)
    assert top["$schema"] == ("https://www.speedscope.app/"
                              "file-format-schema.json")
    frames = top["shared"]["frames"]
    out = tallies()
    for p in top["profiles"]:
        assert p["type"] == "sampled" and p["unit"] in (
            "bytes", "nanoseconds", "none"), p["type"]
        assert len(p["samples"]) == len(p["weights"])
        assert sum(p["weights"]) == p["endValue"] - p["startValue"]
        event = p["name"].split(": ")[0].split(" (")[0]
        for stack, weight in zip(p["samples"], p["weights"]):
            if not stack:  # a gap
                continue
            out[event][unbracketed(frames[stack[-1]]["name"])] += weight
    return out


def callgrind(data):
    """The functions' own costs; calls are passed over."""
    names, events, own, skip, fn = {}, [], [], False, None
    out = tallies()
    for line in data.decode("utf-8").splitlines():
        named = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?$", line)
        if line.startswith("events: "):
            events = line.split()[1:]
        elif named:
            if named.group(3) is not None:
                names[named.group(2)] = named.group(3)
            if named.group(1) == "fn":
                fn = unbracketed(names[named.group(2)])
        elif line.startswith("calls="):
            skip = True
        elif re.match(r"(0x[0-9a-f]+ )?\d+ \d", line):
            own = line.split()[-len(events):]
            if not skip:
                for event, value in zip(events, own):
                    out[event][fn] += int(value)
            skip = False
    out.pop("Samples")
    return out


def ndjson(data):
    out, stacks = tallies(), {}
    for row in map(json.loads, data.decode("utf-8").splitlines()):
        if row["row"] == "stack":
            stacks[row["stack"]] = row["functions"]
        if row["row"] != "sample":
            continue
        name = row["symbol"]
        assert stacks[row["stack"]][-1] == name or name is None
        out[row["event"]][bare(name) if name else None] += row["weight"]
    return out


def samples_csv(data):
    out = tallies()
    for row in csv.DictReader(data.decode("utf-8").splitlines()):
        assert len(row) == 13 and None not in row, row
        out[row["event"]][bare(row["symbol"]) or None] += int(row["weight"])
    return out


# ---------------------------------------------------------------- firefox

def firefox(data):
    top = json.loads(gzip.decompress(data))
    shared = top["shared"]
    for name, table in shared.items():
        if isinstance(table, dict):
            for column, cells in table.items():
                assert column == "length" or len(cells) == table["length"], (
                    name, column)
    strings = shared["stringArray"]
    stacks, frames = shared["stackTable"], shared["frameTable"]
    assert top["meta"]["preprocessedProfileVersion"] == 66
    assert all(0 <= o <= i for i, o in enumerate(stacks["prefixOffset"]))
    out = tallies()
    for t in top["threads"]:
        s = t["samples"]
        assert len(s["stack"]) == len(s["time"]) == len(s["weight"])
        event = re.search(r"\(([^()]*)\)$", t["name"])
        ms = s["weightType"] == "tracing-ms"
        for stack, weight in zip(s["stack"], s["weight"]):
            func = frames["func"][stacks["frame"][stack]]
            name = unbracketed(strings[shared["funcTable"]["name"][func]])
            out[event.group(1) if event else None][name] += (
                round(weight * 1e6) if ms else weight)
    return out


# --------------------------------------------------------------- perfetto

class Sequence:
    """What packets of one sequence refer to."""

    def __init__(self):
        self.functions, self.frames, self.stacks = {}, {}, {}
        self.event, self.count = None, 0


def perfetto(data):
    out, sequences = tallies(), {}
    for packet in map(fields, fields(data)[1]):
        number = one(packet, 10)
        s = sequences.setdefault(number, Sequence())
        for defaults in map(fields, packet[59]):
            for base in map(fields, fields(one(defaults, 12, b""))[1]):
                s.event = one(base, 10, b"").decode("utf-8")
        for interned in map(fields, packet[12]):
            for f in map(fields, interned[5]):
                s.functions[one(f, 1)] = one(f, 2, b"").decode("utf-8")
            for f in map(fields, interned[6]):
                assert one(f, 2) in s.functions, "a frame without function"
                s.frames[one(f, 1)] = one(f, 2)
            for c in map(fields, interned[7]):
                s.stacks[one(c, 1)] = packed(c, 2)
        for sample in map(fields, packet[66]):
            if not sample[4]:
                continue  # a loss
            leaf = s.stacks[one(sample, 4)][-1]
            name = unbracketed(s.functions[s.frames[leaf]])
            out[s.event][name] += one(sample, 6) - s.count
            s.count = one(sample, 6)
    return out


# ------------------------------------------------------------------- otlp

def otlp(data):
    top = fields(data)
    d = fields(one(top, 2, b""))
    strings = [s.decode("utf-8") for s in d[5]]
    for n in range(1, 8):
        assert len(d[n]) and d[n][0] == b"", "row 0 of a table is not zero"
    functions, locations = list(map(fields, d[3])), list(map(fields, d[2]))
    stacks = [packed(s, 1) for s in map(fields, d[7])]
    out = tallies()
    for resource in map(fields, top[1]):
        for scope in map(fields, resource[2]):
            for p in map(fields, scope[2]):
                event = strings[one(fields(p[1][0]), 1)]
                for s in map(fields, p[2]):
                    stack, name = stacks[one(s, 1)], None
                    lines = locations[stack[0]][3] if stack else []
                    if lines:
                        f = functions[one(fields(lines[0]), 1)]
                        name = unbracketed(strings[one(f, 1)])
                    out[event][name] += sum(packed(s, 4))
                    assert all(a < len(d[6]) for a in packed(s, 2))
    return out


READERS = {
    "pprof": pprof, "speedscope": speedscope, "callgrind": callgrind,
    "firefox": firefox, "perfetto": perfetto, "otlp": otlp,
    "ndjson": ndjson, "samples-csv": samples_csv,
}
