/* SPDX-License-Identifier: MIT */
/*
 * jit: runs code that no file holds and names it as a JIT compiler does.
 *
 * Writes machine code (a counting loop, x86-64 and aarch64) into anonymous
 * memory, lists it in /tmp/perf-PID.map as jit_spin and jit_idle, and spends
 * SECONDS of CPU time in jit_spin.  The map stays: the recipe moves it.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
/* push %rbp; mov %rsp,%rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret */
static const uint8_t spin[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75,
	0xfb, 0x5d, 0xc3 };
#elif defined(__aarch64__)
/* 1: subs x0,x0,#1; b.ne 1b; ret */
static const uint8_t spin[] = { 0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff, 0xff, 0x54,
	0xc0, 0x03, 0x5f, 0xd6 };
#else
#error "no machine code for this machine"
#endif

#define CODE_SIZE 4096

static int
write_map(const uint8_t *code)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, "w");
	if (f == NULL)
		return -1;
	fprintf(f, "%lx %zx jit_spin\n", (unsigned long)(uintptr_t)code,
	    sizeof(spin));
	fprintf(f, "%lx %x jit_idle\n",
	    (unsigned long)(uintptr_t)code + CODE_SIZE / 2, 64);
	return fclose(f);
}

int
main(int argc, char **argv)
{
	clock_t end =
	    (clock_t)((argc > 1 ? strtod(argv[1], NULL) : 1) * CLOCKS_PER_SEC);
	uint8_t *code = mmap(NULL, CODE_SIZE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*run)(uint64_t);

	if (code == MAP_FAILED)
		return 1;
	memcpy(code, spin, sizeof(spin));
	if (mprotect(code, CODE_SIZE, PROT_READ | PROT_EXEC) != 0 ||
	    write_map(code) != 0)
		return 1;
	memcpy(&run, &code, sizeof(run));
	while (clock() < end)
		run(1000000);
	return 0;
}
