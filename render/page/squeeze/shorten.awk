# SPDX-License-Identifier: MIT
# What can be said with fewer tokens: drop[i] and text[i].

function following(i) {
	for (i++; i <= n && drop[i]; i++)
		;
	return i
}

# Modules become one function.
function drop_modules(    i) {
	for (i = 1; i <= n; i++)
		if (role[i] == "import") {
			drop[i] = 1
			if (fresh[i])
				fresh[i + 1] = 1
		}
}

# Nothing in the page sets a constant: types.t would tell.
function join_declarations(    i, end, next_one) {
	for (i = 1; i <= n; i++) {
		if (!is_keyword(i, "^(const|let)$"))
			continue
		text[i] = "let"
		end = statement_end(i)
		next_one = following(end)
		if (text[owner[i]] == "(" || !is_sign(end, ";") ||
		    !is_keyword(next_one, "^(const|let)$"))
			continue
		text[end] = ","
		drop[next_one] = 1
	}
}

# Whether the braces at i hold one simple statement.
function is_simple(i,    k) {
	k = following(i)
	if (is_sign(k, "{") || is_keyword(k,
	    "^(if|for|while|do|try|switch|let|const|class|function|async)$"))
		return 0
	for (; k < mate[i]; k++)
		if (owner[k] == i && is_sign(k, ";"))
			return following(k) == mate[i]
	return 0
}

# Whether the braces at i hold one `if' without else, or one loop.
function is_nested(i,    k) {
	k = following(i)
	if (!is_keyword(k, "^(if|for|while)$"))
		return 0
	while (is_keyword(k, "^(if|for|while)$"))
		k = following(mate[k + 1])
	if (is_keyword(k, "^(do|switch|try)$"))
		return 0
	k = is_sign(k, "{") ? mate[k] : semicolon_of(k, i)
	return k && following(k) == mate[i]
}

function is_body(i,    open) {
	if (is_keyword(i - 1, "^else$"))
		return 1
	open = is_sign(i - 1, ")") ? mate[i - 1] : 0
	return open && is_keyword(open - 1, "^(if|for|while)$")
}

# Whether no else follows the braces at i, which might be taken for that of an
# `if' in them.
function has_no_else(i) {
	return !is_keyword(following(mate[i]), "^else$")
}

# Brackets go; what was in them is in what they were in.
function drop_pair(i,    k) {
	for (k = i + 1; k < mate[i]; k++)
		if (owner[k] == i)
			owner[k] = owner[i]
	drop[i] = drop[mate[i]] = 1
}

function drop_braces(    i) {
	for (i = 1; i <= n; i++)
		if (shape[i] == "block" && !drop[i] && is_body(i) &&
		    (is_simple(i) || is_nested(i) && has_no_else(i))) {
			drop_pair(i)
			fresh[following(i)] = 0
		}
}

# Whether an operator that binds less than && stands from i up to `end', in
# the bracket `at' itself; or, for those below ?:, less than that.
function binds_less(i, end, at, signs) {
	for (; i < end; i++)
		if (kind[i] == "sign" && owner[i] == at && !drop[i] &&
		    text[i] ~ signs)
			return 1
	return 0
}

# The semicolon of the statement that begins at i.
function semicolon_of(i, at) {
	for (; i < n && (owner[i] != at || !is_sign(i, ";")); i++)
		if (at && i == mate[at])
			return 0
	return i
}

# The words `if (' go.
function drop_condition(i) {
	drop[i] = drop[i + 1] = 1
	fresh[following(i)] = fresh[i] || fresh[following(i)]
}

# if (a) b(); becomes a && b();
function join_call(i, end, y, stop) {
	if (!begins_expression(y) || binds_less(i + 2, end, i + 1, LESS) ||
	    binds_less(y, stop, owner[i], LESS))
		return
	drop_condition(i)
	text[end] = "&&"
	fresh[y] = 0
}

# Whether the statement at i is a body without braces: what follows it does so
# after the whole loop, or whatever the condition says.
function is_bare_body(i) {
	for (i--; i > 0 && drop[i]; i--)
		;
	return is_body(i + 1)
}

# if (a) return b; return c; becomes return a ? b : c;
function join_return(i, end, y, stop,    other) {
	other = following(stop)
	if (is_bare_body(i) || !is_keyword(y, "^return$") || !is_keyword(other, "^return$") ||
	    following(y) == stop || is_sign(following(other), ";") ||
	    binds_less(i + 2, end, i + 1, TERNARY) ||
	    binds_less(y, stop, owner[i], "^,$"))
		return
	text[i] = "return"
	drop[i + 1] = drop[y] = drop[other] = 1
	text[end] = "?"
	text[stop] = ":"
	fresh[following(i)] = fresh[following(end)] = 0
	fresh[following(stop)] = 0
}

# if (a) b(); else c(); becomes a ? b() : c();
function join_else(i, end, y, stop,    z, last) {
	z = following(following(stop))
	last = semicolon_of(z, owner[i])
	if (!last || !begins_expression(y) || !begins_expression(z) ||
	    binds_less(i + 2, end, i + 1, TERNARY) ||
	    binds_less(y, last, owner[i], "^,$"))
		return
	drop[following(stop)] = 1
	drop_condition(i)
	text[end] = "?"
	text[stop] = ":"
	fresh[y] = fresh[z] = 0
}

