/* SPDX-License-Identifier: MIT */
/*
 * base/retry.h: reads that a signal does not end.
 */
#ifndef CP_BASE_RETRY_H
#define CP_BASE_RETRY_H

#include <errno.h>
#include <unistd.h>

static inline ssize_t
cp_read(int fd, void *p, size_t n)
{
	ssize_t got;

	do
		got = read(fd, p, n);
	while (got < 0 && errno == EINTR);
	return got;
}

static inline ssize_t
cp_pread(int fd, void *p, size_t n, off_t at)
{
	ssize_t got;

	do
		got = pread(fd, p, n, at);
	while (got < 0 && errno == EINTR);
	return got;
}

#endif
