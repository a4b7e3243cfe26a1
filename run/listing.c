/* SPDX-License-Identifier: MIT */
/*
 * listing: disassembles functions.  Each instruction gets its jump target, its
 * source lines, and their text.
 */
#include "run/api.h"

#include "base/buf.h"
#include "base/redact/names.h"
#include "symbolize/code/code.h"
#include "symbolize/code/source-text.h"

struct lister {
	struct cp_run *run;
	const struct cp_symbol *symbol;
	const struct cp_dso_info *dso;
	struct cp_code_bytes code;
	struct cp_disasm *disasm;
	cp_code_marks marks;  /* ranges of data within the code */
	size_t mark;          /* the next mark */
	bool data;            /* the bytes up to the next mark are data */
	const uint64_t *addr; /* addresses that must be among the entries */
	size_t n, next;
	CP_VEC(struct cp_instruction) out;
	struct cp_buf text;
};

/* ------------------------------------------------------------------ code */

static const struct cp_jit_load *
jit_load_of(const struct cp_run *run, const struct cp_dso_info *d,
    uint64_t addr, struct cp_jit **out)
{
	for (size_t i = 0; i < run->session.jits.len; i++) {
		struct cp_jit *j = run->session.jits.data[i];

		*out = j;
		for (size_t k = 0; j->dso == d && k < j->loads.len; k++) {
			const struct cp_jit_load *l = &j->loads.data[k];

			if (addr >= l->offset &&
			    addr - l->offset < l->end - l->start)
				return l;
		}
	}
	return NULL;
}

/*
 * Takes the machine of the capture for dumps of CPython, which do not name
 * theirs.
 */
static void
settle_jit(struct lister *l)
{
	static const struct {
		const char *arch;
		uint16_t machine; /* ELF machine number */
	} known[] = { { "x86_64", 62 }, { "aarch64", 183 }, { "riscv64", 243 },
		{ "ppc64le", 21 }, { "s390x", 22 } };
	const char *arch = cp_run_fact(l->run, "arch");
	struct cp_jit *j;
	const struct cp_jit_load *load =
	    jit_load_of(l->run, l->dso, l->symbol->start, &j);

	for (size_t i = 0; arch != NULL && l->code.machine.machine == 0 &&
			   i < CP_ARRAY_LEN(known);
	     i++)
		if (strcmp(arch, known[i].arch) == 0)
			l->code.machine.machine = known[i].machine;
	if (load != NULL)
		l->code.shown = load->start + (l->symbol->start - load->offset);
}

/* Code made at run time has constants of the process, as its memory has. */
static bool
is_hidden(const struct lister *l)
{
	return !cp_run_shows_code(l->run, l->symbol->dso) ||
	       (l->dso->pub.kind == CP_DSO_JIT && !cp_run_shows_source(l->run));
}

/* Gets the code of the function; false: *why says why there is none. */
static bool
get_code(struct lister *l, unsigned flags, const char **why)
{
	uint64_t size = l->symbol->end > l->symbol->start
			    ? l->symbol->end - l->symbol->start
			    : 0;
	size_t room =
	    CP_MIN(CP_MAX_CODE - l->run->code_bytes, (size_t)CP_MAX_FUNCTION);

	if (l->dso == NULL) {
		*why = "its object is not known";
		return false;
	}
	if (is_hidden(l)) {
		*why = "the policy of --redact hides it";
		return false;
	}
	if (size > room) {
		if ((flags & CP_CODE_QUIET) == 0)
			cp_diag(l->run->diags, CP_D_LIMIT, "%s: %.60s",
			    room < CP_MAX_FUNCTION ? "CP_MAX_CODE"
						   : "CP_MAX_FUNCTION",
			    l->symbol->name);
		size = room;
	}
	*why = size == 0 ? "it has no size, or a limit was reached" : NULL;
	if (size == 0)
		return false;
	l->run->code_bytes += (size_t)size;
	l->code = cp_symbols_code(
	    cp_run_symbols(l->run), l->dso, l->symbol->start, (size_t)size);
	if (l->code.data != NULL && l->dso->pub.kind == CP_DSO_JIT)
		settle_jit(l);
	if (l->code.data != NULL)
		l->disasm = cp_disasm_open(
		    &l->code.machine, (flags & CP_CODE_INTEL) != 0, why);
	else
		*why = l->code.why;
	return l->disasm != NULL;
}

