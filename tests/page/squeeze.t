#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The build makes the page's script short and keeps what it says.  The tests in
# a browser see the short one, those in Node the modules.
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

ROOM = tap.top_srcdir + "/render/page/"
STEPS = ("tokens", "functions", "roles", "scopes", "parameters",
         "constants", "sequences", "shorten", "texts", "names", "this", "print")
LARGEST = 127160  # a page of few samples is not much more than this
JOIN = r's/\([{};]\)\\n",$/\1",/'
STRING = r"(?=('[\w -]+'))"
MODULE = r"<!--|-->|</script|(?:^|[;}])(?:import|export) "
tmp = tempfile.TemporaryDirectory()


def text_of(rows):
    """What C strings say, each in a row of its own."""
    rows = re.findall(r'^"(.*)",$', rows.decode(), re.M)
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1],
                  "".join(rows))


def squeeze(paths, *options):
    """What awk says of them, and the text in the C strings it makes."""
    program = [word for step in STEPS
               for word in ("-f", f"{ROOM}squeeze/{step}.awk")]
    done = subprocess.run([os.environ.get("AWK", "awk"), *options, *program,
                           *paths], env={**os.environ, "LC_ALL": "C"},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done, text_of(done.stdout)


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
         "let e=(n,{name:t}=n)=>{g(t,t)};"),
        ("what a page declares is not the browser's",
         "const x = (document) => document.y;\nz(document);",
         "let e=t=>t.y;z(document);"),
        ("a short name is not one in use",
         "const first = e(t);\nuse(first, first);",
         "let n=e(t);use(n,n);"),
        ("a method has names of its own",
         "class Box {\n\tput(one) {\n\t\treturn one;\n\t}\n"
         "\n\tget two() {\n\t\treturn 2;\n\t}\n}",
         "let e=class{put(e){return e}get two(){return 2}};"),
        ("signs that would become others",
         "f(1 - -g, 1 + +g, 1 - --g, 2 / /a b/.n);",
         "f(1- -g,1+ +g,1- --g,2/ /a b/.n);"),
        ("strings and regular expressions", "f('a = b', /[/'] \\/ = /, \"'\");",
         "f('a = b',/[/'] \\/ = /,\"'\");"),
        ("comments go", "f(1 /* one */); // two\n/**\n * f('three');\n */\n"
         "g('// four');", "f(1);g('// four');"),
        ("declarations are joined",
         "function f() {\n\tg();\n\tconst a = 1;\n\tconst b = a;\n"
         "\treturn b;\n}",
         "let e=()=>{g();let t=1,n=t;return n};"),
        ("what a function declares first is a parameter",
         "function f(a) {\n\tconst b = a + 1;\n\tlet [c] = b;\n"
         "\treturn c;\n}\nconst g = () => {\n\tconst a = f(1);\n"
         "\tfor (;;) {\n\t\tf(a);\n\t}\n};\ng();",
         "let e=(t,n=t+1,[a]=n)=>a,t=(n=e(1))=>{for(;;)e(n)};t();"),
        ("not if one may give more than it takes",
         "function f(a) {\n\tconst b = a;\n\treturn b;\n}\n"
         "function g(a) {\n\tconst b = a;\n\treturn b;\n}\n"
         "function h(a) {\n\tconst b = a;\n\treturn b;\n}\n"
         "function i(...a) {\n\tconst b = a;\n\treturn b;\n}\n"
         "x.map(f);\ng(1, 2);\nh(...x);\ni();",
         "let e=t=>{let n=t;return n},t=e=>{let n=e;return n},"
         "n=e=>{let t=e;return t},a=(...e)=>{let t=e;return t};"
         "x.map(e);t(1,2);n(...x);a();"),
        ("not if it says what is declared later",
         "function f() {\n\tconst a = 1;\n\tconst b = () => c;\n\tg();\n"
         "\tconst c = a;\n\treturn b;\n}",
         "let e=(t=1)=>{let n=()=>a;g();let a=t;return n};"),
        ("functions stand first, as a browser takes them",
         "const a = f(1);\nexport function f(b) {\n\treturn b;\n}\n"
         "function g(b, c) {\n\tf(b);\n\tf(c);\n}\ng(a, a);",
         "let e=t=>t,n=(t,a)=>{e(t);e(a)},t=e(1);n(t,t);"),
        ("a function with `this' stays",
         "function f() {\n\treturn this;\n}\nasync function g() {\n\tf();\n}",
         "function e(){return this}async function t(){e()}"),
        ("a text said often",
         "f('many', 'many', 'once', { 'many': 'many' });\n"
         "g('many');\nswitch (a) {\ncase 'many':\n\tg();\n}",
         "let e='many';f(e,e,'once',{[e]:e});g(e);switch(a){case e:g()}"),
        ("a member asked for often, but seldom at a time",
         "a.toString(b.toString);\nc.toString().x;\nif (a.toString) {\n"
         "\ta.toString = 1;\n}\nc?.toString(/a/.toString);\n"
         "f(b.toString).toString\ng({ toString });",
         "let e='toString';a[e](b[e]);c[e]().x;if(a[e])a[e]=1;"
         "c?.toString(/a/[e]);f(b[e])[e]\ng({toString});"),
        ("a new object without a call",
         "const a = new Map(), b = new Map().size;\nf(new Map(), new Map(a));",
         "let e=new Map,t=new Map().size;f(new Map,new Map(e));"),
        ("functions that ask for no object, called often",
         "const f = (a) => Math.max(a, Math.max(a, Math.max(a, Math.max(" +
         "Math.min(a, 1)))));\nf(2);",
         "let e=Math.max;let t=n=>e(n,e(n,e(n,e(Math.min(n,1)))));t(2);"),
        ("loops around an if, which has no else",
         "for (const a of b) {\n\tif (a) {\n\t\tc = 1;\n\t}\n}\n"
         "for (const a of b) {\n\tif (a) {\n\t\tc = 1;\n\t} else {\n"
         "\t\treturn;\n\t}\n}\n"
         "if (a) {\n\twhile (b) {\n\t\tif (c) {\n\t\t\td = 1;\n\t\t}\n"
         "\t}\n} else {\n\tf();\n}",
         "for(let e of b)if(e)c=1;for(let e of b){if(e)c=1;else return}"
         "if(a){while(b)if(c)d=1}else f();"),
        ("what follows a loop is none of it",
         "() => {\n\tfor (const a of b) {\n\t\tif (a) {\n\t\t\treturn 1;\n"
         "\t\t}\n\t}\n\treturn 2;\n};",
         "()=>{for(let e of b)if(e)return 1;return 2};"),
        ("nor what follows a condition",
         "() => {\n\tif (a) {\n\t\tif (b) {\n\t\t\treturn 1;\n"
         "\t\t}\n\t}\n\treturn 2;\n};\n"
         "() => {\n\tif (a) {\n\t\tf();\n\t} else if (b) {\n"
         "\t\treturn 1;\n\t}\n\treturn 2;\n};",
         "()=>{if(a)if(b)return 1;return 2};"
         "()=>{if(a)f();else if(b)return 1;return 2};"),
        ("a block of an `if' and something else",
         "if (a) {\n\tif (b) {\n\t\tif (c) {\n\t\t\tlet d = 1;\n"
         "\t\t\tf(d);\n\t\t}\n\t}\n\tg();\n}",
         "if(a){if(b)if(c){let e=1;f(e)}g()}"),
        ("a block after a case is no object",
         "const f = g(1);\nswitch (a) {\ncase 1: {\n\tf(a ? { f: f(1) } : "
         "{ g: 1 });\n}\ndefault: {\n\tf(3);\n}\n}\n"
         "h({ default: { f: 1 } });",
         "let e=g(1);switch(a){case 1:{e(a?{f:e(1)}:{g:1})}"
         "default:{e(3)}}h({default:{f:1}});"),
        ("assigning under a condition",
         "if (a) {\n\tb ??= 1;\n}\nif (a) {\n\tb ||= 1;\n}",
         "if(a)b??=1;if(a)b||=1;"),
        ("loops keep their own declarations",
         "for (const [a, of] of of) {\n\tf(a, of);\n}",
         "for(let[t,e]of e)f(t,e);"),
        ("braces of one statement",
         "if (a) {\n\tf();\n} else {\n\tif (b) {\n\t\tg();\n\t}\n}",
         "a?f():b&&g();"),
        ("calls under a condition", "if (a === 1) {\n\tf();\n}\n"
         "if (a || b) {\n\tg();\n}\nif (a) {\n\tb = 1;\n}\n"
         "if (a) {\n\tif (b) {\n\t\tf();\n\t}\n}\n"
         "if (a) {\n\tif (b) {\n\t\tc = 1;\n\t}\n} else {\n\tf();\n}",
         "a===1&&f();if(a||b)g();if(a)b=1;a&&b&&f();if(a){if(b)c=1}else f();"),
        ("one call or another", "if (a) {\n\tb = 1;\n} else {\n\tc();\n}\n"
         "if (a) {\n\tf();\n} else {\n\treturn;\n}",
         "a?b=1:c();if(a)f();else return;"),
        ("a method that says this often",
         "class A {\n\tf() {\n\t\tlet b = this.b + this.c;\n"
         "\t\tg(this.d, b);\n\t}\n\n\tg() {\n\t\tthis.b = this.c;\n\t}\n}",
         "let e=class{f(){let e=this,t=e.b+e.c;g(e.d,t)}g(){this.b=this.c}};"),
        ("not if an object in it has another",
         "class A {\n\tf() {\n\t\treturn { g() {\n"
         "\t\t\treturn f(this.b, this.c, this.d, this.e);\n\t\t} };\n"
         "\t}\n}",
         "let e=class{f(){return{g(){return f(this.b,this.c,this.d,this.e)"
         "}}}};"),
        ("values under a condition",
         "() => {\n\tif (a || b) {\n\t\treturn 1;\n\t}\n\tif (c) {\n"
         "\t\treturn d = 2;\n\t}\n\treturn 3;\n};\n"
         "() => {\n\tif (a = b) {\n\t\treturn 1;\n\t}\n\treturn 2;\n};\n"
         "() => {\n\tif (a) {\n\t\treturn;\n\t}\n\treturn 2;\n};",
         "()=>a||b?1:c?d=2:3;()=>{if(a=b)return 1;return 2};"
         "()=>{if(a)return;return 2};"),
        ("blocks of expressions are one statement",
         "if (a) {\n\tf();\n\tb = 1;\n} else {\n\tf(b);\n}\n"
         "if (a || b) {\n\tf();\n\tif (b) {\n\t\tg();\n\t}\n\tb = 2;\n}\n"
         "for (const c of a) {\n\tf(c);\n\tg();\n}\n"
         "if (a) {\n\tf();\n\tlet c = 1;\n\tg(c);\n}",
         "a?(f(),b=1):f(b);if(a||b)f(),b&&g(),b=2;for(let e of a)f(e),g();"
         "if(a){f();let e=1;g(e)}"),
        ("functions of expressions are one value",
         "() => {\n\tf();\n\treturn a;\n};\n() => {\n\treturn { a: 1 };\n};\n"
         "() => {\n\tf();\n\tg();\n};\n() => {\n\tf();\n\treturn;\n};",
         "()=>(f(),a);()=>({a:1});()=>{f();g()};()=>{f();return};"),
        ("numbers", "f(0x1f, 0xffffffff, 2000, 100, 1000000, 0x0, 10.000, "
         ".5000);", "f(31,4294967295,2e3,100,1e6,0,10.000,.5000);"),
        ("a division after ++", "const bb = a;\nf(a++ / bb + bb / a);",
         "let e=a;f(a++/e+e/a);"),
        ("members without a value",
         "class A {\n\tb;\n\tc = 1;\n\tf() {\n\t\tg(this.b);\n\t}\n}",
         "let e=class{c=1;f(){g(this.b)}};"),
        ("not if they may hide others",
         "class A extends B {\n\tc;\n}", "let e=class extends B{c};"),
        ("a call of what may be there", "const a = b;\nf(a?.(a), (a));",
         "let e=b;f(e?.(e),e);"),
        ("constants that are short",
         "const a = 1, b = 'c';\nconst d = x, e = 2;\nconst f = 3, g = y, h = 4;\nexport const i = 5;\n"
         "z(a, b, d, e, f, g, h, i, -a);",
         "let e=x,t=y;z(1,'c',e,2,3,t,4,5,-1);"),
        ("others stay", "const a = 12345678, b = 1, c = 2;\nlet d = 3;\n"
         "f(a, a, { b }, c.d, d);",
         "let e=12345678,t=1,n=2,a=3;f(e,e,{b:t},n.d,a);"),
        ("texts that are no numbers",
         "f(a === 'b', a !== '-', a === '1', a === '', a === 'b' + c, "
         "a === '-1', typeof a === 'b');",
         "f(a=='b',a!='-',a==='1',a==='',a==='b'+c,a==='-1',typeof a=='b');"),
        ("a class whose calls are known",
         "class A {\n\tconstructor(a) {\n\t\tlet b = a;\n\t\tf(b, b);\n"
         "\t}\n}\n"
         "class B {\n\tconstructor() {\n\t\tlet b = a;\n\t\tf(b, b);\n"
         "\t}\n}\n"
         "class C extends B {\n}\n"
         "f(new A(1), x instanceof A, new B);",
         "let e=class{constructor(t,e=t){f(e,e)}},t=class{constructor(){"
         "let e=a;f(e,e)}},n=class extends t{};f(new e(1),x instanceof e,"
         "new t);"),
        ("an empty body stays", "{\n\tfor (; f();) ;\n}", "{for(;f(););}"),
        ("lines that might end a statement", "f()\n(g)\n++h\nreturn\ni",
         "f()\n(g)\n++h\nreturn\ni"),
        ("a function says nothing twice", "f(true, 0.5, undefined, [1, 2,],);",
         "f(!0,.5,undefined,[1,2]);"),
        ("what is often undefined, or null", "f(" + 9 * "null, undefined, " +
         "null);", "let e=null,t=undefined;f(" + 9 * "e,t," + "e);"),
        ("imports go",
         "import { one } from './one.js';\nexport const two = one;",
         "let e=t;")):
    out = squeezed(before)
    tap.ok(out == after, what, out)
