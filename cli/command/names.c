/* SPDX-License-Identifier: MIT */
/*
 * names: names lists of (build ID, address), without a capture.
 *
 * Lines are read in batches.  In a batch each object is looked up once, with
 * its addresses in ascending order; answers come in the order of the lines.  An
 * object stays open for later batches.
 */
#include <errno.h>
#include <sys/stat.h>

#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/command/names-input.h"
#include "cli/command/names-output.h"
#include "cli/output.h"
#include "cli/status.h"
#include "symbolize/symbolize.h"

enum { BATCH = 1 << 16, LINE = 4096 };

/* An address of the batch. */
struct asked {
	struct cp_names_line line;
	const struct cp_dso_info *dso; /* NULL: too many objects */
	uint64_t addr;                 /* as cp_frame.addr */
	bool placed;                   /* addr is known */
	uint32_t at;                   /* place among the sorted */
};

struct names {
	struct cp_cli *cli;
	FILE *in;
	struct cp_output o;
	struct cp_strings strings;
	struct cp_dsos dsos;
	struct cp_symbols *symbols;
	uint64_t lines;
	bool binary; /* the first line is no text */
	CP_VEC(struct asked) batch;
	CP_VEC(struct asked *) sorted;
	CP_VEC(uint64_t) addr;
	CP_VEC(const struct cp_symbol *) found;
	CP_VEC(struct cp_spots) spots;
};

/* ---------------------------------------------------------------- input */

/*
 * The first line, which tells if this is a text.  fgets() does not tell how
 * many bytes it has read: NULs are looked for up to the last byte that it
 * changed, which is a NUL itself.
 */
static bool
read_first(struct names *n, char *text)
{
	size_t end = LINE;

	memset(text, 1, LINE);
	if (fgets(text, LINE, n->in) == NULL)
		return false;
	while (text[end - 1] != '\0')
		end--;
	n->binary = memchr(text, '\0', end - 1) != NULL;
	return true;
}

static const struct cp_dso_info *
object_of(struct names *n, const struct cp_names_line *l)
{
	struct cp_dso_key key = { .level = CP_LEVEL_USER,
		.kind = CP_DSO_FILE,
		.build_id_size = l->id_size };
	struct cp_dso_info *d;
	char hex[41];

	cp_hex_of(hex, l->id, l->id_size);
	key.name = cp_strings_add(&n->strings, hex);
	memcpy(key.build_id, l->id, l->id_size);
	d = cp_dsos_get(&n->dsos, &n->strings, &key);
	if (d == NULL)
		cp_diag(&n->cli->diags, CP_D_LIMIT, "more than %u objects",
		    CP_MAX_DSOS);
	else
		d->pub.runs = true;
	return d;
}

/*
 * Converts a run-time address of the kernel to that in its file.  The kernel's
 * text begins with the first segment of code; the per-CPU data may come before,
 * at 0.
 */
static bool
kernel_vaddr(const struct cp_elf *elf, uint64_t base, uint64_t *addr)
{
	for (size_t i = 0; i < elf->loads.len; i++)
		if (elf->loads.data[i].exec) {
			*addr += elf->loads.data[i].vaddr - base;
			return true;
		}
	return false;
}

/*
 * Finds the file offset of an address, which is as objdump shows it, or the
 * kernel's run-time address.
 */
static bool
place(struct names *n, struct asked *a)
{
	uint64_t base = n->cli->kernel_base;
	bool kernel = base != 0 && a->line.addr >= base;
	const struct cp_elf *elf;

	a->addr = a->line.addr;
	if ((!n->cli->vaddr && !kernel) || a->dso == NULL)
		return a->dso != NULL;
	elf = cp_symbols_layout(n->symbols, a->dso);
	return elf != NULL && (!kernel || kernel_vaddr(elf, base, &a->addr)) &&
	       cp_elf_frame(elf, a->addr, &a->addr);
}

static void
take_line(struct names *n, const char *text)
{
	struct asked a = { 0 };

	if (!cp_names_parse(&a.line, text)) {
		if (n->lines != 1 || !cp_names_header(text))
			cp_diag(&n->cli->diags, CP_D_BAD_LINE, "line %" PRIu64,
			    n->lines);
		return;
	}
	a.dso = object_of(n, &a.line);
	a.placed = place(n, &a);
	*cp_vec_push(&n->batch) = a;
}

/* False: the input has ended. */
static bool
read_batch(struct names *n)
{
	char text[LINE];

	n->batch.len = 0;
	while (n->batch.len < BATCH) {
		if (n->lines == 0 ? !read_first(n, text)
				  : fgets(text, LINE, n->in) == NULL)
			return false;
		if (n->binary)
			return false;
		n->lines++;
		if (strchr(text, '\n') == NULL && !feof(n->in)) {
			/* Skips the rest of a line that is too long. */
			int c;

			while ((c = getc(n->in)) != '\n' && c != EOF)
				;
		}
		if (text[strspn(text, " \t\r\n")] != '\0')
			take_line(n, text);
	}
	return true;
}

/* -------------------------------------------------------------- answers */

static int
by_address(const void *a, const void *b)
{
	const struct asked *x = *(struct asked *const *)a,
			   *y = *(struct asked *const *)b;

	if (x->dso != y->dso)
		return x->dso->pub.id < y->dso->pub.id ? -1 : 1;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return 0;
}

