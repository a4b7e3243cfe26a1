/* SPDX-License-Identifier: MIT */
#include "cli/redact.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/redact/scan.h"
#include "cli/cli.h"
#include "report/report.h"
#include "run/api.h"

/* A name of a user or a host that is a part of a function's name. */
struct part {
	const char *word, *function;
};

struct redacting {
	struct cp_redact names; /* first member: see cp_cli_redact_end() */
	struct cp_policy policy;
	size_t allowed; /* words removed that were not looked for */
	/* Those of them that name users and hosts. */
	CP_VEC(const char *) common;
	CP_VEC(struct part) parts;
};

/* The name of a capture may be that of its host. */
static void
hide_captures(struct cp_cli *cli)
{
	for (size_t i = 0; i < cli->captures.len; i++) {
		const char *path = cli->captures.data[i];
		const char *base = cp_basename(path);

		if (strlen(path) > 2)
			cp_redact_word(cli->run.redact, path, "capture",
			    CP_REDACT_UNSOUGHT);
		if (strlen(base) > 2)
			cp_redact_word(cli->run.redact, base, "capture",
			    CP_REDACT_UNSOUGHT);
	}
}

/* Commands that show the unredacted capture, or names of no capture. */
static bool
is_as_it_is(const char *command)
{
	static const char *const all[] = { "dump", "verify", "repair",
		"selftest", "check", "symbols", "names" };

	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		if (strcmp(all[i], command) == 0)
			return true;
	return false;
}

int
cp_cli_redact(struct cp_cli *cli)
{
	struct redacting *r;
	char why[200];

	if (cli->redact != NULL && is_as_it_is(cli->command))
		return cp_cli_bad(cli,
		    "%s shows what was recorded, or what files say: it has no "
		    "--redact",
		    cli->command);
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
	hide_captures(cli);
	return CP_OK;
}

void
cp_cli_redact_learn(const struct cp_cli *cli)
{
	for (size_t i = 0; i < cli->captures.len; i++)
		cp_run_learn(&cli->run, cli->captures.data[i]);
}

static const char *
change(void *ctx, const char *text)
{
	return cp_redact_text(ctx, text);
}

void
cp_cli_redact_report(const struct cp_cli *cli, struct cp_report *rep)
{
	if (cli->run.redact != NULL)
		cp_report_texts(rep, change, cli->run.redact);
}

const char *
cp_cli_redact_text(const struct cp_cli *cli, const char *text)
{
	return cli->run.redact != NULL ? cp_redact_text(cli->run.redact, text)
				       : text;
}

/* Reads the written file; NULL: it cannot be read. */
static uint8_t *
read_back(int fd, size_t *n)
{
	struct stat st;
	uint8_t *p;
	size_t at = 0;
	ssize_t got = 1;

	if (fstat(fd, &st) != 0 || st.st_size > INT32_MAX)
		return NULL;
	*n = (size_t)st.st_size;
	p = cp_xmalloc(*n + 1);
	for (; at < *n && got > 0; at += (size_t)CP_MAX(got, (ssize_t)0))
		got = pread(fd, p + at, *n - at, (off_t)at);
	if (at == *n)
		return p;
	free(p);
	return NULL;
}

/* The names outlive the search. */
static void
note_left(struct redacting *r, const struct cp_scan *scan)
{
	r->allowed = scan->allowed;
	r->common.len = 0;
	for (size_t i = 0; i < scan->common.len; i++)
		*cp_vec_push(&r->common) = scan->common.data[i];
	r->parts.len = 0;
	for (size_t i = 0; i < scan->words.len; i++) {
		const struct cp_scan_word *w = &scan->words.data[i];

		if (w->function != NULL)
			*cp_vec_push(&r->parts) =
			    (struct part){ w->text, w->function };
	}
}

/* Says which word was found, and which line of a policy would let it stand. */
static void
say_found(struct cp_cli *cli, const struct cp_scan *scan)
{
	const struct cp_policy *policy = cli->run.redact->policy;
	char where[100];

	snprintf(where, sizeof(where),
	    policy->built_in ? "a file that begins with `base = %.80s'"
			     : "%.80s",
	    policy->name);
	if (strlen(scan->whole) + 1 == sizeof(scan->whole) ||
	    strpbrk(scan->whole, ",#;\"") != NULL)
		cp_diag(&cli->diags, CP_D_NOT_REDACTED,
		    "`%.80s' is still in it", scan->found);
	else
		cp_diag(&cli->diags, CP_D_NOT_REDACTED,
		    "`%.80s' is still in it; if it may be, write `allow = %s' "
		    "in [words] of %s",
		    scan->found, scan->whole, where);
}

int
cp_cli_redact_search(struct cp_cli *cli, int fd)
{
	struct cp_scan scan;
	size_t n;
	uint8_t *p;
	bool clean;

	if (cli->run.redact->too_many) {
		cp_diag(&cli->diags, CP_D_NOT_REDACTED,
		    "over %zu names of users and captures to replace",
		    cli->run.redact->words.len);
		return CP_FAIL;
	}
	p = read_back(fd, &n);
	if (p == NULL) {
		cp_diag(&cli->diags, CP_D_NOT_REDACTED,
		    "it cannot be read back, or has more than 2 GiB");
		return CP_FAIL;
	}
	cp_scan_init(&scan, cli->run.redact);
	clean = cp_scan_clean(&scan, p, n);
	if (scan.found != NULL)
		say_found(cli, &scan);
	else if (!clean)
		cp_diag(&cli->diags, CP_D_NOT_REDACTED, "%.80s", scan.too_much);
	note_left((struct redacting *)cli->run.redact, &scan);
	cp_scan_free(&scan);
	free(p);
	return clean ? CP_OK : CP_FAIL;
}

/* Of "/name" and "name", the account has one. */
static void
say_parts(const struct redacting *x)
{
	for (size_t i = 0; i < x->parts.len; i++) {
		const struct part *p = &x->parts.data[i];

		if (i == 0 || strcmp(p[-1].word, p->word + 1) != 0)
			fprintf(stderr,
			    "  left: `%s', a user or host, is a part of a "
			    "function's name: %s\n",
			    p->word, p->function);
	}
}

static void
say_account(const struct redacting *x, int status)
{
	const struct cp_redact *r = &x->names;

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
	if (x->allowed != 0)
		fprintf(stderr,
		    "  %zu of the words removed also stand in what is kept, or "
		    "in coldperf's own texts: the search of the output passes "
		    "over them\n",
		    x->allowed);
	for (size_t i = 0; i < x->common.len; i++)
		fprintf(stderr,
		    "  left: `%s', a user or host, is also a common word\n",
		    x->common.data[i]);
	say_parts(x);
	if (status == CP_EXIT_LIMIT)
		fputs("  what is over the limit was not looked at; all that "
		      "was written was searched\n",
		    stderr);
}

/* Nothing was written if the status is one of these. */
static bool
has_failed(int status)
{
	return status == CP_EXIT_ERROR || status == CP_EXIT_BUG;
}

void
cp_cli_redact_end(struct cp_cli *cli, int status)
{
	struct redacting *r = (struct redacting *)cli->run.redact;

	if (r == NULL)
		return;
	if (!has_failed(status))
		say_account(r, status);
	cp_vec_free(&r->common);
	cp_vec_free(&r->parts);
	cp_redact_free(&r->names);
	cp_policy_free(&r->policy);
	free(r);
	cli->run.redact = NULL;
}
