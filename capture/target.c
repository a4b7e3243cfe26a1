/* SPDX-License-Identifier: MIT */
/*
 * target: counts the functions that set up a frame pointer, as `push %rbp; mov
 * %rsp,%rbp' (x86_64) or `mov x29, sp' (aarch64), against the entries of
 * .eh_frame_hdr, of which there is one for each function.  Compilers that keep
 * frame pointers set them up in all functions, or in all but leaves; others in
 * the few that need one.
 */
#define _GNU_SOURCE /* memmem */
#include "capture/host.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/elf.h"
#include "symbolize/elf/elf-file.h"

/* Of a hundred functions; leaves need not, other code sets up one or two. */
#define ENOUGH 12
#define MOST_CODE (64u << 20)

static size_t
count(const struct cp_elf *e, struct cp_bytes code)
{
	static const uint8_t x86[] = { 0x55, 0x48, 0x89, 0xe5 };
	static const uint8_t arm[] = { 0xfd, 0x03, 0x00, 0x91 };
	const uint8_t *what = e->machine == EM_X86_64 ? x86 : arm;
	size_t left = cp_bytes_left(&code), n = 0;
	const uint8_t *at;

	left = CP_MIN(left, MOST_CODE);
	at = cp_bytes_take(&code, left);
	for (const uint8_t *end = at != NULL ? at + left : NULL;
	     at != NULL &&
	     (at = memmem(at, (size_t)(end - at), what, 4)) != NULL;
	     at += 4)
		n++;
	return n;
}

static enum cp_frames
judge(struct cp_elf *e)
{
	const struct cp_elf_section *text = cp_elf_section(e, ".text"),
				    *table = cp_elf_section(e, ".eh_frame_hdr");
	struct cp_bytes b;
	uint32_t head, functions;

	/* Go keeps them on all processors, and has no such table. */
	if (cp_elf_section(e, ".gopclntab") != NULL)
		return CP_FRAMES_KEPT;
	if (text == NULL || table == NULL || e->swap ||
	    (e->machine != EM_X86_64 && e->machine != EM_AARCH64))
		return CP_FRAMES_UNKNOWN;
	b = cp_elf_bytes(e, table);
	/* Version 1; the pointer to .eh_frame and the count have 4 bytes. */
	head = cp_bytes_u32(&b);
	if ((head & 0xffffff) != 0x031b01)
		return CP_FRAMES_UNKNOWN;
	(void)cp_bytes_u32(&b);
	functions = cp_bytes_u32(&b);
	if (b.failed || functions < 3)
		return CP_FRAMES_UNKNOWN;
	return count(e, cp_elf_bytes(e, text)) * 100 / functions >= ENOUGH
		   ? CP_FRAMES_KEPT
		   : CP_FRAMES_NONE;
}

/* Replaces the path of a script by that of its interpreter. */
static bool
interpreter(char *path, size_t size)
{
	char line[256];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? read(fd, line, sizeof(line) - 1) : -1;
	char *s = line + 2;

	if (fd >= 0)
		close(fd);
	if (n < 3 || memcmp(line, "#!", 2) != 0)
		return false;
	line[n] = '\0';
	s += strspn(s, " \t");
	s[strcspn(s, " \t\n")] = '\0';
	(void)snprintf(path, size, "%s", s);
	return path[0] == '/';
}

enum cp_frames
cp_target_frames(char *path, size_t size)
{
	enum cp_frames frames = CP_FRAMES_UNKNOWN;
	struct cp_elf e;
	int fd;

	for (int i = 0; i < 4 && interpreter(path, size); i++)
		;
	/* A link of /proc leads to the file that runs, deleted or not. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && cp_elf_open(&e, fd)) {
		frames = judge(&e);
		cp_elf_free(&e);
	}
	return frames;
}
