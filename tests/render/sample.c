/* SPDX-License-Identifier: MIT */
#include "tests/render/sample.h"

#include "report/profile.h"

const char *const sample_hostile_names[] = {
	"\"><script>alert(1)</script>",
	"]]></script><script>alert(2)</script>",
	"</title></text></svg><svg onload='alert(3)'>",
	"<!--&lt;&#60;&amp;--> ${alert(4)}",
	"esc\033[31mred\033]0;title\007",
	"line\none\r\ntwo\ttab",
	"bidi\xe2\x80\xae"
	"fed\xe2\x80\xac",
	"bad\xff\xfe\xc3(utf\xed\xa0\x80 8\xf4\x90\x80\x80",
	"c1\xc2\x9b"
	"31m del\x7f",
	"wide \xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x94\xa5",
	"=1+2,\"quoted\",;semi",
	"\\u003cback\\slash\\x41",
	"",
	NULL,
};

static void
add_scalars(struct cp_report *r)
{
	cp_report_scalar_text(r, "label", "host", "db-7 (x86_64)");
	cp_report_scalar_text(r, "label", "started", "2024-03-01 12:00:00Z");
	cp_report_scalar(r, "label", "length", CP_COL_TIME, 30200000000);
	cp_report_scalar(r, "quality", "samples", CP_COL_COUNT, 119820);
	cp_report_scalar(r, "quality", "bytes read", CP_COL_BYTES, 48234496);
	cp_report_scalar_share(r, "quality", "share unnamed", 0.0312);
}

static void
hot_row(struct cp_table *t, double share, uint64_t weight, const char *name,
    const char *object)
{
	/* Of 119820 samples, as their weights have it. */
	struct cp_whole whole = { .mass = { 1000000, 1e12 / 119820 } };
	struct cp_mass part = { .weight = (uint64_t)(share * 1e6 + 0.5) };

	part.weight_sq = (double)part.weight * whole.mass.weight_sq / 1e6;
	cp_table_add(t, cp_cell_share(part, whole), weight, object, name);
}

static void
add_hot(struct cp_report *r)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Self"),
		CP_WEIGHT("Period"), CP_TEXT("Object"), CP_TEXT("Symbol") };
	struct cp_table *t = cp_report_table(
	    r, "hotspots", "Hot functions", CP_COLUMNS(columns));

	hot_row(t, 0.4211, 50455202, "parse_statement(Parser&, int)",
	    "libquery.so");
	hot_row(t, 0.0512, 6134784, "memcpy", "libc.so.6");
	hot_row(t, 0.0061, 730902, "page_fault", "[kernel.kallsyms]");
	cp_table_indent(t, 1);
	hot_row(t, 0.0004, 47928, "main", "app");
	cp_table_rest(t, 412, 62451184);
}

static void
add_types(struct cp_report *r)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Text"),
		CP_COUNT("Count"), CP_TIME("Time"), CP_CLOCK("Clock"),
		CP_BYTES("Bytes"), CP_ADDRESS("Address"), CP_RATE("Rate") };
	struct cp_table *t = cp_report_table(
	    r, "types", "Every column type", CP_COLUMNS(columns));

	cp_table_add(t, "largest", UINT64_MAX, UINT64_MAX, CP_NO_TIME,
	    UINT64_MAX, UINT64_MAX, cp_cell_value(1.25, 1.1, 1.4));
	cp_table_add(t, "small", 0, 999999, 12345678901, 1536, 0x401000, 0.5);
}

static uint32_t
grow(struct cp_tree *t, uint32_t parent, const char *name, const char *detail,
    enum cp_kind kind, uint64_t weight)
{
	uint32_t n = cp_tree_node(t, parent, name, detail, kind);

	cp_tree_add(t, n, weight, (weight + 999) / 1000);
	return n;
}

