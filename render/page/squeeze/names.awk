# SPDX-License-Identifier: MIT
# Short names.  What is declared outside has one in the whole script.  In each
# unit, all else gets what no other name of the unit has: scopes within units
# need not be known.  Members get one, too, if the variable `members' (words of
# members.txt) has them.

# The number k as a name: a letter, then letters and digits.
function spelled(k,    s) {
	s = substr(LETTERS, k % 54 + 1, 1)
	for (k = int(k / 54); k > 0; k = int((k - 1) / 64))
		s = s substr(LETTERS, (k - 1) % 64 + 1, 1)
	return s
}

# Counts the word w among those of a list.
function count(w) {
	if (!(w in uses)) {
		uses[w] = 0
		list[++listed] = w
	}
	uses[w]++
}

function forget(    w) {
	for (w in uses)
		delete uses[w]
	for (w in twice)
		delete twice[w]
	listed = 0
}

# The most frequent first, else in the order of the script.
function sort_list(    i, j, w) {
	for (i = 2; i <= listed; i++) {
		w = list[i]
		for (j = i; j > 1 && uses[list[j - 1]] < uses[w]; j--)
			list[j] = list[j - 1]
		list[j] = w
	}
}

# Gives each of the list a name that is no word of `taken'.
function name_list(names, taken, u,    i, k, w) {
	sort_list()
	for (i = 1; i <= listed; i++) {
		do
			w = spelled(k++)
		while (w in keyword || w == "of" || w in fixed ||
		       (u, w) in taken)
		names[u, list[i]] = w
	}
	forget()
}

function load_ours(    i, list) {
	split(members, list)
	for (i in list)
		ours[list[i]] = 1
}

function name_members(    i) {
	for (i = 1; i <= n; i++)
		if (role[i] == "property" || role[i] == "short") {
			if (text[i] in ours)
				count(text[i])
			else
				held["", text[i]] = 1
		}
	name_list(member, held, "")
}

# Whether at i stands a function like Math.max, which asks for no `this'.
function is_of_none(i) {
	return place[i] == "foreign" && is_sign(i + 1, ".") &&
		text[i] ~ /^(Array|Math|Number|Object)$/
}

# Such a function is one word, if the script says it often.
function join_functions(    i, said) {
	for (i = 1; i <= n; i++)
		if (is_of_none(i))
			said[text[i] "." text[i + 2]]++
	for (i = 1; i <= n; i++)
		if (is_of_none(i) && said[text[i] "." text[i + 2]] > 2) {
			text[i] = text[i] "." text[i + 2]
			drop[i + 1] = drop[i + 2] = 1
		}
}

# What the browser has under a long name and the script says often becomes a
# constant of ours.
function alias_foreign(    i, k, w, often) {
	for (i = 1; i <= n; i++)
		if (place[i] == "foreign" && text[i] ~ \
		    /^([A-Z][A-Za-z0-9]+(\.[a-zA-Z]+)?|document|undefined|null)$/ &&
		    !is_keyword(i - 1, "^typeof$"))
			count(text[i])
	for (k = 1; k <= listed; k++) {
		w = list[k]
		if (uses[w] * (length(w) - 2) > length(w) + 5)
			often[aliases[++aliased] = w] = 1
	}
	for (i = 1; i <= n; i++)
		if (place[i] == "foreign" && text[i] in often)
			place[i] = "top"
	for (w in often)
		fixed[w] = 1
	forget()
}

function value_of(w) {
	return w ~ /'/ ? substr(w, 2) : w
}

function alias_text(    k, s) {
	for (k = 1; k <= aliased; k++)
		s = s (k == 1 ? "let " : ",") outer["top", aliases[k]] "=" \
			value_of(aliases[k])
	return aliased ? s ";" : ""
}

# What is outside has a name that no word has which can stay.
function name_top(    i) {
	for (i = 1; i <= n; i++)
		if (role[i] == "short" || place[i] == "foreign")
			fixed[text[i]] = 1
	for (i = 1; i <= n; i++)
		if (place[i] == "top" && !drop[i])
			count(text[i])
	name_list(outer, held, "top")
	for (i in fixed)
		delete fixed[i]
}

# {name} becomes {name:a}, which must save something; {ours} does anyway.
function is_worth(w) {
	return w in ours || (length(w) - 1) * (uses[w] - twice[w]) > 2 * twice[w]
}

function name_inner(u, i, end,    k, m) {
	for (k = i; k <= end; k++) {
		if (place[k] == "inner") {
			count(text[k])
			twice[text[k]] += role[k] == "short"
		} else if (place[k] == "top")
			used[u, outer["top", text[k]]] = 1
		else if (place[k] == "foreign")
			used[u, text[k]] = 1
	}
	for (k = m = 0; k < listed; )
		if (is_worth(list[++k]) || !twice[list[k]])
			list[++m] = list[k]
		else
			used[u, list[k]] = 1
	listed = m
	name_list(local, used, u)
}

function give_names(    i, end) {
	LETTERS = "etnaoirscludfmphgbyvwkxjqzETNAOIRSCLUDFMPHGBYVWKXJQZ$_" \
		"0123456789"
	name_members()
	join_functions()
	alias_foreign()
	alias_texts()
	name_top()
	for (i = 1; i <= n; i = end + 1) {
		for (end = i; unit[end + 1] == unit[i]; end++)
			;
		keep_this(i, end)
		name_inner(unit[i], i, end)
	}
}

function variable(i,    w) {
	w = text[i]
	if (place[i] == "top")
		return outer["top", w]
	return (unit[i] SUBSEP w) in local ? local[unit[i], w] : w
}

# What is written for the token i.
function written(i,    key, w) {
	if (role[i] == "property" || role[i] == "short")
		key = ((SUBSEP text[i]) in member) ? member["", text[i]] : \
			text[i]
	if (role[i] == "property")
		return key
	w = place[i] == "" ? text[i] : variable(i)
	if (i in in_brackets)
		return "[" w "]"
	return role[i] != "short" || key == w ? w : key ":" w
}
