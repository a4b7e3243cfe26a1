/* SPDX-License-Identifier: MIT */
#include "base/redact/names.h"

#include <nettle/hmac.h>

enum { HASH_DIGITS = 12 };

void
cp_redact_init(struct cp_redact *r, const struct cp_policy *policy)
{
	*r = (struct cp_redact){ .policy = policy };
}

void
cp_redact_begin(struct cp_redact *r)
{
	const struct cp_policy *policy = r->policy;

	for (size_t i = 0; i < policy->remove.len; i++) {
		cp_redact_word(
		    r, policy->remove.data[i], "removed", CP_REDACT_SOUGHT);
		*cp_vec_push(&r->removed) =
		    cp_strings_add(&r->texts, policy->remove.data[i]);
	}
}

void
cp_redact_free(struct cp_redact *r)
{
	cp_strings_free(&r->texts);
	cp_map64_free(&r->by_name);
	cp_map64_free(&r->made);
	cp_map64_free(&r->original);
	cp_vec_free(&r->words);
	cp_vec_free(&r->removed);
	cp_vec_free(&r->named);
	cp_vec_free(&r->kept);
	cp_vec_free(&r->functions);
	for (size_t i = 0; i < r->learned.len; i++)
		cp_redact_code_free(r->learned.data[i].code);
	cp_vec_free(&r->learned);
}

/* ------------------------------------------------------------------- names */

static cp_string_id
numbered(struct cp_redact *r, enum cp_redact_class c, const char *what)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%" PRIu32, what, ++r->numbers[c]);
	return cp_strings_add(&r->texts, text);
}

/* Hashes the class, too, so that a comm does not reveal an equal cgroup. */
static cp_string_id
hashed(struct cp_redact *r, enum cp_redact_class c, const char *before,
    const char *name)
{
	struct hmac_sha256_ctx ctx;
	uint8_t digest[SHA256_DIGEST_SIZE];
	char hex[HASH_DIGITS + 1];
	struct cp_buf b;
	cp_string_id id;
	uint8_t tag = (uint8_t)c;

	hmac_sha256_set_key(
	    &ctx, r->policy->key_size, (const uint8_t *)r->policy->key);
	hmac_sha256_update(&ctx, 1, &tag);
	hmac_sha256_update(&ctx, strlen(name), (const uint8_t *)name);
	hmac_sha256_digest(&ctx, sizeof(digest), digest);
	cp_hex_of(hex, digest, HASH_DIGITS / 2);
	cp_buf_init(&b, 64);
	cp_buf_printf(&b, "%sh%s", before, hex);
	id = cp_strings_add(&r->texts, cp_buf_text(&b));
	cp_buf_free(&b);
	return id;
}

/* Is it a name of the kernel's or perf's for memory without a file? */
static bool
is_no_file(const char *name)
{
	static const char *const exact[] = { "//anon", "[heap]", "[stack]",
		"[vdso]", "[vvar]", "[vsyscall]", "[uprobes]", "[unknown]",
		"/anon_hugepage", "/anon_hugepage (deleted)", "/dev/zero",
		"/dev/zero (deleted)" };
	static const char *const kernel[] = { "[kernel.kallsyms]",
		"[guest.kernel.kallsyms]", "[kernel.vmlinux]" };

	for (size_t i = 0; i < CP_ARRAY_LEN(exact); i++)
		if (strcmp(name, exact[i]) == 0)
			return true;
	for (size_t i = 0; i < CP_ARRAY_LEN(kernel); i++) {
		size_t n = strlen(kernel[i]);

		if (strncmp(name, kernel[i], n) == 0 &&
		    (name[n] == '\0' || strcmp(name + n, "_text") == 0 ||
			strcmp(name + n, "_stext") == 0))
			return true;
	}
	return false;
}

bool
cp_redact_known_object(const struct cp_redact *r, const char *path)
{
	static const char suffix[] = "]_";
	const char *base = cp_basename(path), *end = strstr(base, suffix);
	char name[64];

	if (base[0] != '[' || end == NULL)
		return cp_patterns_fit(&r->policy->objects, base);
	snprintf(name, sizeof(name), "%.*s", (int)(end - base + 1), base);
	return is_no_file(base) && cp_patterns_fit(&r->policy->objects, name);
}