/* Sorts the addresses; equal ones share one place. */
static void
sort(struct names *n)
{
	n->sorted.len = n->addr.len = 0;
	for (size_t i = 0; i < n->batch.len; i++)
		if (n->batch.data[i].placed)
			*cp_vec_push(&n->sorted) = &n->batch.data[i];
	if (n->sorted.len != 0)
		qsort(n->sorted.data, n->sorted.len, sizeof(*n->sorted.data),
		    by_address);
	for (size_t i = 0; i < n->sorted.len; i++) {
		struct asked **a = &n->sorted.data[i];

		if (i == 0 || by_address(&a[-1], a) != 0)
			*cp_vec_push(&n->addr) = (*a)->addr;
		(*a)->at = (uint32_t)n->addr.len - 1;
	}
}

/* Makes one request for each object. */
static void
ask(struct names *n)
{
	CP_VEC(struct cp_names) names = { 0 };
	CP_VEC(struct cp_inlines) inlines = { 0 };
	const struct cp_dso_info *last = NULL;

	cp_vec_reserve(&n->found, n->addr.len);
	cp_vec_reserve(&n->spots, n->addr.len);
	for (size_t i = 0; i < n->sorted.len; i++) {
		const struct asked *a = n->sorted.data[i];
		const uint64_t *addr = &n->addr.data[a->at];

		if (a->dso != last) {
			*cp_vec_push(&names) = (struct cp_names){ a->dso, addr,
				0, &n->found.data[a->at] };
			*cp_vec_push(&inlines) = (struct cp_inlines){ a->dso,
				addr, 0, &n->spots.data[a->at], false };
			last = a->dso;
		}
		names.data[names.len - 1].n =
		    (size_t)(addr - names.data[names.len - 1].addr) + 1;
		inlines.data[inlines.len - 1].n = names.data[names.len - 1].n;
	}
	memset(n->spots.data, 0, n->addr.len * sizeof(*n->spots.data));
	cp_symbols_batch(n->symbols, names.data, names.len);
	if (n->cli->run.inlines != CP_INLINE_NO)
		cp_symbols_inlines(
		    n->symbols, inlines.data, inlines.len, false);
	cp_vec_free(&names);
	cp_vec_free(&inlines);
}

static void
answer(struct names *n, bool json)
{
	for (size_t i = 0; i < n->batch.len; i++) {
		const struct asked *a = &n->batch.data[i];
		struct cp_names_row row = { .line = &a->line, .addr = a->addr };

		if (a->placed) {
			row.symbol = n->found.data[a->at];
			row.spots = n->spots.data[a->at];
		}
		if (json)
			cp_names_put_json(&n->o.out, &row);
		else
			cp_names_put_csv(&n->o.out,
			    n->cli->csv_raw ? CP_ESCAPE_CSV_RAW : CP_ESCAPE_CSV,
			    &row);
	}
}

/*
 * Is the input a list?  Other files, as a snapshot, are refused, because they
 * would be read to their end.
 */
static bool
is_list(struct names *n)
{
	if (n->binary)
		cp_diag(&n->cli->diags, CP_D_NOT_LIST,
		    "the input is no text; hotspots, flame and others name "
		    "what a capture or snapshot has");
	return !n->binary;
}

static void
name_all(struct names *n)
{
	bool json =
	    n->cli->format != NULL && strcmp(n->cli->format, "ndjson") == 0;
	bool more = read_batch(n);

	if (!is_list(n))
		return;
	if (!json)
		cp_names_put_header(&n->o.out);
	for (;;) {
		sort(n);
		if (n->addr.len != 0)
			ask(n);
		answer(n, json);
		if (!more || n->o.out.failed)
			break;
		more = read_batch(n);
	}
	if (ferror(n->in))
		cp_diag(&n->cli->diags, CP_D_READ, "%s", strerror(errno));
}

/* -------------------------------------------------------------- command */

static void
open_symbols(struct names *n)
{
	const struct cp_run_options *o = &n->cli->run;
	const struct cp_symbolize_options opt = { .paths = o->symbols.data,
		.n_paths = o->symbols.len,
		.cache_dir = o->cache,
		.demangle = o->demangle,
		.allow_mismatch = o->allow_mismatch,
		.debuginfod = o->debuginfod,
		.recorded_paths = o->recorded_paths,
		.no_inline_cache = o->no_cache,
		.jobs = o->jobs,
		.jobs_at_once = o->jobs_asked };

	n->symbols = cp_symbols_new(&opt, &n->strings, &n->cli->diags);
}

static FILE *
open_input(struct cp_cli *cli)
{
	const char *path = cli->captures.len != 0 ? cli->captures.data[0] : "-";
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	struct stat st;

	if (in == NULL) {
		cp_diag(&cli->diags, CP_D_OPEN, "%s", strerror(errno));
	} else if (fstat(fileno(in), &st) == 0 && S_ISDIR(st.st_mode)) {
		cp_diag(&cli->diags, CP_D_OPEN, "%s", strerror(EISDIR));
		fclose(in);
		in = NULL;
	}
	return in;
}

int
cp_command_names(struct cp_cli *cli)
{
	struct names n = { .cli = cli, .in = open_input(cli) };

	if (n.in == NULL)
		return cp_cli_status(cli);
	if (cp_output_open(&n.o, cli, false) == CP_OK) {
		open_symbols(&n);
		name_all(&n);
		cp_output_close(&n.o, cli, cp_cli_status(cli) != CP_EXIT_ERROR);
		cp_symbols_free(n.symbols);
		cp_dsos_free(&n.dsos);
		cp_strings_free(&n.strings);
		cp_vec_free(&n.batch);
		cp_vec_free(&n.sorted);
		cp_vec_free(&n.addr);
		cp_vec_free(&n.found);
		cp_vec_free(&n.spots);
	}
	if (n.in != stdin)
		fclose(n.in);
	return cp_cli_status(cli);
}
