/* SPDX-License-Identifier: MIT */
#include "analyses/pairs/begun.h"

#include <string.h>

#include "analyses/common/label.h"

#define HEADS 65536u

void
cp_begun_init(struct cp_begun_set *b, struct cp_run *run, size_t size)
{
	*b = (struct cp_begun_set){ .run = run, .size = size };
	b->heads = cp_run_alloc(run, HEADS * sizeof(*b->heads));
}

uint32_t *
cp_begun_head(const struct cp_begun_set *b, const uint64_t *key)
{
	uint64_t h = 0;

	for (unsigned i = 0; i < CP_BEGUN_KEY; i++)
		h = (h ^ key[i] ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15);
	return &b->heads[(h >> 40) % HEADS];
}

uint32_t
cp_begun_new(struct cp_begun_set *b, const void *record)
{
	uint32_t i = b->unused;

	if (i != 0) {
		b->unused = ((struct cp_begun *)cp_begun_at(b, i))->next;
	} else {
		if (b->n >= b->cap)
			b->all =
			    cp_grown(b->run, b->all, &b->cap, b->n, b->size);
		i = ++b->n;
	}
	memcpy(cp_begun_at(b, i), record, b->size);
	b->live++;
	return i;
}

void
cp_begun_link(struct cp_begun_set *b, uint32_t i)
{
	struct cp_begun *r = cp_begun_at(b, i);
	uint32_t *head = cp_begun_head(b, r->key);

	r->next = *head;
	*head = i;
}

uint32_t *
cp_begun_find(const struct cp_begun_set *b, const uint64_t *key, bool oldest)
{
	uint32_t *found = NULL, looked = 0, *at = cp_begun_head(b, key);

	while (*at != 0 && looked++ < CP_BEGUN_LOOKED) {
		struct cp_begun *r = cp_begun_at(b, *at);

		if (memcmp(r->key, key, sizeof(r->key)) == 0) {
			found = at;
			if (!oldest)
				break;
		}
		at = &r->next;
	}
	return found;
}

uint32_t *
cp_begun_from(const struct cp_begun_set *b, uint32_t *hash)
{
	while (*hash < HEADS && b->heads[*hash] == 0)
		++*hash;
	return *hash < HEADS ? &b->heads[*hash] : NULL;
}

uint32_t
cp_begun_unlink(struct cp_begun_set *b, uint32_t *at)
{
	uint32_t i = *at;

	*at = ((struct cp_begun *)cp_begun_at(b, i))->next;
	return i;
}

void
cp_begun_free(struct cp_begun_set *b, uint32_t i)
{
	((struct cp_begun *)cp_begun_at(b, i))->next = b->unused;
	b->unused = i;
	b->live--;
}

void
cp_pair_rows_init(struct cp_pair_rows *r, struct cp_run *run)
{
	*r = (struct cp_pair_rows){ .run = run };
	cp_index_init(&r->by, run);
}

uint32_t
cp_pair_rows_put(struct cp_pair_rows *r, uint64_t a, uint64_t b)
{
	uint32_t i = cp_index_put(&r->by, a, b);

	cp_grow_to(r->run, r->all, &r->cap, i);
	return i;
}

void
cp_pair_off_add(struct cp_pair_off *to, const struct cp_pair_off *from)
{
	to->ready += from->ready;
	to->blocked += from->blocked;
	to->unknown += from->unknown;
}

void
cp_pair_row_add(
    struct cp_run *run, struct cp_pair_row *to, const struct cp_pair_row *from)
{
	cp_quantiles_merge(run, &to->took, &from->took);
	to->self += from->self;
	to->begun += from->begun;
	to->errors += from->errors;
	to->bytes += from->bytes;
	to->open += from->open;
	cp_pair_off_add(&to->off, &from->off);
}

struct cp_pair_row *
cp_pair_rows_add(struct cp_pair_rows *r, uint64_t a, uint64_t b,
    const struct cp_pair_row *from)
{
	uint32_t i = cp_pair_rows_put(r, a, b);

	cp_pair_row_add(r->run, &r->all[i], from);
	return &r->all[i];
}

void
cp_pair_rows_note(const struct cp_pair_rows *r, struct cp_report *rep)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < r->by.n; i++)
		n += r->all[i].took.n;
	cp_quantiles_note(rep, n);
}

uint32_t
cp_slowest_put(struct cp_slowest *s, uint64_t ns)
{
	uint32_t i, slot;

	if (!cp_slowest_takes(s, ns))
		return CP_NO_ID;
	slot = s->n < CP_SLOWEST ? s->n++ : s->at[CP_SLOWEST - 1].slot;
	for (i = s->n - 1; i > 0 && s->at[i - 1].ns < ns; i--)
		s->at[i] = s->at[i - 1];
	s->at[i].ns = ns;
	s->at[i].slot = slot;
	return slot;
}

void
cp_pair_raw_keep(struct cp_pair_raw *raw, const struct cp_sample *s)
{
	uint32_t size = s->raw != NULL ? s->raw_size : 0;

	raw->evsel = s->evsel;
	raw->size = (uint8_t)(size < CP_PAIR_RAW ? size : CP_PAIR_RAW);
	if (raw->size != 0)
		memcpy(raw->bytes, s->raw, raw->size);
}

cp_string_id
cp_pair_raw_text(struct cp_run *run, const struct cp_pair_raw *raw,
    const struct cp_sample *of)
{
	struct cp_sample begin = *of;
	const char *text;
	size_t n;

	begin.evsel = raw->evsel;
	begin.raw = raw->bytes;
	begin.raw_size = raw->size;
	text = raw->size != 0 ? cp_sample_payload(run, &begin, &n) : NULL;
	return text != NULL ? cp_run_intern(run, text) : 0;
}

void
cp_pair_notes(struct cp_report *rep, const struct cp_pair_note *notes, size_t n)
{
	struct cp_word word;

	for (size_t i = 0; i < n; i++)
		if (notes[i].n != 0)
			cp_report_note(rep, "%s: %s; %s", notes[i].what,
			    cp_word_count(&word, notes[i].n), notes[i].then);
}
