/* SPDX-License-Identifier: MIT */
/* What the browser counts, of samples made by hand, without a terminal. */
#include "browse/rows.h"
#include "report/report.h"
#include "tests/tap.h"

static struct cp_report report;
static struct cp_profile *profile;

/* Returns the frame of a function of that name. */
static uint32_t
frame(const char *name, uint32_t object)
{
	static uint64_t addr;
	uint32_t symbol = cp_profile_symbol(
	    profile, &(struct cp_profile_symbol){
			 .name = name, .raw = name, .object = object });

	return cp_profile_frame(
	    profile, &(struct cp_profile_frame){ .addr = ++addr,
			 .object = object,
			 .symbol = symbol,
			 .level = CP_LEVEL_USER });
}

static void
sample(uint64_t time, uint32_t stack, uint32_t thread, uint32_t cpu,
    uint64_t weight)
{
	cp_profile_sample(profile, &(struct cp_profile_sample){ .time = time,
				       .weight = weight,
				       .stack = stack,
				       .thread = thread,
				       .cpu = cpu });
}

/*
 * main calls walk, which calls itself and leaf; main calls leaf.  leaf is in
 * another object.
 */
static void
fill(void)
{
	static const char *const names[] = { "one", "two" };
	uint32_t object[2], f[3], main_, walk, again, deep, direct;

	cp_report_init(&report, "browse");
	profile = cp_report_profile(&report, "profile", "Profile");
	for (unsigned i = 0; i < 2; i++) {
		object[i] = cp_profile_object(
		    profile, &(struct cp_profile_object){
				 .name = names[i], .level = CP_LEVEL_USER });
		cp_profile_thread(
		    profile, &(struct cp_profile_thread){
				 .pid = 7, .tid = 7 + i, .name = names[i] });
	}
	cp_profile_event(
	    profile, &(struct cp_profile_event){
			 .name = "cycles", .unit = "cycles", .samples = 5 });
	f[0] = frame("main", object[0]);
	f[1] = frame("walk", object[0]);
	f[2] = frame("leaf", object[1]);
	main_ = cp_profile_stack(profile, 0, f[0]);
	walk = cp_profile_stack(profile, main_, f[1]);
	again = cp_profile_stack(profile, walk, f[1]);
	deep = cp_profile_stack(profile, again, f[2]);
	direct = cp_profile_stack(profile, main_, f[2]);
	sample(100, main_, 0, 0, 1);
	sample(200, walk, 0, 1, 2);
	sample(300, again, 0, 1, 4);
	sample(400, deep, 1, 1, 8);
	sample(500, direct, 1, 0, 16);
	cp_report_finish(&report);
}

static const struct cp_browse_row *
row_of(const struct cp_browse_rows *r, const char *name, uint32_t depth)
{
	static const struct cp_browse_row none;

	for (size_t i = 0; i < r->rows.len; i++)
		if (strcmp(r->rows.data[i].name, name) == 0 &&
		    r->rows.data[i].depth == depth)
			return &r->rows.data[i];
	return &none;
}

static void
check_functions(struct cp_browse_model *m)
{
	struct cp_browse_rows r = { 0 };

	cp_browse_functions(&r, m, NULL);
	is_u64(r.rows.len, 3, "three functions");
	is_str(r.rows.data[0].name, "leaf", "the heaviest by itself is first");
	is_u64(row_of(&r, "leaf", 0)->self, 24, "leaf by itself");
	is_u64(row_of(&r, "walk", 0)->self, 6, "walk by itself");
	is_u64(row_of(&r, "walk", 0)->total, 14,
	    "with what it called, itself once");
	is_u64(row_of(&r, "main", 0)->total, 31, "main with all");
	cp_browse_functions(&r, m, "EA");
	is_u64(r.rows.len, 1, "a search leaves what has the text");
	cp_browse_threads(&r, m, NULL);
	is_u64(row_of(&r, "7 one", 0)->self, 31, "a process");
	is_u64(row_of(&r, "8 two", 1)->self, 24, "one of its threads");
	is_u64(row_of(&r, "CPU 1", 0)->self, 14, "a CPU");
	cp_browse_objects(&r, m, NULL);
	is_u64(row_of(&r, "two", 0)->self, 24, "an object");
	cp_browse_rows_free(&r);
}

