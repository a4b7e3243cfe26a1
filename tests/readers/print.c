/* SPDX-License-Identifier: MIT */
/*
 * Print formats: what each conversion, helper and operator prints, by hand, as
 * perf and C have it; formats that cannot be evaluated; payloads that are cut.
 */
#include "readers/formats/print.h"

#include "readers/header/tracing.h"
#include "tests/tap.h"

#define FIELDS                                                                 \
	"name: e\nID: 1\nformat:\n"                                            \
	"\tfield:int pid;\toffset:0;\tsize:4;\tsigned:1;\n"                    \
	"\tfield:unsigned int flags;\toffset:4;\tsize:4;\tsigned:0;\n"         \
	"\tfield:u64 addr;\toffset:8;\tsize:8;\tsigned:0;\n"                   \
	"\tfield:char comm[8];\toffset:16;\tsize:8;\tsigned:0;\n"              \
	"\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n"    \
	"\tfield:u8 mac[6];\toffset:28;\tsize:6;\tsigned:0;\n"                 \
	"\tfield:u8 ip[4];\toffset:34;\tsize:4;\tsigned:0;\n"                  \
	"\tfield:__data_loc u16[] list;\toffset:38;\tsize:4;\tsigned:0;\n"     \
	"\tfield:short low;\toffset:42;\tsize:2;\tsigned:1;\n"                 \
	"\nprint fmt: "

/* clang-format off */
static const uint8_t raw[] = {
	0xfe, 0xff, 0xff, 0xff,             /* pid -2 */
	0x05, 0, 0, 0,                      /* flags 5 */
	0x10, 0x20, 0, 0x81, 0xff, 0xff, 0xff, 0xff, /* addr */
	'b', 'a', 's', 'h', 0, 'x', 'x', 'x',
	44, 0, 3, 0,                        /* name: 3 bytes at 44 */
	2, 0, 0, 0, 0, 0x1f,                /* mac */
	127, 0, 0, 1,                       /* ip */
	48, 0, 6, 0,                        /* list: 6 bytes at 48 */
	0xff, 0x7f,                         /* low 32767 */
	'h', 'i', 0, 0,
	1, 0, 2, 0, 0xff, 0xff,
};

static const struct {
	const char *fmt, *text; /* NULL: it cannot be evaluated */
} cases[] = {
	{ "\"pid=%d %u %5d|%-5d|%05d\", REC->pid, REC->flags, REC->flags, "
	  "REC->flags, REC->pid", "pid=-2 5     5|5    |-0002" },
	{ "\"%x %#x %08lx %llx %o\", REC->flags, REC->flags, REC->addr, "
	  "REC->addr, REC->flags",
	  "5 0x5 ffffffff81002010 ffffffff81002010 5" },
	{ "\"%hd %hhu %d\", REC->pid, REC->pid, REC->addr",
	  "-2 254 -2130698224" },
	{ "\"%s|%8s|%-6s|%.2s|%*s|%c\", REC->comm, REC->comm, REC->comm, "
	  "REC->comm, 6, REC->comm, 65", "bash|    bash|bash  |ba|  bash|A" },
	{ "\"100%% %s\" \" %s\\n\", __get_str(name), \"a\" \"b\"",
	  "100% hi ab" },
	{ "\"%s\", __print_flags(REC->flags, \"|\", {1, \"A\"}, {2, \"B\"}, "
	  "{( unsigned long)(((1UL)) << (2)), \"C\"})", "A|C" },
	{ "\"%s\", __print_flags(REC->flags, \"|\", {1, \"A\"})", "A|0x4" },
	{ "\"%s\", __print_flags(0, \"|\", {1, \"A\"}, { 0, ((void *)0) })",
	  "" },
	{ "\"%s %s\", __print_symbolic(REC->flags, {5, \"five\"}), "
	  "__print_symbolic(REC->flags, {6, \"six\"})", "five 0x5" },
	{ "\"%s\", __print_symbolic(REC->flags, {NOT_KNOWN, \"no\"}, "
	  "{5, \"five\"})", "five" },
	{ "\"%s\", REC->flags & 4 ? __print_symbolic(1, "
	  "{1, \"one\"}) : \"none\"",
	  "one" },
	{ "\"%d %d %d\", 1 + 2 * 3, (1 + 2) * 3, 7 - 2 - 1", "7 9 4" },
	{ "\"%d %d\", REC->flags & (1 | 8) ? 1 : 2, !(REC->flags & 1) ? 1 : 0",
	  "1 0" },
	{ "\"%d %d %d\", 0 ? 1 : 0 ? 2 : 3, 1 ? 1 ? 4 : 5 : 6, 10 / 0",
	  "3 4 0" },
	{ "\"%d %d %d %d\", -3 / 2, ~0, 1 && 0 || 1, 5 >= 5 && 3 < 2",
	  "-1 -1 1 0" },
	{ "\"%d\", REC->addr >= (unsigned long)-4095", "0" },
	{ "\"%u %d %lx\", (u8)0x1ff, (s8)0xff, (unsigned long)(u32)REC->addr",
	  "255 -1 81002010" },
	{ "\"%lu %lu %lu\", sizeof(u64), sizeof(REC->comm), sizeof(struct x *)",
	  "8 8 8" },
	{ "\"%u,%u %u\", ((u8 *)REC->ip)[0], *(REC->ip + 3), "
	  "((u16 *)__get_dynamic_array(list))[1]", "127,1 2" },
	{ "\"%d %s\", __get_dynamic_array_len(list), "
	  "__print_array(__get_dynamic_array(list), "
	  "__get_dynamic_array_len(list) / 2, 2)", "6 {0x1,0x2,0xffff}" },
	{ "\"%s %s\", __print_hex(REC->mac, 6), __print_hex_str(REC->mac, 2)",
	  "02 00 00 00 00 1f 0200" },
	{ "\"%pM %pI4 %pi4 %*phC\", REC->mac, REC->ip, REC->ip, 2, REC->mac",
	  "02:00:00:00:00:1f 127.0.0.1 127.000.000.001 02:00" },
	{ "\"%pS %ps %p %p\", REC->addr, (void *)REC->addr, REC->addr, 0",
	  "fn+0x10 fn 0xffffffff81002010 (nil)" },
	{ "\"%d\", __builtin_expect(!!(REC->flags), 0)", "1" },
	{ "\"%s\", __get_bitmask(list)", "ffff,00020001" },
	{ "\"%d\", REC->no", NULL },
	{ "\"%d\"", NULL },
	{ "\"%d\", foo(REC->pid)", NULL },
	{ "\"%d\", ({ REC->pid; })", NULL },
	{ "\"%d\", (REC->pid", NULL },
	{ "\"%d\", REC->pid, REC->pid", NULL },
	{ "\"%q\", REC->pid", NULL },
	{ "\"open", NULL },
	{ "\"%s\", __print_flags(REC->pid, \"|\", 1)", NULL },
};
/* clang-format on */

