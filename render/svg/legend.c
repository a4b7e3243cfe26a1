/* SPDX-License-Identifier: MIT */
#include "render/svg/legend.h"

#include <math.h>

#include "render/common/format.h"
#include "render/common/tree-value.h"
#include "render/svg/palette.h"

static void
put_key(
    const struct cp_svg *s, unsigned *x, const char *class, const char *label)
{
	cp_out_printf(s->out,
	    "<g transform=\"translate(%u,%u)\"><rect class=\"%s\" "
	    "width=\"12\" height=\"12\" rx=\"2\"/><text class=\"key\" "
	    "x=\"17\" y=\"10.5\">",
	    *x, s->head - CP_SVG_HEAD + 62, class);
	cp_svg_text(s->out, label, 60);
	cp_out_str(s->out, "</text></g>");
	*x += 34 + 7 * (unsigned)CP_MIN(strlen(label), (size_t)60);
}

static void
put_guess_key(const struct cp_svg *s, unsigned *x)
{
	const struct cp_flame *f = s->flame;

	for (size_t i = 0; i < f->frames.len; i++)
		if (cp_node_guessed(f->tree, f->frames.data[i].node)) {
			put_key(
			    s, x, "guess", "guessed: there is no unwind table");
			return;
		}
}

static void
put_few_key(const struct cp_svg *s, unsigned *x)
{
	const struct cp_flame *f = s->flame;

	for (size_t i = 0; i < f->frames.len; i++)
		if (cp_flame_few(f, f->frames.data[i].node)) {
			put_key(s, x, "few",
			    "pale: fewer than 4 samples, may be chance");
			return;
		}
}

static void
put_narrow_key(const struct cp_svg *s, unsigned *x)
{
	if (s->flame->timed && s->flame->dropped != 0)
		put_key(s, x, "narrow", "narrow frames, as one");
}

/* The steps of a scale; for a ratio, factors of the ratio of the whole. */
struct step {
	const char *class, *label;
	double factor;
};

static const struct step ratios[] = {
	{ "v0", "a quarter of all", 0.25 },
	{ "v8", "all", 1 },
	{ "v16", "four times all", 4 },
};
/*
 * Ratios of the weight after to that before; between two steps is the square
 * root of 2.
 */
static const struct step changes[] = {
	{ "v0", "half or less", 0 },
	{ "v4",
	    "\xe2\x88\x92"
	    "29%",
	    0 },
	{ "v8", "the same, or chance", 0 },
	{ "v12", "+41%", 0 },
	{ "v16", "twice or more", 0 },
};
static const struct step tendencies[] = {
	{ "v0", "less", 0 },
	{ "v8", "as before", 0 },
	{ "v16", "more", 0 },
};

/* Of the node's time. */
static const struct step times[] = {
	{ "v0", "off the CPU", 0 },
	{ "v8", "half of its time each", 0 },
	{ "v16", "on the CPU", 0 },
};

static void
put_step(const struct cp_svg *s, unsigned *x, const struct step *step)
{
	const struct cp_tree *t = s->flame->tree;
	char label[200];

	if (step->factor > 0)
		snprintf(label, sizeof(label), "%.60s %.3g: %s", t->legend,
		    t->whole * step->factor, step->label);
	else
		snprintf(label, sizeof(label), "%s", step->label);
	put_key(s, x, step->class, label);
}

static void
put_scale(const struct cp_svg *s)
{
	const struct cp_tree *t = s->flame->tree;
	const struct step *step = tendencies;
	size_t n = CP_ARRAY_LEN(tendencies);
	unsigned x = CP_SVG_MARGIN;

	if (t->scale == CP_SCALE_RATIO) {
		step = ratios;
		n = CP_ARRAY_LEN(ratios);
	} else if (t->scale == CP_SCALE_CPU) {
		step = times;
		n = CP_ARRAY_LEN(times);
	} else if (t->compared) {
		step = changes;
		n = CP_ARRAY_LEN(changes);
	}
	cp_out_str(s->out, "<g class=\"legend\">");
	for (size_t i = 0; i < n; i++)
		put_step(s, &x, &step[i]);
	if (t->scale != CP_SCALE_CPU)
		put_key(s, &x, "vx", "not known");
	put_guess_key(s, &x);
	cp_out_str(s->out, "</g>\n");
}

/* Frames of no kind are threads below stacks, and classes of waits on them. */
static bool
has_classes(const struct cp_flame *f)
{
	const struct cp_tree_node *node = f->tree->nodes.data;

	for (size_t i = 0; f->tree->unit != NULL && i < f->frames.len; i++) {
		const struct cp_tree_node *n = &node[f->frames.data[i].node];

		if (n->kind == CP_KIND_NONE &&
		    (*n->name == '[' || node[n->parent].kind != CP_KIND_NONE))
			return true;
	}
	return false;
}

