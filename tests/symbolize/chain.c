/* SPDX-License-Identifier: MIT */
/*
 * Which file names an object: build IDs, caches, folders, recorded paths; a
 * file of another build is never used.  Works on ELF files made for it, in a
 * temporary folder.
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/symbolize.h"
#include "tests/symbolize/makeelf.h"
#include "tests/tap.h"

#define CODE (LOAD_OFFSET + 0x110)
#define OUR_ID "\1\2\3\4\5\6\7\10"

static char dir[64];
static struct cp_strings strings;
static struct cp_dsos dsos;
static struct cp_diags diags;

/* Valid for the next 64 calls. */
static char *CP_PRINTF(1, 2) path_of(const char *fmt, ...)
{
	static char text[64][4200];
	static unsigned n;
	char *p = text[n++ % CP_ARRAY_LEN(text)];
	int used = snprintf(p, sizeof(text[0]), "%s/", dir);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p + used, sizeof(text[0]) - (size_t)used, fmt, ap);
	va_end(ap);
	return p;
}

/* The file and the folders on the way. */
static void
write_file(const char *path, const void *data, size_t size)
{
	char *p = path_of("%s", path);
	FILE *f;

	for (char *s = p + strlen(dir) + 1; (s = strchr(s, '/')) != NULL;
	     *s++ = '/') {
		*s = '\0';
		if (mkdir(p, 0700) != 0 && errno != EEXIST)
			perror(p);
	}
	f = fopen(p, "wb");
	if (f == NULL || fwrite(data, 1, size, f) != size)
		perror(p);
	if (f != NULL)
		fclose(f);
}

static void
write_elf(const char *path, const char *function)
{
	struct make_elf m = make_program(function);

	write_file(path, m.data, m.size);
	free(m.data);
}

static struct cp_dso_info *
object(const char *name, uint8_t kind, const char *id, size_t id_size)
{
	static uint64_t ino;
	struct cp_dso_key k = { .name = cp_strings_add(&strings, name),
		.kind = kind,
		.level = CP_LEVEL_USER,
		.build_id_size = (uint8_t)id_size,
		.ino = ++ino };

	memcpy(k.build_id, id, id_size);
	return cp_dsos_get(&dsos, &strings, &k);
}

struct answer {
	const char *name;
	enum cp_trust trust;
	enum cp_source source;
	uint64_t mismatches, unverified;
};

static struct answer
ask_at(const struct cp_symbolize_options *opt, const struct cp_dso_info *d,
    uint64_t addr)
{
	static char name[256];
	const struct cp_symbol *y;
	struct cp_symbols *s;
	struct answer a = { 0 };

	cp_diags_init(&diags);
	s = cp_symbols_new(opt, &strings, &diags);
	cp_symbols_names(s, d, &addr, 1, &y);
	if (y != NULL) {
		snprintf(name, sizeof(name), "%s", y->name);
		a.name = name;
		a.trust = y->trust;
		a.source = y->source;
	}
	a.mismatches = diags.count[CP_D_MISMATCH];
	a.unverified = diags.count[CP_D_UNVERIFIED];
	cp_symbols_free(s);
	return a;
}

static struct answer
ask(const struct cp_symbolize_options *opt, const struct cp_dso_info *d)
{
	return ask_at(opt, d, CODE);
}

static void
test_build_ids(void)
{
	const uint8_t a[20] = { 1, 2, 3 }, b[20] = { 1, 2, 4 };

	ok(cp_build_id_equal(a, 20, a, 20), "equal");
	ok(cp_build_id_equal(a, 20, a, 3), "equal up to padding");
	ok(!cp_build_id_equal(a, 20, b, 20), "different");
	ok(!cp_build_id_equal(a, 2, a, 3), "a prefix is another ID");
	ok(!cp_build_id_equal(a, 0, a, 0), "none is never equal");
	ok(!cp_build_id_equal(a + 3, 17, b + 3, 17), "nor are zeros");
}

