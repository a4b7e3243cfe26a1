/* SPDX-License-Identifier: MIT */
/* Libraries, functions, frames and stacks: columns of tables. */
#include "render/export/firefox-code.h"

#include "render/common/json-report.h"

/* Numbers of JavaScript are exact up to here. */
#define MAX_EXACT (UINT64_C(1) << 53)

void
cp_firefox_code_init(struct cp_firefox *w)
{
	const struct cp_profile *p = w->p;
	uint32_t *first = cp_xcalloc(p->frames.len, sizeof(*first));

	w->first_stack = cp_xcalloc(p->stacks.len, sizeof(*w->first_stack));
	for (uint32_t i = 0; i < p->frames.len; i++) {
		first[i] = w->frames;
		w->frames += (uint32_t)cp_export_lines(p, i);
	}
	w->function = cp_xcalloc(w->frames, sizeof(*w->function));
	for (uint32_t i = 0; i < p->frames.len; i++)
		for (uint32_t k = 0; k < cp_export_lines(p, i); k++) {
			struct cp_export_line line = cp_export_line(p, i, k);

			w->function[first[i] + k] =
			    cp_functions_of(&w->functions, &line);
		}
	for (uint32_t i = 0; i < p->stacks.len; i++) {
		w->first_stack[i] = w->stacks;
		w->stacks +=
		    (uint32_t)cp_export_lines(p, p->stacks.data[i].frame);
	}
	free(first);
}

void
cp_firefox_code_free(struct cp_firefox *w)
{
	free(w->first_stack);
	free(w->function);
	cp_strings_free(&w->strings);
	cp_functions_free(&w->functions);
}

uint32_t
cp_firefox_stack(const struct cp_firefox *w, uint32_t stack)
{
	uint32_t frame = w->p->stacks.data[stack].frame;

	return w->first_stack[stack] + (uint32_t)cp_export_lines(w->p, frame) -
	       1;
}

/* ---------------------------------------------------------------- columns */

struct column {
	struct cp_firefox *w;
	bool comma;
};

static struct cp_out *
cell(struct column *c)
{
	if (c->comma)
		cp_out_char(c->w->out, ',');
	c->comma = true;
	return c->w->out;
}

static struct column
begin(struct cp_firefox *w, const char *name)
{
	cp_put_key(w->out, name);
	cp_out_char(w->out, '[');
	return (struct column){ .w = w };
}

static void
end(struct column *c)
{
	cp_out_str(c->w->out, "],\n");
}

/* A column whose cells are all the same. */
static void
put_same(struct cp_firefox *w, const char *name, size_t n, const char *value)
{
	struct column c = begin(w, name);

	for (size_t i = 0; i < n; i++)
		cp_out_str(cell(&c), value);
	end(&c);
}

static void
put_length(struct cp_firefox *w, size_t n)
{
	cp_put_number(w->out, "length", n);
	cp_out_char(w->out, '}');
}

static void
open_table(struct cp_firefox *w, const char *name)
{
	cp_out_str(w->out, ",\n");
	cp_put_key(w->out, name);
	cp_out_char(w->out, '{');
}

/* ----------------------------------------------------------------- stacks */

static void
put_stacks(struct cp_firefox *w)
{
	const struct cp_profile *p = w->p;
	uint32_t *first = cp_xcalloc(p->frames.len + 1, sizeof(*first));
	struct column c;

	for (uint32_t i = 0; i < p->frames.len; i++)
		first[i + 1] = first[i] + (uint32_t)cp_export_lines(p, i);
	cp_out_str(w->out, "\"stackTable\":{");
	c = begin(w, "frame");
	for (uint32_t i = 0; i < p->stacks.len; i++) {
		uint32_t frame = p->stacks.data[i].frame;

		for (uint32_t at = first[frame]; at < first[frame + 1]; at++)
			cp_out_u64(cell(&c), at);
	}
	end(&c);
	c = begin(w, "prefixOffset");
	for (uint32_t i = 0; i < p->stacks.len; i++) {
		uint32_t parent = p->stacks.data[i].parent;
		size_t n = cp_export_lines(p, p->stacks.data[i].frame);

		cp_out_u64(cell(&c),
		    parent != 0
			? w->first_stack[i] - cp_firefox_stack(w, parent)
			: 0);
		for (size_t k = 1; k < n; k++)
			cp_out_char(cell(&c), '1');
	}
	end(&c);
	put_length(w, w->stacks);
	free(first);
}

/* ----------------------------------------------------------------- frames */

/*
 * Writes the address as objdump shows it; for a caller an address within the
 * call.  Addresses of kernels exceed exact numbers, so they count from _text.
 */
