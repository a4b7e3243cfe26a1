# SPDX-License-Identifier: MIT
"""Captures of a sample or two, made up word by word, and objects of a few
instructions with the unwind tables they need."""
import os
import struct
import subprocess
import tempfile
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-unwind-cases.")
BASE, TOP, TEXT = 0x400000, 0x7ffe00000000, 0x1000
FRAME_AT = TEXT + 0x1000 # address of .eh_frame


def path(name):
    return os.path.join(scratch.name, name)


def entry(body, size):
    body += b"\0" * (-(len(body) + 4) % size)
    return struct.pack("<I", len(body)) + body


def eh_frame(functions, addr):
    """functions: (start, size, instructions, signal)."""
    out = b""
    for start, size, rows, signal in functions:
        cie = entry(b"\0\0\0\0\x01" + (b"zRS\0" if signal else b"zR\0") +
                    b"\x01\x78\x10\x01\x1b\x0c\x07\x08\x90\x01", 8)
        head = struct.pack("<Ii", len(cie) + 4,
                           start - (addr + len(out) + len(cie) + 8))
        out += cie + entry(head + struct.pack("<IB", size, 0) + rows, 8)
    return out + b"\0\0\0\0"


def elf(name, functions, code=b"", hdr=None, search=(), machine=62, data_at=0):
    """hdr: before or behind .eh_frame; None: none; search: its table, of
    addresses and offsets in .eh_frame; data_at: address of a page of data.
    functions may be the bytes of .eh_frame."""
    at = FRAME_AT
    frame = functions if isinstance(functions, bytes) else \
        eh_frame(functions, at)
    first = at + len(frame)
    table = b"\x01\x1b\x03\x3b" + struct.pack("<iI", at - first - 4,
                                             len(search))
    for start, fde in search:
        table += struct.pack("<ii", start - first, at + fde - first)
    names = b"\0.text\0.eh_frame\0.eh_frame_hdr\0.shstrtab\0"
    sections = [(1, 1, 6, TEXT, 0x1000)]
    tables = [(7, 1, 2, at, len(frame))]
    if hdr is not None:
        tables.insert(0 if hdr == "before" else 1,
                      (17, 1, 2, first, len(table)))
    sections += tables
    strings = first + len(table)
    sections.append((31, 3, 0, strings, len(names)))
    headers = strings + len(names) + -(strings + len(names)) % 8
    data = bytearray(headers + 64 * (len(sections) + 1))
    data[:64] = struct.pack("<16sHHIQQQIHHHHHH",
                            b"\x7fELF\x02\x01\x01", 3, machine, 1, 0, 64, headers,
                            0, 64, 56, 1 + (data_at != 0), 64, len(sections) + 1, len(sections))
    data[64:120] = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, headers, headers, 1)
    data[120:176] = struct.pack("<IIQQQQQQ", 1, 6, len(data), data_at,
                                data_at, 0, 0x1000, 0x1000)
    data[TEXT:TEXT + 0x1000] = (code + b"\x90" * 0x1000)[:0x1000]
    data[at:at + len(frame)] = frame
    data[first:first + len(table)] = table
    data[strings:strings + len(names)] = names
    for i, (text, kind, flags, where, size) in enumerate(sections):
        data[headers + 64 * (i + 1):headers + 64 * (i + 2)] = struct.pack(
            "<IIQQQQIIQQ", text, kind, flags, where, where, size, 0, 0, 8, 0)
    with open(path(name), "wb") as f:
        f.write(data)


def at(offset):
    return BASE + TEXT + offset


# What perf numbers: AX BX CX DX SI DI BP SP IP.
REGS = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "ip"]


def sample(words, chain="", pid=7, time=50, dump=None, **regs):
    values = dict({r: 0 for r in REGS}, sp=TOP, **regs)
    data = b"".join(struct.pack("<Q", w % 2 ** 64) for w in words)
    size = len(data) if dump is None else dump
    return ("sample a ip=%d pid=%d time=%d chain=%s regs_user=2,%s "
            "stack_size=%d stack_dyn=%d stack=%s misc=%d" %
            (regs["ip"], pid, time, chain,
             ",".join(str(values[r]) for r in REGS), size, len(data),
             data.hex(), 1 if chain.startswith("kernel") else 2))


def text_map(name, base=BASE, pid=7, time=1):
    return "mmap pid=%d addr=%d len=%d pgoff=%d name=\"%s\" time=%d" % (
        pid, base + TEXT, 0x1000, TEXT, name, time)


def capture(lines, arch="x86_64", mask=0x1ff, size=65528):
    with open(path("in"), "w") as f:
        f.write("attr a type=1 period=1 sample_type=IP|TID|TIME|PERIOD|"
                "CALLCHAIN|REGS_USER|STACK_USER sample_regs_user=%d "
                "sample_stack_user=%d flags=sample_id_all|mmap|comm\n"
                "feature arch \"%s\"\n" % (mask, size, arch) +
                "\n".join(lines) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path("capture")], check=True)


def coldperf(*command):
    """What a command says of the capture."""
    p = subprocess.run([os.path.abspath(tap.coldperf), *command,
                        path("capture")],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode != 0:
        tap.diag(p.stderr.decode())
    return p.stdout.decode()


def stacks(lines, *options, arch="x86_64", mask=0x1ff):
    capture(lines, arch, mask)
    text = coldperf("script", "-F", "ip", *options)
    return [[int(ip.split()[0], 16) for ip in one.splitlines() if ip.strip()]
            for one in text.split("\n\n") if one.strip()]
