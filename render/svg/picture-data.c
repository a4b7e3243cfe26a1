/* SPDX-License-Identifier: MIT */
/*
 * render/svg/picture-data.c: the frames of a flame graph as JSON for its
 * script.
 *
 * {"weight": unit, "symbols": [[name, object, class, short], ...], "frames":
 * [depth, symbol, total, self, samples, ...]}; frames in the picture's order,
 * five numbers each; a total above 2^53 is a text.  Where colours show a value,
 * "colors" has the step of each frame, "values" its text; where captures are
 * compared, "before" has the weights of the other.  A flame chart has "starts":
 * where each frame begins, in weight; what stands for narrow frames has the
 * class "narrow".  "guessed" has, by frame,
 * the guessed part and whether it is the larger one.  A symbol is written once
 * however many frames have it; its short name only if that is another.
 */
#include "render/svg/draw.h"

#include "base/hash.h"
#include "base/match/short-name.h"
#include "render/common/tree-value.h"
#include "render/svg/palette.h"

/* A number of JavaScript holds whole ones up to here; larger are texts. */
#define MOST_EXACT (UINT64_C(1) << 53)

struct symbols {
	/* hash -> number + 1 of the first symbol with it */
	struct cp_map64 by_hash;
	CP_VEC(uint32_t) node; /* one of each symbol's nodes */
	/* number + 1 of the next symbol with the same hash */
	CP_VEC(uint32_t) next;
};

static uint64_t
symbol_hash(const struct cp_tree_node *n)
{
	uint64_t w[] = { cp_hash_bytes(n->name, strlen(n->name)),
		cp_hash_bytes(n->detail, strlen(n->detail)), n->kind };

	return cp_hash_words(w, CP_ARRAY_LEN(w));
}

static bool
symbol_equal(const struct cp_tree_node *a, const struct cp_tree_node *b)
{
	return a->kind == b->kind && strcmp(a->name, b->name) == 0 &&
	       strcmp(a->detail, b->detail) == 0;
}

/* Returns the number of the node's symbol, a new one if needed. */
static uint32_t
symbol_of(struct symbols *sym, const struct cp_tree_node *nodes, uint32_t node)
{
	uint32_t *slot = cp_map64_put(&sym->by_hash, symbol_hash(&nodes[node]));
	uint32_t i;

	for (i = *slot; i != 0; i = sym->next.data[i - 1])
		if (symbol_equal(&nodes[sym->node.data[i - 1]], &nodes[node]))
			return i - 1;
	*cp_vec_push(&sym->node) = node;
	*cp_vec_push(&sym->next) = *slot;
	*slot = (uint32_t)sym->node.len;
	return *slot - 1;
}

static void
put_frames(const struct cp_svg *s, struct symbols *sym)
{
	const struct cp_tree_node *nodes = s->flame->tree->nodes.data;

	cp_out_str(s->out, ",\"frames\":[");
	for (size_t i = 0; i < s->flame->frames.len; i++) {
		const struct cp_flame_frame *f = &s->flame->frames.data[i];

		uint64_t total = nodes[f->node].total;
		const char *quote = total > MOST_EXACT ? "\"" : "";

		cp_out_printf(s->out,
		    "%s%" PRIu32 ",%" PRIu32 ",%s%" PRIu64 "%s,%" PRIu64
		    ",%" PRIu64,
		    i != 0 ? ",\n" : "\n", f->depth,
		    symbol_of(sym, nodes, f->node), quote, total, quote,
		    nodes[f->node].self, s->flame->samples[f->node]);
	}
	cp_out_str(s->out, "]");
}

/* Writes the short form if it differs. */
static void
put_short(const struct cp_svg *s, const char *name)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_short_name(&b, name);
	if (strcmp(cp_buf_text(&b), name) != 0) {
		cp_out_char(s->out, ',');
		cp_svg_string(s->out, cp_buf_text(&b));
	}
	cp_buf_free(&b);
}

static void
put_symbols(const struct cp_svg *s, const struct symbols *sym)
{
	cp_out_str(s->out, ",\"symbols\":[");
	for (size_t i = 0; i < sym->node.len; i++) {
		const struct cp_tree_node *n =
		    &s->flame->tree->nodes.data[sym->node.data[i]];

		cp_out_str(s->out, i != 0 ? ",\n[" : "\n[");
		cp_svg_string(s->out, cp_svg_name(n));
		cp_out_char(s->out, ',');
		cp_svg_string(s->out, n->detail);
		if (cp_tree_is_narrow(s->flame->tree, sym->node.data[i]) != 0)
			cp_out_str(s->out, ",\"narrow\"");
		else
			cp_out_printf(s->out, ",\"%c%u\"",
			    cp_palette_letter(cp_svg_group(s->groups, n)),
			    cp_palette_shade(n->name));
		put_short(s, cp_svg_name(n));
		cp_out_char(s->out, ']');
	}
	cp_out_str(s->out, "]");
}