static void
grow_query(struct cp_tree *t, uint32_t main)
{
	uint32_t run, parse, exec, io, n;

	run = grow(t, main, "db::Session::run(db::Request const&)",
	    "libquery.so", CP_KIND_CXX, 120000);
	parse = grow(t, run, "db::(anonymous namespace)::parse(char const*)",
	    "libquery.so", CP_KIND_CXX, 900000);
	grow(t, parse,
	    "std::vector<db::Token, std::allocator<db::Token> >::"
	    "push_back(db::Token&&)",
	    "libquery.so", CP_KIND_INLINED, 700000);
	grow(
	    t, parse, "db::Lexer::next()", "libquery.so", CP_KIND_CXX, 1600000);
	exec = grow(
	    t, run, "db::Plan::execute()", "libquery.so", CP_KIND_CXX, 400000);
	grow(t, exec, "Lorg/db/udf/Filter;::accept", "/tmp/perf-4711.map",
	    CP_KIND_JIT, 1200000);
	grow(t, exec, "memcmp", "libc.so.6", CP_KIND_USER, 800000);
	io = grow(t, exec, "__libc_pread64", "libc.so.6", CP_KIND_USER, 30000);
	io = grow(t, io, "entry_SYSCALL_64_after_hwframe", "[kernel.kallsyms]",
	    CP_KIND_KERNEL, 40000);
	io = grow(
	    t, io, "do_syscall_64", "[kernel.kallsyms]", CP_KIND_KERNEL, 60000);
	io = grow(
	    t, io, "vfs_read", "[kernel.kallsyms]", CP_KIND_KERNEL, 210000);
	grow(t, io, "copy_user_enhanced_fast_string", "[kernel.kallsyms]",
	    CP_KIND_KERNEL, 880000);
	n = grow(t, exec, "[unknown]", "/usr/lib/libcrypto.so.3",
	    CP_KIND_UNKNOWN, 310000);
	cp_tree_guess(t, n, CP_GUESS_SCAN, 10000);
	cp_tree_guess(t, exec, CP_GUESS_POINTER, 310000);
	cp_tree_guess(t, n, CP_GUESS_POINTER, 150000);
	cp_tree_guess(t, n, CP_GUESS_EDGE, 50000);
	cp_tree_guess(t, n, CP_GUESS_POINTER, 100000);
	cp_tree_guess(t, n, CP_GUESS_CALL, 20000);
}

static void
add_tree(struct cp_report *r)
{
	struct cp_tree *t = cp_report_tree(r, "flame", "Call tree");
	uint32_t app, n;

	app = grow(t, 0, "query server", "", CP_KIND_NONE, 0);
	n = grow(t, app, "_start", "app", CP_KIND_USER, 0);
	n = grow(t, n, "__libc_start_main", "libc.so.6", CP_KIND_USER, 0);
	n = grow(t, n, "main", "app", CP_KIND_USER, 50000);
	grow_query(t, n);
	grow(t, n, "log_line", "app", CP_KIND_USER, 90);
	n = grow(t, 0, "swapper", "", CP_KIND_NONE, 0);
	n = grow(t, n, "cpu_startup_entry", "[kernel.kallsyms]", CP_KIND_KERNEL,
	    10000);
	n = grow(t, n, "do_idle", "[kernel.kallsyms]", CP_KIND_KERNEL, 20000);
	grow(t, n, "intel_idle", "[kernel.kallsyms]", CP_KIND_KERNEL, 1500000);
	n = grow(t, 0, "qemu-kvm", "", CP_KIND_NONE, 0);
	grow(t, n, "vmx_vcpu_run", "[kvm_intel]", CP_KIND_HYPERVISOR, 300000);
	grow(t, n, "guest_loop", "[guest]", CP_KIND_GUEST, 200000);
}

void
sample_plain(struct cp_report *r)
{
	cp_report_init(r, "report");
	r->title = "query-server on db-7, 2024-03-01 12:00:00Z, 30.2 s";
	r->weight = "period";
	r->event = "cycles:ppp";
	add_scalars(r);
	add_hot(r);
	add_types(r);
	add_tree(r);
	cp_report_note(r, "The recorder lost %d records.", 12);
	cp_report_finish(r);
}

