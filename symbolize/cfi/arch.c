/* SPDX-License-Identifier: MIT */
#include "symbolize/cfi/arch.h"
#include "base/elf.h"

#define NO CP_NO_REG

static const uint8_t x86_64_dwarf[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, NO, NO, NO,
	NO, NO, NO, NO, 8, 9, 10, 11, 12, 13, 14, 15 };
static const uint8_t i386_dwarf[] = { 0, 3, 1, 2, 6, 7, 5, 4, 8 };
static const uint8_t same_dwarf[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
	13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
	31, 32 };
/* x0 is always zero; perf's number for it means the program counter. */
static const uint8_t riscv_dwarf[] = { 64, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
	12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
	30, 31 };
static const uint8_t ppc64_dwarf[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
	13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
	31, 66, NO, NO, NO, 65 };
/* Leaf functions save registers in floating-point registers. */
static const uint8_t s390_dwarf[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
	13, 14, 15, 16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27,
	31, NO, 65 };

#define PLACES(a) .dwarf = a, .n_dwarf = CP_ARRAY_LEN(a)

static const struct cp_arch x86_64 = { .name = "x86_64",
	.machine = EM_X86_64,
	.word = 8,
	.regs = 17,
	.sp = 7,
	.fp = 6,
	.pc = 16,
	.lr = NO,
	.packed = true,
	PLACES(x86_64_dwarf) };
static const struct cp_arch i386 = { .name = "i386",
	.machine = EM_386,
	.word = 4,
	.regs = 9,
	.sp = 4,
	.fp = 5,
	.pc = 8,
	.lr = NO,
	.packed = true,
	PLACES(i386_dwarf) };
static const struct cp_arch arm64 = { .name = "aarch64",
	.machine = EM_AARCH64,
	.word = 8,
	.regs = 33,
	.sp = 31,
	.fp = 29,
	.pc = 32,
	.lr = 30,
	.packed = true,
	PLACES(same_dwarf) };
static const struct cp_arch arm = { .name = "arm",
	.machine = EM_ARM,
	.word = 4,
	.regs = 16,
	.sp = 13,
	.fp = 11,
	.pc = 15,
	.lr = 14,
	.dwarf = same_dwarf,
	.n_dwarf = 16 };
static const struct cp_arch riscv64 = { .name = "riscv64",
	.machine = EM_RISCV,
	.word = 8,
	.regs = 65,
	.sp = 2,
	.fp = 8,
	.pc = 64,
	.lr = 1,
	PLACES(riscv_dwarf) };
static const struct cp_arch ppc64 = { .name = "ppc64",
	.machine = EM_PPC64,
	.word = 8,
	.regs = 67,
	.sp = 1,
	.fp = 31,
	.pc = 66,
	.lr = 65,
	PLACES(ppc64_dwarf) };
static const struct cp_arch s390x = { .name = "s390x",
	.machine = EM_S390,
	.word = 8,
	.regs = 66,
	.sp = 15,
	.fp = 11,
	.pc = 65,
	.lr = 14,
	.bias = 160,
	PLACES(s390_dwarf) };

static const struct {
	const char *uname;
	uint64_t abi;
	const struct cp_arch *arch;
} archs[] = {
	{ "x86_64", 2, &x86_64 },
	{ "x86_64", 1, &i386 },
	{ "i386", 1, &i386 },
	{ "i486", 1, &i386 },
	{ "i586", 1, &i386 },
	{ "i686", 1, &i386 },
	{ "aarch64", 2, &arm64 },
	{ "aarch64", 1, &arm },
	{ "arm", 1, &arm },
	{ "armv5tel", 1, &arm },
	{ "armv6l", 1, &arm },
	{ "armv7l", 1, &arm },
	{ "armv8l", 1, &arm },
	{ "riscv64", 2, &riscv64 },
	{ "ppc64le", 2, &ppc64 },
	{ "ppc64", 2, &ppc64 },
	{ "s390x", 2, &s390x },
};

const struct cp_arch *
cp_arch_find(const char *uname, uint64_t abi)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(archs); i++)
		if (strcmp(uname, archs[i].uname) == 0 && archs[i].abi == abi)
			return archs[i].arch;
	return NULL;
}

void
cp_arch_places(const struct cp_arch *a, uint64_t mask, uint8_t place[CP_REGS])
{
	uint8_t at = 0;

	memset(place, CP_NO_REG, CP_REGS);
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (bit < a->n_dwarf && a->dwarf[bit] != CP_NO_REG)
			place[a->dwarf[bit]] = at;
		at++;
	}
}
