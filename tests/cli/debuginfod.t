#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# debuginfod: never asked unless told to, a plan of what is missing, and
# fetching from a real server on the loopback and from bad ones of our own.
import gzip
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap
import dbgserver
from dbgserver import Server, environment, send_file

scratch = tempfile.TemporaryDirectory(prefix="coldperf-debuginfod.")
ID = "0123456789abcdef0123456789abcdef01234567"
OTHER = "fedcba98" * 5
MISSING = "11" * 20
PATIENCE = 80  # seconds; the library by itself waits 90 for a file
SOURCE = """
__attribute__((noinline)) int hot_one(int a) { return a * 3; }
static __attribute__((noinline)) int hidden_two(int a) { return a * 5; }
int main(int c, char **v) { (void)v; return hot_one(c) + hidden_two(c) == 8
	? 0 : 1; }
"""


def path(name):
    return os.path.join(scratch.name, name)


def coldperf(arguments, home, urls=None, **more):
    p = subprocess.run([os.path.abspath(tap.coldperf)] + arguments,
                       env=environment(path(home), urls, **more), cwd=scratch.name,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=300)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def kept(home):
    """Files in the cache, build ID by build ID."""
    root = path(home + "/.cache/debuginfod_client")
    return sorted(os.path.relpath(os.path.join(d, f), root)
                  for d, _, files in os.walk(root) for f in files)


def mkperf(lines, name):
    with open(path(name + ".mkperf"), "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path(name + ".mkperf"), path(name)], check=True)


def run_cc(output, build_id, *more):
    return subprocess.call(
        ["gcc", "-g", "-O1", "-x", "c", path("prog.c"), "-no-pie",
         "-Wl,--build-id=0x" + build_id, "-o", output] + list(more)) == 0


def function_offset(program, name):
    """Where a function begins in the file."""
    for line in subprocess.check_output(["nm", program]).decode().splitlines():
        if line.endswith(" " + name):
            value = int(line.split()[0], 16)
    for line in subprocess.check_output(
            ["readelf", "-lW", program]).decode().splitlines():
        words = line.split()
        if words[:1] == ["LOAD"]:
            offset, vaddr, size = (int(words[i], 16) for i in (1, 2, 4))
            if vaddr <= value < vaddr + size:
                return value - vaddr + offset
    raise ValueError(name)


def make_capture():
    """Ten samples in each function of one object, one in each of two others
    that nobody has."""
    with open(path("prog.c"), "w") as f:
        f.write(SOURCE)
    if not run_cc(path("prog"), ID) or not run_cc(path("other"), OTHER):
        tap.skip_all("gcc is needed")
    hot = function_offset(path("prog"), "hot_one") + 1
    hidden = function_offset(path("prog"), "hidden_two") + 1
    lines = ["attr cycles type=0 config=0 period=1 "
             "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap"]
    objects = ((0x400000, "/gone/prog", ID),
               (0x10000000, "/gone/nobody", MISSING))
    for base, name, build_id in objects:
        lines.append('mmap pid=5 addr=%d len=0x100000 pgoff=0 name="%s"'
                     % (base, name))
        lines.append('build_id %s "%s"' % (build_id, name))
    for i in range(10):
        lines.append("sample cycles pid=5 time=%d period=1 ip=%d"
                     % (2 * i + 1, 0x400000 + hot))
        lines.append("sample cycles pid=5 time=%d period=1 ip=%d"
                     % (2 * i + 2, 0x400000 + hidden))
    lines.append("sample cycles pid=5 time=50 period=1 ip=0x10000010")
    mkperf(lines, "capture")
    mkperf([line for line in lines[:-1] if "nobody" not in line], "found")
    make_unwinding(hot)


def make_unwinding(ip):
    """A stack in a program without tables, which a debug file may have."""
    run_cc(path("tableless"), ID, "-s", "-fno-asynchronous-unwind-tables",
           "-fno-unwind-tables")
    mkperf(['feature arch "x86_64"',
            "attr cycles type=0 config=0 period=1 sample_regs_user=0x1c0 "
            "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN|REGS_USER|STACK_USER "
            "sample_stack_user=64 flags=sample_id_all|mmap",
            'mmap pid=5 addr=0x400000 len=0x100000 pgoff=0 name="/gone/prog"',
            'build_id %s "/gone/prog"' % ID,
            "sample cycles pid=5 time=1 period=1 ip=%d "
            "regs_user=2,%d,%d,%d chain= stack_size=64 stack=g:64 "
            "stack_dyn=64" % (
                0x400000 + ip, 1 << 46, 1 << 46, 0x400000 + ip)],
           "unwinding")


def honest(handler, build_id, kind):
    if build_id == ID:
        send_file(handler, path("stripped" if kind == "executable" else "debug"))
    else:
        handler.send_error(404)


def unstripped(handler, build_id, kind):
    if build_id == ID and kind == "executable":
        send_file(handler, path("prog"))
    elif build_id == ID:
        send_file(handler, path("debug"))
    else:
        handler.send_error(404)


def wrong(handler, build_id, kind):
    if kind == "executable":
        send_file(handler, path("other"))
    else:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"no ELF file at all\n")


