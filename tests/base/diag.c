/* SPDX-License-Identifier: MIT */
/* Diagnostics are counted, their first places kept, the worst level known. */
#include "base/diag.h"
#include "tests/tap.h"

static void
test_count(void)
{
	static struct cp_diags d;

	cp_diags_init(&d);
	is_u64(cp_diags_worst(&d), CP_DIAG_NOTE, "nothing happened");
	d.at_record = 7;
	d.at_offset = 0x1234;
	for (unsigned i = 0; i < 100; i++)
		cp_diag(&d, CP_D_UNMAPPED_IP, "ip=0x%x", i);
	is_u64(d.count[CP_D_UNMAPPED_IP], 100, "all are counted");
	is_str(
	    d.place[CP_D_UNMAPPED_IP][1].tail, "ip=0x1", "the first are kept");
	is_u64(d.place[CP_D_UNMAPPED_IP][0].record, 7, "with the record");
	is_u64(d.place[CP_D_UNMAPPED_IP][0].offset, 0x1234, "and the offset");
	is_u64(cp_diags_worst(&d), CP_DIAG_WARNING, "a warning is worse");
	cp_diag_at(&d, CP_D_TRUNCATED, 99, "here");
	is_u64(d.place[CP_D_TRUNCATED][0].offset, 99, "a place of its own");
	is_u64(cp_diags_worst(&d), CP_DIAG_PARTIAL, "lost bytes are worse");
	cp_diag(&d, CP_D_OPEN, NULL);
	is_u64(cp_diags_worst(&d), CP_DIAG_ERROR, "an error is worse");
}

static void
test_long_tail(void)
{
	static struct cp_diags d;
	char text[1000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	cp_diags_init(&d);
	cp_diag(&d, CP_D_OPEN, "%s", text);
	is_u64(strlen(d.place[CP_D_OPEN][0].tail),
	    sizeof(d.place[0][0].tail) - 1, "a long tail is cut");
}

static void
test_table(void)
{
	unsigned bad = 0;

	for (int i = 0; i < CP_D_COUNT; i++) {
		const struct cp_diag_entry *e = &cp_diag_table[i];

		bad += e->slug == NULL || e->text == NULL ||
		       strspn(e->slug, "abcdefghijklmnopqrstuvwxyz-") !=
			   strlen(e->slug);
	}
	is_u64(bad, 0, "every id has a slug of small letters and a text");
}

int
main(void)
{
	test_count();
	test_long_tail();
	test_table();
	return done_testing();
}
