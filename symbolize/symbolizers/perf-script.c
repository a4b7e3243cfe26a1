/* SPDX-License-Identifier: MIT */
/*
 * Names that perf printed where the files were: the last resort, for captures
 * whose objects nobody has any more.
 *
 * Texts have no build IDs.  That one is of this capture is known by the times
 * of its samples; where it has none, the user's word counts.
 */
#include "config.h" /* pread() */

#include "base/elf.h"
#include "symbolize/symbolizers/perf-script.h"

#include <unistd.h>

#include "base/limits.h"
#include "base/retry.h"
#include "base/safe-file.h"
#include "symbolize/symbolizers/symbolizers.h"

static bool
read_text(struct cp_script_names *x, int fd)
{
	struct cp_content text;
	uint8_t head[4096];
	ssize_t n = cp_pread(fd, head, sizeof(head), 0);
	bool ok;

	if (n <= 0 || !cp_script_names_bid(head, (size_t)n) ||
	    !cp_objfile_read(fd, CP_MAX_PERF_MAP, &text))
		return false;
	ok = cp_script_names_read(x, (const char *)text.data, text.size);
	cp_content_free(&text);
	return ok;
}

struct cp_script_names *
cp_perf_script_open(
    const char *const *paths, size_t n, struct cp_strings *strings)
{
	struct cp_script_names *x;
	bool ok = false;

	if (n == 0)
		return NULL;
	x = cp_xcalloc(1, sizeof(*x));
	x->strings = strings;
	for (size_t i = 0; i < n && !ok; i++) {
		int fd = cp_objfile_open(paths[i]);

		if (fd < 0)
			continue;
		x->path = paths[i];
		ok = read_text(x, fd);
		close(fd);
	}
	if (ok)
		return x;
	cp_perf_script_close(x);
	return NULL;
}

void
cp_perf_script_close(struct cp_script_names *x)
{
	if (x != NULL)
		cp_script_names_free(x);
	free(x);
}

static void
push(struct cp_symbols *s, struct cp_object *o,
    const struct cp_capture_symbol *c)
{
	*cp_symtab_push(&o->tab) = (struct cp_entry){ .start = c->start,
		.end = c->end,
		.name = cp_strings_get(s->strings, c->name),
		.bind = STB_GLOBAL,
		.type = STT_FUNC };
}

static int
by_start(const void *va, const void *vb)
{
	const struct cp_capture_symbol *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/*
 * A function ends behind the last of its addresses.  Without offsets each
 * address is a function of two bytes, and neighbours of one name are joined.
 */
static void
push_all(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso_info *d = o->dso;
	size_t n = CP_MIN(d->said.len, CP_MAX_SYMBOLS);
	struct cp_capture_symbol *all = cp_xmalloc((n + 1) * sizeof(*all));
	struct cp_capture_symbol now = { 0 };

	if (n != 0)
		memcpy(all, d->said.data, n * sizeof(*all));
	qsort(all, n, sizeof(*all), by_start);
	for (size_t i = 0; i < n; i++) {
		if (now.name == all[i].name &&
		    (now.start == all[i].start ||
			all[i].end - all[i].start <= 2)) {
			now.end = CP_MAX(now.end, all[i].end);
			continue;
		}
		if (now.name != 0)
			push(s, o, &now);
		now = all[i];
	}
	if (now.name != 0)
		push(s, o, &now);
	free(all);
}

static bool
perf_script_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_script_names *x = s->opt.script;
	enum cp_script_verdict verdict;

	if (x == NULL || o->dso->said.len == 0)
		return false;
	verdict = cp_script_names_verdict(x);
	if (verdict == CP_SCRIPT_OTHER) {
		cp_object_note(o, CP_D_OTHER_SCRIPT, "%s", x->path);
		return false;
	}
	push_all(s, o);
	cp_symtab_settle(&o->tab, CP_SETTLE_ELF);
	o->trust =
	    verdict == CP_SCRIPT_SAME ? CP_TRUST_RECORDED : CP_TRUST_ABSENT;
	return o->tab.all.len != 0;
}

/* Names are as perf printed them: demangled. */
const struct cp_symbolizer cp_symbolizer_perf_script = {
	.name = "perf-script",
	.source = CP_SOURCE_PERF_SCRIPT,
	.open = perf_script_open,
};
