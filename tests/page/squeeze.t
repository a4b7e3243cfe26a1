#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The build makes the page's script short and keeps what it says.  The tests in
# a browser see the short one, those in Node the modules.
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

ROOM = tap.top_srcdir + "/render/page/"
STEPS = ("tokens", "roles", "scopes", "shorten", "names", "print")
SCRIPT_LARGEST = 130000
STRING = r"(?=('[\w -]+'))"
MODULE = r"<!--|-->|</script|(?:^|[;}])(?:import|export) "
tmp = tempfile.TemporaryDirectory()


def squeeze(paths, *options):
    """What awk says of them, and the text in the C strings it makes."""
    program = [word for step in STEPS
               for word in ("-f", f"{ROOM}squeeze/{step}.awk")]
    done = subprocess.run([os.environ.get("AWK", "awk"), *options, *program,
                           *paths], env={**os.environ, "LC_ALL": "C"},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    rows = re.findall(r'^"(.*)",$', done.stdout.decode(), re.M)
    return done, re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1],
                        "".join(rows))


def squeezed(text, *options):
    path = os.path.join(tmp.name, "in.js")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    done, out = squeeze([path], *options)
    return (out if done.returncode == 0 else done.stderr.decode()).strip()


def script_of(name):
    """The paths that render/local.mk gives a variable."""
    with open(tap.top_srcdir + "/render/local.mk", encoding="utf-8") as f:
        words = re.search(rf"^{name} =((?:.*\\\n)*.*)", f.read(), re.M)[1]
    return [tap.top_srcdir + "/render" + word[3:] for word in words.split()
            if word != "\\"]


for what, before, after in (
        ("names of variables", "let size = 1;\nshow(size);",
         "let e=1;show(e);"),
        ("names of members stay", "let a = b.name;\na = { name: a };",
         "let e=b.name;e={name:e};"),
        ("{name} says both names",
         "function f(n) {\n\tconst { name } = n;\n\tg(name, name);\n}",
         "function e(n){let{name:t}=n;g(t,t)}"),
        ("what a page declares is not the browser's",
         "const x = (document) => document.y;\nz(document);",
         "let e=t=>t.y;z(document);"),
        ("a short name is not one in use",
         "const first = e(t);\nuse(first, first);",
         "let n=e(t);use(n,n);"),
        ("a method has names of its own",
         "class Box {\n\tput(one) {\n\t\treturn one;\n\t}\n"
         "\n\tget two() {\n\t\treturn 2;\n\t}\n}",
         "class e{put(e){return e}get two(){return 2}}"),
        ("signs that would become others",
         "f(1 - -g, 1 + +g, 1 - --g, 2 / /a b/.n);",
         "f(1- -g,1+ +g,1- --g,2/ /a b/.n);"),
        ("strings and regular expressions", "f('a = b', /[/'] \\/ = /, \"'\");",
         "f('a = b',/[/'] \\/ = /,\"'\");"),
        ("comments go", "f(1 /* one */); // two\n/**\n * f('three');\n */\n"
         "g('// four');", "f(1);g('// four');"),
        ("declarations are joined",
         "function f() {\n\tconst a = 1;\n\tconst b = a;\n\treturn b;\n}",
         "function e(){let t=1,n=t;return n}"),
        ("loops keep their own declarations",
         "for (const [a, of] of of) {\n\tf(a, of);\n}",
         "for(let[t,e]of e)f(t,e);"),
        ("braces of one statement",
         "if (a) {\n\tf();\n} else {\n\tif (b) {\n\t\tg();\n\t}\n}",
         "if(a)f();else{if(b)g()}"),
        ("an empty body stays", "{\n\tfor (; f();) ;\n}", "{for(;f(););}"),
        ("lines that might end a statement", "f()\n(g)\n++h\nreturn\ni",
         "f()\n(g)\n++h\nreturn\ni"),
        ("a function says nothing twice", "f(true, 0.5, undefined, [1, 2,],);",
         "f(!0,.5,void 0,[1,2]);"),
        ("imports go",
         "import { one } from './one.js';\nexport const two = one;",
         "let e=t;")):
    out = squeezed(before)
    tap.ok(out == after, what, out)
for what, before in (("a template", "f(`a`);"), ("a private name", "a.#b;"),
                     ("a string without an end", "f('a"),
                     ("an import by another name",
                      "import { a as b } from './a.js';")):
    tap.ok(squeezed(before).startswith("squeeze: "), what + " is refused")
tap.ok(squeezed("let size = 1;\nshow(size);", "-v", "plain=1") ==
       "let size=1;\nshow(size);", "plain=1 keeps names and lines")

parts = script_of("render_page_js")
done, short = squeeze(parts)
tap.ok(done.returncode == 0, "the page's script is squeezed", done.stderr)
plain = squeeze(parts, "-v", "plain=1")[1]
tap.ok(re.findall(STRING, short) == re.findall(STRING, plain),
       "all its strings are there")
tap.ok(not re.search(MODULE, short, re.M),
       "it has nothing that ends a script or belongs to a module")
tap.diag("%d bytes, before %d" % (len(short.encode()), len(plain.encode())))
tap.ok(80000 < len(short.encode()) <= SCRIPT_LARGEST,
       f"the page's script has at most {SCRIPT_LARGEST} bytes",
       len(short.encode()))
tap.ok(squeeze(parts)[1] == short, "it is the same each time")
tap.done()
