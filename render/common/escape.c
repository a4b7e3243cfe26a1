/* SPDX-License-Identifier: MIT */
#include "render/common/escape.h"
#include "render/common/out.h"

/* Returns the length of a sequence by its lead byte; 0 if it is not one. */
static size_t
utf8_need(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xc2 && lead < 0xe0)
		return 2;
	if (lead >= 0xe0 && lead < 0xf0)
		return 3;
	return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

#define NOT_UTF8 UINT32_MAX

/*
 * Decodes the code point at s, of which n > 0 bytes may be read; returns its
 * length.  A byte that is not UTF-8 gives 1 and NOT_UTF8.
 */
static size_t
utf8_next(const char *s, size_t n, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	size_t need = utf8_need(u[0]);

	*c = NOT_UTF8;
	if (need == 0 || need > n)
		return 1;
	if (need == 1) {
		*c = u[0];
		return 1;
	}
	uint32_t v = u[0] & (0x7fu >> need);

	for (size_t i = 1; i < need; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 1;
		v = v << 6 | (u[i] & 0x3f);
	}
	if (v < least[need] || v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
		return 1;
	*c = v;
	return need;
}

/* True for characters that draw nothing, or change how the next are drawn. */
static bool
is_hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	       c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
	       c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef) ||
	       (c >= 0xe0000 && c <= 0xe0fff);
}

static void
add_hidden(struct cp_buf *b, enum cp_escape target, uint32_t c)
{
	const char *lead = "\\";

	if (target == CP_ESCAPE_JSON && c >= 0x10000)
		lead = "\\\\"; /* as text: JSON has no such escape */
	if (target == CP_ESCAPE_JSON && c < 0x10000)
		cp_buf_printf(b, "\\u%04x", (unsigned)c);
	else if (c < 0x80)
		cp_buf_printf(b, "%sx%02x", lead, (unsigned)c);
	else
		cp_buf_printf(b, "%su%04x", lead, (unsigned)c);
}