#define SECOND UINT64_C(1000000000)
/* The capture's clock when the first sample was taken. */
#define START (UINT64_C(7000) * SECOND + 250000000)

static void
add_histogram(struct cp_report *r)
{
	struct cp_histogram *h = cp_report_histogram(
	    r, "delay", "Run-queue delay", "delay", CP_COL_TIME);
	static const uint64_t count[] = { 12, 340, 5120, 18200, 9100, 2210, 640,
		0, 18, 3 };

	cp_histogram_unit(h, "total", CP_COL_TIME);
	for (unsigned i = 0; i < CP_ARRAY_LEN(count); i++) {
		uint64_t lo = i != 0 ? UINT64_C(1000) << i : 0;

		cp_histogram_bin(h, lo, UINT64_C(2000) << i, count[i]);
		cp_histogram_weight(h, count[i] * (lo + 700));
	}
}

/* Two minutes: quiet, a busy half second every ten, then a storm. */
static void
add_grid(struct cp_report *r)
{
	struct cp_axis x = { "second", CP_COL_CLOCK, 120, START, SECOND, NULL,
		NULL };
	struct cp_axis y = { "offset", CP_COL_TIME, 50, 0, 20000000, NULL,
		NULL };
	struct cp_grid *g = cp_report_grid(r, "subsecond",
	    "Samples by second and offset", &x, &y, "samples", CP_COL_COUNT);
	uint32_t noise = 1;

	for (uint32_t i = 0; i < 120; i++)
		for (uint32_t j = 0; j < 50; j++) {
			uint64_t n;

			noise = noise * 1103515245u + 12345u;
			n = noise >> 30;
			if (i % 10 == 4 && j < 25)
				n += 20;
			if (i >= 90 && i < 97)
				n += 60 + j % 9;
			cp_grid_add(g, i, j, n);
		}
}

static void
add_queue(struct cp_report *r)
{
	static const char *const cpu[] = { "CPU 0", "CPU 1", "CPU 2" };
	static const uint64_t edge[] = { 0, 1000, 10000, 100000, 1000000,
		10000000 };
	struct cp_axis x = { "delay", CP_COL_TIME, 5, 0, 0, edge, NULL };
	struct cp_axis y = { "CPU", CP_COL_TEXT, 3, 0, 0, NULL, cpu };
	struct cp_grid *g = cp_report_grid(
	    r, "by-cpu", "Delay by CPU", &x, &y, "waits", CP_COL_COUNT);

	for (uint32_t i = 0; i < 14; i++)
		cp_grid_add(g, i % 5, i % 3, 1 + i * i);
	cp_grid_add(g, 5, 0, 1000000); /* outside */
}

/* 3000 slices, of which several share a character: 1.5 here, 3 there. */
static void
add_rates(struct cp_report *r)
{
	static const char *const cpu[] = { "0", "1" };
	struct cp_axis x = { "time", CP_COL_CLOCK, 3000, START, SECOND / 1000,
		NULL, NULL };
	struct cp_axis y = { "CPU", CP_COL_TEXT, 2, 0, 0, NULL, cpu };
	struct cp_grid *mean = cp_report_grid(
	    r, "rates", "On average", &x, &y, "waiting", CP_COL_RATE);
	struct cp_grid *most = cp_report_grid(
	    r, "most", "At most", &x, &y, "waiting", CP_COL_COUNT);

	cp_grid_merge(mean, CP_MERGE_MEAN);
	cp_grid_merge(most, CP_MERGE_MOST);
	for (uint32_t i = 0; i < 3000; i++) {
		cp_grid_add(mean, i, i / 1500, i % 2 != 0 ? 3000 : 0);
		cp_grid_add(most, i, i / 1500, i % 2 != 0 ? 3 : 1);
	}
}

