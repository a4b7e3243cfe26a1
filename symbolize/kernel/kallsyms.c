/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "symbolize/kernel/kallsyms.h"

#include "base/elf.h"
#include "base/limits.h"
#include "symbolize/kernel/kallsyms-line.h"

static size_t
blank_in(const char *s, const char *end)
{
	const char *b = memchr(s, '\t', (size_t)(end - s));

	if (b == NULL)
		b = memchr(s, ' ', (size_t)(end - s));
	return b != NULL ? (size_t)(b - s) : 0;
}

/* Ends name and module with NULs. */
static bool
split_module(char *name, const char *end)
{
	char *s = name + blank_in(name, end), *module;

	if (s == name)
		return false;
	*s++ = '\0';
	module = s + strspn(s, " \t");
	if (module != s)
		memmove(s, module, strlen(module) + 1);
	s[strcspn(s, " \t")] = '\0';
	return s[0] == '[';
}

static void
parse_line(struct cp_kallsyms *k, char *line, const char *end)
{
	struct cp_entry e = { 0 };
	char *s = line + (cp_kline_address(line, &e.start) - line);
	char type;

	if (s == line || s[0] != ' ' || s[1] == '\0' || s[2] != ' ')
		return;
	type = s[1];
	if (!cp_kline_kept(type) || s[3] == ' ' || s[3] == '\t' ||
	    s[3] == '\0' || k->tab.all.len >= CP_MAX_SYMBOLS)
		return;
	e.end = e.start;
	e.name = s + 3;
	e.module = split_module(s + 3, end);
	type |= 0x20;
	e.type = type == 't' || type == 'w' ? STT_FUNC : STT_OBJECT;
	e.bind = type == 'w' ? STB_WEAK : s[1] == type ? STB_LOCAL : STB_GLOBAL;
	*cp_symtab_push(&k->tab) = e;
}

static void
parse_text(struct cp_kallsyms *k, char *s, char *end)
{
	while (s < end) {
		char *nl = memchr(s, '\n', (size_t)(end - s));

		if (nl == NULL)
			return; /* the line is cut, so its name may be too */
		*nl = '\0';
		parse_line(k, s, nl);
		s = nl + 1;
	}
}

/* ------------------------------------------------------------ whole text */

void
cp_kallsyms_whole(struct cp_kallsyms *k)
{
	if (k->whole)
		return;
	k->whole = true;
	k->cut = cp_xmalloc(k->text.size + 1);
	memcpy(k->cut, k->text.data, k->text.size);
	parse_text(k, k->cut, k->cut + k->text.size);
	cp_symtab_settle(&k->tab, CP_SETTLE_KALLSYMS);
	/* Choose names now: later the table is shared by workers. */
	for (size_t i = 0; i < k->tab.all.len; i++)
		cp_symtab_name(&k->tab, (uint32_t)i);
}

/* ------------------------------------------------------------- one glance */

/* Parses the line at s.  False: end of the text, or the line is cut. */
static bool
parse_other(const char *s, const char *end, struct cp_kline *l)
{
	const char *nl = memchr(s, '\n', (size_t)(end - s));

	if (nl != NULL)
		cp_kline_look(s, nl, l);
	return nl != NULL;
}

static inline bool
look_at(const char *s, const char *end, struct cp_kline *l)
{
	return CP_LIKELY(cp_kline_usual(s, end, l)) || parse_other(s, end, l);
}

static inline bool
is_etext(const struct cp_kline *l)
{
	static const char name[8] = " _etext";

	return l->end - l->kind == sizeof(name) &&
	       memcmp(l->kind + 1, name, sizeof(name) - 1) == 0;
}

/* True if split_module() will find a module. */
static bool
is_of_a_module(const struct cp_kline *l)
{
	const char *name = l->kind + 2;
	size_t n = blank_in(name, l->end);

	return n != 0 && name[n + strspn(name + n, " \t")] == '[';
}

/* Result of the first scan over all lines. */
struct glance {
	struct cp_kallsyms *k;
	uint64_t last; /* address of the kernel's last symbol so far */
	uint64_t any;  /* all address bits that occur */
	size_t kept;   /* number of symbols */
	bool modules;  /* symbols of modules have begun */
};

static void
glance_module(struct glance *g, const char *s, const struct cp_kline *l)
{
	if (!g->modules)
		g->k->kernel = (size_t)(s - (const char *)g->k->text.data);
	if (l->start <= g->last)
		g->k->orderly = false;
	g->modules = true;
}

