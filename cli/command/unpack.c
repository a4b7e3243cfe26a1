/* SPDX-License-Identifier: MIT */
/*
 * unpack: a bundle into a new folder.
 *
 * The folder is new or empty, members become regular files below it, and links
 * only those that stay inside.  Paths are walked one component after the other
 * without following links, so that no member can lead another one astray.
 * Refused members are reported by name.
 */
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/archive/spool.h"
#include "base/limits.h"
#include "cli/command/bundle.h"
#include "cli/command/command.h"
#include "cli/status.h"

#define CHUNK ((size_t)256 << 10)

struct unpack {
	struct cp_cli *cli;
	struct cp_bundle b;
	int root;
	mode_t bundle; /* mode of its file */
	uint64_t files, bytes;
	bool failed;   /* a member could not be written */
	char cut[500]; /* what is there of the one that is not whole */
};

/* Returns the path without "./"; NULL if it is absolute or has "..". */
static const char *
plain(const char *name)
{
	const char *s;

	while (name[0] == '.' && name[1] == '/')
		name += 2;
	for (s = name; *s != '\0';) {
		size_t n = strcspn(s, "/");

		if (n == 0 || n > 255 || (n == 1 && s[0] == '.') ||
		    (n == 2 && s[0] == '.' && s[1] == '.'))
			return NULL;
		s += n + (s[n] == '/');
	}
	return name[0] != '\0' && strlen(name) < 4096 ? name : NULL;
}

/*
 * Does a link at `name` to `target` stay inside?  ".." is allowed at the start
 * of the target only: after a link it may lead elsewhere.
 */
static bool
stays_inside(const char *name, const char *target)
{
	long depth = 0;
	bool down = false;

	if (target[0] == '/' || target[0] == '\0')
		return false;
	for (const char *s = name; (s = strchr(s, '/')) != NULL; s++)
		depth++;
	while (*target != '\0') {
		size_t n = strcspn(target, "/");

		if (n == 2 && target[0] == '.' && target[1] == '.') {
			if (down || --depth < 0)
				return false;
		} else if (n != 0 && !(n == 1 && target[0] == '.')) {
			down = true;
		}
		target += n + (target[n] == '/');
	}
	return true;
}

/*
 * Opens the folder of the last component, making it if needed; -1 with errno.
 */
