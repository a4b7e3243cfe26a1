/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "symbolize/kallsyms.h"

#include <elf.h>

#include "base/limits.h"

/* What may be shown: text, weak, data; not "r", "a", "n" ... */
static bool
is_kept(char type)
{
	char upper = (char)(type & ~0x20);

	return upper == 'T' || upper == 'W' || upper == 'D' || upper == 'B';
}

static const char *
parse_address(const char *s, uint64_t *addr)
{
	/* Digit + 1; there are 16 in each of 200,000 lines. */
	static const uint8_t digit[256] = { ['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9,
		10, ['A'] = 11, 12, 13, 14, 15, 16, ['a'] = 11, 12, 13, 14, 15,
		16 };
	unsigned d;

	for (*addr = 0; (d = digit[(uint8_t)*s]) != 0; s++)
		*addr = *addr << 4 | (d - 1);
	return s;
}

static char *
blank_in(char *s, const char *end)
{
	char *tab = memchr(s, '\t', (size_t)(end - s));

	return tab != NULL ? tab : memchr(s, ' ', (size_t)(end - s));
}

/* Ends the name, and the module if there is one, with NULs. */
static bool
split_module(char *name, const char *end)
{
	char *s = blank_in(name, end), *module;

	if (s == NULL)
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
	char *s = line + (parse_address(line, &e.start) - line);
	char type;

	if (s == line || s[0] != ' ' || s[1] == '\0' || s[2] != ' ')
		return;
	type = s[1];
	if (s[3] == '_' && strcmp(s + 3, "_etext") == 0)
		k->text_end = e.start;
	if (!is_kept(type) || s[3] == ' ' || s[3] == '\t' || s[3] == '\0' ||
	    k->tab.all.len >= CP_MAX_SYMBOLS)
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
			return; /* cut: the name may be too */
		*nl = '\0';
		parse_line(k, s, nl);
		s = nl + 1;
	}
}

bool
cp_kallsyms_init(struct cp_kallsyms *k, struct cp_content text)
{
	union {
		const uint8_t *in;
		char *out;
	} p = { .in = text.data };
	bool any = false;

	*k = (struct cp_kallsyms){ .text = text };
	if (!text.mapped)
		parse_text(k, p.out, p.out + text.size);
	for (size_t i = 0; i < k->tab.all.len && !any; i++)
		any = k->tab.all.data[i].start != 0;
	if (!any) {
		k->hidden = k->tab.all.len != 0;
		cp_kallsyms_free(k);
		return false;
	}
	cp_symtab_settle(&k->tab, CP_SETTLE_KALLSYMS);
	/* Chosen now: the table is shared by the workers. */
	for (size_t i = 0; i < k->tab.all.len; i++)
		cp_symtab_name(&k->tab, (uint32_t)i);
	return true;
}

void
cp_kallsyms_free(struct cp_kallsyms *k)
{
	cp_symtab_free(&k->tab);
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

/* Aliases were dropped from the table, so the text is asked. */
uint64_t
cp_kallsyms_slide(
    const struct cp_kallsyms *k, const char *ref, uint64_t ref_addr)
{
	const char *text = (const char *)k->text.data, *hit, *s;
	size_t n = strlen(ref), left = k->text.size;
	uint64_t addr;

	for (hit = text; n != 0 && left > n; hit++) {
		hit = memmem(hit, left, ref, n + 1);
		if (hit == NULL)
			return 0;
		left = k->text.size - (size_t)(hit - text) - 1;
		if (hit - text < 4 || hit[-1] != ' ' || hit[-3] != ' ')
			continue;
		for (s = hit - 3; s > text && is_hex(s[-1]);)
			s--;
		parse_address(s, &addr);
		return ref_addr - addr;
	}
	return 0;
}

/* The kernel's own are side by side and in its terms: no copy is needed. */
static bool
lend(const struct cp_kallsyms *k, struct cp_symtab *t)
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

	if (module == NULL && base == 0 && lend(k, t))
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
