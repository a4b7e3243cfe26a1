#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What strangers' files may not do: have files of this machine read because
# debug information names them, put names into the caches that answer for honest
# objects, or name code through files that other users may write.
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

ID = "00112233445566778899aabbccddeeff00112233"
SECRET = "the combination is 12345"
PROGRAM = """volatile unsigned sink;
static inline __attribute__((always_inline)) void
%(inlined)s(unsigned n)
{
	sink += n * 3;
}
%(line)s
__attribute__((noinline)) void hot(unsigned n)
{
	for (; n > 0; n--)
		%(inlined)s(n);
}
int main(int c, char **v)
{
	(void)v;
	hot((unsigned)c);
	return 0;
}
"""
scratch = tempfile.TemporaryDirectory(prefix="coldperf-trust.")


def path(*names):
    return os.path.join(os.path.realpath(scratch.name), *names)


def put(name, text):
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "w") as f:
        f.write(text)
    return path(name)


def run(*command):
    p = subprocess.run(command, cwd=scratch.name, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       env=dict(os.environ, LC_ALL="C", HOME=path("home"),
                                XDG_CACHE_HOME=path("cache"),
                                PERF_BUILDID_DIR=path("home/.debug"),
                                DEBUGINFOD_CACHE_PATH=path("none")))
    return (p.returncode, p.stdout.decode("utf-8", "replace"),
            p.stderr.decode("utf-8", "replace"))


def coldperf(*arguments):
    return run(os.path.abspath(tap.coldperf), *arguments)


def compile_program(folder, names=None, inlined="honest", *more):
    """FOLDER/prog; its hot() is said to be in the file `names`."""
    line = '#line 1 "%s"' % names if names else ""
    source = put(folder + "/prog.c",
                 PROGRAM % {"inlined": inlined, "line": line})
    p = subprocess.run(["gcc", "-g", *more, "-O1", "-no-pie", "-fno-pie",
                        source, "-o", path(folder, "prog"),
                        "-Wl,--build-id=0x" + ID],
                       cwd=path(folder), stderr=subprocess.PIPE)
    if p.returncode:
        tap.skip_all("the program does not compile: " + p.stderr.decode())
    return path(folder, "prog")


def hot(program):
    """Addresses of hot(), some of them inlined ones."""
    for line in run("nm", "-S", program)[1].splitlines():
        w = line.split()
        if w[-1] == "hot":
            return range(int(w[0], 16), int(w[0], 16) + int(w[1], 16))
    return []


def mkperf(name, lines):
    text = put(name + ".mkperf", "\n".join(lines) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    text, path(name)], check=True)
    return path(name)


def capture(name, recorded, addresses):
    return mkperf(name, [
        "attr cycles type=0 config=0 period=1 "
        "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap",
        'mmap pid=5 addr=0x400000 len=0x400000 pgoff=0 name="%s"' % recorded,
        'build_id %s "%s"' % (ID, recorded)] +
        ["sample cycles pid=5 time=%d period=1 ip=%d" % (i + 1, a)
         for i, a in enumerate(addresses)])


def bundle(name, data, program):
    with tarfile.open(path(name), "w") as t:
        t.add(data, "perf.data")
        t.add(program, "prog/elf")
    return path(name)


def is_packed(tar):
    """Whether the text is in the bundle; None: there is no bundle."""
    status, out, err = run("tar", "-xOf", tar, "--wildcards", "*.c", "*key*")
    if not os.path.exists(tar):
        tap.diag("no bundle")
        return None
    return SECRET in out


def leaks(*arguments):
    status, out, err = coldperf("annotate", "--top", "0", *arguments)
    if "hot" not in out:
        tap.diag("nothing to look at: %d %s" % (status, err))
        return None
    return SECRET in out


def test_leak():
    """5: an object of a bundle names a file of this machine."""
    secret = put("secret/key.c", (SECRET + "\n") * 40)
    program = compile_program("stranger", secret)
    data = capture("leak.data", "/nonexistent/prog", hot(program))
    tar = bundle("leak.tar", data, program)
    tap.ok(leaks(tar) is False, "a bundle's object cannot have a file shown")
    coldperf("pack", "--sources", "-o", path("out.tar"), tar)
    tap.ok(is_packed(path("out.tar")) is False, "... nor packed")
    tap.ok(leaks("--symbols", program, data) is False,
           "nor one of --symbols")
    tap.ok(leaks("--symbols", path("secret"), tar) is True,
           "a text in a folder of --symbols is shown")
    local = capture("local.data", program, hot(program))
    tap.ok(leaks(local) is False,
           "an own object cannot outside of where it was compiled")
    test_own(secret)


