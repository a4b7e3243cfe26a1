# SPDX-License-Identifier: MIT
# Where names are known.  A unit is what stands outside of all brackets up to
# its end, or one member of a class:
#   unit[i]          the unit of the token i
#   top[f, name]     the file f declares or imports it outside of units
#   inner[u, name]   the unit u declares it somewhere
#   declares[i]      whether the word i is that of a declaration
# A name that is neither is the browser's.

function find_units(    i, u, body) {
	for (i = 1; i <= n; i++) {
		if (i == 1 || !is_sign(i, ")") && (!owner[i] ||
		    owner[i] == body) && (i - 1 == body || is_end(i - 1)))
			u++
		if (shape[i] == "class" && !owner[i])
			body = i
		unit[i] = u
	}
	units = u
}

# Whether a statement or a member ends with the token i.
function is_end(i) {
	return is_sign(i, ";") ||
		is_sign(i, "}") && shape[mate[i]] ~ /^(block|class)$/
}

function declare(i, outside) {
	if (kind[i] != "word" || role[i] == "keyword" ||
	    role[i] == "property")
		return
	declares[i] = 1
	if (outside)
		top[from[i], text[i]] = 1
	else
		inner[unit[i], text[i]] = 1
}

# Declares the names of the patterns from i up to `end', but for the values
# after =.
function declare_all(i, end, outside,    at) {
	at = owner[i]
	for (; i < end; i++) {
		if (owner[i] == at && role[i] == "keyword" &&
		    text[i] ~ /^(of|in)$/)
			return
		declare(i, outside)
		if (is_sign(i, "="))
			i = value_end(i, end) - 1
	}
}

# The comma or bracket after the value that follows the sign i.
function value_end(i, end,    at) {
	at = owner[i]
	for (i++; i < end; i++)
		if (owner[i] == at && is_sign(i, ",") || i == mate[at])
			return i
	return end
}

# The semicolon or bracket that ends the statement with i in it.
function statement_end(i,    at) {
	for (at = owner[i]; i <= n; i++)
		if (owner[i] == at && is_sign(i, ";") || at && i == mate[at])
			return i
	return n
}

# Whether the round bracket i holds parameters.
function has_parameters(i) {
	return is_sign(mate[i] + 1, "=>") || is_keyword(i - 1, "^catch$") ||
		is_keyword(i - 1, "^function$") ||
		is_keyword(i - 2, "^function$") ||
		is_sign(mate[i] + 1, "{") && role[i - 1] == "property"
}

function find_declared(    i) {
	for (i = 1; i <= n; i++) {
		if (role[i] == "import")
			declare(i, 1)
		else if (is_keyword(i, "^(const|let)$"))
			declare_all(i + 1, statement_end(i), !owner[i])
		else if (is_keyword(i, "^(function|class)$"))
			declare(i + 1, !owner[i])
		else if (is_sign(i, "(") && has_parameters(i))
			declare_all(i + 1, mate[i], 0)
		else if (is_sign(i, "=>"))
			declare(i - 1, 0)
	}
}

# Of the word i: top, inner or foreign; members, keywords: none.
function place_of(i) {
	if (role[i] != "name" && role[i] != "short")
		return ""
	if ((from[i], text[i]) in top)
		return "top"
	return (unit[i] SUBSEP text[i]) in inner ? "inner" : "foreign"
}

function find_scopes(    i) {
	find_units()
	find_declared()
	for (i = 1; i <= n; i++)
		place[i] = place_of(i)
}
