/* SPDX-License-Identifier: MIT */
/* callers: judges an innermost frame and the one that a chain has above it. */
#include "symbolize/callers/callers.h"

#include "base/elf.h"
#include "symbolize/callers/frameless.h"
#include "symbolize/callers/infer.h"
#include "symbolize/callers/kept.h"

/*
 * Does the code call the function that it is itself?  Then a call of it, above
 * it in the chain, may be that of an outer one.
 */
static bool
calls_itself(const struct cp_unwind_row *r)
{
	enum { LONGEST = 1 << 16 };
	size_t n = (size_t)(r->end - r->start);
	const uint8_t *p =
	    n <= LONGEST ? cp_row_code(r->elf, r->start, n) : NULL;

	for (size_t i = 0; p != NULL && i + 5 <= n; i++)
		if (p[i] == 0xe8 &&
		    i + 5 + (size_t)(int32_t)cp_load32(p + i + 1, false) == 0)
			return true;
	return p == NULL;
}

/*
 * Is the call before the frame above one of the function itself?  Then its
 * caller is there after all: Go's runtime makes a frame around its calls of
 * code that has none, and for user probes the kernel adds the caller.
 */
static bool
called_from(const struct cp_unwind_row *r, const struct cp_unwind_row *above)
{
	const uint8_t *p = cp_row_code(above->elf, above->at - 5, 5);
	uint64_t to;

	if (p == NULL || p[0] != 0xe8 || r->arch->machine != EM_X86_64)
		return false;
	to = above->at + (uint64_t)(int64_t)(int32_t)cp_load32(p + 1, false);
	return to >= r->start && to <= r->at && !calls_itself(r);
}

struct cp_caller_judge {
	struct cp_inference inference;
	struct cp_kept_callers kept;
};

struct cp_caller_judge *
cp_callers_new(struct cp_unwinder *u, struct cp_symbols *symbols)
{
	struct cp_caller_judge *c = cp_xcalloc(1, sizeof(*c));

	c->kept.symbols = symbols;
	cp_inference_init(&c->inference, u);
	return c;
}

void
cp_callers_free(struct cp_caller_judge *c)
{
	if (c == NULL)
		return;
	cp_inference_free(&c->inference);
	cp_vec_free(&c->kept.dso);
	free(c);
}

enum cp_caller
cp_callers_ask(void *ctx, const struct cp_frame *f,
    const struct cp_frame *above, struct cp_frame *out)
{
	struct cp_caller_judge *c = ctx;
	struct cp_unwinder *u = c->inference.unwinder;
	struct cp_unwind_row row, up;

	if (cp_kept_caller(&c->kept, f, above, out))
		return CP_CALLER_LOST;
	if (cp_snapshot_alone(c->kept.symbols))
		return CP_CALLER_RECORDED;
	if (!cp_unwinder_row(u, f->dso, f->addr, &row) ||
	    !cp_row_frameless(&row))
		return CP_CALLER_RECORDED;
	if (above == NULL || !cp_unwinder_row(u, above->dso, above->addr, &up))
		return CP_CALLER_LOST;
	if (above->dso == f->dso && called_from(&row, &up))
		return CP_CALLER_RECORDED;
	(void)cp_infer_caller(&c->inference, f, &row, above, &up, out);
	return CP_CALLER_LOST;
}