def endless(handler, build_id, kind):
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(bytes(1 << 16))


def boastful(handler, build_id, kind):
    handler.send_response(200)
    handler.send_header("Content-Length", str(1 << 40))
    handler.end_headers()
    while True:
        handler.wfile.write(bytes(1 << 16))
        time.sleep(0.01)


def slow(handler, build_id, kind):
    """The first file at once, then drop by drop."""
    if kind == "executable" and build_id == ID:
        return send_file(handler, path("stripped"))
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    while True:
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.2)


def cut(handler, build_id, kind):
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b"\x7fELF")


def file_of(build_id, kind):
    if build_id != ID:
        return b""
    with open(path("stripped" if kind == "executable" else "debug"), "rb") as f:
        return f.read()


def half(handler, build_id, kind):
    """A whole reply that has the first half of the file."""
    data = file_of(build_id, kind)
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(data) // 2))
    handler.end_headers()
    handler.wfile.write(data[:len(data) // 2])


def half_packed(handler, build_id, kind):
    """curl does not tell that the packed file ended early."""
    data = gzip.compress(file_of(build_id, kind))
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.send_header("Content-Length", str(len(data) * 3 // 4))
    handler.end_headers()
    handler.wfile.write(data[:len(data) * 3 // 4])


def broken(handler, build_id, kind):
    handler.send_error(500)


def busy(handler, build_id, kind):
    handler.send_error(503)


def elsewhere(handler, build_id, kind):
    """What it points to would be right, but is no file of a server."""
    name = "stripped" if kind == "executable" else "debug"
    handler.send_response(302)
    handler.send_header("Location", "file://" + path(name))
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def no_sockets(arguments, what, seen=""):
    """strace sees every thread and child.  seen: what is printed."""
    p = subprocess.run(["strace", "-f", "-e", "trace=socket,connect", "-o",
                        path("trace"), os.path.abspath(tap.coldperf)] +
                       arguments, env=environment(
                           path("quiet"), "http://127.0.0.1:1",
                           ASAN_OPTIONS="detect_leaks=0"),  # it traces, too
                       cwd=scratch.name, stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL)
    with open(path("trace")) as f:
        calls = [line for line in f if "socket(" in line or "connect(" in line]
    tap.ok(p.returncode == 0 and not calls and seen in p.stdout.decode(),
           what + " opens no socket", "%d %s\n%s" % (
               p.returncode, calls, p.stdout.decode()[:2000]))


def test_quiet():
    if shutil.which("strace") is None or subprocess.call(
            ["strace", "-o", path("trace"), "true"]) != 0:
        return tap.skip("strace is not installed or may not trace")
    no_sockets(["hotspots", "--debuginfod=off", "capture"], "off")
    no_sockets(["report", "--debuginfod=off", "capture"], "a report with off")
    no_sockets(["report", "capture"], "the default")
    no_sockets(["pack", "-o", "packed.tar", "capture"], "pack")
    no_sockets(["report", "packed.tar"], "a report of the bundle")
    no_sockets(["symbols", "capture"], "the plan")
    # Of what is there, more could be asked for, and no wall forbids it.
    no_sockets(["annotate", "--sandbox=off", "--symbols", path("stripped"), "capture"],
               "an object without debug information")
    no_sockets(["annotate", "--sandbox=off", "--symbols", path("prog"), "capture"],
               "an object without its sources")
    no_sockets(["quality", "-f", "csv", "--sandbox=off", "--symbols",
                path("tableless"), "unwinding"],
               "an object without unwind tables", "no unwind table")


def test_plan():
    server = Server(honest)
    status, out, err = coldperf(["symbols", "-f", "csv", "--section",
                                 "missing", "capture"], "plan", server.url)
    rows = out.splitlines()
    tap.ok(status == 0 and len(rows) == 3 and "/gone/prog" in rows[1] and
           ID in rows[1] and ",20," in rows[1] and "/gone/nobody" in rows[2],
           "the plan has the hottest object first", out + err)
    tap.ok(not server.asked, "and asks nobody", server.asked)
    server.close()


def test_fetch(urls, name, count):
    status, out, err = coldperf(["symbols", "--fetch", "capture"], name, urls)
    tap.ok(status == 0 and kept(name) ==
           [ID + "/debuginfo", ID + "/executable"],
           "%s: both files are kept" % name, "%s %s %s" % (kept(name), out,
                                                           err))
    status, out, _ = coldperf(["hotspots", "-f", "csv", "capture"], name)
    tap.ok("hot_one" in out and "hidden_two" in out,
           "%s: and name what had no name" % name, out)
    before = count() if count else 0
    status, out, err = coldperf(["symbols", "--fetch", "capture"], name, urls)
    if count:
        tap.ok(count() == before, "%s: nobody is asked again" % name)
        coldperf(["symbols", "--fetch", "--retry", "capture"], name, urls)
        tap.ok(count() > before, "%s: but with --retry" % name)
    tap.ok("no server knew it" in out, "%s: a miss is remembered" % name, out)


def test_strict():
    """What has come is not missing."""
    server = Server(honest)
    seen = [coldperf(["symbols", "--fetch", "--strict", name], "strict " + name,
                     server.url) for name in ("capture", "found")]
    server.close()
    tap.ok(seen[0][0] == 3 and "object was not found (no-object): /gone/nobody"
           in seen[0][2] and "/gone/prog" not in seen[0][2],
           "strict: of two objects, the one that came is not missed", seen[0])
    tap.ok(seen[1][0] == 0 and not seen[1][2],
           "strict: all that was missing came", seen[1])


def test_verbose():
    server = Server(honest)
    for name, how in (("talk-fetch", ["symbols", "--fetch"]),
                      ("talk-on", ["hotspots", "--debuginfod=on"])):
        _, out, err = coldperf(how + ["found"], name, server.url,
                               DEBUGINFOD_VERBOSE="1")
        tap.ok(server.url + "/buildid/" + ID + "/executable\n" in err and
               "\nheader HTTP" in err and "header" not in out,
               "%s: DEBUGINFOD_VERBOSE shows the library's log" % name,
               out + err)
    server.close()


def test_real():
    os.mkdir(path("served"))
    for name in ("stripped", "debug"):
        shutil.copy(path(name), path("served"))
    with dbgserver.real(path("served"), path("server")) as url:
        if url is None:
            return tap.skip("debuginfod is not installed")
        for _ in range(100):
            time.sleep(0.1)
            status, _, _ = coldperf(["symbols", "--fetch", "--retry",
                                     "capture"], "probe", url)
            if len(kept("probe")) == 2:
                break
        test_fetch(url, "real", None)


def test_left():
    """Folders of runs that were killed: two days ago, and just now."""
    root = path("killed/.cache/debuginfod_client")
    ours = path("killed/.cache/coldperf")
    os.makedirs(ours)
    for name in (".99", ".98", ".old"):
        open(os.path.join(ours, "debuginfod-misses" + name), "w").close()
        if name != ".98":
            os.utime(os.path.join(ours, "debuginfod-misses" + name),
                     (time.time() - 172800,) * 2)
    for name in (".coldperf-aaaaaa", ".coldperf-bbbbbb", ".coldperf-notes",
                 "others"):
        os.makedirs(os.path.join(root, name, ID))
        os.chmod(os.path.join(root, name), 0o700)
        open(os.path.join(root, name, ID, "debuginfo.x"), "w").close()
        if "bbb" not in name:
            os.utime(os.path.join(root, name), (time.time() - 172800,) * 2)
    server = Server(honest)
    coldperf(["symbols", "--fetch", "capture"], "killed", server.url)
    server.close()
    tap.ok(sorted(os.listdir(root)) == sorted(
        [".coldperf-bbbbbb", ".coldperf-notes", ID, "others"]),
        "what a killed run left is removed a day later", os.listdir(root))
    tap.ok(sorted(os.listdir(ours)) == ["debuginfod-misses" + name
                                        for name in ("", ".98", ".old")],
           "... also of the list of misses", os.listdir(ours))


def test_unstripped():
    """An executable that has symbols saves its debug information."""
    server = Server(unstripped)
    coldperf(["symbols", "--fetch", "capture"], "full", server.url)
    tap.ok(kept("full") == [ID + "/executable"] and
           ID + "/debuginfo" not in server.asked,
           "what has symbols needs no debug information", server.asked)
    server.close()


def bad_server(name, behave, words, *options, want=0, **more):
    server = Server(behave)
    start = time.time()
    status, out, err = coldperf(["symbols", "--fetch"] + list(options) +
                                ["capture"], name, server.url, **more)
    took = time.time() - start
    tap.ok(status == want and took < PATIENCE and words in out + err,
           "%s: said, in %.1f s" % (name, took), out + err)
    bad = [f for f in kept(name) if not f.startswith(ID + "/exec")]
    tap.ok(not bad, "%s: nothing of it is kept" % name, bad)
    left = os.listdir(path(name + "/.cache/debuginfod_client"))
    tap.ok(not [f for f in left if f.startswith(".")],
           "%s: nothing is left lying" % name, left)
    server.close()


def test_bad():
    quick = {"DEBUGINFOD_TIMEOUT": "2"}
    bad_server("wrong", wrong, "wrong content", want=2)
    bad_server("endless", endless, "over the budget", "--max-size=20M")
    bad_server("boastful", boastful, "over the budget", "--max-size=1G")
    # The library calls all of these a miss.
    bad_server("cut", cut, "cut or damaged", **quick)
    bad_server("half", half, "cut or damaged")
    bad_server("half packed", half_packed, "cut or damaged")
    bad_server("broken", broken, "server error")
    bad_server("elsewhere", elsewhere, "server error")
    bad_server("slow", slow, "not-fetched", "--max-time=3")
    bad_server("dripping", slow, "not-fetched", **quick)
    with socket.socket() as s:  # takes calls and never says a word
        s.bind(("127.0.0.1", 0))
        s.listen(64)
        url = "http://127.0.0.1:%d" % s.getsockname()[1]
        start = time.time()
        _, out, err = coldperf(["symbols", "--fetch", "capture"], "silent",
                               url, **quick)
        tap.ok("not-fetched" in err and time.time() - start < PATIENCE,
               "silent: given up after %.1f s" % (time.time() - start), err)
        start = time.time()
        status, out, err = coldperf(["hotspots", "--debuginfod=on",
                                     "capture"], "silent-on", url, **quick)
        tap.ok(status == 0 and "Share" in out and
               time.time() - start < PATIENCE, "silent: the report comes, after %.1f s"
               % (time.time() - start), out + err)
    start = time.time()
    status, out, err = coldperf(["hotspots", "--debuginfod=on", "capture"],
                                "dead", url)
    tap.ok(status == 0 and "Share" in out and "not-fetched" in err and
           time.time() - start < PATIENCE, "dead: the report comes at once",
           err)
    _, out, err = coldperf(["symbols", "--fetch", "capture"], "dead", url)
    tap.ok("(not-fetched): 4 files" in err and "stopped" not in out,
           "dead: said once, with the number of files", out + err)


def test_recovered():
    """What a server could not give once is no miss for an hour."""
    for name, trouble in (("busy", busy), ("cut off", cut), ("halved", half)):
        now = [trouble]
        server = Server(lambda *a: now[0](*a))
        _, _, err = coldperf(["hotspots", "--debuginfod=on", "capture"], name,
                             server.url)
        now[0] = honest
        _, out, _ = coldperf(["hotspots", "-f", "csv", "--debuginfod=on",
                              "capture"], name, server.url)
        tap.ok("not-fetched" in err and "hot_one" in out and
               "hidden_two" in out,
               "%s: said, and asked again by the next run" % name, err + out)
        server.close()


def test_several():
    """A server that has nothing, and one that cannot be reached."""
    server = Server(lambda handler, *a: handler.send_error(404))
    urls = server.url + " http://127.0.0.1:1"
    _, out, err = coldperf(["symbols", "--fetch", "capture"], "several", urls)
    tap.ok("not-fetched" in err and "server not reached" in out and
           "not known" not in out, "a dead server may have the file", out + err)
    tap.ok(len(server.asked) == 4, "and the other is asked for all of them",
           server.asked)
    server.close()


def test_full():
    """No file may become larger than this."""
    server = Server(honest)
    p = subprocess.run(
        [os.path.abspath(tap.coldperf), "symbols", "--fetch", "capture"],
        env=environment(path("full disk"), server.url), cwd=scratch.name,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, restore_signals=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                              (4096, 4096)))
    out = (p.stdout + p.stderr).decode()
    tap.ok("cannot be stored" in out and not kept("full disk"),
           "a full disk is said, and nothing is kept", out)
    server.close()
    env = environment("", "http://127.0.0.1:1")
    del env["HOME"]
    p = subprocess.run(
        [os.path.abspath(tap.coldperf), "hotspots", "--debuginfod=on",
         "capture"], env=env, cwd=scratch.name, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)
    tap.ok(b"not-fetched" in p.stderr and b"cannot be written" in p.stderr,
           "and so is that there is no folder for a cache", p.stderr.decode())


def test_links():
    """A link of the cache itself is the user's; one below leads outside."""
    server = Server(honest)
    root = path("links/.cache/debuginfod_client")
    os.makedirs(path("links/real"))
    os.makedirs(path("links/.cache"))
    os.symlink(path("links/real"), root)
    os.makedirs(path("links/outside"))
    os.symlink(path("links/outside"), os.path.join(root, ID))
    _, out, _ = coldperf(["symbols", "--fetch", "--sandbox=off", "capture"],
                         "links", server.url)
    tap.ok("cannot be stored" in out and not os.listdir(path("links/outside")),
           "nothing is written through a link in the cache", out)
    os.unlink(os.path.join(root, ID))
    coldperf(["symbols", "--fetch", "--retry", "capture"], "links", server.url)
    tap.ok(sorted(os.listdir(path("links/real/" + ID))) ==
           ["debuginfo", "executable"], "but where the cache is a link")
    server.close()


def test_halved_cache():
    """Half a file that another client kept."""
    for name, how in (("half-on", ["hotspots", "--debuginfod=on"]),
                      ("half-fetch", ["symbols", "--fetch"])):
        folder = path(name + "/.cache/debuginfod_client/" + ID)
        os.makedirs(folder)
        for kind, whole in (("executable", "stripped"), ("debuginfo", "debug")):
            with open(path(whole), "rb") as f:
                data = f.read()
            with open(os.path.join(folder, kind), "wb") as f:
                f.write(data[:len(data) // 2])
        _, out, err = coldperf(["hotspots", "-f", "csv", "capture"], name)
        tap.ok("(bad-elf)" in err and "hot_one" not in out,
               "%s: half a file is said and not used" % name, out + err)
        server = Server(honest)
        coldperf(how + ["capture"], name, server.url)
        server.close()
        _, out, err = coldperf(["hotspots", "-f", "csv", "capture"], name)
        tap.ok("hot_one" in out and "hidden_two" in out and
               "(bad-elf)" not in err, "%s: and fetched again" % name,
               out + err)


DWZ_SOURCE = """
static __attribute__((always_inline)) inline int shared_helper(int n, int v)
{ int s = 0; for (int i = 0; i < n; i++) s += v * i; return s; }
int %s(int n, int v) { return shared_helper(n, v); }
int main(int n, char **a) { (void)a; return %s(n, n) & 1; }
"""


def make_dwz():
    """Two programs whose debug files share one that has a build ID."""
    for name in ("one", "two"):
        with open(path(name + ".c"), "w") as f:
            f.write(DWZ_SOURCE % (name, name))
        if subprocess.call(["gcc", "-g", "-gdwarf-4", "-O2", "-no-pie",
                            "-Wl,--build-id", "-o", path(name),
                            path(name + ".c")]) != 0:
            return False
    return subprocess.call(
        ["dwz", "-m", path("common.debug"), "-M", "/gone/common.debug",
         path("one"), path("two")]) == 0 and os.path.exists(
             path("common.debug"))


def build_id(name):
    out = subprocess.check_output(["readelf", "-n", path(name)]).decode()
    return out.split("Build ID: ")[1].split()[0]


def test_dwz():
    """Names that dwz moved come from the servers, too."""
    if shutil.which("dwz") is None or not make_dwz():
        return tap.skip("dwz is not installed or makes no common file")
    one, common = build_id("one"), build_id("common.debug")
    start = function_offset(path("one"), "one")
    mkperf(["attr cycles type=0 config=0 period=1 "
            "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap",
            'mmap pid=5 addr=0x400000 len=0x100000 pgoff=0 name="/gone/one"',
            'build_id %s "/gone/one"' % one] +
           ["sample cycles pid=5 time=%d period=1 ip=%d" %
            (i + 1, 0x400000 + start + i) for i in range(20)], "dwz.data")
    asked = ["flame", "-f", "folded", "--inline", "yes", "dwz.data"]
    os.makedirs(path("local"))
    for name in ("one", "common.debug"):
        shutil.copy(path(name), path("local"))
    _, local, _ = coldperf(asked + ["--symbols", "local"], "dwz-local")

    def behave(handler, build_id, kind):
        files = {one + "executable": "one", common + "debuginfo":
                 "common.debug"}
        if build_id + kind in files:
            return send_file(handler, path(files[build_id + kind]))
        return handler.send_error(404)
    server = Server(behave)
    _, out, err = coldperf(asked + ["--debuginfod=on"], "dwz-on", server.url)
    tap.ok("shared_helper" in local and out == local,
           "on: names that dwz moved are those of local files",
           local + out + err)
    coldperf(["symbols", "--fetch", "dwz.data"], "dwz-exe", server.url)
    tap.ok(kept("dwz-exe") == sorted([one + "/executable",
                                      common + "/debuginfo"]),
           "--fetch gets a full executable and what it lacks", kept("dwz-exe"))
    cache = path("dwz-some/.cache/debuginfod_client/" + one)
    os.makedirs(cache)
    shutil.copy(path("one"), os.path.join(cache, "executable"))
    server.asked.clear()
    _, out, _ = coldperf(["symbols", "-f", "csv", "--section", "missing",
                          "dwz.data"], "dwz-some", server.url)
    tap.ok(common in out and "names that dwz moved" in out and
           not server.asked, "the plan has the file that lacks", out)
    coldperf(["symbols", "--fetch", "dwz.data"], "dwz-some", server.url)
    _, out, err = coldperf(asked, "dwz-some")
    tap.ok(out == local, "and --fetch gets it", out + err)
    for name in ("one", "two"):
        subprocess.call(["objcopy", "--only-keep-debug", path(name),
                         path(name + ".debug")])
        subprocess.call(["strip", path(name)])

    def split(handler, build_id, kind):
        if build_id + kind == one + "debuginfo":
            return send_file(handler, path("one.debug"))
        return behave(handler, build_id, kind)
    server.close()
    server = Server(split)
    _, out, _ = coldperf(["symbols", "--fetch", "dwz.data"], "dwz-all",
                         server.url)
    tap.ok(len(kept("dwz-all")) == 3 and "  dwz  " in out,
           "... in one run with the debug file that links to it", out)
    server.close()


def test_interrupt():
    server = Server(slow)
    p = subprocess.Popen([os.path.abspath(tap.coldperf), "symbols", "--fetch",
                          "capture"], env=environment(path("stopped"), server.url),
                         cwd=scratch.name, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    for _ in range(300):
        time.sleep(0.1)
        if kept("stopped") and ID + "/debuginfo" in server.asked:
            break
    time.sleep(0.5)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=300)
    tap.ok(p.returncode == 0 and b"stopped" in out,
           "Ctrl-C ends the fetching with a report", (out + err).decode())
    left = [f for f in kept("stopped") if not f.startswith(".")]
    tap.ok(left == [ID + "/executable"], "what came is kept", left)
    server.close()
    honest_one = Server(honest)
    coldperf(["symbols", "--fetch", "capture"], "stopped", honest_one.url)
    tap.ok(ID + "/debuginfo" in kept("stopped") and
           ID + "/executable" not in honest_one.asked,
           "another run gets the rest", honest_one.asked)
    honest_one.close()


def test_on():
    server = Server(honest)
    _, out, err = coldperf(["hotspots", "-f", "csv", "--debuginfod=on",
                            "capture"], "on", server.url)
    tap.ok("hot_one" in out and "hidden_two" in out,
           "on: names come while reporting", out + err)
    asked = len(server.asked)
    coldperf(["hotspots", "--debuginfod=on", "capture"], "on", server.url)
    tap.ok(len(server.asked) == asked, "on: once", server.asked)
    server.close()
    _, out, err = coldperf(["hotspots", "--debuginfod=on", "capture"],
                           "nowhere")
    tap.ok("DEBUGINFOD_URLS" in err, "on: without servers that is said", err)
    _, out, _ = coldperf(["hotspots", "-f", "csv", "--debuginfod=off",
                          "capture"], "on")
    tap.ok("hot_one" not in out, "off: not even the cache is used", out)


def main():
    make_capture()
    subprocess.run(["objcopy", "--only-keep-debug", path("prog"),
                    path("debug")], check=True)
    subprocess.run(["strip", "-o", path("stripped"), path("prog")], check=True)
    test_quiet()
    test_plan()
    _, _, err = coldperf(["symbols", "--fetch", "capture"], "library",
                         "http://127.0.0.1:1")
    if "is not installed" in err:
        tap.skip("libdebuginfod is not installed: nothing can be fetched")
        return tap.done()
    server = Server(honest)
    test_fetch(server.url, "honest", lambda: len(server.asked))
    server.close()
    test_strict()
    test_verbose()
    test_left()
    test_unstripped()
    test_real()
    test_bad()
    test_recovered()
    test_several()
    test_full()
    test_links()
    test_halved_cache()
    test_dwz()
    test_interrupt()
    test_on()
    tap.done()


main()
