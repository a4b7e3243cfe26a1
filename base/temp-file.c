/* SPDX-License-Identifier: MIT */
#include "base/temp-file.h"

#include <stdlib.h>

#include "base/port.h"

int
cp_temp_file(void)
{
	const char *dir[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
	int fd = -1;

	for (size_t i = 0; i < CP_ARRAY_LEN(dir) && fd < 0; i++)
		if (dir[i] != NULL && dir[i][0] == '/')
			fd = cp_port_nameless(dir[i], false);
	/* No folder supports files without a name: use memory. */
	return fd >= 0 ? fd : cp_port_nameless(NULL, false);
}
