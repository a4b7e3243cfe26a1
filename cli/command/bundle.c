/* SPDX-License-Identifier: MIT */
#include "cli/command/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/retry.h"

static ssize_t
pull(void *ctx, void *buf, size_t n, uint64_t offset)
{
	return cp_pread(
	    ((const struct cp_bundle *)ctx)->fd, buf, n, (off_t)offset);
}

int
cp_bundle_open(struct cp_bundle *b, struct cp_cli *cli, const char *path)
{
	int fd = strcmp(path, "-") == 0
		     ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
		     : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	return cp_bundle_adopt(b, cli, fd);
}

int
cp_bundle_adopt(struct cp_bundle *b, struct cp_cli *cli, int fd)
{
	uint8_t head[CP_ARCHIVE_HEAD];
	struct stat st;
	ssize_t n;

	*b = (struct cp_bundle){ .fd = fd };
	if (b->fd < 0 || (n = cp_pread(b->fd, head, sizeof(head), 0)) < 0) {
		cp_diag(&cli->diags, CP_D_OPEN, "%s",
		    errno == ESPIPE ? "it is a pipe: save it to a file"
				    : strerror(errno));
		return CP_FAIL;
	}
	if (n == 0) {
		cp_diag(&cli->diags, CP_D_EMPTY, NULL);
		return CP_FAIL;
	}
	if (!cp_archive_bid(head, (size_t)n)) {
		cp_diag(&cli->diags, CP_D_OPEN,
		    "it is no bundle, which is a tar file");
		return CP_FAIL;
	}
	b->a = cp_archive_open(pull, b, true);
	if (b->a == NULL) {
		cp_diag(&cli->diags, CP_D_OPEN, "libarchive is not installed");
		return CP_FAIL;
	}
	if (fstat(b->fd, &st) == 0 && S_ISREG(st.st_mode))
		cp_archive_expect(b->a, (uint64_t)st.st_size);
	return CP_OK;
}

void
cp_bundle_close(struct cp_bundle *b)
{
	cp_archive_close(b->a);
	if (b->fd >= 0)
		close(b->fd);
}

void
cp_bundle_say_why(
    const struct cp_bundle *b, struct cp_cli *cli, const char *more)
{
	const char *limit = cp_archive_limit(b->a);

	if (limit != NULL)
		cp_diag(&cli->diags, CP_D_LIMIT, "%s: %s%s", limit,
		    cp_archive_why(b->a), more);
	else
		cp_diag(&cli->diags, CP_D_TRUNCATED, "%s%s",
		    cp_archive_why(b->a), more);
}