static void
check_trees(struct cp_browse_model *m)
{
	struct cp_browse_rows r = { 0 };
	size_t before;

	cp_browse_calls(&r, m);
	is_u64(r.rows.len, 1, "the tree is closed");
	do {
		before = r.rows.len;
		for (size_t i = 0; i < before; i++)
			cp_browse_open(&r, i, true);
		cp_browse_calls(&r, m);
	} while (r.rows.len > before);
	is_u64(r.rows.len, 5, "a row for each path");
	is_u64(row_of(&r, "walk", 1)->total, 14, "walk below main");
	is_u64(row_of(&r, "walk", 2)->total, 12, "walk below walk");
	is_u64(row_of(&r, "leaf", 1)->total, 16, "leaf below main");
	cp_browse_callers(&r, m);
	is_str(r.rows.data[0].name, "leaf", "callers: by their own weight");
	cp_browse_open(&r, 0, true);
	cp_browse_callers(&r, m);
	is_u64(row_of(&r, "main", 1)->total, 16, "main called leaf");
	is_u64(row_of(&r, "walk", 1)->total, 8, "walk did, too");
	for (uint32_t f = 0; f < m->functions.len; f++)
		if (strcmp(m->functions.data[f].name, "walk") == 0)
			cp_browse_around(&r, m, f);
	is_u64(row_of(&r, "walk", 0)->total, 14, "around a function");
	is_u64(row_of(&r, "main", 1)->total, 14,
	    "a recursive one is called from outside once");
	is_u64(row_of(&r, "walk", 1)->total, 12, "and calls itself");
	cp_browse_rows_free(&r);
}

static void
check_selection(struct cp_browse_model *m)
{
	uint64_t sums[4];

	m->selection.tid = 8;
	cp_browse_count(m);
	is_u64(m->sum, 24, "one thread");
	cp_browse_over_time(m, sums, 4);
	is_u64(sums[0] + sums[1] + sums[2], 8, "over time: the first part");
	is_u64(sums[3], 16, "and the last");
	cp_browse_select_all(&m->selection, m);
	m->selection.from = 200;
	m->selection.to = 300;
	cp_browse_count(m);
	is_u64(m->sum, 6, "a window has both its ends");
	m->selection.cpu = 0;
	cp_browse_count(m);
	is_u64(m->sum, 0, "and a CPU, on which nothing ran then");
	cp_browse_select_all(&m->selection, m);
	m->selection.object = 2;
	cp_browse_count(m);
	is_u64(m->sum, 24, "what fell in an object");
	cp_browse_select_all(&m->selection, m);
	cp_browse_count(m);
	is_u64(m->sum, 31, "all again");
}

static void
check_boxes(struct cp_browse_model *m)
{
	cp_browse_boxes boxes = { 0 };

	cp_browse_layout(&boxes, m, 0, 31, 10);
	is_u64(boxes.len, 6, "a box for all, and one for each path");
	is_u64(boxes.data[0].columns, 31, "all fill the width");
	is_u64(boxes.data[2].columns + boxes.data[3].columns, 30,
	    "what main called has its part");
	is_u64(boxes.data[3].x, boxes.data[2].x + boxes.data[2].columns,
	    "beside each other");
	cp_browse_layout(&boxes, m, 0, 3, 10);
	ok(boxes.len < 6, "what is narrower than a column is left out");
	cp_vec_free(&boxes);
}

int
main(void)
{
	struct cp_browse_model m;

	fill();
	cp_browse_model_init(&m, cp_profile_of(&report));
	is_u64(m.sum, 31, "all samples");
	check_functions(&m);
	check_trees(&m);
	check_selection(&m);
	check_boxes(&m);
	cp_browse_model_free(&m);
	cp_report_free(&report);
	return done_testing();
}
