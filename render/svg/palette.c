/* SPDX-License-Identifier: MIT */
#include "render/svg/palette.h"

#include <math.h>

static const struct {
	char letter;
	const char *label;
	double hue, saturation; /* degrees, 0...1 */
} kinds[CP_PALETTE_KINDS] = {
	[CP_KIND_NONE] = { 't', "thread", 215, 0.14 },
	[CP_KIND_USER] = { 'u', "user", 27, 0.82 },
	[CP_KIND_KERNEL] = { 'k', "kernel", 212, 0.72 },
	[CP_KIND_INLINED] = { 'i', "inlined", 174, 0.45 },
	[CP_KIND_JIT] = { 'j', "JIT", 104, 0.48 },
	[CP_KIND_CXX] = { 'c', "C++", 48, 0.85 },
	[CP_KIND_HYPERVISOR] = { 'h', "hypervisor", 268, 0.60 },
	[CP_KIND_GUEST] = { 'g', "guest", 318, 0.55 },
	[CP_KIND_UNKNOWN] = { 'x', "no name", 30, 0.05 },
};

/*
 * Objects and languages.  Any two of these, the kernel and threads differ in
 * CIELAB by 12 and more, in the dark by 8, also for eyes without red, green or
 * blue cones; the text on them has a contrast of 6, in the dark of 5.
 */
static const struct {
	double hue, saturation, lightness;
} apart[CP_PALETTE_OBJECTS] = {
	{ 248, 0.72, 0.75 },
	{ 22, 0.53, 0.79 },
	{ 0, 0.85, 0.72 },
	{ 166, 0.73, 0.74 },
	{ 55, 0.76, 0.71 },
	{ 223, 0.85, 0.88 },
	{ 350, 0.51, 0.70 },
};

/* A hue for all groups; below 0 each group has its own. */
static const struct palette {
	const char *name;
	double hue, spread, saturation;
	enum cp_hues by;
} palettes[] = {
	{ "kind", -1, 3, 0, CP_HUES_KIND },
	{ "hot", 26, 26, 0.85, CP_HUES_NONE },
	{ "cold", 205, 24, 0.65, CP_HUES_NONE },
	{ "gray", 0, 0, 0, CP_HUES_NONE },
	{ "object", -1, 3, 0, CP_HUES_OBJECT },
	{ "language", -1, 3, 0, CP_HUES_LANGUAGE },
};

static const struct palette *
palette_find(const char *name)
{
	for (size_t i = 0; name != NULL && i < CP_ARRAY_LEN(palettes); i++)
		if (strcmp(palettes[i].name, name) == 0)
			return &palettes[i];
	return &palettes[0];
}

enum cp_hues
cp_palette_hues(const char *name)
{
	return palette_find(name)->by;
}

char
cp_palette_letter(size_t group)
{
	if (group < CP_PALETTE_KINDS)
		return kinds[group].letter;
	return (char)('A' + (group - CP_PALETTE_KINDS));
}

const char *
cp_palette_label(enum cp_kind kind)
{
	return kinds[kind].label;
}

uint32_t
cp_palette_hash(const char *s)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h ^ h >> 15;
}

unsigned
cp_palette_shade(const char *name)
{
	return cp_palette_hash(name) % CP_PALETTE_SHADES;
}

/* Converts hue, saturation and lightness to one channel. */
static unsigned
channel(double n, double hue, double s, double l)
{
	double k = fmod(n + hue / 30, 12);
	double a = s * fmin(l, 1 - l);
	double v = l - a * fmax(-1, fmin(fmin(k - 3, 9 - k), 1));

	return (unsigned)lround(v * 255);
}

static double
hue_of(const struct palette *p, size_t group)
{
	if (p->hue >= 0)
		return p->hue;
	return group < CP_PALETTE_KINDS ? kinds[group].hue
					: apart[group - CP_PALETTE_KINDS].hue;
}

static double
saturation_of(const struct palette *p, size_t group)
{
	if (p->hue >= 0)
		return p->saturation;
	return group < CP_PALETTE_KINDS
		   ? kinds[group].saturation
		   : apart[group - CP_PALETTE_KINDS].saturation;
}

/* Shades of one group differ less where groups differ in lightness. */
static double
lightness_of(const struct palette *p, size_t group, unsigned shade, bool dark)
{
	double swing = (double)(shade * 3 % CP_PALETTE_SHADES) - 3.5;
	double l = 0.73;

	if (p->hue < 0 && group >= CP_PALETTE_KINDS) {
		l = apart[group - CP_PALETTE_KINDS].lightness;
		swing /= 2;
	}
	if (dark)
		return 0.285 + (l - 0.73) * 0.75 + swing * 0.007;
	return l + swing * 0.016;
}

static void
put_rule(struct cp_out *out, const struct palette *p, size_t group,
    unsigned shade, bool dark)
{
	double at = (double)shade - (CP_PALETTE_SHADES - 1) / 2.0;
	double hue = hue_of(p, group), s = saturation_of(p, group);
	double l = lightness_of(p, group, shade, dark);

	hue = fmod(hue + at * p->spread / 3.5 * 1.6 + 360, 360);
	if (dark)
		s *= 0.62;
	cp_out_printf(out, ".%c%u{fill:#%02x%02x%02x}",
	    cp_palette_letter(group), shade, channel(0, hue, s, l),
	    channel(8, hue, s, l), channel(4, hue, s, l));
}

static void
put_rules(struct cp_out *out, const struct palette *p, bool dark)
{
	size_t n =
	    CP_PALETTE_KINDS + (p->by > CP_HUES_KIND ? CP_PALETTE_OBJECTS : 0);

	for (size_t group = 0; group < n; group++) {
		for (unsigned s = 0; s < CP_PALETTE_SHADES; s++)
			put_rule(out, p, group, s, dark);
		cp_out_char(out, '\n');
	}
}

void
cp_palette_css(struct cp_out *out, const char *name)
{
	const struct palette *p = palette_find(name);

	put_rules(out, p, false);
	cp_out_str(out, "@media screen and (prefers-color-scheme:dark){\n");
	put_rules(out, p, true);
	cp_out_str(out, "}\n");
}

static void
put_step(struct cp_out *out, unsigned step, bool dark)
{
	double at = (double)step / (CP_PALETTE_STEPS - 1) * 2 - 1;
	double hue = at < 0 ? 214 : 8, far = fabs(at);
	double s = at == 0 ? 0.06 : 0.30 + far * (dark ? 0.34 : 0.50);
	double l = dark ? 0.235 + far * 0.165 : 0.885 - far * 0.305;

	cp_out_printf(out, ".v%u{fill:#%02x%02x%02x}", step,
	    channel(0, hue, s, l), channel(8, hue, s, l),
	    channel(4, hue, s, l));
}

void
cp_palette_scale_css(struct cp_out *out)
{
	for (unsigned i = 0; i < CP_PALETTE_STEPS; i++)
		put_step(out, i, false);
	cp_out_str(out, ".vx{fill:#c3c6ca}\n"
			"@media screen and (prefers-color-scheme:dark){\n");
	for (unsigned i = 0; i < CP_PALETTE_STEPS; i++)
		put_step(out, i, true);
	cp_out_str(out, ".vx{fill:#4d5156}\n}\n");
}

int
cp_palette_step(double shade)
{
	if (!(fabs(shade) <= 1))
		return -1;
	return (int)lround((shade + 1) / 2 * (CP_PALETTE_STEPS - 1));
}
