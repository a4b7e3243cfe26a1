/* SPDX-License-Identifier: MIT */
#include "run/import/gecko.h"

static void
read_strings(struct cp_import *im, struct cp_json *j, uint32_t from,
    struct cp_gecko_tables *t)
{
	uint32_t all = cp_json_member(j, from, "stringArray");

	if (all == 0)
		all = cp_json_member(j, from, "stringTable");
	if (all == 0 || !cp_json_is_array(j, all))
		return;
	for (uint32_t v = cp_json_first(j, all); v != 0;
	     v = cp_json_after(j, all, v)) {
		struct cp_text s = cp_json_string(j, v);

		*cp_vec_push(&t->string) =
		    cp_arena_strndup(&im->to->arena, s.s, s.n);
	}
}

static const struct {
	const char *path;
	size_t at;
} columns[] = {
#define COLUMN(path, field)                                                    \
	{                                                                      \
		path, offsetof(struct cp_gecko_tables, field)                  \
	}
	COLUMN("stackTable/frame", stack_frame),
	COLUMN("stackTable/prefix", prefix),
	COLUMN("stackTable/prefixOffset", offset),
	COLUMN("frameTable/func", func),
	COLUMN("frameTable/inlineDepth", depth),
	COLUMN("frameTable/line", line),
	COLUMN("frameTable/category", category),
	COLUMN("frameTable/address", address),
	COLUMN("frameTable/lib", frame_lib),
	COLUMN("funcTable/name", func_name),
	COLUMN("funcTable/resource", resource),
	COLUMN("funcTable/fileName", func_file),
	COLUMN("funcTable/source", source),
	COLUMN("sources/filename", source_name),
	COLUMN("resourceTable/lib", resource_lib),
	COLUMN("resourceTable/name", resource_name),
#undef COLUMN
};

static struct cp_gecko_column *
column_at(struct cp_gecko_tables *t, size_t i)
{
	return (struct cp_gecko_column *)(void *)((char *)t + columns[i].at);
}

/* A column of a table {"schema": {"stack": 0}, "data": [[7, 1.5]]}. */
struct cp_gecko_column
cp_gecko_rows(const struct cp_json *j, uint32_t table, const char *name)
{
	uint32_t data = cp_json_member(j, table, "data"),
		 schema = cp_json_member(j, table, "schema");
	CP_VEC(double) cells = { 0 };
	int64_t at = -1;

	if (schema == 0 || data == 0 || !cp_json_is_array(j, data) ||
	    !cp_json_int(j, cp_json_member(j, schema, name), &at) || at < 0)
		return (struct cp_gecko_column){ NULL, 0 };
	for (uint32_t row = cp_json_first(j, data); row != 0;
	     row = cp_json_after(j, data, row)) {
		uint32_t v =
		    cp_json_is_array(j, row) ? cp_json_first(j, row) : 0;
		double *cell = cp_vec_push(&cells);

		for (int64_t i = 0; i < at && v != 0; i++)
			v = cp_json_after(j, row, v);
		if (v == 0 || !cp_json_double(j, v, cell))
			*cell = -1;
	}
	return (struct cp_gecko_column){ cells.data, cells.len };
}

/* A frame of the browser's own tables has its function's name: "location". */
static void
read_rows(struct cp_import *im, struct cp_json *j, uint32_t from,
    struct cp_gecko_tables *t)
{
	uint32_t stacks = cp_json_member(j, from, "stackTable"),
		 frames = cp_json_member(j, from, "frameTable");

	*t = (struct cp_gecko_tables){ 0 };
	read_strings(im, j, from, t);
	t->stack_frame = cp_gecko_rows(j, stacks, "frame");
	t->prefix = cp_gecko_rows(j, stacks, "prefix");
	t->func_name = cp_gecko_rows(j, frames, "location");
	t->line = cp_gecko_rows(j, frames, "line");
	t->func = (struct cp_gecko_column){
		cp_xcalloc(t->func_name.n + 1, sizeof(double)), t->func_name.n
	};
	for (size_t i = 0; i < t->func.n; i++)
		t->func.data[i] = (double)i;
	for (size_t i = 0; i < t->stack_frame.n; i++)
		*cp_vec_push(&t->stack) = 0;
}

void
cp_gecko_read(struct cp_import *im, struct cp_json *j, uint32_t from,
    struct cp_gecko_tables *t)
{
	if (cp_json_path(j, from, "stackTable/schema") != 0) {
		read_rows(im, j, from, t);
		return;
	}
	*t = (struct cp_gecko_tables){ 0 };
	read_strings(im, j, from, t);
	for (size_t i = 0; i < CP_ARRAY_LEN(columns); i++) {
		struct cp_gecko_column *c = column_at(t, i);

		c->data = cp_json_numbers(
		    j, cp_json_path(j, from, columns[i].path), -1, &c->n);
	}
	for (size_t i = 0; i < t->stack_frame.n; i++)
		*cp_vec_push(&t->stack) = 0;
}

void
cp_gecko_free(struct cp_gecko_tables *t)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(columns); i++)
		free(column_at(t, i)->data);
	cp_vec_free(&t->string);
	cp_vec_free(&t->stack);
}
