/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/sources.c: the text of lines, and the table of the source
 * files shown.
 */
#include "analyses/annotate/annotate.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct cp_listing *
listing_of(struct cp_annotate *a, uint32_t dso, const char *file)
{
	struct cp_shown_file *f = a->files;

	while (f != NULL && f->file != file)
		f = f->next;
	if (f == NULL) {
		f = *a->last_file = cp_run_alloc(a->run, sizeof(*f));
		a->last_file = &f->next;
		f->file = file;
		f->listing = cp_run_listing(a->run, dso, file);
	}
	return &f->listing;
}

/* Replaces tabs by spaces: renderers would escape them. */
static const char *
expand(const char *s, struct cp_line_text *out)
{
	size_t n = 0;

	for (; *s != '\0' && n + 9 < sizeof(out->text); s++)
		if (*s != '\t')
			out->text[n++] = *s;
		else
			do
				out->text[n++] = ' ';
			while (n % 8 != 0);
	if (*s != '\0')
		n += (size_t)snprintf(
		    out->text + n, sizeof(out->text) - n, " ...");
	out->text[n] = '\0';
	return out->text;
}

const char *
cp_annotate_line(struct cp_annotate *a, uint32_t dso, const struct cp_spot *s,
    struct cp_line_text *out)
{
	const struct cp_listing *l;

	if (s->file == NULL || s->line == 0)
		return "";
	l = listing_of(a, dso, s->file);
	if (l->path == NULL)
		return "";
	return s->line <= l->lines ? expand(l->line[s->line - 1], out)
				   : "[the file has no such line]";
}

const char *
cp_annotate_name(
    struct cp_run *run, const struct cp_symbol *y, struct cp_short_name *out)
{
	const char *start = y != NULL ? cp_run_name_last(run, y->name) : "?";
	size_t n = strlen(start), kept;

	kept = n < CP_LONGEST_NAME ? n : CP_LONGEST_NAME;
	while (kept < n && kept > 0 && (start[kept] & 0xc0) == 0x80)
		kept--; /* within a character of UTF-8 */
	snprintf(out->text, sizeof(out->text), "%.*s%s", (int)kept, start,
	    kept < n ? "\xe2\x80\xa6" : "");
	return out->text;
}

const char *
cp_annotate_place(const struct cp_annotate *a, const struct cp_instruction *in,
    struct cp_line_text *out)
{
	const struct cp_spot *s =
	    in->n_spots != 0 ? &in->spots[in->n_spots - 1] : NULL;
	const char *slash;
	struct cp_short_name name;
	size_t n;

	out->text[0] = '\0';
	if (s == NULL || s->file == NULL)
		return out->text;
	slash = strrchr(s->file, '/');
	n = (size_t)snprintf(out->text, sizeof(out->text), "%.200s:%" PRIu32,
	    slash != NULL ? slash + 1 : s->file, s->line);
	if (in->n_spots < 2 || s->symbol == NULL)
		return out->text;
	snprintf(out->text + n, sizeof(out->text) - n, " %s",
	    cp_annotate_name(a->run, s->symbol, &name));
	return out->text;
}

void
cp_annotate_files(const struct cp_annotate *a, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("File"),
		CP_TEXT("Version"), CP_TEXT("Text from") };
	struct cp_table *t;

	if (a->files == NULL)
		return;
	t = cp_report_table(rep, "files", "Source files", CP_COLUMNS(columns));
	for (const struct cp_shown_file *f = a->files; f != NULL; f = f->next) {
		cp_table_add(t, f->file, f->listing.check,
		    f->listing.path != NULL ? f->listing.path : "");
	}
}
