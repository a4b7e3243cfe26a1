/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE, memfd_create() */
#include "base/temp-file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/base.h"

int
cp_temp_file(void)
{
	const char *dir[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
	int fd = -1;

	for (size_t i = 0; i < CP_ARRAY_LEN(dir) && fd < 0; i++)
		if (dir[i] != NULL && dir[i][0] == '/')
			fd = open(dir[i],
			    O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	/* No folder supports O_TMPFILE: use memory. */
	return fd >= 0 ? fd : memfd_create("coldperf", MFD_CLOEXEC);
}
