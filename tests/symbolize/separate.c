/* SPDX-License-Identifier: MIT */
/*
 * Symbols that are not in the mapped file: a debug file beside it, in its
 * .debug folder, in a folder of --symbols, and inside .gnu_debugdata.  Made
 * with the compiler and binutils; skipped where they are missing.
 */
#include <stdarg.h>
#include <pthread.h>
#include <unistd.h>

#include "symbolize/elf/elf-file.h"
#include "symbolize/elf/symbols.h"
#include "symbolize/object/alt.h"
#include "symbolize/object/files.h"
#include "symbolize/symbolize.h"
#include "tests/tap.h"

static char dir[64];

static bool TAP_PRINTF(1, 2) run(const char *fmt, ...)
{
	char command[1024];
	int used =
	    snprintf(command, sizeof(command), "cd '%s' && exec 2>&1; ", dir);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command + used, sizeof(command) - (size_t)used, fmt, ap);
	va_end(ap);
	return system(command) == 0;
}

/* An offset inside of that function in the file that is mapped. */
static uint64_t
offset_of(const char *file, const char *function)
{
	char path[128];
	struct cp_elf elf;
	uint64_t value, offset = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	if (!cp_elf_open(&elf, cp_objfile_open(path)))
		return 0;
	if (cp_elf_symbol_value(&elf, function, &value))
		cp_elf_offset(&elf, value + 1, &offset);
	cp_elf_free(&elf);
	return offset;
}

static void
finds(const char *file, const char *paths, uint64_t addr, const char *want,
    const char *what)
{
	struct cp_symbolize_options o = { .cache_dir = "",
		.recorded_paths = paths == NULL,
		.paths = &paths,
		.n_paths = paths != NULL };
	struct cp_strings strings = { 0 };
	struct cp_dsos dsos = { 0 };
	struct cp_diags diags;
	struct cp_dso_key k = { .kind = CP_DSO_FILE };
	const struct cp_symbol *y;
	struct cp_symbols *s;
	char path[128];
	struct cp_elf elf;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	k.name = cp_strings_add(&strings, path);
	if (cp_elf_open(&elf, cp_objfile_open(path))) {
		k.build_id_size = elf.build_id_size;
		memcpy(k.build_id, elf.build_id, sizeof(k.build_id));
		cp_elf_free(&elf);
	}
	cp_diags_init(&diags);
	s = cp_symbols_new(&o, &strings, &diags);
	cp_symbols_names(s, cp_dsos_get(&dsos, &strings, &k), &addr, 1, &y);
	is_str(y != NULL ? y->name : NULL, want, "%s", what);
	cp_symbols_free(s);
	cp_dsos_free(&dsos);
	cp_strings_free(&strings);
}

static bool
make_files(void)
{
	FILE *f;
	char path[128];

	snprintf(path, sizeof(path), "%s/app.c", dir);
	f = fopen(path, "w");
	if (f == NULL)
		return false;
	fputs("#include <stdio.h>\n"
	      "static __attribute__((noinline)) int hidden(int n)\n"
	      "{ return printf(\"%d\", n); }\n"
	      "int main(int c, char **v) { return hidden(c + v[0][0]); }\n",
	    f);
	fclose(f);
	return run("${CC:-cc} -g -O1 -Wl,--build-id -o app app.c") &&
	       run("objcopy --only-keep-debug app app.debug") &&
	       run("strip -o bare app");
}

static void
test_debuglink(uint64_t addr)
{
	finds("bare", NULL, addr, NULL, "a stripped file alone");
	if (!run("objcopy --add-gnu-debuglink=app.debug bare linked")) {
		skip("no objcopy");
		return;
	}
	finds("linked", NULL, addr, "hidden", "debug link: beside the file");
	run("mkdir .debug && mv app.debug .debug");
	finds("linked", NULL, addr, "hidden", "debug link: in .debug");
	run("mv .debug/app.debug . && rmdir .debug && cp app.debug good &&"
	    " echo x >>app.debug");
	finds("linked", NULL, addr, "hidden",
	    "debug link: edited since, with the same build ID");
	run("objcopy -R .note.gnu.build-id app.debug");
	run("objcopy -R .note.gnu.build-id linked anonymous");
	finds("anonymous", NULL, addr, "hidden",
	    "debug link: edited since, with the same sections");
	run("objcopy --rename-section .fini=.other app.debug");
	finds("anonymous", NULL, addr, NULL, "debug link: of another build");
	run("mv good app.debug");
}

