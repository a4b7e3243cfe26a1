# SPDX-License-Identifier: MIT
# A text that the script says often becomes a constant: the word of the text 'a'
# is s'a', which no other word can be.  The name of a member is such a text, too:
# b.name becomes b[a].

# Whether the text i can be a variable: a key can in brackets, [a]: 1.
function is_text(i) {
	return kind[i] == "string" && !drop[i]
}

function is_text_key(i) {
	return shape[owner[i]] == "object" && text[i - 1] ~ /^[{,]$/ &&
		text[i + 1] == ":"
}

# Members that are asked for a few times a picture.  Others stay: a member that is
# looked up by a variable takes longer, which loops over samples show.
function load_rare(    list, i) {
	split("activeElement addEventListener align append body button \
	      canvas changes children classList className clientHeight \
	      clientWidth close colour column columns concat createElement \
	      dataset detail dialog documentElement endsWith evidence \
	      filter findIndex flatMap focus forEach getBoundingClientRect \
	      grid group height hidden includes input interval \
	      inverted join keys label labels matches meta nodes notes \
	      objects order origin padStart parentNode preventDefault \
	      querySelector querySelectorAll reduce remove replace \
	      replaceAll replaceState reverse rows samples sandwich scale \
	      scrollTop search select setAttribute slice source startsWith \
	      states strings style symbol symbols tabIndex table target \
	      textContent theme threads title toExponential toFixed \
	      toPrecision toString toggle tree trust type values whole \
	      width zoom", list)
	for (i in list)
		rare[list[i]] = 1
}

function is_text_member(i) {
	return role[i] == "property" && is_sign(i - 1, ".") && !drop[i] &&
		text[i] in rare && !(text[i] in ours)
}

# The text at i; "" if there is none.
function text_at(i) {
	return is_text(i) ? text[i] : is_text_member(i) ? "'" text[i] "'" : ""
}

# What a constant saves that is said `often', a name having two letters, or one
# if few others are said as often.
function saving(s, often, keys, of_members,    letters) {
	letters = often > 90 ? 1 : 2
	return often * (length(s) - letters) - 2 * keys - 3 * of_members - \
		length(s) - letters - 2
}

function name_text(i, s) {
	if (kind[i] != "string" || is_text_key(i))
		in_brackets[i] = 1
	if (kind[i] != "string")
		drop[i - 1] = 1
	kind[i] = kind[i] == "string" ? "word" : "member"
	text[i] = "s" s
	role[i] = "name"
	place[i] = "top"
}

function alias_texts(    i, k, s, keys, often, of_members) {
	load_rare()
	for (i = 1; i <= n; i++)
		if ((s = text_at(i)) != "") {
			count(s)
			keys[s] += is_text(i) && is_text_key(i)
			of_members[s] += !is_text(i)
		}
	for (k = 1; k <= listed; k++) {
		s = list[k]
		if (saving(s, uses[s], keys[s], of_members[s]) > 0) {
			often[s] = 1
			aliases[++aliased] = "s" s
		}
	}
	for (i = 1; i <= n; i++)
		if ((s = text_at(i)) in often)
			name_text(i, s)
	forget()
}
