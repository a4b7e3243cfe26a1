// SPDX-License-Identifier: MIT
// @ts-check
// What tables of the report say, for those who count with it.

/** A table of the report by its name; one without rows if there is none. */
export const tableOf = ({ sections = [] }, slug) => sections.find((s) =>
	s.slug === slug && s.type === 'table') || { columns: [], rows: [] };

/** The number or text of a cell, without its interval. */
export const plainValue = (v) =>
	v !== null && typeof v === 'object' ? v.value : v;

/** The cells of a table's rows, in columns of these names. */
export function valuesOf(table, ...names) {
	const at = names.map((name) =>
		table.columns.findIndex((c) => c.name === name));
	return table.rows.map(({ values }) => at.map((i) =>
		plainValue(values[i])));
}
