/* SPDX-License-Identifier: MIT */
/* The text renderer: what it prints, and how it fits a width. */
#include <math.h>

#include "render/common/escape.h"
#include "render/common/format.h"
#include "tests/render/sample.h"
#include "tests/tap.h"

static char *
render(void (*make)(struct cp_report *), const struct cp_render_options *opt,
    struct cp_buf *b)
{
	struct cp_left left = { 0 };
	struct cp_report r;

	make(&r);
	ok(sample_render(&r, "text", opt, &left, b) == CP_OK, "text renders");
	is_u64(left.sections.len, 0, "text leaves nothing out");
	cp_left_free(&left);
	cp_report_free(&r);
	return b->data;
}

static void
has(const char *text, const char *part, const char *what)
{
	if (!ok(strstr(text, part) != NULL, "%s", what))
		diag("no %s in: %s", part, text);
}

static void
check_plain(void)
{
	struct cp_render_options opt = { 0 };
	struct cp_buf b;
	char *text = render(sample_plain, &opt, &b);

	has(text,
	    "\n    Self       95 %      Period  Object               "
	    "Symbol\n",
	    "columns are aligned to their widest cell");
	has(text,
	    "\n  42.11%  41.8–42.4  50,455,202  libquery.so          "
	    "parse_statement(Parser&, int)\n",
	    "a row has its share, interval, weight and texts");
	has(text, "    [kernel.kallsyms]  page_fault\n",
	    "a row under another is indented");
	has(text, "  … and 412 more (52.12%)\n",
	    "the rest is told with its share");
	has(text, "\nLabel\n  host:    db-7 (x86_64)\n  started: ",
	    "scalars stand in line");
	has(text, "bytes read:    46.0 MiB\n", "bytes are humane");
	has(text,
	    "  small                             0  1.000 ms  "
	    "12.345678901 s   1.5 KiB            0x401000  0.500\n",
	    "numbers stand to the right and lines end without blanks");
	has(text, "18,446,744,073,709,551,615", "the largest count is right");
	has(text,
	    "\n   78.24%             query server\n"
	    "                      _start  (app)\n",
	    "a chain keeps its indent and does not repeat its share");
	has(text, "  … and 1 smaller or deeper branches\n",
	    "branches left out of a tree are counted");
	has(text, "  The recorder lost 12 records.\n", "notes are shown");
	ok(strchr(text, '\033') == NULL, "no colour without being asked");
	cp_buf_free(&b);
}

static void
check_color(void)
{
	struct cp_render_options opt = { .color = true };
	struct cp_buf b;
	char *text = render(sample_plain, &opt, &b);

	has(text, "\033[31m42.11%\033[m", "5 % and more is red");
	has(text, "\033[32m0.61%\033[m", "0.5 % and more is green");
	has(text, "  0.04%  ", "less has no colour");
	has(text, "\033[2m41.8–42.4\033[m", "intervals are dim");
	cp_buf_free(&b);
}

/* The widest line, in columns. */
static size_t
widest(char *text)
{
	size_t most = 0;

	for (char *line = text, *end; *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		most = CP_MAX(most, cp_text_columns(line));
	}
	return most;
}

static void
check_width(void)
{
	struct cp_render_options opt = { .width = 100 };
	struct cp_buf b;
	char *text = render(sample_hostile, &opt, &b);
	bool clean = true;

	for (const char *p = text; *p != '\0'; p++)
		clean &= (unsigned char)*p >= 0x20 || *p == '\n';
	ok(clean, "no control character of a name reaches the terminal");
	has(text, "\\x1b[2JNames", "escape sequences are seen");
	has(text, "…\n", "what does not fit ends in an ellipsis");
	cp_buf_free(&b);

	struct cp_report r;
	struct cp_left left = { 0 };

	sample_big(&r, 5000);
	opt.width = 60;
	ok(sample_render(&r, "text", &opt, &left, &b) == CP_OK, "a big tree");
	ok(widest(b.data) <= 60, "no line is wider than the terminal");
	cp_buf_free(&b);
	cp_report_free(&r);
}