/* Numbers round the few that are above 2^53: less than a pixel. */
static void
put_starts(const struct cp_svg *s)
{
	cp_out_str(s->out, ",\"starts\":[");
	for (size_t i = 0; i < s->flame->frames.len; i++)
		cp_out_printf(s->out, "%s%" PRIu64, i != 0 ? "," : "",
		    s->flame->frames.data[i].start);
	cp_out_str(s->out, "]");
}

static void
put_before(const struct cp_svg *s)
{
	const struct cp_flame *f = s->flame;

	cp_out_printf(s->out, ",\"other\":\"%s\",\"before\":[",
	    f->tree->reversed ? "after" : "before");
	for (size_t i = 0; i < f->frames.len; i++)
		cp_out_printf(s->out, "%s%" PRIu64, i != 0 ? "," : "",
		    cp_tree_beside(
			f->tree, &f->tree->nodes.data[f->frames.data[i].node])
			->before_total);
	cp_out_str(s->out, "]");
}

static void
put_values(const struct cp_svg *s)
{
	const struct cp_flame *f = s->flame;
	char text[40];

	cp_out_str(s->out, ",\"legend\":");
	cp_svg_string(s->out, f->tree->legend);
	cp_out_str(s->out, ",\"colors\":[");
	for (size_t i = 0; i < f->frames.len; i++)
		cp_out_printf(s->out, "%s%d", i != 0 ? "," : "",
		    cp_palette_step(cp_tree_shade(f->tree,
			&f->tree->nodes.data[f->frames.data[i].node])));
	cp_out_str(s->out, "],\"values\":[");
	for (size_t i = 0; i < f->frames.len; i++) {
		cp_out_str(s->out, i != 0 ? "," : "");
		if (cp_node_value(f->tree,
			&f->tree->nodes.data[f->frames.data[i].node], text,
			sizeof(text)))
			cp_svg_string(s->out, text);
		else
			cp_out_str(s->out, "null");
	}
	cp_out_str(s->out, "]");
}

static void
put_guesses(const struct cp_svg *s)
{
	const struct cp_flame *f = s->flame;
	const char *gap = ",\"guessed\":{";
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (size_t i = 0; i < f->frames.len; i++) {
		uint32_t node = f->frames.data[i].node;

		cp_buf_reset(&b);
		if (!cp_node_guess(&b, f->tree, node))
			continue;
		cp_out_printf(s->out, "%s\"%zu\":[", gap, i);
		cp_svg_string(s->out, cp_buf_text(&b));
		cp_out_printf(s->out, ",%d]", cp_node_guessed(f->tree, node));
		gap = ",\n";
	}
	cp_out_str(s->out, gap[1] == '\n' ? "}" : "");
	cp_buf_free(&b);
}

void
cp_svg_picture_data(const struct cp_svg *s)
{
	const struct cp_tree *tree = s->flame->tree;
	enum cp_column_type type = cp_tree_unit_type(s->report, tree);
	struct symbols sym = { 0 };

	cp_out_str(s->out,
	    "<script type=\"application/json\" class=\"data\">{\"weight\":");
	cp_svg_string(s->out, cp_tree_unit_name(s->report, tree));
	cp_out_printf(s->out, ",\"type\":\"%s\",\"noun\":",
	    type == CP_COL_TIME ? "time"
				: (type == CP_COL_BYTES ? "bytes" : "count"));
	cp_svg_string(s->out, tree->samples);
	if (s->brief)
		cp_out_str(s->out, ",\"brief\":true");
	if (tree->sampled)
		cp_out_printf(s->out, ",\"few\":%d", CP_FLAME_FEW);
	if (tree->scale != CP_SCALE_NONE)
		put_values(s);
	if (tree->compared)
		put_before(s);
	if (tree->guesses.len != 0)
		put_guesses(s);
	if (s->flame->timed)
		put_starts(s);
	put_frames(s, &sym);
	put_symbols(s, &sym);
	cp_out_str(s->out, "}</script>\n");
	cp_map64_free(&sym.by_hash);
	cp_vec_free(&sym.node);
	cp_vec_free(&sym.next);
}
