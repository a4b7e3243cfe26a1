/* SPDX-License-Identifier: MIT */
#include "readers/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/port.h"
#include "base/retry.h"
#include "base/temp-file.h"

enum { SPOOL_PART = 256 << 10 };

ssize_t
cp_input_read(struct cp_input *in, void *buf, size_t n, uint64_t offset)
{
	size_t done = 0;

	if (in->seekable)
		n = (size_t)CP_MIN(n, in->size - CP_MIN(offset, in->size));
	while (done < n) {
		ssize_t r = in->seekable
				? pread(in->fd, (char *)buf + done, n - done,
				      (off_t)(offset + done))
				: read(in->fd, (char *)buf + done, n - done);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0 && in->error == 0)
			in->error = errno;
		if (r < 0)
			return done != 0 ? (ssize_t)done : -1;
		if (r == 0)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

static int
input_describe(struct cp_input *in, struct cp_diags *diags)
{
	struct stat st;
	ssize_t n;

	if (fstat(in->fd, &st) != 0) {
		cp_diag(diags, CP_D_OPEN, "%s", strerror(errno));
		return CP_FAIL;
	}
	in->directory = S_ISDIR(st.st_mode);
	if (in->directory)
		return CP_OK;
	in->seekable = S_ISREG(st.st_mode) && st.st_size > 0;
	in->size = in->seekable ? (uint64_t)st.st_size : 0;
	n = cp_input_read(in, in->head, sizeof(in->head), 0);
	if (n < 0) {
		cp_diag(diags, CP_D_OPEN, "%s", strerror(errno));
		return CP_FAIL;
	}
	in->head_len = (size_t)n;
	if (in->seekable)
		cp_port_read_ahead(in->fd, 0, 0);
	return CP_OK;
}

int
cp_input_open(struct cp_input *in, const char *path, struct cp_diags *diags)
{
	*in = (struct cp_input){ .path = path, .fd = -1 };
	if (strcmp(path, "-") == 0)
		in->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (in->fd < 0) {
		cp_diag(diags, CP_D_OPEN, "%s", strerror(errno));
		return CP_FAIL;
	}
	return input_describe(in, diags);
}

int
cp_input_open_in(
    struct cp_input *in, int dir, const char *name, struct cp_diags *diags)
{
	*in = (struct cp_input){ .path = name };
	in->fd = openat(dir, name,
	    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
	if (in->fd < 0) {
		cp_diag(diags, CP_D_DIR_FILE, "%s: %s", name, strerror(errno));
		return CP_FAIL;
	}
	return input_describe(in, diags);
}

int
cp_input_adopt(
    struct cp_input *in, int fd, const char *path, struct cp_diags *diags)
{
	*in = (struct cp_input){ .path = path, .fd = fd };
	return input_describe(in, diags);
}

/* Returns 0 or an errno. */
static int
spool_write(int fd, const uint8_t *p, size_t n)
{
	return cp_write_all(fd, p, n) ? 0 : errno;
}

static int
spool_all(struct cp_input *in, int to)
{
	uint8_t *part = cp_xmalloc(SPOOL_PART);
	int error = spool_write(to, in->head, in->head_len);
	uint64_t size = in->head_len;
	ssize_t n = 0;

	while (error == 0 && (n = cp_input_read(in, part, SPOOL_PART, 0)) > 0) {
		size += (uint64_t)n;
		error = size > CP_MAX_SPOOL ? EFBIG
					    : spool_write(to, part, (size_t)n);
	}
	if (n < 0)
		error = errno;
	free(part);
	in->size = size;
	return error;
}

int
cp_input_spool(struct cp_input *in, struct cp_diags *diags)
{
	int fd = cp_temp_file();
	int error = fd < 0 ? errno : spool_all(in, fd);

	if (error != 0) {
		cp_diag(diags, CP_D_OPEN,
		    "cannot keep what comes through the pipe: %s",
		    strerror(error));
		if (fd >= 0)
			close(fd);
		return CP_FAIL;
	}
	close(in->fd);
	in->fd = fd;
	in->seekable = true;
	return CP_OK;
}

void
cp_input_close(struct cp_input *in)
{
	if (in->fd >= 0)
		close(in->fd);
	in->fd = -1;
}
