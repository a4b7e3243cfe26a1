/* SPDX-License-Identifier: MIT */
#include "symbolize/debuginfod/cache.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/strings.h"

const char *const cp_dbg_kind_names[CP_DBG_KINDS] = { "executable",
	"debuginfo" };

/* Recorded build IDs are padded to 20 bytes; real ones have 20, 16 or 8. */
bool
cp_dbg_id(struct cp_dbg_id *d, const uint8_t *id, size_t size)
{
	size_t n = CP_MIN(size, 20);

	while (n > 0 && id[n - 1] == 0)
		n--;
	if (n < 4)
		return false;
	if (n > 16)
		n = CP_MIN(size, 20);
	else
		n = CP_MIN(size, n > 8 ? (size_t)16 : (size_t)8);
	*d = (struct cp_dbg_id){ .size = (uint8_t)n };
	memcpy(d->id, id, n);
	cp_hex_of(d->hex, id, n);
	return true;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

char *
cp_dbgcache_root(void)
{
	const char *own = getenv("DEBUGINFOD_CACHE_PATH");
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	if (own != NULL && own[0] == '/') {
		cp_buf_str(&b, own);
		return b.data;
	}
	if (home != NULL && home[0] == '/') {
		cp_buf_printf(&b, "%s/.debuginfod_client_cache", home);
		if (is_folder(cp_buf_text(&b)))
			return b.data;
		cp_buf_reset(&b);
	}
	if (cache != NULL && cache[0] == '/')
		cp_buf_printf(&b, "%s/debuginfod_client", cache);
	else if (home != NULL && home[0] == '/')
		cp_buf_printf(&b, "%s/.cache/debuginfod_client", home);
	return b.data;
}

char *
cp_dbgcache_path(
    const char *root, const struct cp_dbg_id *id, enum cp_dbg_kind kind)
{
	struct cp_buf b;

	cp_buf_init(&b, 8192);
	cp_buf_printf(&b, "%s/%s/%s", root, id->hex, cp_dbg_kind_names[kind]);
	return b.data;
}

char *
cp_dbgcache_source(
    const char *root, const struct cp_dbg_id *id, const char *file)
{
	struct cp_buf b;
	size_t folder;

	cp_buf_init(&b, 8192);
	cp_buf_printf(&b, "%s/%s/", root, id->hex);
	folder = b.len;
	cp_buf_str(&b, "source");
	for (; *file != '\0'; file++)
		if (*file == '/')
			cp_buf_str(&b, "##");
		else if (*file == '#')
			cp_buf_str(&b, "#_");
		else
			cp_buf_char(&b, *file);
	if (!b.full && b.len - folder <= 255)
		return b.data;
	cp_buf_free(&b);
	return NULL;
}