static void
test_recorded(void)
{
	struct cp_symbolize_options o = { .cache_dir = "",
		.recorded_paths = true };
	char *path = path_of("bin/app");
	struct answer a;

	write_elf("bin/app", "here");
	a = ask(&o, object(path, CP_DSO_FILE, OUR_ID, 8));
	is_str(a.name, "here", "recorded path, same build ID");
	is_u64(a.trust, CP_TRUST_VERIFIED, "... is verified");
	a = ask(&o, object(path, CP_DSO_FILE, OUR_ID "\0\0\0\0\0\0\0\0", 16));
	is_u64(a.trust, CP_TRUST_VERIFIED, "a padded build ID too");
	a = ask(&o, object(path, CP_DSO_FILE, "\1\2\3\4\5\6\7\11", 8));
	is_str(a.name, NULL, "another build ID: never used");
	is_u64(a.mismatches, 1, "... and said so");
	a = ask(&o, object(path, CP_DSO_FILE, "", 0));
	is_str(a.name, "here", "no build ID recorded: used");
	is_u64(a.trust, CP_TRUST_ABSENT, "... unverified");
	is_u64(a.unverified, 1, "... and said so");
	a = ask(
	    &o, object(path_of("bin/app (deleted)"), CP_DSO_FILE, OUR_ID, 8));
	is_str(a.name, "here", "deleted, the same again there: used");
	a = ask(&o, object(path_of("bin/app (deleted)"), CP_DSO_FILE, "", 0));
	is_str(a.name, NULL, "deleted, no build ID: not used");
	o.recorded_paths = false;
	a = ask(&o, object(path, CP_DSO_FILE, OUR_ID, 8));
	is_str(a.name, NULL, "recorded paths not allowed");
}

static void
test_special_files(void)
{
	struct cp_symbolize_options o = { .cache_dir = "",
		.recorded_paths = true };
	struct answer a;

	a = ask(&o, object("/proc/self/exe", CP_DSO_FILE, "", 0));
	is_str(a.name, NULL, "nothing below /proc");
	a = ask(&o, object("//proc/../dev/zero", CP_DSO_FILE, "", 0));
	is_str(a.name, NULL, "no device");
	if (mkfifo(path_of("fifo"), 0600) == 0) {
		a = ask(&o, object(path_of("fifo"), CP_DSO_FILE, "", 0));
		is_str(a.name, NULL, "a fifo does not block");
	}
	if (symlink("/proc/self/exe", path_of("link")) == 0) {
		a = ask(&o, object(path_of("link"), CP_DSO_FILE, "", 0));
		is_str(a.name, NULL, "a link to /proc is not followed");
	}
}

static void
test_cache(void)
{
	struct cp_symbolize_options o = { .cache_dir = path_of("cache") };
	struct cp_dso_info *d = object("/gone/app", CP_DSO_FILE, OUR_ID, 8);
	struct answer a;

	write_elf("cache/gone/app/0102030405060708/elf", "cached");
	write_file("cache/.build-id/01/x", "", 0);
	if (symlink("../../gone/app/0102030405060708",
		path_of("cache/.build-id/01/02030405060708")) != 0)
		perror("symlink");
	a = ask(&o, d);
	is_str(a.name, "cached", "the cache's elf");
	a = ask(&o, object("/gone/app", CP_DSO_FILE,
			OUR_ID "\0\0\0\0\0\0\0\0\0\0\0\0", 20));
	is_str(a.name, "cached", "... by an ID that was padded");
	is_u64(a.source, CP_SOURCE_CACHE, "... is the source");
	is_u64(a.trust, CP_TRUST_VERIFIED, "... verified");
	a = ask(&o, object("/gone/app", CP_DSO_FILE, "\1\2\3\4", 4));
	is_str(a.name, NULL, "not in the cache");
	rename(path_of("cache/gone/app/0102030405060708/elf"),
	    path_of("cache/gone/app/0102030405060708/debug"));
	is_str(ask(&o, d).name, "cached", "an entry with debug only");
	unlink(path_of("cache/.build-id/01/02030405060708"));
	write_elf("cache/.build-id/01/02030405060708", "ancient");
	is_str(ask(&o, d).name, "ancient", "a very old cache");
	unlink(path_of("cache/.build-id/01/02030405060708"));
	write_elf("cache/.build-id/01/09", "liar");
	a = ask(&o, object("/gone/app", CP_DSO_FILE, "\1\11", 2));
	is_str(a.name, NULL, "an entry that is another file");
	is_u64(a.mismatches, 1, "... is a mismatch");
}

