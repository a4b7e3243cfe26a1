# SPDX-License-Identifier: MIT
# A method that says `this' often has a variable for it.
#   after[i]   what stands after the token i: the variable's declaration

# Whether something in the unit from i to `end' has another `this', or none yet.
function changes_this(i, end) {
	for (; i <= end; i++)
		if (is_keyword(i, "^(super|function|class)$"))
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

function keep_this(i, end,    body, k, says, joins) {
	body = method_body(i, end)
	if (!body)
		return
	for (k = body; k < mate[body]; k++)
		says += is_keyword(k, "^this$")
	joins = is_keyword(following(body), "^let$")
	if (3 * says <= (joins ? 7 : 11))
		return
	for (k = body; k < mate[body]; k++)
		if (is_keyword(k, "^this$")) {
			role[k] = "name"
			place[k] = "inner"
		}
	if (joins)
		drop[following(body)] = 1
	after[body] = joins ? "," : ";"
}

function declaration_after(i) {
	return i in after ? "let " local[unit[i], "this"] "=this" after[i] : ""
}
