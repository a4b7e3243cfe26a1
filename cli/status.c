/* SPDX-License-Identifier: MIT */
/*
 * status: prints the diagnostics and chooses the exit status by the worst.
 */
#include "cli/status.h"

#include "base/buf.h"
#include "base/safe-file.h"
#include "render/common/escape.h"

static const char *const levels[] = { "note", "warning", "partial", "limit",
	"error", "output" };

/* Returns the capture of the message; else the last input. */
static const char *
file_of(const struct cp_cli *cli, const struct cp_diag_place *p)
{
	if (p->input != NULL)
		return p->input;
	return cli->reading != NULL ? cli->reading : cli->captures.data[0];
}

static void
place_text(struct cp_buf *b, const struct cp_diag_place *p)
{
	if (p->record != 0)
		cp_buf_printf(b, "record %" PRIu64 " ", p->record);
	if (p->offset != CP_NO_OFFSET)
		cp_buf_printf(b,
		    p->record != 0 ? "(offset 0x%" PRIx64 ")"
				   : "offset 0x%" PRIx64,
		    p->offset);
	if (p->rewritten)
		cp_buf_str(b, " of the snapshot's records");
}

/* coldperf: FILE: 12 x SLUG, first at record 7 (offset 0x3f20): tail */
static void
add_text(struct cp_buf *to, const struct cp_cli *cli, int id)
{
	const struct cp_diags *d = &cli->diags;
	const struct cp_diag_place *p = &d->place[id][0];
	struct cp_buf place;

	cp_buf_init(&place, 256);
	place_text(&place, p);
	cp_buf_str(to, "coldperf: ");
	if (cli->captures.len != 0) {
		cp_escape_terminal(to, file_of(cli, p));
		cp_buf_str(to, ": ");
	}
	cp_buf_printf(to, "%s: ", levels[cp_diag_table[id].level]);
	/* What follows from a mistake of the command line is not told. */
	if (d->count[id] > 1 && id != CP_D_USAGE)
		cp_buf_printf(to, "%" PRIu64 " × ", d->count[id]);
	cp_buf_printf(
	    to, "%s (%s)", cp_diag_table[id].text, cp_diag_table[id].slug);
	if (place.len != 0)
		cp_buf_printf(to, ", %s%s",
		    d->count[id] > 1 ? "first at " : "at ",
		    cp_buf_text(&place));
	if (p->tail[0] != '\0') {
		cp_buf_str(to, ": ");
		cp_escape_terminal(to, p->tail);
	}
	cp_buf_char(to, '\n');
	cp_buf_free(&place);
}

void
cp_cli_diagnostics(const struct cp_cli *cli, struct cp_buf *to)
{
	for (int id = 0; id < CP_D_COUNT; id++)
		if (cli->diags.count[id] != 0)
			add_text(to, cli, id);
}

static void
print_text(const struct cp_cli *cli, int id)
{
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	add_text(&b, cli, id);
	fputs(cp_buf_text(&b), stderr);
	cp_buf_free(&b);
}

static void
print_json(const struct cp_cli *cli, int id)
{
	const struct cp_diags *d = &cli->diags;
	const struct cp_diag_place *p = &d->place[id][0];
	struct cp_buf b;

	cp_buf_init(&b, 8192);
	cp_buf_printf(&b, "{\"level\":\"%s\",\"id\":\"%s\",\"count\":%" PRIu64,
	    levels[cp_diag_table[id].level], cp_diag_table[id].slug,
	    d->count[id]);
	if (cli->captures.len != 0) {
		cp_buf_str(&b, ",\"file\":\"");
		cp_escape(&b, CP_ESCAPE_JSON, file_of(cli, p));
		cp_buf_str(&b, "\"");
	}
	if (p->record != 0)
		cp_buf_printf(&b, ",\"record\":%" PRIu64, p->record);
	if (p->offset != CP_NO_OFFSET)
		cp_buf_printf(&b, ",\"offset\":%" PRIu64, p->offset);
	if (p->rewritten)
		cp_buf_str(&b, ",\"of\":\"snapshot\"");
	cp_buf_printf(
	    &b, ",\"text\":\"%s\",\"tail\":\"", cp_diag_table[id].text);
	cp_escape(&b, CP_ESCAPE_JSON, p->tail);
	cp_buf_str(&b, "\"}");
	fprintf(stderr, "%s\n", cp_buf_text(&b));
	cp_buf_free(&b);
}

int
cp_cli_status(struct cp_cli *cli)
{
	static const int status[] = { [CP_DIAG_NOTE] = CP_EXIT_OK,
		[CP_DIAG_WARNING] = CP_EXIT_OK,
		[CP_DIAG_PARTIAL] = CP_EXIT_PARTIAL,
		[CP_DIAG_LIMIT] = CP_EXIT_LIMIT,
		[CP_DIAG_ERROR] = CP_EXIT_ERROR,
		[CP_DIAG_OUTPUT] = CP_EXIT_BUG };
	enum cp_diag_level worst;

	if (cp_objfile_ran_out())
		cp_diag(&cli->diags, CP_D_LIMIT,
		    "open files: some could not be opened, and pass for "
		    "missing here; raise `ulimit -n'");
	worst = cp_diags_worst(&cli->diags);
	for (int id = 0; id < CP_D_COUNT; id++) {
		if (cli->diags.count[id] == 0)
			continue;
		if (cli->diag_json)
			print_json(cli, id);
		else if (cp_diag_table[id].level > CP_DIAG_NOTE)
			print_text(cli, id);
	}
	if (cli->diags.count[CP_D_GATE] != 0 && worst <= CP_DIAG_PARTIAL)
		return CP_EXIT_GATE;
	if (cli->diags.count[CP_D_GATE_UNDECIDED] != 0 &&
	    worst <= CP_DIAG_PARTIAL)
		return CP_EXIT_UNDECIDED;
	if (cli->strict && worst == CP_DIAG_WARNING)
		return CP_EXIT_PARTIAL;
	return status[worst];
}
