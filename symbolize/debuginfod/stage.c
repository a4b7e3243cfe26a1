/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* nftw */
#include "symbolize/debuginfod/stage.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"

/* After that time no run has the folder any more. */
#define STAGE ".coldperf-"
enum { LEFT_SECONDS = 24 * 60 * 60 };

bool
cp_stage_folder(const char *path)
{
	struct stat st;

	return mkdir(path, 0700) == 0 ||
	       (lstat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

/* Makes the folder and its parents.  The user may have links there. */
static bool
make_root(char *path)
{
	struct stat st;

	for (char *s = path + 1; (s = strchr(s, '/')) != NULL; *s++ = '/') {
		*s = '\0';
		(void)mkdir(path, 0700);
	}
	return mkdir(path, 0700) == 0 ||
	       (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path) != 0 && errno != ENOENT;
}

static void
remove_stage(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Six letters or digits, as mkdtemp() makes them. */
static bool
is_random(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]))
		n++;
	return n == 6 && s[n] == '\0';
}

static bool
is_left(int dir, const char *name)
{
	struct stat st;

	return strncmp(name, STAGE, strlen(STAGE)) == 0 &&
	       is_random(name + strlen(STAGE)) &&
	       fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode) && (st.st_mode & 077) == 0 &&
	       st.st_uid == geteuid() &&
	       time(NULL) - st.st_mtime > LEFT_SECONDS;
}

/* Removes the folders of runs that were killed. */
static void
remove_left(const char *root)
{
	DIR *dir = opendir(root);
	struct dirent *e;
	char path[PATH_MAX];

	while (dir != NULL && (e = readdir(dir)) != NULL)
		if (is_left(dirfd(dir), e->d_name) &&
		    snprintf(path, sizeof(path), "%s/%s", root, e->d_name) <
			(int)sizeof(path))
			remove_stage(path);
	if (dir != NULL)
		closedir(dir);
}

char *
cp_stage_new(char *root)
{
	struct cp_buf b;

	if (root == NULL || !make_root(root))
		return NULL;
	remove_left(root);
	cp_buf_init(&b, 8192);
	cp_buf_printf(&b, "%s/" STAGE "XXXXXX", root);
	if (b.data != NULL && mkdtemp(b.data) != NULL)
		return b.data;
	cp_buf_free(&b);
	return NULL;
}

void
cp_stage_free(char *stage)
{
	if (stage != NULL)
		remove_stage(stage);
	free(stage);
}
