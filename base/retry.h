/* SPDX-License-Identifier: MIT */
/*
 * base/retry.h: reads and writes that a signal does not end.
 */
#ifndef CP_BASE_RETRY_H
#define CP_BASE_RETRY_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
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

/* Writes all n bytes; false: errno says why not. */
static inline bool
cp_write_all(int fd, const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n > 0) {
		ssize_t put = write(fd, p, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0) {
			errno = put == 0 ? ENOSPC : errno;
			return false;
		}
		p += put;
		n -= (size_t)put;
	}
	return true;
}

/* The same at an offset of the file. */
static inline bool
cp_pwrite_all(int fd, const void *data, size_t n, uint64_t at)
{
	const uint8_t *p = data;

	while (n > 0) {
		ssize_t put = pwrite(fd, p, n, (off_t)at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0) {
			errno = put == 0 ? ENOSPC : errno;
			return false;
		}
		p += put;
		at += (uint64_t)put;
		n -= (size_t)put;
	}
	return true;
}

#endif
