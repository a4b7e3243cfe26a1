/* SPDX-License-Identifier: MIT */
/*
 * Bundles as a source of names, hostile ones too: whatever the members are
 * called and say of themselves, nothing is written to where they lead, limits
 * are named, and no descriptor is left.  Tar files are made header by header.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/buf.h"
#include "symbolize/object/object.h"
#include "symbolize/object/text-files.h"
#include "symbolize/symbolize.h"
#include "tests/symbolize/makeelf.h"
#include "tests/tap.h"

#define CODE (LOAD_OFFSET + 0x110)
#define OUR_ID "\1\2\3\4\5\6\7\10"
#define BLOCK 512

static char dir[64], path[128];
static struct cp_diags diags;

/* ------------------------------------------------------------ making tars */

static void
tar_header(struct cp_buf *b, const char *name, char type, uint64_t size,
    const char *link)
{
	uint8_t h[BLOCK] = { 0 };
	unsigned sum = 0;

	snprintf((char *)h, 100, "%s", name);
	memcpy(h + 100, "0000644", 7);
	memcpy(h + 108, "0000000", 7);
	memcpy(h + 116, "0000000", 7);
	if (size >> 33 == 0) {
		snprintf((char *)h + 124, 12, "%011" PRIo64, size);
	} else {
		h[124] = 0x80;
		for (unsigned i = 0; i < 8; i++)
			h[135 - i] = (uint8_t)(size >> 8 * i);
	}
	memcpy(h + 136, "00000000000", 11);
	h[156] = (uint8_t)type;
	snprintf((char *)h + 157, 100, "%s", link);
	memcpy(h + 257,
	    "ustar\0"
	    "00",
	    8);
	memset(h + 148, ' ', 8);
	for (size_t i = 0; i < sizeof(h); i++)
		sum += h[i];
	snprintf((char *)h + 148, 8, "%06o", sum);
	cp_buf_add(b, h, sizeof(h));
}

static void
tar_file(struct cp_buf *b, const char *name, const void *data, size_t size)
{
	static const uint8_t zeros[BLOCK];

	tar_header(b, name, '0', size, "");
	cp_buf_add(b, data, size);
	cp_buf_add(b, zeros, (BLOCK - size % BLOCK) % BLOCK);
}

static void
tar_end(struct cp_buf *b)
{
	static const uint8_t zeros[2 * BLOCK];

	cp_buf_add(b, zeros, sizeof(zeros));
}

static void
tar_elf(struct cp_buf *b, const char *name, const char *function)
{
	struct make_elf m = make_program(function);

	tar_file(b, name, m.data, m.size);
	free(m.data);
}

static void
save(const void *data, size_t size)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(data, 1, size, f) != size)
		perror(path);
	if (f != NULL)
		fclose(f);
}

/* ------------------------------------------------------------------ asking */

static size_t
entries(const char *folder)
{
	DIR *d = opendir(folder);
	size_t n = 0;

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return n;
}

/* The name that the bundle at `path` gives our address. */
static const char *
ask(const char *name, const char *id, size_t id_size)
{
	static char answer[256];
	const char *paths = path;
	struct cp_symbolize_options o = {
		.cache_dir = "", .paths = &paths, .n_paths = 1
	};
	struct cp_strings strings = { 0 };
	struct cp_dsos dsos = { 0 };
	struct cp_dso_key k = { .kind = CP_DSO_FILE,
		.level = CP_LEVEL_USER,
		.build_id_size = (uint8_t)id_size };
	uint64_t addr = CODE;
	const struct cp_symbol *y;
	struct cp_symbols *s;

	memcpy(k.build_id, id, id_size);
	k.name = cp_strings_add(&strings, name);
	cp_diags_init(&diags);
	s = cp_symbols_new(&o, &strings, &diags);
	cp_symbols_names(s, cp_dsos_get(&dsos, &strings, &k), &addr, 1, &y);
	if (y != NULL)
		snprintf(answer, sizeof(answer), "%s", y->name);
	cp_symbols_free(s);
	cp_dsos_free(&dsos);
	cp_strings_free(&strings);
	return y != NULL ? answer : NULL;
}

