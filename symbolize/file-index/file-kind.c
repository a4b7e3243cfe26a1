/* SPDX-License-Identifier: MIT */
#include "symbolize/file-index/file-kind.h"

#include "base/archive/read.h"
#include "base/elf.h"
#include "base/strings.h"
#include "model/script-names.h"

/* True for "ffffffff81000000 T _text", the form of kallsyms lines. */
static bool
looks_like_kallsyms(const uint8_t *head, size_t n)
{
	char b[32] = { 0 };
	size_t hex;

	memcpy(b, head, CP_MIN(n, sizeof(b) - 1));
	hex = strspn(b, "0123456789abcdefABCDEF");
	return n > 12 && hex >= 8 && hex <= 16 && b[hex] == ' ' &&
	       b[hex + 2] == ' ';
}

static bool
ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

static bool
is_map_name(const char *name)
{
	size_t digits;

	if (strncmp(name, "perf-", 5) != 0)
		return false;
	digits = strspn(name + 5, "0123456789");
	return digits != 0 && strcmp(name + 5 + digits, ".map") == 0;
}

/* The length of a name without ".xz" and the like; 0: it has no such end. */
static size_t
unpacked_length(const char *name)
{
	static const char *const ends[] = { ".xz", ".zst", ".gz", ".bz2" };

	for (size_t i = 0; i < CP_ARRAY_LEN(ends); i++)
		if (ends_with(name, ends[i]))
			return strlen(name) - strlen(ends[i]);
	return 0;
}

bool
cp_kind_is_module(const char *name)
{
	size_t n = unpacked_length(name);

	return n >= 3 && strncmp(name + n - 3, ".ko", 3) == 0;
}

size_t
cp_kind_packed_elf(const char *path)
{
	static const char *const ends[] = { ".debug", ".so", ".dbg", ".elf",
		".sym", ".o" };
	const char *name = cp_basename(path);
	size_t n = unpacked_length(name);
	char stem[256];

	if (n == 0 || n >= sizeof(stem))
		return 0;
	snprintf(stem, sizeof(stem), "%.*s", (int)n, name);
	for (size_t i = 0; i < CP_ARRAY_LEN(ends); i++)
		if (ends_with(stem, ends[i]))
			return (size_t)(name - path) + n;
	return strchr(stem, '.') == NULL || strstr(stem, ".so.") != NULL ||
		       strncmp(stem, "vmlinux", 7) == 0
		   ? (size_t)(name - path) + n
		   : 0;
}

/* Tar files, and packages of debug information. */
static bool
is_archive_name(const char *name)
{
	const char *tar = strstr(name, ".tar");

	if ((tar != NULL && (tar[4] == '\0' || tar[4] == '.')) ||
	    ends_with(name, ".tgz") || ends_with(name, ".apk"))
		return true;
	return (ends_with(name, "deb") || ends_with(name, ".rpm")) &&
	       (strstr(name, "dbg") != NULL || strstr(name, "debug") != NULL);
}

/* Source files of compiled languages, whose lines DWARF has. */
static bool
is_source_name(const char *name)
{
	static const char *const ends[] = { ".c", ".h", ".S", ".s", ".cc",
		".cpp", ".cxx", ".C", ".c++", ".hh", ".hpp", ".hxx", ".H",
		".inl", ".inc", ".ipp", ".tcc", ".tpp", ".def", ".rs", ".go",
		".zig", ".d", ".m", ".mm", ".swift", ".f", ".F", ".f90", ".F90",
		".adb", ".ads", ".pas", ".ml", ".hs", ".nim", ".cr", ".y", ".l",
		".cu", ".asm" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot != NULL && i < CP_ARRAY_LEN(ends); i++)
		if (strcmp(dot, ends[i]) == 0)
			return true;
	return false;
}

enum cp_indexed_kind
cp_kind_of(const uint8_t *head, size_t n, const char *name, bool given)
{
	name = cp_basename(name);
	if (n >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
		return CP_INDEXED_ELF;
	if (n >= 4 &&
	    (memcmp(head, "DTiJ", 4) == 0 || memcmp(head, "JiTD", 4) == 0))
		return CP_INDEXED_JITDUMP;
	if (is_map_name(name))
		return CP_INDEXED_PERF_MAP;
	if ((given || strncmp(name, "kallsyms", 8) == 0 ||
		strncmp(name, "guest", 5) == 0) &&
	    looks_like_kallsyms(head, n))
		return CP_INDEXED_KALLSYMS;
	if (is_source_name(name))
		return CP_INDEXED_SOURCE;
	if (!cp_archive_bid(head, n) && !cp_archive_is_package(head, n))
		return given && cp_script_names_bid(head, n)
			   ? CP_INDEXED_SCRIPT
			   : CP_INDEXED_NOTHING;
	if (cp_kind_is_module(name))
		return CP_INDEXED_PACKED;
	/* Other archives in a folder are skipped unless the user named them. */
	if (given || is_archive_name(name))
		return CP_INDEXED_BUNDLE;
	return cp_archive_bid(head, n) && cp_kind_packed_elf(name) != 0
		   ? CP_INDEXED_PACKED
		   : CP_INDEXED_NOTHING;
}

uint8_t
cp_kind_folder_id(const char *path, uint8_t id[20])
{
	const char *end = strrchr(path, '/'), *s = end;

	while (s != NULL && s > path && s[-1] != '/')
		s--;
	return s != NULL ? (uint8_t)cp_hex_read(s, (size_t)(end - s), id, 20)
			 : 0;
}
