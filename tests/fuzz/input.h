/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/input.h: an input as a file, which has no name.
 *
 * Sources include config.h first, for memfd_create().
 */
#ifndef CP_TESTS_FUZZ_INPUT_H
#define CP_TESTS_FUZZ_INPUT_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

static inline int
fuzz_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		perror("memfd");
		exit(2);
	}
	return fd;
}

struct fuzz_path {
	char text[64];
};

static inline struct fuzz_path
fuzz_path(int fd)
{
	struct fuzz_path path;

	snprintf(path.text, sizeof(path.text), "/proc/self/fd/%d", fd);
	return path;
}

#endif
