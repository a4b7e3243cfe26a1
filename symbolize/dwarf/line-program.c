/* SPDX-License-Identifier: MIT */
/*
 * Runs a line program once for all requested addresses, which are sorted.
 *
 * No table of rows is built: a cursor in the addresses moves along with the
 * program.
 */
#include "symbolize/dwarf/line.h"

/* The registers of the program; a row is a copy of them. */
struct state {
	uint64_t address;
	uint32_t file, line, column;
};

/* The effect of a special opcode. */
struct advance {
	uint32_t address;
	int32_t line;
};

struct machine {
	struct dw_lines *lines;
	const uint64_t *addr; /* requested addresses */
	size_t n, cursor;
	size_t left;   /* addresses without a row so far */
	uint64_t next; /* the address at the cursor; UINT64_MAX at the end */
	struct dw_row *out;
	struct state now, last; /* the current row, and the last one emitted */
	/* within a sequence; within one that the linker dropped */
	bool running, dead;
	struct advance advance[256]; /* indexed by special opcode */
};

static void
seek(struct machine *m, uint64_t addr)
{
	size_t lo = 0, hi = m->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->addr[mid] < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	m->cursor = lo;
	m->next = lo < m->n ? m->addr[lo] : UINT64_MAX;
}

/* Assigns the last row to all addresses below the new row's address. */
static void
assign(struct machine *m)
{
	while (m->cursor < m->n && m->addr[m->cursor] < m->now.address) {
		struct dw_row *row = &m->out[m->cursor++];

		if (m->dead || row->found)
			continue;
		*row = (struct dw_row){ m->last.file, m->last.line,
			m->last.column, true };
		m->left--;
	}
	m->next = m->cursor < m->n ? m->addr[m->cursor] : UINT64_MAX;
}

static void
start_sequence(struct machine *m)
{
	m->dead = !dw_range_is_real(&m->lines->as, m->now.address, UINT64_MAX);
	m->running = true;
	seek(m, m->now.address);
}

/*
 * Handles a row that begins a sequence, or that ends the row of a requested
 * address.  All other rows need no work.
 */
static void
emit(struct machine *m)
{
	/* Rows must ascend; a descending one begins a new sequence. */
	if (!m->running || m->now.address < m->last.address)
		start_sequence(m);
	else if (m->now.address > m->next)
		assign(m);
	m->last = m->now;
}

static void
reset(struct machine *m)
{
	m->now = (struct state){ .file = 1, .line = 1 };
	/* Makes the next row begin a sequence. */
	m->last.address = UINT64_MAX;
	m->running = false;
}

static void
end_sequence(struct machine *m)
{
	if (m->running && m->now.address > m->last.address)
		assign(m);
	reset(m);
}

static void
define_file(struct machine *m, struct cp_bytes *b)
{
	struct dw_line_file f = { 0 };

	f.name.form = DW_FORM_string;
	f.name.s = cp_bytes_str(b);
	f.dir = cp_bytes_uleb(b);
	if (!b->failed && m->lines->files.len < CP_MAX_LINE_FILES)
		*cp_vec_push(&m->lines->files) = f;
}

static void
extended(struct machine *m, struct cp_bytes *b)
{
	uint64_t n = cp_bytes_uleb(b);
	const uint8_t *in = cp_bytes_take(b, (size_t)n);
	struct cp_bytes x;

	if (n == 0)
		m->lines->as.file->dwarf->damaged = true;
	if (in == NULL || n == 0)
		return;
	x = cp_bytes_of(in, (size_t)n, b->swap);
	switch (cp_bytes_u8(&x)) {
	case DW_LNE_end_sequence: end_sequence(m); break;
	case DW_LNE_set_address:
		m->now.address = dw_word(&x, (unsigned)CP_MIN(n - 1, 255));
		break;
	case DW_LNE_define_file: define_file(m, &x); break;
	}
}

