/* SPDX-License-Identifier: MIT */
#include "cli/command/names-output.h"

#include <coldperf/names.h>

#include "base/strings.h"
#include "report/profile.h"

static const char *
source_word(const struct cp_symbol *s)
{
	const char *word = s != NULL ? cp_source_word(s->source) : NULL;

	return word != NULL ? word : "";
}

static const char *
trust_word(const struct cp_symbol *s)
{
	const char *word = s != NULL ? cp_trust_word(s->trust) : NULL;

	return word != NULL ? word : "";
}

static void
put_n(struct cp_out *out, enum cp_escape how, const char *text, size_t n)
{
	struct cp_buf plain, b;

	cp_buf_init(&plain, SIZE_MAX / 2);
	cp_buf_add(&plain, text, n);
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape(&b, how, cp_buf_text(&plain));
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	cp_buf_free(&plain);
}

static void
put(struct cp_out *out, enum cp_escape how, const char *text)
{
	put_n(out, how, text, strlen(text));
}

/* The innermost function is number 0. */
struct function {
	const struct cp_symbol *symbol;
	const struct cp_spot *spot; /* or NULL */
	bool inlined;
};

static uint32_t
functions(const struct cp_names_row *r)
{
	return CP_MAX(r->spots.n, 1);
}

static struct function
function_at(const struct cp_names_row *r, uint32_t depth)
{
	struct function f = { .symbol = r->symbol };

	if (r->spots.n == 0)
		return f;
	f.spot = &r->spots.at[r->spots.n - 1 - depth];
	f.inlined = depth + 1 < r->spots.n;
	if (f.inlined || f.spot->symbol != NULL)
		f.symbol = f.spot->symbol;
	return f;
}

/*
 * Writes a name.  An inlined function has no suffix, because a column shows
 * that.
 */
static void
put_name(struct cp_out *out, enum cp_escape how, struct function f)
{
	const char *name = f.symbol != NULL ? f.symbol->name : "";
	size_t n = strlen(name), end = strlen(CP_INLINED);

	if (f.inlined && n > end && strcmp(name + n - end, CP_INLINED) == 0)
		n -= end;
	put_n(out, how, name, n);
}

static void
put_question(
    struct cp_out *out, const struct cp_names_row *r, const char *between)
{
	char hex[41];

	cp_hex_of(hex, r->line->id, r->line->id_size);
	cp_out_printf(out, "%s%s0x%" PRIx64, hex, between, r->line->addr);
}

/* ------------------------------------------------------------------ csv */

void
cp_names_put_header(struct cp_out *out)
{
	cp_out_str(out, "build_id,address,depth,function,offset,inlined,file,"
			"line,source,trust\n");
}

static void
put_place(struct cp_out *out, enum cp_escape how, const struct cp_spot *spot)
{
	if (spot != NULL && spot->file != NULL)
		put(out, how, spot->file);
	cp_out_char(out, ',');
	if (spot != NULL && spot->line != 0)
		cp_out_u64(out, spot->line);
}

void
cp_names_put_csv(
    struct cp_out *out, enum cp_escape how, const struct cp_names_row *r)
{
	for (uint32_t i = 0; i < functions(r); i++) {
		struct function f = function_at(r, i);

		put_question(out, r, ",");
		cp_out_printf(out, ",%" PRIu32 ",", i);
		put_name(out, how, f);
		cp_out_char(out, ',');
		if (f.symbol != NULL && !f.inlined)
			cp_out_u64(out, r->addr - f.symbol->start);
		cp_out_str(out, f.inlined ? ",1," : ",0,");
		put_place(out, how, f.spot);
		cp_out_printf(out, ",%s,%s\n", source_word(f.symbol),
		    trust_word(f.symbol));
	}
}

/* ----------------------------------------------------------------- json */

static void
put_text(struct cp_out *out, const char *key, const char *text)
{
	cp_out_str(out, key);
	put(out, CP_ESCAPE_JSON, text);
	cp_out_char(out, '"');
}

static void
put_function(struct cp_out *out, const struct cp_names_row *r, uint32_t depth)
{
	struct function f = function_at(r, depth);

	cp_out_str(out, "{\"name\":\"");
	put_name(out, CP_ESCAPE_JSON, f);
	cp_out_char(out, '"');
	if (f.symbol != NULL && !f.inlined)
		cp_out_printf(
		    out, ",\"offset\":%" PRIu64, r->addr - f.symbol->start);
	cp_out_printf(out, ",\"inlined\":%s", f.inlined ? "true" : "false");
	if (f.spot != NULL && f.spot->file != NULL)
		put_text(out, ",\"file\":\"", f.spot->file);
	if (f.spot != NULL && f.spot->line != 0)
		cp_out_printf(out, ",\"line\":%" PRIu32, f.spot->line);
	cp_out_printf(out, ",\"source\":\"%s\",\"trust\":\"%s\"}",
	    source_word(f.symbol), trust_word(f.symbol));
}

void
cp_names_put_json(struct cp_out *out, const struct cp_names_row *r)
{
	cp_out_str(out, "{\"build_id\":\"");
	put_question(out, r, "\",\"address\":\"");
	cp_out_str(out, "\",\"functions\":[");
	for (uint32_t i = 0; i < functions(r); i++) {
		if (i != 0)
			cp_out_char(out, ',');
		if (r->symbol != NULL || r->spots.n != 0)
			put_function(out, r, i);
	}
	cp_out_str(out, "]}\n");
}