static const char *
markup(char c)
{
	switch (c) {
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '&': return "&amp;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

/* < > & are escaped too: the text may be inside a <script>. */
static const char *
json_special(char c)
{
	switch (c) {
	case '"': return "\\\"";
	case '\\': return "\\\\";
	case '<': return "\\u003c";
	case '>': return "\\u003e";
	case '&': return "\\u0026";
	default: return NULL;
	}
}

static bool
is_csv(enum cp_escape target)
{
	return target == CP_ESCAPE_CSV || target == CP_ESCAPE_CSV_RAW;
}

/* Would a spreadsheet compute it?  Not a number with a sign, or a sign. */
static bool
is_formula(const char *s)
{
	static const char digits[] = "0123456789";
	size_t n;

	if (*s == '\0' || strchr("=+-@", *s) == NULL)
		return false;
	if (*s == '=' || *s == '@')
		return true;
	if (*++s == '\0')
		return false;
	n = strspn(s, digits);
	s += n;
	if (*s == '.')
		s += 1 + strspn(s + 1, digits);
	if (n != 0 && (*s == 'e' || *s == 'E'))
		s += 1 + (s[1] == '-' || s[1] == '+') +
		     strspn(s + 1 + (s[1] == '-' || s[1] == '+'), digits);
	return n == 0 || *s != '\0';
}

/* Returns the replacement of a printable ASCII character, or NULL. */
static const char *
special(enum cp_escape target, char c)
{
	switch (target) {
	case CP_ESCAPE_XML:
	case CP_ESCAPE_HTML: return markup(c);
	case CP_ESCAPE_JSON: return json_special(c);
	case CP_ESCAPE_CSV:
	case CP_ESCAPE_CSV_RAW: return c == '"' ? "\"\"" : NULL;
	case CP_ESCAPE_FOLDED: return c == ';' ? ":" : NULL;
	case CP_ESCAPE_TERMINAL: break;
	}
	return NULL;
}

/*
 * True if text of the capture reads as what add_one() writes for another byte
 * or character: rows with the two names would be equal.
 */
static bool
reads_escaped(const char *s)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = strspn(s + 1 + (s[1] != '\0'), digits);
	long v = s[1] == 'x' && n >= 2 ? (strchr(digits, s[2]) - digits) * 16 +
					     (strchr(digits, s[3]) - digits)
				       : -1;

	return (s[1] == 'u' && n >= 4) ||
	       (v >= 0 && (v < 0x20 || v >= 0x7f || v == '\\'));
}

static void
add_one(struct cp_buf *b, enum cp_escape target, const char *s, size_t n,
    uint32_t c)
{
	const char *other = c < 0x80 ? special(target, (char)c) : NULL;

	if (c == '\\' && (is_csv(target) || target == CP_ESCAPE_FOLDED) &&
	    reads_escaped(s))
		cp_buf_str(b, "\\x5c");
	else if (c == NOT_UTF8)
		cp_buf_printf(b, "%sx%02x",
		    target == CP_ESCAPE_JSON ? "\\\\" : "\\",
		    (unsigned)(unsigned char)*s);
	else if (is_hidden(c))
		add_hidden(b, target, c);
	else if (other != NULL)
		cp_buf_str(b, other);
	else
		cp_buf_add(b, s, n);
}

/*
 * Targets, as bits 1 << target, for which the character may be replaced.  Of
 * other targets than these a text may already have been escaped for a terminal.
 */
static const uint8_t marked[0x80] = {
	['<'] = 1 << CP_ESCAPE_XML | 1 << CP_ESCAPE_HTML | 1 << CP_ESCAPE_JSON,
	['>'] = 1 << CP_ESCAPE_XML | 1 << CP_ESCAPE_HTML | 1 << CP_ESCAPE_JSON,
	['&'] = 1 << CP_ESCAPE_XML | 1 << CP_ESCAPE_HTML | 1 << CP_ESCAPE_JSON,
	['"'] = 1 << CP_ESCAPE_XML | 1 << CP_ESCAPE_HTML | 1 << CP_ESCAPE_JSON |
		1 << CP_ESCAPE_CSV | 1 << CP_ESCAPE_CSV_RAW,
	['\''] = 1 << CP_ESCAPE_XML | 1 << CP_ESCAPE_HTML,
	['\\'] = 1 << CP_ESCAPE_JSON | 1 << CP_ESCAPE_CSV |
		 1 << CP_ESCAPE_CSV_RAW | 1 << CP_ESCAPE_FOLDED,
	[';'] = 1 << CP_ESCAPE_FOLDED,
};

/* Returns how many bytes at s need no escape. */
static size_t
plain_run(enum cp_escape target, const char *s)
{
	size_t n = 0;

	while (s[n] >= 0x20 && s[n] < 0x7f &&
	       (marked[(uint8_t)s[n]] >> target & 1) == 0)
		n++;
	return n;
}

void
cp_escape(struct cp_buf *b, enum cp_escape target, const char *s)
{
	bool quoted = is_csv(target) && strpbrk(s, ",\"") != NULL;
	const char *end = s + strlen(s);

	if (quoted)
		cp_buf_char(b, '"');
	if (target == CP_ESCAPE_CSV && is_formula(s))
		cp_buf_char(b, '\'');
	while (s < end) {
		size_t n = plain_run(target, s);
		uint32_t c;

		cp_buf_add(b, s, n);
		s += n;
		if (s == end)
			break;
		n = utf8_next(s, (size_t)(end - s), &c);
		add_one(b, target, s, n, c);
		s += n;
	}
	if (quoted)
		cp_buf_char(b, '"');
}

void
cp_out_escaped(struct cp_out *out, enum cp_escape how, const char *s)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape(&b, how, s != NULL ? s : "");
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

void
cp_escape_terminal(struct cp_buf *b, const char *s)
{
	cp_escape(b, CP_ESCAPE_TERMINAL, s);
}

/*
 * Returns the columns of a character: 0 for combining marks, 2 for East Asian
 * wide ones and emoji.
 */
static size_t
columns_of(uint32_t c)
{
	if ((c >= 0x300 && c <= 0x36f) || (c >= 0x1ab0 && c <= 0x1aff) ||
	    (c >= 0x20d0 && c <= 0x20ff) || (c >= 0xfe00 && c <= 0xfe0f) ||
	    (c >= 0xfe20 && c <= 0xfe2f))
		return 0;
	if ((c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
	    (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
	    (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
	    (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) ||
	    (c >= 0x20000 && c <= 0x3fffd))
		return 2;
	return 1;
}

/* Returns how many characters of one byte, and one column, are at s. */
static size_t
narrow_run(const char *s)
{
	size_t n = 0;

	while (s[n] != '\0' && (uint8_t)s[n] < 0x80)
		n++;
	return n;
}

size_t
cp_text_columns(const char *s)
{
	size_t columns = narrow_run(s), left = strlen(s + columns);
	uint32_t c;

	s += columns;
	while (left != 0) {
		size_t n = utf8_next(s, left, &c);

		columns += columns_of(c);
		s += n;
		left -= n;
	}
	return columns;
}

size_t
cp_text_fit(const char *s, size_t columns)
{
	size_t left = strlen(s), fit = 0;
	uint32_t c;

	while (left != 0) {
		size_t n = utf8_next(s + fit, left, &c);

		if (columns_of(c) > columns)
			break;
		columns -= columns_of(c);
		fit += n;
		left -= n;
	}
	return fit;
}
