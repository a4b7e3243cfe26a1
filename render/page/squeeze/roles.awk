# SPDX-License-Identifier: MIT
# What each word of the script is:
#   role[i]   keyword, name (of a variable), property, short (both: {a, b}),
#             or import (a name in an import, which goes)
#   mate[i]   the bracket that closes or opens the bracket i
#   shape[i]  of a bracket that opens: object, class or block
#   owner[i]  the innermost bracket that is open at i

function load_keywords(    list, i) {
	split("async await break case catch class const continue default " \
	      "delete do else export extends false finally for function if " \
	      "import in instanceof let new return static super switch " \
	      "this throw true try typeof var void while yield", list)
	for (i in list)
		keyword[list[i]] = 1
}

function is_sign(i, s) {
	return kind[i] == "sign" && text[i] == s
}

function is_keyword(i, words) {
	return role[i] == "keyword" && text[i] ~ words
}

# Whether the colon i ends `case a:' or `default:'.
function is_case(i) {
	if (shape[owner[i]] != "block")
		return 0
	for (i--; i > 0 && text[i] !~ /^[{};?]$/; i--)
		if (kind[i] == "word" && text[i] ~ /^(case|default)$/)
			return 1
	return 0
}

# What a brace at i holds; class_at is the last word `class' without a body.
function shape_of(i,    before) {
	before = text[i - 1]
	if (class_at) {
		class_at = 0
		return "class"
	}
	if (kind[i - 1] == "word")
		return before ~ /^(else|do|try|finally)$/ ? "block" : "object"
	return before ~ /^([){};]|=>)$/ || i == 1 ||
		before == ":" && is_case(i - 1) ? "block" : "object"
}

function match_brackets(    i, depth, open) {
	for (i = 1; i <= n; i++) {
		owner[i] = open[depth]
		if (kind[i] == "word" && text[i] == "class" &&
		    !is_sign(i - 1, ".") && !is_sign(i + 1, ":"))
			class_at = i
		if (kind[i] != "sign")
			continue
		if (text[i] ~ /^[({[]$/) {
			shape[i] = text[i] == "{" ? shape_of(i) : text[i]
			open[++depth] = i
		} else if (text[i] ~ /^[])}]$/) {
			mate[i] = open[depth]
			mate[open[depth--]] = i
			owner[i] = owner[mate[i]]
			if (is_sign(i + 1, "/") &&
			    text[mate[i] - 1] ~ /^(if|for|while)$/)
				fail("a statement begins with /")
		}
	}
}

# `of' is a keyword only between what a loop declares and what it walks.
function is_loop_of(i) {
	return text[i] == "of" && text[owner[i]] == "(" &&
		text[owner[i] - 1] == "for" && role[i - 1] != "keyword" &&
		(kind[i - 1] == "word" || text[i - 1] ~ /^[]}]$/)
}

# Whether the word i is a key of an object, or a member of a class.
function is_key(i,    before, what) {
	what = shape[owner[i]]
	if (what != "object" && what != "class")
		return 0
	before = text[i - 1]
	if (before ~ /^(get|set|async|static)$/ && kind[i - 1] == "word" &&
	    owner[i - 1] == owner[i])
		return text[i + 1] ~ /^[(=;]$/
	if (what == "class")
		return before ~ /^[{};]$/ && text[i + 1] ~ /^[(=;]$/
	return before ~ /^[{,]$/ && text[i + 1] ~ /^[:(]$/
}

function is_short(i) {
	return shape[owner[i]] == "object" && text[i - 1] ~ /^[{,]$/ &&
		text[i + 1] ~ /^[,}=]$/
}

# `get' and `set' before the name of a member.
function is_accessor(i) {
	return text[i] ~ /^[gs]et$/ && kind[i + 1] == "word" &&
		text[i + 2] == "("
}

function role_of(i) {
	if (is_sign(i - 1, ".") || is_sign(i - 1, "?.") || is_key(i))
		return "property"
	if (text[i] in keyword || is_loop_of(i) || is_accessor(i))
		return "keyword"
	return is_short(i) ? "short" : "name"
}

# An import ends with its line; its names are declared in the file.
function drop_import(i) {
	for (; i <= n && text[i] != ";"; i++) {
		if (kind[i] == "word" && text[i] == "as")
			fail("an import gives another name")
		role[i] = "import"
	}
	role[i] = "import"
	return i
}

function give_roles(    i) {
	load_keywords()
	for (i = 1; i <= n; i++)
		role[i] = mate[i] = shape[i] = ""
	match_brackets()
	for (i = 1; i <= n; i++) {
		if (kind[i] != "word")
			continue
		if (text[i] == "import" && fresh[i])
			i = drop_import(i)
		else if (text[i] == "export" && fresh[i])
			role[i] = "import"
		else
			role[i] = role_of(i)
	}
}
