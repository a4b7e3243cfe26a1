/* SPDX-License-Identifier: MIT */
/* policy: the two built-in policies, and the parser of policies. */
#include "base/redact/policy.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/strings.h"

enum { MAX_POLICY = 1 << 20, MAX_KEY = 4096 };

/*
 * Fields that describe when and where threads ran; all are numbers, none is a
 * text, an address or an argument.
 */
#define NUMBERS                                                                \
	"keep = sched:*.*pid, sched:*.*prio, sched:*.*_state\n"                \
	"keep = sched:*.*_cpu, sched:*.cpu, sched:*.success\n"                 \
	"keep = sched:*.delay, sched:*.runtime, sched:*.vruntime\n"            \
	"keep = raw_syscalls:sys_*.id, power:*.state, power:*.cpu_id\n"        \
	"keep = irq:*.irq, irq:*.vec, irq:*.ret, block:*.dev\n"                \
	"keep = block:*.sector, block:*.nr_sector, block:*.bytes\n"            \
	"keep = lock:*.lock_addr, lock:*.flags, lock:*.ret\n"

static const char share[] = "[rules]\n"
			    "host = drop\n"
			    "command-line = drop\n"
			    "path = generalize\n"
			    "cgroup = generalize\n"
			    "payload = drop\n"
			    "stack = drop\n"
			    "source = drop\n"
			    "[payload]\n" NUMBERS;

static const char public[] =
    "[rules]\n"
    "host = drop\n"
    "command-line = drop\n"
    "system = drop\n"
    "comm = generalize\n"
    "path = drop\n"
    "cgroup = drop\n"
    "event = generalize\n"
    "symbol = drop\n"
    "payload = drop\n"
    "stack = drop\n"
    "data-address = drop\n"
    "source = drop\n"
    "[payload]\n" NUMBERS "[events]\n"
    "keep = sched:sched_switch, sched:sched_wakeup, sched:sched_waking\n"
    "keep = sched:sched_wakeup_new, sched:sched_migrate_task\n"
    "keep = sched:sched_process_fork, sched:sched_process_exit\n"
    "keep = sched:sched_stat_*time, sched:sched_stat_wait\n"
    "keep = sched:sched_stat_sleep, sched:sched_stat_iowait\n"
    "keep = raw_syscalls:sys_enter, raw_syscalls:sys_exit\n"
    "keep = irq:irq_handler_entry, irq:irq_handler_exit\n"
    "keep = irq:softirq_entry, irq:softirq_exit, irq:softirq_raise\n"
    "keep = power:cpu_idle, power:cpu_frequency\n"
    "keep = block:block_rq_issue, block:block_rq_complete\n"
    "keep = lock:contention_begin, lock:contention_end\n"
    "[objects]\n"
    "keep = [kernel.kallsyms], [kernel.vmlinux], [vdso], [vsyscall]\n"
    "keep = [guest.kernel.kallsyms], vmlinux, ld-linux-x86-64.so.2\n"
    "keep = ld-linux-aarch64.so.1, libc.so.6, libm.so.6, libdl.so.2\n"
    "keep = libpthread.so.0, librt.so.1, libgcc_s.so.1, libstdc++.so.6\n"
    "keep = libstdc++.so.6.0.??, libc-2.??.so, libm-2.??.so\n";

/* A copy of the policy's text; NULL: it is none of the two. */
static char *
built_in(const char *name)
{
	bool less = strcmp(name, "share") == 0;
	const char *text = less ? share : public;
	size_t n = strlen(text) + 1;

	if (!less && strcmp(name, "public") != 0)
		return NULL;
	return memcpy(cp_xmalloc(n), text, n);
}

const char *
cp_redact_class_name(enum cp_redact_class c)
{
	static const char *const names[] = {
#define X(id, name) name,
		CP_REDACT_CLASSES(X)
#undef X
	};

	return names[c];
}

bool
cp_patterns_fit(const cp_patterns *p, const char *name)
{
	for (size_t i = 0; i < p->len; i++)
		if (cp_pattern_fits(p->data[i], name))
			return true;
	return false;
}

/* ------------------------------------------------------------------- lines */

struct parser {
	struct cp_policy *p;
	char section[16];
	unsigned line;
	char *why;
	size_t size;
	bool any; /* a rule or a word */
};

