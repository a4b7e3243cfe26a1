/* SPDX-License-Identifier: MIT */
#include "cli/command/script/fields.h"

#include "base/diag.h"

#define USUAL_FIELDS                                                           \
	(CP_FIELD_BIT(comm) | CP_FIELD_BIT(pid) | CP_FIELD_BIT(tid) |          \
	    CP_FIELD_BIT(cpu) | CP_FIELD_BIT(time) | CP_FIELD_BIT(period) |    \
	    CP_FIELD_BIT(event) | CP_FIELD_BIT(ip) | CP_FIELD_BIT(sym) |       \
	    CP_FIELD_BIT(symoff) | CP_FIELD_BIT(dso) | CP_FIELD_BIT(trace))

static const char *const field_names[] = {
#define X(name) #name,
	CP_SCRIPT_FIELDS(X)
#undef X
};

#define X(name) " " #name
static int
field_add(struct cp_cli *cli, uint32_t *fields, const char *name, size_t n)
{
	for (unsigned i = 0; i < CP_FIELD_COUNT; i++)
		if (strlen(field_names[i]) == n &&
		    memcmp(field_names[i], name, n) == 0) {
			*fields |= 1u << i;
			return CP_OK;
		}
	cp_diag(&cli->diags, CP_D_USAGE,
	    "unknown field `%.*s'; there are:" CP_SCRIPT_FIELDS(X), (int)n,
	    name);
#undef X
	return CP_FAIL;
}

int
cp_script_fields(struct cp_cli *cli, uint32_t *out)
{
	const char *f = cli->fields, *comma;

	*out = 0;
	if (f == NULL || *f == '+')
		*out = USUAL_FIELDS;
	if (f == NULL)
		return CP_OK;
	f += *f == '+';
	for (; (comma = strchr(f, ',')) != NULL; f = comma + 1)
		if (field_add(cli, out, f, (size_t)(comma - f)) != CP_OK)
			return CP_FAIL;
	return field_add(cli, out, f, strlen(f));
}