/* Does the name have a pid?  Files of code made at run time are found by it. */
static bool
has_pid(const char *base, const char *before, const char *after)
{
	size_t n = strlen(before), digits;

	if (strncmp(base, before, n) != 0)
		return false;
	digits = strspn(base + n, "0123456789");
	return digits != 0 && strcmp(base + n + digits, after) == 0;
}

static bool
is_jit_file(const char *base)
{
	return has_pid(base, "jit-", ".dump") || has_pid(base, "perf-", ".map");
}

/* Readers name code in no file so: the name has the pid, which is kept. */
static bool
is_code_of_process(const char *path)
{
	return strncmp(path, "/tmp/", 5) == 0 &&
	       has_pid(path + 5, "perf-", ".map");
}

/*
 * Is it a kernel module, by its brackets or suffix?  Its replacement must be
 * one, too.
 */
static bool
is_module(const char *base)
{
	const char *ko = strstr(base, ".ko");

	return base[0] == '[' ||
	       (ko != NULL && (ko[3] == '\0' || ko[3] == '.'));
}

static cp_string_id
path_id(struct cp_redact *r, const char *path)
{
	const char *base = cp_basename(path);
	bool hash = r->policy->how[CP_REDACT_PATH] == CP_REDACT_HASH;
	struct cp_buf b;
	cp_string_id id;

	if (is_no_file(path) || is_code_of_process(path))
		return cp_strings_add(&r->texts, path);
	if (r->policy->how[CP_REDACT_PATH] == CP_REDACT_GENERALIZE)
		return cp_redact_replaced(r, path, true, true);
	if (!cp_redact_known_object(r, base) && !is_jit_file(base)) {
		bool module = is_module(base);

		id = hash ? hashed(r, CP_REDACT_PATH, module ? "[" : "/object-",
				path)
			  : numbered(r, CP_REDACT_PATH,
				module ? "[object-" : "/object-");
		cp_buf_init(&b, CP_REDACT_TEXT);
		cp_buf_printf(&b, "%s%s", cp_strings_get(&r->texts, id),
		    module ? "]" : "");
	} else {
		cp_buf_init(&b, CP_REDACT_TEXT);
		cp_buf_printf(&b, "%s%s", base[0] == '[' ? "" : "/", base);
	}
	id = cp_strings_add(&r->texts, cp_buf_text(&b));
	cp_buf_free(&b);
	return id;
}

/* Returns the replacement of a name of another class. */
static cp_string_id
other_id(struct cp_redact *r, enum cp_redact_class c, const char *name)
{
	static const char *const before[CP_REDACT_N] = {
		[CP_REDACT_COMM] = "thread-",
		[CP_REDACT_CGROUP] = "/cgroup-",
		[CP_REDACT_EVENT] = "event_",
		[CP_REDACT_SYMBOL] = "symbol_",
	};
	enum cp_redact_how how = r->policy->how[c];

	if (c == CP_REDACT_PATH)
		return path_id(r, name);
	if (how == CP_REDACT_HASH)
		return hashed(
		    r, c, c == CP_REDACT_CGROUP ? "/cgroup-" : "", name);
	if (how == CP_REDACT_GENERALIZE && c == CP_REDACT_CGROUP)
		return strcmp(name, "/") == 0 ? cp_strings_add(&r->texts, name)
					      : numbered(r, c, before[c]);
	if (how == CP_REDACT_GENERALIZE || c == CP_REDACT_SYMBOL)
		return numbered(r, c, before[c] != NULL ? before[c] : "name-");
	return cp_strings_add(&r->texts, c == CP_REDACT_COMM     ? "thread"
					 : c == CP_REDACT_CGROUP ? "/"
					 : c == CP_REDACT_HOST   ? "host"
								 : "");
}

static void
seek_name(struct cp_redact *r, enum cp_redact_class c, cp_string_id name)
{
	if (c == CP_REDACT_HOST)
		*cp_vec_push(&r->named) = name;
	else
		*cp_vec_push(&r->removed) = name;
}