static void
add_lanes(struct cp_report *r)
{
	struct cp_lanes *l = cp_report_lanes(r, "threads", "Threads");
	uint32_t run = cp_lanes_kind(l, "running", CP_TONE_RUN);
	uint32_t wait = cp_lanes_kind(l, "runnable", CP_TONE_WAIT);
	uint32_t futex = cp_lanes_kind(l, "futex", CP_TONE_BLOCK);
	uint32_t disk = cp_lanes_kind(l, "disk", CP_TONE_BLOCK);

	for (uint32_t t = 0; t < 6; t++) {
		char name[40];
		uint32_t lane;

		snprintf(name, sizeof(name), "worker/%u %u", t, 4711 + t);
		lane = cp_lanes_lane(l, name);
		for (uint64_t i = 0; i < 40; i++) {
			uint64_t at = START + (i * 3 + t) * SECOND / 2;

			cp_lanes_span(
			    l, lane, run, at, at + SECOND * 2 / 3, NULL);
			if (i % 2 == 0)
				cp_lanes_level(l, 0.25 * (t % 5));
			at += SECOND * 2 / 3;
			cp_lanes_span(l, lane, t % 2 != 0 ? futex : disk, at,
			    at + SECOND / 2, "woken by main 4711");
			at += SECOND / 2;
			cp_lanes_span(l, lane, wait, at, at + SECOND / 3, NULL);
		}
	}
}

static void
color_node(struct cp_tree *t, uint32_t n, double cpi, uint64_t before)
{
	cp_tree_value(t, n, cpi);
	if (t->scale == CP_SCALE_CHANGE)
		cp_tree_before(t, n, before);
}

/* The same small tree, coloured by a ratio or by a change. */
static void
add_colored(struct cp_report *r, bool change)
{
	struct cp_tree *t = cp_report_tree(r, change ? "change" : "cpi",
	    change ? "Change of calls" : "Cycles per instruction");
	uint32_t n, up;

	cp_tree_scale(t, change ? CP_SCALE_CHANGE : CP_SCALE_RATIO, 1.1,
	    change ? "change" : "CPI");
	if (!change)
		cp_tree_unit(t, "cycles", CP_COL_COUNT, "reads");
	n = grow(t, 0, "server", "", CP_KIND_NONE, 0);
	color_node(t, n, change ? 0.02 : 1.2, 0);
	up = grow(t, n, "main", "app", CP_KIND_USER, 900);
	color_node(t, up, change ? 0.01 : 0.9, 880);
	n = grow(t, up, "walk_list", "app", CP_KIND_USER, 45000);
	color_node(t, n, change ? 0.55 : 4.4, 21000);
	n = grow(t, up, "add_numbers", "app", CP_KIND_USER, 20000);
	color_node(t, n, change ? -0.4 : 0.31, 44000);
	n = grow(t, up, "same_as_ever", "app", CP_KIND_USER, 20000);
	color_node(t, n, change ? 0 : 1.1, 20100);
	grow(t, up, "too_few", "app", CP_KIND_USER, 9000);
}

void
sample_charts(struct cp_report *r)
{
	static const struct cp_column_spec columns[] = { CP_CHANGE("Change"),
		CP_CHANCE("p"), CP_TEXT("Remark"), CP_CLOCK("Begun at") };
	struct cp_table *t;

	cp_report_init(r, "charts");
	r->title = "query-server on db-7, 2024-03-01 12:00:00Z, 120.0 s";
	r->event = "cycles";
	r->weight = "period";
	r->start = START;
	add_histogram(r);
	add_grid(r);
	add_queue(r);
	add_rates(r);
	add_lanes(r);
	add_colored(r, false);
	add_colored(r, true);
	t = cp_report_table(r, "changes", "Changes", CP_COLUMNS(columns));
	cp_table_add(
	    t, cp_cell_value(0.213, 0.19, 0.24), 0.0123, "", CP_NO_TIME);
	cp_report_finish(r);
}

