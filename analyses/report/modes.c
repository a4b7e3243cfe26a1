/* SPDX-License-Identifier: MIT */
/*
 * What the CPUs did: user code, kernel, interrupts, idle, guests.  The record
 * tells user, kernel and guest; names of the kernel's functions on the stack
 * tell interrupts, task 0 tells idle.
 */
#include "analyses/report/report.h"

#include <string.h>

#include "analyses/common/event.h"

enum mode { USER, KERNEL, INTERRUPT, IDLE, GUEST, OTHER, MODES };

static const char *const words[MODES] = { "user", "kernel", "interrupts",
	"idle", "guest", "not known" };

struct cp_modes {
	struct cp_run *run;
	struct cp_tally *at; /* event and mode, stack: of the kernel */
	struct cp_mass (*plain)[MODES]; /* by event: of all others */
	uint32_t n_plain;
	uint8_t *kind; /* enum kind by frame */
	uint32_t n_kinds;
};

struct cp_modes *
cp_modes_new(struct cp_run *run)
{
	struct cp_modes *m = cp_run_alloc(run, sizeof(*m));

	m->run = run;
	m->at = cp_tally_new(run);
	return m;
}

static enum mode
mode_at(enum cp_level level, bool idle)
{
	switch (level) {
	case CP_LEVEL_USER: return USER;
	case CP_LEVEL_KERNEL: return idle ? IDLE : KERNEL;
	case CP_LEVEL_GUEST_KERNEL:
	case CP_LEVEL_GUEST_USER: return GUEST;
	case CP_LEVEL_HYPERVISOR:
	case CP_LEVEL_UNKNOWN: break;
	}
	return OTHER;
}

/* Only the kernel's stacks are looked at. */
void
cp_modes_sample(struct cp_modes *m, const struct cp_sample *s)
{
	enum mode mode = mode_at((enum cp_level)s->level, s->pid == 0);
	struct cp_mass *mass;

	if (mode == KERNEL || mode == IDLE) {
		cp_tally_add(
		    m->at, (uint64_t)s->event << 8 | mode, s->stack, s->weight);
		return;
	}
	cp_grow_to(m->run, m->plain, &m->n_plain, s->event);
	mass = &m->plain[s->event][mode];
	mass->weight += s->weight;
	mass->weight_sq += (double)s->weight * (double)s->weight;
}

/* Is it a function by which an interrupt enters the kernel? */
static bool
is_entry(const char *name)
{
	static const char *const entries[] = { "asm_common_interrupt",
		"asm_sysvec_", "sysvec_", "common_interrupt", "__irq_exit_rcu",
		"irq_exit_rcu", "handle_softirqs", "__do_softirq", "do_softirq",
		"smp_apic_timer_interrupt", "apic_timer_interrupt",
		"gic_handle_irq", "el1h_64_irq", "el0t_64_irq", "do_IRQ",
		"asm_exc_nmi", "handle_irq_event", "__handle_irq_event_percpu",
		"generic_handle_arch_irq" };

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (strncmp(name, entries[i], strlen(entries[i])) == 0)
			return true;
	return false;
}

enum kind { NEW, OF_USER, ENTRY, PLAIN };

static enum kind
kind_of(const struct cp_run *run, cp_frame_id id)
{
	const struct cp_symbol *sym = cp_frame_symbol(run, id);

	if (cp_frame_get(run, id)->level == CP_LEVEL_USER)
		return OF_USER;
	return sym != NULL && is_entry(sym->name) ? ENTRY : PLAIN;
}

/*
 * A kernel thread runs soft interrupts as its own work.  Stacks share frames,
 * so the name of each frame is compared once.
 */
static bool
is_interrupt(struct cp_modes *m, cp_stack_id stack)
{
	enum kind kind = PLAIN;

	for (; stack != 0 && kind == PLAIN;
	     stack = cp_stack_parent(m->run, stack)) {
		cp_frame_id id = cp_stack_frame(m->run, stack);

		cp_grow_to(m->run, m->kind, &m->n_kinds, id);
		if (m->kind[id] == NEW)
			m->kind[id] = (uint8_t)kind_of(m->run, id);
		kind = m->kind[id];
	}
	return kind == ENTRY;
}

