# SPDX-License-Identifier: MIT
# What a function declares first becomes parameters of it, which no call gives:
# (a) => { const b = a; f(b); } becomes (a, b = a) => { f(b); }, which often
# needs no braces then.  All its calls must be known: those of a variable, of a
# class, and of a method whose name is ours.
#   given[f]    how many values calls of f give at most; MANY if that is unknown
#   extends[i]  whether a method can have more parameters before the bracket i
#   moves[i]    the last token of the declarations that go there
#   spare[i]    whether one more parameter can stand after the token i

# The opening bracket of the parameters of the function that the word i names,
# or 0.
function parameters_of(i,    open) {
	if (role[i] == "property" && is_key(i))
		return has_body(i + 1, 1) && is_method_of_ours(i) ? i + 1 : 0
	if (role[i] != "name" || !is_keyword(i - 1, "^(const|let)$") ||
	    !is_sign(i + 1, "="))
		return 0
	return has_body(i + 2, 2) ? i + 2 : 0
}

function is_method_of_ours(i) {
	if (text[i - 1] ~ /^([gs]et|async)$/ && kind[i - 1] == "word")
		return 0
	return text[i] in ours || is_constructor(i)
}

function is_constructor(i) {
	return text[i] == "constructor" && shape[owner[i]] == "class" &&
		!owner[owner[i]]
}

# The name of the class with the member i.
function class_of(i) {
	for (i = owner[i]; !is_keyword(i, "^class$"); i--)
		;
	return text[i - 2]
}

# Whether a function's body begins `apart' tokens after the brackets at i.
function has_body(i, apart) {
	return is_sign(i, "(") && shape[mate[i] + apart] == "block" &&
		is_sign(mate[i] + 1, apart == 1 ? "{" : "=>")
}

# The values that stand in the brackets at i.
function values_in(i,    k, count) {
	count = mate[i] > i + 1 && !is_sign(mate[i] - 1, ",")
	for (k = i + 1; k < mate[i]; k++)
		if (owner[k] == i && is_sign(k, "..."))
			return MANY
		else if (owner[k] == i && is_sign(k, ","))
			count++
	return count
}

# What the function that the word i names is known by.
function known_by(i) {
	if (role[i] == "property" && is_constructor(i))
		return "top" SUBSEP class_of(i)
	if (role[i] == "property")
		return "." text[i]
	return (place[i] == "top" ? "top" : unit[i]) SUBSEP text[i]
}

# How many values the word i gives to the function it names.
function gives(i) {
	if (parameters_of(i) || role[i] == "property" && is_key(i) &&
	    has_body(i + 1, 1))
		return 0
	if (role[i] != "short" && is_sign(i + 1, "("))
		return values_in(i + 1)
	return is_keyword(i - 1, "^(instanceof|new)$") ||
		is_sign(i + 1, "=") && is_keyword(i + 2, "^class$") ? 0 : MANY
}

function count_given(    i, f, count) {
	MANY = 1e6
	for (i = 1; i <= n; i++) {
		if (role[i] !~ /^(name|short|property)$/)
			continue
		count = gives(i)
		f = known_by(i)
		if (given[f] < count)
			given[f] = count
		if (role[i] == "short")
			given["." text[i]] = MANY
	}
}

# Whether the body at i declares, after the token `last', a name that is said
# from `first' on.
function says_later(i, first, last,    k, said, end) {
	for (k = first; k <= last; k++)
		if (role[k] ~ /^(name|short)$/)
			said[text[k]] = 1
	for (; k < mate[i]; k++) {
		if (owner[k] != i ||
		    !is_keyword(k, "^(const|let|function|class)$"))
			continue
		for (end = statement_end(k); k < end; k++)
			if (k in declares && text[k] in said)
				return 1
	}
	return 0
}

# The last token of the declarations that the body at i begins with, and that
# can move out of it, or 0.
function last_declared(i,    k, end, last) {
	for (k = i + 1; is_keyword(k, "^(const|let)$"); k = end + 1) {
		end = statement_end(k)
		if (!is_sign(end, ";") || says_later(i, k, end))
			return last
		last = end
	}
	return last
}

function mark_parameters(    i, open, last) {
	for (i = 1; i <= n; i++) {
		open = parameters_of(i)
		if (!open || values_in(open) == MANY ||
		    given[known_by(i)] > values_in(open))
			continue
		if (role[i] == "property" && shape[owner[i]] == "class")
			extends[mate[open]] = 1
		last = last_declared(mate[open] + (role[i] == "name") + 1)
		if (last)
			moves[mate[open]] = last
	}
}

# Arranges the declarations from i to `last', without their words.
function arrange_declared(i, last,    end) {
	for (; i <= last; i = end + 1) {
		end = statement_end(i)
		arrange_moved(i + 1, end - 1)
		if (end < last)
			arrange(",", "sign", 0, from[i])
	}
}

function arrange_moved(i, end,    body) {
	for (; i <= end; i++) {
		if (i in extends && text[i - 1] != ",")
			spare[arranged] = 1
		if (!(i in moves)) {
			arrange_all(i, i)
			continue
		}
		body = i + 1 + is_sign(i + 1, "=>")
		if (text[i - 1] !~ /^[(,]$/)
			arrange(",", "sign", 0, from[i])
		arrange_declared(body + 1, moves[i])
		arrange_all(i, body)
		i = moves[i]
	}
}

function move_declared() {
	find_scopes()
	count_given()
	mark_parameters()
	arrange_moved(1, n)
	take_arranged()
	give_roles()
}
