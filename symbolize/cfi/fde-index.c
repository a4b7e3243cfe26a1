/* SPDX-License-Identifier: MIT */
/*
 * Finds the FDE of an address.
 *
 * The linker's search table (.eh_frame_hdr) is trusted for a hit only if the
 * FDE it points to covers the address, and for a miss only if the whole table
 * is sorted.  Otherwise, and for .debug_frame, all entries are indexed once.
 */
#include "symbolize/cfi/fde-index.h"

#include "base/limits.h"
#include "symbolize/cfi/fde.h"

enum { TABLE_ENCODING = 0x3b }; /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */

void
cp_cfi_table_init(struct cp_cfi *c, const struct cp_elf *elf)
{
	const struct cp_elf_section *sec = cp_elf_section(elf, ".eh_frame_hdr");
	struct cp_cfi_section hdr = { .bytes = cp_elf_bytes(elf, sec),
		.wide = elf->wide };
	struct cp_bytes b = hdr.bytes;
	uint8_t frame, count, table;
	uint64_t n;

	c->table = (struct cp_bytes){ .failed = true };
	if (sec == NULL || b.failed || cp_bytes_u8(&b) != 1)
		return;
	hdr.addr = hdr.data = sec->addr;
	frame = cp_bytes_u8(&b);
	count = cp_bytes_u8(&b);
	table = cp_bytes_u8(&b);
	(void)cp_cfi_pointer(&hdr, &b, frame, elf->wide ? 8 : 4);
	n = cp_cfi_pointer(&hdr, &b, count, elf->wide ? 8 : 4);
	if (b.failed || table != TABLE_ENCODING || n == 0 ||
	    n > cp_bytes_left(&b) / 8)
		return;
	c->table = b;
	c->table_len = (size_t)n;
	c->table_addr = sec->addr;
}

static int32_t
table_start(const struct cp_cfi *c, size_t i)
{
	return (int32_t)cp_load32(c->table.at + 8 * i, c->table.swap);
}

static bool
table_trusted(struct cp_cfi *c)
{
	if (c->table_checked)
		return c->table_sorted;
	c->table_checked = true;
	c->table_sorted = true;
	for (size_t i = 1; i < c->table_len && c->table_sorted; i++)
		c->table_sorted = table_start(c, i - 1) <= table_start(c, i);
	return c->table_sorted;
}

/*
 * A search table with tens of thousands of entries exceeds the fast caches.  So
 * every 32nd entry is copied, and most steps of a search stay in the copy.
 */
enum { EACH = 32 };

static void
samples_make(struct cp_cfi *c)
{
	size_t n = (c->table_len + EACH - 1) / EACH;

	c->some = cp_xcalloc(n, sizeof(*c->some));
	for (size_t i = 0; i < n; i++)
		c->some[i] = table_start(c, i * EACH);
}

/*
 * Binary search: the last entry with start <= want.  Entry 0 always qualifies.
 */
static size_t
table_search(const struct cp_cfi *c, int64_t want)
{
	size_t lo = 0, n = (c->table_len + EACH - 1) / EACH, half;

	for (; n > 1; n -= half) {
		half = n / 2;
		lo = c->some[lo + half] <= want ? lo + half : lo;
	}
	lo *= EACH;
	for (n = CP_MIN(c->table_len - lo, EACH); n > 1; n -= half) {
		half = n / 2;
		lo = table_start(c, lo + half) <= want ? lo + half : lo;
	}
	return lo;
}

bool
cp_cfi_table_entry(struct cp_cfi *c, uint64_t addr, struct cp_cfi_entry *e)
{
	int64_t want = (int64_t)(addr - c->table_addr);
	int32_t to;
	size_t i;

	if (c->table_len == 0 || want > INT32_MAX || want < table_start(c, 0))
		return false;
	if (c->some == NULL)
		samples_make(c);
	i = table_search(c, want);
	to = (int32_t)cp_load32(c->table.at + 8 * i + 4, c->table.swap);
	e->at = c->table_addr + (uint64_t)(int64_t)to - c->eh.addr;
	e->from = c->table_addr + (uint64_t)(int64_t)table_start(c, i);
	e->to = i + 1 == c->table_len
		    ? UINT64_MAX
		    : c->table_addr + (uint64_t)(int64_t)table_start(c, i + 1);
	e->alone = table_trusted(c);
	return true;
}

bool
cp_cfi_entry_fde(struct cp_cfi *c, const struct cp_cfi_entry *e, uint64_t addr,
    struct cp_cfi_fde *f)
{
	return cp_cfi_fde_at(&c->eh, e->at, f) && addr >= f->start &&
	       addr < f->end;
}

static bool
table_find(struct cp_cfi *c, uint64_t addr, struct cp_cfi_fde *f)
{
	struct cp_cfi_entry e;

	return cp_cfi_table_entry(c, addr, &e) &&
	       cp_cfi_entry_fde(c, &e, addr, f);
}

/* ---------------------------------------------------------- our own index */

static int
by_start(const void *a, const void *b)
{
	const struct cp_cfi_place *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static void
index_make(struct cp_cfi_section *s)
{
	uint64_t at = 0;
	bool cie, sorted = true;

	s->indexed = true;
	while (!s->bytes.failed && s->index.len < CP_MAX_FDES) {
		struct cp_cfi_place p = { .at = at };
		struct cp_cfi_fde f;

		if (!cp_cfi_next(s, &at, &cie))
			break;
		if (cie || !cp_cfi_fde_at(s, p.at, &f) || f.start == f.end)
			continue;
		p.start = f.start;
		sorted &= s->index.len == 0 ||
			  s->index.data[s->index.len - 1].start <= p.start;
		*cp_vec_push(&s->index) = p;
	}
	if (!sorted)
		qsort(s->index.data, s->index.len, sizeof(*s->index.data),
		    by_start);
}

/* Some tables have an entry twice, one of them too short: tries neighbours. */
enum { NEIGHBOURS = 4 };

static bool
index_find(struct cp_cfi_section *s, uint64_t addr, struct cp_cfi_fde *f)
{
	size_t lo = 0, hi;

	if (s->bytes.failed)
		return false;
	if (!s->indexed)
		index_make(s);
	hi = s->index.len;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->index.data[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t i = 0; i < NEIGHBOURS && lo > 0; i++, lo--)
		if (cp_cfi_fde_at(s, s->index.data[lo - 1].at, f) &&
		    addr >= f->start && addr < f->end)
			return true;
	return false;
}

static bool
find(struct cp_cfi *c, uint64_t addr, struct cp_cfi_fde *f)
{
	if (!c->eh.bytes.failed) {
		if (table_find(c, addr, f))
			return true;
		if ((c->table_len == 0 || !table_trusted(c)) &&
		    index_find(&c->eh, addr, f))
			return true;
	}
	return index_find(&c->debug[0], addr, f) ||
	       index_find(&c->debug[1], addr, f);
}

bool
cp_cfi_find(struct cp_cfi *c, uint64_t addr, struct cp_cfi_fde *f)
{
	if (c->found.end == 0 || c->found_for != addr) {
		c->found_for = addr;
		if (!find(c, addr, &c->found))
			c->found.end = 0;
	}
	*f = c->found;
	return f->end != 0;
}