static void
standard(struct machine *m, struct cp_bytes *b, uint8_t op)
{
	struct state *now = &m->now;

	switch (op) {
	case DW_LNS_copy: emit(m); break;
	case DW_LNS_advance_pc:
		now->address += cp_bytes_uleb(b) * m->lines->min_inst;
		break;
	case DW_LNS_advance_line:
		now->line += (uint32_t)cp_bytes_sleb(b);
		break;
	case DW_LNS_set_file: now->file = (uint32_t)cp_bytes_uleb(b); break;
	case DW_LNS_set_column: now->column = (uint32_t)cp_bytes_uleb(b); break;
	case DW_LNS_const_add_pc:
		now->address += m->advance[255].address;
		break;
	case DW_LNS_fixed_advance_pc: now->address += cp_bytes_u16(b); break;
	default:
		for (unsigned i = 0; i < m->lines->operands[op]; i++)
			cp_bytes_uleb(b);
	}
}

/* Reads a SLEB128 of one or two bytes.  False if it is longer. */
static inline bool
short_sleb(const uint8_t **at, const uint8_t *end, uint32_t *out)
{
	const uint8_t *p = *at;

	if (end - p < 2)
		return false;
	if (p[0] < 0x80) {
		*out = (uint32_t)((int32_t)((uint32_t)p[0] << 25) >> 25);
		*at += 1;
		return true;
	}
	*out = (uint32_t)((int32_t)(((uint32_t)p[1] << 7 | (p[0] & 0x7fu))
				    << 18) >>
			  18);
	*at += 2;
	return p[1] < 0x80;
}

/*
 * Runs the few instructions that make up nearly all of a program, with the
 * state in registers.  Stops before any other instruction.
 */
static void
run_usual(struct machine *m, struct cp_bytes *b)
{
	const uint8_t *at = b->at, *end = b->end, *before = at;
	const uint8_t base = m->lines->opcode_base;
	struct state now = m->now, last = m->last;
	uint32_t v;

	for (; at < end; before = at) {
		uint8_t op = *at++;

		if (op >= base) {
			now.address += m->advance[op].address;
			now.line += (uint32_t)m->advance[op].line;
		} else if (op == DW_LNS_set_column && at < end && *at < 0x80) {
			now.column = *at++;
			continue;
		} else if (op == DW_LNS_advance_line &&
			   short_sleb(&at, end, &v)) {
			now.line += v;
			continue;
		} else if (op == DW_LNS_negate_stmt &&
			   m->lines->operands[op] == 0) {
			continue;
		} else if (op != DW_LNS_copy) {
			break;
		}
		if (CP_UNLIKELY(
			now.address > m->next || now.address < last.address)) {
			m->now = now;
			m->last = last;
			emit(m);
		}
		last = now;
	}
	m->now = now;
	m->last = last;
	b->at = before;
}

static void
prepare(struct machine *m)
{
	const struct dw_lines *l = m->lines;

	for (unsigned op = l->opcode_base; op < 256; op++) {
		unsigned a = op - l->opcode_base;

		m->advance[op].address = a / l->line_range * l->min_inst;
		m->advance[op].line =
		    l->line_base + (int32_t)(a % l->line_range);
	}
	reset(m);
}

void
dw_lines_rows(
    struct dw_unit *u, const uint64_t *addr, size_t n, struct dw_row *out)
{
	struct machine m = { .addr = addr, .n = n, .left = n, .out = out };
	struct cp_bytes b;

	memset(out, 0, n * sizeof(*out));
	m.lines = dw_lines_of(u);
	if (m.lines == NULL)
		return;
	prepare(&m);
	b = m.lines->program;
	if (!dw_spend(u->file->dwarf, cp_bytes_left(&b)))
		return;
	while (b.at < b.end && m.left != 0) {
		uint8_t op;

		run_usual(&m, &b);
		if (b.at == b.end)
			break;
		op = *b.at++;
		if (op == 0)
			extended(&m, &b);
		else
			standard(&m, &b, op);
	}
	u->file->dwarf->damaged |= b.failed;
}
