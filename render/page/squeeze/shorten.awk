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

# Whether the braces at i hold one simple statement: its semicolon, or 0.
function lone_semicolon(i,    end) {
	if (kind[i + 1] != "word" || is_keyword(i + 1,
	    "^(if|for|while|do|try|switch|let|const|class|function|async)$"))
		return 0
	end = statement_end(i + 1)
	return is_sign(end, ";") && end + 1 == mate[i] ? end : 0
}

function is_body(i,    open) {
	if (is_keyword(i - 1, "^else$"))
		return 1
	open = is_sign(i - 1, ")") ? mate[i - 1] : 0
	return open && is_keyword(open - 1, "^(if|for|while)$")
}

function drop_braces(    i) {
	for (i = 1; i <= n; i++)
		if (shape[i] == "block" && is_body(i) && lone_semicolon(i)) {
			drop[i] = drop[mate[i]] = 1
			fresh[i + 1] = 0
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

function shorten_literals(    i) {
	for (i = 1; i <= n; i++)
		if (is_keyword(i, "^(true|false)$"))
			text[i] = text[i] == "true" ? "!0" : "!1"
		else if (is_keyword(i, "^undefined$"))
			text[i] = "void 0"
		else if (kind[i] == "number")
			sub(/^0\./, ".", text[i])
}

# A comma after the last of a list, and brackets around a lone parameter or
# a value that is a name (what a type was said of).
function drop_brackets(    i, end) {
	for (i = 2; i <= n; i++) {
		end = mate[i]
		if (is_sign(i, "(") && is_lone(i) && (is_sign(end + 1, "=>") ||
		    kind[i - 1] == "sign" && text[i - 1] !~ /^[])}]$/))
			drop[i] = drop[end] = 1
		if (is_sign(i, ",") && kind[i + 1] == "sign" && mate[i + 1] &&
		    text[i + 1] ~ /^[])}]$/ && text[i - 1] != "," &&
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

function shorten() {
	join_declarations()
	drop_braces()
	drop_brackets()
	drop_semicolons()
	shorten_literals()
}
