#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The table of advice is one: contrib/coldperf-capture.sh has the options of
# advice.def (UPDATE=1 writes them), capture knows all its questions, and what
# advise prints for a question is what the capture then has.
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

SCRIPT = os.path.join(tap.top_srcdir, "contrib/coldperf-capture.sh")
text = open(os.path.join(tap.top_srcdir,
                         "analyses/common/advice.def")).read()
text = text[text.index("*/", text.index("question")):]
ROW = re.compile(r"ADVICE\((\w+),(.*?),\s*(true|false),\s*(\w+)\)", re.S)
rows = []
for name, body, whole, instead in ROW.findall(text):
    strings = re.findall(r'NULL|"(?:[^"]*"\s*")*[^"]*"', body)
    values = [re.sub(r'"\s*"|"', "", s) for s in strings]
    rows.append((name, values[0], values[2]))
questions = [r for r in rows if r[1] != "NULL"]
tap.ok(len(questions) > 10, "the table has questions", rows)

# The shell sees no quotes: {} and commas alone are no pattern to set -f.
lines = "".join("\t%s) echo \"%s\" ;;\n" % (name, options.replace("'", ""))
                for name, _, options in questions)
script = open(SCRIPT).read()
wanted = re.sub(r"(\t# <advice>\n).*?(\t# </advice>)",
                lambda m: m.group(1) + lines + m.group(2), script, flags=re.S)
if os.environ.get("UPDATE"):
    open(SCRIPT, "w").write(wanted)
tap.ok(wanted == script, "the script in contrib/ has the options of the table",
       "UPDATE=1 writes them")


def run(*words):
    return subprocess.run([tap.coldperf] + list(words), text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


help = run("capture", "--help").stdout
names = re.search(r"--for QUESTION\s+(.*)", help).group(1)
tap.ok(re.findall(r"\w+", names.replace(" (default)", "")) and
       set(re.findall(r"\w+", names)) - {"default"} ==
       set(q[0] for q in questions), "help lists the questions", names)
p = run("capture", "--for", "nothing", "--", "true")
tap.ok(p.returncode == 2 and "no question" in p.stderr, "another is refused",
       p.stderr)
p = run("capture")
tap.ok(p.returncode == 2 and "what is recorded" in p.stderr, "no target",
       p.stderr)
for words in (["--budget", "much"], ["--ring", "-1"], ["--label", "novalue"],
              ["--trigger", "true"], ["--pid", "1", "--all"]):
    p = run("capture", *words, "--", "true")
    tap.ok(p.returncode == 2, "refused: " + " ".join(words), p.stderr)



def advised(name):
    """What advise says of a capture of the corpus."""
    folder = os.path.join(tap.top_srcdir, "corpus", name)
    if os.path.exists(folder + "/perf.data"):
        return run("advise", folder + "/perf.data").stdout
    data = os.path.join(os.environ.get("TMPDIR", "/tmp"),
                        "advice-%d.data" % os.getpid())
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    folder + "/input.mkperf", data], check=True)
    text = run("advise", data).stdout
    os.unlink(data)
    return text


# Branch stacks that are call stacks say nothing of branches.
for name, known in (("good-branches", True), ("good-lbr", False)):
    text = advised(name)
    tap.ok(("--for branches" not in text) == known, name + ": branches", text)

# Commands are named by what there is: switches may be records, and critical
# needs wake-ups; data sources come from any event, pairs from any that match.
for name, has, lacks in (
        ("good-switch", ["offcpu, timeline .*stacks of the switches",
                         " sched  .*without wake-ups"],
         ["critical", " pair"]),
        ("good-sched", [" critical", "offcpu"], []),
        ("good-fp", [], ["wall", "offcpu", " pair"]),
        ("good-mem", ["misses the caches +mem"], ["wall"]),
        ("good-latencies", ["  pair\\b"], [])):
    text = advised(name)
    answers = text[text.index("What this"):text.index("What to")]
    tap.ok(all(re.search(word, answers) for word in has) and
           not any(re.search(word, answers) for word in lacks),
           name + ": what answers", answers)
tap.done()