def test_own(secret):
    os.symlink(secret, put("own/x", "")[:-1] + "link.c")
    program = compile_program("own", "link.c")
    data = capture("own.data", program, hot(program))
    tap.ok(leaks(data) is False, "nor by a link that leads there")
    os.unlink(path("own/link.c"))
    shutil.copy(secret, path("own/link.c"))
    tap.ok(leaks(data) is True, "its own text is shown")
    coldperf("pack", "--sources", "-o", path("own.tar"), data)
    tap.ok(is_packed(path("own.tar")) is False,
           "and not packed without a sum")
    os.chmod(program, 0o777)
    tap.ok(leaks(data) is False, "not of an object that all may write to")
    os.chmod(program, 0o755)
    test_perf_cache(program, data)


def test_perf_cache(program, data):
    """perf record has copied the program, as it does."""
    folder = "home/.debug/.build-id/%s/%s" % (ID[:2], ID[2:])
    os.makedirs(path(folder))
    shutil.copy(program, path(folder, "elf"))
    tap.ok(leaks(data) is True, "a copy of the own object counts as it")
    other = compile_program("other", path("own/link.c"))
    shutil.copy(other, path(folder, "elf"))
    tap.ok(leaks(data) is False, "not another object of that build ID")
    shutil.rmtree(path("home/.debug"))


def test_sums(cc="clang"):
    if not shutil.which(cc):
        return tap.skip("no clang, which writes sums of sources")
    source = put("sums/prog.c", PROGRAM % {"inlined": "honest", "line": ""} +
                 "/* %s */\n" % SECRET)
    p = subprocess.run([cc, "-g", "-gdwarf-5", "-O1", "-no-pie", source, "-o",
                        path("sums/prog"), "-Wl,--build-id=0x" + ID],
                       cwd=path("sums"), stderr=subprocess.PIPE)
    if p.returncode:
        return tap.skip("clang does not link: " + p.stderr.decode()[:200])
    data = capture("sums.data", path("sums/prog"), hot(path("sums/prog")))
    coldperf("pack", "--sources", "-o", path("sums.tar"), data)
    tap.ok(is_packed(path("sums.tar")) is True, "with its sum a text is packed")


def test_alternate():
    """What dwz shares between programs tells names of files, too."""
    if not shutil.which("dwz"):
        return tap.skip("dwz is not installed")
    put("alt/text.c", (SECRET + "\n") * 40)
    for name in "one", "two":
        compile_program("alt", "text.c", "a_name_that_is_long_enough",
                        "-gdwarf-4")
        os.rename(path("alt/prog"), path("alt", name))
    p = run("dwz", "-m", path("alt/common"), path("alt/one"), path("alt/two"))
    if p[0] or ".gnu_debugaltlink" not in run(
            "readelf", "-SW", path("alt/one"))[1]:
        return tap.skip("dwz makes no common file: " + p[2])
    program = path("alt/one")
    data = capture("alt.data", program, hot(program))
    os.chmod(path("alt/common"), 0o644)
    tap.ok(leaks(data) is True, "with an own alternate file its text is shown")
    os.chmod(path("alt/common"), 0o666)
    tap.ok(leaks(data) is False, "not with one that all may write to")


def names(capture_path, *options):
    return coldperf("flame", "-f", "folded", *options, capture_path)[1]


def test_poison():
    """6: names of a bundle's object do not stay for honest ones."""
    evil = compile_program("evil", inlined="poison")
    honest = compile_program("honest", inlined="honest")
    data = capture("honest.data", honest, hot(honest))
    tar = bundle("evil.tar", data, evil)
    want = names(data, "--no-cache")
    tap.ok("poison_[i]" in names(tar) and
           "poison_[i]" in names(tar), "a bundle has its own names")
    tap.ok(names(data) == want and "honest_[i]" in want,
           "which do not answer for another object of its build ID",
           names(data))
    tap.ok(names(data) == want, "nor the second time")
    tap.ok(len([f for _, _, files in os.walk(path("cache/coldperf/inlines"))
                for f in files]) == 2, "both are kept")
    status = coldperf("quality", data)[1]
    tap.ok(" verified:" not in status and "build_id_equal" in status,
           "quality says of a build ID what it proves", status)
    test_replaced(honest, data)