# From the last to the first: returns make chains.
function join_ifs(    i, end, y, stop) {
	TERNARY = "^(,|\\?|=>|[-+*/%&|^]?=|(\\*\\*|<<|>>|>>>|&&|[|][|]|\\?\\?)=)$"
	LESS = TERNARY "|^([|][|]|\\?\\?)$"
	for (i = n; i > 0; i--) {
		if (!is_keyword(i, "^if$") || drop[i])
			continue
		end = mate[i + 1]
		y = following(end)
		stop = semicolon_of(y, owner[i])
		if (is_keyword(y, "^return$"))
			join_return(i, end, y, stop)
		else if (stop && is_keyword(following(stop), "^else$"))
			join_else(i, end, y, stop)
		else if (stop)
			join_call(i, end, y, stop)
	}
}

# () => { return a; } becomes () => a
function join_arrows(    i, first, value, stop) {
	for (i = 2; i <= n; i++) {
		first = following(i)
		value = following(first)
		if (shape[i] != "block" || !is_sign(i - 1, "=>") ||
		    !is_keyword(first, "^return$") || !is_simple(i) ||
		    kind[value] == "sign" && text[value] ~ /^[{;]$/ ||
		    binds_less(value, mate[i], i, "^,$"))
			continue
		stop = semicolon_of(value, i)
		drop[first] = drop[stop] = 1
		fresh[value] = 0
		drop_pair(i)
	}
}

# A semicolon before a brace says nothing but as the whole body of a loop.
function drop_semicolons(    i, open) {
	for (i = 1; i <= n; i++) {
		if (!is_sign(i, ";") || drop[i] || !is_sign(following(i), "}"))
			continue
		open = is_sign(i - 1, ")") ? mate[i - 1] : 0
		if (!open || !is_keyword(open - 1, "^(for|while|if)$"))
			drop[i] = 1
	}
}

# new A() is new A, but where a value of it is asked for.
function drop_calls(    i, end) {
	for (i = 1; i <= n; i++) {
		if (!is_keyword(i, "^new$") || role[i + 1] != "name" ||
		    !is_sign(i + 2, "(") || mate[i + 2] != i + 3)
			continue
		end = following(i + 3)
		if (kind[end] == "sign" && text[end] ~ /^[]),;}]$/)
			drop[i + 2] = drop[i + 3] = 1
	}
}

# The value of the hexadecimal number s.
function hex_value(s,    i, v) {
	s = tolower(s)
	for (i = 3; i <= length(s); i++)
		v = v * 16 + index("123456789abcdef", substr(s, i, 1))
	return v + 0
}

# 0x1f is 31, 0.5 is .5, 2000 is 2e3.
function number_text(s,    v) {
	if (s ~ /^0x/) {
		v = sprintf("%.0f", hex_value(s))
		s = length(v) <= length(s) ? v : s
	}
	if (s ~ /^[1-9][0-9]*000*$/ && match(s, /0+$/) && RLENGTH > 2)
		return substr(s, 1, RSTART - 1) "e" RLENGTH
	sub(/^0\./, ".", s)
	return s
}

# Whether the text s is that of no number: nothing else becomes equal to it.
function is_no_number(s) {
	return s ~ /^'([^-+.0-9I\\ ']|[-+.]')/
}

# a === 'b' is a == 'b'.
function loosen_equals(    i) {
	for (i = 2; i < n; i++)
		if (kind[i] == "sign" && text[i] ~ /^[=!]==$/ &&
		    kind[i + 1] == "string" && is_no_number(text[i + 1]) &&
		    is_sign(i + 2, text[i + 2]) &&
		    text[i + 2] ~ /^([]),;:?}]|&&|[|][|])$/)
			text[i] = substr(text[i], 1, 2)
}

function shorten_literals(    i) {
	for (i = 1; i <= n; i++)
		if (is_keyword(i, "^(true|false)$"))
			text[i] = text[i] == "true" ? "!0" : "!1"
		else if (kind[i] == "number")
			text[i] = number_text(text[i])
}

# A member of a class that has no value yet is not there, and so undefined; but
# one may hide that of the class it extends.
function drop_fields(    i) {
	for (i = 2; i < n; i++)
		if (role[i] == "property" && shape[owner[i]] == "class" &&
		    is_sign(i + 1, ";") && is_keyword(owner[i] - 1, "^class$"))
			drop[i] = drop[i + 1] = 1
}

# A comma after the last of a list, and brackets around a lone parameter or
# a value that is a name (what a type was said of).
function drop_brackets(    i, end) {
	for (i = 2; i <= n; i++) {
		end = mate[i]
		if (is_sign(i, "(") && is_lone(i) && (is_sign(end + 1, "=>") ||
		    kind[i - 1] == "sign" && text[i - 1] !~ /^([])}]|\?\.)$/))
			drop[i] = drop[end] = 1
		if (is_sign(i, ",") && kind[i + 1] == "sign" && mate[i + 1] &&
		    !drop[i + 1] && text[i + 1] ~ /^[])}]$/ &&
		    text[i - 1] != "," &&
		    mate[i + 1] != i - 1)
			drop[i] = 1
	}
}

# Whether the round bracket i has but one name, or names of members.
function is_lone(i,    k) {
	if (role[i + 1] != "name" && (text[i + 1] != "this" ||
	    is_sign(mate[i] + 1, "=>")))
		return 0
	for (k = i + 2; k < mate[i]; k++)
		if (role[k] != "property" && !is_sign(k, "."))
			return 0
	return k == i + 2 || !is_sign(k + 1, "=>")
}

function shorten(    i) {
	join_declarations()
	for (i = 0; i < 4; i++) {
		drop_braces()
		join_statements()
		join_ifs()
	}
	join_values()
	drop_sequences()
	join_arrows()
	drop_brackets()
	drop_calls()
	drop_semicolons()
	drop_fields()
	loosen_equals()
	shorten_literals()
}
