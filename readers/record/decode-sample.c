/* SPDX-License-Identifier: MIT */
/*
 * decode-sample: PERF_RECORD_SAMPLE by its event's sample_type.
 *
 * The order of the fields is the kernel's, which is not that of the bits.
 * Needs the event table; knows nothing of threads or maps.
 */
#include "base/limits.h"
#include "readers/record/decode.h"
#include "readers/record/plain.h"

static const struct cp_evsel_info *
sample_evsel(const struct cp_evsels *e, struct cp_bytes *b, struct cp_event *ev)
{
	const struct cp_evsel_info *found;
	size_t at;

	if (e->all.len == 0)
		return NULL;
	/* With a single event no id is needed (perf does the same). */
	if (e->sample_id_at < 0 || e->all.len == 1)
		return e->all.data[0];
	at = (size_t)e->sample_id_at * 8;
	if (cp_bytes_left(b) < at + 8) {
		b->failed = true;
		return NULL;
	}
	ev->id = cp_load64(b->at + at, b->swap);
	found = cp_evsels_find(e, ev->id);
	if (CP_UNLIKELY(found == NULL))
		return ev->id == 0 ? e->all.data[0] : e->lost_ids;
	return found;
}

static void
sample_read(struct cp_bytes *b, uint64_t format, struct cp_ev_sample *s)
{
	s->read = b->at;
	cp_decode_counters(b, format);
	s->read_size = (uint32_t)(b->at - s->read);
}

/*
 * Returns the chain in host order, in place if it is aligned and in host order.
 */
static const uint64_t *
words_at(const struct cp_evsels *e, const uint8_t *p, size_t n, bool swap)
{
	if (!swap && (uintptr_t)p % sizeof(uint64_t) == 0)
		return (const void *)p;
	for (size_t i = 0; i < n; i++)
		e->scratch[i] = cp_load64(p + 8 * i, swap);
	return e->scratch;
}

static void
sample_chain(
    const struct cp_evsels *e, struct cp_bytes *b, struct cp_ev_sample *s)
{
	uint64_t nr = cp_bytes_u64(b);
	const uint8_t *p;

	if (nr > CP_MAX_CHAIN) {
		b->failed = true;
		return;
	}
	p = cp_bytes_take(b, (size_t)nr * 8);
	if (p == NULL)
		return;
	s->nr = nr;
	s->ips = words_at(e, p, (size_t)nr, b->swap);
}

/*
 * Entries have 24 bytes; counters, if asked for, are one word each after them.
 */
static void
sample_branches(struct cp_bytes *b, uint64_t type, struct cp_ev_sample *s)
{
	uint64_t nr = cp_bytes_u64(b);

	s->branch_hw_idx = UINT64_MAX;
	if (type >> CP_BRANCH_HW_INDEX & 1)
		s->branch_hw_idx = cp_bytes_u64(b);
	if (nr > cp_bytes_left(b) / 24) {
		b->failed = true;
		return;
	}
	s->branch_nr = nr;
	s->branch = cp_bytes_take(b, (size_t)nr * 24);
	if (type >> CP_BRANCH_COUNTERS & 1)
		cp_bytes_take(b, (size_t)nr * 8);
}

static const uint8_t *
sample_regs(struct cp_bytes *b, uint64_t mask, uint64_t *abi)
{
	*abi = cp_bytes_u64(b);
	if (*abi == 0)
		return NULL;
	if (*abi > 2) { /* 1 and 2 exist: 32 and 64 bit */
		b->failed = true;
		return NULL;
	}
	return cp_bytes_take(b, 8 * (size_t)__builtin_popcountll(mask));
}

static void
sample_stack(struct cp_bytes *b, struct cp_ev_sample *s)
{
	uint64_t size = cp_bytes_u64(b), used;

	if (size == 0)
		return;
	if (size > cp_bytes_left(b)) {
		b->failed = true;
		return;
	}
	s->user_stack = cp_bytes_take(b, (size_t)size);
	used = cp_bytes_u64(b);
	if (used > size)
		b->failed = true;
	s->user_stack_size = used;
	s->user_stack_granted = size;
}

static void
sample_raw(struct cp_bytes *b, struct cp_ev_sample *s)
{
	s->raw_size = cp_bytes_u32(b);
	s->raw = cp_bytes_take(b, s->raw_size);
}

static void
sample_aux(struct cp_bytes *b, struct cp_ev_sample *s)
{
	s->aux_size = cp_bytes_u64(b);
	if (s->aux_size > cp_bytes_left(b))
		b->failed = true;
	else
		s->aux = cp_bytes_take(b, (size_t)s->aux_size);
}

static void
sample_head(
    struct cp_bytes *b, const struct cp_evsel_info *e, struct cp_event *ev)
{
	const uint8_t *p = cp_bytes_take(b, e->head);
	struct cp_plain head;

	if (p == NULL)
		return;
	if (b->swap)
		cp_plain_head(p, e, true, &head);
	else
		cp_plain_head(p, e, false, &head);
	ev->id = head.id != 0 ? head.id : ev->id;
	ev->time = head.time;
	ev->pid = head.pid;
	ev->tid = head.tid;
	ev->cpu = head.cpu;
	ev->u.sample.ip = head.ip;
	ev->u.sample.addr = head.addr;
	ev->u.sample.period = head.period;
}