/* --------------------------------------------------------------- targets */

/* Converts a jump target to an address that has a name now. */
static bool
target_addr(struct lister *l, uint64_t target, uint64_t *addr)
{
	const struct cp_jit_load *here, *there;
	struct cp_jit *j;

	if (cp_code_addr(&l->code, l->dso, l->symbol->start, target, addr))
		return true;
	if (l->dso->pub.kind != CP_DSO_JIT)
		return false;
	here = jit_load_of(l->run, l->dso, l->symbol->start, &j);
	there = here != NULL ? cp_jit_find(j, target) : NULL;
	if (there != NULL)
		*addr = there->offset + (target - there->start);
	return there != NULL;
}

static void
put_target(struct lister *l, const struct cp_insn *in)
{
	bool inside = in->target - l->code.shown < l->code.size;
	const struct cp_symbol *to = NULL;
	uint64_t addr;

	/* Calls of an unloaded module have no target yet. */
	if (l->code.relocatable && (in->is_call || !inside)) {
		cp_buf_str(&l->text, "(relocated)");
		return;
	}
	cp_buf_printf(&l->text, "0x%" PRIx64, in->target);
	if (target_addr(l, in->target, &addr))
		cp_symbols_names(cp_run_symbols(l->run), l->dso, &addr, 1, &to);
	to = cp_run_shown(l->run, to);
	if (to == NULL)
		return;
	cp_buf_printf(&l->text, " <%s", to->name);
	if (addr > to->start)
		cp_buf_printf(&l->text, "+0x%" PRIx64, addr - to->start);
	cp_buf_char(&l->text, '>');
}

/* ---------------------------------------------------------------- entries */

static uint64_t
shown_at(struct lister *l, uint64_t addr)
{
	uint64_t shown = addr;

	if (l->code.data != NULL)
		return l->code.shown + (addr - l->symbol->start);
	if (l->dso != NULL)
		(void)cp_symbols_vaddr(
		    cp_run_symbols(l->run), l->dso, addr, &shown);
	return shown;
}

/*
 * Adds entries for the addresses before `end` at which no instruction starts.
 */
static void
put_others(struct lister *l, uint64_t end, const char *text)
{
	for (; l->next < l->n && l->addr[l->next] < end; l->next++) {
		uint64_t a = l->addr[l->next];

		if (l->out.len != 0 && l->out.data[l->out.len - 1].addr == a)
			continue;
		*cp_vec_push(&l->out) = (struct cp_instruction){
			.addr = a, .shown = shown_at(l, a), .text = text
		};
	}
}

static void
put_instruction(struct lister *l, const struct cp_insn *in)
{
	uint64_t a = l->symbol->start + (in->addr - l->code.shown);

	put_others(l, a, "(before the function)");
	cp_buf_reset(&l->text);
	cp_buf_str(&l->text, in->text);
	if (in->has_target)
		put_target(l, in);
	*cp_vec_push(&l->out) = (struct cp_instruction){ .addr = a,
		.shown = in->addr,
		.size = in->size,
		.text = cp_arena_strndup(
		    &l->run->arena, cp_buf_text(&l->text), l->text.len) };
	if (l->next < l->n && l->addr[l->next] == a)
		l->next++;
	put_others(l, a + in->size, "(inside the instruction above)");
}

/*
 * Returns the number of bytes up to the next mark, and whether they are data.
 */
static size_t
span_at(struct lister *l, size_t at)
{
	uint64_t here = l->code.shown + at, end = here + l->code.size - at;

	for (; l->mark < l->marks.len && l->marks.data[l->mark].shown <= here;
	     l->mark++) {
		l->data = l->marks.data[l->mark].kind == 'd';
		if (!l->data)
			cp_disasm_thumb(
			    l->disasm, l->marks.data[l->mark].kind == 't');
	}
	if (l->mark < l->marks.len)
		end = CP_MIN(end, l->marks.data[l->mark].shown);
	return (size_t)(end - here);
}

