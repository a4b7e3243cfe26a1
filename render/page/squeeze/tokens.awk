# SPDX-License-Identifier: MIT
# The page's script as tokens, without comments:
#   text[i]   the token i, from 1 to n
#   kind[i]   word, number, string, regex or sign
#   fresh[i]  whether a line begins with it
#   from[i]   the number of its file
# Signs are as long as can be.  Templates are refused: the page has none.

function fail(why) {
	print "squeeze: " FILENAME ":" FNR ": " why >"/dev/stderr"
	failed = 1
	exit 1
}

function token(s, what) {
	text[++n] = s
	kind[n] = what
	fresh[n] = first
	from[n] = files
	first = 0
}

# A slash begins a regular expression where no value ends.
function at_value_end() {
	if (kind[n] == "word")
		return text[n] !~ /^(return|typeof|case|in|of|else|do|void)$/
	return kind[n] != "sign" || text[n] ~ /^([])}]|\+\+|--)$/
}

# The length of a string or a regular expression that begins s.
function quoted_length(s, end,    i, c, inside) {
	for (i = 2; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "\\")
			i++
		else if (end == "/" && c == "[")
			inside = 1
		else if (end == "/" && c == "]")
			inside = 0
		else if (c == end && !inside)
			return i
	}
	fail("no end of " substr(s, 1, 20))
}

function regex_length(s,    len) {
	len = quoted_length(s, "/")
	match(substr(s, len + 1), /^[a-z]*/)
	return len + RLENGTH
}

function sign_length(s) {
	if (match(s, /^(\.\.\.|===|!==|>>>=|>>>|<<=|>>=|\*\*=|\?\?=|&&=|\|\|=)/))
		return RLENGTH
	if (match(s, /^(=>|==|!=|<=|>=|&&|\|\||\?\?|\+\+|--|<<|>>|\*\*)/))
		return RLENGTH
	if (match(s, /^([-+*\/%&|^]=|\?\.)/))
		return RLENGTH
	return 1
}

function number_length(s) {
	if (match(s, /^0x[0-9a-fA-F]+/))
		return RLENGTH
	if (match(s, /^([0-9]+(\.[0-9]+)?|\.[0-9]+)(e-?[0-9]+)?n?/))
		return RLENGTH
	return 0
}

# Takes the token that begins s; gives its length.
function next_token(s,    c, len) {
	c = substr(s, 1, 1)
	if (match(s, /^[A-Za-z_$][A-Za-z0-9_$]*/)) {
		token(substr(s, 1, RLENGTH), "word")
		return RLENGTH
	}
	if ((len = number_length(s))) {
		if (substr(s, len + 1, 1) ~ /[A-Za-z0-9_$]/)
			fail("not known here: " substr(s, 1, len + 1))
		token(substr(s, 1, len), "number")
	} else if (c == "'" || c == "\"") {
		len = quoted_length(s, c)
		token(substr(s, 1, len), "string")
	} else if (c == "/" && !at_value_end()) {
		len = regex_length(s)
		token(substr(s, 1, len), "regex")
	} else {
		if (c == "`" || c == "#" || c == "@")
			fail("not known here: " c)
		len = sign_length(s)
		token(substr(s, 1, len), "sign")
	}
	return len
}

# What follows the comment that s is in, or begins with.
function after_comment(s,    end) {
	end = index(s, "*/")
	remark = end == 0
	return end == 0 ? "" : substr(s, end + 2)
}

FNR == 1 {
	file[++files] = FILENAME
}

{
	line = remark ? after_comment($0) : $0
	first = 1
	while (line != "") {
		if (match(line, /^[ \t]+/))
			line = substr(line, RLENGTH + 1)
		else if (substr(line, 1, 2) == "//")
			line = ""
		else if (substr(line, 1, 2) == "/*")
			line = after_comment(substr(line, 3))
		else
			line = substr(line, next_token(line) + 1)
	}
}
