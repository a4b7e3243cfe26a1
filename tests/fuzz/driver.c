/* SPDX-License-Identifier: MIT */
/*
 * driver: runs a fuzz target over files without libFuzzer.
 *
 * Arguments are files and folders (walked one level at a time, in name
 * order).  -mutate=N hands each file to the target N times more, each time
 * damaged in another way; the damage depends on the file's size and the
 * round only, so that a run can be repeated.  Other arguments that begin with
 * '-' are libFuzzer's and ignored.  Prints how many inputs were run; a target
 * that finds a fault dies, which is the verdict.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

#define INPUT_LIMIT ((size_t)64 << 20)
#define MAX_DEPTH 8

static unsigned mutations;
static uint64_t inputs;

/* splitmix64: enough for choosing where to damage. */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* Bytes are changed to values that lengths and counts trip over. */
static void
damage(uint8_t *p, size_t n, uint64_t *state)
{
	static const uint8_t evil[] = { 0x00, 0xff, 0x7f, 0x80, 0x01, 0x08 };
	unsigned hits = 1 + next_random(state) % 8;
	/* Headers are small and matter most: every second hit goes there. */
	size_t head = n < 512 ? n : 512;

	for (unsigned i = 0; i < hits; i++) {
		uint64_t r = next_random(state);
		size_t at = r % ((i & 1) != 0 ? head : n);

		if ((r >> 60) < 8)
			p[at] = evil[(r >> 32) % sizeof(evil)];
		else
			p[at] ^= (uint8_t)(1u << ((r >> 40) & 7));
	}
}

/* A copy of exactly the size, so that a sanitizer sees the first byte over. */
static void
run_one(const uint8_t *data, size_t n, uint64_t seed)
{
	uint8_t *copy = malloc(n != 0 ? n : 1);
	uint64_t state = seed;

	if (copy == NULL)
		exit(2);
	if (n != 0)
		memcpy(copy, data, n);
	if (seed != 0 && n != 0) {
		damage(copy, n, &state);
		if (next_random(&state) % 4 == 0)
			n = next_random(&state) % n;
	}
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
	inputs++;
}

static void
run_file(const char *path, size_t size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = malloc(size != 0 ? size : 1);
	size_t n;

	if (f == NULL || data == NULL) {
		perror(path);
		exit(2);
	}
	n = fread(data, 1, size, f);
	fclose(f);
	run_one(data, n, 0);
	for (unsigned i = 0; i < mutations; i++)
		run_one(data, n, (uint64_t)n * 1000003 + i + 1);
	free(data);
}

static void run_path(const char *path, unsigned depth);

static int
visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static void
run_folder(const char *path, unsigned depth)
{
	struct dirent **list = NULL;
	int n = scandir(path, &list, visible, alphasort);

	for (int i = 0; i < n; i++) {
		char name[4096];

		if ((size_t)snprintf(name, sizeof(name), "%s/%s", path,
			list[i]->d_name) < sizeof(name))
			run_path(name, depth + 1);
		free(list[i]);
	}
	free(list);
}

static void
run_path(const char *path, unsigned depth)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		perror(path);
		exit(2);
	}
	if (S_ISDIR(st.st_mode) && depth < MAX_DEPTH)
		run_folder(path, depth);
	else if (S_ISREG(st.st_mode) && (uint64_t)st.st_size <= INPUT_LIMIT)
		run_file(path, (size_t)st.st_size);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "-mutate=", 8) == 0)
			mutations = (unsigned)strtoul(argv[i] + 8, NULL, 10);
	for (int i = 1; i < argc; i++)
		if (argv[i][0] != '-')
			run_path(argv[i], 0);
	printf("%" PRIu64 " inputs\n", inputs);
	return inputs != 0 ? 0 : 2;
}
