/* SPDX-License-Identifier: MIT */
/*
 * fuzz-formats: the text of a tracepoint's layout, as --formats reads it, and
 * a payload after the byte 0xff, which is looked at by that layout and by the
 * built-in ones, and printed by the print format.
 */
#include "base/bytes.h"
#include "readers/formats/formats.h"
#include "readers/formats/print.h"
#include "readers/header/tracing.h"
#include "tests/fuzz/fuzz.h"

static volatile uint64_t sink; /* keeps the reads */

static const char *
symbol(void *ctx, uint64_t addr, uint64_t *start)
{
	*start = addr & ~UINT64_C(255);
	return (addr & 1) != 0 ? "function" : ctx;
}

/* Compiles the print format, and runs it over the payload. */
static void
print(const struct cp_tp_event *e, const struct cp_payload *p)
{
	struct cp_tracepoints tp = { .long_size = 8 };
	struct cp_arena arena = { 0 };
	struct cp_buf made, out;
	struct cp_payload_view v = { .raw = p->raw,
		.size = p->size,
		.swap = p->swap,
		.long_size = 8,
		.made = &made,
		.symbol = symbol,
		.tp = &tp };
	const struct cp_print *compiled = cp_print_compile(&arena, &tp, e);

	cp_buf_init(&made, 4096);
	cp_buf_init(&out, 4096);
	if (compiled != NULL)
		sink += cp_print_payload(compiled, &v, &out);
	cp_print_fields(e, &v, &out);
	sink += out.len;
	cp_buf_free(&made);
	cp_buf_free(&out);
	cp_arena_free(&arena);
}

static void
look_at(const struct cp_tp_event *e, const struct cp_payload *p)
{
	bool surely = cp_format_surely(e, p);

	/* The stricter rule is no looser. */
	if (surely && !cp_format_fits(e, p))
		abort();
	sink += cp_format_telling(e);
	print(e, p);
	for (uint32_t i = 0; i < e->n_fields; i++) {
		const char *text;
		size_t n;
		uint64_t v;

		if (cp_tp_u64(&e->fields[i], p->raw, p->size, p->swap, &v))
			sink += v;
		if (cp_tp_text(
			&e->fields[i], p->raw, p->size, p->swap, &text, &n) &&
		    n != 0)
			sink += (uint64_t)(text[0] + text[n - 1]);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size != 0 ? memchr(data, 0xff, size) : NULL;
	size_t n = end != NULL ? (size_t)(end - data) : size;
	struct cp_tracepoints tp = { .big_endian = false };
	struct cp_payload p = {
		.raw = data + n, .size = (uint32_t)(size - n), .tid = CP_NO_ID
	};
	struct cp_diags diags;

	cp_diags_init(&diags);
	cp_tracing_format(&tp, "system", (const char *)data, n, &diags);
	cp_formats_builtin(&tp, &diags);
	for (size_t i = 0; i < tp.events.len; i++) {
		p.id = tp.events.data[i].id;
		p.swap = (size & 1) != 0;
		look_at(&tp.events.data[i], &p);
	}
	cp_tracepoints_free(&tp);
	return 0;
}
