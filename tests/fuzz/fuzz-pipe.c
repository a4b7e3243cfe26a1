/* SPDX-License-Identifier: MIT */
/*
 * fuzz-pipe: the input comes through a pipe, which cannot seek.
 */
#include "config.h" /* pipe2 */

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/session.h"

static volatile uint64_t sink;

struct writer {
	const uint8_t *data;
	size_t size;
	int fd;
};

/* Stops when the reader does not want more. */
static void *
write_all(void *arg)
{
	struct writer *w = arg;

	while (w->size != 0) {
		ssize_t n = write(w->fd, w->data, w->size);

		if (n <= 0)
			break;
		w->data += n;
		w->size -= (size_t)n;
	}
	close(w->fd);
	return NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz_session f;
	struct writer w = { data, size, -1 };
	pthread_t thread;
	char path[64];
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe2(ends, O_CLOEXEC) != 0) {
		perror("pipe");
		exit(2);
	}
	w.fd = ends[1];
	if (pthread_create(&thread, NULL, write_all, &w) != 0)
		exit(2);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	if (fuzz_session_read(&f, path))
		fuzz_check_account(&f, size);
	sink = f.sum;
	fuzz_session_free(&f);
	close(ends[0]);
	pthread_join(thread, NULL);
	return 0;
}
