#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Prints analyses/common/syscall-names.def: the numbers of Linux' system calls.
#
# From the kernel's headers (linux-libc-dev on x86-64) and, for machines whose
# headers are not there, from `ausyscall ARCH --dump`.  A person runs it now
# and then; the build does not.  Calls since 5.1 have the same number on all
# machines, so those newer than the headers are listed here.
import re
import subprocess

ARCHES = ("x86_64", "generic", "i386", "arm", "ppc64", "s390x")
HEADER = "/usr/include/x86_64-linux-gnu/asm/unistd_%d.h"
NEWER = """cachestat fchmodat2 map_shadow_stack futex_wake futex_wait
futex_requeue statmount listmount lsm_get_self_attr lsm_set_self_attr
lsm_list_modules mseal setxattrat getxattrat listxattrat removexattrat
open_tree_attr file_getattr file_setattr""".split()
FIRST_NEWER = 451


def defines(text):
    return {m.group(1): int(m.group(2)) for m in re.finditer(
        r"^#define __NR_(\w+) (\d+)$", text, re.M)}


def generic():
    """As arm64, riscv64 and loongarch64 have it."""
    text = subprocess.check_output(
        ["gcc", "-E", "-dM", "-D__BITS_PER_LONG=64", "-D__ARCH_WANT_RENAMEAT",
         "-D__ARCH_WANT_NEW_STAT", "-D__ARCH_WANT_SET_GET_RLIMIT",
         "-D__ARCH_WANT_SYS_CLONE3", "-D__ARCH_WANT_MEMFD_SECRET",
         "-D__ARCH_WANT_TIME32_SYSCALLS", "-include",
         "/usr/include/asm-generic/unistd.h", "-x", "c", "/dev/null"],
        text=True)
    plain = defines(text)
    for name, value in re.findall(r"^#define __NR_(\w+) __NR3264_(\w+)$",
                                  text, re.M):
        plain[name] = int(re.search(r"__NR3264_%s (\d+)" % value,
                                    text).group(1))
    return {n: v for n, v in plain.items() if n not in
            ("syscalls", "arch_specific_syscall")}


def audit(arch):
    text = subprocess.check_output(["ausyscall", arch, "--dump"], text=True)
    return {m.group(2): int(m.group(1)) for m in re.finditer(
        r"^(\d+)\s+(\w+)$", text, re.M)}


def header(bits):
    with open(HEADER % bits) as f:
        return defines(f.read())


numbers = {"x86_64": header(64), "i386": header(32), "generic": generic()}
for arch in ARCHES:
    if arch not in numbers:
        numbers[arch] = audit(arch)
        numbers[arch] = {n: v for n, v in numbers[arch].items()
                         if v < 0x10000}
for arch, calls in numbers.items():
    common = {n: v for n, v in numbers["x86_64"].items() if v >= 424}
    common.update({n: FIRST_NEWER + i for i, n in enumerate(NEWER)})
    taken = set(calls.values())
    calls.update({n: v for n, v in common.items() if v not in taken})
print("/* SPDX-License-Identifier: MIT */")
print("/* Made by syscall-names.py: name, then the number on\n"
      " * %s; -1: not there. */" % ", ".join(ARCHES))
names = {n for calls in numbers.values() for n in calls}
for name in sorted(names, key=lambda n: (
        min(calls.get(n, 9999) for calls in numbers.values()), n)):
    print("CP_SYSCALL(%s, %s)" % (name, ", ".join(
        str(numbers[a].get(name, -1)) for a in ARCHES)))
