/* SPDX-License-Identifier: MIT */
/*
 * render/text/tree.c: a call tree as indented lines, callers above callees.
 *
 * Each line has the share of the node with everything below it and the share
 * of the node alone.  A node that is the only one worth showing under its
 * caller stands at the same indent, so that long chains stay readable; its
 * share is left blank when it equals the caller's.  A tree whose nodes have a
 * value shows it in a third column.  Branches below the
 * smallest share are left out and counted; depth and number of lines are
 * bounded.
 */
#include "base/limits.h"
#include "render/common/escape.h"
#include "render/common/format.h"
#include "base/match/short-name.h"
#include "render/common/fit-name.h"
#include "render/common/tree-order.h"
#include "render/common/tree-value.h"
#include "render/text/style.h"
#include "render/text/text.h"

#define TREE_MIN_SHARE 0.005

struct tree {
	const struct cp_render_options *opt;
	struct cp_out *out;
	const struct cp_tree *tree;
	const struct cp_tree_node *node;
	struct cp_kids kids;
	double all, min;
	uint64_t lines, hidden;
	struct cp_buf text;
};

static double
share_of(const struct tree *t, uint64_t weight)
{
	return t->all > 0 ? (double)weight / t->all : 0;
}

static void
put_share(struct tree *t, uint64_t weight, bool shown, const char *style)
{
	struct cp_buf b;

	cp_buf_init(&b, 64);
	if (shown)
		cp_format_share(&b, share_of(t, weight));
	cp_out_repeat(t->out, " ", 9 - CP_MIN(b.len, (size_t)9));
	cp_text_styled(t->out, t->opt, style, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

/* Adds the text after the name: object, and guessed part. */
static void
add_detail(struct tree *t, struct cp_buf *b, uint32_t node)
{
	const struct cp_tree_node *n = &t->node[node];
	size_t from;

	if (*n->detail != '\0') {
		cp_buf_str(b, "  (");
		cp_escape_terminal(b, n->detail);
		cp_buf_char(b, ')');
	}
	from = b->len;
	cp_buf_str(b, "  [");
	if (cp_node_guess(b, t->tree, node))
		cp_buf_char(b, ']');
	else
		b->len = from;
	cp_buf_add(b, "", 1);
}

/* Adds the name, which gets at least half of the room. */
static void
add_name(struct tree *t, const char *name, size_t room, size_t detail)
{
	struct cp_buf full, brief;

	cp_buf_init(&full, SIZE_MAX / 2);
	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_escape_terminal(&full, name);
	if (t->opt->brief)
		cp_brief_name(&brief, cp_buf_text(&full));
	room = CP_MAX(room / 2, room - CP_MIN(room, detail));
	cp_fit_name(&t->text, cp_buf_text(t->opt->brief ? &brief : &full),
	    CP_MAX(room, 1));
	cp_buf_free(&full);
	cp_buf_free(&brief);
}

/* Writes name and object, escaped and cut to the rest of the line. */
static void
put_name(struct tree *t, uint32_t node, size_t indent)
{
	size_t room = SIZE_MAX, len;
	struct cp_buf detail;
	const char *text;

	if (t->opt->width != 0)
		room =
		    t->opt->width > indent + 10 ? t->opt->width - indent : 10;
	cp_buf_init(&detail, SIZE_MAX / 2);
	add_detail(t, &detail, node);
	cp_buf_reset(&t->text);
	add_name(t, t->node[node].name, room, cp_text_columns(detail.data));
	cp_buf_str(&t->text, detail.data);
	cp_buf_free(&detail);
	text = cp_buf_text(&t->text);
	len = t->text.len != 0 ? cp_text_columns(text) : 0;
	if (len > room)
		cp_out_add(t->out, text, cp_text_fit(text, room - 1));
	else
		cp_out_add(t->out, text, t->text.len);
	cp_out_str(t->out, len > room ? "…\n" : "\n");
}

static void
put_value(struct tree *t, const struct cp_tree_node *n)
{
	char value[40] = "-";

	if (t->tree->scale == CP_SCALE_NONE)
		return;
	if (n->total != 0 || cp_tree_beside(t->tree, n)->before_total != 0)
		cp_node_value(t->tree, n, value, sizeof(value));
	cp_out_repeat(t->out, " ", 10 - CP_MIN(strlen(value), (size_t)10));
	cp_out_str(t->out, value);
}

static void
put_line(struct tree *t, const struct cp_tree_step *at)
{
	const struct cp_tree_node *n = &t->node[at->node];
	bool same = n->total == t->node[n->parent].total && n->parent != 0;
	size_t indent = 2 * (size_t)at->at;

	put_share(t, n->total, !same, cp_text_heat(share_of(t, n->total)));
	put_share(t, n->self, n->self != 0, CP_STYLE_DIM);
	put_value(t, n);
	cp_out_str(t->out, "  ");
	cp_out_repeat(t->out, " ", indent);
	put_name(
	    t, at->node, indent + (t->tree->scale == CP_SCALE_NONE ? 20 : 30));
	t->lines++;
}

static bool
is_worth(const struct tree *t, uint32_t node)
{
	return t->node[node].total != 0 &&
	       (double)t->node[node].total >= t->min;
}

/* Children worth showing go on the walk's stack, the others are counted. */
static void
tree_down(struct tree *t, struct cp_tree_walk *walk, uint32_t node,
    uint32_t depth, uint64_t indent)
{
	uint32_t from = t->kids.first[node], to = t->kids.first[node + 1];
	uint32_t end = from;

	while (end < to && is_worth(t, t->kids.node[end]))
		end++;
	t->hidden += to - end;
	if (depth > CP_MAX_TEXT_DEPTH) {
		t->hidden += end - from;
		return;
	}
	indent += end - from > 1;
	for (uint32_t i = end; i-- > from;)
		*cp_vec_push(&walk->stack) =
		    (struct cp_tree_step){ t->kids.node[i], depth,
			    CP_MIN(indent, 40u) };
}

static void
put_hidden(struct tree *t)
{
	struct cp_buf b;

	if (t->hidden == 0)
		return;
	cp_buf_init(&b, 128);
	cp_buf_str(&b, "  … and ");
	cp_format_count(&b, t->hidden);
	cp_buf_str(&b, " smaller or deeper branches\n");
	cp_out_add(t->out, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

static void
put_head(struct tree *t)
{
	cp_buf_reset(&t->text);
	cp_buf_str(&t->text, "    Total     Self  ");
	if (t->tree->scale != CP_SCALE_NONE)
		cp_buf_printf(&t->text, "%8.8s  ", t->tree->legend);
	cp_buf_str(&t->text, "Call");
	cp_text_styled(
	    t->out, t->opt, CP_STYLE_HEAD, cp_buf_text(&t->text), t->text.len);
}

void
cp_text_tree(const struct cp_render_options *opt, struct cp_out *out,
    const struct cp_tree *tree)
{
	struct tree t = {
		.opt = opt, .out = out, .tree = tree, .node = tree->nodes.data
	};
	double min = opt->min_share > 0 ? opt->min_share : TREE_MIN_SHARE;
	struct cp_tree_walk walk = { 0 };
	struct cp_tree_step at;

	t.all = (double)t.node[0].total;
	t.min = t.all * min;
	cp_buf_init(&t.text, SIZE_MAX / 2);
	cp_kids_init(&t.kids, tree, CP_KIDS_BY_WEIGHT, 0);
	put_head(&t);
	cp_out_char(out, '\n');
	tree_down(&t, &walk, 0, 1, 0);
	while (cp_tree_walk_next(&walk, &at)) {
		if (t.lines == CP_MAX_TEXT_LINES) {
			t.hidden++;
			continue;
		}
		put_line(&t, &at);
		tree_down(&t, &walk, at.node, at.depth + 1, at.at);
	}
	if (tree->nodes.len <= 1)
		cp_out_str(out, "  (nothing)\n");
	put_hidden(&t);
	cp_kids_free(&t.kids);
	cp_buf_free(&t.text);
}
