# SPDX-License-Identifier: MIT
# A text that the script says often becomes a constant: the word of the text 'a'
# is s'a', which no other word can be.

# Whether the text i can be a variable: a key can in brackets, [a]: 1.
function is_text(i) {
	return kind[i] == "string" && !drop[i]
}

function is_text_key(i) {
	return shape[owner[i]] == "object" && text[i - 1] ~ /^[{,]$/ &&
		text[i + 1] == ":"
}

# What a constant saves that is said `often', a name having two letters.
function saving(s, often, keys) {
	return often * (length(s) - 2) - 2 * keys - length(s) - 4
}

function name_text(i) {
	if (is_text_key(i))
		in_brackets[i] = 1
	text[i] = "s" text[i]
	kind[i] = "word"
	role[i] = "name"
	place[i] = "top"
}

function alias_texts(    i, k, keys, often) {
	for (i = 1; i <= n; i++)
		if (is_text(i)) {
			count(text[i])
			keys[text[i]] += is_text_key(i)
		}
	for (k = 1; k <= listed; k++)
		if (saving(list[k], uses[list[k]], keys[list[k]]) > 0) {
			often[list[k]] = 1
			aliases[++aliased] = "s" list[k]
		}
	for (i = 1; i <= n; i++)
		if (is_text(i) && text[i] in often)
			name_text(i)
	forget()
}
