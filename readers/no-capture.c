/* SPDX-License-Identifier: MIT */
#include "readers/reader.h"

#include <limits.h>
#include <unistd.h>

#include "base/strings.h"

/* What Hotspot saves, plain or compressed. */
static bool
is_perfparser(const struct cp_input *in)
{
	static const char magic[] = "QPERFSTREAM", end[] = ".perfparser";
	size_t n = strlen(in->path), m = strlen(end);

	return (in->head_len >= strlen(magic) &&
		   memcmp(in->head, magic, strlen(magic)) == 0) ||
	       (n > m && strcmp(in->path + n - m, end) == 0);
}

/* perf archive makes perf.data.tar.bz2, the objects of perf.data. */
static bool
is_beside(const char *path, char beside[PATH_MAX])
{
	const char *base = cp_basename(path), *end = strstr(base, ".tar");

	if (end == NULL || end == base || end - path >= PATH_MAX)
		return false;
	snprintf(beside, PATH_MAX, "%.*s", (int)(end - path), path);
	return access(beside, R_OK) == 0;
}

void
cp_no_capture(
    const struct cp_input *in, struct cp_diags *diags, const char *what)
{
	char beside[PATH_MAX];

	if (is_perfparser(in))
		cp_diag(diags, CP_D_NOT_PERF,
		    "a .perfparser of Hotspot, which has what its parser made "
		    "of a perf.data: give that");
	else if (is_beside(in->path, beside))
		cp_diag(diags, CP_D_NOT_PERF,
		    "no capture is in it; give %.200s, which lies beside it: "
		    "then names are taken from this archive",
		    beside);
	else
		cp_diag(diags, CP_D_NOT_PERF, "%s", what);
}
