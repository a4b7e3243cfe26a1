# SPDX-License-Identifier: MIT
"""Looks for a pattern in bytes, packed and encoded in any way we know."""
import base64
import re
import shutil
import subprocess
import zlib

SECRET = re.compile(rb"zq\d\dle?a?k?", re.I)
BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{20,}={0,2}")
# A page's data: four letters of it can be a secret's by chance.  What they
# decode to is looked at.
BLOCK = re.compile(rb"[A-Za-z0-9+/]{400,}={0,2}")
zstd = shutil.which("zstd")


def inflate(data, bits):
    try:
        return zlib.decompressobj(bits).decompress(data)
    except zlib.error:
        return b""


def unzstd(data):
    """Of bytes that begin with a frame; the rest is no matter."""
    if not zstd:
        return b""
    run = subprocess.run([zstd, "-dcq"], input=data, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    return run.stdout


def decoded(data):
    for m in BASE64.finditer(data):
        text = m.group().rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
        text = text[:len(text) // 4 * 4]
        try:
            yield base64.b64decode(text)
        except ValueError:
            pass


def layers(data, depth):
    for m in re.finditer(rb"\x1f\x8b\x08", data):
        yield inflate(data[m.start():], 31)
    for m in re.finditer(rb"\x78[\x01\x9c\xda]", data):
        yield inflate(data[m.start():], 15)
    for m in re.finditer(rb"\x28\xb5\x2f\xfd", data):
        yield unzstd(data[m.start():])
    for plain in decoded(data):
        yield plain
        yield inflate(plain, -15)


def unpacked(data, depth=0):
    """The bytes, and all that they unpack to."""
    yield data
    if depth < 4:
        for layer in layers(data, depth):
            if len(layer) > 3:
                yield from unpacked(layer, depth + 1)


def dig(data):
    """The secrets in the bytes."""
    found = set()
    for layer in unpacked(data):
        layer = BLOCK.sub(b"", layer)
        found |= set(SECRET.findall(layer))
        found |= set(SECRET.findall(layer.replace(b"\0", b"")))
    return found