/* The same, and that nothing else happened. */
static void
gives(const char *want, const char *what)
{
	size_t fds = entries("/proc/self/fd"), files = entries(dir);

	is_str(ask("/gone/app", OUR_ID, 8), want, "%s", what);
	is_u64(entries("/proc/self/fd"), fds, "... leaves no descriptor");
	is_u64(entries(dir), files, "... and no file");
}

static bool
limit_is(const char *name)
{
	return diags.count[CP_D_LIMIT] != 0 &&
	       strncmp(diags.place[CP_D_LIMIT][0].tail, name, strlen(name)) ==
		   0;
}

/* ------------------------------------------------------------------- tests */

static void
test_good(void)
{
	struct cp_buf b;

	cp_buf_init(&b, 1 << 20);
	tar_file(&b, "README", "hello\n", 6);
	tar_elf(&b, "some/where", "packed");
	tar_end(&b);
	save(b.data, b.len);
	gives("packed", "by build ID, whatever its name");
	is_str(ask("/some/where", "", 0), "packed", "by its path in it");
	is_str(ask("/gone/app", "\7\7", 2), NULL, "no other build ID");
	save(b.data, b.len - 2 * BLOCK);
	gives("packed", "a bundle without its end");
	save(b.data, b.len - 2 * BLOCK - 100);
	gives(NULL, "an object that is cut");
	is_u64(diags.count[CP_D_BAD_BUNDLE], 1, "... and it is said");
	cp_buf_free(&b);
}

static void
test_names(void)
{
	struct cp_buf b;

	cp_buf_init(&b, 1 << 20);
	tar_elf(&b, "/etc/absolute", "absolute");
	tar_end(&b);
	save(b.data, b.len);
	gives("absolute", "an absolute name is just a name");
	ok(access("/etc/absolute", F_OK) != 0, "... nothing is written there");
	b.len = 0;
	tar_elf(&b, "../../../../../../../../tmp/coldperf-dots", "dots");
	tar_end(&b);
	save(b.data, b.len);
	gives("dots", "a name that leads up, too");
	ok(access("/tmp/coldperf-dots", F_OK) != 0, "... nor there");
	cp_buf_free(&b);
}

static void
test_kinds(void)
{
	struct cp_buf b;

	cp_buf_init(&b, 1 << 20);
	tar_header(&b, "out", '2', 0, "/etc");
	tar_file(&b, "out/coldperf-link", "x", 1);
	tar_header(&b, "hard", '1', 0, "/etc/passwd");
	tar_header(&b, "fifo", '6', 0, "");
	tar_header(&b, "device", '3', 0, "");
	tar_header(&b, "block", '4', 0, "");
	tar_header(&b, "folder/", '5', 0, "");
	tar_elf(&b, "last", "last");
	tar_end(&b);
	save(b.data, b.len);
	gives("last", "links, devices and folders are passed over");
	ok(access("/etc/coldperf-link", F_OK) != 0, "... not followed");
	cp_buf_free(&b);
}

static void
test_duplicates(void)
{
	struct cp_buf b;

	cp_buf_init(&b, 1 << 20);
	tar_elf(&b, "app", "first");
	tar_elf(&b, "app", "second");
	tar_end(&b);
	save(b.data, b.len);
	is_str(ask("/app", "", 0), "second", "of one name the last counts");
	gives("first", "of one build ID the first");
	cp_buf_free(&b);
}