static void
put_code(struct lister *l)
{
	struct cp_insn in;

	cp_code_marks_of(cp_run_symbols(l->run), l->dso, &l->code, &l->marks);
	for (size_t at = 0; at < l->code.size; at += in.size) {
		size_t left = span_at(l, at);

		(l->data ? cp_disasm_data : cp_disasm_next)(l->disasm,
		    l->code.data + at, left, l->code.shown + at, &in);
		put_instruction(l, &in);
	}
}

/* Looks up the lines of all entries in one batch. */
static void
put_spots(struct lister *l)
{
	size_t n = l->out.len;
	CP_CLEANUP(cp_cleanup_free)
	uint64_t *addr = cp_xcalloc(n + 1, sizeof(*addr));
	CP_CLEANUP(cp_cleanup_free)
	struct cp_spots *spots = cp_xcalloc(n + 1, sizeof(*spots));
	struct cp_inlines q = {
		.dso = l->dso, .addr = addr, .n = n, .out = spots, .fresh = true
	};

	if (l->run->options->inlines == CP_INLINE_NO || l->dso == NULL)
		return;
	for (size_t i = 0; i < n; i++)
		addr[i] = l->out.data[i].addr;
	cp_symbols_inlines(cp_run_symbols(l->run), &q, 1, false);
	for (size_t i = 0; i < n; i++) {
		spots[i] = cp_run_shown_spots(l->run, l->symbol->dso, spots[i]);
		l->out.data[i].spots = spots[i].at;
		l->out.data[i].n_spots = spots[i].n;
	}
}

static struct cp_code
keep(struct lister *l, const char *why)
{
	size_t n = l->out.len;
	struct cp_instruction *at =
	    cp_arena_alloc(&l->run->arena, (n + 1) * sizeof(*at));

	if (n != 0)
		memcpy(at, l->out.data, n * sizeof(*at));
	return (struct cp_code){ .at = at, .n = n, .why = why };
}

/*
 * A page leaves out functions whose code is not at hand.  But where Capstone is
 * missing, no function has any, and that is said once.
 */
static void
tell_why(struct lister *l, unsigned flags, const char *why)
{
	struct cp_run *run = l->run;

	if ((flags & CP_CODE_QUIET) == 0)
		cp_diag(run->diags, CP_D_NO_CODE, "%.60s: %s", l->symbol->name,
		    why);
	else if (l->code.data != NULL && !run->told_no_disasm &&
		 !cp_disasm_installed()) {
		cp_diag(run->diags, CP_D_NO_CODE, "all functions: %s", why);
		run->told_no_disasm = true;
	}
}

struct cp_code
cp_run_code(struct cp_run *run, const struct cp_symbol *symbol, unsigned flags,
    const uint64_t *addr, size_t n)
{
	struct lister l = { .run = run,
		.symbol = symbol,
		.dso = cp_dsos_at(&run->session.dsos, symbol->dso),
		.addr = addr,
		.n = n };
	struct cp_code c;
	const char *why;

	cp_buf_init(&l.text, CP_MAX_DEMANGLED + 256);
	if (get_code(&l, flags, &why))
		put_code(&l);
	else
		tell_why(&l, flags, why);
	put_others(&l, UINT64_MAX, NULL);
	put_spots(&l);
	c = keep(&l, why);
	cp_disasm_free(l.disasm);
	cp_code_bytes_free(&l.code);
	cp_vec_free(&l.marks);
	cp_vec_free(&l.out);
	cp_buf_free(&l.text);
	return c;
}

struct cp_listing
cp_run_listing(struct cp_run *run, uint32_t dso, const char *file)
{
	const struct cp_redact *r = run->options->redact;
	const struct cp_srcfile *f;

	if (!cp_run_shows_source(run))
		return (struct cp_listing){
			.check = "left out by the policy of --redact"
		};
	f = cp_symbols_source(cp_run_symbols(run),
	    cp_dsos_at(&run->session.dsos, dso),
	    r != NULL ? cp_redact_recorded(r, file) : file);

	return (struct cp_listing){ .path = cp_run_shown_path(run, f->path),
		.check = f->check,
		.line = f->line,
		.lines = f->lines,
		.source = (uint8_t)f->source,
		.trust = (uint8_t)f->trust };
}