for what, before in (("a template", "f(`a`);"), ("a private name", "a.#b;"),
                     ("a string without an end", "f('a"),
                     ("a number in another form", "f(1e+3);"),
                     ("a statement that begins with /",
                      "if (a) /b b/.test(a) && b();"),
                     ("an import by another name",
                      "import { a as b } from './a.js';")):
    tap.ok(squeezed(before).startswith("squeeze: "), what + " is refused")
tap.ok(squeezed("let size = 1;\nshow(size);", "-v", "plain=1") ==
       "let size=1;\nshow(size);", "plain=1 keeps names and lines")

METHODS = """class A {
	f(a) {
		const b = a;
		g(this.a, this.b, this.c, b);
	}

	g() {
		const b = this;
		return b;
	}

	h() {
		const b = this;
		return b;
	}
}
x.f(1);
x.g?.();
x.h();"""
tap.ok(squeezed(METHODS, "-v", "members=f g") ==
       "let e=class{e(t,e=this,n=t){g(e.a,e.b,e.c,n)}t(){let e=this;return e}"
       "h(){let e=this;return e}};x.e(1);x.t?.();x.h();",
       "methods of ours whose calls are known declare with parameters",
       squeezed(METHODS, "-v", "members=f g"))
tap.ok(squeezed("let a = { ours: 1 };\nf(a.ours, ({ ours }) => ours, 'ours');",
                "-v", "members=ours") ==
       "let e={e:1};f(e.e,({e:t})=>t,'ours');", "members that are ours")