/* Reads the fields after the raw data. */
static void
sample_tail(struct cp_bytes *b, uint64_t st, const struct cp_attr *a,
    struct cp_ev_sample *s)
{
	if (st & CP_SAMPLE_BRANCH_STACK)
		sample_branches(b, a->branch_sample_type, s);
	if (st & CP_SAMPLE_REGS_USER)
		s->user_regs = sample_regs(b, a->regs_user, &s->user_abi);
	s->user_mask = a->regs_user;
	if (st & CP_SAMPLE_STACK_USER)
		sample_stack(b, s);
	if (st & (CP_SAMPLE_WEIGHT | CP_SAMPLE_WEIGHT_STRUCT))
		s->weight = cp_bytes_u64(b);
	if (st & CP_SAMPLE_DATA_SRC)
		s->data_src = cp_bytes_u64(b);
	if (st & CP_SAMPLE_TRANSACTION)
		s->transaction = cp_bytes_u64(b);
	if (st & CP_SAMPLE_REGS_INTR)
		s->intr_regs = sample_regs(b, a->regs_intr, &s->intr_abi);
	s->intr_mask = a->regs_intr;
	if (st & CP_SAMPLE_PHYS_ADDR)
		s->phys_addr = cp_bytes_u64(b);
	if (st & CP_SAMPLE_CGROUP)
		s->cgroup = cp_bytes_u64(b);
	if (st & CP_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cp_bytes_u64(b);
	if (st & CP_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cp_bytes_u64(b);
	if (st & CP_SAMPLE_AUX)
		sample_aux(b, s);
}

/*
 * Reads the raw data of perf's off-CPU BPF program: the task that was switched
 * in again, how long it was off the CPU, its stack, its cgroup.
 */
static void
sample_offcpu(const struct cp_evsels *e, bool swap, struct cp_event *ev)
{
	struct cp_ev_sample *s = &ev->u.sample;
	struct cp_bytes b;

	b = cp_bytes_of(s->raw, s->raw_size, swap);
	ev->pid = cp_bytes_u32(&b);
	ev->tid = cp_bytes_u32(&b);
	s->period = cp_bytes_u64(&b);
	sample_chain(e, &b, s);
	s->cgroup = cp_bytes_u64(&b);
	/* The first word is a marker: user frames follow. */
	s->ip = !b.failed && s->nr > 1 ? s->ips[1] : 0;
	if (b.failed)
		s->nr = 0;
}

enum {
	TAIL =
	    CP_SAMPLE_BRANCH_STACK | CP_SAMPLE_REGS_USER |
	    CP_SAMPLE_STACK_USER | CP_SAMPLE_WEIGHT | CP_SAMPLE_WEIGHT_STRUCT |
	    CP_SAMPLE_DATA_SRC | CP_SAMPLE_TRANSACTION | CP_SAMPLE_REGS_INTR |
	    CP_SAMPLE_PHYS_ADDR | CP_SAMPLE_CGROUP | CP_SAMPLE_DATA_PAGE_SIZE |
	    CP_SAMPLE_CODE_PAGE_SIZE | CP_SAMPLE_AUX
};

enum cp_decoded
cp_decode_sample(
    const struct cp_evsels *e, struct cp_bytes *b, struct cp_event *ev)
{
	const struct cp_evsel_info *evsel = sample_evsel(e, b, ev);
	const struct cp_attr *a;
	uint64_t st;

	ev->u.sample = (struct cp_ev_sample){ 0 };
	ev->evsel = CP_NO_ID;
	if (evsel == NULL)
		return b->failed ? CP_DECODED_BAD : CP_DECODED_LOOSE;
	a = &evsel->attr;
	st = a->sample_type;
	ev->evsel = evsel->pub.index;
	sample_head(b, evsel, ev);
	if (st & CP_SAMPLE_READ)
		sample_read(b, a->read_format, &ev->u.sample);
	if (st & CP_SAMPLE_CALLCHAIN)
		sample_chain(e, b, &ev->u.sample);
	if (st & CP_SAMPLE_RAW)
		sample_raw(b, &ev->u.sample);
	if (st & TAIL)
		sample_tail(b, st, a, &ev->u.sample);
	if (b->failed)
		return CP_DECODED_BAD;
	if (evsel->offcpu)
		sample_offcpu(e, b->swap, ev);
	ev->slack = (uint32_t)cp_bytes_left(b);
	if (st & ~(uint64_t)CP_SAMPLE_KNOWN) /* newer fields */
		return CP_DECODED_LOOSE;
	return cp_decode_end(b, 1);
}

void
cp_sample_places(const struct cp_evsel_info *evsel, const struct cp_event *ev,
    struct cp_sample_places *out)
{
	const struct cp_attr *a = &evsel->attr;
	struct cp_bytes b = cp_bytes_of(ev->bytes, ev->size, ev->swap);
	struct cp_ev_sample s;
	uint64_t st = a->sample_type;

	cp_bytes_take(&b, CP_HEAD_SIZE + (size_t)evsel->head);
	if (st & CP_SAMPLE_READ)
		sample_read(&b, a->read_format, &s);
	out->chain = (size_t)(b.at - ev->bytes);
	if (st & CP_SAMPLE_CALLCHAIN)
		cp_bytes_take(&b, (size_t)cp_bytes_u64(&b) * 8);
	out->behind_chain = (size_t)(b.at - ev->bytes);
	if (st & CP_SAMPLE_RAW)
		sample_raw(&b, &s);
	if (st & CP_SAMPLE_BRANCH_STACK)
		sample_branches(&b, a->branch_sample_type, &s);
	out->user = (size_t)(b.at - ev->bytes);
	if (st & CP_SAMPLE_REGS_USER)
		sample_regs(&b, a->regs_user, &s.user_abi);
	if (st & CP_SAMPLE_STACK_USER)
		sample_stack(&b, &s);
	out->behind_user = (size_t)(b.at - ev->bytes);
}