static bool lines(struct parser *, char *text);

static bool
bad(struct parser *x, const char *what, const char *word)
{
	snprintf(x->why, x->size, "line %u: %s `%.40s'", x->line, what, word);
	return false;
}

/*
 * May the class be treated so?  Only names can be hashed; numbers and bytes are
 * kept or dropped.
 */
static bool
may(enum cp_redact_class c, enum cp_redact_how how)
{
	bool named = c == CP_REDACT_HOST || c == CP_REDACT_COMM ||
		     c == CP_REDACT_PATH || c == CP_REDACT_CGROUP ||
		     c == CP_REDACT_SYMBOL;
	bool general = c == CP_REDACT_COMM || c == CP_REDACT_PATH ||
		       c == CP_REDACT_CGROUP || c == CP_REDACT_EVENT;

	return how == CP_REDACT_KEEP || how == CP_REDACT_DROP ||
	       (how == CP_REDACT_HASH && named) ||
	       (how == CP_REDACT_GENERALIZE && general);
}

static bool
rule(struct parser *x, const char *name, const char *value)
{
	static const char *const words[] = { "keep", "generalize", "hash",
		"drop" };
	unsigned c = 0, how = 0;

	while (c < CP_REDACT_N &&
	       strcmp(cp_redact_class_name((enum cp_redact_class)c), name) != 0)
		c++;
	if (c == CP_REDACT_N)
		return bad(x, "there is no class", name);
	while (how < CP_ARRAY_LEN(words) && strcmp(words[how], value) != 0)
		how++;
	if (how == CP_ARRAY_LEN(words) ||
	    !may((enum cp_redact_class)c, (enum cp_redact_how)how))
		return bad(x, "this class cannot be treated so:", value);
	x->p->how[c] = (enum cp_redact_how)how;
	return true;
}

static bool
pattern(struct parser *x, cp_patterns *to, const char *word)
{
	struct cp_pattern *p = cp_xcalloc(1, sizeof(*p));

	if (cp_pattern_init(p, word) != CP_OK) {
		free(p);
		return bad(x, "no regular expression:", word);
	}
	*cp_vec_push(to) = p;
	return true;
}

/* Adds a word of a line to the list that the section fills. */
static bool
word(struct parser *x, const char *name, const char *value)
{
	struct cp_policy *p = x->p;
	bool keep = strcmp(name, "keep") == 0;

	if (*value == '\0')
		return bad(x, "an empty word of", name);
	if (strpbrk(value, "#;\"") != NULL)
		return bad(
		    x, "no quotes, and a comment on a line of its own:", value);
	if (keep && strcmp(x->section, "objects") == 0)
		return pattern(x, &p->objects, value);
	if (keep && strcmp(x->section, "events") == 0)
		return pattern(x, &p->events, value);
	if (keep && strcmp(x->section, "payload") == 0)
		return pattern(x, &p->fields, value);
	if (strcmp(x->section, "words") == 0 && strcmp(name, "remove") == 0)
		*cp_vec_push(&p->remove) = value;
	else if (strcmp(x->section, "words") == 0 && strcmp(name, "allow") == 0)
		*cp_vec_push(&p->allow) = value;
	else
		return bad(x, "no such name in this section:", name);
	return true;
}

static bool
section(struct parser *x, const char *s)
{
	static const char *const known[] = { "rules", "objects", "events",
		"payload", "words" };

	for (size_t i = 0; i < CP_ARRAY_LEN(known); i++)
		if (strncmp(s + 1, known[i], strlen(known[i])) == 0 &&
		    strcmp(s + 1 + strlen(known[i]), "]") == 0) {
			snprintf(
			    x->section, sizeof(x->section), "%s", known[i]);
			return true;
		}
	return bad(x, "there is no section", s);
}

/* The rules and words of a built-in policy stand before the file's own. */
static bool
base(struct parser *x, const char *name, const char *value)
{
	struct parser of = { .p = x->p, .why = x->why, .size = x->size };

	if (strcmp(name, "base") != 0)
		return bad(x, "no such name before the first section:", name);
	if (x->any)
		return bad(x, "it stands first, and once:", name);
	x->p->base = built_in(value);
	x->any = true;
	if (x->p->base == NULL)
		return bad(x, "there is no policy to begin with", value);
	return lines(&of, x->p->base);
}

