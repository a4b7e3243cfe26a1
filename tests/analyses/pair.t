#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Begins and ends that are paired, each case with times that are known by hand.
import json
import os
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
import made

US = made.US
EVENTS = (("irq:softirq_entry", 1, "unsigned int vec;\toffset:8;\tsize:4;"),
          ("irq:softirq_exit", 2, "unsigned int vec;\toffset:8;\tsize:4;"),
          ("probe_a:work", 3, "u64 id;\toffset:8;\tsize:8;"),
          ("probe_a:work__return", 4, "u64 id;\toffset:8;\tsize:8;"),
          ("kmem:kmalloc", 5, "u64 ptr;\toffset:8;\tsize:8;",
           "u64 bytes_alloc;\toffset:16;\tsize:8;"),
          ("kmem:kfree", 6, "u64 ptr;\toffset:8;\tsize:8;"))


def head():
    text = "".join(
        "attr %s type=2 config=%d period=1 sample_type=IP|TID|TIME|CPU|RAW|"
        "IDENTIFIER flags=sample_id_all|mmap|comm|task ids=%d\n" %
        (e[0], 100 + e[1], e[1]) for e in EVENTS)
    text += "tracing\n"
    for name, number, *fields in EVENTS:
        system, event = name.split(":")
        text += "format %s <<END\nname: %s\nID: %d\nformat:\n" % (
            system, event, 100 + number)
        text += ("\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
                 "\tsigned:0;\n")
        text += "".join("\tfield:%s\tsigned:0;\n" % f for f in fields)
        text += "\nprint fmt: \"%s\"\nEND\n" % (
            'vec=%s", __print_symbolic(REC->vec, { 0, "HI" }, '
            '{ 3, "NET_RX" }), "' if "softirq" in event else "")
    return text


class Capture:
    def __init__(self):
        self.text = [head()]

    def add(self, event, us, *words, cpu=0, tid=7):
        number = [e[1] for e in EVENTS if e[0] == event][0]
        layout = "u2:%d,n:6" % (100 + number)
        for word in words:
            layout += ",%s:%d" % ("u4" if "softirq" in event else "u8", word)
        self.text.append(
            "sample %s ip=0xffffffff81000104 pid=%d tid=%d time=%d cpu=%d "
            "id=%d raw=%s\n" % (event, tid, tid, 10 ** 9 + us * US, cpu,
                                number, layout))

    def report(self, name, *options):
        return made.report(made.build(name, "".join(self.text)), "pair",
                           *options)


def value(v):
    return v["value"] if isinstance(v, dict) else v