static void
put_group(const struct cp_svg *s, unsigned *x, size_t group)
{
	const char *noun = s->flame->tree->samples;
	char class[4] = { cp_palette_letter(group), '2' };
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_svg_group_label(s->groups, group, &b);
	if (group == CP_KIND_NONE && has_classes(s->flame) && *noun != '\0')
		cp_buf_printf(
		    &b, ", kind of %.*s", (int)strlen(noun) - 1, noun);
	put_key(s, x, class, cp_buf_text(&b));
	cp_buf_free(&b);
}

static void
put_groups(const struct cp_svg *s)
{
	bool used[CP_SVG_GROUPS] = { false };
	unsigned x = CP_SVG_MARGIN;

	for (size_t i = 0; i < s->flame->frames.len; i++) {
		uint32_t node = s->flame->frames.data[i].node;

		if (node != 0 && cp_tree_is_narrow(s->flame->tree, node) == 0)
			used[cp_svg_group(s->groups,
			    &s->flame->tree->nodes.data[node])] = true;
	}
	cp_out_str(s->out, "<g class=\"legend\">");
	for (size_t i = 0; i < CP_SVG_GROUPS; i++)
		if (used[i] && s->groups->by != CP_HUES_NONE)
			put_group(s, &x, i);
	put_guess_key(s, &x);
	put_few_key(s, &x);
	put_narrow_key(s, &x);
	cp_out_str(s->out, "</g>\n");
}

unsigned
cp_svg_heat(uint64_t value, uint64_t most)
{
	double part = most != 0 ? sqrt((double)value / (double)most) : 0;
	unsigned step = (unsigned)ceil(part * CP_SVG_HEATS);

	return CP_MIN(step, CP_SVG_HEATS);
}

const char *
cp_svg_kind_class(const struct cp_lanes *l, size_t kind)
{
	static const char *const block[] = { "kb0", "kb1", "kb2", "kb3", "kb4",
		"kb5", "kb6", "kb7" };
	size_t before = 0;

	for (size_t i = 0; i < kind; i++)
		before += l->kinds.data[i].tone == l->kinds.data[kind].tone;
	switch (l->kinds.data[kind].tone) {
	case CP_TONE_RUN: return "kr";
	case CP_TONE_WAIT: return before == 0 ? "kw" : "kw1";
	case CP_TONE_IDLE: return "ki";
	case CP_TONE_UNKNOWN: return "ku";
	case CP_TONE_BLOCK: return block[before % CP_ARRAY_LEN(block)];
	case CP_TONE_PLAIN: break;
	}
	return "kp";
}

static void
grid_legend(const struct cp_svg *s)
{
	const struct cp_grid *g = &s->section->grid;
	uint64_t most = s->most, last = 0;
	unsigned x = CP_SVG_MARGIN;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (unsigned i = 1; i <= CP_SVG_HEATS && most != 0; i += 2) {
		double part = (double)i / CP_SVG_HEATS;
		double least = ceil(part * part * (double)most);
		uint64_t from = least < (double)most ? (uint64_t)least : most;
		struct cp_value v = cp_grid_value(g, from);
		char class[4] = { 'q', (char)('0' + cp_svg_heat(from, most)) };

		/* With few samples several colours begin at the same count. */
		if (from == last)
			continue;
		last = from;
		cp_buf_reset(&b);
		if (i == 1)
			cp_format_unit(&b, g->type, &v, g->name);
		else
			cp_format_value(&b, g->type, &v);
		put_key(s, &x, class, cp_buf_text(&b));
	}
	cp_buf_free(&b);
}

static void
put_chart_legend(const struct cp_svg *s)
{
	const struct cp_lanes *l = &s->section->lanes;
	unsigned x = CP_SVG_MARGIN;

	cp_out_str(s->out, "<g class=\"legend\">");
	if (s->section->type == CP_SECTION_GRID)
		grid_legend(s);
	for (size_t k = 0; k < l->kinds.len; k++)
		put_key(s, &x, cp_svg_kind_class(l, k), l->kinds.data[k].name);
	cp_out_str(s->out, "</g>\n");
}

void
cp_svg_legend(const struct cp_svg *s)
{
	if (s->flame == NULL)
		put_chart_legend(s);
	else if (s->flame->tree->scale != CP_SCALE_NONE)
		put_scale(s);
	else
		put_groups(s);
}
