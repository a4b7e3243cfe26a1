/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/listing.c: a function instruction by instruction.
 *
 * Consecutive instructions of one line are a block, with the line above them. A
 * row names the inlined function where its code begins.
 */
#include "analyses/annotate/annotate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

/* Levels of rows: blocks are below the function, instructions below blocks. */
enum { BLOCK = 1, INSTRUCTION = 2 };

struct listing {
	struct cp_annotate *a;
	struct cp_table *table;
	const struct cp_hot *hot;
	const struct cp_code *code;
	const bool *near; /* by instruction: it is shown */
	size_t hit;       /* the next hit */
	size_t hidden;    /* instructions left out since the last row */
};

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool
same_spot(const struct cp_spot *a, const struct cp_spot *b)
{
	return a->symbol == b->symbol && a->line == b->line &&
	       same_text(a->file, b->file);
}

/*
 * True if both are inlined through the same calls; lines in the innermost
 * function may differ.
 */
static bool
same_inlining(const struct cp_instruction *a, const struct cp_instruction *b)
{
	if (a->n_spots != b->n_spots)
		return false;
	for (uint32_t i = 0; i + 1 < a->n_spots; i++)
		if (!same_spot(&a->spots[i], &b->spots[i]))
			return false;
	return a->n_spots == 0 || a->spots[a->n_spots - 1].symbol ==
				      b->spots[b->n_spots - 1].symbol;
}

static bool
same_line(const struct cp_instruction *a, const struct cp_instruction *b)
{
	return same_inlining(a, b) &&
	       (a->n_spots == 0 || same_spot(&a->spots[a->n_spots - 1],
				       &b->spots[b->n_spots - 1]));
}

/* Adds the samples at an address; hits and instructions both ascend. */
static void
add_at(const struct cp_hot *h, size_t *hit, uint64_t addr, struct cp_part *p)
{
	for (; *hit < h->n && h->hits[*hit].addr <= addr; (*hit)++)
		cp_part_add(p, &h->hits[*hit]);
}

static void
row(const struct listing *l, const struct cp_part *p, unsigned depth,
    const struct cp_instruction *i, const char *where, const char *code)
{
	char address[32];

	snprintf(address, sizeof(address), "0x%" PRIx64, i->shown);
	cp_table_row(l->table);
	cp_table_at_code(l->table, i->addr);
	cp_table_indent(l->table, depth);
	cp_annotate_shares(l->a, l->table, l->hot, p);
	cp_table_cells(l->table, address, where, code);
}

/* Tells how many instructions were left out here. */
static void
flush_hidden(struct listing *l)
{
	struct cp_word word;
	char text[80];

	if (l->hidden != 0 && l->a->instructions) {
		snprintf(text, sizeof(text),
		    "… %s instruction%s without samples",
		    cp_word_count(&word, l->hidden), cp_word_s(l->hidden));
		cp_table_row(l->table);
		cp_table_indent(l->table, INSTRUCTION);
		cp_annotate_shares(
		    l->a, l->table, l->hot, &(struct cp_part){ 0 });
		cp_table_cells(l->table, "", "", text);
	}
	l->hidden = 0;
}

/* Writes "sum at a.c:7 > square at b.h:3", as far as there is room. */
static void
inlined_text(const struct listing *l, const struct cp_instruction *in,
    char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "[inlined:");

	for (uint32_t i = 1; i < in->n_spots && at < size; i++) {
		const struct cp_spot *call = &in->spots[i - 1];
		struct cp_short_name name;
		const char *slash =
		    call->file != NULL ? strrchr(call->file, '/') : NULL;

		at += (size_t)snprintf(text + at, size - at,
		    "%s %s at %.80s:%" PRIu32, i > 1 ? " >" : "",
		    cp_annotate_name(l->a->run, in->spots[i].symbol, &name),
		    slash != NULL        ? slash + 1
		    : call->file != NULL ? call->file
					 : "?",
		    call->line);
	}
	if (at < size)
		snprintf(text + at, size - at, "]");
}

/* Shows the line of the block of instructions i to end - 1. */
static void
block_rows(struct listing *l, size_t i, size_t end)
{
	const struct cp_instruction *in = &l->code->at[i];
	const struct cp_spot *s = cp_annotate_spot(in);
	struct cp_part part = { 0 };
	struct cp_line_text place, line;
	size_t hit = l->hit;
	char text[600];

	for (size_t k = i; k < end; k++)
		add_at(l->hot, &hit, l->code->at[k].addr, &part);
	if (in->n_spots > 1 && (i == 0 || !same_inlining(in - 1, in))) {
		inlined_text(l, in, text, sizeof(text));
		row(l, &(struct cp_part){ 0 }, BLOCK, in, "", text);
	}
	if (s != NULL)
		row(l, &part, BLOCK, in, cp_annotate_place(l->a, in, &place),
		    cp_annotate_line(l->a, l->hot->symbol->dso, s, &line));
	else if (!l->a->instructions && part.samples != 0)
		row(l, &part, BLOCK, in, "[unknown]", "");
}

static void
instruction_row(struct listing *l, const struct cp_instruction *in)
{
	struct cp_part part = { 0 };
	struct cp_line_text place;

	add_at(l->hot, &l->hit, in->addr, &part);
	if (l->a->instructions)
		row(l, &part, INSTRUCTION, in,
		    l->a->sources ? "" : cp_annotate_place(l->a, in, &place),
		    in->text != NULL ? in->text : "[not known]");
}

static bool
any_near(const struct listing *l, size_t i, size_t end)
{
	while (i < end && !l->near[i])
		i++;
	return i < end;
}

/*
 * Shows those of instructions i to end - 1, of one line, that are near samples.
 */
static void
show_block(struct listing *l, size_t i, size_t end)
{
	if (!any_near(l, i, end)) {
		l->hidden += end - i;
		return;
	}
	if (l->near[i])
		flush_hidden(l);
	if (l->a->sources)
		block_rows(l, i, end);
	for (; i < end; i++) {
		if (!l->near[i]) {
			l->hidden++;
			continue;
		}
		flush_hidden(l);
		instruction_row(l, &l->code->at[i]);
	}
}

void
cp_annotate_listing(
    struct cp_annotate *a, struct cp_table *t, const struct cp_hot *h)
{
	struct listing l = { .a = a, .table = t, .hot = h, .code = &h->code };
	const struct cp_dso *d = cp_run_dso(a->run, h->symbol->dso);
	size_t end;

	l.near = cp_annotate_near(a, h);
	a->kernel |= l.code->why == NULL && d != NULL &&
		     (d->kind == CP_DSO_KERNEL || d->kind == CP_DSO_MODULE);
	for (size_t i = 0; i < l.code->n; i = end) {
		for (end = i + 1; end < l.code->n &&
				  same_line(&l.code->at[i], &l.code->at[end]);)
			end++;
		show_block(&l, i, end);
	}
	flush_hidden(&l);
}
