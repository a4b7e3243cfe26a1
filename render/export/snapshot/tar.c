/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/tar.h"

#include <stdio.h>

enum { BLOCK = 512 };

/* The header of a file, as POSIX.1-1988 (ustar) has it. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12];
	char checksum[8], type, link[100], magic[6], version[2];
	char user[32], group[32], major[8], minor[8], prefix[155], rest[12];
};

static unsigned
sum_of(const struct header *h)
{
	uint8_t bytes[BLOCK];
	unsigned sum = 0;

	memcpy(bytes, h, sizeof(bytes));
	for (size_t i = 0; i < BLOCK; i++)
		sum += bytes[i];
	return sum;
}

static void
fill(struct header *h, const char *name, uint64_t size)
{
	memcpy(h->name, name, CP_MIN(strlen(name), sizeof(h->name) - 1));
	memcpy(h->mode, "0000644", sizeof(h->mode));
	memcpy(h->uid, "0000000", sizeof(h->uid));
	memcpy(h->gid, "0000000", sizeof(h->gid));
	snprintf(h->size, sizeof(h->size), "%011llo",
	    (unsigned long long)(size & UINT64_C(0x1ffffffff)));
	memcpy(h->mtime, "00000000000", sizeof(h->mtime));
	memset(h->checksum, ' ', sizeof(h->checksum));
	h->type = '0';
	memcpy(h->magic, "ustar", sizeof(h->magic));
	memcpy(h->version, "00", sizeof(h->version));
	snprintf(h->checksum, sizeof(h->checksum), "%06o", sum_of(h));
}

void
cp_tar_begin(struct cp_out *out, const char *name, uint64_t size)
{
	struct header h = { .type = 0 };

	_Static_assert(sizeof(h) == BLOCK, "a tar header is one block");
	fill(&h, name, size);
	cp_out_add(out, &h, sizeof(h));
}

void
cp_tar_pad(struct cp_out *out, uint64_t size)
{
	static const char zeros[BLOCK];

	if (size % BLOCK != 0)
		cp_out_add(out, zeros, BLOCK - size % BLOCK);
}

void
cp_tar_file(struct cp_out *out, const char *name, const void *data, size_t size)
{
	cp_tar_begin(out, name, size);
	cp_out_add(out, data, size);
	cp_tar_pad(out, size);
}

void
cp_tar_end(struct cp_out *out)
{
	static const char zeros[2 * BLOCK];

	cp_out_add(out, zeros, sizeof(zeros));
}