static const char *
long_name(struct cp_report *r)
{
	char *s = cp_arena_alloc(&r->arena, 20001);

	memset(s, 'L', 20000);
	memcpy(s, "very_long_", 10);
	memcpy(s + 19996, "_end", 4);
	return s;
}

static void
add_hostile_charts(struct cp_report *r)
{
	const char *const *name = sample_hostile_names;
	struct cp_axis axis = { name[0], CP_COL_TEXT, 12, 0, 0, NULL, name };
	struct cp_axis numbers = { name[1], CP_COL_COUNT, 12, 0, 1, NULL,
		NULL };
	struct cp_histogram *h =
	    cp_report_histogram(r, "h", name[2], name[3], CP_COL_COUNT);
	struct cp_grid *g = cp_report_grid(
	    r, "g", name[4], &axis, &axis, name[5], CP_COL_COUNT);
	struct cp_lanes *l = cp_report_lanes(r, "l", name[6]);

	cp_histogram_unit(h, name[0], CP_COL_BYTES);
	cp_histogram_bin(h, 0, UINT64_MAX, UINT64_MAX);
	for (uint32_t i = 0; i < 12; i++) {
		uint32_t kind = cp_lanes_kind(l, name[i], CP_TONE_BLOCK);
		uint32_t lane = cp_lanes_lane(l, name[i]);

		cp_lanes_span(l, lane, kind, i, UINT64_MAX, name[i]);
		cp_grid_add(g, i, i, UINT64_MAX);
	}
	g = cp_report_grid(
	    r, "n", name[7], &numbers, &numbers, name[8], CP_COL_BYTES);
	cp_grid_add(g, 0, 0, 1);
}

/* Rows of a profile in which everything has that name. */
static void
add_hostile_row(struct cp_profile *p, const char *s, uint32_t i)
{
	uint32_t object = cp_profile_object(
	    p, &(struct cp_profile_object){ .name = s, .file = s });
	uint32_t symbol = cp_profile_symbol(
	    p, &(struct cp_profile_symbol){
		   .name = s, .raw = s, .end = UINT64_MAX, .object = object });
	uint32_t spot = cp_profile_spot(
	    p, &(struct cp_profile_spot){
		   .symbol = symbol, .file = s, .line = UINT32_MAX });
	uint32_t frame = cp_profile_frame(
	    p, &(struct cp_profile_frame){ .addr = UINT64_MAX - i,
		   .vaddr = UINT64_MAX,
		   .object = object,
		   .symbol = symbol,
		   .first_spot = spot,
		   .spots = 1 });
	uint32_t thread = cp_profile_thread(
	    p, &(struct cp_profile_thread){ .name = s, .process = s });

	cp_profile_sample(
	    p, &(struct cp_profile_sample){ .time = i % 3 == 0 ? CP_NO_TIME
						    : i == 2   ? UINT64_MAX - 1
							       : 1000 + i,
		   .weight = i,
		   .stack = cp_profile_stack(p, 0, frame),
		   .thread = thread,
		   .cpu = CP_NO_ID });
}

void
sample_hostile(struct cp_report *r)
{
	static const struct cp_column_spec columns[] = {
		CP_SHARE("Share \033[1m"), CP_TEXT("Na,me")
	};
	struct cp_table *t;
	struct cp_tree *tree;
	uint32_t at;

	cp_report_init(r, "hostile");
	r->title = sample_hostile_names[0];
	r->weight = "pe\"ri</script>od";
	r->event = sample_hostile_names[1];
	t = cp_report_table(r, "names", "\033[2JNames", CP_COLUMNS(columns));
	tree = cp_report_tree(r, "tree", sample_hostile_names[2]);
	at = cp_tree_node(tree, 0, "co;mm with <b>\n", "", CP_KIND_NONE);
	for (size_t i = 0; sample_hostile_names[i] != NULL; i++) {
		const char *s = sample_hostile_names[i];
		enum cp_kind kind = i % 2 != 0 ? CP_KIND_USER : CP_KIND_UNKNOWN;

		cp_table_add(t, 1.0 / 14, s);
		cp_report_scalar_text(r, "label", s, s);
		cp_report_note(r, "%s", s);
		grow(tree, grow(tree, at, s, s, kind, 1000), s, s,
		    CP_KIND_KERNEL, 3000);
	}
	grow(tree, at, long_name(r), long_name(r), CP_KIND_USER, 9000);
	add_hostile_charts(r);
	cp_report_finish(r);
}

