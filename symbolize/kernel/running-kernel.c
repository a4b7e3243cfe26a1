/* SPDX-License-Identifier: MIT */
#include "symbolize/kernel/running-kernel.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/limits.h"
#include "symbolize/elf/elf-file.h"

uint8_t
cp_running_id(uint8_t id[20])
{
	struct cp_content notes;
	uint8_t size;
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	bool got;

	if (fd < 0)
		return 0;
	got = cp_objfile_read(fd, CP_MAX_NOTE, &notes);
	close(fd);
	if (!got)
		return 0;
	size = cp_notes_build_id(
	    cp_bytes_of(notes.data, notes.size, false), 4, id);
	cp_content_free(&notes);
	return size;
}

int
cp_running_open(const char *path)
{
	return strcmp(path, CP_RUNNING_KALLSYMS) == 0
		   ? open(path, O_RDONLY | O_CLOEXEC)
		   : -1;
}
