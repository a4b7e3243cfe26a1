/* SPDX-License-Identifier: MIT */
/*
 * script-flat: frames of perf script, and its text without call chains.  There
 * a line is a sample: what -F selects of its head, a blank, and the address
 * sixteen wide.
 *
 *	prog 13     7f001234 work+0x4 (/opt/prog)
 */
#include "run/import/script-head.h"

#include "run/import/input.h"
#include "run/import/parsers.h"

enum { FIRST_LINES = 400, ADDRESS_WIDTH = 16 };

bool
cp_script_take_address(struct cp_text *t, uint64_t *v)
{
	size_t i = 0;

	for (*v = 0; i < t->n && i < 17 && cp_hex_digit(t->s[i]) >= 0; i++)
		*v = *v << 4 | (unsigned)cp_hex_digit(t->s[i]);
	if (i == 0 || i > 16 || (i < t->n && t->s[i] != ' '))
		return false;
	*t = cp_text_trimmed((struct cp_text){ t->s + i, t->n - i });
	return true;
}

bool
cp_script_take_object(struct cp_text *t, struct cp_text *object)
{
	int depth = 0;
	size_t i;

	if (!cp_text_ends(*t, ")"))
		return false;
	for (i = t->n; i > 0; i--) {
		depth += t->s[i - 1] == ')';
		depth -= t->s[i - 1] == '(';
		if (depth == 0)
			break;
	}
	if (i == 0 || (i > 1 && t->s[i - 2] != ' '))
		return false;
	*object = (struct cp_text){ t->s + i, t->n - i - 1 };
	*t = cp_text_trimmed((struct cp_text){ t->s, i - 1 });
	if (cp_text_ends(*object, " (deleted)"))
		object->n -= strlen(" (deleted)");
	return true;
}

/* perf writes an address sixteen wide; "(inline)" is in tables of pprof. */
bool
cp_script_is_frame(struct cp_text line)
{
	struct cp_text t = cp_text_trimmed(line), object = { "", 0 };
	const char *from = line.s + (line.n != 0 && line.s[0] == '\t');
	uint64_t addr;

	if (!cp_script_take_address(&t, &addr))
		return false;
	/* -F ip */
	if (t.n == 0)
		return from != line.s && line.s + line.n - from == 16;
	return cp_script_take_object(&t, &object)
		   ? !cp_text_is(object, "inline")
		   : t.s - from > 16 && (line.s[0] == ' ' || from != line.s);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * Finds the last number that ends sixteen bytes after the blank that parts it
 * from what is before: at most one more blank ends that.
 */
static bool
find_address(struct cp_text line, struct cp_text *before, struct cp_text *frame)
{
	size_t last = 0, i = 0;
	bool found = false;

	while (i < line.n) {
		size_t from, digits, wide;

		while (i < line.n && is_blank(line.s[i]))
			i++;
		from = i;
		while (i < line.n && cp_hex_digit(line.s[i]) >= 0)
			i++;
		digits = i - from;
		while (i < line.n && !is_blank(line.s[i]))
			i++;
		if (i - from == 2 && memcmp(line.s + from, "=>", 2) == 0) {
			line.n = from;
			break;
		}
		wide = i - last;
		/*
		 * Flags are padded: blanks follow them.  Tables of nm and
		 * readelf have zeros before a number.
		 */
		if (digits != 0 && digits == i - from &&
		    (digits == 1 || line.s[from] != '0') &&
		    (wide == ADDRESS_WIDTH + 1 ||
			(wide == ADDRESS_WIDTH + 2 && last != 0) ||
			(wide > ADDRESS_WIDTH + 2 && last != 0 && digits > 8 &&
			    digits <= ADDRESS_WIDTH))) {
			*before =
			    (struct cp_text){ line.s, last + (last != 0) };
			frame->s = line.s + from;
			found = true;
		}
		last = i;
	}
	if (found)
		frame->n = (size_t)(line.s + line.n - frame->s);
	return found;
}

/* Cuts bytes of instructions, registers and branches, which follow a frame. */
static void
cut_more(struct cp_text *frame)
{
	static const char *const words[] = {
		" ilen: ", " insn: ", " ABI:", " 0x"
	};

	for (size_t i = 1; i < frame->n; i++)
		for (size_t k = 0; k < CP_ARRAY_LEN(words); k++) {
			struct cp_text rest = { frame->s + i, frame->n - i };

			if (cp_text_begins(rest, words[k]) &&
			    (k != 3 || cp_script_is_branches(rest))) {
				frame->n = i;
				return;
			}
		}
}

bool
cp_script_flat(
    struct cp_text line, struct cp_script_head *h, struct cp_text *frame)
{
	struct cp_text before = CP_LITERAL("");

	if (line.n == 0 || line.s[0] == '\t' ||
	    !find_address(line, &before, frame))
		return false;
	cut_more(frame);
	*frame = cp_text_trimmed(*frame);
	/* "7ffe1234 |OP LOAD|LVL L1 hit" is no address of code. */
	if (memchr(frame->s, ' ', frame->n) != NULL &&
	    ((const char *)memchr(frame->s, ' ', frame->n))[1] == '|')
		return false;
	if (cp_script_head(before, h))
		return !h->record;
	before = cp_text_trimmed(before);
	h->comm = before;
	h->weak = true;
	return before.n < 64;
}

/*
 * Lines that have nothing but a frame are samples where no empty line parts
 * them, and no other line begins one.
 */
bool
cp_script_is_flat(struct cp_input *in)
{
	size_t flat = 0, bare = 0, chained = 0, parted = 0;
	struct cp_lines lines;
	struct cp_text line, frame;
	struct cp_script_head h;

	cp_lines_begin(&lines, in);
	for (size_t n = 0; n < FIRST_LINES && cp_lines_next(&lines, &line);
	     n++) {
		if (cp_text_trimmed(line).n == 0) {
			parted++;
		} else if (cp_script_flat(line, &h, &frame)) {
			flat++;
			bare += cp_text_trimmed(line).s == frame.s;
		} else {
			chained += cp_script_is_frame(line);
			parted += cp_script_is(line);
		}
	}
	cp_lines_end(&lines);
	return flat > chained && (bare == 0 || parted == 0);
}
