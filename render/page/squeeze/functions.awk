# SPDX-License-Identifier: MIT
# function f(a) { } outside of all brackets becomes const f = (a) => { };
# and stands before all else, as a browser takes it.  class A { } becomes
# const A = class { }; where it is: declarations can be joined.

# The bracket that closes the bracket i.
function closing(i,    depth) {
	for (; i <= n; i++) {
		if (kind[i] != "sign")
			continue
		if (text[i] ~ /^[({[]$/)
			depth++
		else if (text[i] ~ /^[])}]$/ && --depth == 0)
			return i
	}
	return n
}

function says_this(i, end) {
	for (; i <= end; i++)
		if (kind[i] == "word" && text[i] ~ /^(this|arguments)$/)
			return 1
	return 0
}

# Where the function that begins at i ends, or 0.
function function_end(i,    end) {
	if (kind[i] != "word" || text[i] != "function" ||
	    kind[i + 1] != "word" || text[i - 1] == "async")
		return 0
	end = closing(closing(i + 2) + 1)
	return says_this(i, end) ? 0 : end
}

# Where the class that begins at i ends, or 0.
function class_end(i) {
	if (kind[i] != "word" || text[i] != "class")
		return 0
	while (text[i] != "{")
		i++
	return closing(i)
}

function mark_functions(    i, end) {
	for (i = 1; i <= n; i++) {
		end = function_end(i)
		if (end) {
			ends[i] = end
			i = end
		} else if (class_end(i)) {
			class_ends[i] = class_end(i)
			i = class_ends[i]
		} else if (kind[i] == "sign" && text[i] ~ /^[({[]$/)
			i = closing(i)
	}
}

# Takes a token after those that are in order.
function arrange(s, what, new_line, of_file) {
	text_of[++arranged] = s
	kind_of[arranged] = what
	fresh_of[arranged] = new_line
	file_of[arranged] = of_file
}

function arrange_all(i, end) {
	for (; i <= end; i++)
		arrange(text[i], kind[i], fresh[i], from[i])
}

function arrange_class(i) {
	arrange("const", "word", 1, from[i])
	arrange_all(i + 1, i + 1)
	arrange("=", "sign", 0, from[i])
	arrange_all(i, i)
	arrange_all(i + 2, class_ends[i])
	arrange(";", "sign", 0, from[i])
}

# What is arranged are the tokens now.
function take_arranged(    i) {
	for (i = 1; i <= arranged; i++) {
		text[i] = text_of[i]
		kind[i] = kind_of[i]
		fresh[i] = fresh_of[i]
		from[i] = file_of[i]
	}
	for (; i <= n; i++)
		text[i] = kind[i] = role[i] = ""
	n = arranged
	arranged = 0
}

function arrange_function(i,    body) {
	body = closing(i + 2) + 1
	arrange("const", "word", 1, from[i])
	arrange_all(i + 1, i + 1)
	arrange("=", "sign", 0, from[i])
	arrange_all(i + 2, body - 1)
	arrange("=>", "sign", 0, from[i])
	arrange_all(body, ends[i])
	arrange(";", "sign", 0, from[i])
}

function lift_functions(    i) {
	mark_functions()
	for (i = 1; i <= n; i++)
		if (i in ends)
			arrange_function(i)
	for (i = 1; i <= n; i++)
		if (i in ends)
			i = ends[i]
		else if (i in class_ends) {
			arrange_class(i)
			i = class_ends[i]
		} else if (text[i] != "export" || !((i + 1) in ends ||
			 (i + 1) in class_ends))
			arrange_all(i, i)
	take_arranged()
}
