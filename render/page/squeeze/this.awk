# SPDX-License-Identifier: MIT
# A method that says `this' often has a variable for it.
#   before[i], after[i]  what stands around its declaration, after the token i

# Whether something in the unit from i to `end' has another `this', or none yet.
function changes_this(i, end) {
	for (; i <= end; i++)
		if (is_keyword(i, "^(super|function|class)$") ||
		    shape[i] == "block" && is_sign(i - 1, ")") &&
		    shape[owner[i]] == "object")
			return 1
	return 0
}

# The brace of the body of the method from i to `end', or 0.
function method_body(i, end,    at) {
	if (shape[owner[i]] != "class" || changes_this(i, end))
		return 0
	for (at = owner[i]; i <= end; i++)
		if (is_sign(i, "{") && owner[i] == at)
			return i
	return 0
}

# The token of the unit from i to `end' after which a parameter can stand, or 0.
function spare_place(i, end) {
	for (; i <= end; i++)
		if (i in spare)
			return i
	return 0
}

# What stands before and after the variable of the method with this body.
function declare_this(body, at) {
	if (at) {
		before[at] = is_sign(at, "(") ? "" : ","
		after[at] = is_sign(at, "(") && !is_sign(at + 1, ")") ? "," : ""
		return at
	}
	before[body] = "let "
	after[body] = ";"
	if (is_keyword(following(body), "^let$")) {
		drop[following(body)] = 1
		after[body] = ","
	}
	return body
}

# How often it must be said: "=this" and what stands around it take the rest.
function is_often(says, body, at) {
	if (at)
		return 3 * says > 6 + !is_sign(at, "(")
	return 3 * says > (is_keyword(following(body), "^let$") ? 7 : 11)
}

function keep_this(i, end,    body, at, k, says) {
	body = method_body(i, end)
	if (!body)
		return
	at = spare_place(i, end)
	for (k = at ? at : body; k < mate[body]; k++)
		says += is_keyword(k, "^this$")
	if (!is_often(says, body, at))
		return
	for (k = declare_this(body, at); k < mate[body]; k++)
		if (is_keyword(k, "^this$")) {
			role[k] = "name"
			place[k] = "inner"
		}
}

function declaration_after(i) {
	if (!(i in after))
		return ""
	return before[i] local[unit[i], "this"] "=this" after[i]
}
