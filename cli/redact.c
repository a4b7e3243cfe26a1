/* SPDX-License-Identifier: MIT */
#include "cli/redact.h"

#include "base/redact/names.h"
#include "cli/option-values.h"

struct redacting {
	struct cp_redact names; /* first member: see cp_cli_redact_end() */
	struct cp_policy policy;
};

int
cp_cli_redact(struct cp_cli *cli)
{
	struct redacting *r;
	char why[200];

	if (cli->redact == NULL && strcmp(cli->command, "redact") == 0)
		return cp_cli_bad(cli, "redact needs --redact POLICY");
	if (cli->redact == NULL)
		return CP_OK;
	r = cp_xcalloc(1, sizeof(*r));
	cp_redact_init(&r->names, &r->policy);
	cli->run.redact = &r->names;
	if (cp_policy_read(&r->policy, cli->redact, why, sizeof(why)) != NULL)
		return cp_cli_bad(cli, "policy `%.60s': %s", cli->redact, why);
	cp_redact_begin(&r->names);
	return CP_OK;
}

static void
say_account(const struct cp_redact *r)
{
	fprintf(stderr, "coldperf: redacted by %s:\n", r->policy->name);
	for (unsigned c = 0; c < CP_REDACT_N; c++) {
		const struct cp_redact_count *n = &r->count[c];

		if (n->kept + n->changed + n->dropped != 0)
			fprintf(stderr,
			    "  %-12s %" PRIu64 " kept, %" PRIu64
			    " changed, %" PRIu64 " dropped\n",
			    cp_redact_class_name((enum cp_redact_class)c),
			    n->kept, n->changed, n->dropped);
	}
}

void
cp_cli_redact_end(struct cp_cli *cli, int status)
{
	struct redacting *r = (struct redacting *)cli->run.redact;

	if (r == NULL)
		return;
	if (status == CP_EXIT_OK || status == CP_EXIT_PARTIAL)
		say_account(&r->names);
	cp_redact_free(&r->names);
	cp_policy_free(&r->policy);
	free(r);
	cli->run.redact = NULL;
}
