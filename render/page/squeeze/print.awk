# SPDX-License-Identifier: MIT
# Writes the script as C strings, with what keeps tokens apart and no more.
# A line's end stays where it might end a statement.

function is_word(i) {
	return (kind[i] == "word" || kind[i] == "number") &&
		text[i] ~ /^[A-Za-z0-9_$]/
}

function same_sign(a, b) {
	return text[a] ~ /[-+]$/ && kind[a] == "sign" && kind[b] == "sign" &&
		substr(text[a], length(text[a])) == substr(text[b], 1, 1)
}

# Whether no statement can end between the tokens a and b.
function is_within(a, b) {
	return kind[a] == "sign" && text[a] !~ /^([])]|\+\+|--)$/ &&
		(text[a] != "}" || kind[b] == "word") ||
		kind[b] == "sign" && text[b] !~ /^([[({!~\/]|[-+]|\+\+|--)$/
}

# What stands between the tokens a and b.
function between(a, b) {
	if (plain && fresh[b])
		return "\n"
	if (is_word(a) && is_word(b))
		return fresh[b] ? "\n" : " "
	if (kind[a] == "regex" && is_word(b) || same_sign(a, b) ||
	    kind[b] == "regex" && is_sign(a, "/") ||
	    kind[a] == "number" && is_sign(b, "."))
		return " "
	return fresh[b] && !is_within(a, b) ? "\n" : ""
}

# The text s with `by' in place of each c.
function replaced(s, c, by,    part, i, k, all) {
	k = split(s, part, c)
	all = part[1]
	for (i = 2; i <= k; i++)
		all = all by part[i]
	return all
}

# `??' and what follows could be a trigraph of C.
function put(s) {
	gsub(/\\/, "&&", s)
	s = replaced(replaced(s, "\"", "\\\""), "\n", "\\n")
	row = row replaced(s, "[?][?]", "?\\?")
	if (length(row) > 70)
		flush()
}

function flush() {
	if (row != "")
		print "\"" row "\","
	row = ""
}

function squeeze() {
	find_scopes()
	inline_values()
	shorten()
	give_names()
}

END {
	if (failed)
		exit 1
	load_ours()
	if (!plain)
		lift_functions()
	give_roles()
	if (!plain)
		move_declared()
	drop_modules()
	if (!plain)
		squeeze()
	put(alias_text())
	for (i = following(0); i <= n; i = following(i)) {
		put((last ? between(last, i) : "") written(i) \
		    declaration_after(i))
		last = i
	}
	put("\n")
	flush()
}