static inline void
glance_kernel(struct glance *g, const char *s, const struct cp_kline *l)
{
	struct cp_kallsyms *k = g->k;

	if (CP_UNLIKELY(g->modules || l->start < g->last))
		k->orderly = false;
	g->last = l->start;
	if (g->kept % CP_KALLSYMS_STRIDE == 0)
		*cp_vec_push(&k->marks) =
		    (struct cp_kallsyms_mark){ .start = l->start,
			    .at = (uint32_t)(s - (const char *)k->text.data) };
}

static inline void
glance_line(
    struct glance *g, const char *s, const struct cp_kline *l, bool module)
{
	if (is_etext(l))
		g->k->text_end = l->start;
	if (!l->kept)
		return;
	if (module)
		glance_module(g, s, l);
	else
		glance_kernel(g, s, l);
	g->any |= l->start;
	g->kept++;
}

/* Scans a line of another form.  Returns the next line; NULL: it is cut. */
static const char *
glance_other(struct glance *g, const char *s, const char *end)
{
	struct cp_kline l;

	if (!parse_other(s, end, &l)) {
		g->k->damaged++;
		return NULL;
	}
	if (l.kind != NULL)
		glance_line(g, s, &l, is_of_a_module(&l));
	else if (*s != ' ' && *s != '\n') /* as nm shows what is undefined */
		g->k->damaged++;
	return l.end + 1;
}

/* Bytes that stay in memory behind the scan: few lines are asked for. */
#define GLANCED ((size_t)1 << 20)

static void
glance_all(struct glance *g, const char *s, const char *end)
{
	const char *kept = s;
	struct cp_kline l;

	while (s != NULL && s < end) {
		if (CP_UNLIKELY((size_t)(s - kept) > GLANCED)) {
			cp_content_unload(&g->k->text, kept, s);
			kept = s;
		}
		__builtin_prefetch(s + 1024);
		if (CP_UNLIKELY(!cp_kline_usual(s, end, &l))) {
			s = glance_other(g, s, end);
			continue;
		}
		glance_line(g, s, &l, false);
		s = l.end + 1;
	}
}

bool
cp_kallsyms_init(struct cp_kallsyms *k, struct cp_content text)
{
	const char *s = (const char *)text.data;
	struct glance g = { .k = k };

	*k = (struct cp_kallsyms){ .text = text,
		.kernel = text.size,
		.orderly = text.size <= UINT32_MAX };
	if (text.size != 0)
		glance_all(&g, s, s + text.size);
	k->orderly &= k->marks.len != 0 && g.kept <= CP_MAX_SYMBOLS;
	if (g.any == 0) {
		k->hidden = g.kept != 0;
		cp_kallsyms_free(k);
		return false;
	}
	return true;
}

void
cp_kallsyms_free(struct cp_kallsyms *k)
{
	cp_symtab_free(&k->tab);
	cp_vec_free(&k->marks);
	free(k->cut);
	k->cut = NULL;
	cp_content_free(&k->text);
}

static bool
is_of_module(const struct cp_entry *e, const char *module, size_t n)
{
	const char *m;

	if (module == NULL || !e->module)
		return module == NULL && !e->module;
	m = e->name + strlen(e->name) + 2;
	return strncmp(m, module, n) == 0 && m[n] == ']';
}

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') ||
	       ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* Searches the text, since the table drops aliases. */
uint64_t
cp_kallsyms_slide(
    const struct cp_kallsyms *k, const char *ref, uint64_t ref_addr)
{
	const char *text = (const char *)k->text.data, *hit, *s;
	size_t n = strlen(ref), left = k->text.size;
	uint64_t addr;

	for (hit = text; n != 0 && left > n; hit++) {
		hit = memmem(hit, left, ref, n);
		if (hit == NULL || left == 0)
			return 0;
		left = k->text.size - (size_t)(hit - text) - 1;
		if (left < n || strchr("\n\t ", hit[n]) == NULL ||
		    hit - text < 4 || hit[-1] != ' ' || hit[-3] != ' ')
			continue;
		for (s = hit - 3; s > text && is_hex(s[-1]);)
			s--;
		cp_kline_address(s, &addr);
		return ref_addr - addr;
	}
	return 0;
}

