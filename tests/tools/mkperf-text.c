/* SPDX-License-Identifier: MIT */
/*
 * mkperf: lines into words, words into strings and numbers.
 *
 * A word ends at white space outside of "" and ().  Numbers are expressions
 * over unsigned 64-bit words that wrap.  Nothing here knows of perf, apart
 * from the names of a few constants.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>

#include "mkperf.h"

#include "base/hash.h"

void
mk_die(const struct mk *mk, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "mkperf: %s:%u: ", mk->path,
	    mk->now != NULL ? mk->now->line : 0);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

/* ---------------------------------------------------------------- words */

static bool
ends(char c, char end)
{
	return end == ' ' ? isspace((unsigned char)c) != 0 : c == end;
}

/* The bytes before `end', outside quotes and (); ' ' is any white space. */
static size_t
length_to(const char *s, char end, bool *balanced)
{
	unsigned depth = 0;
	bool quoted = false;
	size_t i;

	for (i = 0; s[i] != '\0'; i++) {
		if (quoted && s[i] == '\\' && s[i + 1] != '\0')
			i++;
		else if (s[i] == '"')
			quoted = !quoted;
		else if (quoted)
			continue;
		else if (s[i] == '(')
			depth++;
		else if (s[i] == ')')
			depth -= depth != 0;
		else if (depth == 0 && ends(s[i], end))
			break;
	}
	*balanced = !quoted && depth == 0;
	return i;
}

static size_t
word_length(struct mk *mk, const char *s)
{
	bool balanced;
	size_t n = length_to(s, ' ', &balanced);

	if (!balanced)
		mk_die(mk, "unbalanced \" or (");
	return n;
}