static const char *
symbol(void *ctx, uint64_t addr, uint64_t *start)
{
	(void)ctx;
	*start = 0xffffffff81002000;
	return addr >= *start ? "fn" : NULL;
}

static void
check(const char *fmt, const char *want)
{
	struct cp_tracepoints tp = { .long_size = 8 };
	struct cp_diags diags;
	struct cp_arena arena = { 0 };
	struct cp_buf made, out;
	const struct cp_print *p;
	char text[4096];
	struct cp_payload_view v = { .raw = raw,
		.size = sizeof(raw),
		.long_size = 8,
		.made = &made,
		.symbol = symbol,
		.tp = &tp };

	cp_buf_init(&made, 4096);
	cp_buf_init(&out, 4096);
	cp_diags_init(&diags);
	snprintf(text, sizeof(text), FIELDS "%s\n", fmt);
	cp_tracing_format(&tp, "s", text, strlen(text), &diags);
	p = cp_print_compile(&arena, &tp, &tp.events.data[0]);
	if (want == NULL)
		ok(p == NULL, "not evaluated: %s", fmt);
	else if (p == NULL || !cp_print_payload(p, &v, &out))
		ok(false, "evaluated: %s", fmt);
	else
		is_str(cp_buf_text(&out), want, "%s", fmt);
	/* Each shorter payload: no byte after it is read. */
	for (uint32_t n = 0; p != NULL && n < sizeof(raw); n++) {
		uint8_t *copy = malloc(n + (n == 0));

		memcpy(copy, raw, n);
		v.raw = copy;
		v.size = n;
		cp_buf_reset(&out);
		(void)cp_print_payload(p, &v, &out);
		cp_print_fields(&tp.events.data[0], &v, &out);
		free(copy);
	}
	cp_tracepoints_free(&tp);
	cp_arena_free(&arena);
	cp_buf_free(&made);
	cp_buf_free(&out);
}

static void
check_fields(void)
{
	struct cp_tracepoints tp = { .long_size = 8 };
	struct cp_diags diags;
	struct cp_buf out;
	struct cp_payload_view v = { .raw = raw, .size = sizeof(raw) };
	const char *text = FIELDS "\"%d\"\n";

	cp_diags_init(&diags);
	cp_buf_init(&out, 4096);
	cp_tracing_format(&tp, "s", text, strlen(text), &diags);
	cp_print_fields(&tp.events.data[0], &v, &out);
	is_str(cp_buf_text(&out),
	    "pid=-2 flags=5 addr=18446744071578853392 comm=bash name=hi "
	    "mac=ARRAY[02, 00, 00, 00, 00, 1f] ip=ARRAY[7f, 00, 00, 01] "
	    "list=ARRAY[01, 00, 02, 00, ff, ff] low=32767",
	    "fields as name=value");
	cp_tracepoints_free(&tp);
	cp_buf_free(&out);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(cases[i].fmt, cases[i].text);
	check_fields();
	return done_testing();
}