parts = script_of("render_page_js")
with open(ROOM + "squeeze/members.txt", encoding="utf-8") as f:
    members = f.read().split()
ours = ("-v", "members=" + " ".join(members))
done, short = squeeze(parts, *ours)
tap.ok(done.returncode == 0, "the page's script is squeezed", done.stderr)
plain = squeeze(parts, "-v", "plain=1")[1]
texts, more = set(re.findall(STRING, plain)), set(re.findall(STRING, short))
tap.ok(texts <= more, "all its strings are there", texts - more)
tap.ok(all(re.search(rf"\.{text[1:-1]}\b", plain) for text in more - texts),
       "others are names of members", more - texts)
tap.ok(not re.search(MODULE, short, re.M),
       "it has nothing that ends a script or belongs to a module")
tap.diag("%d bytes, before %d" % (len(short.encode()), len(plain.encode())))
style = subprocess.run(
    ["sed", "-f", tap.top_srcdir + "/render/embed.sed", "-e", JOIN,
     "-f", ROOM + "squeeze/style.sed"] + script_of("render_page_css"),
    check=True, stdout=subprocess.PIPE).stdout
style = text_of(style)
declared = re.findall(r"[;{\n]--([\w-]+):", style)
asked = re.findall(r"colour:\s*'(\w+)'", plain) + ["idle", "plain", "lost"]
tap.ok(len(set(declared)) == len(declared) and len(asked) > 7 and
       set(asked + re.findall(r"var\(--([\w-]+)", style)) <= set(declared),
       "the style's variables have names of their own, and the script's",
       (sorted(declared), asked))