static bool
line(struct parser *x, char *s)
{
	char *equals, *value, *comma;

	x->line++;
	s = cp_trim(s);
	if (*s == '\0' || *s == '#' || *s == ';')
		return true;
	if (*s == '[')
		return section(x, s);
	equals = strchr(s, '=');
	if (equals == NULL)
		return bad(x, "no `=' in", s);
	*equals = '\0';
	s = cp_trim(s);
	value = cp_trim(equals + 1);
	if (x->section[0] == '\0')
		return base(x, s, value);
	x->any = true;
	if (strcmp(x->section, "rules") == 0)
		return rule(x, s, value);
	for (; (comma = strchr(value, ',')) != NULL; value = comma + 1) {
		*comma = '\0';
		if (!word(x, s, cp_trim(value)))
			return false;
	}
	return word(x, s, cp_trim(value));
}

static bool
lines(struct parser *x, char *s)
{
	for (char *end; s != NULL; s = end != NULL ? end + 1 : NULL) {
		end = strchr(s, '\n');
		if (end != NULL)
			*end = '\0';
		if (!line(x, s))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------- files */

/* The compiler must not see that nobody reads the zeros. */
static void
forget(char *p, size_t n)
{
	memset(p, 0, n);
	__asm__ volatile("" : : "r"(p) : "memory");
}

/*
 * Reads a small regular file.  NULL: it cannot be read to its end; a policy of
 * which a part is missing would keep what the rest of it removes.
 */
static char *
whole(const char *path, size_t max, size_t *n)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	struct stat st;

	if (f == NULL)
		return NULL;
	if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size <= max) {
		text = cp_xcalloc(1, max + 2);
		*n = fread(text, 1, max + 1, f);
		if (ferror(f) || *n > max || *n < (uint64_t)st.st_size) {
			forget(text, *n);
			free(text);
			text = NULL;
		}
	}
	fclose(f);
	return text;
}

/*
 * Reads the key of hashed names.  Without a key, a guessed name could be
 * verified by its hash.
 */
static bool
read_key(struct parser *x)
{
	const char *path = getenv("COLDPERF_REDACT_KEY_FILE");
	bool wanted = false;

	for (unsigned c = 0; c < CP_REDACT_N; c++)
		wanted |= x->p->how[c] == CP_REDACT_HASH;
	if (!wanted)
		return true;
	if (path != NULL)
		x->p->key = whole(path, MAX_KEY, &x->p->key_size);
	if (x->p->key != NULL && x->p->key_size >= 16)
		return true;
	snprintf(x->why, x->size,
	    "hash needs a key: a file of 16 bytes or more, named by "
	    "COLDPERF_REDACT_KEY_FILE");
	return false;
}

static bool
parse(struct parser *x, size_t n)
{
	if (strlen(x->p->text) != n) {
		snprintf(x->why, x->size, "it has a zero byte: it is no text");
		return false;
	}
	if (!lines(x, x->p->text))
		return false;
	if (!x->any) {
		snprintf(x->why, x->size, "it has no rule and no word");
		return false;
	}
	return read_key(x);
}

const char *
cp_policy_read(struct cp_policy *p, const char *name, char *why, size_t size)
{
	struct parser x = { .p = p, .why = why, .size = size };
	size_t n = 0;

	*p = (struct cp_policy){ .name = name };
	p->text = built_in(name);
	p->built_in = p->text != NULL;
	if (p->built_in)
		n = strlen(p->text);
	else
		p->text = whole(name, MAX_POLICY, &n);
	if (p->text == NULL) {
		snprintf(why, size,
		    "it is neither share nor public, and no file that can be "
		    "read");
		return why;
	}
	return parse(&x, n) ? NULL : why;
}

static void
patterns_free(cp_patterns *p)
{
	for (size_t i = 0; i < p->len; i++) {
		cp_pattern_free(p->data[i]);
		free(p->data[i]);
	}
	cp_vec_free(p);
}

void
cp_policy_free(struct cp_policy *p)
{
	patterns_free(&p->objects);
	patterns_free(&p->events);
	patterns_free(&p->fields);
	cp_vec_free(&p->remove);
	cp_vec_free(&p->allow);
	if (p->key != NULL)
		forget(p->key, p->key_size);
	free(p->key);
	free(p->text);
	free(p->base);
}
