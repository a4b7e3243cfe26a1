/* SPDX-License-Identifier: MIT */
#include "symbolize/debuginfod/misses.h"

#include "base/buf.h"
#include "base/disk-cache.h"
#include "base/limits.h"
#include "base/strings.h"

static bool
parse_line(const char *line, struct cp_miss *m)
{
	char hex[41], kind[16];
	uint8_t id[20];
	long long when;
	size_t n;

	if (sscanf(line, "%40[0-9a-f] %15s %lld", hex, kind, &when) != 3)
		return false;
	n = cp_hex_read(hex, strlen(hex), id, sizeof(id));
	m->kind = strcmp(kind, cp_dbg_kind_names[CP_DBG_DEBUGINFO]) == 0
		      ? CP_DBG_DEBUGINFO
		      : CP_DBG_EXECUTABLE;
	m->when = when;
	return cp_dbg_id(&m->id, id, n);
}

static void
read_file(struct cp_misses *m, FILE *f, int64_t now)
{
	char line[4096];
	struct cp_miss miss;

	if (fgets(line, sizeof(line), f) == NULL)
		return;
	line[strcspn(line, "\n")] = '\0';
	if (strcmp(line, m->servers) != 0)
		return;
	while (
	    fgets(line, sizeof(line), f) != NULL && m->all.len < CP_MAX_MISSES)
		if (parse_line(line, &miss) && miss.when <= now &&
		    now - miss.when < CP_MISS_SECONDS)
			*cp_vec_push(&m->all) = miss;
}

void
cp_misses_load(struct cp_misses *m, const char *servers, int64_t now)
{
	size_t n = strlen(servers);
	FILE *f;

	*m = (struct cp_misses){ .path = cp_cachefile_in("debuginfod-misses") };
	m->servers = cp_xcalloc(n + 1, 1);
	memcpy(m->servers, servers, n);
	f = m->path != NULL ? fopen(m->path, "re") : NULL;
	if (f == NULL)
		return;
	read_file(m, f, now);
	fclose(f);
}

const struct cp_miss *
cp_misses_find(const struct cp_misses *m, const struct cp_dbg_id *id,
    enum cp_dbg_kind kind)
{
	for (size_t i = 0; i < m->all.len; i++)
		if (m->all.data[i].kind == kind &&
		    strcmp(m->all.data[i].id.hex, id->hex) == 0)
			return &m->all.data[i];
	return NULL;
}

void
cp_misses_add(struct cp_misses *m, const struct cp_dbg_id *id,
    enum cp_dbg_kind kind, int64_t now)
{
	if (m->all.len >= CP_MAX_MISSES || cp_misses_find(m, id, kind) != NULL)
		return;
	*cp_vec_push(&m->all) = (struct cp_miss){ *id, kind, now };
	m->changed = true;
}

static void
write_file(struct cp_misses *m)
{
	struct cp_buf b;

	cp_buf_init(&b, strlen(m->servers) + 80 * (m->all.len + 1));
	cp_buf_printf(&b, "%s\n", m->servers);
	for (size_t i = 0; i < m->all.len; i++)
		cp_buf_printf(&b, "%s %s %lld\n", m->all.data[i].id.hex,
		    cp_dbg_kind_names[m->all.data[i].kind],
		    (long long)m->all.data[i].when);
	cp_cachefile_left(m->path);
	if (!b.full)
		(void)cp_cachefile_put(m->path, b.data, b.len);
	cp_buf_free(&b);
}

void
cp_misses_save(struct cp_misses *m)
{
	if (m->changed && m->path != NULL && strchr(m->servers, '\n') == NULL)
		write_file(m);
	cp_vec_free(&m->all);
	free(m->path);
	free(m->servers);
	*m = (struct cp_misses){ 0 };
}
