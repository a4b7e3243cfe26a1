/* SPDX-License-Identifier: MIT */
/*
 * sample: removed fields become zeros, so that all other fields keep their
 * place.
 *
 * The copy of a user's stack stays when the capture is to be unwound: the
 * output has call chains instead (readers/rewrite/rewrite.h).
 */
#include "readers/redact/state.h"

#include "readers/record-head.h"
#include "readers/record/decode.h"

/* Longer texts of payloads are not looked for in the output. */
enum { MAX_DROPPED = 256 };

/* ---------------------------------------------------------------- payloads */

/* A text of a payload. */
struct text {
	const char *at;
	size_t n;    /* bytes before the NUL */
	size_t room; /* bytes of its place, with what follows the NUL */
};

/* False: the field has no text. */
static bool
get_text(const struct cp_tp_field *f, const struct cp_event *ev, struct text *t)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	if (f->kind == CP_TP_SCALAR || f->kind == CP_TP_ARRAY ||
	    !cp_tp_text(f, s->raw, s->raw_size, ev->swap, &t->at, &t->n))
		return false;
	t->room = f->kind == CP_TP_CHARS
		      ? f->size
		      : cp_load32(s->raw + f->offset, ev->swap) >> 16;
	return true;
}

static const char *
stored(struct cp_redaction *x, const struct text *t)
{
	struct cp_strings *texts = &x->names->texts;

	return cp_strings_get(texts, cp_strings_addn(texts, t->at, t->n));
}

/*
 * Writes another text in its place in the copy, cut to the room.  What follows
 * the NUL may be a piece of a longer name.
 */
static void
put_other(const struct text *t, const char *text, const struct cp_event *ev,
    uint8_t *payload)
{
	uint8_t *to = payload + ((const uint8_t *)t->at - ev->u.sample.raw);

	if (t->room == 0)
		return;
	memset(to, 0, t->room);
	memcpy(to, text, CP_MIN(t->room - 1, strlen(text)));
}

/* Is the field of a payload a name of a thread, which has that class? */
static bool
is_comm(const struct cp_tp_field *f)
{
	size_t n = strlen(f->name);

	return n >= 4 && strcmp(f->name + n - 4, "comm") == 0;
}

static bool
is_listed(const struct cp_redaction *x, const struct cp_tp_event *e,
    const struct cp_tp_field *f)
{
	char name[300];

	snprintf(name, sizeof(name), "%s:%s.%s", e->system, e->name, f->name);
	return cp_patterns_fit(&x->names->policy->fields, name);
}

static uint64_t
hash_of(const struct cp_tp_event *e, const struct cp_tp_field *f)
{
	uint64_t event = cp_mix(cp_hash_bytes(e->system, strlen(e->system)),
	    cp_hash_bytes(e->name, strlen(e->name)));

	return cp_mix(event, cp_hash_bytes(f->name, strlen(f->name)));
}

/* The patterns are asked once for each field, not for each sample. */
static bool
is_kept(struct cp_redaction *x, const struct cp_tp_event *e,
    const struct cp_tp_field *f)
{
	enum { NO = 1, YES = 2 };
	uint32_t *known;

	if (strncmp(f->name, "common_", 7) == 0)
		return true;
	if (f->kind != CP_TP_SCALAR)
		return false;
	known = cp_map64_put(&x->is_kept, hash_of(e, f));
	if (*known == 0)
		*known = is_listed(x, e, f) ? YES : NO;
	return *known == YES;
}

/* Notes a removed text, for which the output is searched. */
static void
drop_text(struct cp_redaction *x, const struct text *t)
{
	if (t->n != 0 && t->n < MAX_DROPPED)
		cp_redact_seek(x->names, stored(x, t));
}

/* The place of a text is kept, so that readers find only zeros there. */
static void
put_text(struct cp_redaction *x, const struct cp_tp_field *f,
    const struct cp_event *ev, uint8_t *to, bool comms)
{
	struct text t;

	if (!get_text(f, ev, &t))
		return;
	if (f->kind != CP_TP_CHARS)
		memcpy(to + f->offset, ev->u.sample.raw + f->offset, f->size);
	if (comms && is_comm(f))
		put_other(&t,
		    cp_redact_name(x->names, CP_REDACT_COMM, stored(x, &t)), ev,
		    to);
	else
		drop_text(x, &t);
}

static void
put_fields(struct cp_redaction *x, const struct cp_evsel_info *e,
    const struct cp_event *ev, uint8_t *to)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	bool kept = cp_redact_event_kept(x->names, e);

	for (uint32_t i = 0; i < e->tp->n_fields; i++) {
		const struct cp_tp_field *f = &e->tp->fields[i];

		if (f->offset > s->raw_size ||
		    f->size > s->raw_size - f->offset)
			continue;
		if (is_kept(x, e->tp, f))
			memcpy(to + f->offset, s->raw + f->offset, f->size);
		else
			put_text(x, f, ev, to, kept);
	}
}

/* The off-CPU program's payload is a sample: see readers/record. */
static size_t
offcpu_size(const struct cp_ev_sample *s)
{
	return CP_MIN((size_t)s->raw_size, 8 + 8 + 8 + 8 * (size_t)s->nr + 8);
}

static void
blank_payload(struct cp_redaction *x, const struct cp_evsel_info *e,
    const struct cp_event *ev, uint8_t *copy)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	uint8_t *to = copy + (s->raw - ev->bytes);

	memset(to, 0, s->raw_size);
	if (e->offcpu)
		memcpy(to, s->raw, offcpu_size(s));
	else if (e->pub.type == CP_TYPE_TRACEPOINT && e->tp != NULL)
		put_fields(x, e, ev, to);
	x->names->count[CP_REDACT_PAYLOAD].dropped++;
}

