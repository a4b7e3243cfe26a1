/* SPDX-License-Identifier: MIT */
/*
 * tables-said: repeats for the objects of a snapshot the diagnostics of the
 * search for their names, as far as the table of objects allows.
 */
#include "base/strings.h"
#include "run/tables-rows.h"

/* Was a file found that has code, though perhaps not its names? */
static bool
is_found(const struct cp_dso_state *s)
{
	return s->code || s->damaged || s->stripped;
}

static void
say_unnamed(struct cp_run *run, const struct cp_dso *d,
    const struct cp_dso_state *s, const char *name)
{
	switch (d->kind) {
	case CP_DSO_KERNEL:
	case CP_DSO_MODULE:
		cp_diag(run->diags, CP_D_KALLSYMS, "%s", name);
		break;
	case CP_DSO_FILE:
		if (d->runs && !is_found(s))
			cp_diag(run->diags, CP_D_NO_OBJECT, "%s", name);
		break;
	case CP_DSO_JIT:
	case CP_DSO_ANON:
		if (d->runs)
			cp_diag(run->diags, CP_D_NO_JIT, "pid %" PRId32 ": %s",
			    (int32_t)d->pid, name);
		break;
	default: break;
	}
}

static void
say(struct cp_run *run, const struct cp_dso *d, const struct cp_dso_state *s)
{
	const char *name = cp_run_string(run, d->name);
	char want[41] = "";

	cp_hex_of(want, d->build_id, CP_MIN(d->build_id_size, 20));
	if (s->mismatch)
		cp_diag(run->diags, CP_D_MISMATCH, "recorded %s: %s",
		    want[0] != '\0' ? want : "no build ID", name);
	if (s->damaged)
		cp_diag(run->diags, CP_D_BAD_ELF, "%s", name);
	if (s->stripped)
		cp_diag(run->diags, CP_D_STRIPPED, "%s", name);
	if (s->source == CP_SOURCE_NONE)
		say_unnamed(run, d, s, name);
	else if (s->trust == CP_TRUST_ABSENT)
		cp_diag(run->diags, CP_D_UNVERIFIED, "%s", name);
}

void
cp_tables_say_object(struct cp_run *run, uint32_t dso)
{
	bool *said = &run->tables->said.data[dso - 1];

	if (!*said)
		say(run, cp_run_dso(run, dso),
		    &run->merged->object.data[dso - 1]);
	*said = true;
}