static void
put_address(struct column *c, const struct cp_profile_frame *f)
{
	const struct cp_profile_object *o = &c->w->p->objects.data[f->object];
	uint64_t addr = f->vaddr;

	if (o->kind == CP_DSO_KERNEL)
		addr = o->base != 0 && f->addr >= o->base ? f->addr - o->base
							  : UINT64_MAX;
	if (addr != UINT64_MAX && addr != 0 &&
	    (f->flags & CP_FRAME_CALLER) != 0)
		addr--;
	if (addr < MAX_EXACT)
		cp_out_u64(cell(c), addr);
	else
		cp_out_str(cell(c), "-1");
}

static unsigned
category_of(uint8_t level)
{
	if (level == CP_LEVEL_KERNEL)
		return CP_FIREFOX_KERNEL;
	return level == CP_LEVEL_USER ? CP_FIREFOX_USER : CP_FIREFOX_OTHER;
}

enum part { PART_ADDRESS, PART_DEPTH, PART_CATEGORY, PART_LINE, PART_COLUMN };

static void
put_or_null(struct column *c, uint32_t v)
{
	if (v != 0)
		cp_out_u64(cell(c), v);
	else
		cp_out_str(cell(c), "null");
}

static void
put_part(struct column *c, enum part part, uint32_t frame, uint32_t k)
{
	const struct cp_profile_frame *f = &c->w->p->frames.data[frame];
	struct cp_export_line line = cp_export_line(c->w->p, frame, k);

	switch (part) {
	case PART_ADDRESS: put_address(c, f); break;
	case PART_DEPTH: cp_out_u64(cell(c), k); break;
	case PART_CATEGORY: cp_out_u64(cell(c), category_of(f->level)); break;
	case PART_LINE: put_or_null(c, line.line); break;
	case PART_COLUMN: put_or_null(c, line.column); break;
	}
}

static void
put_frame_column(struct cp_firefox *w, const char *name, enum part part)
{
	struct column c = begin(w, name);

	for (uint32_t i = 0; i < w->p->frames.len; i++)
		for (uint32_t k = 0; k < cp_export_lines(w->p, i); k++)
			put_part(&c, part, i, k);
	end(&c);
}

static void
put_frames(struct cp_firefox *w)
{
	struct column c;

	open_table(w, "frameTable");
	put_frame_column(w, "address", PART_ADDRESS);
	put_frame_column(w, "inlineDepth", PART_DEPTH);
	put_frame_column(w, "category", PART_CATEGORY);
	put_frame_column(w, "line", PART_LINE);
	put_frame_column(w, "column", PART_COLUMN);
	put_same(w, "subcategory", w->frames, "0");
	put_same(w, "nativeSymbol", w->frames, "null");
	put_same(w, "innerWindowID", w->frames, "0");
	put_same(w, "originalLocation", w->frames, "null");
	c = begin(w, "func");
	for (uint32_t i = 0; i < w->frames; i++)
		cp_out_u64(cell(&c), w->function[i]);
	end(&c);
	put_length(w, w->frames);
}

/* -------------------------------------------------------------- functions */

static uint32_t
function_name(struct cp_firefox *w, const struct cp_export_function *f)
{
	struct cp_buf name;
	uint32_t id;

	cp_buf_init(&name, SIZE_MAX / 2);
	cp_function_bare_name(&name, w->p, f->symbol, f->object);
	id = cp_strings_add(&w->strings, cp_buf_text(&name));
	cp_buf_free(&name);
	return id;
}

/* Sources have a row for each file. */
static void
put_functions(struct cp_firefox *w, struct cp_strings *files)
{
	size_t n = w->functions.all.len;
	struct column c;

	open_table(w, "funcTable");
	put_same(w, "isJS", n, "false");
	put_same(w, "relevantForJS", n, "false");
	put_same(w, "lineNumber", n, "null");
	put_same(w, "columnNumber", n, "null");
	put_same(w, "originalLocation", n, "null");
	c = begin(w, "name");
	for (size_t i = 0; i < n; i++)
		cp_out_u64(
		    cell(&c), function_name(w, &w->functions.all.data[i]));
	end(&c);
	c = begin(w, "resource");
	for (size_t i = 0; i < n; i++) {
		uint32_t object = w->functions.all.data[i].object;

		if (object != 0)
			cp_out_u64(cell(&c), object - 1);
		else
			cp_out_str(cell(&c), "-1");
	}
	end(&c);
	c = begin(w, "source");
	for (size_t i = 0; i < n; i++) {
		const char *file = w->functions.all.data[i].file;

		if (file != NULL && *file != '\0')
			cp_out_u64(cell(&c), cp_strings_add(files, file) - 1);
		else
			cp_out_str(cell(&c), "null");
	}
	end(&c);
	put_length(w, n);
}

