/* SPDX-License-Identifier: MIT */
/*
 * The table of objects.  A look-up hashes the whole key.  Objects of equal hash
 * are chained and compared in full, so that hostile names cannot merge two
 * objects.
 */
#include "model/dso.h"

#include "base/limits.h"

static uint8_t
unpadded(const uint8_t *id, size_t size)
{
	size = CP_MIN(size, 20);
	while (size > 0 && id[size - 1] == 0)
		size--;
	return (uint8_t)size;
}

bool
cp_build_id_equal(
    const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
	uint8_t na = unpadded(a, a_size), nb = unpadded(b, b_size);

	return na != 0 && na == nb && memcmp(a, b, na) == 0;
}

static uint64_t
key_hash(const struct cp_dso_key *k)
{
	uint8_t n = unpadded(k->build_id, k->build_id_size);
	uint64_t w[] = {
		k->name,
		(uint64_t)k->level << 8 | k->kind,
		cp_hash_bytes(k->build_id, n),
		k->pid,
		(uint64_t)k->maj << 32 | k->min,
		k->ino,
		k->gen,
	};

	return cp_hash_words(w, CP_ARRAY_LEN(w));
}

static bool
same_id(const struct cp_dso *d, const struct cp_dso_key *k)
{
	uint8_t n = unpadded(k->build_id, k->build_id_size);

	return unpadded(d->build_id, d->build_id_size) == n &&
	       memcmp(d->build_id, k->build_id, n) == 0;
}

static bool
is_same(const struct cp_dso_info *d, const struct cp_dso_key *k)
{
	return d->pub.name == k->name && d->pub.level == k->level &&
	       d->pub.kind == k->kind && d->pub.pid == k->pid &&
	       d->maj == k->maj && d->min == k->min && d->ino == k->ino &&
	       d->gen == k->gen && same_id(&d->pub, k);
}

void
cp_dso_module_name(const char *path, char *out, size_t size)
{
	const char *base = strrchr(path, '/');
	const char *ko;
	size_t n;

	base = base != NULL ? base + 1 : path;
	ko = strstr(base, ".ko");
	if (base[0] == '[' || ko == NULL) {
		snprintf(out, size, "%s", base);
		return;
	}
	n = (size_t)(ko - base);
	snprintf(out, size, "[%.*s]", (int)CP_MIN(n, size - 3), base);
	for (char *c = out; *c != '\0'; c++)
		if (*c == '-')
			*c = '_';
}

/* Names in brackets stay whole: [kernel.kallsyms], [vdso]. */
static cp_string_id
short_name(struct cp_strings *st, cp_string_id name, uint8_t kind)
{
	const char *full = cp_strings_get(st, name);
	const char *slash = strrchr(full, '/');
	char module[256];

	if (kind == CP_DSO_MODULE) {
		cp_dso_module_name(full, module, sizeof(module));
		return cp_strings_add(st, module);
	}
	if (full[0] == '[' || slash == NULL || slash[1] == '\0')
		return name;
	return cp_strings_add(st, slash + 1);
}

static struct cp_dso_info *
dso_new(struct cp_dsos *t, struct cp_strings *st, const struct cp_dso_key *k)
{
	struct cp_dso_info *d = cp_arena_alloc(&t->arena, sizeof(*d));

	*cp_vec_push(&t->all) = d;
	d->pub.id = (uint32_t)t->all.len;
	d->pub.name = k->name;
	d->pub.short_name = short_name(st, k->name, k->kind);
	d->pub.level = k->level;
	d->pub.kind = k->kind;
	d->pub.build_id_size = CP_MIN(k->build_id_size, 20);
	memcpy(d->pub.build_id, k->build_id, d->pub.build_id_size);
	d->pub.pid = k->pid;
	d->maj = k->maj;
	d->min = k->min;
	d->ino = k->ino;
	d->gen = k->gen;
	return d;
}

struct cp_dso_info *
cp_dsos_get(
    struct cp_dsos *t, struct cp_strings *st, const struct cp_dso_key *k)
{
	uint64_t h = key_hash(k);
	uint32_t first = cp_map64_get(&t->by_hash, h);
	struct cp_dso_info *d;

	for (uint32_t id = first; id != 0; id = t->chain.data[id - 1])
		if (is_same(t->all.data[id - 1], k))
			return t->all.data[id - 1];
	if (t->all.len >= CP_MAX_DSOS)
		return NULL;
	d = dso_new(t, st, k);
	*cp_vec_push(&t->chain) = first;
	*cp_map64_put(&t->by_hash, h) = d->pub.id;
	return d;
}

struct cp_dso_info *
cp_dsos_at(const struct cp_dsos *t, uint32_t id)
{
	return id != 0 && id <= t->all.len ? t->all.data[id - 1] : NULL;
}

void
cp_dsos_free(struct cp_dsos *t)
{
	for (size_t i = 0; i < t->all.len; i++) {
		cp_vec_free(&t->all.data[i]->symbols);
		cp_vec_free(&t->all.data[i]->said);
		cp_vec_free(&t->all.data[i]->lines);
	}
	cp_vec_free(&t->all);
	cp_vec_free(&t->chain);
	cp_map64_free(&t->by_hash);
	cp_arena_free(&t->arena);
}
