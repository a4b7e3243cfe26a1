/* SPDX-License-Identifier: MIT */
/*
 * Runs a line program once, and gives sorted addresses the rows that they
 * fall in.  No table of rows is made: a cursor in the addresses goes along.
 */
#include "symbolize/dwarf-line.h"

struct machine {
	struct dw_lines *lines;
	const uint64_t *addr; /* asked for */
	size_t n, cursor;
	uint64_t next; /* the address at the cursor; the highest at the end */
	struct dw_row *out;
	struct dw_row row, last; /* to be emitted; emitted before */
	uint64_t address, last_address;
	bool running, dead; /* in a sequence; in one that was dropped */
	uint32_t advance[256]; /* by special opcode */
	int32_t line_advance[256];
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

/* Addresses below that of the new row are in the last one. */
static void
assign(struct machine *m)
{
	while (m->cursor < m->n && m->addr[m->cursor] < m->address) {
		if (!m->dead && !m->out[m->cursor].found) {
			m->out[m->cursor] = m->last;
			m->out[m->cursor].found = true;
		}
		m->cursor++;
	}
	m->next = m->cursor < m->n ? m->addr[m->cursor] : UINT64_MAX;
}

static void
start_sequence(struct machine *m)
{
	m->dead = !dw_range_is_real(&m->lines->as, m->address, UINT64_MAX);
	m->running = true;
	seek(m, m->address);
}

static inline void
emit(struct machine *m)
{
	/* Rows should ascend; where they do not, begin anew. */
	if (CP_UNLIKELY(!m->running || m->address < m->last_address))
		start_sequence(m);
	else if (CP_UNLIKELY(m->address > m->next))
		assign(m);
	m->last = m->row;
	m->last_address = m->address;
}

static void
reset(struct machine *m)
{
	m->row = (struct dw_row){ .file = 1, .line = 1 };
	m->address = 0;
	m->running = false;
}

static void
end_sequence(struct machine *m)
{
	if (m->running && m->address > m->last_address)
		assign(m);
	reset(m);
}

static void
define_file(struct machine *m, struct cp_bytes *b)
{
	struct dw_line_file f = { 0 };

	f.name.form = DW_FORM_string;
	f.name.s = cp_bytes_str(b);
	f.dir = dw_uleb(b);
	if (!b->failed && m->lines->files.len < CP_MAX_LINE_FILES)
		*cp_vec_push(&m->lines->files) = f;
}

static void
extended(struct machine *m, struct cp_bytes *b)
{
	uint64_t n = dw_uleb(b);
	const uint8_t *in = cp_bytes_take(b, (size_t)n);
	struct cp_bytes x;

	if (in == NULL || n == 0)
		return;
	x = cp_bytes_of(in, (size_t)n, b->swap);
	switch (cp_bytes_u8(&x)) {
	case DW_LNE_end_sequence: end_sequence(m); break;
	case DW_LNE_set_address:
		m->address = dw_word(&x, (unsigned)CP_MIN(n - 1, 255));
		break;
	case DW_LNE_define_file: define_file(m, &x); break;
	}
}

static void
standard(struct machine *m, struct cp_bytes *b, uint8_t op)
{
	switch (op) {
	case DW_LNS_copy: emit(m); break;
	case DW_LNS_advance_pc:
		m->address += dw_uleb(b) * m->lines->min_inst;
		break;
	case DW_LNS_advance_line:
		m->row.line += (uint32_t)dw_sleb(b);
		break;
	case DW_LNS_set_file: m->row.file = (uint32_t)dw_uleb(b); break;
	case DW_LNS_set_column: m->row.column = (uint32_t)dw_uleb(b); break;
	case DW_LNS_const_add_pc: m->address += m->advance[255]; break;
	case DW_LNS_fixed_advance_pc: m->address += cp_bytes_u16(b); break;
	default:
		for (unsigned i = 0; i < m->lines->operands[op]; i++)
			dw_uleb(b);
	}
}

static void
prepare(struct machine *m)
{
	const struct dw_lines *l = m->lines;

	for (unsigned op = l->opcode_base; op < 256; op++) {
		unsigned a = op - l->opcode_base;

		m->advance[op] = a / l->line_range * l->min_inst;
		m->line_advance[op] =
		    l->line_base + (int32_t)(a % l->line_range);
	}
	reset(m);
}

void
dw_lines_rows(struct dw_unit *u, const uint64_t *addr, size_t n,
    struct dw_row *out)
{
	struct machine m = { .addr = addr, .n = n, .out = out };
	struct cp_bytes b;

	memset(out, 0, n * sizeof(*out));
	m.lines = dw_lines_of(u);
	if (m.lines == NULL)
		return;
	prepare(&m);
	b = m.lines->program;
	if (!dw_spend(u->file->dwarf, cp_bytes_left(&b)))
		return;
	while (b.at < b.end) {
		uint8_t op = *b.at++;

		if (CP_LIKELY(op >= m.lines->opcode_base)) {
			m.address += m.advance[op];
			m.row.line += (uint32_t)m.line_advance[op];
			emit(&m);
		} else if (op == 0) {
			extended(&m, &b);
		} else {
			standard(&m, &b, op);
		}
	}
}