static void
put_sources(struct cp_firefox *w, const struct cp_strings *files)
{
	size_t n = files->text.len != 0 ? files->text.len - 1 : 0;
	struct column c;

	open_table(w, "sources");
	put_same(w, "id", n, "null");
	put_same(w, "startLine", n, "1");
	put_same(w, "startColumn", n, "1");
	put_same(w, "sourceMapURL", n, "null");
	put_same(w, "content", n, "null");
	c = begin(w, "filename");
	for (uint32_t i = 1; i <= n; i++)
		cp_out_u64(cell(&c),
		    cp_strings_add(&w->strings, cp_strings_get(files, i)));
	end(&c);
	put_length(w, n);
}

static const char *
short_name(const struct cp_profile_object *o)
{
	const char *name = cp_basename(o->name);

	return *name != '\0' ? name : "[unknown]";
}

static void
put_resources(struct cp_firefox *w)
{
	size_t n = w->p->objects.len - 1;
	struct column c;

	open_table(w, "resourceTable");
	put_same(w, "host", n, "null");
	put_same(w, "type", n, "1");
	c = begin(w, "lib");
	for (size_t i = 0; i < n; i++)
		cp_out_u64(cell(&c), i);
	end(&c);
	c = begin(w, "name");
	for (size_t i = 0; i < n; i++)
		cp_out_u64(
		    cell(&c), cp_strings_add(&w->strings,
				  short_name(&w->p->objects.data[i + 1])));
	end(&c);
	put_length(w, n);
}

static void
put_strings(struct cp_firefox *w)
{
	cp_out_str(w->out, ",\n\"stringArray\":[\"\"");
	for (cp_string_id i = 1; i < w->strings.text.len; i++) {
		cp_out_str(w->out, ",\n");
		cp_json_text(w->out, cp_strings_get(&w->strings, i));
	}
	cp_out_str(w->out, "]");
}

void
cp_firefox_put_shared(struct cp_firefox *w)
{
	struct cp_strings files = { 0 };

	cp_out_str(w->out, "\"shared\":{");
	put_stacks(w);
	put_frames(w);
	put_functions(w, &files);
	put_sources(w, &files);
	put_resources(w);
	cp_out_str(w->out,
	    ",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],"
	    "\"name\":[],\"functionSize\":[],\"length\":0},"
	    "\n\"sourceLocationTable\":{\"source\":[],\"line\":[],"
	    "\"column\":[],\"length\":0}");
	put_strings(w);
	cp_out_str(w->out, "}");
	cp_strings_free(&files);
}

/* ------------------------------------------------------------------- libs */

/* The build ID's first 16 bytes as Breakpad spells a GUID, and an age. */
static void
breakpad_id(const struct cp_profile_object *o, char *text)
{
	static const uint8_t order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11,
		12, 13, 14, 15 };

	for (unsigned i = 0; i < sizeof(order); i++)
		snprintf(text + (size_t)2 * i, 3, "%02X",
		    order[i] < o->build_id_size ? o->build_id[order[i]] : 0u);
	text[32] = '0';
	text[33] = '\0';
}

void
cp_firefox_put_libs(struct cp_firefox *w)
{
	cp_out_str(w->out, "\"libs\":[");
	for (size_t i = 1; i < w->p->objects.len; i++) {
		const struct cp_profile_object *o = &w->p->objects.data[i];
		char id[2 * sizeof(o->build_id) + 1], guid[34];

		cp_hex_of(id, o->build_id, o->build_id_size);
		breakpad_id(o, guid);
		cp_out_str(w->out, i > 1 ? ",\n{" : "\n{");
		cp_put_pair(w->out, "name", short_name(o));
		cp_out_char(w->out, ',');
		cp_put_pair(w->out, "path", o->name);
		cp_out_char(w->out, ',');
		cp_put_pair(w->out, "debugName", short_name(o));
		cp_out_char(w->out, ',');
		cp_put_pair(w->out, "debugPath", o->name);
		cp_out_str(w->out, ",\"arch\":\"\",");
		cp_put_pair(
		    w->out, "breakpadId", o->build_id_size != 0 ? guid : "");
		cp_out_char(w->out, ',');
		cp_put_pair(
		    w->out, "codeId", o->build_id_size != 0 ? id : NULL);
		cp_out_char(w->out, '}');
	}
	cp_out_str(w->out, "]");
}
