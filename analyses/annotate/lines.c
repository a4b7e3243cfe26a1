/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/lines.c: the source lines of a function by weight.
 *
 * The line of an instruction is that of the innermost function inlined there.
 * Lines from another file show the name of their function.
 */
#include "analyses/annotate/annotate.h"

#include <stdlib.h>
#include <string.h>

const struct cp_spot *
cp_annotate_spot(const struct cp_instruction *in)
{
	const struct cp_spot *s =
	    in->n_spots != 0 ? &in->spots[in->n_spots - 1] : NULL;

	return s != NULL && s->file != NULL ? s : NULL;
}

/* Sorts by file, line and function; instructions without a line come first. */
static int
compare_places(const void *va, const void *vb)
{
	const struct cp_line *a = va, *b = vb;
	const struct cp_spot *x = cp_annotate_spot(a->at),
			     *y = cp_annotate_spot(b->at);
	int c;

	if (x == NULL || y == NULL)
		return (x != NULL) - (y != NULL);
	c = strcmp(x->file, y->file);
	if (c == 0)
		c = (x->line > y->line) - (x->line < y->line);
	if (c == 0)
		c = strcmp(x->symbol != NULL ? x->symbol->name : "",
		    y->symbol != NULL ? y->symbol->name : "");
	return c;
}

static int
compare_weights(const void *va, const void *vb)
{
	const struct cp_line *a = va, *b = vb;

	if (a->part.mass.weight != b->part.mass.weight)
		return a->part.mass.weight > b->part.mass.weight ? -1 : 1;
	return compare_places(va, vb);
}

size_t
cp_annotate_instructions(const struct cp_hot *h, struct cp_line *lines)
{
	const struct cp_code *code = &h->code;
	size_t hit = 0, n = 0;

	for (size_t i = 0; i < code->n && hit < h->n; i++) {
		struct cp_line *l = &lines[n];

		*l = (struct cp_line){ .at = &code->at[i] };
		for (; hit < h->n && h->hits[hit].addr <= l->at->addr; hit++)
			cp_part_add(&l->part, &h->hits[hit]);
		n += l->part.samples != 0;
	}
	return n;
}

size_t
cp_annotate_merge(struct cp_line *lines, size_t n)
{
	size_t kept = 0;

	qsort(lines, n, sizeof(*lines), compare_places);
	for (size_t i = 1; i < n; i++) {
		if (compare_places(&lines[kept], &lines[i]) != 0) {
			lines[++kept] = lines[i];
			continue;
		}
		lines[kept].part.mass.weight += lines[i].part.mass.weight;
		lines[kept].part.mass.weight_sq += lines[i].part.mass.weight_sq;
		lines[kept].part.samples += lines[i].part.samples;
	}
	n = n == 0 ? 0 : kept + 1;
	qsort(lines, n, sizeof(*lines), compare_weights);
	return n;
}

void
cp_annotate_lines(
    struct cp_annotate *a, struct cp_table *t, const struct cp_hot *h)
{
	struct cp_line *lines =
	    cp_run_alloc(a->run, (h->n + 1) * sizeof(*lines));
	size_t n = cp_annotate_merge(lines, cp_annotate_instructions(h, lines));
	struct cp_line_text place, text;

	for (size_t i = 0; i < n; i++) {
		const struct cp_spot *s = cp_annotate_spot(lines[i].at);

		cp_table_row(t);
		cp_table_indent(t, 1);
		cp_annotate_shares(a, t, h, &lines[i].part);
		cp_table_cells(t,
		    s != NULL ? cp_annotate_place(a, lines[i].at, &place)
			      : "[unknown]",
		    s != NULL ? cp_annotate_line(a, h->symbol->dso, s, &text)
			      : "");
	}
}