/* In parts, each with the texts; what was left out in the table's unit. */
static void
check_parts(void)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Name"),
		CP_TIME("First"), CP_TIME("Second"), CP_SHARE("Share"),
		CP_COUNT("Last") };
	struct cp_render_options opt = { .width = 40 };
	struct cp_report r;
	struct cp_left left = { 0 };
	struct cp_buf b;
	struct cp_table *t;

	cp_report_init(&r, "wide");
	t = cp_report_table(&r, "wide", "Wide", CP_COLUMNS(columns));
	cp_table_add(
	    t, "somebody", 1000000, 2000000, cp_cell_value(0.5, 0.4, 0.6), 4);
	cp_table_rest(t, 2, 3000000);
	ok(sample_render(&r, "text", &opt, &left, &b) == CP_OK, "a wide table");
	has(b.data,
	    "  Name         First    Second\n"
	    "  somebody  1.000 ms  2.000 ms\n"
	    "\n"
	    "  Name       Share       95 %  Last\n"
	    "  somebody  50.00%  40.0–60.0     4\n"
	    "  … and 2 more (3.000 ms)\n",
	    "is printed in parts");
	cp_buf_free(&b);
	cp_report_free(&r);
}

/* Sentences stand in the line if there is room, else below it. */
static void
check_prose(void)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Delay"),
		CP_TEXT("Who"), CP_PROSE("Why") };
	struct cp_render_options opt = { .width = 30 };
	struct cp_report r;
	struct cp_left left = { 0 };
	struct cp_buf b;
	struct cp_table *t;

	cp_report_init(&r, "prose");
	t = cp_report_table(&r, "prose", "Prose", CP_COLUMNS(columns));
	cp_table_add(
	    t, 1000000, "alpha", "woken by beta, which went on to run");
	cp_table_add(t, 2000000, "gamma", "");
	ok(sample_render(&r, "text", &opt, &left, &b) == CP_OK, "sentences");
	has(b.data,
	    "     Delay  Who\n"
	    "  1.000 ms  alpha\n"
	    "      Why: woken by beta,\n"
	    "        which went on to run\n"
	    "  2.000 ms  gamma\n",
	    "that are too long are broken");
	cp_buf_free(&b);
	opt.width = 0;
	ok(sample_render(&r, "text", &opt, &left, &b) == CP_OK, "sentences");
	has(b.data, "  1.000 ms  alpha  woken by beta, which went on to run\n",
	    "that have room are not");
	cp_buf_free(&b);
	cp_report_free(&r);
}

static void
format_is(
    void (*format)(struct cp_buf *, uint64_t), uint64_t v, const char *want)
{
	struct cp_buf b;

	cp_buf_init(&b, 100);
	format(&b, v);
	is_str(cp_buf_text(&b), want, "%" PRIu64 " is written %s", v, want);
	cp_buf_free(&b);
}

static void
check_units(void)
{
	format_is(cp_format_time, 0, "0 ns");
	format_is(cp_format_time, 999, "999 ns");
	format_is(cp_format_time, 1000, "1.000 us");
	format_is(cp_format_time, 999999, "1.000 ms");
	format_is(cp_format_time, 250000000, "250.0 ms");
	format_is(cp_format_time, 1500000000, "1.500 s");
	format_is(cp_format_bytes, 1023, "1023 B");
	format_is(cp_format_bytes, 1024, "1.0 KiB");
	format_is(cp_format_bytes, 1048575, "1.0 MiB");
	format_is(cp_format_count, 999, "999");
	format_is(cp_format_count, 1000, "1,000");
	format_is(cp_format_clock, CP_NO_TIME, "-");
}

/* A ratio has three digits at least, whatever its size. */
static void
check_rates(void)
{
	static const struct {
		double v;
		const char *want;
	} rates[] = { { 0, "0.000" }, { 1.5537, "1.554" }, { 0.4994, "0.499" },
		{ 0.010432, "0.0104" }, { -0.00123456, "-0.00123" },
		{ 1.5e-9, "1.50e-09" }, { 1234.5678, "1235" },
		{ 2.5e9, "2.500e+09" } };
	struct cp_buf b;

	cp_buf_init(&b, 100);
	for (size_t i = 0; i < CP_ARRAY_LEN(rates); i++) {
		cp_buf_reset(&b);
		cp_format_rate(&b, rates[i].v);
		is_str(cp_buf_text(&b), rates[i].want, "%g is written %s",
		    rates[i].v, rates[i].want);
	}
	cp_buf_free(&b);
}