static void
test_nested(void)
{
	struct cp_buf in, out;

	cp_buf_init(&in, 1 << 20);
	cp_buf_init(&out, 1 << 20);
	tar_elf(&in, "app", "inner");
	tar_end(&in);
	tar_file(&out, "perf.symbols.tar", in.data, in.len);
	tar_end(&out);
	save(out.data, out.len);
	gives("inner", "a bundle in a bundle");
	in.len = 0;
	tar_file(&in, "once.more.tar", out.data, out.len);
	tar_end(&in);
	save(in.data, in.len);
	gives("inner", "and one in that, as packages have");
	out.len = 0;
	tar_file(&out, "thrice.tar", in.data, in.len);
	tar_end(&out);
	save(out.data, out.len);
	gives(NULL, "no more");
	ok(limit_is("CP_MAX_NESTED"), "... and the limit is named");
	cp_buf_free(&in);
	cp_buf_free(&out);
}

static void
test_damage(void)
{
	struct cp_buf b;

	cp_buf_init(&b, 1 << 20);
	tar_elf(&b, "app", "early");
	tar_file(&b, "more", "x", 1);
	b.data[b.len - BLOCK - 400] ^= 1;
	tar_end(&b);
	save(b.data, b.len);
	gives("early", "what comes before the damage is used");
	is_u64(diags.count[CP_D_BAD_BUNDLE], 1, "... and it is said");
	b.len = 0;
	tar_elf(&b, "app", "early");
	tar_header(&b, "huge", '0', UINT64_C(1) << 62, "");
	cp_buf_add(&b, "\177ELF", 4);
	save(b.data, b.len);
	gives("early", "a size of exabytes that are not there");
	is_u64(diags.count[CP_D_BAD_BUNDLE], 1, "... is said");
	save("BZh9 no bzip2", 13);
	gives(NULL, "no archive behind the magic");
	is_u64(diags.count[CP_D_BAD_BUNDLE], 1, "... is said");
	cp_buf_free(&b);
}

/* GNU's header for long names. */
static void
tar_long_name(struct cp_buf *b, size_t size)
{
	char *name = cp_xcalloc(size + 1, 1);

	memset(name, 'n', size);
	tar_header(b, "././@LongLink", 'L', size + 1, "");
	cp_buf_add(b, name, size + 1);
	memset(name, 0, size);
	cp_buf_add(b, name, (BLOCK - (size + 1) % BLOCK) % BLOCK);
	tar_elf(b, "short", "named");
	free(name);
}

static void
test_long(void)
{
	struct cp_buf b;

	cp_buf_init(&b, 1 << 20);
	tar_long_name(&b, CP_MAX_MEMBER_NAME);
	tar_end(&b);
	save(b.data, b.len);
	gives("named", "the longest name");
	b.len = 0;
	tar_long_name(&b, CP_MAX_MEMBER_NAME + 1);
	tar_end(&b);
	save(b.data, b.len);
	gives(NULL, "a longer one");
	ok(limit_is("CP_MAX_MEMBER_NAME"), "... and the limit is named");
	cp_buf_free(&b);
}

static void
test_many(void)
{
	struct cp_buf b;
	char name[32];

	cp_buf_init(&b, (size_t)256 << 20);
	for (unsigned i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "m%u", i);
		tar_header(&b, name, '0', 0, "");
	}
	tar_elf(&b, "app", "behind");
	tar_end(&b);
	save(b.data, b.len);
	gives("behind", "100,000 members are read");
	b.len = 0;
	for (unsigned i = 0; i <= CP_MAX_MEMBERS; i++)
		tar_header(&b, "same", '0', 0, "");
	tar_elf(&b, "app", "behind");
	tar_end(&b);
	save(b.data, b.len);
	gives(NULL, "more than CP_MAX_MEMBERS are not");
	ok(limit_is("CP_MAX_MEMBERS"), "... and the limit is named");
	cp_buf_free(&b);
}