void
cp_modes_idle(struct cp_modes *m, uint32_t event, const struct cp_sums *s,
    uint64_t *by_entity)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(m->at, &rows);

	for (size_t i = 0; i < n; i++)
		if (rows[i].a == ((uint64_t)event << 8 | IDLE) &&
		    !is_interrupt(m, (cp_stack_id)rows[i].b))
			by_entity[s->entity[s->paths.at[rows[i].b]]] +=
			    rows[i].weight;
}

static void
add(struct cp_mass *m, const struct cp_tally_row *row)
{
	m->weight += row->weight;
	m->weight_sq += row->weight_sq;
}

/* ------------------------------------------------------- how sure they are */

struct sought {
	struct cp_modes *m;
	const struct cp_modes_of *of;
	uint8_t *interrupt; /* by stack: 0: not known yet, 1: no, 2: yes */
	enum mode mode;
};

static bool
interrupts(const struct sought *w, cp_stack_id stack)
{
	uint8_t *known = &w->interrupt[stack];

	if (*known == 0)
		*known = is_interrupt(w->m, stack) ? 2 : 1;
	return *known == 2;
}

static bool
has_mode(const void *ctx, const struct cp_seen *seen)
{
	const struct sought *w = ctx;
	const struct cp_run *run = w->m->run;
	cp_frame_id f = cp_stack_frame(run, seen->stack);
	uint64_t pid = w->of->threads->all[seen->group].v[CP_BY_PID];
	enum mode mode = OTHER;

	if (f != 0)
		mode = mode_at(
		    (enum cp_level)cp_frame_get(run, f)->level, pid == 0);
	if ((mode == KERNEL || mode == IDLE) && interrupts(w, seen->stack))
		mode = INTERRUPT;
	return mode == w->mode;
}

/* ----------------------------------------------------------------- showing */

static void
sum(struct cp_modes *m, uint32_t event, struct cp_mass mode[MODES])
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(m->at, &rows);

	if (event < m->n_plain)
		memcpy(mode, m->plain[event], sizeof(m->plain[event]));
	for (size_t i = 0; i < n; i++) {
		enum mode at = (enum mode)(rows[i].a & 0xff);

		if (rows[i].a >> 8 != event)
			continue;
		if ((at == KERNEL || at == IDLE) &&
		    is_interrupt(m, (cp_stack_id)rows[i].b))
			at = INTERRUPT;
		add(&mode[at], &rows[i]);
	}
}

void
cp_modes_show(struct cp_modes *m, const struct cp_modes_of *of,
    struct cp_accounts *a, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_TEXT("Mode") };
	struct cp_account x = { .of = cp_event_name(m->run, of->event) };
	struct cp_mass mode[MODES] = { 0 };
	struct cp_percent share[MODES] = { { 0, 0, 0 } };
	struct cp_table *t;
	struct sought w = { m, of, cp_run_alloc(m->run, cp_stack_count(m->run)),
		USER };

	if (cp_event_user_only(cp_run_evsel(m->run, of->event))) {
		x.name = CP_A_USER_ONLY;
		if (a != NULL)
			cp_accounts_add(a, &x);
		return;
	}
	sum(m, of->event, mode);
	t = cp_report_table(rep, "modes", "What CPUs did", CP_COLUMNS(columns));
	for (int i = 0; i < MODES; i++) {
		struct cp_whole whole;

		w.mode = (enum mode)i;
		if (mode[i].weight == 0)
			continue;
		whole = cp_precision_whole(of->view, of->all, has_mode, &w);
		share[i] = cp_percent_of(mode[i], whole);
		cp_table_add(t, cp_cell_share(mode[i], whole), words[i]);
	}
	if (a == NULL)
		return;
	x.name = CP_A_KERNEL;
	x.share = share[KERNEL];
	cp_accounts_add(a, &x);
	x.name = CP_A_INTERRUPTS;
	x.share = share[INTERRUPT];
	cp_accounts_add(a, &x);
}