/* Borrows the kernel's symbols if they are contiguous: saves a copy. */
static bool
borrow_kernel(const struct cp_kallsyms *k, struct cp_symtab *t)
{
	const struct cp_entry *e = k->tab.all.data;
	size_t from = 0, to = k->tab.all.len;

	while (from < to && e[from].module)
		from++;
	while (to > from && e[to - 1].module)
		to--;
	for (size_t i = from; i < to; i++)
		if (e[i].module)
			return false;
	if (t->all.len != 0)
		return false;
	cp_symtab_borrow(t, &k->tab, from, to - from);
	return true;
}

void
cp_kallsyms_select(const struct cp_kallsyms *k, struct cp_symtab *t,
    const char *module, uint64_t base)
{
	size_t n;

	if (module == NULL && base == 0 && borrow_kernel(k, t))
		return;
	if (module != NULL && module[0] == '[')
		module++;
	n = module != NULL ? strcspn(module, "]") : 0;
	for (size_t i = 0; i < k->tab.all.len; i++) {
		const struct cp_entry *e = &k->tab.all.data[i];
		struct cp_entry *to;

		if (!is_of_module(e, module, n) ||
		    (module != NULL && e->start < base))
			continue;
		to = cp_symtab_push(t);
		*to = *e;
		to->start -= base;
		to->end -= base;
	}
	cp_symtab_settle(t, CP_SETTLE_ADDED);
}

/* ---------------------------------------------------------- what is asked */

/* A range of lines: [from, to). */
struct part {
	const char *from, *to;
	uint64_t next; /* address of the next symbol */
};

/*
 * Finds the lines to parse for `addr`: all aliases of the symbol that contains
 * it, and all aliases of the next symbol, which gives its end.  False if `addr`
 * is before the first line.
 */
static bool
find_lines(const char *from, const char *end, uint64_t addr, struct part *out)
{
	uint64_t start = 0;
	bool before = false, found = false, past = false;
	struct cp_kline l;

	*out = (struct part){ from, from, UINT64_MAX };
	for (const char *s = from; s < end && look_at(s, end, &l);
	     s = l.end + 1) {
		if (!l.kept)
			continue;
		if (l.start > addr) {
			if (past && l.start != out->next)
				break;
			past = true;
			out->next = l.start;
		} else if (!found || l.start != start) {
			before = found;
			found = true;
			start = l.start;
			out->from = s;
		}
		out->to = l.end + 1;
	}
	return before;
}

static struct part
find_part(const struct cp_kallsyms *k, uint64_t addr)
{
	const char *text = (const char *)k->text.data;
	size_t lo = 0, hi = k->marks.len;
	struct part p;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (k->marks.data[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* lo: the first mark after addr. */
	do
		lo -= lo != 0;
	while (!find_lines(
		   text + k->marks.data[lo].at, text + k->kernel, addr, &p) &&
	       lo != 0);
	return p;
}

static void
push_part(struct cp_kallsyms *to, const struct part *p, struct cp_arena *arena)
{
	size_t n = (size_t)(p->to - p->from);
	char *copy = cp_arena_strndup(arena, p->from, n);

	parse_text(to, copy, copy + n);
}

void
cp_kallsyms_pick(const struct cp_kallsyms *k, struct cp_symtab *t,
    uint64_t base, const uint64_t *addr, size_t n, struct cp_arena *arena)
{
	struct cp_kallsyms some = { .whole = true };
	const char *done = (const char *)k->text.data;
	uint64_t upto = 0;
	size_t first = 0;

	/*
	 * Starts with the addresses that wrap around by adding base: they are
	 * lowest.
	 */
	while (first < n && addr[first] + base >= base)
		first++;
	for (size_t i = 0; i < n; i++) {
		uint64_t a = addr[(first + i) % n] + base;
		struct part p;

		if (i != 0 && a < upto)
			continue;
		p = find_part(k, a);
		upto = p.next;
		p.from = CP_MAX(p.from, done);
		if (p.from >= p.to)
			continue;
		push_part(&some, &p, arena);
		done = p.to;
	}
	cp_symtab_settle(&some.tab, CP_SETTLE_KALLSYMS);
	for (size_t i = 0; i < some.tab.all.len; i++)
		cp_symtab_name(&some.tab, (uint32_t)i);
	for (size_t i = 0; i < some.tab.all.len; i++) {
		struct cp_entry *e = cp_symtab_push(t);

		*e = some.tab.all.data[i];
		e->start -= base;
		e->end -= base;
	}
	cp_symtab_settle(t, CP_SETTLE_ADDED);
	cp_symtab_free(&some.tab);
}