def test_replaced(honest, data):
    """As a rebuild, with size and time put back."""
    st = os.stat(honest)
    other = compile_program("again", inlined="secand")
    with open(other, "rb") as f:
        text = f.read()
    with open(honest, "r+b") as f:
        f.write(text[:st.st_size].ljust(st.st_size, b"\0"))
    os.utime(honest, ns=(st.st_atime_ns, st.st_mtime_ns))
    tap.ok("secand_[i]" in names(data) and
           "honest_[i]" not in names(data),
           "another object at its path has names of its own", names(data))


def jit_names(data, *options):
    status, out, err = coldperf("script", "-F", "ip,sym", *options, data)
    return "jitted" in out, "not-opened" in err, err


def test_perf_map():
    """10: perf maps that others could have written."""
    os.makedirs(path("jit"))
    data = mkperf("jit/jit.data", [
        "attr cycles type=0 config=0 period=1 "
        "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap",
        "mmap pid=77 addr=0x10000 len=0x10000 pgoff=0 name=//anon",
        "sample cycles pid=77 time=1 period=1 ip=0x10010"])
    text = put("jit/perf-77.map", "10000 1000 jitted\n")
    refuse_each(data, text, "perf map")


def test_jitdump():
    """10: and jitdumps."""
    data = mkperf("dump/jit.data", [
        "attr cycles type=0 config=0 period=1 "
        "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap|use_clockid "
        "clockid=1",
        "mmap pid=77 addr=0x10000 len=0x1000 pgoff=0 name=//anon time=1",
        'mmap pid=77 addr=0x1000 len=4096 pgoff=0 time=2 name="%s"'
        % path("dump/jit-77.dump"),
        "sample cycles pid=77 time=9 period=1 ip=0x10010"])
    code = struct.pack("<IIQQQQ", 77, 77, 0x10000, 0x10000, 64, 1) + \
        b"jitted\0" + b"\x90" * 64
    text = put("dump/jit-77.dump", "")
    with open(text, "wb") as f:
        f.write(struct.pack("<IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 77, 0, 0) +
                struct.pack("<IIQ", 0, 16 + len(code), 3) + code)
    refuse_each(data, text, "jitdump")


def refuse_each(data, text, what):
    os.chmod(text, 0o644)
    tap.ok(jit_names(data)[:2] == (True, False), "an own %s is read" % what)
    refuse(data, text, what + " that all may write to",
           lambda: os.chmod(text, 0o666), lambda: os.chmod(text, 0o644))
    elsewhere = os.path.join(os.path.dirname(text), "elsewhere")
    os.rename(text, elsewhere)
    refuse(data, text, what + " that is a link",
           lambda: os.symlink(elsewhere, text), lambda: os.unlink(text))
    refuse(data, text, what + " that is a second name of a file",
           lambda: os.link(elsewhere, text), lambda: os.unlink(text))
    os.rename(elsewhere, text)
    if os.geteuid() == 0:
        refuse(data, text, what + " of another user",
               lambda: os.chown(text, 54321, -1),
               lambda: os.chown(text, 0, -1))
    else:
        tap.skip("only root can give a file to another user")


def refuse(data, text, what, before, after):
    before()
    named, said, err = jit_names(data)
    tap.ok(not named and said, what + " is refused, and said", err)
    tap.ok(jit_names(data, "--symbols", text)[:2] == (True, False),
           "... --symbols takes it")
    after()


def test_refused():
    """11: an object that is there and does not open."""
    os.makedirs(path("loop"))
    os.symlink("prog", path("loop/prog"))
    data = capture("loop.data", path("loop/prog"), [0x401000])
    err = coldperf("script", data)[2]
    tap.ok("(not-opened)" in err and "symbolic links" in err,
           "why an object was not opened is said", err)
    data = capture("gone.data", path("loop/none"), [0x401000])
    tap.ok("(not-opened)" not in coldperf("script", data)[2],
           "not of one that is not there")


if not shutil.which("gcc") or not shutil.which("nm"):
    tap.skip_all("no compiler")
os.makedirs(path("home"))
test_leak()
test_sums()
test_alternate()
test_poison()
test_perf_map()
test_jitdump()
test_refused()
tap.done()
