/* SPDX-License-Identifier: MIT */
/*
 * addresses: what is no address of code becomes one constant: of instruction
 * pointers, call chains and branches.  Of registers only the link register can
 * be one.
 */
#include "readers/redact/state.h"

#include "model/callchain.h"
#include "readers/record-head.h"
#include "readers/record/decode.h"

/* ---------------------------------------------------------------- learning */

/*
 * A kernel whose address is hidden would be everywhere.  That of a 32-bit
 * machine, and its modules, are in the upper half.
 */
static void
learn_kernel(struct cp_redact_code *c, uint64_t start, uint64_t n)
{
	const uint64_t most = UINT64_C(1) << 32, modules = 0x7f000000;
	uint64_t end = n > UINT64_MAX - start ? UINT64_MAX : start + n;

	if (start < most)
		end = CP_MIN(end, most);
	if (start == 0)
		start = modules;
	cp_redact_code_add(c, CP_REDACT_KERNEL, start, end);
}

void
cp_redact_code_learn(struct cp_redact_code *c, const struct cp_event *ev)
{
	const struct cp_ev_mmap *m = &ev->u.mmap;
	const struct cp_ev_task *t = &ev->u.task;
	enum cp_level level = ev->misc & CP_MISC_CPUMODE;

	switch (ev->type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2:
		if (level == CP_LEVEL_KERNEL) {
			learn_kernel(c, m->addr, m->len);
		} else if (level < CP_LEVEL_GUEST_KERNEL &&
			   cp_mmap_is_code(ev)) {
			cp_redact_code_add(
			    c, m->pid, m->addr, m->addr + m->len);
		}
		break;
	case CP_RECORD_FORK:
		if (t->pid != t->ppid && (ev->misc & CP_MISC_SYNTH_FORK) == 0)
			cp_redact_code_fork(c, t->pid, t->ppid);
		break;
	default: break;
	}
}

/* -------------------------------------------------------------- judgement */

/*
 * The kernel's half of the addresses, of machines whose kernel has one.  No
 * text of UTF-8 ends with these bytes.
 */
static bool
is_in_kernel(struct cp_redact_code *c, uint64_t ip)
{
	return ip >> 56 == 0xff || ip >> 52 == 0xc00 || ip >> 52 == 0xd00 ||
	       ip >> 52 == 0x900 || cp_redact_code_has(c, CP_REDACT_KERNEL, ip);
}

/* The kernel's page for all processes, on x86 and on arm, is in no record. */
static bool
is_in_process(struct cp_redact_code *c, uint32_t pid, uint64_t ip)
{
	const uint64_t vsyscall = UINT64_C(0xffffffffff600), kuser = 0xffff0;

	return ip >> 12 == vsyscall || ip >> 12 == kuser ||
	       cp_redact_code_has(c, pid, ip);
}

static bool
is_code(
    struct cp_redact_code *c, enum cp_level level, uint32_t pid, uint64_t ip)
{
	switch (level) {
	case CP_LEVEL_USER: return is_in_process(c, pid, ip);
	case CP_LEVEL_KERNEL:
	case CP_LEVEL_HYPERVISOR:
	case CP_LEVEL_GUEST_KERNEL: return is_in_kernel(c, ip);
	case CP_LEVEL_UNKNOWN:
		return is_in_process(c, pid, ip) || is_in_kernel(c, ip);
	default: return false;
	}
}

static uint64_t
kept(struct cp_redaction *x, enum cp_level level, uint32_t pid, uint64_t ip)
{
	if (ip == cp_no_code(ip) || is_code(x->names->code, level, pid, ip))
		return ip;
	x->names->count[CP_REDACT_STACK].changed++;
	return cp_no_code(ip);
}

/* ------------------------------------------------------------------ places */

static void
store64(uint8_t *p, uint64_t v, bool swap)
{
	v = swap ? __builtin_bswap64(v) : v;
	memcpy(p, &v, sizeof(v));
}

/*
 * A chain of n words; without a marker perf takes it for a user's.  The last
 * word may be the number of a user part that comes later.
 */