/* Functions that differ where a short form has nothing. */
static const char *const alike[] = {
	"shop::sum_orders<std::vector<shop::Order>, shop::RoundUp>",
	"shop::sum_orders<std::vector<shop::Order>, shop::RoundDown>",
	"shop::Cart<int>::add(shop::Item const&, unsigned int)",
	"shop::Cart<int>::add(shop::Item const&, unsigned long)",
	"shop::Basket<Apple, int>::take (inlined)",
	"shop::Basket<Orange, int>::take (inlined)",
	"left_hand_side::of_the_expression::evaluate_it",
	"right_hand_side::of_the_expression::evaluate_it",
	"a_very_long_function_of_the_kernel_with_number_1_of_all_its_kind",
	"a_very_long_function_of_the_kernel_with_number_2_of_all_its_kind",
	"short",
};

static void
make_alike(struct cp_report *r)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Samples"),
		CP_TEXT("Symbol") };
	struct cp_table *t;

	cp_report_init(r, "hotspots");
	t = cp_report_table(r, "symbols", "Symbols", CP_COLUMNS(columns));
	for (size_t i = 0; i < CP_ARRAY_LEN(alike); i++) {
		cp_table_add(t, 1, alike[i]);
	}
	cp_report_finish(r);
}

/* How often a line of the text occurs. */
static unsigned
times(const char *text, const char *line, size_t n)
{
	unsigned found = 0;

	for (const char *s = text; (s = strstr(s, "\n")) != NULL; s++)
		found += strncmp(s + 1, line, n + 1) == 0;
	return found;
}

static void
check_alike(unsigned width)
{
	struct cp_render_options opt = { .width = width };
	struct cp_buf b;
	char *text = render(make_alike, &opt, &b), *s = text;
	unsigned lines = 0, same = 0;

	while ((s = strchr(s, '\n')) != NULL) {
		size_t n = strcspn(++s, "\n");

		if (strncmp(s, "        1", 9) != 0)
			continue;
		lines++;
		same += times(text, s, n) != 1;
	}
	is_u64(
	    lines, CP_ARRAY_LEN(alike), "%u: all functions are there", width);
	if (!is_u64(same, 0, "%u: no two look equal", width))
		diag("%s", text);
	cp_buf_free(&b);
}

static void
check_names(void)
{
	struct cp_render_options opt = { .width = 40 };
	struct cp_buf b;
	char *text = render(make_alike, &opt, &b);

	has(text, "sum_orders<…RoundUp>\n", "what tells two apart is shown");
	has(text, "sum_orders<…RoundDown>\n", "of both");
	cp_buf_free(&b);
	opt = (struct cp_render_options){ 0 };
	text = render(make_alike, &opt, &b);
	has(text, alike[1], "without a width nothing is cut");
	cp_buf_free(&b);
	opt.brief = true;
	text = render(make_alike, &opt, &b);
	has(text, "sum_orders<…RoundDown>\n", "short names are told apart");
	has(text, "shop::Basket<Apple…>::take (inlined)\n",
	    "by what their class is of");
	cp_buf_free(&b);
	for (unsigned width = 30; width < 100; width += 7)
		check_alike(width);
}

/* The upper end of an interval may be without a bound. */
static void
check_changes(void)
{
	static const struct {
		double v;
		const char *text;
	} changes[] = { { -0.5, "-50.0%" }, { 9.99, "+999.0%" }, { 10, "×11" },
		{ 999998, "×999999" }, { 1e6, ">×1e6" }, { 5e19, ">×1e6" },
		{ HUGE_VAL, "new" } };
	CP_CLEANUP(cp_buf_free) struct cp_buf b;

	cp_buf_init(&b, 64);
	for (size_t i = 0; i < CP_ARRAY_LEN(changes); i++) {
		cp_buf_reset(&b);
		cp_format_change(&b, changes[i].v);
		is_str(cp_buf_text(&b), changes[i].text, "a change");
	}
}

int
main(void)
{
	check_names();
	check_plain();
	check_color();
	check_width();
	check_parts();
	check_prose();
	check_units();
	check_rates();
	check_changes();
	return done_testing();
}