static void
test_symbols_paths(void)
{
	const char *folder = path_of("given");
	struct cp_symbolize_options o = {
		.cache_dir = "", .paths = &folder, .n_paths = 1
	};
	struct answer a;

	write_elf("given/some/where/renamed", "indexed");
	a = ask(&o, object("/x/y", CP_DSO_FILE, OUR_ID, 8));
	is_str(a.name, "indexed", "found in a folder by build ID");
	is_u64(a.source, CP_SOURCE_BUNDLE, "... is the source");
	a = ask(&o, object("/x/y", CP_DSO_FILE, "\1\2", 2));
	is_str(a.name, NULL, "no such build ID there");
	write_elf("given/opt/app", "below");
	a = ask(&o, object("/opt/app", CP_DSO_FILE, "", 0));
	is_str(a.name, "below", "the folder as root");
	is_u64(a.trust, CP_TRUST_ABSENT, "... unverified");
	a = ask(&o, object("/opt/app", CP_DSO_FILE, "\1\2", 2));
	is_str(a.name, NULL, "not with another build ID");
	/* Below the folder, under another path. */
	a = ask(&o, object("/usr/lib/app", CP_DSO_FILE, "", 0));
	is_str(a.name, "below", "a file of the name anywhere in the folder");
	is_u64(a.trust, CP_TRUST_ABSENT, "... unverified");
	a = ask(&o, object("/usr/lib/app (deleted)", CP_DSO_FILE, "", 0));
	is_str(a.name, "below", "of a file that was deleted, too");
	write_elf("given/deep/usr/lib/app", "like");
	a = ask(&o, object("/usr/lib/app", CP_DSO_FILE, "", 0));
	is_str(a.name, "like", "of several, the one whose path is most like");
	write_elf("outside/alone", "outside");
	if (symlink(path_of("outside"), path_of("given/out")) == 0) {
		a = ask(&o, object("/out/alone", CP_DSO_FILE, "", 0));
		is_str(a.name, NULL, "links do not lead out");
	}
	a = ask(&o, object("/../outside/alone", CP_DSO_FILE, "", 0));
	is_str(a.name, NULL, "nor does ..");
	folder = path_of("outside/alone");
	a = ask(&o, object("/usr/bin/alone", CP_DSO_FILE, "", 0));
	is_str(a.name, "outside", "a file by its name");
}

static const char kernel_text[] = "ffffffff81000000 T _text\n"
				  "ffffffff81000100 T do_work\n"
				  "ffffffff81000200 T do_end\n"
				  "ffffffffc0000000 t mod_first\t[my_mod]\n"
				  "ffffffffc0000040 t mod_second\t[my_mod]\n";

static void
test_kernel(void)
{
	struct cp_symbolize_options o = { .cache_dir = path_of("kcache") };
	struct cp_dso_info *k =
	    object("[kernel.kallsyms]", CP_DSO_KERNEL, OUR_ID, 8);
	struct cp_dso_info *m =
	    object("/lib/my-mod.ko.xz", CP_DSO_MODULE, "\3\3", 2);
	uint64_t in_kernel = UINT64_C(0xffffffff81000123), in_module = 0x44;
	const struct cp_symbol *y[2];
	struct cp_names q[2] = { { m, &in_module, 1, &y[0] },
		{ k, &in_kernel, 1, &y[1] } };
	struct cp_symbols *s;
	struct answer a;

	m->start = UINT64_C(0xffffffffc0000000);
	write_file("kcache/.build-id/01/02030405060708/kallsyms", kernel_text,
	    strlen(kernel_text));
	a = ask_at(&o, k, in_kernel);
	is_str(a.name, "do_work", "the kernel by its cached kallsyms");
	is_u64(a.trust, CP_TRUST_VERIFIED, "... verified");
	k->ref_addr = UINT64_C(0xffffffff82000000);
	k->ref_name = cp_strings_add(&strings, "_text");
	is_str(ask_at(&o, k, in_kernel + 0x1000000).name, "do_work",
	    "of another boot");
	k->ref_addr = 0;
	cp_diags_init(&diags);
	s = cp_symbols_new(&o, &strings, &diags);
	cp_symbols_batch(s, q, 2);
	is_str(y[0] != NULL ? y[0]->name : NULL, "mod_second",
	    "a module by the kernel of the same request");
	is_str(y[1] != NULL ? y[1]->name : NULL, "do_work", "and the kernel");
	cp_symbols_free(s);
	a = ask_at(
	    &o, object("[kernel.kallsyms]", CP_DSO_KERNEL, "\7", 1), in_kernel);
	is_str(a.name, NULL, "another kernel has no names");
	is_u64(diags.count[CP_D_KALLSYMS], 1, "... and it is said");
}

