# SPDX-License-Identifier: MIT
# Constants outside of all brackets that are a text or a short number are said
# where they are used: texts.awk gives a variable to those texts said often.
#   value_at[name]  the token of a constant's value

# Whether a declaration of one token begins at i: NAME = VALUE.
function is_plain_value(i) {
	return role[i] == "name" && is_sign(i + 1, "=") &&
		kind[i + 2] ~ /^(number|string)$/ &&
		kind[i + 3] == "sign" && text[i + 3] ~ /^[,;]$/
}

function find_values(    i, end) {
	for (i = 1; i <= n; i++)
		if (is_keyword(i, "^const$") && !owner[i])
			for (end = statement_end(i); i < end; i++)
				if (text[i] ~ /^(const|,)$/ && !owner[i] &&
				    is_plain_value(i + 1))
					value_at[text[i + 1]] = i + 3
}

# Keeps those that are no shorter where they are used, a name having two
# letters, and those of which a member is asked for.
function keep_values(    i, w, letters) {
	for (i = 1; i <= n; i++) {
		w = text[i]
		if (place[i] != "top" || !(w in value_at))
			continue
		said[w]++
		if (role[i] == "short" || text[i + 1] ~ /^\??\.$/)
			kept[w] = 1
	}
	for (w in value_at) {
		letters = length(number_text(text[value_at[w]]))
		if (kind[value_at[w]] == "number" &&
		    (letters - 2) * said[w] > letters + 5)
			kept[w] = 1
	}
}

# The declaration that begins after the sign or word i goes, and with it the
# comma after it; or that before it, if it is the last.
function drop_value(i,    k) {
	for (k = i + 1; k <= i + 3; k++)
		drop[k] = 1
	if (is_sign(k, ",")) {
		drop[k] = 1
		return
	}
	while (drop[i])
		i--
	drop[i] = 1
	if (is_sign(i, ","))
		return
	role[i] = ""
	drop[k] = 1
}

function use_values(    i, w) {
	for (i = 1; i <= n; i++) {
		w = text[i]
		if (place[i] != "top" || !(w in value_at) || w in kept)
			continue
		if (value_at[w] == i + 2) {
			drop_value(i - 1)
			continue
		}
		text[i] = text[value_at[w]]
		kind[i] = kind[value_at[w]]
		role[i] = place[i] = ""
	}
}

function inline_values() {
	find_values()
	keep_values()
	use_values()
}