void
sample_samples(struct cp_report *r)
{
	struct cp_profile *p;
	uint32_t i = 0;

	sample_hostile(r);
	p = cp_report_profile(r, "samples", "Samples");
	cp_profile_event(
	    p, &(struct cp_profile_event){
		   .name = sample_hostile_names[1], .unit = "</script>" });
	for (; sample_hostile_names[i] != NULL; i++)
		add_hostile_row(p, sample_hostile_names[i], i);
	add_hostile_row(p, "__proto__", i++);
	add_hostile_row(p, "constructor", i++);
	add_hostile_row(p, long_name(r), i);
}

/* Towers side by side, fifty levels high, of many widths. */
void
sample_big(struct cp_report *r, uint32_t nodes)
{
	enum { LEVELS = 50 };
	static const char *const word[] = { "parse", "fold", "hash_insert",
		"tcp_sendmsg", "malloc", "operator new(unsigned long)",
		"std::sort<int*>", "_raw_spin_lock" };
	uint32_t columns = nodes / LEVELS;
	struct cp_tree *t;

	cp_report_init(r, "big");
	r->title = "a hundred thousand frames";
	r->event = "cycles";
	t = cp_report_tree(r, "flame", "Call tree");
	for (uint32_t c = 0; c < columns; c++) {
		uint32_t at = 0;

		for (uint32_t d = 0; d < LEVELS; d++) {
			char *name = cp_arena_alloc(&r->arena, 64);

			snprintf(name, 64, "%s_%u",
			    word[(c * 7 + d) % CP_ARRAY_LEN(word)],
			    (c * 31 + d * 17) % 5000);
			at = cp_tree_node(t, at, name, "libbig.so",
			    (enum cp_kind)(1 + (c + d) % 5));
		}
		cp_tree_add(t, at, 200 + c * 37 % 1800, 10);
	}
	cp_report_finish(r);
}

void
sample_deep(struct cp_report *r, uint32_t levels)
{
	struct cp_tree *t;
	uint32_t at = 0;

	cp_report_init(r, "deep");
	t = cp_report_tree(r, "flame", "Call tree");
	for (uint32_t i = 0; i < levels; i++)
		at = grow(
		    t, at, i % 2 != 0 ? "even" : "odd", "", CP_KIND_USER, 1000);
	cp_report_finish(r);
}

static void
add_empty_charts(struct cp_report *r)
{
	struct cp_axis none = { .name = "x", .type = CP_COL_TIME };

	cp_report_histogram(r, "h", "H", "x", CP_COL_TIME);
	cp_report_grid(r, "g", "G", &none, &none, "x", CP_COL_COUNT);
	cp_report_lanes(r, "l", "L");
}

void
sample_empty(struct cp_report *r)
{
	cp_report_init(r, "empty");
	cp_report_tree(r, "flame", "Call tree");
	cp_table_column(cp_report_table(r, "t", "T", NULL, 0), CP_COUNT("A"));
	add_empty_charts(r);
	cp_report_finish(r);
}

int
sample_render(const struct cp_report *r, const char *format,
    const struct cp_render_options *opt, struct cp_left *left, struct cp_buf *b)
{
	struct cp_out *out = cp_xmalloc(sizeof(*out));
	int status;

	cp_buf_init(b, SIZE_MAX / 2);
	cp_out_init(out, cp_out_to_buf, b);
	status = cp_render(cp_renderer_find(format), r, opt, out, left);
	free(out);
	return status;
}