static void
chain(struct cp_redaction *x, uint32_t pid, uint8_t *at, uint64_t n, bool swap)
{
	enum cp_level level = CP_LEVEL_USER;

	for (; n > 0; n--, at += 8) {
		uint64_t word = cp_load64(at, swap);

		if (word < CP_CONTEXT_MAX)
			store64(at, kept(x, level, pid, word), swap);
		else if (word == CP_CONTEXT_USER_DEFERRED && n == 2)
			break;
		else if (!cp_marker_level(word, &level))
			level = word == CP_CONTEXT_GUEST_KERNEL
				    ? CP_LEVEL_GUEST_KERNEL
				    : CP_LEVEL_GUEST_USER;
	}
}

/* Source and target; of neither is it known whose code it is. */
static void
branches(struct cp_redaction *x, const struct cp_event *ev, uint8_t *copy)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	for (uint64_t i = 0; s->branch != NULL && i < 3 * s->branch_nr; i++) {
		uint8_t *at = copy + (s->branch - ev->bytes) + 8 * i;
		uint64_t ip = cp_load64(at, ev->swap);

		if (i % 3 != 2 && ip != 0)
			store64(at, kept(x, CP_LEVEL_UNKNOWN, ev->pid, ip),
			    ev->swap);
	}
}

/*
 * Registers without a stack are of no use, but for arm64's link register, the
 * caller that a chain lacks.
 */
static void
registers(struct cp_redaction *x, const struct cp_event *ev, uint8_t *copy)
{
	enum { LINK = 30 };
	const struct cp_ev_sample *s = &ev->u.sample;
	uint8_t *at;

	if (s->user_regs == NULL || s->user_stack != NULL)
		return;
	at = copy + (s->user_regs - ev->bytes);
	for (unsigned r = 0; r < 64; r++) {
		if ((s->user_mask >> r & 1) == 0)
			continue;
		store64(at,
		    r == LINK ? kept(x, CP_LEVEL_USER, ev->pid,
				    cp_load64(at, ev->swap))
			      : 0,
		    ev->swap);
		at += 8;
	}
}

void
cp_redact_addresses(struct cp_redaction *x, const struct cp_evsel_info *e,
    struct cp_event *ev, uint8_t *copy)
{
	enum { IN_RAW = 24 }; /* pid, tid, period, length of the chain */
	struct cp_ev_sample *s = &ev->u.sample;
	enum cp_level level = ev->misc & CP_MISC_CPUMODE;
	struct cp_sample_places at;

	if (x->names->code == NULL)
		return;
	cp_sample_places(e, ev, &at);
	if (at.behind_chain > at.chain)
		chain(x, ev->pid, copy + at.chain + 8,
		    (at.behind_chain - at.chain) / 8 - 1, ev->swap);
	if (e->at[CP_HEAD_IP] != CP_ABSENT) {
		uint8_t *ip = copy + CP_HEAD_SIZE + e->at[CP_HEAD_IP];

		store64(ip, kept(x, level, ev->pid, cp_load64(ip, ev->swap)),
		    ev->swap);
		if (!e->offcpu)
			s->ip = cp_load64(ip, ev->swap);
	}
	if (e->offcpu && s->nr != 0) {
		uint8_t *words = copy + (s->raw - ev->bytes) + IN_RAW;

		chain(x, ev->pid, words, s->nr, ev->swap);
		if (s->nr > 1)
			s->ip = cp_load64(words + 8, ev->swap);
	}
	branches(x, ev, copy);
	registers(x, ev, copy);
}

void
cp_redact_deferred(struct cp_redaction *x, struct cp_event *ev)
{
	enum { WORDS = CP_HEAD_SIZE + 16 }; /* behind cookie and count */
	uint8_t *copy;

	if (x->names->code == NULL)
		return;
	cp_buf_reset(&x->scratch);
	cp_buf_add(&x->scratch, ev->bytes, ev->size);
	copy = (uint8_t *)x->scratch.data;
	chain(x, ev->pid, copy + WORDS, ev->u.deferred.nr, ev->swap);
	ev->bytes = copy;
}
