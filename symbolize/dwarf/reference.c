/* SPDX-License-Identifier: MIT */
/*
 * Resolves references to DIEs: in the unit, the file, or another file.
 */
#include "symbolize/dwarf/internal.h"

static bool
die_in(struct dw_file *f, uint64_t at, struct dw_die *out)
{
	out->at = at;
	out->unit = f != NULL ? dw_unit_at(f, DW_INFO, at) : NULL;
	return out->unit != NULL;
}

bool
dw_value_die(struct dw_unit *u, const struct dw_value *v, struct dw_die *out)
{
	switch (v->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		*out = (struct dw_die){ u, u->start + v->u };
		return v->u < u->end - u->start && out->at >= u->die;
	case DW_FORM_ref_addr: return die_in(u->file, v->u, out);
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		return die_in(dw_alt(u->file->dwarf), v->u, out);
	case DW_FORM_ref_sig8:
		out->unit = dw_unit_of_type(u->file, v->u);
		if (out->unit == NULL)
			return false;
		out->at = out->unit->start + out->unit->type_die;
		return out->at >= out->unit->die && out->at < out->unit->end;
	default: return false;
	}
}