def pairs(rep):
    return sorted((r["Recipe"], r["Of"], value(r["Count"]), value(r["Open"]),
                   (value(r["Time"]) or 0) // US, (value(r["Max"]) or 0) // US)
                  for r in made.rows(rep, "pairs"))


def grid(rep, slug):
    """{(us since the first sample, ns): value} of a heat map."""
    g = made.section(rep, slug)
    return {(x * g["x"]["step"] // US, g["y"]["edges"][y]): v
            for x, y, v in g["cells"]}


def same(got, want, name, more=None):
    tap.ok(got == want, name, (got, want, more))


# Two CPUs at once, and a softirq that nests in another.
c = Capture()
for event, us, vec, cpu in (("entry", 0, 3, 0), ("entry", 5, 3, 1),
                            ("entry", 10, 0, 0), ("exit", 14, 0, 0),
                            ("exit", 20, 3, 0), ("exit", 45, 3, 1),
                            ("entry", 50, 3, 1)):
    c.add("irq:softirq_" + event, us, vec, cpu=cpu)
rep = c.report("softirq")
same(pairs(rep), [("softirq", "(all)", 3, 1, 64, 40),
                  ("softirq", "HI", 1, 0, 4, 4),
                  ("softirq", "NET_RX", 2, 1, 60, 40)],
     "by CPU and number, named by the print format", made.notes(rep))
same([(value(r["Began"]) - 10 ** 9, value(r["Time"]), r["CPU"], r["Of"])
      for r in made.rows(rep, "pair-slowest")],
     [(5 * US, 40 * US, "1", "NET_RX"), (0, 20 * US, "0", "NET_RX"),
      (10 * US, 4 * US, "0", "HI")], "the slowest first")
same(pairs(c.report("softirq", "--cpu", "1")),
     [("softirq", "NET_RX", 1, 1, 40, 40)], "a filter asks about the begin")

# --time cuts what begins before it or ends after it.
rep = c.report("softirq", "--time", "+0.000012s,+0.000030s")
same(pairs(rep), [("softirq", "(all)", 3, 0, 8 + 18 + 2, 18),
                  ("softirq", "HI", 1, 0, 2, 2),
                  ("softirq", "NET_RX", 2, 0, 26, 18)],
     "--time counts the part inside", made.notes(rep))
tap.ok("counted with their part inside" in made.notes(rep) and
       "after it: 3;" in made.notes(rep), "and says so", made.notes(rep))

# A function with a return probe that calls itself; another thread meanwhile.
c = Capture()
for event, us, tid in (("", 0, 7), ("", 10, 7), ("", 12, 8), ("__return", 15, 7),
                       ("__return", 30, 7), ("__return", 32, 8),
                       ("__return", 40, 8)):
    c.add("probe_a:work" + event, us, us, tid=tid)
rep = c.report("probe")
same(pairs(rep), [("probe_a:work", "", 3, 0, 30 + 5 + 20, 30)],
     "a return probe ends the newest call of its thread", made.notes(rep))
tap.ok("their begin not in the capture: 1;" in made.notes(rep),
       "an end without a begin is said", made.notes(rep))
same([value(r["Self"]) // US for r in made.rows(rep, "pairs")], [50],
     "self time is without the call inside: 25 + 5 + 20")
same([(value(r["Most at once"]), value(r["Deepest"]),
       round(40 * value(r["At once"])))
      for r in made.rows(rep, "pair-overlap")], [(3, 2, 55)],
     "three calls at once, two deep; 55 us of 40")
same(grid(rep, "pair-heat-probe_a:work"),
     {(10, 5 * US): 1, (12, 20 * US): 1, (0, 20 * US): 1},
     "a heat map by begin and length")
same([v for x, y, v in made.section(rep, "pair-overlap-heat")["cells"]],
     [1.0] * 10 + [2.0] * 2 + [3.0] * 3 + [2.0] * 15 + [1.0] * 2, "and one of what is open")
rep = c.report("slower", "--slower", "20us")
same([value(r["Time"]) // US for r in made.rows(rep, "pair-slowest")],
     [30, 20], "--slower chooses the slowest")
same([s["title"] for s in rep["sections"] if s["slug"] == "pair-stacks"],
     ["Stacks of the begins of 20.000 us and more, by time"], "and the stacks")
same(pairs(c.report("tid", "--by", "tid")),
     [("probe_a:work", "(all)", 3, 0, 55, 30),
      ("probe_a:work", "tid 7", 2, 0, 35, 30),
      ("probe_a:work", "tid 8", 1, 0, 20, 20)], "a row for each thread")

rep = made.report(made.build("calls", "".join(c.text)), "report")
same([r["What"] for r in made.rows(rep, "others") if "probe" in r["What"]],
     ["probe_a:work: 3 took 55.000 us in sum, the longest 30.000 us"],
     "report says what begins and ends")
same(made.rows(rep, "tracepoints"), [], "and nothing else of these events")
c = Capture()
for us, number in ((0, 5), (10, 5), (20, 5), (1000, 7)):
    c.add("probe_a:work", us, number)
rep = made.report(made.build("unknown", "".join(c.text).replace(
    "probe_a:work__return", "probe_a:other")), "report")
same([(r["Samples"], r["Threads"], round(value(r["A second"])), r["Event"],
       r["Commonest values"]) for r in made.rows(rep, "tracepoints")],
     [(4, 1, 4000, "probe_a:work", "id=5 (75 %)")],
     "of an event that nobody knows: how often, and its commonest values")

# Two events of one's own, by a field.
c = Capture()
for event, us, number in (("", 0, 1), ("", 5, 2), ("__return", 9, 1),
                          ("__return", 25, 2)):
    c.add("probe_a:work" + event, us, number)
own = ("--begin", "probe_a:work", "--end", "probe_a:work__return")
same(pairs(c.report("own", *own, "--key", "id", "--by", "id")),
     [("probe_a:work", "(all)", 2, 0, 29, 20),
      ("probe_a:work", "id 1", 1, 0, 9, 9),
      ("probe_a:work", "id 2", 1, 0, 20, 20)], "events and key of one's own")
path = made.build("own", "".join(c.text))
for options, word in ((own + ("--key", "nix"), b"has no field nix"),
                      (("--begin", "a"), b"go together"),
                      (own + ("--by", "nix"), b"its fields are id"),
                      (("--slower", "nix"), b"wants a duration"),
                      (("--recipe", "nix"), b"no such recipe")):
    p = subprocess.run([tap.coldperf, "pair", *options, path],
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    tap.ok(p.returncode == 2 and word in p.stderr, "refused: " + word.decode(),
           (p.returncode, p.stderr))

# Recipes of the user.
config = os.path.join(made.work.name, "config")
os.makedirs(os.path.join(config, "coldperf"))


def with_recipes(text, *options):
    with open(os.path.join(config, "coldperf/pairs"), "w") as f:
        f.write(text)
    return subprocess.run(
        [tap.coldperf, "pair", "--format", "json", *options, path],
        env=dict(os.environ, XDG_CONFIG_HOME=config),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)


MINE = "# mine\n\n[mine]\nbegin = probe_a:work\n" \
    "end = probe_a:work__return\nkey = id\norder = fifo\nabout = work\n"
p = with_recipes(MINE)
same([r for r in pairs(json.loads(p.stdout)) if r[0] == "mine"],
     [("mine",) + r[1:] for r in pairs(c.report("keyed", *own, "--key", "id"))],
     "a recipe of the user is as --begin, --end, --key", p.stderr)
p = with_recipes("[mine] work\nprobe_a:work -> probe_a:work__return\n"
                 "key = id; order = fifo\n", "mine")
same(pairs(json.loads(p.stdout)),
     [("mine",) + r[1:] for r in pairs(c.report("keyed", *own, "--key", "id"))],
     "in three lines, and chosen by a word", p.stderr)
p = with_recipes(MINE, "--list")
tap.ok(b"mine" in p.stdout, "and is listed")
for text, word in ((MINE + "[mine]\n", b"pairs:9: this name is there twice"),
                   ("[a]\nbegin = b\n", b"pairs:2: before this line"),
                   ("begin = b\n", b"pairs:1: before the first [name]"),
                   ("[a]\nbegins = b\n", b"pairs:2: there are begin, end"),
                   ("[a]\norder = last\n", b"pairs:2: an order is nest"),
                   ("[a\n", b"pairs:1: no [name]"),
                   ("[a]\nbegin\n", b"pairs:2: no NAME = VALUE")):
    p = with_recipes(text)
    tap.ok(p.returncode == 2 and word in p.stderr,
           "refused: " + word.decode(), (p.returncode, p.stderr))

# Memory that is not freed; a pointer that is used again without a free.
c = Capture()
for i in range(6):
    c.add("kmem:kmalloc", i, 0x1000 * i, 64)
    if i % 3:
        c.add("kmem:kfree", 10 + i, 0x1000 * i)
c.add("kmem:kmalloc", 30, 0, 32)
c.text.sort(key=lambda s: int(s.split("time=")[1].split()[0])
            if "time=" in s else 0)
rep = c.report("leak")
same(pairs(rep), [("kmalloc", "", 4, 2, 40, 10)], "what is freed", rep)
same([(value(r["Count"]), value(r["Bytes"]))
      for r in made.rows(rep, "pair-open")], [(2, 96)],
     "what is not: an address that is used again was freed")
tap.ok("ended without an event that says when: 1;" in made.notes(rep),
       "and that is said", made.notes(rep))
# Two requests for one sector, of which one is ended; a text is part of a key.
rep = made.report(made.build("block", made.head_of("good-latencies", "block") + "".join(
    "sample block:block_rq_%s ip=0xffffffff81000104 pid=100 time=%d cpu=0 id=%d "
    "raw=u2:%d,u1:0,u1:0,u4:100,u4:0x800010,n:4,u8:64,u4:8,u4:%d,s:%s,n:7%s\n" %
    (("issue", 10 ** 9 + us * US, 3, 2104, 4096, op, ',c16:"a"') if op != "-"
     else ("complete", 10 ** 9 + us * US, 4, 2107, 0, "R", ""))
    for us, op in ((0, "W"), (5, "R"), (9, "-")))), "pair", "--recipe", "block")
same(pairs(rep), [("block", "(all)", 1, 1, 4, 4), ("block", "R", 1, 0, 4, 4),
                  ("block", "W", 0, 1, 0, 0)], "a read does not end a write")

# Losses: what was under way when records were lost has no known time.
c = Capture()
c.add("irq:softirq_entry", 0, 3)
c.add("irq:softirq_exit", 5, 3)
c.add("irq:softirq_entry", 10, 3)
c.text.append("lost id=1 lost=2 time=%d .cpu=0\n" % (10 ** 9 + 15 * US))
c.add("irq:softirq_exit", 20, 3)
rep = c.report("lost")
same([(p[2], p[4]) for p in pairs(rep)], [(1, 5)], "records lost", rep)
tap.ok("records were lost meanwhile: 1;" in made.notes(rep), "and said",
       made.notes(rep))

# A mutex that spins and then sleeps, parts of requests, errors of calls.
rep = made.report(tap.capture("good-latencies", made.work.name), "pair")
rows = {p[:2]: p[2:] for p in pairs(rep)}
same({k: rows.get(k) for k in (("syscall", "read"), ("syscall", "futex"))},
     {("syscall", "read"): (2, 1, 40, 30), ("syscall", "futex"): (2, 0, 3200,
                                                                 3000)},
     "calls as syscalls has them", rows)
same([r for k, r in rows.items() if k[0] == "lock"], [(1, 0, 4, 4)],
     "a mutex that spins before it sleeps is one wait")

# Cases of others.
for name, want in (("softirq.data.zst", ("softirq", 1000, 0, 350000)),
                   ("kmem-leak.data", ("kmalloc", 90, 10, 45))):
    path = os.path.join(made.SHARED, "..", "cases", "analyses", name)
    if not os.path.exists(path):
        tap.skip(name + " is not here")
        continue
    data = os.path.join(made.work.name, "case.data")
    if name.endswith(".zst"):
        subprocess.run(["zstd", "-dqfo", data, path], check=True)
    rep = made.report(data if name.endswith(".zst") else path, "pair")
    same([(p[0], *p[2:5]) for p in pairs(rep)], [want], name)
tap.done()
