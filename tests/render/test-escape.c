/* SPDX-License-Identifier: MIT */
/* Text of a capture, made harmless for each target. */
#include "render/common/escape.h"
#include "tests/tap.h"

static void
check(enum cp_escape target, const char *in, const char *want, const char *what)
{
	struct cp_buf b;

	cp_buf_init(&b, 1 << 20);
	cp_escape(&b, target, in);
	is_str(cp_buf_text(&b), want, "%s", what);
	cp_buf_free(&b);
}

static void
check_terminal(void)
{
	check(CP_ESCAPE_TERMINAL, "std::map<a&, \"b\">;\\x",
	    "std::map<a&, \"b\">;\\x",
	    "terminal: printable text stays as it is");
	check(CP_ESCAPE_TERMINAL, "\033[31m\a\177\n",
	    "\\x1b[31m\\x07\\x7f\\x0a",
	    "terminal: control characters become visible");
	check(CP_ESCAPE_TERMINAL,
	    "\xc2\x9b"
	    "1m",
	    "\\u009b1m", "terminal: the one-byte escape of C1 becomes visible");
	check(CP_ESCAPE_TERMINAL,
	    "a\xe2\x80\xae"
	    "b\xe2\x81\xa6\xef\xbb\xbf",
	    "a\\u202eb\\u2066\\ufeff",
	    "terminal: characters that turn the direction become visible");
	check(CP_ESCAPE_TERMINAL,
	    "\xe2\x80\x8a\xe2\x80\x8b\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90",
	    "\xe2\x80\x8a\\u200b\\u200e\\u200f\xe2\x80\x90",
	    "terminal: marks of the direction become visible, no others");
	check(CP_ESCAPE_TERMINAL, "\xff\xc3(\xc0\xaf\xed\xa0\x80\xf5\xe2\x82",
	    "\\xff\\xc3(\\xc0\\xaf\\xed\\xa0\\x80\\xf5\\xe2\\x82",
	    "terminal: bytes that are no UTF-8 become visible");
	check(CP_ESCAPE_TERMINAL, "gr\xc3\xbc\xc3\x9f \xf0\x9f\x94\xa5",
	    "gr\xc3\xbc\xc3\x9f \xf0\x9f\x94\xa5",
	    "terminal: UTF-8 stays as it is");
	check(CP_ESCAPE_TERMINAL, "", "", "terminal: no text stays no text");
}

static void
check_markup(void)
{
	check(CP_ESCAPE_XML, "\"><script>'&amp;]]>",
	    "&quot;&gt;&lt;script&gt;&#39;&amp;amp;]]&gt;",
	    "xml: markup becomes text, in attributes too");
	check(CP_ESCAPE_XML, "\001\xef\xbf\xbe\xed\xb0\x80",
	    "\\x01\\ufffe\\xed\\xb0\\x80",
	    "xml: what XML forbids becomes visible");
	check(CP_ESCAPE_HTML, "<b onclick='x'>",
	    "&lt;b onclick=&#39;x&#39;&gt;", "html: markup becomes text");
	check(CP_ESCAPE_JSON, "\"\\</script>&\n\xff\xf3\xa0\x80\x81",
	    "\\\"\\\\\\u003c/script\\u003e\\u0026\\u000a\\\\xff"
	    "\\\\ue0001",
	    "json: quotes, markup, controls and bad bytes are escaped");
}

static void
check_lines(void)
{
	check(CP_ESCAPE_CSV, "plain text", "plain text",
	    "csv: plain text has no quotes");
	check(CP_ESCAPE_CSV, "a,\"b\"", "\"a,\"\"b\"\"\"",
	    "csv: commas and quotes are quoted");
	check(CP_ESCAPE_CSV, "a\r\nb", "a\\x0d\\x0ab",
	    "csv: a cell stays on its line");
	check(CP_ESCAPE_CSV, "a\\x0ab\n\\x5c\\u200b\\",
	    "a\\x5cx0ab\\x0a\\x5cx5c\\x5cu200b\\",
	    "csv: text that looks like a hidden character stays another");
	check(CP_ESCAPE_CSV, "by\\x2duuid\\x\\u12", "by\\x2duuid\\x\\u12",
	    "csv: other backslashes stay as they are");
	check(CP_ESCAPE_CSV, "=1+2", "'=1+2", "csv: a formula becomes text");
	check(CP_ESCAPE_CSV, "@SUM(a,b)", "\"'@SUM(a,b)\"",
	    "csv: within its quotes");
	check(CP_ESCAPE_CSV, "-[NSObject init]", "'-[NSObject init]",
	    "csv: as does a name that looks like one");
	check(CP_ESCAPE_CSV, "+1+cmd|' /c calc'!A0", "'+1+cmd|' /c calc'!A0",
	    "csv: and one that begins as a number");
	check(CP_ESCAPE_CSV, "-12.5e-3", "-12.5e-3", "csv: a number stays one");
	check(CP_ESCAPE_CSV, "-", "-", "csv: a sign alone is none");
	check(CP_ESCAPE_CSV, "\t=1", "\\x09=1", "csv: a tab is visible");
	check(CP_ESCAPE_CSV_RAW, "=1,2", "\"=1,2\"",
	    "csv: nothing is added to raw cells");
	check(CP_ESCAPE_FOLDED, "a\\xff;", "a\\x5cxff:", "folded: the same");
	check(CP_ESCAPE_FOLDED, "a;b\nc", "a:b\\x0ac",
	    "folded: separators become harmless");
}

static void
check_columns(void)
{
	is_u64(cp_text_columns("abc"), 3, "a letter takes a column");
	is_u64(cp_text_columns("\xe6\xbc\xa2\xe5\xad\x97"), 4,
	    "a wide character takes two");
	is_u64(cp_text_columns("e\xcc\x81"), 1, "a combining mark takes none");
	is_u64(cp_text_fit("\xe6\xbc\xa2\xe5\xad\x97", 3), 3,
	    "a wide character is not torn");
	is_u64(cp_text_fit("ab", 9), 2, "a short text fits");
}

int
main(void)
{
	check_terminal();
	check_markup();
	check_lines();
	check_columns();
	return done_testing();
}
