/* SPDX-License-Identifier: MIT */
/*
 * event: copies of events that outlive the reader's window.
 *
 * One block holds the event and everything it points to.  A first run with at
 * == NULL measures the size, a second one copies.
 */
#include "model/event.h"

#include "base/mem.h"

struct packer {
	uint8_t *at; /* NULL: only measures */
	size_t used;
};

static const void *
pack(struct packer *p, const void *data, size_t n)
{
	void *to = NULL;

	if (data == NULL)
		return NULL;
	if (p->at != NULL)
		to = memcpy(p->at + p->used, data, n);
	p->used += cp_align8(n + 8); /* room for a NUL; keeps words aligned */
	return to;
}

static const char *
pack_text(struct packer *p, const char *s)
{
	return s != NULL ? pack(p, s, strlen(s) + 1) : NULL;
}

static void
pack_sample(struct packer *p, struct cp_ev_sample *s)
{
	s->ips = NULL; /* the chain is kept as an id */
	s->nr = 0;
	s->aux = NULL;
	s->aux_size = 0;
	s->raw = pack(p, s->raw, s->raw_size);
	s->read = pack(p, s->read, s->read_size);
	s->branch = pack(p, s->branch, (size_t)s->branch_nr * 24);
	s->user_stack = pack(p, s->user_stack, (size_t)s->user_stack_size);
	if (s->user_regs != NULL)
		s->user_regs = pack(p, s->user_regs,
		    8 * (size_t)__builtin_popcountll(s->user_mask));
	if (s->intr_regs != NULL)
		s->intr_regs = pack(p, s->intr_regs,
		    8 * (size_t)__builtin_popcountll(s->intr_mask));
}

static void
pack_pointers(struct packer *p, struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_SAMPLE: pack_sample(p, &ev->u.sample); break;
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2:
		ev->u.mmap.filename = pack_text(p, ev->u.mmap.filename);
		break;
	case CP_RECORD_COMM:
		ev->u.comm.comm = pack_text(p, ev->u.comm.comm);
		break;
	case CP_RECORD_KSYMBOL:
		ev->u.ksymbol.name = pack_text(p, ev->u.ksymbol.name);
		break;
	case CP_RECORD_CGROUP:
		ev->u.cgroup.path = pack_text(p, ev->u.cgroup.path);
		break;
	case CP_RECORD_CALLCHAIN_DEFERRED:
		ev->u.deferred.ips =
		    pack(p, ev->u.deferred.ips, (size_t)ev->u.deferred.nr * 8);
		break;
	default: break;
	}
}

size_t
cp_event_copy_size(const struct cp_event *ev)
{
	struct packer p = { 0 };
	struct cp_event head = *ev;

	pack_pointers(&p, &head);
	return sizeof(*ev) + p.used;
}

void
cp_event_copy_to(struct cp_event *copy, const struct cp_event *ev, size_t n)
{
	struct packer p = { .at = (uint8_t *)(copy + 1) };

	*copy = *ev;
	copy->copied = (uint32_t)n;
	copy->bytes = NULL;
	pack_pointers(&p, copy);
}

struct cp_event *
cp_event_copy(const struct cp_event *ev)
{
	size_t n = cp_event_copy_size(ev);
	struct cp_event *copy = cp_xmalloc(n);

	cp_event_copy_to(copy, ev, n);
	return copy;
}
