/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

/* Is this the suffix of a bundle, alone or before that of a compression? */
static bool
is_suffix(const char *s)
{
	static const char *const suffixes[] = { ".tar", ".tgz", ".cold" };

	for (size_t i = 0; i < CP_ARRAY_LEN(suffixes); i++) {
		size_t n = strlen(suffixes[i]);

		if (strncmp(s, suffixes[i], n) == 0 &&
		    (s[n] == '\0' || s[n] == '.'))
			return true;
	}
	return false;
}

/* Length of the path without such a suffix. */
static size_t
without_suffix(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = strlen(path);

	for (const char *s = slash != NULL ? slash + 1 : path; *s != '\0'; s++)
		if (is_suffix(s))
			n = (size_t)(s - path);
	return n;
}

int
cp_default_output(struct cp_cli *cli)
{
	static const struct {
		const char *command, *suffix;
	} names[] = { { "pack", ".tar.zst" }, { "snapshot", ".cold" },
		{ "unpack", ".unpacked" } };
	const char *capture =
	    cli->captures.len != 0 ? cli->captures.data[0] : "-";

	if (cli->outputs.len != 0)
		return CP_OK;
	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++) {
		bool unpack = strcmp(names[i].command, "unpack") == 0;
		size_t n = unpack ? without_suffix(capture) : strlen(capture);
		size_t size = n + strlen(names[i].suffix) + 1;
		char *name;

		if (strcmp(cli->command, names[i].command) != 0)
			continue;
		if (strcmp(capture, "-") == 0) {
			cp_diag(&cli->diags, CP_D_USAGE,
			    "standard input has no name: -o gives one to what "
			    "is written; see coldperf help");
			return CP_FAIL;
		}
		name = cp_arena_alloc(&cli->arena, size);
		snprintf(
		    name, size, "%.*s%s", (int)n, capture, names[i].suffix);
		*cp_vec_push(&cli->outputs) = cli->output = name;
	}
	return CP_OK;
}
