#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A page runs its own script, packed, and nothing else, whatever names there are in it,
# and one is made of each damaged capture.
import base64
import glob
import hashlib
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-page.")


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.policy = [], [], ""
        self.inside, self.inner, self.text = None, [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        self.attributes += attrs
        if "http-equiv" in attrs:
            self.policy = attrs["content"]
        self.inside = tag
        if tag in ("script", "style"):
            self.inner.append((tag, attrs.get("type"), "",
                               attrs.get("data-code")))

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside in ("script", "style"):
            tag, kind, text, code = self.inner[-1]
            self.inner[-1] = tag, kind, text + data, code
        else:
            self.text += data


def sum_of(text):
    digest = hashlib.sha256(text.encode()).digest()
    return "'sha256-%s'" % base64.b64encode(digest).decode()


def check(name, text):
    page = Page(text)
    run = [i for i in page.inner if i[1] != "text/plain"]
    if not tap.ok([i[:2] for i in run] == [("style", None), ("script", None)],
                  name + ": one style, one script", [i[:2] for i in run]):
        return page
    packed = [i[2] for i in page.inner if i[1] == "text/plain" and
              i[0] == "script" and i[3] == "script"]
    if not tap.ok(len(packed) == 1, name + ": one packed script", len(packed)):
        return page
    plain = zlib.decompress(base64.b64decode(packed[0]), -15).decode()
    want = {"default-src 'none'", "base-uri 'none'", "form-action 'none'",
            "img-src data: blob:", "style-src " + sum_of(run[0][2]),
            "script-src " + sum_of(run[1][2]) + " " + sum_of(plain)}
    got = {part.strip() for part in page.policy.split(";")}
    tap.ok(got == want, name + ": the policy names them", (got, want))
    bad = [a for a in page.attributes if a.startswith("on") or
           a in ("style", "href", "src")]
    tap.ok(not bad, name + ": no handler, no style, no link", bad)
    bad = [i for i in page.inner if i[1] == "text/plain" and
           not re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", i[2])]
    tap.ok(not bad, name + ": data are base64", bad[:1])
    return page


def sample(which):
    out = subprocess.run([os.path.join(tap.top_builddir, "tests/render",
                                       "write-sample"), "html", which],
                         stdout=subprocess.PIPE, check=True).stdout
    path = os.path.join(scratch.name, which + ".html")
    with open(path, "wb") as f:
        f.write(out)
    return path, out.decode()


def decoded(path):
    return json.loads(subprocess.run(
        ["node", tap.top_srcdir + "/tests/page/print.js", path],
        stdout=subprocess.PIPE, check=True).stdout)


path, text = sample("samples")
page = check("hostile", text)
HOSTILE = "</title></text></svg><svg onload='alert(3)'>"
tap.ok(HOSTILE in page.text, "a hostile name is text")
if tap.has_node():
    got = decoded(path)
    for table in "symbols", "threads", "objects":
        names = got[table]
        tap.ok(HOSTILE in names and "__proto__" in names and
               "constructor" in names and "bidi\\u202efed\\u202c" in names and
               "esc\\x1b[31mred\\x1b]0;title\\x07" in names and
               "bad\\xff\\xfe\\xc3(utf\\xed\\xa0\\x80 8\\xf4\\x90\\x80\\x80"
               in names, "names of %s are text, and visible" % table, names)
        tap.ok(max(map(len, names)) > 9999, "a long one is whole: " + table)
    tap.ok(got["addresses"][1] == "f" * 16 and got["unknown"] and
           got["addresses"][2] == "f" * 15 + "e", "addresses are exact",
           got["addresses"][:4])
    tap.ok(got["times"][:4] == [-1, 0, -1, -1] and
           got["start"] == "1001", "times count from the first sample",
           (got["times"], got["start"]))
    tap.ok(got["title"] == "\"><script>alert(1)</script>",
           "the title is as it was", got["title"])
else:
    tap.skip("names in the data: no node that reads pages")

made = 0
for case in sorted(glob.glob(tap.top_srcdir + "/corpus/bad-*")):
    data = os.path.join(case, "perf.data")
    if not os.path.isfile(data):
        data = os.path.join(scratch.name, "perf.data")
        subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                        os.path.join(case, "input.mkperf"), data], check=True)
    out = os.path.join(scratch.name, "bad.html")
    status = subprocess.run(
        [tap.coldperf, "flame", "--no-local", "-f", "html", "-o", out, data],
        stderr=subprocess.DEVNULL).returncode
    name = os.path.basename(case)
    if status not in (0, 3, 4):  # nothing of it can be read
        tap.ok(status == 2 and not os.path.exists(out),
               name + ": no capture, no page", status)
        continue
    made += 1
    with open(out) as f:
        check(name, f.read())
    if tap.has_node():
        tap.ok(decoded(out)["sections"], name + ": its data can be read")
    os.unlink(out)
tap.ok(made > 3, "pages were made of damaged captures", made)

# The commands that its script advises exist.
advised = set()
for part in glob.glob(os.path.join(tap.top_srcdir, "render/page/*.js")):
    with open(part) as f:
        advised |= set(re.findall(r"'coldperf ([a-z]+)", f.read()))
unknown = [word for word in sorted(advised) if subprocess.run(
    [tap.coldperf, "help", word], capture_output=True).returncode != 0]
tap.ok(advised and not unknown, "commands that the page advises exist",
       unknown)
tap.done()
