/* SPDX-License-Identifier: MIT */
/*
 * Separate debug files of this machine: by build ID below /usr/lib/debug, or
 * by .gnu_debuglink beside the stripped file.  A debug link is believed if
 * its CRC is right; whoever uses the file compares build IDs as well.
 */
#include <elf.h>
#include <lzma.h>
#include <unistd.h>

#include "base/buf.h"
#include "symbolize/chain.h"

#define DEBUG_ROOT "/usr/lib/debug"
#define MAX_PATH 4096

static int
open_buf(struct cp_buf *b)
{
	int fd = b->full ? -1 : cp_objfile_open(cp_buf_text(b));

	cp_buf_free(b);
	return fd;
}

static int
by_build_id(const struct cp_elf *elf)
{
	struct cp_buf b;

	if (elf->build_id_size < 2)
		return -1;
	cp_buf_init(&b, MAX_PATH);
	cp_buf_printf(&b, DEBUG_ROOT "/.build-id/%02x/", elf->build_id[0]);
	for (size_t i = 1; i < elf->build_id_size; i++)
		cp_buf_printf(&b, "%02x", elf->build_id[i]);
	cp_buf_str(&b, ".debug");
	return open_buf(&b);
}

static bool
has_crc(int fd, uint32_t want)
{
	struct cp_content c;
	bool same;

	if (!cp_objfile_map(fd, &c))
		return false;
	same = lzma_crc32(c.data, c.size, 0) == want;
	cp_content_free(&c);
	return same;
}

static int
try_link(const char *before, const char *dir, size_t dir_size,
    const char *after, const char *name, uint32_t crc)
{
	struct cp_buf b;
	int fd;

	cp_buf_init(&b, MAX_PATH);
	cp_buf_str(&b, before);
	cp_buf_add(&b, dir, dir_size);
	cp_buf_str(&b, after);
	cp_buf_str(&b, name);
	fd = open_buf(&b);
	if (fd >= 0 && !has_crc(fd, crc)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int
by_link(const struct cp_elf *elf, const char *path)
{
	struct cp_bytes b =
	    cp_elf_bytes(elf, cp_elf_section(elf, ".gnu_debuglink"));
	const uint8_t *start = b.at;
	const char *name = cp_bytes_str(&b);
	const char *slash = strrchr(path, '/');
	size_t dir, pad;
	uint32_t crc;
	int fd;

	if (name == NULL || name[0] == '\0' || strchr(name, '/') != NULL ||
	    slash == NULL)
		return -1;
	pad = (size_t)(-(uintptr_t)(b.at - start)) % 4;
	cp_bytes_take(&b, pad);
	crc = cp_bytes_u32(&b);
	dir = (size_t)(slash - path);
	fd = try_link("", path, dir, "/", name, crc);
	if (fd < 0)
		fd = try_link("", path, dir, "/.debug/", name, crc);
	if (fd < 0)
		fd = try_link(DEBUG_ROOT, path, dir, "/", name, crc);
	return fd;
}

int
cp_debugfile_open(const struct cp_elf *elf, const char *path)
{
	int fd = by_build_id(elf);

	return fd >= 0 ? fd : by_link(elf, path);
}