static char *
copy(const char *s, size_t n)
{
	char *p = cp_xmalloc(n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

static void
split_line(struct mk *mk, struct mk_stmt *st, const char *s)
{
	CP_VEC(char *) words = { 0 };

	for (;;) {
		size_t n;

		while (isspace((unsigned char)*s))
			s++;
		if (*s == '\0' || *s == '#')
			break;
		n = word_length(mk, s);
		*cp_vec_push(&words) = copy(s, n);
		s += n;
	}
	if (words.len > MK_MAX_WORDS)
		mk_die(mk, "too many words");
	st->word = words.data;
	st->words = words.len;
}

/* A last word <<END takes the lines up to END as the statement's text. */
static void
here_document(struct mk *mk, struct mk_stmt *st, FILE *f, unsigned *line)
{
	const char *end = st->word[st->words - 1];
	struct cp_buf text;
	char *s = NULL;
	size_t cap = 0;

	if (strncmp(end, "<<", 2) != 0)
		return;
	cp_buf_init(&text, MK_MAX_FILE);
	for (;;) {
		ssize_t n = getline(&s, &cap, f);

		if (n < 0)
			mk_die(mk, "%s is missing", end + 2);
		++*line;
		if ((size_t)n == strlen(end + 2) + 1 &&
		    strncmp(s, end + 2, (size_t)n - 1) == 0)
			break;
		cp_buf_add(&text, s, (size_t)n);
	}
	free(s);
	st->words--;
	st->text = text.data != NULL ? text.data : copy("", 0);
	st->text_len = text.len;
}

/* A line that ends in \ goes on in the next one. */
static bool
logical_line(FILE *f, struct cp_buf *b, unsigned *line)
{
	char *s = NULL;
	size_t cap = 0;
	bool any = false, more = true;

	b->len = 0;
	while (more) {
		ssize_t n = getline(&s, &cap, f);

		if (n < 0)
			break;
		any = true;
		++*line;
		while (n > 0 && (s[n - 1] == '\n' || s[n - 1] == '\r'))
			n--;
		more = n > 0 && s[n - 1] == '\\';
		cp_buf_add(b, s, (size_t)(more ? n - 1 : n));
	}
	free(s);
	return any;
}

void
mk_parse(struct mk *mk, const char *path)
{
	FILE *f = fopen(path, "rb");
	struct cp_buf b;
	unsigned line = 0;

	if (f == NULL)
		mk_die(mk, "%s", strerror(errno));
	cp_buf_init(&b, MK_MAX_FILE);
	while (logical_line(f, &b, &line)) {
		struct mk_stmt st = { .line = line };

		mk->now = &st;
		split_line(mk, &st, cp_buf_text(&b));
		if (st.words != 0) {
			here_document(mk, &st, f, &line);
			*cp_vec_push(&mk->stmts) = st;
		}
	}
	cp_buf_free(&b);
	fclose(f);
	mk->now = NULL;
}

/* -------------------------------------------------------------- strings */

static unsigned
hex_digit(struct mk *mk, char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a' + 10);
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A' + 10);
	mk_die(mk, "bad hexadecimal digit '%c'", c);
}

/* Adds one character of a quoted string; returns how much it took. */
static size_t
unescape(struct mk *mk, const char *s, size_t len, struct cp_buf *b)
{
	if (s[0] != '\\' || len < 2) {
		cp_buf_char(b, s[0]);
		return 1;
	}
	switch (s[1]) {
	case 'n': cp_buf_char(b, '\n'); return 2;
	case 't': cp_buf_char(b, '\t'); return 2;
	case 'x':
		if (len < 4)
			mk_die(mk, "\\x needs two digits");
		cp_buf_char(
		    b, (char)(hex_digit(mk, s[2]) << 4 | hex_digit(mk, s[3])));
		return 4;
	default: cp_buf_char(b, s[1]); return 2;
	}
}

void
mk_string(struct mk *mk, const char *s, size_t len, struct cp_buf *b)
{
	if (len < 2 || s[0] != '"') {
		cp_buf_add(b, s, len);
		return;
	}
	if (s[len - 1] != '"')
		mk_die(mk, "text after the closing \"");
	for (size_t i = 1; i < len - 1;)
		i += unescape(mk, s + i, len - 1 - i, b);
}

char *
mk_strdup(struct mk *mk, const char *word)
{
	struct cp_buf b;

	cp_buf_init(&b, MK_MAX_FILE);
	mk_string(mk, word, strlen(word), &b);
	return b.data != NULL ? b.data : copy("", 0);
}

size_t
mk_element(const char *s)
{
	bool balanced;

	return length_to(s, ',', &balanced);
}

size_t
mk_elements(const char *s)
{
	size_t n = 0;

	while (*s != '\0') {
		s += mk_element(s);
		n++;
		if (*s == ',')
			s++;
	}
	return n;
}

double
mk_double(struct mk *mk, const char *s)
{
	char *end;
	double d = strtod(s, &end);

	if (end == s || *end != '\0')
		mk_die(mk, "not a number: %s", s);
	return d;
}

/* ---------------------------------------------------------- expressions */

static const struct {
	const char *name;
	uint64_t value;
} constants[] = {
	{ "hv", (uint64_t)-32 },
	{ "kernel", (uint64_t)-128 },
	{ "user", (uint64_t)-512 },
	{ "deferred", (uint64_t)-640 },
	{ "guest", (uint64_t)-2048 },
	{ "guest_kernel", (uint64_t)-2176 },
	{ "guest_user", (uint64_t)-2560 },
	{ "mispred", 1 },
	{ "predicted", 2 },
	{ "in_tx", 4 },
	{ "abort", 8 },
};

struct expr {
	struct mk *mk;
	const char *at, *end, *whole;
	unsigned depth;
};

CP_NORETURN static void
bad_expr(const struct expr *e)
{
	mk_die(
	    e->mk, "bad expression %.*s", (int)(e->end - e->whole), e->whole);
}

static void
blanks(struct expr *e)
{
	while (e->at < e->end && isspace((unsigned char)*e->at))
		e->at++;
}

size_t
mk_var(struct mk *mk, const char *name, size_t len)
{
	for (size_t i = 0; i < mk->vars.len; i++)
		if (strncmp(mk->vars.data[i].name, name, len) == 0 &&
		    mk->vars.data[i].name[len] == '\0')
			return i;
	return SIZE_MAX;
}

void
mk_set(struct mk *mk, const char *name, uint64_t value, bool in_data)
{
	size_t i = mk_var(mk, name, strlen(name));

	if (i == SIZE_MAX) {
		i = mk->vars.len;
		*cp_vec_push(&mk->vars) =
		    (struct mk_var){ .name = copy(name, strlen(name)) };
	}
	mk->vars.data[i].value = value;
	mk->vars.data[i].in_data = in_data;
}

static uint64_t
name_value(const struct expr *e, const char *s, size_t n)
{
	size_t v = mk_var(e->mk, s, n);

	if (v != SIZE_MAX)
		return e->mk->vars.data[v].value;
	for (size_t i = 0; i < CP_ARRAY_LEN(constants); i++)
		if (strlen(constants[i].name) == n &&
		    strncmp(constants[i].name, s, n) == 0)
			return constants[i].value;
	mk_die(e->mk, "unknown name %.*s", (int)n, s);
}

static uint64_t expr_binary(struct expr *, unsigned level);

static uint64_t
expr_name(struct expr *e)
{
	const char *s = e->at;
	uint64_t v;
	size_t n;

	while (
	    e->at < e->end && (isalnum((unsigned char)*e->at) || *e->at == '_'))
		e->at++;
	n = (size_t)(e->at - s);
	if (n != 4 || strncmp(s, "hash", 4) != 0 || e->at == e->end ||
	    *e->at != '(')
		return name_value(e, s, n);
	e->at++;
	v = expr_binary(e, 0);
	if (e->at == e->end || *e->at++ != ')')
		bad_expr(e);
	return cp_hash64(v);
}

static uint64_t
expr_number(struct expr *e)
{
	char *end;
	uint64_t v;

	errno = 0;
	v = strtoull(e->at, &end, 0);
	if (end == e->at || errno != 0)
		bad_expr(e);
	e->at = end;
	return v;
}

static uint64_t
expr_unary(struct expr *e)
{
	uint64_t v;
	char c;

	blanks(e);
	if (e->at == e->end || ++e->depth > MK_MAX_DEPTH)
		bad_expr(e);
	c = *e->at;
	if (c == '-' || c == '~' || c == '(') {
		e->at++;
		v = c == '(' ? expr_binary(e, 0) : expr_unary(e);
		if (c == '(' && (e->at == e->end || *e->at++ != ')'))
			bad_expr(e);
		v = c == '-' ? -v : c == '~' ? ~v : v;
	} else if (isdigit((unsigned char)c)) {
		v = expr_number(e);
	} else {
		v = expr_name(e);
	}
	blanks(e);
	e->depth--;
	return v;
}

static uint64_t
apply(const struct expr *e, char op, uint64_t a, uint64_t b)
{
	if ((op == '/' || op == '%') && b == 0)
		bad_expr(e);
	switch (op) {
	case '|': return a | b;
	case '^': return a ^ b;
	case '&': return a & b;
	case '<': return b < 64 ? a << b : 0;
	case '>': return b < 64 ? a >> b : 0;
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '/': return a / b;
	default: return a % b;
	}
}

/* Levels bind as in C: | ^ & shifts sums products. */
static uint64_t
expr_binary(struct expr *e, unsigned level)
{
	static const char *const ops[] = { "|", "^", "&", "<>", "+-", "*/%" };
	uint64_t v;

	if (level == CP_ARRAY_LEN(ops))
		return expr_unary(e);
	v = expr_binary(e, level + 1);
	while (e->at < e->end && strchr(ops[level], *e->at) != NULL) {
		char op = *e->at++;

		if ((op == '<' || op == '>') &&
		    (e->at == e->end || *e->at++ != op))
			bad_expr(e);
		v = apply(e, op, v, expr_binary(e, level + 1));
	}
	return v;
}

uint64_t
mk_expr(struct mk *mk, const char *s, size_t len)
{
	struct expr e = { .mk = mk, .at = s, .end = s + len, .whole = s };
	uint64_t v = expr_binary(&e, 0);

	if (e.at != e.end)
		bad_expr(&e);
	return v;
}
