#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The account is exact: bytes_skipped is what no record and no section used.
#
# Another counter than coldperf's adds up the records that dump shows, the bytes
# that messages tell, and the sections that the header tells.  ROUNDS (default 3)
# damages of each kind a capture, SEED chooses which; CASES chooses captures.
# Records that would take the bytes of others are tried one by one.
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

FEW = "good-fp good-pipe good-events good-endian-big good-sched good-maps " \
    "good-jitdump good-zstd"
ROUNDS = int(os.environ.get("ROUNDS", "3"))
SEED = int(os.environ.get("SEED", "1"))
ABOUT_BYTES = ("bad-record", "truncated", "trailing-data")
AUXTRACE, TRACING_DATA, COMPRESSED = 71, 66, (81, 83)
tmp = tempfile.TemporaryDirectory()
bad = os.path.join(tmp.name, "bad")


def coldperf(*words):
    r = subprocess.run([tap.coldperf, *words, bad], capture_output=True,
                       stdin=subprocess.DEVNULL)
    return r.stdout.decode(errors="replace"), r.stderr.decode(errors="replace")


class Capture:
    """Its bytes, and where its records are."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        self.order = ">" if self.data[:8] == b"2ELIFREP" else "<"
        self.pipe = self.get("Q", 8) == 16
        self.start, size = (16, len(self.data) - 16) if self.pipe else \
            struct.unpack_from(self.order + "QQ", self.data, 40)
        self.end = self.start + size
        self.heads = list(self.walk(self.data, self.start, self.end))

    def get(self, form, at, data=None):
        return struct.unpack_from(self.order + form, data or self.data, at)[0]

    def extra(self, data, at, kind, size):
        """The bytes that follow a record and are not of its size."""
        if kind == AUXTRACE:
            return self.get("Q", at + 8, data)
        n = self.get("I", at + 8, data) if kind == TRACING_DATA else 0
        return n if n > size - 12 else 0  # simpleperf's have them inside

    def walk(self, data, at, end):
        while at + 8 <= end:
            kind, _, n = struct.unpack_from(self.order + "IHH", data, at)
            if n < 8 or at + n > end:
                return
            yield at, kind, n
            at += n + self.extra(data, at, kind, n)


# ------------------------------------------------------------------- damage


def spoil_record(c, dice, kind):
    b = bytearray(c.data)
    at = dice.randrange(c.start, c.end)
    n = min(dice.choice((7, 40, 8 * dice.randrange(1, 9), 400)), c.end - at)
    head = dice.choice(c.heads)[0]
    if kind == "flip":
        b[at] ^= 1 << dice.randrange(8)
    elif kind == "zeros":
        b[at:at + n] = bytes(n)
    elif kind == "noise":
        b[at:at + n] = dice.randbytes(n)
    elif kind == "size":
        size = dice.choice((dice.randrange(65536), 8 * dice.randrange(1, 60)))
        struct.pack_into(c.order + "H", b, head + 6, size)
    elif kind == "type":
        types = (dice.randrange(1, 22), dice.randrange(64, 84))
        struct.pack_into(c.order + "I", b, head, dice.choice(types))
    return bytes(b)


def spoil_section(c, dice):
    """The place or the size of a feature becomes another."""
    b = bytearray(c.data)
    n = sum(bin(c.get("Q", 72 + 8 * i)).count("1") for i in range(4))
    at = c.end + 8 * dice.randrange(2 * n)
    value = dice.choice((dice.randrange(len(b) + 200), 0, len(b), 1 << 40,
                         dice.randrange(1 << 64), c.end + 16 * n + 160,
                         len(b) + 16 - (len(b) - c.end) % 16))
    struct.pack_into(c.order + "Q", b, at, value)
    return bytes(b)


# ------------------------------------------------------------- other counter


def told(said):
    """The bytes that messages say; None: several are told as one."""
    n = 0
    for m in said:
        if m["id"] not in ABOUT_BYTES:
            continue
        if m["count"] != 1:
            return None
        found = re.search(r"(\d+) bytes?", m["tail"])
        # Of a record that was mended only the header is not used.
        n += 8 if "used with" in m["tail"] else int(found.group(1))
    return n


def records(c, data, said):
    """The bytes that records do not use, but for what is mended."""
    end, used = c.start, 0
    for line in coldperf("dump")[0].splitlines():
        m = re.match(r"\d+ 0x([0-9a-f]+) (\S+) misc=\S+ size=(\d+)", line)
        at, name, size = int(m.group(1), 16), m.group(2), int(m.group(3))
        kind = {"AUXTRACE": AUXTRACE, "TRACING_DATA": TRACING_DATA}.get(name)
        if at < end:
            return None
        end = at + size + c.extra(data, at, kind, size)
        used += end - at
    slack = sum(int(m["tail"].split()[0]) for m in said
                if "after its content" in m["tail"])
    mended = 8 * sum("used with" in m["tail"] for m in said)
    return c.end - c.start - used + slack + mended


def sections(c, data, said):
    """The bytes that neither the data nor sound sections use; a section whose
    entry was wrong is where the message says."""
    spans = [(0, 104), (c.get("Q", 24), c.get("Q", 32)),
             (c.start, c.end - c.start)]
    entry = c.get("Q", 16)
    for at in range(spans[1][0], sum(spans[1]), entry):
        spans.append(struct.unpack_from(c.order + "QQ", data,
                                        at + entry - 16))
    n = sum(bin(c.get("Q", 72 + 8 * i)).count("1") for i in range(4))
    spans.append((c.end, 16 * n))
    table = [struct.unpack_from(c.order + "QQ", data, c.end + 16 * i)
             for i in range(n)]
    for m in said:
        mended = re.search(r"(\d+) bytes at (\d+) are used", m["tail"])
        if mended:
            table[(m["offset"] - c.end) // 16] = (int(mended[2]),
                                                  int(mended[1]))
    spans += [s for s in table if sum(s) <= len(data)]
    # The recorder leaves the entries of features that it could not write.
    first, end = min(s[0] for s in table), c.end + 16 * n
    if first <= len(data) and 0 <= first - end <= 4096 and \
            (first - end) % 16 == 0:
        spans.append((end, first - end))
    bits = bytearray(len(data))
    for at, size in spans:
        bits[at:at + size] = b"\1" * len(bits[at:at + size])
    holes = [len(h.group()) for h in re.finditer(b"\0+", bytes(bits))]
    rest = re.search(b"\0*$", bytes(bits)).group()
    return sum(n for n in holes if n >= 8 or n == len(rest)), len(rest)


# -------------------------------------------------------------------- tests


def account():
    out, err = coldperf("quality", "--diag", "json", "-f", "json")
    values = {}
    for section in json.loads(out)["sections"] if out else []:
        for scalar in section.get("scalars", []):
            values[scalar["key"]] = scalar["value"]
    return values, [json.loads(line) for line in err.splitlines()]


def wrong_records(c, data):
    values, said = account()
    if not values:
        return None
    skipped = values["bytes_skipped"]
    messages = told(said)
    if messages is None or any(kind in COMPRESSED for _, kind, _ in c.heads) or \
            any(m["id"] == "bad-compression" for m in said):
        return None  # of a compressed record messages tell inflated bytes
    if messages != skipped:
        return "messages tell %d, skipped %d" % (messages, skipped)
    n = records(c, data, said)
    if n != skipped:
        return "records leave %s, skipped %d" % (n, skipped)
    return None


def wrong_sections(c, data):
    values, said = account()
    if not values:
        return "no report"
    n, rest = sections(c, data, said)
    ids = {m["id"] for m in said}
    if "bad-header" in ids:  # the reader takes the data to be of another size
        return None
    if "bad-feature" not in ids:  # a rest is no damage then, and told
        n -= rest
    if n != values["bytes_skipped"] or \
            values["bytes_parsed"] + values["bytes_skipped"] != len(data):
        return "sections leave %d of %d, account %s" % (n, len(data), {
            k: v for k, v in values.items() if k.startswith("bytes_")})
    return None


def captures():
    for case in os.environ.get("CASES", FEW).split():
        path = tap.capture(case, tmp.name)
        if os.path.isfile(path):
            yield case, Capture(path)


def attack(case, c, kinds, spoil, check):
    wrong = []
    for kind in kinds:
        for i in range(ROUNDS):
            name = "%s %s %d" % (case, kind, SEED + i)
            data = spoil(kind, random.Random(name))
            with open(bad, "wb") as f:
                f.write(data)
            why = check(c, data)
            if why:
                wrong.append(name + ": " + why)
    return wrong


# ------------------------------------------------------- what takes others


def of_type(c, kind, nth=0):
    """The place of a record of that type."""
    return [at for at, k, _ in c.heads if k == kind][nth]


def retyped(c, *types):
    """Records of which the type alone became another."""
    b = bytearray(c.data)
    for at, to in types:
        struct.pack_into(c.order + "I", b, at, to)
    return bytes(b)


def without(c, at, n):
    return c.data[:at] + c.data[at + n:]


def takes(text, data, samples, skipped):
    """So many samples are found, and so many bytes are skipped."""
    with open(bad, "wb") as f:
        f.write(data)
    found = coldperf("script", "-F", "time")[0].count("\n")
    n = account()[0].get("bytes_skipped")
    tap.ok((found, n) == (samples, skipped), text,
           "%d samples, skipped %s" % (found, n))


def takers():
    """Records that would take the bytes of others."""
    def load(case):
        return Capture(tap.capture(case, tmp.name))
    sample, mmap2, leave, attr = 9, 10, 4, 64
    c = load("good-tracepoints")
    n = sum(kind == sample for _, kind, _ in c.heads)
    takes("in a file no record becomes TRACING_DATA",
          retyped(c, (of_type(c, leave), TRACING_DATA)), n, 64)
    c = load("good-endian-big")
    at, end = of_type(c, mmap2, 1), of_type(c, sample, 1)
    takes("a record that became HEADER_ATTR is not mended as one",
          retyped(c, (at, attr), (of_type(c, sample), 1 << 20)), 3, end - at)
    c = load("good-pipe-all")
    takes("TRACING_DATA that lost bytes leave the next records",
          without(c, of_type(c, TRACING_DATA) + 500, 406), 2, 0)
    at = of_type(c, sample)
    takes("a first sample that lost bytes leaves the next one",
          without(c, at + 28, 12), 1, 36)


def main():
    tap.diag("seed %d" % SEED)
    takers()
    for case, c in captures():
        wrong = attack(case, c, ("none", "flip", "zeros", "noise", "size",
                                 "type"),
                       lambda kind, dice: spoil_record(c, dice, kind),
                       wrong_records)
        tap.ok(not wrong, case + ": what records leave is skipped",
               "\n".join(wrong))
        if c.pipe:
            continue
        wrong = attack(case, c, ("place a", "place b", "place c", "place d"),
                       lambda kind, dice: spoil_section(c, dice),
                       wrong_sections)
        tap.ok(not wrong, case + ": what sections leave is skipped",
               "\n".join(wrong))
    tap.done()


main()