tap.diag("%d bytes of style" % len(style.encode()))
tap.ok(80000 < len(short.encode()) and 1000 < len(style.encode()) and
       len(short.encode()) + len(style.encode()) <= LARGEST,
       f"script and style have at most {LARGEST} bytes")
tap.ok(squeeze(parts, *ours)[1] == short, "it is the same each time")

# The model counts as it does before, and numbers and names are the same.
DRIVER = """
const told = [];
const tell = (v) => told.push(JSON.stringify(v, (_, x) => ArrayBuffer.isView(x) ?
	Array.from(x) : x));
for (let k = 0; k < 12; k++) {
	const v = 7 * Math.pow(23, k - 2);
	tell([time(v), bytes(v), value(v, 'clock'), value(v, 'address'), number(v),
		csvNumber(v),
		edgeText({ from: 0, step: v, count: 9, type: 'time' }, k),
		edgeText({ from: 0, step: 2 * Math.pow(10, k), count: 9,
			type: 'clock' }, 3), nthColour(k, k > 4), hashOf(String(v))]);
}
for (const seed of [1, 2, 3]) {
	const model = new Model(fakeData(seed, { samples: 3000 }));
	for (const split of ['none', 'comm', 'process', 'thread']) {
		const sel = { ...model.whole(seed % 2), from: seed * 1000 };
		for (const inverted of [false, true]) {
			for (const order of ['heavy', 'name', 'time']) {
				const t = model.tree(sel, { split, inverted, order });
				t.parent.forEach((_, i) => t.first(i));
				tell([t.parent, t.func, t.total, t.next]);
			}
		}
		tell(model.folded(sel, { split }));
		const s = model.series(sel, 50, 0, model.length);
		tell([s.samples, s.weight, s.busy, s.runnable, s.lost]);
	}
	for (const by of ['function', 'object', 'line', 'thread', 'comm']) {
		tell(csvOf(model, model.whole(), by));
	}
	const names = model.funcs.all.name;
	tell(names.map((s, i) => [shortName(s), fitName(s, undefined, 5 + i % 30)]));
	tell(writeState(readState('search=a&time=3,9&threads=1-4', model), model));
}
console.log(told.length, told.join('\\n').length, hashOf(told.join('\\n')));
"""