static int
parent_of(int root, const char *name, const char **last)
{
	int dir = fcntl(root, F_DUPFD_CLOEXEC, 3), next;
	const char *slash;
	char part[256];

	for (; dir >= 0 && (slash = strchr(name, '/')) != NULL &&
	       slash[1] != '\0';
	     name = slash + 1) {
		memcpy(part, name, (size_t)(slash - name));
		part[slash - name] = '\0';
		if (mkdirat(dir, part, 0777) != 0 && errno != EEXIST) {
			close(dir);
			return -1;
		}
		next = openat(
		    dir, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(dir);
		dir = next;
	}
	*last = name;
	return dir;
}

static int
refuse(struct unpack *u, const char *name, const char *why)
{
	cp_diag(&u->cli->diags, CP_D_REFUSED, "%s: %s", why, name);
	return 1;
}

/* Reports a member that cannot be written, which ends all; returns -1. */
static int
fail(struct unpack *u, const char *name, int error)
{
	u->failed = true;
	cp_diag(&u->cli->diags, CP_D_OUTPUT, "%s: %s", name, strerror(error));
	return -1;
}

/* Reports a member that was not made, by errno: the disk's fault or its own. */
static int
not_made(struct unpack *u, const char *name)
{
	int error = errno;

	return error == ENOSPC || error == EDQUOT || error == EROFS ||
		       error == EIO
		   ? fail(u, name, error)
		   : refuse(u, name, strerror(error));
}

/*
 * The mode of a member, to which the umask is applied.  What comes out of a
 * file that only its owner may read is not for others to write.
 */
static mode_t
mode_of(const struct unpack *u, const struct cp_member *m)
{
	mode_t bundle = u->bundle & 0666;
	mode_t mode = m->packed ? bundle : m->mode;

	return (bundle & 077) == 0 ? mode & 0644 : mode;
}

/* Uses the spool's writer to put the content into the file. */
static int
write_file(
    struct unpack *u, int dir, const char *last, const struct cp_member *m)
{
	struct cp_spool s = { .fd = -1 };
	struct cp_spooled at;
	bool ok;

	s.fd = openat(dir, last,
	    O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC,
	    mode_of(u, m));
	if (s.fd < 0)
		return not_made(u, m->name);
	ok = cp_spool_member(&s, u->b.a, "", 0, &at);
	cp_spool_close(&s);
	if (s.error != 0) {
		unlinkat(dir, last, 0);
		return fail(u, m->name, s.error);
	}
	u->files++;
	u->bytes += at.size;
	if (!ok)
		snprintf(u->cut, sizeof(u->cut),
		    "; %.300s has %" PRIu64 " of %" PRIu64 " bytes", m->name,
		    at.size, m->size);
	return ok ? 1 : -1;
}

static int
write_member(struct unpack *u, const struct cp_member *m, const char *name)
{
	const char *last;
	int dir = parent_of(u->root, name, &last), r = 1;

	if (dir < 0)
		return not_made(u, m->name);
	if (m->kind == CP_MEMBER_FILE)
		r = write_file(u, dir, last, m);
	else if (symlinkat(m->target, dir, last) != 0)
		r = not_made(u, m->name);
	close(dir);
	return r;
}

static bool
is_deep(const char *name)
{
	uint32_t n = 0;

	for (; *name != '\0'; name++)
		n += *name == '/';
	return n > CP_MAX_MEMBER_FOLDERS;
}

static bool
is_folder(const struct cp_member *m)
{
	size_t n = strlen(m->name);

	return m->kind == CP_MEMBER_OTHER && n != 0 && m->name[n - 1] == '/';
}

static int
next_member(struct unpack *u)
{
	struct cp_member m;
	const char *name;
	int r = cp_archive_next(u->b.a, &m);

	/* Folders are made when their members are. */
	if (r != 1 || is_folder(&m))
		return r;
	name = m.packed ? "perf.data" : plain(m.name);
	if (name == NULL || name[strlen(name) - 1] == '/')
		return refuse(u, m.name, "it leads outside");
	if (is_deep(name))
		return refuse(u, m.name, "it lies too deep");
	if (m.kind == CP_MEMBER_OTHER)
		return refuse(u, m.name, "it is no file");
	if (m.kind == CP_MEMBER_LINK &&
	    (m.hard || !stays_inside(name, m.target)))
		return refuse(u, m.name, "it links to elsewhere");
	return write_member(u, &m, name);
}

static bool
is_empty(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
	struct dirent *e;
	size_t n = 0;

	if (d == NULL)
		return false;
	while ((e = readdir(d)) != NULL)
		n +=
		    strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(d);
	return n == 0;
}

static int
open_root(struct unpack *u, const char *path)
{
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		cp_diag(&u->cli->diags, CP_D_OUTPUT, "%s: %s", path,
		    strerror(errno));
		return CP_FAIL;
	}
	u->root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (u->root >= 0 && is_empty(u->root))
		return CP_OK;
	cp_diag(&u->cli->diags, CP_D_USAGE, "%s is no empty folder", path);
	return CP_FAIL;
}

int
cp_command_unpack(struct cp_cli *cli)
{
	struct unpack u = { .cli = cli, .root = -1 };
	const char *path = cli->output;
	struct stat st;
	int r;

	if (cp_bundle_open(&u.b, cli, cli->captures.data[0]) == CP_OK &&
	    fstat(u.b.fd, &st) == 0 && open_root(&u, path) == CP_OK) {
		u.bundle = st.st_mode;
		while ((r = next_member(&u)) == 1)
			;
		if (r < 0 && !u.failed)
			cp_bundle_say_why(&u.b, cli, u.cut);
		fprintf(stderr,
		    "coldperf: %s: %" PRIu64 " file%s, %" PRIu64 " byte%s\n",
		    path, u.files, cp_s(u.files), u.bytes, cp_s(u.bytes));
	}
	if (u.root >= 0)
		close(u.root);
	cp_bundle_close(&u.b);
	return cp_cli_status(cli);
}
