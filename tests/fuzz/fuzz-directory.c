/* SPDX-License-Identifier: MIT */
/*
 * fuzz-directory: the input is `data` of a directory, and its records, whole
 * and the second half of them, are data.0 and data.1.
 */
#include "config.h" /* openat */

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/session.h"

static volatile uint64_t sink;

static char folder[64];

static void
folder_remove(void)
{
	static const char *const names[] = { "data", "data.0", "data.1" };
	char path[128];

	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

static void
folder_make(void)
{
	if (folder[0] != '\0')
		return;
	snprintf(folder, sizeof(folder), "%s/coldperf-fuzz.XXXXXX",
	    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (mkdtemp(folder) == NULL) {
		perror(folder);
		exit(2);
	}
	atexit(folder_remove);
}

static void
put(const char *name, const uint8_t *data, size_t size)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		perror(path);
		exit(2);
	}
	close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz_session f;
	uint64_t from = size >= 48 ? cp_load64(data + 40, false) : 0;
	size_t half;

	from = from < size ? from : 0;
	half = (size_t)from + ((size - (size_t)from) / 2 & ~(size_t)7);
	folder_make();
	put("data", data, size);
	put("data.0", data + from, size - (size_t)from);
	put("data.1", data + half, size - half);
	if (fuzz_session_read(&f, folder))
		fuzz_check_account(&f, size + (size - from) + (size - half));
	sink = f.sum;
	fuzz_session_free(&f);
	return 0;
}
