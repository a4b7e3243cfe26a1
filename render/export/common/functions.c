/* SPDX-License-Identifier: MIT */
#include "render/export/common/functions.h"

#include "base/strings.h"

size_t
cp_export_lines(const struct cp_profile *p, uint32_t frame)
{
	size_t n = p->frames.data[frame].spots;

	return n != 0 ? n : 1;
}

/* Bounds of a function are no name. */
static uint32_t
named(const struct cp_profile *p, uint32_t symbol)
{
	return p->symbols.data[symbol].source != CP_SOURCE_BOUNDS ? symbol : 0;
}

struct cp_export_line
cp_export_line(const struct cp_profile *p, uint32_t frame, size_t i)
{
	const struct cp_profile_frame *f = &p->frames.data[frame];
	struct cp_export_line line = {
		.symbol = named(p, f->symbol),
		.object = f->object,
		.inlined = i != 0,
	};
	const struct cp_profile_spot *spot;

	if (f->spots == 0)
		return line;
	spot = &p->spots.data[f->first_spot + i];
	if (spot->symbol != 0)
		line.symbol = named(p, spot->symbol);
	line.file = spot->file;
	line.line = spot->line;
	line.column = spot->column;
	return line;
}

uint32_t
cp_functions_of(struct cp_functions *f, const struct cp_export_line *line)
{
	uint64_t key =
	    line->symbol != 0 ? line->symbol : UINT64_C(1) << 32 | line->object;
	uint32_t *slot = cp_map64_put(&f->at, key);
	struct cp_export_function *known;

	if (*slot == 0) {
		*cp_vec_push(&f->all) =
		    (struct cp_export_function){ line->symbol, line->object,
			    line->file, line->line };
		*slot = (uint32_t)f->all.len;
	}
	known = &f->all.data[*slot - 1];
	if (known->file == NULL) {
		known->file = line->file;
		known->line = line->line;
	} else if (line->line != 0 && line->file != NULL &&
		   line->line < known->line &&
		   strcmp(line->file, known->file) == 0) {
		known->line = line->line;
	}
	return *slot - 1;
}

void
cp_function_name(struct cp_buf *b, const struct cp_profile *p, uint32_t symbol,
    uint32_t object)
{
	const char *name;

	if (symbol != 0) {
		cp_buf_str(b, p->symbols.data[symbol].name);
		return;
	}
	name = cp_basename(p->objects.data[object].name);
	if (*name == '[') {
		cp_buf_str(b, name);
		return;
	}
	cp_buf_char(b, '[');
	cp_buf_str(b, *name != '\0' ? name : "unknown");
	cp_buf_char(b, ']');
}

void
cp_function_bare_name(struct cp_buf *b, const struct cp_profile *p,
    uint32_t symbol, uint32_t object)
{
	static const char mark[] = " (inlined)";
	size_t at = b->len, m = sizeof(mark) - 1;

	cp_function_name(b, p, symbol, object);
	if (b->len - at > m && strcmp(b->data + b->len - m, mark) == 0) {
		b->len -= m;
		b->data[b->len] = '\0';
	}
}

const char *
cp_function_object(
    const struct cp_profile *p, const struct cp_export_function *f)
{
	return p->objects.data[f->object].name;
}

void
cp_functions_free(struct cp_functions *f)
{
	cp_vec_free(&f->all);
	cp_map64_free(&f->at);
}