/* Zeros by the GiB in a few KiB; `useful` ones look like an object. */
static void
make_bomb(bool useful, uint64_t size)
{
	enum { CHUNK = 1 << 20 };
	uint8_t *zeros = cp_xcalloc(1, CHUNK), *out = cp_xmalloc(CHUNK);
	ZSTD_CStream *z = ZSTD_createCStream();
	struct cp_buf head;
	FILE *f = fopen(path, "wb");

	cp_buf_init(&head, 4096);
	tar_header(&head, "bomb", '0', size, "");
	cp_buf_add(&head, useful ? "\177ELF" : "nope", 4);
	for (uint64_t i = 0; f != NULL && i <= size / CHUNK; i++) {
		ZSTD_inBuffer in = { zeros, CHUNK, 0 };

		if (i == 0)
			in = (ZSTD_inBuffer){ head.data, head.len, 0 };
		while (in.pos < in.size) {
			ZSTD_outBuffer o = { out, CHUNK, 0 };

			if (ZSTD_isError(ZSTD_compressStream(z, &o, &in)))
				break;
			fwrite(out, 1, o.pos, f);
		}
	}
	if (f != NULL)
		fclose(f);
	ZSTD_freeCStream(z);
	cp_buf_free(&head);
	free(zeros);
	free(out);
}

static void
test_bomb(void)
{
	struct stat st;

	make_bomb(true, (uint64_t)512 << 20);
	ok(stat(path, &st) == 0 && st.st_size < 1 << 20, "a bomb is small");
	gives(NULL, "a bomb that looks like an object");
	ok(limit_is("CP_ARCHIVE_RATIO"), "... and the limit is named");
	make_bomb(false, (uint64_t)512 << 20);
	gives(NULL, "a bomb that nobody wants");
	ok(limit_is("CP_ARCHIVE_RATIO"), "... costs no more");
}

static void
test_sources(void)
{
	const char *paths = path;
	struct cp_symbolize_options o = {
		.cache_dir = "", .paths = &paths, .n_paths = 1
	};
	struct cp_strings strings = { 0 };
	cp_paths maps = { 0 }, dumps = { 0 };
	struct cp_content c = { 0 };
	struct cp_symbols *s;
	struct cp_buf b;
	int fd;

	cp_buf_init(&b, 1 << 20);
	tar_file(&b, "tmp/perf-7.map", "1000 10 name\n", 13);
	tar_file(&b, "tmp/perf-8.map", "2000 10 other\n", 14);
	tar_file(&b, "jit/jit-7.dump", "DTiJ....", 8);
	tar_end(&b);
	save(b.data, b.len);
	cp_diags_init(&diags);
	s = cp_symbols_new(&o, &strings, &diags);
	cp_text_file_perf_maps(s, "perf-7.map", &maps);
	is_u64(maps.len, 1, "a perf map by its name");
	ok(maps.len == 1 && cp_text_file_read(s, maps.data[0], 100, &c) &&
		c.size == 13 && memcmp(c.data, "1000 10 name\n", 13) == 0,
	    "... its text");
	cp_content_free(&c);
	ok(maps.len == 1 && !cp_text_file_read(s, maps.data[0], 12, &c),
	    "... not if it is larger than allowed");
	cp_text_file_perf_maps(s, NULL, &maps);
	is_u64(maps.len, 2, "all perf maps, each once");
	cp_text_file_jitdumps(s, "jit-7.dump", &dumps);
	is_u64(dumps.len, 1, "a jitdump");
	fd = dumps.len == 1 ? cp_text_file_open(s, dumps.data[0]) : -1;
	ok(fd >= 0 && lseek(fd, 0, SEEK_END) == 8, "... as a file");
	if (fd >= 0)
		close(fd);
	cp_symbols_free(s);
	cp_vec_free(&maps);
	cp_vec_free(&dumps);
	cp_strings_free(&strings);
	cp_buf_free(&b);
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%.40s/bundle-XXXXXX",
	    tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
	if (mkdtemp(dir) == NULL) {
		perror(dir);
		return 1;
	}
	snprintf(path, sizeof(path), "%s/bundle.tar", dir);
	test_good();
	test_names();
	test_kinds();
	test_duplicates();
	test_nested();
	test_damage();
	test_long();
	test_many();
	test_bomb();
	test_sources();
	unlink(path);
	ok(rmdir(dir) == 0, "the temporary folder is empty");
	return done_testing();
}
