/* SPDX-License-Identifier: MIT */
/* fuzz-jitdump: a dump, read and brought into force piece by piece. */
#include "config.h" /* memfd_create */

#include "readers/jitdump.h"
#include "tests/fuzz/input.h"

static void
run_through(struct cp_jit *j, uint64_t size)
{
	uint64_t last = 0;

	cp_jit_settle(j);
	for (uint64_t t; (t = cp_jit_next(j)) != UINT64_MAX;) {
		if (t < last)
			abort(); /* time does not go back */
		last = t;
		cp_jit_advance(j, t);
		if (cp_jit_next(j) == t)
			break;
	}
	for (size_t i = 0; i < j->loads.len; i++) {
		const struct cp_jit_load *want = &j->loads.data[i];
		const struct cp_jit_load *l = cp_jit_find(j, want->start);

		/* The code of a load that is cut is behind the file's end. */
		if (want->unwinding >= size)
			abort();
		if (l != NULL &&
		    (l->start > want->start || l->end <= want->start))
			abort();
		cp_jit_forget(j, want->start, want->end);
		if (cp_jit_find(j, want->start) != NULL)
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_strings strings = { 0 };
	struct cp_dso_info dso = { 0 };
	struct cp_jit jit = { .dso = &dso };
	struct cp_jitdump d;
	int fd = fuzz_file(data, size);

	if (cp_jitdump_read(&d, fd, &strings, &jit))
		run_through(&jit, size);
	close(fd);
	cp_jit_free(&jit);
	cp_vec_free(&dso.symbols);
	cp_vec_free(&dso.lines);
	cp_strings_free(&strings);
	return 0;
}
