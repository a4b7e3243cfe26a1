# SPDX-License-Identifier: MIT
# { a(); b(); } under a condition becomes (a(), b()); and so one statement that
# others can be joined with.
#   sequence[i]  whether the bracket i was the brace of such a block

function begins_expression(i) {
	return kind[i] == "word" && (!is_keyword(i, ".") || text[i] == "this") ||
		is_sign(i, "!") || i in sequence
}

# The semicolon of the last of the expressions in the braces at i; 0: there are
# fewer than two, or something else.  With `returns', the last is a return.
function last_expression(i, returns,    k, stop, count, value) {
	for (k = following(i); k < mate[i]; k = following(stop)) {
		stop = semicolon_of(k, i)
		count++
		if (!stop)
			return 0
		if (returns && is_keyword(k, "^return$")) {
			value = following(k)
			return following(stop) == mate[i] && value != stop &&
				(count > 1 || is_sign(value, "{")) ? stop : 0
		}
		if (!begins_expression(k))
			return 0
	}
	return count > 1 && !returns ? stop : 0
}

# The braces at i become round brackets, of which the second is at `last'.
function make_sequence(i, last,    k) {
	for (k = i + 1; k < last; k++)
		if (owner[k] == i && is_sign(k, ";"))
			text[k] = ","
		else if (owner[k] == i && is_keyword(k, "^return$"))
			drop[k] = 1
	k = mate[i]
	text[i] = shape[i] = "("
	text[last] = ")"
	mate[i] = last
	mate[last] = i
	owner[last] = owner[k]
	delete mate[k]
	text[k] = ";"
	sequence[i] = 1
}

function join_statements(    i, last) {
	for (i = 1; i <= n; i++) {
		if (shape[i] != "block" || drop[i] || !is_body(i))
			continue
		last = last_expression(i)
		if (last)
			make_sequence(i, last)
	}
}

# () => { a(); return b; } becomes () => (a(), b)
function join_values(    i, end, last) {
	for (i = 2; i <= n; i++) {
		if (shape[i] != "block" || drop[i] || !is_sign(i - 1, "=>"))
			continue
		end = mate[i]
		last = last_expression(i, 1)
		if (last) {
			make_sequence(i, last)
			drop[end] = 1
		}
	}
}

# A sequence that is a whole statement needs no brackets.
function drop_sequences(    i, before) {
	for (i = 2; i <= n; i++) {
		if (!(i in sequence) || drop[i])
			continue
		for (before = i - 1; drop[before]; before--)
			;
		if (is_keyword(before, "^else$") || is_sign(before, ")") &&
		    is_keyword(mate[before] - 1, "^(if|for|while)$")) {
			drop_pair(i)
			fresh[following(i)] = 0
		}
	}
}