static void
note(struct cp_redact *r, enum cp_redact_class c, cp_string_id from,
    cp_string_id to)
{
	if (from == to) {
		r->count[c].kept++;
		*cp_vec_push(&r->kept) = from;
		return;
	}
	r->count[c].changed++;
	if (r->policy->how[c] == CP_REDACT_GENERALIZE && c == CP_REDACT_PATH)
		*cp_vec_push(&r->kept) = to; /* the user's name is removed */
	else if (r->policy->how[c] != CP_REDACT_KEEP)
		seek_name(r, c, from);
	if (c == CP_REDACT_PATH) {
		const char *base = cp_basename(cp_strings_get(&r->texts, from));

		*cp_vec_push(&r->removed) = cp_strings_add(&r->texts, base);
		*cp_vec_push(&r->kept) = to;
	}
}

/*
 * Keeps the recorded path.  If two paths have one replacement, the first can be
 * opened.
 */
static void
keep_original(struct cp_redact *r, cp_string_id from, cp_string_id to)
{
	const char *text = cp_strings_get(&r->texts, to);
	uint32_t *at =
	    cp_map64_put(&r->original, cp_hash_bytes(text, strlen(text)));

	if (*at == 0)
		*at = from;
}

const char *
cp_redact_name(struct cp_redact *r, enum cp_redact_class c, const char *name)
{
	cp_string_id from = cp_strings_add(&r->texts, name), to;
	uint64_t key = (uint64_t)c << 32 | from;
	uint32_t known = cp_map64_get(&r->by_name, key);

	if (known != 0)
		return cp_strings_get(&r->texts, known - 1);
	name = cp_strings_get(&r->texts, from);
	to = r->policy->how[c] == CP_REDACT_KEEP
		 ? cp_redact_replaced(r, name,
		       r->policy->how[CP_REDACT_PATH] != CP_REDACT_KEEP, false)
		 : other_id(r, c, name);
	*cp_map64_put(&r->by_name, key) = to + 1;
	*cp_map64_put(&r->made, (uint64_t)c << 32 | to) = 1;
	note(r, c, from, to);
	if (c == CP_REDACT_PATH && from != to && from != 0)
		keep_original(r, from, to);
	return cp_strings_get(&r->texts, to);
}

bool
cp_redact_is_known(
    struct cp_redact *r, enum cp_redact_class c, const char *name)
{
	cp_string_id id = cp_strings_add(&r->texts, name);

	return cp_map64_get(&r->by_name, (uint64_t)c << 32 | id) != 0;
}

bool
cp_redact_made(struct cp_redact *r, enum cp_redact_class c, const char *name)
{
	cp_string_id id = cp_strings_add(&r->texts, name);

	return cp_map64_get(&r->made, (uint64_t)c << 32 | id) != 0;
}

const char *
cp_redact_keep(struct cp_redact *r, enum cp_redact_class c, const char *name)
{
	cp_string_id from = cp_strings_add(&r->texts, name);
	const char *text = cp_redact_text(r, name);
	cp_string_id to = cp_strings_add(&r->texts, text);
	uint32_t *known = cp_map64_put(&r->by_name, (uint64_t)c << 32 | from);

	if (*known == 0) {
		r->count[c].kept++;
		*cp_vec_push(&r->kept) = to;
	}
	*known = to + 1;
	return text;
}

void
cp_redact_drop(struct cp_redact *r, enum cp_redact_class c, const char *name)
{
	cp_string_id id = cp_strings_add(&r->texts, name);
	uint32_t *known;

	if (id == 0)
		return;
	known = cp_map64_put(&r->by_name, (uint64_t)c << 32 | id);
	if (*known == 0) {
		seek_name(r, c, id);
		r->count[c].dropped++;
	}
	*known = 1;
}

void
cp_redact_function(struct cp_redact *r, const char *name, bool public)
{
	*cp_vec_push(&r->functions) =
	    (struct cp_redact_function){ cp_strings_add(&r->texts, name),
		    public };
}

void
cp_redact_seek(struct cp_redact *r, const char *part)
{
	cp_string_id id = cp_strings_add(&r->texts, part);
	uint32_t *known =
	    cp_map64_put(&r->by_name, (uint64_t)CP_REDACT_N << 32 | id);

	if (id != 0 && *known == 0)
		*cp_vec_push(&r->removed) = id;
	*known = 1;
}

const char *
cp_redact_recorded(const struct cp_redact *r, const char *path)
{
	cp_string_id from =
	    cp_map64_get(&r->original, cp_hash_bytes(path, strlen(path)));

	return from != 0 ? cp_strings_get(&r->texts, from) : path;
}