def run_squeezed(*options):
    """What the driver says of the modules that need no browser."""
    upto = next(i for i, part in enumerate(parts)
                if part.endswith("/shell.js"))
    path = os.path.join(tmp.name, "driver.js")
    fake = os.path.join(tmp.name, "fake.js")
    with open(tap.top_srcdir + "/tests/page/fake.js", encoding="utf-8") as f:
        text = re.sub("(?m)^export ", "", f.read())
    with open(fake, "w", encoding="utf-8") as f:
        f.write("export const fakeData = (() => {\n" + text +
                "\nreturn fakeData;\n})();\n")
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(
            f"import {{ {name} }} from './{name}.js';\n" for name in
            re.findall(r"\b(?:time|bytes|value|number|csvNumber|csvOf|"
                       r"edgeText|nthColour|hashOf|Model|fakeData|shortName|"
                       r"fitName|writeState|readState)\b(?=\()", DRIVER)) +
                DRIVER)
    done, out = squeeze([*parts[:upto], fake, path], *options)
    with open(path, "w", encoding="utf-8") as f:
        f.write("globalThis.window = globalThis.document = globalThis."
                "ResizeObserver = globalThis;" + out if not done.returncode else
                done.stderr.decode())
    return subprocess.run(["node", path], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout.decode()


if shutil.which("node"):
    path = os.path.join(tmp.name, "all.js")
    with open(path, "w", encoding="utf-8") as f:
        f.write(short)
    tap.ok(not subprocess.run(["node", "--check", path]).returncode,
           "the page's script is one that Node can read")
    want, got = run_squeezed("-v", "plain=1"), run_squeezed(*ours)
    tap.ok(re.fullmatch(r"\d+ \d{6,} \d+\n", want) and
           got == want, "the model counts the same when it is squeezed",
           (want[-300:], got[-300:]))
else:
    tap.skip("node is not installed")

# A member that is ours is named in no text, by no data and by no browser.
BROWSER = r"(?m)^\s+(?:readonly |get |set |var )?\"?([A-Za-z_$][\w$]*)\"?\??\s*[:(<]"
NODE = """
const all = new Set(), seen = new Set([null, undefined]);
function walk(o) {
	if (seen.has(o) || !['object', 'function'].includes(typeof o)) return;
	seen.add(o);
	for (const [name, how] of Object.entries(Object
		.getOwnPropertyDescriptors(o))) {
		all.add(name);
		if (seen.size < 20000) walk(how.value);
	}
	walk(Object.getPrototypeOf(o));
}
for (const root of [globalThis, new Map().entries(), [][Symbol.iterator](), ''.matchAll(/a/g)]) {
	walk(root);
}
all.delete('walk');
console.log(Array.from(all).join('\\n'));
"""


def texts_under(*rooms):
    for room in rooms:
        for folder, _, names in os.walk(os.path.join(tap.top_srcdir, room)):
            for name in names:
                if not re.search("/(export|svg|text)(/|$)", folder) \
                        and name.endswith((".c", ".h", ".def")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        yield file.read()


def quoted(text):
    """Words that stand alone or between dots in texts of C."""
    return {word for one in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text)
            for word in re.split(r"[.]|\\\"", one)}


def known_to_typescript():
    tsc = os.path.realpath(shutil.which(os.environ.get("TSC", "tsc")) or "/")
    lib = os.path.join(os.path.dirname(tsc), "../lib")
    out = set()
    for name in glob.glob(lib + "/lib.*dom*.d.ts") + glob.glob(
            lib + "/lib.es*.d.ts"):
        with open(name, encoding="utf-8") as file:
            out |= set(re.findall(BROWSER, re.sub(r"/\*.*?\*/", "",
                                                  file.read(), flags=re.S)))
    return out


def free_of(words, what):
    bad = [word for word in members if word in words]
    tap.ok(not bad, "no member of ours is " + what, bad)


free_of(set(re.findall(r"(?=['\"]([\w$]+)['\"])", plain)), "a text in the page")
free_of(set(re.findall(r"\bdataset\.(\w+)", plain)) | {
    key for keys in re.findall(r"\bel\('\w+',\s*\{([^{}]*)", plain)
    for key in re.findall(r"(?:^|,)\s*(\w+)(?=:|,|$)", keys)}, "an attribute")
free_of({m + end for m in members for end in ("High", "Low")},
        "half a number's name")
free_of({word for text in texts_under("render", "report")
         for word in quoted(text)}, "a text of those who write the data")
with open(tap.top_srcdir + "/docs/page-format.md", encoding="utf-8") as f:
    free_of(set(re.findall(r"`(\w+)`", f.read())), "in docs/page-format.md")
free_of({"Backspace", "PageUp", "PageDown", "Delete", "Insert", "Tab"}, "a key")
if shutil.which("node"):
    free_of(set(subprocess.run(["node", "-e", NODE], check=True,
                               stdout=subprocess.PIPE)
                .stdout.decode().split()), "JavaScript's, says Node")
else:
    tap.skip("node is not installed")
# Of things of browsers that the page does not have, or does not ask.
ELSEWHERE = {"state", "element", "show", "data", "high", "picture", "box",
             "pressed", "groups", "list", "put", "cut", "listing", "drag",
             "head", "open", "release"}
tap.ok(not re.search(r"\b(?:history|e|event|g|canvas|navigator|document|m|"
                     r"input|dialog|details)\.(?:" +
                     "|".join(ELSEWHERE) + r")\b|"
                     r"\bdialog\.show\(|\b[ea]\.element\b", plain),
       "the page asks browsers for no member that is ours")
web = known_to_typescript() - ELSEWHERE
if "addEventListener" in web:
    free_of(web, "the browser's, says TypeScript")
else:
    tap.skip("no TypeScript compiler (TSC=...)")
unused = [m for m in members if not re.search(rf"\b{m}\b", plain)]
tap.ok(not unused, "each member of ours is there", unused)
tap.done()