/*
 * A text of a payload that is kept.  A field that is not called so can have the
 * name of a thread, too.
 */
static const char *
kept_text(struct cp_redaction *x, const struct cp_tp_field *f, const char *text)
{
	struct cp_redact *r = x->names;

	if (r->policy->how[CP_REDACT_COMM] != CP_REDACT_KEEP &&
	    text[0] != '\0' &&
	    (is_comm(f) || cp_redact_is_known(r, CP_REDACT_COMM, text)))
		return cp_redact_name(r, CP_REDACT_COMM, text);
	return cp_redact_text(r, text);
}

static void
clean_payload(struct cp_redaction *x, const struct cp_evsel_info *e,
    const struct cp_event *ev, uint8_t *payload)
{
	for (uint32_t i = 0; i < e->tp->n_fields; i++) {
		const struct cp_tp_field *f = &e->tp->fields[i];
		const char *old, *text;
		struct text t;

		if (!get_text(f, ev, &t))
			continue;
		old = stored(x, &t);
		text = kept_text(x, f, old);
		if (strcmp(text, old) != 0 || is_comm(f))
			put_other(&t, text, ev, payload);
	}
}

/* Where the layout is not known or is hidden, names cannot be found. */
static void
redact_payload(struct cp_redaction *x, const struct cp_evsel_info *e,
    const struct cp_event *ev, uint8_t *copy)
{
	const struct cp_policy *p = x->names->policy;
	bool tracepoint = e->pub.type == CP_TYPE_TRACEPOINT;
	bool known = e->tp != NULL && cp_redact_event_kept(x->names, e);

	if (p->how[CP_REDACT_PAYLOAD] != CP_REDACT_KEEP ||
	    (tracepoint && !known && p->how[CP_REDACT_COMM] != CP_REDACT_KEEP))
		blank_payload(x, e, ev, copy);
	else if (tracepoint && known)
		clean_payload(x, e, ev, copy + (ev->u.sample.raw - ev->bytes));
}

/* ------------------------------------------------------------- other bytes */

static void
blank(const struct cp_event *ev, uint8_t *copy, const uint8_t *at, uint64_t n)
{
	if (at != NULL)
		memset(copy + (at - ev->bytes), 0, (size_t)n);
}

static void
blank_address(const struct cp_evsel_info *e, struct cp_event *ev, uint8_t *copy)
{
	if (e->at[CP_HEAD_ADDR] == CP_ABSENT)
		return;
	memset(copy + CP_HEAD_SIZE + e->at[CP_HEAD_ADDR], 0, 8);
	ev->u.sample.addr = 0;
}

/*
 * The physical address follows the registers, and three more words follow, and
 * then fields that are not known, which the writer leaves out.
 */
static void
blank_physical(
    const struct cp_evsel_info *e, const struct cp_event *ev, uint8_t *copy)
{
	uint64_t st = e->attr.sample_type;
	size_t after = 8;

	if ((st & CP_SAMPLE_PHYS_ADDR) == 0)
		return;
	after += (st & CP_SAMPLE_CGROUP) != 0 ? 8 : 0;
	after += (st & CP_SAMPLE_DATA_PAGE_SIZE) != 0 ? 8 : 0;
	after += (st & CP_SAMPLE_CODE_PAGE_SIZE) != 0 ? 8 : 0;
	after +=
	    (st & CP_SAMPLE_AUX) != 0 ? 8 + (size_t)ev->u.sample.aux_size : 0;
	after += ev->slack;
	if (after <= ev->size - CP_HEAD_SIZE)
		memset(copy + ev->size - after, 0, 8);
}

/*
 * Blanks bytes of the stack that were not copied: they hold leftover memory of
 * the kernel.
 */
static void
blank_stack(const struct cp_event *ev, uint8_t *copy)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	if (s->user_stack != NULL && s->user_stack_size < s->user_stack_granted)
		blank(ev, copy, s->user_stack + s->user_stack_size,
		    s->user_stack_granted - s->user_stack_size);
}

bool
cp_redact_sample(struct cp_redaction *x, struct cp_event *ev)
{
	const struct cp_policy *p = x->names->policy;
	const struct cp_ev_sample *s = &ev->u.sample;
	const struct cp_evsel_info *e;
	uint8_t *copy;

	if (ev->evsel >= x->src->rec->evsels.all.len)
		return true; /* the writer leaves it out */
	e = x->src->rec->evsels.all.data[ev->evsel];
	cp_buf_reset(&x->scratch);
	cp_buf_add(&x->scratch, ev->bytes, ev->size);
	copy = (uint8_t *)x->scratch.data;
	if (s->raw != NULL)
		redact_payload(x, e, ev, copy);
	if (p->how[CP_REDACT_STACK] != CP_REDACT_KEEP) {
		x->names->count[CP_REDACT_STACK].dropped +=
		    s->user_stack != NULL || s->intr_regs != NULL ||
		    s->aux != NULL;
		blank(ev, copy, s->intr_regs,
		    8 * (uint64_t)__builtin_popcountll(s->intr_mask));
		blank(ev, copy, s->aux, s->aux_size);
		blank_stack(ev, copy);
	}
	if (p->how[CP_REDACT_ADDRESS] != CP_REDACT_KEEP) {
		blank_address(e, ev, copy);
		blank_physical(e, ev, copy);
	}
	cp_redact_addresses(x, e, ev, copy);
	/* The writer may look at counters, branches and raw data again. */
	if (s->read != NULL)
		ev->u.sample.read = copy + (s->read - ev->bytes);
	if (s->raw != NULL)
		ev->u.sample.raw = copy + (s->raw - ev->bytes);
	if (s->branch != NULL)
		ev->u.sample.branch = copy + (s->branch - ev->bytes);
	ev->bytes = copy;
	return true;
}