static void
test_capture(void)
{
	struct cp_symbolize_options o = { .cache_dir = "" };
	struct cp_dso_info *d = object("bpf_prog_1", CP_DSO_BPF, "", 0);
	struct answer a;

	*cp_vec_push(&d->symbols) = (struct cp_capture_symbol){ 0x1000, 0x1100,
		cp_strings_add(&strings, "bpf_prog_1_x") };
	a = ask_at(&o, d, 0x10ff);
	is_str(a.name, "bpf_prog_1_x", "a name of the capture");
	is_u64(a.source, CP_SOURCE_CAPTURE, "... is the source");
	is_str(ask_at(&o, d, 0x1100).name, NULL, "past its end");
}

#define OBJECTS 12

/* All symbols and diagnostics of a batch, as one text. */
static char *
transcript(unsigned jobs, struct cp_dso_info *const *d)
{
	struct cp_symbolize_options o = {
		.cache_dir = "", .recorded_paths = true, .jobs = jobs
	};
	const uint64_t addr[] = { CODE, CODE + 1, CODE + 0x1000 };
	const struct cp_symbol *y[2 * OBJECTS][3];
	struct cp_names q[2 * OBJECTS];
	char *text = cp_xcalloc(1, 1 << 16);
	struct cp_symbols *s;
	size_t n = 0;

	cp_diags_init(&diags);
	s = cp_symbols_new(&o, &strings, &diags);
	for (size_t i = 0; i < 2 * OBJECTS; i++)
		q[i] = (struct cp_names){ d[i % OBJECTS], addr, 3, y[i] };
	cp_symbols_batch(s, q, 2 * OBJECTS);
	for (size_t i = 0; i < 2 * OBJECTS; i++)
		for (size_t k = 0; k < 3; k++)
			n += (size_t)snprintf(text + n, (1 << 16) - n, "%s/%u ",
			    y[i][k] != NULL ? y[i][k]->name : "-",
			    y[i][k] != NULL ? y[i][k]->id : 0);
	for (size_t i = 0; i < CP_MAX_PLACES; i++)
		n += (size_t)snprintf(text + n, (1 << 16) - n, "%s ",
		    diags.place[CP_D_MISMATCH][i].tail);
	ok(y[0][0] == y[OBJECTS][1], "jobs=%u: same symbol, same pointer",
	    jobs);
	cp_symbols_free(s);
	return text;
}

static void
test_workers(void)
{
	struct cp_dso_info *d[OBJECTS];
	char *one, *many, name[64];

	for (unsigned i = 0; i < OBJECTS; i++) {
		snprintf(name, sizeof(name), "jobs/lib%u.so", i);
		write_elf(name, name);
		d[i] = object(path_of("%s", name), CP_DSO_FILE,
		    i % 3 == 2 ? "\7\7" : OUR_ID, i % 3 == 2 ? 2 : 8);
	}
	one = transcript(1, d);
	many = transcript(5, d);
	is_u64(diags.count[CP_D_MISMATCH], OBJECTS / 3,
	    "each object is looked for once");
	is_str(many, one, "any number of workers gives the same");
	ok(strstr(one, "jobs/lib0.so/1 jobs/lib0.so/1 -/0") == one,
	    "ids follow the requests");
	free(one);
	free(many);
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");
	char command[128];

	snprintf(dir, sizeof(dir), "%.40s/chain-XXXXXX",
	    tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
	if (mkdtemp(dir) == NULL) {
		perror(dir);
		return 1;
	}
	test_build_ids();
	test_recorded();
	test_special_files();
	test_cache();
	test_symbols_paths();
	test_kernel();
	test_capture();
	test_workers();
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	ok(system(command) == 0, "the temporary folder is gone");
	cp_dsos_free(&dsos);
	cp_strings_free(&strings);
	return done_testing();
}
