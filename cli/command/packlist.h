/* SPDX-License-Identifier: MIT */
/*
 * cli/command/packlist.h: the members of a bundle that is being made.
 *
 * Members are collected in any order and sorted by name.  The manifest is made
 * of them and written first, then the capture.
 */
#ifndef CP_CLI_COMMAND_PACKLIST_H
#define CP_CLI_COMMAND_PACKLIST_H

#include "base/archive/write.h"
#include "base/hash.h"
#include "base/vec.h"
#include "run/api.h"

struct cp_pack_item {
	const char *name;      /* of the member */
	const char *target;    /* a link: no content */
	const char *role, *id; /* for the manifest */
	const uint8_t *data;
	uint64_t size;
	int fd;                       /* instead of data; -1: none */
	const struct cp_extent *kept; /* n_kept == 0: everything */
	size_t n_kept;
	mode_t mode; /* permission bits */
	char sha[65];
};

struct cp_pack_missing {
	const char *role, *id, *name;
	uint32_t dso; /* the object; 0: none */
};

/* How user stacks ended, for a capture that has no copies of them. */
struct cp_pack_end {
	const char *reason, *object;
	uint64_t n;
};

struct cp_packlist {
	struct cp_arena arena;
	CP_VEC(struct cp_pack_item) items;
	struct cp_map64 names; /* hash -> 1 */
	CP_VEC(struct cp_pack_missing) missing;
	CP_VEC(struct cp_pack_end) ends; /* in the order of writing */
	const char *const *labels;       /* KEY=VALUE each */
	size_t n_labels;
};

/* Adds an item; its name is copied.  NULL if the name is taken. */
struct cp_pack_item *cp_packlist_add(struct cp_packlist *, const char *name);
/*
 * Writes all items to push, compressed as the name of the bundle says.  Returns
 * NULL, or why it failed; *bytes: size of the contents.
 */
const char *cp_packlist_write(struct cp_packlist *, const char *name,
    cp_archive_push, void *ctx, const char *tool, uint64_t *bytes);
void cp_packlist_free(struct cp_packlist *);

/* pack-weights.c: the files that a bundle lacks, and the samples that they
 * concern. */

/* Call it before the run reads: samples are counted by stack. */
int cp_pack_weights_watch(struct cp_run *) CP_MUST_USE;
/* Lists on stderr the files that are missing, the heaviest first. */
void cp_pack_weights_say(struct cp_run *, const struct cp_packlist *);

#endif
