/* SPDX-License-Identifier: MIT */
/* landlock: files are written below given folders only; none is executed. */
#include "config.h" /* O_PATH */

#include "base/sandbox/walls.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than the headers of Debian 12. */
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (UINT64_C(1) << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (UINT64_C(1) << 14)
#endif

/* Rights that a folder can get; a file can get only WRITE_FILE and TRUNCATE. */
static const uint64_t to_write =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM |
    LANDLOCK_ACCESS_FS_REFER | LANDLOCK_ACCESS_FS_TRUNCATE;
/* Rights that are never granted. */
static const uint64_t never =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
    LANDLOCK_ACCESS_FS_MAKE_BLOCK;

/* Removes rights that this version of Landlock does not know. */
static uint64_t
known(uint64_t access, long abi)
{
	if (abi < 2)
		access &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER;
	if (abi < 3)
		access &= ~(uint64_t)LANDLOCK_ACCESS_FS_TRUNCATE;
	return access;
}

/*
 * Grants rights below a path.  A path that does not exist cannot be written
 * anyway.
 */
static void
allow(int rules, const char *path, uint64_t access)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = access };
	struct stat st;
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.allowed_access &=
		    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE;
	rule.parent_fd = fd;
	/* If this fails, access stays forbidden. */
	(void)syscall(
	    SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(fd);
}

bool
cp_landlock_enter(const char *const *writable, size_t n)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
	    LANDLOCK_CREATE_RULESET_VERSION);
	struct landlock_ruleset_attr attr = { 0 };
	bool stands;
	int rules;

	if (abi < 1)
		return false;
	attr.handled_access_fs = known(to_write | never, abi);
	rules =
	    (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (rules < 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (writable[i] != NULL)
			allow(rules, writable[i], known(to_write, abi));
	stands = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return stands;
}