static void
test_folder(uint64_t addr)
{
	char folder[128];

	run("mkdir -p given/a given/b && cp bare given/b/x &&"
	    " cp app.debug given/a/y");
	snprintf(folder, sizeof(folder), "%s/given", dir);
	finds("bare", folder, addr, "hidden", "a folder with both halves");
	run("rm given/b/x");
	finds("bare", folder, addr, "hidden", "with the debug file only");
	run("rm -r given");
}

static void
test_debugdata(uint64_t addr)
{
	if (!run("xz -kc app.debug >mini.xz && objcopy --add-section "
		 ".gnu_debugdata=mini.xz bare mini")) {
		skip("no xz");
		return;
	}
	finds("mini", NULL, addr, "hidden", ".gnu_debugdata");
	run("head -c 200 mini.xz >cut.xz && objcopy --add-section "
	    ".gnu_debugdata=cut.xz bare broken");
	finds("broken", NULL, addr, NULL, ".gnu_debugdata that is cut");
}

struct both {
	struct cp_symbols *s;
	const struct cp_dso_info *d;
	const struct cp_elf *run, *debug;
};

static void *
ask_both(void *arg)
{
	struct both *b = arg;

	b->run = cp_symbols_runtime(b->s, b->d);
	b->debug = cp_symbols_debug(b->s, b->d);
	return NULL;
}

/* The files without the names, asked for by two threads at once. */
static void
test_files(uint64_t addr)
{
	struct cp_symbolize_options o = { .cache_dir = "",
		.recorded_paths = true };
	struct cp_strings strings = { 0 };
	struct cp_dsos dsos = { 0 };
	struct cp_diags diags;
	struct cp_dso_key k = { .kind = CP_DSO_FILE };
	struct both b[2];
	pthread_t other;
	uint64_t vaddr = 0, back = 0;
	char path[128];

	snprintf(path, sizeof(path), "%s/linked", dir);
	k.name = cp_strings_add(&strings, path);
	cp_diags_init(&diags);
	b[0].s = cp_symbols_new(&o, &strings, &diags);
	b[0].d = cp_dsos_get(&dsos, &strings, &k);
	b[1] = b[0];
	if (pthread_create(&other, NULL, ask_both, &b[1]) == 0) {
		ask_both(&b[0]);
		pthread_join(other, NULL);
	}
	ok(b[0].run == b[1].run && b[0].debug == b[1].debug,
	    "both threads are given the same files");
	is_str(b[0].run != NULL ? cp_symbols_path_of(b[0].s, b[0].d, b[0].run)
				: NULL,
	    path, "the mapped file");
	ok(b[0].debug != NULL && b[0].debug != b[0].run &&
		cp_elf_section(b[0].debug, ".debug_info") != NULL,
	    "the debug file");
	ok(cp_symbols_alt(b[0].s, b[0].d) == NULL, "it has no supplement");
	ok(cp_symbols_vaddr(b[0].s, b[0].d, addr, &vaddr) &&
		cp_elf_offset(b[0].run, vaddr, &back),
	    "an offset has an address");
	is_u64(back, addr, "... and the way back");
	ok(!cp_symbols_vaddr(b[0].s, b[0].d, UINT64_C(1) << 60, &vaddr),
	    "one beyond the file has none");
	cp_symbols_free(b[0].s);
	cp_dsos_free(&dsos);
	cp_strings_free(&strings);
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");
	uint64_t addr;

	snprintf(dir, sizeof(dir), "%.40s/separate-XXXXXX",
	    tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
	if (mkdtemp(dir) == NULL) {
		perror(dir);
		return 1;
	}
	if (!make_files()) {
		skip("no compiler, strip or objcopy");
	} else {
		addr = offset_of("app", "hidden");
		finds("app", NULL, addr, "hidden", "the file as it was built");
		test_debuglink(addr);
		test_files(addr);
		test_folder(addr);
		test_debugdata(addr);
	}
	ok(run("rm -rf '%s'", dir), "the temporary folder is gone");
	return done_testing();
}
