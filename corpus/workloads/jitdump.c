/* SPDX-License-Identifier: MIT */
/*
 * jitdump: code that changes while it is recorded, told in a jit-PID.dump.
 *
 * The dump is made in FOLDER, which is the current one unless given.  For
 * SECONDS of CPU time jit_first and jit_second take turns at the same address,
 * then the second is moved and goes on from elsewhere.  Prints when which ran,
 * by the clock of the dump: "name from to".
 */
#define _GNU_SOURCE
#include <fcntl.h>
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
#define MACHINE 62
#elif defined(__aarch64__)
/* 1: subs x0,x0,#1; b.ne 1b; ret */
static const uint8_t spin[] = { 0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff, 0xff, 0x54,
	0xc0, 0x03, 0x5f, 0xd6 };
#define MACHINE 183
#else
#error "no machine code for this machine"
#endif

#define CODE_SIZE 8192
#define TURNS 6

static FILE *dump;
static uint64_t made; /* functions so far */

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
put(uint64_t v, size_t size)
{
	uint32_t narrow = (uint32_t)v;

	fwrite(size == 4 ? (void *)&narrow : (void *)&v, size, 1, dump);
}

static int
open_dump(const char *folder)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/jit-%d.dump", folder, (int)getpid());
	dump = fopen(name, "w+");
	if (dump == NULL)
		return -1;
	put(0x4a695444, 4);
	put(1, 4);
	put(40, 4);
	put(MACHINE, 4);
	put(0, 4);
	put((uint64_t)getpid(), 4);
	put(now(), 8);
	put(0, 8);
	fflush(dump);
	/* The mapping is how perf gets to know of the file. */
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE,
		   fileno(dump), 0) == MAP_FAILED
		   ? -1
		   : 0;
}

static void
head(uint32_t id, size_t size)
{
	put(id, 4);
	put(16 + size, 4);
	put(now(), 8);
}

static void
tell_lines(uint64_t at, const char *file)
{
	head(2, 16 + 2 * 16 + strlen(file) + 1 + 2);
	put(at, 8);
	put(2, 8);
	put(at, 8);
	put(10, 4);
	put(0, 4);
	fwrite(file, strlen(file) + 1, 1, dump);
	put(at + 4, 8);
	put(11, 4);
	put(0, 4);
	fwrite("\xff", 2, 1, dump); /* the same file */
}

static void
tell_load(uint64_t at, const char *name)
{
	head(0, 40 + strlen(name) + 1 + sizeof(spin));
	put((uint64_t)getpid(), 4);
	put((uint64_t)getpid(), 4);
	put(at, 8);
	put(at, 8);
	put(sizeof(spin), 8);
	put(++made, 8);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(spin, sizeof(spin), 1, dump);
	fflush(dump);
}

static void
tell_move(uint64_t from, uint64_t to)
{
	head(1, 48);
	put((uint64_t)getpid(), 4);
	put((uint64_t)getpid(), 4);
	put(to, 8);
	put(from, 8);
	put(to, 8);
	put(sizeof(spin), 8);
	put(made, 8);
	fflush(dump);
}

static void
run_for(const uint8_t *code, const char *name, double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	uint64_t from = now();
	void (*run)(uint64_t);

	memcpy(&run, &code, sizeof(run));
	while (clock() < end)
		run(1000000);
	printf("%s %llu %llu\n", name, (unsigned long long)from,
	    (unsigned long long)now());
}

int
main(int argc, char **argv)
{
	double part = (argc > 1 ? strtod(argv[1], NULL) : 1) / (TURNS + 1);
	uint8_t *code = mmap(NULL, CODE_SIZE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t at = (uint64_t)(uintptr_t)code;

	if (code == MAP_FAILED || open_dump(argc > 2 ? argv[2] : ".") != 0)
		return 1;
	memcpy(code, spin, sizeof(spin));
	memcpy(code + CODE_SIZE / 2, spin, sizeof(spin));
	if (mprotect(code, CODE_SIZE, PROT_READ | PROT_EXEC) != 0)
		return 1;
	for (int i = 0; i < TURNS; i++) {
		const char *name = i % 2 == 0 ? "jit_first" : "jit_second";

		tell_lines(at, i % 2 == 0 ? "first.x" : "second.x");
		tell_load(at, name);
		run_for(code, name, part);
	}
	tell_move(at, at + CODE_SIZE / 2);
	run_for(code + CODE_SIZE / 2, "jit_second", part);
	return fclose(dump) != 0;
}
